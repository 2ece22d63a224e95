import pytest

from memoryhub.writing.commitments import promises


@pytest.mark.parametrize(
    "text",
    [
        "已为您派单",
        "好的，已经帮您提交了退款申请。",
        "我们会尽快为您安排师傅上门",
        "稍后为您办理退款",
        "I have dispatched a technician",
        "Done. I've cancelled the order for you.",
        "I'll refund the amount today",
        "A technician has been dispatched.",
    ],
)
def test_what_was_done_or_will_be_done_is_promised(text: str) -> None:
    assert promises(text)


@pytest.mark.parametrize(
    "text",
    [
        "需要我为您安排退款吗？",
        "如果您同意，我会为您派单",
        "Shall I send it? I will send it if you confirm",
        "Would you like me to refund the order?",
        "Many clients like early calls",
        "退款一般需要三天",
        "You could use the Lisbon office",
    ],
)
def test_an_offer_or_a_remark_is_no_promise(text: str) -> None:
    assert not promises(text)
