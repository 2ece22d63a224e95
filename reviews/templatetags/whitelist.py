"""Small words of the whitelist and policy pages: columns and numbers as text, and what a replay found, in a sentence."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django import template
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from memoryhub.foresight.comparing import Foresight
from memoryhub.foresight.recorded import Example
from reviews.labels import word_for
from reviews.policy_words import NUMBERS
from reviews.values import shown
from reviews.whitelist_words import COLUMNS

register = template.Library()

VOCABULARIES = {
    "value_type": "value_type",
    "conflict_policy": "conflict_policy",
    "review_mode": "review_mode",
    "sensitivity": "sensitivity",
    "recall_durability": "durability",
}


@register.filter
def rule_word(name: str) -> str:
    """A column of a field or a number of a policy, in words."""
    return str(COLUMNS.get(name) or NUMBERS.get(name) or name)


@register.simple_tag
def rule_value(value: Any, name: str, agents: Mapping[str, str] | None = None) -> str:
    """What a column or a number says, in words; a dash for nothing."""
    if value is None or value in ("", [], ()):
        return "—"
    if name in VOCABULARIES:
        return word_for(str(value), VOCABULARIES[name])
    if name == "writer_roles":
        return shown([word_for(role, "role") for role in value])
    if name in ("writer_agents", "gated_agents"):
        return shown([(agents or {}).get(str(agent_id), str(agent_id)) for agent_id in value])
    if isinstance(value, float):
        return f"{value:g}"
    return (
        str(value)
        if isinstance(value, int) and not isinstance(value, bool)
        else shown(list(value) if isinstance(value, tuple) else value)
    )


@register.filter
def in_a_sentence(foresight: Foresight) -> str:
    """'14 more would wait for review, 3 fewer stored'; that nothing would change when nothing would."""
    parts = [
        text
        for text in (_waiting(foresight.more_waiting), _stored(foresight.more_stored, foresight.more_waiting))
        if text
    ]
    if parts:
        return _(", ").join(parts)
    if foresight.moves:
        return _("As many would wait and be stored, but not the same ones.")
    return _("None of them would have gone another way.")


def _waiting(number: int) -> str:
    if number > 0:
        return ngettext("%(n)s more would wait for review", "%(n)s more would wait for review", number) % {
            "n": number
        }
    if number < 0:
        return ngettext("%(n)s fewer would wait for review", "%(n)s fewer would wait for review", -number) % {
            "n": -number
        }
    return ""


def _stored(number: int, waiting: int) -> str:
    if number > 0:
        alone = ngettext("%(n)s more would be stored at once", "%(n)s more would be stored at once", number)
        return (_("%(n)s more stored") if waiting else alone) % {"n": number}
    if number < 0:
        alone = ngettext(
            "%(n)s fewer would be stored at once", "%(n)s fewer would be stored at once", -number
        )
        return (_("%(n)s fewer stored") if waiting else alone) % {"n": -number}
    return ""


@register.simple_tag
def example_url(example: Example) -> str:
    """Where the write can be looked at."""
    if example.kind == "owner" or example.id is None:
        return reverse("reviews:owner", args=[example.owner_id])
    return reverse(f"reviews:{example.kind}", args=[example.owner_id, example.id])


@register.simple_tag
def example_word(example: Example, owners: Mapping[UUID, str]) -> str:
    """The owner's reference and the last digits of the row's id."""
    tail = f" …{str(example.id)[-6:]}" if example.id else ""
    return f"{owners.get(example.owner_id, '')}{tail}"
