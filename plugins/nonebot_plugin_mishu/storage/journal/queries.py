"""The journal of what members changed, so that 撤销 can undo it (product section 12).

A change is a list of rows, each as it was before and as it was left. Undoing puts the before-images back,
all or none, and only while every row still is as the change left it: what was changed again since is not
overwritten. It knows the agents' tables by name only.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from sqlalchemy import ColumnElement, Select, Table, delete, insert, select, true, update
from sqlalchemy.ext.asyncio import AsyncConnection

from ..engine.change_notice import Noted, note
from ..engine.columns import CleanText, metadata, storable
from ..engine.database import Database
from ..engine.queries import Queries
from ..engine.writer import Writer
from ..records import Conversation
from ..reminders.tables import reminder
from ..rows import conversation_values, within
from .tables import change

_AGENT = "agent/"
"""Before an agent's code, in the place of a table: the change is in tables of another plugin."""
UNDO_WITHIN = 600.0
"""Seconds in which a change can be undone."""


@dataclass(frozen=True, slots=True)
class RowChange:
    """One row of an agent's table before and after a change, as column values; None: there was no row.

    `table` is the full name (`mishu_task`); see `image` for the values.
    """

    table: str
    row_id: int
    before: Mapping[str, Any] | None
    after: Mapping[str, Any] | None


@dataclass(frozen=True, slots=True)
class AgentChange:
    """A member's change made by another plugin's agent, with its undo token."""

    change_id: int
    agent_code: str
    summary: str
    token: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class UndoneChange:
    """A change that was undone."""

    change_id: int
    agent_code: str
    summary: str
    """Summary of the change, Chinese."""
    rows: tuple[RowChange, ...]
    """The rows as the change had them: `before` is how they are again."""


class CannotUndo(Exception):
    """The last change cannot be undone; the text is a Chinese sentence that says why."""


async def image(connection: AsyncConnection, table: Table, row_id: int) -> dict[str, Any] | None:
    """A row as column values, for `RowChange.before` and `after`; None where there is none."""
    row = (await connection.execute(select(table).where(table.c.id == row_id))).one_or_none()
    return None if row is None else dict(row._mapping)  # pyright: ignore[reportPrivateUsage]


async def journal(
    connection: AsyncConnection,
    conversation: Conversation,
    user_id: str,
    agent_code: str,
    summary: str,
    rows: Sequence[RowChange],
    at: float,
) -> int:
    """Note a change in the transaction that makes it; its id. `summary` is Chinese, shown by 撤销.

    Rows that stand as they were are left out; several changes of one row are one.
    """
    values = {
        **conversation_values(conversation),
        "user_id": user_id,
        "agent_code": agent_code,
        "summary": summary,
        "rows": [asdict(row) for row in _merge_rows(rows)],
        "at": at,
    }
    result = await connection.execute(insert(change).values(**values))
    note(connection, *(_change_notice(conversation, user_id, row) for row in _merge_rows(rows)))
    key = result.inserted_primary_key
    assert key is not None
    return int(key[0])


def _change_notice(conversation: Conversation, user_id: str, row: RowChange) -> Noted:
    gone = row.after is None or (bool(row.after.get("deleted")) and not (row.before or {}).get("deleted"))
    came = row.before is None or (bool(row.before.get("deleted")) and not gone)
    action = "deleted" if gone else "added" if came else "changed"
    return Noted(conversation, row.table, row.row_id, action, user_id)


def _merge_rows(rows: Sequence[RowChange]) -> list[RowChange]:
    whole: dict[tuple[str, int], RowChange] = {}
    for row in rows:
        key = (row.table, row.row_id)
        first = whole.pop(key, row)
        whole[key] = RowChange(row.table, row.row_id, first.before, row.after)
    return [row for row in whole.values() if row.before != row.after]


