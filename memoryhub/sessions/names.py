"""What the values of a conversation are called in English and Chinese, and how they are found in a sentence."""

from __future__ import annotations

import re
from collections.abc import Set as AbstractSet
from typing import NamedTuple


class SlotName(NamedTuple):
    """`zh` and `en` are alternatives of a pattern, the label first."""

    label_en: str
    label_zh: str
    zh: str
    en: str


SLOT_NAMES: dict[str, SlotName] = {
    "number": SlotName("Number", "编号", "编号|號碼|号码|单号|單號", r"number"),
    "address": SlotName(
        "Address",
        "地址",
        "(?:收货|收貨|配送|送货|送貨|寄送|邮寄)?地址",
        r"(?:(?:delivery|shipping)\s+)?address",
    ),
    "phone": SlotName(
        "Phone",
        "电话",
        "(?:联系|收货)?(?:电话|電話|手机号?|手機号?)(?:号码|號碼)?",
        r"(?:phone|contact)(?:\s+number)?",
    ),
    "recipient": SlotName(
        "Recipient", "收货人", "收货人|收貨人|收件人|联系人", r"recipient|contact\s+person"
    ),
    "status": SlotName("Status", "状态", "状态|狀態|进度|進度", r"status|progress"),
    "amount": SlotName("Amount", "金额", "金额|金額|价格|價格|总价", r"amount|price|total"),
    "quantity": SlotName("Quantity", "数量", "数量|數量|件数", r"quantity"),
    "size": SlotName("Size", "尺码", "尺码|尺碼|尺寸|型号", r"size|model"),
    "colour": SlotName("Colour", "颜色", "颜色|顏色", r"colou?r"),
    "payment": SlotName(
        "Payment", "付款方式", "付款方式|支付方式", r"payment(?:\s+method)?|pay(?:ment)?\s+method"
    ),
    "delivery_time": SlotName(
        "Delivery time",
        "配送时间",
        "(?:配送|送货|送達|上门|预约)时间",
        r"(?:delivery|appointment)\s+(?:time|slot)",
    ),
    "plan": SlotName("Plan", "方案", "(?:处理|退款|解决)?方案", r"(?:refund\s+)?plan|solution"),
    "deadline": SlotName("Deadline", "截止时间", "截止(?:时间|日期)|期限", r"deadline|due\s+date"),
    "owner": SlotName("Responsible", "负责人", "负责人|負責人|处理人", r"assignee|responsible(?:\s+person)?"),
    "priority": SlotName("Priority", "优先级", "优先级|優先級", r"priority"),
    "tracking_number": SlotName(
        "Tracking number", "快递单号", "(?:快递|运单|物流)(?:单)?号码?", r"tracking(?:\s+(?:number|code))?"
    ),
    "expected_arrival": SlotName(
        "Expected arrival",
        "预计送达",
        "预计(?:送达|到货|到达)|什么时候到|何时到|几号到|到哪",
        r"arriv\w+|expected|when\s+.{0,40}(?:come|get\s+here)",
    ),
}

_PATTERNS = {
    name: re.compile(rf"{spec.zh}|\b(?:{spec.en})\b", re.IGNORECASE) for name, spec in SLOT_NAMES.items()
}
ANY_ZH = "|".join(f"(?P<zh_{name}>{spec.zh})" for name, spec in SLOT_NAMES.items())
ANY_EN = "|".join(f"(?P<en_{name}>{spec.en})" for name, spec in SLOT_NAMES.items())


def label_of(name: str, language: str) -> str:
    """How a slot is called to a person; a name nobody translated is told with its underscores as spaces."""
    spec = SLOT_NAMES.get(name)
    if spec is None:
        return name.replace("_", " ")
    return spec.label_zh if language == "zh" else spec.label_en


def names_in(text: str, known: AbstractSet[str]) -> set[str]:
    """Those of the known names that the text speaks of, by their own word or by any of the words above."""
    folded = text.casefold()
    found = set()
    for name in known:
        pattern = _PATTERNS.get(name)
        own = name.replace("_", " ").casefold()
        if (pattern is not None and pattern.search(text)) or (len(own) > 1 and own in folded):
            found.add(name)
    return found


def matched_name(match: re.Match[str]) -> str:
    """Which slot a pattern built from `ANY_ZH` or `ANY_EN` has matched, or ''."""
    groups = match.groupdict()
    return next((key[3:] for key, value in groups.items() if value and key[:3] in ("zh_", "en_")), "")
