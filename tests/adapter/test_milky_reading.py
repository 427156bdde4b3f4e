"""Milky's events read: the same values as of OneBot, whichever way a line came."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from milky_events import FRIEND, NOW, said, said_by_friend, segment
from nonebot_plugin_mishu.adapter.milky.reading import (
    heard,
    house_segments,
    message_id,
    notice_fields,
    sequence_of,
)
from nonebot_plugin_mishu.adapter.onebot_v11.reading import heard_message
from nonebot_plugin_mishu.adapter.reading_context import ReadingContext
from nonebot_plugin_mishu.frontdesk import IncomingMessage
from nonebot_plugin_mishu.frontdesk.duty.standby_lines import heard_twin
from nonebot_plugin_mishu.frontdesk.lines.files import same_file
from nonebot_plugin_mishu.storage.records import Conversation

AROUND = ReadingContext(NOW * 10**9 + 5, 77.0, ("10000", "10001"), {"30009"})
AT_US = segment("mention", user_id=10000, name="小秘")


def read(data: dict[str, Any], reply: dict[str, Any] | None = None) -> IncomingMessage:
    found = heard(data, data["segments"], reply, "10000", AROUND)
    assert found is not None
    return found


def test_a_message_of_a_group() -> None:
    found = read(said(segment("reply", message_seq=4), AT_US, segment("text", text=" 好 ")))
    assert found.conversation == Conversation("10000", "group", "777")
    assert (found.message_id, found.user_id, found.name, found.role) == ("g777.5", "30001", "明", "admin")
    assert (found.time, found.at_bot, found.reply_to, found.words) == (NOW - 3, True, "g777.4", "好")
    assert (found.obeyed, found.superuser, found.quote) == (True, False, None)


def test_a_message_of_a_friend() -> None:
    found = read(said_by_friend(segment("text", text="好")))
    assert found.conversation == Conversation("10000", "private", "30001")
    assert (found.message_id, found.name) == ("f30001.5", "小明")


@pytest.mark.parametrize(
    "data",
    [
        said(message_scene="temp", peer_id=30001),
        said_by_friend(sender_id=10000),
        said(message_seq=None),
        said(sender_id=...),
        said(peer_id=...),
    ],
    ids=["temporary session", "ours from another device", "no number", "no sender", "no place"],
)
def test_what_is_none_of_ours(data: dict[str, Any]) -> None:
    assert heard(data, data["segments"], None, "10000", AROUND) is None


@pytest.mark.parametrize(
    ("changed", "field", "value"),
    [
        ({"group_member": ...}, "name", "群友"),
        ({"group_member": {"card": "", "nickname": "小明"}}, "name", "小明"),
        ({"sender_id": 10001}, "obeyed", False),
        ({"sender_id": 2854196399}, "obeyed", False),
        ({"sender_id": 30009}, "superuser", True),
        ({"time": "soon"}, "time", NOW + 5e-9),
    ],
)
def test_odd_messages(changed: dict[str, Any], field: str, value: object) -> None:
    assert getattr(read(said(segment("text", text="好"), **changed)), field) == pytest.approx(value)


@pytest.mark.parametrize(
    ("part", "kind", "value"),
    [
        (segment("mention", user_id=30002, name="小红"), "at", "30002"),
        (segment("mention_all"), "at_all", "all"),
        (
            segment("image", resource_id="r", temp_url="https://x.qpic.cn/a", summary="[图片]"),
            "image",
            "[图片]",
        ),
        (segment("record", resource_id="r", temp_url="u", duration=3), "voice", "[语音]"),
        (segment("video", resource_id="r", temp_url="u"), "other", "[视频]"),
        (segment("file", file_id="i", file_name="表.xlsx", file_size=1), "other", "[文件]"),
        (segment("forward", forward_id="f", title="记录", preview=[], summary=""), "other", "[合并转发]"),
        (segment("face", face_id="178", is_large=False), "other", "[表情]"),
        (segment("market_face", emoji_id="1", summary="[开心]"), "other", "[表情]"),
        (segment("light_app", app_name="a", json_payload="{}"), "other", "[卡片]"),
        (segment("xml", service_id=1, xml_payload="<a/>"), "other", "[卡片]"),
        (segment("markdown", content="# a"), "other", "[消息]"),
        (segment("of tomorrow"), "other", "[消息]"),
    ],
)
def test_segments(part: dict[str, Any], kind: str, value: str) -> None:
    [found] = read(said(part)).segments
    assert (found.kind, found.value) == (kind, value)


def test_what_is_kept_has_the_form_that_others_read() -> None:
    record, picture, file = house_segments(
        said(),
        [
            segment("record", resource_id="r", temp_url="u", duration=3),
            segment("image", resource_id="p", temp_url="https://x", summary="s", sub_type="normal"),
            segment("file", file_id="i", file_name="表.xlsx", file_size=1),
        ],
    )
    assert record == {"type": "record", "data": {"file": "r", "url": "u", "duration": 3}}
    assert picture == {"type": "image", "data": {"file": "p", "url": "https://x", "summary": "s"}}
    assert file == {"type": "file", "data": {"name": "表.xlsx", "file_id": "i", "file_size": 1}}


def test_a_line_heard_by_both_ways_is_known_for_one() -> None:
    by_milky = read(
        said(
            segment("reply", message_seq=4),
            AT_US,
            segment("text", text=" 记一下打车30元 "),
            segment("image", resource_id="r", temp_url="u"),
            segment("face", face_id="1"),
        )
    )
    fields = {
        "time": NOW - 3,
        "message_type": "group",
        "message_id": 99,
        "user_id": 30001,
        "group_id": 777,
        "sender": {},
    }
    parts = [
        segment("reply", id="98"),
        segment("at", qq="10000"),
        segment("text", text=" 记一下打车30元"),
        segment("image", file="x", url="y"),
        segment("face", id="1"),
    ]
    by_onebot = heard_message(fields, parts, "10001", AROUND)
    assert by_onebot is not None
    assert heard_twin(by_milky) == heard_twin(by_onebot)
    assert by_milky.message_id != by_onebot.message_id


def test_an_account_in_a_group_that_is_kept_under_another() -> None:
    around = ReadingContext(
        NOW * 10**9, 1.0, ("10000", "10001"), set(), home="10001", kept_id=lambda raw: f"10000:{raw}"
    )
    data = said(segment("reply", message_seq=4), AT_US)
    found = heard(data, data["segments"], None, "10000", around)
    assert found is not None
    assert found.conversation.self_id == "10001"
    assert (found.message_id, found.reply_to, found.at_bot) == ("10000:g777.5", "10000:g777.4", True)


@pytest.mark.parametrize("asked", [True, False])
def test_a_quote_is_known_from_the_platform_or_from_the_segment(asked: bool) -> None:
    inside = [segment("text", text="明天"), segment("image", resource_id="r", temp_url="u")]
    told = {"message_seq": 4, "sender_id": 30002, "sender_name": "红", "time": NOW, "segments": inside}
    reply = {**told, "group_member": {"card": "红", "nickname": "小红"}} if asked else None
    found = read(said(segment("reply", **told), segment("text", text="好")), reply).quote
    assert found is not None
    assert (found.message_id, found.user_id, found.name, found.text) == (
        "g777.4",
        "30002",
        "红",
        "明天[图片]",
    )


def test_a_quote_of_ours_is_ours() -> None:
    told = {"message_seq": 4, "sender_id": 10001, "sender_name": "小秘", "time": NOW, "segments": []}
    found = read(said(segment("reply", **told))).quote
    assert found is not None
    assert found.user_id == "10000"


GROUP_ID = {"group_id": 777}


@pytest.mark.parametrize(
    ("kind", "data", "wanted"),
    [
        (
            "message_recall",
            {
                "message_scene": "group",
                "peer_id": 777,
                "sender_id": 30001,
                "message_seq": 5,
                "operator_id": 30002,
            },
            {
                "notice_type": "group_recall",
                **GROUP_ID,
                "user_id": 30001,
                "operator_id": 30002,
                "message_id": "g777.5",
            },
        ),
        (
            "message_recall",
            {"message_scene": "friend", "peer_id": 30001, "sender_id": 30001, "message_seq": 5},
            {"notice_type": "friend_recall", "user_id": 30001, "message_id": "f30001.5"},
        ),
        ("message_recall", {"message_scene": "temp", "peer_id": 30001, "message_seq": 5}, None),
        (
            "group_mute",
            {**GROUP_ID, "user_id": 10000, "duration": 600, "operator_id": 1},
            {"notice_type": "group_ban", "sub_type": "ban", **GROUP_ID, "user_id": 10000, "duration": 600},
        ),
        (
            "group_mute",
            {**GROUP_ID, "user_id": 10000, "duration": 0, "operator_id": 1},
            {"notice_type": "group_ban", "sub_type": "lift_ban", **GROUP_ID, "user_id": 10000, "duration": 0},
        ),
        (
            "group_whole_mute",
            {**GROUP_ID, "operator_id": 1, "is_mute": True},
            {"notice_type": "group_ban", "sub_type": "ban", **GROUP_ID, "user_id": 0},
        ),
        (
            "group_whole_mute",
            {**GROUP_ID, "operator_id": 1, "is_mute": False},
            {"notice_type": "group_ban", "sub_type": "lift_ban", **GROUP_ID, "user_id": 0},
        ),
        (
            "group_member_increase",
            {**GROUP_ID, "user_id": 3},
            {"notice_type": "group_increase", **GROUP_ID, "user_id": 3},
        ),
        (
            "group_member_decrease",
            {**GROUP_ID, "user_id": 3},
            {"notice_type": "group_decrease", "sub_type": "leave", **GROUP_ID, "user_id": 3},
        ),
        (
            "group_disband",
            {**GROUP_ID, "operator_id": 3},
            {"notice_type": "group_decrease", "sub_type": "kick_me", **GROUP_ID, "user_id": "10000"},
        ),
        (
            "group_admin_change",
            {**GROUP_ID, "user_id": 3, "is_set": True},
            {"notice_type": "group_admin", **GROUP_ID, "user_id": 3},
        ),
        (
            "group_file_upload",
            {**GROUP_ID, "user_id": 3, "file_id": "i", "file_name": "表.xlsx", "file_size": 1},
            {"notice_type": "group_upload", **GROUP_ID, "user_id": 3, "file": {"name": "表.xlsx", "id": "i"}},
        ),
        (
            "group_nudge",
            {**GROUP_ID, "sender_id": 3, "receiver_id": 10000},
            {"notice_type": "notify", "sub_type": "poke", **GROUP_ID, "user_id": 3, "target_id": 10000},
        ),
        (
            "friend_nudge",
            {"user_id": 3, "is_self_send": False, "is_self_receive": True},
            {"notice_type": "notify", "sub_type": "poke", "user_id": 3, "target_id": "10000"},
        ),
        ("friend_nudge", {"user_id": 3, "is_self_send": True, "is_self_receive": True}, None),
        ("friend_nudge", {"user_id": 3, "is_self_send": False, "is_self_receive": False}, None),
        ("group_name_change", {**GROUP_ID, "new_group_name": "新"}, None),
        ("of_tomorrow", {}, None),
    ],
)
def test_notices(kind: str, data: dict[str, Any], wanted: dict[str, Any] | None) -> None:
    found = notice_fields(kind, data, NOW, "10000")
    assert found == (None if wanted is None else {**wanted, "time": NOW, "self_id": "10000"})


@pytest.mark.parametrize(
    ("known", "number"),
    [
        ("g777.5", 5),
        ("f30001.12", 12),
        ("10000", None),
        ("mishu-5e0f", None),
        ("poke-17", None),
        ("g777.", None),
        ("x777.5", None),
        ("g777." + "9" * 30, None),
    ],
)
def test_the_number_in_an_id(known: str, number: int | None) -> None:
    assert sequence_of(known) == number


def test_numbers_of_two_conversations_are_two_ids() -> None:
    assert len({message_id(scene, peer, 5) for scene in ("group", "friend") for peer in (777, 778)}) == 4
    assert sequence_of(message_id("group", 777, 5) or "") == 5


def test_a_file_that_is_told_twice_is_one() -> None:
    by_message = read(said(segment("file", file_id="i", file_name="表.xlsx", file_size=1)))
    by_notice = read(said(segment("file", file_id="j", file_name="表.xlsx", file_size=1)))
    lines = [one.ledger_message(lambda _: None) for one in (by_message, by_notice)]
    assert same_file(lines[0], lines[1])


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
FIELDS = ("message_scene", "peer_id", "message_seq", "sender_id", "time", "group_member", "friend")


@settings(max_examples=150)
@given(
    st.dictionaries(st.sampled_from(FIELDS), ANYTHING),
    st.lists(st.dictionaries(st.sampled_from(["type", "data"]), ANYTHING), max_size=4),
    st.sampled_from(["message_recall", "group_mute", "group_nudge", "friend_nudge", "group_disband"]),
)
def test_anything_is_read_or_left(data: dict[str, Any], segments: list[dict[str, Any]], notice: str) -> None:
    found = heard({**data, "segments": segments}, segments, None, "10000", AROUND)
    assert found is None or sequence_of(found.message_id) is not None or found.message_id
    notice_fields(notice, data, NOW, "10000")


def test_a_friend_is_called_by_the_name_everybody_sees() -> None:
    assert FRIEND["remark"] != FRIEND["nickname"] == read(said_by_friend(segment("text", text="好"))).name
