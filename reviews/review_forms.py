"""Forms of the review pages. The filter is read leniently; what a person writes with a decision is checked by the services."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from reviews.forms import FilterForm, StorableText
from reviews.labels import choices
from reviews.queries.review_queue import TABS, QueueFilter


class ReviewFilter(FilterForm):
    """The filter of the queue; agents, form types and fields are those of the workspace."""

    agent = forms.ChoiceField(label=_("Agent"))
    form_type = forms.ChoiceField(label=_("Form"))
    field = forms.ChoiceField(label=_("Field"))
    kind = forms.ChoiceField(label=_("Kind"))
    risk = forms.ChoiceField(label=_("Risk"))
    age = forms.ChoiceField(label=_("Waiting longer than"))

    def __init__(self, data: QueryDict, *, offered: Mapping[str, Sequence[tuple[str, str]]]) -> None:
        super().__init__(data)
        vocabularies = {"kind": "review_kind", "risk": "risk_band", "age": "review_age"}
        for name, field in self.fields.items():
            words = (
                offered.get(name) or choices(vocabularies[name]) if name in vocabularies else offered[name]
            )
            field.choices = [("", _("all")), *words]  # type: ignore[attr-defined]

    def queue_filter(self) -> QueueFilter:
        return QueueFilter(tab=tab_of(self.data), **self.chosen)


class CountedForm(FilterForm):
    """Which of the reviews that the statistics count; agents are those of the workspace."""

    fate = forms.ChoiceField(label=_("What became of it"))
    outcome = forms.ChoiceField(label=_("How it ended"))
    reason = forms.ChoiceField(label=_("Reason"))
    agent = forms.ChoiceField(label=_("Agent"))
    opened = forms.DateField(label=_("Opened on"), widget=forms.DateInput({"type": "date"}, "%Y-%m-%d"))
    decided = forms.DateField(label=_("Decided on"), widget=forms.DateInput({"type": "date"}, "%Y-%m-%d"))

    def __init__(self, data: QueryDict, *, agents: Sequence[tuple[str, str]]) -> None:
        super().__init__(data)
        for name, words in (
            ("fate", choices("counted")),
            ("outcome", choices("review_outcome")),
            ("reason", choices("reject_reason")),
            ("agent", agents),
        ):
            self.fields[name].choices = [("", _("all")), *words]  # type: ignore[attr-defined]


def tab_of(data: Mapping[str, Any]) -> str:
    """The tab of a query string; what is not one means the first that holds free work."""
    tab: str = data.get("tab", "")
    return tab if tab in TABS else "unclaimed"


class SaveViewForm(forms.Form):
    name = StorableText(max_length=80, label=_("Name"))
    params = StorableText(max_length=1000, widget=forms.HiddenInput)
    is_shared = forms.BooleanField(required=False, label=_("for everybody in the workspace"))
    is_default = forms.BooleanField(required=False, label=_("open with it"))


class DecisionForm(forms.Form):
    """What every decision may bring. All of it is optional here; each service names what it misses."""

    version = forms.IntegerField(required=False, min_value=0, max_value=2**31 - 1)
    token = forms.CharField(required=False, max_length=200)
    note = StorableText(required=False, max_length=1000)
    reason = forms.CharField(required=False, max_length=40)
    edited = StorableText(required=False, max_length=16_000, strip=False)
    until = forms.CharField(required=False, max_length=40)
    until_at = forms.CharField(required=False, max_length=40)
    into = forms.UUIDField(required=False)
