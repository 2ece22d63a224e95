import pytest

from memoryhub.writing.candidates import ItemCandidate
from tests.writing.utterances import only, read


@pytest.mark.parametrize(
    ("text", "content", "attribute"),
    [
        ("我有两个孩子", "用户有两个孩子", "孩子"),
        ("我結婚了", "用戶結婚了", "婚姻状况"),
        ("我今年35岁", "用户今年35岁", "年龄"),
        ("我是左撇子", "用户是左撇子", "惯用手"),
        ("我毕业于浙江大学", "用户毕业于浙江大学", "毕业院校 浙江大学"),
        ("我来自厦门", "用户来自厦门", "籍贯"),
        ("我是四川人", "用户是四川人", "籍贯"),
        ("我在学吉他", "用户在学吉他", "在学 吉他"),
        ("我已经戒烟了", "用户戒烟了", "戒除 烟"),
        ("我有糖尿病", "用户有糖尿病", "糖尿病"),
        ("我晕车", "用户晕车", "晕车"),
        ("I have two kids", "The user has two kids.", "children"),
        ("I'm married", "The user is married.", "marital status"),
        ("I'm 34 years old", "The user is 34 years old.", "age"),
        ("I'm left-handed", "The user is left-handed.", "handedness"),
        ("I graduated from MIT", "The user graduated from MIT.", "education MIT"),
        ("I'm from Norway", "The user is from Norway.", "origin"),
        ("I'm learning Spanish", "The user is learning Spanish.", "learning Spanish"),
        ("I've quit smoking", "The user gave up smoking.", "gave up smoking"),
        ("I have diabetes", "The user has diabetes.", "diabetes"),
        ("We use Figma for design", "The user's team uses Figma for design.", "tool for design"),
        ("我們團隊用 Figma 做設計", "用戶的團隊用 Figma 做設計", "做設計工具"),
    ],
)
def test_a_lasting_fact_without_a_field_is_kept_as_a_sentence(
    text: str, content: str, attribute: str
) -> None:
    candidate = only(read(text))

    assert isinstance(candidate, ItemCandidate)
    assert (candidate.content, candidate.subject_entity, candidate.attribute) == (content, "owner", attribute)


@pytest.mark.parametrize(
    "text",
    [
        "我是好人",
        "我是你们的客户",
        "我是来退货的",
        "我有两个问题",
        "我在学校门口",
        "我朋友戒烟了",
        "I'm learning a lot from you",
        "I'm from a small village",
        "I'm single-minded",
        "My brother has two kids",
        "I have two questions",
    ],
)
def test_small_talk_is_no_lasting_fact(text: str) -> None:
    assert read(text).candidates == ()
