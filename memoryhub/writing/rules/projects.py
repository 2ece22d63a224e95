"""Parameters of a project: budgets, deadlines, tech stack. A budget without a project is the speaker's own."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from memoryhub.language.quantities import find_numbers
from memoryhub.writing.rules.statement import Found, Statement, field_found, item_found
from memoryhub.writing.rules.vocabulary import TECH, field_of

_CHANGED_EN = r"(?:has\s+been\s+|was\s+|is\s+now\s+|been\s+)?(?:changed|raised|cut|increased|reduced|lowered|went\s+up|extended|moved|gone\s+up|dropped)\s+(?:from\s+[^.;]{1,24}?\s+)?to"
_BUDGET_EN = re.compile(
    rf"(?:(?P<whose>\b(?:my|our|the|a|this)\b)\s+)?(?P<what>(?:(?:total|overall|maximum|max|project|team|monthly|yearly|annual|marketing|travel|holiday|trip|new|personal)\s+)*budget)(?P<limit>\s+(?:limit|cap|ceiling))?(?:\s+for\s+(?:the|this|our|my)\s+(?P<for>[a-z][\w -]{{1,30}}?))?\s*(?:{_CHANGED_EN}|is|was|of|has\s+to\s+stay\s+(?:under|below)|cannot\s+exceed|can['’]?t\s+exceed|must\s+not\s+exceed|:|=)?\s*(?:now\s+|actually\s+|still\s+|only\s+|capped\s+at\s+|set\s+at\s+|at\s+most\s+|about\s+|around\s+|up\s+to\s+|roughly\s+|limited\s+to\s+)*(?P<money>[$€£¥]?\s?\d[\d,.]*(?:\s?(?:k|m|thousand|million|billion)\b)?(?:\s?(?:usd|eur|gbp|cny|rmb|yuan|dollars|euros|pounds)\b)?)",
    re.IGNORECASE,
)
_MONEY_ZH = r"(?P<money>(?:人民币|￥|¥|\$)?\s?(?:(?<![\d０-９])[\d０-９][\d０-９,，.]*\s?[十百千万萬亿億kKwW]*|(?<![零〇一二两兩三四五六七八九十百千万萬亿億])[零〇一二两兩三四五六七八九十百千万萬亿億]{2,10})\s?(?:元|块钱?|塊|人民币|美元|美金|欧元)?)"
_BUDGET_ZH = re.compile(
    rf"(?P<whose>我们|我們|我|公司|团队|團隊)?(?:的|这个|這個|这次|本次)?(?P<project>项目|項目|工程|开发|开发部|部门|市场|活动)?(?:的)?(?:总|總)?(?P<limit0>最高|最大)?预算(?P<limit>上限|额度|封顶)?(?:已经|现在|就|大概|大约|也|都|最多|一共|总共|不能超过|不超过|控制在|从[^，,。]{{1,10}}?)*(?:改成了?|改为了?|调整到了?|调整为|提高到了?|降到了?|增加到了?|减少到了?|追加到了?|提到|砍到|变成了?|是|为|有|：|:|在|只有|到)?(?:了)?(?:大概|大约|大約|约|差不多|最多|不超过|不能超过|控制在)?\s*{_MONEY_ZH}".replace(
        "预算", "(?:预算|預算)"
    )
)
_DEADLINE_EN = re.compile(
    r"\b(?:the|our|my|project)?\s*(?:project\s+)?(?:deadline|due\s+date|delivery\s+date|launch\s+date|go-live(?:\s+date)?)(?:\s+for\s+[\w ]{1,30}?)?\s*(?:is|was|has|got|:|moved|been|now|to|extended|pushed|postponed|brought|changed|forward|back|set|for|on|still|actually|\s)+|\b(?:is|are)\s+due\s+(?:on\s+|by\s+)?|\b(?:we|i)\s+(?:must|have\s+to|need\s+to|should)\s+(?:deliver|ship|launch|finish|submit|release|hand\s+in|complete)\b[^.;]{0,40}?\b(?:by|before|on|until)\s+",
    re.IGNORECASE,
)
_DEADLINE_ZH = re.compile(
    r"(?:截止|交付|上线|上線|交稿|提交|完工|到期|发布|發布|验收|驗收)(?:日期|时间|時間|日|期限)?(?:已经|现在|推迟|推遲|延期|延后|延後|提前|改|定|调整|推|延|调|变)*(?:到了?|在|为|為|是|成|至|：|:)+\s*"
)
_DUE_AFTER_ZH = re.compile(
    r"\s*(?:之前|以前|前|当天|那天)?[，,]?\s*(?:必须|必須|要|得|需要|就要|一定要|务必|前要)*(?:交付|交稿|上线|上線|完成|提交|交货|發布|发布|完工|截止|交方案|交付使用)"
)
_SWITCH_EN = re.compile(
    rf"\b(?:(?:i|we|our\s+team|the\s+team|the\s+project|the\s+backend|the\s+frontend|the\s+company)\s+)?(?:have\s+|has\s+|['’]ve\s+|just\s+|recently\s+|are\s+|finally\s+|completely\s+|already\s+|now\s+|is\s+)*(?:moved|moving|switched|switching|migrated|migrating|changed|went|converted|ported|rewrote|transitioned)\s+(?:(?:the|our|my|everything|all|whole|it|backend|frontend|project|service|code|codebase|stack|api|database|db|over)\s+)*(?:away\s+)?from\s+(?P<old>{TECH})\s+(?:over\s+)?to\s+(?P<new>{TECH})",
    re.IGNORECASE,
)
_SWITCH_ZH = re.compile(
    rf"(?:从|從|由)\s*(?P<old>{TECH})\s*(?:全面|整体|正式|逐步|都|全部)?(?:换|換|迁移|遷移|迁|转|轉|切换|切換|切|改|移|转向|改写|重写)(?:到了?|成了?|为了?|為|用|至|向|过来)*\s*(?P<new>{TECH})|(?:不用|弃用|放弃)\s*(?P<old2>{TECH})\s*了?[，,]?\s*(?:改用|换成|改成|转用|改为)了?\s*(?P<new2>{TECH})|把\s*(?P<old3>{TECH})\s*(?:换|換|改|替换|迁移)(?:成了?|为|到了?)\s*(?P<new3>{TECH})",
    re.IGNORECASE,
)
_WE = r"(?:we|our\s+(?:team|project|backend|frontend|service|app|api|company|stack|product|platform|website|codebase|system)|the\s+(?:team|project|backend|frontend|service|app|api|stack|product|platform|website|codebase|system)|my\s+(?:project|team|app|backend|service|stack|website|startup))"
_USE_EN = re.compile(
    rf"\b(?:{_WE}\s+(?:(?:now|currently|mostly|mainly|already|have|has|decided\s+to|will|is|are|still|also|all)\s+)*(?:use[sd]?|using|runs?\s+on|run\s+on|built\s+(?:on|with)|written\s+in|based\s+on|switched\s+to|moved\s+to|migrated\s+to|chose|picked|adopted|rewrote\s+(?:it|everything|the\s+\w+)\s+in|rewritten\s+in|go(?:es)?\s+with|went\s+with|standardi[sz]ed\s+on|stores?\s+(?:\w+\s+)?in|code\s+in)|(?:our|my|the|the\s+project['’]?s?)\s+(?:tech\s+stack|stack|programming\s+language|backend\s+language|framework|web\s+framework|database)\s+(?:is|are|:)(?:\s+now)?|i\s+(?:now\s+)?(?:program|code|develop|work)\s+(?:mainly\s+|mostly\s+|only\s+)?in|i\s+(?:now\s+)?(?:use|am\s+using)|(?:now\s+)?i\s+(?:now\s+)?(?:write|code|program|develop|build)\s+(?:everything|mostly|mainly|all\s+\w+|only|my\s+\w+)\s+in|i\s+(?:have\s+|['’]ve\s+)?(?:switched|moved|migrated)\s+(?:the\s+(?:project|backend|code)\s+)?to)\s+(?P<list>(?:(?:a|the|pure|plain)\s+)?{TECH}(?:(?:\s*\d[\d.]*)?\s*(?:,|and|\+|with|plus|/|&|for\s+the\s+\w+\s+and)\s*{TECH}){{0,5}})",
    re.IGNORECASE,
)
_USE_ZH = re.compile(
    rf"(?:技术栈|技術棧|技术选型|编程语言|編程語言|开发语言|開發語言|后端|後端|前端|框架|数据库|數據庫|資料庫|项目|項目|服务|系统|系統|团队|團隊|我们|我們|代码|平台|网站|产品|我|^|[，,])(?:的)?(?:技术栈|编程语言|开发语言|后端|前端|框架|数据库|项目|服务|代码|语言)?(?:现在|現在|目前|平时|一般|通常|已经|已經|主要|都|全部|统一|最终|决定|决定要?|就|也|是|正式|准备|改)*(?:用的?是?|使用的?是?|使用|采用了?|採用|基于|基於|选了?|選了?|选用|换成了?|換成|改成了?|改用了?|切换到了?|迁移到了?|是|为|：|:|写的?是?|跑在)\s*(?P<list>{TECH}(?:\s*\d[\d.]*)?(?:\s*(?:、|,|，|和|与|\+|加|/|以及|配|配合|搭配)\s*(?:数据库用|框架用|前端用|后端用)?{TECH}){{0,5}})",
    re.IGNORECASE,
)
_TECH = re.compile(TECH, re.IGNORECASE)
_CURRENCY = (
    ("USD", re.compile(r"\$|usd|美元|美金|dollars", re.I)),
    ("EUR", re.compile(r"€|eur|欧元|歐元|euros", re.I)),
    ("GBP", re.compile(r"£|gbp|pounds|英镑", re.I)),
)


def find(statement: Statement) -> Iterator[Found]:
    """Yield budgets, deadlines and technologies."""
    yield from _budget(statement)
    yield from _deadline(statement)
    switched = list(_switch(statement))
    yield from switched
    if not switched:
        yield from _stack(statement)


def money_value(written: str) -> int | float | str | None:
    """50 万 → 500000, '$5k' → '5000 USD'; yuan and unmarked amounts are plain numbers. None when there is no amount."""
    cleaned = re.sub(r"(?<=\d)\s*[wW](?![A-Za-z])", "万", unicodedata.normalize("NFKC", written))
    cleaned = re.sub(r"[$€£¥￥]\s*", "", cleaned)
    found = find_numbers(cleaned)
    if not found:
        return None
    amount = found[0].value
    plain: int | float = int(amount) if amount == amount.to_integral_value() else float(amount)
    code = next((code for code, mark in _CURRENCY if mark.search(written)), "")
    return f"{plain} {code}" if code else plain


def _budget(statement: Statement) -> Iterator[Found]:
    text = statement.text
    matches = [match for pattern in (_BUDGET_EN, _BUDGET_ZH) if (match := pattern.search(text))]
    for match in matches:
        value = money_value(match["money"])
        if value is None or (isinstance(value, int) and value < 10 and "万" not in match["money"]):
            continue
        groups = match.groupdict()
        whose = (groups.get("whose") or "").lower()
        what = groups.get("what") or ""
        of_project = bool(
            groups.get("limit") or groups.get("limit0") or groups.get("project") or groups.get("for")
            or whose in {"our", "我们", "我們", "公司", "团队", "團隊"} or re.search(r"project|team|marketing|total|overall", what, re.I)
            or re.search(r"项目|項目|\bproject\b", text, re.I)
        )  # fmt: skip
        mine = (
            whose in {"my", "我"} and not groups.get("project") and not re.search(r"project|team", what, re.I)
        )
        if mine and groups.get("for"):  # one of several budgets of his: kept as a sentence, not as the budget
            continue
        confidence = 0.9 if whose or of_project else 0.7
        if of_project and not (mine and not groups.get("limit")):
            yield field_found(
                "project_config", "max_budget", value, match.span(), confidence=max(confidence, 0.85)
            )
        else:
            yield field_found("user_profile", "budget", value, match.span(), confidence=confidence)
        return


def _deadline(statement: Statement) -> Iterator[Found]:
    text = statement.text
    for time in statement.future_times:
        start, end = time.span
        if time.kind not in {"day", "moment", "part"}:
            continue
        before = [
            match for pattern in (_DEADLINE_EN, _DEADLINE_ZH) for match in pattern.finditer(text, 0, start)
        ]
        ends_here = next((match for match in before if start - match.end() <= 4), None)
        after = _DUE_AFTER_ZH.match(text, end)
        if ends_here and not re.search(
            r"合同|contract|invoice|order|订单|账单|rent|bill|library|护照|passport", text, re.I
        ):
            yield field_found("project_config", "deadline", time.day.isoformat(), (ends_here.start(), end))
            return
        if after and (
            len(text) <= 16
            or re.search(r"项目|項目|我们|我們|方案|必须|必須|版本|系统|网站|产品|一期|二期", text)
        ):
            yield field_found(
                "project_config", "deadline", time.day.isoformat(), (start, after.end()), confidence=0.85
            )
            return


def _switch(statement: Statement) -> Iterator[Found]:
    """From one technology to another: a change of the world, with the old one kept in the sentence and as a flag."""
    for pattern in (_SWITCH_EN, _SWITCH_ZH):
        if not (match := pattern.search(statement.text)):
            continue
        groups = match.groupdict()
        old = next(groups[name] for name in ("old", "old2", "old3") if groups.get(name))
        new = next(groups[name] for name in ("new", "new2", "new3") if groups.get(name))
        field = field_of(new)
        if not field:
            continue
        yield field_found(
            "project_config",
            field,
            new,
            match.span(),
            explicit_correction=True,
            flags=(f"previous:{old}",),
            confidence=0.95,
        )
        content = (
            f"{statement.user}的项目从 {old} 换到了 {new}"
            if statement.chinese
            else f"The project moved from {old} to {new}."
        )
        if statement.sentence.is_traditional:
            content = f"{statement.user}的專案從 {old} 換到了 {new}"
        yield item_found(
            content,
            match.span(),
            subject="project",
            attribute=field,
            value=new,
            entities=(old, new),
            explicit_correction=True,
        )
        return


def _stack(statement: Statement) -> Iterator[Found]:
    for pattern in (_USE_EN, _USE_ZH):
        for match in pattern.finditer(statement.text):
            seen: set[str] = set()
            for name in _TECH.findall(match["list"]):
                field = field_of(name)
                if field and field not in seen:
                    seen.add(field)
                    yield field_found("project_config", field, name, match.span())
            if seen:
                return
