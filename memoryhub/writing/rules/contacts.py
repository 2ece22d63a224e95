"""Addresses, telephone numbers and e-mail addresses, each under its label: 'home', 'office' or none."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from memoryhub.language.patterns import lazy_pattern
from memoryhub.writing.rules.refusals import KIN_EN, mentions_another
from memoryhub.writing.rules.statement import Found, Statement, field_found

_LABEL_EN = r"(?:(?P<label>home|house|private|personal|office|work|business|company|billing|delivery|shipping|postal|mailing|current|new|studio|shop)\s+)*"
_ADDRESS_EN = lazy_pattern(
    rf"\b(?:(?:change|update|correct|set|switch)\s+(?:my|our|the)\s+(?:(?P<label2>home|office|work|delivery|shipping|billing)\s+)?address\s+(?:back\s+)?to|(?:(?:my|our|the)\s+|^|[,;.!]\s*){_LABEL_EN}address\s*(?:(?:\s+is(?:\s+back\s+to)?|['’]s|\s+(?:has\s+|was\s+|is\s+)?(?:just\s+)?changed[,;:]?\s+(?:it['’]s|it\s+is|to|and\s+is)|\s+should\s+be|\s+was\s+changed\s+to|\s+would\s+be)(?:\s+(?:now|actually|still))?:?|:))\s*(?P<value>[^;!?\n]{{5,120}})",
    re.IGNORECASE,
)
_STREET = r"(?:street|st\.?|road|rd\.?|lane|ln\.?|avenue|ave\.?|drive|dr\.?|court|ct\.?|boulevard|blvd\.?|way|square|sq\.?|place|pl\.?|close|terrace|row|crescent|hill|quay|quai|gardens?|grove|park|walk|mews|highway|parkway|rue|via|calle|rua|strasse|straße|[a-z]+(?:straat|straße|strasse|weg|gasse|gade|plein|laan)|platz|alley|wharf|wharves|circle|trail|loop|broadway)"
_PLACE_EN = rf"(?P<value>(?:(?:flat|apt\.?|apartment|unit|suite)\s+\w+,?\s+)?\d+[a-z]?(?:[/-]\d+[a-z]?)?,?\s+(?:[A-Za-z][\w'’.]*\s+){{0,4}}?{_STREET}\b(?:[^.;!?\n]|\.(?!\s|$)){{0,80}}|(?-i:[A-ZÀ-Þ][\w'’]*(?:straat|straße|strasse|weg|gasse|gade|plein|laan))\s+\d+[^.;!?\n]{{0,60}})"
_SENT_EN = lazy_pattern(
    rf"\b(?:my\s+|all\s+|the\s+)?(?:deliveries|parcels|packages|orders|post|mail|letters|everything)\s+(?:now\s+|should\s+|must\s+|can\s+|will\s+|please\s+)*(?:go(?:es)?|come|(?:be\s+)?(?:sent|delivered|shipped))\s+(?:back\s+)?to\s+(?:me\s+at\s+|my\s+place\s+at\s+)?{_PLACE_EN.replace('value', 'value5')}|\bmy\s+(?:new\s+|current\s+)?place\s+is\s+(?:now\s+)?(?:at\s+)?{_PLACE_EN.replace('value', 'value6')}|\buse\s+{_PLACE_EN.replace('value', 'value7')}(?=\s+(?:as|for)\s+(?:my\s|our\s|deliver|shipping|parcels|post\b))|\bchange\s+of\s+address\s*[:,]\s*{_PLACE_EN.replace('value', 'value8')}|\b(?:my|our|the)\s+(?:(?:delivery|shipping|home)\s+)?address\s+(?:goes|moves|switches)\s+(?:back\s+)?to\s+{_PLACE_EN.replace('value', 'value9')}|\b(?:ship|send|deliver|mail|post|forward|drop)\b[^.;!?\d]{{0,40}}?\bto\s+(?:me\s+at\s+|my\s+(?P<label>home|office|work|new)?\s*(?:place|address)?[,:]?\s*(?:at\s+)?)?{_PLACE_EN}|\b(?:my|our|the)\s+(?P<label2>home|office|flat|apartment|house|studio|shop|work|company)\s+is\s+(?:now\s+)?(?:located\s+)?(?:at|on)\s+{_PLACE_EN.replace('value', 'value2')}|"
    rf"\b(?:i|we)(?:['’]ve|['’]re)?\s+(?:(?:now|just|recently|have|are)\s+)*(?:live|living|moved|relocated|staying|back)\s+(?:back\s+)?(?:at|to|over\s+to|into|in)\s+{_PLACE_EN.replace('value', 'value3')}|\b(?:(?:i|we)\s+work\s+(?:at|from|out\s+of)|you\s+(?:can|will)\s+(?:find|reach)\s+(?:me|us)\s+at|i['’]m\s+at)\s+{_PLACE_EN.replace('value', 'value4')}",
    re.IGNORECASE,
)
_IS_ADDRESS_EN = lazy_pattern(
    rf"{_PLACE_EN}\s+is\s+(?:now\s+)?my\s+(?:new\s+)?(?P<label>home|office|work|delivery)?\s*address\b",
    re.IGNORECASE,
)
_QUAI_EN = lazy_pattern(
    r"\b(?:my|our)\s+(?P<label>office|home|studio|shop|company)\s+is\s+(?:now\s+)?(?:located\s+)?at\s+(?P<value>\d+[a-z]?\s+[A-Z][^;!?\n]{5,80})",
    re.IGNORECASE,
)
_LIVE_AT_EN = lazy_pattern(
    r"\bi\s+(?:now\s+|currently\s+)?live\s+at\s+(?P<value>\d[^.;!?\n]{4,80})", re.IGNORECASE
)
_LABEL_ZH = r"(?P<label>家庭|家里的?|家裡的?|家|公司的?|单位的?|單位的?|办公室的?|辦公室的?|工作|收货|收貨|收件|寄件|邮寄|郵寄|配送|送货|送貨|联系|聯繫|聯絡|快递)?"
_ADDRESS_ZH = lazy_pattern(
    rf"(?:我(?:们|們)?(?:的)?|^|[，,。：:；;！!]|把|請把|请把)(?:以后|现在|帮我把)?(?:新的?|现在的?|現在的?|目前的?)?{_LABEL_ZH}(?:新|的)?(?:地址|住址)(?:已经|已經|现在|現在|其实|應該|应该|也|就|都|还|给你|请|要|更新|变更)*(?:改成了?|改为了?|改為|改到了?|换成了?|換成了?|换到了?|又?改回了?到?|又换回了?到?|换回了?到?|恢复[为成到]|更正为|更正為|变更为|變更為|更新为|更新成|改到|改为|搬到了?|变成了?|變成了?|用|填|写|是|為|在|：|:)+\s*(?:我?(?:公司|单位|家里|家|新家)[，,：:]?\s*)?(?P<value>[^，,。！!？?；;\n]{{4,60}})"
)
_WRONG_ADDRESS_ZH = lazy_pattern(
    r"(?P<label>家庭|家里的?|家|公司的?|单位的?|办公室的?|收货|收貨|收件|寄件|配送)?(?:的)?(?:地址|住址)(?:刚才|之前|我)*(?:(?:写|寫|说|說|填|搞|给|弄|报|记|記)?错了?|不对|有误|更正|更新|更换|变更|修改|[变變换換改]了)(?:一下|了)?[，,。：:；;]\s*(?:不是[^，,。]{1,30}[，,]\s*)?(?:正确的?|应该|應該|其实|而|现在|新的?)*(?:地址)?(?:是|为|為|改成|改为|：)?\s*(?P<value>[^，,。！!？?；;\n]{4,60})"
)
_HERE_ZH = r"[\u4e00-\u9fff]{0,18}[\u4e00-\u9fff0-9０-９A-Za-z]{1,12}(?:路|街|道|巷|弄|胡同|大道|小区|小區|花园|花園|公寓|大厦|大廈|广场|中心|园区|科技园|村|里|苑|城|段)[\u4e00-\u9fffA-Za-z0-9０-９\-－#]{0,30}?(?:号|號|栋|棟|幢|座|室|楼|樓|层|单元|\d)[\u4e00-\u9fffA-Za-z0-9０-９\-－#]{0,20}?"
_SENT_ZH = lazy_pattern(
    rf"(?:寄|送|发|發|邮|郵|配送|快递|投递|送货)(?:货|貨|件|快递)?(?:到|至|去|往|回|(?<=[包件裹西货递][寄送发])|(?<=[还是仍都就请改][寄送发]))(?:我)?(?P<label>家里?|公司|单位|办公室)?[，,：:]?\s*(?P<value>(?!了){_HERE_ZH})(?=(?:就行|就好|好了|吧|即可|这个地址|這個地址|就可以|来|了|哈|谢谢|这里|这儿)|[，,。！!；;\s]|$)"
)
_SITS_ZH = lazy_pattern(
    rf"(?:我(?:们|們)?(?:的)?|^|[，,。])(?:新)?(?P<label>公司|单位|單位|办公室|辦公室|家)(?:现在|現在|已经|地址|新|的)*(?:就)?(?:搬到了?|搬去了?|在|位于|位於|搬到|换到了?)(?P<value>{_HERE_ZH})(?=(?:了|这边|那边|上班|办公)|[，,。！!；;\s]|$)"
)
_LIVE_AT_ZH = lazy_pattern(
    r"我(?:家|们家|们)?(?:现在|現在|已经|目前|就|是|搬家了?[，,])*(?:住在|搬到了?|住|搬去了?)(?!的)(?P<value>[\u4e00-\u9fff]{0,16}[\u4e00-\u9fff0-9０-９]{1,12}(?:路|街|道|巷|弄|大道|小区|小區|花园|花園|公寓|胡同|苑)[\u4e00-\u9fffA-Za-z0-9０-９\-]{0,24})"
)
_PHONE = lazy_pattern(
    r"(?<![A-Za-z0-9_.@#-])(?P<value>\+?[\d０-９(（][\d０-９\-() .（）]{5,20}[\d０-９])(?![A-Za-z0-9_-]|\.\d)"
)
_PHONE_CUE_EN = lazy_pattern(
    r"\b(?:that|this|the\s+old|my\s+old|the)\s+(?:number|phone|line|sim)\s+(?:is|was|has|no\s+longer|does|doesn|got|isn|will)|\b(?:lost|broke|dropped)\s+(?:that|my|the)\s+(?:old\s+)?(?:phone|mobile|cell|sim)\b|\b(?:switched|changed|new)\s+(?:my\s+)?(?:carriers?|providers?|sim|phones?|numbers?)\b|\b(?:ring|dial|call|text|use|best\s+to\s+(?:text|call|ring))\s+(?=\+?[(\d][\d() -]{7,}[\d]\s*(?:[.!]*$|,?\s*(?:now|again|instead|please|from\s+now\s+on|going\s+forward|any\s?time)\b))|^(?:i['’]m\s+)?back\s+(?:on|to)\s+(?=\+?[(\d][\d() -]{7,}[\d]\s*(?:[.!]*$|\s(?:now|again)))|\b(?:my|our)\s+(?:\w+\s+){0,2}(?:phone|mobile|cell(?:\s*phone)?|telephone|landline|number|contact)\b|\b(?:call|text|reach|phone|ring|whatsapp|dial|message|contact|try)\s+(?:me|us)\b|\b(?:reachable|available)\s+(?:at|on)\b|\bget\s+(?:me|hold\s+of\s+me)\s+on\b|(?:^|[,;.]\s*)(?:my\s+|our\s+)?(?:(?:office|work|home|new|private|personal|business|direct|desk|shop|studio|backup|emergency|current|main)\s+)*(?:phone|mobile|cell(?:phone)?|tel(?:ephone)?|landline|number|line|contact|extension)(?:\s+(?:number|no\.?))?\s*(?:[:：]|is\b|=|#)|\b(?:new|updated)\s+(?:phone\s+)?number\b|\bi(?:['’]ve)?\s+(?:have\s+a|got\s+a|changed\s+(?:my\s+)?)\s*new\s+(?:phone\s+)?number",
    re.IGNORECASE,
)
_PHONE_CUE_ZH = lazy_pattern(
    r"电话|電話|手机|手機|号码|號碼|换号|換號|座机|座機|联系方式|聯絡方式|联络方式|(?:新|旧|老|原|那个|这个|原来的|之前的|以前的|我的?|[这那]个?)[号卡](?![码楼线店])|[号卡](?:已经|也|都|早就|又|被)*(?:停|注销|作废|不用|丢|换|变|欠费|销|恢复|改)|(?:换|办|买|开)了?(?:个|张)?(?:新)?[号卡]|(?:还是|以后|现在|请|就|重新|继续|又)+(?:打|拨|呼)回?(?=\s*[+\d])|(?:打|拨|换|用)回(?=\s*[+\d])|(?:别|不要)(?:再)?打(?=\s*[+\d])|打给我|打給我|联系我|聯絡我|联络我|找我|微信同号|call我|固话|热线|分机"
)
_NOT_A_PHONE = lazy_pattern(
    r"订单|訂單|单号|單號|运单|快递|工单|身份证|卡号|银行|护照|\b(?:order|tracking|parcel|ticket|invoice|card|account|passport|iban)\b|\d{4}-\d{2}-\d{2}",
    re.IGNORECASE,
)
_MAIL = lazy_pattern(
    r"(?<![A-Za-z0-9_.+-])(?P<value>[A-Za-z0-9][A-Za-z0-9._%+\-]{0,63}@[A-Za-z0-9\-]{1,63}(?:\.[A-Za-z0-9\-]{1,63}){1,4})"
)
_MAIL_CUE = lazy_pattern(
    r"\b(?:my|our)\b|\b(?:me|us)\b|\be-?mail\s*[:：]|\be-?mail\s+(?:is|address|has|now)\b|\bsend\b|\bnew\s+e-?mail|\b(?:back|switch|change)\s+to\s+(?=\S+@)|\b(?:write|mail)\s+(?:everything\s+)?to\s+(?=\S+@)|\bmail\s+(?:everything|it\s+all)\b|\b(?:that|the\s+old)\s+(?:inbox|mailbox|account|address|e-?mail)\b[^@,;]{0,40}[,;]|\bi\s+(?:no\s+longer|now|don['’]t\s+(?:use|check|read)|moved|switched|changed|use|only)\b|^(?:please\s+)?use\s+(?=\S+@\S+\s*(?:[.!]*$|now|again|instead|please|from\s+now))|邮箱|郵箱|电子邮件|電子郵件|邮件|郵件|电邮|電郵|信箱|[Ee]-?mail|发到|發到|发给|寄到|我",
    re.IGNORECASE,
)
_OF_ANOTHER_EN = lazy_pattern(
    rf"\b(?:[Hh]is|[Hh]er|[Tt]heir|(?:[Mm]y|[Oo]ur|[Tt]he)\s+(?:\w+\s+)?(?:{KIN_EN}|doctor|lawyer|accountant|supplier|intern|tenant|agent|contractor)(?:['’]s)?|(?:Mr|Mrs|Ms|Dr)\.?\s+[A-Z]\w+(?:['’]s)?|[A-Z][a-z]+['’]s)\b"
)
_ANOTHERS_ZH = lazy_pattern(
    r"(?:司机|骑手|快递员?|外卖员?|师傅|[老教律医护导技]师|[医律]生|护士|客服|前台|物业|房东|对方|对家|酒店|宾馆|民宿|客栈|医院|诊所|学校|幼儿园|餐厅|餐馆|饭店|银行|派出所|(?<!我)(?<!我们)(?<!我的)店家?|4S店|商家|卖家|买家|厂家|供应商|中介|会计|律师|医生|保姆|阿姨|教练|经纪人?|维修|售后|家政|搬家公司|装修队|工头|代驾|销售|导购|保洁|月嫂|向导|主办方|组委会|急救|紧急联系人|(?:报名|报警|投诉|预约|订餐|咨询|举报|服务|求助|急诊|订票|订房|挂号|招聘|投稿)(?=电话|热线|邮箱|号码|专线))"
    r"(?:那边|那里|家|处)?的?(?:联系|值班|办公|新|个人|工作)?(?:手机号?码?|电话号?码?|邮箱|电邮|邮件地址|号码?|座机|微信|热线|专线|地址|联系方式)"
)
_ANOTHERS_EN = lazy_pattern(
    r"(?-i:\b(?!(?:I|We|My|The|That|This|New|Our|It|Just|Recently|Also|Finally|Have|Number|Phone|So|And|Then|Sorry|Yesterday|Today)\b)[A-Z][a-z]+)\s+(?:(?:just|has|recently)\s+)*(?:switched|changed|lost|dropped|a\s+new|got\s+a\s+new)\b|(?<!['’])\b(?!(?:it|that|what|here|there|let|who|where|today|how|now|this|company|office|firm|shop|studio|family|house)['’])[a-z]+(?:['’]s|s['’])\s+(?:new\s+|direct\s+|work\s+)?(?:phone|number|mobile|cell|e-?mail|address|line|contact)\b|\b(?:phone|number|mobile|e-?mail|address|contact)\s+(?:of|for)\s+(?:the|a|my|our|his|her)\s+(?!(?:office|company|house|flat|home|delivery|account)\b)[a-z]+|\b(?:call|ring|text|e-?mail|write\s+to|message|contact|reach)\s+(?:the|my|our|a)\s+[a-z]+\s+(?:on|at)\b",
    re.IGNORECASE,
)
# 别打…了, 'don't call …': a way that is named to be left.
_NOT_THIS_WAY = lazy_pattern(
    r"(?:\b(?:don['’]?t|do\s+not|never|no\s+longer|stop|not|instead\s+of|rather\s+than|forget|delete)\b|别|不要|不用|不再|删)[^，,。.;；!！\d@]{0,30}$",
    re.IGNORECASE,
)
_POINTS_BACK_EN = lazy_pattern(
    r"\b(?:that|this|the\s+old|the)\s+(?:number|phone|line|inbox|address|e-?mail|mailbox)\b", re.IGNORECASE
)
_POINTS_BACK_ZH = lazy_pattern(
    r"(?:那个?|这个?|原来的?|之前的?|之前那个|以前的?)(?:手机)?(?:号码?|电话|邮箱)"
)
_NOT_ONES_OWN = lazy_pattern(
    r"(?:不是|不属于)我(?:的|自己的|本人的|用的)(?!了)(?!.*我的)|(?:跟|和|与)我(?:这|的|们)?[^，,。]{0,4}(?:没|无)关|(?:\bnot|n['’]t)\s+mine\b(?!.*\b(?:mine|my\s+\w+)\s+is\b)|骗子|诈骗|骚扰|推销|是空号|\d\s*(?:打不通|没人接)|\b(?:spam|scam\w*|hacked|ask\s+for|unknown|wrong\s+number)\b|\b(?:appl(?:y|ications?)|register|registrations?|complain(?:ts)?|unsubscribe|book(?:ings?)?|submissions?)\b|报名|投稿|投诉|应聘|简历",
    re.IGNORECASE,
)
_SUPPORT_EN = lazy_pattern(
    r"\b(?:support|helpdesk|customer\s+service|their|your)\s+(?:e-?mail|number|line|hotline)\b|\b(?:wrote|got|received|came|spam|message)\s+from\b|\bforward",
    re.IGNORECASE,
)
_LABELS = {
    "home": "home", "house": "home", "private": "home", "personal": "home", "flat": "home", "apartment": "home", "office": "office", "work": "office", "business": "office", "studio": "office", "shop": "office",
    "company": "office", "家": "home", "公": "office", "单": "office", "單": "office", "办": "office", "辦": "office", "工": "office", "个": "home", "私": "home",
}  # fmt: skip
_WORK_LABEL = lazy_pattern(
    r"\b(?:work|office|business|company|desk)\b|公司|单位|單位|办公|辦公|工作(?!室)", re.IGNORECASE
)
_HOME_LABEL = lazy_pattern(r"\b(?:home|private|personal)\b|家里|家裡|家庭|私人|个人|個人|家的", re.IGNORECASE)
_TAIL_EN = lazy_pattern(
    r"(?:,?\s+(?:please|thanks|thank\s+you|now|instead|again|once\s+more|after\s+all|any\s?more|while\b.*|over\s+the\s+(?:summer|winter|holidays?|break|weekend)|from\s+now\s+on|for\s+(?:all|every|future|my|the)\b.*|going\s+forward|in\s+future|until\b.*|starting\b.*|as\s+of\b.*|since\b.*|last\s+\w+|this\s+\w+|and\s+(?:not|my|i)\b.*|not\b.*|but\b.*|so\b.*|because\b.*|(?:my|our|the|a|i|we|it|they|he|she|there|someone|nobody)\s+(?:\S+\s+)*\S+|by\s+the\s+way)|\.\s.*|\.|,)\s*$",
    re.IGNORECASE,
)
_TAIL_ZH = lazy_pattern(r"(?:就行了?|就好|就可以了?|即可|好了|了|吧|的|这边|這邊|那边|哈|谢谢|这个地址)+$")
# '…, my neighbour takes it in' tells who is there, not whose address it is.
_BESIDE_EN = lazy_pattern(
    r",\s*(?:because\s+)?(?:my|our|the)\s+\w+(?:\s+\w+)?\s+(?:takes?|keeps?|holds?|signs?|is\s+(?:always\s+)?(?:in|home|there)|can|will)\b[^.;!?]*",
    re.IGNORECASE,
)
_FOR_ONCE = lazy_pattern(
    r"\b(?:gift|friend|sister|brother|mother|mom|mum|parents?|colleague)\b|朋友|同事|妈|爸|客户|[这那](?:批|单|件|箱|份|趟|个包裹|个快递)",
    re.IGNORECASE,
)


def find(statement: Statement) -> Iterator[Found]:
    """Yield the ways to reach the speaker."""
    yield from _addresses(statement)
    yield from _phone(statement)
    yield from _mail(statement)


def _addresses(statement: Statement) -> Iterator[Found]:
    text = statement.text
    named = False
    for pattern in (_ADDRESS_EN, _ADDRESS_ZH, _WRONG_ADDRESS_ZH):
        for match in pattern.finditer(text):
            value = _trimmed(match["value"])
            if _is_address(value) and not _is_of_another(match, statement):
                named = True
                yield _address(value, match, _label(match))
    if named or _OF_ANOTHER_EN.search(_BESIDE_EN.sub("", text)):
        return
    if lives := _LIVE_AT_ZH.search(text) or _LIVE_AT_EN.search(text):
        yield _address(_trimmed(lives["value"]), lives, "home", confidence=0.85)
    elif (
        sent := _IS_ADDRESS_EN.search(text)
        or _SENT_EN.search(text)
        or _QUAI_EN.search(text)
        or _SENT_ZH.search(text)
        or _SITS_ZH.search(text)
    ) and not _FOR_ONCE.search(text):
        value = next(value for name, value in sent.groupdict().items() if value and name.startswith("value"))
        label = "home" if re.search(r"\b(?:live|living)\b", sent[0], re.IGNORECASE) else _label(sent)
        yield _address(_trimmed(value), sent, label, confidence=0.85)


def _is_of_another(match: re.Match[str], statement: Statement) -> bool:
    """'I'm at my mother's, so change my address to …' names her in another clause than the address."""
    start, end = statement.sentence.clause_at(match.end() - 1)
    start = min(start, match.start())
    return _OF_ANOTHER_EN.search(statement.text, start, end) is not None


def _address(value: str, match: re.Match[str], label: str, *, confidence: float = 0.95) -> Found:
    return field_found("contact", "address", value, match.span(), subject=label, confidence=confidence)


def _phone(statement: Statement) -> Iterator[Found]:
    """The first telephone number of a sentence that speaks of one."""
    text = statement.text
    cue = _PHONE_CUE_ZH.search(text) if statement.chinese else _PHONE_CUE_EN.search(text)
    if not cue or _NOT_A_PHONE.search(text) or _is_anothers(statement, _PHONE):
        return
    for match in _PHONE.finditer(text):
        if _NOT_THIS_WAY.search(text[: match.start()]):
            continue
        written = unicodedata.normalize("NFKC", match["value"])
        digits = re.sub(r"\D", "", written)
        if 7 <= len(digits) <= 15 and not (_MAIL.search(text[match.start() : match.end() + 1])):
            value = written.strip(" .-")
            span = (min(cue.start(), match.start()), max(cue.end(), match.end()))
            yield field_found("contact", "phone", value, span, subject=_spoken_label(text), confidence=0.95)
            return


def _mail(statement: Statement) -> Iterator[Found]:
    text = statement.text
    if not _MAIL_CUE.search(text) or _SUPPORT_EN.search(text) or _is_anothers(statement, _MAIL):
        return
    for match in _MAIL.finditer(text):
        if _NOT_THIS_WAY.search(text[: match.start()]) or re.search(
            r"(?:not|不是|而不是|from|从|no\s+longer)\s*$", text[: match.start()], re.IGNORECASE
        ):
            continue
        value = match["value"].rstrip(".")
        yield field_found(
            "contact", "email", value, match.span(), subject=_spoken_label(text), confidence=0.95
        )
        return


def _is_anothers(statement: Statement, kind: re.Pattern[str]) -> bool:
    """司机的电话, 'the hotel's number'; and 'that number is dead' after a turn that told somebody else's."""
    text = statement.text
    if _names_another(text) or _NOT_ONES_OWN.search(text):
        return True
    if not (_POINTS_BACK_ZH.search(text) or _POINTS_BACK_EN.search(text)):
        return False
    told = next((turn for turn in reversed(statement.heard) if turn != text and kind.search(turn)), "")
    return bool(told) and (_names_another(told) or mentions_another(told))


def _names_another(text: str) -> bool:
    return bool(_OF_ANOTHER_EN.search(text) or _ANOTHERS_ZH.search(text) or _ANOTHERS_EN.search(text))


def _spoken_label(text: str) -> str:
    text = _MAIL.sub(" ", text)  # 'lee.work@…' says nothing of where it is used
    if _WORK_LABEL.search(text):
        return "office"
    return "home" if _HOME_LABEL.search(text) else ""


def _label(match: re.Match[str]) -> str:
    groups = match.groupdict()
    label = (groups.get("label") or groups.get("label2") or "").lower()
    return _LABELS.get(label) or _LABELS.get(label[:1], "") if label else ""


def _trimmed(value: str) -> str:
    """Without what follows an address in a sentence: thanks, 'from now on', 就行."""
    bare = value.strip()
    while (shorter := _TAIL_ZH.sub("", _TAIL_EN.sub("", bare)).strip(" ,，。.：:")) != bare:
        bare = shorter
    return bare


def _is_address(value: str) -> bool:
    """An address has a number or more than one word; 'the same', 'wrong' and 'below' are none."""
    if re.match(
        r"(?:the\s+same|wrong|below|above|not|correct|different|still|what|in\s+my|on\s+file|unchanged|too|very|hard|going|no\s+longer|不|没|错|哪|什么|一样|对的|正确|原来|之前|这个|那个|以前|老|旧|朋友|我朋友)",
        value,
        re.IGNORECASE,
    ) or re.fullmatch(r"\S+@\S+", value):
        return False
    return bool(
        re.search(r"\d|[０-９]|[,，]", value)
        or len(value.split()) > 1
        or re.search(r"[\u4e00-\u9fff]{4,}", value)
    )
