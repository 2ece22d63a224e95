"""What looks like a fact and is none: jokes, hypotheticals, other people's facts, one-off orders, questions, quotations."""

from __future__ import annotations

import re

from memoryhub.language.patterns import lazy_pattern
from memoryhub.writing.sentences import Sentence

_JOKE = lazy_pattern(
    r"开个(?:小)?玩笑|開個玩笑|说笑|說笑|讲笑|闹着玩|开玩笑|開玩笑|逗你[的玩呢]?|说着玩|說著玩|骗你的|騙你的|闹着玩|鬧著玩|才怪|我信你个鬼|瞎说的|瞎說的|胡说的|狗头|逗你|骗到你|假的啦|吹牛的|瞎扯|皮一下|皮这一下|反话|想得美|做梦呢|哄你的|整活|\b(?:pulling\s+your\s+leg|april\s+fools?|gotcha|said\s+no\s+one\s+ever|in\s+my\s+dreams|just\s+(?:kidding|joking|messing)|i['’]?m\s+(?:kidding|joking|messing)|kidding|jk|j/k|joking\b|just\s+a\s+joke|as\s+a\s+joke|sarcasm|yeah,?\s+right|as\s+if|not!)(?=[\s.,!;)]|$)",
    re.IGNORECASE,
)
_NO_JOKE = lazy_pattern(
    r"(?:不是|没有?|沒有?|别|別|不|可不是)(?:在)?(?:跟你|和你)?开玩笑|(?:不是|没有?|沒有?|不)(?:在)?開玩笑|\b(?:not|n['’]t)\s+(?:even\s+)?(?:kidding|joking|a\s+joke)|\bno\s+(?:joke|kidding)",
    re.IGNORECASE,
)
# What may stand around 'just kidding' in a turn that says nothing else.
_AROUND_A_JOKE = lazy_pattern(
    r"开个(?:小)?玩笑|開個玩笑|说笑|說笑|讲笑|闹着玩|哈+|呵+|嘿+|嘻+|好啦|抱歉|不好意思|其实|其實|刚才|剛才|刚刚|上面|前面|上一[句条]|那[句个条]话?|说的|說的|都|的话?|是|我|跟你|和你|在|啦|呢|而已|别当真|別當真|别信|不用记|当我没说|纯属|只是|就是|别往心里去|不是真的|"
    r"\b(?:ha(?:ha)+|lol|oh|no|sorry|ok(?:ay)?|well|i|was|were|is|it|that|this|am|only|just|about|the|a|last|one|thing|bit|message|earlier|before|above|said|what|of\s+course|obviously|totally|by\s+the\s+way|btw|don['’]t\s+(?:take\s+(?:it|that|me)\s+seriously|worry|remember\s+that|write\s+that\s+down|save\s+that)|forget\s+(?:it|that)|not\s+true|not\s+serious|in\s+my|you)\b",
    re.IGNORECASE,
)
_UNSAID = lazy_pattern(
    r"(?:(?:抱歉|不好意思|算了|哎)[，,\s]*)?(?:(?:就)?当我(?:刚才)?没(?:有)?说(?:过)?|當我沒說(?:過)?|(?:我)?收回(?:刚才|上一句|上句|前面|我)(?:说?的|那句)?(?:话)?|(?:刚才|上一条|上句|上面)(?:说的|那句|那条)?(?:话)?(?:不算数?|作废|不作数|收回|忽略))[吧啊了哈]*[。.！!\s]*|"
    r"(?:(?:sorry|oh|no|actually|wait)[,.\s]+)*(?:(?:please\s+)?(?:forget|ignore|disregard)\s+(?:that\s+)?(?:i\s+said\s+that|what\s+i\s+(?:just\s+)?said|my\s+last\s+(?:message|sentence)|the\s+last\s+(?:message|thing|bit))|i\s+take\s+(?:that|it)\s+back|scratch\s+that)[.!\s]*",
    re.IGNORECASE,
)
# 'If', 如果: nothing of the whole sentence is so.
_CONDITIONAL = lazy_pattern(
    r"[^，,。]{1,10}的话[，,]?我?(?:们)?(?:就|会|可能|肯定|再)|(?:够|有|能|可以|换|搬|成|行|批|允许|涨|降|没|不|要)[^，,。]{0,10}的话|除非|一旦|哪怕|即使|即便|就算(?!了|是了)|(?:^|(?<=[，,。；;：:\s]))若(?![干有无])|如果|假如|假设|假設|(?<![主重只需])要是|倘若|万一|萬一|若是|假使|比方说|比如说我|想象一下|想像|设想|设我|等我(?:有|老|退休|以后)|(?:本来|本來|原本|差点)(?:是)?(?:想|要|打算|就|准备)|要不是|换作(?:是)?我|換作我|换做我|早知道|哪天(?:我|要)|巴不得|恨不得|真希望|但愿|的话就好|就好了|理论上|假定|要真是?|真要是?|有朝一日|梦想(?:是|着)|打个比方|打比方|譬如说?|换成我|假若|设若|若是我|要不是|倘使|假想|脑补|幻想|"
    r"\b(?:if\s+(?:i|we|my|you(?!\s+(?:ask|must|want\s+to\s+know|need))|it|only|there|the|our|he|she|they|someone|anyone)|were\s+(?:i|we)|suppose|supposing|imagine|hypothetically|assuming|what\s+if|wish\s+(?:i|we|my|our)|pretend|"
    r"could\s+have|should(?:\s+|['’])(?:ve|have)|might\s+have|(?:was|were)\s+(?:going|about|planning|supposed)\s+to|was\s+hoping\s+to(?!\s+(?:stay|spend|keep|pay))|(?:almost|nearly)\s+(?:went|chose|picked|moved|bought)|unless|in\s+case|let['’]?s\s+say|in\s+theory|even\s+if|as\s+long\s+as|provided\s+that|should\s+(?:i|we|you)\b(?!.*\?)|picture\s+this|for\s+the\s+sake\s+of\s+argument|in\s+an(?:other)?\s+(?:ideal\s+|perfect\s+)?(?:world|life|universe)|some\s?day|one\s+day\s+i|theoretically|were\s+to|had\s+i\s+(?:known|been|gone|moved)|if\s+(?:everything|all|things|money|life|work\s+lets|a\s+miracle)|dream\s+of|when\s+i(?:['’]m|\s+am)\s+(?:rich|old|retired|older|famous))\b",
    re.IGNORECASE,
)
# 'I get hives if I eat kiwi' is so, whatever is eaten.
_EATEN = lazy_pattern(
    r"(?:如果|要是|只要|一旦|一)(?:我)?(?:不小心|误)?(?:吃|喝|碰|闻|接触|沾)|\b(?:if|when(?:ever)?|unless)\s+i\s+(?:\w+\s+)?(?:eat|drink|touch|have|get|smell|take|consume|come)\b",
    re.IGNORECASE,
)
_REACTION = lazy_pattern(r"\b(?:hives|rash|swell\w*|anaphyla\w+|break\s+out)\b|过敏|疹|肿", re.IGNORECASE)
# 'I plan to', 打算: only what stands in the same clause is not so yet.
_INTENTION = lazy_pattern(
    r"(?<!不)打算(?!控制|花|出|投|长住|长期|一直|在这)|准备(?=换|搬|改|用|买|去|迁|转|辞|养|学)|準備(?=換|搬|改|用|買|去|轉|養|學)|(?:正在|在|还在)考虑|考虑(?=换|搬|改|用|买|迁)|想(?=换|搬|养|学|买|去|转行|要是|找|试)|(?<!旅行|旅游|出行|周末|假期|项目|迁移|营销|培训|学习|健身)(?<![的原新])计划(?=换|搬|把|迁|去|明年|下)|"
    r"\b(?:would\s+(?:have|be|love|like(?!\s+to\s+(?:change|update|correct|report|keep|stay\s+(?:under|below)|be\s+(?:called|contacted|addressed)|receive|stick|mention|add|go\s+with)|\s+(?:\w+\s+){0,3}(?:answers?|replies|responses|explanations|tone|summaries))|rather(?!\s+(?:not|you|we|talk|speak|write|chat|communicate|have\s+(?:short|long|your)|get\s+(?:an?\s+)?(?:text|e-?mail|message|short)|be\s+(?:contacted|reached|called|notified)))|live|move|choose|use|take|go|eat|need|pick|work)|i['’]d\s+(?:be|love|like(?!\s+to\s+(?:change|update|correct|report|keep|stay\s+(?:under|below)|be\s+(?:called|contacted|addressed)|receive|stick|mention|add|go\s+with)|\s+(?:\w+\s+){0,3}(?:answers?|replies|responses|explanations|tone|summaries))|live|choose|go|move|have|rather(?!\s+(?:not|you|we|talk|speak|write|chat|communicate|have\s+(?:short|long|your)|get\s+(?:an?\s+)?(?:text|e-?mail|message|short)|be\s+(?:contacted|reached|called|notified)))|take|use|pick|work)|(?:i|we|you|it|that|he|she|they|there)(?:\s+would|['’]d)\s+(?!like\b|love\b|prefer\b|rather\b|appreciate\b|been\b|had\b|better\b|already\b|never\b|also\b|really\b|much\b)|hope\s+to|hoping\s+to(?!\s+(?:stay|spend|keep|pay))|(?:(?<=\bi\s)|(?<=\bwe\s)|(?<=ly\s)|(?<=\bdo\s)|(?<=\balso\s)|(?<=\bstill\s)|(?<=\bjust\s)|(?<=\bnow\s)|(?<=\bwho\s)|(?<=\bthey\s)|(?<=\bdon['’]t\s)|^)plan\s+to|planning\s+to|(?<!n['’]t\s)want\s+to(?!\s+(?:change|update|correct|go\s+with|use\s+plan|go\s+back|keep|stick))|going\s+to\s+(?:try|buy|be)|thinking\s+(?:of|about)|considering|looking\s+(?:to|into)|would\s+consider)\b",
    re.IGNORECASE,
)
_FICTION = lazy_pattern(
    r"^\s*(?:so\s+|ok\s+|now\s+)?say\s+(?:we|i|you|they|the|our|my|it)\b|设定里|世界观|扮成|假装(?:我|你|自己)|书中|剧里|番里|漫画里|(?:住|搬|在|去).{0,2}(?:火星|月球|月亮|龙宫|天宫|花果山|霍格沃茨|赛博坦)|我(?:是|叫)(?:孙悟空|猪八戒|奥特曼|蝙蝠侠|钢铁侠|蜘蛛侠|秦始皇|灭霸|皮卡丘|哈利波特|玉皇大帝|齐天大圣)|故事的?(?:开头|结尾|主人公|背景)|(?:帮我|替我)?(?:编|虚构|杜撰)(?:一?个|一段)|人物设定|设定[：:是]|假扮|扮演|歌里|小说里|小說裡|故事里|故事裡|剧情|劇情|剧本|电影里|游戏里|遊戲裡|角色扮演|我的角色|主角|人设|剧中|梦见|夢見|做梦|做夢|梦到|台词|歌词|作文|写一?[篇个段封首]|"
    r"\b(?:in\s+(?:the|my|this|a)\s+(?:novel|story|book|game|movie|film|play|song|script|dream)|(?:my|the|our|main)\s+character|role-?play|make\s+up\s+an?\b|invent\s+an?\b|made-up|fictional|(?:the|my|this)\s+story\s+(?:starts|begins|goes|is\s+about)|scenario|protagonist|narrator|screenplay|dungeon\s+master|(?:on\s+(?:the\s+moon|mars)|in\s+(?:hogwarts|narnia|wakanda|gotham|atlantis))|(?:my\s+name\s+is|call\s+me|i['’]m|i\s+am)\s+(?:batman|superman|spider-?man|james\s+bond|darth\s+vader|santa\s+claus|gandalf|sherlock\s+holmes|elvis|napoleon|god|the\s+(?:queen|king|pope)\b)|once\s+upon\s+a\s+time|i\s+dreamt?\s+(?:that|i)|i\s+dreamed|the\s+lyrics|write\s+(?:me\s+)?(?:a|an)\s+(?:story|poem|letter|essay|song|script))\b",
    re.IGNORECASE,
)
_ONE_OFF = lazy_pattern(
    r"下不为例|今儿|就一次|一次性(?![\u4e00-\u9fff]{0,6}方案)|特例|只有今天|只这一|偶尔一次|(?:这次|這次|这一次|這一次)(?!的?[\u4e00-\u9fff]{0,6}(?:方案|计划))(?!的?(?:项目|活动|改版|合作|升级|开发|采购|工程|上线|版本|迭代|比赛|装修))|这回|這回|就这一次|今天先|今天就|今晚|今天中午|今天想|今天要|就今天|只限今天|这一单|這一單|这单|這單|仅此一次|这趟|这一趟|这一顿|这一回|这一餐|就一回|今日|这杯|仅限今|只限这|下次不用|临时改|破例|例外|这顿|这餐|本次|"
    r"\b(?:this\s+time|just\s+(?:for\s+)?(?:today|tonight|once|this\s+(?:once|order|time))|only\s+(?:for\s+)?(?:today|tonight|this\s+(?:once|time|order))|for\s+(?:today|tonight|this\s+(?:order|trip|meeting|one))|for\s+once|for\s+a\s+change|one[\s-]time(?!\s+(?:[\w-]+\s+){0,2}(?:plan|model|option|approach|payment|purchase|migration|rollout)\b)|for\s+this\s+one|this\s+one\s+(?:time|order|answer|reply|purchase|delivery|email|message)|this\s+(?:meal|purchase|delivery|booking|round)|exceptionally|tonight|on\s+this\s+occasion|one-?off|today\s+only|an?\s+exception)\b",
    re.IGNORECASE,
)
KIN_EN = r"(?:sister|brother|mother|mom|mum|father|dad|wife|husband|son|daughter|kids?|children|child|friends?|colleagues?|co-?workers?|boss|manager|roommate|flatmate|neighbou?r|cousin|aunt|uncle|grandma|grandpa|grandmother|grandfather|grandparents|parents|partner|boyfriend|girlfriend|client|customer|niece|nephew|fianc[eé]e?|family|teammate|classmate|teacher|landlord|baby|twins|in-laws|nann(?:y|ies)|tenants?|interns?|supervisor|supplier|contractor|professor|students?|roomie|bestie|bff|hubby|mates?|pals?|folks|guests?|siblings?|step\w+|grand\w+|co-?founder|dentist|therapist|babysitter|employees?|trainer|crush|mentor|buddy|ex|spouse|assistant)"
_OTHER_EN = lazy_pattern(
    rf"\b(?:(?:my|our|his|her|their|the)\s+(?:\w+\s+)?{KIN_EN}(?:['’]s)?|he|she|they|someone|everyone|people|everybody|some\s+people|most\s+people|nobody)\b(?!\s+and\s+(?:i|me)\b)[^,;.]{{0,12}}?\b(?:is|are|was|has|have|had|likes?|loves?|hates?|lives?|works?|prefers?|can['’]t|doesn['’]t|don['’]t|dislikes?|moved|speaks?|keeps?|eats?|drinks?|wants?|uses?|enjoys?|allergic|birthday|name|address|phone|email|favou?rite|bought|went|chose)\b",
    re.IGNORECASE,
)
_KIN_ZH = r"(?:妈妈?|媽媽?|爸爸?|父亲|母亲|父母|爸妈|姐姐?|妹妹?|哥哥?|弟弟?|老婆|老公|妻子|丈夫|先生|太太|爱人|对象|女朋友|男朋友|女友|男友|女儿|女兒|儿子|兒子|孩子|小孩|宝宝|家人|家里人|朋友|闺蜜|哥们|同事|同学|同學|室友|领导|老板|老闆|上司|经理|客户|客戶|邻居|鄰居|爷爷|奶奶|外公|外婆|姥姥|姥爷|叔叔|阿姨|舅舅|姑姑|表[哥弟姐妹]|堂[哥弟姐妹]|侄[子女]|外甥女?|岳父|岳母|婆婆|公公|老师|学生|徒弟|师傅|助理|秘书|下属|房东|队友|搭档|前任|丈母娘|老丈人|嫂子|姐夫|妹夫|弟媳|姑妈|姨妈|舅妈|婶婶?|孙子|孙女|小舅子|小姨子|发小|学长|学姐|学弟|学妹|师兄|师姐|导师|保姆|网友|群友|粉丝|对门|楼上|楼下|组长|队长|实习生|供应商|租客|病人|患者|顾客|娃|老人家?|长辈|亲戚|合伙人|中介)"
_SURNAMES = "王李张張刘劉陈陳杨楊赵趙黄黃周吴吳徐孙孫胡朱高林何郭罗羅梁宋郑鄭谢謝韩韓唐冯馮于董萧曹袁邓許许傅沈曾彭吕苏卢蒋蔡贾丁魏薛叶余潘杜戴夏钟汪田任姜范方石姚谭廖邹熊陆郝孔崔康邱秦史顾侯邵孟段钱汤尹黎易武乔贺赖龚"
_OTHER_ZH = lazy_pattern(
    rf"(?:(?:^|(?<=[，,。；;！!：:]))(?:一位|一个|有个|那个|这位)?(?:大|小|二|新|老)?{_KIN_ZH}(?!们?(?:好|您好|你好))|(?:^|(?<=[，,。；;！!：:]))(?!方案|方便|周[一二三四五六日天末边围年]|高[铁中兴效档]|马[上路]|金[额卡融]|任[何务意]|于是|江[苏西]|石油|黄[色金]|何[时况]|万一|董事|财务|许多|时间|程序|余额|顾客|谢谢|韩[国语]|钱|汤|段|史|白|安|宋体|武汉|唐山|秦皇|孟|邱|贵|姚|康复|陆续|常|杜|夏天|夏季|余下|田|沈阳|郑州|徐州|苏州|常州|潘|温)[{_SURNAMES}][\u4e00-\u9fff]{{1,2}}(?=住在|对|喜欢|讨厌|不吃|不喜|的(?:电话|邮箱|地址|生日|手机|预算|收货|会员)|养了|换了|搬|最喜欢|最爱|在[\u4e00-\u9fff]{{2,6}}(?:上班|工作)|是(?:素食|会员|金卡|VIP))|我(?:的|们|們|家)?(?:一?[个位名])?(?:的)?(?:大|小|二|女|男|新|老|好|前)?{_KIN_ZH}|(?:(?<![吉其排])他|她)(?:们|們)?|有(?:个|位|一个|些)?(?:人|朋友|同事|客户)|人家|别人|別人|大家|很多人|其他人|小[\u4e00-\u9fff]{{1,2}}(?=说|也|喜|爱|讨|对|住|不)|老[\u4e00-\u9fff](?=说|也|喜|爱|讨|对|住|不)|(?:小|老|阿)[{_SURNAMES}](?![\u4e00-\u9fff]?(?:区|板|师))|[{_SURNAMES}](?:总|经理|主任|老师|工|姐|哥|先生|女士|小姐|医生|律师|局|董)|[\u4e00-\u9fff]总(?=说|喜|不|要|的|让|想|在|是)|隔壁|邻居|[一-鿿](?:先生|女士|小姐|经理|工|老师)(?=对|喜|不|住|说|爱))"
)
_TOGETHER_ZH = lazy_pattern(
    rf"我(?:们|們)?(?:和|跟|与|與)(?:我的?)?{_KIN_ZH}|(?:大家|别人|別人|人家|(?:我的?)?{_KIN_ZH}们?|他们|很多人)(?:都|一般|平时|平時|总)*(?:叫|喊|称呼|管)我"
)
_OWNER_ZH = lazy_pattern(rf"我(?!的?(?:大|小|二|女|男|新|老|好|前)?{_KIN_ZH})|咱|本人")
_REPORTED = lazy_pattern(
    r"(?:(?<![吉其排])他们?|她们?|人家|别人|同事|朋友|客户|网上|书上|新闻|报道|有人|老板|老闆|领导|经理|上司|据说|听说|聽說)(?:都|总|老|常|刚才|昨天|跟我|和我|告诉我|对我)*(?:说|說|讲|講|认为|覺得|觉得|以为|問|问)(?:过|道|了)?[，,：:]?|据说|听说|聽說|"
    rf"\b(?:(?i:he|she|they|someone|people|everyone|somebody)|(?i:(?:my|the|our|a)\s+(?:\w+\s+)?{KIN_EN})|(?!(?:My|The|Our|We|It|As|And|But|So)\b)[A-Z][a-z]+)\s+(?:(?!doctor)\w+\s+)?(?:says?|said(?!\s+(?:no|yes|ok(?:ay)?)\b)|told\s+me|thinks?|thought|claims?|claimed|asked|wrote|heard|believes?|mentioned|replied)\b",
)
_QUOTED = lazy_pattern(
    r"(?:俗话说|歌词|有句话|有句歌|名言|古诗|广告语|台词|标语|口号|老话|谚语|课本上?).{2,100}$|\b(?:as\s+the\s+(?:song|saying)\s+goes|the\s+(?:song|lyrics?|saying|slogan|quote|proverb)\b|as\s+they\s+say)\b.{2,200}$|(?:写着|寫著|写道|原话[是：:]|原文|上面写|上写|备注写|标题[是：:]|(?:客服|他|她|老板|对方|系统)(?:回复|回|说|通知)(?:我)?[：:]|邮件里?(?:说|写)|短信里?说|公告说|通知说)[：:，,]?.{2,200}$|网上(?:都)?说.{2,100}$|\b(?:(?:the|an?|this|that|his|her|their|your)\s+(?:\w+\s+)?(?:e-?mail|sign|article|letter|note|post|page|contract|book|message|website|label|report|headline|ad|poster|text|menu|brochure|manual|review)\s+(?:says?|said|reads?|states?|stated|claims?|mentions?)|support\s+(?:replied|said|wrote)|(?:he|she|they)\s+(?:replied|wrote|texted|literally\s+said)|exact\s+words\s+were)\b.{2,200}$|\b(?:customer|client|boss|he|she|they|manager|colleague|friend|supplier)\s+(?:wrote|said|says|replied|texted|asked)\s*[:：].{2,200}$|“[^”]{2,300}”|「[^」]{2,300}」|『[^』]{2,300}』|\"[^\"]{2,300}\"|(?<![\w])‘[^’]{2,300}’(?!\w)",
    re.IGNORECASE,
)


