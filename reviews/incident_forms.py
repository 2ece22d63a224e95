"""Forms of suspects and incidents."""

from __future__ import annotations

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from memoryhub.changes.incidents import LONGEST_CONCLUSION, LONGEST_TITLE
from memoryhub.models import Agent, Workspace
from reviews.forms import FilterForm, StorableText
from reviews.labels import choices
from reviews.scope_query import ScopeForm


class SuspectFilter(FilterForm):
    agent = forms.ChoiceField(label=_("Agent"))
    signal = forms.ChoiceField(label=_("Signal"))

    def __init__(self, data: QueryDict, *, workspace: Workspace) -> None:
        super().__init__(data)
        agents = Agent.objects.filter(workspace=workspace).order_by("name")
        self.fields["agent"].choices = [  # type: ignore[attr-defined]
            ("", _("all")),
            *((str(agent.id), agent.name) for agent in agents),
        ]
        self.fields["signal"].choices = [("", _("all")), *choices("signal")]  # type: ignore[attr-defined]


class IncidentFilter(FilterForm):
    state = forms.ChoiceField(label=_("State"))

    def __init__(self, data: QueryDict) -> None:
        super().__init__(data)
        self.fields["state"].choices = [("", _("all")), *choices("incident_state")]  # type: ignore[attr-defined]


class IncidentForm(ScopeForm):
    """A scope with a title: what an incident is about."""

    title = StorableText(max_length=LONGEST_TITLE, label=_("Title"), required=True)
    field_order = ["title"]

    @property
    def is_given(self) -> bool:
        """Whether a scope, beyond the title, was given."""
        names = [name for name in self.fields if name != "title"]
        return any(value for name in names for value in self.data.getlist(name))  # type: ignore[attr-defined]


class ConclusionForm(forms.Form):
    conclusion = StorableText(
        max_length=LONGEST_CONCLUSION,
        label=_("Conclusion"),
        widget=forms.Textarea({"rows": 3, "class": "form-control"}),
    )
