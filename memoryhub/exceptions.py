"""What can go wrong, by name. The API turns each into one status and code; nothing here carries memory content."""

from __future__ import annotations

from typing import Any


class MemoryhubError(Exception):
    """A refusal with a stable code. `field` names the input it is about."""

    code = "error"
    status = 400

    def __init__(self, message: str = "", *, field: str = "", details: dict[str, Any] | None = None) -> None:
        super().__init__(message or self.code)
        self.field = field
        self.details = details or {}


class InvalidInput(MemoryhubError):
    """The input breaks a stated rule; `code` of the instance names the rule."""

    def __init__(
        self, message: str, *, field: str, code: str = "invalid", details: dict[str, Any] | None = None
    ) -> None:
        super().__init__(message, field=field, details=details)
        self.code = code


class TooLarge(InvalidInput):
    status = 413


class _AboutOwner(MemoryhubError):
    def __init__(self, owner: Any = None) -> None:
        super().__init__()
        self.owner = owner


class UnknownOwner(_AboutOwner):
    code = "not_found"
    status = 404


class OwnerFrozen(_AboutOwner):
    code = "owner_frozen"
    status = 423


class OwnerErasing(_AboutOwner):
    code = "owner_erased"
    status = 410


class NotFound(MemoryhubError):
    code = "not_found"
    status = 404


class Forbidden(MemoryhubError):
    code = "forbidden"
    status = 403


class IdempotencyConflict(MemoryhubError):
    """The key was used before with another body."""

    code = "idempotency_key_reused"
    status = 422


class IdempotencyInProgress(MemoryhubError):
    """The first request with this key is still running."""

    code = "idempotency_in_progress"
    status = 409


class VersionMoved(MemoryhubError):
    """If-Match names a version that is not the current one any more."""

    code = "version_moved"
    status = 412


class VersionRequired(MemoryhubError):
    code = "version_required"
    status = 428


class TooManyUnprocessed(MemoryhubError):
    """More events wait than the policy allows; try again after `details['retry_after']` seconds."""

    code = "too_many_unprocessed"
    status = 429


class QuotaExceeded(MemoryhubError):
    """A write quota is used up; `details` name the quota, its limit and after how many seconds to come again."""

    code = "quota_exceeded"
    status = 429


class WrongMove(MemoryhubError):
    """A state was asked to go where its table of moves does not lead."""

    code = "wrong_move"
    status = 409


class DecisionVersionMissing(MemoryhubError):
    """A decision must name the version and carry the token that were shown."""

    code = "version_required"
    status = 422


class ReviewMoved(MemoryhubError):
    """The review, or the memory under it, moved since it was shown; `details` says who did what, and when."""

    code = "review_moved"
    status = 409


class EvidenceMismatch(MemoryhubError):
    """The quote does not stand in its event any more, or the event is gone: nothing can be approved on it."""

    code = "evidence_mismatch"
    status = 409


class OwnProposal(MemoryhubError):
    """Whoever answers for a change does not decide it, and nobody is both of the two people of the highest class."""

    code = "own_proposal"
    status = 403


class TooLateToUndo(MemoryhubError):
    """More than the undo time has passed, or something was built on the decision; roll it back instead."""

    code = "too_late_to_undo"
    status = 409


class RollbackMoved(MemoryhubError):
    """What the rollback was shown to do is not what it would do now; look at the new preview."""

    code = "rollback_moved"
    status = 409


class DigestRequired(MemoryhubError):
    """A rollback is executed with the digest of the preview that was looked at."""

    code = "digest_required"
    status = 422


class NotOwnChange(MemoryhubError):
    """An agent rolls back what it wrote itself, and nothing a person has decided on."""

    code = "not_own_change"
    status = 403


class ModelUnavailable(MemoryhubError):
    """The model provider gives no answer now; nothing is lost, the same will be asked again."""

    code = "model_unavailable"
    status = 503


class ExtractorNotConfigured(MemoryhubError):
    """Reading by a model was asked for and the settings name none."""

    code = "extractor_not_configured"
    status = 422


class OwnPolicy(MemoryhubError):
    """Who proposed a policy does not decide about it, and nobody else proposes or withdraws it for him."""

    code = "own_policy"
    status = 403


class PolicyMoved(MemoryhubError):
    """Another policy came into force since this one was proposed; propose it again on top of that one."""

    code = "policy_moved"
    status = 409


class TrialRunning(MemoryhubError):
    """Another policy is tried on a share of the owners; one at a time."""

    code = "trial_running"
    status = 409


class PolicyUnmeasured(MemoryhubError):
    """A policy that tells more comes into force only when it was measured how much of that is beside the point.

    `details` name what it raises, how many judged lines are needed and how many there are, and the ways to get them.
    """

    code = "policy_unmeasured"
    status = 409
