"""The filter forms. A query string is read leniently: what is not on the list means 'no filter', never an error page."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib.auth.forms import AuthenticationForm
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from reviews.labels import choices


class StorableText(forms.CharField):
    """Text that PostgreSQL can hold: characters it refuses are taken out instead of failing."""

    def to_python(self, value: Any) -> str:
        text = super().to_python(value) or ""
        return text.replace("\0", "").encode("utf-8", "ignore").decode("utf-8")


class FilterForm(forms.Form):
    """A GET form; `chosen` holds only what is valid."""

    use_required_attribute = False

    def __init__(self, data: QueryDict) -> None:
        super().__init__(data, auto_id="filter_%s")
        for field in self.fields.values():
            select = isinstance(field.widget, forms.Select)
            field.widget.attrs.setdefault("class", "form-select" if select else "form-control")
            field.required = False

    @property
    def chosen(self) -> dict[str, Any]:
        self.full_clean()
        return {name: self.cleaned_data.get(name) or "" for name in self.fields}

    @property
    def is_filtering(self) -> bool:
        return any(self.chosen.values())


def _with_all(vocabulary: str) -> Any:
    return lambda: [("", _("all")), *choices(vocabulary)]


class OwnerFilter(FilterForm):
    q = StorableText(
        max_length=200, label=_("Reference"), widget=forms.TextInput({"placeholder": _("begins with …")})
    )
    kind = forms.ChoiceField(choices=_with_all("owner_kind"), label=_("Kind"))
    state = forms.ChoiceField(choices=_with_all("owner_state"), label=_("State"))


class ItemFilter(FilterForm):
    q = StorableText(
        max_length=200, label=_("Text"), widget=forms.TextInput({"placeholder": _("words in the sentence")})
    )
    kind = forms.ChoiceField(choices=_with_all("item_kind"), label=_("Kind"))
    status = forms.ChoiceField(label=_("State"))

    def __init__(self, data: QueryDict) -> None:
        super().__init__(data)
        states = ("active", "scheduled", "superseded", "historical", "retracted", "forgotten", "expired")
        words = dict(choices("status"))
        self.fields["status"].choices = [  # type: ignore[attr-defined]
            ("", words["active"]),
            *((state, words[state]) for state in states[1:]),
            ("all", _("all")),
        ]


class TimelineForm(FilterForm):
    kind = forms.ChoiceField(
        choices=[("", _("events and changes")), ("events", _("events")), ("changes", _("changes"))],
        label=_("Show"),
    )
    action = forms.ChoiceField(choices=_with_all("action"), label=_("Action"))
    role = forms.ChoiceField(choices=_with_all("role"), label=_("Said by"))
    session = StorableText(max_length=200, label=_("Session"))
    until = forms.DateField(
        label=_("Up to the day"), widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    )


class JobFilter(FilterForm):
    state = forms.ChoiceField(choices=_with_all("job_state"), label=_("State"))


class RecallForm(FilterForm):
    q = StorableText(
        max_length=2000,
        label=_("Question"),
        widget=forms.TextInput({"placeholder": _("what an agent would ask")}),
    )
    session = StorableText(max_length=200, label=_("In the session"))


class SignInForm(AuthenticationForm):
    """The login form in the desk's clothes."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for field in self.fields.values():
            field.widget.attrs["class"] = "form-control"
