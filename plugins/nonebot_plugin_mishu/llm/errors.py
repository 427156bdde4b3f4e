"""The one error of the model gateway."""

from __future__ import annotations

from typing import Final, Literal, TypeAlias

ErrorKind: TypeAlias = Literal[
    "offline",
    "timeout",
    "unreachable",
    "refused",
    "rate_limited",
    "invalid",
    "breaker_open",
    "budget",
    "share",
    "pace",
]
"""Why there is no answer:

* `offline`: no key or no model is configured for this;
* `timeout`: the deadline passed, in the queue or on the wire;
* `unreachable`: no connection, a dropped connection, or the endpoint failed (5xx) until we gave up;
* `refused`: the endpoint or the model said no (key, balance, address, model, prompt too long, filter);
* `rate_limited`: 429, and the wait it asks for does not fit the deadline;
* `invalid`: it answered, but not with anything that can be used;
* `breaker_open`: it failed again and again just now and is being left alone for a while;
* `budget`: the day's tokens are spent, of all or of this group;
* `share`: those of this member are;
* `pace`: this member asks faster than their share of a minute.
"""
OWN: Final[frozenset[ErrorKind]] = frozenset({"budget", "share", "pace"})
"""Kinds that say nothing about an endpoint: we did not ask."""


_LABELS: dict[ErrorKind, str] = {
    "offline": "没有模型",
    "timeout": "超时",
    "unreachable": "连不上",
    "refused": "被拒绝",
    "rate_limited": "调用太频繁",
    "invalid": "答复不能用",
    "breaker_open": "连着失败，先不问了",
    "budget": "用量到上限",
    "share": "这位成员今天的用量到上限",
    "pace": "这位成员说得太快",
}


class ModelError(Exception):
    """A model call gave no usable answer; callers fall back to local rules (product section 10).

    Its text holds the call's name and the kind, never the endpoint's words, an address or a key, and it is
    raised without a cause or context, so a printed traceback shows none of them either.
    """

    def __init__(self, kind: ErrorKind, name: str) -> None:
        super().__init__(f"model call {name}: {kind}")
        self.kind: ErrorKind = kind
        self.name = name

    @property
    def label(self) -> str:
        """The kind in words for people."""
        return _LABELS[self.kind]
