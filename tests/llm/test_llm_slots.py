"""Who calls the model next when all slots are taken."""

from __future__ import annotations

import asyncio

from nonebot_plugin_mishu.llm.limits.limiter import PriorityLimiter
from virtual_time import virtual


class Callers:
    """Take a slot each and hold it until told; `order` is who got one."""

    def __init__(self, slots: PriorityLimiter) -> None:
        self.slots = slots
        self.order: list[str] = []
        self.tasks: dict[str, asyncio.Task[None]] = {}
        self.done: dict[str, asyncio.Event] = {}

    async def come(self, name: str, *, owed: bool = False) -> None:
        self.done[name] = asyncio.Event()

        async def call() -> None:
            async with self.slots.hold_slot(owed=owed):
                self.order.append(name)
                await self.done[name].wait()

        self.tasks[name] = asyncio.create_task(call())
        await asyncio.sleep(0)

    async def leave(self, name: str) -> None:
        self.done[name].set()
        await self.tasks[name]
        await asyncio.sleep(0)


async def test_who_is_owed_an_answer_goes_first_and_the_rest_in_order() -> None:
    callers = Callers(PriorityLimiter(1))
    await callers.come("first")
    for name in ("chatter 1", "chatter 2"):
        await callers.come(name)
    for name in ("summons 1", "summons 2"):
        await callers.come(name, owed=True)
    for name in ("first", "summons 1", "summons 2", "chatter 1", "chatter 2"):
        assert callers.order[-1] == name
        await callers.leave(name)


async def test_never_more_than_there_are_slots() -> None:
    callers = Callers(PriorityLimiter(2))
    for name in "abcd":
        await callers.come(name)
    assert callers.order == ["a", "b"]
    await callers.leave("a")
    assert callers.order == ["a", "b", "c"]
    for name in "bcd":
        await callers.leave(name)
    await callers.come("e")
    await callers.come("f")
    assert callers.order[-2:] == ["e", "f"]
    await callers.leave("e")
    await callers.leave("f")


async def test_who_gives_up_takes_no_slot_along() -> None:
    callers = Callers(PriorityLimiter(1))
    for name in "abc":
        await callers.come(name)
    callers.tasks["b"].cancel()
    await asyncio.sleep(0)
    await callers.leave("a")
    assert callers.order == ["a", "c"]
    await callers.leave("c")


async def test_a_slot_just_given_to_somebody_who_leaves_goes_to_the_next() -> None:
    slots = PriorityLimiter(1)
    callers = Callers(slots)
    async with slots.hold_slot(owed=False):
        await callers.come("leaves")
        await callers.come("next")
    callers.tasks["leaves"].cancel()  # it has its turn, and has not run yet
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert callers.order == ["next"]
    await callers.leave("next")
    await callers.come("later")
    assert callers.order == ["next", "later"]
    await callers.leave("later")


@virtual
async def test_the_slot_of_a_block_cut_short_lingers() -> None:
    slots = PriorityLimiter(1)
    loop = asyncio.get_running_loop()
    began = loop.time()

    async def cut_short(lingers: float) -> float:
        """When it had its slot; it is cut short at once."""
        entered: asyncio.Future[float] = loop.create_future()

        async def call() -> None:
            async with slots.hold_slot(owed=False, lingers=lambda: lingers):
                entered.set_result(loop.time() - began)
                await asyncio.sleep(100)

        task = asyncio.create_task(call())
        at = await entered
        task.cancel()
        await asyncio.wait([task])
        return round(at, 3)

    assert [await cut_short(lingers) for lingers in (0.7, 0.0, 0.3, 0.0)] == [0.0, 0.7, 0.7, 1.0]
