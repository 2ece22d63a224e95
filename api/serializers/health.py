"""What the health addresses say."""

from __future__ import annotations

from rest_framework import serializers

HEALTH_STATES = ["ok", "degraded", "down"]
MODEL_STATES = ["unused", *HEALTH_STATES]
EXTRACTORS = ["rules", "model"]


class LiveAnswer(serializers.Serializer[None]):
    status = serializers.ChoiceField(choices=["ok"])


class ReadyAnswer(serializers.Serializer[None]):
    ready = serializers.BooleanField(help_text="False only while the database cannot be reached.")
    database = serializers.ChoiceField(choices=HEALTH_STATES)
    worker = serializers.ChoiceField(choices=HEALTH_STATES, help_text="down: events are accepted and wait.")
    embedder = serializers.ChoiceField(
        choices=HEALTH_STATES,
        help_text=(
            "degraded: it failed lately, nothing is embedded yet, or the stored vectors are still another model's; down: it does "
            "not answer. Recall goes on by words."
        ),
    )
    embedding_model = serializers.CharField(help_text="The one of the settings.")
    extractor = serializers.ChoiceField(choices=EXTRACTORS, help_text="Who reads facts out of text.")
    model = serializers.ChoiceField(
        choices=MODEL_STATES, help_text="The chat provider. down: events are accepted and wait for it."
    )
