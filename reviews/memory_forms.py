"""What a person changes about one memory: its words, and whether it fades."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from memoryhub.writing.structured import MOST_CONTENT
from reviews.forms import StorableText


class MemoryEditForm(forms.Form):
    """`seq` is the number of the wording that was shown."""

    content = StorableText(
        label=_("New words"),
        max_length=MOST_CONTENT,
        widget=forms.Textarea({"rows": 4, "class": "form-control"}),
    )
    reason = StorableText(
        label=_("Why"),
        max_length=300,
        required=False,
        widget=forms.TextInput({"class": "form-control"}),
    )
    seq = forms.IntegerField(min_value=1, widget=forms.HiddenInput)


class KeyAttributeForm(forms.Form):
    seq = forms.IntegerField(min_value=1)
    key = forms.ChoiceField(choices=[("yes", "yes"), ("no", "no")])
