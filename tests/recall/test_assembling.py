from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import pytest

from memoryhub.language.counting import count_tokens
from memoryhub.policies import Policy
from memoryhub.recall.answers import Parts, Ranked
from memoryhub.recall.assembling import Block, assemble
from memoryhub.recall.timeline import Step
from tests.recall.candidates import MOMENT, NOW, ranked, step

FAMILY = "👨\u200d👩\u200d👧\u200d👦"


def fill(
    entries: Sequence[Ranked],
    steps: Sequence[Step] = (),
    *,
    budget: int = 800,
    top_k: int = 100,
    language: str = "en",
) -> Block:
    return assemble(
        entries,
        steps,
        moment=MOMENT,
        policy=Policy(),
        language=language,
        zone="Asia/Shanghai",
        budget=budget,
        top_k=top_k,
        nonce="0123456789",
    )


def told(block: Block) -> list[str]:
    return [entry.text for entry in block.served]


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("budget", [800, 333, 120])
def test_b36_the_block_keeps_its_budget_in_chinese_english_and_emoji(language: str, budget: int) -> None:
    texts = [f"第{number}次去西湖边散步{FAMILY}，看到了很多荷花🪷，编号{number}" for number in range(60)]
    texts += [f"walk number {number} around the lake {FAMILY} with lotus flowers" for number in range(60)]
    block = fill([ranked(text) for text in texts], [step("改用方案B")], budget=budget, language=language)
    assert 0 < count_tokens(block.text) == block.tokens <= budget
    assert block.text.count(FAMILY) == sum(FAMILY in text for text in told(block))
    assert "改用方案B" in told(block)
    assert len(block.served) + sum(block.excluded_counts.values()) == 121


@pytest.mark.parametrize("budget", [0, 1, 20])
def test_a_budget_below_the_frame_gives_nothing(budget: int) -> None:
    block = fill([ranked("x")], budget=budget)
    assert (block.text, block.tokens, block.served) == ("", 0, ())
    assert block.excluded_counts == {"budget": 1}


def test_no_line_is_ever_cut() -> None:
    long = "很长的一句话" * 400
    block = fill([ranked(long), ranked("short enough to fit")], budget=200)
    assert told(block) == ["short enough to fit"]
    assert block.excluded_counts == {"budget": 1}


def test_rules_come_first_most_important_first_within_a_third() -> None:
    rules = [
        ranked(f"rule number {number} about {word}", kind="rule", legs=("rules",), importance=number / 100)
        for number, word in enumerate(
            "apples bread cheese dates eggs figs grapes honey ice jam kale leeks".split()
        )
    ]
    block = fill([ranked("something near", score=0.9), *rules], budget=400)
    sections = [entry.section for entry in block.served]
    assert sections == sorted(sections, key=["rules", "forms", "timeline", "fragments"].index)
    assert told(block)[0] == "rule number 11 about leeks"
    assert sum(entry.tokens for entry in block.served if entry.section == "rules") <= 400 / 3
    assert block.excluded_counts["rules_share"] > 0
    assert "something near" in told(block)


def test_the_newest_change_of_mind_is_the_last_to_go() -> None:
    steps = [step(f"decision number {day}", at=NOW - timedelta(days=30 - day)) for day in range(30)]
    forms = [
        ranked(f"field {number}: a value of some length to fill the budget", kind="form", legs=("forms",))
        for number in range(40)
    ]
    small = fill(forms, steps, budget=150)
    assert "decision number 29" in told(small)
    timeline = [entry.text for entry in fill(forms, steps, budget=600).served if entry.section == "timeline"]
    assert timeline == sorted(timeline, key=lambda text: int(text.rsplit(" ", 1)[1]))
    assert timeline[-1] == "decision number 29"


def test_the_newest_change_of_mind_stays_beside_a_talkative_conversation() -> None:
    chat = [
        ranked(f"note {word}: something said in this conversation", kind="slot", legs=("session",))
        for word in "one two three four five six".split()
    ]
    rule = ranked("never anything with peanuts in it", kind="rule", legs=("rules",))
    block = fill([*chat, rule], [step("改用方案B，预算不够，成本也太高了")], budget=170)
    assert {"改用方案B，预算不够，成本也太高了", rule.text} <= set(told(block))


def test_of_a_long_timeline_every_slice_of_time_is_told_something() -> None:
    ages = [0.5, 0.6, 0.7, 2, 3, 4, 5, 10, 20, 60, 80, 200, 300, 500]
    steps = [
        step(f"promise of {age} days ago", at=NOW - timedelta(days=age), is_change=False)
        for age in sorted(ages)[::-1]
    ]
    texts = told(fill([], steps, budget=300))
    assert 6 <= len(texts) < len(ages)
    for newest in ("0.5", "2", "10", "60", "200", "500"):
        assert f"promise of {newest} days ago" in texts
    assert texts == [entry.text for entry in steps if entry.text in texts], "told in the order of time"


def test_faded_steps_are_told_only_when_asked_for() -> None:
    cold: dict[str, Any] = {"heat": 0.1, "at": NOW - timedelta(days=200)}
    block = fill([], [step("faded", **cold), step("asked", is_asked=True, **cold), step("fresh")])
    assert told(block) == ["asked", "fresh"]
    assert block.excluded_counts == {"faded": 1}


def test_top_k_counts_fragments_only() -> None:
    entries = [ranked(f"memory of the {word}") for word in ("sea", "hill", "lake", "road")]
    rule = ranked("a rule", kind="rule", legs=("rules",))
    block = fill([*entries, rule], top_k=2)
    assert told(block) == ["a rule", "memory of the sea", "memory of the hill"]
    assert block.excluded_counts == {"top_k": 2}


def test_near_duplicates_collapse_but_not_what_differs_in_a_detail() -> None:
    texts = ["I like green tea", "Tea, green: I like it", "I do not like green tea", "I like green tea at 7"]
    block = fill([ranked(text) for text in texts])
    assert told(block) == [texts[0], *texts[2:]]
    assert block.excluded_counts == {"near_duplicate": 1}


def test_an_event_is_not_told_again_after_the_fact_it_gave() -> None:
    fact = ranked("过敏: 坚果", kind="form", legs=("rules",))
    event = ranked("我对坚果过敏", kind="event")
    said = ranked("过敏: 坚果", kind="form", legs=("rules",), event_ids=(event.target_id,))
    assert told(fill([said, event])) == ["过敏: 坚果"]
    assert told(fill([fact, event])) == ["过敏: 坚果", "我对坚果过敏"]


def test_what_only_a_meaningless_cosine_brought_is_noise() -> None:
    far = ranked("far", parts=Parts(meaning=0.03, cosine=0.05))
    by_word = ranked("by word", parts=Parts(meaning=0.03, cosine=0.05), legs=("meaning", "words"))
    block = fill([far, by_word])
    assert told(block) == ["by word"]
    assert block.excluded_counts == {"noise": 1}


def test_at_most_fifty_exclusions_are_listed_and_all_are_counted() -> None:
    block = fill([ranked(f"memory {number}") for number in range(90)], top_k=0)
    assert len(block.excluded) == 50
    assert block.excluded_counts == {"top_k": 90}
