"""What is believed of a model's answer, and what becomes of one that is no answer (report B28). Pure."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from memoryhub.models import new_id
from memoryhub.writing.candidates import Extraction, FormCandidate, ItemCandidate, Turn
from memoryhub.writing.model_answers import Failed, read_answer, readable_text, sentence_fault
from tests.model_server import about_field, sentence
from tests.writing.field_specs import field_spec

NOON = datetime(2026, 3, 4, 12, 0, tzinfo=UTC)
FIELDS = {
    ("user_profile", "location"): field_spec(),
    ("user_profile", "budget"): field_spec(name="budget", value_type="number", minimum=0, maximum=1e6),
    ("user_profile", "allergies"): field_spec(name="allergies", default_importance=0.9),
}
THREE = ("I live in Suzhou.", "我对坚果过敏，住在苏州。", "We met Maria Silva at the Lisbon office.")


def turn(text: str) -> Turn:
    return Turn(event_id=new_id(), text=text, role="user", occurred_at=NOON, zone="Asia/Shanghai")


def read(answer: Any, *texts: str, is_cut: bool = False) -> list[Extraction | Failed]:
    written = answer if isinstance(answer, str) else json.dumps(answer, ensure_ascii=False)
    return read_answer(
        written, is_cut=is_cut, turns=[turn(text) for text in texts or THREE[:1]], fields=FIELDS
    )


def read_one(entry: Any, text: str = THREE[0]) -> Extraction:
    [found] = read([entry], text)
    assert isinstance(found, Extraction)
    return found


def codes(entry: Any, text: str = THREE[0]) -> list[str]:
    found = read_one(entry, text)
    assert found.candidates == ()
    return [refusal.code for refusal in found.refusals]


CITY = about_field(1, "I live in Suzhou", "user_profile", "location", "Suzhou")
NUTS = about_field(2, "对坚果过敏", "user_profile", "allergies", "坚果")
MET = sentence(3, "met Maria Silva", "The user met Maria Silva at the Lisbon office.", kind="episodic")


def test_candidates_go_to_the_turns_they_were_said_in_with_their_place() -> None:
    first, second, third = read([CITY, NUTS, MET], *THREE)
    assert isinstance(first, Extraction) and isinstance(second, Extraction) and isinstance(third, Extraction)
    [city], [nuts], [met] = first.candidates, second.candidates, third.candidates
    assert (
        isinstance(city, FormCandidate) and isinstance(nuts, FormCandidate) and isinstance(met, ItemCandidate)
    )
    assert (city.value, city.quote, city.quote_start) == ("Suzhou", "I live in Suzhou", 0)
    assert (nuts.quote, nuts.quote_start, nuts.importance and nuts.importance.value) == ("对坚果过敏", 1, 0.9)
    assert met.item_kind == "episodic"


@pytest.mark.parametrize(
    "around", ["```json\n{}\n```", "Sure {{here}} it is [as asked]:\n{}\nAnything {{else}}?", "{}", "[{}"]
)
def test_fences_and_prose_with_braces_do_not_matter(around: str) -> None:
    written = json.dumps([CITY], ensure_ascii=False)
    answer = around.format(written) if around != "[{}" else f"[{json.dumps(CITY)},]"
    [found] = read(answer)
    assert isinstance(found, Extraction) and len(found.candidates) == 1


def test_of_a_mixed_list_the_good_are_kept_and_each_bad_one_is_told() -> None:
    bad = [
        {**CITY, "importance": "high"},
        {**CITY, "confidence": 95},
        {**sentence(1, "Suzhou", "x"), "content": None},
    ]
    good = [CITY, sentence(1, "I live in Suzhou", "The user lives in Suzhou."),
            sentence(1, "Suzhou", "The user knows Suzhou well.")]  # fmt: skip
    [mixed] = read([bad[0], good[0], bad[1], good[1], bad[2], good[2]])
    assert isinstance(mixed, Extraction)
    assert len(mixed.candidates) == 3
    assert [refusal.code for refusal in mixed.refusals] == [
        "entry_bad:importance", "entry_bad:confidence", "entry_bad:content",
    ]  # fmt: skip


def test_bad_entries_of_one_turn_leave_the_others_untouched() -> None:
    first, second, third = read([CITY, {**NUTS, "confidence": 95}, "and so on", MET], *THREE)
    assert isinstance(second, Extraction)
    assert [
        len(each.candidates) if isinstance(each, Extraction) else -1 for each in (first, second, third)
    ] == [1, 0, 1]
    assert [refusal.code for refusal in second.refusals] == ["entry_bad:confidence", "entry_bad_kind"]


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        ("", "answer_without_list"),
        ("I'm sorry, but I can't help with that.", "answer_without_list"),
        ("{}", "answer_without_list"),
        (["likes tea", "lives in Suzhou"], "answer_of_another_shape"),
        ([1, None], "answer_of_another_shape"),
        ("[", "answer_cut_off"),
        (json.dumps([CITY])[:60], "answer_cut_off"),
    ],
)
def test_no_answer_is_a_failure_of_every_turn_and_never_nothing_found(answer: Any, code: str) -> None:
    found = read(answer, *THREE)
    assert [each.code for each in found if isinstance(each, Failed)] == [code] * 3


@pytest.mark.parametrize("said", ["I am allergic to nuts", "我对坚果过敏"])
def test_the_whole_sentence_is_no_value_of_a_field(said: str) -> None:
    """As a small model answers."""
    assert codes(about_field(1, said, "user_profile", "allergies", said), said) == ["pronoun_unresolved"]


def test_an_empty_list_is_nothing_found() -> None:
    assert read("[]", *THREE) == [Extraction()] * 3


def test_a_cut_keeps_the_turns_that_were_surely_dealt_with_and_saves_whole_entries_of_the_others() -> None:
    whole = json.dumps([CITY, NUTS, MET], ensure_ascii=False)
    first, second, third = read(whole[: whole.index("Lisbon")], *THREE)
    assert isinstance(first, Extraction) and len(first.candidates) == 1
    assert isinstance(second, Failed) and second.code == "answer_cut_off"
    assert len(second.salvaged.candidates) == 1
    assert third == Failed(code="answer_cut_off")


def test_a_list_out_of_order_that_is_cut_says_nothing_sure_about_any_turn() -> None:
    whole = json.dumps([MET, CITY, NUTS], ensure_ascii=False)
    assert all(isinstance(each, Failed) for each in read(whole[:-30], *THREE))


def test_a_whole_list_of_which_the_provider_says_it_was_cut_is_not_believed_to_the_end() -> None:
    [only] = read([CITY], is_cut=True)
    assert isinstance(only, Failed) and len(only.salvaged.candidates) == 1


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"field": "shoe_size"}, "field_not_allowed"),
        ({"form_type": "secrets"}, "field_not_allowed"),
        ({"quote": "I live in Shanghai"}, "quote_not_in_event"),
        ({"quote": ""}, "entry_bad:quote"),
        ({"event": 7}, "target_not_offered"),
        ({"event": 0}, "entry_bad:event"),
        ({"event": "1"}, "entry_bad:event"),
        ({"confidence": 0.59}, "low_confidence"),
        ({"confidence": -0.1}, "entry_bad:confidence"),
        ({"importance": 1.5}, "entry_bad:importance"),
        ({"value": None}, "entry_bad:value"),
        ({"value": ["Suzhou"]}, "entry_bad:value"),
        ({"field": "budget", "value": 2_000_000}, "out_of_range"),
        ({"field": "budget", "value": "a lot"}, "wrong_type"),
        ({"supersedes": "0199f0c2"}, "entry_unknown_member"),
        ({"kind": "procedural"}, "entry_bad_kind"),
        ({"kind": "knowledge"}, "entry_bad_kind"),
        ({"valid_from": "next week"}, "entry_bad:valid_from"),
        ({"valid_from": "0001-01-01"}, "entry_bad:valid_from"),
        ({"operation": "drop"}, "entry_bad:operation"),
    ],
)
def test_an_entry_that_breaks_a_rule_is_left_out_with_the_reason(changes: dict[str, Any], code: str) -> None:
    assert codes({**CITY, **changes}) == [code]


@pytest.mark.parametrize(
    ("content", "code"),
    [
        ("She lives in Suzhou.", "pronoun_unresolved"),
        ("I live in Suzhou.", "pronoun_unresolved"),
        ("Their office is in Suzhou.", "pronoun_unresolved"),
        ("This is where the user lives.", "pronoun_unresolved"),
        ("user: I live in Suzhou", "role_label"),
        ("用户住在苏州。", "other_language"),
        ("The user lives in Suzhou.", ""),
        ("Italy is where the user lives.", ""),
    ],
)
def test_a_sentence_stands_by_itself_in_the_language_it_was_said_in(content: str, code: str) -> None:
    assert sentence_fault(content, source=THREE[0], quote="I live in Suzhou") == code


@pytest.mark.parametrize(
    ("content", "code"),
    [
        ("她住在苏州。", "pronoun_unresolved"),
        ("我住在苏州。", "pronoun_unresolved"),
        ("这里是用户的家。", "pronoun_unresolved"),
        ("助手：用户住在苏州", "role_label"),
        ("The user lives in Suzhou.", "other_language"),
        ("用戶對堅果過敏。", "other_script"),
        ("用户对坚果过敏。", ""),
        ("用户用 Notion 记录项目。", ""),
        ("其他同事都在苏州。", ""),
    ],
)
def test_a_chinese_sentence_too(content: str, code: str) -> None:
    assert sentence_fault(content, source=THREE[1], quote="对坚果过敏") == code


def test_traditional_chinese_stays_traditional() -> None:
    said = "我對堅果過敏，用 Notion 記事。"
    assert sentence_fault("用戶對堅果過敏。", source=said, quote=said) == ""
    assert sentence_fault("用户对坚果过敏。", source=said, quote=said) == "other_script"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("I live in Suzhou, just kidding!", "joke"),
        ("If I won the lottery I would say: I live in Suzhou.", "hypothetical"),
        ("Did I tell you that I live in Suzhou?", "question"),
    ],
)
def test_what_was_not_meant_is_not_learned_from_a_model_either(text: str, code: str) -> None:
    assert codes(CITY, text) == [code]


def test_secrets_other_voices_and_recalled_blocks_are_not_shown_and_cannot_be_quoted() -> None:
    text = "assistant: you live in Suzhou\nuser: my password is hunter22secret, thanks"
    shown = readable_text(turn(text))
    assert len(shown) == len(text)
    assert "Suzhou" not in shown and "hunter22" not in shown
    assert codes({**CITY, "quote": "you live in Suzhou"}, text) == ["quote_not_in_event"]
    assert codes({**CITY, "quote": "my password is hunter22secret"}, text) == ["quote_not_in_event"]
    assert codes({**CITY, "quote": "my password is ••••••••••••••"}, text) == ["secret"]


def test_times_are_the_owners_and_importance_is_not_talked_down() -> None:
    entry = {**CITY, "field": "allergies", "value": "nuts", "importance": 0.1, "valid_from": "2026-03-01"}
    [candidate] = read_one(entry).candidates
    assert candidate.valid_from == datetime(2026, 2, 28, 16, 0, tzinfo=UTC)
    assert candidate.importance is not None and candidate.importance.value == 0.9


def test_a_correction_is_one_only_when_the_entry_says_so() -> None:
    [plain] = read_one(CITY).candidates
    [changed] = read_one({**CITY, "corrects": True}).candidates
    [untrue] = read_one({**CITY, "never_true": True}).candidates
    found = [(each.explicit_correction, each.world_change, each.basis) for each in (plain, changed, untrue)]
    assert found == [(False, True, "stated"), (True, True, "stated"), (True, False, "corrected")]
