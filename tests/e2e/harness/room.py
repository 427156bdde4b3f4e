"""A conversation as its members see it: they say things, and they see what the bot answers."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .segments import Segment, at, cq, parts, reply
from .sent import Sent

if TYPE_CHECKING:
    from .onebot import OneBotClient

_group_ids = itertools.count(30_001)
_user_ids = itertools.count(1_000_001)

Matching = str | re.Pattern[str] | Callable[[Sent], bool] | None

WITHIN = 12.0
"""Seconds an expected thing may take; reached only where it does not come at all."""


@dataclass(frozen=True)
class Member:
    """Somebody in a group, or a friend."""

    user_id: int
    nickname: str
    card: str = ""
    role: str = "member"

    @property
    def name(self) -> str:
        """What the others see."""
        return self.card or self.nickname


@dataclass(frozen=True)
class Said:
    """A message somebody said, as it was reported."""

    event: dict[str, Any]

    @property
    def id(self) -> str:
        """Its message id."""
        return str(self.event["message_id"])


class Chat:
    """A group, or a friend's private conversation, on one account."""

    def __init__(self, client: OneBotClient, group_id: int | None, friend: Member | None) -> None:
        self.client = client
        self.group_id = group_id
        self.friend = friend
        self.said: list[Said] = []
        self._watch = Member(next(_user_ids), "哨兵")

    @classmethod
    def group(cls, client: OneBotClient, group_id: int | None = None) -> Chat:
        """A group; a fresh one unless named."""
        return cls(client, group_id if group_id is not None else next(_group_ids), None)

    @classmethod
    def private(cls, client: OneBotClient, user_id: int | None = None, name: str = "好友") -> Chat:
        """A private conversation; with a new friend unless named."""
        return cls(client, None, Member(user_id if user_id is not None else next(_user_ids), name))

    @property
    def id(self) -> str:
        """The group's or the friend's id."""
        return str(self.group_id if self.friend is None else self.friend.user_id)

    @staticmethod
    def member(nickname: str, *, card: str = "", role: str = "member", user_id: int | None = None) -> Member:
        """A new member."""
        return Member(user_id if user_id is not None else next(_user_ids), nickname, card, role)

    def members(self, *names: str) -> list[Member]:
        """Several new members."""
        return [self.member(name) for name in names]

    def now(self) -> float:
        """Seconds since the epoch by the clock of the bot, which the messages carry."""
        return self.client.now()

    # -- saying

    async def say(self, who: Member | None, *words: Segment | str, **changes: Any) -> Said:
        """Say something; `changes` replace fields of the event (`time`, `sub_type`, …), None removes one."""
        said = self.compose(who, *words, **changes)
        return await self.deliver(said)

    def compose(self, who: Member | None, *words: Segment | str, **changes: Any) -> Said:
        """The event of a message, not yet reported."""
        sender = who or self.friend
        assert sender is not None
        segments = parts(*words)
        event: dict[str, Any] = {
            "time": int(self.now()),
            "self_id": int(self.client.self_id),
            "post_type": "message",
            "message_type": "private" if self.friend else "group",
            "sub_type": "friend" if self.friend else "normal",
            "message_id": self.client.next_message_id(),
            "user_id": sender.user_id,
            "message": segments,
            "raw_message": cq(segments),
            "message_format": "array",
            "font": 14,
            "sender": {"user_id": sender.user_id, "nickname": sender.nickname, "card": sender.card},
        }
        if self.group_id is not None:
            event |= {"group_id": self.group_id, "anonymous": None}
            event["sender"] |= {"role": sender.role, "title": "", "level": "1"}
        event |= changes
        return Said({key: value for key, value in event.items() if value is not None or key == "anonymous"})

    async def deliver(self, said: Said) -> Said:
        """Report a composed message (again)."""
        self.client.platform.remember(said.event)
        await self.client.emit(said.event)
        self.said.append(said)
        return said

    async def call(self, who: Member, *words: Segment | str, **changes: Any) -> Said:
        """Say something with an @ of the bot before it."""
        return await self.say(who, at(self.client.self_id), *(words and (" ", *words)), **changes)

    async def quote(self, who: Member, message: Said | Sent, *words: Segment | str, **changes: Any) -> Said:
        """Say something as a reply to a message."""
        target = message.id if isinstance(message, Said) else message.message_id
        return await self.say(who, reply(target), *words, **changes)

    async def command(self, who: Member | None, words: str) -> Sent:
        """Give a `/秘书` command and wait for its answer."""
        before = len(self.client.sends)
        await self.say(who, f"/秘书 {words}")
        return await self.expect(since=before)

    # -- notices

    async def notice(self, kind: str, **fields: Any) -> None:
        """Report a notice of this group."""
        where = {"group_id": self.group_id} if self.group_id is not None else {}
        await self.client.emit({"post_type": "notice", "notice_type": kind, **where, **fields})

    async def recall(self, said: Said, operator: Member | None = None) -> None:
        """Somebody takes a message back."""
        user = said.event["user_id"]
        fields = {"user_id": user, "message_id": int(said.id)}
        if self.friend is not None:
            await self.notice("friend_recall", **fields)
        else:
            await self.notice("group_recall", operator_id=operator.user_id if operator else user, **fields)

    async def poke(self, who: Member, target: int | None = None) -> None:
        """Somebody pokes the bot (or `target`)."""
        whom = int(self.client.self_id) if target is None else target
        await self.notice(
            "notify", sub_type="poke", user_id=who.user_id, sender_id=who.user_id, target_id=whom
        )

    async def mute(self, seconds: int, user: int | None = None) -> None:
        """The bot (or `user`) is muted; 0 lifts it."""
        await self.notice(
            "group_ban",
            sub_type="ban" if seconds else "lift_ban",
            operator_id=9,
            user_id=int(self.client.self_id) if user is None else user,
            duration=seconds,
        )

    # -- seeing

    @property
    def sends(self) -> list[Sent]:
        """Every message of the bot in this conversation, in order."""
        return self.sends_since(0)

    def sends_since(self, number: int) -> list[Sent]:
        """Those of its messages here before which the account had sent so many, wherever."""
        return self.client.sends_to((self.friend is not None, self.id), number)

    async def expect(
        self,
        matching: Matching = None,
        *,
        quoting: Said | None = None,
        within: float = WITHIN,
        since: int = 0,
    ) -> Sent:
        """The next message of the bot here that fits and that no expectation took yet."""
        test = _tester(matching)

        def find() -> Sent | None:
            for sent in self.sends_since(since):
                fits = not sent.taken and test(sent)
                if fits and (quoting is None or sent.quotes == quoting.id):
                    return sent
            return None

        wanted = f"a message in {self.id} matching {matching!r}"
        wanted += f" quoting {quoting.id}" if quoting else ""
        found: Sent = await self.client.until(find, within, wanted)
        found.taken = True
        return found

    def left(self) -> list[Sent]:
        """Messages of the bot here that no expectation took."""
        return [sent for sent in self.sends if not sent.taken]

    def texts(self) -> list[str]:
        """The words of all its messages here."""
        return [sent.text for sent in self.sends]

    def nothing_else(self) -> None:
        """Assert that the bot said nothing that was not expected."""
        assert not self.left(), f"unexpected in {self.id}: {self.left()}"

    async def sentinel(self) -> Sent:
        """Ask for the status as a bystander and take the answer.

        It comes through the same outbox behind everything decided before, works while the bot is silenced
        and changes no state: what it does not overtake is not coming.
        """
        since = len(self.client.sends)
        await self.say(None if self.friend else self._watch, "/秘书 状态")
        return await self.expect(STATES, since=since)


STATES = re.compile("^我在，.+；.*(静音|安静到).*；.*模型")
"""The answer to `/秘书 状态`, whatever the state."""


def _tester(matching: Matching) -> Callable[[Sent], bool]:
    if matching is None:
        return lambda sent: True
    if isinstance(matching, str):
        return lambda sent: matching in sent.text
    if isinstance(matching, re.Pattern):
        return lambda sent: matching.search(sent.text) is not None
    return matching


def quoted_order(sends: Sequence[Sent], said: Sequence[Said]) -> list[str]:
    """Ids of `said` in the order in which the bot's messages quote them."""
    ids = {item.id for item in said}
    return [sent.quotes for sent in sends if sent.quotes in ids]
