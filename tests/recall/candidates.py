"""Candidates and ranked entries for tests of pure steps."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from memoryhub.models import new_id
from memoryhub.recall.answers import Parts, Ranked
from memoryhub.recall.asking import Question, ask
from memoryhub.recall.looking import Moment
from memoryhub.recall.meaning import Hit
from memoryhub.recall.ranking import Candidate
from memoryhub.recall.timeline import Step

NOW = datetime(2026, 6, 1, 12, 0, tzinfo=UTC)
MOMENT = Moment(valid_at=NOW, known_at=NOW, clock=NOW, is_now=True)
OWNER = new_id()


def candidate(text: str, *, meaning: float = 0.3, **given: Any) -> Candidate:
    values: dict[str, Any] = {
        "kind": "event",
        "target_id": new_id(),
        "owner_id": OWNER,
        "text": text,
        "occurred_at": NOW,
        "confirmed_at": NOW,
        "importance": 0.5,
        "certainty": "fact",
        "source": "user",
        "trust_tier": 3,
        "legs": ("meaning",),
        "hit": Hit(meaning, meaning * 1.45, 0.0, False, False),
    }
    return Candidate(**{**values, **given})


def ranked(text: str, *, score: float = 0.5, **given: Any) -> Ranked:
    values: dict[str, Any] = {
        "kind": "item",
        "target_id": new_id(),
        "owner_id": OWNER,
        "item_kind": "semantic",
        "text": text,
        "score": score,
        "parts": Parts(meaning=0.4, cosine=0.5),
        "legs": ("meaning",),
        "event_ids": (),
        "occurred_at": NOW,
        "certainty": "fact",
        "source": "user",
        "trust_tier": 3,
        "importance": 0.6,
    }
    return Ranked(**{**values, **given})


def step(text: str, *, at: datetime = NOW, **given: Any) -> Step:
    target_id = new_id()
    values: dict[str, Any] = {
        "kind": "event",
        "target_id": target_id,
        "owner_id": OWNER,
        "ids": (target_id,),
        "event_ids": (target_id,),
        "text": text,
        "occurred_at": at,
        "is_change": True,
        "is_asked": False,
        "heat": 1.0,
        "certainty": "fact",
        "source": "user",
        "trust_tier": 3,
    }
    return Step(**{**values, **given})


def question(text: str, *entities: str) -> Question:
    return ask(text=text, entities=entities, fields=(), now=NOW, zone="UTC")
