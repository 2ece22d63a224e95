"""What a candidate points at in the memory: an earlier value of its field, the value it ends, the plan that is current.

Asked in the owner's turn, before admission; nothing is written here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from django.db.models import Max, QuerySet

from memoryhub.language.values import normalise_value
from memoryhub.models import FieldVersion, Form, MemoryItem
from memoryhub.writing.acts import Act
from memoryhub.writing.candidates import Candidate, FormCandidate, ItemCandidate, Verdict
from memoryhub.writing.rules.decisions import chosen_text, refusal_text
from memoryhub.writing.rules.vocabulary import field_of
from memoryhub.writing.standing_budgets import placed_budget
from memoryhub.writing.standing_plans import placed_plan, plan_of_topic
from memoryhub.writing.whitelist import FieldSpec, Whitelist

Status = FieldVersion.Status
PLAN = ("project_config", "current_plan")
OPTIONS = frozenset(
    {PLAN} | {("project_config", field) for field in ("programming_language", "framework", "database")}
)


class NothingMeant(Exception):
    """There is nothing in the memory that the candidate could mean; `code` says what was looked for."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def with_what_is_meant(candidate: Candidate, *, whitelist: Whitelist, act: Act) -> Candidate:
    """The candidate with what it points at filled in. Raises NothingMeant: earlier_value_meant, which_option."""
    if isinstance(candidate, ItemCandidate):
        return (
            _refusal_of_current(candidate, whitelist, act)
            if "current_option" in candidate.flags
            else candidate
        )
    if candidate.operation == "set" and act.name in ("process_event", "dry_run"):
        candidate = placed_budget(candidate, act)
    field = whitelist.get((candidate.form_type, candidate.field))
    if field is not None and candidate.operation == "restore":
        return _restored(candidate, field, act)
    if field is not None and _is_said_plan(candidate, act):
        placed = placed_plan(candidate, field, act)
        if placed is None:
            raise NothingMeant("which_option")
        return placed
    # An agent that removes a value names it exactly; only words need to be understood.
    if (
        field is not None
        and candidate.operation == "remove"
        and candidate.quote
        and act.name == "process_event"
    ):
        return _ended(candidate, field, act)
    return candidate


def _is_said_plan(candidate: FormCandidate, act: Act) -> bool:
    """A plan that was chosen in words; an agent that writes one names its form exactly."""
    is_plan = (candidate.form_type, candidate.field) == PLAN and candidate.operation == "set"
    return is_plan and act.name in ("process_event", "dry_run")


def what_follows(
    candidate: Candidate, verdict: Verdict, *, whitelist: Whitelist, act: Act
) -> Iterator[Candidate]:
    """Yield what else changes with a choice: a new choice ends the refusal of a plan, a refusal that it is the current one."""
    if verdict.outcome not in ("stored", "superseded", "reinforced"):
        return
    if isinstance(candidate, FormCandidate):
        plan = str(candidate.value)
        chosen = (candidate.form_type, candidate.field) in OPTIONS and candidate.operation == "set"
        if chosen and _standing_refusal(plan, act=act):
            yield _chosen_after_all(candidate, plan)
    elif "refused_option" in candidate.flags:
        yield from _ended_by_refusal(candidate, whitelist, act)


def _ended_by_refusal(candidate: ItemCandidate, whitelist: Whitelist, act: Act) -> Iterator[FormCandidate]:
    """The choice that a refusal ends: the value that was refused, or whatever the plan of that topic is."""
    form_type, field = _field_of_option(candidate.attribute)
    spec, value, subject = whitelist.get((form_type, field)), candidate.attribute, ""
    if spec is None:
        return
    if not _is_current(candidate.attribute, whitelist, act):
        meant = plan_of_topic(candidate.attribute, spec, act)
        if meant is None:
            return
        value, subject = str(meant.value), meant.form.subject
    yield FormCandidate(
        form_type=form_type,
        field=field,
        value=value,
        subject=subject,
        operation="remove",
        quote=candidate.quote,
        quote_start=candidate.quote_start,
        confidence=candidate.confidence,
        importance=candidate.importance,
        explicit_correction=True,
    )


