"""Rollbacks: the plan with its digest, and what was done."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from api.serializers.changes import CHANGE_SET_ID
from api.serializers.events import OPERATION_ID
from api.serializers.fields import AnyJson, Flag, JsonObject, OwnerRef, Strict, Text, Whole
from api.serializers.forms import SUBJECT_HELP, VALUE_EXAMPLE
from memoryhub.changes.reverting import MOST_AT_ONCE
from memoryhub.changes.reverting_plan import Skipped
from memoryhub.changes.rollback_preview import PlanItem, RollbackPlan
from memoryhub.models import Change

LARGEST_VERSION = 2**31 - 1
DONE = ("key", "kind", "effect", "conflict", "is_derived", "changes")
"""What is told of an item that was undone; what it said is told by the plan only."""


class RollbackAsk(Strict):
    """First with `dry_run`; then once more with the `digest` of that plan."""

    owner = OwnerRef()
    dry_run = Flag(default=False, help_text="True: only look. Nothing is written.")
    digest = Text(
        max_length=64,
        required=False,
        allow_null=True,
        default=None,
        help_text="Of the plan that was looked at. Needed to execute (422); 409 when the memory has moved since.",
    )
    ticked = serializers.ListField(
        child=serializers.UUIDField(),
        max_length=MOST_AT_ONCE,
        default=list,
        help_text="Keys of conflicting items whose later edit is to go as well.",
    )
    reason = Text(
        max_length=500, allow_blank=True, default="", help_text="Left out: a sentence with the numbers."
    )


class MemoryRollbackAsk(RollbackAsk):
    to = serializers.UUIDField(
        required=False,
        allow_null=True,
        default=None,
        help_text="A memory of the same history that shall be current again. Left out: this one is taken back.",
    )
    to_seq = serializers.IntegerField(
        required=False,
        allow_null=True,
        default=None,
        min_value=1,
        max_value=2**63 - 1,
        help_text="The same by the `seq` of a wording, as the history shows it; wins over `to`.",
    )


class FieldRollbackAsk(RollbackAsk):
    subject = Text(max_length=200, allow_blank=True, default="", help_text=SUBJECT_HELP)
    version = Whole(
        min_value=1,
        max_value=LARGEST_VERSION,
        required=False,
        allow_null=True,
        default=None,
        help_text="The version that shall be current again. Left out: the one that stands is taken back.",
    )


class RollbackItemAnswer(serializers.Serializer[None]):
    """One slot or proposal. A plan says what stood before the changes, what stands now, and what will."""

    key = serializers.CharField()
    kind = serializers.ChoiceField(choices=Change.Target.choices)
    effect = serializers.CharField(
        help_text="restore, retract, reapply, keep, history, relabel, unconfirm, withdraw, repropose or unchanged."
    )
    conflict = serializers.CharField(help_text="later_edit, confirmed_elsewhere, or empty.")
    is_derived = serializers.BooleanField()
    changes = serializers.ListField(child=serializers.UUIDField())
    form_type = serializers.CharField(required=False)
    subject = serializers.CharField(required=False)
    field = serializers.CharField(required=False)
    before = AnyJson(required=False, allow_null=True)
    now = AnyJson(required=False, allow_null=True)
    after = AnyJson(required=False, allow_null=True)
    target = serializers.UUIDField(required=False, allow_null=True)
    served = serializers.IntegerField(required=False, help_text="Recalls that told what would go.")
    support = serializers.IntegerField(required=False, help_text="Of a derived item: sources that are left.")


class SkippedAnswer(serializers.Serializer[None]):
    code = serializers.CharField(
        help_text="owner_frozen, owner_erased, nothing_to_undo or history_incomplete."
    )
    changes = serializers.ListField(child=serializers.UUIDField())


class RollbackAnswer(serializers.Serializer[None]):
    """A plan (`dry_run`, with its `digest`), or what was done (`change_set`), or is being done (`operation`)."""

    dry_run = serializers.BooleanField()
    digest = serializers.CharField(allow_null=True)
    change_set = serializers.UUIDField(
        allow_null=True,
        help_text="Rolling it back brings everything back. Null when there was nothing to undo.",
    )
    operation = serializers.UUIDField(
        allow_null=True, help_text=f"More than {MOST_AT_ONCE} changes are undone in the background."
    )
    needs_job = serializers.BooleanField(required=False)
    changes = serializers.IntegerField()
    counts = JsonObject(help_text="Items per effect.")
    recalls = serializers.IntegerField(required=False, help_text="Recalls that told any of what would go.")
    reason = serializers.CharField(required=False)
    items = RollbackItemAnswer(many=True)
    kept_derived = RollbackItemAnswer(many=True, required=False)
    skipped = SkippedAnswer(many=True)


def plan_body(plan: RollbackPlan) -> dict[str, Any]:
    return {
        "dry_run": True,
        "digest": plan.digest,
        "change_set": None,
        "operation": None,
        "needs_job": plan.needs_job,
        "changes": plan.changes,
        "counts": plan.counts,
        "recalls": plan.recalls,
        "reason": plan.reason,
        "items": [_planned(item) for item in plan.items],
        "kept_derived": [_planned(item) for item in plan.kept_derived],
        "skipped": [_skipped(skip) for skip in plan.skipped],
    }


def result_body(kept: dict[str, Any]) -> dict[str, Any]:
    """From what a rollback keeps of itself: ids and codes. In one order of members, whether fresh or kept."""
    return {
        "dry_run": False,
        "digest": None,
        "change_set": next(iter(kept["change_sets"]), None),
        "operation": kept["job"],
        "changes": kept["changes"],
        "counts": dict(sorted(kept["counts"].items())),
        "items": [{name: item[name] for name in DONE} for item in kept["items"]],
        "skipped": [{"code": skip["code"], "changes": skip["changes"]} for skip in kept["skipped"]],
    }


def _planned(item: PlanItem) -> dict[str, Any]:
    return {
        "key": item.key,
        "kind": item.kind,
        "effect": item.effect,
        "conflict": item.conflict,
        "is_derived": item.is_derived,
        "changes": item.change_ids,
        "form_type": item.form_type,
        "subject": item.form_subject,
        "field": item.field_name,
        "before": item.before,
        "now": item.now,
        "after": item.after,
        "target": item.target_id,
        "served": item.served,
        "support": item.support,
    }


def _skipped(skip: Skipped) -> dict[str, Any]:
    return {"code": skip.code, "changes": skip.change_ids}


CHANGE_ID = "0199f0c2-5d1e-7c3a-9b7e-2f6d1a4c8e05"
DIGEST = "3f0e6f7a3c1b2d4e5f60718293a4b5c6d7e8f90123456789abcdef0123456789"
DONE_ITEM: dict[str, Any] = {
    "key": CHANGE_ID,
    "kind": "field_version",
    "effect": "restore",
    "conflict": "",
    "is_derived": False,
    "changes": [CHANGE_ID],
}
PLAN_EXAMPLE: dict[str, Any] = {
    "dry_run": True,
    "digest": DIGEST,
    "change_set": None,
    "operation": None,
    "needs_job": False,
    "changes": 1,
    "counts": {"restore": 1},
    "recalls": 7,
    "reason": "Rolled back 1 change made 2026-03-01 08:00 UTC",
    "items": [
        {
            **DONE_ITEM,
            "form_type": "preferences",
            "subject": "咖啡",
            "field": "attitude",
            "before": "likes",
            "now": "dislikes",
            "after": "likes",
            "target": VALUE_EXAMPLE["id"],
            "served": 7,
            "support": 0,
        }
    ],
    "kept_derived": [],
    "skipped": [],
}
RESULT_EXAMPLE: dict[str, Any] = {
    "dry_run": False,
    "digest": None,
    "change_set": CHANGE_SET_ID,
    "operation": None,
    "changes": 1,
    "counts": {"restore": 1},
    "items": [DONE_ITEM],
    "skipped": [],
}
QUEUED_EXAMPLE: dict[str, Any] = {
    **RESULT_EXAMPLE,
    "operation": OPERATION_ID,
    "changes": 812,
    "counts": {},
    "items": [],
}
