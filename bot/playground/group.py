"""The simulated groups: who is in them, what was said, what happened. Values and changes, no network.

Everything the page shows and everything the OneBot side answers comes from here. A change is told to
whoever listens; the OneBot events that belong to it are built in `events.py`.
"""

from __future__ import annotations

import re
import secrets
import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import count
from typing import Any, Literal

Role = Literal["owner", "admin", "member"]
Segment = dict[str, Any]
"""One OneBot segment, `{"type", "data"}`."""

SELF_ID = 2_880_000_000
"""The playground's account: unlikely to be anybody's who connects beside it."""
BOT_NAME = "秘书"
LINES_KEPT = 500
"""Lines kept per group; older ones are forgotten."""
FORWARDS_KEPT = 200
ROLE_NAMES: dict[Role, str] = {"owner": "群主", "admin": "管理员", "member": "成员"}

_NEWCOMERS = ("小满", "阿禾", "老周", "小雨", "阿澈", "团团", "大林", "小夏", "阿宁", "石头")


@dataclass(slots=True)
class Member:
    """Somebody in a group."""

    user_id: int
    name: str
    role: Role = "member"


@dataclass(slots=True)
class Message:
    """Something said."""

    message_id: int
    group_id: int
    user_id: int
    name: str
    role: Role
    time: float
    segments: list[Segment]
    recalled: bool = False
    delivered: bool = True
    """True if the bot could be told; what it said itself always is."""


@dataclass(slots=True)
class Notice:
    """Something that happened, shown as a grey line."""

    text: str
    time: float


Line = Message | Notice


@dataclass(slots=True)
class Group:
    """One simulated group."""

    group_id: int
    name: str
    members: dict[int, Member] = field(default_factory=dict[int, Member])
    lines: deque[Line] = field(default_factory=lambda: deque[Line](maxlen=LINES_KEPT))
    bot_role: Role = "member"
    bot_inside: bool = True
    muted_until: float = 0.0
    """Until when the bot may not speak, in seconds since the epoch."""

    def messages(self) -> Iterator[Message]:
        """Messages, oldest first."""
        return (line for line in self.lines if isinstance(line, Message))


@dataclass(frozen=True, slots=True)
class Change:
    """Event for listeners: a new `line`, a changed message (`touched`), `members`, or the `groups`."""

    kind: Literal["line", "touched", "members", "groups"]
    group_id: int
    line: Line | None = None


Listener = Callable[[Change], None]