# What the speaker only takes note of: it was somebody else who said it.
_ACKNOWLEDGED = lazy_pattern(
    r"谢谢(?:你|您)?(?:们)?(?:还|都)?(?:记得|记住|记着|把|帮我?|确认|更新|提醒|告知)|\bthank(?:s|\s+you)(?:\s+\w+){0,3}\s+for\s+(?!nothing)|^(?:收到|明白|了解|知道了|嗯[，,]?知道了|好的?[，,]?我?(?:知道|明白|了解|收到|记住)了)|(?:我?(?:知道|明白|了解|清楚|懂)了|(?:^|[，,。])(?:我)?(?:知道|明白|了解|清楚|懂)|收到)[。.！!~\s]*$|^(?:好的?|行|嗯)[，,].{0,30}(?:按你说的|听你的|没问题)|"
    r"^(?:ok(?:ay)?|right|fine|great|thanks|alright)?[\s,.]*(?:noted|understood|got\s+it|i\s+see|i\s+understand|duly\s+noted|thanks\s+for)\b|\b(?:got\s+it|noted|understood|makes\s+sense|is\s+clear\s+now|are\s+clear\s+now)(?:,?\s+(?:thanks|thank\s+you))?[.!\s]*$|\b(?:as\s+)?you\s+(?:said|told\s+me|mentioned|wrote)\b|\bi\s+(?:see|understand|know)\s+(?:that\s+)?your\b",
    re.IGNORECASE,
)
_DECIDES = lazy_pattern(
    r"^they\b|\b(?:the|our|my)\s+(?:\w+\s+)?(?:client|customer|boss|manager|board|team|management|teammates?|colleagues?|partner)\b|客户|客戶|老板|老闆|领导|甲方|上司|经理|同事们?|团队",
    re.IGNORECASE,
)
# Who agrees or objects says nothing about himself: 老婆不同意，预算回到15万.
_OBJECTS = lazy_pattern(
    rf"{_KIN_ZH}(?:都|也|又|还是|坚决|一直)*(?:不?同意|不肯|不让|不许|不给(?:钱|出)?了?|反对|嫌|不答应|答应了?|批了|不批|拍板|松口|(?:给|帮)?(?:我们?|咱们?)?(?:又|再)?(?:加了?|添了?|资助|赞助|补贴|支援|支持|凑了?|贴了?|砍了?|减了?|出了?)(?:了)?(?:点|些|一笔|一部分)?(?:钱|款|[\d一二两三四五六七八九十]+万)?(?=[，,]))|\b(?:(?:my|our|the)\s+)?{KIN_EN}\s+(?:said\s+(?:no|yes|ok(?:ay)?)|(?:dis)?agreed|agrees|objected|vetoed|approved|chipped\s+in|pitched\s+in|gave\s+us|lent\s+us|helped\s+(?:us\s+)?out|cut\s+(?:it|us)|insisted|came\s+round|talked\s+me\s+(?:in|out)\w*)\b",
    re.IGNORECASE,
)
OTHER_PARTY = lazy_pattern(
    r"(?:另外?一个|另一|别的|其他|其它|隔壁|对面|对门|兄弟|友)(?:的)?(?:小组|组|团队|部门|公司|项目|班|家)|(?:前|上一?家|原来?|老)(?:公司|东家|单位)|"
    r"\b(?:(?:an)?other|different|neighbou?ring)\s+(?:team|group|department|company|project|firm)s?\b|\b(?:competitors?|rivals?)\b|\b(?:last|previous|former|old)\s+(?:job|company|employer|firm|team|project)\b",
    re.IGNORECASE,
)
"""Whom a choice is not about: another team, the company of before."""
_THEIRS = lazy_pattern(
    r"\b(?:his|her|their)\b|他们?的|她的|[他她]们?(?:的)?(?:预算|上限)|(?:客户|老板|领导)(?:自己|家|的)(?!要求|意思)",
    re.IGNORECASE,
)
_WONDERS = lazy_pattern(
    r"(?<!不)(?:想知道|想问(?:一?下|问)?|请问|問一下|问一下|不知道(?:我|要|该|是))|\b(?:i\s+wonder|wondering|do\s+you\s+know|any\s+idea|tell\s+me\s+(?:what|which|where|when|if|whether|who|how))\b",
    re.IGNORECASE,
)
_DENIED = lazy_pattern(
    r"没(?:有)?(?:说过|說過|讲过|说我|提过)|沒(?:有)?說過|从没说|谁说|誰說|不是说|哪有说|\b(?:never|didn['’]t|did\s+not|haven['’]t)\s+(?:(?:ever|actually)\s+)?(?:say|said|tell|told|claim(?:ed)?|mention(?:ed)?|state[d]?|wrote|write)\b|\bwho\s+(?:said|told\s+you)\b|\bwhere\s+did\s+you\s+get\b",
    re.IGNORECASE,
)
_OTHERS_POSSESSION_EN = lazy_pattern(
    rf"\b(?:(?:my|our|his|her|their|the)\s+(?:\w+\s+)?{KIN_EN}(?:['’]s?)?|his|her|their|he|she|they|(?-i:(?!(?:It|That|What|Here|There|Let|Who|Where|Today|How)['’])[A-Z][a-z]+['’]s))\b",
    re.IGNORECASE,
)
_OWN_EN = lazy_pattern(
    rf"\b(?:i|i['’](?:m|ve|d|ll)|me|mine|us|(?:my|our)(?!\s+(?:\w+\s+)?{KIN_EN}\b)|we)\b", re.IGNORECASE
)


