"""The technologies a project is made with: what it uses now, and what it left for it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memoryhub.language.patterns import lazy_pattern
from memoryhub.writing.rules.refusals import OTHER_PARTY
from memoryhub.writing.rules.statement import Found, Statement, field_found, item_found
from memoryhub.writing.rules.vocabulary import TECH, field_of

_TECH = lazy_pattern(rf"(?<![A-Za-z0-9.@/-]){TECH}", re.IGNORECASE)
_OURS_EN = lazy_pattern(
    r"\b(?:we|we['’](?:re|ve|ll)|our|us|let['’]s(?=\s+(?:stay|stick|go\s+back|keep|return))|(?:the\s+)?(?:project\s+[A-Z]\w+|[A-Z]\w+\s+project)|the\s+(?:team|project|backend|back\s?end|frontend|front\s?end|service|app|application|api|stack|tech\s+stack|product|platform|website|site|codebase|code|system|server|database|db|(?:\w+\s+)?data|company|prototype|mvp|pipeline|new\s+\w+|whole\s+\w+|entire\s+\w+|project['’]?s\s+\w+)|"
    r"my\s+(?:project|team|app|backend|frontend|service|stack|website|startup|side\s+project|code|server|site)|(?:backend|frontend|database|stack|tech\s+stack|framework|language)\s*(?:is|:|=)|all\s+(?:\w+\s+)?data)\b",
    re.IGNORECASE,
)
_USE_EN = lazy_pattern(
    r"\b(?:use[sd]?|using|run(?:s|ning)?\s+(?:on|with)|built|build(?:ing)?|written|wr(?:ite|ote)|rewr(?:ite|ote|itten)|writing|rewriting|based\s+on|power(?:ed|s)\s+by|back(?:ed)?\s+by|switch(?:ed|ing)?|chang(?:ed|ing)|mov(?:ed|ing)|migrat(?:ed|ing)|went\s+back|go(?:ing)?\s+back|port(?:ed|ing)|chose|choose|picked|adopt(?:ed|ing)?|convert(?:ed|ing)?|replac(?:ed|ing)|drop(?:ped|ping)|ditch(?:ed|ing)?|"
    r"go(?:es|ing)?\s+with|went\s+with|settled\s+on|decided\s+on|standardi[sz](?:ed|ing)\s+on|stor(?:e[sd]?|ing)|live[sd]?\s+in|lives|kept\s+in|cod(?:e|ed|ing)\s+in|develop(?:ed|ing)?|is\s+(?:all|now|in|pure|mostly|mainly|still)|is|are|stick(?:ing)?\s+(?:with|to)|implemented|done\s+in|back\s+(?:on|to|with)|stay(?:ing|ed)?\s+(?:with|on)|end(?:ed|ing)?\s+up\s+(?:with|on|using)|swap(?:ped|ping)?|return(?:ed|ing)?\s+to|now\s+on|rely\s+on|relies\s+on|stack|made\s+with|made\s+in|it['’]s\s+all)\b",
    re.IGNORECASE,
)
_I_USE_EN = lazy_pattern(
    r"\bi\s+(?:(?:now|mainly|mostly|only|usually|always|currently|also|just)\s+)*(?:program|code|develop|work|write|build|(?:am\s+)?coding|(?:am\s+)?building)\s+(?:(?:everything|mostly|mainly|all\s+\w+|only|my\s+\w+|it|code|apps|almost\s+everything)\s+)*(?:in|with)\b|\bi\s+(?:now\s+)?(?:use|am\s+using)\b|\bi(?:['’]ve|\s+have)?\s+(?:switched|moved|migrated)\b|\bi['’]m\s+(?:using|building|writing|coding)\b",
    re.IGNORECASE,
)
_OURS_ZH = lazy_pattern(
    r"(?:换|改|切|退|用|迁)回|回到|我们|我們|咱们|项目|項目|專案|专案|团队|團隊|后端|後端|前端|后台|服务|服務|系统|系統|代码|程式|平台|网站|網站|产品|數據庫|数据库|資料庫|资料库|数据|資料|技术栈|技術棧|技术选型|框架|公司|编程语言|开发语言|开发用|小程序|App|app|接口|我"
)
_USE_ZH = lazy_pattern(
    r"(?:换|改|切|退|迁)回|回到|用|采用|採用|基于|基於|写|寫|换成|換成|换到|改成|改为|改用|重写|重構|重构|迁移|遷移|迁到|切到|切换|转到|转向|转成|上了|上的是|存在|存放|存(?=\s*[A-Z])|跑在|部署|是|为|：|:|选了?|選|定了?|搭的?|搭建|弃用|换掉|做的"
)
_VERSION = lazy_pattern(r"\d{0,2}(?![\d.A-Za-z])|")
_NOT_YET = lazy_pattern(
    r"(?:n['’]t|\b(?:not|never|without|no))\s+(?:\w+\s+){0,2}$|\b(?:from|instead\s+of|than|over|swap(?:ped|ping)?(?:\s+out)?|drop(?:ped|ping)?|ditch(?:ed|ing)?|replac(?:ed|ing)|leav(?:e|ing)|left|abandon(?:ed|ing)?|no\s+longer\s+\w+|stopped\s+using|rid\s+of|phas(?:ed|ing)\s+out|moved?\s+off|like|love|hate|prefer|away\s+from|used\s+to\s+use)\s+(?:the\s+|our\s+)?$|"
    r"(?:从|從|由|不(?:再|是|想)?用|弃用了?|放弃了?|没用|没有用|抛弃了?|替换掉?了?|告别|而不是|而非|把|不是|代替|取代|比|喜欢|喜歡|爱|讨厌|想学|在学)\s*$",
    re.IGNORECASE,
)
# Python太慢，后台改用Go写; 'React got too heavy, so we are moving to Svelte': the value stands after the change.
_PUT_IN_PLACE = lazy_pattern(
    r"(?:改用|改成|改为|换成|换成了|换到|换回了?|改回了?|用回|切到|切回|迁到|回到|转向|转到|退回)\s*$|\b(?:(?:switch|mov|chang|migrat|return|revert)\w*|went|go|going|gone)\s+(?:over\s+|back\s+|the\s+\w+\s+)*to\s+$|\bback\s+(?:to|on|with)\s+$|\b(?:we['’]ll|let['’]s)\s+(?:use|do|take)\s+$",
    re.IGNORECASE,
)
_REPLACED_AFTER = lazy_pattern(
    r"^\s*(?:\d[\d.]*)?\s*(?:(?:was|is|has\s+been|got|being)\s+(?:replaced|dropped|retired|phased)|is\s+(?:gone|out)|换成|換成|换掉|改成|改为|替换成|迁移到|迁到|切到|不用了|弃用|下线|有点|太|的缺点|的问题|developer|engineer|programmer|course|book|conference|tutorial|工程师|开发者|教程|课程|书)",
    re.IGNORECASE,
)
_GENERAL = lazy_pattern(
    r"\b(?:competitors?|rivals?|other\s+(?:teams?|compan(?:y|ies)|departments?))\b|竞品|竞争对手|友商|对手|别的公司|其他公司|隔壁|\b(?:popular|benchmark|faster|slower|better|worse|best|favou?rite|love|hate|learn(?:ing)?|tutorial|course|interview|heard|article)\b|流行|教程|课程|学习|在学|听说|面试|文章|比.{1,12}(?:快|慢|好|差)",
    re.IGNORECASE,
)
_FORMER = lazy_pattern(
    r"\b(?:last\s+year|back\s+then|used\s+to|previously|at\s+the\s+time)\b|以前|当时|曾经|去年用",
    re.IGNORECASE,
)
_OLD_FIRST = lazy_pattern(
    rf"(?:\bfrom|从|從|由|把|不用|弃用|放弃|swap(?:ped|ping)?(?:\s+out)?|drop(?:ped|ping)?|ditch(?:ed|ing)?|replac(?:ed|ing))\s+(?:the\s+|our\s+)?(?P<old>{TECH})|(?:从|從|由|把|不用|弃用|放弃)\s*(?P<old2>{TECH})",
    re.IGNORECASE,
)


def find(statement: Statement) -> Iterator[Found]:
    """Yield the technology of each kind that the project uses; of a change also a sentence with the old one."""
    text = statement.text
    if not _is_of_a_project(statement) or _FORMER.search(text) or OTHER_PARTY.search(text):
        return
    named = [
        match for match in _TECH.finditer(text) if field_of(match[0]) and not _is_general(match, statement)
    ]
    used = [match for match in named if not _is_left(match, text)]
    used.sort(key=lambda match: not _PUT_IN_PLACE.search(text[: match.start()]))
    old = _OLD_FIRST.search(text)
    left = (old["old"] or old["old2"]) if old else ""
    seen: set[str] = set()
    refused = [match.span() for match in technologies_refused(statement)]
    for match in used:
        if any(start <= match.start() < end for start, end in refused):
            continue
        field = field_of(match[0])
        if field in seen or match[0].lower() == left.lower():
            continue
        seen.add(field)
        was = left if left and field_of(left) == field else ""
        yield from _used(statement, field, match, was)


_REFUSED_EN = lazy_pattern(
    rf"\b(?:won['’]t|will\s+not|(?:are|['’]re|is)\s+not\s+going\s+to|(?:do\s+not|don['’]t)\s+want\s+to|refuse\s+to|never\s+going\s+to|decided\s+not\s+to|['’]d\s+rather\s+not|let['’]?s\s+not|shouldn['’]t|must\s+not)\s+(?:use|go\s+with|adopt|pick|choose|consider|be\s+using|run|build\s+(?:it|this)\s+(?:on|with|in)|write\s+(?:it|this)\s+in)\s+(?P<a>{TECH})|\b(?:decided\s+against|ruled\s+out|rejected|vetoed|said\s+no\s+to|no\s+to|turned\s+down|not\s+going\s+with|not\s+interested\s+in)\s+(?:using\s+)?(?P<b>{TECH})|(?:^|[,;]\s*)(?P<c>{TECH})\s+(?:is|['’]s)\s+(?:out|off\s+the\s+table|not\s+an\s+option|ruled\s+out|a\s+no(?:-go)?|rejected)\b|^no\s+(?P<d>{TECH})(?=\s*(?:[.,!]|please|for\s+(?:this|the|our)))|(?:^|[,;]\s*|\bplease\s+)don['’]t\s+(?:use|pick|choose|go\s+with)\s+(?P<e>{TECH})(?=\s*(?:[.,!;]|$|for\s+(?:this|the|our)|in\s+(?:this|the|our)|as))",
    re.IGNORECASE,
)
_REFUSED_ZH = lazy_pattern(
    rf"(?:不要|别|不能|不准备|不打算|不会|不想|绝不|坚决不|不考虑|拒绝|否决了?|排除了?|不选|不建议)(?:再)?(?:使用|采用|用|上|选|选用)?\s*(?P<a>{TECH})(?!\s*了)|(?:^|[，,])(?P<b>{TECH})\s*(?:这个|这套)?(?:我们|就|直接|被|已经)*(?:不考虑了?|不要了?|否了|否决了?|排除了?|pass(?:掉|了)?|不行|毙了|不合适|出局了?|不选了?|免谈)(?=[，,。！!；;]|$)|(?:^|[，,])(?P<c>{TECH})\s*[^，,。；;A-Za-z]{{1,8}}[，,](?:所以|就|我们)*(?:不考虑|不要|不用|不选|放弃|排除|pass)(?:了|它)?(?=[，,。！!；;]|$)",
    re.IGNORECASE,
)


def technologies_refused(statement: Statement) -> list[re.Match[str]]:
    """数据库不要用 MongoDB, 'we won't use Rust': the places of the refusals; each names one technology."""
    pattern = _REFUSED_ZH if statement.chinese else _REFUSED_EN
    return [match for match in pattern.finditer(statement.text) if field_of(refused_name(match))]