def _chosen_after_all(candidate: FormCandidate, plan: str) -> ItemCandidate:
    return ItemCandidate(
        item_kind="semantic",
        content=chosen_text(plan, candidate.quote),
        entities=(plan,),
        subject_entity="project",
        attribute=plan,
        value="chosen",
        quote=candidate.quote,
        quote_start=candidate.quote_start,
        confidence=candidate.confidence,
        importance=candidate.importance,
        basis=candidate.basis,
        explicit_correction=True,
    )


def _standing_refusal(plan: str, *, act: Act) -> bool:
    """Whether the owner refused this plan and that still holds."""
    return (
        MemoryItem.objects.of(act.owner.id)
        .filter(
            subject_entity="project",
            attribute=normalise_value(plan, "text"),
            value_key="refused",
            status=MemoryItem.Status.ACTIVE,
        )
        .exists()
    )


def _field_of_option(option: str) -> tuple[str, str]:
    """The field a choice of this option would stand in: a technology's own one, else the plan."""
    return PLAN[0], field_of(option) or PLAN[1]


def _is_current(plan: str, whitelist: Whitelist, act: Act) -> bool:
    field = whitelist.get(_field_of_option(plan))
    if field is None:
        return False
    return (
        _versions(field, act).filter(status=Status.ACTIVE, value_norm=normalise_value(plan, "text")).exists()
    )


def _versions(field: FieldSpec, act: Act) -> QuerySet[FieldVersion]:
    return FieldVersion.objects.of(act.owner.id).filter(field_id=field.id)


def _restored(candidate: FormCandidate, field: FieldSpec, act: Act) -> FormCandidate:
    """还是用原来的地址: the value before the standing one, or the first one when 'the original' is meant.

    When the field never had another one, the standing value is confirmed.
    """
    form = _form_meant(candidate, field, act)
    if form is None:
        raise NothingMeant("earlier_value_meant")
    told = list(
        _versions(field, act).filter(form_id=form.id).exclude(status=Status.RETRACTED).order_by("version")
    )
    standing = next((version for version in told if version.status == Status.ACTIVE), None)
    others = [version for version in told if standing is None or version.value_norm != standing.value_norm]
    if not others and standing is None:
        raise NothingMeant("earlier_value_meant")
    is_first = "earlier_value:first" in candidate.flags
    meant = (others[0] if is_first else others[-1]) if others else standing
    assert meant is not None
    return replace(candidate, operation="set", value=meant.value, subject=form.subject)


def _form_meant(candidate: FormCandidate, field: FieldSpec, act: Act) -> Form | None:
    """The form of the subject that is named, else the one whose value changed last."""
    versions = _versions(field, act)
    if candidate.subject:
        versions = versions.filter(form__subject=candidate.subject)
    last = (
        versions.values("form_id")
        .annotate(at=Max("known_from"), newest=Max("version"))
        .order_by("-at", "-newest")
    )
    row = last.first()
    return Form.objects.of(act.owner.id).get(id=row["form_id"]) if row else None


def _ended(candidate: FormCandidate, field: FieldSpec, act: Act) -> FormCandidate:
    """'no longer live in Denver' ends 'Denver, Colorado': the standing value that holds what was said, or is held by it."""
    active = _versions(field, act).filter(status=Status.ACTIVE).select_related("form")
    if candidate.subject:
        active = active.filter(form__subject=candidate.subject)
    standing = list(active.order_by("-known_from", "-version"))
    if candidate.value is None:
        only = standing[0] if len(standing) == 1 else None
        return replace(candidate, value=only.value, subject=only.form.subject) if only else candidate
    told = normalise_value(candidate.value, field.value_type)
    exact = next((version for version in standing if version.value_norm == told), None)
    like = [
        v for v in standing if field.value_type == "text" and (told in v.value_norm or v.value_norm in told)
    ]
    meant = exact or (like[0] if len(like) == 1 else None)
    return replace(candidate, value=meant.value, subject=meant.form.subject) if meant else candidate


def _refusal_of_current(candidate: ItemCandidate, whitelist: Whitelist, act: Act) -> ItemCandidate:
    """不要这个方案 with no plan named before it in the session: the current one is meant."""
    field = whitelist.get(PLAN)
    standing = _versions(field, act).filter(status=Status.ACTIVE).first() if field else None
    if standing is None:
        raise NothingMeant("which_option")
    plan = str(standing.value)
    flags = tuple(flag for flag in candidate.flags if flag != "current_option")
    return replace(
        candidate, content=refusal_text(plan, candidate.quote), attribute=plan, entities=(plan,), flags=flags
    )
