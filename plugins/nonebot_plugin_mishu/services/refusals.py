"""What is not done, and why: the one way in which operations refuse. Pure."""

from __future__ import annotations

from typing import Literal

Status = Literal[403, 404, 409, 422, 429, 503]


class Refused(Exception):
    """Nothing was done. The message is Chinese and may be shown.

    403: no right; 404: there is no such thing; 422: a value cannot be, which the message names; 409: a yes is
    needed first, `question` says to what (the call may be repeated with `confirm`);
    429: too often; 503: not now. `field`: of a 422, the value's name in the request.
    """

    def __init__(
        self, status: Status, message: str, question: str | None = None, field: str | None = None
    ) -> None:
        super().__init__(message)
        self.status: Status = status
        self.message = message
        self.question = question
        self.field = field


def invalid(field: str, why: str) -> Refused:
    """A value that cannot be, by the name it has in the request."""
    return Refused(422, f"{field}：{why}", field=field)


def asks(question: str) -> Refused:
    """A yes is needed first."""
    return Refused(409, question.splitlines()[0], question)


NO_RIGHT = "没有权限"


def forbidden(why: str = NO_RIGHT) -> Refused:
    """No right to it."""
    return Refused(403, why)


def missing(what: str) -> Refused:
    """There is no such thing, or not there."""
    return Refused(404, f"没有这个{what}")
