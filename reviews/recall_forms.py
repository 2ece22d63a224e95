"""Filters and questions of the recall pages. Query strings are read leniently, as everywhere at the desk."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta
from typing import Any
from uuid import UUID

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from memoryhub.diagnosing.answers import Expected
from reviews.forms import FilterForm, StorableText
from reviews.labels import choices

MOST_DAYS = 90


def _agents(agents: Mapping[UUID | None, str]) -> list[tuple[str, Any]]:
    return [("", _("all")), *((str(agent_id), name) for agent_id, name in agents.items())]


class RecallLogFilter(FilterForm):
    q = StorableText(
        max_length=200,
        label=_("Question"),
        widget=forms.TextInput({"placeholder": _("words in the question")}),
    )
    owner = StorableText(max_length=200, label=_("Owner"))
    agent = forms.ChoiceField(label=_("Agent"))
    session = StorableText(max_length=200, label=_("Session"))
    answered = forms.ChoiceField(label=_("Answer"))
    until = forms.DateField(
        label=_("Up to the day"), widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    )

    def __init__(self, data: QueryDict, agents: Mapping[UUID | None, str]) -> None:
        super().__init__(data)
        self.fields["agent"].choices = _agents(agents)  # type: ignore[attr-defined]
        self.fields["answered"].choices = [("", _("any")), *choices("answered")]  # type: ignore[attr-defined]


class RecallStatsFilter(FilterForm):
    agent = forms.ChoiceField(label=_("Agent"))
    since = forms.DateField(
        label=_("From the day"), widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    )
    until = forms.DateField(
        label=_("Up to the day"), widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    )

    def __init__(self, data: QueryDict, agents: Mapping[UUID | None, str]) -> None:
        super().__init__(data)
        self.fields["agent"].choices = _agents(agents)  # type: ignore[attr-defined]

    def days(self, today: date, *, usual: int) -> tuple[date, date]:
        """First and last day, at most 90 apart; what is left out: the last `usual` days."""
        last = min(self.chosen["until"] or today, today)
        first = min(self.chosen["since"] or last - timedelta(days=usual - 1), last)
        return max(first, last - timedelta(days=MOST_DAYS - 1)), last


class DebuggerForm(FilterForm):
    owner = StorableText(max_length=200, label=_("Owner"))
    q = StorableText(
        max_length=2000,
        label=_("Question"),
        widget=forms.TextInput({"placeholder": _("what an agent would ask")}),
    )


class DiagnoseForm(FilterForm):
    recall = forms.UUIDField(label=_("Recall"), widget=forms.HiddenInput)
    q = StorableText(
        max_length=2000,
        label=_("Question"),
        widget=forms.TextInput({"placeholder": _("what an agent would ask")}),
    )
    session = StorableText(max_length=200, label=_("In the session"))
    expected = StorableText(
        max_length=2000,
        label=_("It should have known"),
        widget=forms.TextInput(
            {"placeholder": _("in words, or the id of a memory, or a field: contact.address")}
        ),
    )
    unwanted = StorableText(
        max_length=100,
        label=_("Or: it should not have told"),
        widget=forms.TextInput({"placeholder": _("the id of a memory")}),
    )

    @property
    def wanted(self) -> Expected | None:
        """The words, id or field that was typed; None when nothing was."""
        text: str = self.chosen["expected"].strip()
        if not text:
            return None
        if target := id_of(text):
            return Expected(target_id=target)
        form_type, dot, field = text.partition(".")
        if dot and form_type.isidentifier() and field.isidentifier():
            return Expected(form_type=form_type, field=field)
        return Expected(text=text)


def id_of(text: str) -> UUID | None:
    """The id that somebody typed, None for anything else."""
    try:
        return UUID(text.strip())
    except ValueError:
        return None
