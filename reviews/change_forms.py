"""Filters over changes and memories."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from memoryhub.models import Agent, FieldDefinition, Workspace
from reviews.forms import FilterForm, StorableText
from reviews.labels import choices
from reviews.queries.memory_sorting import Sorting, read_sorting
from reviews.scope_query import LocalMoment
from reviews.values import label_of


class MemoryFilterForm(FilterForm):
    owner = StorableText(max_length=200, label=_("Owner"))
    text = StorableText(max_length=200, label=_("Text"))
    kind = forms.ChoiceField(label=_("Kind"))
    status = forms.ChoiceField(label=_("State"))
    importance = forms.ChoiceField(label=_("Importance at least"))
    confidence = forms.ChoiceField(label=_("Confidence at least"))
    unsaid = forms.ChoiceField(label=_("Not said for"))
    sort = StorableText(max_length=20, widget=forms.HiddenInput)

    def __init__(self, data: QueryDict) -> None:
        super().__init__(data)
        words = dict(choices("status"))
        states = [(code, word) for code, word in words.items() if code != "active"]
        shares = [(f"{share / 10}", f"{share * 10} %") for share in range(1, 10)]
        for name, found in (
            ("kind", [("", _("all sentences")), *choices("item_kind"), ("field", _("form values"))]),
            ("status", [("", words["active"]), *states, ("all", _("all"))]),
            ("importance", [("", _("any")), *shares]),
            ("confidence", [("", _("any")), *shares]),
            ("unsaid", [("", _("any")), *choices("unsaid")]),
        ):
            self.fields[name].choices = found  # type: ignore[attr-defined]

    @property
    def is_filtering(self) -> bool:
        return any(value for name, value in self.chosen.items() if name != "sort")

    @property
    def sorting(self) -> Sorting:
        """The order of the list; it is kept with the filter, and hides nothing."""
        return read_sorting(self.chosen["sort"])

    @property
    def conditions(self) -> dict[str, Any]:
        """The arguments of a MemoryFilter."""
        chosen = self.chosen
        del chosen["sort"]
        return {
            **chosen,
            "status": {"": "active", "all": ""}.get(chosen["status"], chosen["status"]),
            "importance": float(chosen["importance"] or 0),
            "confidence": float(chosen["confidence"] or 0),
            "unsaid": int(chosen["unsaid"] or 0),
        }


class ChangeFilterForm(FilterForm):
    owner = StorableText(max_length=200, label=_("Owner"))
    state = forms.ChoiceField(label=_("State"))
    action = forms.ChoiceField(label=_("What"))
    agent = forms.ChoiceField(label=_("Agent"))
    slot = forms.ChoiceField(label=_("Field"))
    session = StorableText(max_length=200, label=_("Session"))
    since = LocalMoment(label=_("From"))
    until = LocalMoment(label=_("Until"))

    def __init__(
        self, data: QueryDict, *, workspace: Workspace, definitions: Mapping[str, FieldDefinition]
    ) -> None:
        super().__init__(data)
        agents = Agent.objects.filter(workspace=workspace).order_by("name")
        types = {row.form_type.name: label_of(row.form_type) for row in definitions.values()}
        slots = [(code, f"{label_of(row.form_type)} · {label_of(row)}") for code, row in definitions.items()]
        self._choose("state", choices("change_state"))
        self._choose("action", choices("change_action"))
        self._choose("agent", [(str(agent.id), agent.name) for agent in agents])
        self._choose("slot", sorted([*types.items(), *slots], key=lambda pair: pair[1]))
        for name in ("since", "until"):
            self.fields[name].zone = workspace.time_zone  # type: ignore[attr-defined]

    def _choose(self, name: str, found: list[tuple[str, str]]) -> None:
        self.fields[name].choices = [("", _("all")), *found]  # type: ignore[attr-defined]

    @property
    def conditions(self) -> dict[str, Any]:
        """The arguments of a ChangeFilter."""
        chosen: dict[str, Any] = dict(self.chosen)
        form_type, _dot, field = chosen.pop("slot").partition(".")
        return {**chosen, "form_type": form_type, "field": field}
