"""Several platforms as one: who speaks where, by the account on duty."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, cast

import pytest
from nonebot_plugin_mishu.adapter import platforms as module
from nonebot_plugin_mishu.adapter.platforms import PlatformParts, PlatformRosters, Platforms
from nonebot_plugin_mishu.frontdesk.duty.duties import Duties
from nonebot_plugin_mishu.frontdesk.rooms.rosters import NoRosters
from nonebot_plugin_mishu.secretary import SendFailed, Speech
from nonebot_plugin_mishu.storage.records import Conversation

OPENID = "0123456789ABCDEF0123456789ABCDEF"


@dataclass
class Account:
    """A connection of an account."""

    self_id: str
    kind: str


@dataclass
class OneWay:
    """A platform that notes what it sends."""

    kind: str
    here: set[str] = field(default_factory=set)
    sent: list[str] = field(default_factory=list)

    def serves(self, bot: Any) -> bool:
        return bot.kind == self.kind

    def has(self, account: str) -> bool:
        return account in self.here

    async def send(self, where: Conversation, speech: Speech, bot_name: str) -> str:
        self.sent.append(speech.text)
        return "1"

    async def give_file(self, where: Conversation, name: str, content: bytes) -> bool:
        self.sent.append(name)
        return True


class Rosters(NoRosters):
    """Knows everybody by the platform's name."""

    def __init__(self, kind: str) -> None:
        self.kind = kind

    async def card(self, conversation: Conversation, user_id: str) -> str | None:
        return self.kind


def several(*kinds: str) -> tuple[Platforms, list[OneWay]]:
    ways = [OneWay(kind) for kind in kinds]
    parts = [
        PlatformParts(way.kind, cast(Any, way), cast(Any, None), lambda *_, kind=way.kind: Rosters(kind))
        for way in ways
    ]
    return Platforms(Duties(), *parts), ways


def come(platforms: Platforms, way: OneWay, account: str) -> Any:
    bot: Any = Account(account, way.kind)
    way.here.add(account)
    assert platforms.connected(bot)
    return bot


async def test_an_official_bot_and_an_account_speak_each_in_its_own_groups() -> None:
    platforms, (onebot, official) = several("OneBot V11", "QQ")
    come(platforms, onebot, "10001")
    come(platforms, official, "102")
    for account, peer in (("10001", "777"), ("102", OPENID)):
        assert platforms.duties.hears(account, peer)
        await platforms.send(Conversation(account, "group", peer), Speech(f"to {peer}"), "秘书")
        assert platforms.speaker(Conversation(account, "group", peer)) == account
    assert (onebot.sent, official.sent) == (["to 777"], [f"to {OPENID}"])


async def test_two_ways_into_one_group_are_one_conversation_and_one_answers() -> None:
    platforms, (onebot, milky) = several("OneBot V11", "Milky")
    first = come(platforms, onebot, "10001")
    come(platforms, milky, "10002")
    where = Conversation("10001", "group", "777")
    assert platforms.duties.hears("10001", "777")
    assert not platforms.duties.hears("10002", "777")
    await platforms.send(where, Speech("one"), "秘书")
    onebot.here.clear()
    platforms.disconnected(first)
    await platforms.send(where, Speech("two"), "秘书")
    assert (onebot.sent, milky.sent) == (["one"], ["two"])
    assert platforms.duties.home("10002", "777") == "10001"


async def test_nothing_goes_to_a_group_its_account_was_removed_from() -> None:
    platforms, (onebot,) = several("OneBot V11")
    come(platforms, onebot, "10001")
    where = Conversation("10001", "group", "777")
    platforms.duties.note_left("10001", "777")
    with pytest.raises(SendFailed) as failed:
        await platforms.send(where, Speech("one"), "秘书")
    assert failed.value.perhaps is False
    await platforms.send(Conversation("10001", "private", "5"), Speech("two"), "秘书")
    platforms.duties.note_entered("10001", "777")
    await platforms.send(where, Speech("three"), "秘书")
    assert onebot.sent == ["two", "three"]


def test_accounts_newest_first() -> None:
    platforms, (onebot,) = several("OneBot V11")
    bots = [come(platforms, onebot, account) for account in ("1", "2", "1")]
    assert list(platforms.accounts()) == ["1", "2"]
    platforms.disconnected(bots[0])
    assert list(platforms.accounts()) == ["2"]


async def test_an_account_that_is_away_is_waited_for_and_then_said_to_be(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "CONNECT_TIMEOUT", 0.01)
    platforms, _ = several("OneBot V11", "QQ")
    with pytest.raises(SendFailed, match="没有连接"):
        await platforms.send(Conversation("1", "group", "777"), Speech("?"), "秘书")
    assert await platforms.give_file(Conversation("1", "group", "777"), "a.json", b"x") is False


def test_an_account_of_no_platform_is_none_of_ours() -> None:
    platforms, _ = several("OneBot V11")
    assert not platforms.connected(cast(Any, Account("1", "Telegram")))
    platforms.disconnected(cast(Any, Account("1", "Telegram")))
    assert list(platforms.accounts()) == []


def test_names_of_an_account_are_heard_where_it_is() -> None:
    platforms, (onebot, _) = several("OneBot V11", "QQ")
    come(platforms, onebot, "10001")
    platforms.call("10001", "小秘")
    assert platforms.duties.hears("10001", "777")
    assert platforms.names_of(Conversation("10001", "group", "777")) == ["小秘"]
    assert list(platforms.names_of(Conversation("102", "group", OPENID))) == []


async def test_members_are_asked_of_the_platform_that_speaks_there() -> None:
    platforms, (_, official) = several("OneBot V11", "QQ")
    come(platforms, official, "102")
    rosters = PlatformRosters(platforms, lambda: 0.0, frozenset)
    assert await rosters.card(Conversation("102", "group", OPENID), "x") == "QQ"
    assert await rosters.card(Conversation("9", "private", "5"), "5") == "OneBot V11"
