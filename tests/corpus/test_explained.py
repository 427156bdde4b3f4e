"""What `explain` shows of a line is what the running bot carries out: over the corpus, the same frames.

The core stands on a real database that holds the row's world, and is handed the row as the front desk would;
it is stopped where it has read it. The default run tries some rows of every world, the exhaustive part every
third.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any, Final, cast

import pytest
from default_run import first
from nonebot_plugin_mishu.agents import DEFAULT, Mention, Request, Utterance
from nonebot_plugin_mishu.app.assembly import assemble
from nonebot_plugin_mishu.config import Config, loading
from nonebot_plugin_mishu.core.decision import MessageReading, read
from nonebot_plugin_mishu.language.addressing.called_names import uncalled
from nonebot_plugin_mishu.language.clause import Situation
from nonebot_plugin_mishu.llm import CallLog, Deadline, ModelClient
from nonebot_plugin_mishu.storage import Storage
from nonebot_plugin_mishu.storage.records import Conversation, LedgerMessage
from nonebot_plugin_mishu.storage.schedules.queries import Add
from nonebot_plugin_mishu.storage.schedules.records import Participant, SchedulePlan
from nonebot_plugin_mishu.storage.tasks.records import TaskChanges, TaskDraft, TaskRecord
from nonebot_plugin_mishu.storage.transactions.queries import NewTransactions, TransactionChanges

from benchmarks.corpus import CORPUS, Row, read_corpus
from benchmarks.understanding import NAMES, NOW, ZONE
from bot.explain import explain
from bot.explain.reading import shown_frames
from bot.explain.world import World, world
from bot.replay.scripted import ScriptedModel, ready
from bot.replay.stage import ACCOUNT, StandingClock
from bot.replay.tables import laid_out

HERE: Final = Conversation(ACCOUNT, "group", "777")
ELSEWHERE: Final = Conversation(ACCOUNT, "group", "778")
SPEAKER: Final = "20000"
OTHERS: Final = 20
"""Tasks of another group that are there before, so that no task has the number of a schedule."""
SOME: Final = 6
"""Rows of a world that the default run tries."""


class ReadNow(Exception):
    """The core has read the line: nothing of it is carried out."""


class Running:
    """A bot without model on a database that holds a world; `reading` is what it makes of a line."""

    def __init__(self, file: Path) -> None:
        self.given: Mapping[str, Any] = json.loads(file.read_text("utf-8"))
        self.world = world(file, ZONE)
        self.clock = StandingClock(ZONE, NOW.timestamp())
        self.ids: dict[str, str] = {}
        """By id on disk: the id in the world's file."""
        self.seen: list[tuple[str, Situation, MessageReading]] = []
        self.storage: Any = None
        self.services: Any = None

    async def begin(self, folder: Path) -> None:
        self.storage = await Storage.open(await laid_out(folder), on_trouble=_never, now=self.clock.wall)
        await self._fill()
        model = cast(ModelClient, ScriptedModel(online=False))
        self.services = assemble(
            Config(), self.clock, self.storage, model, NAMES, _raise, watched=lambda agents: agents
        )
        pipeline = self.services.core._pipeline

        def stopping(text: str, where: Situation, agents: Any) -> MessageReading:
            self.seen.append((text, where, read(text, where, agents)))
            raise ReadNow

        self.services.core._pipeline = replace(pipeline, read=stopping)
        await self.services.core.start()

    async def end(self) -> None:
        """Also where the beginning failed: an open database would keep the loop from ending."""
        if self.services is not None:
            await self.services.close()
        if self.storage is not None:
            await self.storage.close()

    async def _fill(self) -> None:
        if self.world.term is not None:
            await self.storage.settings.set_term(HERE, self.world.term.as_kept())
        for each in self.given.get("schedules", ()):
            start = datetime.fromisoformat(each["starts_at"])
            plan = SchedulePlan(f"{start:%F %T}", str(ZONE), each["title"])
            add, by = Add(plan, each["id"]), Participant(SPEAKER, "我")
            [made] = await self.storage.schedules.apply(
                HERE, by, [add], at=1.0, summary="", remind=lambda _: None
            )
            self.ids[str(made.id)] = each["id"]
        for number in range(OTHERS):
            await self._task(ELSEWHERE, {"id": f"other{number}", "title": "别的"})
        for each in self.given.get("tasks", ()):
            self.ids[str(await self._task(HERE, each))] = each["id"]
        for number, each in enumerate(reversed(self.world.records), 1):
            told = each.fields
            fields = TransactionChanges("expense", told.fen, "其他", told.description, f"{NOW:%F}")
            new = NewTransactions(HERE, SPEAKER, "我", each.batch, number, [(0, fields)], "")
            await self.storage.transactions.commit(new, float(number))

    async def _task(self, where: Conversation, each: Mapping[str, Any]) -> int:
        at = datetime.fromisoformat(each["when"]).replace(tzinfo=ZONE) if each.get("when") else None
        fields = TaskChanges(
            each["title"], f"{at:%F}" if at else "", str(ZONE), remind_at=at.isoformat() if at else None
        )
        made = await self.storage.tasks.create(
            TaskDraft(where, SPEAKER, "我", SPEAKER, fields, each["id"]),
            summary="",
            at=1.0,
            remind=lambda _: None,
            objects=lambda _: None,
        )
        assert isinstance(made, TaskRecord)
        return made.id

    async def reading(self, row: Row) -> tuple[str, Situation, MessageReading] | str:
        """What was read of the row, or the outcome where nothing was."""
        self.seen.clear()
        words = uncalled(row.say, NAMES)
        at, receipt = NOW.timestamp(), self.clock.receipt()
        message = LedgerMessage(HERE, row.say, at, receipt, SPEAKER, "我", "member", words, addressed=True)
        members = tuple(Mention(str(each["id"]), each["name"]) for each in self.given.get("members", ()))
        request = Request(
            conversation=HERE,
            utterances=(Utterance(message, words, members=members),),
            context=(message,),
            reply_mode="forced",
            persona=None,
            bot_names=NAMES,
            judgement=ready(DEFAULT),
            now=NOW.timestamp(),
            deadline=Deadline.after(10, self.clock.monotonic),
            calls=CallLog(),
            today=self.clock.today_began(),
        )
        try:
            outcome = await self.services.core.handle(request)
        except ReadNow:
            return self.seen[0]
        return outcome.status

    def shown(self, row: Row, seen: tuple[str, Situation, MessageReading]) -> list[dict[str, Any]]:
        """The frames as `explain` would show them, with the ids of the world's file."""
        said, where, reading = seen
        known = World(records=self.world.records)
        frames = shown_frames(row.say, said, where, reading, known)
        return [self._named(frame) for frame in frames]

    def _named(self, frame: dict[str, Any]) -> dict[str, Any]:
        slots = dict(frame["slots"])
        if frame["agent_code"] != "bookkeeping":
            if "ref" in slots:
                slots["ref"] = self.ids[slots["ref"]]
            if "refs" in slots:
                slots["refs"] = [self.ids[ref] for ref in slots["refs"]]
        return {**frame, "slots": slots}


