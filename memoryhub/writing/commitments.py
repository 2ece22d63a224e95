"""What the agent promised: 已为您派单, 'I have dispatched a technician'. Recorded as 'the agent said', never as a fact."""

from __future__ import annotations

import re

_PROMISE = re.compile(
    r"(?:已经?|已經)(?:为|為|帮|幫|给|給|替)(?:您|你)[^。！？?\n]{0,12}?(?:派单|派單|安排|提交|登记|登記|下单|下單|退款|处理|處理|预约|預約|预订|預訂|转接|轉接|上报|上報|报修|報修|申请|取消|修改|更新|记录|升级|寄出|发出|开通|补发)"
    r"|(?:已|已经)(?:派单|派單|派出|安排|提交|登记|下单|退款|预约|上报|转交|寄出|补发)"
    r"|(?:我|我们|我們|这边|這邊)(?:会|會|将|將|马上|馬上|稍后|这就|一定|保证|尽快)+[^。！？?\n]{0,6}?(?:为|為|帮|幫|给|給|替|联系|聯繫|安排|处理|處理|跟进|跟進|回复|通知|派|退|补|寄|发)"
    r"|(?:将|將|稍后|马上|尽快|会)(?:为|為|给|給)(?:您|你)(?:安排|处理|退款|派单|办理|联系|回复|寄|发|补)"
    r"|\b(?:i|we)(?:['’]ve| have)(?: now| just| already)? (?:dispatched|arranged|booked|scheduled|ordered|submitted|filed|opened|issued|sent|escalated|created|refunded|cancell?ed|forwarded|reserved|shipped|requested|assigned|raised|logged|updated|processed|initiated)\b"
    r"|\b(?:i|we)(?:['’]ll| will| am going to| are going to|['’]m going to|['’]re going to| shall| promise to| guarantee)(?: now| also| immediately| personally| then)? "
    r"(?:refund|send|call|e-?mail|dispatch|arrange|book|ship|schedule|cancel|replace|deliver|contact|notify|escalate|fix|follow up|get back|reserve|order|open|file|issue|credit|transfer|assign|compensate|process)\b"
    r"|\b(?:a|the|your) (?:technician|engineer|refund|replacement|courier|ticket|order|courier|specialist|driver)(?: \w+)? (?:has been|have been|will be) (?:dispatched|sent|issued|arranged|shipped|opened|created|booked|scheduled|processed|assigned|placed)\b",
    re.IGNORECASE,
)
_UNCERTAIN = re.compile(
    r"如果|要是|假如|是否|需要我|要不要|可以吗|好吗|\b(?:if you|if i|would you like|do you want|should i|shall i|may i|can i)\b",
    re.IGNORECASE,
)


def promises(text: str) -> bool:
    """True when the text states that something was or will be done for the reader; an offer ('shall I …?') is none."""
    for match in _PROMISE.finditer(text):
        start = max(text.rfind(mark, 0, match.start()) for mark in "。.！!？?\n") + 1
        ends = [end for mark in "。！!？?\n" if (end := text.find(mark, match.end())) >= 0]
        end = min(ends, default=len(text))
        asked = end < len(text) and text[end] in "?？"
        if not asked and not _UNCERTAIN.search(text[start:end]):
            return True
    return False
