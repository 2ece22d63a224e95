"""`/misses/`: what recalls asked for in words that name no field, and the one click that makes an alias of it."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_GET, require_POST

from memoryhub.exceptions import InvalidInput, NotFound
from memoryhub.whitelisting.editing import Editor, add_alias
from reviews.access import StaffRequest, may, staff_page
from reviews.queries.whitelist import list_misses
from reviews.values import label_of
from reviews.whitelist_forms import AliasForm, field_options
from reviews.whitelist_words import problem_of


@require_GET
@staff_page()
def missed_terms(request: StaffRequest) -> HttpResponse:
    rows, fields = list_misses(workspace=request.workspace, now=timezone.now())
    context = {"rows": rows, "options": field_options(fields), "may_edit": may(request.roles, "operator")}
    return render(request, "reviews/missed_terms.html", context)


@require_POST
@staff_page("operator")
def make_alias(request: StaffRequest) -> HttpResponseBase:
    form = AliasForm(request.POST)
    if not form.is_valid():
        messages.warning(request, _("Choose the field that the words name; nothing was done."))
        return redirect("reviews:missed_terms")
    asked, term = form.cleaned_data["asked"] or 0, form.cleaned_data["term"]
    reason = ngettext("asked for in a recall", "asked for in %(n)s recalls", asked) % {"n": asked}
    editor = Editor(workspace_id=request.workspace.id, user_id=request.user.pk, reason=reason)
    try:
        field = add_alias(editor=editor, field_id=form.cleaned_data["field"], alias=term)
    except NotFound:
        messages.warning(request, _("There is no such field in use; nothing was done."))
    except InvalidInput as error:
        messages.warning(request, problem_of(error))
    else:
        said = _("“%(term)s” names %(field)s now; the next recall finds it.")
        messages.success(request, said % {"term": term, "field": label_of(field)})
    return redirect("reviews:missed_terms")
