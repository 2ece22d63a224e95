"""Rules of the house: 任何推荐都不能包含坚果成分, 'never recommend anything with nuts'. A person decides on each."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memoryhub.language.patterns import lazy_pattern
from memoryhub.writing.rules.statement import Found, Statement, field_found

_NAMED_ZH = r"(?:(?:公司|店里|店|我们|我們|团队|部门|内部|新|统一|财务|客服|平台|客户|甲方|老板|领导|上级|总部|酒店|餐厅)*(?:的)?(?:规则|規則|规定|規定|制度|政策|要求|红线|铁律|原则|流程规定|硬性规定|注意事项|规矩|店规|家规|底线|纪律)|按(?:规定|制度)|提醒所有人|请注意|注意)"
_MUST_ZH = r"(?:不能|不接受|不予|不给|不再|不得|不可以?|不允许|不允許|不许|不許|不准|不應|不应|禁止|严禁|嚴禁|必须|必須|须|須|只能|要先|应当|應當|一律|需要|需|都要|得先|都得|务必|要(?=[^，,。]{0,12}(?:签字|审批|批准|审核|盖章|报备|同意|确认|复核|登记|预约|出示|签收|存档|双人))|要有|要经过?|要由|要走|要报|要在|要给|要提前|要附|要写|要留)"
_RULE_ZH = lazy_pattern(
    rf"(?:(?:^|[，,。]){_NAMED_ZH}(?:是|[：:，,])\s*(?P<stated>[^。！!？?\n]{{4,80}}))|(?:(?:公司|店里?|酒店|餐厅|平台|部门|团队|我们|财务|人事|总部|学校|医院|仓库|厂里|系里|组里|老板|领导|行政|法务)(?:这边|里|内部)?(?:有|也有|有个|有条|立了|定了|新)?(?:明文|个|条)?(?:规定|要求|规矩|制度|政策|规则)(?:是|说|里写明)?[了，,：:]*(?P<ruled>(?![了过的]|是什么)[^。！!？?\n]{{5,70}}))|"
    rf"(?P<scope>(?:任何|所有|全部|一切|凡是?|每[一个次笔张位份单])[^，,。！!？?\n]{{1,24}}?)[，,]?(?P<modal>(?:都|均|一律|必须|必須|全部|也|皆|就)*(?:{_MUST_ZH}|不得|要|得))(?P<what>[^。！!？?\n]{{1,40}})|"
    r"(?P<ban>(?:^|[，,。：:；;]\s*|我们|公司)(?:一律|绝对|绝|坚决)?(?:禁止|严禁|嚴禁|不得|不准|不许|不能|不允许)(?P<banned>[^，,。！!？?\n]{2,30}))|"
    rf"(?P<mid>[^，,。！!？?\n我你]{{2,16}}(?:禁止|严禁|不得|不准|不许)[^，,。！!？?\n]{{2,30}})|(?P<without>(?:未经|没有|未|无)[^，,。！!？?\n]{{2,16}}[，,]?(?:一律)?(?:不得|不能|不可以?|不许|不准|不予|不给|不接受)[^，,。！!？?\n]{{2,24}})|(?P<over>(?:超过|超出|大于|高于|满|低于)[^，,。！!？?\n]{{2,24}}?[，,]?(?:都|均|一律|就)*{_MUST_ZH}[^，,。！!？?\n]{{2,40}})|(?P<within>(?:退款|退货|报销|发票|投诉|工单|订单|客诉|付款|报价|请假|合同)[^，,。！!？?\n]{{0,10}}?(?:必须|一律|只能|不得|不能|不可以?|须|需要?|均需|都要)[^，,。！!？?\n]{{2,40}})|(?P<strict>[^，,。！!？?\n我你]{{2,14}}(?:一律|严禁|绝对)(?:不得|不能|不准|不许|不可以?|必须)[^，,。！!？?\n]{{2,24}})|(?P<always>(?:[^，,。！!？?\n我你]{{2,16}}(?:前|之前|以前|后|之后|时)[，,]?(?:都|均|一律)*(?:必须|必須|务必|一定要|要先|一律)[^，,。！!？?\n]{{2,40}}))"
)
_OURS_NEVER_EN = (
    r"(?:^|[,;:]\s*)(?P<we>we\s+(?:never|don['’]t\s+ever|only\s+ever|always)\s+[a-z][^.!?\n]{4,80})"
)
_MODAL_EN = r"(?:must(?:\s+not|\s+never|\s+always)?|may(?:\s+not|\s+never|\s+only)?|cannot|can\s+not|can['’]t|can\s+only|shall(?:\s+not)?|should\s+(?:never|always)|(?:is|are)\s+(?:not\s+allowed\s+to|to\s+be|only\s+allowed|forbidden|prohibited|never|required\s+to|always)|needs?\s+(?:to\s+be|an?|two|(?:\w+\s+)?(?:sign-?off|approval|permission|clearance|consent|signature))|requires?|have\s+to\s+be|has\s+to\s+be|gets?|goes?\s+(?:through|to))"
_ACT_EN = r"(?:recommend|offer|sell|promise|share|mention|suggest|serve|give|tell|quote|disclose|reveal|refund|accept|approve|issue|ship|merge|deploy|push|release|discuss|discount|send|ask\s+for|store|charge|sign|publish|commit|email|call)"
_RULE_EN = lazy_pattern(
    r"(?:^(?P<named>[^.!?\n]{6,120}?),?\s+(?:that['’]s|that\s+is|this\s+is|it['’]s)\s+(?:our|company|the|a\s+house|house|store)\s+(?:\w+\s+)?(?:policy|rule)\b)|(?:\b(?:we|our\s+\w+|the\s+\w+)\s+(?:have|has|['’]ve\s+got|follows?)\s+an?\s+(?:\w+\s+)?(?:policy|rule)(?:\s+(?:here|in\s+place|at\s+(?:work|the\s+\w+)))?\s*(?:that|where|of|,|:|;|–|-|—)\s*(?P<have>[^!?\n]{6,160}?)(?=\.?\s*$))|(?:\b(?:house\s+|company\s+|business\s+|our\s+|new\s+|the\s+|store\s+|team\s+|golden\s+)*(?:rules?|policy|policies|guideline)\s*(?:is(?:\s+that)?|here\s+is(?:\s+that)?|:|says(?:\s+that)?|states(?:\s+that)?|here|for\s+us|—|–|-|,)\s*(?P<stated>[^!?\n]{6,160}?)(?=\.?\s*$))|"
    rf"(?:\b(?P<scope>(?:all|any|every|each|no|only)\s+(?!one\b|thing\b|of\b)[a-z][\w ,-]{{2,40}}?)\s+(?P<modal>{_MODAL_EN})\s+(?P<what>(?:ever\s+)?[a-z\d][^.!?\n]{{1,100}}))|"
    rf"(?:(?:^|[,;:]\s*|\bplease\s+)(?P<never>never|always|do\s+not\s+ever|don['’]t\s+ever|under\s+no\s+circumstances)\s+(?P<act>{_ACT_EN})\s+(?P<what2>[^.!?\n]{{4,100}}))|"
    rf"{_OURS_NEVER_EN}|(?:^|[,;:]\s*)(?P<first>always\s+[a-z]+\s+[^.!?\n]{{3,60}}?\s+(?:before|after|when|whenever|unless|until)\s+[^.!?\n]{{3,60}})|"
    r"(?:^(?P<none>no\s+[a-z][\w -]{2,40}?\s+(?:without|after|before|unless|until|over|above|on|for|to)\s+[^.!?\n]{3,80}))|(?:\b(?P<who>(?:contractors?|vendors?|suppliers?|visitors?|managers?|developers?|engineers?|interns?|drivers?|couriers?|purchases?|bookings?|requests?|passwords?|laptops?|complaints?|quotes?|samples?|shifts?|overtime|credentials|backups?|expense\s+reports?|new\s+hires?|customers?|clients?|staff|employees|agents?|guests?|users?|refunds?|orders?|discounts?|deployments?|releases|payments?|invoices?|contracts?|returns?|prices?|expenses?|deliveries)(?:\s+(?:of|over|above|under|from|with|on|in|without)\s+[\w$€£%,. -]{2,30}?)?)\s+(?:must|may|can\s+only|cannot|are\s+(?:never|only|not|always)|need|require|have\s+to|should\s+(?:never|always)|should\s+not)\s+[^.!?\n]{4,100})",
    re.IGNORECASE,
)
_ONE_ORDER = lazy_pattern(r"\b(?:this|my|please|for\s+me|thanks)\b", re.IGNORECASE)
_CITED_ZH = lazy_pattern(r"写着|写道|写的是|第[一二三四五六七八九十\d]+[条款]")
_ASKED_TO_NOTE = lazy_pattern(
    r"[，,](?:你|您|请|麻烦|帮我|给我)*(?:记一?下|记住|记牢|记好|记着|注意(?:一下)?|知道一?下|照办|别忘了?|留意|遵守|存一?下)(?:了|吧|哈)?$|,?\s+(?:please\s+)?(?:remember\s+(?:that|this|it)|note\s+(?:that|this|it)(?:\s+down)?|keep\s+(?:that|this|it)\s+in\s+mind|just\s+so\s+you\s+know|ok(?:ay)?|please|thanks)$",
    re.IGNORECASE,
)
_LEAD_RULE = lazy_pattern(
    r"^(?:(?:please\s+)?(?:note|remember|be\s+aware|keep\s+in\s+mind)(?:\s+that)?[:,]?\s+|(?:请|請)?(?:记住|記住|注意|提醒一下)[，,：:]\s*)",
    re.IGNORECASE,
)
_TO_THE_AGENT = lazy_pattern(
    r"\b(?:me|my)\b|^(?:please\s+)?(?:always|never)\s+(?:quote|give|use|write|recommend|suggest|show)\s+(?!.*\b(?:to|with|for)\s+(?:customers?|clients?|users?|guests?|anyone|third\s+part))|给我|跟我|对我|向我|叫我",
    re.IGNORECASE,
)
_NO_RULE_EN = lazy_pattern(
    r"^(?:all\s+(?:i|you|we|my)|no\s+(?:matter|way|wonder|doubt)|any\s+(?:day|time|way|idea|chance)|every\s+(?:day|time|\w+day|morning|night|week|year|person|one)|each\s+(?:day|time))\b",
    re.IGNORECASE,
)
# What an owner says of everybody ('all kids must have fun') is a rule only when it is about the service or the work.
_OF_THE_HOUSE = lazy_pattern(
    r"赊账|现金|签收|采购|访客|押金|信息|泄露|洩露|退款|退货|资料|外传|合同|成本|供应商|员工|推荐|推薦|报销|報銷|对外|外部|法务|财务|签字|簽字|到货|发货|下单|库存|保密|机密|密码|账号|加班|请假|休假|会议纪要|上级|经理|两个人|双人|测试|评审|备份|回复|回覆|答复|承诺|承諾|销售|透露|泄露|提供|客户|客戶|顾客|顧客|订单|訂單|退款|折扣|优惠|报价|合同|发票|发布|上线|部署|代码|审批|付款|价格|成分|产品|產品|文档|数据|权限|合并|员工|"
    r"\b(?:nda|access|visitors?|badges?|purchases?|contractors?|vendors?|laptops?|complaints?|shifts?|overtime|confidential\w*|security|credentials|new\s+hires?|signature|signed|shipping|signing|recommend\w*|receipts?|expenses?|deliver\w+|returns?|sign-?off|password\w*|personal\s+data|guests?|bookings?|reservations?|warranty|backups?|tests?|review\w*|suppliers?|vendors?|po\s+boxes|ship\w*|gifts?|suggestions?|repl(?:y|ies)|answers?|responses?|orders?|refunds?|discounts?|customers?|clients?|prices?|invoices?|payments?|contracts?|offers?|deploy\w*|release[sd]?|commits?|merge\w*|pull\s+requests?|code|approv\w+|documents?|data|products?|dishes|menus?|staff|employees|tickets?|quotes?)\b",
    re.IGNORECASE,
)
_CORE_ZH = lazy_pattern(
    r"(?:包含|含有|含|推荐|推薦|使用|出现|出現|涉及|提及|透露|泄露|超过|超過|提供|承诺|承諾|收取)(?:任何|有)?(?P<core>(?!都|不|也|一律|必须|必須|均)[\u4e00-\u9fffA-Za-z0-9]{1,16})"
)
_CORE_EN = lazy_pattern(
    r"\b(?:contain(?:ing)?|include|with|without|recommend|mention|share|exceed|promise|offer|sell|use|serve|made\s+of)\s+(?:any(?:thing)?\s+(?:with\s+|containing\s+)?)?(?P<core>[\w][\w -]{1,40})",
    re.IGNORECASE,
)


def find(statement: Statement) -> Iterator[Found]:
    """Yield the rule in the words it was given in, under a key made of what it forbids or demands."""
    pattern = _RULE_ZH if statement.chinese else _RULE_EN
    match = pattern.search(statement.text)
    if match is None or (match["scope"] and _NO_RULE_EN.match(match["scope"])):
        return
    if _CITED_ZH.search(statement.text):
        return
    if _ONE_ORDER.search(statement.text) and match.groupdict().get("none"):
        return
    if (match.groupdict().get("always") and statement.future_times) or _is_one_order(match, statement):
        return
    told = match.groupdict()
    stated = told.get("stated") or told.get("ruled") or told.get("have") or told.get("named")
    whole = stated or statement.text
    rule = _ASKED_TO_NOTE.sub("", _LEAD_RULE.sub("", whole).strip(" ，,。.;；!！"))
    if statement.role != "staff":
        if not stated and (not _OF_THE_HOUSE.search(rule) or _TO_THE_AGENT.search(rule)):
            return
        if stated and len(rule) < 4:
            return
    if len(rule) >= 4:
        yield field_found("business_rule", "rule", rule, match.span(), subject=rule_key(rule), confidence=0.9)


def _is_one_order(match: re.Match[str], statement: Statement) -> bool:
    """老板要求下周一之前做完 is wanted once; 公司规定 with a day or without 'must' is a rule."""
    ruled = match.groupdict().get("ruled") or ""
    asked = bool(re.search(r"要求|需要", match[0][: len(match[0]) - len(ruled)])) if ruled else False
    return asked and (bool(statement.future_times) or not re.search(_MUST_ZH, ruled))


def rule_key(rule: str) -> str:
    """坚果成分 of 任何推荐都不能包含坚果成分: what the rule is about, at most 40 characters."""
    for pattern in (_CORE_EN if rule.isascii() else _CORE_ZH, _CORE_EN):
        if match := pattern.search(rule):
            return re.sub(r"\s+(?:to|for|in|at)\s.*$", "", match["core"].strip().lower())[:40]
    return rule.lower()[:40]
