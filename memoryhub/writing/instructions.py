"""Text that reads like an order to the model rather than a fact: planted instructions in English and Chinese.

A hit is only a flag for the gate and the reviewer, never a refusal. The patterns run in linear time (RE2) over normalised text:
NFKC, invisible characters dropped, tag characters decoded, base64 runs decoded and appended.
"""

from __future__ import annotations

import base64
import binascii
import re
import unicodedata

import re2

_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff]"
)
_TAGS = re.compile("[\U000e0000-\U000e007f]")
_BASE64 = re.compile(r"[A-Za-z0-9+/]{24,4000}={0,2}")
MAX_READ = 32_000

_EARLIER_EN = r"(?:previous|prior|above|earlier|preceding|foregoing|existing|initial|original|past|other|former|your|my|the|system)"
_ORDERS_EN = r"(?:instructions?|prompts?|directions?|rules?|guidelines?|messages?|commands?|orders|context|constraints|programming|training)"
_ORDERS_ZH = (
    r"(?:指令|指示|提示词|提示|规则|規則|命令|要求|设定|設定|约束|約束|上下文|限制|对话|對話|内容|信息|说明)"
)

FAMILIES: dict[str, tuple[str, ...]] = {
    "override": (
        rf"\b(?:ignore|disregard|forget|skip|override|bypass|neglect|drop|discard)\b[^.!?\n]{{0,30}}\b{_EARLIER_EN}\b[^.!?\n]{{0,25}}\b{_ORDERS_EN}\b",
        rf"\b(?:ignore|disregard|forget)\s+(?:all|everything|anything)\b[^.!?\n]{{0,30}}\b(?:before|above|said|told|{_ORDERS_EN})\b",
        r"\b(?:do not|don't|stop)\s+(?:follow|obey|adher\w+ to|listen\w* to)\w*\b[^.!?\n]{0,30}\b(?:instructions?|rules|guidelines|prompts?)\b",
        r"\b(?:new|updated|real|actual) (?:system )?instructions?\s*(?::|follow|are)",
        r"\bstop\b[^.!?\n]{0,20}\b(?:above|previous)\b[^.!?\n]{0,20}\b(?:print|output|say|write)\b",
        rf"(?:忽略|无视|無視|忘记|忘掉|忘記|抛弃|不要理会|不用理会|不要管|别管|跳过|推翻|覆盖|作废)[^。！？\n]{{0,12}}(?:之前|以上|上述|前面|先前|上面|所有|一切|全部|原来|原有|原先|此前|系统|过去)[^。！？\n]{{0,10}}{_ORDERS_ZH}",
        rf"(?:之前|以上|上述|前面|先前|上面|此前)(?:的|所有|全部|一切)*{_ORDERS_ZH}[^。！？\n]{{0,8}}(?:作废|无效|失效|取消|忽略|不算|不用管|都不用|忘)",
        r"(?:不要|别|不必|无需|不再)(?:再)?(?:遵守|遵循|听从|服从|执行)[^。！？\n]{0,10}(?:规则|規則|指令|限制|要求|系统|准则|约束)",
        r"(?:以|按)(?:下面|以下|本条|这条)(?:的)?(?:指令|指示|规则|内容)为准",
    ),
    "role": (
        r"\byou are (?:now|no longer)\s+(?:an?|the|my|in|going to|bound|chatgpt|dan)\b",
        r"\b(?:act|behave|respond|answer|reply)\s+as\s+(?:if you (?:were|are|had)|an?\s+(?:unrestricted|unfiltered|evil|uncensored|developer|linux|admin\w*|system|root|hacker|dan)|dan\b)",
        r"\bpretend (?:to be|you are|you're|that you)\b",
        r"\bfrom now on,? you (?:are|will|must|should|have to|only)\b",
        r"\b(?:enter|enable|activate|switch to|turn on)\b[^.!?\n]{0,15}\b(?:developer|debug|god|admin|jailbreak|dan|maintenance|unrestricted) mode\b",
        r"(?:从现在起|从现在开始|從現在起|从今以后|现在开始|接下来)[，,]?\s*(?:你|您)(?:就|将|必须|只能|要|是|不再|需要|应该|得)",
        r"(?:你|您)(?:现在|從現在起|如今)(?:起)?(?:是|就是|扮演|变成|不再是)(?:一个|一名|一位|我的|没有|不受|DAN|dan)",
        r"(?:请|请你|你来|你要)?(?:扮演|假装(?:你)?(?:是|成)|假扮|伪装成)(?:一个|一名|一位|成)?[^。！？\n]{0,10}(?:没有限制|不受限|黑客|管理员|系统|开发者|越狱|无道德|AI|助手|模型)",
        r"(?:进入|开启|启用|切换到|打开|激活)[^。！？\n]{0,6}(?:开发者|调试|上帝|越狱|管理员|无限制|维护)模式",
    ),
    "disclosure": (
        r"\b(?:reveal|print|show|repeat|output|display|tell me|leak|dump|disclose|write out|give me|what (?:is|are|were))\b[^.!?\n]{0,30}\b(?:system|initial|hidden|original|secret|internal|above|developer)\s+(?:prompt|instructions?|message|rules|configuration)\b",
        r"\brepeat (?:the words above|everything above|the text above|all (?:of )?the above)\b",
        r"(?:输出|显示|告诉我|泄露|打印|复述|重复|展示|公开|说出|透露|给我看|列出)[^。！？\n]{0,12}(?:系统提示|系統提示|系统指令|初始指令|初始提示|内部指令|隐藏指令|隐藏的指令|系统消息|提示词|system prompt|上面的所有内容|以上全部内容)",
    ),
    "forged_frame": (
        r"</?\s*(?:system|conversation|instructions?|user|assistant|admin|tool_response|function_results|information|im_start|im_end|memory|context)\s*>",
        r"<\|(?:im_start|im_end|system|user|assistant|endoftext|eot_id|start_header_id)",
        r"\[/?(?:INST|SYS|SYSTEM)\]|<</?SYS>>",
        r"^\s*(?:#{1,4}\s*|\*{1,2})?(?:(?:system|developer)(?:\s+(?:message|prompt|note|override))?|assistant\s+(?:message|prompt|note|override))\s*(?:\*{1,2})?\s*[:：]",
        r"^\s*(?:#{1,4}\s*|【|\[|「)?(?:系统|系統|管理员|开发者)(?:消息|提示|指令|通知|公告|提示词)?(?:】|\]|」)?\s*[:：]",
        r"【(?:系统|系統)(?:消息|提示|指令|通知|公告)】",
        r"\b(?:begin|end|start of)\s+(?:new\s+)?(?:system|admin|developer)\s+(?:prompt|message|instructions?)\b",
        r"<<<memoryhub:|memoryhub:[a-z0-9_-]+>>>",
    ),
    "delayed": (
        r"\b(?:when|whenever|if|once|next time)\s+(?:the\s+)?(?:user|customer|human|client|someone|anyone|he|she|they)\s+(?:says?|asks?|mentions?|types?|repl\w+|confirms?|writes?|wants?|logs?)\b[^.!?\n]{0,80}\b(?:remember|reply|respond|say|send|call|execute|run|recommend|answer|tell|always|transfer|use|add|forward|delete|ignore)\b",
        r"(?:当|每当|如果|只要|下次|一旦)(?:用户|客户|有人|对方|顾客|任何人)[^。！？\n]{0,20}(?:说|问|提到|提及|询问|输入|回复|确认|要求)[^。！？\n]{0,30}(?:就|请|必须|回复|推荐|记住|发送|告诉|执行|调用|一律|回答|转账|删除)",
    ),
    "planted_preference": (
        r"\b(?:always|must|only ever|exclusively|in every answer|in all (?:future )?(?:answers|replies|responses|conversations))\s*,?\s*(?:recommend|suggest|promote|mention|cite|endorse|prefer|rank|favou?r|advertise|link to)\b",
        r"\bremember\b[^.!?\n]{0,60}\b(?:as (?:an?|the) (?:trusted|authoritative|reliable|preferred|best|primary|official)|is (?:an?|the|our) (?:most )?(?:trusted|authoritative|preferred)) (?:source|site|vendor|provider|company|product|brand|domain)\b",
        r"\b(?:recommend|suggest|mention|promote)\b[^.!?\n]{0,50}\b(?:first|above all|over (?:all|any) (?:other|competitor)\w*|whenever|in every)\b[^.!?\n]{0,20}\b(?:answer|reply|response|competitors?|alternatives?|conversation)\b",
        r"(?:总是|總是|一律|永远|永遠|务必|務必|始终|必须|每次都|今后都|优先|首先)(?:要|优先|首先|只|都)*(?:推荐|推薦|推广|宣传|提到|引用|建议购买|介绍|推销)",
        r"(?:记住|請記住|请记住|牢记)[^。！？\n]{0,30}(?:是|为)[^。！？\n]{0,10}(?:最可信|最权威|可信|权威|首选|唯一可靠)(?:的)?(?:来源|网站|品牌|供应商|产品|渠道)",
    ),
    "memory_tampering": (
        r"\b(?:supersedes?|overrides?|replaces?|overwrites?|invalidates?|cancels?)\s+(?:all|any|every|the)\b[^.!?\n]{0,20}\b(?:previous|earlier|prior|existing|stored|other|saved|older)?\s*(?:memor(?:y|ies)|rules?|records?|entries|facts|notes|preferences|policies)\b",
        r"\b(?:delete|erase|wipe|clear|purge|remove|forget)\b[^.!?\n]{0,15}\b(?:all|every|your|the entire|everything in)\b[^.!?\n]{0,20}\b(?:memor(?:y|ies)|database|records?|stored (?:facts|data))\b",
        r"\b(?:mark|treat|store|save|flag|record|consider)\s+(?:this|it|the following|these)\b[^.!?\n]{0,25}\b(?:as)\s+(?:verified|trusted|high[- ]priority|highest|authoritative|a system|permanent|core|admin)\b",
        r"\b(?:trust (?:tier|level|score)|importance)\s*[:=]\s*[\d.]+",
        r"\b(?:add|save|write|commit|store|insert)\b[^.!?\n]{0,20}\b(?:to|into|in)\s+(?:your|the|long[- ]term|permanent)\s+(?:long[- ]term |permanent )?memory\b",
        r"(?:清空|删除|刪除|抹除|清除|覆盖|重置|忘掉|忘记)[^。！？\n]{0,8}(?:所有|全部|一切|整个|你的)[^。！？\n]{0,6}(?:记忆|記憶|记录|数据|数据库|规则)",
        r"(?:本条|这条|此条|该条|以下)(?:记忆|规则|信息|内容|指令|消息)?(?:的)?(?:优先级|权限|权重|可信度)(?:为|是|设为|最高|高于)",
        r"(?:标记|标为|视为|存为|记录为|当作)(?:已验证|已核实|最高优先级|系统规则|可信|权威|永久)",
        r"(?:写入|存入|加入|保存到|记入)(?:你的|长期|永久)+(?:记忆|記憶)",
    ),
    "exfiltration": (
        r"\b(?:send|forward|post|upload|email|e-mail|transmit|exfiltrate|leak|submit|share)\b[^.!?\n]{0,60}\b(?:passwords?|credentials|api[ _-]?keys?|tokens?|secrets?|conversation|chat (?:history|log)|history|memor(?:y|ies)|personal (?:data|information)|user data|database|private)\b[^!?\n]{0,40}(?:\bto\b|https?://|@)",
        r"!\[[^\]]{0,80}\]\(https?://[^)\s]{1,200}[?&=]",
        r"\b(?:fetch|visit|open|load|browse|get|curl|wget)\b[^.!?\n]{0,20}https?://\S{1,200}[?&][^ ]{0,80}(?:data|secret|token|key|q|payload)=",
        r"(?:把|将|將)[^。！？\n]{0,20}(?:密码|密钥|凭证|令牌|对话|聊天记录|聊天記錄|历史记录|用户数据|个人信息|隐私|记忆|数据库)[^。！？\n]{0,12}(?:发送|发到|发给|转发|上传|寄到|泄露|传到|提交|发往|透露)",
        r"(?:发送|上传|转发|提交)[^。！？\n]{0,15}(?:密码|密钥|凭证|令牌|聊天记录|用户数据|个人信息|记忆)[^。！？\n]{0,8}(?:到|给|至|http)",
    ),
    "execution": (
        r"\b(?:execute|run|eval(?:uate)?)\s+(?:the\s+)?(?:following|this|these|below)\s+(?:command|code|script|shell|sql|python|instruction|query|tool)s?\b",
        r"\brm\s+-rf\s+[/~*]|\b(?:curl|wget)\s+\S{4,200}\s*\|\s*(?:ba)?sh\b|\bdrop\s+table\s+\w+|;\s*--\s*$",
        r"\b(?:call|invoke|use|trigger)\s+(?:the\s+)?[\w.]{2,40}\s+(?:tool|function|api|plugin)\b[^.!?\n]{0,30}\b(?:with|and|to)\b",
        r"(?:执行|运行|執行)(?:以下|下面|下列|如下|这段|此)(?:的)?(?:命令|指令|代码|脚本|程序|操作|SQL|sql)",
        r"(?:调用|使用|触发)[^。！？\n]{0,12}(?:工具|函数|接口|插件)(?:来|去|并|，|,)?[^。！？\n]{0,10}(?:转账|删除|发送|付款|下载|读取|执行)",
    ),
    "restriction_bypass": (
        r"\b(?:bypass|disable|turn off|circumvent|evade|without|no|remove|ignore|free (?:of|from))\b[^.!?\n]{0,20}\b(?:safety|security|content|moderation|ethical|censorship)\s+(?:guidelines?|filters?|checks?|polic(?:y|ies)|measures|restrictions?|rules|limits?|guardrails?)\b",
        r"\b(?:jailbreak|jailbroken|do anything now)\b",
        r"\b(?:no|without any|without)\s+(?:restrictions|limitations|guardrails|filters|censorship)\b",
        r"(?:绕过|規避|规避|关闭|禁用|突破|解除|去除|取消)[^。！？\n]{0,8}(?:限制|安全|审核|审查|過濾|过滤|防护|风控|道德)",
        r"不(?:再)?受(?:到)?(?:任何|一切|所有)?[^。！？\n]{0,6}(?:限制|约束|束缚|规则)",
        r"越狱(?:模式|版|提示)|没有任何(?:限制|道德|约束)",
    ),
    "concealment": (
        r"\b(?:do not|don't|never|without)\s+(?:tell\w*|inform\w*|mention\w*|reveal\w*|notify\w*|alert\w*|disclos\w*|let\w*|ask\w*)\b[^.!?\n]{0,25}\b(?:the (?:user|customer|human|owner|operator)|users?|anyone|anybody|this instruction)\b",
        r"\b(?:keep|hide)\s+(?:this|it|these instructions)\s+(?:secret|hidden|from the (?:user|customer))\b",
        r"(?:不要|别|切勿|不得|不能|无需|不用)(?:让|告诉|告知|通知|提醒|向|对|跟)(?:用户|客户|顾客|任何人|对方|使用者)",
        r"(?:瞒着|隐瞒|对用户隐藏|对用户保密|悄悄地?)(?:用户|客户|把|执行|发送)",
    ),
    "authority": (
        r"\b(?:important|urgent)\s+(?:message|instructions?|notice)\s+(?:from|to)\s+(?:me|the|your|all|ai|system|admin)\b",
        r"\bbefore (?:you can )?(?:solv|answer|do|complet|respond|help|continu)\w*\b[^.!?\n]{0,60}\b(?:you must|please do the following|first (?:send|do|make|call|visit))\b",
        r"\b(?:i am|this is)\s+(?:the|your|an?)\s+(?:system )?(?:admin(?:istrator)?|developer|creator|operator|owner of this system)\b[^.!?\n]{0,40}\b(?:must|need you|order|authori[sz]e|grant|override|comply)\b",
        r"我是(?:你的)?(?:系统|系統|超级)?(?:管理员|开发者|创造者|开发人员)[^。！？\n]{0,20}(?:必须|命令|授权|要求你|服从|立即|现在)",
        r"(?:你必须|你要|必须)(?:无条件|立即|绝对)(?:服从|执行|遵守|听从)",
    ),
}
_COMPILED = [
    (family, re2.compile("(?im)" + "|".join(f"(?:{pattern})" for pattern in patterns)))
    for family, patterns in FAMILIES.items()
]


def instruction_families(text: str) -> tuple[str, ...]:
    """The families of instruction-like wording in `text`, in the order of `FAMILIES`; empty when there is none."""
    read = normalised_for_screening(text)
    return tuple(family for family, pattern in _COMPILED if pattern.search(read))


def normalised_for_screening(text: str) -> str:
    """`text` as a model would read it: NFKC, invisible characters dropped, hidden tag characters and base64 decoded."""
    cut = text[:MAX_READ]
    if cut.isascii():
        return cut + _decoded_base64(cut)
    shown = _TAGS.sub(lambda match: chr(max(ord(match[0]) - 0xE0000, 32)), cut)
    plain = unicodedata.normalize("NFKC", _INVISIBLE.sub("", shown))
    return plain + _decoded_base64(plain)


def _decoded_base64(text: str) -> str:
    decoded = []
    for match in _BASE64.finditer(text):
        run = match[0].rstrip("=")
        try:
            piece = base64.b64decode(run + "=" * (-len(run) % 4), validate=True).decode()
        except (binascii.Error, UnicodeDecodeError):
            continue
        if piece.isprintable() or "\n" in piece:
            decoded.append(piece)
    return "".join("\n" + piece for piece in decoded)
