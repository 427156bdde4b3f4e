"""Polls in the database: made, answered (one voice each), changed, ended once. Raises `StorageError`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace
from typing import Any, Final

from sqlalchemy import Row, delete, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from ..engine.change_notice import Noted, note
from ..engine.database import Database
from ..engine.writer import Writer
from ..records import Conversation
from ..reminders.queries import drop, put
from ..reminders.records import POLL, NewReminder
from ..reminders.tables import reminder, waiting
from ..rows import conversation_of, conversation_values, within
from .records import Cast, PollAnswer, PollFields, PollRecord, Status, VoiceGiven, seated
from .tables import poll, poll_answer

MOST_KEPT = 200
"""Polls of a conversation that are read at most."""


_OPEN: dict[str, Any] = {"status": "open", "closed_by": None, "closed_at": None}


class Polls:
    """Every write locks the poll's row first, so that voices of two processes count one after the other."""

    def __init__(self, database: Database, writer: Writer) -> None:
        self._database = database
        self._writer = writer

    async def list_polls(
        self,
        conversation: Conversation,
        *,
        since: float | None = None,
        status: Status | None = None,
        before: int | None = None,
        limit: int = MOST_KEPT,
    ) -> list[PollRecord]:
        """Polls of a conversation, the newest first. `since`: those open, or ended since then; `before`:
        those made before the poll of this id."""
        wanted = select(poll).where(within(poll, conversation) & (poll.c.status != "deleted"))
        if status is not None:
            wanted = wanted.where(poll.c.status == status)
        if before is not None:
            wanted = wanted.where(poll.c.id < before)
        if since is not None:
            wanted = wanted.where((poll.c.status == "open") | (poll.c.closed_at >= since))
        wanted = wanted.order_by(poll.c.id.desc()).limit(limit)
        return await self._read(wanted)

    async def list_open(self) -> list[PollRecord]:
        """Open polls of all conversations."""
        return await self._read(select(poll).where(poll.c.status == "open").order_by(poll.c.id))

    async def get(self, poll_id: int) -> PollRecord | None:
        """A poll, not one that was deleted."""
        found = await self._read(select(poll).where((poll.c.id == poll_id) & (poll.c.status != "deleted")))
        return found[0] if found else None

    async def add(
        self,
        conversation: Conversation,
        maker: str,
        maker_name: str,
        fields: PollFields,
        origin: str,
        now: float,
        ends: NewReminder | None,
        voices: Sequence[VoiceGiven] = (),
        call_ahead: int | None = None,
    ) -> PollRecord:
        """Make a poll with the due row of its end; on disk on return. The same `origin` twice is once.
        `ends` is completed with the poll's id. `voices`: of a pasted list. `call_ahead`: minutes before the
        end at which a row calls."""
        values = {
            **conversation_values(conversation),
            "maker": maker,
            "maker_name": maker_name,
            **_field_values(fields),
            "status": "open",
            "created_at": now,
            "touched_at": now,
            "chased": 0,
            "turns": 0,
            "origin": origin,
        }

        async def insert_poll(connection: AsyncConnection) -> PollRecord:
            there = (await connection.execute(select(poll).where(poll.c.origin == origin))).one_or_none()
            if there is not None:
                return await _whole(connection, there)
            result = await connection.execute(insert(poll).values(**values))
            key = result.inserted_primary_key
            assert key is not None
            poll_id = int(key[0])
            for voice in voices:
                row = (await connection.execute(select(poll).where(poll.c.id == poll_id))).one()
                await _keep_voice(connection, row, voice)
            await _plan_end(connection, poll_id, ends)
            await _plan_call(connection, poll_id, ends, call_ahead, now)
            note(connection, Noted(conversation, poll.name, poll_id, "added", maker))
            return await _fresh(connection, poll_id)

        return await self._writer.run(insert_poll)

    async def answer(self, poll_id: int, voices: Sequence[VoiceGiven], now: float) -> list[Cast]:
        """Keep voices, one for each member, the newest counts; on disk when this returns.

        A voice whose `origin` stands there already is not counted again. Those who get a place by it have a
        due row each (`in:USER`), so that they are told once. Empty for an unknown poll.
        """

        async def keep_voices(connection: AsyncConnection) -> list[Cast]:
            row = await _locked(connection, poll_id)
            if row is None:
                return []
            casts: list[Cast] = []
            for voice in voices:
                casts.append(await _cast(connection, poll_id, voice))
            if any(each.counted for each in casts):
                await connection.execute(update(poll).where(poll.c.id == poll_id).values(touched_at=now))
                note(
                    connection, Noted(conversation_of(row), poll.name, poll_id, "changed", voices[0].said_by)
                )
            return casts

        return await self._writer.run(keep_voices)

    async def restore(self, poll_id: int, user_id: str, before: PollAnswer | None, now: float) -> bool:
        """Put a member's voice back as it was (撤销); False where the poll is over."""

        async def put_back(connection: AsyncConnection) -> bool:
            row = await _locked(connection, poll_id)
            if row is None or row.status != "open":
                return False
            mine = (poll_answer.c.poll_id == poll_id) & (poll_answer.c.user_id == user_id)
            seats = await _seated(connection, row)
            if before is None:
                await connection.execute(delete(poll_answer).where(mine))
            else:
                await connection.execute(update(poll_answer).where(mine).values(**asdict(before)))
            await _promote(connection, row, seats, {user_id}, now)
            note(connection, Noted(conversation_of(row), poll.name, poll_id, "changed", user_id))
            return True

        return await self._writer.run(put_back)

    async def touch(self, poll_id: int, now: float) -> None:
        """Note that a poll was shown."""
        await self._writer.execute(update(poll).where(poll.c.id == poll_id).values(touched_at=now))

    async def change(
        self,
        poll_id: int,
        fields: PollFields,
        by: str,
        now: float,
        ends: NewReminder | None,
        *,
        reopens: bool = False,
    ) -> PollRecord | None:
        """Change what an open poll is about; its end is planned anew. `reopens`: it may have ended, and is
        open on return. None: it is over."""

        async def change_poll(connection: AsyncConnection) -> PollRecord | None:
            row = await _locked(connection, poll_id)
            if row is None or (row.status != "open" and not reopens):
                return None
            seats = await _seated(connection, row)
            values = {**_field_values(fields), "touched_at": now, **_OPEN}
            await connection.execute(update(poll).where(poll.c.id == poll_id).values(**values))
            ahead = await _call_ahead(connection, poll_id)
            await _plan_end(connection, poll_id, ends, drops=True)
            await _plan_call(connection, poll_id, ends, ahead, now)
            row = (await connection.execute(select(poll).where(poll.c.id == poll_id))).one()
            await _promote(connection, row, seats, set(), now)
            note(connection, Noted(conversation_of(row), poll.name, poll_id, "changed", by))
            return await _whole(connection, row)

        return await self._writer.run(change_poll)

    async def close(self, poll_id: int, by: str, now: float) -> tuple[PollRecord, bool] | None:
        """End a poll, and whether this call did. `by` is empty where its time or everybody's answer ends it.
        None: there is none."""

        async def close_poll(connection: AsyncConnection) -> tuple[PollRecord, bool] | None:
            row = await _locked(connection, poll_id)
            if row is None:
                return None
            if row.status != "open":
                return await _whole(connection, row), False
            values = {"status": "closed", "closed_by": by, "closed_at": now}
            await connection.execute(update(poll).where(poll.c.id == poll_id).values(**values))
            await drop(connection, POLL, poll_id)
            note(connection, Noted(conversation_of(row), poll.name, poll_id, "changed", by))
            return await _fresh(connection, poll_id), True

        return await self._writer.run(close_poll)

    async def close_due(self, poll_id: int, now: float) -> PollRecord | None:
        """End a poll whose time is over, from its due row; the same row again, after a kill, gives it again.
        None: somebody ended or deleted it before."""

        async def close_poll(connection: AsyncConnection) -> PollRecord | None:
            row = await _locked(connection, poll_id)
            if row is None or (row.status != "open" and row.closed_by != ""):
                return None
            if row.status == "open":
                if row.closes_at is None or row.closes_at > now:
                    return None  # put off since
                values = {"status": "closed", "closed_by": "", "closed_at": now}
                await connection.execute(update(poll).where(poll.c.id == poll_id).values(**values))
                note(connection, Noted(conversation_of(row), poll.name, poll_id, "changed", ""))
            return await _fresh(connection, poll_id)

        return await self._writer.run(close_poll)

    async def delete(self, poll_id: int, by: str, now: float) -> bool:
        """Delete a poll with its answers; whether this call did."""

        async def delete_poll(connection: AsyncConnection) -> bool:
            row = await _locked(connection, poll_id)
            if row is None:
                return False
            values = {"status": "deleted", "closed_by": by, "closed_at": now}
            await connection.execute(update(poll).where(poll.c.id == poll_id).values(**values))
            await connection.execute(delete(poll_answer).where(poll_answer.c.poll_id == poll_id))
            await drop(connection, POLL, poll_id)
            note(connection, Noted(conversation_of(row), poll.name, poll_id, "deleted", by))
            return True

        return await self._writer.run(delete_poll)

    async def chase(self, poll_id: int, calls: Sequence[NewReminder], most: int) -> int | None:
        """Count a round of calling, with its due rows; how many there were now. None: there were `most`
        before, or the poll is over."""

        async def count_round(connection: AsyncConnection) -> int | None:
            row = await _locked(connection, poll_id)
            if row is None or row.status != "open" or row.chased >= most:
                return None
            await connection.execute(update(poll).where(poll.c.id == poll_id).values(chased=row.chased + 1))
            for each in calls:
                await put(connection, replace(each, origin=f"{each.origin}:{row.chased + 1}"))
            return int(row.chased) + 1

        return await self._writer.run(count_round)

    async def _read(self, wanted: Any) -> list[PollRecord]:
        async def select_polls(connection: AsyncConnection) -> list[PollRecord]:
            rows = (await connection.execute(wanted)).all()
            answers = await _answers(connection, [row.id for row in rows])
            return [_record(row, answers.get(row.id, [])) for row in rows]

        return await self._database.read(select_polls)


