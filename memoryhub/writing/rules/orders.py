"""Orders and parcels: the number, where it is, when it comes. One form per number."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memoryhub.language.patterns import lazy_pattern
from memoryhub.writing.rules.statement import Found, Statement, field_found

CODE = r"(?:[A-Z]{1,3}\d{6,12}[A-Z]{2}|[A-Za-z]{1,6}[-_]?\d[\dA-Za-z-]{1,24}|\d[\dA-Za-z]{5,24}|[A-Z]{1,4}-\d{1,8})"
_NUMBER = r"(?:[A-Za-z]{1,6}[-_]?\d[\dA-Za-z-]{1,24}|\d[\dA-Za-z-]{2,24}|[A-Z]{1,4}-\d{1,8})"
_TRACKING_ZH = lazy_pattern(
    rf"(?:快递|快遞|运单|運單|物流|包裹|快件|货运)(?:的)?(?:单|單)?(?:号码?|號碼?|编号)?(?:已经|是|为|為|：|:|改成|换成|改为|就是|给你|变成了?)*\s*#?(?P<code>{CODE})|(?:单号|單號)(?:已经|是|为|為|：|:|改成|换成|改为)*\s*#?(?P<code2>(?:SF|YT|JD|ZTO|STO|EMS|JT|DB)[A-Z]{{0,3}}\d{{6,20}})"
)
_TRACKING_EN = lazy_pattern(
    rf"\btracking\s*(?:number|code|no\.?|id|#)?\s+(?:for|of)\s+(?:the\s+|my\s+)?(?:order|parcel|package|shipment)?\s*#?{_NUMBER}\s*(?:is|:|=|changed\s+to|should\s+be)\s*(?:now\s+)?#?(?P<code3>{CODE})|\btracking\s*(?:number|code|no\.?|id|#)?(?:\s+for\s+[\w# -]{{1,30}}?)?\s*(?:is|:|changed\s+to|has\s+changed\s+to|=|should\s+be)?\s*(?:now\s+|actually\s+)?#?(?P<code>{CODE})|\btrack(?:ed|ing)?\s+(?:it\s+)?(?:with|under|as|by|using)\s+(?:number\s+|code\s+)?#?(?P<code2>{CODE})",
    re.IGNORECASE,
)
_ORDER = lazy_pattern(
    rf"(?:订单|訂單|单号|單號|单子)(?:号码?|號碼?|编号|編號)?(?:是|为|為|：|:)?\s*#?(?P<a>{_NUMBER})|\border\s*(?:number|no\.?|id|#)?\s*(?:is|:)?\s*#?(?P<b>(?=[\w-]*\d){_NUMBER})|\b(?:parcel|package|shipment|delivery)\s+(?:number\s+|no\.?\s+)?#?(?P<c>(?=[\w-]*\d){_NUMBER})|(?:包裹|快递|快遞|快件)\s*#?(?P<d>{CODE})|(?P<e>(?=[\w-]*\d){_NUMBER})\s*(?:那|这)?单(?=延|到|发|取|退|什么|已|显|还)|(?:订单|單)[，,]\s*(?:号码?|单号|编号)(?:是|：|:)?\s*(?P<f>(?=[\w-]*\d){_NUMBER})|(?P<g>(?=[\w-]*\d){_NUMBER})\s*(?:这个|那个|這個|那個|号|號|这)?(?:订单|訂單|单子)",
    re.IGNORECASE,
)
_GOODS = lazy_pattern(
    r"订单|訂單|快递|快遞|包裹|快件|(?<![收送])货(?!物?地址)|(?<![收送])貨|送达|送達|单号|單號|单子|那单|这单|\b(?:orders?|parcel|package|delivery|shipment|deliver(?:ed)?|courier)\b",
    re.IGNORECASE,
)
_ARRIVES_ZH = lazy_pattern(
    r"(?:预计|預計|大概|大约|应该|最晚|最迟|可能|将|將|会|會|改到|推迟到|延到|延迟到|能)*\s*(?:会|會|才|能|就)?(?:送达|送達|送到|送来|到货|到貨|到达|到達|抵达|抵達|派送|寄到|收到|送货|送貨|到(?=[，,。.！!了吧]|$))|(?:推迟|延迟|延误|延期|改)(?:到|至)"
)
_ARRIVES_EN = lazy_pattern(
    r"\b(?:will\s+(?:arrive|be\s+delivered|come|get\s+here|be\s+here|now\s+(?:arrive|come))|arrives?|arriving|arrival|expected|due|should\s+(?:arrive|be\s+here|come|get\s+here|be\s+delivered)|is\s+coming|to\s+be\s+delivered|gets?\s+here|delayed\s+(?:until|to|till)|postponed\s+to|pushed\s+(?:back\s+)?to|scheduled\s+for|supposed\s+to\s+(?:arrive|come|be\s+here)|won['’]t\s+(?:arrive|come|be\s+here)\s+(?:until|before)|(?:delivered|here)\s+(?:by|on))\b",
    re.IGNORECASE,
)
_STATUS_ZH = lazy_pattern(
    r"(?:已经|已經|已|刚刚?|剛剛?|被|都|还没|還沒|尚未|没有|没|我|显示|显示已?|已|状态是|给)*(?P<status>发货|發貨|签收|簽收|取消|送达|送達|退货|退貨|退款|退了|丢失|丟失|丢件|延误|延誤|到货|到貨|到了|付款|出库|揽收|完成|派送中|运输中|配送中|在路上)了?\s*(?=[，,。.！!；;]|$)"
)
_STATUS_EN = lazy_pattern(
    r"\b(?:has|have|is|was|been|just|already|now|got|had|shows?\s+as|marked\s+(?:as)?|i(?:['’]ve)?)?\s*(?P<status>shipped|delivered|cancel+ed|arrived|delayed|lost|returned|refunded|dispatched|paid|out\s+for\s+delivery|on\s+hold|damaged|in\s+transit|completed|packed|backordered|on\s+its\s+way)\b",
    re.IGNORECASE,
)
_NOT_YET_ZH = lazy_pattern(
    r"(?P<zh>(?:还没有?|尚未|没有?|未|一直没有?|迟迟没有?|仍未)(?:给我|给)?(?:发货|发出|送达|送到|到货|签收|退款|出库|揽收|付款|收到))(?:呢|啊|呀|了)?(?=[，,。.！!；;]|$)"
)
_NOT_YET_EN = lazy_pattern(
    r"\b(?:has(?:n['’]t|\s+not)|have(?:n['’]t|\s+not)|is(?:n['’]t|\s+not)|was(?:n['’]t|\s+not)|not|yet\s+to\s+be)\s+(?:(?:been|yet|even|still)\s+)*(?P<en>shipped|delivered|arrived|refunded|paid|dispatched|packed|processed|sent)\b",
    re.IGNORECASE,
)
_DENIED = lazy_pattern(
    r"没有?|還沒|还没|尚未|没收到|未|\b(?:not|never|hasn|haven|isn|wasn|didn|won)\b|n['’]t\b|预计|預計|will\b|should\b|can\s+you|please\b|cancel\s+(?:my|the)|怎么|帮我|想|要",
    re.IGNORECASE,
)


def find(statement: Statement) -> Iterator[Found]:
    """Yield tracking numbers, arrival dates and states of the orders and parcels named in the sentence."""
    text = statement.text
    if not _GOODS.search(text) and not re.search(r"track|运单|運單|物流|单号|單號", text, re.IGNORECASE):
        return
    order = _ORDER.search(text)
    tracking = _TRACKING_ZH.search(text) or _TRACKING_EN.search(text)
    code = next((group for group in tracking.groups() if group), "") if tracking else ""
    number = next((group for group in order.groups() if group), "") if order else ""
    if not number and statement.turn_text != text and (named := _ORDER.search(statement.turn_text)):
        number = next(group for group in named.groups() if group)
    number = number or code
    if (
        tracking
        and re.search(r"号|號|number|code|no\.|track", tracking[0], re.IGNORECASE)
        and re.search(r"\d{3}", code)
    ):
        subject = number or code
        yield field_found("order", "tracking_number", code, tracking.span(), subject=subject, confidence=0.95)
    arrives = list(_arrival(statement, number))
    yield from arrives
    late = [] if arrives or tracking else list(_not_yet(statement, number))
    yield from late
    clauses = [text[slice(*statement.sentence.clause_at(match.start()))] for match in _states(text)]
    if (
        number
        and clauses
        and not arrives
        and not late
        and not any(_DENIED.search(clause) for clause in clauses)
    ):
        status = _states(text)[0]
        place = order.span() if order else status.span()
        span = (min(place[0], status.start()), max(place[1], status.end()))
        yield field_found("order", "status", status["status"].lower(), span, subject=number)


def _not_yet(statement: Statement, number: str) -> Iterator[Found]:
    """还没发货, 'hasn't shipped': what an order still waits for is its state, too."""
    if number and (match := _NOT_YET_ZH.search(statement.text) or _NOT_YET_EN.search(statement.text)):
        told = match.groupdict()
        status = told["zh"] if told.get("zh") else f"not {told['en'].lower()}"
        yield field_found("order", "status", status, match.span(), subject=number)


def _states(text: str) -> list[re.Match[str]]:
    return [*_STATUS_ZH.finditer(text), *_STATUS_EN.finditer(text)]


def _arrival(statement: Statement, number: str) -> Iterator[Found]:
    text = statement.text
    if not (arrives := _ARRIVES_ZH.search(text) or _ARRIVES_EN.search(text)) or not _GOODS.search(text):
        return
    times = [
        time
        for time in statement.future_times
        if time.kind in {"day", "moment", "part"}
        and time.end > statement.occurred_at
        and text[: time.span[0]][-1:] not in set("路街道巷弄段里村区园")
    ]
    if not times:
        return
    near = min(times, key=lambda time: abs(time.span[0] - arrives.start()))
    span = (min(arrives.start(), near.span[0]), max(arrives.end(), near.span[1]))
    yield field_found(
        "order",
        "expected_arrival",
        near.day.isoformat(),
        span,
        subject=number,
        confidence=0.9 if number else 0.75,
    )
