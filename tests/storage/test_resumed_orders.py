"""An order whose work was cut off anywhere is read once more by the next process: its rows are there once.

A row is named by the message that ordered it and its place in it (`mishu_*_origin`), so the same message
cannot make it twice: alone, in a list, with several leads, on a card, as the answer to a question.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from default_run import first
from storage_support import outside

from bot.replay.sample import Line, Sample
from bot.replay.stage import Stage

TABLES = ("task", "schedule", "fact", "transaction", "reminder")


class Repeated(Stage):
    """A stage on which a member's line can be heard again under the id that it had."""

    again: str | None = None

    def _message(self, who: str | None, *said: Any, **more: Any) -> Any:
        message = super()._message(who, *said, **more)
        if who is not None and self.again is not None:
            return replace(message, message_id=self.again)
        return message

    async def rows_of(self, *tables: str) -> dict[str, int]:
        await self._storage.ledger.flush()
        return {
            table: (await outside(self._url, f"SELECT count(*) FROM mishu_{table}"))[0][0] for table in tables
        }

    async def forget_frames(self) -> None:
        """Killed after the rows and before what the core notes of its tasks."""
        await self._end()
        await outside(self._url, "DELETE FROM mishu_frame")
        await self._begin()


@pytest.mark.parametrize("noted", [True, False], ids=["task-noted", "task-not-noted"])
@first(3)
@pytest.mark.parametrize(
    "talk",
    [
        ["提醒我明天早上八点交报告"],
        ["加个任务：写完周报"],
        ["待办：\n1. 买菜\n2. 寄快递\n3. 交电费"],
        ["明天下午三点评审会，记一下"],
        ["明天下午三点评审会，提前一天、一小时和五分钟各提醒我一次"],
        ["记住：快递放门卫了"],
        ["加个任务：写完周报；明天下午三点评审会，记一下"],
        ["打车花了23元，午饭18元", "好"],
        ["每周一早上九点提醒我开例会"],
    ],
    ids=lambda talk: talk[0][:12],
)
async def test_what_is_read_again_makes_its_rows_once(talk: list[str], noted: bool, tmp_path: Path):
    lines = [Line(who="小明", say=f"@秘书 {one}") for one in talk]
    sample = Sample(name=f"{talk[0]}{noted}", now=datetime(2026, 2, 4, 10, 0), talk=lines)
    async with Repeated.open(sample, tmp_path) as stage:
        made = {}
        for line in lines:
            stage.again = None
            number = str(len(stage._said) + 1)
            await stage.say(line)
            made = await stage.rows_of(*TABLES)
            if not noted and line is lines[-1] and len(lines) == 1:
                await stage.forget_frames()
            stage.again = number
            await stage.say(line.model_copy(update={"restart": True}))
            assert await stage.rows_of(*TABLES) == made
        assert sum(made.values()), "nothing was made at all"
