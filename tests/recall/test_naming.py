"""Names of orders, tickets, projects, products and persons are read out of questions and memories."""

from __future__ import annotations

import pytest

from memoryhub.recall.naming import is_same, names_in_text


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("订单SO-77和SO-78到哪了", {"order": {"so-77", "so-78"}}),
        ("Where is order #1203?", {"order": {"1203"}}),
        ("工单T-88派人了吗", {"ticket": {"t-88"}}),
        ("In case I forget, the purchase I made", {}),
        ("Can I order 2 pizzas?", {}),
        ("产品X200保修多久", {"product": {"x200"}}),
        ("the manual of model KX-9", {"product": {"kx-9"}}),
        ("项目Atlas的预算", {"project": {"atlas"}}),
        ("How is the Atlas project going?", {"project": {"atlas"}}),
        ("the whole project", {}),
        ("王工负责采购", {"person": {"王工"}}),
        ("黄工作很忙，张总共来了三次", {}),
        ("Ask Dr. Miller about it", {"person": {"dr. miller"}}),
        ("上周要整改权限体系", {"project": {"权限"}}),
        ("我想了解一下你们的安全策略", {"project": {"安全"}}),
        ("Tell me about your security policy", {"project": {"security"}}),
        ("the new system", {}),
        ("今天天气怎么样", {}),
    ],
)
def test_what_a_text_names(text: str, names: dict[str, set[str]]) -> None:
    assert names_in_text(text) == names


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("so-77", "so-7", False),
        ("权限", "用户权限", True),
        ("权限", "安全", False),
        ("payment", "payments", True),
        ("security", "permission", False),
        ("a", "atlas", False),
    ],
)
def test_what_may_be_one_thing(one: str, other: str, same: bool) -> None:
    assert is_same(one, other) is is_same(other, one) is same
