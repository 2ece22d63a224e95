"""What looks like a fact and is none: jokes, hypotheticals, other people's facts, one-off orders, questions, quotations."""

from __future__ import annotations

import re

from memoryhub.writing.sentences import Sentence

_JOKE = re.compile(
    r"开玩笑|開玩笑|逗你[的玩呢]?|说着玩|說著玩|骗你的|騙你的|闹着玩|鬧著玩|才怪|我信你个鬼|瞎说的|瞎說的|胡说的|狗头|\b(?:just\s+(?:kidding|joking|messing)|i['’]?m\s+(?:kidding|joking|messing)|kidding|jk|j/k|joking\b|just\s+a\s+joke|as\s+a\s+joke|sarcasm|yeah,?\s+right|as\s+if|not!)(?=[\s.,!;)]|$)",
    re.IGNORECASE,
)
_NO_JOKE = re.compile(
    r"(?:不是|没有?|沒有?|别|別|不|可不是)(?:在)?(?:跟你|和你)?开玩笑|(?:不是|没有?|沒有?|不)(?:在)?開玩笑|\b(?:not|n['’]t)\s+(?:even\s+)?(?:kidding|joking|a\s+joke)|\bno\s+(?:joke|kidding)",
    re.IGNORECASE,
)
# What may stand around 'just kidding' in a turn that says nothing else.
_AROUND_A_JOKE = re.compile(
    r"哈+|呵+|嘿+|嘻+|好啦|抱歉|不好意思|其实|其實|刚才|剛才|刚刚|上面|前面|上一[句条]|那[句个条]话?|说的|說的|都|的话?|是|我|跟你|和你|在|啦|呢|而已|别当真|別當真|别信|不用记|当我没说|纯属|只是|就是|别往心里去|不是真的|"
    r"\b(?:ha(?:ha)+|lol|oh|no|sorry|ok(?:ay)?|well|i|was|were|is|it|that|this|am|only|just|about|the|a|last|one|thing|bit|message|earlier|before|above|said|what|of\s+course|obviously|totally|by\s+the\s+way|btw|don['’]t\s+(?:take\s+(?:it|that|me)\s+seriously|worry|remember\s+that|write\s+that\s+down|save\s+that)|forget\s+(?:it|that)|not\s+true|not\s+serious|in\s+my|you)\b",
    re.IGNORECASE,
)
_UNSAID = re.compile(
    r"(?:(?:抱歉|不好意思|算了|哎)[，,\s]*)?(?:(?:就)?当我(?:刚才)?没(?:有)?说(?:过)?|當我沒說(?:過)?|(?:我)?收回(?:刚才|上一句|上句|前面|我)(?:说?的|那句)?(?:话)?|(?:刚才|上一条|上句|上面)(?:说的|那句|那条)?(?:话)?(?:不算数?|作废|不作数|收回|忽略))[吧啊了哈]*[。.！!\s]*|"
    r"(?:(?:sorry|oh|no|actually|wait)[,.\s]+)*(?:(?:please\s+)?(?:forget|ignore|disregard)\s+(?:that\s+)?(?:i\s+said\s+that|what\s+i\s+(?:just\s+)?said|my\s+last\s+(?:message|sentence)|the\s+last\s+(?:message|thing|bit))|i\s+take\s+(?:that|it)\s+back|scratch\s+that)[.!\s]*",
    re.IGNORECASE,
)
_HYPOTHETICAL = re.compile(
    r"如果|假如|假设|假設|(?<![主重只需])要是|倘若|万一|萬一|若是|假使|比方说|比如说我|想象一下|想像|设想|设我|等我(?:有|老|退休)|(?:本来|本來)(?:想|要|打算)|要不是|打算|准备(?=换|搬|改|用|买|去|迁|转|辞|养|学)|準備(?=換|搬|改|用|買|去|轉|養|學)|(?:正在|在|还在)考虑|考虑(?=换|搬|改|用|买|迁)|想(?=换成|搬|养|学|买|去|转行|要是)|计划(?=换|搬|把|迁|去|明年|下)|巴不得|恨不得|真希望|但愿|"
    r"\b(?:if\s+(?:i|we|my|you|it|only|there|the)|were\s+i|suppose|supposing|imagine|hypothetically|assuming|what\s+if|wish\s+(?:i|we)|pretend|would\s+(?:have|be|love|like(?!\s+to\s+(?:change|update|correct|go\s+with))|rather(?!\s+not)|prefer|live|move|choose|use|take|go|eat|need)|could\s+have|should\s+have|unless|in\s+case|let['’]?s\s+say|in\s+theory|i['’]d\s+(?:be|love|like(?!\s+to\s+(?:change|update|correct|go\s+with))|live|choose|go|move|have|rather(?!\s+not)|take|use)|dream\s+of|hope\s+to|hoping\s+to|plan(?:ning)?\s+to|want\s+to(?!\s+(?:change|update|correct|go\s+with|use\s+plan|go\s+back))|going\s+to\s+(?:try|buy|be)|thinking\s+(?:of|about)|considering)\b",
    re.IGNORECASE,
)
_FICTION = re.compile(
    r"小说里|小說裡|故事里|故事裡|剧情|劇情|剧本|电影里|游戏里|遊戲裡|角色扮演|我的角色|主角|人设|剧中|梦见|夢見|做梦|做夢|梦到|台词|歌词|作文|写一?[篇个段封首]|"
    r"\b(?:in\s+(?:the|my|this|a)\s+(?:novel|story|book|game|movie|film|play|song|script|dream)|(?:my|the|our|main)\s+character|role-?play|once\s+upon\s+a\s+time|i\s+dreamt?\s+(?:that|i)|i\s+dreamed|the\s+lyrics|write\s+(?:me\s+)?(?:a|an)\s+(?:story|poem|letter|essay|song|script))\b",
    re.IGNORECASE,
)
_ONE_OFF = re.compile(
    r"这次|這次|这一次|這一次|这回|這回|就这一次|今天先|今天就|今晚|今天中午|今天想|今天要|就今天|只限今天|这一单|這一單|这单|這單|仅此一次|破例|例外|这顿|这餐|本次|"
    r"\b(?:this\s+time|just\s+(?:for\s+)?(?:today|tonight|once|this\s+(?:once|order|time))|only\s+(?:for\s+)?(?:today|tonight|this\s+(?:once|time|order))|for\s+(?:today|tonight|this\s+(?:order|trip|meeting|one))|for\s+once|tonight|on\s+this\s+occasion|one-?off|today\s+only|an?\s+exception)\b",
    re.IGNORECASE,
)
_KIN_EN = r"(?:sister|brother|mother|mom|mum|father|dad|wife|husband|son|daughter|kids?|children|child|friends?|colleagues?|co-?workers?|boss|manager|roommate|flatmate|neighbou?r|cousin|aunt|uncle|grandma|grandpa|grandmother|grandfather|grandparents|parents|partner|boyfriend|girlfriend|client|customer|niece|nephew|fianc[eé]e?|family|teammate|classmate|teacher|landlord|baby|twins|in-laws|mentor|buddy|ex|spouse|assistant)"
_OTHER_EN = re.compile(
    rf"\b(?:(?:my|our|his|her|their|the)\s+(?:\w+\s+)?{_KIN_EN}(?:['’]s)?|he|she|they|someone|everyone|people|everybody|some\s+people|most\s+people|nobody)\b(?!\s+and\s+(?:i|me)\b)[^,;.]{{0,12}}?\b(?:is|are|was|has|have|had|likes?|loves?|hates?|lives?|works?|prefers?|can['’]t|doesn['’]t|don['’]t|dislikes?|moved|speaks?|keeps?|eats?|drinks?|wants?|uses?|enjoys?|allergic|birthday|name|address|phone|email|favou?rite|bought|went|chose)\b",
    re.IGNORECASE,
)
_KIN_ZH = r"(?:妈妈?|媽媽?|爸爸?|父亲|母亲|父母|爸妈|姐姐?|妹妹?|哥哥?|弟弟?|老婆|老公|妻子|丈夫|先生|太太|爱人|对象|女朋友|男朋友|女友|男友|女儿|女兒|儿子|兒子|孩子|小孩|宝宝|家人|家里人|朋友|闺蜜|哥们|同事|同学|同學|室友|领导|老板|老闆|上司|经理|客户|客戶|邻居|鄰居|爷爷|奶奶|外公|外婆|姥姥|姥爷|叔叔|阿姨|舅舅|姑姑|表[哥弟姐妹]|堂[哥弟姐妹]|侄[子女]|外甥女?|岳父|岳母|婆婆|公公|老师|学生|徒弟|师傅|助理|秘书|下属|房东|队友|搭档|前任)"
_OTHER_ZH = re.compile(
    rf"(?:我(?:的|们|們|家)?(?:一?[个位名])?(?:的)?(?:大|小|二|女|男|新|老|好|前)?{_KIN_ZH}|(?:(?<![吉其排])他|她)(?:们|們)?|有(?:个|位|一个|些)?(?:人|朋友|同事|客户)|人家|别人|別人|大家|很多人|其他人|小[\u4e00-\u9fff]{{1,2}}(?=说|也|喜|爱|讨|对|住|不)|老[\u4e00-\u9fff](?=说|也|喜|爱|讨|对|住|不)|[\u4e00-\u9fff]总(?=说|喜|不|要)|[一-鿿](?:先生|女士|小姐|经理|工|老师)(?=对|喜|不|住|说|爱))"
)
_TOGETHER_ZH = re.compile(
    rf"我(?:们|們)?(?:和|跟|与|與)(?:我的?)?{_KIN_ZH}|(?:大家|别人|別人|人家|(?:我的?)?{_KIN_ZH}们?|他们|很多人)(?:都|一般|平时|平時|总)*(?:叫|喊|称呼|管)我"
)
_OWNER_ZH = re.compile(rf"我(?!的?(?:大|小|二|女|男|新|老|好|前)?{_KIN_ZH})|咱|本人")
_REPORTED = re.compile(
    r"(?:(?<![吉其排])他们?|她们?|人家|别人|同事|朋友|客户|网上|书上|新闻|报道|有人|据说|听说|聽說)(?:都|总|老|常|刚才|昨天|跟我|和我|告诉我|对我)*(?:说|說|讲|講|认为|覺得|觉得|以为|問|问)(?:过|道|了)?[，,：:]?|据说|听说|聽說|"
    rf"\b(?:(?i:he|she|they|someone|people|everyone|somebody)|(?i:(?:my|the|our|a)\s+(?:\w+\s+)?{_KIN_EN})|(?!(?:My|The|Our|We|It|As|And|But|So)\b)[A-Z][a-z]+)\s+(?:(?!doctor)\w+\s+)?(?:says?|said|told\s+me|thinks?|thought|claims?|claimed|asked|wrote|heard|believes?|mentioned|replied)\b",
)
_QUOTED = re.compile(
    r"“[^”]{2,300}”|「[^」]{2,300}」|『[^』]{2,300}』|\"[^\"]{2,300}\"|(?<![\w])‘[^’]{2,300}’(?!\w)|《[^》]{1,60}》"
)


