"""Which tokens are soon guessed, and what is said of them."""

from __future__ import annotations

import secrets

import pytest
from nonebot_plugin_mishu.config.token_strength import ALLOWED, refused, warned, weak

_WEAK = """
1 12 abc secret1 token TOKEN password Password1 p@ssw0rd P@ssw0rd! password123 123456 12345678 123456789
1234567890
87654321 0987654321 11111111 aaaaaaaaaaaa abababab 12121212 abcabcabc abcdefgh ABCDEFGHIJ zyxwvuts qwertyui
qwertyuiop asdfghjk 1q2w3e4r 1qaz2wsx 20261124 13800138000 mishutoken mishu-token Mishu_Token_1 onebot-token
access-token access_token_2026 changeme changeme123 admin123456 adminadmin rootroot testtest token-123456
my-token-1 password-2026! t0ken1234 napcat123 iloveyou520 letmein2 hello-world letmein12 abcd1234
"""
_STRONG = """
t0ken-of-the-web only-in-the-header-7f3a web-token-1234567890 correct-horse-battery hGx7Kq2pRw9c
3f9a1c07 83017264950183746 小秘的门口有棵歪脖子树 a-token-for-onebot
"""


WEAK, STRONG = _WEAK.split(), _STRONG.split()


@pytest.mark.parametrize("token", WEAK)
def test_weak(token: str) -> None:
    assert weak(token)


@pytest.mark.parametrize("token", STRONG)
def test_strong(token: str) -> None:
    assert not weak(token)


def test_what_a_generator_gives_is_strong() -> None:
    assert not weak(secrets.token_urlsafe(24))
    assert not weak(secrets.token_hex(16))


def test_a_line_names_the_key_and_what_is_allowed_and_not_the_token() -> None:
    tokens = {"MISHU__WEB__TOKEN": "hunter2", "ONEBOT_ACCESS_TOKEN": STRONG[0], "OTHER": None}
    for told in (refused(tokens), warned(tokens)):
        [line] = told
        assert "MISHU__WEB__TOKEN" in line
        assert ALLOWED in line
        assert "hunter2" not in line
    assert refused({"MISHU__WEB__TOKEN": "", "ONEBOT_ACCESS_TOKEN": None}) == []
