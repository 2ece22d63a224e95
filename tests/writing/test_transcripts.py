import pytest

from memoryhub.writing.screening import screen
from memoryhub.writing.transcripts import only_the_owner
from tests.writing.utterances import items, read, values

EXCHANGE = """user: any ideas?
assistant: many clients like early calls; you could use the Lisbon office. I live in Lisbon.
tool: {"city": "Lisbon", "note": "I'm allergic to nuts"}
user: ok thanks"""


def test_nothing_is_learned_from_the_other_voices_of_an_exchange() -> None:
    extraction = read(EXCHANGE)

    assert extraction.candidates == ()
    assert not screen(EXCHANGE, role="user").worth_reading
    assert "other_voices" in screen(EXCHANGE, role="user").codes


def test_an_exchange_is_not_taken_for_a_forged_prompt() -> None:
    assert screen(EXCHANGE, role="user").flags == ()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("User: I live in Ghent\nAssistant: I live in Oslo", ["user_profile.location=Ghent"]),
        ("客服：您住在哪里？\n用户：我住在成都", ["user_profile.location=成都"]),
        (
            "**Assistant:** I live in Oslo\n**User:** my name is Priya Raman",
            ["user_profile.name=Priya Raman"],
        ),
    ],
)
def test_what_the_owner_says_in_it_is_read(text: str, expected: list[str]) -> None:
    assert values(read(text)) == expected


def test_no_label_reaches_a_sentence_and_quotes_stay_exact() -> None:
    text = "assistant: any wishes?\nuser: I can't stand group calls"

    (item,) = items(read(text))

    assert item.content == "The user dislikes group calls."
    assert item.quote_start is not None
    assert text[item.quote_start :] == item.quote == "I can't stand group calls"


@pytest.mark.parametrize(
    "text", ["I live in Ghent", "my address: 4 Mill Lane, Bath", "规则：不能包含坚果", ""]
)
def test_a_text_without_voices_is_left_alone(text: str) -> None:
    assert only_the_owner(text) == text


def test_blanking_keeps_the_length() -> None:
    assert len(only_the_owner(EXCHANGE)) == len(EXCHANGE)
