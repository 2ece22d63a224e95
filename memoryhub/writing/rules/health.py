"""Allergies and diet: each member of a list is a value of its own."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memoryhub.language.patterns import lazy_pattern
from memoryhub.writing.rules.statement import Found, Statement, field_found, item_found
from memoryhub.writing.rules.wording import members, object_en

_ADVERBS = (
    r"(?:(?:[a-z]+ly|also|severely|mildly|very|really|highly|deadly|still|now|slightly|badly|extremely)\s+)*"
)
_ALLERGIC_EN = lazy_pattern(
    rf"\b(?:i\s+am|i['’]m|i\s+was\s+born|i['’]ve\s+been|i\s+have\s+been|i\s+(?:have\s+)?become|i\s+got)\s+{_ADVERBS}allergic\s+to\s+(?P<what>[^.!?;\n]+)",
    re.IGNORECASE,
)
_ALLERGY_EN = lazy_pattern(
    r"\b(?:i\s+have|i['’]ve\s+got|i\s+got|i\s+suffer\s+from)\s+(?:an?\s+)?(?:(?:severe|bad|serious|mild|strong|slight|life-threatening)\s+)?(?P<what>(?!severe|bad|serious|mild|strong|slight|food|an?\b|some|any|no|many|several)[a-z]+(?:\s+(?:and|or)\s+[a-z]+)?)\s+allerg(?:y|ies)\b|\bi(?:\s+have|['’]ve\s+got)\s+an?\s+(?:[\w-]+\s+)*allergy\s+to\s+(?P<what2>[^.!?;\n]+)|\bmy\s+allerg(?:y|ies)\s*(?:is|are|:)\s*(?P<what3>[^.!?;\n]+)",
    re.IGNORECASE,
)
_REACTS_EN = lazy_pattern(
    r"^(?P<what0>[a-z][a-z ]{2,20}?)\s+(?:could|can|would|will|might|nearly|almost)\s+(?:kill(?:ed|s)?|hospitali[sz]ed?)\s+me\b|(?:^|[,;:]\s*|\b(?:and|but|because|since)\s+)(?P<what>[a-z][a-z ]{2,24}?)\s+(?:gives?\s+me|makes?\s+my\s+(?:throat|lips|face|tongue|mouth)|makes?\s+me)\s+(?:swell|itch|break\s+out|hives|a\s+rash|rashes|anaphyla\w+|swelling|an?\s+allergic\s+reaction)|\bi\s+(?:react|respond)\s+(?:very\s+|really\s+)?(?:badly|severely|allergically)\s+to\s+(?P<what2>[^.!?;\n]+)|\bi\s+(?:break\s+out(?:\s+in\s+(?:hives|a\s+rash))?|swell\s+up|get\s+hives|go\s+into\s+anaphyla\w+)\s+(?:from|when\s+i\s+eat|if\s+i\s+eat|after\s+eating|after)\s+(?P<what3>[^.!?;\n]+)|"
    r"\b(?:i\s+have\s+|my\s+)?(?:food\s+)?allerg(?:y|ies)\s*:\s*(?P<what4>[^.!?;\n]+)|\bi(?:['’]ve|\s+have)?\s+(?:developed|got|have\s+got)\s+an\s+allergy\s+to\s+(?P<what5>[^.!?;\n]+)|\bi\s+(?:can['’]t|cannot)\s+(?:have|eat|touch|take|use|drink|be\s+near)\s+(?P<what6>[a-z][a-z ]{2,20}?),\s*(?:i['’]m\s+(?:\w+\s+)?allergic|(?:severe\s+)?allergy)|\b(?:bad|severe|allergic|serious|terrible|nasty)\s+reactions?\s+to\s+(?P<what8>[^.!?;,\n]+)|\bi(?:['’]m|\s+am)\s+(?:\w+\s+)?intolerant\s+to\s+(?P<what7>[^.!?;\n]+)",
    re.IGNORECASE,
)
_INTOLERANT_EN = lazy_pattern(
    r"\b(?:i\s+am|i['’]m)\s+(?P<what>lactose|gluten|fructose|histamine)[\s-]intolerant\b|\bi\s+have\s+(?:an?\s+)?(?P<what2>lactose|gluten|fructose|histamine)\s+intolerance\b",
    re.IGNORECASE,
)
_ALLERGY_SHORT_EN = lazy_pattern(
    r"^(?:severe|serious|bad|strong|mild)\s+(?P<what>[a-z]+(?:\s+(?:and|or)\s+[a-z]+)?)\s+allergy\b|^(?P<what9>(?!food|no|my|any|the|an?\b)[a-z]+(?:\s+(?:and|or)\s+[a-z]+)?)\s+allergy\b(?=\s*(?:[.,!;]|$|here|on\s+my|for\s+me|please))|^allergic\s+to\s+(?P<what2>[^.!?;\n]+)|\bi\s+(?:have|['’]ve\s+got)\s+allerg(?:y|ies)\s+to\s+(?P<what3>[^.!?;\n]+)|\b(?P<what4>[a-z]+)-allergic\b|\ballerg(?:y|ic\s+to\s+[a-z ]{2,20}?),?\s+and\s+(?:also\s+)?(?:to\s+)?(?P<what5>[a-z]{3,15}(?:\s[a-z]+)?)\s+(?:too|as\s+well|also)\b|^(?P<what10>[a-z]+(?:\s[a-z]+)?)\s+(?:is|are)\s+(?:something|things?|one\s+thing|what)\s+i(?:['’]m|\s+am)\s+allergic\s+to\b|\bmy\s+(?:only\s+|worst\s+)?allergens?\s+(?:is|are)\s+(?P<what6>[^.!?;\n]+)|\b(?:because\s+of|due\s+to|given)\s+my\s+(?P<what7>[a-z]+)\s+allergy\b|\bmy\s+(?P<what8>(?!food|bad|severe|seasonal)[a-z]+)\s+allergy\b(?!\s+(?:is\s+gone|went|test))",
    re.IGNORECASE,
)
_NOT_ALLERGIC_EN = lazy_pattern(
    r"\b(?:i\s+am|i['’]m)\s+(?P<how>not|no\s+longer)\s+(?:actually\s+|really\s+)?allergic\s+to\s+(?P<what>[^.!?;,\n]+)",
    re.IGNORECASE,
)
_ALLERGIC_ZH = lazy_pattern(
    r"(?:我|本人|^|[，,])(?:这人|这个人|查出来|检查出来|一直|先天|也|其实|从小|一直|还|都|现在|平时|的确|确实|有时|个人|天生|是|最近|突然)*(?:对|對)(?P<what>[^，,。！!？?；;过過]{1,20}?)(?:都|严重|嚴重|轻度|輕度|会|會|有点|非常|特别|也|有)*(?:过敏|過敏|不耐受|不耐(?=[，,。]|$))"
)
_ALLERGY_ZH = lazy_pattern(
    r"(?:我|本人)(?:有|患有|是)(?:比较|非常|很|特别)?(?:严重的?|嚴重的?|轻度的?|重度的?|轻微的?)?(?P<what>[^，,。！!？?；;对對过過严嚴]{1,10}?)(?:过敏|過敏)(?:史|症|体质|體質)?|我(?:都|会|就|一直|从小|天生|容易|是|也)*(?P<what2>花生|坚果|堅果|海鲜|海鮮|牛奶|鸡蛋|雞蛋|花粉|青霉素|青黴素|芒果|虾|蝦|尘螨|塵蟎|酒精|小麦|大豆|猫毛|狗毛|头孢|头孢类|阿司匹林|紫外线)(?:过敏|過敏)|我的?(?:过敏原|過敏原|过敏源)(?:是|有|包括|：|:)(?P<what3>[^，,。！!？?；;]{1,30})"
)
_REACTS_ZH = lazy_pattern(
    r"(?:^|[，,。；])(?P<what8>[\u4e00-\u9fff]{1,6}(?:[和跟与、][\u4e00-\u9fff]{1,6})*?)(?:这种东西|这类|什么的)?我(?:只要|每次|是)?一?(?:吃|喝|碰|闻|沾)(?:到|了|过)?(?:一点)?就(?:会)?(?:全身|浑身|身上|嘴|喉咙)?(?:过敏|起疹子|起红疹|痒|肿|长疹子|起|喘)|(?:医生|医院)(?:说|查出|确诊)(?:了)?我(?:是)?(?:对)?(?P<what9>[\u4e00-\u9fff、和]{1,10}?)(?:过敏)|(?:^|[，,。；])(?P<what0>[\u4e00-\u9fff]{1,6}(?:[和跟与、][\u4e00-\u9fff]{1,6})*?)我(?:都|也|从小|一直|就|会|是|严重|有点)*(?:过敏|過敏)(?=[，,。！!；;了的]|$)|(?:我|^|[，,])(?:一|只要|每次)?(?:吃|喝|碰|闻|聞|接触)(?:到|了|过)?(?P<what>[\u4e00-\u9fff、和]{1,10}?)(?:就|都|会|會|容易|肯定)+(?:过敏|過敏|起疹子|起红疹|浑身痒|嘴肿|喉咙肿|长疹子|全身起)|(?:我|^|[，,])吃(?P<what2>[\u4e00-\u9fff、和]{1,8}?)(?:过敏|過敏)|(?:我|^|[，,])(?P<what3>花生|坚果|堅果|海鲜|海鮮|牛奶|鸡蛋|雞蛋|花粉|青霉素|头孢|芒果|虾|蝦|螃蟹|贝类|尘螨|酒精|小麦|麸质|大豆|猫毛|狗毛|动物毛发|阿司匹林|桃子|猕猴桃|菠萝|乳制品)(?:、[\u4e00-\u9fff]{1,4})*(?:会|都|严重|重度|轻度|有点|容易)*(?:过敏|過敏)(?=[，,。！!；;了的]|体质|史|$)|(?:别|不要|不能|勿)(?:给我)?(?:放|加|有|吃|点|用|碰)(?P<what6>[\u4e00-\u9fff、和]{1,8}?)[，,。；]\s*(?:因为)?我(?:对这个|对它|对此)?(?:会|严重|有)*(?:过敏|過敏)|(?P<what7>[\u4e00-\u9fff]{1,6}?)(?:我)?(?:不能|不可以|没法)(?:吃|喝|碰)[，,](?:我)?(?:会|严重)*(?:过敏|過敏)|(?:过敏|過敏)(?:原|源|的东西|的食物|食物|药物|史)(?:是|有|包括|：|:)+(?P<what4>[^，,。！!？?；;]{1,30})|(?:我|^|[，,])(?:有)?(?:从小|天生|有)*(?P<what5>乳糖|麸质|酒精|果糖)(?:不耐受?)",
)
_NOT_ALLERGIC_ZH = lazy_pattern(
    r"(?P<how2>不再|已经不|现在不|并不|其实不|不)(?:对|對)(?P<what2>[^，,。！!？?；;过過]{1,12}?)(?:过敏|過敏)(?P<over2>了)?|(?:对|對)(?P<what>[^，,。！!？?；;过過不]{1,12}?)(?P<how>已经不|現在不|现在不|不再|并不|並不|其实不|不)(?:会|會)?(?:过敏|過敏)(?P<over>了)?"
)
_DIET_WORDS_EN = r"vegetarian|vegan|pescatarian|flexitarian|lacto-vegetarian|coeliac|celiac|diabetic|veggie|plant[- ]based|dairy[- ]free|gluten[- ]free|keto|teetotal"
_DIET_EN = lazy_pattern(
    rf"\b(?:i\s+am|i['’]m|i\s+(?:have\s+)?(?:became|become)|i\s+went|i['’]ve\s+(?:gone|become|been)|i\s+have\s+gone)\s+(?:now\s+|also\s+|strictly\s+|a\s+strict\s+|an?\s+|a\s+lifelong\s+|still\s+)*(?P<a>{_DIET_WORDS_EN})\b|\bi\s+(?:have\s+to\s+|must\s+|need\s+to\s+|can\s+)?(?:only\s+|strictly\s+|always\s+)?eat\s+(?:only\s+)?(?P<b>halal|kosher|vegetarian|vegan|plant[- ]based|gluten[- ]free)\b|\bi\s+(?:can['’]?t|cannot|can\s+not|am\s+not\s+allowed\s+to)\s+(?:eat|drink|have)\s+(?P<e>(?:red\s+)?meat|pork|beef|fish|seafood|shellfish|dairy|gluten|eggs|alcohol|sugar|spicy\s+food|caffeine|lactose)|\b(?:i\s+am|i['’]m)\s+on\s+an?\s+(?P<c>[a-z-]+(?:\s[a-z-]+)?)\s+diet\b|\bi\s+(?:do\s+not|don['’]?t|never|no\s+longer)\s+(?:eat|drink|consume)\s+(?P<d>(?:(?:red\s+)?meat|pork|beef|fish|seafood|shellfish|dairy|gluten|eggs|alcohol|animal\s+products|sugar)(?:\s*(?:,|and|or)\s*(?:meat|pork|beef|fish|seafood|dairy|gluten|eggs|alcohol))*)",
    re.IGNORECASE,
)
_DIET_MORE_EN = lazy_pattern(
    rf"\bi(?:['’]m|\s+am)\s+(?:doing|eating|going|trying\s+to\s+stay)\s+(?:strictly\s+|fully\s+)?(?P<h>{_DIET_WORDS_EN})\b|^(?:strict|lifelong|committed|long-time)?\s*(?P<i>{_DIET_WORDS_EN})\s+here\b|\bi(?:['’]m|\s+am|['’]ve\s+been|\s+have\s+been|\s+went|['’]ve\s+gone|['’]ve\s+turned|\s+turned|\s+eat|\s+stay|\s+follow|\s+was\s+raised|\s+grew\s+up)\s+(?:(?:now|strictly|mostly|fully|completely|a|an|strict|lifelong|on|the|only|always|for\s+years)\s+)*(?P<a>{_DIET_WORDS_EN}|halal|kosher|low[- ]carb|low-sodium|low-salt|paleo|sugar[- ]free|lactose-free|nut-free|vegetarian)\b(?!\s+(?:food|cooking|restaurants?)\s+(?:blog|course))|\bi\s+(?:only\s+|always\s+|strictly\s+)?(?:keep|observe|follow)\s+(?P<b>kosher|halal)\b|(?:^|[,;]\s*(?:so\s+)?)(?P<c>vegetarian|vegan|halal|kosher|gluten[- ]free|dairy[- ]free)\s+(?:(?:food|options?|meals?|dishes)\s+)?(?:only|please|for\s+me)\b|"
    r"\b(?P<d>no\s+(?:(?:red\s+)?meat|pork|beef|dairy|gluten|fish|seafood|alcohol|sugar|eggs|shellfish))\s+for\s+me\b|\bi(?:['’]ve|\s+have)?\s+(?:(?:always\s+|strictly\s+)?avoid|stay\s+away\s+from|given\s+up|gave\s+up|cut\s+out|stopped\s+eating|quit)\s+(?P<e>(?:red\s+)?meat|pork|beef|dairy|gluten|sugar|alcohol|eggs|seafood|carbs)\b|\bi\s+(?:follow|stick\s+to|am\s+on|['’]m\s+on|need|keep\s+to)\s+(?:an?\s+)?(?:strict\s+)?(?P<f>[a-z]+(?:-[a-z]+)?(?:\s[a-z]+)?)\s+diet\b|\bmy\s+diet\s+is\s+(?:strictly\s+|now\s+)?(?P<g>[a-z-]+)",
    re.IGNORECASE,
)
_DIETS_ZH = r"(?:吃?蛋奶素|吃?奶素|锅边素|鍋邊素|吃长斋|吃斋|吃全素|吃纯素|吃素|素食主义者|纯素食(?:者|主义者)?|素食者|素食|纯素|純素|吃清真|清真(?:食品|饮食)?|(?:低碳|低糖|低盐|低脂|低嘌呤|无麸质|無麩質|无糖|生酮|地中海|轻断食|间歇性?断食|高蛋白|糖尿病|减脂)(?:饮食|飲食|餐)?|控糖|戒糖|不吃(?:猪|豬|牛|羊|鸡|雞|红|紅|生)?肉(?:类|類)?|不吃(?:荤|葷|海鲜|海鮮|鱼|魚|蛋|奶制品|乳制品|麸质|麩質|主食))"
_DIET_MORE_ZH = lazy_pattern(
    rf"(?:我|本人|^|[，,])(?:现在|現在|一直|是|常年|平时|平時|已经|已經|从小|都|只|最近|开始|開始|改|正在|在|信教|回族|穆斯林|吃|走|坚持|遵循|执行|医生让我|需要|严格的?|长期|个|一个|也|就|采用|从[^，,。]{{1,6}}?(?:开始|起)(?:就)?)*(?P<a>{_DIETS_ZH})(?:的|了|者|主义者|人|模式|方式)*(?:已经|快|有|都)*(?:[一二三四五六七八九十几好多\d]+(?:个月|年|天)了?)?\s*(?=[，,。.！!；;、]|$)"
)
_DIET_LIST_ZH = lazy_pattern(
    r"(?:我|^|[，,])(?:一直|从小|从来|现在|都|是)*(?P<what>不吃(?:(?:辣的?|生冷|油腻|甜食)|(?:猪|牛羊?|羊|鸡|红|豬)肉|海鲜|鱼|蛋|奶制品|乳制品|荤|内脏)(?:(?:和|跟|、|或者?|以及)(?:(?:猪|牛|羊|鸡|红)肉|海鲜|鱼|虾|蛋|奶制品|内脏))*)(?=[，,。！!；;]|$)"
)
_DIET_TOPIC_ZH = lazy_pattern(
    r"(?:^|[，,])(?P<what>(?:猪|豬|牛|羊|鸡|雞|红|生)?肉(?:类)?|辣的?|海鲜|海鮮|鱼|魚|荤的?|葷|蛋|奶制品|乳制品|内脏)(?:我)?(?:是|一直|从来|从小|现在|都)*(?:不|不能|从不|不可以)吃的?了?(?=[，,。！!；;]|$)"
)
_DIET_ZH = lazy_pattern(
    r"(?:我|本人|^|[，,])(?:现在|現在|一直|是|常年|平时|平時|已经|已經|从小|都|只|开始|開始|改|严格|最近)*(?P<a>吃素|吃全素|素食主义者|素食主義者|素食者|素食|纯素|純素|吃清真|不吃(?:猪|豬|牛|羊|鸡|雞|红|紅|生)?肉(?:类|類)?|不吃(?:荤|葷|海鲜|海鮮|鱼|魚|蛋|奶制品|乳制品|麸质|麩質)|(?:不能|不可以)(?:吃|喝|碰)[\u4e00-\u9fff]{1,6}?|(?:吃|喝)不了[\u4e00-\u9fff]{1,6}?|生酮饮食|低碳饮食|低糖饮食|无麸质饮食)(?:者|主义者)?(?:了|的|人)?\s*(?=[，,。.！!；;、]|$)"
)
_NO_DIET_EN = frozenset(
    "healthy balanced good better strict new special different normal regular daily usual".split()
)
_CONDITION_EN = lazy_pattern(
    r"\b(?:i\s+have|i['’]ve\s+got|i\s+suffer\s+from|i\s+was\s+diagnosed\s+with)\s+(?:an?\s+)?(?P<what>(?:type\s+[12]\s+)?diabetes|asthma|high\s+blood\s+pressure|hypertension|epilepsy|migraines?|coeliac\s+disease|celiac\s+disease|a\s+heart\s+condition|heart\s+disease|arthritis|a\s+pacemaker|adhd|claustrophobia|vertigo|eczema|anaemia|anemia)\b",
    re.IGNORECASE,
)
_CONDITION_ZH = lazy_pattern(
    r"我(?:有|患有|得了|查出了?|确诊了?)(?P<what>(?:轻度|严重|慢性|[12一二]型)?(?:糖尿病|高血压|高血糖|高血脂|哮喘|心脏病|胃病|胃炎|痛风|偏头痛|癫痫|关节炎|贫血|湿疹|鼻炎|乙肝|抑郁症|焦虑症|恐高症|幽闭恐惧症|低血糖))|我(?P<what2>晕车|晕船|晕机|恐高|乳糖不耐受|怀孕了)(?=[，,。.！!；;]|$)"
)
_NOTHING = lazy_pattern(
    r"^(?:anything|nothing|everything|something|it|that|this|them|you|work|mornings?|mondays?|stupidity|drama|bullshit|people|什么|任何|这个|那个|它|你|某些|工作|上班|早起|学习)\b",
    re.IGNORECASE,
)


_INSTEAD_OF = lazy_pattern(
    r"(?:过敏|過敏)[，,]\s*(?:而)?不是(?:对|對)?(?P<zh>[^，,。！!？?；;过過]{1,10}?)(?:过敏|過敏)?(?=[，,。！!；;]|$)|\ballergic\s+to\s+[^.!?;,]{2,30},?\s+(?:and\s+)?not\s+(?:to\s+)?(?P<en>[a-z]+(?:\s[a-z]+)?)\s*(?=[.!,;]|$)",
    re.IGNORECASE,
)
_ALLERGIES = (
    _ALLERGIC_EN, _ALLERGY_EN, _ALLERGY_SHORT_EN, _INTOLERANT_EN, _REACTS_EN, _ALLERGIC_ZH, _ALLERGY_ZH, _REACTS_ZH,
)  # fmt: skip


def find(statement: Statement) -> Iterator[Found]:
    """Yield allergies and diets of the speaker, and allergies that ended or never were."""
    removed = list(_ended_allergies(statement))
    yield from removed
    yield from _mistaken(statement)
    if not removed:
        for pattern in _ALLERGIES:
            for match in pattern.finditer(statement.text):
                yield from _allergies(match)
    yield from _diet(statement.text)
    yield from _conditions(statement)


def _diet(text: str) -> Iterator[Found]:
    if (english := _DIET_EN.search(text)) and not re.search(r"\ballerg", text, re.IGNORECASE):
        value = next(group for group in english.groups() if group).lower()
        shown = f"no {value}" if english["d"] or english["e"] else value
        yield field_found("user_profile", "diet", shown, english.span(), confidence=0.95)
    elif more := _DIET_MORE_EN.search(text):
        value = next(group for group in more.groups() if group).lower()
        shown = f"no {value}" if more["e"] else value
        if value not in _NO_DIET_EN:
            yield field_found("user_profile", "diet", shown, more.span(), confidence=0.9)
    if several := _DIET_LIST_ZH.search(text):
        yield field_found("user_profile", "diet", several["what"], several.span(), confidence=0.95)
    elif topic := _DIET_TOPIC_ZH.search(text):
        yield field_found(
            "user_profile", "diet", f"不吃{topic['what'].removesuffix('的')}", topic.span(), confidence=0.9
        )
    elif chinese := _DIET_ZH.search(text) or _DIET_MORE_ZH.search(text):
        only = "只" if f"只{chinese['a']}" in text else ""
        yield field_found("user_profile", "diet", f"{only}{chinese['a']}", chinese.span(), confidence=0.95)


def _conditions(statement: Statement) -> Iterator[Found]:
    """Diabetes, 晕车: no field of their own, but worth a sentence each."""
    if english := _CONDITION_EN.search(statement.text):
        condition = re.sub(r"^an?\s+", "", english["what"].lower())
        content = f"The user has {english['what']}."
        yield item_found(content, english.span(), attribute=condition, value="yes", entities=(condition,))
    if chinese := _CONDITION_ZH.search(statement.text):
        condition = chinese["what"] or chinese["what2"]
        content = f"{statement.user}{chinese[0][1:]}"
        yield item_found(content, chinese.span(), attribute=condition, value="是", entities=(condition,))


def _allergies(match: re.Match[str]) -> Iterator[Found]:
    listed = next(group for group in match.groups() if group)
    for member in members(_without_tail(listed)):
        allergen = (
            object_en(member, longest=4)
            if member.isascii()
            else re.sub(r"(?:这些|之类|等|都|类的)+$", "", member)
        )
        if (
            allergen
            and len(allergen) <= 30
            and not _NOTHING.match(allergen)
            and not re.search(r"[\s]*(?:not|不)", allergen)
        ):
            yield field_found("user_profile", "allergies", allergen, match.span(), confidence=0.95)


def _without_tail(listed: str) -> str:
    """'nuts, so please be careful' → 'nuts'."""
    return re.split(
        r",?\s+(?:so|but|because|since|which|please|can|and\s+(?:i|my|it|please|that)|what|do)\b|,\s*(?:i|my|it|any|could|what|please)\b",
        listed,
        maxsplit=1,
        flags=re.IGNORECASE,
    )[0]


def _mistaken(statement: Statement) -> Iterator[Found]:
    """对腰果过敏，不是花生: the wrong member of the list goes, it was never true."""
    if match := _INSTEAD_OF.search(statement.text):
        wrong = (match["zh"] or match["en"]).strip()
        yield field_found(
            "user_profile", "allergies", wrong, match.span(), operation="remove", confidence=0.9,
            explicit_correction=True, world_change=False,
        )  # fmt: skip


def _ended_allergies(statement: Statement) -> Iterator[Found]:
    """'no longer allergic' ends a value in the world; a plain 'not' says that it never was, and only a correction may say so."""
    for pattern in (_NOT_ALLERGIC_EN, _NOT_ALLERGIC_ZH):
        match = pattern.search(statement.text)
        if match is None:
            continue
        groups = match.groupdict()
        how = (groups["how"] or groups.get("how2") or "").lower()
        ended = how in {"no longer", "不再", "已经不", "现在不", "現在不"} or bool(
            groups.get("over") or groups.get("over2")
        )
        what = members(groups["what"] or groups.get("what2") or "")
        if what and not _NOTHING.match(what[0]):
            yield field_found(
                "user_profile", "allergies", what[0], match.span(), operation="remove", confidence=0.9,
                explicit_correction=ended or statement.corrects, world_change=ended,
            )  # fmt: skip
