"""What agents asked for in words that name no field: read from the log of recalls, so that somebody can make aliases of them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any
from uuid import UUID

import orjson
from django.db import connection

from memoryhub.database.scope import scope
from memoryhub.language.simplified import simplified
from memoryhub.language.text import clean
from memoryhub.language.tokens import CJK, STOP_WORDS
from memoryhub.models import FieldDefinition, FieldVersion
from memoryhub.recall.asking import fields_named
from memoryhub.recall.knowing import Field

MOST_READ = 2_000
MOST_TERMS = 50
MOST_WORDS = 3
SHORTEST_CHINESE, LONGEST_CHINESE = 2, 10

# Questions that named no field, newest first; of their lines only the ids of field values that were told all the same.
_MISSED = """
SELECT r.owner_id, r.id, r.query, r.created_at, r.served = '[]',
  jsonb_path_query_array(r.served, '$[*] ? (@.kind == "form" && @.section != "rules").id')::text
FROM memoryhub_recall r JOIN memoryhub_owner o ON o.id = r.owner_id AND o.state = 'active'
WHERE r.workspace_id = %(workspace)s AND r.created_at >= %(since)s AND r.query <> ''
  AND (%(until)s::timestamptz IS NULL OR r.created_at < %(until)s) AND (%(agent)s::uuid IS NULL OR r.agent_id = %(agent)s)
  AND r.legs -> 'forms' ->> 'note' = 'no field named'
ORDER BY r.created_at DESC, r.id DESC LIMIT %(most)s
"""
_ASKING = frozenset(
    "tell show give remember know say said please get find let ok okay hi hello still".split()
)
_UNSAID = re.compile(
    "什么时候|为什么|有没有|是不是|能不能|我们|你们|他们|请问|一下|什么|多少|怎么样|怎么|如何|哪里|哪儿|哪个|哪些"
    "|记得|知道|告诉|现在|今天|昨天|明天|最近|上次|应该|可以|还有|[我你他她它的了吗呢吧啊是在谁哪]"
)
_RUN = re.compile(rf"[{CJK}]+|[^\W{CJK}]+(?:['’-][^\W{CJK}]+)*")
_IS_CHINESE = re.compile(rf"[{CJK}]")


@dataclass(kw_only=True, slots=True)
class MissedTerm:
    """`term` as it was asked last; `asked` counts recalls, `unanswered` those that served nothing at all.

    `suggested` is the field whose values those recalls told most often all the same.
    """

    term: str
    last_asked_at: datetime
    recalls: list[tuple[UUID, UUID]] = field(default_factory=list)
    owners: set[UUID] = field(default_factory=set)
    unanswered: int = 0
    suggested: UUID | None = None
    told: list[UUID] = field(default_factory=list)

    @property
    def asked(self) -> int:
        return len(self.recalls)


def missed_terms(
    *,
    workspace_id: UUID,
    since: datetime,
    until: datetime | None = None,
    agent_id: UUID | None = None,
    most: int = MOST_TERMS,
) -> list[MissedTerm]:
    """The terms of the newest questions since then that name no field as the whitelist stands now, the most asked first.

    With `until` only questions before it, with `agent_id` only those of one agent.

    Three statements. Reads what the log holds anyway and writes nothing; owners being erased or frozen are left out.
    """
    with scope(workspace_id=workspace_id, owners="workspace", purpose="desk", staff=True):
        with connection.cursor() as cursor:
            asked: dict[str, Any] = {
                "workspace": workspace_id,
                "since": since,
                "until": until,
                "agent": agent_id,
            }
            cursor.execute(_MISSED, asked | {"most": MOST_READ})
            rows = cursor.fetchall()
        fields = active_fields(workspace_id)
        terms = _gather(rows, fields)
        found = sorted(terms.values(), key=lambda term: (-term.asked, -term.last_asked_at.timestamp()))[:most]
        _suggest(workspace_id, found)
    return found


def terms_of(question: str) -> list[str]:
    """The words of a question that may name something: runs without question words, pronouns, numbers and codes."""
    runs: list[list[str]] = [[]]
    for match in _RUN.finditer(clean(question)):
        word = match[0]
        if _IS_CHINESE.match(word):
            runs += [[part] for part in _UNSAID.split(simplified(word)) if _fits(part)] + [[]]
        elif _means_nothing(word.casefold()):
            runs.append([])
        else:
            runs[-1].append(word.casefold())
    whole = [run for run in runs if run]
    return list(
        dict.fromkeys(term for run in whole for term in ([" ".join(run)] if len(run) <= MOST_WORDS else run))
    )


def _fits(part: str) -> bool:
    return SHORTEST_CHINESE <= len(part) <= LONGEST_CHINESE


def _means_nothing(word: str) -> bool:
    bare = word.split("'")[0].split("’")[0]
    return bare in STOP_WORDS or bare in _ASKING or len(bare) < 2 or any(c.isdigit() for c in word)


def active_fields(workspace_id: UUID) -> tuple[Field, ...]:
    """The fields in use, as far as a question may name them."""
    rows = FieldDefinition.objects.filter(form_type__workspace_id=workspace_id, active=True)
    return tuple(
        Field(
            id=row.id,
            form_type=row.form_type.name,
            name=row.name,
            label_en=row.label_en,
            label_zh=row.label_zh,
            aliases=tuple(row.aliases),
            safety=row.safety,
            multi_valued=row.multi_valued,
        )
        for row in rows.select_related("form_type")
    )


type Row = tuple[UUID, UUID, str, datetime, bool, str]
"""Owner, recall, question, when, whether nothing was served, ids of the field values that were."""


def _gather(rows: Iterable[Row], fields: tuple[Field, ...]) -> dict[str, MissedTerm]:
    terms: dict[str, MissedTerm] = {}
    for owner_id, recall_id, query, at, nothing, told in rows:
        if fields_named(clean(query).casefold(), fields):
            continue
        for name in terms_of(query):
            term = terms.setdefault(name, MissedTerm(term=name, last_asked_at=at))
            term.recalls.append((owner_id, recall_id))
            term.owners.add(owner_id)
            term.unanswered += nothing
            term.told += [UUID(target) for target in orjson.loads(told)]
    return terms


def _suggest(workspace_id: UUID, terms: Sequence[MissedTerm]) -> None:
    ids = {target for term in terms for target in term.told}
    versions = FieldVersion.objects.filter(workspace_id=workspace_id, id__in=ids, field__active=True)
    field_of = {
        row_id: field_id for _owner, row_id, field_id in versions.values_list("owner_id", "id", "field_id")
    }
    for term in terms:
        counted = Counter(field_of[target] for target in term.told if target in field_of)
        term.suggested = counted.most_common(1)[0][0] if counted else None
