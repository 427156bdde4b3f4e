"""Several chat platforms as the one `frontdesk.Platform` that the rest knows.

Whose a conversation is: OneBot v11 and Milky are two ways to the same platform (`qq`), with the same numbers
for groups and members, so that an account of either in one group is one of two accounts on duty there. QQ's
official bots (`qqbot`) know groups and members by openids: text of 32 characters, of each bot's own. The
database knows a group by its id alone (`mishu_duty`: kind, peer) and needs no column for the platform: a
group's number has at most twelve digits, so no openid is ever one. Nothing outside the adapters reads an id
as a number.

Who speaks in a conversation is the account on duty (`Duties`, one for all platforms); this module finds the
platform through which that account is connected.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from nonebot.adapters import Bot

from ..clock import Clock
from ..frontdesk.duty.duties import Duties
from ..frontdesk.platform import Means
from ..frontdesk.rooms.rosters import GroupCard, MemberCard, NoRosters, Rosters, Standing
from ..secretary import SendFailed, Speech
from ..storage.records import Conversation
from .asking import RosterNeeds
from .event_reader import EventReader

CONNECT_TIMEOUT = 10.0
"""Seconds a speech waits for its account to come back, e.g. while the socket reconnects."""
_POLL = 0.1

MakeRosters = Callable[[RosterNeeds], Rosters]


class AccountPlatform(Protocol):
    """A platform as its folder makes it: it knows its own connections. Duty is the composite's."""

    def serves(self, bot: Bot) -> bool:
        """True for a connection of this platform that proved to be its account."""
        ...

    def has(self, account: str) -> bool:
        """True if an account is connected through this platform now."""
        ...

    def trouble(self, account: str) -> str:
        """As `frontdesk.Platform.trouble`."""
        ...

    def means(self, where: Conversation) -> Means:
        """As `frontdesk.Platform.means`."""
        ...

    def answerable_again(self, where: Conversation, message_id: str, at: float) -> None:
        """As `frontdesk.Platform.answerable_again`."""
        ...

    async def send(self, conversation: Conversation, speech: Speech, bot_name: str) -> str:
        """As `frontdesk.Platform.send`."""
        ...

    async def give_file(self, conversation: Conversation, name: str, content: bytes) -> bool:
        """As `frontdesk.Platform.give_file`."""
        ...

    async def publish(self, conversation: Conversation, text: str) -> None:
        """As `frontdesk.Platform.publish`."""
        ...

    async def recording(
        self, conversation: Conversation, name: str, link: str, largest: int, timeout: float
    ) -> bytes | None:
        """As `frontdesk.Platform.recording`."""
        ...

    async def attachment(
        self, conversation: Conversation, told: Mapping[str, Any], largest: int, timeout: float
    ) -> bytes | None:
        """As `frontdesk.Platform.attachment`."""
        ...


@dataclass(frozen=True, slots=True)
class PlatformNeeds:
    """Values that a platform's folder is made with."""

    duties: Duties
    clock: Clock
    fold_length: int
    """Characters from which a text is folded, where the platform can."""
    chance: Callable[[Conversation], None] = lambda where: None
    """Told of a conversation in which something may be said that could not be said before."""


@dataclass(frozen=True, slots=True)
class PlatformParts:
    """Everything one platform's folder brings."""

    name: str
    """NoneBot's name of its adapter (`OneBot V11`, `QQ`, `Milky`)."""
    platform: AccountPlatform
    reader: EventReader
    rosters: MakeRosters


