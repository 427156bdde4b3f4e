"""Speaking through Milky: what goes over the wire, and what a refusal or a lost line becomes."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from nonebot.adapters.milky import Adapter, Bot
from nonebot.adapters.milky.config import ClientInfo
from nonebot.adapters.milky.exception import ActionFailed, NetworkError, UnsupportedApi
from nonebot.adapters.milky.utils import clean_params
from nonebot.utils import DataclassEncoder
from nonebot_plugin_mishu.adapter import account_speech
from nonebot_plugin_mishu.adapter.milky.speaking import MilkyPlatform
from nonebot_plugin_mishu.frontdesk.duty.duties import Duties
from nonebot_plugin_mishu.secretary import SendFailed, Speech
from nonebot_plugin_mishu.storage.records import Conversation
from nonebug import App
from stand_ins import FRIEND, GROUP, OTHER


class Wire:
    """Answers HTTP calls as told, and notes them."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, dict[str, Any]]] = []
        self.answers: dict[str, Any] = {}

    async def __call__(self, action: str, data: dict[str, Any] | None = None) -> Any:
        self.calls.append((action, json.loads(json.dumps(clean_params(data or {}), cls=DataclassEncoder))))
        answer = self.answers.get(action, {"message_seq": 77, "time": 1})
        if isinstance(answer, BaseException):
            raise answer
        return answer

    @property
    def said(self) -> list[dict[str, Any]]:
        """The segments of the last message."""
        return self.calls[-1][1]["message"]


def connected(monkeypatch: pytest.MonkeyPatch, ctx: Any) -> Wire:
    adapter = ctx.create_adapter(base=Adapter)
    bot = ctx.create_bot(
        base=Bot, adapter=adapter, self_id=GROUP.self_id, auto_connect=False, info=ClientInfo()
    )
    wire = Wire()
    monkeypatch.setattr(bot, "_call", wire)

    async def call(api: str, **data: Any) -> Any:  # past nonebug, which wants every call foretold
        return await getattr(Bot, api)(bot, **data)

    monkeypatch.setattr(bot, "call_api", call)
    monkeypatch.setattr("nonebot.get_bots", lambda: {GROUP.self_id: bot})
    return wire


