"""What chat says where no model answers: the local repertoire, else an honest line. Pure."""

from __future__ import annotations

from datetime import datetime
from zlib import crc32

from ...storage.records import LedgerMessage
from . import calendar
from .repertoire import INTRODUCTION, line, talk_of

HERE = "在呢"
_NO_MODEL = "我现在没有接上大模型，只听得懂简单的吩咐。发「/秘书 帮助」看看我会什么。"
_FAILING = "我这会儿一时想不出来，只听得懂简单的吩咐，请过一会儿再问我。"
_BUDGET = "今天的用量到上限了，我只听得懂简单的吩咐，明天再好好聊。"
_SHARE = "你今天和我聊的用量到上限了，简单的吩咐我还听得懂，明天再好好聊。"
_PACE = "你说得有点快，我先只听简单的吩咐，歇一会儿再和你聊。"
SMALL_TALK = ("好热闹", "哈哈", "我也来凑个热闹", "你们聊得真起劲", "我在旁边听得津津有味")
_ABILITY = "ability"
_KINDS = {"image": "picture", "record": "voice", "face": "emoji", "mface": "emoji", "video": "picture"}
"""What is shown by a segment without words."""


def answer(words: str) -> str | None:
    """A fixed answer that is better than any model's: what the secretary can do."""
    return INTRODUCTION if talk_of(words, ()) == _ABILITY else None


def local(message: LedgerMessage, words: str, now: datetime, names: tuple[str, ...]) -> str | None:
    """The repertoire's answer to a message, None where it has none. `names` are ours, the first is shown."""
    name = talk_of(words, names) or shown(message, words)
    if name is None:
        return calendar.answer(words, now)
    return line(name, message.message_id, now, names[0], words)


def shown(message: LedgerMessage, words: str) -> str | None:
    """What is shown and not said: a picture, a voice message, emoji alone."""
    kinds = [_KINDS.get(str(segment.get("type"))) for segment in message.segments]
    for name in ("picture", "voice"):
        if name in kinds:
            return name
    if "emoji" in kinds and not _own_words(message):
        return "emoji"
    return "emoji" if words.strip() and not any(each.isalnum() for each in words) else None


def cannot(seed: str, now: datetime, name: str) -> str:
    """Short and honest, for what neither rules nor repertoire answer, once the reason was told."""
    return line("cannot", seed, now, name)


def honest(kind: str) -> str:
    """The honest line for a kind of model trouble (`ModelError.kind`)."""
    own = {"offline": _NO_MODEL, "budget": _BUDGET, "share": _SHARE, "pace": _PACE}
    return own.get(kind, _FAILING)


def small_talk(seed: str) -> str:
    """One short line for dense talk; the same message always gets the same one."""
    return SMALL_TALK[crc32(seed.encode()) % len(SMALL_TALK)]


def _own_words(message: LedgerMessage) -> str:
    texts = [part["data"].get("text", "") for part in message.segments if part.get("type") == "text"]
    return "".join(map(str, texts)).strip()
