"""Groups and members as OneBot v11 tells them (`get_group_list`, `get_group_member_list`), for pages."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any, Final, cast

from nonebot.adapters import Bot
from nonebot.exception import ActionFailed

from ...frontdesk.rooms.rosters import GroupCard, MemberCard, Standing
from ...storage.records import Conversation, Role
from ..asking import MOMENT, TIMEOUT, AskedRosters, KeptAnswers, RosterNeeds
from .posts import connected_bot
from .speaking import api_id

KEPT: Final = 300.0
"""Seconds for which an answer, also none, is remembered."""


class OneBotRosters(AskedRosters):
    """Implements `frontdesk.rooms.rosters.Rosters`."""

    def __init__(self, needs: RosterNeeds) -> None:
        super().__init__(needs)
        self._lists = KeptAnswers[tuple[str, str], list[Mapping[str, Any]]](needs.monotonic)
        self._members = KeptAnswers[tuple[str, str, str], Mapping[str, Any]](needs.monotonic)
        """What the platform tells of a member; empty where it told nothing."""

    async def groups(self, self_id: str) -> Mapping[str, GroupCard]:
        """The groups of an account that is connected."""
        rows = await self._asked(self_id, "", "get_group_list")
        return {
            str(row.get("group_id")): GroupCard(str(row.get("group_name") or ""), _count(row)) for row in rows
        }

    async def members(self, conversation: Conversation) -> Sequence[MemberCard]:
        """Members of a group of a connected account."""
        peer = conversation.peer
        if not peer.isdecimal():
            return ()
        asked = {"group_id": api_id(peer)}
        rows = await self._asked(self._through(conversation), peer, "get_group_member_list", **asked)
        return [_member(row) for row in rows if row.get("user_id") is not None]

    async def standing(self, conversation: Conversation, user_id: str) -> Standing:
        """Current role of a member in a group, past every cache."""
        bot = self._connection(self._through(conversation))
        peer = conversation.peer
        if bot is None or not peer.isdecimal() or not user_id.isdecimal():
            return "unknown"
        try:
            async with asyncio.timeout(TIMEOUT):
                told: object = await self._call(
                    bot,
                    "get_group_member_info",
                    group_id=api_id(peer),
                    user_id=api_id(user_id),
                    no_cache=True,
                )
        except ActionFailed:
            return "gone"
        except Exception:  # noqa: BLE001 - each driver has its own errors; nobody's right is taken on a guess
            return "unknown"
        if not isinstance(told, Mapping):
            return "unknown"
        return self._rank(cast("Mapping[str, Any]", told).get("role"), user_id)

    async def joined_at(self, conversation: Conversation, user_id: str) -> float | None:
        """When somebody came into a group, as the platform says; 0 there means that it does not know."""
        at = (await self._member(conversation, user_id, anew=True)).get("join_time")
        return float(at) if isinstance(at, int | float) and at > 0 else None

    async def card(self, conversation: Conversation, user_id: str) -> str | None:
        """Name of a member in a group; an answer, also none, is remembered for a while."""
        told = await self._member(conversation, user_id)
        return str(told.get("card") or told.get("nickname") or "").strip() or None

    async def _member(
        self, conversation: Conversation, user_id: str, *, anew: bool = False
    ) -> Mapping[str, Any]:
        """A member; `anew`: only that the platform told nothing of somebody is remembered."""
        bot = self._connection(self._through(conversation))
        if bot is None or not conversation.peer.isdecimal() or not user_id.isdecimal():
            return {}
        key = (conversation.self_id, conversation.peer, user_id)
        if self._members.holds(key) and (not (known := self._members.last(key, {})) or not anew):
            return known
        try:
            async with asyncio.timeout(MOMENT):
                told: object = await self._call(
                    bot, "get_group_member_info", group_id=api_id(conversation.peer), user_id=api_id(user_id)
                )
        except Exception:  # noqa: BLE001 - each driver has its own errors; a name is no reason to fail
            told = None
        found: Mapping[str, Any] = cast("Mapping[str, Any]", told) if isinstance(told, Mapping) else {}
        self._members.keep(key, found, KEPT)
        return found

    def _connection(self, account: str) -> Bot | None:
        return connected_bot(account)

    async def _call(self, bot: Bot, action: str, **data: Any) -> object:
        return await bot.call_api(action, **data)

    async def _asked(self, self_id: str, what: str, action: str, **data: Any) -> list[Mapping[str, Any]]:
        bot = self._connection(self_id)
        if bot is None:
            return []
        if self._lists.holds((self_id, what)):
            return self._lists.last((self_id, what), [])
        found: list[Mapping[str, Any]] = []
        try:
            async with asyncio.timeout(TIMEOUT):
                answer: object = await self._call(bot, action, **data)
        except Exception:  # noqa: BLE001 - each driver has its own errors; a page without names is a page
            answer = None
        if isinstance(answer, list):
            rows = cast("list[object]", answer)
            found = [cast("Mapping[str, Any]", row) for row in rows if isinstance(row, Mapping)]
        self._lists.keep((self_id, what), found, KEPT)
        return found


def _count(row: Mapping[str, Any]) -> int:
    count = row.get("member_count")
    return count if isinstance(count, int) and count >= 0 else 0


def _member(row: Mapping[str, Any]) -> MemberCard:
    roles: dict[str, Role] = {"owner": "owner", "admin": "admin"}
    spoke = row.get("last_sent_time")
    return MemberCard(
        str(row["user_id"]),
        str(row.get("card") or row.get("nickname") or row["user_id"]),
        roles.get(str(row.get("role")), "member"),
        float(spoke) if isinstance(spoke, int | float) and spoke > 0 else None,
    )
