"""Arguments of the tools, as their clients see them. Unknown ones are refused."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from pydantic import BaseModel, ConfigDict, Field

from ..api.values import PRINTABLE
from ..routes.chat import Id

MOST: Final = 100
LONGEST_LINE: Final = 2000
Day = Annotated[str | None, Field(max_length=40)]


class InGroup(BaseModel):
    """Common argument of all tools: the group."""

    model_config = ConfigDict(extra="forbid")

    group_id: Id | None = Field(None, description="哪个群；成员的令牌只有一个群，可以不给")


class OfPerson(InGroup):
    """Common arguments of tools that act for a person."""

    user_id: Id | None = Field(None, description="替谁；成员总是自己，可以不给，机器人的主人要写明")


class TodayArguments(OfPerson):
    """Arguments of `today`."""


class LineArguments(OfPerson):
    """Arguments of `read_line` and `say`."""

    text: str = Field(min_length=1, max_length=LONGEST_LINE, description="一句话，像在群里对秘书说的那样")


class SpanArguments(InGroup):
    """A span of time."""

    since: Day = Field(None, description="从哪天或哪一刻起，2026-05-20 或 2026-05-20T15:00:00+08:00")
    until: Day = Field(None, description="到哪天或哪一刻为止，不含")


class ListingArguments(SpanArguments):
    """A page of a list."""

    limit: int = Field(50, ge=1, le=MOST, description="最多几条")
    cursor: str | None = Field(
        None, max_length=500, pattern=PRINTABLE, description="上一页的 next_cursor；不给是第一页"
    )


class SchedulesArguments(ListingArguments):
    """Arguments of `list_schedules`."""


class TasksArguments(ListingArguments, OfPerson):
    """Arguments of `list_tasks`."""

    status: Literal["pending", "completed"] | None = Field(
        "pending", description="没做完的或做完的；null 都要"
    )


class LedgerArguments(OfPerson):
    """Arguments of `ledger_summary`."""

    month: str | None = Field(
        None, pattern=r"^\d{4}-(?:0[1-9]|1[0-2])$", description="哪个月，2026-05；不给是这个月"
    )


class CatchUpArguments(SpanArguments):
    """Arguments of `catch_up`."""


class SearchArguments(SpanArguments):
    """Arguments of `search_record`."""

    words: str = Field("", max_length=100, description="要找的词，空格隔开的都要有；不给是最新的话")
    said_by: Id | None = Field(None, description="谁说的")
    limit: int = Field(30, ge=1, le=MOST, description="最多几句")
