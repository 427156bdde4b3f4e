"""Goes through one dialogue and notes what differs, what was claimed, and what it cost."""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from nonebot_plugin_mishu.config import Config
from nonebot_plugin_mishu.language.claims.reading import claims, unmet
from nonebot_plugin_mishu.language.claims.table import KINDS, Kind
from nonebot_plugin_mishu.storage import ModelUsage

from ..replay.rows import READERS
from .desk import Desk
from .dialogue import Dialogue, Said
from .end import fits, shown

CHAT: Final = "chat_reply"
"""The call whose words are a model's; what agents say of their deeds is code's own."""
CAUGHT: Final = "模型说了没办的事"
"""Reason of a decision where a false claim was caught."""
_DECISIONS: Final = 1000


@dataclass
class Played:
    """How a dialogue went."""

    name: str
    differences: list[str] = field(default_factory=list[str])
    claims: int = 0
    """False claims that were sent."""
    caught: int = 0
    """False claims of the model's that were not sent."""
    usage: list[ModelUsage] = field(default_factory=list[ModelUsage])
    seconds: list[float] = field(default_factory=list[float])
    """Of each reply, from the line to the sending."""
    talk: list[tuple[str, str, list[str]]] = field(default_factory=list[tuple[str, str, list[str]]])
    """Each line: who, what, and what was sent behind it."""

    @property
    def right(self) -> bool:
        """True if it ended as it should, and nothing untrue was said."""
        return not self.differences and not self.claims


async def evaluate(dialogue: Dialogue, config: Config) -> Played:
    """Play a dialogue at a desk of its own; nothing is left of it. An error is a difference."""
    played = Played(dialogue.name)
    limit = config.secretary.lock_timeout
    try:
        with tempfile.TemporaryDirectory(prefix="mishu-evaluate-") as folder:
            async with Desk.open(dialogue, config, Path(folder)) as desk:
                talk = _Talk(desk, played, limit)
                for number, line in enumerate(dialogue.talk, start=1):
                    await talk.say(number, line, last=number == len(dialogue.talk))
                await _ended(dialogue, desk, played)
                played.usage = await desk.storage.usage.between(0.0, None)
                told = await desk.storage.decisions.latest(desk.conversation, _DECISIONS)
                played.caught = sum(CAUGHT in one.reason for one in told)
    except TimeoutError:
        played.differences.append(f"{limit:g} 秒没有结束")
    except Exception as error:  # noqa: BLE001 - it stands in the table, and the other dialogues are played
        played.differences.append(f"出错：{type(error).__name__}")
    return played


class _Talk:
    """Says line after line; what is sent until the next one is its reply."""

    def __init__(self, desk: Desk, played: Played, limit: float) -> None:
        self._desk = desk
        self._played = played
        self._limit = limit
        self._before: set[Any] = set()
        """Kinds of deeds our earlier lines tell of."""

    async def say(self, number: int, line: Said, *, last: bool) -> None:
        desk = self._desk
        async with asyncio.timeout(self._limit):
            if line.after:
                await desk.rest(watched=True)
            at, sent = time.monotonic(), len(desk.group.sent)
            kept, chats = await self._kept(), await self._chats()
            desk.say(line)
            await desk.rest(watched=last or line.expect != type(line.expect)())
        spoken = desk.group.sent[sent:]
        replies = [speech.text for _, speech in spoken]
        whole = "\n".join(replies)
        self._played.seconds += [when - at for when, speech in spoken if not speech.urgent][:1]
        self._played.talk.append((line.who, line.say, replies))
        self._played.differences += _compared(number, line, whole, said=bool(replies))
        if (calls := await self._chats() - chats) > 0:
            looked: tuple[Kind, ...] = ("look",) if calls > 1 else ()  # with its tools, before the words
            done = KINDS if await self._kept() != kept else looked
            asked = line.say.rstrip("。.!！").endswith(("?", "？", "吗", "么", "没", "没有"))
            self._played.claims += len(unmet(whole, done, before=self._before, seen=True, asked=asked))
        self._before |= {kind for claim in claims(whole) for kind in claim.kinds}

    async def _kept(self) -> list[Any]:
        return [await self._desk.rows(what) for what in READERS]

    async def _chats(self) -> int:
        used = await self._desk.storage.usage.between(0.0, None)
        return sum(row.calls for row in used if row.call == CHAT)


def _compared(number: int, line: Said, reply: str, *, said: bool) -> Iterable[str]:
    expect = line.expect
    for parts in expect.reply:
        if not any(part in reply for part in parts.split("|")):
            yield f"第 {number} 句的回复：应含有「{parts}」，却是「{reply}」"
    for words in expect.reply_without:
        if words in reply:
            yield f"第 {number} 句的回复：不该含有「{words}」，却是「{reply}」"
    if expect.silent and said:
        yield f"第 {number} 句：不该说话，却说了「{reply}」"


async def _ended(dialogue: Dialogue, desk: Desk, played: Played) -> None:
    for what, expected in dialogue.expected().items():
        rows = await desk.rows(what)
        if not fits(expected, rows):
            played.differences.append(f"最后的 {what}：应是 {expected}，却是 {shown(expected, rows)}")
