"""The check before a turn: claims are read by the rules that read writes, and compared with what recall would serve.

Nothing is stored. Three statements about the owner and one about the workspace's fields, whatever there is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal
from uuid import UUID

from memoryhub.changes.tombstones import field_value_name, item_names
from memoryhub.checking.claims import GivenClaim, claims_given, claims_in_session, claims_in_text
from memoryhub.database.prepared import prepared_cursor
from memoryhub.database.scope import scope
from memoryhub.exceptions import InvalidInput
from memoryhub.language.text import find_text_fault
from memoryhub.recall.asking import fields_named
from memoryhub.recall.binding import BindingRule, folded, rules_on
from memoryhub.recall.knowing import Known, look_up
from memoryhub.recall.looking import moment_of
from memoryhub.recall.state_check import Claim, Conflict, find_conflicts, touched_questions
from memoryhub.recall.state_rows import OpenQuestion, StoredValue, load_state
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
    with (
        scope(workspace_id=workspace_id, owners=known.owner_ids, purpose="recall"),
        prepared_cursor() as cursor,
    ):
        rows = load_state(
            cursor, known=known, moment=moment, digests=list(buried), slots=[slot.id for slot in known.slots]
        )

    def is_close(claim: Claim, stored: StoredValue) -> bool:
        field = whitelist.get((claim.form_type, claim.field))
        try:
            return field is not None and within_tolerance(stored.value_norm, claim.norm, field=field)
        except ValueError:
            return False

    conflicts = find_conflicts(
        claims, rows, owner_id=owner_id, language=known.language, zone=known.zone_info, is_close=is_close
    )
    spoken = folded(f"{request.text}\n{request.action}")
    named = fields_named(spoken, known.fields)
    questions = touched_questions(
        rows,
        [claim for claim in claims if claim.slot_id is None],
        spoken=spoken,
        named_fields=frozenset((field.form_type, field.name) for field in known.fields if field.id in named),
    )
    rules = rules_on(request.action, claims, rows, owner_id=owner_id, language=known.language, buried=buried)
    return StateCheck(
        owner_id=owner_id,
        claims=tuple(claims),
        conflicts=tuple(conflicts),
        questions=tuple(_with_asked(questions, conflicts)),
        rules=tuple(rules),
    )


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
