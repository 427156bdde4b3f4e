"""Which account is on duty, and under which ids lines are kept."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest
from nonebot_plugin_mishu.frontdesk.duty.duties import SETTLING, Duties, GroupDuty
from nonebot_plugin_mishu.frontdesk.duty.handing import packed, unpacked
from nonebot_plugin_mishu.frontdesk.duty.keeper import HANDED, DutyKeeper
from nonebot_plugin_mishu.frontdesk.duty.standby_lines import KeptLine, twin_of
from nonebot_plugin_mishu.frontdesk.lines.incoming_message import IncomingMessage, QuotedMessage, Segment
from nonebot_plugin_mishu.storage.duty.inbox import InboxLine
from nonebot_plugin_mishu.storage.duty.queries import Post, Watch
from nonebot_plugin_mishu.storage.records import Conversation

GROUP, PLACE = "777", Conversation("10", "group", "777")


class Clock:
    """Seconds that a test sets."""

    now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def duties(clock: Clock) -> Duties:
    """Two accounts, both heard in a group; the first came first."""
    made = Duties(clock)
    for account in ("10", "20"):
        made.connect(account)
    assert made.hears("10", GROUP)
    assert not made.hears("20", GROUP)
    return made


def test_who_heard_a_group_first_is_its_home_and_on_duty(duties: Duties) -> None:
    assert duties.home("20", GROUP) == "10"
    assert duties.speaker(PLACE) == "10"
    assert duties.speaker(Conversation("20", "private", "5")) == "20"
    assert duties.ours() == {"10", "20"}


LOSSES: dict[str, Callable[[Duties], None]] = {
    "disconnected": lambda duties: duties.disconnect("10"),
    "muted": lambda duties: duties.mute("10", GROUP, 60),
    "removed": lambda duties: duties.note_left("10", GROUP),
}


@pytest.mark.parametrize("what", LOSSES)
def test_the_other_takes_over_at_once_and_stays(duties: Duties, clock: Clock, what: str) -> None:
    LOSSES[what](duties)
    assert duties.speaker(PLACE) == "20"
    assert duties.home("20", GROUP) == "10"  # what is kept stays where it is
    duties.connect("10")
    duties.mute("10", GROUP, 0)
    duties.note_entered("10", GROUP)
    assert not duties.on_duty("10", GROUP)
    assert not duties.hears("20", GROUP)  # it may be what the other heard: looked up first
    clock.now += SETTLING + 1
    assert duties.hears("20", GROUP)


@pytest.mark.parametrize("what", LOSSES)
def test_what_is_heard_before_the_loss_is_noticed_is_taken_up(duties: Duties, what: str) -> None:
    changed: list[str] = []
    duties.changed = lambda group: changed.append(group.account)
    duties.keep_line(GROUP, KeptLine("20", 1000.0, lambda home: None))
    LOSSES[what](duties)
    assert changed == ["20"]


def test_a_mute_is_over_in_time_and_holds_where_nobody_else_is(clock: Clock) -> None:
    duties = Duties(clock)
    duties.connect("10")
    assert duties.hears("10", GROUP)
    duties.mute("10", GROUP, 60)
    assert duties.speaker(PLACE) == "10"
    assert duties.muted("10", GROUP) == 60
    clock.now += 61
    assert duties.muted("10", GROUP) == 0


def test_an_account_that_is_listed_elsewhere_only_does_not_speak(duties: Duties) -> None:
    other = duties.set_posts([Post("888", "10", "10", "")])[0]
    duties.disconnect("10")
    assert duties.candidate(other) is None
    duties.set_group_list("20", ["999"])
    assert duties.candidate(other) is None
    duties.set_group_list("20", ["888"])
    assert duties.speaker(other.place) == "20"


def test_ids_are_each_accounts_own(duties: Duties) -> None:
    assert duties.kept_id("10", "10", GROUP, "5") == "5"
    assert duties.kept_id("20", "10", GROUP, "5") == "20:5"
    assert duties.raw_id("20", "10", GROUP, "20:5") == "5"
    assert duties.raw_id("10", "10", GROUP, "20:5") is None
    assert duties.raw_id("20", "10", GROUP, "5") is None
    duties.add_alias("20", GROUP, "6", "5")
    assert duties.kept_id("20", "10", GROUP, "6") == "5"
    assert duties.raw_id("20", "10", GROUP, "5") == "6"


def test_an_account_that_took_over_a_moment_ago_may_be_told_an_id(duties: Duties, clock: Clock) -> None:
    assert not duties.expects_id("20", "10", GROUP, "5"), "nothing passed on"
    duties.disconnect("10")
    assert duties.speaker(PLACE) == "20"
    assert duties.expects_id("20", "10", GROUP, "5")
    assert not duties.expects_id("20", "10", GROUP, "20:5"), "its own"
    duties.add_alias("20", GROUP, "6", "5")
    assert not duties.expects_id("20", "10", GROUP, "5")
    assert duties.expects_id("20", "10", GROUP, "7")
    clock.now += SETTLING + 1
    assert not duties.expects_id("20", "10", GROUP, "7")


def test_with_other_processes_the_lease_decides(duties: Duties, clock: Clock) -> None:
    wanted: list[str] = []
    duties.alone, duties.process, duties.wanted = False, "us", wanted.append
    duties.valid_until = clock.now + 10
    [group] = duties.set_posts([Post(GROUP, "10", "10", "them", 3)])
    duties.elsewhere = {"them": ["30"]}
    assert not duties.hears("10", GROUP)
    assert wanted == []
    assert duties.speaker(PLACE) is None
    duties.elsewhere = {}
    assert not duties.hears("10", GROUP)
    assert wanted == [GROUP]
    duties.set_posts([Post(GROUP, "10", "10", "us", 4)])
    assert duties.speaker(PLACE) == "10"
    clock.now += 11  # paused: whatever memory says, it is no longer ours
    assert not duties.holds(group)
    assert duties.speaker(PLACE) is None
    assert not duties.can_speak(PLACE)


def test_who_was_ours_stays_ours(clock: Clock) -> None:
    """What an account said is read when its process is dead: it is no talk of a member's."""
    duties = Duties(clock)
    duties.alone = False
    duties.connect("10")
    duties.elsewhere = {"them": ["30"]}
    duties.set_posts([Post("888", "40", "50", "them", 2)])
    duties.disconnect("10")
    duties.elsewhere = {}
    assert duties.ours() == {"10", "30", "40", "50"}


