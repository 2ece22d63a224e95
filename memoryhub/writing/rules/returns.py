"""A return to an earlier value: 还是用原来的地址, 'still the original address'. Which value is meant stands in the history."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memoryhub.language.patterns import lazy_pattern
from memoryhub.writing.rules.options import plans_named_in
from memoryhub.writing.rules.statement import Found, Statement, field_found

_FIELDS = (
    ("contact", "phone", r"电话|電話|手机号?|手機|号码|號碼|\b(?:phone|mobile|number)\b"),
    ("contact", "email", r"邮箱|郵箱|信箱|\be-?mail\b"),
    ("contact", "address", r"地址|住址|\baddress\b"),
    ("project_config", "current_plan", r"方案|计划|計劃|\b(?:plan|option|proposal)\b"),
    (
        "project_config",
        "deadline",
        r"截止|交付日期|交付时间|上线日期|上线时间|期限|\b(?:deadline|due\s+date|launch\s+date|date)\b",
    ),
    ("project_config", "max_budget", r"项目预算|預算上限|预算上限|\b(?:project|our|team)\s+budget\b"),
    ("user_profile", "budget", r"预算|預算|\bbudget\b"),
    ("project_config", "database", r"数据库|資料庫|资料库|\bdatabase\b"),
    ("project_config", "framework", r"框架|\bframework\b"),
    ("project_config", "programming_language", r"编程语言|开发语言|\bprogramming\s+language\b"),
    (
        "preferences",
        "contact_channel",
        r"联系方式|聯絡方式|联络方式|联系渠道|\b(?:channel|way\s+of\s+contact)\b",
    ),
    ("preferences", "reply_style", r"回复风格|回复方式|风格|\b(?:reply\s+style|style|tone)\b"),
    ("preferences", "usual_request", r"老规矩|\busual\b"),
)
_EARLIER_ZH = r"(?P<which>原来|原來|原先|原本|最初|最开始|一开始|最早|之前|以前|先前|上一个|上一個|旧|舊|老)(?:的|那个|那個|那套|那家|那)*"
_NAMED_ZH = r"(?P<what>(?:收货|家庭|公司|项目|開發|开发|交付)?(?:地址|住址|电话|電話|手机号?码?|手機號?碼?|号码|號碼|邮箱|郵箱|方案|计划|計劃|截止日期|截止时间|交付日期|交付时间|上线日期|上线时间|期限|预算上限|预算|預算|数据库|資料庫|资料库|框架|开发语言|编程语言|联系方式|回复风格|风格))"
_KEEP_ZH = r"(?:还是|還是|仍然?|继续|繼續|依旧|就|恢复|恢復|改回|换回|換回|回到|用回|保持|沿用|维持|維持|退回)(?:用|到|寄|送|发|按|寄到|送到|按照|照|回|为|走|成|使用|选)*(?:我)?(?:的)?"
_RETURN_ZH = lazy_pattern(
    rf"{_KEEP_ZH}{_EARLIER_ZH}{_NAMED_ZH}|{_NAMED_ZH.replace('what', 'what2')}(?:的话|我想|吧|呢|，|,)*{_KEEP_ZH}{_EARLIER_ZH.replace('which', 'which2')}(?:吧|就行|好了|不变|就好|的)*(?=[，,。！!；;]|$)|"
    rf"{_NAMED_ZH.replace('what', 'what3')}(?:还是|還是)?(?:不改了|不换了|不换|别改了|先不改了|不变了?|不動)(?=[，,。！!；;了吧]|$)|(?:不改|不换|不变|别改)(?P<what4>地址|电话|方案|预算|邮箱)了"
)
_EARLIER_EN = r"(?P<which>original|old|previous|former|earlier|first|initial|prior)"
_NAMED_EN = r"(?P<what>(?:(?:delivery|shipping|home|office|work|phone|mobile|e-?mail|project|launch|due|programming)\s+)*(?:address|number|phone|e-?mail|plan|option|proposal|deadline|date|budget|database|framework|language|channel|style|tone))"
_RETURN_EN = lazy_pattern(
    rf"\b(?:(?:still|keep(?:ing)?|use|using|stick(?:ing)?\s+(?:with|to)|back\s+to|revert(?:ing)?\s+to|return(?:ing)?\s+to|stay(?:ing)?\s+(?:with|at|on)|restore|go(?:ing)?\s+(?:back\s+)?(?:to|with)|switch(?:ing)?\s+back\s+to|change\s+(?:it\s+)?back\s+to|leave\s+it\s+at|put\s+back)\s+)+(?:to\s+|at\s+|with\s+|use\s+)?(?:the\s+|my\s+|our\s+|it\s+to\s+the\s+)?{_EARLIER_EN}\s+{_NAMED_EN}\b|"
    rf"\b(?:(?:the|my|our)\s+)?{_EARLIER_EN.replace('which', 'which2')}\s+{_NAMED_EN.replace('what', 'what2')}\s+(?:still\s+(?:stands|applies|holds|works)|is\s+(?:still\s+)?(?:fine|correct|right|better|valid)(?:\s+after\s+all)?|after\s+all|it\s+is|please\s*$)|"
    rf"\b(?:change|switch|set|put|move)\s+(?:the\s+|my\s+|our\s+)?{_NAMED_EN.replace('what', 'what3')}\s+back(?:\s+to\s+(?:what\s+it\s+was|the\s+(?P<which3>original|old|previous|first)(?:\s+one)?|how\s+it\s+was)(?:\s+before)?)?(?=\s*(?:[.,!]|please|$))|\bsame\s+{_NAMED_EN.replace('what', 'what4')}\s+as\s+before\b",
    re.IGNORECASE,
)
_FIRST = lazy_pattern(r"原|最初|最开始|一开始|最早|original|first|initial", re.IGNORECASE)


def find(statement: Statement) -> Iterator[Found]:
    """Yield the field that goes back; its value is looked up when the turn is settled."""
    match = _RETURN_ZH.search(statement.text) if statement.chinese else _RETURN_EN.search(statement.text)
    if match is None or plans_named_in(statement.text):
        return
    groups = match.groupdict()
    what = next(value for name, value in groups.items() if value and name.startswith("what"))
    which = next((value for name, value in groups.items() if value and name.startswith("which")), "")
    for form_type, field, pattern in _FIELDS:
        if re.search(pattern, what, re.IGNORECASE):
            flag = "earlier_value:first" if _FIRST.search(which) else "earlier_value:before"
            yield field_found(
                form_type,
                field,
                None,
                match.span(),
                operation="restore",
                explicit_correction=True,
                flags=(flag,),
            )
            return


def returns_to_earlier(text: str) -> bool:
    """Whether the sentence speaks of going back to a value that it does not name."""
    return bool(_RETURN_ZH.search(text) or _RETURN_EN.search(text))
