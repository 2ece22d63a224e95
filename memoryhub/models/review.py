"""People's decisions about changes, and what they leave behind: tombstones and questions."""

from __future__ import annotations

from typing import ClassVar

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q
from django.db.models.functions import Now

from .base import OwnerModel, OwnerRow, new_id, one_of, share
from .change import Change


class ReviewKind(models.TextChoices):
    PROPOSAL = "proposal"
    RECHECK = "recheck"
    PATROL = "patrol"


class ReviewState(models.TextChoices):
    OPEN = "open"
    DEFERRED = "deferred"
    WAITING_OWNER = "waiting_owner"
    SECOND_REVIEW = "second_review"
    DECIDED = "decided"


class ReviewOutcome(models.TextChoices):
    APPROVED = "approved"
    EDITED = "edited"
    REJECTED = "rejected"
    MERGED = "merged"
    REAFFIRMED = "reaffirmed"
    RETRACTED = "retracted"
    WITHDRAWN = "withdrawn"


class RejectReason(models.TextChoices):
    EVIDENCE_MISSING = "evidence_missing"
    EVIDENCE_CONTRADICTS = "evidence_contradicts"
    JOKE_OR_SARCASM = "joke_or_sarcasm"
    WRONG_OWNER = "wrong_owner"
    PRONOUN_UNRESOLVED = "pronoun_unresolved"
    TEMPORARY_STATE = "temporary_state"
    DUPLICATE = "duplicate"
    SUPERSEDED_BY_NEWER = "superseded_by_newer"
    SENSITIVE_DATA = "sensitive_data"
    PROMPT_INJECTION = "prompt_injection"
    FIELD_NOT_ALLOWED = "field_not_allowed"
    OTHER = "other"


class Review(OwnerModel):
    """One thing a person should look at: a proposal, a value to re-check, or a sample of what was applied by itself.

    A claim is a lease (`claimed_by_id` until `claim_expires_at`), not a state. `version` moves with every decision and with
    the text under review; deciding names the version that was shown. In the highest class (`is_top_class`) two people say yes.
    """

    Kind = ReviewKind
    State = ReviewState
    Outcome = ReviewOutcome
    MOVES: ClassVar[dict[str, frozenset[str]]] = {
        "open": frozenset({"deferred", "waiting_owner", "second_review", "decided"}),
        "deferred": frozenset({"open", "decided"}),
        "waiting_owner": frozenset({"open", "decided"}),
        "second_review": frozenset({"open", "decided"}),
        "decided": frozenset({"open"}),
    }

    change_id = models.UUIDField()
    change = OwnerRow(Change, "change_id", related_name="reviews")
    kind = models.CharField(max_length=10, choices=Kind.choices)
    state = models.CharField(max_length=14, choices=State.choices, default=State.OPEN)
    outcome = models.CharField(max_length=12, choices=Outcome.choices, blank=True)
    version = models.PositiveIntegerField(default=1)
    risk = models.FloatField(help_text="share; see risk_parts")
    risk_parts = models.JSONField(default=list)
    is_top_class = models.BooleanField(default=False)
    is_regressed = models.BooleanField(default=False)
    four_eyes = models.BooleanField(default=True, help_text="false where the installation has FOUR_EYES off")
    responsible_user_id = models.BigIntegerField(null=True, help_text="who answers for the change")
    first_user_id = models.BigIntegerField(null=True, help_text="who said yes first, in the highest class")
    decided_by_id = models.BigIntegerField(null=True)
    claimed_by_id = models.BigIntegerField(null=True)
    claim_expires_at = models.DateTimeField(null=True)
    deferred_until = models.DateTimeField(null=True)
    due_at = models.DateTimeField(null=True)
    takes_effect_at = models.DateTimeField(
        null=True, help_text="an approval of the highest class waits until then"
    )
    created_at = models.DateTimeField(db_default=Now())
    decided_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["owner", "change_id", "kind"],
                condition=~Q(state="decided"),
                name="one_open_review_per_change",
            ),
            one_of("kind", ReviewKind),
            one_of("state", ReviewState),
            share("risk"),
            models.CheckConstraint(
                condition=(Q(state="decided") & ~Q(outcome="") & Q(decided_at__isnull=False))
                | (~Q(state="decided") & Q(outcome="")),
                name="decided_means_has_an_outcome",
            ),
            models.CheckConstraint(
                condition=Q(four_eyes=False)
                | Q(decided_by_id__isnull=True)
                | Q(responsible_user_id__isnull=True)
                | Q(outcome="withdrawn")
                | ~Q(decided_by_id=F("responsible_user_id")),
                name="nobody_decides_his_own_change",
            ),
            models.CheckConstraint(
                condition=Q(four_eyes=False)
                | Q(first_user_id__isnull=True)
                | Q(responsible_user_id__isnull=True)
                | ~Q(first_user_id=F("responsible_user_id")),
                name="nobody_seconds_his_own_change",
            ),
            models.CheckConstraint(
                condition=Q(four_eyes=False)
                | Q(is_top_class=False)
                | ~Q(outcome__in=["approved", "edited"])
                | (
                    Q(first_user_id__isnull=False)
                    & Q(decided_by_id__isnull=False)
                    & ~Q(first_user_id=F("decided_by_id"))
                ),
                name="the_highest_class_takes_two_people",
            ),
        ]
        indexes = [
            models.Index(
                fields=["workspace_id", "-risk", "created_at"],
                condition=~Q(state="decided"),
                name="review_queue",
            ),
            models.Index(
                fields=["workspace_id", "-decided_at"], condition=Q(state="decided"), name="review_decided"
            ),
            models.Index(fields=["owner", "change_id"], name="review_change"),
        ]


