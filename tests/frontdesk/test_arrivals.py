"""Lines on their way to their turn: none overtakes another, none waits long for one that does not come."""

from __future__ import annotations

import asyncio

from nonebot_plugin_mishu.frontdesk.rooms.arrivals import FORGOTTEN, PATIENCE, Arrivals
from nonebot_plugin_mishu.frontdesk.rooms.member_names import Card
from nonebot_plugin_mishu.storage.records import Conversation
from office import Office, office
from stand_ins import BOT, FakeModel, FakeStorage, line
from virtual_time import BEGAN, virtual


def quotes(made: Office) -> list[str | None]:
    """The lines that were answered, in the order of their answers."""
    return [speech.quote for _, speech in made.platform.sent]


def slow_card(seconds: float) -> Card:
    async def card(conversation: Conversation, user_id: str) -> str | None:
        await asyncio.sleep(seconds)
        return f"名{user_id}"

    return card


@virtual
async def test_a_line_waits_for_the_one_before_it_whose_sender_is_asked_for() -> None:
    async with office(card=slow_card(1.5)) as made:
        first = await made.say("7", "你好呀", at=True, introduced=False)
        second = await made.say("8", "你好呀", at=True)
        await made.pass_time(1)
        assert quotes(made) == []
        await made.pass_time(2)
        assert quotes(made) == [first, second]


@virtual
async def test_a_line_that_does_not_come_holds_up_the_next_for_a_moment_only() -> None:
    async with office(card=slow_card(30)) as made:
        first = await made.say("7", "你好呀", at=True, introduced=False)
        second = await made.say("8", "你好呀", at=True)
        await made.pass_time(PATIENCE + 0.5)
        assert quotes(made) == [second]
        await made.pass_time(30)
        assert quotes(made) == [second, first]


@virtual
async def test_what_a_former_run_left_is_answered_before_what_is_said_now() -> None:
    storage = FakeStorage()
    for number in range(3):
        words = f"@小秘 第{number}件"
        storage.append(
            line(f"cut{number}", words, time=BEGAN - 9 + number, addressed=True, user_id=f"9{number}")
        )
    model = FakeModel()
    model.reply = 1.5
    async with office(storage=storage, model=model) as made:
        await made.desk.resume(BOT)
        new = await made.say("8", "你好呀", at=True)
        await made.pass_time(12)
        assert quotes(made) == ["cut0", "cut1", "cut2", new]


@virtual
async def test_a_recalled_line_that_waited_gets_no_turn() -> None:
    async with office(card=slow_card(1.5)) as made:
        first = await made.say("7", "你好呀", at=True, introduced=False)
        second = await made.say("8", "你好呀", at=True)
        await made.desk.notices.recalled(made.room.conversation, second)
        await made.pass_time(4)
        assert quotes(made) == [first]


@virtual
async def test_a_line_is_waited_for_as_long_as_others_arrive_and_forgotten_in_the_end() -> None:
    coming = Arrivals()
    for number in range(5):
        coming.expect(str(number), (float(number), 0), 0.0)
    waiting = asyncio.create_task(coming.await_older((4.0, 0), 0.0))
    for number in range(4):
        await asyncio.sleep(PATIENCE - 0.5)
        assert not waiting.done()
        coming.arrive(str(number))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert waiting.done()
    await coming.await_older((3.0, 0), 0.0)
    assert coming.is_older_coming((9.0, 0), FORGOTTEN - 1)
    assert not coming.is_older_coming((9.0, 0), FORGOTTEN + 1)


@virtual
async def test_who_waits_for_a_room_that_is_left_waits_no_longer() -> None:
    """Its group went to another account while it was being loaded: the line stays owed on disk."""
    async with office(prepared=asyncio.Event()) as made:
        said = await made.say("7", "你好呀", at=True)
        assert not made.desk.at_rest()
        made.desk.rooms.leave(made.room)
        await made.pass_time(0.1)
        assert made.desk._in_hand == set()
        assert made.storage.row(said).addressed
        assert made.reports == []
