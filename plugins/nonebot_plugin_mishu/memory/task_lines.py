"""Stored line of a finished task, and its rendering as a sentence. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

ASKED: Final = "要求："
RESULT: Final = "；结果："
WAITING: Final = "；还在等回答："
CANCELED: Final = "；取消了"


@dataclass(frozen=True, slots=True)
class Remembered:
    """A sentence, and the words of the member on which it rests; empty where it stands for itself."""

    sentence: str
    rests_on: str = ""


def kept_line(asked: str, *, result: str = "", waiting: str = "", canceled: bool = False) -> str:
    """Stored line of a task: request and outcome."""
    if waiting:
        return f"{ASKED}{asked}{WAITING}{waiting}"
    if canceled:
        return f"{ASKED}{asked}{CANCELED}"
    return f"{ASKED}{asked}{RESULT}{result}" if result else f"{ASKED}{asked}"


def told_again(content: str, *, waits: bool = True) -> Remembered:
    """A stored line as a sentence; a member's own correction is returned unchanged.

    `waits`: its question is still open.
    """
    if not content.startswith(ASKED):
        return Remembered(content)
    whole = content.removeprefix(ASKED)
    asked, found, result = whole.partition(RESULT)
    if found:
        return Remembered(result, asked)
    asked, found, question = whole.partition(WAITING)
    if found:
        return Remembered(f"{'还等着回答' if waits else '问过，没有回答'}：{question}", asked)
    if whole.endswith(CANCELED):
        asked = whole.removesuffix(CANCELED)
        return Remembered(f"「{asked}」后来取消了。")
    return Remembered(f"说过「{whole}」。")
