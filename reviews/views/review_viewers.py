"""`…/viewers/`: who else has the review open, and whether it has moved since; 304 while neither has changed."""

from __future__ import annotations

import hashlib
from uuid import UUID

from django.http import Http404
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils import timezone
from django.utils.cache import get_conditional_response
from django.utils.http import quote_etag
from django.utils.translation import get_language
from django.views.decorators.http import require_GET

from memoryhub.models import Review
from reviews.access import StaffRequest, owner_for, staff_page
from reviews.queries.scopes import of
from reviews.viewers import look_at


@require_GET
@staff_page()
def review_viewers(request: StaffRequest, owner_id: UUID, review_id: UUID) -> HttpResponseBase:
    """Asked by the page itself with the version it shows, so asking also says that the page is still looked at."""
    owner = owner_for(request, owner_id)
    with of(owner):
        version = Review.objects.of(owner.id).filter(id=review_id).values_list("version", flat=True).first()
    if version is None:
        raise Http404
    viewers = look_at(review_id=review_id, user_id=request.user.pk, now=timezone.now())
    has_moved = request.GET.get("version") != str(version)
    tag = tag_of(viewers, has_moved=has_moved)
    unchanged = get_conditional_response(request, etag=tag)
    if unchanged is not None and unchanged.status_code == 304:
        return unchanged
    context = {"viewers": viewers, "has_moved": has_moved, "owner": owner, "review_id": review_id}
    response = render(request, "reviews/_review_viewers.html", context)
    response["ETag"] = tag
    return response


def tag_of(viewers: list[str], *, has_moved: bool) -> str:
    """What the fragment says, as an entity tag."""
    said = repr((viewers, has_moved, get_language()))
    return quote_etag(hashlib.blake2b(said.encode(), digest_size=12).hexdigest())
