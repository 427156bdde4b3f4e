"""Replies of chat without a model: the local repertoire, else an honest line. Pure."""

from __future__ import annotations

from datetime import datetime

from ...language import ends_in_question
from ...language.clauses.features import talks
from ...storage.records import LedgerMessage
from . import calendar
from .repertoire import INTRODUCTION, line, talk_of

HERE = "在呢"
_NO_MODEL = "聊天我还不行，记日程、定提醒、记账都可以，发「/秘书 帮助」看怎么说。"
_FAILING = "我这会儿想不出来，过会儿再问吧；记事、提醒、记账照常。"
_BUDGET = "今天聊到上限了，明天再聊；记事、提醒、记账照常。"
_SHARE = "今天和你聊到上限了，明天再聊；记事、提醒、记账照常。"
_PACE = "说得有点快，我歇会儿再聊；记事、提醒、记账照常。"
_ABILITY = "ability"
_KINDS = {"image": "picture", "record": "voice", "face": "emoji", "mface": "emoji", "video": "picture"}
"""Kinds of segments without words."""


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
    """Kind of a message without words: a picture, a voice message, emoji alone."""
    kinds = [_KINDS.get(str(segment.get("type"))) for segment in message.parts]
    for name in ("picture", "voice"):
        if name in kinds:
            return name
    if "emoji" in kinds and not _own_words(message):
        return "emoji"
    return "emoji" if words.strip() and not any(each.isalnum() for each in words) else None


def cannot(seed: str, now: datetime, name: str, words: str) -> str:
    """Short and honest, for what neither rules nor repertoire answer, once the reason was told: a question
    is told apart from an order, each with something near that can be said."""
    return line("unknown" if ends_in_question(words) or talks(words) else "cannot", seed, now, name, words)


def honest(kind: str) -> str:
    """The honest line for a kind of model trouble (`ModelError.kind`)."""
    own = {"offline": _NO_MODEL, "budget": _BUDGET, "share": _SHARE, "pace": _PACE}
    return own.get(kind, _FAILING)


def _own_words(message: LedgerMessage) -> str:
    texts = [part["data"].get("text", "") for part in message.parts if part.get("type") == "text"]
    return "".join(map(str, texts)).strip()