class Platforms:
    """All platforms of this process. The first is asked where no account tells which."""

    def __init__(self, duties: Duties, *parts: PlatformParts) -> None:
        self.duties = duties
        """Which account speaks where."""
        self.parts: list[PlatformParts] = list(parts)
        self._names: dict[str, tuple[str, ...]] = {}
        self._known: dict[str, PlatformParts] = {}
        """The platform of each account that was here."""

    def add(self, parts: PlatformParts) -> None:
        """A platform whose adapter was registered."""
        self.parts.append(parts)

    def reads(self, name: str) -> bool:
        """True if the platform with that adapter is here."""
        return any(part.name == name for part in self.parts)

    def connected(self, bot: Bot) -> bool:
        """An account came; False where it is of no platform of ours."""
        for part in self.parts:
            if part.platform.serves(bot):
                self._known[bot.self_id] = part
                self.duties.connect(bot.self_id)
                return True
        return False

    def disconnected(self, bot: Bot) -> None:
        """An account went."""
        if any(part.platform.serves(bot) for part in self.parts):
            self.duties.disconnect(bot.self_id)

    def of(self, account: str) -> PlatformParts:
        """The platform an account is connected through, else was connected through, else the first."""
        known = self._known.get(account)
        if known is not None and known.platform.has(account):
            return known
        for part in self.parts:
            if part.platform.has(account):
                self._known[account] = part
                return part
        return known or self.parts[0]

    def call(self, self_id: str, name: str) -> None:
        """From now on an account listens to a name that the others need not know."""
        self._names[self_id] = (name,)

    def names_of(self, where: Conversation) -> Collection[str]:
        """Names of our accounts in a conversation, beside the names common to all."""
        if not self._names:
            return ()
        group = self.duties.find(where.peer) if where.is_group else None
        accounts = {where.self_id} if group is None else {group.home, *group.members}
        return [name for account in sorted(accounts) for name in self._names.get(account, ())]

    def accounts(self) -> Collection[str]:
        """Connected accounts, newest first."""
        return self.duties.accounts()

    def trouble(self, account: str) -> str:
        """Why nothing can be said through an account, as far as is known."""
        return self.of(account).platform.trouble(account)

    def can_speak(self, where: Conversation) -> bool:
        """True if this process can speak there now."""
        return self.duties.can_speak(where)

    def means(self, where: Conversation) -> Means:
        """What can be done there."""
        return self._at(where).means(where)

    def answerable_again(self, where: Conversation, message_id: str, at: float) -> None:
        """A line that a former run heard (wall seconds) is taken up."""
        self._at(where).answerable_again(where, message_id, at)

    def speaker(self, where: Conversation) -> str:
        """The account through which we speak there; else the one under which it is kept."""
        return self.duties.speaker(where) or where.self_id

    async def send(self, conversation: Conversation, speech: Speech, bot_name: str) -> str:
        """Send; the platform's message id, or one of our own making where it tells none."""
        return await (await self._connected_at(conversation)).send(conversation, speech, bot_name)

    async def give_file(self, conversation: Conversation, name: str, content: bytes) -> bool:
        """Hand a file over; False where the platform refuses or cannot."""
        try:
            platform = await self._connected_at(conversation)
        except SendFailed:
            return False
        return await platform.give_file(conversation, name, content)

    async def publish(self, conversation: Conversation, text: str) -> None:
        """Put a text among the group's announcements. Raises `SendFailed`."""
        await (await self._connected_at(conversation)).publish(conversation, text)

    async def recording(
        self, conversation: Conversation, name: str, link: str, largest: int, timeout: float
    ) -> bytes | None:
        """A voice message's recording; None where it cannot be had."""
        return await self._at(conversation).recording(conversation, name, link, largest, timeout)

    async def attachment(
        self, conversation: Conversation, told: Mapping[str, Any], largest: int, timeout: float
    ) -> bytes | None:
        """The content of a file by what a message told of it; None where it cannot be had."""
        return await self._at(conversation).attachment(conversation, told, largest, timeout)

    def _at(self, where: Conversation) -> AccountPlatform:
        return self.of(self.speaker(where)).platform

    async def _connected_at(self, where: Conversation) -> AccountPlatform:
        """The platform of the account that speaks there; waits a little where it is away, and asks each time
        who it is: the duty may pass to an account that is connected in another way. Raises `SendFailed`."""
        try:
            async with asyncio.timeout(CONNECT_TIMEOUT):
                while True:
                    account = self.duties.speaker(where)
                    if account is None:
                        raise SendFailed("这个群现在由另一个账号当班")
                    if where.is_group and self.duties.is_gone(account, where.peer):
                        raise SendFailed("不在这个群里了")
                    platform = self.of(account).platform
                    if platform.has(account):
                        return platform
                    await asyncio.sleep(_POLL)
        except TimeoutError:
            raise SendFailed("账号没有连接") from None


class PlatformRosters:
    """Asks the platform of the account that is on duty (`frontdesk.rooms.rosters.Rosters`)."""

    def __init__(
        self, platforms: Platforms, monotonic: Callable[[], float], superusers: Callable[[], Collection[str]]
    ) -> None:
        self._platforms = platforms
        self._needs = RosterNeeds(monotonic, superusers, platforms.speaker)
        self._made: dict[str, Rosters] = {}

    async def groups(self, self_id: str) -> Mapping[str, GroupCard]:
        """The groups of one of our accounts by their ids."""
        return await self._of(self_id).groups(self_id)

    async def members(self, conversation: Conversation) -> Sequence[MemberCard]:
        """Members of a group."""
        return await self._at(conversation).members(conversation)

    async def standing(self, conversation: Conversation, user_id: str) -> Standing:
        """Role of a member in a group, asked of the platform anew."""
        return await self._at(conversation).standing(conversation, user_id)

    async def joined_at(self, conversation: Conversation, user_id: str) -> float | None:
        """When somebody came into a group (wall seconds); None where the platform does not tell."""
        return await self._at(conversation).joined_at(conversation, user_id)

    async def card(self, conversation: Conversation, user_id: str) -> str | None:
        """Name of a member in a group."""
        return await self._at(conversation).card(conversation, user_id)

    def _at(self, where: Conversation) -> Rosters:
        return self._of(self._platforms.speaker(where))

    def _of(self, account: str) -> Rosters:
        if not self._platforms.parts:
            return NoRosters()
        parts = self._platforms.of(account)
        if parts.name not in self._made:
            self._made[parts.name] = parts.rosters(self._needs)
        return self._made[parts.name]
