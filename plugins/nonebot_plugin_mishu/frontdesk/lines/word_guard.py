"""Which words may not become wake or silence words, and why. Pure; the words are data (`common_words.toml`).

A wake word counts wherever it stands in a line, so a word that everybody says would call us with every
second line. A silence word is a line of its own, so only what people answer with is refused.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Final

from ...language.forms.phrases import bare
from ...storage.records import WordKind

_DATA: Final = tomllib.loads(Path(__file__).with_name("common_words.toml").read_text("utf-8"))
_FREQUENT: Final = frozenset(_DATA["frequent"])
_REPLIES: Final = frozenset(_DATA["replies"])
_FILLERS: Final = "吧啊了呀嘛哦哈啦哟喔噢嘞嗯呢"
_LONGEST: Final[dict[WordKind, int]] = {"wake": 12, "silence": 20, "speak": 20}


def refusal(kind: WordKind, word: str) -> str | None:
    """Why the word cannot be added, a sentence; None where it can."""
    plain = bare(word)
    if not plain:
        return f"「{word[:20]}」里没有字，我认不出来。"
    if len(word) > _LONGEST[kind]:
        return f"「{word[:20]}…」太长了，最多 {_LONGEST[kind]} 个字。"
    if plain.isdecimal():
        return f"「{word}」只是数字，聊天里报个数就会碰上。"
    if not plain.strip(_FILLERS):
        return f"「{word}」是语气词，谁都会随口说。"
    return _as_wake(word, plain) if kind == "wake" else _as_silence(word, plain)


def _as_wake(word: str, plain: str) -> str | None:
    if len(plain) == 1:
        return f"「{word}」只有一个字，说什么都可能碰上，我会以为一直有人叫我。"
    if plain in _FREQUENT or (not plain.isascii() and any(plain in known for known in _FREQUENT)):
        return f"「{word}」太常说了，我会以为一直有人叫我。"
    return None


def _as_silence(word: str, plain: str) -> str | None:
    if plain in _REPLIES or plain.rstrip(_FILLERS) in _REPLIES:
        return f"「{word}」大家随口就答，我会动不动就闭嘴。"
    return None