class Changes(Queries):
    """The journal of what members changed, so that 撤销 can undo it."""

    def __init__(
        self, database: Database, writer: Writer, on_undone: Callable[[], None] | None = None
    ) -> None:
        super().__init__(database, writer)
        self._on_undone = on_undone

    async def undo(
        self,
        conversation: Conversation,
        user_id: str,
        now: float,
        *,
        origin: str | None = None,
        only: int | None = None,
    ) -> UndoneChange | None:
        """Undo the member's last change within `UNDO_WITHIN`; None where there is none (any more).

        The next call undoes the one before it. With an `origin` (`context.origin`) a repeated call gives
        what the first one undid. `only`: this change, whatever was done since.

        Raises:
            CannotUndo: a row is not as the change left it; nothing was done.
            StorageError: it did not happen.
        """

        async def undo_change(connection: AsyncConnection) -> UndoneChange | str | None:
            mine = within(change, conversation) & (change.c.user_id == user_id)
            if origin is not None:
                again = select(change).where(mine, change.c.undone_by == origin)
                if (row := (await connection.execute(again)).one_or_none()) is not None:
                    return _row_undone(row)
            last = (
                select(change)
                .where(mine, change.c.undone_at.is_(None), change.c.at >= now - UNDO_WITHIN)
                .where(true() if only is None else change.c.id == only)
                .order_by(change.c.id.desc())
                .limit(1)
                .with_for_update()
            )
            row = (await connection.execute(last)).one_or_none()
            if row is None:
                return None
            undone = _row_undone(row)
            for each in undone.rows:
                if (why := await _find_conflict(connection, each)) is not None:
                    return f"「{undone.summary}」撤销不了：{why}。"
            await _restore_rows(connection, undone.rows)
            back = [RowChange(one.table, one.row_id, one.after, one.before) for one in undone.rows]
            note(connection, *(_change_notice(conversation, user_id, one) for one in back))
            done = {"undone_at": now, "undone_by": origin}
            await connection.execute(update(change).where(change.c.id == row.id).values(**done))
            return undone

        found = await self._writer.run(undo_change)
        if isinstance(found, str):
            raise CannotUndo(found)
        if found is not None and self._on_undone is not None:
            self._on_undone()
        return found

    async def redo(
        self, conversation: Conversation, user_id: str, now: float, *, origin: str
    ) -> UndoneChange | None:
        """Make the change again that the member undid last, within `UNDO_WITHIN`; None where there is none,
        or something was changed since. It can be undone anew. A repeated call with the same `origin` gives
        what the first one made again.

        Raises:
            CannotUndo: a row is not as undoing left it, or another plugin's agent made the change.
            StorageError: it did not happen.
        """

        async def redo_change(connection: AsyncConnection) -> UndoneChange | str | None:
            mine = within(change, conversation) & (change.c.user_id == user_id)
            again = select(change).where(mine, change.c.undone_by == _redone_by(origin))
            if (row := (await connection.execute(again)).one_or_none()) is not None:
                return _row_undone(row)
            row = (await connection.execute(_undone_last(mine, now).with_for_update())).one_or_none()
            if row is None or await _changed_since(connection, mine, row):
                return None
            made = _row_undone(row)
            if any(each.table.startswith(_AGENT) for each in made.rows):
                return f"「{made.summary}」恢复不了，要就再说一遍。"
            back = tuple(RowChange(one.table, one.row_id, one.after, one.before) for one in made.rows)
            for each in back:
                if (why := await _find_conflict(connection, each)) is not None:
                    return f"「{made.summary}」恢复不了：{why}。"
            await _restore_rows(connection, back)
            note(connection, *(_change_notice(conversation, user_id, one) for one in made.rows))
            done = {"undone_at": None, "undone_by": _redone_by(origin), "at": now}
            await connection.execute(update(change).where(change.c.id == row.id).values(**done))
            return made

        found = await self._writer.run(redo_change)
        if isinstance(found, str):
            raise CannotUndo(found)
        if found is not None and self._on_undone is not None:
            self._on_undone()
        return found

    @Queries.reading
    async def last_undone(
        self, connection: AsyncConnection, conversation: Conversation, user_id: str, now: float
    ) -> tuple[str, float] | None:
        """Summary and time (wall seconds) of what the member undid last; None for nothing, and where
        something was changed since."""
        mine = within(change, conversation) & (change.c.user_id == user_id)
        row = (await connection.execute(_undone_last(mine, now))).one_or_none()
        if row is None or await _changed_since(connection, mine, row):
            return None
        return str(row.summary), float(row.undone_at)

    @Queries.writing
    async def as_one(
        self,
        connection: AsyncConnection,
        conversation: Conversation,
        user_id: str,
        table: str,
        row_ids: Sequence[int],
        summary: str,
    ) -> None:
        """Make one change of those of the member's that brought these rows: one order made them, and 撤销
        takes all of them back. Raises `StorageError`."""
        mine = within(change, conversation) & (change.c.user_id == user_id) & change.c.undone_at.is_(None)
        found = [
            row
            for row in await connection.execute(
                select(change).where(mine).order_by(change.c.id.desc()).limit(2 * len(row_ids))
            )
            if any(
                each["table"] == table and each["row_id"] in row_ids and each["before"] is None
                for each in row.rows
            )
        ]
        if len(found) < 2:
            return
        last, *others = found
        rows = _merge_rows([RowChange(**each) for row in reversed(found) for each in row.rows])
        whole = {"rows": [asdict(row) for row in rows], "summary": summary}
        await connection.execute(update(change).where(change.c.id == last.id).values(**whole))
        await connection.execute(delete(change).where(change.c.id.in_([row.id for row in others])))

    @Queries.writing
    async def note_of_agent(
        self,
        connection: AsyncConnection,
        conversation: Conversation,
        user_id: str,
        agent_code: str,
        summary: str,
        token: Mapping[str, Any],
        at: float,
    ) -> None:
        """Note a change that an agent of another plugin made in tables of its own. The same token is noted
        once: a restart may repeat the work. Raises `StorageError`."""
        row = RowChange(f"{_AGENT}{agent_code}", 0, None, _json_value(dict(token)))
        mine = within(change, conversation) & (change.c.user_id == user_id) & change.c.undone_at.is_(None)
        recent = select(change.c.rows).where(mine & (change.c.at >= at - UNDO_WITHIN))
        noted = (await connection.execute(recent)).scalars()
        if all(list(each) != [asdict(row)] for each in noted):
            await journal(connection, conversation, user_id, agent_code, summary, [row], at)

    @Queries.reading
    async def last_of_agent(
        self, connection: AsyncConnection, conversation: Conversation, user_id: str, now: float
    ) -> AgentChange | None:
        """The next change to undo, where an agent of another plugin made it: that agent takes it back, and
        `close_of_agent` notes it."""
        mine = within(change, conversation) & (change.c.user_id == user_id)
        recent = mine & change.c.undone_at.is_(None) & (change.c.at >= now - UNDO_WITHIN)
        newest = select(change).where(recent).order_by(change.c.id.desc()).limit(1)
        row = (await connection.execute(newest)).one_or_none()
        first = row.rows[0] if row is not None and row.rows else None
        if row is None or first is None or not str(first["table"]).startswith(_AGENT):
            return None
        return AgentChange(row.id, row.agent_code, row.summary, first["after"] or {})

    @Queries.reading
    async def undone_by(
        self, connection: AsyncConnection, conversation: Conversation, user_id: str, origin: str
    ) -> AgentChange | None:
        """The change of another plugin's agent that was undone by this origin before a restart."""
        mine = within(change, conversation) & (change.c.user_id == user_id) & (change.c.undone_by == origin)
        row = (await connection.execute(select(change).where(mine).limit(1))).one_or_none()
        if row is None or not str(row.rows[0]["table"]).startswith(_AGENT):
            return None
        return AgentChange(row.id, row.agent_code, row.summary, row.rows[0]["after"] or {})

    @Queries.writing
    async def close_of_agent(
        self, connection: AsyncConnection, change_id: int, now: float, origin: str
    ) -> None:
        """Note that an agent took its change back. Raises `StorageError`."""
        done = {"undone_at": now, "undone_by": origin}
        await connection.execute(update(change).where(change.c.id == change_id).values(**done))

    @Queries.reading
    async def newest(
        self, connection: AsyncConnection, conversation: Conversation, user_id: str, now: float
    ) -> tuple[int, str] | None:
        """Id and summary of the next change to undo; None for nothing, and for a change of another plugin's
        agent."""
        mine = within(change, conversation) & (change.c.user_id == user_id)
        recent = mine & change.c.undone_at.is_(None) & (change.c.at >= now - UNDO_WITHIN)
        row = (
            await connection.execute(select(change).where(recent).order_by(change.c.id.desc()).limit(1))
        ).one_or_none()
        if row is None or not row.rows or str(row.rows[0]["table"]).startswith(_AGENT):
            return None
        return int(row.id), str(row.summary)

    @Queries.reading
    async def last(
        self, connection: AsyncConnection, conversation: Conversation, user_id: str, now: float
    ) -> tuple[str, float] | None:
        """Summary and time (wall seconds) of the next change to undo; None for nothing."""
        mine = within(change, conversation) & (change.c.user_id == user_id)
        recent = mine & change.c.undone_at.is_(None) & (change.c.at >= now - UNDO_WITHIN)
        newest = select(change.c.summary, change.c.at).where(recent).order_by(change.c.id.desc()).limit(1)
        row = (await connection.execute(newest)).one_or_none()
        return None if row is None else (str(row.summary), float(row.at))