_DENIED = re.compile(
    r"没(?:有)?(?:说过|說過|讲过|说我|提过)|沒(?:有)?說過|从没说|谁说|誰說|不是说|哪有说|\b(?:never|didn['’]t|did\s+not|haven['’]t)\s+(?:(?:ever|actually)\s+)?(?:say|said|tell|told|claim(?:ed)?|mention(?:ed)?|state[d]?|wrote|write)\b|\bwho\s+(?:said|told\s+you)\b|\bwhere\s+did\s+you\s+get\b",
    re.IGNORECASE,
)
_OTHERS_POSSESSION_EN = re.compile(
    rf"\b(?:(?:my|our|his|her|their|the)\s+(?:\w+\s+)?{_KIN_EN}(?:['’]s?)?|his|her|their|he|she|they|(?!(?:It|That|What|Here|There|Let|Who|Where|Today|How)['’])[A-Z][a-z]+['’]s)\b",
    re.IGNORECASE,
)
_OWN_EN = re.compile(
    rf"\b(?:i|i['’](?:m|ve|d|ll)|me|mine|us|(?:my|our)(?!\s+(?:\w+\s+)?{_KIN_EN}\b)|we)\b", re.IGNORECASE
)


def turn_is_joke(text: str) -> bool:
    """'… just kidding' takes back the whole turn."""
    return bool(_JOKE.search(text)) and not _NO_JOKE.search(text)


