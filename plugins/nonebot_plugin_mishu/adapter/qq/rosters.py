"""Groups and members as QQ tells an official bot of them, kept for an hour."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any, Final, cast

import nonebot
from nonebot.adapters.qq import Bot
from nonebot.adapters.qq.exception import ActionFailed, QQAdapterException
from nonebot.adapters.qq.models import GroupMemberInfo

from ...frontdesk.rooms.rosters import GroupCard, MemberCard, Standing
from ...storage.records import Conversation, Role
from ..asking import MOMENT, TIMEOUT, AskedRosters, KeptAnswers, RosterNeeds
from .calling import call

KEPT: Final = 3600.0
MISSED: Final = 60.0
"""Seconds after which what could not be had is asked for again."""
PAGES: Final = 20


class QqRosters(AskedRosters):
    """Implements `frontdesk.rooms.rosters.Rosters`."""

    def __init__(self, needs: RosterNeeds) -> None:
        super().__init__(needs)
        self._members = KeptAnswers[tuple[str, str], dict[str, GroupMemberInfo]](needs.monotonic)
        """Members of a group by their openids."""

    async def groups(self, self_id: str) -> Mapping[str, GroupCard]:
        """None: QQ lists no groups; a bot knows those in which it was spoken to."""
        return {}

    async def members(self, conversation: Conversation) -> Sequence[MemberCard]:
        """Members of a group, without bots."""
        if not conversation.is_group:
            return ()
        known = await self._all(conversation, TIMEOUT)
        return [
            MemberCard(one.member_openid, one.username or one.member_openid, _role(one), None)
            for one in known.values()
            if not one.bot
        ]

    async def standing(self, conversation: Conversation, user_id: str) -> Standing:
        """Role of a member in a group, past every cache."""
        bot = self._bot(conversation)
        if bot is None or not conversation.is_group:
            return "unknown"
        where = {"group_openid": conversation.peer, "member_openid": user_id}
        try:
            told: object = await call(bot, "get_group_member", TIMEOUT, **where)
        except ActionFailed:
            # QQ's codes do not tell a member who left from a bot that may not ask, or asked too often.
            return await self._listed(bot, conversation.peer, user_id)
        except (QQAdapterException, TimeoutError):
            return "unknown"
        return self._rank(_role(told), user_id)

    async def _listed(self, bot: Bot, group: str, user_id: str) -> Standing:
        """Role of a member by the whole list of the group, read anew; `gone` only where it is whole."""
        found: dict[str, GroupMemberInfo] = {}
        try:
            async with asyncio.timeout(TIMEOUT):
                whole = await self._read(bot, group, found)
        except (QQAdapterException, TimeoutError):
            return "unknown"
        if (one := found.get(user_id)) is not None:
            return self._rank(_role(one), user_id)
        return "gone" if whole else "unknown"

    async def joined_at(self, conversation: Conversation, user_id: str) -> float | None:
        """When somebody came into a group."""
        one = await self._one(conversation, user_id)
        at = None if one is None else one.joined_at
        return at.timestamp() if at is not None else None

    async def card(self, conversation: Conversation, user_id: str) -> str | None:
        """Name of a member: there are no cards here."""
        one = await self._one(conversation, user_id)
        return (one.username or "").strip() or None if one is not None else None

    async def _one(self, conversation: Conversation, user_id: str) -> GroupMemberInfo | None:
        return (await self._all(conversation, MOMENT)).get(user_id) if conversation.is_group else None

    async def _all(self, conversation: Conversation, timeout: float) -> Mapping[str, GroupMemberInfo]:
        bot = self._bot(conversation)
        if bot is None:
            return {}
        key = (bot.self_id, conversation.peer)
        known = self._members.last(key, {})
        if self._members.holds(key):
            return known
        found: dict[str, GroupMemberInfo] = {}
        lasts = KEPT
        try:
            async with asyncio.timeout(timeout):
                await self._read(bot, conversation.peer, found)
        except (QQAdapterException, TimeoutError):
            found, lasts = {**known, **found}, MISSED
        self._members.keep(key, found, lasts)
        return found

    async def _read(self, bot: Bot, group: str, found: dict[str, GroupMemberInfo]) -> bool:
        """Read the list into `found`; True if that is all of it."""
        cursor: str | None = None
        for _ in range(PAGES):
            page: Any = await call(bot, "get_group_members", TIMEOUT, group_openid=group, cursor=cursor)
            for one in cast("list[GroupMemberInfo]", page.members):
                found[one.member_openid] = one
            cursor = cast("str | None", page.next_cursor)
            if not cursor:
                return True
        return False

    def _bot(self, conversation: Conversation) -> Bot | None:
        bot = nonebot.get_bots().get(self._through(conversation))
        return bot if isinstance(bot, Bot) else None


def _role(told: object) -> Role:
    role = getattr(told, "member_role", None)
    return role if role in ("owner", "admin") else "member"
