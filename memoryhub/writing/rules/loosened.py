"""A sentence without what people say around a statement: 跟你说下, 上周三, 'just so you know', the apostrophe left out of 'im'.

Rules name the words next to a value; what stands between them and says nothing is taken out before a second look.
"""

from __future__ import annotations

import re
from dataclasses import replace

from memoryhub.language.patterns import lazy_pattern
from memoryhub.writing.rules.refusals import holds_for_a_day, is_one_off
from memoryhub.writing.rules.statement import Statement
from memoryhub.writing.sentences import Sentence

_LEAD_ZH = lazy_pattern(
    r"^(?:(?:跟你(?:们)?(?:说|讲|报备)(?:一?下|个事|一声)?|和你(?:说|讲)(?:一?下|个事|一声)?|(?:再|先|顺便|多)?(?:说|提|讲)(?:一?下|一句|明一?下|个事)|告诉你(?:们)?(?:一声|一?下)?|报告(?:一下)?|补充(?:一?下|一句|一点|说明)?|顺便|对了|哦对了?|忘了?(?:跟你)?(?:说|自我介绍|告诉你|提)(?:了)?|备注(?:一下)?|"
    r"(?:麻烦|请|帮忙)?(?:你)?(?:帮我)?(?:记|登记|备注|更新|填|改)(?:一?下|住|好)?(?:信息|资料|档案)?|填表用|话说|那个|老实说|说实话|说真的|坦白[讲说]|不瞒你说|嗯+|哦|啊|哎|诶|欸|唉|哈喽|你好|您好|是这样的?|情况是这样|(?:简单)?(?:自我)?介绍(?:一下)?(?:自己)?|另外|还有|首先|确认一?下|更正(?:一?下)?|提醒(?:你)?一?下|声明一?下|说明一?下|注意(?:一?下)?|通知(?:一?下)?|友情提示|更新)(?:[，,：:、。！!~\s]+|(?=我)))+"
)
_ADVERB_ZH = lazy_pattern(
    r"(?<=我)(?:个人|本人|自己|这边|这人|这个人|其实|确实|的确|刚刚?|刚好|终于|正式|一直以来|向来|基本上?|差不多|大概从[^，,。]{2,6}起|应该算|也算|算|呢|呀|嘛|啊|现在|目前|已经|早就|这|最近|如今|今年|今年起|平时|平常|日常|通常|一般|全家|一家人)+(?![两三几]?[个位口])(?!有点|工作|住|家)"
)
_PARTICLE_ZH = lazy_pattern(r"(?:哈+|哦|喔|噢|啦|呀|啊|嘛|哟|咯|噻|滴|呗|捏|~|～)+(?=[，,。！!；;~～]|$)")
_BLANKS_ZH = lazy_pattern(r"(?<=[\u4e00-\u9fff])\s+(?=[A-Za-z0-9+])|(?<=[A-Za-z0-9])\s+(?=[\u4e00-\u9fff])")
_DAY_ZH = lazy_pattern(r"昨|前天|大前天|刚才|今|明|后天")
_BEGUN_ZH = lazy_pattern(r"[了过]|刚|起|开始|搬|换|升|调|入职|加入")
_LEAD_EN = lazy_pattern(
    r"^(?:(?:just\s+so\s+you\s+know|just\s+(?:an?\s+)?(?:fyi|update|note|heads[- ]up)|fyi|btw|by\s+the\s+way|(?:a\s+)?heads[- ]up|(?:a\s+)?(?:quick|small|little)\s+(?:note|update|correction|thing|one)|for\s+(?:the\s+record|your\s+(?:records?|information|reference|files?)|reference|context|what\s+it['’]?s\s+worth)|oh(?:\s+(?:and|yeah|right))?|and|also|so|well|hey|hi|hello|ok(?:ay)?|right|"
    r"honestly|tbh|ngl|frankly|(?:to\s+be|being)\s+(?:\w+\s+)?(?:honest|frank|fair)|please\s+(?:note|remember|be\s+aware|know)(?:\s+that)?|note(?:\s+that)?|remember(?:\s+that)?|keep\s+in\s+mind(?:\s+that)?|you\s+should\s+know(?:\s+that)?|i\s+(?:should|wanted\s+to|forgot\s+to|have\s+to|want\s+to|ought\s+to|must|just\s+wanted\s+to)\s+(?:mention|say|tell\s+you|add|note|point\s+out|let\s+you\s+know)(?:\s+that)?|let\s+me\s+(?:tell\s+you|add|mention|start\s+by\s+saying)(?:\s+that)?|"
    r"update|correction|important|reminder|ps|p\.s\.?|one\s+more\s+thing|turns\s+out(?:\s+that)?|(?:good|bad|big|great)\s+news|guess\s+what|(?:a\s+)?bit\s+about\s+me|about\s+me|intro|as\s+(?:a\s+)?background|background|as\s+for\s+me|personally|first\s+(?:off|of\s+all)|first|finally|anyway)[\s,:;.!–—-]+)+",
    re.IGNORECASE,
)
_CONTRACTED = (
    (lazy_pattern(r"\bim\b(?!\s*(?:=|message))", re.IGNORECASE), "I'm"),
    (lazy_pattern(r"\bive\b", re.IGNORECASE), "I've"),
    (lazy_pattern(r"\bi\b"), "I"),
    (lazy_pattern(r"\b(do|does|did|ca|wo|is|are|was|were|have|has|would|could|should)nt\b", re.IGNORECASE), r"\1n't"),
    (lazy_pattern(r"\b(that|it|there|what)s\b(?=\s+(?:my|the|a|an|not|where)\b)", re.IGNORECASE), r"\1's"),
    (lazy_pattern(r"\bwere\s+(?=(?:based|living|using|going\s+with)\b)", re.IGNORECASE), "we're "),
    (lazy_pattern(r"\b(I\s+have|I've)\s+(?:just\s+|recently\s+|now\s+|finally\s+|officially\s+)+", re.IGNORECASE), r"\1 "),
    (lazy_pattern(r"\b(I|we)\s+(?:officially|actually|basically|technically|literally|kinda|kind\s+of|happily|proudly|generally|typically|usually)\s+", re.IGNORECASE), r"\1 "),
    (lazy_pattern(r"\b(I'm|I’m|I\s+am)\s+(?:officially|actually|basically|technically|literally|currently|still|just|now)\s+", re.IGNORECASE), r"\1 "),
    (lazy_pattern(r",?\s*\b(?:tbh|imo|imho|ngl|fwiw|fyi|lol|btw|to\s+be\s+(?:honest|fair|frank)|by\s+the\s+way|just\s+so\s+you\s+know|in\s+case\s+you\s+need\s+it|for\s+your\s+records?|if\s+that\s+helps|thanks(?:\s+a\s+lot)?|thank\s+you)\s*(?=[.!]*$)", re.IGNORECASE), ""),
)  # fmt: skip


