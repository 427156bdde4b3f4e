"""Rows deleted with a recalled message: its round, the digest it went into, the summary of its task.

A row that was made of it stays (its member says 撤销), its words are in no later prompt (pitfall 24).
"""

from __future__ import annotations

from typing import Any, Final

from sqlalchemy import Row, delete, or_, select
from sqlalchemy.ext.asyncio import AsyncConnection

from ..core_tasks.tables import frame
from ..records import Conversation
from ..rows import within
from .tables import digest, summary, turn

ANSWERED: Final = 900.0
"""Seconds behind a message in which its round was stored, by our clock; hold and turn together are less."""
AHEAD: Final = 5.0
"""Seconds the clock of a message may be before ours."""


async def forget_recalled(connection: AsyncConnection, conversation: Conversation, said: Row[Any]) -> None:
    """Delete what memory has of a message, by its row of the ledger."""
    mine = within(turn, conversation) & (turn.c.user_id == said.user_id)
    around = turn.c.at.between(said.time - AHEAD, said.time + ANSWERED)
    rows = await connection.execute(select(turn.c.id, turn.c.role, turn.c.content).where(mine, around))
    asked = [row.id for row in rows if row.role == "user" and row.content and row.content in said.text]
    for number in asked:
        reply = (
            select(turn.c.id).where(mine, turn.c.id > number).order_by(turn.c.id).limit(1).scalar_subquery()
        )
        answer = (turn.c.id == reply) & (turn.c.role == "assistant")
        await connection.execute(delete(turn).where(mine, or_(turn.c.id == number, answer)))
    if asked:
        kept = within(digest, conversation) & (digest.c.user_id == said.user_id)
        await connection.execute(delete(digest).where(kept, digest.c.through >= min(asked)))
    opened = select(frame.c.task_id).where(within(frame, conversation), frame.c.message_id == said.message_id)
    await connection.execute(
        delete(summary).where(within(summary, conversation), summary.c.task_id.in_(opened))
    )