class World:
    """All groups, their messages and the bot's place in them."""

    def __init__(self, bot_name: str = BOT_NAME, *, clock: Callable[[], float] = time.time) -> None:
        self.bot_name = bot_name
        self.now = clock
        self.groups: dict[int, Group] = {}
        self.forwards: dict[str, list[Segment]] = {}
        self._listeners: list[Listener] = []
        # The bot stores ids across its restarts and takes a known one for a repetition: begin anywhere.
        self._ids = count(secrets.randbelow(1 << 30) + 1)
        self._people = count(20001)
        self._places = count(10001)

    def listen(self, listener: Listener) -> Callable[[], None]:
        """Be told every change from now on; call what is returned to stop."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def _tell(self, change: Change) -> None:
        for listener in tuple(self._listeners):
            listener(change)

    def take(self, groups: list[Group], forwards: dict[str, list[Segment]]) -> None:
        """Go on with groups of an earlier run: new people and places get numbers nobody has."""
        self.groups = {group.group_id: group for group in groups}
        self.forwards = forwards
        people = [user_id for group in groups for user_id in group.members]
        self._people = count(max([20000, *people]) + 1)
        self._places = count(max([10000, *self.groups]) + 1)

    def found_group(self, name: str, people: list[tuple[str, Role]]) -> Group:
        """A new group with these members and the bot."""
        group = Group(next(self._places), name)
        for person, role in people:
            member = Member(next(self._people), person, role)
            group.members[member.user_id] = member
        self.groups[group.group_id] = group
        self._tell(Change("groups", group.group_id))
        return group

    def say(self, group: Group, user_id: int, segments: list[Segment]) -> Message:
        """A member, or the bot, says something."""
        if user_id == SELF_ID:
            name, role = self.bot_name, group.bot_role
        else:
            name, role = group.members[user_id].name, group.members[user_id].role
        message = Message(next(self._ids), group.group_id, user_id, name, role, self.now(), segments)
        self._add(group, message)
        return message

    def note(self, group: Group, text: str) -> None:
        """Something happened that is worth a grey line."""
        self._add(group, Notice(text, self.now()))

    def _add(self, group: Group, line: Line) -> None:
        group.lines.append(line)
        self._tell(Change("line", group.group_id, line))

    def touch(self, message: Message) -> None:
        """A message looks different now."""
        self._tell(Change("touched", message.group_id, message))

    def find(self, message_id: int) -> Message | None:
        """A message by its id, also a recalled one."""
        for group in self.groups.values():
            for message in group.messages():
                if message.message_id == message_id:
                    return message
        return None

    def recall(self, message: Message, operator_id: int) -> None:
        """Somebody takes a message back."""
        message.recalled = True
        self.touch(message)
        group = self.groups[message.group_id]
        operator = self.name_of(group, operator_id)
        whose = "一条消息" if operator_id == message.user_id else f"{message.name}的一条消息"
        self.note(group, f"{operator} 撤回了{whose}")

    def join(self, group: Group, name: str | None = None) -> Member:
        """Somebody comes into the group; without a name, the next one known here."""
        if name is None:
            taken = {member.name for member in group.members.values()}
            name = next((each for each in _NEWCOMERS if each not in taken), f"成员{len(taken) + 1}")
        member = Member(next(self._people), name)
        group.members[member.user_id] = member
        self._tell(Change("members", group.group_id))
        self.note(group, f"{name} 加入了本群")
        return member

    def leave(self, group: Group, user_id: int) -> None:
        """A member leaves the group."""
        member = group.members.pop(user_id)
        self._tell(Change("members", group.group_id))
        self.note(group, f"{member.name} 退出了本群")

    def set_bot(self, group: Group, *, inside: bool | None = None, role: Role | None = None) -> None:
        """The bot is taken into the group or put out of it, or gets another role."""
        if inside is not None:
            group.bot_inside = inside
            group.bot_role = "member"  # who comes back is nobody's admin any more
            self.note(group, f"{self.bot_name} 被{'邀请进了' if inside else '移出了'}本群")
        if role is not None:
            group.bot_role = role
            self.note(group, f"{self.bot_name} 现在是{ROLE_NAMES[role]}")
        self._tell(Change("members", group.group_id))

    def set_role(self, group: Group, user_id: int, role: Role) -> None:
        """A member gets another role."""
        member = group.members[user_id]
        member.role = role
        self._tell(Change("members", group.group_id))
        self.note(group, f"{member.name} 现在是{ROLE_NAMES[role]}")

    def mute_bot(self, group: Group, operator_id: int, seconds: int) -> None:
        """The bot may not speak for so long; 0 lifts it."""
        group.muted_until = self.now() + seconds if seconds else 0.0
        operator = self.name_of(group, operator_id)
        what = f"禁言 {self.bot_name} {seconds} 秒" if seconds else f"解除了 {self.bot_name} 的禁言"
        self._tell(Change("members", group.group_id))
        self.note(group, f"{operator} {what}")

    def keep_forward(self, nodes: list[Segment]) -> str:
        """Store a forwarded bundle of messages; its id."""
        forward_id = secrets.token_hex(8)
        self.forwards[forward_id] = nodes
        while len(self.forwards) > FORWARDS_KEPT:
            del self.forwards[next(iter(self.forwards))]
        return forward_id

    def name_of(self, group: Group, user_id: int) -> str:
        """Name of a member; the number if unknown."""
        if user_id == SELF_ID:
            return self.bot_name
        member = group.members.get(user_id)
        return member.name if member is not None else str(user_id)

    def may_recall(self, message: Message, user_id: int) -> bool:
        """True if this member may take that message back: their own, or as one who leads the group."""
        group = self.groups[message.group_id]
        member = group.members.get(user_id)
        if message.recalled or member is None:
            return False
        rank: dict[Role, int] = {"member": 0, "admin": 1, "owner": 2}
        return message.user_id == user_id or rank[member.role] > rank[message.role]

    def compose(self, group: Group, text: str) -> list[Segment]:
        """Typed text as segments: `@` and a name known in the group becomes a real @."""
        targets = {self.bot_name: str(SELF_ID), "全体成员": "all"}
        targets |= {member.name: str(member.user_id) for member in group.members.values()}
        names = sorted(targets, key=len, reverse=True)
        segments: list[Segment] = []
        for index, part in enumerate(re.split(f"@({'|'.join(map(re.escape, names))})", text)):
            if index % 2:
                segments.append({"type": "at", "data": {"qq": targets[part]}})
            elif part:
                segments.append({"type": "text", "data": {"text": part}})
        return segments


def first_world(bot_name: str = BOT_NAME, *, clock: Callable[[], float] = time.time) -> World:
    """The groups the playground opens with."""
    world = World(bot_name, clock=clock)
    world.found_group(
        "秘书试用群",
        [("林晓", "owner"), ("陈默", "admin"), ("小雅", "member"), ("阿凯", "member"), ("苏苏", "member")],
    )
    world.found_group("周末爬山群", [("山哥", "owner"), ("小雅", "admin"), ("阿凯", "member")])
    return world
