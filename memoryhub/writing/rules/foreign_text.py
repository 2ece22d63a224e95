"""Where a turn stops being about its owner: a text to translate or mend, a story to write, words put in somebody's mouth."""

from __future__ import annotations

import re
from typing import NamedTuple

from memoryhub.language.patterns import lazy_pattern

_TASKS_ZH = r"(?:翻译|翻成|译成|润色|改写|改病句|修改病句|改错|纠错|校对|造句|续写|仿写|扩写|缩写|总结|概括|提炼|转述|转写|朗读|抄写|点评|批改|断句|排版|改通顺|改语法|查语法|看(?:看)?(?:这|下面)[句段]|分析(?:一下)?(?:这|下面)|理解(?:这|下面)|读(?:一下)?(?:这|下面)|修改(?:一下)?(?:这|下面|语法|句子)|检查(?:一下)?(?:这|下面|语法|句子|错别字))"
_TASKS_EN = r"(?:translate|proofread|polish|rephrase|reword|paraphrase|rewrite|summari[sz]e|transcribe|spell-?check|grade|continue|complete\s+(?:this|the)|edit\s+(?:this|the|my)|fix\s+(?:the|this|my|any)\s+(?:\w+\s+)?(?:grammar|spelling|typos?|sentence|text|wording)|correct\s+(?:the|this|my)\s+(?:\w+\s+)?(?:grammar|spelling|sentence|english|text)|check\s+(?:the|this|my)\s+(?:grammar|spelling|sentence|text)|explain\s+(?:the|this)\s+(?:sentence|quote|phrase|line)|analy[sz]e\s+(?:the|this)\s+(?:sentence|text|line|review)|improve\s+(?:this|the)\s+(?:sentence|text|wording)|shorten\s+(?:this|the)|what\s+does\b[^:]{0,30}\bmean|how\s+(?:do|would)\s+(?:you|i)\s+say)"
_MADE_UP_EN = r"(?:story|stories|poem|song|script|npc|character|persona|villain|hero(?:ine)?|biography|bio|resume|cv|dialogue|monologue|profile|scene|novel|limerick|haiku|(?:fairy\s?)?tale|plot|diary(?:\s+entry)?|speech|backstory|sketch|screenplay|legend|fable|rap|sonnet|skit|role-?play|joke|tongue\s+twister)"
_MADE_UP_ZH = r"(?:故事|小说|剧本|诗|歌词|对白|台词|脚本|童话|寓言|段子|作文|日记|自传|人设|角色|人物|NPC|独白|简历模板|虚构|短剧|小品|散文|演讲稿|情书|范文|例句|谜语|笑话|顺口溜)"
_SAY_ZH = r"(?:说|说道|写道|写着|写的是|问道|喊道|答道|唱道|留言|发帖|发文|原话是|内容是|例句是|开头是|念道|表示|声称|回复)"
_SAY_EN = r"(?:says?|said|reads?|wrote|writes|repl(?:y|ies|ied)|goes|begins?|starts?|opens?|whispers?|whispered|shouts?|shouted|answers?|answered|announces?|announced|posted|tweeted|states?|stated|sings?|sang|texted|messaged|claims?|mutters?|narrates?|declares?)"
_START = r"(?:^|(?<=[。！!？?\n.]))\s*"
_QUOTATION = lazy_pattern(
    rf"{_START}[^。！!？?\n：:]{{0,20}}?{_TASKS_ZH}[^。！!？?\n：:]{{0,16}}[：:]\s*(?=\S)|"
    rf"{_START}(?:把|将)[^。！!？?\n]{{2,120}}?(?:翻译|译|翻|改写|润色)(?:一下)?(?:成|为|得)|"
    rf"{_START}(?:(?:please|can\s+you|could\s+you|would\s+you|help\s+me(?:\s+to)?|now|hey|ok|and|let['’]s)[\s,]+)*{_TASKS_EN}\b[^\n:：]{{0,60}}[:：]\s*(?=\S)|"
    rf"{_START}(?:(?:please|can\s+you|could\s+you)[\s,]+)*translate\b(?![^.\n]*\b(?:from\s+now\s+on|always|everything)\b)|"
    rf"{_START}(?![^：:\n]{{0,12}}\b(?:i|we)\b)[^：:\n.。！!？?]{{1,60}}?\b{_SAY_EN}\s*[:：]\s*(?=\S)|"
    rf"(?:^|(?<=[。！!？?\n，,]))(?!我)[^我，,。！!？?\n：:]{{1,16}}?{_SAY_ZH}(?:了|过|的)?\s*[：:]\s*(?=\S)|"
    r"(?:例句|原文|译文|题目|歌词|台词|标题|文案|范文|示例|短信内容|邮件正文|sample(?:\s+text)?|example(?:\s+sentence)?|original(?:\s+text)?|quote|lyrics|caption|headline|excerpt|prompt)\s*[:：]\s*(?=\S)",
    re.IGNORECASE,
)
_MADE_UP = lazy_pattern(
    rf"\b(?:write|design|create|make\s+up|invent|draft|compose|generate|imagine|describe|tell|continue|give|think\s+up|come\s+up\s+with|act\s+out|play)\s+(?:me\s+|us\s+)?(?:an?\s+|the\s+|some\s+|this\s+|my\s+|our\s+)(?:[\w'-]+\s+){{0,3}}?{_MADE_UP_EN}\b|"
    rf"\b(?:in|from)\s+(?:the|my|this|a|an|our|that|her|his)\s+(?:[\w'-]+\s+){{0,3}}?(?:novel|story|book|game|movie|film|play|song|script|dream|tale|fable|fairy\s?tale|comic|manga|anime|cartoon|sitcom|series|episode|musical|opera|campaign|chapter|screenplay|poem|sketch|simulation)\b[^.!?\n]{{0,40}}?\b(?:says?|said|is|lives?|works?|has|goes|tells?|hero|heroine|character|narrator|i\s+am|i['’]m|we|my|decides?|called|named)\b|"
    rf"(?:写|编|设计|创作|虚构|杜撰|续写|构思|来|讲|演|生成|创建|塑造)(?:一)?[个篇段首则出位场封]?(?:[\u4e00-\u9fffA-Za-z]{{0,8}}?){_MADE_UP_ZH}|"
    r"(?:童话|寓言|神话|动画片?|动漫|漫画|电视剧|连续剧|话剧|短剧|传说|绘本|番剧|剧集|手游|网游|桌游|跑团|脚本|段子|小品|梦)(?:故事)?(?:里|中|裡)(?:面)?的?|第[一二三四五六七八九十百\d]+[章回集](?:里|中|，|,)",
    re.IGNORECASE,
)


class Foreign(NamedTuple):
    """From which character on the turn is somebody else's, and the code why: quotation or fiction."""

    start: int
    code: str


def foreign_from(text: str) -> Foreign | None:
    """Where the words that are not the owner's own begin; None when all are."""
    found = []
    if quoted := _QUOTATION.search(text):
        found.append(Foreign(quoted.start(), "quotation"))
    if made_up := _MADE_UP.search(text):
        found.append(Foreign(_sentence_start(text, made_up.start()), "fiction"))
    return min(found, default=None)


def _sentence_start(text: str, position: int) -> int:
    return max(text.rfind(mark, 0, position) for mark in "。！!？?\n") + 1


def own_words(text: str) -> tuple[str, Foreign | None]:
    """The text with what is not the owner's own blanked, same length, and where that began."""
    foreign = foreign_from(text)
    if foreign is None:
        return text, None
    return text[: foreign.start] + " " * (len(text) - foreign.start), foreign
