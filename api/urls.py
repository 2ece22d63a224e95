"""Addresses for agents, whole paths (`api/v1/…`, `health/…`)."""

from django.urls import URLPattern, URLResolver, path, re_path

from api.views import (
    base,
    blast_radius,
    changes,
    context,
    diagnosing,
    documents,
    events,
    extractions,
    feedback,
    form_types,
    forms,
    health,
    keys,
    memories,
    operations,
    owners,
    questions,
    policies,
    recall,
    reviews,
    rollbacks,
    schema,
    sessions,
    state_check,
)

urlpatterns: list[URLPattern | URLResolver] = [
    path("health/live", health.Live.as_view(), name="health-live"),
    path("health/ready", health.Ready.as_view(), name="health-ready"),
    path("api/schema/", schema.Schema.as_view(), name="schema"),
    path("api/docs/", schema.Docs.as_view(), name="docs"),
    path("api/v1/owners/", owners.OwnerList.as_view(), name="owners"),
    path("api/v1/owners/<path:ref>/", owners.OwnerDetail.as_view(), name="owner"),
    path("api/v1/events/", events.EventList.as_view(), name="events"),
    path("api/v1/events/batch/", events.EventBatch.as_view(), name="events-batch"),
    path("api/v1/events/<uuid:event_id>/", events.EventDetail.as_view(), name="event"),
    path("api/v1/extractions/", extractions.ExtractionList.as_view(), name="extractions"),
    path("api/v1/form-types/", form_types.FormTypeList.as_view(), name="form-types"),
    path("api/v1/forms/", forms.FormList.as_view(), name="forms"),
    path("api/v1/forms/<slug:form_type>/<slug:field>/", forms.FieldDetail.as_view(), name="form-field"),
    path(
        "api/v1/forms/<slug:form_type>/<slug:field>/versions/",
        forms.FieldVersions.as_view(),
        name="form-versions",
    ),
    path("api/v1/memories/", memories.MemoryList.as_view(), name="memories"),
    path("api/v1/memories/batch/", memories.MemoryBatch.as_view(), name="memories-batch"),
    path("api/v1/memories/<uuid:item_id>/", memories.MemoryDetail.as_view(), name="memory"),
    path("api/v1/memories/<uuid:item_id>/history/", memories.MemoryHistory.as_view(), name="memory-history"),
    path("api/v1/documents/", documents.DocumentList.as_view(), name="documents"),
    path("api/v1/documents/<uuid:document_id>/", documents.DocumentDetail.as_view(), name="document"),
    path(
        "api/v1/documents/<uuid:document_id>/versions/",
        documents.DocumentVersionList.as_view(),
        name="document-versions",
    ),
    path(
        "api/v1/documents/<uuid:document_id>/versions/<int:number>/",
        documents.DocumentVersionDetail.as_view(),
        name="document-version",
    ),
    path(
        "api/v1/documents/<uuid:document_id>/publish/",
        documents.DocumentPublication.as_view(),
        name="document-publish",
    ),
    path(
        "api/v1/documents/<uuid:document_id>/verify/",
        documents.DocumentVerification.as_view(),
        name="document-verify",
    ),
    path(
        "api/v1/documents/<uuid:document_id>/archive/",
        documents.DocumentArchiving.as_view(),
        name="document-archive",
    ),
    path("api/v1/context/", context.ContextView.as_view(), name="context"),
    path("api/v1/recall/", recall.RecallView.as_view(), name="recall"),
    path("api/v1/recalls/", recall.RecallList.as_view(), name="recalls"),
    path("api/v1/recalls/<uuid:recall_id>/", recall.RecallDetail.as_view(), name="recall-trace"),
    path("api/v1/recalls/diagnose/", diagnosing.RecallDiagnosis.as_view(), name="recalls-diagnose"),
    path(
        "api/v1/recalls/<uuid:recall_id>/feedback/", feedback.RecallFeedback.as_view(), name="recall-feedback"
    ),
    path("api/v1/changes/", changes.ChangeList.as_view(), name="changes"),
    path("api/v1/changes/<uuid:change_id>/", changes.ChangeDetail.as_view(), name="change"),
    path("api/v1/changesets/", changes.ChangeSetList.as_view(), name="changesets"),
    path("api/v1/changesets/<uuid:change_set_id>/", changes.ChangeSetDetail.as_view(), name="changeset"),
    path(
        "api/v1/changesets/<uuid:change_set_id>/rollback/",
        rollbacks.ChangeSetRollback.as_view(),
        name="changeset-rollback",
    ),
    path(
        "api/v1/memories/<uuid:item_id>/rollback/", rollbacks.MemoryRollback.as_view(), name="memory-rollback"
    ),
    path(
        "api/v1/forms/<slug:form_type>/<slug:field>/rollback/",
        rollbacks.FieldRollback.as_view(),
        name="form-rollback",
    ),
    path("api/v1/reviews/", reviews.ReviewList.as_view(), name="reviews"),
    path("api/v1/reviews/<uuid:review_id>/", reviews.ReviewDetail.as_view(), name="review"),
    path("api/v1/questions/", questions.QuestionList.as_view(), name="questions"),
    path("api/v1/questions/<uuid:question_id>/", questions.QuestionDetail.as_view(), name="question"),
    path(
        "api/v1/questions/<uuid:question_id>/answer/",
        questions.QuestionReply.as_view(),
        name="question-answer",
    ),
    path("api/v1/state-check/", state_check.StateCheckView.as_view(), name="state-check"),
    path("api/v1/blast-radius/", blast_radius.BlastRadiusView.as_view(), name="blast-radius"),
    path("api/v1/suspects/", blast_radius.SuspectList.as_view(), name="suspects"),
    path("api/v1/sessions/", sessions.SessionList.as_view(), name="sessions"),
    path("api/v1/sessions/<str:session_id>/", sessions.SessionDetail.as_view(), name="session"),
    path("api/v1/sessions/<str:session_id>/slots/", sessions.SessionSlots.as_view(), name="session-slots"),
    path(
        "api/v1/sessions/<str:session_id>/restore/", sessions.SessionRestore.as_view(), name="session-restore"
    ),
    path("api/v1/sessions/<str:session_id>/end/", sessions.SessionEnd.as_view(), name="session-end"),
    path(
        "api/v1/sessions/<str:session_id>/outcome/", sessions.SessionOutcome.as_view(), name="session-outcome"
    ),
    path("api/v1/operations/<uuid:job_id>/", operations.OperationDetail.as_view(), name="operation"),
    path("api/v1/keys/", keys.OwnKey.as_view(), name="keys"),
    path("api/v1/keys/rotate/", keys.OwnKeyRotation.as_view(), name="keys-rotate"),
    re_path(r"^(api|health)/", base.UnknownAddress.as_view(), name="unknown"),
]
    path("api/v1/policies/", policies.PolicyList.as_view(), name="policies"),
