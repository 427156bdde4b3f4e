"""What `get_record` answers, in the ways implementations have."""

from __future__ import annotations

from base64 import b64encode
from pathlib import Path
from typing import Any

import pytest
from nonebot_plugin_mishu.adapter.recordings import content, linked, of_qq
from nonebot_plugin_mishu.voice.transcription import file_name

SOUND = b"ID3" + bytes(200)
CODED = b64encode(SOUND).decode()


@pytest.mark.parametrize("answer", [{"base64": CODED, "file": "/nowhere.mp3"}, {"file": f"base64://{CODED}"}])
async def test_the_content_itself(answer: Any) -> None:
    assert await content(answer, 1000) == SOUND


@pytest.mark.parametrize("form", ["{}", "file://{}"])
async def test_a_path_of_this_machine(tmp_path: Path, form: str) -> None:
    path = tmp_path / "语 音.mp3"
    path.write_bytes(SOUND)
    assert await content({"file": form.format(path)}, 1000) == SOUND
    assert await content({"file": form.format(path)}, 100) is None


@pytest.mark.parametrize(
    "answer",
    [
        None,
        [],
        {},
        {"file": ""},
        {"file": 5},
        {"file": "/nowhere.mp3"},
        {"file": "/etc"},
        {"file": "\x00"},
        {"base64": "!!"},
        {"base64": CODED * 10},
        {"file": "http://127.0.0.1:1/a.mp3"},
        {"file": "http://[/a.mp3"},
    ],
)
async def test_anything_else_is_none(answer: Any) -> None:
    assert await content(answer, 400) is None


@pytest.mark.parametrize(
    ("address", "is_qq"),
    [
        ("https://multimedia.nt.qq.com.cn/download?appid=1402&fileid=x", True),
        ("http://grouptalk.c2c.qq.com/?ver=2", True),
        ("https://gchat.qpic.cn:443/a", True),
        ("https://MULTIMEDIA.NT.QQ.COM.CN./a", True),
        ("https://qq.com.evil.example/a", False),
        ("https://evilqq.com/a", False),
        ("https://a@multimedia.nt.qq.com.cn/x", False),
        ("https://multimedia.nt.qq.com.cn@127.0.0.1/x", False),
        ("https://multimedia.nt.qq.com.cn:8080/x", False),
        ("http://127.0.0.1/a", False),
        ("http://169.254.169.254/latest", False),
        ("http://[::1]/a", False),
        ("http://[/a", False),
        ("http://x.qq.com:99999/", False),
        ("file:///etc/passwd", False),
        ("ftp://x.qq.com/a", False),
        ("", False),
    ],
)
async def test_only_qqs_own_links_are_fetched(
    monkeypatch: pytest.MonkeyPatch, address: str, is_qq: bool
) -> None:
    fetched: list[str] = []

    async def fetch(address: str, largest: int) -> bytes:
        fetched.append(address)
        return SOUND

    monkeypatch.setattr("nonebot_plugin_mishu.adapter.recordings._fetched", fetch)
    assert of_qq(address) is is_qq
    assert await linked(address, 1000) == (SOUND if is_qq else None)
    assert fetched == [address] * is_qq


@pytest.mark.parametrize(
    ("content", "name"),
    [
        (b"#!AMR\n\x0c", "voice.amr"),
        (b"\x02#!SILK_V3", "voice.silk"),
        (b"#!SILK_V3", "voice.silk"),
        (b"RIFF\x00\x00\x00\x00WAVE", "voice.wav"),
        (b"OggS\x00", "voice.ogg"),
        (SOUND, "voice.mp3"),
        (b"\xff\xfb\x90", "voice.mp3"),
    ],
)
def test_a_recording_is_what_it_begins_with(content: bytes, name: str) -> None:
    """An AMR may come under a name that ends in .wav."""
    assert file_name(content) == name