def _never(sentence: str) -> None:
    raise AssertionError(sentence)


def _raise(what: str, error: BaseException) -> None:
    raise error


def rows_of(name: str) -> Sequence[Row]:
    return [row for row in read_corpus() if row.overheard is None and row.world == name]


def cases() -> Iterator[Any]:
    """Worlds, and how many of their rows are tried; None: every third."""
    names = sorted(file.stem for file in (CORPUS / "worlds").glob("*.json"))
    for name in names:
        yield pytest.param(name, SOME, id=f"{name}-some")
    for name in names:
        yield pytest.param(name, None, id=f"{name}-third")


WORLDS: Final = sum(1 for _ in (CORPUS / "worlds").glob("*.json"))


@first(WORLDS)
@pytest.mark.parametrize(("name", "count"), list(cases()))
def test_explain_and_the_running_bot_agree(name: str, count: int | None, tmp_path: Path) -> None:
    config = loading.read({}, {})

    async def compare() -> list[str]:
        running = Running(CORPUS / "worlds" / f"{name}.json")
        differ: list[str] = []
        try:
            await running.begin(tmp_path)
            for row in rows_of(name)[:: 3 if count is None else 1][:count]:
                explained = explain(row.say, NOW, ZONE, config, NAMES, running.world)
                seen = await running.reading(row)
                if isinstance(seen, str):
                    assert (seen, explained["gate"]) in (("blocked", "BLOCK"), ("blocked", "EMERGENCY")), row
                elif (explained["sure"], explained["frames"]) != (seen[2].sure, running.shown(row, seen)):
                    differ.append(f"{row.say}\n  {explained['frames']}\n  {running.shown(row, seen)}")
        finally:
            await running.end()
        return differ

    differ = asyncio.run(compare())
    assert not differ, f"{len(differ)} differ:\n" + "\n".join(differ[:10])
