"""An office of one book-keeper over a real database: what its members say, and what is on disk."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from nonebot_plugin_mishu.agents import Handed, Mention, TaskResult
from nonebot_plugin_mishu.agents.api.undoing import Undoing
from nonebot_plugin_mishu.agents.bookkeeping.books import Books
from nonebot_plugin_mishu.agents.bookkeeping.handler import BookKeeper, answers
from nonebot_plugin_mishu.agents.bookkeeping.queries import Queries
from nonebot_plugin_mishu.agents.bookkeeping.reader import read, replies
from nonebot_plugin_mishu.agents.bookkeeping.rules import rules
from nonebot_plugin_mishu.config import Bookkeeping
from nonebot_plugin_mishu.llm import ModelError
from nonebot_plugin_mishu.storage import Storage, StorageError
from nonebot_plugin_mishu.storage.records import Conversation, FrameRecord
from nonebot_plugin_mishu.storage.transactions.queries import BookSpan, TransactionRecord
from ready_database import ready_url
from stand_ins import GROUP
from task_contexts import NOW, ZONE, context, dispatch, frame


def without_names(items: list[str]) -> list[list[str]]:
    """Amount, type, category and day of items written as in the data files, without what they are called."""
    return [item.split(" ")[:4] for item in items]


class ScriptedModel:
    """Answers by call name: a value, an error, or a value that comes when nobody waits for it any more."""

    def __init__(self, *, online: bool = False, **answers: Any) -> None:
        self.online = online or bool(answers)
        self.answers = answers
        self.answers_late = False
        self.answered_late = asyncio.Event()
        self.asked: list[SimpleNamespace] = []

    async def structured(self, name: str, data: Any, answer: Any, **more: Any) -> Any:
        self.asked.append(SimpleNamespace(name=name, data=data, **more))
        if self.answers_late:
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                self.answered_late.set()  # and answer all the same
        given = self.answers.get(name, ModelError("offline", name))
        if isinstance(given, BaseException):
            raise given
        return answer.model_validate(given)


class Shop:
    """One book-keeper. `task` is the task that is open for `user`."""

    def __init__(self, storage: Storage, model: ScriptedModel, **config: Any) -> None:
        self.storage = storage
        self.model = model
        self.now = NOW
        self.ahead = 0.0
        self.books = Books(storage, model, Bookkeeping(**config), ZONE, self.wall)  # type: ignore[arg-type]
        self.files: list[tuple[str, bytes]] = []
        self.takes_files = True
        self.handed: list[tuple[Conversation, str, str, tuple[str, bytes] | None]] = []
        """Files given to members in private."""
        self.reached = True
        self.keeper = BookKeeper(
            self.books, Queries(self.books, self), Undoing(self.books.storage.changes, self.books.wall)
        )  # type: ignore[arg-type]
        self.tasks: dict[str, FrameRecord] = {}
        self.spoken: list[str] = []
        self.pictures: list[bytes] = []
        self.passed = False
        self.count = 0
        self.last: TaskResult | None = None

    def wall(self) -> float:
        return self.now.timestamp() + self.ahead

    async def give_file(self, conversation: Conversation, name: str, content: bytes) -> bool:
        self.files.append((name, content))
        return self.takes_files

    async def hand_over(
        self,
        conversation: Conversation,
        user_id: str,
        told: Callable[[bool], str],
        file: tuple[str, bytes] | None = None,
    ) -> Handed:
        given = file is not None and self.takes_files
        self.handed.append((conversation, user_id, told(given), file if given else None))
        return Handed(given, words=True) if self.reached else Handed()

    async def say(
        self,
        text: str,
        intent: str = "record",
        *,
        user: str = "30001",
        where: Conversation = GROUP,
        lost: bool = False,
        members: tuple[Mention, ...] = (),
        **more: Any,
    ) -> str:
        """A member's line; the reply.

        `lost`: the process died before the result was kept. `members`: who else is known there by name.
        """
        self.count += 1
        opened = self.tasks.get(user)
        line = context(
            text,
            intent,
            opened=opened,
            origin=f"m{self.count}#0",
            user=user,
            conversation=where,
            spoken=self.spoken,
            now=self.now,
            **more,
        )
        if members:
            line.clause = replace(line.clause, situation=replace(line.clause.situation, members=members))
        if opened is not None:
            line.bound = answers(opened, line.clause)
            if line.bound is None and rules(line.clause) is None:
                self.passed = True  # talk: it is not the books'
                return ""
            if line.bound is None:
                opened = None
                line.open = None
        words: dict[str, str] = {}
        with suppress(StorageError):  # as the core does: then nothing is known
            words = await self.storage.transactions.words.load_words(where)
        heard = replace(line.clause, situation=replace(line.clause.situation, taught=tuple(words.items())))
        line.clause = heard
        line.frame = read(intent, heard) if opened is None else replies(opened, heard)
        result = await self.keeper(dispatch(line), line)
        self.last, self.passed = result, line.passed_on
        self.pictures.extend(line.pictures)
        if not lost:
            kept = frame(line, result)
            if kept.status == "awaiting_user":
                self.tasks[user] = kept
            else:
                self.tasks.pop(user, None)
        return result.user_response or ""

    async def expire(self, user: str = "30001") -> str | None:
        return await self.keeper.expire(self.tasks.pop(user))

    async def saved(self, user: str | None = None, where: Conversation = GROUP) -> list[TransactionRecord]:
        return await self.storage.transactions.list_records(BookSpan(where, user, everything=True))

    async def kept(self) -> list[str]:
        return [f"{one.fields.description}{one.fields.fen}" for one in await self.saved()]


@asynccontextmanager
async def shop(tmp_path: Path, model: ScriptedModel | None = None, **config: Any) -> AsyncIterator[Shop]:
    storage = await Storage.open(await ready_url(tmp_path), on_trouble=lambda _: None)
    try:
        yield Shop(storage, model or ScriptedModel(), **config)
    finally:
        await storage.close()
