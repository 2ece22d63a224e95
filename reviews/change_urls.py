"""Addresses of changes, rollbacks, memories, suspects and incidents."""

from django.urls import URLPattern, path

from reviews.views.blast_radius import blast_radius, blast_radius_file
from reviews.views.change import change
from reviews.views.change_set import change_set
from reviews.views.changes import changes
from reviews.views.incidents import (
    incident,
    incident_attach,
    incident_chart,
    incident_close,
    incident_csv,
    incident_json,
    incident_new,
    incident_scope,
    incidents,
)
from reviews.views.list_exports import changes_export, incidents_export
from reviews.views.memories import memories, memories_chart
from reviews.views.memory import compare, memory
from reviews.views.memory_bulk import memories_reverify, memories_withdraw
from reviews.views.memory_edit import memory_edit, memory_key
from reviews.views.memory_export import memories_export
from reviews.views.procedure import procedure_edit, procedure_new
from reviews.views.promote import promote
from reviews.views.rollback import rollback_button, rollback_execute, rollback_new
from reviews.views.rollbacks import rollback, rollback_csv, rollbacks
from reviews.views.saved_views import delete_list_view, save_list_view
from reviews.views.suspects import suspects

urlpatterns: list[URLPattern] = [
    path("changes/", changes, name="changes"),
    path("changes/export.<slug:form>", changes_export, name="changes_export"),
    path("owners/<uuid:owner_id>/changes/<uuid:change_id>/", change, name="change"),
    path("owners/<uuid:owner_id>/changesets/<uuid:change_set_id>/", change_set, name="change_set"),
    path("owners/<uuid:owner_id>/memories/<uuid:memory_id>/", memory, name="memory"),
    path("owners/<uuid:owner_id>/memories/<uuid:memory_id>/compare/", compare, name="compare"),
    path("owners/<uuid:owner_id>/memories/<uuid:memory_id>/edit/", memory_edit, name="memory_edit"),
    path("owners/<uuid:owner_id>/memories/<uuid:memory_id>/key/", memory_key, name="memory_key"),
    path("owners/<uuid:owner_id>/memories/<uuid:memory_id>/promote/", promote, name="promote"),
    path("owners/<uuid:owner_id>/procedures/new/", procedure_new, name="procedure_new"),
    path("owners/<uuid:owner_id>/procedures/<uuid:memory_id>/edit/", procedure_edit, name="procedure_edit"),
    path("memories/", memories, name="memories"),
    path("charts/memories/", memories_chart, name="memories_chart"),
    path("memories/export.<slug:form>", memories_export, name="memories_export"),
    path("memories/withdraw/", memories_withdraw, name="memories_withdraw"),
    path("memories/reverify/", memories_reverify, name="memories_reverify"),
    path("views/<slug:page>/save/", save_list_view, name="save_list_view"),
    path("views/<slug:page>/<uuid:view_id>/delete/", delete_list_view, name="delete_list_view"),
    path("rollback/", rollbacks, name="rollbacks"),
    path("rollback/new/", rollback_new, name="rollback_new"),
    path("rollback/button/", rollback_button, name="rollback_button"),
    path("rollback/execute/", rollback_execute, name="rollback_execute"),
    path("rollback/<uuid:owner_id>/<uuid:change_set_id>/", rollback, name="rollback"),
    path("rollback/<uuid:owner_id>/<uuid:change_set_id>/report.csv", rollback_csv, name="rollback_csv"),
    path("blast-radius/", blast_radius, name="blast_radius"),
    path("blast-radius/reached.<slug:form>", blast_radius_file, name="blast_radius_file"),
    path("suspects/", suspects, name="suspects"),
    path("incidents/", incidents, name="incidents"),
    path("incidents/export.<slug:form>", incidents_export, name="incidents_export"),
    path("incidents/new/", incident_new, name="incident_new"),
    path("incidents/<uuid:incident_id>/", incident, name="incident"),
    path("incidents/<uuid:incident_id>/scope/", incident_scope, name="incident_scope"),
    path("incidents/<uuid:incident_id>/close/", incident_close, name="incident_close"),
    path("incidents/<uuid:incident_id>/attach/", incident_attach, name="incident_attach"),
    path("incidents/<uuid:incident_id>/chart/", incident_chart, name="incident_chart"),
    path("incidents/<uuid:incident_id>/blast.csv", incident_csv, name="incident_csv"),
    path("incidents/<uuid:incident_id>/blast.json", incident_json, name="incident_json"),
]
