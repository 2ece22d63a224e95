"""An owner, an agent who writes about him, and what stands in his forms."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from memoryhub.models import FieldVersion, Owner
from memoryhub.writing.candidates import Verdict
from memoryhub.writing.recording import NewEvent, record_event
from memoryhub.writing.source import Source
from memoryhub.writing.structured import write_field
from tests.builders import make_owner, make_source, make_workspace
from tests.writing.forms_told import Write


@pytest.fixture
def source(db: None) -> Source:
    return make_source(make_workspace())


@pytest.fixture
def owner(source: Source) -> Owner:
    return make_owner(source)


@pytest.fixture
def write(owner: Owner, source: Source) -> Write:
    """Write `form_type.field`; with `said` the words are recorded as the owner's turn and given as evidence."""

    def write(name: str, value: object, *, said: str = "", **given: Any) -> Verdict:
        form_type, field = name.split(".")
        writer = given.pop("source", source)
        if said:
            event = record_event(owner_id=owner.id, event=NewEvent(content=said), source=writer)
            given |= {"evidence_event_id": event.results[0].event_id, "quote": said}
        return write_field(
            owner_id=owner.id, form_type=form_type, field=field, value=value, source=writer, **given
        )

    return write


@pytest.fixture
def versions(owner: Owner) -> Callable[[], list[FieldVersion]]:
    return lambda: list(FieldVersion.objects.of(owner.id).order_by("version"))
