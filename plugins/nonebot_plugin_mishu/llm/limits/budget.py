"""Shares: tokens a day of all, of a conversation and of a member (DAILY_TOKENS, GROUP_DAILY_TOKENS,
MEMBER_DAILY_TOKENS), and calls a minute of a member. Checked before a call.

    a call --> the member's pace --> the day of all, the group's, the member's --> counted while it flies
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from ...storage.records import Conversation
from ..calls import CallLog
from ..failures import BUDGET, PACE, SHARE, Failure

Spent = Callable[[Conversation | None], Awaitable[int]]
SpentBy = Callable[[Conversation, str], Awaitable[int]]
Limits = Callable[[], tuple[int, int]]
"""Tokens a day now, of all and of one conversation; 0 for no limit."""

MEMBERS_PART: Final = 0.5
"""Of a group's day, how much one member may spend: the others are answered too."""
BURST: Final = 20
"""Calls that one member may cause at once: some ten lines of talk, or three of hard work."""
EVERY: Final = 4.0
"""Seconds after which they may cause one more."""
_MANY: Final = 1000
"""Members whose pace is remembered before those who rested are forgotten."""


@dataclass(frozen=True, slots=True)
class Payer:
    """Whose tokens a call spends; a member only where the call is made for one."""

    conversation: Conversation | None
    member: str | None = None


class TokenBudget:
    """Token budgets of a day. Tokens spent come from outside; those of running calls are estimated here.

    A call is allowed as long as no limit is reached, so the last one may go over it. The group's limit holds
    for each conversation, private ones included; a member's for one member in one conversation.
    """

    def __init__(
        self, limits: Limits, spent: Spent, member_limit: int = 0, spent_by: SpentBy | None = None
    ) -> None:
        """`spent` and `spent_by` (a member's) are asked only where there is a limit."""
        self._limits = limits
        self._spent = spent
        self._member_limit = member_limit
        self._spent_by = spent_by
        self._flying: Counter[Payer] = Counter()

    async def refusal(self, payer: Payer) -> Failure | None:
        """The limit that refuses a call; None where none does."""
        daily, per_conversation = self._limits()
        here, member = payer.conversation, payer.member
        if daily and await self._spent(None) + self._flying.total() >= daily:
            return BUDGET
        if here is None:
            return None
        if per_conversation:
            flying = sum(count for who, count in self._flying.items() if who.conversation == here)
            if await self._spent(here) + flying >= per_conversation:
                return BUDGET
        limit = self._share(here, per_conversation)
        if not limit or member is None or self._spent_by is None:
            return None
        return SHARE if await self._spent_by(here, member) + self._flying[payer] >= limit else None

    def _share(self, here: Conversation, per_conversation: int) -> int:
        """Tokens of one member's day there; 0 for no limit."""
        part = int(per_conversation * MEMBERS_PART) if here.is_group else 0
        return min(filter(None, (self._member_limit, part)), default=0)

    @contextmanager
    def flying(self, payer: Payer, tokens: int) -> Generator[None]:
        """Count an estimate while its call is under way, the wait for its turn included."""
        self._flying[payer] += tokens
        try:
            yield
        finally:
            self._flying[payer] -= tokens
            if self._flying[payer] <= 0:
                del self._flying[payer]


class MemberPace:
    """Calls that each member may cause: `BURST` at once, then one `EVERY` few seconds.

    A piece of work that was begun is not broken off: its further calls are let through, and paid for by a
    longer rest. What nobody waits for is bounded elsewhere and costs no member anything.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._left: dict[Payer, tuple[float, float]] = {}
        """Calls left to a member, and the time of that count."""

    def refusal(self, payer: Payer, log: CallLog | None) -> Failure | None:
        """Why a call must not be made now; None where it is let through and counted."""
        if payer.member is None or log is None or not log.owed:
            return None
        now = self._clock()
        left, at = self._left.get(payer, (float(BURST), now))
        left = min(float(BURST), left + (now - at) / EVERY)
        if left < 1 and not log.begun:
            return PACE
        log.begun = True
        if len(self._left) >= _MANY:
            self._left = {who: kept for who, kept in self._left.items() if now - kept[1] < BURST * EVERY}
        self._left[payer] = (left - 1, now)
        return None