_LAUGHTER = lazy_pattern(
    r"(?:\b(?:lol|lmao|rofl|haha(?:ha)+)\b|haha|哈{2,}|hhh+|(?<!\d)2333+(?!\d)|[\U0001F602\U0001F923\U0001F61C\U0001F61D\U0001F92A]|[（(](?:手动)?(?:狗头|滑稽|doge|不是)[)）]|\bdoge\b|\s/s)[\s.!。！~～)）]*$",
    re.IGNORECASE,
)


def turn_is_joke(text: str) -> bool:
    """'… just kidding' takes back the whole turn; so does laughing at what was said."""
    return bool(_JOKE.search(text) or _LAUGHTER.search(text.strip())) and not _NO_JOKE.search(text)


def what_is_taken_back(text: str) -> str:
    """The code when the turn does nothing but take back the one before it ('just kidding', 当我没说): joke, taken_back; else ''."""
    if _UNSAID.fullmatch(text.strip()):
        return "taken_back"
    if not turn_is_joke(text) or len(text) > 80:
        return ""
    if not _JOKE.search(text):
        return ""
    left = _AROUND_A_JOKE.sub("", _JOKE.sub("", text))
    return "" if re.search(r"[\u4e00-\u9fffA-Za-z0-9]", left) else "joke"


