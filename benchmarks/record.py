"""The group's record: search over a million lines, what indexing costs a message, tokens of a day's digest.

SQLite always, PostgreSQL where `MISHU_TEST_DATABASE_URL` names a database whose tables may be dropped.
"""

from __future__ import annotations

import asyncio
import json
import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import AsyncExitStack
from datetime import datetime
from itertools import accumulate
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any
from zoneinfo import ZoneInfo

import nonebot

from .instances import BUSY, Account, Chatter, Instance
from .measurement import Measurement

LINES = 1_000_000
GROUPS = 5
"""The first has half of all lines: a year of a busy group."""
SEARCHES = 400
GOAL_MS = 50.0
MESSAGES = 10_000
"""Ambient messages by which the CPU of one is measured, beside that of its index."""
DAY = 2_000
FIRST, AGAIN = 25_000, 1_500
ZONE = ZoneInfo("Asia/Shanghai")

_COMMON = (
    "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里"
)
_RARE = (
    "报销合同会议发票地址密码服务器磁盘日志客户验收支付模块年会节目"
    "实习工位电梯物业快递停水检定搬家机场拼车火锅烤肉"
)


class _Talk:
    """Lines whose pairs of characters are as unlike in frequency as those of talk."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)
        letters = _COMMON + "".join(chr(0x4E00 + 7 * number) for number in range(2_000))
        self.words = [
            "".join(self._random.choice(letters) for _ in range(self._random.choice((1, 2, 2, 2, 3))))
            for _ in range(20_000)
        ]
        pairs = [_RARE[at : at + 2] for at in range(0, len(_RARE) - 1, 2)]
        for place, pair in enumerate(pairs):
            self.words[40 + place * 60] = pair
        # Zipf: the word of rank n is said once where the first is said n times.
        self._weights = list(accumulate(1 / (rank + 3) for rank in range(len(self.words))))

    def line(self) -> str:
        """About twelve characters."""
        chosen = self._random.choices(self.words, cum_weights=self._weights, k=self._random.randint(3, 9))
        return "".join(chosen)

    def pick_query(self) -> str:
        """A word to search for."""
        return self._random.choice([word for word in self.words[30:3_000] if len(word) > 1][:1_500])


async def _fill(storage: Any, talk: _Talk) -> None:
    from nonebot_plugin_mishu.storage.ledger.tables import ledger
    from nonebot_plugin_mishu.storage.ledger.word_index import index_new, newest_id
    from nonebot_plugin_mishu.storage.rows import values_of

    chance = Random(3)
    database = storage._database
    for start in range(0, LINES, 2_000):
        made = [_line(number, talk.line(), chance) for number in range(start, start + 2_000)]

        async def insert_lines(connection: Any, made: list[Any] = made) -> None:
            above = await newest_id(connection)
            await connection.execute(ledger.insert(), [values_of(each, ledger) for each in made])
            await index_new(connection, made, above)

        await database.write(insert_lines)


def _line(number: int, text: str, chance: Random) -> Any:
    from nonebot_plugin_mishu.storage.records import Conversation, LedgerMessage

    group = 0 if chance.random() < 0.5 else chance.randrange(1, GROUPS)
    return LedgerMessage(
        Conversation("1", "group", str(group)),
        str(number),
        1_700_000_000.0 + number * 30,
        number,
        str(chance.randrange(200)),
        "群友",
        "member",
        text,
        [{"type": "text", "data": {"text": text}}],
    )


async def _search(url: str, name: str) -> list[Measurement]:
    from nonebot_plugin_mishu.storage import Conversation, Storage

    talk = _Talk(1)
    storage = await Storage.open(url, on_trouble=print, deadline=120.0)
    try:
        began = time.perf_counter()
        await _fill(storage, talk)
        filled = time.perf_counter() - began
        here = Conversation("1", "group", "0")
        chance = Random(5)
        taken: list[float] = []
        for number in range(SEARCHES + 20):
            words = [talk.pick_query()]
            if number % 4 == 1:
                words.append(talk.pick_query())
            who = str(chance.randrange(200)) if number % 4 == 2 else None
            end = 1_700_000_000.0 + LINES * 30
            since, until = (end * 0.999, end * 0.9995) if number % 4 == 3 else (0.0, end)
            began = time.perf_counter()
            await storage.ledger.containing(here, words, user_id=who, since=since, until=until, limit=20)
            taken.append((time.perf_counter() - began) * 1000)
        taken = sorted(taken[20:])
    finally:
        await storage.close()
    p99 = taken[int(len(taken) * 0.99)]
    return [
        Measurement(
            f"record: search of {LINES:,} lines, {name}, p99",
            p99,
            "ms",
            goal=f"at most {GOAL_MS:.0f} ms",
            met=p99 <= GOAL_MS,
        ),
        Measurement(f"record: the same, {name}, median", taken[len(taken) // 2], "ms"),
        Measurement(f"record: filling, {name}", filled / LINES * 1e6, "us a line"),
    ]


async def _message() -> float:
    """CPU of an ambient message of busy groups in the standalone bot, microseconds, by this machine now."""
    async with AsyncExitStack() as stack:
        bot = await stack.enter_async_context(
            Instance("bot", {"MISHU__QQ__SEND_GAP": 0}, ready="/api/health")
        )
        account = await stack.enter_async_context(Account(bot.onebot_url))
        chatter = Chatter(BUSY)
        await account.send_all(list(chatter.frames(1_000)))
        await asyncio.sleep(1)
        before = bot.cpu()
        await account.send_all(list(chatter.frames(MESSAGES)))
        await asyncio.sleep(1)  # what it queued to write belongs to the messages
        return (bot.cpu() - before) / MESSAGES * 1e6


async def _indexing(folder: Path) -> Measurement:
    """CPU of storing lines with the index and without it, in turns, in batches as a busy bot writes them.

    The lines are those of the messages whose CPU is measured beside it.
    """
    from nonebot_plugin_mishu.storage import Storage, default_url
    from nonebot_plugin_mishu.storage.engine import writer
    from nonebot_plugin_mishu.storage.ledger import word_index

    chance = Random(4)
    said = (
        "".join(part["data"].get("text", "") for part in json.loads(frame)["message"])
        for frame in Chatter(BUSY).frames(20_000)
    )
    spent = {True: 0.0, False: 0.0}
    numbers = iter(range(10**9))
    index_new = word_index.index_new

    async def nothing(*_: Any) -> None:
        return None

    storage = await Storage.open(default_url(folder), on_trouble=print)
    try:
        for turn in range(40):
            indexed = turn % 2 == 0
            writer.index_new = index_new if indexed else nothing  # type: ignore[assignment]
            made = [_line(next(numbers), next(said), chance) for _ in range(500)]
            began = time.process_time()
            for each in made:
                storage.ledger.append(each)
            await storage.ledger.flush()
            if turn > 3:
                spent[indexed] += time.process_time() - began
    finally:
        writer.index_new = index_new  # type: ignore[assignment]
        await storage.close()
    cost = (spent[True] - spent[False]) / (18 * 500) * 1e6
    message = await _message()
    share = cost / message
    return Measurement(
        "record: index, CPU of a message",
        cost,
        "us",
        f"a message's {message:.0f} us",
        share,
        "at most 0.05",
        share <= 0.05,
    )


async def _digest(folder: Path) -> list[Measurement]:
    """Tokens of a day of lines: first, and again an hour and ten lines later. The endpoint is scripted."""
    from nonebot_plugin_mishu.agents.record.digest import CALL, Digests, RecordDigest
    from nonebot_plugin_mishu.agents.record.names import MemberNames
    from nonebot_plugin_mishu.agents.record.telling import Telling, ToldSpan
    from nonebot_plugin_mishu.llm import CallLog, Deadline
    from nonebot_plugin_mishu.llm.answers.schema import schema_of
    from nonebot_plugin_mishu.llm.limits.tokens import estimate_tokens
    from nonebot_plugin_mishu.llm.transport.wire import data_message
    from nonebot_plugin_mishu.storage import Conversation, Storage, default_url

    talk, chance = _Talk(6), Random(7)
    costs: list[int] = []
    schema = str(schema_of(RecordDigest).schema)

    async def structured(name: str, data: Any, answer: Any, **more: Any) -> Any:
        told = [
            {"text": f"{each['name']}说{each['text']}"[:60], "lines": [each["id"]], "kind": "talk"}
            for each in data["lines"][:8]
        ]
        given = RecordDigest.model_validate({"sentences": told})
        parts = (str(data_message(data)["content"]), more["instructions"], schema, given.model_dump_json())
        costs.append(sum(estimate_tokens(part) for part in parts))
        return given

    async def spent(_: Conversation) -> int:
        return 0

    model: Any = SimpleNamespace(online=True, structured=structured)
    storage = await Storage.open(default_url(folder), on_trouble=print)
    here = Conversation("1", "group", "0")
    midnight = datetime(2026, 5, 20, tzinfo=ZONE).timestamp()
    try:
        from dataclasses import replace

        for number in range(DAY + 10):
            made = replace(_line(number, talk.line(), chance), conversation=here, name="小红")
            storage.ledger.append(replace(made, time=midnight + 36 * number))
        await storage.ledger.flush()
        digests = Digests(model, storage.span_digests, spent, 0)
        telling = Telling(storage.ledger, digests, model, ZONE, MemberNames(None))
        clock = asyncio.get_running_loop().time
        sums: list[int] = []
        for lines in (DAY, DAY + 10):
            stretch = ToldSpan(midnight, midnight + 36 * lines)
            await telling.told(here, stretch, Deadline.after(600, clock), CallLog())
            sums.append(sum(costs))
            costs.clear()
    finally:
        await storage.close()
    assert CALL
    return [
        Measurement(
            f"record: {DAY:,} lines summed up, {what}",
            value,
            "tokens",
            goal=f"at most {goal:,}",
            met=value <= goal,
        )
        for what, value, goal in (("first", sums[0], FIRST), ("ten lines later", sums[1], AGAIN))
    ]


def run() -> Iterator[Measurement]:
    """Measure with databases of its own."""
    nonebot.logger.remove()  # standard output is for the numbers
    nonebot.init(driver="~none", log_level="ERROR")
    nonebot.load_plugin("nonebot_plugin_mishu")
    from nonebot_plugin_mishu.storage import default_url

    with tempfile.TemporaryDirectory() as folder:
        yield from asyncio.run(_digest(Path(folder) / "digest"))
        yield asyncio.run(_indexing(Path(folder) / "index"))
        yield from asyncio.run(_search(default_url(Path(folder) / "search"), "SQLite"))
    url = os.environ.get("MISHU_TEST_DATABASE_URL")
    if url:
        yield from asyncio.run(_search(url, "PostgreSQL"))
