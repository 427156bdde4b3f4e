"""Refusals of operations, with a status and a message. Pure."""

from __future__ import annotations

from typing import Literal

Status = Literal[403, 404, 409, 422, 429, 503]


class Refused(Exception):
    """An act from outside the chat was refused: nothing was done. The message is Chinese and may be shown.

    403: no right; 404: not found or not visible; 422: an invalid value, named in the message; 409: a
    confirmation is needed, `question` asks for it (repeat the call with `confirm`); 429: too often; 503:
    not now. `field`: of a 422, the value's name in the request."""

    def __init__(
        self, status: Status, message: str, question: str | None = None, field: str | None = None
    ) -> None:
        super().__init__(message)
        self.status: Status = status
        self.message = message
        self.question = question
        self.field = field


def invalid(field: str, why: str) -> Refused:
    """422: an invalid value, by its name in the request."""
    return Refused(422, f"{field}：{why}", field=field)


def needs_confirmation(question: str) -> Refused:
    """409: a confirmation is needed."""
    return Refused(409, question.splitlines()[0], question)


NO_RIGHT = "没有权限"


def forbidden(why: str = NO_RIGHT) -> Refused:
    """403: no right."""
    return Refused(403, why)


def missing(what: str) -> Refused:
    """404: not found or not visible."""
    return Refused(404, f"没有这个{what}")
