"""Voices: the same gateway, deadline, error and record as every other call."""

from __future__ import annotations

from typing import Any

import pytest
from helpers_llm import GROUP, KEY, Bench, MakeBench, kind_of
from hypothesis import given
from hypothesis import strategies as st
from model_server import ModelServer, Reply, as_json, error_body, failure, hang, html, null, reset
from nonebot_plugin_mishu.llm.failures import Failure
from nonebot_plugin_mishu.llm.transport.audio import LONGEST_TEXT, heard, sound, speech_of, transcription_of
from nonebot_plugin_mishu.llm.transport.completion import Completion

MP3 = b"ID3" + bytes(100)


@pytest.fixture
def audio(make_bench: MakeBench) -> Bench:
    return make_bench(transcribe_model="ears-1", speech_model="mouth-1")


async def transcribe(bench: Bench) -> str:
    return await bench.client.transcribe("voice.mp3", MP3, deadline=bench.deadline(), conversation=GROUP)


async def speak(bench: Bench, text: str = "已保存") -> bytes:
    return await bench.client.speak(text, deadline=bench.deadline(), conversation=GROUP)


async def test_a_recording_becomes_words(audio: Bench, model_server: ModelServer) -> None:
    model_server.answer("transcribe", as_json({"text": " 午饭三十五 "}))
    assert await transcribe(audio) == "午饭三十五"
    asked = model_server.last()
    assert asked.path == "/v1/audio/transcriptions"
    assert asked.headers["authorization"] == f"Bearer {KEY}"
    form = asked.body["form"]
    assert MP3 in form
    assert b'name="model"' in form
    assert b"ears-1" in form
    assert b'filename="voice.mp3"' in form
    (call,) = audio.calls
    assert (call.name, call.model, call.outcome, call.conversation) == ("transcribe", "ears-1", "ok", GROUP)


async def test_words_become_sound(audio: Bench, model_server: ModelServer) -> None:
    model_server.answer("speak", Reply(body=MP3, headers={"Content-Type": "audio/mpeg"}))
    assert await speak(audio, "已保存第1笔") == MP3
    asked = model_server.last()
    assert asked.path == "/v1/audio/speech"
    assert asked.body["model"] == "mouth-1"
    assert asked.body["input"] == "已保存第1笔"
    assert asked.body["response_format"] == "mp3"


async def test_without_a_model_for_it_nothing_is_asked(bench: Bench, model_server: ModelServer) -> None:
    assert not bench.client.transcribes
    assert not bench.client.speaks
    assert await kind_of(transcribe(bench)) == "offline"
    assert await kind_of(speak(bench)) == "offline"
    assert model_server.requests == []


@pytest.mark.parametrize(
    "answer", [html(), null(), error_body(), as_json({"text": 5}), as_json([])], ids=lambda _: ""
)
async def test_what_is_no_transcription_is_invalid(
    audio: Bench, model_server: ModelServer, answer: Any
) -> None:
    model_server.always("transcribe", answer)
    assert await kind_of(transcribe(audio)) == "invalid"


@pytest.mark.parametrize("answer", [html(), null(), error_body(), Reply(body=b"")], ids=lambda _: "")
async def test_what_is_no_sound_is_invalid(audio: Bench, model_server: ModelServer, answer: Any) -> None:
    model_server.always("speak", answer)
    assert await kind_of(speak(audio)) == "invalid"


async def test_faults_have_the_kinds_of_every_call(audio: Bench, model_server: ModelServer) -> None:
    model_server.always("transcribe", failure(401, "sk-secret is wrong"))
    assert await kind_of(transcribe(audio)) == "refused"
    model_server.always("speak", reset())
    assert await kind_of(speak(audio)) == "unreachable"


async def test_a_hanging_endpoint_ends_with_the_deadline(audio: Bench, model_server: ModelServer) -> None:
    model_server.always("transcribe", hang())
    work = audio.client.transcribe("voice.mp3", MP3, deadline=audio.deadline(0.3), conversation=GROUP)
    assert await kind_of(work) == "timeout"


@given(st.binary(max_size=300))
def test_any_body_is_read_without_raising(body: bytes) -> None:
    for read in (transcription_of, speech_of):
        assert isinstance(read(body), Completion | Failure)


def test_a_bare_text_is_a_transcription_and_silence_is_empty() -> None:
    assert heard(transcription_of("午饭三十五".encode())) == "午饭三十五"  # type: ignore[arg-type]
    assert heard(transcription_of(b'{"text": ""}')) == ""  # type: ignore[arg-type]


def test_a_long_transcription_is_cut() -> None:
    assert len(heard(transcription_of(("长" * 9000).encode()))) == LONGEST_TEXT  # type: ignore[arg-type]


def test_sound_is_the_bytes_as_they_came() -> None:
    assert sound(speech_of(MP3)) == MP3  # type: ignore[arg-type]
