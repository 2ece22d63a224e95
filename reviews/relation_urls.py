"""Addresses of entities, relations and the vocabulary."""

from django.urls import URLPattern, path

from reviews.views.entities import entities, entities_chart, entity, entity_merge, entity_split
from reviews.views.vocabulary import kind_edit, kind_new, vocabulary

ENTITIES = "owners/<uuid:owner_id>/entities/"
ENTITY = f"{ENTITIES}<uuid:entity_id>/"

urlpatterns: list[URLPattern] = [
    path(ENTITIES, entities, name="entities"),
    path(f"{ENTITIES}chart/", entities_chart, name="entities_chart"),
    path(ENTITY, entity, name="entity"),
    path(f"{ENTITY}merge/", entity_merge, name="entity_merge"),
    path(f"{ENTITY}split/", entity_split, name="entity_split"),
    path("vocabulary/", vocabulary, name="vocabulary"),
    path("vocabulary/<slug:sort>/new/", kind_new, name="kind_new"),
    path("vocabulary/<slug:sort>/<slug:name>/", kind_edit, name="kind_edit"),
]
