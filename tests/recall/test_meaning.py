"""The meaning leg against the plain arithmetic it stands for."""

from __future__ import annotations

import pytest

from memoryhub.database.prepared import prepared_cursor
from memoryhub.database.scope import scope
from memoryhub.language.embedders import current_embedder
from memoryhub.language.scoring import cover, meaning_score
from memoryhub.language.tokens import lexical_tokens, query_tokens, token_length
from memoryhub.models import SearchEntry
from memoryhub.recall.meaning import Near, near
from tests.recall.stories import Story, begin

QUESTION = "why does the harbour crane squeak, 吊车为什么响"
SENTENCES = (
    "the crane in the harbour squeaks",
    "crane crane crane crane crane and a harbour",
    "港口的吊车又响了，吊车吊车",
    "nothing to do with it",
    "why not",
    "a squeak squeaked squeakily in the harbour's crane",
)


@pytest.fixture
def story(db: None) -> Story:
    story = begin()
    story.say(*SENTENCES)
    story.item("the crane is from 1974")
    story.index()
    return story


def ask(
    story: Story, *, live: bool = True, kinds: tuple[str, ...] = ("event", "item"), with_vector: bool = True
) -> Near:
    embedder = current_embedder()
    with (
        scope(workspace_id=story.source.workspace_id, owners=[story.owner.id], purpose="test"),
        prepared_cursor() as cursor,
    ):
        return near(
            cursor,
            owner_id=story.owner.id,
            search_no=story.owner.search_no,
            tokens=query_tokens(QUESTION),
            names=[],
            kinds=kinds,
            vector=embedder.embed_query(QUESTION) if with_vector else None,
            model=embedder.name,
            live=live,
            limit=100,
        )


def scores_by_hand(story: Story, *, of_windows: bool) -> dict[object, float]:
    """meaning by target, from the texts alone."""
    entries = [
        entry for entry in SearchEntry.objects.of(story.owner.id) if (entry.kind == "window") == of_windows
    ]
    tokens = query_tokens(QUESTION)
    bags = {entry.target_id: lexical_tokens(entry.text) for entry in entries}
    frequencies = {target: {token: len(places) for token, places in bag} for target, bag in bags.items()}
    rows = [
        (target, frequencies[target], token_length(bag))
        for target, bag in bags.items()
        if any(token in frequencies[target] for token in tokens)
    ]
    covered = cover(tokens, rows)
    embedder = current_embedder()
    asked = embedder.embed_query(QUESTION)
    cosines = {entry.target_id: float(embedder.embed_passages([entry.text])[0] @ asked) for entry in entries}
    return {target: meaning_score(cosine, covered.get(target, 0.0)) for target, cosine in cosines.items()}


def test_a_turn_counts_half_and_its_window_half(story: Story) -> None:
    own, windows = scores_by_hand(story, of_windows=False), scores_by_hand(story, of_windows=True)
    expected = {
        target: 0.5 * score + 0.5 * windows[target] if target in windows else score
        for target, score in own.items()
    }
    found = ask(story)
    assert len(expected) == len(SENTENCES) + 1
    assert found.hits.keys() == expected.keys()
    for target, hit in found.hits.items():
        assert hit.meaning == pytest.approx(expected[target], abs=2e-3)
    assert found.compared == len(expected)


def test_without_a_vector_the_words_answer(story: Story) -> None:
    found = ask(story, with_vector=False)
    assert found.hits
    assert all(hit.cosine is None for hit in found.hits.values())
    best = SearchEntry.objects.of(story.owner.id).get(id=next(iter(found.hits)))
    assert "吊车" in best.text


def test_the_kinds_narrow_what_is_compared(story: Story) -> None:
    assert ask(story, kinds=("item",)).compared == 1
    assert ask(story, kinds=()).hits == {}
