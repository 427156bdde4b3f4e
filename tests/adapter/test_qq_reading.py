"""Events of official bots as values, and speeches as what is sent."""

from __future__ import annotations

from typing import Any

import pytest
from nonebot_plugin_mishu.adapter.qq import reading, writing
from nonebot_plugin_mishu.adapter.qq.reading import Speaker, heard_message, heard_press, place_of
from nonebot_plugin_mishu.adapter.qq.refusals import refusal
from nonebot_plugin_mishu.adapter.reading_context import ReadingContext
from nonebot_plugin_mishu.secretary import Button, Speech
from nonebot_plugin_mishu.storage.records import Conversation

AROUND = ReadingContext(1_800_000_000_000_000_000, 5.0, {"102"}, {"MEMBER1"})
US = {"scope": "single", "bot": True, "id": "BOTOPENID", "is_you": True, "member_openid": "BOTOPENID"}
OTHER = {"scope": "single", "bot": False, "id": "M2", "is_you": False, "member_openid": "M2"}


def group(content: str, **more: Any) -> dict[str, Any]:
    return {
        "id": "ROBOT1.0_x",
        "content": content,
        "timestamp": "2026-11-18T10:00:00+08:00",
        "group_openid": "GROUP",
        "author": {"id": "M1", "member_openid": "MEMBER1", "member_role": "admin", "username": "小明"},
        **more,
    }


def read(event: dict[str, Any], kind: str = "GROUP_MESSAGE_CREATE", **more: Any) -> Any:
    return heard_message(kind, event, "102", AROUND, **more)


def test_a_line_of_a_group() -> None:
    heard = read(group("今天 &lt;开会&gt; &amp; 吃饭"))
    assert heard.conversation == Conversation("102", "group", "GROUP")
    assert (heard.message_id, heard.user_id, heard.name, heard.role) == (
        "ROBOT1.0_x", "MEMBER1", "小明", "admin",
    )  # fmt: skip
    assert heard.words == "今天 <开会> & 吃饭"
    assert heard.time == 1_794_967_200.0
    assert heard.superuser
    assert heard.obeyed
    assert not heard.at_bot


@pytest.mark.parametrize(
    ("kind", "event"),
    [
        ("GROUP_AT_MESSAGE_CREATE", group(" 在吗")),
        ("GROUP_MESSAGE_CREATE", group("<@BOTOPENID> 在吗", mentions=[US])),
        ("GROUP_MESSAGE_CREATE", group("在吗", mentions=[US])),
        ("GROUP_MESSAGE_CREATE", group("喂<@!BOTOPENID>在吗", mentions=[US, OTHER])),
    ],
)
def test_a_call_wherever_it_stands(kind: str, event: dict[str, Any]) -> None:
    assert read(event, kind).at_bot


def test_another_is_mentioned() -> None:
    heard = read(group("<@M2> 你来", mentions=[OTHER]))
    assert heard.ats == {"M2"}
    assert not heard.at_bot


def test_everybody_is_mentioned() -> None:
    heard = read(group("都来", mentions=[{"scope": "all", "is_you": True, "username": "全体"}]))
    assert heard.ats_others
    assert not heard.at_bot


def test_pictures_voices_and_faces() -> None:
    event = group(
        '<faceType=1,faceId="13",ext="e30=">好',
        attachments=[{"content_type": "image/png", "url": "https://x"}, {"content_type": "voice"}],
    )
    assert [part.value for part in read(event).segments] == ["[表情]", "好", "[图片]", "[语音]"]


def test_a_quote_of_ours_is_known_by_its_words() -> None:
    reply = {"content": "提醒：&lt;交周报&gt;", "msg_idx": "REFIDX_1", "author": {"bot": True}}
    heard = read(group("完成", reply=reply), sent_as={"提醒：<交周报>": "s7"}.get)
    assert heard.reply_to == "s7"
    assert heard.quote.user_id == "102"
    strange = read(group("完成", reply=reply), sent_as=lambda text: None)
    assert strange.reply_to is None
    assert strange.quote.user_id == ""


