"""Voice over the wire: recordings become words, feedback is spoken where the group wants that (section 8)."""

from __future__ import annotations

import itertools
from base64 import b64decode, b64encode
from pathlib import Path

import pytest
from model_server import ModelServer, as_json, hang, server_error

from .conftest import StartBot
from .harness import QUIET, Api, Chat, Member, Never, OneBotClient, Said, Sent, observing, summon
from .harness.segments import record
from .test_e2e_books import books, card, tell
from .test_e2e_restart import running

BOT = {"MISHU__LLM__TRANSCRIBE_MODEL": "ears", "MISHU__LLM__SPEECH_MODEL": "mouth"}
MP3 = b"ID3" + bytes(range(200))
_names = itertools.count(1)


def recorded(client: OneBotClient, content: bytes = MP3) -> str:
    """A recording that the platform has; its name."""
    name = f"{next(_names)}.amr"
    client.platform.recordings[name] = {"file": "", "base64": b64encode(content).decode()}
    return name


async def aloud(room: Chat, who: Member | None, model: ModelServer, words: str) -> Said:
    """Say something as a voice message; the endpoint will hear `words`."""
    model.answer("transcribe", as_json({"text": words}))
    return await room.say(who, record(recorded(room.client)))


def is_voice(sent: Sent) -> bool:
    """True if a message of the bot's is a voice message."""
    return [part["type"] for part in sent.segments] == ["record"]


async def test_in_private_a_voice_message_is_text(client: OneBotClient, model: ModelServer) -> None:
    friend = client.friend()
    said = await aloud(friend, None, model, "午饭三十五")
    shown = await friend.expect("要记这笔吗")
    assert "午饭 35元（餐饮）" in shown.text
    assert MP3 in model.last("transcribe").body["form"]
    [fetched] = [action for action in client.actions if action.name == "get_record"][-1:]
    assert fetched.params["file"] == said.event["message"][0]["data"]["file"]
    await aloud(friend, None, model, "确认")
    assert "记下了" in (await friend.expect("记下了")).text


async def test_a_path_is_read_as_well(client: OneBotClient, model: ModelServer, tmp_path: Path) -> None:
    (tmp_path / "a.mp3").write_bytes(MP3)
    client.platform.recordings["path.amr"] = {"file": str(tmp_path / "a.mp3")}
    model.answer("transcribe", as_json({"text": "打车二十块"}))
    friend = client.friend()
    await friend.say(None, record("path.amr"))
    assert "打车 20元" in (await friend.expect("要记这笔吗")).text


async def test_with_an_open_card_a_members_voice_is_heard_and_nobody_elses(
    room: Chat, api: Api, model: ModelServer
) -> None:
    ming, hong = room.members("小明", "小红")
    model.always("analyze_conversation", QUIET)
    await card(room, ming)
    model.answer("correct_transaction", {"corrections": [{"index": 0, "updatedFields": {"amount": 50}}],
                                         "intent": "correction", "confidence": 0.9})  # fmt: skip
    await aloud(room, ming, model, "第一笔改成五十")
    await room.expect("已将第1笔修改为50元")
    await aloud(room, hong, model, "不要了")
    await api.settle(room)
    assert await books(api, room) == []
    await aloud(room, ming, model, "确认")
    await room.expect("第1、2笔记下了")
    assert [row["amount"] for row in await books(api, room)] == ["50.00", "20.00"]


async def test_while_observing_a_voice_is_text(room: Chat, api: Api, model: ModelServer) -> None:
    model.always("analyze_conversation", QUIET)
    ming = await observing(room, api)
    await aloud(room, ming, model, "小秘，午饭三十五")
    assert "午饭 35元" in (await room.expect("要记这笔吗")).text


async def test_elsewhere_it_is_kept_as_a_voice_and_fetched_by_nobody(
    room: Chat, api: Api, client: OneBotClient, model: ModelServer
) -> None:
    before = len(client.actions)
    await room.say(room.member("小明"), record(recorded(client)))
    await api.until_stored(room, "[语音]")
    await api.settle(room)
    assert "get_record" not in [action.name for action in client.actions[before:]]
    assert "transcribe" not in model.names
    assert [row["text"] for row in await api.messages(room)][:1] == ["[语音]"]


async def test_where_nothing_is_heard_the_card_stays(
    room: Chat, api: Api, client: OneBotClient, model: ModelServer
) -> None:
    ming = room.member("小明")
    await card(room, ming)
    for answer in (server_error(), as_json({"text": ""}), as_json({"nothing": 1}), hang()):
        model.reset().always("transcribe", answer)
        await room.say(ming, record(recorded(client)))
        await model.wait_for("transcribe")
    client.plan("get_record", Never())
    await room.say(ming, record(recorded(client)))
    await client.until(lambda: not client.platform.faults, 5, "a recording that is never given")
    await room.say(ming, record("unknown.amr"))
    large = recorded(client, bytes(6 * 2**20))
    await room.say(ming, record(large))
    await client.until(
        lambda: any(action.params.get("file") == large for action in client.actions), 5, "the large one"
    )
    await api.settle(room)
    sizes = [len(request.body["form"]) for request in model.of("transcribe")]
    assert max(sizes) < 2**20  # of the large one the endpoint hears nothing
    assert "第1、2笔记下了" in (await tell(room, ming, "确认")).text  # nobody waits for what hangs


async def test_spoken_feedback_follows_the_text_where_it_is_switched_on(
    room: Chat, api: Api, model: ModelServer
) -> None:
    admin, ming = room.member("管理员", role="admin"), room.member("小明")
    await card(room, ming)
    await api.settle(room)
    assert "speak" not in model.names
    await room.command(admin, "开关 语音 开")
    done = await tell(room, ming, "确认")
    voice = await room.expect(is_voice)
    assert room.sends.index(done) < room.sends.index(voice)
    given = str(voice.segments[0]["data"]["file"])
    assert b64decode(given.removeprefix("base64://")).startswith(b"ID3")
    assert model.last("speak").body["input"] == done.text
    model.always("speak", server_error())
    assert "要记这笔吗" in (await card(room, ming, "奶茶15")).text
    await summon(room, ming, "在吗")
    await api.settle(room)
    assert sum(map(is_voice, room.sends)) == 1  # a failure is silent, talk is not spoken


async def test_switched_off_nothing_is_heard(
    room: Chat, api: Api, client: OneBotClient, model: ModelServer
) -> None:
    admin, ming = room.member("管理员", role="admin"), room.member("小明")
    await room.command(admin, "开关 语音 关")
    await card(room, ming)
    before = len(client.actions)
    await room.say(ming, record(recorded(client)))
    await api.settle(room)
    assert "transcribe" not in model.names
    assert "get_record" not in [action.name for action in client.actions[before:]]


@pytest.mark.exhaustive
@pytest.mark.parametrize("offline", [True, False])
async def test_without_an_endpoint_text_serves(
    start_bot: StartBot, model: ModelServer, offline: bool
) -> None:
    bot = start_bot(offline=offline)
    account = OneBotClient(bot.onebot_url, 10_091)
    async with running(bot, account) as api:
        friend, room = account.friend(), account.room()
        ming = room.member("小明")
        await friend.say(None, record(recorded(account)))
        await card(room, ming)
        await room.say(ming, record(recorded(account)))
        await room.command(room.member("管理员", role="admin"), "开关 语音 开")
        assert "记下了" in (await tell(room, ming, "确认")).text
        await api.settle(room)
        assert "get_record" not in [action.name for action in account.actions]
        assert not any(map(is_voice, account.sends))
