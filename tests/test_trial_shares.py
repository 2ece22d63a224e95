"""Which owners a trial answers: always the same ones, and more of them only at the edge."""

from __future__ import annotations

from itertools import pairwise
from uuid import UUID

import pytest

from memoryhub.models import new_id
from memoryhub.trial_shares import is_in_trial, place_of

OWNERS = [UUID(int=number) for number in range(4_000)]


def drawn(version_id: UUID, share: int) -> set[UUID]:
    return {owner for owner in OWNERS if is_in_trial(owner_id=owner, version_id=version_id, share=share)}


def test_a_share_is_that_share_of_the_owners_and_another_share_moves_only_the_edge() -> None:
    version = UUID(int=1)
    shares = [drawn(version, share) for share in (1, 10, 25, 50)]
    for few, many in pairwise(shares):
        assert few < many
    # Six standard deviations: a keyed hash is no worse than a die.
    for share, found in zip((0.01, 0.10, 0.25, 0.50), shares, strict=True):
        assert abs(len(found) / len(OWNERS) - share) < 6 * (share * (1 - share) / len(OWNERS)) ** 0.5
    assert drawn(version, 25) == shares[2]


def test_another_version_draws_anew() -> None:
    one, other = drawn(UUID(int=1), 50), drawn(UUID(int=2), 50)
    assert abs(len(one & other) / len(OWNERS) - 0.25) < 0.05


def test_the_draw_depends_on_the_key_of_the_installation(monkeypatch: pytest.MonkeyPatch) -> None:
    owner, version = new_id(), new_id()
    before = place_of(owner_id=owner, version_id=version)
    assert before == place_of(owner_id=owner, version_id=version)
    monkeypatch.setattr("memoryhub.trial_shares.installation_secret", lambda: b"another")
    assert place_of(owner_id=owner, version_id=version) != before
