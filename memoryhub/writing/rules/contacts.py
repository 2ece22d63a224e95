"""Addresses, telephone numbers and e-mail addresses, each under its label: 'home', 'office' or none."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from memoryhub.writing.rules.statement import Found, Statement, field_found

_LABEL_EN = r"(?:(?P<label>home|house|private|personal|office|work|business|company|billing|delivery|shipping|postal|mailing|current|new)\s+)*"
_ADDRESS_EN = re.compile(
    rf"\b(?:(?:change|update|correct|set)\s+(?:my|our|the)\s+(?:(?P<label2>home|office|work|delivery|shipping)\s+)?address\s+to|(?:my|our|the)\s+{_LABEL_EN}address\s*(?:(?:\s+is|\s+has\s+changed\s+to|\s+changed\s+to|\s+should\s+be|\s+was\s+changed\s+to)(?:\s+(?:now|actually|still))?:?|:))\s*(?P<value>[^;!?\n]{{5,120}})",
    re.IGNORECASE,
)
_ADDRESS_ZH = re.compile(
    r"(?:我(?:们|們)?的?|^|[，,。：:]|把)(?:新的?|现在的?|現在的?|目前的?)?(?P<label>家庭|家里的?|家裡的?|家|公司的?|单位的?|單位的?|办公室的?|辦公室的?|工作|收货|收貨|收件|寄件|邮寄|郵寄|配送|送货|送貨|联系|聯繫|聯絡)?(?:新)?(?:地址|住址)(?:已经|已經|现在|現在|其实|應該|应该)?(?:改成了?|改为了?|改為|改到|换成了?|換成|更正为|更正為|变更为|變更為|更新为|搬到了?|是|为|為|在|：|:)\s*(?P<value>[^，,。！!？?；;\n]{4,60})"
)
_WRONG_ADDRESS_ZH = re.compile(
    r"(?P<label>家庭|家里的?|家|公司的?|单位的?|办公室的?|收货|收貨|收件|寄件|配送)?(?:的)?(?:地址|住址)(?:刚才|之前|我)*(?:(?:写|寫|说|說|填|搞|给|弄|报|记|記)?错了?|不对|有误|更正|[变變换換改]了)(?:一下)?[，,。：:；;]\s*(?:不是[^，,。]{1,30}[，,]\s*)?(?:正确的?|应该|應該|其实|而|现在)*(?:地址)?(?:是|为|為|改成|改为)?\s*(?P<value>[^，,。！!？?；;\n]{4,60})"
)
_LIVE_AT_EN = re.compile(
    r"\bi\s+(?:now\s+|currently\s+)?live\s+at\s+(?P<value>\d[^.;!?\n]{4,80})", re.IGNORECASE
)
_LIVE_AT_ZH = re.compile(
    r"我(?:家|们家)?(?:现在|現在|已经)?(?:住在|搬到了?|住)(?!的)(?P<value>[\u4e00-\u9fff]{0,16}[\u4e00-\u9fff0-9０-９]{1,12}(?:路|街|道|巷|弄|大道|小区|小區|花园|花園|公寓)[\u4e00-\u9fffA-Za-z0-9０-９\-]{0,24})"
)
_PHONE_VALUE = r"(?P<value>\+?[\d０-９][\d０-９\-() .]{5,20}[\d０-９])"
_PHONE_EN = re.compile(
    rf"\bmy\s+(?:(?P<label>home|office|work|private|personal|new|current)\s+)*(?:(?:phone|mobile|cell(?:\s*phone)?|telephone|contact)(?:\s+number)?|number)\s*(?:is|has\s+changed\s+to|changed\s+to|:)\s*(?:now\s+|actually\s+)?:?\s*{_PHONE_VALUE}|\b(?:call|text|reach|phone)\s+me\s+(?:at|on)\s+(?P<value2>\+?\d[\d\-() .]{{5,20}}\d)",
    re.IGNORECASE,
)
_PHONE_ZH = re.compile(
    rf"我?(?:换|換|改)了?(?:个|新)?(?:手机|手機|电话|電話)?号码?了?[，,]\s*(?:新的?)?(?:号码?)?(?:是|：|:)?\s*(?P<value2>\+?[\d０-９][\d０-９\-() .]{{5,20}}[\d０-９])|(?:我(?:的)?|^|[，,。：:])(?:新的?|现在的?|現在的?)?(?P<label>家里?的?|家庭|公司的?|办公室?的?|单位的?|工作|个人)?(?:联系|聯絡|聯繫)?(?:新)?(?:电话|電話|手机|手機|号码|號碼|座机|座機)(?:号码?|號碼?)?(?:已经|现在|現在|其实|(?:写|说|填|报|给|记)错了[，,]|应该)*(?:改成了?|改为|改為|换成了?|換成|更新为|变更为|是|为|為|：|:)\s*{_PHONE_VALUE}"
)
_MAIL_VALUE = (
    r"(?P<value>[A-Za-z0-9][A-Za-z0-9._%+\-]{0,63}@[A-Za-z0-9\-]{1,63}(?:\.[A-Za-z0-9\-]{1,63}){1,4})"
)
_MAIL_EN = re.compile(
    rf"\bmy\s+(?:(?P<label>home|office|work|private|personal|business|company|new|current)\s+)*(?:e-?mail)(?:\s+address)?\s*(?:is|has\s+changed\s+to|changed\s+to|:)\s*(?:now\s+|actually\s+)?:?\s*{_MAIL_VALUE}|\b(?:e-?mail|reach|write\s+to|contact)\s+me\s+(?:at|on)\s+(?P<value2>[A-Za-z0-9][\w.%+\-]{{0,63}}@[\w\-]{{1,63}}(?:\.[\w\-]{{1,63}}){{1,4}})",
    re.IGNORECASE,
)
_MAIL_ZH = re.compile(
    rf"(?:我(?:的)?|^|[，,。：:])(?:新的?|现在的?|現在的?)?(?P<label>家里?的?|公司的?|工作的?|办公室?的?|单位的?|个人的?|私人的?)?(?:新)?(?:邮箱|郵箱|电子邮件|電子郵件|邮件地址|電郵|信箱|[Ee]-?mail)(?:地址)?(?:已经|现在|現在)?(?:改成了?|改为|改為|换成了?|換成|更新为|变更为|是|为|為|：|:)\s*{_MAIL_VALUE}"
)
_LABELS = {
    "home": "home", "house": "home", "private": "home", "personal": "home", "office": "office", "work": "office", "business": "office",
    "company": "office", "家": "home", "公": "office", "单": "office", "單": "office", "办": "office", "辦": "office", "工": "office", "个": "home", "私": "home",
}  # fmt: skip
_RETURN_ZH = re.compile(
    r"(?:还是|還是|仍然?|继续|依旧|就)(?:用|寄|送|发|按|寄到|送到)*(?:原来|原來|原先|之前|以前|旧|舊)的?(?:那个)?(?:地址|电话|電話|号码|邮箱|方案)"
)
_RETURN_EN = re.compile(
    r"\b(?:still|keep|use|back\s+to)\s+(?:to\s+)?(?:the\s+|my\s+)?(?:original|old|previous|former|earlier)\s+(?:address|number|phone|e-?mail|plan)\b",
    re.IGNORECASE,
)
_TAIL_EN = re.compile(
    r"(?:,?\s+(?:please|thanks|thank\s+you|now|instead|from\s+now\s+on|and\s+(?:not|my|i)\b.*|not\b.*|but\b.*|because\b.*)|\.\s.*|\.)\s*$",
    re.IGNORECASE,
)


def find(statement: Statement) -> Iterator[Found]:
    """Yield the ways to reach the speaker."""
    text = statement.text
    for pattern in (_ADDRESS_EN, _ADDRESS_ZH, _WRONG_ADDRESS_ZH):
        for match in pattern.finditer(text):
            value = _TAIL_EN.sub("", match["value"]).strip(" ,，了吧的。.")
            if _is_address(value):
                yield field_found(
                    "contact", "address", value, match.span(), subject=_label(match), confidence=0.95
                )
    if lives := _LIVE_AT_ZH.search(text) or _LIVE_AT_EN.search(text):
        yield field_found(
            "contact",
            "address",
            _TAIL_EN.sub("", lives["value"]).strip(),
            lives.span(),
            subject="home",
            confidence=0.85,
        )
    yield from _numbers(text)
    for pattern in (_MAIL_EN, _MAIL_ZH):
        for match in pattern.finditer(text):
            value = (match["value"] or match.groupdict().get("value2") or "").rstrip(".")
            yield field_found("contact", "email", value, match.span(), subject=_label(match), confidence=0.95)


def returns_to_earlier(text: str) -> bool:
    """还是用原来的地址: which value is meant stands in the history, not in the sentence."""
    return bool(_RETURN_ZH.search(text) or _RETURN_EN.search(text))


def _numbers(text: str) -> Iterator[Found]:
    for pattern in (_PHONE_EN, _PHONE_ZH):
        for match in pattern.finditer(text):
            written = match["value"] or match.groupdict().get("value2") or ""
            digits = re.sub(r"\D", "", unicodedata.normalize("NFKC", written))
            if 7 <= len(digits) <= 15:
                value = unicodedata.normalize("NFKC", written).strip(" .-")
                yield field_found(
                    "contact", "phone", value, match.span(), subject=_label(match), confidence=0.95
                )


def _label(match: re.Match[str]) -> str:
    groups = match.groupdict()
    label = (groups.get("label") or groups.get("label2") or "").lower()
    return _LABELS.get(label) or _LABELS.get(label[:1], "") if label else ""


def _is_address(value: str) -> bool:
    """An address has a number or more than one word; 'the same', 'wrong' and 'below' are none."""
    if re.match(
        r"(?:the\s+same|wrong|below|above|not|correct|different|still|what|in\s+my|on\s+file|unchanged|不|没|错|哪|什么|一样|对的|正确|原来|之前|这个|那个)",
        value,
        re.IGNORECASE,
    ):
        return False
    return bool(
        re.search(r"\d|[０-９]|[,，]", value)
        or len(value.split()) > 1
        or re.search(r"[\u4e00-\u9fff]{4,}", value)
    )
