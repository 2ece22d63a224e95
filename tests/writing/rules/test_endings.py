"""What no longer holds is ended; a bare negation says nothing."""

import pytest

from tests.writing.utterances import read, values

ENDED = [
    ("I don't live in Denver any more", "user_profile.location=~Denver"),
    ("I no longer work at Nokia", "user_profile.employer=~Nokia"),
    ("I quit my job", "user_profile.employer=~None"),
    ("I'm not vegan anymore", "user_profile.diet=~vegan"),
    ("We had to give away our cat", "user_profile.pet=~cat"),
    ("I cancelled my membership", "user_profile.membership=~None"),
    ("We stopped using MySQL", "project_config.database=~MySQL"),
    ("You can recommend podcasts again", "preferences.do_not_recommend[podcasts]=~True"),
    ("我已经不住在上海了", "user_profile.location=~上海"),
    ("我已经从百度离职了", "user_profile.employer=~百度"),
    ("我已经不吃素了", "user_profile.diet=~吃素"),
    ("我家的猫送人了", "user_profile.pet=~猫"),
    ("那个邮箱我不用了", "contact.email=~None"),
    ("我们不用 MySQL 了", "project_config.database=~MySQL"),
]
NOT_ENDED = [
    "I don't live in Paris",
    "I don't work at Siemens",
    "We don't use MySQL",
    "I don't have a dog",
    "我没有养狗",
]


@pytest.mark.parametrize(("said", "expected"), ENDED)
def test_what_no_longer_holds_is_taken_away(said: str, expected: str) -> None:
    assert expected in values(read(said))


@pytest.mark.parametrize("said", NOT_ENDED)
def test_a_bare_negation_ends_nothing(said: str) -> None:
    assert values(read(said)) == []
