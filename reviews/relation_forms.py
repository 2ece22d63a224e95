"""Forms of the vocabulary pages. They read types; the rules are the service's, and what it refuses is shown at its field."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from memoryhub.relating.vocabulary import ATTRIBUTES, ENTITY_COLUMNS, RELATION_COLUMNS
from memoryhub.whitelisting.definitions import LONGEST_LABEL, LONGEST_NAME
from reviews.forms import StorableText
from reviews.labels import choices
from reviews.relation_words import COLUMNS, HINTS
from reviews.whitelist_forms import EditForm, LinesField


class KindForm(EditForm):
    """What both sorts of kinds have. With `is_new` the name is asked for too."""

    columns: tuple[str, ...] = ()

    name = StorableText(
        max_length=LONGEST_NAME,
        label=_("Name for agents"),
        help_text=_("Lower-case letters, digits and underscores; it never changes."),
    )
    label_en = StorableText(max_length=LONGEST_LABEL, label=_("Label in English"))
    label_zh = StorableText(max_length=LONGEST_LABEL, label=_("Label in Chinese"))
    active = forms.BooleanField(required=False, label=_("In use"))

    def __init__(self, *args: Any, is_new: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not is_new:
            del self.fields["name"]
        for name, field in self.fields.items():
            if name in COLUMNS:
                field.label = str(COLUMNS[name])
            if name in HINTS:
                field.help_text = str(HINTS[name])

    @property
    def values(self) -> dict[str, Any]:
        return {name: self.cleaned_data[name] for name in self.columns}


class EntityKindForm(KindForm):
    columns = ENTITY_COLUMNS

    separates = forms.BooleanField(required=False)
    field_order = ["name", "label_en", "label_zh", "separates", "active"]


class RelationKindForm(KindForm):
    columns = RELATION_COLUMNS

    aliases = LinesField(required=False, label=_("Aliases"), widget=forms.Textarea({"rows": 4}))
    target = forms.ChoiceField(choices=lambda: choices("relation_target"))
    family = StorableText(max_length=LONGEST_NAME, required=False)
    single = forms.BooleanField(required=False)
    from_kinds = LinesField(required=False, widget=forms.Textarea({"rows": 3}))
    to_kinds = LinesField(required=False, widget=forms.Textarea({"rows": 3}))
    attributes = forms.MultipleChoiceField(
        required=False,
        widget=forms.CheckboxSelectMultiple,
        choices=lambda: [(code, word) for code, word in choices("relation_attribute") if code in ATTRIBUTES],
    )
    warns = forms.BooleanField(required=False)
    default_importance = forms.FloatField(min_value=0, max_value=1, label=_("Importance"))
    field_order = [
        "name",
        "label_en",
        "label_zh",
        "aliases",
        "target",
        "family",
        "single",
        "from_kinds",
        "to_kinds",
        "attributes",
        "default_importance",
        "warns",
        "active",
    ]
