"""Limits of open event streams: in all, of a group's members, of one person.

One member must not keep those of other groups from listening. Counted by person, not by session: asking
for another link gives no more of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from ...services.access.actor import Actor

OF_MEMBER = 8
OF_GROUP = 48
"""Of all its members together; the bot's owner is not counted there."""
OF_OWNER = 128


class TooMany(Exception):
    """No event stream more is possible; the Chinese message names the limit."""


class StreamPlaces:
    """Places that are taken. `take` is given back by what it returns; `doubt` has the streams ask anew."""

    def __init__(self) -> None:
        self._taken: Counter[tuple[str, ...]] = Counter()
        self._open: dict[int, tuple[Actor, Callable[[], None]]] = {}
        self._next = 0

    def take_place(self, actor: Actor, most: int, doubt: Callable[[], None]) -> Callable[[], None]:
        """A place for a stream; at most `most` in all. Raises `TooMany`. Giving back twice does nothing."""
        limits: dict[tuple[str, ...], tuple[int, str]] = {("all",): (most, "")}
        if actor.is_owner:
            limits["owner",] = (OF_OWNER, "机器人的主人")
        else:
            group, person = actor.group_id or "", actor.user_id or ""
            limits["member", group, person] = (OF_MEMBER, "你")
            limits["group", group] = (OF_GROUP, "这个群")
        for key, (limit, whose) in limits.items():
            if self._taken[key] >= limit:
                raise TooMany(f"{whose}同时监听的已有 {limit} 个，请稍后再试")
        self._next += 1
        number = self._next
        self._taken.update(limits.keys())
        self._open[number] = (actor, doubt)

        def give_back() -> None:
            if self._open.pop(number, None) is not None:
                self._taken.subtract(limits.keys())
                for key in [key for key in limits if self._taken[key] <= 0]:
                    del self._taken[key]

        return give_back

    def doubt(self, group_id: str | None) -> None:
        """Sessions of a group, or anybody's (None), may have ended: their streams look."""
        for actor, doubt in tuple(self._open.values()):
            if group_id is None or actor.group_id == group_id:
                doubt()
