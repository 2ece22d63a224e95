"""The provider drill holds, every fault was really met, and its report says so only when everything does."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from django.conf import settings

from memoryhub.evaluation.faulty_provider import FAULTS
from memoryhub.evaluation.provider_drill import OWNERS, run_provider_drill
from memoryhub.evaluation.recall_quality import scratch_workspace
from memoryhub.jobs.tasks import run_job
from memoryhub.models import ModelUsage, ProviderState


@pytest.mark.django_db
@pytest.mark.slow
def test_no_fault_of_a_provider_costs_a_fact_or_stores_a_wrong_vector() -> None:
    before = (settings.EXTRACTOR, settings.EMBEDDER, settings.CHAT_URL)
    with scratch_workspace(keep=True) as workspace:
        report = run_provider_drill(workspace, run_job=run_job, events_per_fault=1)
    assert report.holds, report
    assert [found.fault for found in report.faults] == list(FAULTS)
    assert report.events == len(FAULTS) * OWNERS
    assert report.vectors >= report.events
    # The faults were met, and some events were seen to fail before they were sent round again.
    assert ModelUsage.objects.filter(workspace=workspace, failures__gt=0).exists()
    assert any(found.failed_visibly for found in report.faults)
    assert set(ProviderState.objects.values_list("open_until", flat=True)) == {None}
    assert before == (settings.EXTRACTOR, settings.EMBEDDER, settings.CHAT_URL)

    for name in ("lost", "twice", "out_of_order", "wrong_vectors", "missing_vectors", "open_jobs"):
        changed: Any = {name: 1}
        assert not replace(report, **changed).holds
    assert not replace(report, processed=report.events - 1).holds
    unanswered = replace(report.faults[0], recalls=OWNERS - 1)
    assert not replace(report, faults=(unanswered, *report.faults[1:])).holds
