"""What a plain script reaches on the same turns and vectors: half the turn's score, half that of its window.

No database, no filters, no recency, no names. The whole path should not do worse than this.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from memoryhub.evaluation.dialogues import CATEGORIES, Dialogue, DialogueTurn
from memoryhub.evaluation.metrics import CUTS, Answer
from memoryhub.evaluation.reporting import RecallReport, report_on
from memoryhub.language.embedders import Embedder, Vectors
from memoryhub.language.scoring import cover, meaning_score
from memoryhub.language.tokens import lexical_tokens, query_tokens, token_length

type Scores = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class _View:
    """One text per turn: its vectors and its bags of tokens, in the order of the turns."""

    vectors: Vectors
    bags: list[tuple[int, dict[str, int], int]]

    @classmethod
    def of(cls, texts: Sequence[str], embedder: Embedder) -> _View:
        bags = []
        for place, text in enumerate(texts):
            tokens = lexical_tokens(text)
            bags.append((place, {token: len(places) for token, places in tokens}, token_length(tokens)))
        return cls(embedder.embed_passages(texts), bags)

    def scores(self, tokens: Sequence[str], vector: Vectors) -> Scores:
        covered = cover(tokens, [bag for bag in self.bags if any(token in bag[1] for token in tokens)])
        cosines = self.vectors @ vector
        return np.array(
            [meaning_score(float(cosine), covered.get(place, 0.0)) for place, cosine in enumerate(cosines)]
        )


def measure_yardstick(dialogues: Sequence[Dialogue], *, embedder: Embedder) -> RecallReport:
    """The report of the plain fusion over the questions that have evidence; tokens and times stay 0."""
    answers = []
    for dialogue in dialogues:
        own = _View.of([_said(turn) for turn in dialogue.turns], embedder)
        windows = _View.of(window_texts(dialogue.turns), embedder)
        for question in dialogue.questions:
            if not question.evidence:
                continue
            tokens, vector = query_tokens(question.text), embedder.embed_query(question.text)
            scores = (own.scores(tokens, vector) + windows.scores(tokens, vector)) / 2
            best = np.argsort(-scores, kind="stable")[: max(CUTS)]
            answers.append(
                Answer(
                    category=CATEGORIES.get(question.category, "uncategorised"),
                    evidence=question.evidence,
                    ranked=tuple(dialogue.turns[place].id for place in best),
                )
            )
    return report_on(answers)


def _said(turn: DialogueTurn) -> str:
    return f"{turn.speaker}: {turn.text}"


def window_texts(turns: Sequence[DialogueTurn]) -> list[str]:
    """Each turn with its neighbours of the same session and the date in front."""
    starts = [
        0,
        *(place for place, (one, two) in enumerate(pairwise(turns), 1) if one.session != two.session),
    ]
    texts = []
    for start, stop in zip(starts, [*starts[1:], len(turns)], strict=True):
        session = turns[start:stop]
        for place, turn in enumerate(session):
            around = session[max(0, place - 1) : place + 2]
            date = f"{turn.occurred_at.day} {turn.occurred_at:%B %Y}"
            texts.append("\n".join([date, *map(_said, around)]))
    return texts
