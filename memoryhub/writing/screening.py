"""The rules at the door: what is worth reading, with codes for every verdict. Pure; nothing is thrown away, only not mined.

The text handed on has the length of the turn's text (recall blocks blanked, secrets masked character for character), so an offset
in it is an offset in the event.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from memoryhub.language.fence import blank_recalled_blocks
from memoryhub.writing.candidates import Role, Screening
from memoryhub.writing.commitments import promises
from memoryhub.writing.instructions import instruction_families
from memoryhub.writing.masking import mask_secrets
from memoryhub.writing.sentences import Sentence, is_question, is_standing_request, split_sentences
from memoryhub.writing.transcripts import only_the_owner

if TYPE_CHECKING:
    from memoryhub.models import Event

LONGEST_PLEASANTRY = 80
MINED_ROLES: frozenset[Role] = frozenset({"user", "staff"})

_EDGE = r"[\s,，.。!！~～…、;；:：?？\U0001F300-\U0001FAFF\u2600-\u27bf]*"
_NAME = r"(?:[\s,，]+(?!i\b|we\b|my\b)[a-z一-鿿][\w'’一-鿿]{0,14})?"


def _whole(*alternatives: str) -> re.Pattern[str]:
    """Matches a sentence that consists of these phrases and nothing else."""
    phrase = f"(?:{'|'.join(alternatives)})"
    return re.compile(rf"{_EDGE}(?:{phrase}{_EDGE}){{1,4}}", re.IGNORECASE)


_GREETING = _whole(
    rf"(?:hi|hello|hey|hiya|howdy|greetings|good (?:morning|afternoon|evening|night|day))(?: there| again| everyone| all| team)?{_NAME}",
    r"(?:nice|good|great|lovely) to (?:see|meet|hear from|talk to) you(?: again| too)?",
    r"(?:bye|goodbye|see you|see ya|talk to you|take care|have a (?:nice|good|great) \w+)(?: soon| later| then| tomorrow)?",
    r"how are you(?: doing)?(?: today)?|how(?:'s| is) it going|what'?s up|long time no see",
    r"(?:你|您|大家|各位)(?:们)?好[呀啊]?|早上?好|早安|晚上好|下午好|中午好|晚安|嗨|哈[喽啰囉]|哈囉|在吗|在嗎|在不在|再见|再見|拜拜|回头见|明天见|好久不见|吃了吗|辛苦了|新年快乐|周末愉快",
)
_ACKNOWLEDGEMENT = _whole(
    r"ok(?:ay)?|k|yes|yeah|yep|yup|no|nope|sure|fine|right|exactly|agreed|great|cool|nice|perfect|awesome|wonderful|excellent|super|alright|all right",
    r"(?:many |so much )?thanks?(?: you| a lot| so much| again| very much| for (?:that|this|your help|the help))*|thx|ty|cheers|much appreciated",
    r"got it|i see|i understand|understood|makes sense|no problem|no worries|you'?re welcome|sounds (?:good|great|fine)|will do|that works|good (?:idea|point)|of course|never ?mind|oh|ah|hm+|wow|haha+|lol|mhm|indeed|done|noted|so true|totally|absolutely|definitely",
    r"好[的吧呀啊哒嘞呢]?|行[吧啊]?|嗯+|哦+|噢|喔|对[的啊呀]?|對[的啊]?|是[的啊呀]?|可以[的啊]?|没问题|沒問題|没事|收到|明白[了]?|知道[了啦]?|了解[了]?|懂了|谢谢[你您啦]*|謝謝[你您]*|多谢|多謝|感谢|感謝|不客气|不用谢|没关系|哈{2,}|嘻+|呵+|OK|ok|辛苦[了啦]?|太好了|好极了|不错|真棒|厉害|当然|同意|赞|没错|沒錯|就这样|先这样|那就这样",
)
_FEELING_EN = (
    r"happy|sad|angry|mad|upset|tired|exhausted|bored|annoyed|frustrated|stressed|anxious|nervous|excited|lonely|down|"
    r"depressed|furious|worried|scared|relieved|disappointed|overwhelmed|swamped|proud|thankful|grateful|grumpy|miserable|"
    r"great|good|fine|bad|terrible|awful|better|worse|ok|okay|calm|glad|sick of this|blessed|cheerful"
)
_MOOD = re.compile(
    rf"{_EDGE}(?:(?:yesterday|today|tonight|lately|now|honestly|well|ugh|oh|man|wow|this morning|last night|right now|these days)[\s,]+)*"
    rf"(?:(?:i\s*(?:'m|’m|am|was|feel|felt|have been|'ve been|’ve been)|feeling|it made me|makes me)\s+)"
    rf"(?:(?:so|very|really|quite|pretty|a bit|a little|rather|just|kind of|kinda|too|feeling|extremely|still|much|super)\s+)*(?:{_FEELING_EN})"
    rf"(?:\s+(?:and|but|about (?:it|this|that|everything)|today|yesterday|now|tonight|again|lately|right now|though|at the moment|(?:{_FEELING_EN})))*{_EDGE}"
    r"|[\s]*(?:我)?(?:昨天|今天|昨晚|今晚|刚才|刚刚|最近|现在|这几天|当时|那天|前几天|这两天|上周)?(?:我|心里|心情|感觉|觉得|其实|也|还是|有点|就|都|确实)*"
    r"(?:很|好|非常|特别|有点|有些|真的|太|超|挺|比较|十分|实在|真|不太|不|蛮|可以|能|能够|也能|又)*"
    r"(?:生气|高兴|开心|难过|伤心|烦|烦躁|郁闷|累|疲惫|无聊|焦虑|紧张|兴奋|孤独|沮丧|愤怒|担心|害怕|失望|满意|感动|委屈|崩溃|无语|压力大|理解|释然|平静|舒服|糟糕|低落|激动|爽|生氣|難過|開心|煩|累)"
    r"(?:了|的|死了|极了|啊|呀|呢|吧|哦|透了|得很|坏了)*[\s。！!~，,.…]*",
    re.IGNORECASE,
)
_VAGUE_POINTER = _whole(
    r"(?:same|just the same|the same(?: thing| one)?)(?: as (?:before|always|usual|last time))?(?: please)?|as (?:always|usual|before)|(?:the )?usual(?: please)?|you know what i mean|like (?:i said|last time|before)(?: please)?|that one|this one|do (?:it|that)(?: again)?(?: please)?|the other one|what i said(?: before)?|something like that|whatever|and so on|it depends",
    r"(?:还是|還是|就|跟|和|按|照)?(?:老样子|老規矩|老规矩|老樣子|上次(?:那个|那样|一样)?|之前(?:那个|那样|一样)?|以前一样|平时一样|刚才(?:那个|说的)?)(?:就行|就好|吧|来|一样|的)*|(?:就)?(?:那个|这个|那样|这样|那家|这种|那种)(?:吧|就行|就好|呗)?|你懂的|差不多(?:吧|就行)?|随便(?:吧|你)?|都行(?:吧)?|都可以|看情况(?:吧)?|帮我弄一下那个|再来一次|继续(?:吧)?",
)
_HESITATION = re.compile(
    r"先不急|不着急|不急着|再想想|(?<!我)想一想(?![，,]?(?:还|還)是|[，,]?(?:觉得|决定|就))|想想看|再想一下|让我想|讓我想|我想想|再考虑|考虑考虑|考慮考慮|考虑一下|再考慮|再看看|再看吧|再说吧|以后再说|过几天再|过两天再|回头再|到时候再|改天再|晚点再|之后再|等[^，,。]{1,10}再(?:说|定|决定|看|回)|还没想好|没想好|還沒想好|还没决定|没决定|還沒決定|还没定|没定(?!期)|未定|待定|"
    r"不确定|不確定|拿不准|拿不定|说不好|说不准|說不準|犹豫|猶豫|纠结|糾結|等等再|再议|还在想|还在考虑|还在比较|还在看|还在对比|先看看|先放一放|先放着|先这么放|先别定|先別定|先不定|先缓缓|暂时不定|缓一缓|(?<![尽不])可能(?!性)|好像|似乎|说不定|也许|也許|或许|或許|可能吧|要不要|要不(?!是|然)|不一定|"
    r"还得想|还要想|得想想|没拿定|消化一下|我确认(?:一下)?(?:再|$)|等我确认|大概率|八成|看情况|再观察|观望|不好说|难说|看心情|说不清|两个都(?:行|可以|不错)|都差不多|没谱|容我想|考虑中|商量(?:一下|商量)?(?:再|看)|问问(?:.{0,6})再|再对比|再比较|没有?头绪|难选|难定|纠结中|左右为难|举棋不定|摇摆|倾向于|傾向於|偏向(?:于)?|有点想|有點想|有点心动|还得(?:跟|和|问|看)|还要(?:跟|和|问|看看)|得先问|容我|给我点时间|給我點時間|琢磨|斟酌|没底|没把握|大概会|估计会|没准|兴许|应该会吧|万一不|([\u4e00-\u9fff])不\1(?!算)|听听.{0,6}再|没拍板|还没(?:确定|敲定|拍板|选好)|拿主意|再等等|等等看|先搁|搁一搁|权衡|还在挑|犯愁|选择困难|难以抉择|过阵子再|改日再|悬而未决|"
    r"\b(?:let me think|i'?ll think|i’ll think|need to think|have to think|thinking about it|think it over|think about (?:it|that)|sleep on|not (?:\w+ )?sure|unsure|undecided|haven['’]?t (?:\w+ )?(?:decided|made up|settled|figured)|can['’]?t (?:\w+ )?decide|have not (?:\w+ )?decided|on the fence|we['’]?ll see|let['’]?s see|let me check|let me (?:ask|talk|discuss|look)|"
    r"give me (?:a|some) (?:\w+ )?(?:moment|time|minute|days?|while|couple)|perhaps|maybe|might|possibly|no rush|not yet decided|hold on|hold off|still (?:thinking|considering|deciding|weighing|undecided|debating|torn|comparing)|i guess|probably|torn between|lean(?:ing)? (?:towards?|to)|either (?:one )?is fine|no idea|make up my mind|need a (?:day|week|bit)|jury['’]?s still out|50/50|either way|tempted|i suppose|likely to|need to check|pending|run it by|want to think|not ready to|second-guessing|waver(?:ing)?|hard to (?:choose|say|decide|pick)|hesitant|hesitating|sounds? (?:tempting|good|nice|interesting),? but|toying with|before i (?:commit|decide)|i['’]?ll decide|we['’]?ll decide|to be decided|tbd|up in the air|don['’]?t know (?:yet|if|whether)|do not know (?:yet|if|whether)|"
    r"not (?:\w+ )?(?:convinced|certain|decided|ready)|need (?:more |some |a bit more |a little )?time|(?:could|may) (?:go|choose|take|use|switch|be) |mulling|in two minds|second thoughts about|weighing (?:up )?(?:my|our|the)|made up my mind yet|have(?:n['’]t| not) made up|depends on|i['’]ll see\b|wait and see|get back to you (?:on|about)|(?:i|we) (?:may|could)(?! not\b)|still can['’]?t (?:choose|decide|pick)|i doubt|dunno|going back and forth|nothing (?:is|['’]s) (?:certain|decided|settled|final)|not (?:there|final|settled|set in stone) yet|waiting to hear|toss-?up|debating|pondering|(?:park|shelve) (?:it|that|this)(?: for now)?|haven['’]?t (?:\w+ )?(?:chosen|picked|committed|finali[sz]ed)|give it (?:some )?thought|think (?:it|this|that) through|rethink|can['’]?t (?:choose|make up)|who knows|too early to (?:say|tell)|we['’]?re still (?:comparing|weighing|looking)|up for (?:debate|discussion))\b",
    re.IGNORECASE,
)
_RULES = (
    ("greeting", _GREETING),
    ("acknowledgement", _ACKNOWLEDGEMENT),
    ("mood", _MOOD),
    ("vague_pointer", _VAGUE_POINTER),
)


def screen(text: str, *, role: Role, beside: str = "") -> Screening:
    """Decide whether a turn is worth reading, and give the text that may be read.

    `beside` is what came with the turn and is not read for facts (its subject, its reason): it is looked at for instructions.

    Codes: empty, recalled_block, secret_masked, other_voices, role_not_mined, commitment, greeting, acknowledgement, mood, vague_pointer,
    question, hesitation. Flags: instruction_like and instruction_like:<family>, for the gate.
    """
    unfenced = blank_recalled_blocks(text)
    readable, secrets = mask_secrets(unfenced)
    codes = ["recalled_block"] if unfenced != text else []
    codes += ["secret_masked", *(f"secret:{kind}" for kind in secrets)] if secrets else []
    families = instruction_families(f"{unfenced}\n{beside}" if beside else unfenced)
    flags = ("instruction_like", *(f"instruction_like:{family}" for family in families)) if families else ()
    if role not in MINED_ROLES:
        promised = role == "assistant" and promises(readable)
        codes.append("commitment" if promised else "role_not_mined")
        return Screening(worth_reading=promised, text=readable, codes=tuple(codes), flags=flags)
    owned = only_the_owner(readable)
    if owned != readable:
        codes.append("other_voices")
    readable = owned
    sentences = split_sentences(readable)
    verdicts = [sentence_code(sentence) for sentence in sentences]
    if not sentences:
        codes.append("empty")
    codes += dict.fromkeys(code for code in verdicts if code)
    return Screening(
        worth_reading=any(
            code is None or (code == "question" and is_standing_request(sentence))
            for sentence, code in zip(sentences, verdicts, strict=True)
        ),
        text=readable,
        codes=tuple(codes),
        flags=flags,
    )


def beside_content(event: Event) -> str:
    """Every text of an event but its content that may be served with it."""
    return screened_text(
        event.actor,
        event.subject,
        event.reason,
        list(event.alternatives),
        event.before,
        event.after,
        event.form_subject,
    )


def screened_text(*values: Any) -> str:
    """Every text in these values, nested ones too, a line each: what is screened of a write that is more than one text."""
    found: list[str] = []
    pending = list(reversed(values))
    while pending:
        value = pending.pop()
        if isinstance(value, str):
            found.append(value)
        elif isinstance(value, dict):
            pending += [part for pair in reversed(value.items()) for part in reversed(pair)]
        elif isinstance(value, list | tuple):
            pending += reversed(value)
    return "\n".join(text for text in found if text.strip())


def sentence_code(sentence: Sentence) -> str | None:
    """Why one sentence holds nothing to learn, or None when it may."""
    for code, pattern in _RULES if len(sentence.text) <= LONGEST_PLEASANTRY else ():
        if pattern.fullmatch(sentence.text):
            return code
    if is_question(sentence) and not sentence.has_statement_before_question:
        return "question"
    return (
        "hesitation" if all(hesitates(sentence.text[start:end]) for start, end in sentence.clauses) else None
    )


def hesitates(text: str) -> bool:
    """True when the speaker has not made up his mind: such a sentence changes nothing and confirms nothing."""
    return bool(_HESITATION.search(text))
