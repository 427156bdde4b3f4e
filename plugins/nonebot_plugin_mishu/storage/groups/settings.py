"""Settings that admins change at run time, per conversation (contracts, Commands in a group)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Table, func, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from ..access.api_tables import setting_change
from ..engine.change_notice import Noted, note
from ..engine.queries import Queries
from ..records import Conversation, ConversationSettings, Silence, WordKind
from ..rows import conversation_of, conversation_values, within
from . import tables

SETTINGS = "settings"
"""Table name of setting changes in change notices: settings are in several tables."""
_PEER = ("self_id", "kind", "peer")


@dataclass(frozen=True, slots=True)
class SettingChangeRecord:
    """Somebody set something; `value` as it then was, in words. `at` is wall seconds."""

    user_id: str
    name: str
    value: str
    at: float


class SettingsStore(Queries):
    """Persona, features, words and silence. Every change is on disk when its call returns."""

    @Queries.reading
    async def load(self, connection: AsyncConnection, conversation: Conversation) -> ConversationSettings:
        """Everything set for a conversation; the defaults where nothing is."""

        async def rows(table: Table) -> list[Any]:
            mine = select(table).where(within(table, conversation)).order_by(table.c.id)
            return list(await connection.execute(mine))

        own = await rows(tables.conversation)
        added: dict[WordKind, list[str]] = {}
        removed: dict[WordKind, list[str]] = {}
        features = {row.name: row.enabled for row in await rows(tables.feature)}
        for row in await rows(tables.word):
            (removed if row.removed else added).setdefault(row.word_kind, []).append(row.word)
        return ConversationSettings(
            persona=own[0].persona if own else None,
            features=features,
            added_words=added,
            removed_words=removed,
            silence=_row_silence(own[0]) if own else None,
            listen=own[0].listen if own else None,
            digest_time=own[0].digest_time if own else None,
            weekly_time=own[0].weekly_time if own else None,
            quiet_hours=own[0].quiet_hours if own else None,
        )

    async def set_persona(self, conversation: Conversation, persona: str | None) -> None:
        """Set the persona; `None` goes back to the configured one."""
        await self._upsert(tables.conversation, _PEER, conversation, persona=persona)

    async def set_times(self, conversation: Conversation, **values: str | None) -> None:
        """Set `listen`, `digest_time`, `weekly_time` or `quiet_hours`; None goes back to what is usual."""
        assert values.keys() <= {"listen", "digest_time", "weekly_time", "quiet_hours"}
        await self._upsert(tables.conversation, _PEER, conversation, **values)

    @Queries.reading
    async def term(self, connection: AsyncConnection, conversation: Conversation) -> str | None:
        """Stored form of the school term of a conversation; None where none is set."""
        table = tables.conversation
        mine = select(table.c.term).where(within(table, conversation))
        return await connection.scalar(mine)

    async def set_term(self, conversation: Conversation, term: str | None) -> None:
        """Set the school term; None takes it away."""
        await self._upsert(tables.conversation, _PEER, conversation, term=term)

    async def set_feature(self, conversation: Conversation, feature: str, on: bool) -> None:
        """Switch a feature."""
        await self._upsert(tables.feature, (*_PEER, "name"), conversation, name=feature, enabled=on)

    async def add_word(self, conversation: Conversation, kind: WordKind, word: str) -> None:
        """Add a word; it is removed no longer, if it was."""
        await self._set_word(conversation, kind, word, removed=False)

    async def remove_word(self, conversation: Conversation, kind: WordKind, word: str) -> None:
        """Remove a word, added or configured; it is added no longer, if it was."""
        await self._set_word(conversation, kind, word, removed=True)

    async def set_silence(self, conversation: Conversation, silence: Silence) -> None:
        """Silence a conversation, replacing a silence that holds."""
        until, by_command = silence.until, silence.by_command
        await self._upsert(
            tables.conversation, _PEER, conversation, silent_until=until, silent_by_command=by_command
        )

    async def lift_silence(self, conversation: Conversation) -> None:
        """End the silence of a conversation."""
        await self._upsert(
            tables.conversation, _PEER, conversation, silent_until=None, silent_by_command=False
        )

    @Queries.reading
    async def silenced(
        self, connection: AsyncConnection, self_id: str, now: float
    ) -> dict[Conversation, Silence]:
        """The conversations of an account whose silence still holds at `now` (seconds)."""
        table = tables.conversation
        holding = select(table).where(table.c.self_id == self_id, table.c.silent_until > now)
        rows = await connection.execute(holding)
        return {conversation_of(row): Silence(row.silent_until, row.silent_by_command) for row in rows}

    async def log(self, conversation: Conversation, by: str, name: str, value: str, at: float) -> None:
        """Log a setting change, for `history`."""
        row = {**conversation_values(conversation), "user_id": by, "name": name, "value": value, "at": at}
        await self._writer.execute(insert(setting_change).values(**row))

    @Queries.reading
    async def changed_since(
        self, connection: AsyncConnection, last: int | None
    ) -> tuple[int, set[Conversation]]:
        """Id of the newest setting change, and conversations with changes behind the id `last`."""
        newest = select(func.max(setting_change.c.id))
        later = select(setting_change).where(setting_change.c.id > (last or 0)).order_by(setting_change.c.id)
        number = int(await connection.scalar(newest) or 0)
        if last is None or number <= last:
            return number, set()
        return number, {conversation_of(row) for row in await connection.execute(later)}

    @Queries.reading
    async def history(
        self, connection: AsyncConnection, conversation: Conversation, limit: int
    ) -> list[SettingChangeRecord]:
        """Setting changes, the newest first."""
        mine = select(setting_change).where(within(setting_change, conversation))
        newest = mine.order_by(setting_change.c.id.desc()).limit(limit)
        rows = await connection.execute(newest)
        return [SettingChangeRecord(row.user_id, row.name, row.value, row.at) for row in rows]

    async def _set_word(
        self, conversation: Conversation, kind: WordKind, word: str, *, removed: bool
    ) -> None:
        key = (*_PEER, "word_kind", "word")
        await self._upsert(tables.word, key, conversation, word_kind=kind, word=word, removed=removed)

    @Queries.writing
    async def _upsert(
        self,
        connection: AsyncConnection,
        table: Table,
        key: tuple[str, ...],
        conversation: Conversation,
        **values: Any,
    ) -> None:
        """Insert the row, or change the one with its key."""
        changed = {name: value for name, value in values.items() if name not in key}
        adding = self._database.insert(table).values(**conversation_values(conversation), **values)
        await connection.execute(adding.on_conflict_do_update(index_elements=key, set_=changed))
        if not changed.keys() & {"silent_until"}:
            note(connection, Noted(conversation, SETTINGS, 0, "changed"))


def _row_silence(row: Any) -> Silence | None:
    return None if row.silent_until is None else Silence(row.silent_until, row.silent_by_command)