async def _locked(connection: AsyncConnection, poll_id: int) -> Row[Any] | None:
    wanted = select(poll).where((poll.c.id == poll_id) & (poll.c.status != "deleted")).with_for_update()
    return (await connection.execute(wanted)).one_or_none()


async def _cast(connection: AsyncConnection, poll_id: int, voice: VoiceGiven) -> Cast:
    row = (await connection.execute(select(poll).where(poll.c.id == poll_id))).one()
    whole = await _whole(connection, row)
    before = whole.answer_of(voice.user_id)
    again = before is not None and before.origin == voice.origin
    if not whole.open or again:
        return Cast(whole, before, before, counted=again)
    inside, _ = seated(whole.answers, whole.fields.places)
    if _overflows(whole, before, voice):
        return Cast(whole, before, before, counted=False, short=True)
    await _keep_voice(connection, row, voice)
    promoted = await _promote(connection, row, inside, {voice.user_id}, voice.at)
    after = await _fresh(connection, poll_id)
    return Cast(after, before, after.answer_of(voice.user_id), counted=True, promoted=promoted)


def _overflows(whole: PollRecord, before: PollAnswer | None, voice: VoiceGiven) -> bool:
    """True if somebody with a place wants more heads than there is room for: nobody else loses theirs."""
    inside, waiting = seated(whole.answers, whole.fields.places)
    if before is None or not before.taken or not voice.taken or voice.amount <= before.amount:
        return False
    if whole.fields.places is None or before not in inside:
        return False
    used = sum(each.amount for each in inside)
    return bool(waiting) or used - before.amount + voice.amount > whole.fields.places