def test_a_line_is_known_by_sender_second_and_words() -> None:
    said = [{"type": "at", "data": {"qq": "10"}}, {"type": "text", "data": {"text": " 明天开会 "}}]
    same = [{"type": "reply", "data": {"id": "7"}}, *said]
    assert twin_of("1", 5.0, said) == twin_of("1", 5.4, same)
    assert twin_of("1", 5.0, said) != twin_of("2", 5.0, said)
    assert twin_of("1", 5.0, said) != twin_of("1", 6.0, said)
    assert twin_of("1", 5.0, [{"type": "image", "data": {"file": "a"}}]) == twin_of(
        "1", 5.0, [{"type": "image", "data": {"file": "b"}}]
    )


@pytest.mark.parametrize(("account", "at_once"), [("10", True), ("20", False)])
async def test_the_account_that_had_a_group_and_has_it_again_is_heard_at_once(
    clock: Clock, account: str, at_once: bool
) -> None:
    """Its process was killed and is back: nothing has to be compared with what another account heard."""
    rows, duties = FakeRows([Post(GROUP, "10", "10", "dead", 3)]), Duties(clock)
    keeper = DutyKeeper(duties, rows, clock, 15.0, lambda what, error: None)  # type: ignore[arg-type]
    duties.connect(account)
    taken: list[GroupDuty] = []
    while_read: list[bool] = []

    async def ready(_groups: Sequence[GroupDuty]) -> None:
        while_read.append(duties.hears(account, GROUP))

    keeper.ready, keeper.taken = ready, taken.extend
    await keeper.start()
    try:
        duties.note_entered(account, GROUP)
        keeper.wake()
        async with asyncio.timeout(10):
            while not taken:  # noqa: ASYNC110 - the keeper's task is what is looked at
                await asyncio.sleep(0.01)
        assert while_read == [False], "its open questions are not read yet"
        assert not duties.hears(account, GROUP), "what was kept is not taken up yet"
        taken[0].opening = False
        assert duties.hears(account, GROUP) == at_once
    finally:
        await keeper.stop()


