"""A field of the whitelist as plain data, for the pure steps."""

from __future__ import annotations

from typing import Any

from memoryhub.models import new_id
from memoryhub.writing.whitelist import FieldSpec


def field_spec(**changes: Any) -> FieldSpec:
    """An ordinary text field; `changes` are attributes."""
    ordinary: dict[str, Any] = {
        "id": new_id(),
        "form_type_id": new_id(),
        "form_type": "user_profile",
        "name": "location",
        "label_en": "Location",
        "label_zh": "所在城市",
        "value_type": "text",
        "choices": (),
        "minimum": None,
        "maximum": None,
        "max_length": 500,
        "multi_valued": False,
        "key_attribute": False,
        "safety": False,
        "default_importance": 0.7,
        "conflict_policy": "replace",
        "tolerance": None,
        "lifetime_days": None,
        "review_mode": "patrol",
        "least_trust_tier": 1,
        "writer_roles": (),
        "writer_agents": (),
        "decay_rate": 0.02,
        "aliases": (),
    }
    return FieldSpec(**ordinary | changes)