def sentence_refusal(text: str) -> str:
    """The code why nothing of the sentence may be learned, or ''."""
    if _CONDITIONAL.search(text) and not (_REACTION.search(text) and _EATEN.search(text)):
        return "hypothetical"
    if _ACKNOWLEDGED.search(text):
        return "acknowledgement"
    if _WONDERS.search(text):
        return "question"
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
    first, last = sentence.clause_at(start)[0], sentence.clause_at(max(end - 1, start))[1]
    if _INTENTION.search(text, first, last):
        return "hypothetical"
    if any(mark.start() <= start and end <= mark.end() for mark in _QUOTED.finditer(text)):
        return "quotation"
    reported = _REPORTED.search(text)
    if (
        reported
        and reported.start() <= start
        and reported.end() <= end
        and not _speaks_for_us(text, reported.end(), end)
    ):
        return "reported_speech"
    return "other_person" if _is_about_another(sentence, start) else ""


_OURSELVES = lazy_pattern(
    r"(?<=[\u4e00-\u9fff])[，,；;](?:所以|于是|那|因此)?(?:我们|咱们|咱|我)(?!爸|妈|老)|(?<=[a-z])[,;]\s*(?:so\s+)?(?:we|i|let['’]s)(?=\b)",
    re.IGNORECASE,
)