class ReviewStep(OwnerModel):
    """One act of a person on a review; append-only. Free text is about the decision, never a copy of the memory."""

    runtime_privileges: ClassVar[tuple[str, ...]] = ("SELECT", "INSERT")

    review_id = models.UUIDField()
    review = OwnerRow(Review, "review_id", related_name="steps")
    action = models.CharField(max_length=20)
    user_id = models.BigIntegerField(null=True)
    reason_code = models.CharField(max_length=40, blank=True)
    note = models.CharField(max_length=1000, blank=True)
    version = models.PositiveIntegerField()
    change_set_id = models.UUIDField(null=True, help_text="what the step applied")
    change_set = OwnerRow("memoryhub.ChangeSet", "change_set_id", null=True)
    edited = models.JSONField(null=True, help_text="the third version of an approval with edit")
    until = models.DateTimeField(null=True)
    at = models.DateTimeField(db_default=Now())

    class Meta:
        indexes = [models.Index(fields=["owner", "review_id", "at"], name="review_step_list")]


class Tombstone(OwnerModel):
    """A keyed hash of a value that was rejected or rolled back: it does not come back by another path.

    HMAC(owner key, scope | normalised value): dies with the owner's key. Lifted by a person, by undoing the decision, or by
    fresh evidence from another source (which then goes to review as regressed).
    """

    scope = models.CharField(max_length=300, help_text="form type, subject and field, or 'item'")
    digest = models.BinaryField(max_length=32)
    reason_code = models.CharField(max_length=40)
    change_id = models.UUIDField(null=True)
    change = OwnerRow(Change, "change_id", null=True)
    event_id = models.UUIDField(
        null=True, help_text="the source that said it; another source is fresh evidence"
    )
    event = OwnerRow("memoryhub.Event", "event_id", null=True)
    agent_id = models.UUIDField(null=True)
    created_at = models.DateTimeField(db_default=Now())
    lifted_at = models.DateTimeField(null=True)
    lifted_by_id = models.BigIntegerField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["owner", "digest"],
                condition=Q(lifted_at=None),
                name="one_standing_tombstone_per_value",
            ),
        ]


class QuestionState(models.TextChoices):
    OPEN = "open"
    ANSWERED = "answered"
    EXPIRED = "expired"
    WITHDRAWN = "withdrawn"


class Question(OwnerModel):
    """Something the agent should ask its user before going on: a conflict, or a value nobody is sure of."""

    State = QuestionState

    kind = models.CharField(max_length=20, help_text="conflict | uncertain | review | outdated")
    change_id = models.UUIDField(null=True)
    change = OwnerRow(Change, "change_id", null=True)
    form_type = models.CharField(max_length=60, blank=True)
    form_subject = models.CharField(max_length=200, blank=True)
    field_name = models.CharField(max_length=60, blank=True)
    text = models.TextField(help_text="ready to be asked, in the owner's language")
    choices = models.JSONField(default=list, help_text="answers that are understood: code and value")
    state = models.CharField(max_length=10, choices=State.choices, default=State.OPEN)
    answer = models.JSONField(null=True)
    answer_event_id = models.UUIDField(null=True)
    answer_event = OwnerRow("memoryhub.Event", "answer_event_id", null=True)
    asked_by_id = models.BigIntegerField(null=True)
    created_at = models.DateTimeField(db_default=Now())
    expires_at = models.DateTimeField()
    answered_at = models.DateTimeField(null=True)
    close_code = models.CharField(
        max_length=40,
        blank=True,
        help_text="why it ended without an answer: unanswered, or what an agent said",
    )

    class Meta:
        constraints = [
            one_of("state", QuestionState),
            models.UniqueConstraint(
                fields=["owner", "change_id"],
                condition=Q(state="open", change_id__isnull=False),
                name="one_open_question_per_change",
            ),
        ]
        indexes = [models.Index(fields=["owner", "-created_at", "-id"], name="question_list")]