def heard(account: str, at: float, words: str) -> KeptLine:
    """A line of a member that an account kept."""
    said = IncomingMessage(
        PLACE,
        f"{account}:5",
        1000.0,
        1,
        "3",
        "小明",
        "member",
        (Segment("text", words),),
        ({"type": "text", "data": {"text": words}},),
        at,
        quote=QuotedMessage("4", "10", "小秘", "要记下吗"),
    )
    return KeptLine(account, at, lambda home: said, free=True)


def test_a_line_that_is_handed_over_is_what_was_heard() -> None:
    line = heard("20", 1000.0, "提醒我开会")
    stored = packed(line, "10")
    assert stored is not None
    sent = InboxLine(stored.conversation, "3", "20", json.loads(json.dumps(stored.heard)))
    given = unpacked(sent, 9, 2000.0)
    before, after = line.read("10"), given.read("10")
    assert before is not None
    assert after == replace(before, receipt=9, heard_at=2000.0)
    assert (given.account, given.at, given.free) == ("20", 2000.0, True)
    line.free = False
    assert packed(line, "10") is None, "another plugin's"


@pytest.mark.parametrize("back", ["another run", "its account"])
async def test_what_was_heard_while_the_one_on_duty_was_away_is_handed_to_it(clock: Clock, back: str) -> None:
    """Its process was killed and came back within its lease, or its account had lost the line: nobody takes
    over, and nobody else has what was said in between."""
    rows, duties = FakeRows([Post(GROUP, "10", "10", "them", 3)]), Duties(clock)
    rows.others = {"them": ["10"]}
    keeper = DutyKeeper(duties, rows, clock, 15.0, lambda what, error: None)  # type: ignore[arg-type]
    looks = 0

    async def looked() -> None:
        nonlocal looks
        looks += 1

    async def look() -> None:
        seen = looks
        async with asyncio.timeout(10):
            while looks < seen + 2:
                keeper.wake()
                await asyncio.sleep(0.01)

    keeper.looked = looked
    duties.connect("20")
    await keeper.start()
    try:
        duties.note_entered("20", GROUP)
        duties.keep_line(GROUP, heard("20", clock.now, "它也听到了"))
        await look()
        assert rows.inbox.lines == []
        clock.now += HANDED + 1
        duties.keep_line(GROUP, heard("20", clock.now, "提醒我开会"))
        name = "they again" if back == "another run" else "them"
        rows.others = {name: []}
        rows.posts[GROUP] = Post(GROUP, "10", "10", name, 4)
        await look()
        assert rows.inbox.lines == []
        rows.others = {name: ["10"]}
        await look()
        await look()
        assert [line.heard["segments"][0]["value"] for line in rows.inbox.lines] == ["提醒我开会"]
    finally:
        await keeper.stop()


class FakeInbox:
    """Lines that were handed over."""

    def __init__(self) -> None:
        self.lines: list[InboxLine] = []

    async def put(self, lines: Sequence[InboxLine]) -> None:
        self.lines += lines

    async def take(self, name: str) -> list[InboxLine]:
        return []


class FakeRows:
    """The duties' tables, in memory; `others` are the other processes with their accounts."""

    alone = False

    def __init__(self, posts: list[Post]) -> None:
        self.posts = {post.peer: post for post in posts}
        self.name = ""
        self.others: dict[str, list[str]] = {}
        self.inbox = FakeInbox()

    async def all(self) -> list[Post]:
        return list(self.posts.values())

    async def register(self, name: str, *_: object) -> None:
        self.name = name

    async def renew(self, *_: object) -> bool:
        return True

    def lend(self, lease: object) -> None:
        """Nobody asks for it here."""

    async def leave(self, name: str) -> None:
        """Nobody is there to take anything."""

    async def watch(self, name: str) -> Watch:
        there = {self.name: [], **self.others}
        return Watch(there, [post for post in self.posts.values() if post.process not in there])

    async def take(self, name: str, wanted: Sequence[tuple[str, str]]) -> list[Post]:
        for peer, account in wanted:
            old = self.posts[peer]
            if old.process in self.others:
                continue
            self.posts[peer] = Post(peer, old.home, account, name, old.epoch + 1)
        return [self.posts[peer] for peer, _ in wanted]