async def _keep_voice(connection: AsyncConnection, row: Row[Any], voice: VoiceGiven) -> None:
    """Write a voice over the member's earlier one; who joins anew stands at the end."""
    mine = (poll_answer.c.poll_id == row.id) & (poll_answer.c.user_id == voice.user_id)
    before = (await connection.execute(select(poll_answer).where(mine))).one_or_none()
    stays = before is not None and before.taken and voice.taken
    turn = int(before.turn) if stays and before is not None else int(row.turns) + 1
    values = {**asdict(voice), "turn": turn}
    if before is None:
        place = conversation_values(conversation_of(row))
        await connection.execute(insert(poll_answer).values(**place, poll_id=row.id, **values))
    else:
        await connection.execute(update(poll_answer).where(mine).values(**values))
    if not stays:
        await connection.execute(update(poll).where(poll.c.id == row.id).values(turns=turn))


async def _seated(connection: AsyncConnection, row: Row[Any]) -> list[PollAnswer]:
    answers = (await _answers(connection, [row.id])).get(row.id, [])
    return seated(answers, row.places)[0]


async def _promote(
    connection: AsyncConnection, row: Row[Any], before: Sequence[PollAnswer], but: set[str], now: float
) -> tuple[PollAnswer, ...]:
    """Due rows for those who have a place now and had waited; `but`: whose own words it was."""
    if row.places is None:
        return ()
    had = {each.user_id for each in before}
    answers = (await _answers(connection, [row.id])).get(row.id, [])
    new = [each for each in seated(answers, row.places)[0] if each.user_id not in had | but]
    where = conversation_of(row)
    for each in new:
        called = () if each.user_id.startswith("~") else (each.user_id,)
        origin = f"poll:{row.id}:in:{each.user_id}:{each.turn}:{now}"
        told = NewReminder(
            where, POLL, row.id, called, f"in:{each.user_id}", now, "1970-01-01 00:00", "UTC", origin=origin
        )
        await put(connection, told)
    return tuple(new)