def _speaks_for_us(text: str, told: int, end: int) -> bool:
    """老板觉得太贵，咱们换成方案二: after what another thinks a clause of our own begins."""
    return bool(_OURSELVES.search(text, told, end + 1))


_SHORT_LIVED = lazy_pattern(
    r"今天|今晚|今早|今晩|明天|明晚|后天|这两天|这几天|这周|这週|本周|这个?周末|临时|暂时|暫時|先试|等我(?:回|到|出差)|出差(?:期间|的时候)|旅游期间|"
    r"\b(?:today|tonight|tomorrow|this\s+(?:week|weekend|morning|afternoon|evening)|for\s+now|temporarily|for\s+the\s+(?:weekend|moment|time\s+being|day|week)|for\s+the\s+next\s+(?:few\s+)?(?:days|week|hours)|until\s+(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday|tomorrow|further\s+notice|i\s+(?:get|come)|then|next)|while\s+i['’]?(?:m|\s+am)\s+(?:away|travel\w*|on\s+(?:holiday|vacation|leave)|in\b)|during\s+(?:my|the|this)\s+\w+|these\s+(?:two|few)\s+days)\b",
    re.IGNORECASE,
)
_LASTS = lazy_pattern(
    r"以后|以後|今后|起|开始|已经|刚刚?|换成|改成|改为|换了|搬|\b(?:from|since|starting|as\s+of|now\s+on|permanently|moved|changed|new|decided|chose|approved|settled)\b|定了|决定|敲定|通过",
    re.IGNORECASE,
)


