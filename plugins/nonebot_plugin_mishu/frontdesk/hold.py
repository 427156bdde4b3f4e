"""Holding: triggering messages wait here while the secretary is busy with their conversation.

Obligations wait in the order of the ledger and are never displaced. Everything else shares one slot: a
newer one replaces the older, and joining in is dropped where an obligation waits. Every Future made here
resolves exactly once (pitfalls 1 to 4).
"""

from __future__ import annotations

import asyncio
from bisect import insort
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import islice
from typing import Literal

from ..secretary import LockToken, TurnItem

MOST = 500
"""Obligations held at once in one conversation; more are only stored."""
JOINT = 50
"""Summons answered jointly in one turn at the most."""


@dataclass(frozen=True, slots=True)
class HoldVerdict:
    """Result of a hold. PROCESS hands over the turn: `token` is the lock, `items` the messages.

    A summons that is answered jointly with an older one gets PROCESS without a token: the older one's
    event does the work for both. KILL has the reason, which is noted of a call (`Turns`).
    """

    kind: Literal["PROCESS", "KILL"]
    reason: str = ""
    token: LockToken | None = None
    items: tuple[TurnItem, ...] = ()


@dataclass(eq=False, slots=True)
class Ticket:
    """One held message and the Future its event waits on."""

    item: TurnItem
    future: asyncio.Future[HoldVerdict] = field(
        default_factory=lambda: asyncio.get_running_loop().create_future()
    )

    def resolve(self, verdict: HoldVerdict) -> None:
        """End the hold. A Future that a shutdown has cancelled already is left alone."""
        if not self.future.done():
            self.future.set_result(verdict)

    @property
    def verdict(self) -> HoldVerdict | None:
        """Outcome of the hold; None while waiting and when its event was cancelled."""
        return self.future.result() if self.future.done() and not self.future.cancelled() else None


class Hold:
    """Summons held in one conversation."""

    def __init__(self) -> None:
        self._obligations: list[Ticket] = []
        self._slot: Ticket | None = None

    def __len__(self) -> int:
        return len(self._obligations) + (self._slot is not None)

    @property
    def items(self) -> list[TurnItem]:
        """Everything held, obligations first, in order."""
        slot = [self._slot.item] if self._slot is not None else []
        return [ticket.item for ticket in self._obligations] + slot

    def admit(self, item: TurnItem) -> Ticket:
        """Hold a message; its ticket, killed at once where the hold is full or has no place for it."""
        ticket = Ticket(item)
        if item.trigger.joins and self._obligations:
            ticket.resolve(HoldVerdict("KILL", "有人在等回答"))
        elif not item.trigger.obligation:
            if self._slot is not None:
                self._slot.resolve(HoldVerdict("KILL", "有更新的消息"))
            self._slot = ticket
        elif len(self._obligations) >= MOST:
            ticket.resolve(HoldVerdict("KILL", "等着的人太多了"))
        else:
            insort(self._obligations, ticket, key=lambda held: held.item.message.order)
            if self._slot is not None and self._slot.item.trigger.joins:
                self._slot.resolve(HoldVerdict("KILL", "有人在等回答"))
                self._slot = None
        return ticket

    def hand_over(
        self, begin: Callable[[tuple[TurnItem, ...]], LockToken], joint: Callable[[TurnItem], bool]
    ) -> None:
        """Give the turn to the first ticket, together with the summons that can share it.

        Args:
            begin: takes the lock for these items; called before any ticket is resolved.
            joint: True for a summons that can share a reply.

        Tickets whose events were cancelled a moment ago, and are not withdrawn yet, get no turn.
        """
        self._obligations = [held for held in self._obligations if not held.future.done()]
        if self._slot is not None and self._slot.future.done():
            self._slot = None
        if self._obligations:
            lead, *waiting = self._obligations
            others: list[Ticket] = []
            if joint(lead.item):
                others = list(islice((held for held in waiting if joint(held.item)), JOINT - 1))
            joined = set(map(id, others))
            items = (lead.item, *(held.item for held in others))
            token = begin(items)
            self._obligations = [held for held in waiting if id(held) not in joined]
            lead.resolve(HoldVerdict("PROCESS", token=token, items=items))
            for held in others:
                held.resolve(HoldVerdict("PROCESS"))
        elif self._slot is not None:
            slot = self._slot
            token = begin((slot.item,))
            self._slot = None
            slot.resolve(HoldVerdict("PROCESS", token=token, items=(slot.item,)))

    def kill(self, reason: str, which: Callable[[TurnItem], bool] = lambda item: True) -> list[TurnItem]:
        """End the holds of the items for which `which` is true, all by default; the killed items."""
        killed = [held for held in self._obligations if which(held.item)]
        self._obligations = [held for held in self._obligations if held not in killed]
        if self._slot is not None and which(self._slot.item):
            killed.append(self._slot)
            self._slot = None
        for held in killed:
            held.resolve(HoldVerdict("KILL", reason))
        return [held.item for held in killed]

    def withdraw(self, ticket: Ticket) -> None:
        """Remove the ticket of an event that no longer waits."""
        if self._slot is ticket:
            self._slot = None
        elif ticket in self._obligations:
            self._obligations.remove(ticket)
