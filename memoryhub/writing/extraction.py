"""The rule extractor: what one turn states about its owner, as candidates with an exact quote, or as refusals with a reason.

Pure: no query, no clock. Only what the owner (or staff, for rules of the house) says is mined; of an assistant's words only that
a promise was made is kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Protocol

from memoryhub.language.fence import blank_recalled_blocks
from memoryhub.writing.candidates import Candidate, Extraction, FormCandidate, Refusal, Turn
from memoryhub.writing.commitments import promises
from memoryhub.writing.doubts import doubt, is_no_feeling, may_be_for_once, misplaced
from memoryhub.writing.importance import ITEM_DEFAULTS, Trait, importance_of
from memoryhub.writing.masking import MASK, mask_secrets
from memoryhub.writing.rules import (
    attitudes,
    budgets,
    business_rules,
    channels,
    contacts,
    decisions,
    endings,
    health,
    household,
    identity,
    incidents,
    life,
    naming,
    orders,
    places,
    preferences,
    projects,
    pursuits,
    replies,
    returns,
    statements,
    technologies,
    working,
)
from memoryhub.writing.rules.described_plans import OF_STANDING_PLAN
from memoryhub.writing.rules.earlier import corrected_from_earlier
from memoryhub.writing.rules.foreign_text import own_words
from memoryhub.writing.rules.loosened import loosened
from memoryhub.writing.rules.refusals import (
    intends,
    is_felt,
    is_one_off,
    is_short_lived,
    mentions_another,
    sentence_refusal,
    turn_is_joke,
    what_is_taken_back,
)
from memoryhub.writing.rules.scripts import in_simplified, told_as_said
from memoryhub.writing.rules.statement import Found, Rule, Statement
from memoryhub.writing.screening import hesitates, sentence_code
from memoryhub.writing.sentences import is_standing_request, split_sentences
from memoryhub.writing.transcripts import only_the_owner

LEAST_CONFIDENCE = 0.6
SURE = 0.8
_RULES: tuple[Rule, ...] = (
    naming.find,
    places.find,
    identity.find,
    working.find,
    household.find,
    health.find,
    contacts.find,
    preferences.find,
    decisions.find,
    budgets.find,
    projects.find,
    technologies.find,
    endings.find,
    returns.find,
    orders.find,
    incidents.find,
    life.find,
    business_rules.find,
)
_STAFF_RULES: tuple[Rule, ...] = (business_rules.find,)
# A one-off order says nothing lasting about these; an order or an incident is itself one of a kind.
_LASTING = frozenset({"preferences", "contact", "user_profile", "project_config"})
_CORE = frozenset({"current_plan", "max_budget", "deadline", "programming_language", "database"})
_FUTURE = frozenset(
    {"reply_style", "usual_request", "do_not_recommend", "contact_channel", "language", "rule"}
)


class FieldFacts(Protocol):
    """What the extractor needs to know of a whitelisted field."""

    @property
    def default_importance(self) -> float: ...


def extract(turn: Turn, *, fields: Mapping[tuple[str, str], FieldFacts]) -> Extraction:
    """Candidates and refusals of one turn; `fields` are the whitelisted fields by (form type, field), others are never named.

    Quotes are exact substrings of `turn.text` and carry their offset in it, whether or not the text was masked by screening.
    """
    read = in_simplified(turn)
    return told_as_said(_extract(read, fields=fields), said=turn, read=read)


def _extract(turn: Turn, *, fields: Mapping[tuple[str, str], FieldFacts]) -> Extraction:
    if turn.role == "assistant":
        return Extraction(action="commitment") if promises(without_secrets(turn.text)) else Extraction()
    if turn.role not in {"user", "staff"}:
        return Extraction()
    readable = only_the_owner(without_secrets(turn.text))
    taken_back = what_is_taken_back(readable)
    if turn_is_joke(readable) or taken_back:
        code = "joke" if turn_is_joke(readable) else taken_back
        refusal = Refusal(code=code, quote=readable.strip()[:200])
        return Extraction(refusals=(refusal,), takes_back=taken_back)
    candidates: list[Candidate] = []
    refusals: list[Refusal] = []
    own, foreign = own_words(readable)
    if foreign:
        refusals.append(Refusal(code=foreign.code, quote=readable[foreign.start :].strip()[:200]))
    readable = own
    correcting = False
    for sentence in split_sentences(readable):
        statement = Statement(
            sentence,
            turn.occurred_at,
            turn.zone,
            turn.role,
            turn_text=readable,
            heard=turn.heard or turn.earlier,
            follows_correction=correcting,
        )
        before = len(candidates)
        for result in _read(statement, fields):
            if isinstance(result, Refusal):
                refusals.append(result)
            else:
                candidates.append(result)
        correcting = statement.corrects and len(candidates) == before
    if turn.earlier and not any(_is_value(candidate) for candidate in candidates):
        candidates += _corrections(turn, readable, fields)
    return with_decision(readable, without_repeats(candidates), refusals)


def without_secrets(text: str) -> str:
    """The text without recalled blocks and secrets, both blanked character for character."""
    return mask_secrets(blank_recalled_blocks(text))[0]


def _read(
    statement: Statement, fields: Mapping[tuple[str, str], FieldFacts]
) -> Iterator[Candidate | Refusal]:
    text = statement.text
    if MASK in text:
        yield Refusal(code="secret", quote="")
        return
    if code := sentence_refusal(text):
        yield Refusal(code="one_off" if is_one_off(text) else code, quote=text)
        return
    if (code := sentence_code(statement.sentence) or "") in {"question", "vague_pointer"}:
        # 'Could you send someone, the projector is broken?' reports it all the same.
        reported = incidents.find(statement) if code == "question" and statement.role == "user" else ()
        asked = standing_requests(statement) if code == "question" and statement.role == "user" else ()
        told = [
            _completed(each, statement, fields)
            for each in (*reported, *asked)
            if _may_be_named(each.candidate, fields)
        ]
        yield from told
        if not told:
            yield Refusal(code=code, quote=text)
        return
    results = list(_candidates(statement, fields))
    if not any(_is_value(result) for result in results) and (bare := loosened(statement)):
        told = [each for each in _candidates(bare, fields, said=statement) if not isinstance(each, Refusal)]
        if not results or any(_is_value(each) for each in told):
            results += told
    yield from results
    if not results:
        yield from _reasons_for_nothing(statement)


def _is_value(result: Candidate | Refusal) -> bool:
    """A value that is told, not one that may or may not continue a plan."""
    return isinstance(result, FormCandidate) and OF_STANDING_PLAN not in result.flags


def standing_requests(statement: Statement) -> Iterator[Found]:
    """'Can you reply in Italian from now on?' asks for no answer: it says how to answer and to call from now on."""
    if is_standing_request(statement.sentence):
        yield from replies.reply_style(statement)
        yield from identity.language(statement)
        yield from channels.find(statement)


def _reasons_for_nothing(statement: Statement) -> Iterator[Refusal]:
    text = statement.text
    if hesitates(text):
        yield Refusal(code="hesitation", quote=text)
    elif attitudes.says_double_negative(text):
        yield Refusal(code="double_negative", quote=text)
    elif returns.returns_to_earlier(text):
        yield Refusal(code="earlier_value_meant", quote=text)
    elif is_one_off(text):
        yield Refusal(code="one_off", quote=text)
    elif intends(text):
        yield Refusal(code="hypothetical", quote=text)
    elif mentions_another(text):
        yield Refusal(code="other_person", quote=text)


def _candidates(
    statement: Statement,
    fields: Mapping[tuple[str, str], FieldFacts],
    *,
    said: Statement | None = None,
) -> Iterator[Candidate | Refusal]:
    """What the rules find in `statement`; `said` is the sentence as it was said when `statement` is only the core of it."""
    found = [
        each for rule in (_STAFF_RULES if statement.role == "staff" else _RULES) for each in rule(statement)
    ]
    if statement.role == "user" and said is None and _leaves_room_for_a_fact(found, statement):
        found += list(statements.find(statement)) or pursuits.find(statement)
    one_off = is_one_off(statement.text)
    for each in _without_ends_of_the_told(found):
        candidate = each.candidate
        if not _may_be_named(candidate, fields):
            continue
        lasting = not isinstance(candidate, FormCandidate) or candidate.form_type in _LASTING
        if lasting and (one_off or (may_be_for_once(candidate) and is_short_lived(statement.text))):
            yield Refusal(code="one_off", quote=statement.text)
        elif is_no_feeling(candidate) and is_felt(statement.text):
            yield Refusal(code="mood", quote=statement.text)
        elif code := misplaced(each, statement) or doubt(each, statement):
            yield Refusal(code=code, quote=statement.text)
        else:
            yield _completed(each, said or statement, fields)


def _without_ends_of_the_told(found: Iterable[Found]) -> list[Found]:
    """原来的邮箱不用了，换 b@c.de tells a new value; that the old one ends goes without saying."""
    found = list(found)
    forms = [each.candidate for each in found if isinstance(each.candidate, FormCandidate)]
    told = {(each.form_type, each.field) for each in forms if each.operation == "set"}
    return [
        each
        for each in found
        if not isinstance(each.candidate, FormCandidate)
        or each.candidate.operation == "set"
        or each.candidate.value is not None
        or (each.candidate.form_type, each.candidate.field) not in told
    ]


def _may_be_named(candidate: Candidate, fields: Mapping[tuple[str, str], FieldFacts]) -> bool:
    if (candidate.confidence or 0) < LEAST_CONFIDENCE:
        return False
    return not isinstance(candidate, FormCandidate) or (candidate.form_type, candidate.field) in fields


def _leaves_room_for_a_fact(found: Iterable[Found], statement: Statement) -> bool:
    """A plain sentence is kept beside numbers that may be somebody's, never beside what a field says better."""
    return all(
        isinstance(each.candidate, FormCandidate)
        and (
            OF_STANDING_PLAN in each.candidate.flags
            or each.candidate.field == "status"
            or (not statement.chinese and (each.candidate.confidence or 0) < SURE)
        )
        for each in found
    )