def refused_name(match: re.Match[str]) -> str:
    return next(group for group in match.groups() if group)


def _is_of_a_project(statement: Statement) -> bool:
    text = statement.text
    if statement.chinese:
        return bool(
            (_OURS_ZH.search(text) or _TECH.match(text) or _OLD_FIRST.search(text)) and _USE_ZH.search(text)
        )
    return bool((_OURS_EN.search(text) and _USE_EN.search(text)) or _I_USE_EN.search(text))


def _is_general(match: re.Match[str], statement: Statement) -> bool:
    """Praise, learning and what others use; of a change only in the clause itself: 'back to Django, we know it better'."""
    start, end = (
        statement.sentence.clause_at(match.start()) if statement.changes else (0, len(statement.text))
    )
    return bool(_GENERAL.search(statement.text, start, end))


def _is_left(match: re.Match[str], text: str) -> bool:
    return bool(_NOT_YET.search(text[: match.start()]) or _REPLACED_AFTER.match(text[match.end() :]))


def _used(statement: Statement, field: str, match: re.Match[str], was: str) -> Iterator[Found]:
    name, span = match[0] + _VERSION.match(statement.text, match.end())[0], match.span()  # type: ignore[index]
    if not was:
        yield field_found("project_config", field, name, span)
        return
    yield field_found(
        "project_config",
        field,
        name,
        span,
        explicit_correction=True,
        flags=(f"previous:{was}",),
        confidence=0.95,
    )
    content = (
        f"{statement.user}的项目从 {was} 换到了 {name}"
        if statement.chinese
        else f"The project moved from {was} to {name}."
    )
    if statement.sentence.is_traditional:
        content = f"{statement.user}的專案從 {was} 換到了 {name}"
    yield item_found(
        content,
        span,
        subject="project",
        attribute=field,
        value=name,
        entities=(was, name),
        explicit_correction=True,
    )
