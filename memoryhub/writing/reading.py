"""Steps 2 and 3 for some events: screened, and read by the extractor of the installation. Nothing of it is stored yet.

May call a model, so it is never called in a transaction.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal
from uuid import UUID

from django.conf import settings

from memoryhub.exceptions import ExtractorNotConfigured
from memoryhub.language.chat import current_chat
from memoryhub.models import Event
from memoryhub.writing.candidates import Extraction, Screening, Turn
from memoryhub.writing.extraction import extract
from memoryhub.writing.model_answers import Failed
from memoryhub.writing.model_extraction import extract_many, turns_at_once
from memoryhub.writing.observing import observed_candidate
from memoryhub.writing.read_by import rules_version
from memoryhub.writing.rules.relations import relations_in
from memoryhub.writing.screening import beside_content, screen
from memoryhub.writing.whitelist import Whitelist

type ExtractorName = Literal["rules", "model"]


@dataclass(frozen=True, kw_only=True, slots=True)
class Reading:
    """One event as read. `failure` is the code of an answer that was no use: then there is nothing else, or what was saved of it."""

    event: Event
    screening: Screening
    extraction: Extraction
    failure: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Extractor:
    """Who reads, at most `most_events` at a time. `read_turns` answers for the first turns of those given, as many as it could; raises ModelUnavailable when for none."""

    name: ExtractorName
    most_events: int
    read_turns: Callable[[Sequence[Turn]], Sequence[Extraction | Failed]]


def current_extractor(
    *, workspace_id: UUID, fields: Whitelist, name: ExtractorName | None = None
) -> Extractor:
    """The extractor of this name, or the one the settings name. Raises ExtractorNotConfigured."""
    if (name or settings.EXTRACTOR) == "rules":
        return Extractor(
            name="rules",
            most_events=sys.maxsize,
            read_turns=lambda turns: [
                replace(extract(turn, fields=fields), read_by=rules_version()) for turn in turns
            ],
        )
    client = current_chat()
    if client is None:
        raise ExtractorNotConfigured("MEMORYHUB_CHAT_URL and MEMORYHUB_CHAT_MODEL name no model")
    return Extractor(
        name="model",
        most_events=turns_at_once(client),
        read_turns=lambda turns: extract_many(turns, fields=fields, client=client, workspace_id=workspace_id),
    )


def read_events(events: Sequence[Event], *, turns: Sequence[Turn], extractor: Extractor) -> list[Reading]:
    """Readings of the first events of those given, as many as could be read. Raises ModelUnavailable when none could.

    A tool's or the system's structured value is taken as it stands; its free text is not read.
    """
    screenings = [
        screen(event.content, role=turn.role, beside=beside_content(event))
        for event, turn in zip(events, turns, strict=True)
    ]
    extractions: dict[int, Extraction | Failed] = {}
    for place, (event, screening) in enumerate(zip(events, screenings, strict=True)):
        if (read := _read_without(event, screening)) is not None:
            extractions[place] = read
    places = [place for place in range(len(events)) if place not in extractions]
    if places:
        extractions.update(
            zip(places, extractor.read_turns([turns[place] for place in places]), strict=False)
        )
    readable = next((place for place in range(len(events)) if place not in extractions), len(events))
    return [
        _reading(events[place], screenings[place], extractions[place], turns[place])
        for place in range(readable)
    ]


def _read_without(event: Event, screening: Screening) -> Extraction | None:
    """What there is to say about an event without reading it; None when it must be read."""
    observed = observed_candidate(event)
    if observed is not None:
        return Extraction(candidates=(observed,))
    if screening.worth_reading:
        return None
    return Extraction(action="commitment" if "commitment" in screening.codes else "")


def _reading(event: Event, screening: Screening, read: Extraction | Failed, turn: Turn) -> Reading:
    if isinstance(read, Failed):
        return Reading(event=event, screening=screening, extraction=read.salvaged, failure=read.code)
    if screening.worth_reading and not screening.flags:
        read = replace(read, relations=relations_in(turn, read))
    return Reading(event=event, screening=screening, extraction=read)
