"""What a rule sees of a sentence, and what it hands back."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any, NamedTuple

from memoryhub.language.dates import TimeExpression, find_times
from memoryhub.language.patterns import lazy_pattern
from memoryhub.writing.candidates import FormCandidate, ItemCandidate, Role
from memoryhub.writing.sentences import Sentence

_CORRECTION = lazy_pattern(
    r"(?:说|說|讲|講|记|記|写|寫|搞|弄|打|填|报|報)错|口误|更正|纠正|糾正|不对[，,]|不對[，,]|^其实|^其實|[，,]其实(?=我|是)|(?:应该|應該)是|不是[^，,。]{1,20}[，,]?\s*(?:而)?是|"
    r"\b(?:i meant|i misspoke|my mistake|my bad|wrong one|correction|i (?:said|wrote|typed|gave you) (?:that|it|this)? ?wrong|typo|made a mistake|i was wrong|that was wrong|"
    r"got that wrong|got it wrong|it['’]s actually|is actually|are actually|was actually|sorry,? (?:it|i meant|my)|not [\w' ]{1,30}, but|no,? wait|scratch that|to correct)\b|^\s*actually\b",
    re.IGNORECASE,
)
_CHANGE = lazy_pattern(
    r"现在|現在|如今|最近|开始|開始|改[用成为為到回选选了]|更改|换[成到了用]|換[成到了用]|换(?=手机|电话|号)|搬[到去来家]|不再|变成|變成|变更|變更|升级|升級|调整|調整|提高到|降到|降低到|转为|轉為|转到|切换|切換|迁移|遷移|延期|推迟|提前到|还是[用选选走]?|還是|回到|恢复|恢復|改名|新(?:地址|号码|电话|邮箱|手机)|"
    r"(?:不|没|沒)(?:怎么|太|再|想|能|会|爱)?[^，,。不没]{1,8}了(?=[，,。！!；;]|$)|(?:停机|停用|注销|作废|失效)(?=[了，,。！!；;]|$)|(?:换|換|改|搬|变|退)了(?=[，,。！!；;]|$)|新[卡号](?=[，,是：])|以后(?=[^，,。]{0,6}(?:用|打|寄|送|发|联系|坐|骑|走))|改\s?(?=[\d+A-Za-z])|更新[为成]|(?:推|延|挪|迁|调|提)(?:到|至|后|前)|往[后前][推挪延]|跳槽|转岗|转行|升(?=总|主|经|职|任|了)|爱上了?|迷上了?|批下来|改(?=坐|骑|走|喝|吃|住|寄|送|打|发|开)|换(?=个|为|回|了)|又(?:改|换|换回|打|寄|送|搬|坐|骑|开)|(?:还|仍)(?:寄|送|打|发)|(?:寄|送|打|搬|换|改|用|退)回|受够了?|[腻厌]了|(?:换|換)(?:邮箱|地址|电话|手机|工作|城市|住处|公司)了|改(?:了)?主意|只有[^，,。]{1,8}了|降为|敲定|戒了?|(?:预算|上限)[^，,。]{0,3}(?:变|加|减|涨|提|压|砍|降|到)|"
    r"(?:已经|已經)不|了解除|又(?=喜欢|喜歡|爱|愛|用|住|回)|\b(?:like|love|enjoy|prefer|eat|drink|use|hate)\b[^.;!?]{0,30}\bagain\b|"
    r"\b(?:that|my\s+old|the\s+old|this)\s+(?:number|phone|inbox|e-?mail|address|account|mailbox|sim|line)\b[^.;!?]{0,24}?(?:dead|gone|closed|off|out\s+of|stopped|expired|disconnected|cancel+ed|no\s+longer|n['’]t|lost|full)|"
    r"\b(?:lost|broke|dropped)\s+(?:that|my)\s+(?:old\s+)?(?:phone|sim|number)\b|\bback\s+(?:at|on|in|with)\b|\bagain(?=\s*[.!,;]|$)|\b(?:gone\s+off|done\s+with|over\s+it|come\s+to\s+(?:love|like|enjoy|hate)|stopped\s+\w+ing|grown\s+(?:to\s+\w+|tired\s+of|on\s+me)|fallen\s+out\s+of\s+love|started\s+\w+ing|given\s+up)\b|\b(?:lowered|raised|bumped|dropped|trimmed|upped|cut)\b|\bonce\s+more\b|\bnew\s+(?:sim|place|flat|house)\b|\bnumber\s+back\b|\b(?:pushed|slipped|delayed|brought\s+forward|moved\s+up|went\s+(?:up|down)|drops?\s+to|rises?\s+to|rewr(?:ote|itten)|relocated|promoted|left\s+\w+\s+and\s+joined|ended\s+up|swapped|settled\s+on)\b|\b(?:switch|change|make|set)\s+(?:the|my|our)\s+|\buse\b[^.;!?]{4,60}\bas\s+(?:my|our)\b|\bturns\s+out\b|\brevert(?:ed|ing)?\b|\breturn(?:ed|ing)?\s+to\b|\bbudget\b[^.;!?]{0,12}\b(?:shrank|grew|back|went|rose|fell)\b|\b(?:raise|lower|cut|increase|reduce|stretch(?:ed)?)\s+(?:the|my|our)\b|\b(?:helped|chipped|pitched)\s+(?:\w+\s+)?(?:in|out)\b|\b(?:account|inbox|mailbox|number|phone)\s+is\s+(?:gone|dead|closed)\b|\bgoes?\s+back\s+to\b|\bchange\s+of\s+address\b|"
    r"\b(?:now|nowadays|these days|lately|recently|no longer|any ?more|switched|changed|moved|migrated|instead|from now on|started to|starting|have become|became|"
    r"new (?:address|number|phone|e-?mail|job)|extended|postponed|pushed (?:back )?to|raised to|cut to|back to|as of|upgraded|quit)\b",
    re.IGNORECASE,
)
_TEMPORARY = lazy_pattern(
    r"暂时|暫時|临时|臨時|这几天|這幾天|这段时间|这周|这个月内|先用着|\b(?:for now|for the time being|temporarily|this week|for a while|until (?:then|further notice))\b",
    re.IGNORECASE,
)
_FUTURE_START = lazy_pattern(
    r"(?:从|從|自)$|\b(?:from|starting|as of|effective|beginning)(?: on)?\s*$", re.IGNORECASE
)
_FUTURE_START_ZH = lazy_pattern(r"\s*(?:起|开始|開始)")


class Found(NamedTuple):
    """A candidate and the place in the sentence that made it; quote, importance and correction flags are added later."""

    candidate: FormCandidate | ItemCandidate
    start: int
    end: int


type Rule = Callable[[Statement], Iterator[Found]]


@dataclass(frozen=True)
class Statement:
    """One sentence with when, where and by whom it was said."""

    sentence: Sentence
    occurred_at: datetime
    zone: str
    role: Role = "user"
    turn_text: str = ""
    """The whole turn: 投影仪坏了。帮我报修。 asks in its second sentence."""
    heard: tuple[str, ...] = ()
    """What was said before in the session, by anybody, oldest first: what 'this plan' points at."""
    follows_correction: bool = False
    """The sentence before said only that something was wrong: 刚才说错了。我住在苏州。"""

    @property
    def text(self) -> str:
        return self.sentence.text

    @property
    def chinese(self) -> bool:
        return self.sentence.has_chinese

    @property
    def english(self) -> bool:
        return self.sentence.has_english

    @cached_property
    def user(self) -> str:
        """The owner named in the script of the sentence."""
        return ("用戶" if self.sentence.is_traditional else "用户") if self.chinese else "The user"

    @cached_property
    def corrects(self) -> bool:
        """The earlier statement was never true."""
        return self.follows_correction or is_correction(self.text)

    @cached_property
    def changes(self) -> bool:
        """The world or the speaker's mind has changed."""
        return is_change(self.text)

    @cached_property
    def temporary(self) -> bool:
        return bool(_TEMPORARY.search(self.text))

    @cached_property
    def future_times(self) -> list[TimeExpression]:
        """Time expressions of the sentence; what has no year is the next one."""
        return find_times(self.text, now=self.occurred_at, zone=self.zone, prefer="future")

    @cached_property
    def past_times(self) -> list[TimeExpression]:
        return find_times(self.text, now=self.occurred_at, zone=self.zone, prefer="past")

    @cached_property
    def starts_at(self) -> datetime | None:
        """'from next Monday', 从下周一起: the instant from which a stated value holds, when it lies ahead."""
        for time in self.future_times:
            before, after = self.text[: time.span[0]], self.text[time.span[1] :]
            marked = _FUTURE_START.search(before.rstrip()) or _FUTURE_START_ZH.match(after)
            if marked and time.start > self.occurred_at:
                return time.start
        return None


