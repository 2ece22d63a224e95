"""What a plain vector store shows of the same conversation: chunks of 512 tokens, the nearest k to a question for the topic.

Made with care, so that what it gets wrong is not for want of it: chunks are cut between turns and never inside one, k chunks may
hold more tokens than `/context/` may fill, and whoever reads them knows which statements are about the topic and whose they are.

It is held to what memory is held to: chunks are read in the order of their rank and from top to bottom, nothing in them says which
value holds, so the first statement that is read is what is shown as current. It is right when that is the newest one, and stale
when an older one stands above it. Beside it stands a perfect reader, who sorts the same chunks out by himself and is right
whenever the newest statement can be seen to be the last: what of the work is left to the model. The path is right when every
statement is there in order. It is never asked for reasons, for what was refused, or to tell other people's values apart.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from memoryhub.evaluation.decisions import Checkpoint, Conversation, Turn
from memoryhub.language.counting import count_tokens
from memoryhub.language.embedders import Embedder

CHUNK_TOKENS = 512
TOP_K = 2
"""1,024 tokens, a little more than the 800 that memory may fill."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Retrieved:
    """`current`, `path`, `stale` as a checkpoint's verdict has them; `read_well`: what a perfect reader makes of the chunks."""

    current: bool
    path: bool | None
    stale: bool
    read_well: bool


def retrieve(
    conversation: Conversation, point: Checkpoint, *, embedder: Embedder, top_k: int = TOP_K
) -> Retrieved:
    """What the baseline shows at a checkpoint. The embedder is the one that recall uses."""
    turns = conversation.turns[: point.turns]
    chunks = chunks_of(turns)
    ranked = _nearest(point.question, [_text(turns[start:stop]) for start, stop in chunks], embedder)[:top_k]
    stated = [place for place, turn in enumerate(turns) if point.check.topic in turn.states]
    order = [
        place for chunk in ranked for place in range(*chunks[chunk]) if place in stated
    ]  # as they are read
    return judge_statements(order, stated, with_path=len(point.check.path) > 1)


def judge_statements(order: Sequence[int], stated: Sequence[int], *, with_path: bool) -> Retrieved:
    """`stated` are the places of all statements of a topic, the newest last; `order` those that are shown, as they are read."""
    newest = stated[-1]
    current = bool(order) and order[0] == newest
    return Retrieved(
        current=current,
        path=list(order) == list(stated) if with_path else None,
        stale=bool(order) and not current,
        read_well=_best_chunk(order)[-1:] == [newest],
    )


def _best_chunk(order: Sequence[int]) -> list[int]:
    """The statements up to where the reading jumps back in time or the list ends: those of the best chunk that has any.

    Of a later chunk that goes on in time the reader learns what came after, so its statements count as read together.
    """
    read: list[int] = []
    for place in order:
        if read and place < read[-1]:
            break
        read.append(place)
    return read


def chunks_of(turns: Sequence[Turn]) -> list[tuple[int, int]]:
    """First turn and the turn after the last of each chunk of at most 512 tokens; a longer turn is a chunk of its own."""
    chunks, start, filled = [], 0, 0
    for place, turn in enumerate(turns):
        tokens = count_tokens(_text([turn]))
        if filled and filled + tokens > CHUNK_TOKENS:
            chunks.append((start, place))
            start, filled = place, 0
        filled += tokens
    return [*chunks, (start, len(turns))] if turns else chunks


def _nearest(question: str, texts: Sequence[str], embedder: Embedder) -> list[int]:
    cosines = embedder.embed_passages(list(texts)) @ embedder.embed_query(question)
    return [int(place) for place in np.argsort(-cosines, kind="stable")]


def _text(turns: Sequence[Turn]) -> str:
    return "\n".join(f"{turn.role}: {turn.text}" for turn in turns)
