"""Forms of the whitelist pages. They read types; the rules are the service's, and what it refuses is shown at its field."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from memoryhub.exceptions import InvalidInput
from memoryhub.models import Agent, FieldDefinition
from memoryhub.whitelisting.definitions import (
    LONGEST_LABEL,
    LONGEST_NAME,
    LONGEST_REASON,
    LONGEST_WORD,
    SENSITIVITIES,
    Values,
    values_of,
)
from reviews.forms import StorableText
from reviews.labels import choices
from reviews.values import label_of
from reviews.whitelist_words import COLUMNS, HINTS, problem_of

ROLES = ("user", "assistant", "tool", "system")


class LinesField(StorableText):
    """A list of words, one on each line; blank lines are none."""

    widget = forms.Textarea

    def to_python(self, value: Any) -> Any:
        return [line.strip() for line in super().to_python(value).splitlines() if line.strip()]

    def prepare_value(self, value: Any) -> Any:
        return "\n".join(value) if isinstance(value, list) else value

    def validate(self, value: Any) -> None:
        return None

    def run_validators(self, value: Any) -> None:
        return None


class EditForm(forms.Form):
    """What every edit brings: why, and the version that was looked at."""

    use_required_attribute = False

    version = forms.IntegerField(widget=forms.HiddenInput, min_value=0, max_value=2**31 - 1, required=False)
    reason = StorableText(max_length=LONGEST_REASON, label=_("Why"), widget=forms.TextInput)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for field in self.fields.values():
            widget = field.widget
            ticked = isinstance(widget, forms.CheckboxInput | forms.CheckboxSelectMultiple)
            css = (
                "form-check-input"
                if ticked
                else "form-select"
                if isinstance(widget, forms.Select)
                else "form-control"
            )
            widget.attrs.setdefault("class", css)

    def refuse(self, error: InvalidInput) -> None:
        """Show what the service refused, at its field."""
        self.add_error(error.field if error.field in self.fields else None, problem_of(error))


class FormTypeForm(EditForm):
    label_en = StorableText(max_length=LONGEST_LABEL, label=_("Label in English"))
    label_zh = StorableText(max_length=LONGEST_LABEL, label=_("Label in Chinese"))
    field_order = ["name", "label_en", "label_zh"]

    @property
    def values(self) -> Values:
        return {name: self.cleaned_data[name] for name in ("label_en", "label_zh")}


def _name_field() -> forms.CharField:
    return StorableText(
        max_length=LONGEST_NAME,
        label=_("Name for agents"),
        help_text=_("Lower-case letters, digits and underscores; it never changes."),
    )


class NewFormTypeForm(FormTypeForm):
    name = _name_field()


class FieldForm(EditForm):
    """Every editable column of a field."""

    label_en = StorableText(max_length=LONGEST_LABEL)
    label_zh = StorableText(max_length=LONGEST_LABEL)
    value_type = forms.ChoiceField(choices=lambda: choices("value_type"))
    choices = LinesField(required=False, widget=forms.Textarea({"rows": 3}))
    minimum = forms.FloatField(required=False)
    maximum = forms.FloatField(required=False)
    max_length = forms.IntegerField()
    multi_valued = forms.BooleanField(required=False)
    aliases = LinesField(required=False, widget=forms.Textarea({"rows": 5}))
    share_aliases = forms.BooleanField(
        required=False,
        label=_("Let an alias name several fields"),
        help_text=_("Without it an alias that names another field already is refused."),
    )
    review_mode = forms.ChoiceField(choices=lambda: choices("review_mode"))
    conflict_policy = forms.ChoiceField(choices=lambda: choices("conflict_policy"))
    tolerance = forms.FloatField(required=False)
    default_importance = forms.FloatField(min_value=0, max_value=1)
    sensitivity = forms.ChoiceField(
        choices=lambda: [(c, w) for c, w in choices("sensitivity") if c in SENSITIVITIES]
    )
    lifetime_days = forms.IntegerField(required=False)
    decay_rate = forms.FloatField(min_value=0, max_value=1)
    key_attribute = forms.BooleanField(required=False)
    safety = forms.BooleanField(required=False)
    active = forms.BooleanField(required=False)
    least_trust_tier = forms.TypedChoiceField(coerce=int, choices=[(tier, str(tier)) for tier in range(1, 5)])
    writer_roles = forms.MultipleChoiceField(required=False, widget=forms.CheckboxSelectMultiple)
    writer_agents = forms.MultipleChoiceField(required=False, widget=forms.SelectMultiple({"size": 4}))
    field_order = ["name", "label_en", "label_zh"]

    GROUPS = (
        (_("What it holds"), ("name", "label_en", "label_zh", "value_type", "choices", "minimum", "maximum",
                              "max_length", "multi_valued", "aliases", "share_aliases")),
        (_("How it is decided"), ("review_mode", "conflict_policy", "tolerance", "default_importance")),
        (_("How long it lasts"), ("lifetime_days", "decay_rate", "key_attribute", "safety", "sensitivity", "active")),
        (_("Who may write it"), ("least_trust_tier", "writer_roles", "writer_agents")),
    )  # fmt: skip

    def __init__(
        self, data: QueryDict | None, *, agents: Sequence[Agent], initial: Values | None = None
    ) -> None:
        super().__init__(data, initial=initial)
        known = dict(choices("role"))
        self.fields["writer_roles"].choices = [(role, known[role]) for role in ROLES]  # type: ignore[attr-defined]
        self.fields["writer_agents"].choices = [(str(row.id), row.name) for row in agents]  # type: ignore[attr-defined]
        for name, field in self.fields.items():
            field.label = field.label or str(COLUMNS.get(name, ""))
            field.help_text = field.help_text or str(HINTS.get(name, ""))

    @property
    def values(self) -> Values:
        """The definition as the service takes it."""
        return {column: self.cleaned_data[column] for column in values_of(FieldDefinition())}

    @property
    def groups(self) -> list[tuple[Any, list[forms.BoundField]]]:
        """The fields under their headings."""
        return [
            (title, [self[name] for name in names if name in self.fields]) for title, names in self.GROUPS
        ]


class NewFieldForm(FieldForm):
    name = _name_field()


class RestoreForm(EditForm):
    """Which version is to come back."""

    to = forms.IntegerField(widget=forms.HiddenInput, min_value=1, max_value=2**31 - 1)
    share_aliases = forms.BooleanField(required=False)


class AliasForm(forms.Form):
    """One term and the field it is to name."""

    term = StorableText(max_length=LONGEST_WORD, widget=forms.HiddenInput)
    field = forms.UUIDField()
    asked = forms.IntegerField(required=False, min_value=0, max_value=2**31 - 1, widget=forms.HiddenInput)


def field_options(fields: Sequence[FieldDefinition]) -> list[tuple[str, str]]:
    """Fields to choose from: id and 'Contact · Address', by that name."""
    found = [(str(row.id), f"{label_of(row.form_type)} · {label_of(row)}") for row in fields]
    return sorted(found, key=lambda pair: pair[1])
