"""When a project has to be ready."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memoryhub.language.patterns import lazy_pattern
from memoryhub.writing.rules.statement import Found, Statement, field_found

_DEADLINE_EN = lazy_pattern(
    r"\b(?:deadline|due\s+date|delivery\s+date|launch(?:\s+date)?|go-live(?:\s+date)?|release(?:\s+date)?|ship\s+date|hand-?in(?:\s+date)?|submission(?:\s+date)?|target\s+date|cut-?off)(?:\s+(?:for|of)\s+[\w ]{1,40})?\s*"
    r"(?:is|was|has|got|gets|:|moved|moves|been|now|to|extended|pushed|pulled|postponed|brought|changed|slipped|shifted|rescheduled|delayed|forward|back|up|set|scheduled|planned|for|on|by|still|actually|until|till|the|\s|['’]s|will|be|falls|goes|from\s+[\w ]{3,20}\s+to)+|"
    r"\b(?:is|are|it['’]s)\s+(?:all\s+)?due\s+(?:on\s+|by\s+)?|\b(?:must|has\s+to|have\s+to|need(?:s)?\s+to|should|got\s+to|will|going\s+to|supposed\s+to|want\s+to|wants\s+(?:it|this|everything)|['’]re\s+going\s+to|wants?\s+(?:it|this|everything|the\s+\w+)|needs?\s+(?:it|this|everything|the\s+\w+)|promised\s+to)\s+(?:be\s+)?"
    r"(?:deliver(?:ed)?|ship(?:ped)?|launch(?:ed)?|go\s+live|finish(?:ed)?|submit(?:ted)?|release[d]?|hand(?:ed)?\s+(?:it\s+|this\s+)?in|complete[d]?|done|ready|live|finalis?z?e[d]?|wrapped\s+up|wrap\s+up|out|(?<=it)|(?<=this)|(?<=everything))\b[^.;]{0,40}?\b(?:by|before|on|until|no\s+later\s+than)\s+(?:the\s+)?|\b(?:go(?:es|ing)?\s+live|ships?|launch(?:es|ing)?)\s+(?:on|by)\s+|\b(?:we|i)(?:\s+have|['’]ve\s+got|\s+have\s+got|(?:['’]ve|\s+have)?\s+(?:got|been\s+(?:given|granted)|were\s+(?:given|granted))\s+(?:an\s+extension|more\s+time))\s+(?:until|to|till)\s+",
    re.IGNORECASE,
)
_DEADLINE_ZH = lazy_pattern(
    r"(?:截止|交付|上线|上線|交稿|提交|完工|到期|发布|發布|验收|驗收|交货|交貨|结项|交差|截稿|[Dd]eadline|[Dd][Dd][Ll]|最后期限|发版|投产)(?:日期|时间|時間|日|期限|期)?(?:(?:从|從|由)[^，,。]{2,10}?(?=改|推|调|延|提前|变|挪))?(?:已经|现在|推迟|推遲|延期|延后|延後|延|提前|改|定|调整|推|调|变|暂定|就|都|又|被|客户|老板|确定|重新|往后|挪|顺)*(?:到了?|在|为|為|是|成|至|：|:)*(?:[一二三两\d]+(?:周|天|个月|个星期)[，,]?(?:改到|改成|改为|到|变成)?)?\s*"
)
_DUE_AFTER_ZH = lazy_pattern(
    r"\s*(?:之前|以前|前|当天|那天|下班前|之内|以内|内)?[，,]?\s*(?:我们|项目|系统|就|都|全部|一定|务必|必须|必須|要|得|需要|会|得要|之前|前|最晚|正式|把.{1,8}?|能|可以|给客户|必须要)*(?:交付|交稿|上线|上線|完成|提交|交货|發布|发布|完工|截止|交方案|交差|验收|发版|投产|搞定|做完|交)"
)
_NOT_THE_PROJECT = lazy_pattern(
    r"合同|contract|invoice|order|订单|账单|rent|bill\b|library|护照|passport|tax|快递|包裹|房租|信用卡|作业|报名|homework|essay|visa|签证|票",
    re.IGNORECASE,
)
_PROJECT_ZH = lazy_pattern(
    r"项目|項目|專案|我们|我們|方案|必须|必須|版本|系统|系統|网站|網站|产品|一期|二期|客户|甲方|老板|第[一二三]版|初稿|全部|APP|App|小程序|功能"
)
_WAS = lazy_pattern(r"(?:不是|而不是|not|from|从|原来是?|原定|本来是?)\s*$", re.IGNORECASE)


def find(statement: Statement) -> Iterator[Found]:
    """Yield the deadline of the sentence: the time right after words that name one, or before words that demand the work."""
    text = statement.text
    if _NOT_THE_PROJECT.search(text):
        return
    times = [time for time in statement.future_times if time.kind in {"day", "moment", "part"}]
    times = [time for time in times if time.end > statement.occurred_at]
    times = [time for time in times if not _WAS.search(text[: time.span[0]])]
    for time in times:
        start, end = time.span
        before = [m for pattern in (_DEADLINE_EN, _DEADLINE_ZH) for m in pattern.finditer(text, 0, start)]
        if named := next((match for match in before if start - match.end() <= 4), None):
            yield field_found("project_config", "deadline", time.day.isoformat(), (named.start(), end))
            return
        after = _DUE_AFTER_ZH.match(text, end)
        if after and (len(text) <= 16 or _PROJECT_ZH.search(text)):
            span = (start, after.end())
            yield field_found("project_config", "deadline", time.day.isoformat(), span, confidence=0.85)
            return