def _redone_by(origin: str) -> str:
    """The origin of a redo, as its change keeps it."""
    return f"redo {origin}"


def _undone_last(mine: ColumnElement[bool], now: float) -> Select[Any]:
    recent = mine & (change.c.undone_at >= now - UNDO_WITHIN)
    return select(change).where(recent).order_by(change.c.undone_at.desc(), change.c.id).limit(1)


async def _changed_since(connection: AsyncConnection, mine: ColumnElement[bool], undone: Any) -> bool:
    """True if the member changed something after undoing this; two in one instant are told by their order."""
    later = (change.c.at > undone.undone_at) | ((change.c.at == undone.undone_at) & (change.c.id > undone.id))
    since = select(change.c.id).where(mine, change.c.undone_at.is_(None), later).limit(1)
    return (await connection.execute(since)).one_or_none() is not None


def _row_undone(row: Any) -> UndoneChange:
    rows = tuple(RowChange(**each) for each in row.rows)
    return UndoneChange(row.id, row.agent_code, row.summary, rows)


async def _find_conflict(connection: AsyncConnection, changed: RowChange) -> str | None:
    """Reason (Chinese) why a row differs from the after-image; None where it is the same."""
    table = metadata.tables.get(changed.table)
    if table is None:
        return "那一条已经不在了"
    mine = select(table).where(table.c.id == changed.row_id).with_for_update()
    row = (await connection.execute(mine)).one_or_none()
    if changed.after is None:
        return None if row is None else "后来又有了新的记录"
    if row is None:
        return "后来已经删掉了"
    now = row._mapping  # pyright: ignore[reportPrivateUsage]
    for name, value in changed.after.items():
        if name not in table.c:
            return "升级之后收不回来了"
        if _json_value(now[name]) != _stored_value(table, name, value):
            if table is reminder and now["state"] in ("claimed", "sent", "done"):
                return "提醒已经发出了"
            return "后来又改过"
    return None


async def _restore_rows(connection: AsyncConnection, rows: Sequence[RowChange]) -> None:
    """Rows that came are taken away first, rows that went are put back last: no key stands twice."""
    for each in rows:
        table = metadata.tables[each.table]
        if each.before is None:
            await connection.execute(delete(table).where(table.c.id == each.row_id))
    for each in rows:
        table = metadata.tables[each.table]
        if each.before is not None and each.after is not None:
            values = _known_columns(table, each.before)
            await connection.execute(update(table).where(table.c.id == each.row_id).values(**values))
    for each in rows:
        if each.before is not None and each.after is None:
            table = metadata.tables[each.table]
            values = {**_known_columns(table, each.before), "id": each.row_id}
            await connection.execute(insert(table).values(**values))


def _known_columns(table: Table, values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if name in table.c}


def _json_value(value: Any) -> Any:
    """As JSON gives it back: tuples are lists there."""
    return json.loads(json.dumps(value, default=str))


def _stored_value(table: Table, name: str, value: Any) -> Any:
    if isinstance(value, str) and isinstance(table.c[name].type, CleanText):
        return storable(value)
    return value