def what_is_taken_back(text: str) -> str:
    """The code when the turn does nothing but take back the one before it ('just kidding', 当我没说): joke, taken_back; else ''."""
    if _UNSAID.fullmatch(text.strip()):
        return "taken_back"
    if not turn_is_joke(text) or len(text) > 80:
        return ""
    left = _AROUND_A_JOKE.sub("", _JOKE.sub("", text))
    return "" if re.search(r"[\u4e00-\u9fffA-Za-z0-9]", left) else "joke"


def sentence_refusal(text: str) -> str:
    """The code why nothing of the sentence may be learned, or ''."""
    if _HYPOTHETICAL.search(text):
        return "hypothetical"
    if _FICTION.search(text):
        return "fiction"
    return "denied" if _DENIED.search(text) else ""


def is_one_off(text: str) -> bool:
    """'this time', 这次: says nothing about the next time."""
    return bool(_ONE_OFF.search(text))


def place_refusal(sentence: Sentence, start: int, end: int) -> str:
    """The code why what stands at [start, end) of the sentence is not the speaker's own statement, or ''."""
    if sentence.is_asked(start):
        return "question"
    text = sentence.text
    if any(mark.start() <= start and end <= mark.end() for mark in _QUOTED.finditer(text)):
        return "quotation"
    if (reported := _REPORTED.search(text)) and reported.start() <= start and reported.end() <= end:
        return "reported_speech"
    return "other_person" if _is_about_another(sentence, start) else ""


