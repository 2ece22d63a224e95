"""`/system/`: background work, the model provider, and the one thing to do about it: queue a parked job again."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_GET, require_POST

from reviews.access import StaffRequest, may, staff_page
from reviews.forms import JobFilter
from reviews.pages import render_page
from reviews.paging import read_cursor
from reviews.queries.jobs import job_health, list_jobs, list_workers
from reviews.queries.providers import provider_report
from reviews.requeueing import requeue_parked_job


@require_GET
@staff_page()
def system(request: StaffRequest) -> HttpResponse:
    form = JobFilter(request.GET)
    cursor = read_cursor(request.GET.get("cursor", ""), parts=2)
    context = {
        "form": form,
        "page": list_jobs(workspace=request.workspace, state=form.chosen["state"], cursor=cursor),
        "health": job_health(workspace=request.workspace, now=timezone.now()),
        "workers": list_workers(),
        "provider": provider_report(workspace=request.workspace, today=timezone.now().date()),
        "may_requeue": may(request.roles, "operator"),
    }
    return render_page(request, "reviews/system.html", context)


@require_POST
@staff_page("operator")
def requeue(request: StaffRequest, job_id: UUID) -> HttpResponseBase:
    if requeue_parked_job(workspace=request.workspace, job_id=job_id):
        messages.success(request, _("The job was queued again."))
    else:
        messages.warning(request, _("The job is not parked any more; nothing was done."))
    return redirect("reviews:system")
