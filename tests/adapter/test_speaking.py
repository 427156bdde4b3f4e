"""Speaking: text segments only, folded where long, and what a refusal or a lost socket becomes."""

from __future__ import annotations

import json
from typing import Any

import pytest
from nonebot.adapters.onebot.v11 import Adapter, Bot, Message, MessageSegment
from nonebot.adapters.onebot.v11.exception import ActionFailed, ApiNotAvailable, NetworkError
from nonebot.exception import WebSocketClosed
from nonebot.utils import DataclassEncoder
from nonebot_plugin_mishu.adapter.onebot_v11 import OneBotPlatform
from nonebot_plugin_mishu.adapter.onebot_v11.speaking import api_id
from nonebot_plugin_mishu.secretary import SendFailed, Speech
from nonebot_plugin_mishu.storage.records import Conversation
from nonebug import App
from stand_ins import FRIEND, GROUP


class Api:
    """Answers calls as told, and notes them: `calls` as they go over the wire, `given` as hooks see them."""

    def __init__(self, bot: Bot, monkeypatch: pytest.MonkeyPatch) -> None:
        self.calls: list[tuple[str, dict[str, Any]]] = []
        self.given: list[dict[str, Any]] = []
        self.answers: dict[str, Any] = {}
        monkeypatch.setattr(bot, "call_api", self)

    async def __call__(self, action: str, **data: Any) -> Any:
        self.given.append(data)
        self.calls.append((action, json.loads(json.dumps(data, cls=DataclassEncoder))))
        answer = self.answers.get(action, {"message_id": 77})
        if isinstance(answer, BaseException):
            raise answer
        return answer


async def connected(app: App, monkeypatch: pytest.MonkeyPatch, ctx: Any) -> Api:
    bot = ctx.create_bot(
        base=Bot, adapter=ctx.create_adapter(base=Adapter), self_id=GROUP.self_id, auto_connect=False
    )
    monkeypatch.setattr("nonebot.get_bots", lambda: {GROUP.self_id: bot})
    return Api(bot, monkeypatch)


