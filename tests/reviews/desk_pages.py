"""Every page of the desk by name, for the walks that open them all."""

from __future__ import annotations

from django.urls import reverse

from memoryhub.models import Document, Entity, Event, FieldVersion, Owner, Recall, Review


def all_pages(owner: Owner) -> dict[str, str]:
    """Address by name; of the owner's pages, those of his newest field version's form and its event."""
    version = FieldVersion.objects.of(owner.id).select_related("field").order_by("-version", "-id")[0]
    event = Event.objects.of(owner.id).order_by("-occurred_at", "-id")[0]
    return {
        "home": reverse("reviews:home"),
        "owners": reverse("reviews:owners"),
        "owners-none": reverse("reviews:owners") + "?q=nobody",
        "facts": reverse("reviews:owner", args=[owner.id]),
        "items": reverse("reviews:items", args=[owner.id]),
        "timeline": reverse("reviews:timeline", args=[owner.id]),
        "sessions": reverse("reviews:sessions", args=[owner.id]),
        "session": reverse("reviews:sessions", args=[owner.id]) + "?session=chat-1",
        "links": reverse("reviews:links", args=[owner.id]),
        "promote": reverse("reviews:promote", args=[owner.id, version.id]),
        "entities": reverse("reviews:entities", args=[owner.id]),
        "vocabulary": reverse("reviews:vocabulary"),
        "kind-new": reverse("reviews:kind_new", args=["relations"]),
        "kind-edit": reverse("reviews:kind_edit", args=["relations", "prefers"]),
        "recall": reverse("reviews:recall", args=[owner.id]),
        "recall-answer": reverse("reviews:recall", args=[owner.id]) + "?q=tea",
        "versions": reverse("reviews:versions", args=[owner.id, version.form_id, version.field.name]),
        "event": reverse("reviews:event", args=[owner.id, event.id]),
        "procedure-new": reverse("reviews:procedure_new", args=[owner.id]),
        "review": reverse("reviews:review_queue") + "?tab=all",
        "review-none": reverse("reviews:review_queue") + "?tab=all&kind=recheck",
        "review-stats": reverse("reviews:review_stats"),
        "review-counted": reverse("reviews:review_counted"),
        "review-counted-reason": reverse("reviews:review_counted") + "?reason=duplicate",
        "system": reverse("reviews:system"),
        "try-extraction": reverse("reviews:try_extraction"),
        "keyboard": reverse("reviews:keyboard"),
    } | _more_pages(owner)


def _more_pages(owner: Owner) -> dict[str, str]:
    thing = Entity.objects.of(owner.id).exclude(is_owner=True).order_by("created_at", "id").first()
    pages = {"entity": reverse("reviews:entity", args=[owner.id, thing.id])} if thing else {}
    return pages | _review_pages(owner) | _library_pages(owner) | _recall_pages(owner)


def _review_pages(owner: Owner) -> dict[str, str]:
    """The page of each of the owner's reviews, and the one before many decisions; none for an owner without reviews."""
    reviews = list(Review.objects.of(owner.id).order_by("created_at", "id")[:3])
    pages = {
        f"review-item-{number}": reverse("reviews:review_item", args=[owner.id, review.id])
        for number, review in enumerate(reviews, start=1)
    }
    if reviews:
        pages["review-explain"] = reverse("reviews:review_explain", args=[owner.id, reviews[0].id])
        item = f"{owner.id}:{reviews[0].id}"
        pages["review-bulk"] = reverse("reviews:review_bulk") + f"?action=reject&item={item}"
    return pages


def _recall_pages(owner: Owner) -> dict[str, str]:
    """The log and its statistics, the debugger, a diagnosis, and the owner's newest logged recall, if he has one."""
    diagnose = reverse("reviews:diagnose", args=[owner.id])
    pages = {
        "recalls": reverse("reviews:recalls"),
        "recall-stats": reverse("reviews:recall_stats"),
        "recall-debugger": reverse("reviews:recall_debugger"),
        "diagnose": diagnose,
        "diagnose-answer": f"{diagnose}?q=tea&expected=tea",
    }
    row = Recall.objects.of(owner.id).order_by("-created_at", "-id").first()
    if row is not None:
        pages["recall-entry"] = reverse("reviews:recall_entry", args=[owner.id, row.id])
    return pages


def _library_pages(owner: Owner) -> dict[str, str]:
    """The pages of the library, and those of the newest documents of the workspace, if it has any."""
    documents = Document.objects.filter(workspace_id=owner.workspace_id).order_by("-created_at", "-id")[:2]
    return {
        "documents": reverse("reviews:documents"),
        "documents-none": reverse("reviews:documents") + "?q=nothing",
        "documents-stale": reverse("reviews:documents_stale"),
        "document-new": reverse("reviews:document_new"),
    } | {
        f"document-{number}": reverse("reviews:document", args=[document.owner_id, document.id])
        for number, document in enumerate(documents, start=1)
    }
