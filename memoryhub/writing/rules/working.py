"""What the speaker does for a living, and for whom."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memoryhub.language.patterns import lazy_pattern
from memoryhub.writing.rules.statement import Found, Statement, field_found
from memoryhub.writing.rules.wording import object_en

_JOB_NOUN_EN = (
    r"(?:engineer|developer|programmer|teacher|nurse|doctor|lawyer|accountant|designer|architect|scientist|researcher|manager|consultant|analyst|student|writer|journalist|chef|cook|"
    r"electrician|plumber|pilot|driver|photographer|artist|musician|professor|pharmacist|dentist|vet|veterinarian|translator|interpreter|editor|librarian|mechanic|carpenter|farmer|worker|"
    r"therapist|counsel(?:l)?or|sales(?:person|man|woman|\s+rep(?:resentative)?)|recruiter|administrator|technician|barista|baker|paramedic|firefighter|officer|product\s+owner|project\s+lead|"
    r"surgeon|midwife|psychologist|physiotherapist|biologist|chemist|physicist|economist|statistician|mathematician|historian|geologist|banker|broker|auditor|bookkeeper|secretary|receptionist|"
    r"clerk|cashier|waiter|waitress|bartender|hairdresser|tailor|florist|gardener|butcher|welder|builder|bricklayer|roofer|surveyor|planner|tutor|lecturer|coach|trainer|instructor|"
    r"soldier|judge|paralegal|notary|attorney|barrister|solicitor|author|novelist|poet|actor|actress|singer|dancer|director|producer|animator|illustrator|copywriter|marketer|publicist|"
    r"founder|CEO|CTO|CFO|entrepreneur|freelancer|intern|apprentice|cleaner|caretaker|janitor|courier|trucker|sailor|captain|flight\s+attendant|stewardess|tour\s+guide|supervisor|foreman|"
    r"devops|sysadmin|data\s+scientist|social\s+worker|police\s+officer|civil\s+servant|stay-at-home\s+(?:mum|mom|dad|parent)|radiographer|optician|optometrist|anaesthetist|anesthesiologist|cardiologist|pediatrician|paediatrician|dietitian|nutritionist|beekeeper|fisherman|potter|jeweller|sculptor|painter|decorator|locksmith|glazier|upholsterer|buyer|merchandiser|head\s+of\s+[a-z]+(?:\s+[a-z]+)?)"
)
_MODIFIED = rf"(?:[A-Za-z][\w'’-]*\s+){{0,3}}{_JOB_NOUN_EN}"
_JOB_EN = lazy_pattern(
    rf"\b(?:i(?:\s+am|['’]m|['’]ve\s+been)?\s+(?:now\s+|currently\s+|still\s+)?(?:work(?:ing|ed)?|employed|(?:make|earn)\s+(?:my|a)\s+living|spend\s+my\s+days|been\s+working)\s+(?:[a-z-]+\s+){{0,2}}as\s+(?:an?\s+|the\s+)?(?P<a>[a-z][\w -]{{2,40}})|"
    rf"(?:i\s+am|i['’]m|i['’]ve\s+been|i\s+have\s+been|i\s+(?:recently\s+|just\s+|finally\s+)?became|i['’]ve\s+become|i\s+have\s+become)\s+(?:now\s+|currently\s+|actually\s+|still\s+|just\s+)?(?:an?\s+|the\s+)(?P<b>{_MODIFIED})\b(?!['’]s\b)|"
    r"my\s+(?:new\s+|current\s+|day\s+)?(?:job|occupation|profession|job\s+title|title|role|position|line\s+of\s+work)\s+is\s+(?:now\s+)?(?:an?\s+|the\s+|that\s+of\s+an?\s+)?(?P<c>[a-z][\w -]{2,40})|"
    r"(?:promoted|promotion)\s+to\s+(?:an?\s+|the\s+)?(?P<d>[a-z][\w -]{2,40})|i(?:['’]ve|\s+have)?\s+(?:just\s+|recently\s+)?(?:got|started|took|taken|landed|have|accepted)\s+(?:a\s+)?(?:new\s+)?(?:job|position|role|work)\s+as\s+(?:an?\s+|the\s+)?(?P<e>[a-z][\w -]{2,40})|"
    r"i\s+(?:retrained|qualified|trained|switched\s+careers?|changed\s+careers?)\s+(?:as|to\s+become|to)\s+(?:an?\s+)?(?P<f>[a-z][\w -]{2,40})|(?:^|[,;]\s*)(?:currently\s+|now\s+)?working\s+(?:full-time\s+|part-time\s+)?as\s+(?:an?\s+|the\s+)(?P<j>[a-z][\w -]{{2,40}})|i\s+(?P<g>teach\s+[a-z]+(?:\s+[a-z]+)?)(?=\s+(?:at|in|to)\b|[.,]|$)|i\s+do\s+(?P<h>[a-z][\w -]{2,30})\s+for\s+a\s+living|"
    rf"(?:^|[,;:]\s*)(?:i\s+am|i['’]m)\s+(?:currently\s+|now\s+)?(?P<i>self-employed|retired|head\s+of\s+[a-z]+(?:\s+[a-z]+)?|chief\s+[a-z]+\s+officer))",
    re.IGNORECASE,
)
_TRADE_EN = lazy_pattern(rf"^(?P<job>{_MODIFIED})\s+(?:by\s+trade|by\s+profession)\b", re.IGNORECASE)
_HIRED_AS_EN = lazy_pattern(
    r"\b(?i:joined|started\s+at|hired\s+by|work(?:ing)?\s+(?:at|for))\s+(?:the\s+)?[A-Z][\w&.-]*(?:\s+[A-Z&][\w&.-]*){0,3}\s+as\s+(?:an?\s+|the\s+|their\s+)?(?P<a>[a-z][\w -]{2,40})|\b(?i:work(?:ing|ed)?\s+(?:at|for))\s+[^.;!?]{2,40}?,\s+(?i:as)\s+(?:an?\s+|the\s+)?(?P<d>[a-z][\w -]{2,40})|\b(?i:by\s+(?:trade|profession),?\s+i(?:['’]m|\s+am)\s+an?)\s+(?P<b>[a-z][\w -]{2,40})|\b(?i:i(?:['’]m|\s+am))\s+(?:the|an?)\s+(?:new\s+)?(?P<c>[a-z][\w -]{2,40}?)\s+(?:now|these\s+days)\b"
)
_AFTER_EN = lazy_pattern(
    r"\s+(?:at|in|for|with|on|by|here|since|these\s+days|now|full-time|part-time|until|from|and|of\s+\d+|again)(?:\s.*)?$",
    re.IGNORECASE,
)
_NO_JOB_EN = lazy_pattern(
    r"\b(?:vegetarian|vegan|pescatarian|widow(?:er)?|parent|mother|father|mum|mom|dad|grand\w+)$|\b(?:fan|lover|member|customer|client|person|believer|beginner|big|huge|better|worse|good\s+(?:cook|driver|listener|writer|singer|dancer)|bad|terrible|great|slow|fast|careful|hard\s+worker|nervous|new\s+customer|team\s+player|non-|early|late|heavy|light|picky|keen|avid|hobby|amateur|wannabe|former|ex-|bit|little|your|normal\s+\w+|poor|frequent)\b|^(?:planner|worker|buyer|captain|cook|judge|coach)$",
    re.IGNORECASE,
)
_COMPANY = r"(?P<{0}>[A-ZÀ-Þ][\w&'’.-]*(?:\s+(?:[A-ZÀ-Þ&][\w&'’.-]*|of|and(?=\s+[A-Z]))){{0,4}})"
_EMPLOYER_EN = lazy_pattern(
    r"\b(?:(?i:i(?:\s+am|['’]m|['’]ve\s+been)?\s+(?:now\s+|currently\s+|still\s+|also\s+)?work(?:ing)?\s+(?:(?:full-time|part-time|remotely|as\s+an?\s+[\w -]{3,40}?|in\s+[\w -]{2,20}?)\s+)?(?:at|for|with)(?:\s+a\s+company\s+called)?|i\s+(?:just\s+|recently\s+|have\s+(?:just\s+)?)?joined|i['’]ve\s+(?:just\s+|recently\s+)?joined|"
    r"i(?:['’]ve|\s+have)?\s+(?:just\s+|recently\s+)?(?:got|started|have|found|landed|took|accepted)\s+(?:a\s+)?(?:new\s+)?(?:job|position|role|work|working)\s+(?:as\s+(?:an?\s+)?[a-z][\w -]{2,30}?\s+)?(?:at|with|for)|(?:these\s+days|now|currently),?\s+i['’]m\s+(?:with|at)|i(?:['’]m|\s+am)\s+(?:now\s+)?(?:employed|contracted)\s+(?:at|by|with)|my\s+(?:new\s+|current\s+)?(?:company|employer)\s+is(?:\s+called|\s+now)?|i(?:\s+am|['’]m)\s+(?:now\s+)?back\s+(?:at|with)|(?:i\s+)?(?:went|returned|am\s+going|['’]m\s+going)\s+back\s+to(?:\s+work\s+(?:at|for))?(?=\s+[A-Z][\w&.-]*\s*(?:[.!,]|$))|"
    r"(?:i['’]ve|i\s+have)\s+been\s+(?:at|with)|i(?:['’]ve|\s+have)?\s+(?:just\s+|recently\s+)?started\s+(?:working\s+|out\s+|a\s+(?:new\s+)?job\s+)?(?:at|for|with)|i(?:['’]ve|\s+have)\s+(?:been\s+working|worked)\s+(?:at|for)(?=[^.;!?]*\b(?:for|since|now)\b)|i\s+was\s+(?:just\s+|recently\s+)?hired\s+by|i\s+(?:moved|switched|transferred|went)\s+(?:over\s+)?from\s+[A-Z][\w&.-]*\s+to(?=\s+[A-Z][\w&.-]*\s+(?:last|this|in|a)\b)|i\s+left\s+[A-Z][\w&.-]*\s+(?:for|and\s+joined|to\s+join)|"
    r"(?:^|[,;]\s*|\band\s+)(?:now\s+)?(?:just\s+|recently\s+)?(?:started|joined|work(?:ing)?(?=\s+(?:at|for|with)))\s+(?:working\s+)?(?:for|at|with)?|(?:i\s+am|i['’]m)\s+(?:now\s+)?(?:with|at)(?=\s+[A-Z][\w&.-]*\s+now\b)))\s+(?:the\s+)?"
    + _COMPANY.format("name")
    + rf"|\b(?i:i\s+am|i['’]m)\s+(?i:an?\s+|the\s+)(?i:{_MODIFIED})\s+(?:at|with|for)\s+(?:the\s+)?"
    + _COMPANY.format("name2")
    + r"|\b(?i:(?:at|for|with|joined|started|by|to|in)\s+(?:an?|the)\s+(?:[\w-]+\s+){0,3}?(?:called|named))\s+"
    + _COMPANY.format("name4")
    + r"|\b(?i:(?:my|a|the|our)\s+(?:new\s+)?(?:job|position|role|internship|work)\s+(?:is\s+)?(?:at|with))\s+(?:the\s+)?"
    + _COMPANY.format("name5")
    + r"|\b(?i:(?:our|my|the)\s+(?:company|firm|employer|startup|business|agency|studio|studio['’]s\s+name)(?:\s+i\s+work\s+(?:for|at))?(?:['’]s\s+name)?\s+is(?:\s+now)?(?:\s+called|\s+named)?)\s+"
    + _COMPANY.format("name6")
    + r"|\b(?i:i['’]m|i\s+am)\s+(?i:an?\s+employee\s+(?:at|of)|on\s+the\s+team\s+at|an?\s+intern\s+at)\s+"
    + _COMPANY.format("name7")
    + r"|^"
    + _COMPANY.format("name3")
    + r"\s+(?:hired\s+me|is\s+my\s+(?:new\s+)?employer)"
)
_FIELD_EN = lazy_pattern(
    r"\bi\s+(?:now\s+|currently\s+)?work\s+in\s+(?P<job>HR|IT|finance|marketing|sales|logistics|education|healthcare|construction|retail|insurance|banking|advertising|publishing|real\s+estate|tourism|hospitality|customer\s+service|human\s+resources|software|law|engineering|procurement|tech|accounting|quality\s+assurance|QA|PR|public\s+relations|biotech|research|politics|journalism|television|film|fashion)\b(?!\s+(?:and\s+)?at\b.*\?)"
    r"|\bi\s+(?:run|own|manage)\s+(?P<job2>an?\s+(?:small\s+|little\s+|family\s+|my\s+own\s+)?(?:bakery|caf[eé]|restaurant|shop|bookshop|farm|hotel|startup|studio|agency|salon|garage|gym|business|company|nursery|gallery|bar|brewery|store))\b",
    re.IGNORECASE,
)
_COMMON_EMPLOYER_EN = lazy_pattern(
    r"\bi\s+(?:now\s+|currently\s+)?work\s+(?:at|for)\s+(?P<name>(?:the|an?)\s+(?:[a-z][\w-]*\s+){0,3}(?:hospital|university|library|council|bank|school|museum|agency|bakery|startup|start-up|ministry|post\s+office|clinic|law\s+firm|factory|hotel|airline|airport|newspaper|company|firm|restaurant|ngo|charity))(?=\s*[.,;!]|\s+(?:in|on|near|as|and|now)\b|$)",
    re.IGNORECASE,
)
_DATE_WORD = lazy_pattern(
    r"\s+(?:Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|January|February|March|April|May|June|July|August|September|October|November|December)\b.*$"
)
_LEFT_EN = lazy_pattern(
    r"\b(?:quit|left|leaving|lost|resigned\s+from|fired\s+from|laid\s+off\s+from)\s+(?:my|a|the)\s+(?:\w+\s+)?(?:job|position|role|work)\s+(?:at|with)\b",
    re.IGNORECASE,
)
_NO_EMPLOYER_EN = lazy_pattern(
    r"^(?:I|Home|Night|My|The|A|An|It|We|Plan|Option|Monday|Tuesday|Wednesday|Thursday|Friday|Python|Java|Django|React)\b"
)
_JOB_NOUN_ZH = (
    r"(?:全职(?:妈妈|爸爸|太太|主妇)|宝妈|家庭主妇|工程师|工程師|程序员|程序員|开发者|开发|设计师|設計師|老师|老師|教师|教師|教授|讲师|医生|醫生|大夫|医师|护士|護士|护理|律师|律師|会计师?|會計師?|出纳|产品经理|產品經理|项目经理|客户经理|经理|總監|总监|主管|"
    r"销售|銷售|顾问|顧問|分析师|大学生|研究生|博士生|学生|學生|研究员|記者|记者|厨师|廚師|司机|司機|摄影师|翻译|編輯|编辑|架构师|运营|教练|药剂师|公务员|公務員|建筑师|店长|店員|店员|保安|导游|空姐|空乘|飞行员|警察|消防员|军人|"
    r"演员|歌手|作家|编剧|画家|插画师|主播|博主|自由职业者?|自由撰稿人|创业者|助理|秘书|前台|客服|策划|质检员|电工|木工|焊工|水管工|裁缝|理发师|美容师|化妆师|健身教练|瑜伽老师|心理咨询师|营养师|兽医|牙医|麻醉师|法官|检察官|投资人|交易员|审计师?|精算师|"
    r"采购员?|仓管|快递员|外卖员|工人|农民|校长|班主任|辅导员|图书管理员|科学家|数据分析师|测试员?|运维|护士长|组长|科长|处长|院长|所长|厂长|队长|总经理|经纪人?|业务员|推销员|收银员|服务员|月嫂|家政|清洁工|技工|钳工|车工|花艺师|园艺师|调香师|茶艺师|收纳师|育婴师|康复师|针灸师|推拿师|按摩师|机长|船长|海员|渔民|个体户|中介|代购|主持人|播音员|模特|舞者|编导|导演|制片人|剪辑师|漫画家|原画师|动画师|测绘员|品控|跟单|外贸|仓库管理员|讲解员|社工|幼师|辅警|交警|民警|法医|法务|公关|猎头|培训师|人事|行政|财务|文员|书记|设计|调酒师|咖啡师|烘焙师|律所合伙人|合伙人|[A-Z]{2,4}O?|HR|UI设计师)"
)
_JOB_ZH = lazy_pattern(
    r"(?:我|本人|^|[，,]|从[\u4e00-\u9fff]{2,6}(?=转))(?:现在|現在|目前|其实|也|就|还|今年|已经|刚刚?|毕业后|一直|上个月|上周|最近|主要|平时)*(?:的职业|的職業|的工作|的岗位|的职位|职业)?(?:(?<=人)(?=[\u4e00-\u9fff]{2,8}(?:一枚|一名)))?"
    r"(?:是做|在做|是在[\u4e00-\u9fff]{2,8}?(?:做|当)|在[\u4e00-\u9fffA-Za-z]{2,10}?(?:里|裡)?(?:做|当|當|担任)|是|当上?了?|當上?了?|做|担任|升(?:职|任)?(?:成|为|到|了)?|晋升(?:为|成)?|转行(?:做|当|成)了?|转岗(?:做|当|成|到)了?|(?:从[\u4e00-\u9fff]{2,6})?转(?:岗|行)?(?:做|成|到)了?|改行做了?|干(?:的是)?|從事|从事)"
    rf"(?:了)?(?:一名|一个|一個|个|個|名|一位|份|的)?(?P<job>[\u4e00-\u9fffA-Za-z]{{0,8}}?{_JOB_NOUN_ZH})(?:的)?(?:工作|岗位|这行|一职)?(?:一枚|一名)?(?:都|已经|快|有|差不多)*(?:[一二三四五六七八九十两几好多半\d]+(?:多)?年(?:多)?)?(?:了)?\s*(?=[，,。.！!；;]|$)"
)
_TEACH_ZH = lazy_pattern(
    r"我(?:现在|目前|一直)*在(?!准备|备考|复习|申请|报考)[\u4e00-\u9fff]{2,8}?(?P<job>教(?!书|资)(?:[\u4e00-\u9fff]{2,5}|[A-Z]+))(?:的)?(?=[，,。！!；;]|$)|我(?:现在)?的(?:岗位|职位|职务|工种)(?:是|为)(?P<job2>[\u4e00-\u9fffA-Za-z]{2,10})"
)
_TRADE_ZH = lazy_pattern(
    rf"(?:我|本人)(?:是)?(?:一名|一个|一枚)?(?:干|做|搞)?(?P<job>[\u4e00-\u9fff]{{0,4}}?{_JOB_NOUN_ZH})(?:这一?行|一枚|出身)"
)
_KNOWN_ZH = r"(?:腾讯|阿里(?:巴巴|云)?|百度|字节(?:跳动)?|美团|京东|华为|小米|网易|拼多多|滴滴|快手|蔚来|理想汽车|小鹏|比亚迪|联想|中兴|大疆|携程|微博|B站|哔哩哔哩|新浪|搜狐|顺丰|海尔|格力|美的|吉利|特斯拉|微软|谷歌|苹果|亚马逊|英特尔|三星|台积电|富士康|宁德时代|中石油|中石化|国家电网|中国移动|中国电信|中国联通|工商银行|建设银行|农业银行|招商银行|平安|中信|德勤|普华永道|毕马威|安永|麦肯锡|蚂蚁(?:集团)?|菜鸟|得物|小红书|知乎|商汤|旷视|科大讯飞|OPPO|vivo)"
_AT_KNOWN_ZH = lazy_pattern(
    rf"(?:我|^|[，,])(?:人)?(?:现在|目前|如今|之后|后来|就|还|一直|已经)*(?:在|去了|到了|进了)(?P<name>{_KNOWN_ZH})(?:那边|这边|了|里)?(?=[，,。！!；;]|$)"
)
_CALLED_ZH = lazy_pattern(r"在(?:一家|一个)(?:名?叫(?:做)?)(?P<name>[\u4e00-\u9fffA-Za-z0-9]{2,12}?)的")
_STUDY_ZH = lazy_pattern(
    r"我(?:现在|目前|还)*(?:在读|是在读|正在读|在念|在上|读|上)(?P<job>研究生|博士生?|硕士生?|大学|本科|大[一二三四]|研[一二三]|高[一二三]|博[一二三])(?:了|呢)?(?=[，,。！!；;]|$)|(?:自己|自个儿)(?:当|做)(?P<job2>老板)|我(?:现在)?是(?P<job3>自由职业|个体户|无业|待业)"
)
_FIELD_ZH = lazy_pattern(
    r"(?:我|本人|^|[，,])(?:现在|現在|目前|一直|主要|平时)*(?:是做|从事|從事|是搞|是干|做的是|干的是|转行做|改行做)(?P<job>[\u4e00-\u9fffA-Za-z]{2,10}?)(?:这一?行|工作|行业|方面|方向|相关)*的?(?:工作)?(?:了|的)?\s*(?=[，,。.！!；;]|$)"
)
_EMPLOYER_ZH = lazy_pattern(
    r"(?:我|^|[，,])(?:现在|現在|目前|已经|已經|刚刚?|剛剛?|就|上个月|上周|去年|今年|年初|最近|一直|又|从[\u4e00-\u9fffA-Za-z]{2,8}?(?:辞职|离职|跳槽)?[，,]?)*"
    r"(?:在|跳槽(?:到|去)了?|加入了?|入职了?|入職了?|供职于|就职于|任职于|進了|进了|去了|换到了?|转到了?)(?P<name>[\u4e00-\u9fffA-Za-z0-9]{2,16}?)(?:上班|工作|任职|任職|就职|教书|任教|执教|实习|当差|做事|打工|干(?=了|[一二三四五六七八九十两\d])|搬砖|当\S{1,8}|做\S{1,8}|(?<=公司)|(?<=集团)|(?<=集團)|(?<=银行)|(?<=科技)|(?<=大学)|(?<=医院)|(?<=研究院))(?:了)?(?:已经|快|有|差不多)*(?:[一二三四五六七八九十两半\d]+(?:个月|多?年))?(?:了|的)?\s*(?=[，,。.！!；;]|$)"
)
_JOINED_ZH = lazy_pattern(
    r"(?:我|^|[，,])(?:现在|目前|已经|刚刚?|上个月|上周|去年|今年|年初|下个?月|最近|[一二三四五六七八九十\d]{1,2}月份?|前年|毕业后)*(?:跳槽(?:到|去)了?|入职了?|入職了?|加入了?|跳到了?|(?:供职|就职|任职)(?:于|在)(?:一家)?(?:叫|名叫)?|(?:我|我现在|现在|目前|新|我们|咱们?)的?(?:公司|单位|东家|工作室|门店|店|研究所|事务所)(?:现在|名字|全称|名称|的名字)*(?:是叫?|叫做?)|(?:现在|目前|如今)在(?=[\u4e00-\u9fff]{2,8}(?:公司|集团|银行|科技|大学|医院))|被[\u4e00-\u9fff]{0,2}录用[，,]?)(?P<name>(?:[\u4e00-\u9fff]{2,10}?|[A-Z][A-Za-z0-9]{1,15}))(?:了|公司|那边|去了|的公司)*\s*(?=[，,。.！!；;]|$)"
)
_OF_ZH = lazy_pattern(
    rf"我(?:现在|目前)?是(?P<name>[\u4e00-\u9fffA-Za-z0-9]{{2,12}}?)(?:公司)?的(?:一名|一个)?(?P<job>(?:[\u4e00-\u9fffA-Za-z]{{0,6}}?{_JOB_NOUN_ZH})|员工|職員|职员)\s*(?=[，,。.！!；;]|$)"
)
_NO_EMPLOYER_ZH = lazy_pattern(
    r"^(?:家|外面|外地|公司|这|那|单位|楼|附近|北京|上海|深圳|广州|杭州|成都|武汉|西安|南京|天津|重庆|苏州|办公室|户外|晚上|白天|周末|学校|医院|银行|工厂|国外|海外|体制内|这边|互联网|工地)$|^(?:一家|一个|某|那家|这家|任何|各种|各種|电脑|手机|家里?|现在|学校里|你们|我们|他们)|[楼层上里裡边邊]$|时间|群|讨论|会员|俱乐部|合唱团|健身房|工作室群|方案|项目|车|电影|你|他|她"
)
_NO_JOB_ZH = lazy_pattern(
    r"^(?:不|没|你|他|她|一个|个|好|老客户|新|想|会员|来|找|谁|哪|开|我)|的$|新手|[会]员$|饭|菜|作业|梦|好事|家务|方案|什么|会员|用户|客户"
)


def find(statement: Statement) -> Iterator[Found]:
    """Yield occupation and employer."""
    if statement.english:
        yield from _english(statement.text)
    if statement.chinese:
        yield from _chinese(statement.text)


def _english(text: str) -> Iterator[Found]:
    if (
        match := _JOB_EN.search(text)
        or _TRADE_EN.search(text)
        or _HIRED_AS_EN.search(text)
        or _FIELD_EN.search(text)
    ):
        told = next(group for group in match.groups() if group)
        job = (
            f"run {told}" if match.groupdict().get("job2") else object_en(_AFTER_EN.sub("", told), longest=5)
        )
        if job and not _NO_JOB_EN.search(job):
            yield field_found("user_profile", "occupation", job, match.span())
    if match := _EMPLOYER_EN.search(text):
        name = next(group for group in match.groups() if group)
        name = _DATE_WORD.sub("", name).strip(" .'’")
        if (
            not _NO_EMPLOYER_EN.match(name)
            and not _LEFT_EN.search(text[: match.end()])
            and _is_at_work(match, text)
        ):
            yield field_found("user_profile", "employer", name, match.span())
    elif match := _COMMON_EMPLOYER_EN.search(text):
        name = re.sub(r"^an?\s+", "", match["name"])
        yield field_found("user_profile", "employer", name, match.span(), confidence=0.8)


_BACK_AT = lazy_pattern(r"\bback\s+(?:at|with|to)\b", re.IGNORECASE)
_OF_WORK = lazy_pattern(
    r"\b(?:jobs?|team|work\w*|hired|rehired|re-?joined|employ\w*|colleagues|boss|role|position|contract|offer|pay|salary|quit|left)\b",
    re.IGNORECASE,
)


def _is_at_work(match: re.Match[str], text: str) -> bool:
    """'I'm back at Heathrow' tells where somebody is; 'I missed my team, so I'm back at Brightwave' where he works."""
    return not _BACK_AT.search(match[0]) or _OF_WORK.search(text) is not None


def _chinese(text: str) -> Iterator[Found]:
    if match := _OF_ZH.search(text):
        if match["job"] not in {"员工", "职员", "職員"}:
            yield field_found("user_profile", "occupation", match["job"], match.span())
        if not _NO_EMPLOYER_ZH.search(match["name"]):
            yield field_found("user_profile", "employer", match["name"], match.span(), confidence=0.85)
        return
    if study := _TRADE_ZH.search(text) or _STUDY_ZH.search(text) or _TEACH_ZH.search(text):
        job = next(group for group in study.groups() if group)
        yield field_found("user_profile", "occupation", job, study.span())
    elif (match := _JOB_ZH.search(text) or _FIELD_ZH.search(text)) and not _NO_JOB_ZH.search(match["job"]):
        yield field_found("user_profile", "occupation", match["job"], match.span())
    for pattern in (_EMPLOYER_ZH, _JOINED_ZH, _AT_KNOWN_ZH, _CALLED_ZH):
        employer = pattern.search(text)
        if employer and not _NO_EMPLOYER_ZH.search(employer["name"]):
            yield field_found("user_profile", "employer", employer["name"], employer.span(), confidence=0.85)
            return