def loosened(statement: Statement) -> Statement | None:
    """The statement without words around it, or None when there is nothing to take out or it holds only for a day."""
    text = statement.text
    if holds_for_a_day(text) or is_one_off(text):
        return None
    bare = _bare_zh(statement) if statement.chinese else _bare_en(text)
    if bare == text or len(bare) < 3:
        return None
    return replace(statement, sentence=Sentence(bare, statement.sentence.start))


def _bare_zh(statement: Statement) -> str:
    text = statement.text
    for time in (
        sorted(statement.past_times, key=lambda each: each.span[0], reverse=True)
        if _BEGUN_ZH.search(text)
        else ()
    ):
        start, end = time.span
        if time.kind in {"day", "week", "weekend", "month", "year"} and not _DAY_ZH.search(text[start:end]):
            before = text[:start]
            if not before or before[-1] in "，,。；;我" or before.endswith("我们"):
                text = before + text[end:]
    text = _LEAD_ZH.sub("", text)
    text = _ADVERB_ZH.sub("", text)
    return _PARTICLE_ZH.sub("", _BLANKS_ZH.sub("", text)).strip(" ，,")


def _bare_en(text: str) -> str:
    text = _LEAD_EN.sub("", text)
    for pattern, plain in _CONTRACTED:
        text = pattern.sub(plain, text)
    return text.strip(" ,")