def is_correction(text: str) -> bool:
    """Whether a sentence says that an earlier one was never true."""
    found = _CORRECTION.search(text)
    if found is None:
        return False
    # 'Actually, give me details from now on' changes his mind; 'actually it is Denver' was never otherwise.
    return not (found[0].strip().casefold() in ("actually", "其实", "其實") and is_change(text))


def is_change(text: str) -> bool:
    """Whether a sentence says that the world or the speaker's mind has changed."""
    return bool(_CHANGE.search(text))


def field_found(
    form_type: str,
    field: str,
    value: Any,
    span: tuple[int, int],
    *,
    subject: str = "",
    confidence: float = 0.9,
    **more: Any,
) -> Found:
    """A form value recognised at `span` of the sentence. `more` goes to the candidate as it is."""
    candidate = FormCandidate(
        form_type=form_type, field=field, value=value, subject=subject, confidence=confidence, **more
    )
    return Found(candidate, *span)


def item_found(
    content: str,
    span: tuple[int, int],
    *,
    attribute: str = "",
    value: str = "",
    subject: str = "owner",
    kind: str = "semantic",
    confidence: float = 0.9,
    **more: Any,
) -> Found:
    """A sentence worth recalling, recognised at `span` of the sentence."""
    candidate = ItemCandidate(
        item_kind=kind,  # type: ignore[arg-type]
        content=content,
        subject_entity=subject,
        attribute=attribute,
        value=value,
        confidence=confidence,
        **more,
    )
    return Found(candidate, *span)
