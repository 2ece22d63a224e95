"""The figures of an extraction evaluation: precision and recall per kind and language, and what came of the negatives."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rich.table import Table

from memoryhub.evaluation.extraction_quality import Judged
from memoryhub.evaluation.utterances import KINDS, TONGUES, Kind, Tongue


@dataclass(frozen=True, kw_only=True, slots=True)
class Figures:
    """Counts of one kind in one language. Precision is right / (right + wrong), recall right / (right + missed)."""

    right: int
    wrong: int
    missed: int

    @property
    def precision(self) -> float:
        """1 when nothing was kept."""
        return self.right / (self.right + self.wrong) if self.right + self.wrong else 1.0

    @property
    def recall(self) -> float:
        """1 when nothing was expected."""
        return self.right / (self.right + self.missed) if self.right + self.missed else 1.0


@dataclass(frozen=True, kw_only=True, slots=True)
class Negatives:
    """Utterances of which nothing may be kept, and of how many something was."""

    utterances: int
    stored: int

    @property
    def share(self) -> float:
        return self.stored / self.utterances if self.utterances else 0.0


@dataclass(frozen=True, kw_only=True, slots=True)
class ExtractionReport:
    """The figures of one half and one extractor, by language."""

    half: str
    extractor: str
    utterances: dict[Tongue, int]
    kinds: dict[Tongue, dict[Kind, Figures]]
    negatives: dict[Tongue, Negatives]

    def as_json(self) -> dict[str, Any]:
        """half, extractor, and per language utterances, negatives and precision and recall by kind."""
        return {
            "half": self.half,
            "extractor": self.extractor,
            **{tongue: self._language_as_json(tongue) for tongue in self.kinds},
        }

    def _language_as_json(self, tongue: Tongue) -> dict[str, Any]:
        negatives = self.negatives[tongue]
        kinds: dict[str, dict[str, float]] = {
            kind: {
                "expected": figures.right + figures.missed,
                "right": figures.right,
                "wrong": figures.wrong,
                "precision": round(figures.precision, 4),
                "recall": round(figures.recall, 4),
            }
            for kind, figures in self.kinds[tongue].items()
        }
        return {
            "utterances": self.utterances[tongue],
            **kinds,
            "negatives": {
                "utterances": negatives.utterances,
                "stored": negatives.stored,
                "share": round(negatives.share, 4),
            },
        }

    def as_table(self) -> Table:
        """One line a language and kind, then the negatives of the language."""
        table = Table("language", "kind", "expected", "precision", "recall", "wrong", "missed")
        table.title = f"{self.half} half, {self.extractor}"
        for tongue, kinds in self.kinds.items():
            for kind, figures in kinds.items():
                table.add_row(tongue, kind, *_cells(figures))
            negatives = self.negatives[tongue]
            stored = f"{negatives.stored} stored ({negatives.share:.1%})"
            table.add_row(tongue, "negatives", str(negatives.utterances), "", "", stored, "")
        return table

    def faults(
        self,
        *,
        least_precision: float | None = None,
        least_recall: float | None = None,
        most_stored: float | None = None,
    ) -> list[str]:
        """A sentence for each bound over form fields, and over negatives, that a language does not keep."""
        found = []
        for tongue in self.kinds:
            fields, stored = self.kinds[tongue]["field"], self.negatives[tongue].share
            where = f"{self.extractor}, {self.half} half, {tongue}"
            if least_precision is not None and fields.precision < least_precision:
                found.append(f"{where}: precision {fields.precision:.3f} is below {least_precision}")
            if least_recall is not None and fields.recall < least_recall:
                found.append(f"{where}: recall {fields.recall:.3f} is below {least_recall}")
            if most_stored is not None and stored > most_stored:
                found.append(f"{where}: {stored:.3f} of the negatives were stored, above {most_stored}")
        return found


def report_extraction(judged: Sequence[Judged], *, half: str, extractor: str) -> ExtractionReport:
    """The figures over all judged utterances; a language without utterances is left out."""
    by_tongue = {tongue: [each for each in judged if each.utterance.tongue == tongue] for tongue in TONGUES}
    present: dict[Tongue, list[Judged]] = {tongue: those for tongue, those in by_tongue.items() if those}
    return ExtractionReport(
        half=half,
        extractor=extractor,
        utterances={tongue: len(those) for tongue, those in present.items()},
        kinds={tongue: {kind: _figures(those, kind) for kind in KINDS} for tongue, those in present.items()},
        negatives={tongue: _negatives(those) for tongue, those in present.items()},
    )


def _figures(judged: Sequence[Judged], kind: Kind) -> Figures:
    return Figures(
        right=sum(expected.what == kind for each in judged for expected, _ in each.right),
        wrong=sum(kept.what == kind for each in judged for kept in each.wrong),
        missed=sum(expected.what == kind for each in judged for expected in each.missed),
    )


def _negatives(judged: Sequence[Judged]) -> Negatives:
    negative = [each for each in judged if each.utterance.negative]
    return Negatives(utterances=len(negative), stored=sum(bool(each.wrong) for each in negative))


def _cells(figures: Figures) -> list[str]:
    return [
        str(figures.right + figures.missed),
        f"{figures.precision:.3f}",
        f"{figures.recall:.3f}",
        str(figures.wrong),
        str(figures.missed),
    ]


def misses_of(judged: Sequence[Judged]) -> list[str]:
    """A line for everything missed and everything wrongly kept, for whoever tunes on the develop half."""
    lines = []
    for each in judged:
        about = f"{each.utterance.id} {each.utterance.text!r}"
        lines += [
            f"missed {expected.what} {expected.field}={expected.value!r} {' '.join(expected.contains)}: {about}"
            for expected in each.missed
        ]
        lines += [
            f"wrong {kept.what} {kept.field}[{kept.subject}]={kept.value!r} {kept.text}: {about}"
            for kept in each.wrong
        ]
    return lines
