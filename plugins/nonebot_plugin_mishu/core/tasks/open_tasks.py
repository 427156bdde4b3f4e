"""M3 in memory: every member's open tasks, on disk before anybody is told (product section 3)."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from typing import Any, Final, Protocol

from ...language.clause import Clause
from ...storage.records import Conversation, FrameRecord, LedgerMessage
from .orchestrator import TaskPlan

Member = tuple[Conversation, str]
RECENTLY: Final = 300.0
"""Seconds before a start in which an answer may have been processed without its reply."""
_MOST_OVER: Final = 1000


class FrameStore(Protocol):
    """Store of M3: `storage.Frames`. Everything raises `StorageError`."""

    async def put(self, *frames: FrameRecord) -> None:
        """Keep tasks, all or none; on disk on return."""
        ...

    async def open(self) -> Sequence[FrameRecord]:
        """All open tasks."""
        ...

    async def since(self, moment: float) -> Sequence[FrameRecord]:
        """The tasks that changed at `moment` or later, oldest first."""
        ...

    async def latest(self, conversation: Conversation, limit: int) -> Sequence[FrameRecord]:
        """The tasks of a conversation that changed last, newest first."""
        ...


class FramesInMemory:
    """A store that forgets with the process: for tools that run the core without a database."""

    def __init__(self) -> None:
        self.frames: dict[str, FrameRecord] = {}

    async def put(self, *frames: FrameRecord) -> None:
        """Keep them."""
        self.frames.update({frame.task_id: frame for frame in frames})

    async def open(self) -> Sequence[FrameRecord]:
        """All open tasks."""
        return [frame for frame in self.frames.values() if frame.open]

    async def since(self, moment: float) -> Sequence[FrameRecord]:
        """The tasks that changed at `moment` or later."""
        return [frame for frame in self.frames.values() if frame.updated_at >= moment]

    async def latest(self, conversation: Conversation, limit: int) -> Sequence[FrameRecord]:
        """The tasks that changed last."""
        here = [frame for frame in self.frames.values() if frame.conversation == conversation]
        return sorted(here, key=lambda frame: frame.updated_at, reverse=True)[:limit]


class OpenTasks:
    """Open tasks by member. Lookups are of memory only; `keep` is on disk when it returns."""

    def __init__(self, store: FrameStore) -> None:
        self._store = store
        self._members: dict[Member, dict[str, FrameRecord]] = {}
        self._clauses: dict[str, Clause] = {}
        self._moved: dict[tuple[Conversation, str], list[FrameRecord]] = {}
        """Tasks changed by answers shortly before a restart, by the answering message."""
        self._put_to_others: dict[str, FrameRecord] = {}
        """Tasks that wait for another member's answer."""
        self._over: dict[tuple[Conversation, str], None] = {}
        """Messages of ours whose question is over, the newest ones."""
        self.serves: Callable[[Conversation], bool] = lambda where: True
        """True if this process ends the due questions of a conversation."""
        self.reloaded: Callable[[], None] = lambda: None

    async def load(self, now: float, until: float) -> None:
        """Everything open, as a restart finds it. Raises `StorageError`.

        What was cut off and waits for nobody is done with its message, should that come again, or with its
        member's next one; at `until` (wall seconds) it is over.
        """
        self.know(TaskPlan(tuple(await self._store.open())).from_disk().tasks)
        for frame in await self._store.since(now - RECENTLY):
            if frame.moved_by not in ("", frame.message_id):
                self._moved.setdefault((frame.conversation, frame.moved_by), []).append(frame)
        for mine in self._members.values():
            if TaskPlan(tuple(mine.values())).focus is None:
                for frame in [one for one in mine.values() if one.status == "queued"]:
                    mine[frame.task_id] = replace(frame, expires_at=until)

    async def reload(self, places: Collection[Conversation]) -> None:
        """Open tasks of these conversations, read again after another process. Raises `StorageError`."""
        there = set(places)
        found = [frame for frame in await self._store.open() if frame.conversation in there]
        for where, user_id in [member for member in self._members if member[0] in there]:
            self.drop(where, user_id)
        self.know(TaskPlan(tuple(found)).from_disk().tasks)
        self.reloaded()

    def of(self, conversation: Conversation, user_id: str) -> tuple[FrameRecord, ...]:
        """A member's open tasks, oldest first."""
        return tuple(self._members.get((conversation, user_id), {}).values())

    def members_in(self, conversation: Conversation) -> list[str]:
        """Members with an open task in a conversation."""
        return [user_id for where, user_id in self._members if where == conversation]

    def awaiting(self, conversation: Conversation, user_id: str) -> bool:
        """True if a question to this member is open."""
        return any(task.status == "awaiting_user" for task in self.of(conversation, user_id))

    def asked_of(self, conversation: Conversation, user_id: str) -> tuple[FrameRecord, ...]:
        """Other members' tasks of a conversation whose question this member answers."""
        return tuple(
            task
            for task in self._put_to_others.values()
            if task.conversation == conversation and user_id in task.asked_of
        )

    def open_to(self, conversation: Conversation, user_id: str) -> tuple[FrameRecord, ...]:
        """Other members' waiting tasks of a conversation that concern this member."""
        return tuple(
            task
            for member in self.members_in(conversation)
            if member != user_id
            for task in self.of(conversation, member)
            if task.status == "awaiting_user" and user_id in task.open_to
        )

    def get(self, conversation: Conversation, task_id: str) -> FrameRecord | None:
        """An open task of a conversation."""
        for (where, _), tasks in self._members.items():
            if where == conversation and task_id in tasks:
                return tasks[task_id]
        return None

    async def keep(self, frames: Sequence[FrameRecord]) -> None:
        """Write tasks, then update memory. Raises `StorageError`: then nothing has changed."""
        as_stored = [stored(frame) for frame in frames]
        if as_stored:
            await self._store.put(*as_stored)
        self.know(as_stored)

    async def note(self, frames: Sequence[FrameRecord]) -> None:
        """Update memory at once, then write: for changes that hold also if the write fails. Concurrent
        calls write in the order of their memory updates. Raises `StorageError`."""
        as_stored = [stored(frame) for frame in frames]
        self.know(as_stored)
        if as_stored:
            await self._store.put(*as_stored)

    def know(self, frames: Iterable[FrameRecord]) -> None:
        """Update memory only."""
        for frame in frames:
            member = (frame.conversation, frame.user_id)
            self._put_to_others.pop(frame.task_id, None)
            if frame.status == "awaiting_other":
                self._put_to_others[frame.task_id] = frame
            if frame.open:
                self._members.setdefault(member, {})[frame.task_id] = frame
                continue
            self._clauses.pop(frame.task_id, None)
            mine = self._members.get(member, {})
            before = mine.pop(frame.task_id, None)
            self._note_over(frame.conversation, before.question_ids if before is not None else ())
            if not mine:
                self._members.pop(member, None)

    def drop(self, conversation: Conversation, user_id: str) -> None:
        """Forget what a member has open here, in memory; its rows are the caller's business."""
        for task_id in self._members.pop((conversation, user_id), {}):
            self._clauses.pop(task_id, None)
            self._put_to_others.pop(task_id, None)

    async def latest(self, conversation: Conversation, limit: int) -> Sequence[FrameRecord]:
        """Open and recent tasks of a conversation, newest first. Raises `StorageError`."""
        return await self._store.latest(conversation, limit)

    def moved_before(
        self, conversation: Conversation, user_id: str, message_id: str
    ) -> tuple[FrameRecord, ...]:
        """Tasks changed by a message's answer before the restart; returned once, so that it is not read as
        new."""
        if not self._moved:
            return ()
        moved = self._moved.pop((conversation, message_id), [])
        return tuple(frame for frame in moved if user_id in (frame.user_id, *frame.asked_of))

    def is_over(self, conversation: Conversation, quoted: LedgerMessage | None) -> bool:
        """True if the question of a quoted message is over. Unknown after a restart."""
        return quoted is not None and (conversation, quoted.message_id) in self._over

    def _note_over(self, conversation: Conversation, question_ids: Sequence[str]) -> None:
        self._over.update(dict.fromkeys((conversation, one) for one in question_ids))
        while len(self._over) > _MOST_OVER:
            del self._over[next(iter(self._over))]

    def remember_clause(self, task_id: str, clause: Clause) -> None:
        """The clause of a task that waits for its turn; after a restart it is read from the words again."""
        self._clauses[task_id] = clause

    def clause(self, task_id: str) -> Clause | None:
        """The clause of a task that waits."""
        return self._clauses.get(task_id)

    def next_expiry(self) -> float | None:
        """Wall seconds of the next question whose time is over."""
        times = [
            task.expires_at
            for (where, _), tasks in self._members.items()
            for task in tasks.values()
            if task.expires_at is not None and self.serves(where)
        ]
        return min(times, default=None)

    def members_expired(self, now: float) -> list[Member]:
        """Members with a question that is over at `now`."""
        return [
            member
            for member, tasks in self._members.items()
            if self.serves(member[0])
            and any(task.expires_at is not None and task.expires_at <= now for task in tasks.values())
        ]


def stored(frame: FrameRecord) -> FrameRecord:
    """The task as the database returns it, so that a restart changes nothing."""
    return replace(frame, slots=_plain(frame.slots))


def _plain(value: dict[str, Any]) -> dict[str, Any]:
    return json.loads(json.dumps(value, ensure_ascii=False, default=str))
