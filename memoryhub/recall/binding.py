"""What binds an intended action: rules, safety values, dislikes, refusals, rejected values, values that are past. Pure.

An action is bound by what it speaks of. Better one reason too many than one too few: the agent is told why, and asks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from memoryhub.language.foodstuffs import avoided_in
from memoryhub.language.names import name_key
from memoryhub.language.simplified import simplified
from memoryhub.language.text import clean
from memoryhub.language.tokens import query_tokens
from memoryhub.recall.asking import mentions
from memoryhub.recall.ranking import Candidate
from memoryhub.recall.state_check import Claim
from memoryhub.recall.state_rows import Burial, RefusedOption, StateRows, StoredValue
from memoryhub.recall.wording import value_text

type RuleKind = Literal[
    "business_rule",
    "safety",
    "do_not_recommend",
    "dislike",
    "refused",
    "rejected_before",
    "past_value",
    "relation",
]

_CJK = re.compile(r"[\u3400-\u9fff]")
_CASTS = re.compile(r"所有|任何|一律|每[次个]|凡是?|\b(?:all|any|every|always|each)\b", re.IGNORECASE)
_SAYS_NOTHING = frozenset(
    "不要 不能 不可 可以 必须 应该 应当 需要 禁止 一律 所有 任何 用户 客户 我们 他们 进行 之前 之后 如果 时候 一个 这个 那个 没有 不得 "
    "推荐 提供 给用 给他 给客 帮用 always never must should before after all any everi pleas onli when user custom client recommend "
    "offer give tell send make without first if do not".split()
)
_LETTERED = re.compile(
    r"(?:方案|计划|选项|提案|套餐|\b(?:plan|option|proposal|variant|package|design|draft|approach|choice))\s*([a-z甲乙丙丁一二三四五六]|\d{1,2})(?![a-z\d])"
    r"|(?<![a-z\d])([a-z甲乙丙丁]|\d{1,2})\s*(?:方案|计划|选项|提案|套餐)",
    re.IGNORECASE,
)
_TOLD = {
    "zh": {
        "business_rule": "业务规则：{text}",
        "safety": "记录的“{label}”是“{value}”，这里提到了“{matched}”。",
        "contains": "记录的“{label}”是“{value}”，而“{matched}”含有{ingredient}。",
        "do_not_recommend": "用户要求不要推荐“{matched}”。",
        "dislike": "用户不喜欢“{matched}”。",
        "refused": "用户已否决“{value}”，不要再提出。",
        "rejected_before": "“{matched}”此前已被否决或撤回，不应再使用。",
        "past_value": "“{matched}”是“{label}”的旧值；{now}",
        "now": "现在是“{value}”。",
        "none": "目前没有值。",
    },
    "en": {
        "business_rule": "Business rule: {text}",
        "safety": "“{label}” is recorded as “{value}”, and this speaks of “{matched}”.",
        "contains": "“{label}” is recorded as “{value}”, and “{matched}” contains {ingredient}.",
        "do_not_recommend": "The user asked not to be recommended “{matched}”.",
        "dislike": "The user dislikes “{matched}”.",
        "refused": "The user refused “{value}”: do not offer it again.",
        "rejected_before": "“{matched}” was rejected or taken back before and is not to be used.",
        "past_value": "“{matched}” is an earlier value of “{label}”; {now}",
        "now": "now it is “{value}”.",
        "none": "now there is none.",
    },
}


@dataclass(frozen=True, kw_only=True, slots=True)
class BindingRule:
    """One reason to stop. `matched` are the words of the action it is about; `sentence` is ready, in the owner's language."""

    kind: RuleKind
    target_id: UUID
    owner_id: UUID
    sentence: str
    matched: str
    at: datetime
    value: Any = None
    form_type: str = ""
    subject: str = ""
    field: str = ""
    source: str = ""
    trust_tier: int | None = None
    confidence: float | None = None
    basis: str = ""
    event_id: UUID | None = None
    quote: str = ""


def rules_on(
    action: str,
    claims: Sequence[Claim],
    rows: StateRows,
    *,
    owner_id: UUID,
    language: str,
    buried: Mapping[bytes, str],
) -> list[BindingRule]:
    """What binds the action (or a claim, of values that were refused or rejected before), each once.

    `buried` maps the digests that were looked up to the words they stand for.
    """
    spoken = folded(action)
    found: list[BindingRule] = []
    if spoken:
        for value in rows.holding:
            found += _of_value(value, spoken, language)
        found += _past(rows, spoken, owner_id, language)
    claimed = [str(claim.value) for claim in claims if not claim.removes and claim.value is not None]
    for option in rows.refused:
        if matched := _refused_in(option, [spoken, *map(folded, claimed)]):
            found.append(_refusal(option, matched, owner_id, language))
    found += [_rejected(burial, buried[burial.digest], owner_id, language) for burial in rows.buried]
    return list({(rule.kind, rule.target_id): rule for rule in found}.values())


def rules_by_relation(warnings: Sequence[Candidate], *, told: Sequence[BindingRule]) -> list[BindingRule]:
    """What the owner's relations warn of: a path from what is spoken of to what he cannot have or does not like.

    Without those that rest on the very event of a rule that is `told` already.
    """
    events = {rule.event_id for rule in told if rule.event_id}
    return [
        BindingRule(
            kind="relation",
            target_id=warning.target_id,
            owner_id=warning.owner_id,
            sentence=warning.text,
            matched=warning.names[0] if warning.names else "",
            at=warning.occurred_at,
            source=warning.source,
            trust_tier=warning.trust_tier,
            basis="inferred",
            event_id=warning.event_ids[0] if warning.event_ids else None,
        )
        for warning in warnings
        if "rules" in warning.legs and not (set(warning.event_ids[:1]) & events)
    ]


