"""API calls answered as an implementation does, and events the adapter takes for what they are."""

from __future__ import annotations

from typing import Any

import pytest
from nonebot.adapters.onebot.v11 import Adapter, Message, MessageSegment
from nonebot.adapters.onebot.v11 import event as adapter_events
from nonebot.adapters.onebot.v11.event import Reply

from bot.playground import events
from bot.playground.actions import BAD_PARAMETER, MUTED, NOT_POSSIBLE, UNKNOWN_ACTION, Actions, parse_message
from bot.playground.group import SELF_ID, World, first_world

GROUP = 10001


@pytest.fixture
def world() -> World:
    return first_world("秘书")


def call(world: World, action: str, **params: Any) -> Any:
    answer, _ = Actions(world).answer({"action": action, "params": params, "echo": "7"})
    assert answer["echo"] == "7"
    assert answer["status"] == "ok", answer
    return answer["data"]


def failure(world: World, action: str, **params: Any) -> int:
    answer, caused = Actions(world).answer({"action": action, "params": params})
    assert answer["status"] == "failed"
    assert answer["data"] is None
    assert answer["wording"]
    assert caused == []
    return answer["retcode"]


def member_of(world: World, name: str) -> int:
    return next(each.user_id for each in world.groups[GROUP].members.values() if each.name == name)


@pytest.mark.parametrize("action", ["send_group_msg", "send_msg", "send_group_msg_async"])
def test_send(world: World, action: str) -> None:
    message = [{"type": "text", "data": {"text": "好的"}}]
    sent = call(world, action, group_id=str(GROUP), message_type="group", message=message)
    said = world.find(sent["message_id"])
    assert said is not None
    assert (said.user_id, said.name, said.segments) == (SELF_ID, "秘书", message)


def test_send_in_each_form_of_a_message() -> None:
    expected = [
        {"type": "at", "data": {"qq": "5"}},
        {"type": "text", "data": {"text": " 1,[2]&3"}},
        {"type": "face", "data": {"id": "66"}},
    ]
    assert parse_message("[CQ:at,qq=5] 1,&#91;2&#93;&amp;3[CQ:face,id=66]") == expected
    assert parse_message(expected) == expected
    assert parse_message(expected[0]) == expected[:1]
    assert parse_message("[CQ:at,qq=5]", plain=True) == [{"type": "text", "data": {"text": "[CQ:at,qq=5]"}}]
    adapters = [
        {"type": each.type, "data": each.data}
        for each in Message([MessageSegment.at(5), MessageSegment.text("")])
    ]
    assert parse_message(adapters) == [{"type": "at", "data": {"qq": "5"}}]
    assert parse_message(None) == parse_message("") == parse_message([1, "x"]) == []


def test_send_fails_as_it_does_in_qq(world: World) -> None:
    assert failure(world, "send_group_msg", group_id=1, message="x") == NOT_POSSIBLE
    assert failure(world, "send_group_msg", group_id="x", message="x") == BAD_PARAMETER
    assert failure(world, "send_group_msg", group_id=GROUP, message="") == BAD_PARAMETER
    assert failure(world, "send_msg", user_id=5, message="x") == NOT_POSSIBLE
    assert failure(world, "no_such_api") == UNKNOWN_ACTION
    world.mute_bot(world.groups[GROUP], member_of(world, "林晓"), 60)
    assert failure(world, "send_group_msg", group_id=GROUP, message="x") == MUTED
    world.mute_bot(world.groups[GROUP], member_of(world, "林晓"), 0)
    call(world, "send_group_msg", group_id=GROUP, message="x")
    world.set_bot(world.groups[GROUP], inside=False)
    assert failure(world, "send_group_msg", group_id=GROUP, message="x") == NOT_POSSIBLE