def mentions_another(text: str) -> bool:
    """The sentence states something about somebody else."""
    return bool(_OTHER_EN.search(text) or _OTHER_ZH.search(text))


def _is_about_another(sentence: Sentence, position: int) -> bool:
    """Chinese drops its subject, so the last one named before the place counts: 我妈住在北京，对花生过敏."""
    if not sentence.has_chinese:
        return _follows_another_en(sentence, position)
    _, clause_end = sentence.clause_at(position)
    before = _TOGETHER_ZH.sub(lambda match: "我" * len(match[0]), sentence.text[: max(clause_end, position)])
    others = [match.end() for match in _OTHER_ZH.finditer(before)]
    owners = [
        match.end()
        for match in _OWNER_ZH.finditer(before)
        if not any(o.start() <= match.start() < o.end() for o in _OTHER_ZH.finditer(before))
    ]
    if not others:
        return False
    clause_start, _ = sentence.clause_at(position)
    own_here = [end for end in owners if clause_start < end]
    other_here = [end for end in others if clause_start < end]
    if own_here and (not other_here or own_here[0] < other_here[0]):
        return False
    if other_here:
        return True
    return bool(others) and (not owners or max(others) > max(owners))


def _follows_another_en(sentence: Sentence, position: int) -> bool:
    """'My mother's birthday is …': the last one named in the clause before the place is not the speaker."""
    clause_start, _ = sentence.clause_at(position)
    before = sentence.text[clause_start:position]
    others = [match.end() for match in _OTHERS_POSSESSION_EN.finditer(before)]
    owners = [match.end() for match in _OWN_EN.finditer(before)]
    return bool(others) and (not owners or max(others) > max(owners))
