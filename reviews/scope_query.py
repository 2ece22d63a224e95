"""A rollback scope in a query string, and as a form a person can fill in.

Unlike a filter it is read strictly: a part that cannot be read must not fall away, because the scope would grow.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from memoryhub.changes.rollback_scope import RollbackScope
from memoryhub.models import Agent, ApiKey, Workspace
from reviews.forms import StorableText
from reviews.queries.names import owners_named
from reviews.zones import zone_named

MANY = {
    "change": "change_ids",
    "change_set": "change_set_ids",
    "event": "event_ids",
    "memory": "target_ids",
}
"""Parts that may be given more than once, and the scope's name for them."""


def as_query(scope: RollbackScope, **more: str) -> str:
    """The query string that `ScopeForm` reads back as the same scope."""
    query = QueryDict(mutable=True)
    for part, column in MANY.items():
        query.setlist(part, [str(row_id) for row_id in getattr(scope, column)])
    query.setlist("owner", [str(owner_id) for owner_id in scope.owner_ids])
    single = {
        "agent": scope.agent_id,
        "key": scope.api_key_id,
        "session": scope.session_ref,
        "restore": scope.restore_id,
        "text": scope.text,
        "since": scope.since.isoformat() if scope.since else "",
        "until": scope.until.isoformat() if scope.until else "",
    }
    query.update({name: str(value) for name, value in (single | more).items() if value})
    return query.urlencode()


class LocalMoment(forms.CharField):
    """A time, with its offset or in the zone of the workspace."""

    widget = forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M")

    def __init__(self, **options: Any) -> None:
        self.zone = "UTC"
        super().__init__(required=False, max_length=40, **options)

    def prepare_value(self, value: Any) -> Any:
        try:
            moment = self._read(str(value or ""))
        except (ValueError, OverflowError):
            return value
        return f"{moment.astimezone(zone_named(self.zone)):%Y-%m-%dT%H:%M}"

    def clean(self, value: Any) -> datetime | None:
        text = super().clean(value)
        if not text:
            return None
        try:
            return self._read(text)
        except (ValueError, OverflowError) as error:
            raise forms.ValidationError(_("This is not a time.")) from error

    def _read(self, text: str) -> datetime:
        """Raises ValueError for no time, OverflowError for one that is out of some zone's calendar."""
        # A browser that joins the query string turns the + of an offset into a space.
        moment = datetime.fromisoformat(text.replace(" ", "+") if "T" in text else text)
        zone = zone_named(self.zone)
        moment = moment if moment.tzinfo else moment.replace(tzinfo=zone)
        moment.astimezone(zone).astimezone(UTC)
        return moment


class Ids(forms.Field):
    """Ids, each its own parameter; hidden, because nobody types them."""

    widget = forms.MultipleHiddenInput

    def clean(self, value: Any) -> tuple[UUID, ...]:
        try:
            return tuple(UUID(text) for text in value or () if text)
        except ValueError as error:
            raise forms.ValidationError(_("An id cannot be read.")) from error


class ScopeForm(forms.Form):
    """Everything that is given must hold together."""

    use_required_attribute = False

    owner = StorableText(
        required=False,
        max_length=200,
        label=_("Owner"),
        widget=forms.TextInput({"placeholder": _("reference"), "autocomplete": "off"}),
    )
    agent = forms.ChoiceField(required=False, label=_("Agent"))
    key = forms.ChoiceField(required=False, label=_("Key"))
    session = StorableText(
        required=False,
        max_length=200,
        label=_("Session"),
        widget=forms.TextInput({"list": "recent-sessions", "autocomplete": "off"}),
    )
    since = LocalMoment(label=_("From"))
    until = LocalMoment(label=_("Until"))
    text = StorableText(required=False, max_length=200, label=_("Text in the value or its quote"))
    event = Ids(required=False)
    change = Ids(required=False)
    change_set = Ids(required=False)
    memory = Ids(required=False)
    restore = forms.UUIDField(required=False, widget=forms.HiddenInput)

    def __init__(self, data: QueryDict, *, workspace: Workspace) -> None:
        super().__init__(data, auto_id="scope_%s")
        self.workspace = workspace
        agents = Agent.objects.filter(workspace=workspace).order_by("name")
        keys = ApiKey.objects.filter(agent__workspace=workspace).select_related("agent")
        self._choose("agent", [(str(agent.id), agent.name) for agent in agents])
        self._choose(
            "key",
            [
                (str(key.id), f"{key.agent.name} · {key.label or key.key_id}")
                for key in keys.order_by("agent__name", "created_at")
            ],
        )
        for name in ("since", "until"):
            self.fields[name].zone = workspace.time_zone  # type: ignore[attr-defined]
        for field in self.fields.values():
            select = isinstance(field.widget, forms.Select)
            field.widget.attrs.setdefault("class", "form-select" if select else "form-control")

    def _choose(self, name: str, found: list[tuple[str, str]]) -> None:
        self.fields[name].choices = [("", _("any")), *found]  # type: ignore[attr-defined]

    @property
    def is_given(self) -> bool:
        """Whether anything of a scope was asked for."""
        return any(value for name in self.fields for value in self.data.getlist(name))  # type: ignore[attr-defined]

    def clean_owner(self) -> tuple[UUID, ...]:
        """Owners by id (from links) or by reference (typed), of this workspace; one of them is shown by its reference."""
        wanted = [text.strip() for text in self.data.getlist("owner") if text.strip()]  # type: ignore[attr-defined]
        found = owners_named(workspace=self.workspace, names=wanted) if wanted else []
        if len(found) < len(set(wanted)):
            raise forms.ValidationError(_("There is no owner with this reference."))
        if len(found) == 1:
            shown = QueryDict(mutable=True)
            shown.update(self.data)
            shown["owner"] = found[0].ref
            self.data = shown
        return tuple(owner.id for owner in found)

    @property
    def named(self) -> RollbackScope | None:
        """The scope as far as it can be read; None when it cannot."""
        return self.scope if self.is_bound and not (set(self.errors) - {"title"}) else None

    @property
    def scope(self) -> RollbackScope:
        """The scope that was given; call only when the form is valid."""
        given = self.cleaned_data
        return RollbackScope(
            owner_ids=given["owner"],
            agent_id=UUID(given["agent"]) if given["agent"] else None,
            api_key_id=UUID(given["key"]) if given["key"] else None,
            session_ref=given["session"],
            since=given["since"],
            until=given["until"],
            text=given["text"],
            restore_id=given["restore"],
            **{column: given[part] for part, column in MANY.items()},
        )
