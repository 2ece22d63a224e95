"""The check before a turn: claims are read by the rules that read writes, and compared with what recall would serve.

Nothing is stored. Three statements about the owner and one about the workspace's fields, whatever there is: him, his values
with everything else that may speak against it, and his relations.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal
from uuid import UUID

from memoryhub.changes.tombstones import field_value_name, item_names
from memoryhub.checking.claims import GivenClaim, claims_given, claims_in_session, claims_in_text
from memoryhub.database.prepared import prepared_cursor
from memoryhub.database.scope import scope
from memoryhub.exceptions import InvalidInput
from memoryhub.language.text import find_text_fault
from memoryhub.recall.answers import RecallRequest
from memoryhub.recall.asking import ask, fields_named
from memoryhub.recall.binding import BindingRule, folded, rules_by_relation, rules_on
from memoryhub.recall.knowing import Known, look_up
from memoryhub.recall.looking import Asked, Moment, moment_of
from memoryhub.recall.ranking import Candidate
from memoryhub.recall.relation_paths import relation_candidates
from memoryhub.recall.relations import Path, path_rows, relations_read
from memoryhub.recall.state_check import Claim, Conflict, find_conflicts, touched_questions
from memoryhub.recall.state_rows import OpenQuestion, StateRows, StoredValue, load_state
from memoryhub.recall.together import read_together
from memoryhub.writing.rules.options import plans_named_in
from memoryhub.writing.whitelist import Whitelist, load_whitelist, within_tolerance

MOST_CLAIMS = 50
MOST_TEXT = 4_000
MOST_ACTION = 1_000


@dataclass(frozen=True, kw_only=True, slots=True)
class StateCheckRequest:
    """What is about to be said (`text`, in the owner's or the agent's voice), taken for granted (`claims`) or done (`action`)."""

    text: str = ""
    speaker: Literal["user", "assistant"] = "user"
    claims: tuple[GivenClaim, ...] = ()
    action: str = ""
    session_ref: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class StateCheck:
    """`ok` only when nothing was found and the owner's memory could be looked at."""

    owner_id: UUID
    state: Literal["ok", "owner_frozen"] = "ok"
    claims: tuple[Claim, ...] = ()
    conflicts: tuple[Conflict, ...] = ()
    questions: tuple[OpenQuestion, ...] = ()
    rules: tuple[BindingRule, ...] = ()

    @property
    def ok(self) -> bool:
        return self.state == "ok" and not (self.conflicts or self.questions or self.rules)


def check_state(*, workspace_id: UUID, owner_id: UUID, request: StateCheckRequest) -> StateCheck:
    """Compare with what is stored. Raises UnknownOwner, OwnerErasing, and InvalidInput naming the field for an unusable input."""
    _check(request)
    known = look_up(workspace_id=workspace_id, owner_id=owner_id, session_ref=request.session_ref)
    if known.is_frozen:
        return StateCheck(owner_id=owner_id, state="owner_frozen")
    whitelist = load_whitelist(workspace_id=workspace_id)
    claims = _claims(request, known, whitelist)
    buried = dict(_buried(request, claims, owner_id))
    moment = moment_of(known, valid_at=None, known_at=None)
    asked = _asked(request, known, moment)
    with (
        scope(workspace_id=workspace_id, owners=known.owner_ids, purpose="recall"),
        prepared_cursor() as cursor,
    ):
        rows = load_state(
            cursor, known=known, moment=moment, digests=list(buried), slots=[slot.id for slot in known.slots]
        )
        related = read_together(cursor, {"relations": relations_read(asked)})["relations"]
    conflicts = find_conflicts(
        claims,
        rows,
        owner_id=owner_id,
        language=known.language,
        zone=known.zone_info,
        is_close=partial(_is_close, whitelist),
    )
    rules = rules_on(request.action, claims, rows, owner_id=owner_id, language=known.language, buried=buried)
    warnings = _warnings(path_rows(related, question=asked.question), rows, asked)
    return StateCheck(
        owner_id=owner_id,
        claims=tuple(claims),
        conflicts=tuple(conflicts),
        questions=tuple(_with_asked(_touched(request, claims, rows, known), conflicts)),
        rules=(*rules, *rules_by_relation(warnings, told=rules)),
    )


