"""What the speaker is called."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memoryhub.language.patterns import lazy_pattern
from memoryhub.writing.rules.statement import Found, Statement, field_found

_WORD = r"[A-ZÀ-Þ][\w'’.-]{0,24}"
_FULL = (
    rf"{_WORD}(?:\s+(?:(?:de|del|della|di|da|dos|van|von|der|den|bin|ibn|al|el|la|le|ter)\b|{_WORD})){{0,4}}"
)
_CALLED_EN = lazy_pattern(
    r"\b(?i:my\s+(?:full\s+|real\s+|first\s+|new\s+|legal\s+|preferred\s+)?name(?:\s+is|['’]s)(?:\s+(?:spelled|spelt|now|actually|written))*|(?:the\s+)?name(?:['’]s|\s+is)|(?:please\s+)?(?:just\s+)?(?:you\s+can\s+)?call\s+me|"
    r"(?:every(?:body|one)|people|friends|they\s+all|most\s+people|colleagues)\s+(?:just\s+)?(?:calls?\s+me|knows?\s+me\s+as)|i\s+(?:have\s+|['’]ve\s+)?changed\s+my\s+name\s+to|i\s+(?:am|['’]m)\s+(?:called|known\s+as)|i['’]m\s+called|i\s+go\s+by|"
    r"i(?:\s+would|['’]d)?\s+(?:prefer|like)\s+to\s+be\s+called|address\s+me\s+as|my\s+name\s+has\s+changed\s+to)\s+"
    rf"(?i:now\s+|actually\s+)?(?P<name>{_FULL})"
)
_BARE_EN = lazy_pattern(
    r"^(?i:i['’]m|i\s+am)\s+(?P<name>[A-Z][a-z]{2,14})(?=\s*(?:,\s*(?i:by\s+the\s+way|btw|nice|your|the\s+new|a\s+new)|\.?\s*(?i:nice|pleased)\s+to))"
)
_GREETED_EN = lazy_pattern(
    rf"^(?i:hi|hello|hey|good\s+(?:morning|afternoon|evening|day))(?i:\s+(?:there|all|everyone|team|folks))?[\s,.!–-]+(?i:i['’]m|i\s+am|this\s+is|it['’]s)\s+(?P<name>{_WORD}(?:\s+{_WORD}){{0,2}})(?=\s*(?:[.,!–-]|$|(?i:and|here|from|speaking|at|with|again)\b))"
)
_FIRST_EN = lazy_pattern(
    rf"^(?i:i['’]m|i\s+am)\s+(?P<name>{_WORD}(?:\s+{_WORD})?)(?=\s*(?:,|\band\b|\()\s*(?i:i\s|i['’]|an?\s|the\s|and\s|from\s|based\s|living\s|working\s|\d|your\s|my\s|new\s|currently\s|originally\s|calling|writing|here))"
    rf"|(?:^|[.,;]\s*)(?i:(?:full\s+|first\s+|legal\s+|preferred\s+|customer\s+|contact\s+|account\s+)?name)\s*(?i::|is|=)\s*(?P<name2>{_FULL})(?=\s*(?:[.,;!]|$))|^(?P<name8>{_WORD})\s+(?i:is\s+my\s+name)\b|^(?i:hi|hey|hello|good\s+\w+)(?i:\s+(?:there|all|team))?[\s,!.]+(?P<name6>{_WORD}(?:\s+{_WORD})?)\s+(?i:here|speaking)\b|\b(?i:(?:booking|reservation|order|account|table|appointment|it)(?:\s+is|['’]s)?\s+under(?:\s+the\s+name(?:\s+of)?)?)\s+(?P<name7>{_FULL})|\b(?i:(?:it['’]s|signed),?)\s+(?P<name3>{_WORD})\s+(?i:here)\b|\b(?i:you\s+can|just|please)\s+(?i:use|write|put|say)\s+(?P<name4>{_FULL})\s+(?i:as|for)\s+(?i:my|the)\s+(?i:full\s+)?(?i:name)\b|\b(?i:i\s+(?:was\s+)?(?:legally\s+)?(?:changed|renamed)\s+(?:to|it\s+to|myself))\s+(?P<name5>{_FULL})"
)
_SPEAKING_EN = lazy_pattern(
    rf"^(?i:this\s+is|it['’]s)\s+(?P<name>{_WORD}(?:\s+{_WORD}){{0,2}})(?=\s+(?i:here|speaking|from\s+the|again)\b)|^(?P<name2>{_WORD}(?:\s+{_WORD}){{0,2}})\s+(?i:speaking\b(?=\s*[,.!–-])|here(?=,\s))|^(?i:i['’]m|i\s+am)\s+(?P<name3>{_WORD}\s+{_WORD})(?=\s*(?:[.,!]|$))"
)
_LOWER_EN = lazy_pattern(
    r"\bmy\s+name(?:\s+is|['’]s)\s+(?P<name>[a-z][a-z'-]{1,20}(?:\s+[a-z][a-z'-]{1,20})?)\s*(?=[.,!;]|$)|\b(?:call\s+me|i\s+go\s+by)\s+(?P<name2>[a-z][a-z'-]{1,20})\s*(?=[.,!;]|$)",
    re.IGNORECASE,
)
_NO_NAME_EN = lazy_pattern(
    r"(?:I['’]?m|I|It['’]?s|It|This|That|We|Is|Am|Someone|Anyone|Same|Look\w*|Right|Over|Still|Almost|Nothing|All|New|Stuck|Everything|Nobody|Everyone|Up|Down|Out|Almost|Been|Down|Glad|Good|Back|Later|When|If|Tomorrow|Today|On|At|A|An|The|Crazy|Old|Not|Actually|After|Before|By|In|Again|Maybe|Anytime|Once|Any|Another|Very|So|From|German|French|English|American|British|Chinese|Spanish|Indian|Canadian|Australian|Italian|Brazilian|Mexican|Dutch|Belgian|Swiss|Swedish|Danish|Norwegian|Finnish|Polish|Russian|Ukrainian|Turkish|Japanese|Korean|Vietnamese|Irish|Scottish|Welsh|Austrian|Portuguese|Greek|Hungarian|Romanian|Czech|African|Asian|European|Latina?|Buddhist|Hindu|Aries|Taurus|Gemini|Leo|Virgo|Libra|Scorpio|Capricorn|Aquarius|Pisces|VIP|Gold|Silver|Platinum|Diamond|CEO|CTO|Head|Vegan|Vegetarian|Retired|Married|Single|Catholic|Christian|Muslim|Jewish|Great|Good|Sure|Sorry|Nice|Just|Thanks|Please|What|Oh|Wow|Cool|Hard|Easy|My|Our|Your|Clear|Important|Spelled|Written|Taken|Mud|Irrelevant|Different)\b",
    re.IGNORECASE,
)
_OF_ANOTHER_EN = lazy_pattern(
    r"(?:['’]s|\b(?:his|her|its|their|your|the|pet|dog|cat|company|product|project|file|brand|user|last|middle|team|domain|band|shop|store))\s+$",
    re.IGNORECASE,
)
_END_ZH = (
    r"(?:就行了?|就好了?|就可以了?|就成|吧|即可|好了|哈|呀|啊|了)?\s*(?=[，,。.！!；;、（(]|(?:而)?不是|$)"
)
_CALLED_ZH = lazy_pattern(
    r"(?:我(?:现在|現在)?叫做?|我(?:已经|現在|现在)?改名(?:叫|为|成|為)了?|(?:我)?(?:改名字?|换名字|改姓)了?[，,](?:我)?(?:现在|以后|如今)?叫|我姓[\u4e00-\u9fff]{1,2}[，,]\s*(?:我)?(?:名字)?叫|我(?:的)?(?:名字|全名|姓名|大名|本名|真名|英文名字?|中文名字?|小名|昵称|网名)(?:就)?(?:现在)?(?:叫做?|是|改成了?|改为|[：:])|(?:我|^|[，,])(?:的)?(?:全名|大名|本名|真名|全称|正式名字?)(?:就)?(?:叫做?|是|为)?|我(?:给自己|正式)?(?:改|更)名(?:叫|为|成)了?|本人(?:姓名|名字)?叫做?|我这边叫|(?:^|[，,。])(?:姓名|名字|称呼|(?:英文|中文)名字?)(?:就)?(?:是|叫|[：:])\s*|(?:^|[，,。])(?:联系人|收件人|收货人|签名|署名|用户名)(?:是|叫|[：:])?\s*(?=[王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾魏薛叶余潘杜戴夏钟汪田任姜范方石姚谭廖邹熊金陆孔白崔康秦江史顾侯邵孟龙段汤尹黎易武乔贺赖龚A-Z][\u4e00-\u9fffa-z]{1,3}(?=[，,。！!]|$))|"
    r"(?:请|請|以后|以後|今后|您|你们|你|可以|就|都|直接|麻烦)+(?:叫|称呼|稱呼|喊)我(?:为|為|作|做)?|^(?:叫|称呼|稱呼|喊)我(?:为|為|作|做)?|(?:大家|别人|別人|朋友们?|同事们?|家里人|身边人|他们)(?:都|一般|平时|平時)*(?:叫|喊|称呼|管)我(?:叫|做|为)?|(?:我)?(?:签名|署名|落款|抬头|收件人|联系人)(?:请|就|都)?(?:写|用|填|是|叫)|(?:可以|就)?(?:管我叫|喊我|唤我))"
    rf"(?P<name>[\u4e00-\u9fff·]{{1,6}}?|[\u4e00-\u9fff]{{1,3}}[A-Za-z]{{1,10}}|[A-Z][A-Za-z .'-]{{1,24}}?){_END_ZH}"
)
_SURNAMES = "王李张張刘劉陈陳杨楊赵趙黄黃周吴吳徐孙孫胡朱高林何郭马馬罗羅梁宋郑鄭谢謝韩韓唐冯馮于董萧蕭肖程曹袁邓鄧许許傅沈曾彭吕呂苏蘇卢盧蒋蔣蔡贾丁魏薛叶葉阎余潘杜戴夏钟鍾汪田任姜范方石姚谭廖邹熊金陆陸郝孔白崔康毛邱秦江史顾顧侯邵孟龙龍万段雷钱錢汤尹黎易常武乔贺赖龚文"
_IS_ZH = lazy_pattern(
    rf"^(?:你好|您好|嗨|哈喽|大家好)?[，,！!。]?\s*(?:我是|我就是|这里是)(?P<name>[{_SURNAMES}][\u4e00-\u9fff]{{1,2}})(?:啊|呀|哈)?(?=[，,。！!]|$)"
)
_NO_NAME_ZH = lazy_pattern(
    r"^(?:了|不|没|你|他|她|它|车|外卖|快递|滴滴|救护车|人|客服|什么|啥|一声|一下|起床|过去|过来|去|来|做|别|先|再|哥们|出租车|服务员|老师|同事|朋友|个|这|那|公司|一[个辆]|大家|起来|的|是)|[吗嗎呢？?]$"
)
_NOT_A_NAME_ZH = lazy_pattern(
    r"高[中管层手校]|金融|白[领人]|方[便案]|文[员科]|马上|常[客住年]|石油|[人员員生师師手家民商长長工客者区州友]$|江[苏西]|周[末一二三四五六日边]|万[一分]|田间|黄金|白金|任何|于是|武汉|康复|龙头|雷[打锋]|任意|段子|曾经"
)
_ORDERED_ZH = lazy_pattern(r"(?:帮|幫|给|給|替)我叫|叫我(?:去|来|做|起|先|别|不|回|走|过)")


def find(statement: Statement) -> Iterator[Found]:
    """Yield the name the speaker gives himself, at most one a sentence."""
    found = None
    if statement.english:
        found = _english(statement.text)
    if found is None and statement.chinese:
        found = _chinese(statement.text)
    if found:
        yield found


def _english(text: str) -> Found | None:
    match = (
        _CALLED_EN.search(text)
        or _GREETED_EN.search(text)
        or _FIRST_EN.search(text)
        or _SPEAKING_EN.search(text)
        or _LOWER_EN.search(text)
    )
    match = match or _BARE_EN.search(text)
    if match is None:
        return None
    name = next(value for group, value in match.groupdict().items() if value and group.startswith("name"))
    name = name.strip(" .,'’")
    if _NO_NAME_EN.match(name) or _OF_ANOTHER_EN.search(text[: match.start()]):
        return None
    return field_found("user_profile", "name", name, match.span(), confidence=0.95)


def _chinese(text: str) -> Found | None:
    match = _CALLED_ZH.search(text)
    if match and not _ORDERED_ZH.search(text) and not _NO_NAME_ZH.search(match["name"]):
        return field_found("user_profile", "name", match["name"].strip(), match.span(), confidence=0.95)
    match = _IS_ZH.search(text)
    if match and not _NOT_A_NAME_ZH.search(match["name"]):
        return field_found("user_profile", "name", match["name"], match.span("name"), confidence=0.9)
    return None
