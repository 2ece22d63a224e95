"""Where the speaker lives."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memoryhub.language.patterns import lazy_pattern
from memoryhub.writing.rules.statement import Found, Statement, field_found
from memoryhub.writing.rules.wording import object_zh

_WORD = r"(?:[A-ZÀ-Þ][\w'’.-]*|of|de|la|le|do|da|del|am|an|upon|the|on)"
# 'Portland, Oregon' is one place, 'Chicago, Denver did not work out' and 'Porto, I am a translator' are not.
_STATE = r",\s+(?!I\b|I['’]|But\b|And\b|So\b|We\b|My\b|The\b)[A-ZÀ-Þ][\w'’.-]*(?:\s+[A-ZÀ-Þ][\w'’.-]*)?(?=\s*(?:[.,;!?)]|$|\s(?:and|but|now|since|for|last|this|in|with|where|because|right|these|again|at|so|after)\b))"
_NAME = rf"(?-i:[A-ZÀ-Þ][\w'’.-]*(?:\s+{_WORD}){{0,4}}(?:{_STATE}){{0,2}})"
_ADVERB = r"(?:(?:now|currently|still|actually|just|recently|have|['’]ve|presently|happily|mostly|permanently|finally|all)\s+)*"
_DIRECTION = r"(?:(?:back|over|down|up|out|away|here|house|house\s+to|home|north|south)\s+)*(?:from\s+[A-ZÀ-Þ][\w'’.-]*(?:\s+[A-ZÀ-Þ][\w'’.-]*){0,2}\s+)?(?:back\s+|over\s+|down\s+|up\s+)?to"
_MOVE = rf"(?:moved|relocated)\s+{_DIRECTION}"
_LIVES_EN = lazy_pattern(
    rf"\b(?i:(?:i|we)\s+{_ADVERB}(?:live\s+(?:in|near|outside|just\s+outside|over\s+in|down\s+in|up\s+in|out\s+in|right\s+in)|stay\s+in|reside\s+at|made\s+\w+\s+move\s+to|reside\s+in|(?:am|are)\s+(?:now\s+|currently\s+)?(?:based|living|settled|located)\s+(?:in|out\s+of)|{_MOVE}|have\s+moved\s+to|settled\s+(?:down\s+)?in|(?:bought|rented|found)\s+an?\s+(?:\w+\s+)?(?:house|flat|home|apartment|place)\s+in|(?:have\s+)?been\s+(?:living\s+in|based\s+in)|(?:have\s+)?lived\s+in(?=[^.;!?]*\b(?:for|since|all|my\s+whole)\b)|(?:now\s+)?make\s+my\s+home\s+in|(?:am|are)\s+(?:a\s+)?residents?\s+of|(?:am|are)\s+living\s+over\s+in)|"
    rf"(?:i|we)['’]ve\s+lived\s+in(?=[^.;!?]*\b(?:for|since|all|my\s+whole)\b)|i['’]m\s+(?:now\s+|currently\s+|still\s+|actually\s+)*(?:a\s+resident\s+of|moving\s+my\s+\w+\s+to|based\s+(?:in|out\s+of)|living\s+(?:in|near)|settled\s+in|located\s+in)|we['’]re\s+(?:now\s+)?(?:based|living)\s+in|(?:i|we)['’]ve\s+(?:just\s+|recently\s+|now\s+)?(?:{_MOVE}|been\s+(?:living|based)\s+in|settled\s+in)|"
    rf"(?:^|[,;]\s*|\b(?:and|then)\s+)(?:just\s+|recently\s+|currently\s+|now\s+|still\s+)?(?:{_MOVE}|(?:been\s+)?living\s+in|based\s+in|settled\s+in|been\s+in(?=\s+[A-Z][a-z]+\s+(?:since|for)))|"
    rf"(?:my\s+(?:home\s+|new\s+|current\s+)?(?:city|town|location)|home(?:\s+for\s+me)?)\s+is\s+(?:now\s+|currently\s+)?|my\s+home\s+is\s+in|my\s+(?:house|flat|apartment|place)\s+is\s+in)\s*(?P<place>{_NAME})"
)
_STANDS_EN = lazy_pattern(
    rf"\b(?i:i['’]m|i\s+am|we['’]re)\s+(?:(?i:now)\s+)?in\s+(?P<place>{_NAME})(?=\s+(?i:now|these\s+days|permanently|for\s+good)\b)|\b(?i:i['’]m|i\s+am|we['’]re)\s+(?i:staying|settling)\s+in\s+(?P<place5>{_NAME})(?=\s+(?i:permanently|for\s+good|long-term)\b)|\b(?i:i['’]ve|i\s+have)\s+been\s+in\s+(?P<place2>{_NAME})\s+(?i:for|since)\b"
    rf"|\b(?i:i|we)\s+(?i:(?:now\s+)?call)\s+(?P<place4>{_NAME})\s+(?i:home)\b|^(?P<place3>{_NAME})\s+(?i:(?:is|has\s+been)\s+(?:now\s+)?(?:my\s+home|home|where\s+i(?:['’]m|\s+am)?\s*(?:live|living|based|now)))"
)
_RESIDENT_EN = lazy_pattern(
    r"\b(?i:i['’]m|i\s+am)\s+(?i:an?\s+)(?:(?P<place>[A-ZÀ-Þ][\w'’-]*(?:\s+[A-ZÀ-Þ][\w'’-]*)?)(?:\s+(?i:resident|local)\b|-based\b))|\b(?i:i['’]m|i\s+am)\s+(?P<place2>[A-ZÀ-Þ][a-z]+)-based\b"
)
_LOWER_EN = lazy_pattern(
    r"\bi\s+(?:now\s+|currently\s+)?(?:live\s+in|am\s+based\s+in|moved\s+to)\s+(?P<place>[a-z]{3,20}(?:\s+[a-z]{3,20})?)\s*(?=[.,!;]|\bnow\b|$)"
)
_VILLAGE_EN = lazy_pattern(
    r"\b(?:i|we)\s+(?:now\s+|currently\s+)?live\s+in\s+(?P<place>a\s+(?:small\s+|little\s+|tiny\s+|quiet\s+)?(?:village|town|suburb|city)\s+(?:near|outside|close\s+to|in)\s+(?-i:[A-ZÀ-Þ][\w'’-]*(?:(?:,)?\s+[A-ZÀ-Þ][\w'’-]*){0,3}))",
    re.IGNORECASE,
)
_NO_PLACE_EN = lazy_pattern(
    r"(?:a|an|the|my|our|this|that|it|his|her|their|fear|hope|peace|constant|[Pp]ython|[Rr]ust|[Jj]ava|[Pp]lan|[Oo]ption|[Nn]ode|[Gg]o|here|there|with|next|last|what|new|another|bed|tears|town|style|i|I|harmony|denial|luxury|pain|silence|poverty|[Pp]ostgre\w*|[Mm]y[Ss][Qq][Ll]|[Mm]ongo\w*|[Rr]eact|[Vv]ue|[Dd]jango|[Ss]lack|[Tt]eams|[Zz]oom|AWS|Azure|GCP|AMD|Intel|IBM|Google|Microsoft|Amazon|Apple|Facebook|Meta|Oracle|Siemens|SAP|January|February|March|April|May|June|July|August|September|October|November|December)\b"
)
_TAIL = lazy_pattern(r"\s+(?:The|And|But|So|In|On|At|Last|Next|For|With|Now|of|the|da|la|an|am|on|I)$|[.,]$")
_DATE = lazy_pattern(
    r"\s+(?:Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|January|February|March|April|May|June|July|August|September|October|November|December)\b.*$"
)
_TIME_ZH = r"(?:\d+|[一二三四五六七八九十]+)月(?:份|底|初)?"
_WHEN_ZH = rf"(?:不过|但是?|可是|可|现在|現在|目前|如今|已经|已經|刚刚?|剛剛?|最近|上周|上週|上个月|上個月|去年|前年|昨天|今年|一直|平时|平時|平常|常年|长期|長期|其实|也|都|就|是|一家|全家|一家人|家里|人|年底|年初|{_TIME_ZH}|毕业后|婚后|退休后|又|终于|先|正式|下半年起?|上半年起?|明年起|今年起|下个?月起|从今年起|起|开始|暂时|的|工作|春节后|过完年)*"
_FROM_ZH = r"(?:(?:从|從|由)[\u4e00-\u9fffA-Za-z]{2,10}?)?"
_SPEAKER_ZH = (
    r"(?:我(?:和|跟)[^，,。]{1,8}都|我(?:们|們)?(?:家|一家|全家|一家人|老家)?|(?:^|[，,。；;！!])\s*)"
)
_LIVES_ZH = lazy_pattern(
    rf"{_SPEAKER_ZH}{_WHEN_ZH}{_FROM_ZH}{_WHEN_ZH}"
    r"(?:住在?|居住在|现居|現居|常住在?|长住在?|久居|旅居在?|客居|暂居|常驻在?|定居在?(?:了|到)?|安家在?|落户(?:在|到)?|扎根在?|搬家?(?:到|去|来|來|至|回)了?|搬回了?|移居到?了?|移民(?:到)?了?|家(?:住|在|是在)|人在|坐标(?:是|在|[：:])?|座標|[Bb]ase\s*在?|生活在|租房?住?在|回(?=[\u4e00-\u9fff]{2,4}(?:发展|定居|生活)))了?\s*"
    r"(?P<place>[\u4e00-\u9fffA-Za-z· ]{2,14}?)(?:租房(?:子)?住?|了|这边|這邊|那边|那邊|生活|居住|住下?了?.*|定居|发展|啦|呢|工作|上班|安家|多年了?|好几年了?|已经.*|[一二三四五六七八九十两\d]+年了?|的|就是了?|来了|去了)*\s*(?=[，,。.！!；;：:、（(]|$)"
)
_IN_ZH = lazy_pattern(
    r"(?:我|^|[，,])(?:现在|現在|目前|平时|人|已经|都|一直|们|就|也|还|常年)*在(?P<place>[\u4e00-\u9fff]{2,6}?)(?:定居|居住|生活|住|安家|落户|买了?房|租房|扎根|打拼|漂着?|发展|待|呆)(?:了|着|下来了?|在)*(?:.{0,6}年)?(?:了)?\s*(?=[，,。.！!；;]|$)"
)
_NO_PLACE_ZH = lazy_pattern(
    r"以后|之后|心情|[楼樓层層号號室]|酒店|宾馆|賓館|附近|旁边|隔壁|宿舍|这里|這裡|这儿|那里|那儿|哪|一起|公司|学校|家里|医院|朋友|父母|同事|新家|新房|乡下|郊区|别墅|会议|方案|项目|客户|后面|前面|下周|下个月|一个|他|她|你|外面|路上|地铁|高铁|[上里裡]$|处理|开会|出差|旅游|[前后]端|[月火]球上?$|数据|服务器|新[址地]|线上|云上|不惯|得|的|过|几天|一晚|一段"
)
_ADDRESS_LIKE_ZH = lazy_pattern(r"[路街道巷弄号號栋棟幢单元室]|小区|小區|花园|公寓")


def find(statement: Statement) -> Iterator[Found]:
    """Yield the place the speaker lives in, at most one a sentence; a street belongs to the contact's address."""
    if (statement.english and (found := _english(statement.text))) or (
        statement.chinese and (found := _chinese(statement.text))
    ):
        yield found


def _english(text: str) -> Found | None:
    if village := _VILLAGE_EN.search(text):
        return field_found("user_profile", "location", village["place"], village.span(), confidence=0.9)
    match, confidence = (_LIVES_EN.search(text) or _STANDS_EN.search(text) or _RESIDENT_EN.search(text)), 0.95
    if match is None:
        match, confidence = _LOWER_EN.search(text), 0.8
    if match is None:
        return None
    place = next(value for value in match.groupdict().values() if value)
    if _NO_PLACE_EN.match(place):
        return None
    place = _DATE.sub("", place)
    while (shorter := _TAIL.sub("", place)) != place:
        place = shorter
    return field_found("user_profile", "location", place.strip(" .,"), match.span(), confidence=confidence)


def _chinese(text: str) -> Found | None:
    for pattern in (_LIVES_ZH, _IN_ZH):
        for match in pattern.finditer(text):
            place = match["place"].strip()
            if _NO_PLACE_ZH.search(place) or _ADDRESS_LIKE_ZH.search(place) or not object_zh(place):
                continue
            return field_found("user_profile", "location", place, match.span(), confidence=0.95)
    return None
