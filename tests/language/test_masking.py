import pytest

from memoryhub.language.masking import MASK, mask_secrets, passes_luhn


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
        ("我的身份证号是11010519491231002X", "11010519491231002X", "id_number"),
        ("身份证 110105194912310021 已过期", "110105194912310021", "id_number"),
        ("ＰＡＳＳＷＯＲＤ：ｈｕｎｔｅｒ２２", "ｈｕｎｔｅｒ２２", "password"),
        ("验证码334455请勿告诉他人", "334455", "password"),
        ("my pin is 4821", "4821", "password"),
        ("my SSN 123-45-6789", "123-45-6789", "id_number"),
        ("卡号 6222021234567890128", "6222021234567890128", "card_number"),
        ("bot 1234567890:AAabcdefghijklmnopqrstuvwxyz0123456", "1234567890:AAabcdefghijklmnopqrstuvwxyz0123456", "api_key"),
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
        "密码本在抽屉里",
        "the pin is on the map",
        "订单号 110105194912310022",
    ],
)
def test_everyday_text_is_left_alone(text: str) -> None:
    assert mask_secrets(text) == (text, ())


@pytest.mark.parametrize(
    ("number", "valid"), [("4111111111111111", True), ("4111111111111112", False), ("79927398713", True)]
)
def test_the_check_digit_decides(number: str, valid: bool) -> None:
    assert passes_luhn(number) is valid
