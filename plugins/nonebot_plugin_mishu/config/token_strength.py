"""Tokens that are soon guessed: short, of one repeated piece, a row of keys, a common word. Pure.

Who brings MISHU__WEB__TOKEN owns the bot, who brings ONEBOT_ACCESS_TOKEN speaks for whomever they like. Where
other machines reach the bot such a token is a wrong value like any other; where none does it is warned of.
"""

from __future__ import annotations

import re
from typing import Final

SHORTEST: Final = 8
"""Characters: of letters and digits at random that is 2^41."""
DIGITS: Final = 16
"""Characters where all are digits: dates and telephone numbers are shorter."""
_DIFFERENT: Final = 4
_LONG: Final = 20
"""Characters from which on words are no longer looked for."""
ALLOWED: Final = (
    f"至少 {SHORTEST} 个字符（全是数字的至少 {DIGITS} 个），不是几个字符的重复，"
    "也不是 12345678、qwertyui、password、token 这样的；最好是 32 个随机字符"
)
_ROWS: Final = (
    *("01234567890", "abcdefghijklmnopqrstuvwxyz", "qwertyuiop", "asdfghjkl", "zxcvbnm"),
    *("qwertyuiopasdfghjklzxcvbnm", "1q2w3e4r5t6y7u8i9o0p", "1qaz2wsx3edc4rfv5tgb6yhn7ujm"),
)
_COMMON = """
password passwd passw passwort token secret admin administrator root user guest test testing default change
changeme changeit letmein welcome iloveyou monkey dragon master login access accesstoken mytoken yourtoken
my your mypassword yourpassword mysecret yoursecret webtoken onebot onebottoken onebotaccesstoken napcat
nonebot web mishu mishutoken mishuwebtoken bot qqbot qq demo example sample public private server system hello
world abc abcd qwerty qwertyuiop asdf asdfgh asdfghjkl zxcvbn zxcvbnm qazwsx woaini wodemima mima lingpai
"""
_WORDS: Final = frozenset(_COMMON.split())
_PLAIN: Final = str.maketrans("0134578@$", "oleastbas")
"""p@ssw0rd is password."""


def weak(token: str) -> bool:
    """True if a token is soon guessed."""
    plain = token.strip().lower()
    if len(plain) < SHORTEST or len(set(plain)) < _DIFFERENT:
        return True
    if plain.isdecimal() and len(plain) < DIGITS:
        return True
    if any(_within(plain, row) for row in _ROWS) or _repeats(plain):
        return True
    if len(plain) >= _LONG:
        return False
    return any(
        _only_words(re.sub("[^a-z]", "", each))
        for each in (plain, plain.translate(_PLAIN), re.sub("[0-9]+$", "", plain).translate(_PLAIN))
    )


def refused(tokens: dict[str, str | None]) -> list[str]:
    """A line for each key whose token is weak, as of any wrong value."""
    return [f"配置错误：{key} = （已隐去），应为：{ALLOWED}" for key in _weak(tokens)]


def warned(tokens: dict[str, str | None]) -> list[str]:
    """A line for each key whose token is weak, where only this machine reaches the bot."""
    return [
        f"{key} 太好猜。现在只有本机连得上；要让别的机器连（HOST、反向代理），先换成：{ALLOWED}"
        for key in _weak(tokens)
    ]


def _weak(tokens: dict[str, str | None]) -> list[str]:
    return [key for key, token in tokens.items() if token and weak(token)]


def _within(token: str, row: str) -> bool:
    """A run along the row, either way, over its end and on."""
    around = row * (len(token) // len(row) + 2)
    return token in around or token in around[::-1]


def _repeats(token: str) -> bool:
    """A piece of up to half of it, again and again: abcabcabc, 12121212."""
    return any(
        token == (token[:size] * (len(token) // size + 1))[: len(token)]
        for size in range(1, len(token) // 2 + 1)
    )


def _only_words(letters: str) -> bool:
    """Nothing but one or two common words, or one of them again and again."""
    if letters in _WORDS:
        return True
    return any(letters[:cut] in _WORDS and letters[cut:] in _WORDS for cut in range(2, len(letters) - 1))
