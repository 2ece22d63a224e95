"""How a candidate is told in one sentence, in the owner's language. Words of people stay in the language they were said in."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from memoryhub.language.calendar import parse_datetime
from memoryhub.recall.answers import Certainty, Kind
from memoryhub.recall.documents import DocumentRow
from memoryhub.recall.events import EventRow
from memoryhub.recall.forms import FormRow

_VALUES_ZH = {
    "likes": "喜欢",
    "dislikes": "不喜欢",
    "open": "待处理",
    "dispatched": "已派单",
    "solved": "已解决",
}
_WORDS = {
    "zh": {
        "fact": "事实",
        "inferred": "推断",
        "policy": "规则",
        "said_by_agent": "智能体说过",
        "being_confirmed": "待确认",
        "partly_superseded": "其中有旧值",
        "yes": "是",
        "no": "否",
        "weighed": "考虑过",
        "agent": "智能体说",
        "days_ago": "{days} 天前",
        "removed": "已移除",
        "as_you_said": "刚才您说",
        "on_record": "自 {since} 起的记录",
        "by_policy": "按规定一般",
        "noted_here": "本次对话中记录的",
        "team": "团队",
        "project": "项目",
        "domain": "领域",
    },
    "en": {
        "fact": "fact",
        "inferred": "inferred",
        "policy": "policy",
        "said_by_agent": "said by the agent",
        "being_confirmed": "being confirmed",
        "partly_superseded": "holds a superseded value",
        "yes": "yes",
        "no": "no",
        "weighed": "weighed",
        "agent": "the agent said",
        "days_ago": "{days} days ago",
        "removed": "removed",
        "as_you_said": "as you just said",
        "on_record": "on record since {since}",
        "by_policy": "by policy, usually",
        "noted_here": "noted in this conversation",
        "team": "team",
        "project": "project",
        "domain": "domain",
    },
}


_SOURCES_ZH = {
    "user": "用户",
    "assistant": "智能体",
    "tool": "工具",
    "system": "系统",
    "staff": "工作人员",
    "stated": "用户陈述",
    "corrected": "用户更正",
    "observed": "观察",
    "inferred": "推断",
    "imported": "导入",
    "document": "文档",
}


def source_text(source: str, trust_tier: int, language: str) -> str:
    """'user, tier 3': on whose word, and how far the key that brought it is trusted."""
    if language == "zh":
        return f"{_SOURCES_ZH.get(source, source)}，信任级 {trust_tier}"
    return f"{source}, tier {trust_tier}"


def phrase_of(kind: Kind, source: str, occurred_at: datetime, language: str, zone: ZoneInfo) -> str:
    """How a line is introduced to the owner: 'as you just said', 'on record since 2026-03-04', 'by policy, usually'; '' for
    what only happened."""
    match kind:
        case "slot":
            return word("as_you_said" if source == "user" else "noted_here", language)
        case "document":
            return word("by_policy", language)
        case "form" | "item" | "rule":
            since = f"{occurred_at.astimezone(zone):%Y-%m-%d}"
            return word("on_record", language).format(since=since)
        case _:
            return ""


def word(name: str, language: str) -> str:
    return _WORDS[language][name]


def certainty_of(*, basis: str, is_rule: bool) -> Certainty:
    if is_rule:
        return "policy"
    return "inferred" if basis == "inferred" else "fact"


def value_text(value: Any, language: str) -> str:
    """A stored value as people write it; what it means is not touched."""
    if isinstance(value, bool):
        return word("yes" if value else "no", language)
    if isinstance(value, list):
        return ", ".join(value_text(member, language) for member in value)
    text = str(value)
    return _VALUES_ZH.get(text, text) if language == "zh" else text


def form_text(row: FormRow, language: str, zone: ZoneInfo) -> str:
    """'Budget limit: 500000', '态度（茶）: 喜欢'; a business rule is its own sentence; a moment is told in the owner's zone."""
    moment = parse_datetime(str(row.value)) if row.value_type == "datetime" else None
    value = date_text(moment, zone) if moment and moment.tzinfo else value_text(row.value, language)
    if row.is_rule and row.field == "rule":
        return value
    label = row.label_zh if language == "zh" else row.label_en
    if not row.subject:
        return f"{label}: {value}"
    return f"{label}（{row.subject}）: {value}" if language == "zh" else f"{label} ({row.subject}): {value}"


