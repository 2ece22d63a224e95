"""The whitelist as agents see it: which form types and fields there are, and what each takes."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from api.serializers.fields import Strict, Text
from memoryhub.models import Event, FieldDefinition


class FormTypeQuery(Strict):
    """Filters of the list."""

    name = Text(max_length=60, required=False, help_text="Exactly this form type.")


class DefinitionAnswer(serializers.Serializer[Any]):
    """One field. An empty `choices`, `minimum` … says that there is no such limit; empty `writer_roles`: every role."""

    name = serializers.CharField()
    label_en = serializers.CharField()
    label_zh = serializers.CharField()
    value_type = serializers.ChoiceField(choices=FieldDefinition.ValueType.choices)
    choices = serializers.ListField(child=serializers.CharField())
    minimum = serializers.FloatField(allow_null=True)
    maximum = serializers.FloatField(allow_null=True)
    max_length = serializers.IntegerField()
    aliases = serializers.ListField(
        child=serializers.CharField(), help_text="Words that name it in a recall."
    )
    multi_valued = serializers.BooleanField()
    key_attribute = serializers.BooleanField()
    safety = serializers.BooleanField(help_text="Told in every recall.")
    importance = serializers.FloatField(source="default_importance")
    conflict_policy = serializers.ChoiceField(choices=FieldDefinition.ConflictPolicy.choices)
    tolerance = serializers.FloatField(allow_null=True, help_text="A share for numbers, hours for dates.")
    lifetime_days = serializers.IntegerField(allow_null=True)
    review_mode = serializers.ChoiceField(choices=FieldDefinition.ReviewMode.choices)
    least_trust_tier = serializers.IntegerField()
    writer_roles = serializers.ListField(child=serializers.ChoiceField(choices=Event.Role.choices))
    may_write = serializers.SerializerMethodField(
        help_text="Whether a value of this key can be stored at all."
    )
    active = serializers.BooleanField(
        help_text="False: it takes no new value; what is stored stays readable."
    )

    @extend_schema_field(bool)
    def get_may_write(self, field: FieldDefinition) -> bool:
        key = self.context["key"]
        is_writer = not field.writer_agents or key.agent_id in field.writer_agents
        return bool(field.active and is_writer and key.trust_tier >= field.least_trust_tier)


class FormTypeAnswer(serializers.Serializer[Any]):
    name = serializers.CharField()
    label_en = serializers.CharField()
    label_zh = serializers.CharField()
    fields = DefinitionAnswer(many=True, source="in_order")  # type: ignore[assignment]  # the member of the answer


FORM_TYPE_EXAMPLE: dict[str, Any] = {
    "name": "contact",
    "label_en": "Contact",
    "label_zh": "联系方式",
    "fields": [
        {
            "name": "address",
            "label_en": "Address",
            "label_zh": "地址",
            "value_type": "text",
            "choices": [],
            "minimum": None,
            "maximum": None,
            "max_length": 500,
            "aliases": ["address", "地址", "收货地址"],
            "multi_valued": False,
            "key_attribute": False,
            "safety": False,
            "importance": 0.8,
            "conflict_policy": "replace",
            "tolerance": None,
            "lifetime_days": None,
            "review_mode": "patrol",
            "least_trust_tier": 1,
            "writer_roles": [],
            "may_write": True,
            "active": True,
        }
    ],
}
