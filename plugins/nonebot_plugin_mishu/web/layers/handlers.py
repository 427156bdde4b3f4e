"""Every failure of a request in the pinned shape: unknown routes, wrong methods, bad parameters, trouble.

A failure nobody foresaw is answered 503 without a word of what it was, and goes on to the server's log.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response

from ...services.refusals import Refused
from ...storage import StorageError
from ..backend import BackendUnavailable
from .errors import CODES, MESSAGES, error_content


class ApiError(Exception):
    """A request that is answered with this status and message (Chinese, for people); `field` of a 422."""

    def __init__(self, status: int, message: str, field: str | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.field = field


def respond(
    status: int,
    message: str,
    headers: Mapping[str, str] | None = None,
    question: str | None = None,
    field: str | None = None,
) -> Response:
    """The error as a response."""
    code = CODES.get(status, "error")
    return JSONResponse(error_content(code, message, question, field), status_code=status, headers=headers)


async def answer_failure(_: Request, error: Exception) -> Response:
    """The answer to a request that failed. Of what is unforeseen the framework raises the error again behind
    it, for the server's log."""
    match error:
        case ApiError():
            return respond(error.status, error.message, field=error.field)
        case Refused():
            return respond(error.status, error.message, question=error.question, field=error.field)
        case StorageError():
            return respond(503, str(error))
        case BackendUnavailable():
            return respond(503, error.message)
        case HTTPException():  # unknown routes, wrong methods
            words = MESSAGES.get(error.status_code, MESSAGES[400])
            return respond(error.status_code, words, error.headers)
        case RequestValidationError():
            problems = cast("Sequence[dict[str, Any]]", error.errors())
            if any(problem.get("type") == "json_invalid" for problem in problems):
                return respond(400, "请求体不是合法的 JSON")
            return respond(422, describe_problems(problems), field=_field(problems[0]) if problems else None)
        case _:
            return respond(503, MESSAGES[503])


def describe_problems(problems: Sequence[Mapping[str, Any]]) -> str:
    """All problems of a request, each once. Places begin with where the value stood (`body`)."""
    return "；".join(dict.fromkeys(_describe_problem(problem) for problem in problems))


def _field(problem: Mapping[str, Any]) -> str | None:
    """The name of what is wrong; None for the body itself."""
    place = [str(part) for part in cast("Sequence[str | int]", problem.get("loc", ()))]
    return ".".join(place[1:]) or None


def _describe_problem(problem: Mapping[str, Any]) -> str:
    """One problem as `field：allowed values`."""
    field = _field(problem) or "请求体"
    limits = cast("Mapping[str, Any]", problem.get("ctx") or {})
    words = {
        "missing": "不能缺少",
        "int_parsing": "应是整数",
        "int_type": "应是整数",
        "float_parsing": "应是数",
        "bool_parsing": "应是 true 或 false",
        "string_type": "应是字符串",
        "greater_than_equal": f"应不小于 {limits.get('ge')}",
        "less_than_equal": f"应不大于 {limits.get('le')}",
        "string_too_long": f"应不超过 {limits.get('max_length')} 个字符",
        "string_too_short": f"应不少于 {limits.get('min_length')} 个字符",
        "string_pattern_mismatch": "含有不允许的字符",
        "timezone_aware": "应带时区偏移，如 2026-01-31T08:00:00+08:00",
        "extra_forbidden": "没有这一项",
        "too_long": f"最多 {limits.get('max_length')} 个",
        "decimal_max_places": "最多两位小数",
        "literal_error": f"应是 {limits.get('expected')}",
    }
    return f"{field}：{words.get(str(problem.get('type')), '值不合法')}"


def install(app: FastAPI) -> None:
    """Let the application answer every failure so."""
    ours = (ApiError, Refused, StorageError, BackendUnavailable)
    for kind in (*ours, HTTPException, RequestValidationError, Exception):
        app.add_exception_handler(kind, answer_failure)
