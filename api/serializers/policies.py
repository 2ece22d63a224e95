"""Policies as agents see them: the numbers in force, earlier ones, and the one that is tried on a share of the owners."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from api.serializers.fields import Instant, Strict
from memoryhub.models import PolicyTrial, PolicyVersion
from memoryhub.policies import Policy
from memoryhub.policy_rules import MOVED_BY_RULE, editable_names, policy_from


class PolicyQuery(Strict):
    """Filters of the list."""

    in_force = serializers.BooleanField(
        required=False, help_text="Only the version in force, or only the others."
    )


class PolicyTrialAnswer(serializers.Serializer[Any]):
    """Always the same owners are answered by the version; the others by `control`."""

    number = serializers.IntegerField()
    share = serializers.IntegerField(help_text="Percent of the owners.")
    state = serializers.ChoiceField(
        choices=[PolicyTrial.State.RUNNING.value, PolicyTrial.State.HALTED.value],
        help_text="halted: everybody is answered by the version in force until a second person decides.",
    )
    control = serializers.IntegerField(source="control.number", help_text="The version it is compared with.")
    started_at = Instant()


class PolicyAnswer(serializers.Serializer[Any]):
    """One version; it never changes. A recall says by which it went (`policy_version`: its `id`)."""

    id = serializers.UUIDField()
    number = serializers.IntegerField()
    name = serializers.CharField()
    in_force = serializers.BooleanField(source="is_current")
    based_on = serializers.IntegerField(source="based_on.number", default=None, allow_null=True)
    created_at = Instant()
    values = serializers.SerializerMethodField(help_text="Every number, whole.")
    trial = serializers.SerializerMethodField(help_text="Its trial on a share of the owners, if one is open.")

    @extend_schema_field({"type": "object", "additionalProperties": {}})
    def get_values(self, version: PolicyVersion) -> dict[str, Any]:
        policy = policy_from(version.values)
        return {name: getattr(policy, name) for name in editable_names() if name not in MOVED_BY_RULE}

    @extend_schema_field(PolicyTrialAnswer(allow_null=True))
    def get_trial(self, version: PolicyVersion) -> dict[str, Any] | None:
        trials = version.open_trials  # type: ignore[attr-defined]  # prefetched
        return dict(PolicyTrialAnswer(trials[0]).data) if trials else None


POLICY_EXAMPLE: dict[str, Any] = {
    "id": "0199f0c2-5d1e-7c3a-9b7e-2f6d1a4c8e01",
    "number": 2,
    "name": "wider",
    "in_force": False,
    "based_on": 1,
    "created_at": "2026-03-01T08:00:00.000000Z",
    "values": {name: getattr(Policy(top_k=8), name) for name in editable_names()},
    "trial": {
        "number": 1,
        "share": 20,
        "state": "running",
        "control": 1,
        "started_at": "2026-03-02T08:00:00.000000Z",
    },
}
