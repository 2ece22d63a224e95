"""What a turn says about an order or a ticket; and what it does not say."""

from __future__ import annotations

import pytest

from memoryhub.sessions.noticing import notice

SAID = {
    "订单A的收货地址是浦东新区世纪大道100号": ("set", "order:A", "address", "浦东新区世纪大道100号"),
    "订单B的地址改成徐汇区漕溪北路2号吧": ("set", "order:B", "address", "徐汇区漕溪北路2号"),
    "The address of order A is 12 Main Street": ("set", "order:A", "address", "12 Main Street"),
    "Change the address of order B to 7 Oak Lane please": ("set", "order:B", "address", "7 Oak Lane"),
    "order A's address should be 5 Pine Rd.": ("set", "order:A", "address", "5 Pine Rd"),
    "工单T-88的负责人改成李雷": ("set", "ticket:T-88", "owner", "李雷"),
    "把地址改成静安南京西路3号": ("set", "order:Z", "address", "静安南京西路3号"),
    "Change the address to 9 Elm St": ("set", "order:Z", "address", "9 Elm St"),
    "订单A的地址还是改回原来的": ("restore", "order:A", "address", ""),
    "还是用原来的地址吧": ("restore", "order:Z", "address", ""),
    "还是寄到原来的地址": ("restore", "order:Z", "address", ""),
    "For order B, the phone number is 555-0101": ("set", "order:B", "phone", "555-0101"),
    "The size should be XL instead": ("set", "order:Z", "size", "XL"),
    "订单A付款方式换成支付宝": ("set", "order:A", "payment", "支付宝"),
    "The total of order A is $45": ("set", "order:A", "amount", "$45"),
    "把刚才说的退款方案取消": ("remove", "order:Z", "plan", ""),
    "取消刚才说的方案吧": ("remove", "order:Z", "plan", ""),
    "Please cancel the refund plan": ("remove", "order:Z", "plan", ""),
    "改回去吧": ("restore", "order:Z", "", ""),
    "Change the address of order A back": ("restore", "order:A", "address", ""),
    "Change it back to the old one": ("restore", "order:Z", "", ""),
    "Please use the original address.": ("restore", "order:Z", "address", ""),
}
NOT_SAID = [
    "订单A的地址是什么？",
    "What is the address of order A?",
    "如果订单A的地址是浦东就好了",
    "订单A的地址也许改成徐汇，我再想想",
    "订单A的地址改成月球，开玩笑的",
    "我的地址是浦东新区世纪大道100号",
    "My address is 12 Main Street",
    "谢谢",
    "地址是浦东还是徐汇",
    "我昨天下的订单A，地址写成了上海，其实是北京",
    "I don't think the address of order A is right",
    "The address of order A is wrong",
    "订单A的地址是不对的",
    "Don't change the address of order A",
    "Can you change the address of order A to 5 Elm Street?",
    "If the address of order A is wrong, call me",
]


@pytest.mark.parametrize("text", SAID)
def test_a_plain_statement_is_noticed(text: str) -> None:
    found = [each for each in notice(text, current="order:Z") if each.kind != "mention"]
    assert [(each.kind, each.context, each.name, each.value) for each in found] == [SAID[text]]
    assert all(each.quote in text for each in found)


@pytest.mark.parametrize("text", NOT_SAID)
def test_questions_wishes_jokes_and_the_owners_own_data_are_not(text: str) -> None:
    assert [each for each in notice(text, current="order:Z") if each.kind != "mention"] == []


def test_two_orders_in_one_turn_are_kept_apart() -> None:
    text = "订单A的地址是浦东大道1号。订单B的地址是徐汇大道2号。"
    found = {(each.context, each.value) for each in notice(text) if each.kind == "set"}
    assert found == {("order:A", "浦东大道1号"), ("order:B", "徐汇大道2号")}


def test_without_a_context_nothing_is_placed() -> None:
    assert notice("地址改成浦东大道1号") == []


def test_a_question_still_tells_which_order_it_is_about() -> None:
    assert [(each.kind, each.context) for each in notice("订单A到哪了？")] == [("mention", "order:A")]


@pytest.mark.parametrize(
    "text",
    ["我朋友也买了，她的订单号是DD20261999，这个不用管。", "Her order number is BX-99310, ignore that one."],
)
def test_somebody_elses_order_that_is_waved_off_opens_nothing(text: str) -> None:
    assert notice(text) == []
