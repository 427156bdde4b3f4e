"""A database as a busy bot has it after some years: what `api` asks and what `console` shows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date, datetime, timedelta
from random import Random
from typing import Any
from zoneinfo import ZoneInfo

SCHEDULES, RECORDS, GROUPS = 10_000, 100_000, 50
TASKS, DECISIONS, CALLS = 5_000, 20_000, 20_000
CHUNK = 5_000
ZONE = ZoneInfo("Asia/Shanghai")
BUSY = "777000"
"""Four fifths of everything are in this group."""
ACCOUNT = "1"


async def filled(storage: Any, now: datetime) -> None:
    """Put it all there: what is planned around `now`, what was said before it."""
    from nonebot_plugin_mishu.storage.ledger.tables import decision, ledger, model_call
    from nonebot_plugin_mishu.storage.ledger.word_index import begin_again
    from nonebot_plugin_mishu.storage.schedules.tables import schedule
    from nonebot_plugin_mishu.storage.tasks.tables import task
    from nonebot_plugin_mishu.storage.transactions.tables import transaction
    from sqlalchemy import text

    rows = _Rows(now)
    for table, count, row in (
        (schedule, SCHEDULES, rows.schedule_row),
        (transaction, RECORDS, rows.transaction_row),
        (ledger, RECORDS, rows.ledger_row),
        (task, TASKS, rows.task_row),
        (decision, DECISIONS, rows.decision_row),
        (model_call, CALLS, rows.call_row),
    ):
        for part in _parts(count, row):

            async def insert_rows(connection: Any, table: Any = table, part: list[Any] = part) -> None:
                await connection.execute(table.insert(), part)

            await storage._writer.run(insert_rows)
    await storage._writer.run(begin_again)
    while await storage.ledger.index_older(CHUNK):
        pass

    async def looked_over(connection: Any) -> None:
        # What a server does by itself some moments after so many rows.
        await connection.execute(text("ANALYZE"))

    await storage._writer.run(looked_over)


def _parts(count: int, row: Callable[[int], dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    for start in range(0, count, CHUNK):
        yield [row(number) for number in range(start, min(start + CHUNK, count))]


class _Rows:
    """One row each, by its number."""

    def __init__(self, now: datetime) -> None:
        self._now = now
        self._chance = Random(1)

    def _place(self, number: int) -> dict[str, str]:
        peer = BUSY if number % 5 else f"{777_001 + number // 5 % (GROUPS - 1)}"
        return {"self_id": ACCOUNT, "kind": "group", "peer": peer}

    def schedule_row(self, number: int) -> dict[str, Any]:
        weekly = number % 40 == 0
        start = self._now + timedelta(hours=2 * (number - SCHEDULES // 2))
        return {
            **self._place(number), "start": f"{start:%Y-%m-%d %H:%M:%S}", "zone": ZONE.key, "end": None,
            "segment": None, "description": f"评审{number}", "place": None,
            "recurrence": {"freq": "weekly", "interval": 1} if weekly else None, "until": None,
            "lead_minutes": None, "everybody": False, "created_by": "1", "creator": "小明", "joined": [],
            "origin": f"made:{number}", "touched": None, "created_at": 1.0, "updated_at": 1.0,
            "deleted": False,
        }  # fmt: skip

    def transaction_row(self, number: int) -> dict[str, Any]:
        payer, other = self._chance.sample(range(30), 2)
        shared, fen = number % 50 == 1, 2 * self._chance.randrange(500, 9_000)
        shares = [[str(payer), "甲", fen // 2], [str(other), "乙", fen // 2]] if shared else []
        first = date(self._now.year - 2, 1, 1)
        return {
            **self._place(number), "user_id": str(payer), "user_name": "小明", "type": "EXPENSE", "fen": fen,
            "category": ("餐饮", "交通", "购物", "居住")[number % 4], "description": "午饭",
            "day": (first + timedelta(days=number % ((self._now.date() - first).days + 1))).isoformat(),
            "shared": shared, "shares": shares, "batch": f"b{number}", "place": 0, "ticket": 1,
            "created_at": float(number), "updated_at": float(number),
        }  # fmt: skip

    def ledger_row(self, number: int) -> dict[str, Any]:
        from nonebot_plugin_mishu.storage.ledger.tables import ledger
        from nonebot_plugin_mishu.storage.records import Conversation, LedgerMessage
        from nonebot_plugin_mishu.storage.rows import values_of

        where = self._place(number)
        words = ("今天吃什么", "报销单交了吗", "周五的评审改到三点", "哈哈哈", "我来订位子")[number % 5]
        message = LedgerMessage(
            Conversation(where["self_id"], "group", where["peer"]),
            str(number),
            self._now.timestamp() - 20 * (RECORDS - number),
            number,
            str(self._chance.randrange(300)),
            "小明",
            "member",
            f"{words}{number % 977}",
        )
        return values_of(message, ledger)

    def task_row(self, number: int) -> dict[str, Any]:
        day = self._now.date() + timedelta(days=number // 30 % 60 - 30)
        return {
            **self._place(number), "owner": str(number % 30), "owner_name": "小明", "creator": "1",
            "title": f"交报销单{number}", "due_date": day.isoformat(), "start_time": None, "end_time": None,
            "time_segment": None, "remind_at": None, "zone": ZONE.key, "priority": "medium",
            "status": "completed" if day < self._now.date() else "pending", "description": None,
            "recurrence": None, "origin": f"made:{number}", "deleted": False, "created_at": 1.0,
            "updated_at": 1.0,
        }  # fmt: skip

    def decision_row(self, number: int) -> dict[str, Any]:
        return {
            **self._place(number), "message_id": str(5 * number + number % 5), "user_id": "1",
            "trigger": ("summon", "overheard", "dense")[number % 3], "state_before": "observing",
            "state_after": ("absent", "observing", "summoned")[number % 3], "should_reply": number % 2 == 0,
            "strategy": "答一句", "reason": "有人叫我", "timings": {"decide": 0.1}, "calls": [], "tokens": 10,
            "at": self._now.timestamp() - 100 * (DECISIONS - number),
        }  # fmt: skip

    def call_row(self, number: int) -> dict[str, Any]:
        name = ("chat_reply", "parse_intents", "analyze_conversation")[number % 3]
        return {
            **self._place(number), "name": name, "model": "deepseek-v4-flash", "prompt_tokens": 900,
            "completion_tokens": 60, "cached_tokens": 500, "seconds": 0.7, "outcome": "ok",
            "at": self._now.timestamp() - 125 * (CALLS - number),
        }  # fmt: skip
