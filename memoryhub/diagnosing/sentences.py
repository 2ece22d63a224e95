"""A finding in one sentence, and what to do next in another; in English and Chinese. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from memoryhub.diagnosing.answers import Finding, Place

type Language = Literal["en", "zh"]
LANGUAGES: tuple[Language, ...] = ("en", "zh")


@dataclass(frozen=True, slots=True)
class Said:
    """What happened, and what to do about it."""

    what: str
    next: str


# By step and code, else by step alone. {code} is the stored code, {place} what is known of the ranking.
_EN: dict[str, tuple[str, str]] = {
    "never_recorded": (
        "Nothing that this owner's events or memories hold says it.",
        "Send the turn that said it to /events/, under this owner; or check the owner's id.",
    ),
    "never_recorded/learned_later": (
        "It was recorded only after this recall had been answered.",
        "Ask again: it is known now.",
    ),
    "screened": (
        "The turn is recorded, and the rules at the door read nothing in it ({code}).",
        "If it holds a fact, say it as a statement of its own, or write the field or memory directly.",
    ),
    "screened/role_not_mined": (
        "The turn was not the owner's own: what assistants, tools and systems say is kept and not read for facts.",
        "Record it as the owner's turn if he said it; a tool's value is sent with the field it is about.",
    ),
    "screened/low_trust": (
        "The turn came with a key of low trust, so its words are kept out of recall.",
        "Let a person approve what it proposes, or send it with a key of tier 3 or more.",
    ),
    "screened/instruction_like": (
        "The turn reads like an instruction to the agent, so its words are kept out of recall.",
        "Look at it under Review; if it is harmless, a reviewer approves what it says.",
    ),
    "not_extracted": (
        "The turn is recorded, and nothing of it was taken for a fact ({code}).",
        "Write the field or the memory directly, or try the text under Try extraction to see what is read in it.",
    ),
    "not_extracted/not_processed_yet": (
        "The turn is recorded and still waits to be read.",
        "Wait for the worker (System shows what is queued), then ask again.",
    ),
    "not_extracted/learned_later": (
        "The turn was recorded by then, and what it says was learned only after this recall.",
        "Ask again: it is known now.",
    ),
    "not_admitted": (
        "It was read, and refused ({code}).",
        "Correct the value or the whitelist's rule that refused it, and write it again.",
    ),
    "not_admitted/low_importance": (
        "It was read, and is too unimportant to keep beyond the session.",
        "Give it an importance from 0.6 when writing it, or lower the policy's threshold.",
    ),
    "not_admitted/low_confidence": (
        "It was read, and the reader was too unsure of it.",
        "Confirm it with the owner, and write it with his words as evidence.",
    ),
    "not_admitted/field_not_allowed": (
        "It was read for a field that is not on the whitelist.",
        "Add the field under Whitelist, or write it as a memory.",
    ),
    "not_admitted/rejected": (
        "A person rejected it in review.",
        "Read the reason with the review; new evidence may be proposed again.",
    ),
    "not_admitted/refused": (
        "What it says was refused or taken back, so its words are not told either.",
        "Read the reason with the change; new evidence may be proposed again.",
    ),
    "waiting_for_review": (
        "It waits for a person's decision ({code}).",
        "Decide the review; until then it is told as being confirmed at most.",
    ),
    "superseded": (
        "It was known and was replaced by a newer value.",
        "If the old value is right after all, restore it from the history of the value.",
    ),
    "superseded/retracted": (
        "It was known and was taken back.",
        "Look at the change that took it back; a rollback can be undone.",
    ),
    "superseded/reverted": (
        "It was written and rolled back.",
        "Look at the rollback; it can be undone.",
    ),
    "superseded/historical": (
        "It was learned late: a newer value stood already, so it is kept as history.",
        "Ask for the history, or correct the current value if the late one still holds.",
    ),
    "expired_or_cold": (
        "It was known and has run out, or has gone cold ({code}).",
        "Have it confirmed again, or ask about its time: valid_at reaches what has passed.",
    ),
    "filtered": (
        "It stands, and a rule of the recall kept it out ({code}).",
        "Ask without that limit, or name the thing it is about.",
    ),
    "filtered/kind_not_asked_for": (
        "It stands, and the question asked for other kinds only.",
        "Leave `kinds` out, or add this kind.",
    ),
    "filtered/other_entity": (
        "It stands, and is about another order, ticket, project, product or person than the question names.",
        "Name the one it is about, or leave the name out.",
    ),
    "filtered/another_session": (
        "It was said in a conversation, and the question named another one, or none.",
        "Ask with the session, or end it: what is worth keeping is kept then.",
    ),
    "filtered/other_context": (
        "It stands in the conversation, under another order, ticket or task than the question is about.",
        "Name the order, ticket or task in the question.",
    ),
    "filtered/near_duplicate": (
        "It stands, and another line of the answer says the same.",
        "Nothing: the agent was told in other words.",
    ),
    "filtered/not_yet_valid": (
        "It is known, and begins to hold only later.",
        "Ask with valid_at in its time, or wait for its day.",
    ),
    "filtered/session_beats_user": (
        "It stands, and the conversation itself says otherwise.",
        "If the conversation is wrong, correct the value there.",
    ),
    "outranked": (
        "It stands, and others were nearer to the question{place}.",
        "Ask in its words, name the thing it is about, raise top_k, or make the words of the question an alias of its field.",
    ),
    "outranked/noise": (
        "It stands, and has hardly anything in common with the question{place}.",
        "Ask in its words, or make the words of the question an alias of its field.",
    ),
    "cut_by_budget": (
        "It stands and was near enough, and the tokens of the answer were spent{place}.",
        "Raise budget_tokens, or ask a narrower question.",
    ),
    "served": (
        "It was served ({code}).",
        "The agent was told: look at how it used the answer.",
    ),
}
_ZH: dict[str, tuple[str, str]] = {
    "never_recorded": (
        "该归属者的事件和记忆里都没有说过这件事。",
        "请把说出它的那一轮对话以该归属者发送到 /events/，或核对归属者编号。",
    ),
    "never_recorded/learned_later": ("它是在这次召回之后才记录的。", "请重新提问：现在已经知道了。"),
    "screened": (
        "这一轮已记录，但入口规则认为其中没有可学的内容（{code}）。",
        "如果其中有事实，请单独陈述，或直接写入字段或记忆。",
    ),
    "screened/role_not_mined": (
        "这一轮不是归属者本人说的：助手、工具和系统的话会保存，但不从中提取事实。",
        "若是本人所说，请按用户发言记录；工具给出的值请连同字段一起发送。",
    ),
    "screened/low_trust": (
        "这一轮来自低信任级的密钥，其内容不进入召回。",
        "请由人员批准它的提议，或用信任级 3 以上的密钥发送。",
    ),
    "screened/instruction_like": (
        "这一轮读起来像是给智能体的指令，其内容不进入召回。",
        "请在审核页查看；若无害，由审核人批准。",
    ),
    "not_extracted": (
        "这一轮已记录，但没有从中提取出事实（{code}）。",
        "请直接写入字段或记忆，或在“试提取”页查看能读出什么。",
    ),
    "not_extracted/not_processed_yet": (
        "这一轮已记录，仍在等待处理。",
        "请等待后台处理（系统页可见队列）后重新提问。",
    ),
    "not_extracted/learned_later": (
        "当时这一轮已记录，但其中的内容在这次召回之后才学到。",
        "请重新提问：现在已经知道了。",
    ),
    "not_admitted": ("已读出，但被拒绝（{code}）。", "请更正该值或拒绝它的白名单规则，再重新写入。"),
    "not_admitted/low_importance": (
        "已读出，但重要性太低，只保留在会话里。",
        "写入时给出 0.6 以上的重要性，或调低策略阈值。",
    ),
    "not_admitted/low_confidence": ("已读出，但把握不足。", "请向归属者确认，并以其原话为证据写入。"),
    "not_admitted/field_not_allowed": (
        "已读出，但对应的字段不在白名单上。",
        "请在白名单中添加该字段，或写成一条记忆。",
    ),
    "not_admitted/rejected": ("已被人员在审核中驳回。", "请查看审核理由；有新证据可以重新提议。"),
    "not_admitted/refused": (
        "其内容已被拒绝或收回，因此原话也不再告知。",
        "请查看变更理由；有新证据可以重新提议。",
    ),
    "waiting_for_review": ("正在等待人员审核（{code}）。", "请完成该审核；在此之前最多以“待确认”告知。"),
    "superseded": ("曾经知道，已被更新的值取代。", "如果旧值其实是对的，请从该值的历史中恢复。"),
    "superseded/retracted": ("曾经知道，已被收回。", "请查看收回它的变更；回滚可以撤销。"),
    "superseded/reverted": ("曾经写入，已被回滚。", "请查看该回滚；可以撤销。"),
    "superseded/historical": (
        "得知较晚：已有更新的值，因此只作为历史保存。",
        "请查询历史；若晚到的值仍然成立，请更正当前值。",
    ),
    "expired_or_cold": (
        "曾经知道，已过期或已变冷（{code}）。",
        "请重新确认，或询问它当时的时间：valid_at 可以查到过去。",
    ),
    "filtered": ("它仍然成立，但被召回规则排除（{code}）。", "请去掉该限制再问，或说出它所指的对象。"),
    "filtered/kind_not_asked_for": ("它仍然成立，但提问只要其他类型。", "请去掉 kinds，或加上该类型。"),
    "filtered/other_entity": (
        "它仍然成立，但说的是另一个订单、工单、项目、产品或人，而不是问题所指的那个。",
        "请说出它所指的对象，或不提名字。",
    ),
    "filtered/another_session": (
        "它是在某次对话中说的，而提问指的是另一次对话，或没有指明对话。",
        "请带上会话提问，或结束该会话：值得保留的会在那时保留。",
    ),
    "filtered/other_context": (
        "它在对话中仍然成立，但属于另一个订单、工单或任务。",
        "请在问题中说出该订单、工单或任务。",
    ),
    "filtered/near_duplicate": ("它仍然成立，答案中另一行说的是同一件事。", "无需处理：已换一种说法告知。"),
    "filtered/not_yet_valid": ("已经知道，但要到以后才生效。", "请用 valid_at 询问那个时间，或等到那一天。"),
    "filtered/session_beats_user": (
        "它仍然成立，但对话本身另有说法。",
        "如果对话里的说法有误，请在对话中更正。",
    ),
    "outranked": (
        "它仍然成立，但其他内容与问题更接近{place}。",
        "请用它的用词提问、说出所指对象、提高 top_k，或把问题中的词设为其字段的别名。",
    ),
    "outranked/noise": (
        "它仍然成立，但与问题几乎无关{place}。",
        "请用它的用词提问，或把问题中的词设为其字段的别名。",
    ),
    "cut_by_budget": (
        "它仍然成立也足够接近，但答案的词元预算已用完{place}。",
        "请提高 budget_tokens，或把问题问得更具体。",
    ),
    "served": ("已经告知（{code}）。", "智能体已被告知：请查看它如何使用答案。"),
}
_TEMPLATES: dict[Language, dict[str, tuple[str, str]]] = {"en": _EN, "zh": _ZH}


def say(finding: Finding, language: Language, *, code: str = "") -> Said:
    """The two sentences. `code` is the word for the finding's code where the caller has one in this language."""
    table = _TEMPLATES[language]
    what, then = table.get(f"{finding.step}/{finding.code}") or table[finding.step]
    place = _place(finding.place, finding.last_served, language)
    return Said(what.format(code=code or finding.code or "—", place=place), then)


def _place(place: Place | None, last: Place | None, language: Language) -> str:
    """': rank 11 (0.23), the last one served is 5 (0.24)'."""
    if place is None or last is None:
        return ""
    if language == "zh":
        return f"：排在第 {place.rank} 位（{place.score:.2f}），最后一条告知的是第 {last.rank} 位（{last.score:.2f}）"
    return f": rank {place.rank} ({place.score:.2f}), the last one served is {last.rank} ({last.score:.2f})"
