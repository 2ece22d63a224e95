"""Who the speaker is: name, place, language, time zone, work, birthday, pets, the way to work, membership."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memoryhub.writing.rules.statement import Found, Statement, field_found
from memoryhub.writing.rules.wording import object_en, object_zh

_NAME_WORD = r"[A-ZÀ-Þ][\w'’.-]{0,24}"
_NAME_EN = re.compile(
    rf"\b(?:(?i:my\s+(?:full\s+|real\s+|first\s+)?name\s*(?:is|['’]s)|(?:please\s+)?(?:just\s+)?call\s+me|i\s+(?:have\s+|['’]ve\s+)?changed\s+my\s+name\s+to|i\s+am\s+called|i['’]m\s+called|i\s+go\s+by)\s+(?:now\s+|actually\s+)?)(?P<name>{_NAME_WORD}(?:\s+(?:de|van|von|bin|al|{_NAME_WORD})){{0,3}})"
)
_GREETED_NAME_EN = re.compile(
    rf"^(?i:hi|hello|hey)(?i:\s+(?:there|all|everyone|team))?[\s,.!]+(?i:i['’]m|i\s+am|this\s+is)\s+(?P<name>{_NAME_WORD}(?:\s+{_NAME_WORD}){{0,2}})\s*(?:[.,!]|$)"
)
_LOWER_NAME_EN = re.compile(
    r"\bmy\s+name\s+is\s+(?P<name>[a-z][a-z'-]{1,20}(?:\s+[a-z][a-z'-]{1,20})?)\s*(?=[.,!;]|$)", re.IGNORECASE
)
_NAME_ZH = re.compile(
    r"(?:我叫|我(?:已经)?改名(?:叫|为|成)|我姓[\u4e00-\u9fff]{1,2}[，,]\s*(?:我)?叫|我(?:的)?(?:名字|全名|姓名|大名)(?:就)?(?:叫做?|是)|本人叫|(?:请|請|以后|以後)?(?:你|您)?(?:可以|就)?(?:叫|称呼|稱呼|喊)我(?:为|為|作|做)?)(?P<name>[\u4e00-\u9fff·]{1,6}?|[A-Z][A-Za-z .'-]{1,24}?)(?:就行|就好|就可以|吧|即可|好了|哈|呀|啊|了)?\s*(?=[，,。.！!；;、（(]|$)"
)
_NO_NAME_ZH = re.compile(
    r"^(?:了|不|没|你|他|她|它|车|外卖|快递|滴滴|救护车|人|客服|什么|啥|一声|一下|起床|过去|过来|去|来|做|别|先|再|哥们|出租车|服务员|老师|同事|朋友)"
)
_PLACE_WORD = r"(?:[A-ZÀ-Þ][\w'’.-]*|of|de|la|le|do|da|del|am|an|upon|the)"
_PLACE_EN = re.compile(
    rf"\b(?i:i\s+(?:(?:now|currently|still|actually|just|recently|have|['’]ve)\s+)*(?P<verb>live\s+in|live\s+near|reside\s+in|am\s+based\s+in|am\s+living\s+in|moved\s+(?:\w+\s+)?to|relocated\s+to|have\s+moved\s+to|settled\s+in)|i['’]m\s+(?:now\s+|currently\s+|still\s+)*(?P<verb2>based\s+in|living\s+in)|i['’]ve\s+(?:just\s+|recently\s+)?(?P<verb3>moved\s+to|relocated\s+to)|we\s+(?:now\s+)?(?P<verb4>live\s+in)|(?:my\s+(?:home\s+)?(?:city|town|location)|my\s+hometown)\s+is\s+(?:now\s+)?)\s*(?P<place>(?-i:[A-ZÀ-Þ][\w'’.-]*(?:(?:,)?\s+{_PLACE_WORD}){{0,4}}))"
)
_PLACE_LOWER_EN = re.compile(
    r"\bi\s+(?:now\s+|currently\s+)?(?:live\s+in|am\s+based\s+in|moved\s+to)\s+(?P<place>[a-z]{3,20}(?:\s+[a-z]{3,20})?)\s*(?=[.,!;]|\bnow\b|$)"
)
_NO_PLACE_EN = re.compile(
    r"(?:a|an|the|my|our|this|that|it|his|her|their|fear|hope|peace|constant|[Pp]ython|[Rr]ust|[Jj]ava|[Pp]lan|[Oo]ption|[Nn]ode|[Gg]o|here|there|with|next|last|what|new|another|bed|tears|town|style)\b"
)
_PLACE_TAIL = re.compile(r"\s+(?:The|And|But|So|In|On|At|Last|Next|For|With|Now|of|the|da|la|an|am|I)$|[.,]$")
_DATE_WORD = re.compile(
    r"\s+(?:Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|January|February|March|April|May|June|July|August|September|October|November|December)\b.*$"
)
_PLACE_ZH = re.compile(
    r"(?:我(?:和|跟)[^，,。]{1,8}都|我(?:们|們)?(?:家)?(?:现在|現在|目前|如今|已经|已經|刚刚?|剛剛?|最近|上周|上週|上个月|上個月|去年|昨天|今年|一直|平时|常年|其实|也|都|就|是|一家|全家|\d+月)*|^(?:现在|現在|目前|最近|刚刚?|已经|已經|上周|上个月|去年|昨天|今年)*|[，,](?:现在|現在|目前|最近|刚刚?|已经|已經)*)"
    r"(?P<verb>住在|居住在|常住在?|定居在?(?:了)?|搬家?(?:到|去|来|來|至)了?|搬回了?|移居到?了?)(?P<place>[\u4e00-\u9fffA-Za-z· ]{2,14}?)(?:了|这边|這邊|那边|那邊|生活|居住|住了?.*|啦|呢)?\s*(?=[，,。.！!；;：:、（(]|$)"
)
_PLACE_IN_ZH = re.compile(
    r"(?:我|^|[，,])(?:现在|現在|目前|平时|人)*在(?P<place>[\u4e00-\u9fff]{2,6}?)(?:定居|居住|生活|住)(?:了|着)?(?:.{0,5}年)?\s*(?=[，,。.！!；;]|$)"
)
_NO_PLACE_ZH = re.compile(
    r"[楼樓层層号號室]|酒店|宾馆|賓館|附近|旁边|隔壁|宿舍|这里|這裡|这儿|那里|那儿|哪|一起|公司|学校|家里|医院|朋友|父母|同事|新家|新房|乡下|郊区|别墅|会议|方案|项目|客户|后面|前面|下周|下个月|一个|他|她|你"
)
_ADDRESS_LIKE_ZH = re.compile(r"[路街道巷弄号號栋棟幢单元室]|小区|小區|花园|公寓")

_LANGUAGES_EN = "English|Chinese|Mandarin|Cantonese|Spanish|French|German|Portuguese|Italian|Japanese|Korean|Russian|Arabic|Hindi|Dutch|Swedish|Turkish|Polish|Vietnamese|Thai|Greek|Hebrew|Danish|Norwegian|Finnish|Czech|Hungarian|Ukrainian|Indonesian|Malay|Bengali|Urdu|Swahili"
_LANGUAGE_EN = re.compile(
    rf"\b(?:(?:please\s+)?(?:always\s+)?(?:reply|answer|respond|write|talk|speak)(?:\s+to\s+me)?\s+(?:only\s+)?in\s+(?P<a>{_LANGUAGES_EN})|my\s+(?:native|first|preferred|mother|main)\s+(?:language|tongue)\s+is\s+(?:now\s+|actually\s+)?(?P<b>{_LANGUAGES_EN})|i\s+prefer\s+(?:to\s+(?:speak|write|talk|communicate)\s+(?:in\s+)?|(?:replies|answers)\s+in\s+)?(?P<c>{_LANGUAGES_EN})(?:\s+(?:replies|answers))?(?=\s*(?:[.,!;]|please|$))|i\s+(?:only\s+)?speak\s+(?P<d>{_LANGUAGES_EN})(?!\s*(?:,|and|or|fluently\s+and)))\b",
    re.IGNORECASE,
)
_LANGUAGES_ZH = "中文|汉语|漢語|普通话|普通話|国语|國語|英文|英语|英語|日文|日语|日語|韩文|韩语|韓語|法文|法语|法語|德文|德语|德語|俄语|俄語|西班牙语|西班牙語|葡萄牙语|粤语|粵語|廣東話|广东话|闽南语|上海话|四川话|意大利语|阿拉伯语|泰语|越南语"
_LANGUAGE_ZH = re.compile(
    rf"(?:(?:请|請|以后|以後|麻烦|今后|都|就|还是|尽量|改|，)+(?:用|使用|讲|說|说|改用)(?P<a>{_LANGUAGES_ZH})(?:来|跟我|和我|给我|回复|回覆|回答|答复|交流|沟通|溝通|说|写|跟我说|就行|吧|即可|聊)*|我的?(?:母语|母語|第一语言|常用语言|首选语言)(?:是|为)(?P<b>{_LANGUAGES_ZH})|我(?:只|平时|一般|主要)?(?:会)?(?:说|讲|講|說|用)(?P<c>{_LANGUAGES_ZH})(?=[，,。.！!；;]|$))"
)
_TIME_ZONE = re.compile(
    r"(?:\bmy\s+time\s?zone\s+is\s+(?:now\s+)?|\bi(?:['’]m|\s+am)\s+(?:now\s+)?in\s+(?:the\s+)?(?=(?:utc|gmt|[a-z]+/[a-z_]+|[a-z]{2,5}\s+time\s?zone|(?:eastern|central|pacific|mountain)\s+time))|我(?:的|所在的?)?(?:时区|時區)(?:现在|改)?(?:是|为|為|成|在)\s*|我(?:现在)?在\s*(?=东[一二三四五六七八九十]+区|西[一二三四五六七八九十]+区|UTC|GMT))"
    r"(?P<zone>(?:UTC|GMT)\s?[+-]?\s?\d{0,2}(?::\d\d)?|[A-Z][A-Za-z]+/[A-Z][A-Za-z_]+|(?:Eastern|Central|Pacific|Mountain)\s+(?:Standard\s+|Daylight\s+)?Time|[A-Z]{2,5}(?=\s*(?:time\s?zone|[.,!;]|$))|[东西][一二三四五六七八九十]+区|北京时间|北京時間)",
    re.IGNORECASE,
)
_AT = re.compile(r"\s+(?:at|in|for|with|on)\s.*$", re.IGNORECASE)
_JOBS_EN = r"(?:\w+\s+){0,2}(?:engineer|developer|programmer|teacher|nurse|doctor|lawyer|accountant|designer|architect|scientist|researcher|manager|consultant|analyst|student|writer|journalist|chef|cook|electrician|plumber|pilot|driver|photographer|artist|musician|professor|pharmacist|dentist|vet|veterinarian|translator|editor|librarian|mechanic|carpenter|farmer|social\s+worker|therapist|counsel(?:l)?or|salesperson|recruiter|administrator|technician|barista|baker|paramedic|firefighter|police\s+officer|product\s+owner|project\s+lead)"
_JOB_EN = re.compile(
    rf"\b(?:i\s+(?:now\s+|currently\s+)?work\s+as\s+(?:an?\s+|the\s+)?(?P<a>[a-z][\w -]{{2,40}})|(?:i\s+am|i['’]m)\s+(?:now\s+|currently\s+)?an?\s+(?P<b>{_JOBS_EN})\b|my\s+(?:new\s+|current\s+)?(?:job|occupation|profession)\s+is\s+(?:now\s+)?(?:an?\s+)?(?P<c>[a-z][\w -]{{2,40}}))",
    re.IGNORECASE,
)
_JOB_ZH = re.compile(
    r"我(?:现在|現在|目前)?(?:的职业|的職業|的工作)?(?:是|当|當)(?:一名|一个|一個|个|個|名|一位|做)?(?P<job>[\u4e00-\u9fffA-Za-z]{0,8}?(?:工程师|工程師|程序员|程序員|开发者|设计师|設計師|老师|老師|教师|教師|医生|醫生|护士|護士|律师|律師|会计师?|會計師?|产品经理|產品經理|项目经理|经理|经理人|销售|顾问|顧問|分析师|学生|學生|研究员|记者|記者|厨师|廚師|司机|司機|摄影师|翻译|编辑|架构师|运营|教练|药剂师|公务员|建筑师))\s*(?=[，,。.！!；;]|$)"
)
_EMPLOYER_EN = re.compile(
    r"\b(?:(?i:i\s+(?:now\s+|currently\s+|still\s+)?work\s+(?:at|for)|i\s+(?:just\s+|recently\s+|have\s+)?joined|i['’]ve\s+joined|i\s+(?:just\s+|recently\s+)?(?:got|started|have)\s+a\s+(?:new\s+)?job\s+at|i(?:['’]m|\s+am)\s+(?:now\s+)?employed\s+(?:at|by)|my\s+(?:company|employer)\s+is))\s+(?P<name>[A-ZÀ-Þ][\w&'’.-]*(?:\s+(?:[A-ZÀ-Þ&][\w&'’.-]*|of)){0,4})"
)
_EMPLOYER_ZH = re.compile(
    r"我(?:现在|現在|目前|已经|刚|就)*(?:在|跳槽到了?|加入了?|入职了?|入職了?|供职于|就职于|任职于)(?P<name>[\u4e00-\u9fffA-Za-z0-9]{2,16}?)(?:上班|工作|任职|就职|做事|当\S{1,8}|(?<=公司)|(?<=集团)|(?<=银行)|(?<=科技)|(?<=大学)|(?<=医院))(?:了)?\s*(?=[，,。.！!；;]|$)"
)
_NO_EMPLOYER_ZH = re.compile(
    r"^(?:家|外面|外地|公司|这|那|单位|楼|附近|北京|上海|深圳|广州|杭州|成都|办公室|户外|晚上|白天|周末|学校|医院|银行|工厂|国外|海外)$|^(?:一家|一个|某|那家|这家|任何|各种|各種|电脑|手机)|[楼层上里]$"
)
_BIRTHDAY = re.compile(
    r"\bmy\s+birthday\s+is\s+(?:on\s+)?|\bi\s+was\s+born\s+on\s+|我(?:的)?(?:生日|出生日期)(?:是|在|：|:)?\s*|我(?:是)?(?=(?:19|20)?\d{0,4}\s*年?\s*\d{1,2}\s*月\s*\d{1,2}\s*[日号號]\s*(?:出生|生的|生日))",
    re.IGNORECASE,
)
_PETS_EN = r"dogs?|cats?|parrots?|tortoises?|turtles?|hamsters?|rabbits?|bunny|bunnies|goldfish|guinea\s+pigs?|snakes?|lizards?|geckos?|horses?|pony|ponies|ferrets?|kittens?|puppy|puppies|budgies?|canary|canaries|hedgehogs?|iguanas?|chinchillas?|retriever|labrador|poodle|beagle|corgi|budgerigars?|cockatiels?"
_PET_EN = re.compile(
    rf"\b(?:i|we)\s+(?:now\s+|also\s+|just\s+|recently\s+|currently\s+)?(?:keep|have|own|adopted|got|have\s+got)\s+(?:an?|one|two|three|four|five|\d)\s+(?P<pet>(?:[a-z-]+\s+){{0,2}}(?:{_PETS_EN}))\b(?!\s+(?:allergy|phobia|person|bed|house|walker|food|toy|show|shelter))",
    re.IGNORECASE,
)
_PET_ZH = re.compile(
    r"(?:我|我家|我们家|家里|家裡|我們家|^)(?:现在|現在|里|还|還|又|也|刚|剛|最近|新)*(?:养了?|養了?|领养了?|領養了?|有了?)(?:着|著)?(?:一|两|兩|二|三|四|五|\d)?(?:只|隻|条|條|匹|头|頭|缸|对|個|个)(?P<pet>[\u4e00-\u9fff]{0,6}?(?:鹦鹉|鸚鵡|猫咪?|貓咪?|狗狗?|犬|乌龟|烏龜|龟|仓鼠|倉鼠|兔子|金鱼|金魚|热带鱼|鱼|魚|鸟|鳥|蛇|蜥蜴|马|馬|豚鼠|荷兰猪|龙猫|刺猬|柯基|金毛|布偶|橘猫|八哥|文鸟|守宫))"
)
_COMMUTE_EN = re.compile(
    r"\bi\s+(?:(?:now|usually|always|normally|mostly|typically|currently|just)\s+)*(?:(?:take|catch|ride|use|get)\s+(?:the\s+|a\s+|my\s+)?(?P<a>train|bus|subway|metro|tube|tram|ferry|bike|bicycle|scooter|car|underground|taxi|motorbike|shuttle)|(?P<b>drive|walk|cycle|bike|run|carpool))\s+(?:in\s+)?to\s+(?:work|the\s+office|my\s+office)|\bi\s+(?:now\s+)?commute\s+(?:to\s+work\s+)?by\s+(?P<c>[a-z]+)|\bmy\s+commute\s+is\s+(?:now\s+)?by\s+(?P<d>[a-z]+)",
    re.IGNORECASE,
)
_COMMUTE_ZH = re.compile(
    r"(?:我|^|[，,])(?:现在|現在|每天|平时|平時|都|一般|通常|最近|如今|已经|改|就|是|又|开始|開始)*(?P<how>(?:坐|乘|搭|骑|騎|开|開|打)(?:着)?(?:地铁|地鐵|公交车?|公交|巴士|火车|火車|高铁|高鐵|城铁|轻轨|电动车|電動車|电瓶车|自行车|自行車|单车|單車|摩托车|车|車|出租车|班车|轮渡|捷運)|走路|步行|跑步|拼车|打车)(?:去)?(?:上下班|上班|通勤|去公司|到公司)|通勤方式(?:是|改为|改成|换成|为)(?P<how2>[\u4e00-\u9fff]{2,8})"
)
_MEMBER_EN = re.compile(
    r"\b(?:i\s+am|i['’]m)\s+(?:now\s+|already\s+)?an?\s+(?P<a>vip|gold|silver|platinum|diamond|premium|black|elite|basic|bronze)\s*(?:card\s*)?(?:member|customer|client|holder|guest|user)?\b|\bmy\s+membership\s+(?:level\s+|tier\s+)?is\s+(?:now\s+)?(?P<b>[a-z]+)",
    re.IGNORECASE,
)
_MEMBER_ZH = re.compile(
    r"我(?:现在|已经|就)?是(?:你们|你們|贵店|贵公司|本店|咱们)?(?:家|店|公司|酒店)?的?(?:老)?(?P<level>(?:(?:VIP|vip|Vip|SVIP|金卡|银卡|銀卡|白金卡?|钻石卡?|鑽石卡?|黄金|黃金|铂金|黑卡|至尊|高级|普通|超级|资深)\s*\d*(?:会员|會員|客户|客戶|用户|用戶|贵宾)?))|会员等级(?:是|为|升到|升为)(?P<level2>[\u4e00-\u9fffA-Za-z0-9]{2,8})"
)


def find(statement: Statement) -> Iterator[Found]:
    """Yield what the sentence says about who the speaker is."""
    if statement.english:
        yield from _english(statement)
    if statement.chinese:
        yield from _chinese(statement)
    yield from _either(statement)


def _english(statement: Statement) -> Iterator[Found]:
    text = statement.text
    if match := _NAME_EN.search(text) or _GREETED_NAME_EN.search(text) or _LOWER_NAME_EN.search(text):
        name = match["name"].strip(" .,'’")
        if not re.match(
            r"(?:Back|Later|When|If|Tomorrow|Today|On|At|A|An|The|Crazy|Old|not|actually)\b", name
        ):
            yield field_found("user_profile", "name", name, match.span(), confidence=0.95)
    if place := _place_en(text):
        yield place
    if match := _LANGUAGE_EN.search(text):
        confidence = 0.7 if match["d"] else 0.9
        value = next(group for group in match.groups() if group)
        yield field_found("user_profile", "language", value, match.span(), confidence=confidence)
    if (match := _JOB_EN.search(text)) and (
        job := object_en(_AT.sub("", next(group for group in match.groups() if group)), longest=5)
    ):
        yield field_found("user_profile", "occupation", job, match.span())
    if match := _EMPLOYER_EN.search(text):
        yield field_found(
            "user_profile", "employer", _DATE_WORD.sub("", match["name"]).strip(" ."), match.span()
        )
    if match := _PET_EN.search(text):
        yield field_found("user_profile", "pet", match["pet"].strip(), match.span())
    if match := _COMMUTE_EN.search(text):
        yield field_found(
            "user_profile", "commute", next(group for group in match.groups() if group).lower(), match.span()
        )
    if match := _MEMBER_EN.search(text):
        yield field_found(
            "user_profile", "membership", next(group for group in match.groups() if group), match.span()
        )


def _place_en(text: str) -> Found | None:
    match = _PLACE_EN.search(text)
    confidence = 0.95
    if match is None:
        match, confidence = _PLACE_LOWER_EN.search(text), 0.8
    if match is None or _NO_PLACE_EN.match(match["place"]):
        return None
    place = _DATE_WORD.sub("", match["place"])
    while (shorter := _PLACE_TAIL.sub("", place)) != place:
        place = shorter
    return field_found("user_profile", "location", place.strip(" .,"), match.span(), confidence=confidence)


def _chinese(statement: Statement) -> Iterator[Found]:
    text = statement.text
    if (match := _NAME_ZH.search(text)) and not _NO_NAME_ZH.match(match["name"]):
        yield field_found("user_profile", "name", match["name"].strip(), match.span(), confidence=0.95)
    if (match := _PLACE_ZH.search(text) or _PLACE_IN_ZH.search(text)) and not _NO_PLACE_ZH.search(
        match["place"]
    ):
        place = match["place"].strip()
        if not _ADDRESS_LIKE_ZH.search(place) and object_zh(place):
            yield field_found("user_profile", "location", place, match.span(), confidence=0.95)
    if match := _LANGUAGE_ZH.search(text):
        confidence = 0.7 if match["c"] else 0.9
        yield field_found(
            "user_profile",
            "language",
            next(group for group in match.groups() if group),
            match.span(),
            confidence=confidence,
        )
    if match := _JOB_ZH.search(text):
        yield field_found("user_profile", "occupation", match["job"], match.span())
    if (match := _EMPLOYER_ZH.search(text)) and not _NO_EMPLOYER_ZH.search(match["name"]):
        yield field_found("user_profile", "employer", match["name"], match.span(), confidence=0.85)
    if match := _PET_ZH.search(text):
        yield field_found("user_profile", "pet", match["pet"], match.span())
    if match := _COMMUTE_ZH.search(text):
        yield field_found("user_profile", "commute", match["how"] or match["how2"], match.span())
    if match := _MEMBER_ZH.search(text):
        yield field_found("user_profile", "membership", match["level"] or match["level2"], match.span())


def _either(statement: Statement) -> Iterator[Found]:
    if match := _TIME_ZONE.search(statement.text):
        yield field_found("user_profile", "time_zone", match["zone"].strip(), match.span())
    if match := _BIRTHDAY.search(statement.text):
        for time in statement.past_times:
            if time.kind == "day" and match.end() <= time.span[0] <= match.end() + 12:
                written = statement.text[slice(*time.span)]
                has_year = bool(re.search(r"\d{4}|[二一][〇零九]", written))
                value = time.day.isoformat() if has_year else f"--{time.day:%m-%d}"
                yield field_found(
                    "user_profile", "birthday", value, (match.start(), time.span[1]), confidence=0.95
                )
                return
