"""Forms of the library."""

from __future__ import annotations

from datetime import datetime, time
from pathlib import PurePath
from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from memoryhub.knowledge.importing import NewFile
from memoryhub.knowledge.limits import MOST_BYTES
from reviews.forms import FilterForm, StorableText
from reviews.labels import choices
from reviews.zones import zone_named

SUFFIXES = {
    ".md": "markdown",
    ".markdown": "markdown",
    ".txt": "text",
    ".htm": "html",
    ".html": "html",
    ".pdf": "pdf",
}


class DocumentFilter(FilterForm):
    q = StorableText(max_length=200, label=_("Title"))
    owner = StorableText(max_length=200, label=_("Owner"), widget=forms.TextInput({"list": "owner-refs"}))
    show = forms.ChoiceField(
        choices=[("", _("current")), ("drafts", _("drafts to publish")), ("archived", _("archived"))],
        label=_("Show"),
        required=False,
    )


def _day() -> forms.DateInput:
    return forms.DateInput(attrs={"type": "date", "class": "form-control"}, format="%Y-%m-%d")


class FileForm(forms.Form):
    """A new version: a file or pasted text, its authority and its dates. Days begin at midnight of the workspace."""

    file = forms.FileField(
        required=False,
        label=_("File"),
        help_text=_("Markdown, plain text, HTML or PDF, at most 5 MB."),
        widget=forms.FileInput({"class": "form-control", "accept": ",".join(SUFFIXES)}),
    )
    text = StorableText(
        required=False,
        label=_("or its text as Markdown"),
        strip=False,
        widget=forms.Textarea({"rows": 6, "class": "form-control"}),
    )
    authority = forms.TypedChoiceField(
        choices=lambda: [("", _("choose")), *sorted(choices("authority"), reverse=True)],
        coerce=int,
        label=_("Authority"),
        widget=forms.Select({"class": "form-select"}),
    )
    effective_from = forms.DateField(
        required=False, label=_("In force from"), help_text=_("Empty: today."), widget=_day()
    )
    effective_to = forms.DateField(
        required=False, label=_("Until"), help_text=_("Empty: without an end."), widget=_day()
    )

    def __init__(self, *args: Any, zone: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.zone = zone_named(zone)

    def clean_file(self) -> UploadedFile[Any] | None:
        file: UploadedFile[Any] | None = self.cleaned_data["file"]
        if file and (file.size or 0) > MOST_BYTES:
            raise forms.ValidationError(_("The file is too large: at most 5 MB."))
        if file and PurePath(file.name or "").suffix.lower() not in SUFFIXES:
            raise forms.ValidationError(_("Its name must end in .md, .txt, .html or .pdf."))
        return file

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if not self.errors and bool(cleaned.get("file")) == bool((cleaned.get("text") or "").strip()):
            raise forms.ValidationError(_("Give either a file or a text."))
        return cleaned

    def as_new_file(self, **named: Any) -> NewFile:
        """What was given, as the service takes it."""
        given, file = self.cleaned_data, self.cleaned_data["file"]
        name = (file.name or "") if file else ""
        return NewFile(
            content=file.read() if file else given["text"].encode(),
            media=SUFFIXES[PurePath(name).suffix.lower()] if file else "markdown",
            file_name=name[-200:],
            authority=given["authority"],
            effective_from=self._midnight("effective_from"),
            effective_to=self._midnight("effective_to"),
            **named,
        )

    def _midnight(self, field: str) -> datetime | None:
        day = self.cleaned_data[field]
        return datetime.combine(day, time(), tzinfo=self.zone) if day else None


class DocumentForm(FileForm):
    """A new document."""

    owner = StorableText(
        max_length=200,
        label=_("Owner"),
        help_text=_("The reference of a domain, team or project."),
        widget=forms.TextInput({"class": "form-control", "list": "owner-refs"}),
    )
    title = StorableText(max_length=300, label=_("Title"), widget=forms.TextInput({"class": "form-control"}))
    source = StorableText(
        max_length=500,
        required=False,
        label=_("Source"),
        help_text=_("Where it comes from: an address or a name."),
        widget=forms.TextInput({"class": "form-control"}),
    )
    field_order = ["owner", "title", "source"]


class ActForm(forms.Form):
    """One act on a version."""

    act = forms.ChoiceField(choices=[(act, act) for act in ("publish", "grade", "archive")])
    version = forms.IntegerField(min_value=1, max_value=1_000_000)
    authority = forms.TypedChoiceField(
        choices=lambda: choices("authority"), coerce=int, required=False, empty_value=None
    )
    clear_flagged = forms.BooleanField(required=False)


def chosen_version(query: QueryDict, name: str) -> int | None:
    """A version number of the query string; None for none and for anything else."""
    text = query.get(name, "")
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 7 else None