async def test_text_quote_mentions_and_pictures(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    async with app.test_api() as ctx:
        wire = connected(monkeypatch, ctx)
        speech = Speech("好", quote="g777001.5", mentions=("3001",), pictures=(b"png",))
        assert await MilkyPlatform(500).send(GROUP, speech, "秘书") == "g777001.77"
        [(action, data)] = wire.calls
        assert (action, data["group_id"]) == ("send_group_message", 777001)
        assert data["message"] == [
            {"type": "reply", "data": {"message_seq": 5}},
            {"type": "mention", "data": {"user_id": 3001}},
            {"type": "text", "data": {"text": " 好"}},
            {"type": "image", "data": {"uri": "base64://cG5n", "summary": None, "sub_type": "normal"}},
        ]


@pytest.mark.parametrize("quote", [None, "5", "mishu-5e0f", "10777:g777001.5"])
async def test_a_line_this_account_knows_by_no_number_is_not_quoted(
    app: App, monkeypatch: pytest.MonkeyPatch, quote: str | None
) -> None:
    async with app.test_api() as ctx:
        wire = connected(monkeypatch, ctx)
        await MilkyPlatform(500).send(GROUP, Speech("好", quote=quote), "秘书")
        assert [part["type"] for part in wire.said] == ["text"]


async def test_a_line_that_another_account_of_ours_heard_is_quoted_by_our_number(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with app.test_api() as ctx:
        wire = connected(monkeypatch, ctx)
        duties = Duties()
        duties.connect("10777")
        duties.home("10777", "777001")
        duties.note_left("10777", "777001")
        duties.connect(GROUP.self_id)
        duties.note_entered(GROUP.self_id, "777001")
        duties.add_alias(GROUP.self_id, "777001", "g777001.8", "4711")
        there = Conversation("10777", "group", "777001")
        sent = await MilkyPlatform(500, duties=duties).send(there, Speech("好", quote="4711"), "秘书")
        assert wire.said[0] == {"type": "reply", "data": {"message_seq": 8}}
        assert sent == f"{GROUP.self_id}:g777001.77"


@pytest.mark.parametrize("comes", [True, False])
async def test_an_answer_waits_a_moment_for_our_own_copy_of_its_line_after_a_taking_over(
    app: App, monkeypatch: pytest.MonkeyPatch, comes: bool
) -> None:
    async with app.test_api() as ctx:
        wire = connected(monkeypatch, ctx)
        monkeypatch.setattr(account_speech, "OWN_COPY_WITHIN", 5.0 if comes else 0.1)
        duties = Duties()
        for account in ("10777", GROUP.self_id):
            duties.connect(account)
            duties.hears(account, "777001")
        duties.disconnect("10777")
        there = Conversation("10777", "group", "777001")
        assert duties.speaker(there) == GROUP.self_id
        sending = asyncio.create_task(
            MilkyPlatform(500, duties=duties).send(there, Speech("好", quote="4711"), "秘书")
        )
        await asyncio.sleep(0)
        assert not wire.calls
        if comes:
            duties.add_alias(GROUP.self_id, "777001", "g777001.8", "4711")
        await sending
        quoted = [{"type": "reply", "data": {"message_seq": 8}}] if comes else []
        assert wire.said == [*quoted, {"type": "text", "data": {"text": "好"}}]


async def test_a_friend(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    async with app.test_api() as ctx:
        wire = connected(monkeypatch, ctx)
        sent = await MilkyPlatform(500).send(FRIEND, Speech("好", quote="f30001.4", via="777001"), "秘书")
        assert sent == "f30001.77"
        assert wire.calls[0][0] == "send_private_message"
        assert (wire.calls[0][1]["user_id"], wire.said[0]["data"]) == (30001, {"message_seq": 4})


async def test_long_texts_are_folded_or_sent_as_they_are(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    async with app.test_api() as ctx:
        wire = connected(monkeypatch, ctx)
        platform = MilkyPlatform(500)
        await platform.send(GROUP, Speech("长" * 2500), "秘书")
        [forward] = wire.said
        nodes = forward["data"]["messages"]
        assert "".join(node["segments"][0]["data"]["text"] for node in nodes) == "长" * 2500
        assert {(node["user_id"], node["sender_name"]) for node in nodes} == {(10000, "秘书")}
        wire.calls.clear()
        refused = [ActionFailed(status="failed", retcode=-404, message="no forwards")]

        async def once(action: str, data: dict[str, Any] | None = None) -> Any:
            if refused:
                raise refused.pop()
            return await Wire.__call__(wire, action, data)

        monkeypatch.setattr("nonebot.adapters.milky.Bot._call", lambda self, action, data: once(action, data))
        bot = platform._bot(GROUP)
        monkeypatch.delattr(bot, "_call")
        await platform.send(GROUP, Speech("长" * 600), "秘书")
        assert wire.said == [{"type": "text", "data": {"text": "长" * 600}}]


async def test_everybody_voice_and_files(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    async with app.test_api() as ctx:
        wire = connected(monkeypatch, ctx)
        platform = MilkyPlatform(500)
        await platform.send(GROUP, Speech("开会", everybody=True), "秘书")
        assert [part["type"] for part in wire.said] == ["mention_all", "text"]
        await platform.send(GROUP, Speech("听", voice=b"ID3"), "秘书")
        assert wire.said == [{"type": "record", "data": {"uri": "base64://SUQz"}}]
        wire.answers["upload_group_file"] = {"file_id": "i"}
        assert await platform.give_file(GROUP, "账.csv", b"a,b")
        action, data = wire.calls[-1]
        assert (action, data["group_id"], data["file_name"]) == ("upload_group_file", 777001, "账.csv")
        assert data["file_uri"] == "base64://YSxi"
        wire.answers["upload_private_file"] = UnsupportedApi("")
        assert not await platform.give_file(FRIEND, "账.csv", b"a,b")


def lost(cause: str) -> NetworkError:
    error = NetworkError("HTTP request failed")
    error.__cause__ = type(cause, (OSError,), {})()
    return error


@pytest.mark.parametrize(
    ("error", "perhaps"),
    [
        (ActionFailed(status="failed", retcode=-403, message="muted"), False),
        (ActionFailed(status="failed", retcode=-500, message="send timeout"), True),
        (UnsupportedApi(""), False),
        (lost("ReadError"), True),
        (lost("ConnectError"), False),
        (NetworkError("500"), True),
        (RuntimeError("a driver's own"), True),
    ],
    ids=["refused", "unconfirmed", "no such call", "line lost", "nobody there", "HTTP 500", "driver"],
)
async def test_a_send_that_fails(
    app: App, monkeypatch: pytest.MonkeyPatch, error: Exception, perhaps: bool
) -> None:
    async with app.test_api() as ctx:
        wire = connected(monkeypatch, ctx)
        wire.answers["send_group_message"] = error
        with pytest.raises(SendFailed) as failed:
            await MilkyPlatform(500).send(GROUP, Speech("好"), "秘书")
        assert failed.value.perhaps is perhaps


async def test_an_account_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nonebot.get_bots", dict)
    platform = MilkyPlatform(500)
    assert not platform.has(GROUP.self_id)
    with pytest.raises(SendFailed):
        await platform.send(OTHER, Speech("好"), "秘书")
    assert not await platform.give_file(GROUP, "a", b"b")
    assert await platform.recording(GROUP, "r", "", 10, 1) is None


SIGN = Speech("记下了：午饭 35元。", quote="g777001.5", sign=True)


async def test_a_sign_takes_the_place_of_words(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    async with app.test_api() as ctx:
        wire = connected(monkeypatch, ctx)
        sent = await MilkyPlatform(500).send(GROUP, SIGN, "秘书")
        assert sent.startswith("mishu-")
        [(action, data)] = wire.calls
        assert action == "send_group_message_reaction"
        known = {"group_id": 777001, "message_seq": 5, "reaction": "9989", "reaction_type": "emoji"}
        assert {name: data[name] for name in known} == known


@pytest.mark.parametrize("refused", [True, False], ids=["refused", "no line to put it on"])
async def test_without_a_sign_it_is_said(app: App, monkeypatch: pytest.MonkeyPatch, refused: bool) -> None:
    async with app.test_api() as ctx:
        wire = connected(monkeypatch, ctx)
        if refused:
            wire.answers["send_group_message_reaction"] = ActionFailed(status="failed", retcode=-400)
        speech = SIGN if refused else Speech(SIGN.text, sign=True)
        assert await MilkyPlatform(500).send(GROUP, speech, "秘书") == "g777001.77"
        assert wire.calls[-1][0] == "send_group_message"
        assert wire.said[-1]["data"]["text"] == SIGN.text


async def test_a_sign_that_may_be_there_is_not_said_as_well(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with app.test_api() as ctx:
        wire = connected(monkeypatch, ctx)
        wire.answers["send_group_message_reaction"] = lost("ReadError")
        with pytest.raises(SendFailed) as failed:
            await MilkyPlatform(500).send(GROUP, SIGN, "秘书")
        assert failed.value.perhaps
        assert len(wire.calls) == 1


async def test_announcements_of_a_group(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    async with app.test_api() as ctx:
        wire = connected(monkeypatch, ctx)
        await MilkyPlatform(500).publish(GROUP, "明天停水")
        [(action, data)] = wire.calls
        assert (action, data["group_id"], data["content"]) == ("send_group_announcement", 777001, "明天停水")
        wire.answers["send_group_announcement"] = ActionFailed(
            status="failed", retcode=-403, message="no admin"
        )
        with pytest.raises(SendFailed) as failed:
            await MilkyPlatform(500).publish(GROUP, "明天停水")
        assert not failed.value.perhaps