def _completed(found: Found, statement: Statement, fields: Mapping[tuple[str, str], FieldFacts]) -> Candidate:
    candidate = found.candidate
    corrected = statement.corrects
    explicit = candidate.explicit_correction or corrected or statement.changes
    world_change = candidate.world_change and not corrected
    traits = _traits(candidate, statement, explicit=explicit)
    default = (
        fields[candidate.form_type, candidate.field].default_importance
        if isinstance(candidate, FormCandidate)
        else ITEM_DEFAULTS[candidate.item_kind]
    )
    return replace(
        candidate,
        quote=statement.text,
        quote_start=statement.sentence.start,
        importance=importance_of(default, traits),
        basis="corrected" if corrected else "stated",
        explicit_correction=explicit,
        world_change=world_change,
        valid_from=candidate.valid_from or statement.starts_at,
    )


def _traits(candidate: Candidate, statement: Statement, *, explicit: bool) -> set[Trait]:
    traits: set[Trait] = set()
    if statement.temporary and not (
        isinstance(candidate, FormCandidate) and candidate.form_type not in _LASTING
    ):
        traits.add("temporary")
    if isinstance(candidate, FormCandidate):
        if candidate.form_type == "preferences":
            traits.add("stated preference")
        if candidate.form_type == "project_config" and candidate.field in _CORE:
            traits.add("core project parameter")
        if candidate.field in _FUTURE:
            traits.add("changes future behaviour")
        if candidate.field == "current_plan" and explicit:
            traits.add("change of decision")
    elif candidate.value in {"likes", "dislikes"} or candidate.attribute.startswith(("favourite ", "最喜")):
        traits.add("stated preference")
    elif "refused_option" in candidate.flags:
        traits.add("change of decision")
    return traits


