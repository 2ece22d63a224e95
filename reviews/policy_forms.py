"""Forms of the policy pages: every number of a policy with its bounds, and the decision about one."""

from __future__ import annotations

from itertools import groupby
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from memoryhub.exceptions import InvalidInput
from memoryhub.policies import Policy
from memoryhub.policy_rules import DURABILITIES, bound_of, editable_names
from memoryhub.policy_versions import LONGEST_NAME, LONGEST_REASON
from reviews.forms import StorableText
from reviews.labels import choices
from reviews.policy_words import NUMBERS, UNITS
from reviews.whitelist_words import problem_of


class PolicyForm(forms.Form):
    """`standing` is the policy in force; `initial` what the form starts with."""

    use_required_attribute = False

    name = StorableText(max_length=LONGEST_NAME, label=_("Name"))
    reason = StorableText(max_length=LONGEST_REASON, label=_("Why"))

    def __init__(self, data: QueryDict | None, *, standing: Policy, initial: dict[str, Any]) -> None:
        super().__init__(data, initial=initial)
        self.standing = standing
        for name in editable_names():
            self.fields[name] = _number_field(name)
        for field in self.fields.values():
            select = isinstance(field.widget, forms.Select)
            field.widget.attrs.setdefault("class", "form-select" if select else "form-control")

    @property
    def values(self) -> dict[str, Any]:
        return {name: self.cleaned_data[name] for name in editable_names()}

    @property
    def groups(self) -> list[tuple[str, list[tuple[forms.BoundField, Any]]]]:
        """Group by group the fields, each with what is in force now."""
        named = [(_group(name), self[name], getattr(self.standing, name)) for name in editable_names()]
        return [
            (group, [(field, now) for _group_, field, now in rows])
            for group, rows in groupby(sorted(named, key=_place), key=lambda row: row[0])
        ]

    def refuse(self, error: InvalidInput) -> None:
        """Show what the service refused, at its number."""
        self.add_error(error.field if error.field in self.fields else None, problem_of(error))


ORDER = (
    "admission",
    "review",
    "recording",
    "ranking",
    "heat",
    "assembling",
    "layers",
    "sessions",
    "knowledge",
    "other",
)


def _group(name: str) -> str:
    return "assembling" if name == "recall_durability" else bound_of(name).group


def _place(row: tuple[str, Any, Any]) -> int:
    return ORDER.index(row[0])


def _number_field(name: str) -> forms.Field:
    label = str(NUMBERS.get(name, name.replace("_", " ")))
    if name == "recall_durability":
        words = [(code, word) for code, word in choices("durability") if code in DURABILITIES]
        return forms.ChoiceField(label=label, choices=words)
    bound = bound_of(name)
    unit = str(UNITS.get(bound.unit, ""))
    if bound.whole:
        return forms.IntegerField(
            label=label, help_text=unit, min_value=int(bound.least), max_value=int(bound.most)
        )
    return forms.FloatField(
        label=label,
        help_text=unit,
        min_value=bound.least,
        max_value=bound.most,
        widget=forms.NumberInput({"step": "any"}),
    )


class PolicyDecisionForm(forms.Form):
    decision = forms.ChoiceField(choices=[("approve", ""), ("reject", "")])
    reason = StorableText(
        max_length=LONGEST_REASON, label=_("Reason"), widget=forms.TextInput({"class": "form-control"})
    )