class Derivation(OwnerModel):
    """What a consolidated item rests on: another item or a field version. Events are ItemSource rows."""

    item_id = models.UUIDField()
    item = OwnerRow("memoryhub.MemoryItem", "item_id", related_name="derived_from")
    source_item_id = models.UUIDField(null=True)
    source_item = OwnerRow("memoryhub.MemoryItem", "source_item_id", null=True, related_name="derived_items")
    source_version_id = models.UUIDField(null=True)
    source_version = OwnerRow(
        "memoryhub.FieldVersion", "source_version_id", null=True, related_name="derived_items"
    )
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["owner", "item_id", "source_item_id", "source_version_id"],
                name="one_derivation_per_source",
                nulls_distinct=False,
            ),
            models.CheckConstraint(
                condition=~Q(item_id=F("source_item_id")), name="an_item_is_not_derived_from_itself"
            ),
        ]
        indexes = [
            models.Index(fields=["owner", "source_item_id"], name="derivation_source_item"),
            models.Index(fields=["owner", "source_version_id"], name="derivation_source_version"),
        ]


class RecallFeedback(OwnerModel):
    """What an agent says about one served memory: used, useless or harmful; and what a person at the desk judged of a sample.

    Of a person's verdicts about one memory of a recall the last counts. `missed`: it was left out and should have been told.
    """

    runtime_privileges: ClassVar[tuple[str, ...]] = ("SELECT", "INSERT")

    recall_id = models.UUIDField()
    recall = OwnerRow("memoryhub.Recall", "recall_id", related_name="feedback")
    target_id = models.UUIDField()
    verdict = models.CharField(max_length=10, help_text="used | useless | harmful | missed")
    agent_id = models.UUIDField(null=True)
    user_id = models.BigIntegerField(null=True, help_text="a person who judged a sample at the desk")
    at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["owner", "recall_id", "target_id", "verdict"],
                condition=Q(user_id=None),
                name="one_feedback_per_served_memory",
            ),
        ]
        indexes = [
            models.Index(fields=["owner", "target_id"], name="feedback_target"),
            models.Index(fields=["owner", "recall_id", "target_id"], name="feedback_recall"),
        ]


class Incident(models.Model):
    """A pollution incident: a scope, what was done about it, and the conclusion. Holds ids and staff's own words."""

    erasure: ClassVar[str] = (
        "none: ids and staff's own words; the scope's owner ids are dropped with the owner"
    )

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    workspace_id = models.UUIDField()
    title = models.CharField(max_length=200)
    scope = models.JSONField(
        default=dict, help_text="the rollback scope: agent, key, session, event, owner, from, until"
    )
    state = models.CharField(max_length=10, default="open")
    conclusion = models.CharField(max_length=2000, blank=True)
    change_set_ids = ArrayField(models.UUIDField(), default=list, blank=True)
    opened_by_id = models.BigIntegerField(null=True)
    closed_by_id = models.BigIntegerField(null=True)
    created_at = models.DateTimeField(db_default=Now())
    closed_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.CheckConstraint(condition=Q(state__in=["open", "closed"]), name="incident_state_is_known")
        ]
        indexes = [models.Index(fields=["workspace_id", "-created_at"], name="incident_list")]


class SavedView(models.Model):
    """A named query string of a list page."""

    erasure: ClassVar[str] = "none: filters of staff"
    runtime_privileges: ClassVar[tuple[str, ...]] = ("SELECT", "INSERT", "UPDATE", "DELETE")

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    workspace_id = models.UUIDField()
    page = models.CharField(max_length=40)
    name = models.CharField(max_length=80)
    params = models.CharField(max_length=1000)
    user_id = models.BigIntegerField()
    is_shared = models.BooleanField(default=False)
    is_default = models.BooleanField(default=False)
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["user_id", "page", "name"], name="one_saved_view_per_name")
        ]
