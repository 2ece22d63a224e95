import pytest

from memoryhub.writing.masking import MASK, mask_secrets, passes_luhn


@pytest.mark.parametrize(
    ("text", "secret", "kind"),
    [
        ("my password is hunter2abc, ok", "hunter2abc", "password"),
        ("我的密码是abc12345，别告诉别人", "abc12345", "password"),
        ("API_KEY=abcd1234efgh", "abcd1234efgh", "password"),
        ("use sk-proj-abcdefghijklmnop1234 for it", "sk-proj-abcdefghijklmnop1234", "api_key"),
        ("the key AKIAABCDEFGHIJKLMNOP leaked", "AKIAABCDEFGHIJKLMNOP", "api_key"),
        ("Authorization: Bearer abcdef.ghijkl-mnop", "abcdef.ghijkl-mnop", "token"),
        ("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abcdEFGH", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abcdEFGH", "token"),
        ("card 4111 1111 1111 1111 please", "4111 1111 1111 1111", "card_number"),
        ("postgres://me:pa55word@host/db", "pa55word", "password"),
        ("-----BEGIN PRIVATE KEY-----\nabc\n-----END PRIVATE KEY-----", "abc", "private_key"),
    ],
)  # fmt: skip
def test_a_secret_is_overwritten_in_place(text: str, secret: str, kind: str) -> None:
    masked, kinds = mask_secrets(text)

    assert secret not in masked
    assert MASK in masked
    assert len(masked) == len(text)
    assert kind in kinds


@pytest.mark.parametrize(
    "text",
    [
        "order 1234567890123",
        "快递单号是SF1234567890123",
        "my phone is +44 20 7946 0018",
        "I forgot my password",
        "the key point is simple",
        "忘记密码了怎么办",
        "the project runs Node.js 20.1",
    ],
)
def test_everyday_text_is_left_alone(text: str) -> None:
    assert mask_secrets(text) == (text, ())


@pytest.mark.parametrize(
    ("number", "valid"), [("4111111111111111", True), ("4111111111111112", False), ("79927398713", True)]
)
def test_the_check_digit_decides(number: str, valid: bool) -> None:
    assert passes_luhn(number) is valid