async def _plan_end(
    connection: AsyncConnection, poll_id: int, ends: NewReminder | None, *, drops: bool = False
) -> None:
    if drops:
        await drop(connection, POLL, poll_id)
    if ends is not None:
        origin = f"poll:{poll_id}:end:{ends.due_at}"
        await put(connection, replace(ends, item_id=poll_id, origin=None if drops else origin))


_CALL_AHEAD: Final = "call ahead "
"""Begins the text of a row that calls before the end; its minutes follow."""


async def _plan_call(
    connection: AsyncConnection, poll_id: int, ends: NewReminder | None, minutes: int | None, now: float
) -> None:
    """Plan the call before the end, unless its time is past."""
    if ends is None or minutes is None or ends.due_at - minutes * 60 <= now:
        return
    text = f"{_CALL_AHEAD}{minutes}"
    called = replace(
        ends, item_id=poll_id, text=text, due_at=ends.due_at - minutes * 60, lead_minutes=minutes
    )
    await put(connection, replace(called, origin=None))


async def _call_ahead(connection: AsyncConnection, poll_id: int) -> int | None:
    """Minutes of the waiting call before the end; None without one."""
    mine = (reminder.c.agent_code == POLL) & (reminder.c.item_id == poll_id) & waiting
    texts = (await connection.execute(select(reminder.c.text).where(mine))).scalars()
    return next((int(each.removeprefix(_CALL_AHEAD)) for each in texts if each.startswith(_CALL_AHEAD)), None)


async def _fresh(connection: AsyncConnection, poll_id: int) -> PollRecord:
    row = (await connection.execute(select(poll).where(poll.c.id == poll_id))).one()
    return await _whole(connection, row)


async def _whole(connection: AsyncConnection, row: Row[Any]) -> PollRecord:
    return _record(row, (await _answers(connection, [row.id])).get(row.id, []))


async def _answers(connection: AsyncConnection, ids: Sequence[int]) -> dict[int, list[PollAnswer]]:
    if not ids:
        return {}
    wanted = select(poll_answer).where(poll_answer.c.poll_id.in_(ids))
    found: dict[int, list[PollAnswer]] = {}
    for row in await connection.execute(wanted.order_by(poll_answer.c.turn, poll_answer.c.id)):
        found.setdefault(row.poll_id, []).append(
            PollAnswer(
                row.user_id,
                row.name,
                row.taken,
                row.choice,
                row.amount,
                row.turn,
                row.said_by,
                row.said_by_name,
                row.way,
                row.said,
                row.origin,
                row.at,
                tuple(row.choices),
            )
        )
    return found


def _field_values(fields: PollFields) -> dict[str, Any]:
    return {**asdict(fields), "options": list(fields.options)}


def _record(row: Row[Any], answers: Sequence[PollAnswer]) -> PollRecord:
    fields = PollFields(
        row.form, row.question, tuple(row.options), row.places, row.closes_at, row.anonymous, row.several
    )
    return PollRecord(
        row.id,
        conversation_of(row),
        row.maker,
        row.maker_name,
        fields,
        row.status,
        row.closed_by,
        row.created_at,
        row.touched_at,
        row.closed_at,
        row.chased,
        tuple(answers),
    )