def _corrections(
    turn: Turn, readable: str, fields: Mapping[tuple[str, str], FieldFacts]
) -> Iterable[Candidate]:
    """'I meant Thursday', 刚才说错了，是苏州: the field stands in an earlier turn, the value in this one."""

    def earlier_candidates(text: str) -> tuple[Candidate, ...]:
        return extract(replace(turn, text=text, earlier=(), heard=(), role="user"), fields=fields).candidates

    def default_of(candidate: FormCandidate) -> float:
        return fields[candidate.form_type, candidate.field].default_importance

    return corrected_from_earlier(turn, readable, read=earlier_candidates, default_of=default_of)


def without_repeats(candidates: list[Candidate]) -> tuple[Candidate, ...]:
    """One candidate per slot and value; a later statement of a turn about the same single slot comes after, so it wins."""
    kept: dict[tuple[object, ...], Candidate] = {}
    for candidate in candidates:
        if isinstance(candidate, FormCandidate):
            key: tuple[object, ...] = (
                candidate.form_type,
                candidate.subject,
                candidate.field,
                str(candidate.value),
                candidate.operation,
            )
        else:
            key = (candidate.item_kind, candidate.content)
        kept.setdefault(key, candidate)
    return tuple(kept.values())


def with_decision(readable: str, candidates: tuple[Candidate, ...], refusals: list[Refusal]) -> Extraction:
    """The extraction of a turn, with what its words tell of a decision: that it is one, why, and what else was weighed."""
    decided = any(_is_decision(candidate) for candidate in candidates)
    changed = any(isinstance(each, FormCandidate) and each.operation != "remove" for each in candidates)
    explains = decided or changed or decisions.is_reason_alone(readable)
    why = decisions.notes(readable, candidates) if explains else decisions.DecisionNotes()
    refused = {candidate.attribute for candidate in candidates if "refused_option" in candidate.flags}  # type: ignore[union-attr]
    chosen = any(
        isinstance(candidate, FormCandidate) and candidate.field == "current_plan" for candidate in candidates
    )
    weighed = tuple(option for option in why.alternatives if chosen or option not in refused)
    entities = tuple(dict.fromkeys(entity for candidate in candidates for entity in _entities(candidate)))
    unique = tuple(dict.fromkeys(refusals))
    return Extraction(
        candidates=candidates,
        refusals=unique,
        action="decision" if decided else "",
        reason=why.reason,
        alternatives=weighed,
        entities=entities,
    )


def _is_decision(candidate: Candidate) -> bool:
    if isinstance(candidate, FormCandidate):
        return candidate.field == "current_plan" and OF_STANDING_PLAN not in candidate.flags
    return (
        "refused_option" in candidate.flags
        or candidate.content.startswith(("The user decided", "The user chose"))
        or (candidate.content[2:4] in {"决定", "決定"})
    )


def _entities(candidate: Candidate) -> tuple[str, ...]:
    if not isinstance(candidate, FormCandidate):
        return candidate.entities
    named = candidate.form_type in {"order", "incident", "preferences"} and candidate.subject
    if named:
        return (candidate.subject,)
    return (
        (str(candidate.value),)
        if candidate.field in {"current_plan", "programming_language", "framework", "database"}
        else ()
    )