def event_text(event: EventRow, language: str) -> str:
    """What was said, by whom; a change without words is told by its values."""
    content = event.content.strip() or _change_text(event, language)
    if event.role == "assistant":
        return f"{word('agent', language)}: {content}"
    return f"{event.actor}: {content}" if event.actor else content


def decision_text(event: EventRow, language: str) -> str:
    """A decision with its reason and what was weighed, as far as its own words do not already say so."""
    text = event_text(event, language)
    notes = why(event.reason, event.alternatives, language, already=text)
    return f"{text}{notes}"


def path_text(chain: Sequence[FormRow], language: str) -> str:
    """'Current plan: A → B (budget) → A (cost; B and C were weighed)'."""
    steps = [value_text(row.value, language) + why(row.reason, row.alternatives, language) for row in chain]
    label = chain[0].label_zh if language == "zh" else chain[0].label_en
    if chain[0].subject:
        label = f"{label}（{chain[0].subject}）" if language == "zh" else f"{label} ({chain[0].subject})"
    return f"{label}: {' → '.join(steps)}"


def why(reason: str, alternatives: Sequence[str], language: str, already: str = "") -> str:
    """' (cost; B and C were weighed)', or '' when there is nothing to add."""
    notes = [reason] if reason and reason not in already else []
    others = [other for other in alternatives if other not in already]
    if others:
        told = "、".join(others) if language == "zh" else " and ".join(others)
        notes.append(
            f"考虑过 {told}" if language == "zh" else f"{told} {'were' if len(others) > 1 else 'was'} weighed"
        )
    if not notes:
        return ""
    return f"（{'；'.join(notes)}）" if language == "zh" else f" ({'; '.join(notes)})"


def document_text(row: DocumentRow, language: str, zone: ZoneInfo, *, is_stale: bool) -> str:
    """'By policy, usually: … ("Returns", version 2, Cross-border; authority 4 of 5)', with a notice when it is stale."""
    verified = f"{row.last_verified_at.astimezone(zone):%Y-%m-%d}"
    path = " › ".join(row.heading_path)
    if language == "zh":
        source = "，".join(
            part for part in (f"《{row.title}》第 {row.number} 版", path, f"权威 {row.authority}/5") if part
        )
        notice = f"（上次核实 {verified}，已过期待核实，使用前请确认）" if is_stale else ""
        return f"按规定一般：{row.text}（{source}）{notice}"
    source = ", ".join(
        part
        for part in (f'"{row.title}" version {row.number}', path, f"authority {row.authority} of 5")
        if part
    )
    notice = (
        f" (last verified {verified}, due for verification: confirm before relying on it)" if is_stale else ""
    )
    return f"By policy, usually: {row.text} ({source}){notice}"


def date_text(when: datetime, zone: ZoneInfo) -> str:
    """'2026-03-04 10:00 +08:00' in the owner's zone."""
    local = when.astimezone(zone)
    offset = local.strftime("%z")
    return f"{local:%Y-%m-%d %H:%M} {offset[:3]}:{offset[3:5]}"


def _change_text(event: EventRow, language: str) -> str:
    name = ".".join(part for part in (event.form_type, event.field) if part) or event.subject or event.action
    subject = f" {event.form_subject}" if event.form_subject else ""
    steps = [value_text(value, language) for value in (event.before, event.after) if value is not None]
    return f"{name}{subject}: {' → '.join(steps)}"
