"""What the bot did: every action it asked of the platform, and the messages among them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, cast

from .segments import Segment, plain

SENDS = frozenset(
    {
        "send_group_msg",
        "send_private_msg",
        "send_msg",
        "send_group_forward_msg",
        "send_private_forward_msg",
        "send_forward_msg",
    }
)


@dataclass(frozen=True)
class Action:
    """One API call of the bot."""

    name: str
    params: dict[str, Any]
    at: float
    """Monotonic seconds when it arrived."""


@dataclass(eq=False)
class Sent:
    """One message the bot sent (or tried to send: `delivered`)."""

    action: Action
    message_id: int
    delivered: bool = True
    taken: bool = False
    """An expectation has already claimed it."""
    segments: list[Segment] = field(default_factory=list)
    nodes: list[list[Segment]] = field(default_factory=list)
    """The nodes of a forward message."""
    number: int = 0
    """How many the account sent before it."""

    @property
    def text(self) -> str:
        """Its words, those of a forward message's nodes included."""
        return plain(self.segments) + "\n".join(plain(node) for node in self.nodes)

    @property
    def quotes(self) -> str | None:
        """Id of the message it quotes."""
        found = [str(item["data"]["id"]) for item in self.segments if item["type"] == "reply"]
        return found[0] if found else None

    @property
    def ats(self) -> list[str]:
        """Who is @-ed in it."""
        return [str(item["data"]["qq"]) for item in self.segments if item["type"] == "at"]

    @property
    def group_id(self) -> str | None:
        """The group it went to."""
        value = self.action.params.get("group_id")
        return None if value in (None, 0, "") or self.is_private else str(value)

    @property
    def user_id(self) -> str | None:
        """The friend it went to."""
        return str(self.action.params.get("user_id")) if self.is_private else None

    @property
    def place(self) -> tuple[bool, str | None]:
        """The conversation it went to: whether with a friend, and its id."""
        return self.is_private, self.user_id if self.is_private else self.group_id

    @property
    def is_private(self) -> bool:
        """True if it went to a friend."""
        name, params = self.action.name, self.action.params
        if "private" in name or "group" in name:
            return "private" in name
        return params.get("message_type") == "private" or not params.get("group_id")

    def __repr__(self) -> str:
        return f"<{self.action.name} {self.group_id or self.user_id}: {self.text!r} quotes={self.quotes}>"


def read_message(value: Any) -> list[Segment]:
    """The `message` parameter of a send as segments; the bot may use any of the three forms."""
    if isinstance(value, str):
        return [{"type": "text", "data": {"text": value}}]
    if isinstance(value, dict):
        return [cast(Segment, value)]
    return [cast(Segment, item) for item in cast("list[Any]", value)]


def read_send(action: Action, message_id: int) -> Sent:
    """The message of a send action."""
    params = action.params
    if "forward" in action.name:
        nodes = cast("list[dict[str, Any]]", params.get("messages") or params.get("message") or [])
        return Sent(
            action, message_id, nodes=[read_message(node["data"].get("content", "")) for node in nodes]
        )
    segments = read_message(params.get("message", []))
    nodes = [item for item in segments if item["type"] == "node"]
    return Sent(
        action,
        message_id,
        segments=[item for item in segments if item["type"] != "node"],
        nodes=[read_message(node["data"].get("content", "")) for node in nodes],
    )
