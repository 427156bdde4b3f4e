"""Groups and members as OneBot v11 tells them (`get_group_list`, `get_group_member_list`), for pages."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Final, cast

from nonebot.adapters.onebot.v11 import ActionFailed

from ...frontdesk.rooms.rosters import GroupCard, MemberCard, Standing
from ...storage.records import Conversation, Role
from .posts import connected_bot
from .speaking import api_id

TIMEOUT: Final = 3.0
"""Seconds for the platform's answer."""
MOMENT: Final = 1.0
"""Seconds for an answer that somebody in the group waits for."""
KEPT: Final = 300.0
"""Seconds for which an answer, also none, is remembered."""
_MOST: Final = 500


class OneBotRosters:
    """Implements `frontdesk.rooms.rosters.Rosters`. `monotonic` gives seconds, `superusers` their numbers.
    `through` tells which account is asked about a group."""

    def __init__(
        self,
        monotonic: Callable[[], float],
        superusers: Callable[[], Collection[str]] = frozenset[str],
        through: Callable[[Conversation], str] = lambda where: where.self_id,
    ) -> None:
        self._through = through
        self._monotonic = monotonic
        self._superusers = superusers
        self._known: OrderedDict[tuple[str, str], tuple[float, list[Mapping[str, Any]]]] = OrderedDict()
        self._cards: OrderedDict[tuple[str, str, str], tuple[float, str | None]] = OrderedDict()
        """Until when it holds, and what somebody is called; None where it was not told."""
        self._silent: OrderedDict[tuple[str, str, str], float] = OrderedDict()
        """Of whom the platform did not tell when they came, and until when it is not asked again."""

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
        bot = connected_bot(self._through(conversation))
        peer = conversation.peer
        if bot is None or not peer.isdecimal() or not user_id.isdecimal():
            return "unknown"
        try:
            async with asyncio.timeout(TIMEOUT):
                told: object = await bot.call_api(
                    "get_group_member_info", group_id=api_id(peer), user_id=api_id(user_id), no_cache=True
                )
        except ActionFailed:
            return "gone"
        except Exception:  # noqa: BLE001 - each driver has its own errors; nobody's right is taken on a guess
            return "unknown"
        if not isinstance(told, Mapping):
            return "unknown"
        role = cast("Mapping[str, Any]", told).get("role")
        if role in ("owner", "admin"):
            return role
        return "admin" if user_id in self._superusers() else "member"

    async def joined_at(self, conversation: Conversation, user_id: str) -> float | None:
        """When somebody came into a group, as the platform says; 0 there means that it does not know."""
        bot = connected_bot(self._through(conversation))
        if bot is None or not conversation.peer.isdecimal() or not user_id.isdecimal():
            return None
        key, now = (conversation.self_id, conversation.peer, user_id), self._monotonic()
        if self._silent.get(key, 0.0) > now:
            return None
        try:
            async with asyncio.timeout(MOMENT):
                told: object = await bot.call_api(
                    "get_group_member_info", group_id=api_id(conversation.peer), user_id=api_id(user_id)
                )
        except Exception:  # noqa: BLE001 - each driver has its own errors; what we saw ourselves holds
            told = None
        at = cast("Mapping[str, Any]", told).get("join_time") if isinstance(told, Mapping) else None
        if isinstance(at, int | float) and at > 0:
            return float(at)
        self._silent[key] = now + KEPT
        while len(self._silent) > _MOST:
            self._silent.popitem(last=False)
        return None

    async def card(self, conversation: Conversation, user_id: str) -> str | None:
        """Name of a member in a group; an answer, also none, is remembered for a while."""
        bot = connected_bot(self._through(conversation))
        if bot is None or not conversation.peer.isdecimal() or not user_id.isdecimal():
            return None
        key, now = (conversation.self_id, conversation.peer, user_id), self._monotonic()
        until, known = self._cards.get(key, (0.0, None))
        if until > now:
            return known
        try:
            async with asyncio.timeout(MOMENT):
                told: object = await bot.call_api(
                    "get_group_member_info", group_id=api_id(conversation.peer), user_id=api_id(user_id)
                )
        except Exception:  # noqa: BLE001 - each driver has its own errors; a name is no reason to fail
            told = None
        row: Mapping[str, Any] = cast("Mapping[str, Any]", told) if isinstance(told, Mapping) else {}
        name = str(row.get("card") or row.get("nickname") or "").strip() or None
        self._cards[key] = (now + KEPT, name)
        while len(self._cards) > _MOST:
            self._cards.popitem(last=False)
        return name

    async def _asked(self, self_id: str, what: str, action: str, **data: Any) -> list[Mapping[str, Any]]:
        bot = connected_bot(self_id)
        if bot is None:
            return []
        now = self._monotonic()
        known = self._known.get((self_id, what))
        if known is not None and known[0] > now:
            return known[1]
        found: list[Mapping[str, Any]] = []
        try:
            async with asyncio.timeout(TIMEOUT):
                answer: object = await bot.call_api(action, **data)
        except Exception:  # noqa: BLE001 - each driver has its own errors; a page without names is a page
            answer = None
        if isinstance(answer, list):
            rows = cast("list[object]", answer)
            found = [cast("Mapping[str, Any]", row) for row in rows if isinstance(row, Mapping)]
        self._known[self_id, what] = (now + KEPT, found)
        while len(self._known) > _MOST:
            self._known.popitem(last=False)
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
