"""`/review/bulk/`: look at what many decisions would be, then take each through the same service as a single one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.core.exceptions import BadRequest
from django.http import HttpResponse, QueryDict
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_GET, require_POST

from memoryhub.changes.deciding import Decider
from memoryhub.changes.rollback_scope import RollbackScope
from memoryhub.exceptions import MemoryhubError
from memoryhub.models import RejectReason, Review
from reviews.access import StaffRequest, staff_page
from reviews.labels import WORDS
from reviews.queries.facts import field_definitions
from reviews.queries.review_bulk import CAP, Selection, find_reviews, select_matching, select_ticked
from reviews.queries.review_queue import choices_of_queue
from reviews.review_decisions import Given, decide
from reviews.review_forms import ReviewFilter
from reviews.roll_back import RollBackButton, roll_back_button
from reviews.undo_offers import BatchOffer, offer_batch
from reviews.views.review_queue import query_of

ACTIONS = ("approve", "reject")


@dataclass(frozen=True, kw_only=True, slots=True)
class Item:
    """One review of the form: whose it is, and what was shown of it."""

    owner_id: UUID
    review_id: UUID
    version: int = 0
    token: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Answer:
    item: Item
    code: str = ""
    """'' when it was decided, else why not."""
    can_be_undone: bool = False


@require_GET
@staff_page("reviewer")
def review_bulk(request: StaffRequest) -> HttpResponse:
    """The count, a sample of five, and for a rejection the reason. Ids and filter exclude each other."""
    action = request.GET.get("action", "")
    if action not in ACTIONS:
        raise BadRequest("action")
    query = query_of(QueryDict(request.GET.get("query", "")[:1000]))
    selection = _selection(request, query)
    context = {
        "action": action,
        "query": query,
        "selection": selection,
        "cap": CAP,
        "definitions": field_definitions(request.workspace.id),
        "reasons": [code for code in WORDS["reject_reason"] if code in RejectReason],
    }
    status = 422 if selection.is_over_cap or not selection.picked else 200
    return render(request, "reviews/review_bulk.html", context, status=status)


def _selection(request: StaffRequest, query: str) -> Selection:
    ids = [item.review_id for item in read_items(request.GET.getlist("item"))]
    if request.GET.get("which") != "all":
        return select_ticked(workspace=request.workspace, ids=ids)
    form = ReviewFilter(QueryDict(query), offered=choices_of_queue(request.workspace))
    return select_matching(
        workspace=request.workspace,
        chosen=form.queue_filter(),
        excluded=ids,
        user_id=request.user.pk,
        now=timezone.now(),
    )


@require_POST
@staff_page("reviewer")
def review_bulk_decide(request: StaffRequest) -> HttpResponse:
    """Decide each; what cannot be decided is listed apart with its reason, and the others stand."""
    items = read_items(request.POST.getlist("item"))
    if len(items) > CAP or request.POST.get("action") not in ACTIONS:
        raise BadRequest("items")
    found = find_reviews(workspace=request.workspace, ids=[item.review_id for item in items])
    now = timezone.now()
    answers = [_decide(request, item, found.get(item.review_id), now=now) for item in items]
    done = [answer for answer in answers if not answer.code]
    failed = [answer for answer in answers if answer.code]
    query = query_of(QueryDict(request.POST.get("query", "")[:1000]))
    context = {
        "action": request.POST["action"],
        "undo_many": _offer(request, done, query=query, now=now),
        "button": _roll_back(request, [found[answer.item.review_id] for answer in done]),
        "done": done,
        "failed": failed,
        "query": query,
    }
    return render(
        request, "reviews/review_bulk_answer.html", context, status=200 if done or not failed else 422
    )


def _offer(request: StaffRequest, done: Sequence[Answer], *, query: str, now: datetime) -> BatchOffer | None:
    """One undo for everything that was rejected; what was approved together is rolled back instead."""
    if request.POST["action"] != "reject":
        return None
    items = [(answer.item.owner_id, answer.item.review_id) for answer in done if answer.can_be_undone]
    return offer_batch(request, items, query=query, now=now)


def _roll_back(request: StaffRequest, decided: Sequence[Review]) -> RollBackButton | None:
    """The way back for what was approved together; a rejection or a reaffirmed value has nothing to roll back."""
    proposals = [review for review in decided if review.kind == Review.Kind.PROPOSAL]
    if request.POST["action"] != "approve" or not proposals:
        return None
    wrote = RollbackScope(
        change_ids=tuple(review.change_id for review in proposals),
        owner_ids=tuple({review.owner_id for review in proposals}),
    )
    return roll_back_button(request, wrote)


def _decide(request: StaffRequest, item: Item, review: Review | None, *, now: datetime) -> Answer:
    if review is None:
        return Answer(item=item, code="not_found")
    if review.is_top_class:
        return Answer(item=item, code="top_class")
    decider = Decider(
        workspace_id=request.workspace.id,
        owner_id=item.owner_id,
        review_id=item.review_id,
        user_id=request.user.pk,
        version=item.version,
        token=item.token,
        note=request.POST.get("note", "").replace("\0", "")[:1000],
    )
    try:
        done = decide(
            action=request.POST["action"],
            review=review,
            decider=decider,
            given=Given(reason=request.POST.get("reason", "")),
            now=now,
        )
    except MemoryhubError as error:
        return Answer(item=item, code=error.code)
    return Answer(item=item, can_be_undone=done.can_be_undone)


def read_items(texts: Sequence[str]) -> list[Item]:
    """`owner:review` or `owner:review:version:token`, each once. Raises BadRequest for anything else."""
    items: dict[UUID, Item] = {}
    for text in texts:
        owner_id, _colon, rest = text.partition(":")
        review_id, _colon, shown = rest.partition(":")
        version, _colon, token = shown.partition(":")
        try:
            item = Item(
                owner_id=UUID(owner_id), review_id=UUID(review_id), version=int(version or 0), token=token
            )
        except ValueError as error:
            raise BadRequest("item") from error
        items[item.review_id] = item
    return list(items.values())
