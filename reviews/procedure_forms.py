"""What a person writes of a procedure: one task, phrase, pattern or step on each line."""

from __future__ import annotations

import re
from typing import Any

from django import forms
from django.utils.text import format_lazy
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from memoryhub.exceptions import InvalidInput
from memoryhub.procedures import (
    LONGEST_STEP,
    LONGEST_TITLE,
    MOST_STEPS,
    Procedure,
    checked,
)
from reviews.forms import StorableText
from reviews.labels import word_for

MOST_CHARACTERS = 30_000
_PLACE = re.compile(r"procedure\.(?P<name>[a-z]+)(?:\[(?P<index>\d+)\])?")


class Lines(StorableText):
    """A text of lines; blank ones do not count. `clean` answers the lines."""

    def __init__(self, *, rows: int, **options: Any) -> None:
        widget = forms.Textarea({"rows": rows, "class": "form-control"})
        super().__init__(max_length=MOST_CHARACTERS, widget=widget, **options)

    def clean(self, value: Any) -> Any:
        return tuple(line.strip() for line in super().clean(value).splitlines() if line.strip())


class ProcedureForm(forms.Form):
    """`seq` is the number of the version that was shown; blank for a new procedure. `procedure` is what was written, once valid."""

    use_required_attribute = False

    title = StorableText(
        label=_("What it is for"),
        max_length=LONGEST_TITLE,
        widget=forms.TextInput({"class": "form-control"}),
    )
    tasks = Lines(
        label=_("Names of tasks"),
        rows=2,
        required=False,
        help_text=_("One on each line: in the question, or the task that the conversation is at."),
    )
    phrases = Lines(
        label=_("Phrases"),
        rows=2,
        required=False,
        help_text=_("One on each line, in every language it is asked in; found anywhere in the question."),
    )
    patterns = Lines(
        label=_("Patterns"), rows=2, required=False, help_text=_("One regular expression (RE2) on each line.")
    )
    steps = Lines(
        label=_("Steps"),
        rows=8,
        help_text=format_lazy(
            _("One on each line, in order: at most {most} steps of {longest} characters."),
            most=MOST_STEPS,
            longest=LONGEST_STEP,
        ),
    )
    reason = StorableText(
        label=_("Why"), max_length=300, required=False, widget=forms.TextInput({"class": "form-control"})
    )
    seq = forms.IntegerField(min_value=1, required=False, widget=forms.HiddenInput)

    procedure: Procedure | None = None

    @staticmethod
    def initial_of(stored: dict[str, Any]) -> dict[str, str]:
        """The form's values for a stored procedure."""
        names = ("tasks", "phrases", "patterns", "steps")
        return {"title": stored["title"], **{name: "\n".join(stored.get(name, ())) for name in names}}

    def clean(self) -> dict[str, Any]:
        given = super().clean() or {}
        if self.errors:
            return given
        names = ("title", "steps", "tasks", "phrases", "patterns")
        try:
            self.procedure = checked(Procedure(**{name: given[name] for name in names}))
        except InvalidInput as error:
            self.say(error)
        return given

    def say(self, error: InvalidInput) -> None:
        """Put a broken rule where it was broken."""
        place = _PLACE.fullmatch(error.field)
        name = place["name"] if place else None
        told = str(word_for(error.code, "procedure_fault"))
        if place and place["index"]:
            told = gettext("Line %(line)s: %(fault)s") % {"line": int(place["index"]) + 1, "fault": told}
        self.add_error(name if name in self.fields else None, told)
