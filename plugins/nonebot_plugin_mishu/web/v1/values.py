"""Values of requests of `/api/v1`: ids, pages, the person of a write, field names."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Generator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Annotated, Any, Final, TypeVar

from fastapi import Depends, Path, Query, Request, Response
from fastapi.routing import APIRoute
from pydantic import BaseModel, ConfigDict, Field

from ...services.access.actor import Write
from ...services.paging import MOST, Page
from ...services.refusals import Refused, missing
from ..acting import Writes
from ..api.values import PRINTABLE, Person, When
from .shapes import Listed, RecurrenceShape

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
AS_USER: Final = "替谁做；主人要写明，成员总是自己"
AsUser = Annotated[str | None, Query(min_length=1, max_length=64, pattern=PRINTABLE, description=AS_USER)]
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


def write_for(write: Writes, as_user: AsUser = None) -> Write:
    """A write whose person is in the query."""
    return replace(write, user_id=as_user)


def deletion_for(write: Writes, as_user: AsUser = None, confirm: Confirm = False) -> Write:
    """A write without a body: person and confirmation are in the query."""
    return replace(write, user_id=as_user, confirm=confirm)


WritesFor = Annotated[Write, Depends(write_for)]
DeletesFor = Annotated[Write, Depends(deletion_for)]


class Body(BaseModel):
    """Common fields of bodies: the person it is for, and the confirmation. Unknown fields are refused."""

    model_config = ConfigDict(extra="forbid")

    as_user: Person | None = Field(None, description=AS_USER)
    confirm: bool = Field(False, description="对 409 里的问题回答“是”")

    def of(self, write: Write) -> Write:
        """The write, for the person of this body, with its confirmation."""
        return replace(write, user_id=self.as_user, confirm=self.confirm)

    def said(self) -> dict[str, Any]:
        """The fields that were given, without these two; a recurrence as rows keep it."""
        given = self.model_dump(exclude_unset=True, exclude={"as_user", "confirm"})
        recurrence = getattr(self, "recurrence", None)
        if isinstance(recurrence, RecurrenceShape):
            given["recurrence"] = recurrence.plain()
        return given


def listed(page: Page[T], shape: Callable[[T], R]) -> Listed[R]:
    """A page in the shape of lists."""
    return Listed(items=[shape(each) for each in page.rows], next_cursor=page.cursor)


def row_id(given: str, what: str) -> int:
    """Row number of an id. 404 for an id that is no number."""
    if not (given.isascii() and given.isdecimal() and 0 < len(given) < 19 and int(given) > 0):
        raise missing(what)
    return int(given)


@contextmanager
def named(names: Mapping[str, str]) -> Generator[None]:
    """A refusal with the field names of the request in place of the operation's."""
    try:
        yield
    except Refused as why:
        if why.field is None or why.field not in names:
            raise
        _, colon, words = why.message.partition("：")
        for own, theirs in names.items():
            words = words.replace(own, theirs)
        raise Refused(
            why.status, f"{names[why.field]}{colon}{words}", why.question, names[why.field]
        ) from None


class V1Route(APIRoute):
    """A route whose refusals name the fields as `/api/v1` does."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """The handler, in which an operation's `user_id`, who acts, is the `as_user` of a write."""
        handle = super().get_route_handler()
        names = {"owner": "user_id"}
        if "GET" not in (self.methods or ()):
            names["user_id"] = "as_user"

        async def handled(request: Request) -> Response:
            with named(names):
                return await handle(request)

        return handled
