"""What sentences in both languages say of how things are related, and what says nothing of it."""

from __future__ import annotations

import pytest

from memoryhub.writing.candidates import RelationCandidate
from memoryhub.writing.rules.relations import relations_in
from tests.writing.utterances import read, turn

SAID = [
    ("拿铁里含有牛奶。", ["拿铁 contains 牛奶"]),
    ("A latte contains milk.", ["latte contains milk"]),
    ("拿铁属于咖啡类。", ["拿铁 belongs_to 咖啡"]),
    ("The kettle belongs to the kitchen category.", ["kettle belongs_to kitchen"]),
    ("张敏负责北极星项目。", ["张敏 works_on 北极星"]),
    ("Anna Berg is working on project Aurora.", ["Anna Berg works_on Aurora"]),
    ("我负责北极星项目。", ["owner works_on 北极星"]),
    ("我要投诉你们的咖啡机。", ["owner experienced 咖啡机 open"]),
    ("我的咖啡机又坏了。", ["owner experienced 咖啡机 open"]),
    ("I want to complain about the coffee machine.", ["owner experienced coffee machine open"]),
    ("My coffee machine keeps leaking.", ["owner experienced coffee machine open"]),
    ("I have a problem with the delivery service.", ["owner experienced delivery service open"]),
    ("咖啡机已经修好了。", ["owner experienced 咖啡机 solved"]),
    ("The problem with the coffee machine has been resolved.", ["owner experienced coffee machine solved"]),
    ("我不喜欢牛奶。", ["owner dislikes 牛奶"]),
    ("I love oat milk.", ["owner prefers oat milk"]),
    ("我的快递单号是SF123456789，预计明天到", [
        "? has_tracking SF123456789", "SF123456789 expected_arrival 2024-05-16",
    ]),
    ("My order A-1001 has shipped.", ["A-1001 has_status shipped", "owner placed A-1001"]),
    ("The tracking number for order A-1001 is SF123456789.", ["A-1001 has_tracking SF123456789"]),
    ("拿铁含有牛奶吗？", []),
    ("Does a latte contain milk?", []),
    ("如果咖啡机坏了怎么办？", []),
    ("我的咖啡机坏了，哈哈开玩笑的", []),
    ("It contains milk.", []),
    ("今天天气不错。", []),
    ("任何推荐都不能包含坚果成分", []),
    ("燕麦拿铁不含牛奶。", []),
    ("Black coffee doesn't contain milk.", []),
    ("Every meal must contain protein.", []),
    ("饼干包含坚果。", ["饼干 contains 坚果"]),
]  # fmt: skip


def told(candidate: RelationCandidate) -> str:
    start = candidate.from_name or ("?" if candidate.from_kind else "owner")
    end = candidate.to_name or candidate.value
    return f"{start} {candidate.relation} {end} {candidate.resolution}".strip()


@pytest.mark.parametrize(("text", "expected"), SAID)
def test_a_sentence_relates(text: str, expected: list[str]) -> None:
    found = relations_in(turn(text), read(text))
    assert [told(candidate) for candidate in found] == expected
    for candidate in found:
        assert candidate.quote and text[candidate.quote_start :].startswith(candidate.quote)


def test_what_an_agent_says_relates_nothing() -> None:
    text = "A latte contains milk."
    assert relations_in(turn(text, role="assistant"), read(text, role="assistant")) == ()