def is_short_lived(text: str) -> bool:
    """'until Friday', 这两天: holds for a few days and says nothing about the time after."""
    return bool(_SHORT_LIVED.search(text)) and not _LASTS.search(text)


def holds_for_a_day(text: str) -> bool:
    """The sentence speaks of a few days, whatever else it says of change."""
    return bool(_SHORT_LIVED.search(text))


_FELT = lazy_pattern(
    r"心情|低落|难过|激动|骄傲|焦虑|崩溃|头大|压力|愁|烦死|累死|好累|太累|急死|慌|抓狂|心累|郁闷|难受|绝望|窒息|要疯|疯了|要命|想哭|头疼|气死|无语|烦躁|受够|"
    r"\b(?:feeling\s+(?:\w+\s+)?(?:down|low|sad|happy|lonely|great|lost|homesick)|over\s+the\s+moon|thrilled|homesick|stress\w*|killing\s+me|exhaust\w+|drain\w+|headache|panick\w*|dread\w*|overwhelm\w*|freak\w*|burn(?:t|ed)\s+out|so\s+done|depress\w*|nightmare|sick\s+of|fed\s+up|nervous|anxious|worried|crying|devastated|miserable)\b",
    re.IGNORECASE,
)


def is_felt(text: str) -> bool:
    """A sentence that tells how somebody feels about a deadline or a place does not state it."""
    return bool(_FELT.search(text))


