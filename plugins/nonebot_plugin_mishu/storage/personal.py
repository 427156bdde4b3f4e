"""Personal data of one member of one conversation: export and deletion (product section 11).

Every table with a conversation and a `user_id` is covered by itself; who keeps members in another way is a
`Keeper` (`belongings` for the agents' tables). Forgetting is one transaction. What
others said stays theirs, also where it names the member.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from sqlalchemy import ColumnElement, LargeBinary, Table, delete, func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from .engine import fulltext
from .engine.columns import metadata
from .engine.database import Database
from .engine.queries import Queries
from .engine.writer import Writer
from .ledger import word_index
from .ledger.queries import Ledger
from .ledger.tables import claim, decision, ledger
from .record.tables import span_digest
from .records import Conversation, LedgerMessage, Removed
from .rows import within

KINDS: dict[str, str] = {
    "mishu_ledger": "消息",
    "mishu_answer": "我的回答",
    "mishu_turn": "对话",
    "mishu_digest": "对话摘要",
    "mishu_summary": "办事摘要",
    "mishu_frame": "办事记录",
    "mishu_spoken_of": "刚说到的事",
    "mishu_task": "任务",
    "mishu_schedule": "日程",
    "mishu_reminder": "提醒",
    "mishu_change": "改动记录",
    "mishu_transaction": "账目",
    "mishu_budget": "预算",
    "mishu_calendar": "日历订阅",
    "mishu_imported_order": "导入过的单号",
    "mishu_bill_preview": "待确认的账单",
    "mishu_calendar_source": "导入的日历",
    "mishu_calendar_entry": "导入的日程",
    "mishu_decision": "决定记录",
    "mishu_claim": "应答标记",
    "mishu_inbox": "转交中的消息",
    "mishu_setting_change": "设置改动",
    "mishu_fact": "群里记的事",
    "mishu_joined": "进群时间",
    "mishu_poll": "统计",
    "mishu_poll_answer": "统计里的回答",
    "mishu_web_code": "网页验证码",
    "mishu_web_session": "网页登录",
    "mishu_member_token": "访问令牌",
    "mishu_member_quiet": "安静时段",
}
"""Names of tables shown to members."""
OTHER = "其他记录"
_ANSWERS = "mishu_answer"
"""No table: our own lines in the ledger that answered the member."""

_HIDDEN = {
    *("self_id", "kind", "peer", "user_id", "terms", "vector", "vector_model"),
    *("token", "digest", "origin"),
    *("key", "header", "etag", "source_id"),
}
"""Columns that an export leaves out: where and whose it all is, and what only we can read."""
_APART = {ledger.name, claim.name}

Exported = dict[str, list[dict[str, Any]]]


class Keeper(Protocol):
    """A part of storage that keeps members elsewhere than in a `user_id` column. Both join a transaction.

    `forget_member` deletes, or takes the member out of what belongs to others, and counts the rows of both;
    `export_member` gives rows by table.
    """

    async def export_member(
        self, connection: AsyncConnection, conversation: Conversation, user_id: str
    ) -> Mapping[str, Sequence[Mapping[str, Any]]]: ...

    async def forget_member(
        self, connection: AsyncConnection, conversation: Conversation, user_id: str
    ) -> Removed: ...


@dataclass(frozen=True, slots=True)
class PersonalData:
    """Everything kept of a member: their messages, and rows of all else by table name without `mishu_`."""

    messages: list[LedgerMessage]
    rows: Exported = field(default_factory=dict[str, list[dict[str, Any]]])

    @property
    def counts(self) -> dict[str, int]:
        """Row counts by displayed name, without zeros."""
        return in_words(
            {ledger.name: len(self.messages), **{f"mishu_{n}": len(r) for n, r in self.rows.items()}}
        )


@dataclass(frozen=True, slots=True)
class Forgotten:
    """Row counts of a deletion by displayed name, without zeros.

    `gone` are rows that are deleted, each counted once; `left` belong to others too and stay, without the
    member's id and name (others' shared expenses with them: who owes what is theirs).
    """

    gone: dict[str, int]
    left: dict[str, int]


class Personal(Queries):
    """Export and forgetting over all tables."""

    def __init__(
        self, database: Database, writer: Writer, messages: Ledger, keepers: Sequence[Keeper]
    ) -> None:
        super().__init__(database, writer)
        self._messages = messages
        self._keepers = list(keepers)
        self._listeners: list[Callable[[Conversation, str], None]] = []

    def on_forgotten(self, listener: Callable[[Conversation, str], None]) -> None:
        """Call `listener` after each forgetting, for what is kept in memory. It must not raise."""
        self._listeners.append(listener)

    async def export(self, conversation: Conversation, user_id: str) -> PersonalData:
        """Everything kept of a member here.

        Raises:
            StorageError: it cannot be read.
        """
        messages = await self._messages.of_member(conversation, user_id)

        async def select_member_rows(connection: AsyncConnection) -> Exported:
            rows: Exported = {}
            for table in _personal_tables():
                mine = (
                    select(table).where(_member_condition(table, conversation, user_id)).order_by(table.c.id)
                )
                shown = [column.name for column in table.c if _is_exported(column)]
                found = (await connection.execute(mine)).mappings()
                kept = rows.setdefault(table.name.removeprefix("mishu_"), [])
                kept.extend({name: row[name] for name in shown} for row in found)
            for keeper in self._keepers:
                told = await keeper.export_member(connection, conversation, user_id)
                for name, more in told.items():
                    rows.setdefault(name.removeprefix("mishu_"), []).extend(dict(one) for one in more)
            return {name: found for name, found in rows.items() if found}

        return PersonalData(messages, await self._database.read(select_member_rows))

    @Queries.writing
    async def would_forget(
        self, connection: AsyncConnection, conversation: Conversation, user_id: str
    ) -> Forgotten:
        """Preview of `forget`: done, counted, and rolled back.

        Raises:
            StorageError: it cannot be told.
        """
        undone = await connection.begin_nested()
        try:
            return await self._forget(connection, conversation, user_id)
        finally:
            await undone.rollback()

    async def delete_member(
        self, conversation: Conversation, user_id: str, *, sparing: str | None = None
    ) -> Forgotten:
        """Delete everything kept of a member here, in one transaction; how much.

        In a private conversation our own lines go too; in a group those that answered the member. The line
        `sparing` asks for this and is counted; it stays until it is answered (`delete_line`).

        Raises:
            StorageError: nothing was deleted; at a `DatabaseTimeout` it may have been.
        """

        async def delete_member(connection: AsyncConnection) -> Forgotten:
            forgotten = await self._forget(connection, conversation, user_id, sparing)
            if KINDS["mishu_summary"] in forgotten.gone:
                await fulltext.compact(connection)
            if KINDS["mishu_ledger"] in forgotten.gone:
                await word_index.compact(connection)
            return forgotten

        forgotten = await self._writer.run(delete_member)
        for listener in self._listeners:
            listener(conversation, user_id)
        return forgotten

    async def delete_line(self, conversation: Conversation, message_id: str) -> None:
        """Delete a line, with its claim and what was decided on it. Raises `StorageError`."""
        here = within(ledger, conversation) & (ledger.c.message_id == message_id)
        claimed = (claim.c.self_id == conversation.self_id) & (claim.c.message_id == message_id)
        decided = within(decision, conversation) & (decision.c.message_id == message_id)
        await self._writer.execute(
            delete(ledger).where(here), delete(claim).where(claimed), delete(decision).where(decided)
        )

    async def _forget(
        self,
        connection: AsyncConnection,
        conversation: Conversation,
        user_id: str,
        sparing: str | None = None,
    ) -> Forgotten:
        gone: Counter[str] = Counter()
        left: Counter[str] = Counter()
        for keeper in self._keepers:
            removed = await keeper.forget_member(connection, conversation, user_id)
            for counts, more in ((gone, removed.gone), (left, removed.left)):
                counts.update({f"mishu_{name.removeprefix('mishu_')}": count for name, count in more.items()})
        await _unindex_member(connection, conversation, user_id)
        for name, table, which in self._plan_deletions(conversation, user_id):
            if table is ledger and sparing is not None:
                spared = which & (ledger.c.message_id == sparing)
                gone[name] += int(await connection.scalar(select(func.count()).where(spared)) or 0)
                which &= ledger.c.message_id != sparing
            gone[name] += (await connection.execute(delete(table).where(which))).rowcount
        return Forgotten(in_words(gone), in_words(left))

    def _plan_deletions(
        self, conversation: Conversation, user_id: str
    ) -> Iterator[tuple[str, Table, ColumnElement[bool]]]:
        """Deletions as (counted name, table, condition), the member's own messages last: others depend on
        them."""
        mine = within(ledger, conversation) & (ledger.c.user_id == user_id)
        said = select(ledger.c.message_id).where(mine)
        for table in _personal_tables():
            which = _member_condition(table, conversation, user_id)
            if table is decision:
                which |= within(decision, conversation) & decision.c.message_id.in_(said)
            yield table.name, table, which
        yield claim.name, claim, (claim.c.self_id == conversation.self_id) & claim.c.message_id.in_(said)
        alone = not conversation.is_group and conversation.peer == user_id
        whole = within(ledger, conversation)
        answers = whole & ledger.c.is_bot
        yield _ANSWERS, ledger, answers if alone else answers & ledger.c.reply_to.in_(said)
        yield ledger.name, ledger, whole if alone else mine


async def _unindex_member(connection: AsyncConnection, conversation: Conversation, user_id: str) -> None:
    """Remove the member's messages from the search index, and delete digests of the conversation."""
    said = select(ledger.c.id).where(within(ledger, conversation) & (ledger.c.user_id == user_id))
    await word_index.drop_words(connection, list(await connection.scalars(said)))
    await connection.execute(delete(span_digest).where(within(span_digest, conversation)))


def in_words(counts: Mapping[str, int]) -> dict[str, int]:
    """Counts by table name as counts by displayed name, without zeros."""
    told: dict[str, int] = {}
    for name in [*KINDS, *(name for name in counts if name not in KINDS)]:
        if count := counts.get(name):
            kind = KINDS.get(name, OTHER)
            told[kind] = told.get(kind, 0) + count
    return told


def _personal_tables() -> Iterator[Table]:
    """Tables with a conversation and a `user_id`."""
    for table in metadata.tables.values():
        if table.name not in _APART and {"self_id", "kind", "peer", "user_id"} <= set(table.c.keys()):
            yield table


def _member_condition(table: Table, conversation: Conversation, user_id: str) -> ColumnElement[bool]:
    return within(table, conversation) & (table.c.user_id == user_id)


def _is_exported(column: Any) -> bool:
    return column.name not in _HIDDEN and not isinstance(column.type, LargeBinary)
