"""What requests of `/api/v1` are made of: ids, pages, whose doing a write is, names of fields."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from typing import Annotated, Any, TypeVar

from fastapi import Path, Query
from pydantic import BaseModel, ConfigDict, Field

from ...operations.pages import MOST, Page
from ...operations.refusals import Refused, missing
from ..api.values import PRINTABLE, Moment, Person, When
from .things import Listed

T = TypeVar("T")
R = TypeVar("R")
GroupId = Annotated[str, Path(min_length=1, max_length=64, pattern=PRINTABLE, description="群号")]
UserId = Annotated[str, Path(min_length=1, max_length=64, pattern=PRINTABLE, description="成员的号码")]
ThingId = Annotated[str, Path(min_length=1, max_length=200, pattern=PRINTABLE, description="编号")]
InGroup = Annotated[
    str | None, Query(min_length=1, max_length=64, pattern=PRINTABLE, description="只看这个群的")
]
Whose = Annotated[
    str | None,
    Query(min_length=1, max_length=64, pattern=PRINTABLE, description="谁的；主人要写明，成员总是自己"),
]
From = Annotated[When, Query(alias="from", description="从哪天或哪一刻起（含）")]
To = Annotated[When, Query(alias="to", description="到哪天或哪一刻为止（不含）")]
Limit = Annotated[int, Query(ge=1, le=MOST, description=f"一页最多几条，1–{MOST}")]
Cursor = Annotated[
    str | None, Query(max_length=500, pattern=PRINTABLE, description="上一页的 next_cursor；不给是第一页")
]
Confirm = Annotated[bool, Query(description="对 409 里的问题回答“是”")]
Occurrence = Annotated[
    str | None, Query(max_length=64, description="重复日程的哪一次：它的 occurrence；不给就是整个")
]


class Body(BaseModel):
    """What every body may say beside its own. Fields that are not known are refused."""

    model_config = ConfigDict(extra="forbid")

    user_id: Person | None = Field(None, description="谁做的；主人要写明，成员总是自己")
    confirm: bool = Field(False, description="对 409 里的问题回答“是”")

    def said(self) -> dict[str, Any]:
        """The fields that were given, without these two."""
        return self.model_dump(exclude_unset=True, exclude={"user_id", "confirm"})


def listed(page: Page[T], shape: Callable[[T], R]) -> Listed[R]:
    """A page as lists are answered."""
    return Listed(items=[shape(each) for each in page.rows], next_cursor=page.cursor)


def row_id(given: str, what: str) -> int:
    """The number of a row by its id. What is no number is the id of nothing: 404."""
    if not (given.isascii() and given.isdecimal() and 0 < len(given) < 19 and int(given) > 0):
        raise missing(what)
    return int(given)


@contextmanager
def named(names: Mapping[str, str]) -> Generator[None]:
    """What an operation refuses by its own names of fields is told by those of the request."""
    try:
        yield
    except Refused as why:
        message = why.message
        for own, theirs in names.items():
            message = message.replace(own, theirs)
        field = None if why.field is None else names.get(why.field, why.field)
        raise Refused(why.status, message, why.question, field) from None


__all__ = [
    "Body",
    "Confirm",
    "Cursor",
    "From",
    "GroupId",
    "InGroup",
    "Limit",
    "Moment",
    "Occurrence",
    "Person",
    "ThingId",
    "To",
    "UserId",
    "Whose",
    "listed",
    "named",
    "row_id",
]
