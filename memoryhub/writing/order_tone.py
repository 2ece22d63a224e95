"""Sentences that command: who is spoken to, what is to be done, to whom and for how long, weighed together.

The rules know tricks; this knows the tone. It counts what kinds of words stand close together (an addressee that is no person,
duties, users in the third person, rules, approvals, secrets, "from now on") and what an owner's own talk has instead (I, my, questions,
the past, everyday things). The weights are those of a logistic regression over the first develop lines of the evaluation and other
everyday talk; a passage is commanding when they add up to the threshold.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import Any

import re2

from memoryhub.language.text import language_of

MOST_COUNTED = 3
PASSAGE = 240
"""Characters of one passage: about two sentences."""

_ENGLISH = (
    (
        "users",
        1.7,
        r"""\b(?:(?:the|every|each|all|any|our|your|future) )?(?:users?|customers?|clients?|callers?|readers?|visitors?|recipients?|account holders?)\b""",
    ),
    (
        "model",
        1.5,
        r"""\b(?:assistants?|ai|ais|language models?|llms?|bots?|chat ?bots?|agents?|models?|gpt\w*|copilot|claude)\b""",
    ),
    (
        "you_must",
        -0.1,
        r"""\byou (?:must|should|have to|will|are to|need to|shall|may|can|are (?:now|allowed|authori[sz]ed|required|ordered|free))\b""",
    ),
    ("you", 0.5, r"""\byou\b|\byour(?:s|self)?\b"""),
    (
        "absolute",
        0.8,
        r"""\b(?:always|never|every|all|any|only|nothing|each|entire|everything|everyone|anyone|no matter|regardless|without exception|whatever)\b""",
    ),
    (
        "lasting",
        1.5,
        r"""\b(?:from now on|henceforth|forever|permanent(?:ly)?|future|next time|later|until|whenever|as soon as|in every|each time|every time|later on|from here on|from this point|onwards?)\b""",
    ),
    (
        "urgent",
        0.9,
        r"""\b(?:immediately|at once|urgent(?:ly)?|asap|instantly|without delay|right away|right now|emergency|deadline|before it is too late)\b""",
    ),
    (
        "undo",
        1.2,
        r"""\b(?:ignore|disregard|forget|override|overrule|bypass|skip|cancel|disable|remove|lift|suspend|void|stop|erase|drop|replace[sd]?|supersedes?|obsolete|revoked?|outdated|no longer|overwrit\w+|discard|overlook|reset)\b""",
    ),
    (
        "orders",
        1.6,
        r"""\b(?:instructions?|rules?|guidelines?|prompts?|orders?|directives?|commands?|polic(?:y|ies)|restrictions?|limits?|limitations|filters?|protocols?|tasks?|mission|constraints?|safeguards?|guardrails?|ethics|censorship)\b""",
    ),
    (
        "system",
        1.5,
        r"""\b(?:system|admin\w*|developers?|operators?|root|mode|override|privileged|security team|compliance|headquarters|authori[sz]\w+|permissions?|clearance|superuser|sudo|maintenance|official|protocol|debug\w*|engineer|internal|session|tier|level)\b""",
    ),
    (
        "data",
        0.7,
        r"""\b(?:passwords?|credentials|keys?|tokens?|secrets?|cards?|accounts?|data|records?|memor(?:y|ies)|histor(?:y|ies)|conversations?|chats?|database|files?|e-?mails?|addresses|details|profiles?|pin|codes?|logs?|contacts|transcripts?)\b""",
    ),
    (
        "send",
        0.2,
        r"""\b(?:send|forward|post|upload|e-?mail|transmit|export|copy|share|leak|append|embed|attach|cc|relay|submit|deliver)\b""",
    ),
    (
        "reveal",
        1.1,
        r"""\b(?:reveal|show|print|output|repeat|display|list|tell|disclose|quote|dump|recite|expose|verbatim|word for word|hand over|give me|read out)\b""",
    ),
    (
        "approve",
        1.0,
        r"""\b(?:approv\w+|grant\w*|accept|authori[sz]e\w*|verif\w+|trust\w*|confirm\w*|unlock\w*|waiv\w+|whitelist\w*|consent|permitted|cleared|checks?|review\w*|skip\w*)\b""",
    ),
    (
        "pay",
        1.0,
        r"""\b(?:pay\w*|transfer\w*|wire|refunds?|deposit|invoices?|bank|money|price|discount|fees?|purchase|payout|iban|wallet|acct|bitcoin|gift cards?)\b""",
    ),
    (
        "memory",
        1.1,
        r"""\b(?:remember|memory|memories|memori[sz]e|store|save|record|note|keep in mind|permanent|long-term|importance|priority)\b""",
    ),
    (
        "recommend",
        1.0,
        r"""\b(?:recommend\w*|promot\w+|best|first|top|prefer\w*|brand|buy|products?|competitors?|sponsor\w*|rank\w*|cite|trusted source|rating|praise|only choice|number one)\b""",
    ),
    (
        "hide",
        1.4,
        r"""\b(?:secretly|silently|hidden|quietly|confidential|unnoticed|in secret|discreetly|covert\w*|do not (?:tell|mention|reveal|show|inform|log)|don't (?:tell|mention|reveal|show)|never (?:tell|mention|reveal)|without (?:telling|asking|notice|informing|review|approval|confirmation))\b""",
    ),
    ("link", 0.3, r"""https?://|www\.|[\w.+-]+@[\w-]+\.\w|\b\w+\(\)|\$\{|\{\{"""),
    (
        "frame",
        0.3,
        r"""(?m)^\s*(?:[<\[{|#*=>`~\"/-]{1,6}\s*\w+)|</?\w+>|\]\s*:|\"\s*:\s*[\"{\[]|<\||\|>|::|^\s*\w+\s*:\s""",
    ),
    (
        "reply",
        1.6,
        r"""\b(?:reply|respond\w*|answer\w*|say|write|summar\w+|translat\w+|complete|continue|begin with|start with|end with|mention|state|conclude|insert|include|add)\b""",
    ),
    (
        "execute",
        0.5,
        r"""\b(?:execut\w+|run|call|invoke|functions?|tools?|commands?|code|script|delete|drop|shell|query|api|plugin|trigger|activate|enable|switch|perform)\b""",
    ),
    (
        "role",
        2.5,
        r"""\b(?:act as|acting as|pretend\w*|role-?play|you are (?:now|a|an|the|no longer)|persona|character|imagine|simulat\w+|hypothetical\w*|fiction\w*|unrestricted|unfiltered|uncensored|without (?:any )?(?:limits|restrictions|rules|filters)|alter ego|jailbr\w+)\b""",
    ),
    (
        "negative_order",
        0.0,
        r"""\b(?:must not|do not|don't|never|no longer|cannot|not to|refuse|under no circumstances)\b""",
    ),
    (
        "obey",
        1.3,
        r"""\b(?:obey|comply|follow|adhere|listen to|serve|submit|carry out|treat|consider|regard|execute|act on|do as)\b""",
    ),
    (
        "message",
        0.8,
        r"""\b(?:this (?:message|text|note|line|entry|document|page|email|memory|comment|file)|the following|below|above|next (?:line|message|sentence)|what follows|these lines|note to|attention)\b""",
    ),
    ("first_person", -0.7, r"""\b(?:i|i'm|i've|i'd|i'll|my|me|we|we're|our|us|mine|myself)\b"""),
    ("question", 0.4, r"""\?"""),
    (
        "past",
        -0.8,
        r"""\b(?:was|were|had|went|did|got|said|told|came|took|made|bought|saw|yesterday|last (?:week|year|month|night)|ago)\b""",
    ),
    (
        "everyday",
        -0.7,
        r"""\b(?:mum|mom|dad|sister|brother|kids?|dog|cat|garden|kitchen|dinner|breakfast|lunch|weekend|birthday|holiday|school|doctor|train|weather|coffee|tea|party|shop|car|bike|film|book|music|team|meeting|office|flight|hotel|recipe)\b""",
    ),
)
_CHINESE = (
    ("users", 1.7, r"""(?:用户|客户|顾客|使用者|对方|来访者|读者|任何人|所有人|有人|user)"""),
    (
        "model",
        1.9,
        r"""(?:AI|助手|助理|智能体|大模型|语言模型|模型|机器人|人工智能|智能客服|GPT|LLM|agent|bot)""",
    ),
    (
        "you_must",
        1.2,
        r"""(?:你|您)(?:必须|只能|要|应该|应当|得|需要|务必|就|将|可以|被允许|有权|现在是|从此|只需)""",
    ),
    ("you", 2.0, r"""[你您]"""),
    (
        "absolute",
        0.9,
        r"""(?:总是|一律|永远|务必|始终|必须|每次|所有|全部|一切|任何|统统|无条件|绝对|只能|只准|不论|无论|凡是|凡|都要|一概|唯一)""",
    ),
    (
        "lasting",
        1.6,
        r"""(?:从现在起|从此|今后|以后|往后|日后|永久|长期|下次|之后|一旦|只要|每当|每逢|未来|后续|终身|即日起)""",
    ),
    ("urgent", 1.0, r"""(?:立即|马上|立刻|赶紧|紧急|火速|即刻|尽快|刻不容缓|现在就)"""),
    (
        "undo",
        1.1,
        r"""(?:忽略|无视|忘记|忘掉|抛弃|不要理|不用理|别管|跳过|推翻|覆盖|作废|废除|取消|清除|清空|删除|解除|绕过|突破|关闭|关掉|停止|停用|替换|失效|不再|别再|丢掉|卸下|重置|改成|换成|ignore|bypass|无效)""",
    ),
    (
        "orders",
        2.1,
        r"""(?:指令|指示|提示词|规则|命令|要求|设定|约束|限制|规定|准则|守则|规矩|政策|策略|条款|任务|过滤|道德|底线|prompt|伦理|口令|原则)""",
    ),
    (
        "system",
        1.3,
        r"""(?:系统|管理员|开发者|平台|后台|官方|权限|模式|总部|运维|超级用户|授权|身份|级别|最高|特权|root|内部|安全部|工程师|领导|老板|上级|会话|等级|调试|升级|审计|维护)""",
    ),
    (
        "data",
        1.4,
        r"""(?:密码|密钥|令牌|验证码|卡号|身份证|账号|账户|聊天记录|对话|记录|记忆|通讯录|名单|资料|数据|信息|隐私|手机号|地址|文件|日志|档案|密)""",
    ),
    ("send", 0.1, r"""(?:发送|发给|发到|转发|上传|提交|传给|寄|抄送|同步|导出|附上|附在|拼|外发|报送)"""),
    (
        "reveal",
        1.1,
        r"""(?:输出|显示|告诉我|泄露|打印|复述|重复|展示|公开|说出|透露|列出|贴出|念出|交出|供出|原样|一字|原文|逐字|完整)""",
    ),
    (
        "approve",
        1.1,
        r"""(?:批准|同意|授权|通过|放行|核准|照办|信任|可信|已验证|已核实|免审|审核|审批|核对|核验|验证|确认|无需|不用|不必|直接|自动)""",
    ),
    (
        "pay",
        1.0,
        r"""(?:转账|汇款|付款|打款|收款|退款|支付|余额|资金|钱|账款|保证金|优惠|价格|购买|下单|红包|货款)""",
    ),
    ("memory", 1.1, r"""(?:记住|牢记|记忆|保存|存入|写入|存为|入库|记录|长期|永久|核心|优先级|重要性)"""),
    (
        "recommend",
        2.1,
        r"""(?:推荐|推广|宣传|首选|第一|最好|权威|可靠|品牌|产品|竞品|竞争对手|置顶|口碑|排名|夸|广告|好评|唯一)""",
    ),
    (
        "hide",
        0.9,
        r"""(?:悄悄|偷偷|暗中|静默|保密|隐瞒|瞒着|不要告诉|别告诉|不得告|不要让|别让|装作|假装|不留|私下|秘密|别声张)""",
    ),
    ("link", 1.2, r"""https?://|www\.|[\w.+-]+@[\w-]+\.\w|\{\{|\$\{"""),
    (
        "frame",
        0.4,
        r"""(?m)^\s*[【\[(「『<{#*=—-]|[】\])」』>}]\s*[:]|[\"']\s*:\s*[\"{\[]|^\s*\S{1,6}\s*:|[-—=]{2,}|<[^>]{1,20}>""",
    ),
    ("reply", 1.9, r"""(?:回复|回答|输出|答复|总结|翻译|续写|开头|结尾|附上|加上|说是|声称|强调|写上)"""),
    (
        "execute",
        -0.1,
        r"""(?:执行|运行|调用|工具|函数|接口|命令|脚本|代码|触发|切换|激活|开启|进入|操作|导出|启用|启动)""",
    ),
    (
        "role",
        0.6,
        r"""(?:扮演|假装|模拟|假设|想象|你现在是|你是|充当|角色|人设|身份|虚构|小说|故事|没有限制|不受|无限制|越狱|化身|奶奶)""",
    ),
    ("negative_order", -0.1, r"""(?:不要|不得|不许|不准|切勿|禁止|别|不能|绝不|勿|不再|拒绝)"""),
    (
        "obey",
        1.2,
        r"""(?:服从|听从|遵守|遵循|照做|照办|听我|效忠|按照?|以[^。]{0,6}为准|执行|当作|视为|当成)""",
    ),
    (
        "message",
        1.2,
        r"""(?:本条|这条|此条|以下|下面|以上|上面|前面|之前|上述|本消息|本页|本文|这段|接下来|注意|通知)""",
    ),
    ("first_person", -1.0, r"""[我咱俺]"""),
    ("question", 0.1, r"""[?？吗]"""),
    ("past", -0.2, r"""(?:昨天|上周|去年|刚才|了。|过了|已经|那天|前天|上个月|以前)"""),
    (
        "everyday",
        -0.8,
        r"""(?:妈|爸|姐|哥|弟|妹|孩子|狗|猫|花园|厨房|晚饭|早餐|午饭|周末|生日|假期|学校|医生|火车|天气|咖啡|茶|聚会|超市|车|电影|书|音乐|会议|办公室|航班|酒店|菜|快递|奶奶|外婆|饭|衣服|药)""",
    ),
)
_THRESHOLDS = {"en": 6.8, "zh": 6.8}
_SENTENCE = re.compile(r"[^.!?。！？\n]*[.!?。！？\n]*")


def _compiled(concepts: tuple[tuple[str, float, str], ...]) -> list[tuple[float, Any]]:
    options = re2.Options()
    options.case_sensitive = False
    return [(weight, re2.compile(pattern, options)) for _, weight, pattern in concepts if weight]


_CONCEPTS = {"en": _compiled(_ENGLISH), "zh": _compiled(_CHINESE)}


def is_commanding(text: str) -> bool:
    """Whether any passage of the text speaks like an order to a machine."""
    return any(weight_of(passage) >= _THRESHOLDS[language_of(passage)] for passage in _passages(text))


def weight_of(passage: str) -> float:
    """The sum over the kinds of words in a passage: weight · √(how often, at most 3 times)."""
    return sum(
        weight * math.sqrt(min(len(pattern.findall(passage)), MOST_COUNTED))
        for weight, pattern in _CONCEPTS[language_of(passage)]
    )


def _passages(text: str) -> Iterator[str]:
    """The text in pieces of whole sentences, each of about PASSAGE characters."""
    piece = ""
    for match in _SENTENCE.finditer(text):
        if piece and len(piece) + len(match[0]) > PASSAGE:
            yield piece
            piece = ""
        piece += match[0]
    if piece.strip():
        yield piece
