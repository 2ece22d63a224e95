"""Choices between plans, changes of mind and refusals, with the reason given and what was weighed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from memoryhub.language.patterns import lazy_pattern
from memoryhub.writing.candidates import Candidate, ItemCandidate
from memoryhub.writing.rules import described_plans
from memoryhub.writing.rules.offers import refused_offers
from memoryhub.writing.rules.options import PLAN_EN, PLAN_ZH, by_place, last_named, plan_name, with_letter
from memoryhub.writing.rules.reasons import unmarked_reason
from memoryhub.writing.rules.statement import Found, Statement, field_found, item_found
from memoryhub.writing.rules.technologies import refused_name, technologies_refused
from memoryhub.writing.rules.wording import members, object_en, object_zh, without_my
from memoryhub.writing.sentences import Sentence

_NOUNLESS_END = r"(?=[，,。.！!；;]|$)"
_CHOOSE_ZH = lazy_pattern(
    rf"(?:决定|決定|最终|最終|最后|最後|那就|就|还是|還是|现在|現在|先|暂时|我们|我們|我|项目|这次|要|改|转|轉|重新|又|继续|確定|确定|经过讨论|一致|商量后|老板|领导|大家){{0,5}}(?P<verb>(?:改|换|換|选|選|採|采|启|转|轉|沿|继续)?用(?:回)?|(?<=[，,])而?是|换|換|选择|選擇|选定|選定|选中|选|選|走|按照?|回到|换成|換成|换到|換到|换回|換回|改成|改为|改回|切到|切回|退回|定了?[，,：:]?(?:的是)?|敲定|采纳|採納|执行|执行回|上|还是|還是|就|恢复|确定|確定|转向|拍板|通过了?|批准了?|同意|批了|倾向|选出来|投出来|按)(?:了|到|用)?\s*(?:的是|的就是)?(?:原来的?|原先的?|之前的?|最初的?|老的|老(?=方案|计划|[A-Za-z])|旧的?|原來的?)?{PLAN_ZH.format(1)}|"
    rf"{PLAN_ZH.format(2)}\s*(?:吧|定了|就这么定|就行|敲定|通过了?|可以，就|就它|获批|胜出|好了|最合适，就|更合适，就|拍板了?|批了|批下来了|没问题，就|定下来了?)(?:了)?(?:这个|它|用它|选它|定它|这么定|这样|用)?(?:了|吧)?{_NOUNLESS_END}|{PLAN_ZH.format(3)}[^，,。！!？?；;]{{0,10}}[，,]\s*(?:那)?(?:就|还是|決定|决定)(?:选|用|定|要|按|走)(?:它|这个|這個|这套)(?:了|吧|来)?"
)
_REFUSE_ZH = lazy_pattern(
    rf"(?:不要|不用|不选|不選|不采用|不採用|不走|放弃|放棄|否决|否決|砍掉|别用|別用|别选|別選|不考虑|不考慮|排除|拒绝|拒絕|不打算(?:采用|用|选|走)?|不想(?:用|要|选|采用|走)|不同意|不赞成|不接受|不会(?:用|选|采用|走)|不能用|没(?:有)?(?:采用|选|通过|同意)|反对|反對|驳回|駁回|毙掉|[Pp]ass掉?|叫停|取消|不批|先不走|去掉|我?不选|否掉|划掉|刷掉|不要再用|不要用|别再用|别提|别考虑|不要考虑|不再考虑|甭用|绝不用|不建议用|弃用)了?\s*(?:那个|这个|这|那|原来的)?{PLAN_ZH.format(1)}|"
    rf"{PLAN_ZH.format(2)}\s*(?:就|我们|我們|已经|已經|还是|我看|我觉得|我想|我|被[\u4e00-\u9fff]{{0,6}}|大家|老板|客户|领导|最后|直接|也|都|这边|不管怎样|那|，)*(?:不要了?|不用了|算了(?!算)|不行|不可行|否了|否决了?|否決了?|毙了|斃了|砍了|作废了?|作廢|放弃了?|放棄了?|排除了?|[Pp]ass了?|不考虑了?|不考慮了?|没有?通过|沒通過|不通过|没(?:被)?采纳|不采纳|不合适|不合適|行不通|出局了?|被拒了?|拒了|取消了?|免谈|别提了|拉倒|不同意|不选|不选了|不走了|不采用|不采用了|不接受|走不通|别考虑了?|别再提了?|先放弃|不用再看了?|不要再提了?|没戏|否掉|划掉|砍掉|毙掉|拿掉|[Oo]ut了?|不予采纳|不批|淘汰了?|打回来?了?|不做了?|不搞了?|不上了?|免了|没必要|放一边|搁置了?|不成立|不靠谱[，,]?(?:不要|算了)?|下马了?|泡汤了?|被砍了?|被毙了?|被刷了?|被驳回了?|不作数|不能要|要不得|用不了)"
)
_NO_FIRST_ZH = lazy_pattern(
    rf"(?:把|将){PLAN_ZH.format(4)}(?:给)?(?:否|划|去掉|砍|毙|排除|删|撤|取消|放弃|[Pp]ass)|^(?:不[，,])?不是{PLAN_ZH.format(2)}(?=[，,。！!]|$)|{PLAN_ZH.format(3)}[^，,。；;]{{1,10}}[，,](?:所以)?(?:放弃|放棄|不要了?|算了|否了|否决|不考虑了?|pass|不采用了?|不选了?|不走了?|不用了?|排除|砍掉|不做了?|不批|换掉|出局)(?=[，,。！!]|$)|^(?:不行|不要|不好|不可以|不同意|算了|不)[，,]\s*{PLAN_ZH.format(1)}(?!.*(?:改|换|用|选))"
)
_ANYTHING_BUT_EN = lazy_pattern(
    rf"\b(?:take|cross|strike|leave|count|knock)\s+(?:the\s+)?{PLAN_EN.format(2)}\s+(?:off|out)\b|\b(?:anything|everything|any\s+option)\s+but\s+(?:the\s+)?{PLAN_EN.format(1)}",
    re.IGNORECASE,
)
_GO_EN = r"(?:go(?:ing|es)?\s+(?:ahead\s+)?(?:back\s+)?(?:with|for|to)|went\s+(?:back\s+)?(?:with|for|to)|gone\s+(?:back\s+)?(?:with|to|for)|choos(?:e|ing)|chose|chosen|pick(?:ed|ing)?|use|using|take|taking|took|switch(?:ed|ing)?\s+(?:back\s+)?to|mov(?:e|ed|ing)\s+(?:back\s+|ahead\s+|forward\s+)?(?:to|with)|chang(?:e|ed|ing)\s+(?:back\s+)?to|back\s+to|return(?:ed|ing)?\s+to|revert(?:ed|ing)?\s+to|stick(?:ing)?\s+(?:with|to)|stuck\s+with|start(?:ing)?\s+with|do(?:ing)?|settl(?:e|ed|ing)\s+(?:on|for)|adopt(?:ed|ing)?|follow(?:ing)?|decided\s+(?:on|for)|select(?:ed|ing)?|agree(?:d|ing)?\s+(?:on|to)|run(?:ning)?\s+with|opt(?:ed|ing)?\s+for|approv(?:e|ed|ing)|sign(?:ed)?\s+off\s+(?:on)?|proceed(?:ing)?\s+with|voted\s+for|it['’]s|it\s+is|commit(?:ted|ting)?\s+to|land(?:ed)?\s+on|confirm(?:ed|ing)?)"
_CHOOSE_EN = lazy_pattern(
    rf"\b(?:let['’]?s|let\s+us|we(?:['’]ll|\s+will|\s+have|['’]ve|['’]re|\s+are)?|i(?:['’]ll|\s+will|['’]m|\s+am|\s+have|['’]ve)?|please|decided\s+to|decision\s*:?|ok(?:ay)?|yes|so|then|the\s+(?:team|board|client|boss))?[\s,]*(?:(?:now|just|finally|definitely|actually|all|both|decided\s+to|decide\s+to|have\s+to|going\s+to|want\s+to|agreed\s+to)\s+)*(?P<verb>{_GO_EN})\s+(?:with\s+)?(?:the\s+)?(?:original\s+|old\s+)?{PLAN_EN.format(1)}|"
    rf"{PLAN_EN.format(2)}\s+(?:it\s+is|after\s+all(?=\s*[.!]*$)|instead(?=\s*(?:[.,;!]|$))|is\s+(?:decided|final|the\s+one|our\s+choice|approved|a\s+go|the\s+winner|what\s+we['’]re\s+(?:doing|going\s+with))|wins|it\s+will\s+be|gets\s+(?:my|our)\s+vote|(?:was|has\s+been|got|gets)\s+(?:approved|chosen|selected|picked|signed\s+off|the\s+(?:green\s+light|go-ahead|nod))|(?:then\s*)?,?\s*please\s*[.!]*$)|\b(?:the\s+)?(?:decision|choice|winner|final\s+choice)\s+(?:is|was|went\s+to)\s+{PLAN_EN.format(3)}|\b(?:but\s+(?:yes\s+to\s+)?|yes\s+to\s+)(?:the\s+)?{PLAN_EN.format(4)}\s*[.!]*$|^(?:yes|ok|okay|right|alright|fine|sure|great)[,.]?\s+{PLAN_EN.format(6)}(?=\s*(?:[.,!]|$))|\b(?:decision|choice|verdict|winner|conclusion|result|call)\s*[:–—-]+\s*(?:we\s+go\s+with\s+)?(?:the\s+)?{PLAN_EN.format(5)}",
    re.IGNORECASE,
)
_NO_EN = r"(?:not|no\s+to|no\s+way|no|drop(?:ped|ping)?|reject(?:ed|ing|s)?|rul(?:e|ed|ing)\s+out|abandon(?:ed|ing)?|forget(?:\s+about)?|never\s+mind|scrap(?:ped|ping)?|discard(?:ed|ing)?|ditch(?:ed|ing)?|kill(?:ed)?|veto(?:ed)?|turn(?:ed|ing)?\s+down|vot(?:ed|ing)\s+down|pass(?:ing|ed)?\s+on|said?\s+no\s+to|say\s+no\s+to|cancel+(?:ed|ing)?|decided\s+against|exclud(?:e|ed|ing)|opposed?\s+(?:to)?|against|not\s+interested\s+in|skip(?:ping)?)"
_REFUSE_EN = lazy_pattern(
    rf"\b(?:{_NO_EN}|(?:don['’]?t|do\s+not|won['’]?t|will\s+not|can['’]?t|cannot|never|(?:['’]m|am|['’]re|are|is)\s+(?:definitely\s+|absolutely\s+|really\s+)?not|['’]d\s+rather\s+not|would\s+rather\s+not|rather\s+not|refuse\s+to|not\s+going\s+to|isn['’]t|aren['’]t)\s+(?:(?:want|be|to|we|really|ever|think\s+(?:we|i)\s+(?:want|should|can))\s+)*(?:want(?:ing)?|us(?:e|ing)|go(?:ing)?\s+(?:ahead\s+)?(?:with|for)|choos(?:e|ing)|do(?:ing)?|tak(?:e|ing)|pick(?:ing)?|approv(?:e|ing)|accept(?:ing)?|support(?:ing)?|consider(?:ing)?|follow(?:ing)?|pursu(?:e|ing)|adopt(?:ing)?|mov(?:e|ing)\s+forward\s+with|proceed(?:ing)?\s+with)|don['’]t\s+want|do\s+not\s+want)\s+(?:with\s+|on\s+)?(?:the\s+)?{PLAN_EN.format(1)}|"
    rf"{PLAN_EN.format(2)}\s+(?:(?:is|was|has\s+been|got|just|really|definitely|simply|is\s+now)\s+)*(?:out\b|rejected|off\s+the\s+table|ruled\s+out|dropped|dead|cancel+ed|scrapped|vetoed|turned\s+down|voted\s+down|not\s+(?:an\s+option|going\s+to\s+(?:work|happen)|for\s+us|for\s+me|acceptable|happening|what\s+(?:we|i)\s+want|an?\s+go|the\s+one|approved|viable|feasible)|a\s+no(?:-go)?\b|no\s+good|unacceptable|isn['’]t\s+(?:an\s+option|for\s+(?:us|me)|going\s+to\s+(?:work|happen)|acceptable|happening|what\s+(?:we|i)\s+want|viable|feasible|the\s+one)|won['’]t\s+(?:work|do|fly|happen)|doesn['’]t\s+(?:work|cut\s+it|fly|suit\s+us)(?:\s+for\s+(?:us|me))?|will\s+not\s+work|can\s+go|didn['’]t\s+(?:pass|get\s+approved|make\s+the\s+cut|make\s+it)|failed|(?:is|was|['’]s)\s+too\s+[a-z]+(?:\s+\w+)?,?\s+so\s+(?:no|that['’]s\s+out|it['’]s\s+out|we['’]re\s+dropping\s+it))",
    re.IGNORECASE,
)
_BARE_CHOICE_ZH = lazy_pattern(
    r"^(?:好[的吧]?[，,]?|嗯[，,]?|行[，,]?|那|我|我们|最后|还是|就|决定|最终|算了[，,]?)*(?:选|選|用|要|定|就|走|按|上|还是|改成|换)(?:了|成)?\s*(?P<letter>[A-Za-zＡ-Ｚ甲乙丙丁]|\d)(?:吧|了|好了|就行|呗|这个|来|那个)*[。.！!\s]*$|^(?P<letter2>[A-Za-z甲乙丙丁])(?:吧|好了|就行)[。.！!\s]*$"
)
_BARE_CHOICE_EN = lazy_pattern(
    rf"^(?:(?:ok(?:ay)?|yes|right|so|then|alright|well|actually)[\s,]+)*(?:(?:let['’]?s|we['’]ll|i['’]ll|we|i)\s+)?{_GO_EN}\s+(?P<letter>[A-Z]|\d)(?:\s+(?:then|please|instead|after\s+all|it\s+is))?[.!\s]*$|^(?P<letter2>[A-D])(?:\s+it\s+is|,?\s+please|\s+then)?[.!\s]*$",
    re.IGNORECASE,
)
# B太贵，换回A: a clause of its own; only a letter that was spoken of counts.
_CLAUSE_CHOICE = lazy_pattern(
    r"[，,；;](?:所以|那就|那|就|还是|我们|咱们|决定|最后|只能|又|改|再)*(?:换回|退回|回到|改回|改用|换成|用回|上|用|走|选|定)(?:了|成|到)?\s*(?P<zh>[A-Za-z甲乙丙丁])(?:吧|了|好了|就行|来)*(?=[，,。！!；;]|$)|"
    r"(?<=[a-z])[,;]\s*(?:so\s+|then\s+|and\s+)?(?:(?:let['’]s|let\s+us|we(?:['’]re|['’]ll|['’]ve)?|i['’]ll)\s+)?(?:(?:go(?:ing)?\s+|switch(?:ing)?\s+|mov(?:e|ing)\s+)?back\s+to|go(?:ing)?\s+with|revert(?:ing)?\s+to|return(?:ing)?\s+to|switch(?:ing|ed)?\s+to|us(?:e|ing)|tak(?:e|ing)|it['’]s)\s+(?P<en>(?-i:[A-Z])|\d)(?=\s*(?:[.,;!]|$)|\s+(?:again|then|instead|now|after\s+all)\b)",
    re.IGNORECASE,
)
_BARE_REFUSAL_ZH = lazy_pattern(
    r"^(?:不[，,]|那|我|我们)?(?:不要|不用|不选|不選|别用)\s*(?P<letter>[A-Za-z甲乙丙丁])(?:了|吧)?[。.！!\s]*$|^(?P<letter2>[A-Za-z甲乙丙丁])\s*(?:不要了?|不行|算了|不考虑)[。.！!，,]?"
)
_BARE_REFUSAL_EN = lazy_pattern(
    r"^(?:no,?\s+)?(?:not|forget|drop|rule\s+out)\s+(?P<letter>[A-D]|\d)\b(?!\s+\w+\s+\w+)[^.]{0,20}[.!\s]*$",
    re.IGNORECASE,
)
_BY_PLACE = lazy_pattern(
    r"^(?:(?:ok(?:ay)?|let['’]?s\s+(?:take|go\s+with|do)|i['’]ll\s+take|we['’]ll\s+take)[\s,]*)*the\s+(?P<en>first|second|third)(?:\s+(?:one|option|plan))?(?:,?\s+please)?[.!\s]*$|^(?:那就|就|还是|选|我选|我们选|要)*(?P<zh>第[一二三](?:个|種|种|套)?|前者|后者|後者)(?:方案)?(?:吧|好了|就行)?[。.！!\s]*$",
    re.IGNORECASE,
)
_THIS_ZH = r"(?:这|這|那|你(?:说|提)的|刚才的?|上面的?)(?:个|個|套|种|種|份|一?个)?(?:方案|计划|計劃|提议|建议|選項|选项)"
_THIS_REFUSED_ZH = lazy_pattern(
    rf"(?:不要|不用|不选|不選|不采用|不同意|不接受|不考虑|不想要|不想用|放弃|否决|别用|別用|拒绝|不喜欢|先不用){_THIS_ZH}|{_THIS_ZH}(?:就|我|我们|我們|还是|太.{{1,6}}[，,]|真的|恐怕|，)*(?:不喜欢|别用了?|不要了?|不用了?|不行|不可行|算了|不合适|不合適|不考虑|否了|否决|放弃|不采用|不选|[Pp]ass|不接受|不同意|行不通|没戏)"
)
_THIS_EN = (
    r"(?:this|that|your|the\s+(?:proposed|suggested))\s+(?:plan|option|proposal|idea|approach|suggestion|one)"
)
_THIS_REFUSED_EN = lazy_pattern(
    rf"^(?:no[,.]?\s+(?:thanks?,?\s+)?)?(?:(?:i|we)\s+(?:don['’]?t|do\s+not|won['’]?t)\s+(?:want|like|use|accept|go\s+with|take|agree\s+(?:to|with))|not|no\s+to|drop|reject|forget|i\s+reject|we\s+reject|i['’]d\s+rather\s+not\s+(?:go\s+with|do|use)|let['’]s\s+not\s+(?:go\s+with|do|use))\s+{_THIS_EN}\b|\b{_THIS_EN}\s+(?:won['’]t\s+(?:work|do)|doesn['’]t\s+work|is\s+(?:out|off\s+the\s+table|not\s+an\s+option|a\s+no(?:-go)?|rejected|no\s+good)|isn['’]t\s+(?:for\s+(?:us|me)|an\s+option|going\s+to\s+work))",
    re.IGNORECASE,
)
# Only of the plan that was named in the turn before.
_IT_REFUSED = lazy_pattern(
    r"^(?:不用了?|否了|不行|不考虑|不做|不搞|[Pp]ass)[，,]|^(?:这个|那个|它)(?:就|我们|咱们|还是|我看|，)*(?:不做了?|不考虑了?|不要了?|算了|不用了?|免了|不搞了?|不上了?|[Pp]ass|否了)(?:吧)?(?=[，,。！!]|$)|"
    r"^(?:no[,.]?\s+(?:thanks?[,.]?\s+)?)?(?:we|i)(?:['’]re)?\s+(?:don['’]t\s+want|do\s+not\s+want|won['’]t\s+(?:do|use|take)|will\s+not\s+(?:do|use|take)|not\s+(?:doing|using|taking))\s+(?:that|this|it)\b(?=\s*(?:[.,;!]|$))|^not\s+(?:that|this)\s+one\b|^(?:drop|forget|skip)\s+(?:that|this|it)(?:\s+one)?(?=\s*(?:[,;!.]|$))",
    re.IGNORECASE,
)
_THIS_CHOSEN_ZH = lazy_pattern(
    rf"(?:就|那就|决定|还是|同意|可以[，,]就|行[，,]就|好[，,]就)(?:用|选|定|按|采用|要|走)?{_THIS_ZH}(?:吧|了|来|执行|办|走)*{_NOUNLESS_END}|{_THIS_ZH}(?:可以[，,]?)?(?:就)(?:这么定了?|定了|这样定|用它)"
)
_THIS_CHOSEN_EN = lazy_pattern(
    rf"^(?:(?:ok(?:ay)?|yes|right|great|alright|perfect)[\s,]+)*(?:let['’]?s|we['’]ll|i['’]ll|please)\s+(?:go\s+(?:ahead\s+)?with|use|do|take|choose|pick)\s+{_THIS_EN}\b",
    re.IGNORECASE,
)
_ALREADY_NOT_EN = lazy_pattern(
    r"(?:\bnot|n['’]t|\bnever|\bno\s+longer|\brather\s+than|\binstead\s+of|\bover|\bthan|\bagainst)\s*(?:go(?:ing)?\s+with|to\s+use|using|going\s+for|use|choose|pick|going\s+back\s+to)?\s*(?:the\s+)?$",
    re.IGNORECASE,
)
_NOT_BEFORE_ZH = lazy_pattern(r"(?:不|没有?|別|别|不要|不再|不想|不能|没法|未|而不是|而非)\s*$")
_DECIDED_EN = lazy_pattern(
    r"\b(?P<who>i|we)\s*(?:['’]ve|\s+have)?\s+(?:finally\s+|just\s+|both\s+|all\s+)?decided\s+(?P<how>to|on|against)\s+(?P<what>[^.!?;\n]+)|\blet['’]?s\s+(?:go\s+with|settle\s+on|choose|pick)\s+(?P<choice>[^.!?;\n]+)",
    re.IGNORECASE,
)
_DECIDED_ZH = lazy_pattern(
    r"(?:我们|我們|我|团队|公司)(?:最终|最后|已经|已經|刚刚?|还是|一致)*(?:决定|決定|敲定)(?:了|要)?(?P<what>[^，,。！!？?；;\n]{2,30})"
)
_REASON = lazy_pattern(
    r"(?:因为|因為|由于|由於|考虑到|考慮到|鉴于|鑒於|原因是|主要是|毕竟)(?P<zh>[^，,。！!？?；;\n]{1,40}?)(?:的?(?:缘故|关系|原因))?(?=[，,。！!？?；;\n]|$)|\b(?:because\s+of|because|since|due\s+to|owing\s+to|on\s+account\s+of|the\s+reason\s+(?:is|was)(?:\s+that)?)\s+(?P<en>[^.!?;\n]{2,120}?)(?=[.!?;\n]|,\s*(?:so|let|we|i)\b|$)|\bfor\s+(?P<for>[a-z]+(?:\s+[a-z]+)?)\s+reasons\b",
    re.IGNORECASE,
)
_REASON_CLAUSE = lazy_pattern(
    r"^(?:是|主要|毕竟)?(?P<zh>[^，,。！!？?；;\n]{0,14}?(?:不够|不夠|不足|太贵|太貴|太高|太慢|太复杂|太紧|超支|超预算|超了|来不及|來不及|紧张|緊張|有限|风险|風險|问题|問題|成本|更便宜|更快|更稳|更稳定|更安全|更简单|便宜|省钱|性价比|受限|缺人|人手|会烦|没量|没人用|不划算|不稳定|扛不住|撑不住|不赚钱|没效果|效果差|[\u4e00-\u9fff]太[\u4e00-\u9fff]{1,2}|没货|订满|缺货|周期|超期|延期)[^，,。！!？?；;\n]{0,8})$|^(?:the\s+)?(?P<en>[a-z][\w '’-]{0,40}?\s+(?:is|are|was)\s+(?:too|not|over|tight|limited|cheaper|faster|safer|simpler|short|more)\b[^.!?;,\n]{0,40}|(?:it|that|they)\s+(?:looks?|feels?|sounds?)\s+(?:too|like)\b[^.!?;,\n]{0,40}|(?:it|that)['’]?s\s+(?:too|cheaper|faster|safer|simpler|more|less|over)\b[^.!?;,\n]{0,40}|[a-z][\w '’-]{1,40}?\s+(?:takes?|costs?|needs?)\s+(?:us\s+)?(?:far\s+|way\s+)?too\s+(?:much|many|long)\b[^.!?;,\n]{0,40}|over\s+budget|too\s+(?:expensive|slow|risky|complex)[^.!?;,\n]{0,30}|not\s+enough\s+[a-z ]{2,30}|(?:budget|cost|time|risk|price)s?\s+(?:was|is|were|being)\s+the\s+(?:main\s+)?(?:issue|problem|reason|concern)|(?:budget|cost|time|risk|price)(?:\s+(?:reasons|problems|issues|constraints))?)$",
    re.IGNORECASE,
)
_WEIGHED = lazy_pattern(
    r"(?:对比|對比|比较|比較|考虑|考慮|看|评估|評估|研究|权衡|權衡)(?:过|過|了|完)(?:一下)?(?P<a>[^，,。！!？?；;\n]{1,30})|(?:而不是|而非|没选|沒選|没用|放弃了?|放棄了?)(?P<b>[^，,。！!？?；;\n]{1,20})|(?P<b2>[A-Za-z甲乙丙丁方案][^，,。！!？?；;\n]{0,16}?)(?:都|也)?(?:对比|對比|比较|比較|考虑|考慮|看|评估|研究)(?:过|過|完)|\b(?:compared\s+(?:it\s+)?(?:with|to)|(?:we|i)?\s*compared|considered|looked\s+at|weighed|evaluated)\s+(?P<c>[^.!?;,\n]{1,50}(?:,\s*[^.!?;,\n]{1,20}(?=,?\s+and))?)|\b(?:rather\s+than|instead\s+of|over)\s+(?P<d>(?:plan|option|proposal)\s+\w{1,5}(?:\s+(?:and|or)\s+(?:(?:plan|option)\s+)?\w{1,3}\b)?)",
    re.IGNORECASE,
)


class DecisionNotes(NamedTuple):
    """Why, and what else was weighed; both as said."""

    reason: str = ""
    alternatives: tuple[str, ...] = ()


_OUT_ZH = r"(?:不考虑了?|不要了?|不行|算了吧?|否了|否决了?|排除掉?了?|[Pp]ass(?:掉|了)?|毙了|砍了|放弃了?|不合适|行不通|不采用了?|不选了?|不可行|没通过|出局了?|作废了?|免谈|不用了?|不同意|不接受|就免了)"
_SOME_ZH = r"(?:这个|那个|这套|那套|这种|那种|的这个|的那个)(?:方案|计划|选项|提案|思路|做法|想法|路线)"
_DESCRIBED_ZH = lazy_pattern(
    rf"(?:^|[，,。])([\u4e00-\u9fffA-Za-z0-9 ]{{2,16}}?){_SOME_ZH}(?:我们|咱们|就|我|还是|先|那|老板|客户|领导|也|已经|被|直接|太[\u4e00-\u9fff]{{1,3}}[，,])*{_OUT_ZH}(?=[，,。！!；;吧]|$)|(?:别|不要|不用|不选|否决|放弃|排除|拒绝|不考虑|不同意|反对|不想用|不采用)(?:再)?(?:用|走|选|提|考虑|搞|采用)?((?!这|那)[\u4e00-\u9fffA-Za-z0-9]{{2,12}}?{_SOME_ZH})"
)
_DESCRIBED_EN = lazy_pattern(
    r"\bthe\s+((?:[a-z][\w-]*\s+){1,4}?(?:plan|option|proposal|approach|idea|route))\s+(?:is|['’]s|was)\s+(?:a\s+(?:hard\s+|firm\s+|clear\s+)?no(?:-go)?(?:\s+(?:from|for)\s+(?:me|us))?|out|off\s+the\s+table|not\s+(?:an\s+option|happening|going\s+to\s+(?:work|happen))|rejected|ruled\s+out|dead|not\s+for\s+us|too\s+\w+\s+for\s+us|history|gone)\b|(?:\b(?:i|we)(?:['’]re|['’]ve|['’]ll|\s+have|\s+are|\s+will)?\s+(?:reject|rejected|turn(?:ed|ing)?\s+down|veto(?:ed)?|rul(?:ed|ing)\s+out|said\s+no\s+to|(?:don['’]t|do\s+not)\s+(?:want|like|need)(?:\s+to\s+(?:use|do|go\s+with|run|try))?|(?:won['’]t|will\s+not|are\s+not\s+going\s+to)\s+(?:be\s+)?(?:do(?:ing)?|take|taking|accept(?:ing)?|us(?:e|ing)|go(?:ing)?\s+(?:with|for)|run(?:ning)?|follow(?:ing)?|try(?:ing)?|adopt(?:ing)?|pursu(?:e|ing))|(?:not|never)\s+(?:doing|using|taking|going\s+(?:with|for)|running|following|trying|adopting|pursuing)|decid(?:ed|ing)\s+against|drop(?:ped|ping)?|scrap(?:ped|ping)?|skip(?:ped|ping)?|pass(?:ed|ing)?\s+on)|(?:^|[,;]\s*)(?:please\s+)?(?:no|not|forget(?:\s+about)?|drop|scrap|skip|don['’]t\s+(?:use|do|go\s+with|run|propose))(?=\s+(?:the\s+)?[a-z]))\s+(?:the\s+|an?\s+)?(?!(?:that|this|your|our|my|their|his|her|any|more|such|these|those|it|way|need|longer|the|an?|clear|real|bad|good|great|perfect|decent|concrete|fixed|firm|backup|meal|data|lesson|payment|phone|savings)\b)((?:(?!(?:meal|diet|lesson|data|payment|phone|savings|seating|backup|contingency|plans?|options?|proposals?|the|to|but|and|or|of|for|in|with|is|on)\b)[a-z][\w-]*\s+){1,4}?(?:plan|option|proposal|approach|idea|route))\b(?!\s+(?:to|of|in|yet)\b)",
    re.IGNORECASE,
)
_NO_DESCRIPTION = lazy_pattern(
    r"(?:这|那|我|你|他|什么|哪|其实|刚才|上面|你说)|(?:same|other|whole|original|old|new|current|right|wrong|first|second|third|last|only|best|better|current)\s",
    re.IGNORECASE,
)
_FREE_PLAN_ZH = lazy_pattern(
    r"(?:项目|整体|目前的?|现在的?|我们的?|最终|新的?|当前)*(?:方案|计划|策略)(?:现在|已经|又|就|最终|最后|暂时)*(?:改成了?|改为了?|变成了?|换成了?|调整为了?|调整成了?|定为了?|定成了?|定的是|定了[，,：:]|敲定为|确定为|是)(?P<plan>(?:先|分|自己|自建|自研|外包|租|买|采购|一次性|逐步|灰度|分期|分批|分阶段|小步|两步走|主攻|上|做|只做|全部|直接|统一|改造|重做|重写|迁|搬|找)[^，,。！!？?；;\n]{1,20})"
)
_WORK_EN = r"(?:ship|launch|release|build|deploy|migrat\w+|roll\s?out|rollout|phas\w+|hire|outsourc\w+|rewrit\w+|refactor|rent|buy|self-host|in-house|pilot|prototype|beta|sprint|mvp|cut\s?over|big-bang|incremental|gradual|staged|web\s+version|app|backend|frontend|store|market|version|platform|vendor|contractor|test|merge|split|automate|digiti[sz]e|open\s+(?:the|a)|close\s+(?:the|a)|start\s+with)"
_FREE_PLAN_EN = lazy_pattern(
    rf"\b(?:the|our)\s+(?:(?P<named>current|new|project|final|agreed|rollout|release|launch|migration|overall)\s+)?plan\s*(?:is(?:\s+now)?(?:\s+to)?|has\s+changed(?:\s+to)?|(?:has\s+)?changed(?:\s+to)?\s*:?|:|now\s+is(?:\s+to)?)\s*:?\s+(?:(?:we|we['’]ll|we['’]re\s+going\s+to|we\s+will)\s+)?(?P<plan>(?=[^.;!?\n,]{{0,60}}\b{_WORK_EN}\b)[^.;!?\n,]{{4,70}}?)(?=\s*(?:[.;!,]|$|because|since|as\s+the|so\b|instead))",
    re.IGNORECASE,
)
_FORMER = lazy_pattern(
    r"去年|前年|上次|上回|当时|那时候?|以前|曾经|上一个项目|\b(?:last\s+(?:year|time|month)|back\s+then|at\s+the\s+time|in\s+(?:19|20)\d\d|used\s+to|previously|originally)\b",
    re.IGNORECASE,
)


def find(statement: Statement) -> Iterator[Found]:
    """Yield the plan chosen, the plans refused and other decisions of the speaker."""
    refused = list(_refused(statement))
    out = {found.candidate.attribute for found in refused if isinstance(found.candidate, ItemCandidate)}
    former = bool(_FORMER.search(statement.text))
    chosen = [] if former else [(plan, span) for plan, span in _chosen(statement) if plan not in out]
    for plan, span in chosen:
        # One plan for another is a change of mind, whatever the words.
        yield field_found(
            "project_config", "current_plan", plan, span, confidence=0.95, explicit_correction=bool(refused)
        )
    yield from refused
    if not chosen and not former:
        yield from (found for found in described_plans.find(statement) if _told_as(found) not in out)
    if not chosen and not refused:
        yield from _other(statement)


def _told_as(found: Found) -> str:
    return str(found.candidate.value)


def _chosen(statement: Statement) -> Iterator[tuple[str, tuple[int, int]]]:
    text = statement.text
    for pattern, refusal in ((_CHOOSE_ZH, _NOT_BEFORE_ZH), (_CHOOSE_EN, _ALREADY_NOT_EN)):
        last = None
        for match in pattern.finditer(text):
            if not refusal.search(text[: match.start()].rstrip()) and not _verb_is_negated(match):
                last = match
        if last and not (pattern is _CHOOSE_ZH and _is_what_it_is_for(plan_name(last), text)):
            yield plan_name(last), last.span()
            return
    for pattern in (_BARE_CHOICE_ZH, _BARE_CHOICE_EN):
        if (bare := pattern.match(text)) and (
            plan := with_letter(bare["letter"] or bare["letter2"], statement.heard)
        ):
            yield plan, bare.span()
            return
    told = _CLAUSE_CHOICE.search(text)
    if told and (plan := with_letter(told["zh"] or told["en"], statement.heard)):
        yield plan, told.span()
        return
    placed = _BY_PLACE.match(text)
    if placed and (plan := by_place(placed["en"] or placed["zh"], statement.heard)):
        yield plan, placed.span()
        return
    free = _FREE_PLAN_ZH.search(text) or _FREE_PLAN_EN.search(text)
    if free:
        yield re.sub(r"^(?:an?|the)\s+", "", free["plan"].strip()), free.span()
        return
    this = _THIS_CHOSEN_ZH.search(text) or _THIS_CHOSEN_EN.search(text)
    if this and (plan := last_named(statement.heard)):
        yield plan, this.span()


def _is_what_it_is_for(plan: str, text: str) -> bool:
    """周年庆的方案定了, 五一旅行方案定了，去大理: the words before 方案 do not say which."""
    return plan.endswith("的方案") or (len(plan) > 3 and described_plans.settled_after(text))


def _verb_is_negated(match: re.Match[str]) -> bool:
    return bool(re.match(r"(?:不|没|別|别)", match[0]))


def _refused(statement: Statement) -> Iterator[Found]:
    text = statement.text
    found = [
        (plan_name(match), match.span())
        for pattern in (_REFUSE_ZH, _REFUSE_EN, _NO_FIRST_ZH, _ANYTHING_BUT_EN)
        for match in pattern.finditer(text)
    ]
    found += [(refused_name(match), match.span()) for match in technologies_refused(statement)]
    # 'the big-bang migration plan' says more than its last two words.
    described = list(_described(statement))
    found = [
        each
        for each in found
        if not any(plan.casefold().endswith(each[0].casefold()) for plan, _ in described)
    ] + (described if not any(each[0].isupper() for each in found) else [])
    if not found:
        found = list(_pointed_at(statement)) or list(refused_offers(statement))
    for plan, span in dict(found).items():
        yield _refusal(statement, plan, span)


def _described(statement: Statement) -> Iterator[tuple[str, tuple[int, int]]]:
    """租服务器这个方案不考虑了, 'the big-bang migration plan is a no': an option that has a description and no letter."""
    for pattern in (_DESCRIBED_ZH, _DESCRIBED_EN) if statement.chinese else (_DESCRIBED_EN,):
        if match := pattern.search(statement.text):
            plan = next(group for group in match.groups() if group).strip()
            if not _NO_DESCRIPTION.match(plan):
                yield plan, match.span()
                return


def _pointed_at(statement: Statement) -> Iterator[tuple[str, tuple[int, int]]]:
    """不要这个方案, 'not B': the one spoken of last; '' stands for the current one, which settling looks up."""
    for pattern in (_BARE_REFUSAL_ZH, _BARE_REFUSAL_EN):
        if (bare := pattern.match(statement.text)) and (
            plan := with_letter(next(group for group in bare.groups() if group), statement.heard)
        ):
            yield plan, bare.span()
            return
    if this := _THIS_REFUSED_ZH.search(statement.text) or _THIS_REFUSED_EN.search(statement.text):
        yield last_named(statement.heard), this.span()
    elif (it := _IT_REFUSED.match(statement.text)) and (plan := last_named(statement.heard[-1:])):
        yield plan, it.span()


def _refusal(statement: Statement, plan: str, span: tuple[int, int]) -> Found:
    return item_found(
        refusal_text(plan, statement.text) if plan else statement.text,
        span,
        subject="project",
        attribute=plan,
        value="refused",
        entities=(plan,) if plan else (),
        flags=("refused_option",) if plan else ("refused_option", "current_option"),
    )


def refusal_text(plan: str, said: str) -> str:
    """The sentence that is kept of a refusal, in the language and script of what was said."""
    sentence = Sentence(said, 0)
    if not sentence.has_chinese:
        return f"The user refused {plan}."
    return f"用戶拒絕了{plan}" if sentence.is_traditional else f"用户否决了{plan}"


def chosen_text(plan: str, said: str) -> str:
    """The sentence that takes the place of a refusal when the plan is chosen after all."""
    sentence = Sentence(said, 0)
    if not sentence.has_chinese:
        return f"The user chose {plan} after having refused it."
    return f"用戶在拒絕之後又選擇了{plan}" if sentence.is_traditional else f"用户在否决之后又选择了{plan}"


def _other(statement: Statement) -> Iterator[Found]:
    if (match := _DECIDED_EN.search(statement.text)) and (
        what := object_en(match["what"] or match["choice"], longest=14)
    ):
        if re.search(r"\b(?:i|we|you|he|she|they|it|this|that|him|her|them|us)\b", what, re.IGNORECASE):
            return
        verb = f"decided {match['how'].lower()}" if match["how"] else "chose"
        yield item_found(f"The user {verb} {without_my(what)}.", match.span(), subject="", confidence=0.85)
    elif match := _DECIDED_ZH.search(statement.text):
        what = object_zh(match["what"], longest=30)
        if what and not re.search(r"[他她它你您]|这|那", what):
            decided = "決定" if statement.sentence.is_traditional else "决定"
            yield item_found(f"{statement.user}{decided}{what}", match.span(), subject="", confidence=0.85)


def notes(text: str, candidates: Sequence[Candidate] = ()) -> DecisionNotes:
    """The reason and the alternatives named anywhere in a turn that decides; `candidates` are what it tells."""
    reason = ""
    if match := _REASON.search(text):
        reason = (match["zh"] or match["en"] or match["for"] or "").strip()
        if match["en"] and not text[: match.start()].strip(" ,"):  # 'Since it rains, we go by train'
            reason = reason.split(",")[0].strip()
    else:
        for clause in re.split(r"[，,。.！!；;:：\n]|——|\s-\s", text):
            if found := _REASON_CLAUSE.match(clause.strip()):
                reason = (found["zh"] or found["en"]).strip()
                break
    alternatives: list[str] = []
    for match in _WEIGHED.finditer(text):
        listed = next(group for group in match.groups() if group)
        alternatives += [part for part in members(listed) if 0 < len(part) <= 30]
    return DecisionNotes(reason or unmarked_reason(text, candidates), tuple(dict.fromkeys(alternatives)))


def is_reason_alone(text: str) -> bool:
    """因为预算: the reason of something said before."""
    stripped = text.strip(" ，,。.！!")
    return (
        bool(
            re.match(
                r"(?:因为|因為|由于|主要是|成本问题|预算问题|because\b|due to\b)", stripped, re.IGNORECASE
            )
        )
        and len(stripped) <= 60
    )
