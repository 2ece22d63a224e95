"""Parts of the answers of recall and context: the formats, the layers, what pointers were taken for."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from rest_framework import serializers

from memoryhub.recall.answers import PointedAt, PointerAnswer

FORMATS = ["json", "text", "messages"]
FORMAT_HELP = (
    "`json`: the block and its lines as data. `text`: the block without the data. `messages`: the block as a message to put "
    "before the conversation of a chat model."
)


class MessageAnswer(serializers.Serializer[None]):
    role = serializers.ChoiceField(choices=["system"])
    content = serializers.CharField()


class LayerAnswer(serializers.Serializer[None]):
    """What one layer had to say."""

    name = serializers.ChoiceField(choices=["session", "user", "domain"])
    state = serializers.ChoiceField(
        choices=["answered", "missed", "not_asked"],
        help_text="`missed`: what the question asks for is not in it, so the next one counts.",
    )
    confidence = serializers.FloatField(help_text="Of the policy: 0.95, 0.85 and 0.70 unless changed.")


class PointedAtAnswer(serializers.Serializer[None]):
    kind = serializers.ChoiceField(choices=["event", "form", "relation", "slot"])
    id = serializers.UUIDField()
    text = serializers.CharField()


class PointerAnswerBody(serializers.Serializer[None]):
    """What a pointer of the question was taken for."""

    pointer = serializers.ChoiceField(
        choices=["just_said", "usual", "issue"],
        help_text="'what I just said' 刚才说的, 'the usual' 老规矩, 'how is that issue going' 那个问题怎么样了",
    )
    words = serializers.CharField(help_text="The words that point.")
    state = serializers.ChoiceField(choices=["resolved", "ambiguous", "unresolved"])
    taken = PointedAtAnswer(many=True)
    choices = PointedAtAnswer(
        many=True, help_text="What an ambiguous one may mean, the likeliest first; ask which is meant."
    )


def in_format(body: dict[str, Any], told_as: str, *, data: Collection[str]) -> dict[str, Any]:
    """The answer as it was asked for: with its `data`, with the block alone, or with the block as messages."""
    if told_as == "json":
        return body
    kept = {name: value for name, value in body.items() if name not in data}
    if told_as == "messages":
        text = kept.pop("text")
        kept["messages"] = [{"role": "system", "content": text}] if text else []
    return kept


def pointer_json(pointer: PointerAnswer) -> dict[str, Any]:
    """What a pointer was taken for, as JSON."""
    return {
        "pointer": pointer.pointer,
        "words": pointer.words,
        "state": pointer.state,
        "taken": [_target(target) for target in pointer.taken],
        "choices": [_target(target) for target in pointer.choices],
    }


def _target(target: PointedAt) -> dict[str, Any]:
    return {"kind": target.kind, "id": target.id, "text": target.text}
