"""Owner rows are found by their owner, cannot be deleted by the ORM, and carry ids that sort by time."""

from __future__ import annotations

import pytest
from django.apps import apps
from django.db import models

from memoryhub.models import Event, Owner, OwnerModel, RowsAreKept, new_id
from tests.builders import make_source, make_workspace
from tests.models.sound_rows import make_world

TABLES = list(apps.get_app_config("memoryhub").get_models())
OWNED = [model for model in apps.get_models() if issubclass(model, OwnerModel)]


@pytest.mark.parametrize("model", OWNED, ids=lambda model: model.__name__)
def test_no_owner_row_is_deleted_by_the_orm(model: type[OwnerModel]) -> None:
    with pytest.raises(RowsAreKept):
        model.objects.of(new_id()).delete()
    with pytest.raises(RowsAreKept):
        model.objects.all().delete()
    with pytest.raises(RowsAreKept):
        model(owner_id=new_id()).delete()


@pytest.mark.parametrize("model", OWNED, ids=lambda model: model.__name__)
def test_every_owner_table_is_keyed_by_owner_and_id(model: type[OwnerModel]) -> None:
    assert model._meta.pk_fields == [model._meta.get_field("owner"), model._meta.get_field("id")]


@pytest.mark.parametrize("model", TABLES, ids=lambda model: model.__name__)
def test_every_table_says_what_erasure_does_with_it(model: type[models.Model]) -> None:
    said: str = getattr(model, "erasure", "")
    is_his_own = issubclass(model, OwnerModel | Owner)
    assert said == "own" if is_his_own else said.startswith(("via ", "none: "))


@pytest.mark.django_db
def test_the_same_id_may_belong_to_two_owners_and_each_finds_his_own() -> None:
    source = make_source(make_workspace())
    one, two = make_world(source), make_world(source)
    shared = new_id()
    for world in (one, two):
        Event(
            owner_id=world.owner_id, workspace_id=world.workspace_id, id=shared,
            occurred_at="2026-03-01T12:00Z", content=str(world.owner_id), trust_tier=3,
        ).save(force_insert=True)  # fmt: skip
    for world in (one, two):
        assert Event.objects.of(world.owner_id).get(id=shared).content == str(world.owner_id)


def test_ids_sort_by_the_time_they_were_made() -> None:
    ids = [new_id() for _ in range(1000)]
    assert ids == sorted(ids)
    assert len(set(ids)) == 1000
    assert {made.version for made in ids} == {7}