async def test_text_only(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    async with app.test_api() as ctx:
        api = await connected(app, monkeypatch, ctx)
        platform = OneBotPlatform(500)
        assert await platform.send(GROUP, Speech("[CQ:at,qq=all] 好", quote="5"), "秘书") == "77"
        assert api.calls == [
            (
                "send_group_msg",
                {
                    "group_id": 777001,
                    "message": [
                        {"type": "reply", "data": {"id": "5"}},
                        {"type": "text", "data": {"text": "[CQ:at,qq=all] 好"}},
                    ],
                },
            )
        ]
        await platform.send(FRIEND, Speech("好"), "秘书")
        assert api.calls[1] == (
            "send_private_msg",
            {"user_id": 30001, "message": [{"type": "text", "data": {"text": "好"}}]},
        )


async def test_a_member_who_is_no_friend_is_reached_through_the_group(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with app.test_api() as ctx:
        api = await connected(app, monkeypatch, ctx)
        await OneBotPlatform(500).send(FRIEND, Speech("好" * 600, via="20001"), "秘书")
        [(action, data)] = api.calls
        assert action == "send_private_msg", "a forward message takes no group"
        assert (data["user_id"], data["group_id"]) == (30001, 20001)


async def test_long_texts_are_folded_or_sent_as_they_are(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    async with app.test_api() as ctx:
        api = await connected(app, monkeypatch, ctx)
        platform = OneBotPlatform(500)
        await platform.send(GROUP, Speech("长" * 2500), "秘书")
        action, data = api.calls[0]
        assert action == "send_group_forward_msg"
        parts = [node["data"]["content"][0]["data"]["text"] for node in data["messages"]]
        assert "".join(parts) == "长" * 2500
        api.answers["send_group_forward_msg"] = ActionFailed(retcode=1404)
        await platform.send(GROUP, Speech("长" * 2500), "秘书")
        assert [action for action, _ in api.calls[1:]] == ["send_group_forward_msg", "send_group_msg"]
        await platform.send(GROUP, Speech("长" * 500), "秘书")
        assert api.calls[-1][0] == "send_group_msg"


@pytest.mark.parametrize("where", [GROUP, FRIEND], ids=["group", "friend"])
@pytest.mark.parametrize(
    "speech",
    [
        Speech("好"),
        Speech("[CQ:at,qq=all] 好", quote="5", mentions=("3001",), pictures=(b"png",)),
        Speech("开会", everybody=True),
        Speech("长" * 1500),
        Speech("听", voice=b"ID3"),
    ],
    ids=["text", "quote, mention, picture", "everybody", "folded", "voice"],
)
async def test_pitfall_80_hooks_see_the_adapters_own_values(
    app: App, monkeypatch: pytest.MonkeyPatch, where: Conversation, speech: Speech
) -> None:
    """What listens to the calls of a bot copies the message, reads its text, writes it into a database."""
    async with app.test_api() as ctx:
        api = await connected(app, monkeypatch, ctx)
        await OneBotPlatform(500).send(where, speech, "秘书")
        [data] = api.given
        messages = [data.get("message", data.get("messages"))]
        messages += [part.data["content"] for part in messages[0] if part.type == "node"]
        for message in messages:
            assert isinstance(message, Message)
            assert all(isinstance(part, MessageSegment) for part in message)
            assert str(Message(message)) == str(message)
            assert isinstance(message.extract_plain_text(), str)


@pytest.mark.parametrize(
    "error",
    [
        ActionFailed(retcode=120, msg="secret words of the platform"),
        NetworkError("secret words"),
        ApiNotAvailable(),
        WebSocketClosed(1006, "secret words"),
        RuntimeError('Cannot call "send" once a close message has been sent. secret words'),
        ConnectionResetError("secret words"),
    ],
)
async def test_pitfall_33_whatever_happens_is_a_failed_send(
    app: App, monkeypatch: pytest.MonkeyPatch, error: BaseException
) -> None:
    async with app.test_api() as ctx:
        api = await connected(app, monkeypatch, ctx)
        api.answers["send_group_msg"] = error
        with pytest.raises(SendFailed) as failed:
            await OneBotPlatform(500).send(GROUP, Speech("好"), "秘书")
        assert "secret" not in str(failed.value)
        api.answers["upload_group_file"] = error
        assert await OneBotPlatform(500).give_file(GROUP, "a.json", b"x") is False


@pytest.mark.parametrize("answer", [None, {}, {"message_id": None}, [], "ok"])
async def test_an_answer_without_an_id_gets_one(
    app: App, monkeypatch: pytest.MonkeyPatch, answer: Any
) -> None:
    async with app.test_api() as ctx:
        api = await connected(app, monkeypatch, ctx)
        api.answers["send_group_msg"] = answer
        platform = OneBotPlatform(500)
        ids = {await platform.send(GROUP, Speech("好"), "秘书") for _ in range(3)}
        assert len(ids) == 3
        assert all(one.startswith("mishu-") for one in ids)


LINK = "https://multimedia.nt.qq.com.cn/download?fileid=x"


@pytest.mark.parametrize(
    "answer",
    [
        ActionFailed(retcode=1200, message="ffmpeg"),
        ActionFailed(retcode=1404),
        TimeoutError(),
        NetworkError(),
        None,
        {"file": "/app/.config/QQ/of_another_container.mp3"},
    ],
)
async def test_a_recording_the_platform_does_not_give_is_behind_its_link(
    app: App, monkeypatch: pytest.MonkeyPatch, answer: Any
) -> None:
    async def fetch(address: str, largest: int) -> bytes:
        return b"#!AMR of " + address.encode()

    monkeypatch.setattr("nonebot_plugin_mishu.adapter.recordings._fetched", fetch)
    async with app.test_api() as ctx:
        api = await connected(app, monkeypatch, ctx)
        api.answers["get_record"] = answer
        platform = OneBotPlatform(500)
        assert await platform.recording(GROUP, "1.wav", LINK, 1000, 5) == b"#!AMR of " + LINK.encode()
        assert await platform.recording(GROUP, "", LINK, 1000, 5) == b"#!AMR of " + LINK.encode()
        assert await platform.recording(GROUP, "1.wav", "", 1000, 5) is None
        assert await platform.recording(GROUP, "1.wav", "http://127.0.0.1/a", 1000, 5) is None
        api.answers["get_record"] = {"base64": "SUQz"}
        assert await platform.recording(GROUP, "1.wav", LINK, 1000, 5) == b"ID3"


async def test_an_account_that_is_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nonebot.get_bots", dict)
    with pytest.raises(SendFailed, match="没有连接"):
        await OneBotPlatform(500).send(GROUP, Speech("好"), "秘书")


@pytest.mark.parametrize(
    ("peer", "sent"), [("5", 5), ("-5", -5), ("²", "²"), ("abc", "abc"), ("", ""), ("5" * 99, "5" * 99)]
)
def test_ids(peer: str, sent: int | str) -> None:
    assert api_id(peer) == sent


async def test_mentions_come_before_the_text_and_pictures_behind_it(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with app.test_api() as ctx:
        api = await connected(app, monkeypatch, ctx)
        platform = OneBotPlatform(5)
        speech = Speech("该开会了，大家都来", mentions=("3001", "3002"), pictures=(b"png",))
        await platform.send(GROUP, speech, "秘书")
        await platform.send(GROUP, Speech("开会", everybody=True, mentions=("3001",)), "秘书")
        await platform.send(FRIEND, Speech("开会", mentions=("3001",), everybody=True), "秘书")
        sent = [data["message"] for _, data in api.calls]
        assert sent[0] == [
            {"type": "at", "data": {"qq": "3001"}},
            {"type": "at", "data": {"qq": "3002"}},
            {"type": "text", "data": {"text": " 该开会了，大家都来"}},
            {"type": "image", "data": {"file": "base64://cG5n"}},
        ]
        assert sent[1] == [{"type": "at", "data": {"qq": "all"}}, {"type": "text", "data": {"text": " 开会"}}]
        assert sent[2] == [{"type": "text", "data": {"text": "开会"}}]


@pytest.mark.parametrize(
    ("error", "perhaps"),
    [
        (ActionFailed(status="failed", retcode=100), False),
        (ActionFailed(retcode=1200, message="EventChecker Failed: sendMsg"), False),
        (ActionFailed(retcode=1200, message="Timeout: NTEvent sendMsg", wording="Timeout"), True),
        (ActionFailed(retcode=1200), True),
        (ActionFailed(retcode="1200", wording="发送消息失败"), True),
        (ActionFailed(retcode=100, message="等待超时"), True),
        (ActionFailed(retcode=-1, wording="request timed out"), True),
        (NetworkError("gone"), True),
        (WebSocketClosed(1006), True),
        (TimeoutError(), True),
    ],
)
async def test_a_failure_says_whether_it_may_have_been_sent(
    app: App, monkeypatch: pytest.MonkeyPatch, error: Exception, perhaps: bool
) -> None:
    async with app.test_api() as ctx:
        api = await connected(app, monkeypatch, ctx)
        api.answers["send_group_msg"] = error
        with pytest.raises(SendFailed) as failed:
            await OneBotPlatform(500).send(GROUP, Speech("好"), "秘书")
        assert failed.value.perhaps is perhaps


async def test_a_folded_reply_that_may_be_out_is_not_sent_again(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with app.test_api() as ctx:
        api = await connected(app, monkeypatch, ctx)
        api.answers["send_group_forward_msg"] = ActionFailed(retcode=1200, message="Timeout: NTEvent")
        with pytest.raises(SendFailed) as failed:
            await OneBotPlatform(500).send(GROUP, Speech("长" * 2500), "秘书")
        assert failed.value.perhaps
        assert [action for action, _ in api.calls] == ["send_group_forward_msg"]


async def test_the_owner_is_told_once_until_a_send_succeeds(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []
    monkeypatch.setattr("nonebot.logger.warning", told.append)
    async with app.test_api() as ctx:
        api = await connected(app, monkeypatch, ctx)
        platform = OneBotPlatform(500)

        async def failing(where: Conversation, words: str) -> None:
            with pytest.raises(SendFailed):
                await platform.send(where, Speech(words), "秘书")

        api.answers["send_group_msg"] = ActionFailed(retcode=1200, wording="Timeout 私房话")
        api.answers["send_private_msg"] = ActionFailed(retcode=100)
        for number in range(3):
            await failing(GROUP, f"私房话{number}")
            await failing(FRIEND, f"私房话{number}")
        group, friend = told
        assert "群 777001" in group
        assert "没有得到 QQ 的确认" in group
        assert "一位好友" in friend
        assert "没有发出去" in friend
        assert FRIEND.peer not in friend
        assert not any("私房话" in line for line in told)
        api.answers["send_group_msg"] = {"message_id": 1}
        await platform.send(GROUP, Speech("好"), "秘书")
        api.answers["send_group_msg"] = ActionFailed(retcode=1200)
        await failing(GROUP, "好")
        assert len(told) == 3


@pytest.mark.parametrize("there", [True, False], ids=["takes them", "has no such call"])
async def test_announcements_of_a_group(app: App, monkeypatch: pytest.MonkeyPatch, there: bool) -> None:
    async with app.test_api() as ctx:
        api = await connected(app, monkeypatch, ctx)
        if there:
            await OneBotPlatform(500).publish(GROUP, "明天停水")
            assert api.calls == [("_send_group_notice", {"group_id": 777001, "content": "明天停水"})]
        else:
            api.answers["_send_group_notice"] = ActionFailed(retcode=1404)
            with pytest.raises(SendFailed) as failed:
                await OneBotPlatform(500).publish(GROUP, "明天停水")
            assert not failed.value.perhaps