def _is_close(whitelist: Whitelist, claim: Claim, stored: StoredValue) -> bool:
    """Whether two values differ by no more than the field allows."""
    field = whitelist.get((claim.form_type, claim.field))
    try:
        return field is not None and within_tolerance(stored.value_norm, claim.norm, field=field)
    except ValueError:  # one of them was kept as text
        return False


def _touched(
    request: StateCheckRequest, claims: Sequence[Claim], rows: StateRows, known: Known
) -> list[OpenQuestion]:
    """The open questions about what is claimed, or about fields, subjects and values that are spoken of."""
    spoken = folded(f"{request.text}\n{request.action}")
    named = fields_named(spoken, known.fields)
    return touched_questions(
        rows,
        [claim for claim in claims if claim.slot_id is None],
        spoken=spoken,
        named_fields=frozenset((field.form_type, field.name) for field in known.fields if field.id in named),
    )


def _warnings(paths: Sequence[Path], rows: StateRows, asked: Asked) -> list[Candidate]:
    return relation_candidates(
        paths, forms=rows.holding, question=asked.question, known=asked.known, wanted=False
    )


def _asked(request: StateCheckRequest, known: Known, moment: Moment) -> Asked:
    """The action as a question, for the leg that follows relations."""
    action = request.action
    question = ask(text=action, entities=(), fields=(), now=moment.clock, zone=known.zone)
    return Asked(known=known, request=RecallRequest(query=action), question=question, moment=moment)


def _check(request: StateCheckRequest) -> None:
    for name, text, longest in (
        ("text", request.text, MOST_TEXT),
        ("action", request.action, MOST_ACTION),
        ("session", request.session_ref, 200),
    ):
        if fault := find_text_fault(text, field=name, max_length=longest):
            raise InvalidInput(fault.code.replace("_", " "), field=fault.field or name, code=fault.code)
    if len(request.claims) > MOST_CLAIMS:
        raise InvalidInput(f"at most {MOST_CLAIMS} claims", field="claims", code="too_many")
    if not (request.text.strip() or request.action.strip() or request.claims or request.session_ref.strip()):
        raise InvalidInput(
            "give a text, claims, an action or a session", field="claims", code="nothing_to_check"
        )


def _claims(request: StateCheckRequest, known: Known, whitelist: Whitelist) -> list[Claim]:
    """All claims, each value of a place once: what was given counts before what was read, and that before the session."""
    everything = [
        *claims_given(request.claims, known=known, whitelist=whitelist),
        *claims_in_text(request.text, speaker=request.speaker, known=known, whitelist=whitelist),
        *claims_in_session(known, whitelist=whitelist),
    ]
    once: dict[tuple[Any, ...], Claim] = {}
    for claim in everything:
        once.setdefault((*claim.place, claim.norm, claim.removes), claim)
    return list(once.values())


def _buried(
    request: StateCheckRequest, claims: Sequence[Claim], owner_id: UUID
) -> Iterator[tuple[bytes, str]]:
    """The digests of everything that may have been rejected before, with the words that name it."""
    for claim in claims:
        if not claim.removes and claim.value is not None:
            name = field_value_name(claim.form_type, claim.subject, claim.field, claim.norm)
            yield name.digest(owner_id), str(claim.value)
    for text in (request.text.strip(), request.action.strip()):
        if text:
            yield item_names(text)[0].digest(owner_id), text
    for plan in plans_named_in(request.action):
        yield field_value_name("project_config", "", "current_plan", plan).digest(owner_id), plan


def _with_asked(questions: Sequence[OpenQuestion], conflicts: Sequence[Conflict]) -> Iterator[OpenQuestion]:
    """The questions that are open, with those that the conflicts point at, newest first and each once."""
    found = {question.id: question for question in questions}
    found |= {each.asked.id: each.asked for each in conflicts if each.asked is not None}
    yield from sorted(found.values(), key=lambda question: (question.created_at, question.id), reverse=True)
