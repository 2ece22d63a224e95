"""The order a session is about: what its last turns named, so that a parcel spoken of alone is that order's."""

from __future__ import annotations

from dataclasses import replace

from django.db.models import Max

from memoryhub.models import Event, Session, SessionSlot
from memoryhub.sessions.contexts import kind_of, name_of, named_in
from memoryhub.writing.acts import Act
from memoryhub.writing.candidates import RelationCandidate
from memoryhub.writing.rules.relations import OPEN_ORDER

TURNS_LOOKED_BACK = 6


def with_open_order(candidate: RelationCandidate, *, act: Act) -> RelationCandidate | None:
    """The relation starting at the order that was spoken of last in the session; None when it is about none."""
    if OPEN_ORDER not in candidate.flags:
        return candidate
    order = _order_of(act)
    if not order:
        return None
    flags = tuple(flag for flag in candidate.flags if flag != OPEN_ORDER)
    return replace(candidate, from_name=order, flags=flags)


def _order_of(act: Act) -> str:
    if not act.session_ref:
        return ""
    slots = SessionSlot.objects.of(act.owner.id).filter(
        session__ref=act.session_ref,
        session__state=Session.State.OPEN,
        state=SessionSlot.State.ACTIVE,
        context__startswith="order:",
    )
    spoken = slots.values("context").annotate(touched=Max("touched_at")).order_by("-touched", "context")
    context = spoken.values_list("context", flat=True).first()
    return name_of(context) if context else _named_before(act)


def _named_before(act: Act) -> str:
    """The order that the session's turns before this one named last: an imported conversation holds no values any more."""
    if act.event is None:
        return ""
    turns = Event.objects.of(act.owner.id).filter(session_ref=act.session_ref, role=Event.Role.USER)
    before = turns.filter(recorded_at__lte=act.event.recorded_at).exclude(id=act.event.id)
    for text in before.order_by("-recorded_at", "-id").values_list("content", flat=True)[:TURNS_LOOKED_BACK]:
        orders = [mention.context for mention in named_in(text) if kind_of(mention.context) == "order"]
        if orders:
            return name_of(orders[-1])
    return ""