def is_decided_for_us(text: str) -> bool:
    """The client, the boss or the board speaks about the common project, not about himself; so does who objects to it."""
    if OTHER_PARTY.search(text):
        return False
    return bool(_DECIDES.search(text) or _OBJECTS.search(text)) and not (
        _THEIRS.search(text) or _REPORTED.search(text)
    )


_FORMER = lazy_pattern(
    r"当时|那时候?|那会儿|那年|曾经?(?=在|是|住|养|做|当|用)|以前(?!的|说)|从前|过去(?!了)|小时候|"
    r"\b(?:back\s+then|at\s+the\s+time|in\s+those\s+days|used\s+to|once\s+(?:worked|lived|owned)|formerly|as\s+a\s+(?:child|kid|student|teenager)|when\s+i\s+was\s+(?:a\s+)?(?:kid|child|young|younger|little|small|in\s+(?:college|school)|\d+))\b",
    re.IGNORECASE,
)
_STILL = lazy_pattern(r"现在|如今|后来|仍|还在|一直|\b(?:now|still|since|ever)\b", re.IGNORECASE)


def is_former(sentence: Sentence, start: int, end: int) -> bool:
    """当时我在百度上班, 'back then I lived in Rome': the clause at [start, end) tells of a time that is over."""
    first, last = sentence.clause_at(start)[0], sentence.clause_at(max(end - 1, start))[1]
    return bool(_FORMER.search(sentence.text, first, last)) and not _STILL.search(sentence.text, first, last)


def intends(text: str) -> bool:
    """'I plan to', 打算: what is meant to be and is not yet."""
    return bool(_INTENTION.search(text))


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
