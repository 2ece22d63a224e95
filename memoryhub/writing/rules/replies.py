"""How to reply: style and, for what fits no field, standing wishes about the answers ('all prices in dollars')."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memoryhub.language.patterns import lazy_pattern
from memoryhub.writing.rules.statement import Found, Statement, field_found, item_found
from memoryhub.writing.rules.wording import object_en, object_zh, without_my

_NOUN_EN = r"(?:repl(?:y|ies)|answers?|responses?|explanations?|tone|messages?|summar(?:y|ies)|emails?|writing|language|wording|style)"
_STYLES_EN = r"(?:short(?:er)?|brief(?:er)?|concise|crisp|terse|succinct|snappy|to\s+the\s+point|detailed|thorough|in-depth|long(?:er)?|formal|informal|casual|friendly|polite|direct|blunt|plain|simple|technical|non-technical|humorous|funny|warm|professional|bulleted|matter-of-fact|straightforward|light-hearted|gentle)"
_MORE_EN = r"(?:(?:very|more|less|really|quite|a\s+bit\s+more|a\s+little\s+more|nice\s+and|as)\s+)?"
_FORM_EN = r"(?:in\s+(?:plain|simple)\s+(?:English|language|words|terms)|in\s+bullet\s+points|with\s+bullet\s+points|in\s+short\s+sentences|in\s+(?:full|complete)\s+sentences|step\s+by\s+step|in\s+(?:more\s+)?detail|(?:more\s+)?(?:briefly|concisely|formally|informally|politely|directly|casually|simply)|in\s+a\s+(?:\w+\s+)?(?:formal|informal|friendly|casual|professional|relaxed|neutral)\s+(?:tone|way|style|manner)|like\s+i['’]?m\s+(?:five|\d|a\s+beginner)|without\s+(?:the\s+)?(?:jargon|emojis?|fluff|small\s+talk|filler)|in\s+one\s+(?:sentence|paragraph)|in\s+under\s+\d+\s+words|as\s+(?:a\s+)?(?:list|table|lists|tables|bullet\s+points)|the\s+way\s+you['’]?d\s+\w+\s+to\s+a\s+\w+|in\s+(?:one|two|three|four|five|a\s+few|\d+)(?:\s+(?:or|to)\s+\w+)?\s+(?:short\s+)?(?:sentences?|lines?|words|paragraphs?)(?:\s+(?:max|tops|or\s+less|at\s+most))?|with\s+(?:examples|code|sources|numbers|the\s+conclusion\s+first)|(?:conclusion|answer|result|summary|bottom\s+line)s?\s+first)"
_STYLE_EN = lazy_pattern(
    rf"(?:\b(?:please\s+)?(?:keep|make)\s+(?:your|the|all|all\s+your|any)\s+(?:\w+\s+)?{_NOUN_EN}\s+(?P<a>(?!in\b(?!\s+(?:plain|bullet)))[a-z][\w ,-]{{2,40}})|"
    rf"(?:^|[\s,])(?:please\s+)?(?:always\s+|only\s+)?(?:reply|answer|respond|write|explain\s+(?:things|it|everything|stuff|this\s+kind\s+of\s+thing)|talk|speak)(?:\s+(?:to|with)\s+me)?\s+(?P<b>{_FORM_EN})|"
    rf"\b(?:i(?:['’]d|\s+would)?\s+(?:really\s+|much\s+|always\s+|generally\s+)?(?:like|prefer|want|need|love|appreciate)(?:\s+(?:to\s+(?:get|have|see)|my|your))?|give\s+me|use|go\s+for|(?:go|going|switch|back)\s+(?:back\s+)?to|stick\s+(?:to|with)|write)\s+(?P<c>{_MORE_EN}{_STYLES_EN}(?:(?:,|\s+and)\s+{_STYLES_EN})?)\s+(?:\w+\s+)?{_NOUN_EN}\b|"
    rf"^(?:please\s+|just\s+|ok,?\s+|(?:could|can|would)\s+you\s+(?:please\s+)?|try\s+to\s+)*(?:keep\s+(?:it|things|everything)|be|stay)\s+(?P<d>{_MORE_EN}{_STYLES_EN}(?:\s+and\s+{_STYLES_EN})?)(?=\s*(?:[.,!;]|$|please|with\s+(?:me|your)|when|from\s+now|in\s+(?:your|future|the\s+future)|going|and\s+skip|\?|$))|"
    rf"^(?P<e>{_MORE_EN}{_STYLES_EN})\s+(?:and\s+\w+\s+)?{_NOUN_EN}(?:\s+(?:only|again|please|are\s+(?:best|fine|better)|work\s+(?:best|better)|from\s+now\s+on))|"
    rf"\b(?P<f>(?:no(?:\s+more)?|don['’]t\s+use|avoid|skip|stop\s+using|without|cut|drop|lose|leave\s+out|less|fewer|go\s+easy\s+on)\s+(?:all\s+)?(?:the\s+|any\s+|so\s+many\s+)?(?:technical\s+|marketing\s+|corporate\s+)?(?:jargon|emojis?|exclamation\s+marks?|small\s+talk|fluff|filler|slang|bullet\s+points|abbreviations|acronyms|buzzwords|pleasantries|long\s+(?:paragraphs|sentences|explanations|answers|intros?)|preamble|apologies))|"
    rf"\b(?:i(?:['’]d)?\s+(?:prefer|like|want)|use|give\s+me)\s+(?P<g>bullet\s+points|lists|tables|numbered\s+(?:lists|steps)|examples|plain\s+(?:English|language)|step-by-step\s+\w+|short\s+sentences)(?=\s*(?:[.,!;]|$|please|when|for|instead|over|rather|in\s+your|from\s+now))|\b(?:i(?:['’]d)?\s+(?:\w+\s+)?(?:prefer|like|want|need)|give\s+me|send\s+me|write|format)\s+(?:me\s+)?(?:all\s+)?(?:your\s+|my\s+|the\s+)?(?:repl(?:y|ies)|answers?|responses?|explanations?|everything|things)\s+(?:to\s+be\s+)?(?:as|in|with)\s+(?P<k>(?:short\s+|plain\s+|simple\s+)?(?:bullet\s+points|lists?|tables?|numbered\s+(?:lists|steps)|paragraphs|sentences|English|language|words|detail|examples|headings|sections))|\b(?:give|tell|show)\s+me\s+(?P<l>(?:the\s+)?(?:conclusion|answer|result|summary|short\s+version|bottom\s+line|key\s+points?|gist|main\s+points?)s?\s+first(?:,?\s+(?:and\s+)?then\s+(?:the\s+)?[a-z]+)?)|\b(?P<m>(?:start|lead|begin|open)\s+with\s+the\s+(?:conclusion|answer|result|summary|bottom\s+line|key\s+points?))|\b(?P<n>(?:don['’]t|do\s+not|stop)\s+(?:be|being|sounding|sound)\s+so\s+(?:formal|long-winded|verbose|wordy|stiff|technical|polite|vague|robotic|chatty))|\buse\s+(?P<o>(?:simple|simpler|plain|short|easy|everyday)\s+(?:words|language|sentences|terms))\b|\b(?P<h>get\s+(?:straight\s+)?to\s+the\s+point)\b|\bi(?:['’]d)?\s+(?:want|like|need|prefer)\s+(?:for\s+)?you\s+to\s+be\s+(?P<j>{_MORE_EN}{_STYLES_EN})|\byour\s+{_NOUN_EN}\s+(?:should|must|need\s+to|can)\s+be\s+(?P<i>{_MORE_EN}{_STYLES_EN}(?:\s+and\s+{_STYLES_EN})?))",
    re.IGNORECASE,
)
_STYLE_TAIL_EN = lazy_pattern(
    r"\s+(?:please|from\s+now\s+on|thanks|always|if\s+(?:you\s+can|possible))$", re.IGNORECASE
)
_ONE_TASK_EN = lazy_pattern(
    r"\b(?:summari[sz]e|translate|rewrite|draft|this\s+(?:email|article|text|report|letter|paragraph|essay|document)|the\s+(?:article|report|email|letter|essay)|my\s+(?:essay|cv|letter|email)|an?\s+(?:email|letter|essay|summary|poem|story))\b",
    re.IGNORECASE,
)
_STYLE_ZH = r"(?:言简意赅|开门见山|直截了当|一针见血|通俗易懂|简明扼要|简短|簡短|简洁|簡潔|简明|精简|精炼|简单|簡單|详细|詳細|详尽|正式|口语化|口語化|口语|幽默|风趣|直接|直白|专业|專業|通俗|客气|客氣|礼貌|禮貌|轻松|輕鬆|活泼|随意|隨意|分点|分點|有条理|条理清晰|条理|友好|温和|温柔|亲切|严谨|嚴謹|接地气|委婉|短|长)"
_MORE_ZH = r"(?:一点儿?|一點|一些|些|点儿?|點|明了)?"
_HOW_ZH = r"(?:还是|還是|改成|改回|换成|的时候|時|时|我|风格|風格|得|的|要|请|請|尽量|盡量|最好|能|都|给我|更|再|可以|，|,|方式|语气|語氣|都要|就|尽可能|用|以后|以後|希望|稍微|问题|请你|你|写|写得|控制|保持|麻烦)*"
_REPLY_STYLE_ZH = lazy_pattern(
    rf"(?:回复|回覆|回答|答复|答覆|说话|說話|语气|語氣|解释|解釋|讲解|讲话|讲得|讲(?=详|简|细|清|短|仔)|说(?=详|简|短)|回我|答案|给我的(?:建议|方案|说明|结果)|文字|措辞|称呼|跟我讲话|跟我聊|跟我说|表达|内容|输出){_HOW_ZH}(?P<a>{_STYLE_ZH}(?:[、和且又而，]?{_STYLE_ZH})?){_MORE_ZH}|"
    rf"(?:喜欢|喜歡|偏好|偏爱|习惯|習慣|需要|想要|希望(?:得到|收到)?|更喜欢|要)(?:你)?(?:看|听|用)?(?P<b>{_STYLE_ZH}(?:[、和且又而]?{_STYLE_ZH})?){_MORE_ZH}的?(?:回复|回覆|回答|答复|答覆|说话方式|语气|語氣|风格|風格|表达|说法|解释)|"
    rf"(?P<g>(?:一两|两三|一|几)句话(?:就行|说清|概括|说完)?|(?:别|不要)(?:再)?(?:写|说|回|答)?(?:得)?(?:那么|这么|太)长)|(?P<c>别(?:再|给我|跟我|老|总)*(?:这么|那么|太)?(?:啰嗦|罗嗦|官方|客套|客气|正式|长篇大论|废话|绕弯子|卖关子)|(?:不要|别)(?:再)?(?:用|说|加|带|发|写|讲)(?:太多|那么多|这么多|任何)?(?:表情(?:包|符号)?|术语|專業術語|专业术语|黑话|客套话|废话|套话|感叹号|网络用语|英文缩写|大段文字|长句)|(?:不要|少|别)(?:再)?(?:废话|客套话?|术语|表情|套话|铺垫|啰嗦))|"
    rf"(?:回复|回答|答案|每次|解释|说|字数){_HOW_ZH}(?P<h>(?:控制|限制|保持|压缩|精简)?(?:在|到)?[\d一二三四五六七八九十百两几]+(?:句话|句|个字|字|行|段|点|条)(?:话)?(?:以内|之内|左右|内|以下)?)|(?P<d>直接(?:说|给|讲|上)(?:我)?(?:重点|结论|答案|要点|干货)|(?:说|讲|挑|给)重点|先(?:说|给|讲)结论|列(?:个|出)?要点|分点(?:说|列|回答|作答|写)|分条(?:列|说|写)|一步一步(?:地)?(?:说|讲|来|教|写)?|用(?:大白话|白话|人话|要点|列表|表格|分点|条目|条列|條列|分条|图表)(?:的?(?:形式|方式))?(?:说|讲|回|回复|回答|列|写|解释)?|说人话|举(?:个|些|几个)?例子)|"
    rf"^(?:以后|以後|还是|麻烦|请|請|你)*(?:说话|回复)?(?:尽量|盡量|能不能|可以|请|稍微|都)*(?P<e>{_STYLE_ZH}){_MORE_ZH}(?:就好|就行|吧|即可|回答|回复|地?说)*$|(?:^|[，,])(?:以后|还是|那|请|你|就|再|麻烦|给我)*(?P<f>口语化|简短|简洁|正式|幽默|详细|简單|直接|轻松|随意|通俗)(?:一点|一點|一些|些|点)(?:吧|就好|就行|说)?(?=[，,。！!；;]|$)",
)
# 别那么官方，随意一点: what is wanted says more than what is not.
_RATHER_ZH = lazy_pattern(rf"[，,](?:再|更|稍微|尽量|还是|要)?(?P<c>{_STYLE_ZH})(?:一点儿?|一些|些|点)")
_HOW_SAID_ZH = lazy_pattern(r"^用|的?(?:形式|方式)?(?:说|讲|解释|回|回复|回答|列|写)?$")
_ONE_TASK_ZH = lazy_pattern(
    r"这[篇封段份个][\u4e00-\u9fff]|帮我写|翻译|总结一下|邮件|文章|作文|标题|简历|报告|文案|这次|今天|面料|发型|裤|裙|头发|时间|距离|衣|合同"
)
_STANDING = lazy_pattern(
    r"以后|以後|今后|今後|往后|从现在起|從現在起|每次|一律|都|总是|所有|默认|\b(?:always|from\s+now\s+on|going\s+forward|in\s+(?:the\s+)?future|every\s+time|whenever|by\s+default)\b",
    re.IGNORECASE,
)
_SHOWN_ZH = r"(?:价格|價格|金额|金額|报价|費用|费用|预算数字|时间|時間|日期|温度|溫度|距离|距離|重量|长度|单位|單位|数字|数据|尺寸|汇率|货币|代码|示例|会议|会议时间|日程|提醒|周报|周一|邮件标题|文件名)"
_UNITS_ZH = lazy_pattern(
    rf"(?:以后|以後|今后|今後|往后|从现在起|從現在起|默认)[，,]?(?:说到|提到|凡是|给我|你)*(?P<what>{_SHOWN_ZH}(?:请|請|都|就|一律|统一|统统|全部|要)*(?:用|按|按照|以|写成|换算成|显示成|标成|精确到|保留)[^，,。！!？?；;\n]{{1,20}})|(?P<what2>(?:所有|全部)(?:的)?{_SHOWN_ZH}(?:请|請|都|就|一律|统一|要)*(?:用|按|按照|以|写成|换算成|显示成|精确到|保留)[^，,。！!？?；;\n]{{1,20}})|(?P<what3>{_SHOWN_ZH}(?:请|以后|一律|统一|都)+(?:用|按|按照|以|写成|换算成)[^，,。！!？?；;\n]{{1,20}})"
)
_SHOWN_EN = r"(?:(?:all\s+|any\s+|the\s+)?(?:prices?|amounts?|costs?|quotes?|figures|numbers|temperatures?|distances?|weights?|times?|dates?|measurements?|units?|sizes?|currenc(?:y|ies)|code\s+samples?|examples|meetings?))"
_UNITS_EN = lazy_pattern(
    rf"\b(?P<what>(?:give|show|quote|list|display|write|express|put|convert|state|tell\s+me|use|round|format|schedule)\s+(?:me\s+)?{_SHOWN_EN}\s+(?:always\s+)?(?:in|to|as|with|for|after|before)\s+[^.,;!?]{{2,40}})|\b(?P<what2>use\s+(?:metric|imperial|SI|24-hour|the\s+24-hour|12-hour|Celsius|Fahrenheit|kilomet(?:re|er)s|miles|euros|dollars|ISO|the\s+metric)[^.,;!?]{{0,30}})|(?:^|[,;]\s*)(?P<what3>{_SHOWN_EN}\s+(?:should\s+(?:always\s+)?be|must\s+be|always)\s+(?:given\s+|shown\s+|quoted\s+|written\s+)?in\s+[^.,;!?]{{2,30}})",
    re.IGNORECASE,
)
_TAIL_UNITS_EN = lazy_pattern(
    r"\s*(?:from\s+now\s+on|please|always|when\s+you\b.*|going\s+forward|in\s+(?:the\s+)?future|for\s+me)$",
    re.IGNORECASE,
)


def reply_style(statement: Statement) -> Iterator[Found]:
    """Yield the style the speaker wants to be answered in, with a sentence."""
    text = statement.text
    if statement.chinese:
        match = None if _ONE_TASK_ZH.search(text) else _REPLY_STYLE_ZH.search(text)
    else:
        match = None if _ONE_TASK_EN.search(text) else _STYLE_EN.search(text)
    if match is None:
        return
    if (wanted := _RATHER_ZH.search(text)) and match["c"]:
        match = wanted
    value = next(group for group in match.groups() if group).strip(" ,.，")
    while (shorter := _STYLE_TAIL_EN.sub("", value)) != value:
        value = shorter
    value = _HOW_SAID_ZH.sub("", value) if value.startswith("用") else value
    if value in {"长", "短"} and not re.search(r"回|答|说", text):
        return
    yield field_found("preferences", "reply_style", value, match.span())
    if statement.chinese:
        content = (
            f"{statement.user}喜歡{value}的回覆"
            if statement.sentence.is_traditional
            else f"{statement.user}喜欢{value}的回复"
        )
    else:
        content = f"The user wants replies like this: {value}."
    yield item_found(content, match.span(), attribute="reply style", value=value)


def standing_wish(statement: Statement) -> Iterator[Found]:
    """Yield a wish for all answers to come that fits no field: units, currencies, formats."""
    text = statement.text
    if not _STANDING.search(text):
        return
    if statement.chinese and (match := _UNITS_ZH.search(text)):
        what = object_zh(match["what"] or match["what2"] or match["what3"], longest=30)
        if what:
            later = "以後" if statement.sentence.is_traditional else "以后"
            shown = (
                re.split(r"请|請|都|就|一律|统一|统统|全部(?!的)|要|用|按|以|写|换|显", what, maxsplit=1)[0]
                or what
            )
            yield item_found(
                f"{statement.user}希望{later}{what}", match.span(), attribute=f"{shown}的写法", value=what
            )
    elif not statement.chinese and (match := _UNITS_EN.search(text)):
        what = object_en(
            _TAIL_UNITS_EN.sub("", match["what"] or match["what2"] or match["what3"]), longest=14
        )
        if what:
            shown = re.search(_SHOWN_EN, what, re.IGNORECASE)
            attribute = f"how to give {shown[0].lower()}" if shown else "units"
            wants = without_my(what)
            content = f"The user wants this from now on: {wants}."
            yield item_found(content, match.span(), attribute=attribute, value=what)
