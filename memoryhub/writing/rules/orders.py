"""Orders and parcels: the number, where it is, when it comes. One form per number."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memoryhub.writing.rules.statement import Found, Statement, field_found

CODE = r"(?:[A-Za-z]{1,6}[-_]?\d[\dA-Za-z-]{1,24}|\d[\dA-Za-z]{5,24}|[A-Z]{1,4}-\d{1,8})"
_TRACKING_ZH = re.compile(
    rf"(?:快递|快遞|运单|運單|物流|包裹|快件)(?:的)?(?:单|單)?(?:号码?|號碼?|编号)?(?:是|为|為|：|:|改成|换成|改为)?\s*#?(?P<code>{CODE})"
)
_TRACKING_EN = re.compile(
    rf"\btracking\s*(?:number|code|no\.?|id|#)?(?:\s+for\s+[\w -]{{1,30}}?)?\s*(?:is|:|changed\s+to|=)?\s*(?:now\s+)?#?(?P<code>{CODE})",
    re.IGNORECASE,
)
_ORDER = re.compile(
    rf"(?:订单|訂單|单号|單號)(?:号码?|號碼?|编号|編號)?(?:是|为|為|：|:)?\s*#?(?P<a>{CODE})|\border\s*(?:number|no\.?|id|#)?\s*(?:is|:)?\s*#?(?P<b>(?=[\w-]*\d){CODE})|\b(?:parcel|package|shipment|delivery)\s+#?(?P<c>(?=[\w-]*\d){CODE})|(?:包裹|快递|快遞|快件)\s*#?(?P<d>{CODE})",
    re.IGNORECASE,
)
_GOODS = re.compile(
    r"订单|訂單|快递|快遞|包裹|快件|货|貨|送达|送達|\b(?:order|parcel|package|delivery|shipment)\b",
    re.IGNORECASE,
)
_ARRIVES_ZH = re.compile(
    r"(?:预计|預計|大概|大约|应该|最晚|最迟|可能|将|將|会|會|改到|推迟到|延到|能)*\s*(?:会|會|才|能|就)?(?:送达|送達|送到|到货|到貨|到达|到達|抵达|抵達|派送|寄到|到(?=[，,。.！!了]|$))"
)
_ARRIVES_EN = re.compile(
    r"\b(?:will\s+(?:arrive|be\s+delivered|come|get\s+here|be\s+here)|arrives?|arriving|expected|due|should\s+(?:arrive|be\s+here|come)|is\s+coming|to\s+be\s+delivered|gets\s+here|delayed\s+(?:until|to)|postponed\s+to)\b",
    re.IGNORECASE,
)
_STATUS_ZH = re.compile(
    r"(?:已经|已經|已|刚刚?|剛剛?|被|都|还没|還沒|尚未|没有|没)*(?P<status>发货|發貨|签收|簽收|取消|送达|送達|退货|退貨|退款|丢失|丟失|延误|延誤|到货|到貨|到了|付款|出库|揽收)了?\s*(?=[，,。.！!；;]|$)"
)
_STATUS_EN = re.compile(
    r"\b(?:has|have|is|was|been|just|already|now|got|had)?\s*(?P<status>shipped|delivered|cancel+ed|arrived|delayed|lost|returned|refunded|dispatched|paid|out\s+for\s+delivery|on\s+hold|damaged)\b",
    re.IGNORECASE,
)


def find(statement: Statement) -> Iterator[Found]:
    """Yield tracking numbers, arrival dates and states of the orders and parcels named in the sentence."""
    text = statement.text
    if not _GOODS.search(text) and not re.search(r"track|运单|運單|物流|单号", text, re.IGNORECASE):
        return
    order = _ORDER.search(text)
    tracking = _TRACKING_ZH.search(text) or _TRACKING_EN.search(text)
    number = next((group for group in order.groups() if group), "") if order else ""
    if not number and tracking:
        number = tracking["code"]
    if (
        tracking
        and re.search(r"号|號|number|code|no\.|track", tracking[0], re.IGNORECASE)
        and re.search(r"\d{3}", tracking["code"])
    ):
        subject = number or tracking["code"]
        yield field_found(
            "order", "tracking_number", tracking["code"], tracking.span(), subject=subject, confidence=0.95
        )
    yield from _arrival(statement, number)
    if number and not re.search(r"没有?|還沒|还没|尚未|not\b|n['’]t\b|预计|預計|will\b|should\b", text):
        status = _STATUS_ZH.search(text) or _STATUS_EN.search(text)
        if status and order:
            span = (min(order.start(), status.start()), max(order.end(), status.end()))
            yield field_found("order", "status", status["status"].lower(), span, subject=number)


def _arrival(statement: Statement, number: str) -> Iterator[Found]:
    text = statement.text
    if not (arrives := _ARRIVES_ZH.search(text) or _ARRIVES_EN.search(text)) or not _GOODS.search(text):
        return
    times = [
        time
        for time in statement.future_times
        if time.kind in {"day", "moment", "part"} and time.end > statement.occurred_at
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
