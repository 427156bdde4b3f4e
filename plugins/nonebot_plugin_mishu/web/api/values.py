"""Values of requests: ids, days, moments with their offset, pages."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta
from datetime import time as clock
from typing import Annotated, Any, Final, TypeVar
from zoneinfo import ZoneInfo

from fastapi import Depends, Path, Query, Response
from pydantic import AwareDatetime, BaseModel, BeforeValidator, ConfigDict, Field

from ...services.access.actor import Write
from ...services.paging import MOST, Page
from ..acting import Writes
from ..layers.handlers import ApiError
from ..v1.shapes import RecurrenceShape

T = TypeVar("T")
R = TypeVar("R")
NEXT: Final = "X-Next-Cursor"
PRINTABLE: Final = r"^[^\x00-\x1f\x7f]*$"
GroupId = Annotated[str, Path(alias="id", min_length=1, max_length=64, pattern=PRINTABLE, description="群号")]
UserId = Annotated[
    str, Path(alias="id", min_length=1, max_length=64, pattern=PRINTABLE, description="成员的号码")
]
RowId = Annotated[int, Path(ge=1, lt=2**63)]
SelfId = Annotated[
    str | None,
    Query(max_length=64, pattern=PRINTABLE, description="哪个机器人账号，默认最近连接的那个"),
]
InGroup = Annotated[
    str | None, Query(min_length=1, max_length=64, pattern=PRINTABLE, description="只看这个群的")
]
Whose = Annotated[
    str | None,
    Query(
        alias="user_id",
        min_length=1,
        max_length=64,
        pattern=PRINTABLE,
        description="主人替谁做；成员自己用时不必给",
    ),
]
Confirm = Annotated[bool, Query(description="对 409 里的问题回答“是”")]
Limit = Annotated[int, Query(ge=1, le=MOST, description=f"最多几条，1–{MOST}")]
Cursor = Annotated[str | None, Query(max_length=500, pattern=PRINTABLE, description=f"上一页的响应头 {NEXT}")]
When = Annotated[str | None, Query(max_length=64, description="日期，或带时区偏移的时刻")]
Person = Annotated[str, Field(min_length=1, max_length=64, pattern=PRINTABLE)]


def write_for(write: Writes, user_id: Whose = None) -> Write:
    """The write, for the person of the query."""
    return replace(write, user_id=user_id)


def deletion_for(write: Writes, user_id: Whose = None, confirm: Confirm = False) -> Write:
    """A write without a body: person and confirmation are in the query."""
    return replace(write, user_id=user_id, confirm=confirm)


WritesFor = Annotated[Write, Depends(write_for)]
DeletesFor = Annotated[Write, Depends(deletion_for)]


def _written(value: object) -> object:
    """Moments are text: numbers are refused."""
    if value is not None and not isinstance(value, str | datetime):
        raise ValueError
    return value


Moment = Annotated[AwareDatetime, BeforeValidator(_written)]
"""ISO 8601 with its offset; one without is 422."""


class CommonBody(BaseModel):
    """Common fields of bodies: the person it is for, and the confirmation."""

    model_config = ConfigDict(extra="forbid")

    user_id: Person | None = None
    confirm: bool = False

    def of(self, write: Write) -> Write:
        """The write, for the person of this body or of the query, with its confirmation."""
        return replace(write, user_id=self.user_id or write.user_id, confirm=self.confirm)

    def said(self) -> dict[str, Any]:
        """The fields that were given, without these two; a recurrence as rows keep it."""
        given = self.model_dump(exclude_unset=True, exclude={"user_id", "confirm"})
        recurrence = getattr(self, "recurrence", None)
        if isinstance(recurrence, RecurrenceShape):
            given["recurrence"] = recurrence.plain()
        return given


def instant(name: str, given: str | None, zone: ZoneInfo) -> datetime | None:
    """A moment of a query: a day begins at its midnight in our zone. 422 for anything else."""
    if given is None:
        return None
    # An unquoted + of an offset arrives as a blank.
    written = re.sub(r"^(\d{4}-\d\d-\d\d[T ][\d:.]+) (\d\d:?\d\d)$", r"\1+\2", given)
    try:
        if len(written) == len("2026-01-01"):
            return datetime.combine(date.fromisoformat(written), clock.min, zone)
        found = datetime.fromisoformat(written)
        if found.tzinfo is not None and 1971 <= found.year < 8999:
            return found.astimezone(zone)
    except (ValueError, OverflowError):
        pass
    raise ApiError(
        422, f"{name}：应是日期（2026-01-31）或带时区偏移的时刻（2026-01-31T08:00:00+08:00）", name
    )


def day_from(name: str, given: str | None, zone: ZoneInfo) -> date | None:
    """The first day of a span that begins then."""
    found = instant(name, given, zone)
    return None if found is None else found.date()


def day_to(name: str, given: str | None, zone: ZoneInfo) -> date | None:
    """The first day behind a span that ends before then."""
    found = instant(name, given, zone)
    if found is None:
        return None
    return found.date() if found.time() == clock.min else found.date() + timedelta(days=1)


def written(page: Page[T], shape: Callable[[T], BaseModel]) -> Response:
    """The rows of a page as a serialised answer: written once, not validated again by the framework."""
    headers = {} if page.cursor is None else {NEXT: page.cursor}
    body = ",".join(shape(each).model_dump_json(by_alias=True) for each in page.rows)
    return Response(f"[{body}]", media_type="application/json", headers=headers)


def paged(response: Response, page: Page[T], shape: Callable[[T], R]) -> Sequence[R]:
    """The rows of a page, with the next cursor in the header."""
    if page.cursor is not None:
        response.headers[NEXT] = page.cursor
    return [shape(each) for each in page.rows]