def folded(text: str) -> str:
    """A text as it is compared: cleaned, without case, in simplified characters."""
    return simplified(clean(text).casefold())


def speaks_of(spoken: str, name: str) -> bool:
    """Whether a folded text names something: Chinese anywhere, other words by their stems."""
    wanted = folded(name).strip()
    if not wanted:
        return False
    if _CJK.search(wanted):
        return wanted in spoken
    if mentions(spoken, wanted):
        return True
    stems = set(query_tokens(wanted))
    return bool(stems) and stems <= set(query_tokens(spoken))


def _of_value(value: StoredValue, spoken: str, language: str) -> Iterator[BindingRule]:
    if value.is_rule:
        if matched := shared_words(f"{value.subject} {value.value}", spoken):
            yield _rule("business_rule", value, matched, language, text=value.value)
    elif value.field == "do_not_recommend":
        if value.value_norm == "true" and speaks_of(spoken, value.subject):
            yield _rule("do_not_recommend", value, value.subject, language)
    elif value.value_norm == "dislikes":
        if speaks_of(spoken, value.subject):
            yield _rule("dislike", value, value.subject, language)
    elif value.safety:
        text = str(value.value)
        if speaks_of(spoken, text):
            yield _rule("safety", value, text, language)
        elif found := next(avoided_in(spoken, text), None):
            matched, ingredient = found
            name = ingredient.label_zh if language == "zh" else ingredient.label_en
            yield _rule("safety", value, matched, language, wording="contains", ingredient=name)


def shared_words(rule: str, spoken: str) -> str:
    """The first words of weight that a rule and a text share, or ''. A rule for all cases is shared by its verb alone."""
    said = set(query_tokens(spoken))
    words = [token for token in query_tokens(folded(rule)) if token in said and _weighs(token)]
    plain = [token for token in words if token not in _SAYS_NOTHING]
    if plain:
        return plain[0]
    return words[0] if words and _CASTS.search(rule) else ""


def _weighs(token: str) -> bool:
    return len(token) >= (2 if _CJK.search(token) or token.isdigit() else 3)


def _rule(
    kind: RuleKind, value: StoredValue, matched: str, language: str, *, wording: str = "", **words: Any
) -> BindingRule:
    label = value.label_zh if language == "zh" else value.label_en
    sentence = _TOLD[language][wording or kind].format(
        **{
            "label": label,
            "value": value_text(value.value, language),
            "matched": matched,
            "text": "",
            **words,
        }
    )
    return BindingRule(
        kind=kind,
        target_id=value.id,
        owner_id=value.owner_id,
        sentence=sentence,
        matched=matched,
        at=value.valid_from,
        value=value.value,
        form_type=value.form_type,
        subject=value.subject,
        field=value.field,
        source=value.role or value.basis,
        trust_tier=value.trust_tier,
        confidence=value.confidence,
        basis=value.basis,
        event_id=value.event_id,
        quote=value.quote,
    )


def _past(rows: StateRows, spoken: str, owner_id: UUID, language: str) -> Iterator[BindingRule]:
    """Values of text that stood once and do not now: an address that was left, a plan that was given up."""
    now: dict[tuple[str, str, str], list[StoredValue]] = {}
    for value in rows.holding:
        now.setdefault((value.form_type, name_key(value.subject), value.field), []).append(value)
    current = {value.value_norm for value in rows.holding}
    for value in rows.values:
        if value.holds or value.owner_id != owner_id or value.value_type != "text":
            continue
        said = str(value.value)
        if value.value_norm in current or len(said) < 2 or not speaks_of(spoken, said):
            continue
        if any(
            folded(said) in folded(str(each.value)) and speaks_of(spoken, str(each.value))
            for each in rows.holding
        ):
            continue
        standing = now.get((value.form_type, name_key(value.subject), value.field), [])
        told = " ".join(value_text(each.value, language) for each in standing)
        words = _TOLD[language]
        yield _rule(
            "past_value",
            value,
            said,
            language,
            now=words["now"].format(value=told) if told else words["none"],
        )


def plan_key(text: str) -> str:
    """The letter or number of a plan, whatever it is called in either language: 'b' for 方案B, B方案 and 'plan B'; '' for none."""
    match = _LETTERED.search(folded(text))
    return (match[1] or match[2]) if match else ""


def _refused_in(option: RefusedOption, texts: Sequence[str]) -> str:
    """The words in which one of the texts names the option, or ''."""
    key = plan_key(option.option)
    for text in texts:
        if text and speaks_of(text, option.option):
            return option.option
        if key and (
            named := next(
                (match for match in _LETTERED.finditer(text) if (match[1] or match[2]) == key), None
            )
        ):
            return named[0]
    return ""


def _refusal(option: RefusedOption, matched: str, owner_id: UUID, language: str) -> BindingRule:
    return BindingRule(
        kind="refused",
        target_id=option.id,
        owner_id=owner_id,
        sentence=_TOLD[language]["refused"].format(value=option.option),
        matched=matched,
        at=option.valid_from,
        value=option.option,
        source=option.basis,
        trust_tier=option.trust_tier,
        confidence=option.confidence,
        basis=option.basis,
        event_id=option.event_id,
        quote=option.quote,
    )


def _rejected(burial: Burial, words: str, owner_id: UUID, language: str) -> BindingRule:
    """Nothing is told of a buried value but the caller's own words for it."""
    return BindingRule(
        kind="rejected_before",
        target_id=burial.id,
        owner_id=owner_id,
        sentence=_TOLD[language]["rejected_before"].format(matched=words),
        matched=words,
        at=burial.created_at,
        source=burial.reason_code,
    )
