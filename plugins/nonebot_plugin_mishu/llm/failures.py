"""Failures of one attempt and their remedies: tables, no I/O.

Retried are 408, 409, 425, 429, 5xx and broken connections, at most `TRIES` times in all, with growing
waits; `Retry-After` is obeyed where it fits the deadline, else the call ends at once.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from email.utils import parsedate_to_datetime
from typing import Literal, TypeAlias

from .errors import ErrorKind

Cause: TypeAlias = Literal["key", "model", "money", "net"]
"""Cause for the owner to look at: the key, the model's name, the account's money, address or network."""
CAUSES: dict[Cause | None, str] = {
    "key": "密钥不对，接口不认",
    "model": "接口里没有这个模型",
    "money": "账户没钱了",
    "net": "连不上",
    None: "用不了",
}
"""Causes in words, said behind 模型."""
Remedy: TypeAlias = Literal["none", "later", "step_down", "again"]
"""`later`: the same request after a wait; `step_down`: the next rung; `again`: once more, a rung lower where
there is one and the answer's form was at fault."""


@dataclass(frozen=True, slots=True)
class Failure:
    """One attempt without a usable answer."""

    kind: ErrorKind
    remedy: Remedy = "none"
    wait: float | None = None
    """Seconds the endpoint asked us to wait."""
    outage: bool = False
    """True if the endpoint was down, for the breaker."""
    exhausted: bool = False
    """True if the account there is out of money or quota: no later call fares better until somebody pays."""
    form: bool = False
    """True if the answer was there but not in the form asked for."""
    about: Literal["form", "thinking"] | None = None
    """Subject of a refusal, where that can be told."""
    cause: Cause | None = None

    @property
    def elsewhere(self) -> bool:
        """True if another endpoint may answer the call that failed here."""
        return self.outage or self.cause is not None or self.kind == "rate_limited"


UNREACHABLE = Failure("unreachable", "later", outage=True, cause="net")
TIMED_OUT = Failure("timeout", outage=True)
REFUSED = Failure("refused")
EXHAUSTED = Failure("refused", exhausted=True, cause="money")
WRONG_KEY = Failure("refused", cause="key")
WRONG_MODEL = Failure("refused", cause="model")
PARAMETER_REFUSED = Failure("refused", "step_down")
RATE_LIMITED = Failure("rate_limited", "later")
NO_ANSWER = Failure("invalid", "again")
"""200, but no completion in it: a web page, null, an error object, no choices, nothing said."""
WRONG_FORM = Failure("invalid", "again", form=True)
CUT_OFF = Failure("invalid")
"""Cut at the length limit: asking again gives the same, and nothing is mended (pitfall 37)."""
TOO_LARGE = Failure("invalid")
"""More than is read of an answer, or packed as nobody asked for: asking again would cost as much again."""

BUDGET = Failure("budget")
SHARE = Failure("share")
PACE = Failure("pace")
BREAKER_OPEN = Failure("breaker_open")
OFFLINE = Failure("offline")

_BY_STATUS: dict[int, Failure] = {
    **dict.fromkeys((400, 404, 415, 422, 501), PARAMETER_REFUSED),
    **dict.fromkeys((408, 409, 425), replace(UNREACHABLE, outage=False)),
    401: WRONG_KEY,
    402: EXHAUSTED,
    403: WRONG_KEY,
    429: RATE_LIMITED,
}

_UNKNOWN_MODEL = ("model_not_found", "model not exist", "model does not exist", "模型不存在", "unknown model")
_HOPELESS = (
    "context_length",
    "context length",
    "maximum context",
    "content_filter",
    "contentfilter",
    "data_inspection",
)
"""Words of refusals that have nothing to do with how structure is asked for."""
_EXHAUSTED = ("insufficient_quota", "insufficient balance", "arrearage", "余额不足", "欠费")
"""Words of refusals for want of money, whatever status they come with."""
_ABOUT_FORM = ("response_format", "schema", "structured", "tool", "json", "parameter")
"""A 404 is a wrong address unless it speaks of these, as resellers' routers do."""


_ABOUT_THINKING = ("thinking", "reasoning_effort", "extra_body", "extra inputs", "extra fields")


def _about(said: str) -> Literal["form", "thinking"] | None:
    if any(word in said for word in ("response_format", "json_schema", "tool_choice", "'json'")):
        return "form"
    return "thinking" if any(word in said for word in _ABOUT_THINKING) else None


def failure_of(status: int, headers: Mapping[str, str], body: str, now: float) -> Failure:
    """The failure of an HTTP status other than 200. `headers` ignore case; `now` is wall time, seconds."""
    failure = _BY_STATUS.get(status, UNREACHABLE if status >= 500 else REFUSED)
    said = body.lower()
    if 400 <= status < 500 and any(word in said for word in _EXHAUSTED):
        return EXHAUSTED
    if 400 <= status < 500 and any(word in said for word in _UNKNOWN_MODEL):
        return WRONG_MODEL
    if failure.remedy != "none" and status < 500 and any(word in said for word in _HOPELESS):
        return REFUSED
    if status == 404 and not any(word in said for word in _ABOUT_FORM):
        return WRONG_MODEL if "model" in said else replace(REFUSED, cause="net")
    if failure.remedy == "later":
        return replace(failure, wait=retry_after(headers, now))
    return replace(failure, about=_about(said)) if failure.remedy == "step_down" else failure


def retry_after(headers: Mapping[str, str], now: float) -> float | None:
    """Seconds to wait as asked by `retry-after-ms` or `Retry-After` (seconds or a date), None if unsaid."""
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        value = headers.get(name)
        if value is None:
            continue
        try:
            seconds = float(value) * unit
        except ValueError:
            try:
                seconds = parsedate_to_datetime(value).timestamp() - now
            except ValueError:
                continue
        if seconds == seconds:  # not NaN
            return max(0.0, seconds)
    return None


TRIES = 3
FIRST_WAIT = 0.4
JITTER = 0.25
"""The wait doubles and varies by this share: even at the extremes each is longer than the one before."""
LEAST = 0.05
"""Seconds that must be left for an attempt after a wait."""


def wait_before(failure: Failure, tries: int, remaining: float, chance: float) -> float | None:
    """Seconds to wait before the same request again, None to give up.

    `tries` made so far, `remaining` seconds of the deadline, `chance` in [0, 1).
    """
    if failure.remedy != "later" or tries >= TRIES:
        return None
    wait = FIRST_WAIT * 2 ** (tries - 1) * (1 - JITTER + 2 * JITTER * chance)
    if failure.wait is not None:
        wait = failure.wait * (1 + 0.1 * chance) + 0.01
    return wait if wait + LEAST < remaining else None
