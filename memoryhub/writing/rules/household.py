"""Pets, the way to work and memberships of the speaker."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memoryhub.language.patterns import lazy_pattern
from memoryhub.writing.rules.statement import Found, Statement, field_found

PETS_EN = r"(?:dogs?|cats?|parrots?|tortoises?|turtles?|hamsters?|rabbits?|bunny|bunnies|goldfish|guinea\s+pigs?|snakes?|lizards?|geckos?|horses?|pony|ponies|ferrets?|kittens?|puppy|puppies|pup|budgies?|canary|canaries|hedgehogs?|iguanas?|chinchillas?|retriever|labrador|lab|poodle|beagle|corgi|terrier|spaniel|dachshund|greyhound|husky|bulldog|shepherd|collie|chihuahua|pug|rottweiler|dalmatian|schnauzer|whippet|budgerigars?|cockatiels?|axolotl|python|gerbils?|mice|rats?|fish|chickens?|hens?|donkeys?|goats?|bees|tabby|siamese|ragdoll|maine\s+coon|cockatoo|macaw|bearded\s+dragon|koi|cat|dog|mutt|mongrel|rottie|pomeranian|pom|samoyed|akita|malamute|boxer|mastiff|pointer|setter|weimaraner|vizsla|basset|bloodhound|cockapoo|labradoodle|goldendoodle|yorkie|maltese|shih\s+tzu|bengal|sphynx|birman|burmese|calico|ginger\s+cat|angora|parakeets?|lovebirds?|finch(?:es)?|doves?|pigeons?|ducks?|geese|sheep|llamas?|alpacas?|pigs?|tarantulas?|frogs?|newts?|salamanders?|guppies|betta|tetras|quails?|turkeys?|cows?|cat\s+and\s+dog)"
_COUNT_EN = r"(?:an?|one|two|three|four|five|six|\d|some|our|my)"
_OWNED_EN = lazy_pattern(
    rf"\b(?:i|we)(?:['’]ve)?\s+(?:(?:now|also|just|recently|currently|have|finally|still)\s+)*(?:keep|have|own|adopted|got|rescued|bought|fostered|have\s+got|live\s+with|share\s+(?:my|our)\s+\w+\s+with)\s+(?:{_COUNT_EN}\s+|(?=(?:chickens|hens|bees|goats|rabbits|guinea\s+pigs|fish|horses)\b))(?P<pet>(?:[a-z'-]+\s+){{0,3}}?{PETS_EN})\b(?:\s+and\s+{_COUNT_EN}\s+(?P<pet2>(?:[a-z'-]+\s+){{0,2}}?{PETS_EN}))?(?!\s+(?:allergy|phobia|person|bed|house|walker|food|toy|show|shelter|class|video|photo|game|costume|sitter|meme))",
    re.IGNORECASE,
)
_NAMED_EN = lazy_pattern(
    rf"\b(?:there['’]s|there\s+is|we\s+(?:now\s+)?have|we\s+(?:recently\s+)?welcomed|our\s+family\s+has|my\s+(?:house|home|flat)\s+has)\s+(?:now\s+)?(?:an?|two|three)\s+(?:new\s+|little\s+)?(?P<pet3>(?:[a-z'-]+\s+){{0,2}}?{PETS_EN})\s+(?:in\s+(?:our|my)\s+(?:house|home|flat|family)|at\s+home|at\s+our\s+place)\b|(?<!love )(?<!like )(?<!miss )(?<!adore )\b(?:my|our)\s+(?:[a-z'-]+\s+){{0,2}}?(?P<pet>{PETS_EN})\b(?!['’]?s?\s+(?:walker|sitter|food|bed|toy|house|groomer|show|shelter|died|passed|ran\s+away|is\s+gone))(?!\s+(?:walker|sitter|food|bed|toy|house|groomer|show|shelter|allergy|(?:has\s+|sadly\s+)*(?:died|passed)|ran\s+away))",
    re.IGNORECASE,
)
_NO_PET_EN = lazy_pattern(
    r"\b(?:giv(?:e|en|ing)|gave|rehomed?|no|not|without|never|don['’]?t|didn['’]?t|neighbou?r['’]?s|friend['’]?s|stuffed|toy|hot)\b",
    re.IGNORECASE,
)
_ARTICLE_EN = lazy_pattern(
    r"^(?:(?:an?|the|one|two|three|four|five|six|my|our|old|beloved|dear|new|little|lovely|cute|beautiful|another)\s+)+",
    re.IGNORECASE,
)
PETS_ZH = r"(?:鹦鹉|鸚鵡|玄凤|猫咪?|貓咪?|狗狗?|犬|乌龟|烏龜|龟|仓鼠|倉鼠|兔子|兔|金鱼|金魚|热带鱼|锦鲤|鱼|魚|鸟|鳥|蛇|蜥蜴|马|馬|豚鼠|荷兰猪|龙猫|刺猬|柯基|金毛|布偶|橘猫|英短|美短|泰迪|哈士奇|拉布拉多|柴犬|博美|边牧|阿拉斯加|萨摩耶|比熊|雪纳瑞|暹罗|蓝猫|加菲|八哥|文鸟|守宫|蜜袋鼯|鹅|鸭子?|鸽子|毛孩子|德牧|法斗|斗牛犬|秋田|松狮|贵宾|巴哥|马尔济斯|吉娃娃|杜宾|罗威纳|田园犬|田园猫|狸花|三花|奶牛猫|缅因|折耳|无毛猫|银渐层|金渐层|波斯猫|孟加拉|狮子猫|虎皮|牡丹|玄风|芦丁鸡|柯尔鸭|鬃狮|睡鼠|花枝鼠|松鼠|雪貂|羊驼|小猪|香猪|蜘蛛|蝈蝈|蛐蛐|螃蟹|虾|水母|孔雀鱼|斗鱼)(?:[犬狗猫](?!粮|窝|砂))?"
_OWNED_ZH = lazy_pattern(
    rf"(?:我|我家|我们家|家里|家裡|我們家|^|[，,])(?:现在|現在|里|有|还|還|又|也|刚刚?|剛剛?|最近|新|上周|上个月|去年|今年|前年|年初|昨天|已经|一直|终于|开始|打算|才|年底|年初)*(?:从[\u4e00-\u9fff]{{1,8}}?)?(?:养了?|養了?|领养了?|領養了?|收养了?|买了?|抱了?|捡了?|添了?|新添了?|来了|有了?|接了?)(?:着|著|回来?|回家)?(?:一|两|兩|二|三|四|五|六|几|\d)?(?:只|隻|条|條|匹|头|頭|缸|对|個|个)?(?:叫[\u4e00-\u9fffA-Za-z]{{1,6}}的|[\d一二三四五六七八九十两半]+(?:多)?(?:个月|岁|年)大?的|小小的|可爱的|流浪)?(?P<pet>[\u4e00-\u9fff]{{0,5}}?{PETS_ZH})(?:[和跟、]一?[只条隻條](?P<pet2>[\u4e00-\u9fff]{{0,4}}?{PETS_ZH}))?(?![肉粮窝砂草友店展车汤])"
)
_HOME_ZH = lazy_pattern(
    rf"(?:我家|我们家|我)(?:的)?(?:狗狗?|猫咪?|宠物)(?:就)?是(?:一)?(?:只|条)?(?P<pet4>[\u4e00-\u9fff]{{0,4}}?{PETS_ZH})|(?:和|跟|带着?|遛)我(?:家)?的(?P<pet5>[\u4e00-\u9fff]{{0,3}}?{PETS_ZH})|(?:我家|我们家|我)(?:里)?(?:的)?(?P<pet>[\u4e00-\u9fff]{{0,4}}?{PETS_ZH})(?=叫|名字|的?名字|今年|已经|最近|老是|总是|特别|很|每天|又|生病|[一二三四五六七八九\d]+岁|昨天|今天)"
)
_NO_PET_ZH = lazy_pattern(
    r"没有?养|沒有?養|不养|不養|没有(?:宠物|[猫狗])|想养|想養|玩具|邻居|朋友(?:家|的|养|她|他)"
)
_RIDES_EN = r"(?:train|bus|subway|metro|tube|tram|ferry|bike|bicycle|e-bike|scooter|car|underground|taxi|motorbike|motorcycle|shuttle|light\s+rail|commuter\s+train|S-Bahn|U-Bahn|BART|boat)"
_WORK_EN = r"(?:to\s+(?:work|the\s+(?:office|lab|hospital|school|shop|studio|site|factory)|my\s+(?:office|job|desk))|into\s+(?:work|the\s+office|town|the\s+city)|in\s+to\s+(?:work|the\s+office))"
_TIMES_EN = r"(?:(?:now|usually|always|normally|mostly|typically|currently|just|generally|mainly|still)\s+)*"
_COMMUTE_EN = lazy_pattern(
    rf"\b(?:i\s+{_TIMES_EN}(?:(?:take|catch|ride|use|get)\s+(?:the\s+|a\s+|my\s+)?(?:[\w:.]+\s+){{0,2}}?(?P<a>{_RIDES_EN})|(?P<b>drive|walk|cycle|bike|run|jog|carpool|commute\s+by\s+{_RIDES_EN}))\s+(?:all\s+the\s+way\s+)?{_WORK_EN}|"
    rf"(?:i\s+{_TIMES_EN}|my\s+)commut(?:e|ing)\s+(?:(?:to\s+work|is|to\s+the\s+office|now|mostly)\s+)*(?:by|on|via)\s+(?:the\s+|a\s+|my\s+)?(?P<c>[a-z-]+)|i\s+{_TIMES_EN}(?:go|get|travel|come)\s+{_WORK_EN}\s+(?:by|on|via)\s+(?:the\s+|a\s+|my\s+)?(?P<d>foot|[a-z-]+)|"
    rf"(?:i(?:['’]ve|['’]m|\s+am)?\s+)?(?:switched|switching|started|began|moved|gone|went|back)\s+(?:back\s+)?(?:to\s+)?(?:(?P<e>driving|cycling|walking|biking|carpooling|running)|(?:taking|riding|catching)\s+(?:the\s+|a\s+)?(?P<f>{_RIDES_EN}))\s+{_WORK_EN}|my\s+commute\s+is\s+(?:now\s+)?(?:an?\s+)?(?:[\w-]+\s+){{0,3}}(?P<g>bike|train|bus|car|walk|drive|ferry|metro)\b)",
    re.IGNORECASE,
)
_GERUNDS = {
    "driving": "drive",
    "cycling": "cycle",
    "walking": "walk",
    "biking": "bike",
    "carpooling": "carpool",
    "running": "run",
}
_RIDES_ZH = r"(?:地铁|地鐵|公交车?|公交|公車|公车|巴士|火车|火車|高铁|高鐵|动车|城铁|城际|轻轨|輕軌|电动车|電動車|电瓶车|电驴|小电驴|自行车|自行車|共享单车|共享單車|单车|單車|摩托车?|機車|机车|摩托|汽车|车|車|出租车|计程车|班车|通勤车|网约车|轮渡|渡轮|捷運|捷运|[一-鿿\d]{1,3}号线)"
_TO_WORK_ZH = r"(?:去|来)?(?:上下班|上班|通勤|去公司|到公司|去单位|到单位|去办公室)"
_COMMUTE_ZH = lazy_pattern(
    rf"(?:我|^|[，,])(?:现在|現在|每天|平时|平時|平常|都|一般|通常|最近|如今|已经|上班|上下班|通勤|以后|今后|往后|改成?|就|是|又|开始|開始|改回|改搭|换回|還是|还是|恢复|重新|继续|基本|主要|大多|早上|今年|自己|都是|换成?|从[\u4e00-\u9fff]{{1,6}}(?:改成?|换成?))*(?P<how>(?:坐|乘|搭|骑|騎|开|開|打|挤|靠)(?:着|的)?{_RIDES_ZH}|走路|步行|跑步|骑行|拼车|打车|自驾|開車|开车){_TO_WORK_ZH}|"
    rf"(?:每天|平时|一般|平常|都|我|现在)(?P<how3>{_RIDES_ZH})(?:通勤|上下班|上班)(?=[，,。！!；;]|$)|(?:通勤|上下班|上班)(?:方式|都|基本|主要|一般|现在|每天|又|已经|重新)*(?:是|靠|改为|改成|换成|改回|换回|改|换|为)?(?:坐|乘|搭|骑|騎|开|挤)?的?(?P<how2>(?:坐|乘|搭|骑|騎|开|開|挤)?{_RIDES_ZH}|走路|步行|骑行|开车|打车|拼车)(?:去|了|吧)*(?=[，,。！!；;]|$|的|要|大概|大约|得)"
)
_LEVEL_EN = r"(?:VIP(?:\s?\d{1,2})?|gold|silver|platinum|diamond|premium|black|elite|basic|bronze|plus|pro|standard|family|student|lifetime|annual|executive|sapphire|ruby|emerald|titanium|ambassador|star)"
_MEMBER_EN = lazy_pattern(
    rf"\b(?:(?:i\s+am|i['’]m|i['’]ve\s+been|i\s+have\s+been)\s+(?:now\s+|already\s+|a\s+|an\s+|one\s+of\s+your\s+|also\s+|still\s+|on\s+)*(?P<a>{_LEVEL_EN})(?:\s+(?:tier|level|status|card(?!\s?holder)))?(?:\s+(?:card\s?holder|member|customer|client|holder|guest|user|subscriber|flyer)\b|\s+(?:tier|status|level)\b|(?=\s+with\s+(?:you|your)\b))|"
    rf"my\s+(?:membership|account|status|subscription|loyalty\s+(?:level|status|tier|card))(?:\s+(?:level|tier|status|plan))?\s+(?:is|was|got|has\s+been|went|just\s+got|just\s+went)\s+(?:(?:now|just|recently|upgraded|moved|bumped|raised|up|downgraded|renewed|to|as|a|an|still)\s+)*(?P<b>{_LEVEL_EN})\b|"
    rf"i(?:['’]ve)?\s+(?:(?:just|recently|now|have|was|got|been)\s+)*(?:upgraded|reached|made|got|earned|have|hold|bumped\s+up|moved\s+up|signed\s+up\s+for|bought|took\s+out|subscribed\s+to|subscribe\s+to|became)\s+(?:to\s+|the\s+|a\s+|an\s+|your\s+)*(?P<c>{_LEVEL_EN})\s+(?:status|tier|level|membership|member|card|plan|subscription)\b|\bi(?:['’]ve|\s+have)?\s+(?:just\s+|recently\s+|finally\s+)?upgraded\s+to\s+(?:your\s+|the\s+)?(?P<f>{_LEVEL_EN})\b|\bi(?:\s+was|\s+got|\s+have\s+been|['’]ve\s+been)\s+(?:just\s+|recently\s+)?(?:upgraded|bumped|moved)\s+(?:up\s+)?to\s+(?P<d>{_LEVEL_EN})\b|"
    rf"i(?:['’]m|\s+am)\s+on\s+(?:the|your|a)\s+(?P<e>{_LEVEL_EN})\s+(?:plan|membership|subscription|tier))",
    re.IGNORECASE,
)
_BARE_MEMBER_EN = lazy_pattern(
    rf"\b(?:i\s+am|i['’]m)\s+(?:now\s+|already\s+)?an?\s+(?P<a>vip)\b|\bmy\s+membership\s+(?:level\s+|tier\s+)?is\s+(?:now\s+)?(?P<b>{_LEVEL_EN})",
    re.IGNORECASE,
)
_LEVEL_ZH = r"(?:S?VIP|vip|Vip|金卡|银卡|銀卡|白金卡?|铂金卡?|鉑金卡?|钻石卡?|鑽石卡?|黄金|黃金|黑金|黑卡|至尊|高级|普通|超级|资深|尊享|尊贵|年度|年费|终身|铜牌|银牌|金牌|青铜|白银|铂金|王者|星级|一星|二星|三星|四星|五星|[一二三四五六七八九\d]级)\s*\d*"
_MEMBER_ZH = lazy_pattern(
    rf"(?:贵宾|会员|會員|VIP)(?:卡)?(?:用户|客户)?[，,](?P<level4>{_LEVEL_ZH})(?:的|级)|我(?:现在|現在|已经|已經|就|也|一直|的卡|手上)*是(?:你们|你們|贵店|贵公司|本店|咱们|咱|你)?(?:这|這|那|家|店|公司|酒店|航空|超市|健身房|里|裡|这里)*的?(?:老|新)?(?P<level>{_LEVEL_ZH}(?:会员|會員|客户|客戶|用户|用戶|贵宾|卡))|"
    rf"(?:会员|會員)(?:等级|等級|级别|卡)?(?:已经|现在|刚刚?|被)*(?:是|为|升到了?|升级到了?|升级成了?|升级为了?|升为了?|变成了?|：|:|升成了?|升至)(?P<level2>{_LEVEL_ZH}(?:会员|會員|卡)?|V\s?\d{{1,2}}|[\u4e00-\u9fff]{{2,4}}(?=[，,。！!]|了|$))|"
    rf"(?:我|^|[，,])(?:现在|刚刚?|已经|上个月|昨天|今天|最近|终于|也)*(?:升级?(?:成|到|为|至)了?|升上?了?|成为了?|开通了|開通了|办了(?:你们)?(?:的)?|续费了|充了|买了|開了|开了)(?:一年的?|你们的?|你家的?|一张)?(?P<level3>{_LEVEL_ZH}(?:会员|會員|客户|用户|卡))"
)


_ONE_DAY = lazy_pattern(
    r"\b(?:today|tomorrow|tonight|yesterday|this\s+(?:morning|week)|on\s+(?:mon|tues|wednes|thurs|fri)day)\b|今天|明天|昨天|今早|昨晚|后天|这周|上周[一二三四五]",
    re.IGNORECASE,
)


def find(statement: Statement) -> Iterator[Found]:
    """Yield pets, the commute and the membership."""
    if statement.english:
        yield from _english(statement.text)
    if statement.chinese:
        yield from _chinese(statement.text)


def _english(text: str) -> Iterator[Found]:
    match = _OWNED_EN.search(text) or _NAMED_EN.search(text)
    if match and not _NO_PET_EN.search(text[: match.end()]):
        for pet in match.groups():
            if pet:
                yield field_found("user_profile", "pet", _ARTICLE_EN.sub("", pet.strip()), match.span())
    if (match := _COMMUTE_EN.search(text)) and not _ONE_DAY.search(text):
        how = next(group for group in match.groups() if group).lower()
        how = re.sub(r"^commute\s+by\s+", "", how)
        yield field_found("user_profile", "commute", _GERUNDS.get(how, how), match.span())
    if match := _MEMBER_EN.search(text) or _BARE_MEMBER_EN.search(text):
        level = next(group for group in match.groups() if group)
        yield field_found("user_profile", "membership", level, match.span())


def _chinese(text: str) -> Iterator[Found]:
    if not _NO_PET_ZH.search(text) and (match := _OWNED_ZH.search(text) or _HOME_ZH.search(text)):
        for pet in match.groups():
            if pet:
                yield field_found("user_profile", "pet", pet, match.span())
    if (match := _COMMUTE_ZH.search(text)) and not _ONE_DAY.search(text):
        yield field_found(
            "user_profile", "commute", next(group for group in match.groups() if group), match.span()
        )
    if match := _MEMBER_ZH.search(text):
        level = next(group for group in match.groups() if group)
        yield field_found("user_profile", "membership", level, match.span())
