"""A group taken over from another process: in order, once, and nothing of it kept twice."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Coroutine
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from nonebot_plugin_mishu.frontdesk.duty import takeover
from nonebot_plugin_mishu.frontdesk.duty.duties import Duties, GroupDuty
from nonebot_plugin_mishu.frontdesk.duty.standby_lines import KeptLine
from nonebot_plugin_mishu.frontdesk.duty.takeover import TakingOver
from nonebot_plugin_mishu.frontdesk.lines.incoming_message import IncomingMessage, Segment
from nonebot_plugin_mishu.frontdesk.lines.ledger import LedgerWindow
from nonebot_plugin_mishu.storage.duty.queries import Post
from nonebot_plugin_mishu.storage.records import Conversation, LedgerMessage

HOME, PEER = "10", "777"
PLACE = Conversation(HOME, "group", PEER)
NOW = 10_000.0


def said(
    number: str,
    words: str,
    *,
    by: str = "3",
    quotes: str | None = None,
    at: float = NOW,
    account: str = "20",
) -> KeptLine:
    """A line as an account kept it."""
    quoted = (Segment("reply", f"{account}:{quotes}"),) if quotes else ()
    heard = IncomingMessage(
        PLACE,
        f"{account}:{number}",
        at,
        int(at),
        by,
        "小明",
        "member",
        (*quoted, Segment("text", words)),
        ({"type": "text", "data": {"text": words}},),
        at,
    )
    return KeptLine(account, at, lambda home: heard, free=True)


def row(number: str, words: str, *, at: float = NOW) -> LedgerMessage:
    """A line in the ledger."""
    segments = [{"type": "text", "data": {"text": words}}]
    return LedgerMessage(PLACE, number, at, int(at), "3", "小明", "member", words, segments)


class Desk:
    """What a takeover stands on, in memory; `opened` lets the database answer."""

    def __init__(self) -> None:
        self.rows: list[LedgerMessage] = []
        self.queued: list[LedgerMessage] = []
        self.appended: list[str] = []
        self.acted: list[str] = []
        self.owed: list[tuple[str, str | None]] = []
        """Words that were noted as owed, and the row of another process that was marked."""
        self.again: list[str] = []
        self.order: list[str] = []
        """What was answered, in order."""
        self.speech_lasts = self.turn_lasts = 0.01
        self.cut_off: list[tuple[float | None, set[str]]] = []
        self.said_again: Callable[[], object] = lambda: None
        self.opened = asyncio.Event()
        self.opened.set()
        self.tasks: set[asyncio.Task[Any]] = set()
        self.room = SimpleNamespace(conversation=PLACE, ledger=LedgerWindow(100), muted_until=0.0)
        self.duties = Duties(lambda: NOW)
        self.duties.alone, self.duties.process, self.duties.valid_until = False, "us", NOW + 10
        self.duties.connect("20")
        # Taken at epoch 5 from a process whose account had it; settled long ago.
        [self.group] = self.duties.set_posts([Post(PEER, HOME, "20", "them", 4)])
        self.duties.set_posts([Post(PEER, HOME, "20", "us", 5)])
        self.group.settled_at = 0.0
        self.group.members.add("20")
        self.taking_over = TakingOver(
            SimpleNamespace(wall=lambda: NOW, monotonic=lambda: NOW, receipt=lambda: 1),  # type: ignore[arg-type]
            SimpleNamespace(ledger=self, claims=self),  # type: ignore[arg-type]
            SimpleNamespace(find=lambda place: None, opened=self._room, enter=lambda place: self.room),  # type: ignore[arg-type]
            SimpleNamespace(give_up=lambda room, reason: None),  # type: ignore[arg-type]
            self.duties,
            self,
            SimpleNamespace(take_up=self._take_up, say_cut_off=self._say_all_cut_off),  # type: ignore[arg-type]
            SimpleNamespace(spawn=self._spawn),  # type: ignore[arg-type]
            lambda what, error: None,
        )
        self.duties.unsettled = self.taking_over.take_up_kept

    def append(self, message: LedgerMessage) -> None:
        self.appended.append(message.text)

    def withdraw(self, which: Callable[[LedgerMessage], bool]) -> list[LedgerMessage]:
        queued, self.queued = self.queued, []
        return queued

    async def between(self, place: Conversation, since: float, until: float, most: int) -> Any:
        await self.opened.wait()
        return [one for one in self.rows if since <= one.time <= until][:most]

    async def waiting(self, since: float) -> list[LedgerMessage]:
        return [one for one in self.rows if one.addressed and one.time >= since]

    async def is_claimed(self, self_id: str, message_id: str) -> bool:
        return False

    async def done(self) -> None:
        """Everything that was begun has ended."""
        async with asyncio.timeout(10):
            while self.tasks:
                await asyncio.wait(set(self.tasks))

    async def _room(self, place: Conversation) -> Any:
        return self.room

    def hear(self, heard: IncomingMessage) -> bool:
        return self.room.ledger.append(heard.ledger_message(lambda user: None))

    async def _take_up(self, messages: Collection[LedgerMessage]) -> None:
        for one in messages:
            await asyncio.sleep(self.turn_lasts)  # it is read once more, and answered
            self.again.append(one.text)
            self.order.append(f"again {one.text}")

    def mark_owed_later(self, heard: IncomingMessage, row: LedgerMessage | None) -> None:
        self.owed.append((heard.words, row and row.message_id))

    def is_in_hand(self, message: LedgerMessage) -> bool:
        return False

    def act(self, heard: IncomingMessage) -> None:
        self.acted.append(heard.words)
        self.order.append(heard.words)

    def _say_all_cut_off(
        self, places: object, until: float | None, answered: Collection[str]
    ) -> list[asyncio.Task[Any]]:
        if not places:
            return []
        self.cut_off.append((until, set(answered)))
        return [self._spawn(self._say_cut_off(), "cut off")]

    async def _say_cut_off(self) -> None:
        self.said_again()
        await asyncio.sleep(self.speech_lasts)
        self.order.append("cut off")

    def _spawn(self, work: Coroutine[Any, Any, Any], name: str) -> asyncio.Task[Any]:
        task = asyncio.create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)
        return task


def keep(group: GroupDuty, desk: Desk, *lines: KeptLine) -> None:
    """Account 20 heard these before the group was its."""
    for line in lines:
        desk.duties.keep_line(group.peer, line)


@pytest.mark.parametrize("refused", [True, False])
@pytest.mark.parametrize("stored", [True, False])
async def test_what_was_refused_by_a_process_without_its_database_is_not_done_by_the_next(
    refused: bool, stored: bool
) -> None:
    desk = Desk()
    keep(desk.group, desk, said("1", "提醒我开会"))
    if refused:
        keep(desk.group, desk, said("2", "没办成：现在存不进去", by=HOME, quotes="1"))
    if stored:
        desk.rows.append(row("91", "提醒我开会"))
    desk.taking_over.take_groups([desk.group])
    await desk.done()
    assert desk.acted == ([] if refused else ["提醒我开会"])
    assert desk.again == []
    assert desk.cut_off == [(NOW, {"20:1"} if refused else set())]


async def test_a_cut_off_reply_is_said_before_what_is_heard_since_is_answered() -> None:
    desk = Desk()
    keep(desk.group, desk, said("6", "@秘书 第三句", at=NOW - 1))
    desk.taking_over.take_groups([desk.group])
    await desk.done()
    assert desk.order == ["cut off", "@秘书 第三句"]


async def test_a_line_is_owed_before_it_waits_for_a_cut_off_reply() -> None:
    """A second kill in that time must not lose it, nor one that is heard meanwhile."""
    desk = Desk()
    desk.speech_lasts = 0.3
    desk.rows.append(row("91", "@秘书 第二句", at=NOW - 2))
    keep(desk.group, desk, said("5", "@秘书 第二句", at=NOW - 2), said("6", "@秘书 第三句", at=NOW - 1))
    desk.taking_over.take_groups([desk.group])
    await asyncio.sleep(0.05)
    assert desk.owed == [("@秘书 第二句", "91"), ("@秘书 第三句", None)]
    assert not desk.duties.hears("20", PEER)
    keep(desk.group, desk, said("7", "@秘书 第四句"))
    await asyncio.sleep(0.05)
    assert desk.owed[2:] == [("@秘书 第四句", None)]
    assert desk.order == [], "the reply is still being said"
    await desk.done()
    assert desk.order == ["cut off", "@秘书 第二句", "@秘书 第三句", "@秘书 第四句"]


async def test_no_line_waits_for_the_turns_of_older_ones() -> None:
    """Those may take minutes."""
    desk = Desk()
    desk.rows = [replace(row("5", "@秘书 第二句", at=NOW - 10), addressed=True)]
    desk.turn_lasts = 0.5
    keep(desk.group, desk, said("6", "@秘书 第三句", at=NOW - 1))
    desk.taking_over.take_groups([desk.group])
    await desk.done()
    assert desk.order == ["cut off", "@秘书 第三句", "again @秘书 第二句"]


async def test_a_reply_that_cannot_be_said_does_not_hold_up_the_next_line(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(takeover, "IN_ORDER", 0.02)
    desk = Desk()
    desk.speech_lasts = 0.5
    keep(desk.group, desk, said("6", "@秘书 第三句", at=NOW - 1))
    desk.taking_over.take_groups([desk.group])
    await desk.done()
    assert desk.order == ["@秘书 第三句", "cut off"]


async def test_what_is_heard_while_others_are_looked_up_stands_behind_them() -> None:
    desk = Desk()
    desk.opened.clear()
    keep(desk.group, desk, said("1", "第一"))
    desk.taking_over.take_groups([desk.group])
    for number, words in ((2, "第二"), (3, "第三")):
        await asyncio.sleep(0)
        assert not desk.duties.hears("20", PEER)
        keep(desk.group, desk, said(str(number), words))
    desk.opened.set()
    await desk.done()
    assert desk.acted == ["第一", "第二", "第三"]
    assert desk.duties.hears("20", PEER)


async def test_lines_that_were_not_written_before_a_loss_are_not_kept_twice_however_late() -> None:
    desk = Desk()
    desk.queued = [row("5", "它也写了", at=NOW - 300), row("6", "只有我听到", at=NOW - 300)]
    desk.rows = [row("20:8", "它也写了", at=NOW - 300)]
    await desk.taking_over.give_up_groups([desk.group])
    keep(desk.group, desk, said("9", "只有我听到", at=NOW - 300), said("10", "后来的"))
    desk.taking_over.take_groups([desk.group])
    await desk.done()
    assert desk.appended == ["只有我听到"]
    assert desk.acted == ["后来的"], "what our other account heard of it is no other line"


async def test_a_line_that_three_accounts_heard_stands_once_and_said_twice_stands_twice() -> None:
    desk = Desk()
    desk.rows = [row("91", "收到")]
    keep(desk.group, desk, said("1", "收到"), said("2", "收到", account="30"), said("3", "收到"))
    keep(desk.group, desk, said("4", "新的"), said("5", "新的", account="30"))
    desk.taking_over.take_groups([desk.group])
    await desk.done()
    assert desk.acted == ["收到", "收到", "新的"], (
        "the row waits for its answer, and account 20 heard another"
    )
    assert [one.message_id for one in desk.room.ledger.since(0)] == ["20:4", "20:3"]


async def test_the_reply_that_was_cut_off_is_said_by_whoever_knows_the_id_of_its_line() -> None:
    desk = Desk()
    desk.rows.append(row("91", "提醒我开会"))
    known: list[str | None] = []
    desk.said_again = lambda: known.append(desk.duties.raw_id("20", HOME, PEER, "91"))
    keep(desk.group, desk, said("1", "提醒我开会"))
    desk.taking_over.take_groups([desk.group])
    await desk.done()
    assert known == ["1"]


@pytest.mark.parametrize("first", ["20", HOME])
async def test_the_same_words_in_one_second_are_two_lines_also_at_two_takings_over(first: str) -> None:
    """The second copy is no copy of the first line: it would be lost, or spoken of without its quote."""
    desk = Desk()
    desk.rows = [row("91", "有哪些任务")]
    keep(desk.group, desk, said("1", "有哪些任务"))
    desk.taking_over.take_up_kept(desk.group)
    await desk.done()
    assert (desk.acted, desk.duties.raw_id("20", HOME, PEER, "91")) == ([], "1")
    copies = [said("2", "有哪些任务"), said("92", "有哪些任务", account=HOME)]
    keep(desk.group, desk, *sorted(copies, key=lambda line: line.account != first))
    desk.taking_over.take_up_kept(desk.group)
    await desk.done()
    assert desk.acted == ["有哪些任务"]
    [kept] = [one.message_id for one in desk.room.ledger.since(0)]
    assert desk.duties.raw_id("20", HOME, PEER, kept) == "2", "whoever is on duty can quote it"


async def test_what_we_said_twice_in_the_same_words_is_known_by_two_ids() -> None:
    desk = Desk()
    desk.rows = [
        replace(row(f"9{n}", "在呢", at=NOW - 30 + 10 * n), user_id=HOME, is_bot=True) for n in range(3)
    ]
    keep(desk.group, desk, *(said(str(n), "在呢", by=HOME, at=NOW - 30 + 10 * n) for n in (1, 2)))
    desk.taking_over.take_up_kept(desk.group)
    await desk.done()
    assert [desk.duties.raw_id("20", HOME, PEER, f"9{n}") for n in range(3)] == [None, "1", "2"]


async def test_what_is_heard_while_a_taken_group_is_read_stands_behind_what_was_kept() -> None:
    """Also in a group that nobody had before, where nothing can have been heard by another process."""
    desk = Desk()
    desk.group.opening = True
    keep(desk.group, desk, said("1", "第一"))
    desk.taking_over.take_groups([desk.group])
    await asyncio.sleep(0)
    assert not desk.duties.hears("20", PEER)
    keep(desk.group, desk, said("2", "第二"))
    await desk.done()
    assert desk.acted == ["第一", "第二"]
    assert desk.duties.hears("20", PEER)


async def test_who_has_its_group_again_hears_what_it_kept_before_anything_new() -> None:
    desk = Desk()
    desk.group.stays = True
    keep(desk.group, desk, said("1", "第一"))
    desk.taking_over.take_groups([desk.group])
    assert desk.acted == ["第一"], "at once"
    await desk.done()
    assert desk.cut_off == [(None, set())]
