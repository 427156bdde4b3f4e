"""The one shape of an error: `{"error": {"code", "message"}}` (`contracts.md`). Of no framework."""

from __future__ import annotations

import json

CODES: dict[int, str] = {
    400: "bad_request",
    401: "unauthorized",
    403: "forbidden",
    404: "not_found",
    405: "method_not_allowed",
    408: "timeout",
    409: "conflict",
    413: "too_large",
    422: "invalid",
    429: "too_many",
    503: "unavailable",
}
"""The code of each status that is answered."""

MESSAGES: dict[int, str] = {
    400: "请求有误",
    404: "没有这个接口",
    405: "这个接口不接受这种请求方法",
    503: "服务暂时不可用，请稍后再试",
}
"""Default messages by status."""


def error_content(
    code: str, message: str, question: str | None = None, field: str | None = None
) -> dict[str, dict[str, str]]:
    """The error as a JSON object; `question` is the confirmation asked for, `field` the name of an invalid
    value."""
    more = {"question": question, "field": field}
    told = {name: value for name, value in more.items() if value is not None}
    return {"error": {"code": code, "message": message, **told}}


def error_body(code: str, message: str, field: str | None = None) -> bytes:
    """The error as bytes of JSON."""
    return json.dumps(error_content(code, message, field=field), ensure_ascii=False).encode()
