"""The form of the page that tries a text."""

from __future__ import annotations

from typing import Any

from django import forms
from django.http import QueryDict
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from memoryhub.language.text import MAX_EVENT_CHARACTERS, find_text_fault
from memoryhub.models import Event, Owner, Workspace
from reviews.labels import choices
from reviews.queries.owners import exact_owner
from reviews.zones import zone_named

MOST_EARLIER = 6
TRUST_TIERS = ("1", "2", "3", "4")
USUAL_TRUST = "3"


class TrialForm(forms.Form):
    """A text as it would be recorded. `cleaned_data["owner"]` is the owner or None, `["earlier"]` a tuple of turns."""

    text = forms.CharField(
        label=_("Text"), max_length=MAX_EVENT_CHARACTERS, strip=False, widget=forms.Textarea({"rows": 4})
    )
    owner = forms.CharField(
        label=_("Owner"),
        max_length=200,
        required=False,
        strip=False,
        help_text=_("His reference; empty: nobody's memory is looked at."),
    )
    role = forms.ChoiceField(label=_("Said by"))
    trust = forms.ChoiceField(
        label=_("Trust of the key"), choices=[(tier, tier) for tier in TRUST_TIERS], initial=USUAL_TRUST
    )
    language = forms.ChoiceField(
        label=_("Language"),
        required=False,
        choices=[("", _("the owner's")), ("en", "English"), ("zh-hans", "简体中文")],
    )
    said_at = forms.DateTimeField(
        label=_("Said at"),
        required=False,
        widget=forms.DateTimeInput({"type": "datetime-local"}, format="%Y-%m-%dT%H:%M"),
        help_text=_("In the owner's zone; empty: now."),
    )
    earlier = forms.CharField(
        label=_("What he said before"),
        required=False,
        max_length=MAX_EVENT_CHARACTERS,
        widget=forms.Textarea({"rows": 2}),
        help_text=_("One turn a line, the last six count."),
    )

    def __init__(self, data: QueryDict | None, *, workspace: Workspace) -> None:
        super().__init__(data, auto_id="trial_%s")
        self.workspace = workspace
        roles = dict(choices("role"))
        self.fields["role"].choices = [(role, roles.get(role, role)) for role in Event.Role.values]  # type: ignore[attr-defined]
        for field in self.fields.values():
            is_choice = isinstance(field, forms.ChoiceField)
            field.widget.attrs["class"] = "form-select" if is_choice else "form-control"

    def clean_text(self) -> str:
        text: str = self.cleaned_data["text"]
        if find_text_fault(text, field="text", max_length=MAX_EVENT_CHARACTERS):
            raise forms.ValidationError(_("The text holds characters that cannot be stored."))
        if not text.strip():
            raise forms.ValidationError(_("Write something to be read."))
        return text

    def clean_owner(self) -> Owner | None:
        ref: str = self.cleaned_data["owner"]
        if not ref:
            return None
        owner = exact_owner(workspace=self.workspace, ref=ref) if "\0" not in ref else None
        if owner is None:
            raise forms.ValidationError(
                _("There is no such owner. The reference is taken letter for letter.")
            )
        return owner

    def clean_earlier(self) -> tuple[str, ...]:
        text: str = self.cleaned_data["earlier"]
        if find_text_fault(text, field="earlier", max_length=MAX_EVENT_CHARACTERS):
            raise forms.ValidationError(_("The text holds characters that cannot be stored."))
        return tuple(line for line in text.splitlines() if line.strip())[-MOST_EARLIER:]

    def clean(self) -> dict[str, Any]:
        """A time is written without a zone: it is the owner's own."""
        given = super().clean() or {}
        moment = given.get("said_at")
        if moment is not None:
            owner = given.get("owner")
            zone = zone_named(owner.zone if owner else self.workspace.time_zone)
            given["said_at"] = timezone.make_naive(moment).replace(tzinfo=zone)
            if not 1900 <= given["said_at"].year <= 2200:
                self.add_error("said_at", _("A time in the years 1900 to 2200."))
        return given
