"""The ground under every owner-scoped table: its key, its links, and what may be done to it.

An owner's rows are keyed by (owner_id, id), and every link between two of them carries owner_id in both ends, so a link
across owners cannot be written even by raw SQL (DESIGN section 13, "Keys and links").
"""

from __future__ import annotations

from typing import Any, ClassVar, Self
from uuid import UUID

import uuid_utils.compat
from django.db import models
from django.db.models.fields.related_descriptors import ForwardManyToOneDescriptor


def new_id() -> UUID:
    """A UUIDv7: sorts by the time it was made, so keys are inserted at the right end of the index."""
    return uuid_utils.compat.uuid7()


class OwnerMismatch(ValueError):
    """A row of one owner was to be linked to a row of another; assigning it would silently move the row."""


class RowsAreKept(RuntimeError):
    """Owner rows leave the database only through the purge door (database.purge), never through the ORM."""


class _SameOwnerDescriptor(ForwardManyToOneDescriptor):  # type: ignore[type-arg]
    def __set__(self, instance: Any, value: Any) -> None:
        if value is not None and instance.owner_id is not None and value.owner_id != instance.owner_id:
            raise OwnerMismatch(
                f"{type(instance).__name__}.{self.field.name} must be a row of the same owner"
            )
        super().__set__(instance, value)


class OwnerRow(models.ForeignObject):  # type: ignore[type-arg]
    """A link to another row of the same owner: (owner_id, <name>_id) -> (owner_id, id).

    The `<name>_id` column is declared beside it. The foreign key itself is written by `AddOwnerLinks` in a migration,
    because the ORM cannot express one that shares a column with the primary key.
    """

    forward_related_accessor_class = _SameOwnerDescriptor
    requires_unique_target = False

    def __init__(self, to: Any, column: str, related_name: str = "+", **options: Any) -> None:
        self.link_column = column
        options["on_delete"] = models.DO_NOTHING
        options["from_fields"] = ["owner_id", column]
        options["to_fields"] = ["owner_id", "id"]
        super().__init__(to, related_name=related_name, **options)

    def deconstruct(self) -> Any:
        name, path, args, kwargs = super().deconstruct()
        for key in ("on_delete", "from_fields", "to_fields"):
            kwargs.pop(key, None)
        return name, path, args, {**kwargs, "column": self.link_column}


class OwnerQuerySet[M: models.Model](models.QuerySet[M]):
    def of(self, owner_id: UUID) -> Self:
        """The rows of one owner: the first call of every look."""
        return self.filter(owner_id=owner_id)

    def delete(self) -> tuple[int, dict[str, int]]:
        raise RowsAreKept(self.model.__name__)

    delete.queryset_only = True  # type: ignore[attr-defined]


class OwnerModel(models.Model):
    """A row that belongs to one owner, is found only with its owner, and goes when the owner is erased."""

    runtime_privileges: ClassVar[tuple[str, ...]] = ("SELECT", "INSERT", "UPDATE")
    erasure: ClassVar[str] = "own"

    pk = models.CompositePrimaryKey("owner_id", "id")
    owner = models.ForeignKey("memoryhub.Owner", models.DO_NOTHING, related_name="+", db_index=False)
    id = models.UUIDField(default=new_id, editable=False)
    workspace_id = models.UUIDField()

    objects = OwnerQuerySet.as_manager()

    owner_id: UUID

    class Meta:
        abstract = True

    def delete(self, *args: Any, **kwargs: Any) -> tuple[int, dict[str, int]]:
        raise RowsAreKept(type(self).__name__)


def share(name: str) -> models.CheckConstraint:
    """A column that holds a share: 0 to 1. PostgreSQL sorts NaN above everything, so this refuses NaN too."""
    return models.CheckConstraint(
        condition=models.Q(**{f"{name}__gte": 0, f"{name}__lte": 1}), name=f"%(class)s_{name}_is_a_share"
    )


def trust(name: str) -> models.CheckConstraint:
    """A column that holds a trust tier: 1 (the open web) to 4 (the owner and the operators)."""
    return models.CheckConstraint(
        condition=models.Q(**{f"{name}__gte": 1, f"{name}__lte": 4}), name="%(class)s_trust_is_1_to_4"
    )


def one_of(name: str, choices: type[models.TextChoices]) -> models.CheckConstraint:
    return models.CheckConstraint(
        condition=models.Q(**{f"{name}__in": choices.values}), name=f"%(class)s_{name}_is_known"
    )