def test_forward_is_kept_and_found_again(world: World) -> None:
    nodes = [
        {"type": each.type, "data": each.data}
        for each in (
            MessageSegment.node_custom(2_880_000_000, "秘书", "第一段"),
            MessageSegment.node_custom(1, "甲", "二"),
        )
    ]
    sent = call(world, "send_group_forward_msg", group_id=GROUP, messages=nodes)
    kept = call(world, "get_forward_msg", id=sent["forward_id"])["messages"]
    assert [node["data"]["content"] for node in kept] == [
        [{"type": "text", "data": {"text": "第一段"}}],
        [{"type": "text", "data": {"text": "二"}}],
    ]
    said = world.find(sent["message_id"])
    assert said is not None
    assert said.segments == [{"type": "forward", "data": {"id": sent["forward_id"]}}]
    again = call(world, "send_group_msg", group_id=GROUP, message=nodes)
    assert "forward_id" in again
    assert failure(world, "send_group_forward_msg", group_id=GROUP, messages=[]) == BAD_PARAMETER


def test_get_msg_is_what_the_adapter_asks_for_in_a_quote(world: World) -> None:
    said = world.say(
        world.groups[GROUP], member_of(world, "小雅"), [{"type": "text", "data": {"text": "原话"}}]
    )
    told = call(world, "get_msg", message_id=said.message_id)
    reply = Reply.model_validate(told)
    assert reply.sender.user_id == said.user_id
    assert str(reply.message) == "原话"
    world.recall(said, said.user_id)
    assert failure(world, "get_msg", message_id=said.message_id) == NOT_POSSIBLE


def test_the_bot_recalls_only_what_it_may(world: World) -> None:
    group = world.groups[GROUP]
    own = world.say(group, SELF_ID, [])
    answer, caused = Actions(world).answer({"action": "delete_msg", "params": {"message_id": own.message_id}})
    assert answer["status"] == "ok"
    assert own.recalled
    assert [event["notice_type"] for event in caused] == ["group_recall"]
    others = world.say(group, member_of(world, "阿凯"), [])
    assert failure(world, "delete_msg", message_id=others.message_id) == NOT_POSSIBLE
    world.set_bot(group, role="admin")
    call(world, "delete_msg", message_id=others.message_id)


def test_who_is_here(world: World) -> None:
    assert call(world, "get_login_info") == {"user_id": SELF_ID, "nickname": "秘书"}
    assert call(world, "get_group_info", group_id=GROUP)["member_count"] == 6
    assert len(call(world, "get_group_list")) == 2
    members = call(world, "get_group_member_list", group_id=GROUP)
    assert {each["user_id"] for each in members} == {*world.groups[GROUP].members, SELF_ID}
    owner = call(world, "get_group_member_info", group_id=GROUP, user_id=member_of(world, "林晓"))
    assert (owner["role"], owner["card"]) == ("owner", "林晓")
    assert failure(world, "get_group_member_info", group_id=GROUP, user_id=4) == NOT_POSSIBLE


def test_history_leaves_out_what_was_recalled(world: World) -> None:
    group, someone = world.groups[GROUP], member_of(world, "阿凯")
    said = [world.say(group, someone, []) for _ in range(3)]
    world.recall(said[1], someone)
    told = call(world, "get_group_msg_history", group_id=GROUP, count=2)["messages"]
    assert [each["message_id"] for each in told] == [said[0].message_id, said[2].message_id]


def test_pitfall_60_every_event_is_taken_for_what_it_is(world: World) -> None:
    group, someone = world.groups[GROUP], member_of(world, "阿凯")
    said = world.say(group, someone, [{"type": "text", "data": {"text": "你好"}}])
    expected = {
        adapter_events.LifecycleMetaEvent: events.lifecycle(world),
        adapter_events.HeartbeatMetaEvent: events.heartbeat(world, 30),
        adapter_events.GroupMessageEvent: events.group_message(world, said),
        adapter_events.GroupRecallNoticeEvent: events.group_recall(world, said, someone),
        adapter_events.PokeNotifyEvent: events.poke(world, group, someone, SELF_ID),
        adapter_events.GroupIncreaseNoticeEvent: events.increase(world, group, SELF_ID, someone),
        adapter_events.GroupDecreaseNoticeEvent: events.decrease(world, group, someone, someone),
        adapter_events.GroupBanNoticeEvent: events.bot_mute(world, group, someone, 60),
        adapter_events.GroupAdminNoticeEvent: events.admin(world, group, someone),
    }
    for kind, event in expected.items():
        assert type(Adapter.json_to_event(event)) is kind
