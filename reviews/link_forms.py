"""The form of a link."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

from memoryhub.models import FormType, Owner, OwnerLink
from memoryhub.sharing.linking import SHARED_KINDS, Terms
from reviews.forms import StorableText
from reviews.labels import choices

CHECKS = {"class": "form-check-input"}


class LinkForm(forms.Form):
    """Whom to link, which way, and what passes. Only a team, project or domain can be linked to, so only there `way` is asked."""

    way = forms.ChoiceField(
        label=_("Which way"),
        choices=[
            ("in", _("the other one shares in this owner")),
            ("out", _("this owner shares in the other one")),
        ],
        widget=forms.RadioSelect(CHECKS),
        initial="in",
    )
    other = StorableText(
        max_length=200,
        label=_("Reference of the other owner"),
        widget=forms.TextInput({"class": "form-control", "autocomplete": "off"}),
    )
    direction = forms.ChoiceField(
        label=_("The shared owner"),
        choices=lambda: choices("link_direction"),
        widget=forms.Select({"class": "form-select"}),
        help_text=_("A proposal always waits for a person."),
    )
    kinds = forms.MultipleChoiceField(
        label=_("Only these kinds"),
        choices=lambda: choices("link_kind"),
        required=False,
        widget=forms.CheckboxSelectMultiple(CHECKS),
        help_text=_("None ticked: all."),
    )
    form_types = forms.MultipleChoiceField(
        label=_("Only these form types"),
        required=False,
        widget=forms.CheckboxSelectMultiple(CHECKS),
        help_text=_("None ticked: all."),
    )

    def __init__(
        self,
        data: QueryDict | None = None,
        *,
        owner: Owner,
        form_types: Iterable[FormType],
        changing: OwnerLink | None = None,
    ) -> None:
        super().__init__(data, initial=_terms_of(changing, owner) if changing else None)
        is_chinese = (get_language() or "").startswith("zh")
        self.fields["form_types"].choices = [  # type: ignore[attr-defined]
            (form_type.name, form_type.label_zh if is_chinese else form_type.label_en)
            for form_type in form_types
        ]
        if owner.kind not in SHARED_KINDS:
            del self.fields["way"]

    @property
    def is_outgoing(self) -> bool:
        return str(self.cleaned_data.get("way", "out")) == "out"

    @property
    def terms(self) -> Terms:
        given = self.cleaned_data
        return Terms(
            direction=given["direction"], kinds=tuple(given["kinds"]), form_types=tuple(given["form_types"])
        )


def _terms_of(link: OwnerLink, owner: Owner) -> dict[str, Any]:
    """What the form says of a link that stands."""
    is_outgoing = link.owner_id == owner.id
    other = link.linked_owner if is_outgoing else link.owner
    return {
        "way": "out" if is_outgoing else "in",
        "other": other.ref,
        "direction": link.direction,
        "kinds": link.kinds,
        "form_types": link.form_types,
    }