def test_friends_bots_and_what_is_nothing() -> None:
    friend = {"id": "1", "content": "你好", "author": {"user_openid": "U1"}}
    heard = read(friend, reading.PRIVATE_EVENT)
    assert heard.conversation == Conversation("102", "private", "U1")
    assert heard.time == 1_800_000_000.0
    assert not read(group("好", author={"member_openid": "B", "bot": True})).obeyed
    assert read({"id": "1", "content": "x"}) is None
    assert read(group("x", id=None)) is None
    assert read(group("x", timestamp="2099-01-01T00:00:00+08:00")).time == 1_800_000_000.0
    assert read(group("x", timestamp="gestern")).time == 1_800_000_000.0
    assert place_of({"guild_id": "1"}, "102") is None


def test_a_press_is_a_line_of_who_pressed() -> None:
    event = {
        "id": "i1", "group_openid": "GROUP", "group_member_openid": "M2",
        "data": {"resolved": {"button_data": "确认", "button_id": "mishu7-0-0"}},
    }  # fmt: skip
    heard = heard_press(event, "102", AROUND, Speaker("小红", "owner"))
    assert heard is not None
    assert (heard.user_id, heard.name, heard.role, heard.words) == ("M2", "小红", "owner", "确认")
    assert heard.at_bot
    assert heard.reply_to == "mishu7", "also where nobody knows that message any more"
    assert heard.quote is not None
    assert heard.quote.user_id == "102"
    assert heard.message_id == "press-i1"
    assert heard.introduced
    assert reading.pressed_button(event) == "mishu7-0-0"
    empty = {**event, "data": {"resolved": {}}}
    assert heard_press(empty, "102", AROUND, None) is None
    unknown = heard_press({**event, "event_id": "E:9"}, "102", AROUND, None)
    assert unknown is not None
    assert (unknown.introduced, unknown.message_id) == (False, "press-E:9"), "named so when it is answered"


def test_words_that_look_like_a_mention_call_nobody() -> None:
    speech = Speech("<@EVIL> 5 < 6 & 7", mentions=("M1",))
    assert writing.plain(speech, group=True) == ["<@M1> &lt;@EVIL&gt; 5 &lt; 6 &amp; 7"]
    assert writing.plain(speech, group=False) == ["&lt;@EVIL&gt; 5 &lt; 6 &amp; 7"]
    assert "<@EVIL>" not in writing.markdown(speech, group=True)


def test_a_long_text_is_several_messages_and_none_is_lost() -> None:
    parts = writing.plain(Speech("好" * 7000), group=True)
    assert "".join(parts) == "好" * 7000
    assert max(map(len, parts)) <= writing.LONGEST


def test_markdown_shows_the_text_as_it_is() -> None:
    assert writing.markdown(Speech("1. *a*\n#b"), group=True) == "1. \\*a\\*\n\n\\#b"


def test_a_keyboard() -> None:
    buttons = [Button(str(number), str(number)) for number in range(1, 8)]
    rows = writing.keyboard(buttons, "t")["content"]["rows"]
    assert [len(row["buttons"]) for row in rows] == [5, 2]
    ids = [button["id"] for row in rows for button in row["buttons"]]
    assert len(set(ids)) == 7
    assert all(one.startswith("t-") for one in ids)
    assert rows[1]["buttons"][1]["action"]["data"] == "7"


@pytest.mark.parametrize(
    ("code", "means"),
    [
        (40034102, "unasked"), (40034105, "unasked"), (40054013, "unasked"), (40034100, "pace"),
        (40034024, "answer"), (40034128, "answer"), (304103, "answer"), (40054005, "number"),
        (40034029, "looks"), (40054002, "later"), (40034006, "never"), (11298, "unknown"), (None, "unknown"),
    ],
)  # fmt: skip
def test_refusals(code: int | None, means: str) -> None:
    assert refusal(code).kind == means


def test_too_many_requests_are_no_refusal_of_what_was_said() -> None:
    assert refusal(None, 429).kind == "busy"
    assert refusal(40034105, 429).kind == "unasked"
