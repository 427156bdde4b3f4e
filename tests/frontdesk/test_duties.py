"""Which account is on duty, and under which ids lines are kept."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest
from nonebot_plugin_mishu.frontdesk.duty.duties import SETTLING, Duties
from nonebot_plugin_mishu.frontdesk.duty.keeper import DutyKeeper
from nonebot_plugin_mishu.frontdesk.duty.standby_lines import KeptLine, twin_of
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


@pytest.mark.parametrize("what", ["disconnected", "muted", "removed"])
def test_the_other_takes_over_at_once_and_stays(duties: Duties, clock: Clock, what: str) -> None:
    if what == "disconnected":
        duties.disconnect("10")
    elif what == "muted":
        duties.mute("10", GROUP, 60)
    else:
        duties.left("10", GROUP)
    assert duties.speaker(PLACE) == "20"
    assert duties.home("20", GROUP) == "10"  # what is kept stays where it is
    duties.connect("10")
    duties.mute("10", GROUP, 0)
    duties.entered("10", GROUP)
    assert not duties.on_duty("10", GROUP)
    assert not duties.hears("20", GROUP)  # it may be what the other heard: looked up first
    clock.now += SETTLING + 1
    assert duties.hears("20", GROUP)


def test_what_is_heard_before_the_loss_is_noticed_is_taken_up(duties: Duties) -> None:
    changed: list[str] = []
    duties.changed = lambda group: changed.append(group.account)
    duties.keep(GROUP, KeptLine("20", 1000.0, lambda home: None))
    duties.disconnect("10")
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
    other = duties.know([Post("888", "10", "10", "")])[0]
    duties.disconnect("10")
    assert duties.candidate(other) is None
    duties.lists("20", ["999"])
    assert duties.candidate(other) is None
    duties.lists("20", ["888"])
    assert duties.speaker(other.place) == "20"


def test_ids_are_each_accounts_own(duties: Duties) -> None:
    assert duties.kept_id("10", "10", GROUP, "5") == "5"
    assert duties.kept_id("20", "10", GROUP, "5") == "20:5"
    assert duties.raw_id("20", "10", GROUP, "20:5") == "5"
    assert duties.raw_id("10", "10", GROUP, "20:5") is None
    assert duties.raw_id("20", "10", GROUP, "5") is None
    duties.alias("20", GROUP, "6", "5")
    assert duties.kept_id("20", "10", GROUP, "6") == "5"
    assert duties.raw_id("20", "10", GROUP, "5") == "6"


def test_with_other_processes_the_lease_decides(duties: Duties, clock: Clock) -> None:
    wanted: list[str] = []
    duties.alone, duties.process, duties.wanted = False, "us", wanted.append
    duties.valid_until = clock.now + 10
    [group] = duties.know([Post(GROUP, "10", "10", "them", 3)])
    duties.elsewhere = {"them": ["30"]}
    assert not duties.hears("10", GROUP)
    assert wanted == []
    assert duties.speaker(PLACE) is None
    duties.elsewhere = {}
    assert not duties.hears("10", GROUP)
    assert wanted == [GROUP]
    duties.know([Post(GROUP, "10", "10", "us", 4)])
    assert duties.speaker(PLACE) == "10"
    clock.now += 11  # paused: whatever memory says, it is no longer ours
    assert not duties.holds(group)
    assert duties.speaker(PLACE) is None
    assert not duties.can_speak(PLACE)


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
    taken: list[str] = []
    keeper.taken = lambda groups: taken.extend(group.peer for group in groups)
    await keeper.start()
    try:
        duties.entered(account, GROUP)
        keeper.wake()
        async with asyncio.timeout(10):
            while not taken:  # noqa: ASYNC110 - the keeper's task is what is looked at
                await asyncio.sleep(0.01)
        assert duties.hears(account, GROUP) == at_once
    finally:
        await keeper.stop()


class FakeRows:
    """The duties' tables, in memory, of a process with no others beside it."""

    alone = False

    def __init__(self, posts: list[Post]) -> None:
        self.posts = {post.peer: post for post in posts}
        self.name = ""

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
        free = [post for post in self.posts.values() if post.process != self.name]
        return Watch({self.name: []}, free)

    async def take(self, name: str, wanted: Sequence[tuple[str, str]]) -> list[Post]:
        for peer, account in wanted:
            old = self.posts[peer]
            self.posts[peer] = Post(peer, old.home, account, name, old.epoch + 1)
        return [self.posts[peer] for peer, _ in wanted]
