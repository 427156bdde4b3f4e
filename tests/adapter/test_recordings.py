"""What `get_record` answers, in the ways implementations have."""

from __future__ import annotations

from base64 import b64encode
from pathlib import Path
from typing import Any

import pytest
from nonebot_plugin_mishu.adapter.onebot_v11.recordings import content

SOUND = b"ID3" + bytes(200)
CODED = b64encode(SOUND).decode()


@pytest.mark.parametrize(
    "answer",
    [
        {"base64": CODED, "file": "/nowhere.mp3"},
        {"file": f"base64://{CODED}"},
    ],
)
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
