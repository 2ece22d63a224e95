"""Language, time zone and birthday of the speaker."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memoryhub.language.patterns import lazy_pattern
from memoryhub.writing.rules.statement import Found, Statement, field_found

_LANGUAGES_EN = "(?:simplified\\s+|traditional\\s+|brazilian\\s+|british\\s+|american\\s+)?(?:English|Chinese|Mandarin|Cantonese|Spanish|French|German|Portuguese|Italian|Japanese|Korean|Russian|Arabic|Hindi|Dutch|Flemish|Swedish|Turkish|Polish|Vietnamese|Thai|Greek|Hebrew|Danish|Norwegian|Finnish|Czech|Slovak|Hungarian|Romanian|Bulgarian|Ukrainian|Indonesian|Malay|Bengali|Urdu|Swahili|Catalan|Welsh|Tagalog|Persian|Farsi)"
_SPEAK_EN = r"(?:repl(?:y|ied)|answer(?:ed)?|respond(?:ed)?|write|wrote|talk(?:ed)?|speak|spoke|communicate|chat|text|message)"
_LANGUAGE_EN = lazy_pattern(
    rf"\b(?:{_SPEAK_EN}(?:\s+(?:to|with)\s+(?:me|my\s+\w+)|\s+me|\s+everything)?\s+(?:only\s+|back\s+)?in\s+(?:plain\s+|simple\s+)?(?P<a>{_LANGUAGES_EN})|my\s+(?:native|first|preferred|mother|main)\s+(?:language|tongue)\s+is\s+(?:now\s+|actually\s+)?(?P<b>{_LANGUAGES_EN})|"
    rf"i(?:['’]d|\s+would)?\s+(?:really\s+|much\s+)?prefer\s+(?:to\s+(?:speak|write|talk|communicate|chat)\s+(?:in\s+)?|(?:replies|answers|everything|messages|responses|our\s+\w+)\s+in\s+|it\s+in\s+)?(?P<c>{_LANGUAGES_EN})(?:\s+(?:replies|answers))?(?=\s*(?:[.,!;]|please|over|to\s+\w+$|for|$))|(?:i['’]m|i\s+am)\s+(?:much\s+|way\s+|far\s+)?(?:more|most)\s+(?:comfortable|fluent|at\s+ease)\s+(?:in|with)\s+(?P<k>{_LANGUAGES_EN})|(?:change|set|switch)\s+(?:my|the)\s+(?:\w+\s+)?language\s+(?:preference\s+|setting\s+)?to\s+(?P<l>{_LANGUAGES_EN})|(?P<m>{_LANGUAGES_EN})\s+is\s+my\s+(?:native|first|mother|main|preferred)\s+(?:language|tongue)|i(?:['’]d|\s+would)\s+rather\s+(?:(?:you|we)\s+)?(?:talk(?:ed)?|speak|spoke|write|wrote|chat(?:ted)?|communicate|use[d]?)\s+(?:in\s+)?(?P<n>{_LANGUAGES_EN})|i\s+(?:only\s+)?speak\s+(?P<d>{_LANGUAGES_EN})(?!\s*(?:,|and|or|fluently\s+and|as\s+a\s+second))|"
    rf"(?:please\s+)?(?:stick\s+(?:to|with)|switch\s+(?:back\s+)?to|keep\s+to|use|let['’]?s\s+(?:speak|use|switch\s+to|stick\s+to))\s+(?P<e>{_LANGUAGES_EN})(?=\s*(?:[.,!;]|$|please|from\s+now|with\s+me|for\s+me|to\s+me|instead|going\s+forward|when|for\s+(?:all|every|our)|in\s+(?:your|our|all)))|(?:all\s+)?(?:your\s+)?(?:replies|answers|messages)\s+in\s+(?P<f>{_LANGUAGES_EN})|keep\s+(?:it|everything|things|this|our\s+\w+)\s+in\s+(?P<g>{_LANGUAGES_EN})|"
    rf"(?:language\s+(?:setting|preference)?\s*(?:is|:|to)\s*)(?P<h>{_LANGUAGES_EN})|^(?P<j>{_LANGUAGES_EN}),?\s+please\b|^(?P<i>{_LANGUAGES_EN})\s+(?:is|works|would\s+be)\s+(?:fine|easier|better|best|good|more\s+comfortable)\b)",
    re.IGNORECASE,
)
_LANGUAGES_ZH = "(?:简体|繁体|简體|繁體|简体|正體|正体)?(?:中文|汉语|漢語|普通话|普通話|国语|國語|英文|英语|英語|日文|日语|日語|韩文|韩语|韓語|法文|法语|法語|德文|德语|德語|俄语|俄語|西班牙语|西班牙語|葡萄牙语|粤语|粵語|廣東話|广东话|闽南语|台语|台語|客家话|上海话|四川话|意大利语|阿拉伯语|泰语|越南语)"
_LANGUAGE_ZH = lazy_pattern(
    rf"(?:(?:切换|切換|切|换|換|改)成?(?:到|为|為)?(?P<h>{_LANGUAGES_ZH})(?=[，,。！!；;吧]|$)|(?:我)?(?:说|讲|講|說|用)(?P<i>{_LANGUAGES_ZH})(?:比较|比較|更|最)(?:方便|习惯|舒服|顺|好)|(?:请|請|以后|以後|麻烦|麻煩|今后|都|就|还是|還是|尽量|盡量|改|，|最好|您|你|可以|直接|统一|全部|继续|一律|一直|始终|全程|只|永远|都请|先)+(?:用|使用|讲|講|說|说|改用|换成|換成|切成|切换为|切换成|切换到)(?P<a>{_LANGUAGES_ZH})(?!写|翻|的)|我?的?(?:母语|母語|第一语言|常用语言|首选语言|沟通语言|交流语言|回复语言|语言)(?:请|都|帮我|改|设|调|换|选|定)*(?:是|为|設為|设为|成|：|(?<=语))(?P<b>{_LANGUAGES_ZH})|我(?:只|平时|一般|主要|更习惯|习惯|更喜欢|还是)*(?:会)?(?:说|讲|講|說|用)(?P<c>{_LANGUAGES_ZH})(?=(?:沟通|交流|聊天|说话|跟你聊)?(?:[，,。.！!；;]|$))|"
    rf"(?:跟我|和我|对我|對我|同我)(?:说话|沟通|交流)?(?:请|就|都|用|讲|講|说|說|尽量)+(?P<d>{_LANGUAGES_ZH})|(?:回复|回覆|回答|答复|沟通|交流)(?:我)?(?:时|的时候|都|请|就|一律|全部|尽量)*(?:用|使用)(?P<e>{_LANGUAGES_ZH})|(?P<j>{_LANGUAGES_ZH})(?:才)?是我(?:的)?母语|(?:和|跟|同|对)我(?:都|请|要|得)*(?:说|讲|用|打)(?P<k>{_LANGUAGES_ZH})|(?:回|回复|答)我(?:都|请|要|得|的时候)*(?:用|说)(?P<l>{_LANGUAGES_ZH})|^(?:用|说|讲|講|說)(?P<f>{_LANGUAGES_ZH})(?:吧|就行|就好|就可以|跟我说|和我说|回复我?|回我|交流|沟通)|^(?P<g>{_LANGUAGES_ZH})(?:回复|沟通|交流)(?:我)?(?:就行|就好|即可|吧)?)"
)
_ABOUT_A_TEXT = lazy_pattern(
    r"文件名|注释|变量|代码|界面|菜单|字幕|标签|翻译|翻譯|写[一封篇个份]|寫[一封篇個份]|邮件|作文|这[段句篇]|這[段句篇]|那[段句篇]|标题|文案|怎么[说讲]|\b(?:translate|letter|essay|e-?mail\s+to|this\s+(?:text|paragraph|sentence)|subtitles)\b",
    re.IGNORECASE,
)
_ZONE = (
    r"(?P<{0}>(?:UTC|GMT)\s?(?:[+＋−–-]\s?\d{{1,2}}(?::\d\d)?)?|[A-Z][A-Za-z]+/[A-Z][A-Za-z_]+|(?:US\s+)?(?:Eastern|Central|Pacific|Mountain|Atlantic)(?:\s+(?:Standard|Daylight|European))?\s+Time|(?:Central|Eastern|Western)\s+European\s+(?:Summer\s+)?Time|(?-i:(?:CES?T|[ECMP][SD]?T|BST|JST|KST|IST|AE[SD]T|NZ[SD]T|SGT|HKT|EE[SD]?T|WES?T|MSK|WIB))\b|"
    r"(?-i:[A-Z][a-z]+(?:\s[A-Z][a-z]+)?)\s+time(?=\s*(?:[.,!;]|zone|$))|[东東西]\s?[一二三四五六七八九十\d]+\s?(?:时区|時區|区|區)|(?<=[是为成按用到])[\u4e00-\u9fff]{{2,8}}(?:时间|时区)(?=[了吧，,。！!；;]|来|$)|(?:北京|东京|東京|伦敦|倫敦|纽约|紐約|巴黎|柏林|悉尼|首尔|新加坡|莫斯科|美东|美東|美西|美中|太平洋|格林尼治|香港|台北|洛杉矶|迪拜)(?:时间|時間|時區|时区))"
)
_TIME_ZONE = lazy_pattern(
    r"(?:(?:^|[,;]\s*)(?:time\s?zone|tz)\s*(?:is|:|=)\s*|\bmy\s+(?:local\s+)?(?:time\s?zone|zone)\s*(?:is|:|has\s+changed\s+to|changed\s+to|will\s+be)\s+(?:now\s+|actually\s+)?|\b(?:i(?:['’]m|\s+am)|we['’]re|we\s+are)\s+(?:now\s+|currently\s+)?(?:on|in|at)\s+(?:the\s+)?|\b(?:use|set|switch|change)\s+(?:my\s+(?:time\s?zone|clock|calendar)\s+)?(?:to\s+)?|\b(?:(?:times?|meetings?|everything|hours)\s+(?:(?:are|is|should\s+be|always)\s+)?in\s+|i\s+(?:work|live|operate)\s+(?:on|in)\s+)|"
    r"(?:我(?:的|所在的?|这边的?|們的?|们的?)?)?(?:时区|時區)(?:现在|改)*(?:是|为|為|成|在|按|：|:|用|設|设|(?<=区))+(?:成|为|為)?\s*|(?:时间|時間|会议|日程|提醒|安排|排期|约会议?)(?:都|请|统一|一律|就)*(?:按|用|以)照?\s*|(?:^|[，,])(?:请|都|就|统一|一律)*(?:按|用)照?\s*(?=[\u4e00-\u9fff]{1,4}(?:时间|時間|时区))|我(?:现在|們|们)*(?:这边|這邊|这里|人)*(?:在|是|用的?是?|按|走)\s*)"
    + _ZONE.format("zone"),
    re.IGNORECASE,
)
_BIRTHDAY = lazy_pattern(
    r"\bmy\s+b(?:irth)?day(?:['’]s|\s+is|\s+falls)\b|\bi(?:['’]m|\s+was)\s+born\b|\bi(?:['’]ll|\s+will)?\s+(?:turn(?:ing)?|be)\s+\d+\b|\bi['’]m\s+turning\s+\d+\b|\b(?:date\s+of\s+birth|dob|birthday)\s*(?:is|:)|\bis\s+my\s+birthday\b|\bmy\s+birthday\b|"
    r"我(?:的)?(?:阳历|农历|公历|身份证上?的?)?(?:生日|出生日期)|生日|出生|生于|生於|[日号號]生的",
    re.IGNORECASE,
)
_NO_BIRTHDAY = lazy_pattern(
    r"生日(?:快乐|蛋糕|会|派对|礼物|聚会|歌|卡|贺卡|趴)|birthday\s+(?:party|cake|present|gift|card|wishes|dinner)|happy\s+birthday",
    re.IGNORECASE,
)
_LUNAR = lazy_pattern(r"农历|農曆|阴历|陰曆")
_MINE_ZH = lazy_pattern(r"我|本人|身份证|^\s*(?:生日|出生)")


def find(statement: Statement) -> Iterator[Found]:
    """Yield what the sentence says about language, time zone and birthday."""
    text = statement.text
    if not _ABOUT_A_TEXT.search(text):
        yield from language(statement)
    if match := _TIME_ZONE.search(text):
        zone = match["zone"].strip()
        yield field_found("user_profile", "time_zone", zone, match.span())
    yield from _birthday(statement)


def language(statement: Statement) -> Iterator[Found]:
    """Yield the language the speaker wants to be answered in."""
    if statement.english and (match := _LANGUAGE_EN.search(statement.text)):
        confidence = 0.7 if match["d"] else 0.9
        value = next(group for group in match.groups() if group)
        yield field_found("user_profile", "language", value, match.span(), confidence=confidence)
    elif statement.chinese and (match := _LANGUAGE_ZH.search(statement.text)):
        confidence = 0.7 if match["c"] else 0.9
        value = next(group for group in match.groups() if group)
        yield field_found("user_profile", "language", value, match.span(), confidence=confidence)


def _birthday(statement: Statement) -> Iterator[Found]:
    """The day of a sentence that speaks of the speaker's birth; without a year when none was said."""
    told = _BIRTHDAY.search(statement.text)
    if (
        told is None
        or _NO_BIRTHDAY.search(statement.text)
        or (statement.chinese and not _MINE_ZH.search(statement.text))
    ):
        return
    for time in statement.past_times:
        between = statement.text[min(told.end(), time.span[1]) : max(told.start(), time.span[0])]
        written = statement.text[slice(*time.span)]
        if time.kind != "day" or len(between) > 20 or not re.search(r"\d|[一二三四五六七八九十]", written):
            continue
        if _LUNAR.search(statement.text[: time.span[0]]) and "阳历" not in statement.text:
            continue
        has_year = bool(re.search(r"\d{4}|[二一][〇零九]", written))
        value = time.day.isoformat() if has_year else f"--{time.day:%m-%d}"
        span = (min(told.start(), time.span[0]), max(told.end(), time.span[1]))
        yield field_found("user_profile", "birthday", value, span, confidence=0.95)
        return
