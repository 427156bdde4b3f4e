"""Polls on disk: one voice each, waiting in order, one end, and what goes with a member who is forgotten."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nonebot_plugin_mishu.storage import Storage
from nonebot_plugin_mishu.storage.polls.records import PollAnswer, PollFields, PollRecord, VoiceGiven, seated
from nonebot_plugin_mishu.storage.reminders.records import POLL, NewReminder
from storage_support import GROUP, OTHER

Opener = Callable[..., Awaitable[Storage]]
VOTE = PollFields("vote", "周六还是周日", ("周六", "周日"))
SIGNUP = PollFields("signup", "周六羽毛球", places=2)


def voice(user: int | str, choice: int | None = None, *, taken: bool = True, **changed: Any) -> VoiceGiven:
    said = VoiceGiven(
        str(user), f"成员{user}", taken, choice, 1, str(user), f"成员{user}", "line", "", f"o{user}", 5.0
    )
    return replace(said, **changed)


async def made(storage: Storage, fields: PollFields, ends: NewReminder | None = None) -> PollRecord:
    return await storage.polls.add(GROUP, "1", "小红", fields, "origin", 1.0, ends)


def end_at(due: float) -> NewReminder:
    return NewReminder(GROUP, POLL, 0, (), "end", due, "2026-11-20 22:00", "Asia/Shanghai")


async def told(storage: Storage, poll: PollRecord) -> list[str]:
    return [each.text for each in await storage.reminders.of_item(POLL, poll.id)]


async def test_the_newest_voice_of_a_member_counts_and_the_same_work_once(storage: Storage) -> None:
    poll = await made(storage, VOTE)
    assert (await made(storage, VOTE)).id == poll.id, "the same origin twice is one poll"
    await storage.polls.answer(poll.id, [voice(7, 0), voice(8, 1)], 2.0)
    (cast,) = await storage.polls.answer(poll.id, [voice(7, 1, origin="o7b")], 3.0)
    assert cast.before is not None
    assert (cast.before.choice, cast.after and cast.after.choice) == (0, 1)
    await storage.polls.answer(poll.id, [voice(7, 0, origin="o7b")], 4.0)
    kept = await storage.polls.get(poll.id)
    assert kept is not None
    assert [(each.user_id, each.choice) for each in kept.given] == [("7", 1), ("8", 1)]
    await storage.polls.restore(poll.id, "7", cast.before, 5.0)
    await storage.polls.restore(poll.id, "8", None, 5.0)
    kept = await storage.polls.get(poll.id)
    assert kept is not None
    assert [(each.user_id, each.choice) for each in kept.answers] == [("7", 0)]
    assert await storage.polls.list_polls(OTHER) == []


async def test_who_leaves_lets_the_first_waiting_in_and_that_is_told_once(storage: Storage) -> None:
    poll = await made(storage, SIGNUP)
    for user in (7, 8, 9, 6):
        await storage.polls.answer(poll.id, [voice(user)], 2.0)
    (short,) = await storage.polls.answer(poll.id, [voice(7, amount=2, origin="more")], 2.5)
    assert short.short
    assert not short.counted
    (left,) = await storage.polls.answer(poll.id, [voice(7, taken=False, origin="left")], 3.0)
    assert [each.user_id for each in left.promoted] == ["9"]
    assert await told(storage, poll) == ["in:9"]
    await storage.polls.answer(poll.id, [voice(7, taken=False, origin="left")], 4.0)
    assert await told(storage, poll) == ["in:9"]
    (back,) = await storage.polls.answer(poll.id, [voice(7, origin="back")], 5.0)
    inside, waiting = seated(back.poll.answers, 2)
    assert ([each.user_id for each in inside], [each.user_id for each in waiting]) == (["8", "9"], ["6", "7"])
    changed = await storage.polls.change(poll.id, replace(SIGNUP, places=3), "1", 6.0, None)
    assert changed is not None
    assert await told(storage, poll) == ["in:6"], "its end is planned anew, and who has a place now is told"


async def test_an_end_comes_once_by_time_or_by_hand_and_moves_with_its_time(storage: Storage) -> None:
    poll = await made(storage, replace(VOTE, closes_at=100.0), end_at(100.0))
    assert await told(storage, poll) == ["end"]
    assert await storage.polls.close_due(poll.id, 99.0) is None
    await storage.polls.change(poll.id, replace(VOTE, closes_at=200.0), "1", 50.0, end_at(200.0))
    assert [each.due_at for each in await storage.reminders.of_item(POLL, poll.id)] == [200.0]
    assert await storage.polls.close_due(poll.id, 150.0) is None
    for _ in range(2):  # the row again, after a kill
        over = await storage.polls.close_due(poll.id, 200.0)
        assert over is not None
        assert (over.status, over.closed_by, over.closed_at) == ("closed", "", 200.0)
    (late,) = await storage.polls.answer(poll.id, [voice(7, 0)], 201.0)
    assert not late.counted
    other = await storage.polls.add(GROUP, "1", "小红", VOTE, "second", 1.0, end_at(100.0))
    ends = await asyncio.gather(*(storage.polls.close(other.id, "1", 60.0) for _ in range(5)))
    assert sorted(done for found in ends if found is not None for done in [found[1]]) == [False] * 4 + [True]
    assert await storage.polls.close_due(other.id, 100.0) is None, "it was ended by hand"
    assert await told(storage, other) == []


async def test_calls_are_counted_with_their_rows(storage: Storage) -> None:
    poll = await made(storage, VOTE)
    call = NewReminder(
        GROUP, POLL, poll.id, ("7",), "call", 5.0, "2026-11-20 22:00", "Asia/Shanghai", origin="c"
    )
    assert [await storage.polls.chase(poll.id, [call], 2) for _ in range(3)] == [1, 2, None]
    assert await told(storage, poll) == ["call", "call"]


async def test_a_deleted_poll_takes_voices_and_rows_with_it(storage: Storage) -> None:
    poll = await made(storage, replace(VOTE, closes_at=100.0), end_at(100.0))
    await storage.polls.answer(poll.id, [voice(7, 0)], 2.0)
    assert await storage.polls.delete(poll.id, "1", 3.0)
    assert not await storage.polls.delete(poll.id, "1", 3.0)
    assert await storage.polls.get(poll.id) is None
    assert await storage.polls.answer(poll.id, [voice(8, 0)], 4.0) == []
    assert await told(storage, poll) == []


async def test_a_forgotten_member_takes_their_voice_and_leaves_the_groups_poll(storage: Storage) -> None:
    poll = await made(storage, VOTE)
    await storage.polls.answer(poll.id, [voice(1, 0), voice(8, 1, said_by="1", said_by_name="小红")], 2.0)
    kept = await storage.members.export(GROUP, "1")
    assert set(kept.rows) == {"poll", "poll_answer"}
    forgotten = await storage.members.delete_member(GROUP, "1")
    assert forgotten.gone == {"统计里的回答": 1}
    assert forgotten.left == {"统计": 1, "统计里的回答": 1}
    left = await storage.polls.get(poll.id)
    assert left is not None
    assert (left.maker, left.maker_name) == ("", "")
    assert [(each.user_id, each.said_by) for each in left.answers] == [("8", "")]


async def test_voices_at_the_same_moment_all_count_and_no_place_is_given_twice(storage: Storage) -> None:
    poll = await made(storage, replace(SIGNUP, places=10))
    await asyncio.gather(*(storage.polls.answer(poll.id, [voice(user)], 2.0) for user in range(40)))
    kept = await storage.polls.get(poll.id)
    assert kept is not None
    assert {each.user_id for each in kept.given} == {str(user) for user in range(40)}
    assert sorted(each.turn for each in kept.answers) == list(range(1, 41))
    assert len(seated(kept.answers, 10)[0]) == 10


ANSWERS = st.lists(st.tuples(st.integers(1, 4), st.booleans()), max_size=12)


@given(ANSWERS, st.one_of(st.none(), st.integers(1, 8)))
def test_seats_are_never_exceeded_and_nobody_is_overtaken(
    rows: list[tuple[int, bool]], places: int | None
) -> None:
    answers = [
        PollAnswer(str(at), "", taken, None, amount, at, "", "", "line", "", "", 0.0)
        for at, (amount, taken) in enumerate(rows)
    ]
    inside, waiting = seated(answers, places)
    assert [*inside, *waiting] == [each for each in answers if each.taken]
    assert places is None or sum(each.amount for each in inside) <= places
    assert places is not None or not waiting


@pytest.mark.exhaustive
@pytest.mark.parametrize("seed", range(3))
async def test_200_voices_over_two_kills_none_lost_none_twice(opened: Opener, url: str, seed: int) -> None:
    """Every voice that a process said it had kept is there once, whatever was cut off."""
    storage = await opened()
    poll = await made(storage, replace(SIGNUP, places=50))
    await storage.close()
    acked: set[str] = set()
    for stop in (40 + 20 * seed, 60):
        acked |= await asyncio.to_thread(_killed_after, url, poll.id, stop)
    acked |= await asyncio.to_thread(_killed_after, url, poll.id, None)
    storage = await opened()
    kept = await storage.polls.get(poll.id)
    assert kept is not None
    assert acked == {str(user) for user in range(200)}
    assert sorted(int(each.user_id) for each in kept.given) == list(range(200))
    assert len({each.turn for each in kept.answers}) == 200
    assert len(seated(kept.answers, 50)[0]) == 50


def _killed_after(url: str, poll_id: int, lines: int | None) -> set[str]:
    """Users whose voices a process had kept when it was killed after so many; None: it ends by itself."""
    program = [sys.executable, str(Path(__file__).with_name("voting.py")), url, str(poll_id)]
    child = subprocess.Popen(program, stdout=subprocess.PIPE, text=True)
    said: list[str] = []
    try:
        assert child.stdout is not None
        while lines is None or len(said) < lines:
            line = child.stdout.readline()
            if not line:
                break
            said.append(line.strip())
    finally:
        if lines is not None:
            child.kill()
        rest, _ = child.communicate(timeout=60)
    return {each for each in [*said, *rest.split("\n")] if each}
