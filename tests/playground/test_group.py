"""The simulated groups."""

from __future__ import annotations

from bot.playground.chat import picture_source, plain
from bot.playground.events import raw_message
from bot.playground.group import FORWARDS_KEPT, LINES_KEPT, SELF_ID, Change, Message, World, first_world
from bot.playground.picture import data_url, sunset


def at(world: World) -> tuple[World, int]:
    group = next(iter(world.groups.values()))
    return world, next(each.user_id for each in group.members.values() if each.role == "member")


def test_compose_makes_real_ats_anywhere_in_the_text() -> None:
    world = first_world("秘书")
    group = world.groups[10001]
    xiaoya = next(each.user_id for each in group.members.values() if each.name == "小雅")
    assert world.compose(group, "周六 @秘书 和@小雅，@小丽 @全体成员") == [
        {"type": "text", "data": {"text": "周六 "}},
        {"type": "at", "data": {"qq": str(SELF_ID)}},
        {"type": "text", "data": {"text": " 和"}},
        {"type": "at", "data": {"qq": str(xiaoya)}},
        {"type": "text", "data": {"text": "，@小丽 "}},
        {"type": "at", "data": {"qq": "all"}},
    ]
    assert world.compose(group, "") == []


def test_compose_prefers_the_longest_name() -> None:
    world = first_world("小秘")
    group = world.groups[10001]
    long = world.join(group, "小秘书长")
    assert world.compose(group, "@小秘书长")[0]["data"]["qq"] == str(long.user_id)


def test_who_may_recall_what() -> None:
    world = first_world()
    group = world.groups[10001]
    owner, admin, member, other, *_ = group.members
    said = world.say(group, member, [])
    led = world.say(group, admin, [])
    of_bot = world.say(group, SELF_ID, [])
    assert world.may_recall(said, member)
    assert world.may_recall(said, admin)
    assert not world.may_recall(said, other)
    assert world.may_recall(led, owner)
    assert not world.may_recall(led, member)
    assert world.may_recall(of_bot, admin)
    assert not world.may_recall(said, 1)
    world.recall(said, admin)
    assert not world.may_recall(said, member)


def test_listeners_are_told_until_they_stop() -> None:
    world, member = at(first_world())
    told: list[Change] = []
    stop = world.listen(told.append)
    message = world.say(world.groups[10001], member, [{"type": "text", "data": {"text": "你好"}}])
    stop()
    world.say(world.groups[10001], member, [])
    assert [(change.kind, change.line) for change in told] == [("line", message)]


def test_pitfall_58_ids_differ_from_those_before_a_restart() -> None:
    starts = {
        at(first_world())[0].say(first.groups[10001], SELF_ID, []).message_id for first in [first_world()] * 5
    }
    assert len(starts) == 5
    assert all(0 < start < 2**31 for start in starts)


def test_nothing_grows_for_ever() -> None:
    world, member = at(first_world())
    group = world.groups[10001]
    for number in range(LINES_KEPT + 5):
        world.say(group, member, [{"type": "text", "data": {"text": str(number)}}])
    assert len(group.lines) == LINES_KEPT
    kept = [world.keep_forward([]) for _ in range(FORWARDS_KEPT + 5)]
    assert len(world.forwards) == FORWARDS_KEPT
    assert kept[-1] in world.forwards


def test_plain_and_raw_message() -> None:
    world, member = at(first_world())
    segments = [
        {"type": "reply", "data": {"id": "1"}},
        {"type": "at", "data": {"qq": str(SELF_ID)}},
        {"type": "text", "data": {"text": " 看[这个],&行吗\n好"}},
        {"type": "image", "data": {"file": "a,b.png"}},
    ]
    message = world.say(world.groups[10001], member, segments)
    assert isinstance(message, Message)
    assert plain(world, world.groups[10001], segments) == "@秘书 看[这个],&行吗 好[图片]"
    assert raw_message(segments) == (
        "[CQ:reply,id=1][CQ:at,qq=2880000000] 看&#91;这个&#93;,&amp;行吗\n好[CQ:image,file=a&#44;b.png]"
    )


def test_pictures_come_from_the_message_and_never_from_elsewhere() -> None:
    assert sunset().startswith(b"\x89PNG\r\n\x1a\n")
    assert picture_source({"file": "x.png", "url": data_url()}) == data_url()
    inside = data_url().removeprefix("data:image/png;base64,")
    assert picture_source({"file": f"base64://{inside}"}) == data_url()
    assert picture_source({"file": "base64://PHNjcmlwdD4="}) is None
    assert picture_source({"file": "base64://%%%"}) is None
    assert picture_source({"file": "http://elsewhere.example/a.png"}) is None
    assert picture_source({"url": "data:text/html,<script>"}) is None
