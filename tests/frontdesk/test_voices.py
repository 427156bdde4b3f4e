"""Voice messages: whose are heard, what becomes of them, and what is spoken."""

from __future__ import annotations

from typing import Any

import pytest
from nonebot_plugin_mishu.frontdesk import Segment
from nonebot_plugin_mishu.llm import ModelError
from nonebot_plugin_mishu.secretary import PresenceState, Speech
from nonebot_plugin_mishu.voice.synthesis import LONGEST, spoken
from office import Office, office
from stand_ins import FRIEND, GROUP, FakeModel
from virtual_time import settle, virtual

RECORDING = b"ID3" + bytes(50)
VOICE = (Segment("voice", "[语音]"),)
RAW = ({"type": "record", "data": {"file": "a.amr"}},)


def hearing(**changed: Any) -> FakeModel:
    model = FakeModel()
    model.transcribes = True
    for name, value in changed.items():
        setattr(model, name, value)
    return model


async def say_aloud(here: Office, user: str = "30001", **more: Any) -> str:
    here.platform.recordings["a.amr"] = RECORDING
    said = here.heard(user, segments=VOICE, raw_segments=RAW, **more)
    here.hear(said)
    await settle()
    return said.message_id


@virtual
async def test_in_private_a_voice_is_text() -> None:
    async with office(model=hearing(transcription="今天开心吗")) as here:
        said = await say_aloud(here, FRIEND.peer, conversation=FRIEND)
        assert "今天开心吗" in here.model.of("chat_reply")[0].prompt
        line = here.desk.rooms.enter(FRIEND).ledger.get(said)
        assert line is not None
        assert line.captions == ["今天开心吗"]
        assert line.text == "[语音]"


@virtual
async def test_while_observing_a_voice_is_text() -> None:
    async with office(model=hearing(transcription="小秘在吗")) as here:
        await here.call("30001", "你好")
        assert here.room.seat.presence.state is PresenceState.OBSERVING
        await here.pass_time(10)
        await say_aloud(here)
        assert here.model.names().count("transcribe") == 1
        assert len(here.platform.texts) == 2  # its name was called


@virtual
async def test_in_a_group_that_has_nothing_to_do_with_us_it_is_only_kept() -> None:
    async with office(model=hearing()) as here:
        said = await say_aloud(here)
        assert here.platform.fetched == []
        line = here.room.ledger.get(said)
        assert line is not None
        assert line.text == "[语音]"


@pytest.mark.parametrize("why", ["off", "silenced", "no endpoint"])
@virtual
async def test_off_means_that_nothing_is_fetched(why: str) -> None:
    async with office(model=hearing(transcribes=why != "no endpoint")) as here:
        await here.call("30001", "你好")
        if why == "off":
            await here.say("30001", "/秘书 开关 语音 关", role="admin")
        if why == "silenced":
            await here.say("30001", "闭嘴")
        await here.pass_time(10)
        await say_aloud(here)
        assert here.platform.fetched == []


@pytest.mark.parametrize("answer", [ModelError("timeout", "transcribe"), "  "])
@virtual
async def test_what_cannot_be_heard_is_no_words(answer: Any) -> None:
    async with office(model=hearing(transcription=answer)) as here:
        await here.call("30001", "你好")
        await here.pass_time(10)
        said = await say_aloud(here)
        line = here.room.ledger.get(said)
        assert line is not None
        assert line.captions == []
        assert len(here.platform.texts) == 1


@virtual
async def test_a_recording_that_is_not_given_is_no_words() -> None:
    async with office(model=hearing()) as here:
        await here.call("30001", "你好")
        await here.pass_time(10)
        here.hear(here.heard("30001", segments=VOICE, raw_segments=RAW))
        await settle()
        assert here.platform.fetched == ["a.amr"]
        assert "transcribe" not in here.model.names()


@virtual
async def test_a_reply_is_spoken_only_where_the_group_wants_it() -> None:
    async with office(model=hearing(speaks=True)) as here:
        await here.desk._voices.speak(GROUP, "已保存")
        assert here.platform.sent == []
        await here.say("30001", "/秘书 开关 语音 开", role="admin")
        await here.desk._voices.speak(GROUP, "已保存")
        speech = here.platform.sent[-1][1]
        assert speech == Speech("[语音]", voice=b"ID3")


@virtual
async def test_what_cannot_be_spoken_is_not() -> None:
    async with office(model=hearing(speaks=True, sound=ModelError("timeout", "speak"))) as here:
        await here.say("30001", "/秘书 开关 语音 开", role="admin")
        before = len(here.platform.sent)
        await here.desk._voices.speak(GROUP, "已保存")
        assert len(here.platform.sent) == before


def test_of_a_long_text_whole_lines_from_the_beginning_are_spoken() -> None:
    assert spoken("第一行\n" + "长" * 300) == "第一行"
    assert len(spoken("长" * 300)) == LONGEST
