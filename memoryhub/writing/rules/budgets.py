"""Budgets: a sentence that speaks of one and names an amount. Of a project when it says so, else the speaker's own."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from memoryhub.language.patterns import lazy_pattern
from memoryhub.language.quantities import find_numbers
from memoryhub.writing.rules.refusals import KIN_EN
from memoryhub.writing.rules.statement import Found, Statement, field_found

_CURRENCY = (
    ("USD", lazy_pattern(r"us\$|\$|usd|美元|美金|美刀|刀$|dollars?|bucks", re.I)),
    ("EUR", lazy_pattern(r"€|eur\b|欧元|歐元|euros?", re.I)),
    ("GBP", lazy_pattern(r"£|gbp|pounds?|quid|英镑", re.I)),
    ("JPY", lazy_pattern(r"jpy|日元|日圆|円|yen", re.I)),
    ("HKD", lazy_pattern(r"hkd|港币|港元", re.I)),
)
_UNIT_EN = r"(?:usd|eur|gbp|cny|rmb|yuan|us\s+dollars|dollars?|euros?|pounds?|bucks|quid|yen)"
_AMOUNT_EN = rf"(?P<money>(?:us)?[$€£¥]\s?\d[\d,]*(?:\.\d+)?(?:\s?(?:k|m|thousand|million|grand)\b)?(?:\s?{_UNIT_EN}\b)?|\b\d[\d,]*(?:\.\d+)?(?:\s?(?:k|m|thousand|million|grand)\b)?(?:\s?{_UNIT_EN}\b|[€£])?|\b(?:(?:one|two|three|four|five|six|seven|eight|nine|ten|fifteen|twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety|hundred|half\s+a)[\s-]+)+(?:hundred|thousand|million|grand)(?:\s{_UNIT_EN}\b)?)"
_AMOUNT_ZH = r"(?P<money>(?:人民币|￥|¥|\$|US\$|€|£)?\s?(?:(?<![\d０-９])\d+万\d(?![\d万千百十])|(?<![\d０-９])[\d０-９][\d０-９,，.]*\s?[十百千万萬亿億kKwW]*|(?<![零〇一二两兩三四五六七八九十百千万萬亿億])[零〇一二两兩三四五六七八九十百千万萬亿億]{2,10}|[一二两兩三四五六七八九]{1,2}[百千万萬][一二三四五六七八九]?|半个?亿)\s?(?:元|块钱?|塊錢?|人民币|美元|美金|欧元|歐元|英镑|港币|日元|刀)?)"
_MONEY = lazy_pattern(f"(?:{_AMOUNT_EN})", re.IGNORECASE)
_MONEY_ZH = lazy_pattern(_AMOUNT_ZH)
_NO_MONEY_AFTER = lazy_pattern(
    r"\s*(?:%|％|percent|people|persons|days?|weeks?|months?|years?|hours?|pm\b|am\b|st\b|nd\b|rd\b|th\b|items|nights?|seats|users|年|月|日|号|號|天|周|週|个月|小时|人|点|點|个|個|台|份|套|次|期|名|楼|层|位|号楼)",
    re.IGNORECASE,
)
_WORD_EN = lazy_pattern(
    r"\b(?:(?:set|put)\s+aside|saved\s+up|to\s+work\s+with|(?:approved|allocated|granted|given|signed\s+off)(?=[^.;]{0,30}\bfor\s+(?:the|this|our))|budget(?:ed|s)?|(?:spending\s+)?(?:limit|cap|ceiling)|spend(?:ing)?|afford|pay\s+(?:up\s+to|more\s+than|no\s+more\s+than|at\s+most)|(?:go|going)\s+(?:over|above|higher\s+than|beyond)|price\s+range|willing\s+to\s+pay|"
    r"keep\s+(?:it|the\s+(?:cost|price|total)s?)\s+(?:under|below|within)|(?:no|not)\s+more\s+than|maximum|max|(?:stay|remain)\s+(?:below|under|within)|(?:been\s+given|got|allocated|granted)(?=\s+[^.]{0,20}\s+for\s+the\s+project))\b",
    re.IGNORECASE,
)
_OWN_EN = lazy_pattern(
    r"\b(?:i|we)(?:['’]ve|\s+have)?\s+(?:set|put)\s+aside|\bsaved\s+up\b|\b(?:(?:my|our|the|a|this|total|overall|project|team|marketing|travel|holiday|trip|monthly|annual|maximum|max)\s+(?:\w+\s+){0,2}budget|budget:|budget['’]s\s|budget\s+(?:is|was|of|for|has|went|got|now|limit|cap|around|about|remains|stays|comes|will)|(?:cut|raised?|increased?|reduced?|lowered?|doubled?|bumped|approved|extended|capped|set|trimmed|slashed|upped)\s+(?:the|our|my|us)\b.*\bbudget|(?:we|i)(?:['’]ve)?\s+budgeted)|"
    r"\b(?:i|we)\b[^.;]{0,40}?\b(?:can(?:['’]t|not)?|could|want(?:\s+to)?|won['’]?t|don['’]?t(?:\s+want\s+to)?|do\s+not(?:\s+want\s+to)?|will|only|have|['’]m|am|are|['’]re|got|must)\b[^.;]{0,40}?\b(?:spend|afford|pay|go|budget)|\bkeep\s+(?:it|the\s+\w+)\s+(?:under|below|within)|\b(?:hard|spending|cost|budget|price)\s+(?:cap|limit|ceiling)|\b(?:i|we)(?:['’]ve|\s+have)(?:\s+got)?\s+[^.;]{0,24}?\bto\s+(?:spend|work\s+with)|\b(?:my|our)\s+(?:max(?:imum)?|limit|ceiling|price\s+range)\b|\bno\s+more\s+than\b|\bwilling\s+to\s+pay\b|^max(?:imum)?\s|\b(?:stay|remain)\s+(?:below|under|within)\b|\bfor\s+the\s+project\b",
    re.IGNORECASE,
)
_WORD_ZH = lazy_pattern(
    r"(?:项目|工程|活动)[^，,。]{0,4}(?:最多|顶多|封顶)|预算|預算|能?出到|出得起|拿得出|最多(?:能|可以|只能|就|只)?(?:出|花|付|给|接受|投入|投)|(?:只能|愿意|打算|准备|想|可以|能)(?:出|花|接受)|不(?:能)?超过|不(?:能)?超過|以内|以內|控制在|封顶|封頂|上限|心理价位|价位"
)
_SURELY_ZH = lazy_pattern(
    r"(?:项目|工程|活动)[^，,。]{0,4}(?:最多|顶多|封顶)|预算|預算|我(?:们|們)?.{0,12}(?:最多|只能|顶多|撑死)|(?:最多|顶多)(?:能|可以|只能|就|只)*(?:出|花|付|接受|给到?)|我.{0,10}(?:不(?:能|想)?超过|控制在)|心理价位|(?:我们?|现在|咱们?)[^，,。]{0,6}(?:能出到|出得起|拿得出)|(?:价格|费用|花费|总价|成本|开销).{0,6}(?:控制在|不(?:能)?超过|以内)"
)
_PROJECT = lazy_pattern(
    r"项目|項目|专案|專案|公司|团队|團隊|部门|部門|工程|我们|我們|老板|老闆|领导|甲方|总部|财务|財務|开发|市场部|活动|总预算|總預算|预算上限|預算上限|预算封顶|预算总额|董事会|一期|二期|系统|平台|(?:最高|最大)(?:预算|預算)|"
    r"\b(?:our|we|us|project|team|department|company|marketing|overall|total\s+budget|board|finance|client|campaign|website|app|rollout|launch|phase|cap|ceiling|budget\s+limit|development|engineering|management|sponsor|cfo)\b",
    re.IGNORECASE,
)
_MINE = lazy_pattern(
    rf"\b(?:my(?!\s+(?:\w+\s+)?{KIN_EN}\b)|i|i['’]m)\b|我(?!们|們|的?(?:老板|领导|上司|经理|同事|客户))|个人",
    re.IGNORECASE,
)
_OURS = lazy_pattern(
    r"\b(?:project|team|department|company|marketing|campaign|rollout)\b|项目|項目|专案|專案|公司|团队|團隊|部门|工程",
    re.IGNORECASE,
)
_ONE_OF_SEVERAL = lazy_pattern(
    r"\b(?:used|spent|left|remaining|over(?!\s*[$€£]?\d)|short|saved|per\s+(?:day|person|head)|each|a\s+day|already)\b|已经花|花了|用了|剩|超支|还差|每人|人均|一天|之前|原来是|原本",
    re.IGNORECASE,
)
_GENERAL = lazy_pattern(
    r"^(?:work\s+out|calculate|compare|split|help\s+me|show|find|estimate|plan)\b|帮我|怎么分|算一下|\b(?:good|reasonable|typical|decent|average|normal|realistic)\s+budget|\b(?:people|most(?!\s+(?:i|we)\b)|usually|typically|on\s+average)\b|一般(?:人)?(?:都|要|得)|通常(?:要|得)|行情|平均",
    re.IGNORECASE,
)
_FROM = lazy_pattern(r"\bfrom\s+$|(?:从|從|由)\s*$", re.IGNORECASE)
# 又加了3万 says by how much, not how much.
_BY = lazy_pattern(
    r"(?:\bby|\bextra|\banother|\badded|\badditional)\s+(?:an?\s+)?$|(?:加|减|减少|增加|追加|添|砍|省|降|涨|(?<!最)多|(?<!最)少)(?:了|掉了?|出)\s*$",
    re.IGNORECASE,
)


def find(statement: Statement) -> Iterator[Found]:
    """Yield the budget of the sentence; one of a project goes to the project."""
    text = statement.text
    if spoken := _spoken_of(statement):
        yield spoken
        return
    if statement.chinese:
        told, surely, money = _WORD_ZH.search(text), _SURELY_ZH.search(text), _MONEY_ZH
    else:
        told, surely, money = _WORD_EN.search(text), _OWN_EN.search(text), _MONEY
    if told is None or surely is None or _GENERAL.search(text):
        return
    amounts = [match for match in money.finditer(text) if _is_money(match, text)]
    amounts = [match for match in amounts if not _FROM.search(text[: match.start()])]
    amounts = [match for match in amounts if not _BY.search(text[: match.start()])]
    chosen = next((match for match in amounts if match.start() >= told.start()), None) or (
        amounts[-1] if amounts else None
    )
    if chosen is None or (
        _ONE_OF_SEVERAL.search(text) and not re.search(r"预算|預算|budget", text, re.IGNORECASE)
    ):
        return
    value = money_value(chosen["money"])
    if value is None or (isinstance(value, int | float) and value < 10):
        return
    span = (min(told.start(), chosen.start()), max(told.end(), chosen.end()))
    yield _filed(text, value, span, named=bool(re.search(r"budget|预算|預算", text, re.IGNORECASE)))


BUDGET_SPOKEN_OF = "budget_spoken_of"
"""The sentence does not say budget; it was spoken of before, so it is the one that stands."""
_SPOKEN_WITHIN = 12
_IT_EN = lazy_pattern(
    rf"\b(?:cut|raised?|lowered?|bumped|brought|increased?|reduced?|dropped|trimmed|slashed|upped|pushed|took|set|put|make|made)\s+(?:it|that)\s+(?:back\s+|up\s+|down\s+)*(?:to|at)?\s*{_AMOUNT_EN}|\b(?:final|new|approved|agreed|latest)\s+(?:number|figure|amount|sum|total)[:,]?\s*(?:is|it['’]s|it\s+is|:)\s*{_AMOUNT_EN.replace('money', 'money2')}",
    re.IGNORECASE,
)
_IT_ZH = lazy_pattern(
    rf"(?:^|[，,])(?:那就|还是|就|改成|改为|加到|提到|涨到|降到|压到|减到|砍到|调到|回到|按|最后定|最终定)+(?:按|回)?{_AMOUNT_ZH}(?:吧|好了|了|来|算)*(?=[，,。！!]|$)"
)
_BUDGET = lazy_pattern(r"预算|預算|\bbudget", re.IGNORECASE)


def _spoken_of(statement: Statement) -> Found | None:
    """那就18万吧, 'my boss cut it to £30,000' after a budget was spoken of."""
    heard = statement.heard[-_SPOKEN_WITHIN:]
    goes_on = any(_BUDGET.search(text) or _IT_ZH.search(text) or _IT_EN.search(text) for text in heard)
    if _BUDGET.search(statement.text) or not goes_on:
        return None
    match = (_IT_ZH if statement.chinese else _IT_EN).search(statement.text)
    written = next((group for group in match.groups() if group), "") if match else ""
    value = money_value(written) if written else None
    if match is None or value is None or _NO_MONEY_AFTER.match(statement.text, match.end()):
        return None
    if isinstance(value, int | float) and value < _LEAST_BARE:
        return None
    span = (match.start() + match[0].index(written), match.end())
    return field_found(
        "user_profile",
        "budget",
        value,
        span,
        confidence=0.9,
        explicit_correction=True,
        flags=(BUDGET_SPOKEN_OF,),
    )


_LEAST_BARE = 100
"""Below it a bare number is a time or a count: 还是8点吧."""


def _filed(text: str, value: int | float | str, span: tuple[int, int], *, named: bool) -> Found:
    """Where the budget belongs: with the project when one is named, or when 'our' is said and 'my' is not."""
    of_project = bool(_OURS.search(text)) or (bool(_PROJECT.search(text)) and not _MINE.search(text))
    confidence = 0.9 if named else 0.8
    if of_project:
        return field_found("project_config", "max_budget", value, span, confidence=confidence)
    return field_found("user_profile", "budget", value, span, confidence=confidence)


def _is_money(match: re.Match[str], text: str) -> bool:
    """Not a date, a share or a count of something else."""
    if _NO_MONEY_AFTER.match(text, match.end()) and not re.search(
        r"[$€£¥￥万萬亿千块塊元]|k$|" + _UNIT_EN, match[0], re.IGNORECASE
    ):
        return False
    before = text[: match.start()]
    return not re.search(r"[A-Za-z]-?$|第$|\d[./-]$", before)


def money_value(written: str) -> int | float | str | None:
    """50 万 → 500000, '$5k' → '5000 USD'; yuan and unmarked amounts are plain numbers. None when there is no amount."""
    cleaned = re.sub(r"(?<=\d)\s*[wW](?![A-Za-z])", "万", unicodedata.normalize("NFKC", written))
    cleaned = re.sub(
        r"\bgrand\b",
        "thousand",
        re.sub(r"(?:us)?[$€£¥￥]\s*", "", cleaned, flags=re.IGNORECASE),
        flags=re.IGNORECASE,
    )
    cleaned = re.sub(r"(\d+)万(\d)(?=\s*(?:[元块]|$))", r"\1.\2万", cleaned)
    cleaned = re.sub(r"\bhalf\s+a\s+million", "500000", cleaned, flags=re.IGNORECASE)
    found = find_numbers(cleaned)
    if not found:
        return None
    amount = found[0].value
    plain: int | float = int(amount) if amount == amount.to_integral_value() else float(amount)
    code = next((code for code, mark in _CURRENCY if mark.search(written.strip())), "")
    return f"{plain} {code}" if code else plain
