"""OneBot v11 events read: every odd shape that was seen, and anything at all (pitfalls 26, 57, 60, 61)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nonebot_plugin_mishu.adapter.onebot_v11.reading import (
    ReadingContext,
    conversation_of,
    heard_message,
    heard_poke,
    is_official_bot,
)
from nonebot_plugin_mishu.frontdesk import IncomingMessage
from nonebot_plugin_mishu.storage.records import Conversation

NOW = 1_800_000_000
AROUND = ReadingContext(NOW * 10**9 + 5, 77.0, ("10000", "10001"), {"30009"})


def segment(kind: str, **data: Any) -> dict[str, Any]:
    return {"type": kind, "data": data}


def event(**changed: Any) -> dict[str, Any]:
    values: dict[str, Any] = {
        "time": NOW - 3,
        "self_id": 10000,
        "post_type": "message",
        "message_type": "group",
        "sub_type": "normal",
        "message_id": 5,
        "user_id": 30001,
        "group_id": 777,
        "sender": {"user_id": 30001, "nickname": "小明", "card": "明", "role": "admin", "level": 7},
    }
    return {key: value for key, value in {**values, **changed}.items() if value is not ...}


def read(*segments: Any, **changed: Any) -> IncomingMessage | None:
    return heard_message(event(**changed), segments, "10000", AROUND)


def heard(*segments: Any, **changed: Any) -> IncomingMessage:
    found = read(*segments, **changed)
    assert found is not None
    return found


def test_a_message() -> None:
    said = heard(segment("reply", id=9), segment("at", qq=10000), segment("text", text=" 好 "))
    assert said.conversation == Conversation("10000", "group", "777")
    assert (said.message_id, said.user_id, said.name, said.role) == ("5", "30001", "明", "admin")
    assert (said.time, said.receipt, said.heard_at) == (NOW - 3, AROUND.receipt, 77.0)
    assert (said.at_bot, said.reply_to, said.words, said.obeyed, said.superuser) == (
        True,
        "9",
        "好",
        True,
        False,
    )


@pytest.mark.parametrize(
    ("changed", "field", "value"),
    [
        ({"message_id": "-42"}, "message_id", "-42"),
        ({"user_id": "30001"}, "user_id", "30001"),
        ({"group_id": "777"}, "conversation", Conversation("10000", "group", "777")),
        ({"self_id": 99}, "conversation", Conversation("10000", "group", "777")),
        ({"sub_type": ...}, "obeyed", True),
        ({"sub_type": None}, "obeyed", True),
        ({"sender": ...}, "name", "群友"),
        ({"sender": None}, "name", "群友"),
        ({"sender": "小明"}, "role", "member"),
        ({"sender": {"card": "", "nickname": "小明"}}, "name", "小明"),
        ({"sender": {"card": None, "nickname": None}}, "name", "群友"),
        ({"sender": {"role": "king"}}, "role", "member"),
        ({"sender": {"role": ["owner"]}}, "role", "member"),
        ({"time": ...}, "time", AROUND.receipt / 1e9),
        ({"time": "1799999990"}, "time", 1799999990.0),
        ({"time": 0}, "time", AROUND.receipt / 1e9),
        ({"time": -5}, "time", AROUND.receipt / 1e9),
        ({"time": True}, "time", AROUND.receipt / 1e9),
        ({"time": float("nan")}, "time", AROUND.receipt / 1e9),
        ({"time": float("inf")}, "time", AROUND.receipt / 1e9),
        ({"time": NOW * 1000}, "time", AROUND.receipt / 1e9),
        ({"time": 10**400}, "time", AROUND.receipt / 1e9),
        ({"time": NOW + 100}, "time", NOW + 100.0),
        ({"time": NOW - 86400}, "time", NOW - 86400.0),
        ({"anonymous": None}, "obeyed", True),
        ({"anonymous": {}}, "obeyed", True),
        ({"anonymous": {"id": 1, "name": "大鸡", "flag": "x"}}, "obeyed", False),
        ({"sub_type": "anonymous"}, "obeyed", False),
        ({"user_id": 30009}, "superuser", True),
        ({"user_id": 30009, "anonymous": {"id": 1}}, "superuser", False),
        ({"user_id": 10001}, "obeyed", False),
        ({"user_id": 2854196310}, "obeyed", False),
    ],
)
def test_pitfall_60_61_odd_shapes(changed: dict[str, Any], field: str, value: Any) -> None:
    assert getattr(heard(segment("text", text="好"), **changed), field) == value


@pytest.mark.parametrize(
    "changed",
    [
        {"message_id": ...},
        {"message_id": None},
        {"message_id": ""},
        {"message_id": {"a": 1}},
        {"user_id": ...},
        {"user_id": True},
        {"group_id": ..., "user_id": ...},
        {"message_type": "guild"},
        {"message_type": "private", "sub_type": "group", "group_id": ...},
        {"message_type": "private", "sub_type": "other", "group_id": ...},
    ],
)
def test_what_is_none_of_ours(changed: dict[str, Any]) -> None:
    assert read(segment("text", text="好"), **changed) is None


@pytest.mark.parametrize(
    "more", [{"sub_type": "friend"}, {"sub_type": None}, {"sub_type": ...}, {"group_id": 0}]
)
def test_friends(more: dict[str, Any]) -> None:
    changed = {"message_type": "private", "group_id": ..., "sub_type": "friend", **more}
    assert heard(segment("text", text="好"), **changed).conversation == Conversation(
        "10000", "private", "30001"
    )


@pytest.mark.parametrize(
    ("part", "kind", "value"),
    [
        (segment("text", text="好"), "text", "好"),
        (segment("text"), "text", ""),
        (segment("text", text=5), "text", "5"),
        (segment("at", qq="all"), "at_all", "all"),
        (segment("at", qq=10000), "at", "10000"),
        (segment("at"), "at", ""),
        (segment("image", file="a"), "image", "[图片]"),
        (segment("record", file="a"), "voice", "[语音]"),
        (segment("mface"), "other", "[表情]"),
        (segment("json", data='{"小秘": 1}'), "other", "[卡片]"),
        (segment("made-up"), "other", "[消息]"),
        ({"type": "text"}, "text", ""),
        ({"type": "text", "data": None}, "text", ""),
        ({"type": "text", "data": ["x"]}, "text", ""),
        ({}, "other", "[消息]"),
        ("text", "other", "[消息]"),
        (None, "other", "[消息]"),
    ],
)
def test_segments(part: Any, kind: str, value: str) -> None:
    first = heard(part).segments[0]
    assert (first.kind, first.value) == (kind, value)


@pytest.mark.parametrize(
    ("segments", "at_bot"),
    [
        ([segment("text", text="请"), segment("at", qq="10000"), segment("text", text="看")], True),
        ([segment("reply", id=1), segment("at", qq="2"), segment("at", qq="10000")], True),
        ([segment("at", qq="all")], False),
        ([segment("at", qq="100000")], False),
        ([segment("text", text="[CQ:at,qq=10000]")], False),
        ([segment("json", data="@10000 小秘")], False),
    ],
)
def test_pitfall_26_an_at_anywhere(segments: Sequence[Any], at_bot: bool) -> None:
    assert heard(*segments).at_bot is at_bot


def test_pitfall_26_names_in_quotes_and_cards_are_not_the_senders_words() -> None:
    reply = {
        "message_id": 9,
        "sender": {"user_id": 2, "card": "小红"},
        "message": [segment("text", text="小秘")],
    }
    said = heard(
        segment("reply", id=9), segment("text", text="对"), segment("json", data="小秘"), reply=reply
    )
    assert said.words == "对"
    assert said.quote is not None
    assert (said.quote.text, said.quote.name) == ("小秘", "小红")


@pytest.mark.parametrize(
    ("message", "text"),
    [
        ([segment("at", qq=12345), segment("text", text=" 早"), segment("image")], "早[图片]"),
        ("[CQ:at,qq=12345] 早", "早"),
        ("[CQ:reply,id=1][CQ:at,qq=12345]", ""),
        (None, ""),
        (5, ""),
        ([None, "x", {"type": 5}], "[消息][消息][消息]"),
    ],
)
def test_a_quote_tells_no_numbers(message: Any, text: str) -> None:
    reply = {"message_id": 9, "sender": {"user_id": 2}, "message": message}
    quote = heard(segment("text", text="好"), reply=reply).quote
    assert quote is not None
    assert (quote.text, quote.name) == (text, "群友")


@pytest.mark.parametrize("reply", [None, {}, {"message_id": 1}, {"message_id": 1, "sender": {}}, "x", 5])
def test_no_quote(reply: Any) -> None:
    assert heard(segment("text", text="好"), reply=reply).quote is None


def test_pitfall_57_huge_and_strange_messages() -> None:
    many = heard(*[segment("image", file=str(number)) for number in range(10_000)])
    assert len(many.segments) == 10_000
    assert heard(segment("text", text="巨" * 350_000)).words == "巨" * 350_000
    assert heard(segment("text", text="[CQ:at,qq=all]\u202e\u200b")).ats == set()
    assert heard(segment("text", text="好"), message_id="9" * 10_000).message_id == "9" * 128


@pytest.mark.parametrize("times", [1, 6, 20, 200, 400])
def test_a_forward_in_a_forward_is_kept_twenty_levels_deep(times: int) -> None:
    inner: dict[str, Any] = segment("text", text="最里面")
    for _ in range(times):
        inner = segment("node", content=[inner])
    said = heard(segment("text", text="在吗"), inner)
    assert said.words == "在吗"
    levels: list[tuple[Any, int]] = [(part, 1) for part in said.raw_segments]
    deepest = 0
    while levels:
        one, level = levels.pop()
        if isinstance(one, dict | list):
            deepest = max(deepest, level)
            levels += [(each, level + 1) for each in (one.values() if isinstance(one, dict) else one)]
    assert deepest == min(20, 2 + 3 * times)
    assert times > 6 or said.raw_segments[1] == inner


@pytest.mark.parametrize("place", [0, 20_000, 39_999])
def test_of_forty_thousand_segments_ten_thousand_are_kept_and_what_calls_us(place: int) -> None:
    parts = [segment("text", text=f"{number} ") for number in range(40_000)]
    parts[place] = segment("at", qq=10000)
    said = heard(*parts)
    assert said.at_bot
    assert len(said.raw_segments) == len(said.segments) <= 10_001
    assert said.words.startswith(("0 1 2 3 ", "1 2 3"))
    assert said.words.endswith(("39998 39999", "39998"))


def test_pokes() -> None:
    poke = event(post_type="notice", notice_type="notify", sub_type="poke", target_id=10000, message_id=...)
    said = heard_poke(poke, "10000", AROUND)
    assert said is not None
    assert (said.user_id, said.conversation.peer, said.obeyed) == ("30001", "777", True)
    for changed in ({"target_id": 30002}, {"target_id": ...}, {"user_id": 10000}, {"user_id": ...}):
        assert heard_poke({**poke, **changed}, "10000", AROUND) is None
    assert heard_poke({**poke, "user_id": 10001}, "10000", AROUND) is None  # another account of ours
    assert heard_poke({**poke, "target_id": 10001}, "10000", AROUND) is not None  # which is as good as us


@pytest.mark.parametrize("user", ["", "²", "1" * 5000, "-2854196310", "285419631０", "abc", "30001"])
def test_who_is_no_official_bot(user: str) -> None:
    assert not is_official_bot(user)
    assert is_official_bot("2854196310")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=12),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)
FIELDS = [
    "time",
    "message_type",
    "sub_type",
    "message_id",
    "user_id",
    "group_id",
    "sender",
    "anonymous",
    "reply",
    "target_id",
]
EVENTS = st.dictionaries(st.sampled_from(FIELDS), JSON, max_size=8)
PARTS = st.lists(
    JSON
    | st.fixed_dictionaries(
        {"type": st.sampled_from(["text", "at", "reply", "image", "x"]) | JSON, "data": JSON}
    ),
    max_size=5,
)


@settings(max_examples=400)
@given(EVENTS, PARTS)
def test_never_raises_on_anything(odd: dict[str, Any], parts: list[Any]) -> None:
    for changed in (odd, {**event(), **odd}):
        said = heard_message(changed, parts, "10000", AROUND)
        heard_poke(changed, "10000", AROUND)
        conversation_of(changed, "10000")
        if said is not None:
            assert said.time == said.time
            assert said.time <= NOW + 301
            assert all(isinstance(one, str) for one in (said.message_id, said.user_id, said.name, said.words))
            assert isinstance(said.shown(lambda _: None), str)
            assert said.has_content in (True, False)
