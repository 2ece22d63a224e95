"""Plain facts and dated events that fit no field: kept as sentences when they stand alone and carry something exact.

A plain fact needs a hard value (number, date, code, version); its attribute is the sentence without that value, so another date for
'contract renews' meets the first one, and another parcel number is another fact.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from memoryhub.language.patterns import lazy_pattern
from memoryhub.writing.rules.statement import Found, Statement, item_found
from memoryhub.writing.rules.wording import capitalised, without_my

_HARD = lazy_pattern(
    r"(?P<code>\b(?=[A-Za-z0-9./-]*\d)(?=[A-Za-z0-9./-]*[A-Za-z])[A-Za-z0-9]+(?:[-./][A-Za-z0-9]+)*\b)|"
    r"(?P<number>[$€£¥￥]?\s?(?<![\w.])\d[\d,]*(?:\.\d+)*(?::\d\d)?(?:\s?(?:%|万|萬|亿|千|k|million|元|块|美元|公斤|kg|km|公里|平米|人|台|个|hours?|days?|months?|years?|GB|TB|MB))?(?![\w]))|"
    r"(?P<chinese>[一二两三四五六七八九十百千万亿零〇]{2,10}(?:元|块|人|台|公里|公斤|个月|年|天)?)",
    re.IGNORECASE,
)
_ROUGHLY = lazy_pattern(r"\b(?:around|about|roughly|approximately|some|almost|nearly)\s*$", re.IGNORECASE)
_LEAD_EN = lazy_pattern(
    r"^(?:(?:by the way|btw|also|note(?: that)?|fyi|remember(?: that| this)?|please (?:note|remember)(?: that)?|so|and|oh|well|ok(?:ay)?|just so you know|for the record|update|sorry|apologies|oops|whoops|my (?:mistake|bad)|wrong one|correction|wait|no|actually|scratch that|i meant?)\s*[,:]?\s+)+",
    re.IGNORECASE,
)
_LEAD_ZH = lazy_pattern(
    r"^(?:请记住|請記住|记住|记得|記得|顺便说一下|对了|對了|另外|还有|備註|备注|提醒一下|注意|补充一下|更新一下|通知|不好意思|抱歉|对不起|不对|更正(?:一下)?|(?:我)?(?:说|搞|弄|报)错了)[，,：:]?\s*"
)
_VERB_EN = lazy_pattern(
    r"\b(?:is|are|was|were|runs?|uses?|renews?|expires?|starts?|ends?|begins?|opens?|closes?|costs?|arrived|arrives?|leaves|departs?|lands?|landed|moved|changed|belongs?|meets?|takes place|holds?|weighs|has|have|goes live|went live|launches|launched|ships|shipped|needs?|requires?|contains?|supports?|serves?|listens?|lives?|sits|expired|increased|decreased|fell|rose|closed|opened|started|ended|equals|lasts)\b",
    re.IGNORECASE,
)
_PRONOUN_EN = lazy_pattern(
    r"\b(?:i|i['’]m|i['’]ve|i['’]ll|i['’]d|you|your|yours|he|she|it|its|it['’]s|they|them|their|him|her|his|hers|we|us|this|that|these|those|there|here|me|who|which|someone|everyone|everything|something|one of|let['’]?s)\b",
    re.IGNORECASE,
)
_PRONOUN_ZH = lazy_pattern(
    r"[你您她它咱]|(?<![吉其排])他|(?<!本)人家|这|這|那|谁|誰|大家|自己|上面|下面|该|該"
)
_BARE_EN = lazy_pattern(
    r"^(?P<label>(?!at\b|on\b|in\b|for\b|about\b|only\b|top\b|see\b|until\b|after\b|before\b|page\b|chapter\b|step\b|like\b|around\b|almost\b|over\b|just\b|by\b|since\b|from\b|to\b|with\b|under\b|and\b|or\b|no\b|not\b|yes\b|ok\b|maybe\b|another\b|next\b|last\b|day\b|week\b|year\b|season\b|part\b|all\b|the\b|than\b|turned\b|age\b|aged\b|episode\b|hi\b|hey\b|need\b|want\b|got\b|buy\b)[A-Za-z]+(?:\s+[A-Za-z]+){0,2})\s*[:=]?\s+(?P<value>\S+(?:\s\S+)?)$"
)
_PREPOSITION_END = lazy_pattern(
    r"\s+(?:on|at|in|to|by|until|from|for|is|are|was|of|about|around|approximately|now|version|v|the|than|under|over|as|exactly|only)$",
    re.IGNORECASE,
)
_MY_EN = lazy_pattern(r"^(?:my|our)\s+", re.IGNORECASE)
_THE_EN = lazy_pattern(r"^(?:the|a|an|this|my|our|user's|the user's)\s+", re.IGNORECASE)
_MY_ZH = lazy_pattern(r"^(?:我们的?|我們的?|我的?|本人的?|咱们的?)")
_PREDICATE_ZH = lazy_pattern(
    r"[是为為在到有用需要开始結束结束续签約约过期運运行部署改定存放等于占支持推迟提前减增涨跌花费长重上线发布共限]|：|:"
)
_SUBJECTLESS_ZH = lazy_pattern(
    r"^(?:是|在|有|用|为|到|就|都|也|还|不|没|要|想|会|能|可以|大概|大约|只|才|再|又|先|后|已|已经|今天|昨天|明天|现在|一共|总共|共|每|多|帮|请|麻烦|给|把|被|对|从|跟|和|我|但|而|所以|因为|如果|其中|预计|太|很|好|差不多|超过|不到|当|花了|买了|等了|看了|走了|跑了|吃了)"
)
_PAST_EN = (
    r"(?:went|visited|met|did|held|wrapped\s+up|handed\s+over|migrated|shipped|bought|attended|finished|started|joined|signed|flew|hosted|passed|graduated|gave|won|completed|submitted|launched|travel+ed|hiked|"
    r"adopted|painted|ran|took|saw|had|made|celebrated|booked|ordered|returned|cancel+ed|quit|left|sold|moved|married|got|began|built|volunteered|participated|"
    r"competed|performed|published|released|installed|deployed|fixed|repaired|hired|interviewed|presented|taught|enrolled|registered|renewed|paid|received|sent|organi[sz]ed|"
    r"camped|explored|performed|recorded|cooked|baked|planted|drove|rode|swam|played|watched|tried|learned|opened|closed|lost|found|spoke|called|fell|broke|injured|donated|created|wrote|read)"
)
_EPISODE_EN = lazy_pattern(
    rf"^(?:(?:yesterday|today|last\s+\w+|(?:two|three|four|five|\d+|a)\s+(?:days?|weeks?|months?|years?)\s+ago|(?:on|in)\s+[\w ]{{3,20}}|this\s+(?:morning|week|month))\s*,?\s*)?(?P<subject>I|we|our\s+team|my\s+team|the\s+team|our\s+company|my\s+company)\s+(?:just\s+|also\s+|finally\s+|recently\s+)?(?P<verb>{_PAST_EN})\b(?P<rest>[^?]*)$",
    re.IGNORECASE,
)
_SAME = " \u2027 "
_HE_EN = lazy_pattern(
    r"\s*[,;]\s+(?:and\s+|but\s+)?(?:he|she)\s+(?P<said>(?:wants?|asked|wanted|said|agreed|offered|needs?|promised|suggested|will|is|has|prefers?)\b[^,;.]{3,60})$",
    re.IGNORECASE,
)
_PERSON_EN = lazy_pattern(
    r"(?:met|with|saw|called|to|interviewed|hired|visited)\s+([A-Z][a-z]+(?:\s+[A-Z][a-z]+)?)"
)
_AND_I_EN = lazy_pattern(r",?\s+(?:and|but|so)\s+(?:i|i['’]m|we|we['’]re)\b", re.IGNORECASE)
_HE_ZH = lazy_pattern(
    r"[，,](?:他|她)(?P<said>(?:要求|说|希望|想|提出|答应|同意|建议|认为|打算|承诺|拒绝|让|要)[^，,。！!？?；;]{2,24})$"
)
_PERSON_ZH = lazy_pattern(
    r"(?:和|跟|与|见了?|约了?|拜访了?|找了?)(?:[\u4e00-\u9fff]{2,8}的)?([王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏薛叶阎余潘杜戴夏钟汪田任姜范方石姚谭廖邹熊金陆郝孔白崔康毛邱秦江史顾侯邵孟龙万段雷钱汤尹黎易常武乔贺赖龚][\u4e00-\u9fff]{1,2}?)(?=谈|聊|见|开|讨论|商量|吃|碰|签|沟通|确认|对|一起|，)"
)
_EPISODE_ZH = lazy_pattern(
    r"^(?P<before>[^我，,]{0,10})我们?(?P<rest>[^，,。！!？?；;]{2,40}[了过過][^，,。！!？?；;]{0,20})$|^(?P<rest2>[^，,我]{0,12}[^，,。！!？?；;]{2,40}[了过過][^，,。！!？?；;]{0,20})$"
)
_MOOD_ZH = lazy_pattern(
    r"糟|倒霉|无语|气死|疯了|惨|难受|辛苦|压力|失眠|睡不着|头疼|头大|愁|慌|急死|爽|崩|心累|生气|高兴|开心|难过|伤心|烦|郁闷|累|焦虑|紧张|兴奋|沮丧|害怕|失望|心情|崩溃|吵架|哭"
)
_QUOTES = lazy_pattern('[“”「」『』《》"]')
_MOOD_EN = lazy_pattern(
    r"\b(?:had|having|has\s+been|was|what)\s+(?:such\s+)?(?:an?\s+)?(?:\w+\s+)?(?:terrible|awful|horrible|rough|tough|hectic|bad|crazy|stressful|exhausting|great|lovely|wonderful|amazing|good|nice|long|busy)\s+(?:day|week|night|morning|month|year|time|meeting)\b|\b(?:feel|feeling|felt|awful|terrible|horrible|sad|happy|angry|mad|miserable|lonely|bored|tired|worried|nervous|scared|disappointed|ugh|sigh|cried|crying|argument|fight|exhausted|stressed|frustrated|annoyed|furious|anxious|overwhelmed|headache|fed\s+up|upset|heartbroken|devastated)\b",
    re.IGNORECASE,
)
# What happens every day is not worth a sentence of its own.
_EVERYDAY = lazy_pattern(
    r"(?:今天|昨天|昨晚|今早|刚才|中午|晚上).{0,8}(?:吃|喝|睡|看了|等了|堵|聊|逛|加班|开会|下班|起床|骂|迟到|收到|洗)|"
    r"\b(?:had|ate|got)\s+(?:\w+\s+)?(?:lunch|dinner|breakfast|coffee|tea|pizza|a\s+snack|a\s+nap|takeaway|drinks)\b|\b(?:slept|overslept|ate|drank|watched|napped|missed\s+the\s+(?:bus|train))\b.*\b(?:today|yesterday|last\s+night|this\s+morning)\b|\b(?:thanks|thank\s+you)\b",
    re.IGNORECASE,
)
_VAGUE_TIME = frozenset({"span", "part"})


_TOOL_EN = lazy_pattern(
    r"^(?:(?i:so|and|also|well|now)\s*,?\s+)?(?P<who>(?i:we|our\s+team|my\s+team|the\s+team|i))\s+(?:now\s+|mostly\s+|mainly\s+|all\s+)?uses?\s+(?P<tool>[A-Z][\w.+-]*(?:\s+[A-Z0-9][\w.+-]*){0,2})\s+(?:for|to)\s+(?P<purpose>[a-z][\w /-]{2,40})\W*$"
)
_TOOL_ZH = lazy_pattern(
    r"^我(?:们|們)?(?:的)?(?P<who>团队|團隊|公司|部门|部門|项目组|專案)?(?:现在|現在|都|主要|一般|平时)*(?P<verb>用|使用|部署在|跑在|采用|採用)\s*(?P<tool>[A-Za-z][\w.+-]*(?:\s[A-Za-z0-9][\w.+-]*){0,2})\s*(?P<purpose>[\u4e00-\u9fff]{0,10})\W*$"
)


def find(statement: Statement) -> Iterator[Found]:
    """Yield the plain fact or the dated event the sentence states, at most one; nothing of what is quoted or felt."""
    if _QUOTES.search(statement.text) or _MOOD_EN.search(statement.text):
        return
    for rule in (
        (_plain_fact_zh, _tool_zh, _episode_zh)
        if statement.chinese
        else (_plain_fact_en, _tool_en, _episode_en)
    ):
        if found := rule(statement):
            yield found
            return


def _plain_fact_en(statement: Statement) -> Found | None:
    text = _LEAD_EN.sub("", statement.text).strip(" .!")
    if len(text.split()) > 18 or len(text) > 160:
        return None
    owned = bool(_MY_EN.match(text))
    bare_text = _MY_EN.sub("", text) if owned else text
    if _PRONOUN_EN.search(bare_text) or re.search(r"\b(?:my|our)\b", bare_text, re.IGNORECASE):
        return None
    value_span = _hard_value(bare_text, statement)
    if value_span is None or re.search(
        r"\b(?:today|tonight|right now|this morning)\b", bare_text, re.IGNORECASE
    ):
        return None
    start, end = value_span
    if _ROUGHLY.search(bare_text[:start]):
        return None
    value, head, tail = bare_text[start:end], bare_text[:start].strip(), bare_text[end:].strip(" ,")
    bare = _BARE_EN.match(bare_text)
    verb = _VERB_EN.search(bare_text)
    if not head or (not verb and not (bare and not tail)):
        return None
    if verb and not bare and (verb.start() == 0 or len(bare_text[: verb.start()].split()) > 6):
        return None
    span = (0, len(statement.text))
    content = capitalised(f"the user's {bare_text}" if owned else bare_text) + "."
    entities = tuple(dict.fromkeys(match[0] for match in _HARD.finditer(bare_text) if match["code"]))
    if verb and start < verb.start():  # the exact part names the thing: 'parcel KX-117 arrived'
        subject, predicate = bare_text[: verb.start()].strip(), bare_text[verb.start() :].strip()
        return item_found(
            content,
            span,
            subject=_key(subject),
            attribute=verb[0].lower(),
            value=predicate,
            entities=entities,
            confidence=0.85,
            explicit_correction=statement.corrects,
        )
    attribute = _key(f"{head} {tail}".strip())
    subject = _key(bare_text[: verb.start()]) if verb else attribute
    return item_found(
        content,
        span,
        subject=subject,
        attribute=attribute,
        value=value.strip(),
        entities=entities,
        confidence=0.85,
        explicit_correction=statement.corrects,
    )


def _hard_value(text: str, statement: Statement) -> tuple[int, int] | None:
    """The last absolute date, else the last number or code, as offsets in `text`; None when nothing is exact."""
    offset = statement.text.find(text)
    dates = [
        (time.span[0] - offset, time.span[1] - offset)
        for time in statement.future_times
        if time.kind not in _VAGUE_TIME and re.search(r"\d|[一二三四五六七八九十]+月", statement.text[slice(*time.span)])
        and not re.search(r"ago|后|前|後|in ", statement.text[slice(*time.span)])
    ]  # fmt: skip
    inside = [span for span in dates if span[0] >= 0 and span[1] <= len(text)]
    if inside:
        return inside[-1]
    hard = list(_HARD.finditer(text))
    return hard[-1].span() if hard else None


def _key(words: str) -> str:
    """The words as the name of a slot: without determiner and closing preposition, lower case."""
    bare = _THE_EN.sub("", words.strip(" ,:"))
    while (shorter := _PREPOSITION_END.sub("", bare)) != bare:
        bare = shorter
    return " ".join(bare.lower().split())[:120]


def _plain_fact_zh(statement: Statement) -> Found | None:
    text = _LEAD_ZH.sub("", statement.text).strip(" 。.！!；;")
    owned = _MY_ZH.match(text)
    bare = text[owned.end() :] if owned else text
    if (
        not 4 <= len(bare) <= 80
        or _PRONOUN_ZH.search(bare)
        or re.search(r"[我]", bare)
        or _SUBJECTLESS_ZH.match(bare)
        or _MOOD_ZH.search(bare)
    ):
        return None
    value_span = _hard_value(bare, statement)
    if value_span is None or not _PREDICATE_ZH.search(bare):
        return None
    content = f"{statement.user}的{bare}" if owned else bare
    entities = tuple(dict.fromkeys(match[0] for match in _HARD.finditer(bare) if match["code"]))
    span = (0, len(statement.text))
    if re.search(r"[，,；;]", bare):
        return item_found(content, span, subject="", entities=entities, confidence=0.85)
    start, end = value_span
    attribute = re.sub(
        r"(?:改到|改成|改为|推迟到|提前到|定在|是|为|在|到|：|:|了|\s)+$", "", bare[:start].strip()
    ) + re.sub(r"^(?:的|了|\s)+", "", bare[end:].strip())
    subject = re.split(r"[是为在到有用需改定]|推迟|提前|：|:", attribute, maxsplit=1)[0] or attribute
    if len(attribute) < 2:
        return None
    return item_found(
        content,
        span,
        subject=subject,
        attribute=attribute,
        value=bare[start:end].strip(),
        entities=entities,
        confidence=0.85,
        explicit_correction=statement.corrects,
    )


def _tool_en(statement: Statement) -> Found | None:
    """'We use Figma for design': the purpose is the slot, the tool its value."""
    match = _TOOL_EN.match(statement.text)
    if not match or _PRONOUN_EN.search(match["purpose"]):
        return None
    who = "The user uses" if match["who"].lower() == "i" else "The user's team uses"
    purpose = match["purpose"].strip()
    link = "for" if re.search(r"\bfor\s+" + re.escape(purpose), statement.text) else "to"
    content = f"{who} {match['tool']} {link} {without_my(purpose)}."
    return item_found(
        content, match.span(), attribute=f"tool for {purpose}", value=match["tool"], entities=(match["tool"],)
    )


def _tool_zh(statement: Statement) -> Found | None:
    match = _TOOL_ZH.match(statement.text.strip(" 。.！!"))
    if not match or len(match["tool"]) < 2:
        return None
    who = f"{statement.user}的{match['who']}" if match["who"] else statement.user
    content = f"{who}{match['verb']} {match['tool']} {match['purpose']}".strip()
    purpose = match["purpose"] or match["verb"]
    return item_found(
        content, match.span(), attribute=f"{purpose}工具", value=match["tool"], entities=(match["tool"],)
    )


def _with_name_en(text: str) -> str:
    """'met Tom Hall, he wants more' → 'met Tom Hall; Tom Hall wants more' when one person is named; other second statements go."""
    if (second := _HE_EN.search(text)) and len(names := set(_PERSON_EN.findall(text[: second.start()]))) == 1:
        said = second["said"].strip()
        return f"{text[: second.start()]}{_SAME}{names.pop()} {said}"
    return _AND_I_EN.split(text, maxsplit=1)[0].rstrip(" ,")


def _episode_en(statement: Statement) -> Found | None:
    text = _LEAD_EN.sub("", statement.text).strip(" .!")
    match = _EPISODE_EN.match(_with_name_en(text))
    if not match or len(text.split()) > 25 or _EVERYDAY.search(text):
        return None
    rest = match["verb"] + match["rest"]
    if _PRONOUN_EN.search(rest) or re.search(r"\bour\b", rest, re.IGNORECASE):
        return None
    times = [
        time
        for time in statement.past_times
        if time.kind in {"day", "part", "week", "weekend", "month", "year"}
        and time.start <= statement.occurred_at
    ]
    if len(times) != 1:
        return None
    told = statement.text[slice(*times[0].span)]
    shown = _absolute_en(times[0].kind, times[0].day.isoformat(), told)
    without = re.sub(
        rf"\s*,?\s*(?:\b(?:on|in|about|around|over|almost|just|like|since)\s+)*{re.escape(told)}\s*,?",
        " ",
        rest,
    )
    without = re.split(r"\s[-–—]+\s|[;:(!]", without, maxsplit=1)[0].strip(" ,")
    without = without.replace(_SAME, "; ")
    if len(without.split()) < 2:
        return None
    subject = match["subject"].lower()
    who = "The user" if subject in {"i", "we"} else f"The user's {subject.split()[-1]}"
    content = f"{who} {' '.join(without_my(without).split())} {shown}."
    return item_found(content, (0, len(statement.text)), subject="", kind="episodic", confidence=0.8)


def _absolute_en(kind: str, day: str, told: str) -> str:
    if kind in {"day", "part"}:
        return f"on {day}"
    if kind == "month":
        return f"in {day[:7]}"
    if kind == "weekend":
        return f"on the weekend of {day}"
    return f"in {day[:4]}" if kind == "year" else f"in the week of {day}"


def _first_statement_zh(text: str) -> tuple[str, str]:
    """The statement before the first comma, and what the one person named in it said or wants, with the name for 他."""
    if (second := _HE_ZH.search(text)) and len(names := set(_PERSON_ZH.findall(text[: second.start()]))) == 1:
        return text[: second.start()], f"，{names.pop()}{second['said']}"
    return re.split(r"[，,](?=(?:现在|目前|还|正|一直|仍)?(?:还)?在)", text, maxsplit=1)[0], ""


def _episode_zh(statement: Statement) -> Found | None:
    text = _LEAD_ZH.sub("", statement.text).strip(" 。.！!")
    text, more = _first_statement_zh(text)
    match = _EPISODE_ZH.match(text)
    if not match or "我" not in text or _MOOD_ZH.search(text) or _EVERYDAY.search(text):
        return None
    times = [
        time
        for time in statement.past_times
        if time.kind in {"day", "part", "week", "weekend", "month", "year"}
        and time.start <= statement.occurred_at
    ]
    if len(times) != 1:
        return None
    told = statement.text[slice(*times[0].span)]
    rest = re.sub(r"我们?", "", text.replace(told, "", 1)).strip(" ，,")
    if _PRONOUN_ZH.search(rest) or len(rest) < 4:
        return None
    day = times[0].day
    shown = {"month": f"{day.year}年{day.month}月", "year": f"{day.year}年"}.get(
        times[0].kind, f"{day.year}年{day.month}月{day.day}日"
    )
    if times[0].kind in {"week", "weekend"}:
        shown += "那周" if not statement.sentence.is_traditional else "那週"
    return item_found(
        f"{statement.user}{shown}{rest}{more}",
        (0, len(statement.text)),
        subject="",
        kind="episodic",
        confidence=0.8,
    )
