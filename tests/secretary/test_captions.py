"""Captions: the newest seven pictures, at once, in limited time (pitfall 39)."""

from __future__ import annotations

import asyncio

import pytest
from nonebot_plugin_mishu.llm import CallLog, Deadline, ModelError
from nonebot_plugin_mishu.secretary.captions import MOST, caption_pictures, picture_sources
from nonebot_plugin_mishu.storage.records import LedgerMessage
from stand_ins import FakeModel, line
from virtual_time import virtual


def album(number: int, count: int = 1, **changed: object) -> LedgerMessage:
    segments = [{"type": "image", "data": {"url": f"http://p/{number}-{index}"}} for index in range(count)]
    return line(number, "[图片]", segments=segments, **changed)


async def asked(context: list[LedgerMessage], model: FakeModel | None = None) -> list[str]:
    model = model or FakeModel()
    loop = asyncio.get_running_loop()
    await caption_pictures(context, model, Deadline.after(10, loop.time), CallLog())  # type: ignore[arg-type]
    return [call.image.removeprefix("http://p/") for call in model.asked]


@virtual
async def test_pitfall_39_the_newest_seven_and_no_more() -> None:
    assert sorted(await asked([album(number) for number in range(50)])) == [
        f"{number}-0" for number in range(43, 50)
    ]
    assert sorted(await asked([album(1, 5), album(2, 5)])) == [
        "1-3",
        "1-4",
        *[f"2-{index}" for index in range(5)],
    ]
    assert len(await asked([album(1, 10_000)])) == MOST


@virtual
async def test_pitfall_39_the_backlog_is_not_captioned_bit_by_bit() -> None:
    context = [album(number, captions=["猫"] if number >= 43 else []) for number in range(50)]
    assert await asked(context) == []
    assert sorted(await asked([*context, album(50)])) == ["50-0"]


@virtual
async def test_pitfall_39_one_that_hangs_or_fails_holds_up_no_other() -> None:
    model = FakeModel()
    answers = {
        "http://p/1-0": 1e6,
        "http://p/2-0": ModelError("invalid", "caption_image"),
        "http://p/3-0": "一只猫",
    }
    model.caption_of = answers.__getitem__
    loop = asyncio.get_running_loop()
    began = loop.time()
    deadline = Deadline.after(10, loop.time)
    made = await caption_pictures([album(1), album(2), album(3)], model, deadline, CallLog())  # type: ignore[arg-type]
    assert [(message.message_id, message.captions) for message in made] == [("3", ["一只猫"])]
    assert loop.time() - began <= 10


@pytest.mark.parametrize(
    ("data", "found"),
    [
        ({"url": "http://a"}, ["http://a"]),
        ({"file": "https://a"}, ["https://a"]),
        ({"file": "base64://QUJD"}, ["base64://QUJD"]),
        ({"file": "abc.image", "url": ""}, []),
        ({"file": "file:///etc/passwd"}, []),
        ({"url": 5}, []),
        ({}, []),
        (None, []),
    ],
)
def test_where_pictures_are(data: object, found: list[str]) -> None:
    assert (
        picture_sources(line(1, segments=[{"type": "image", "data": data}, {"type": "text", "data": {}}]))
        == found
    )


@virtual
async def test_pictures_in_the_message_itself() -> None:
    model = FakeModel()
    context = [
        line(
            1,
            segments=[{"type": "image", "data": {"file": f"base64://{code}"}}, {"type": "image", "data": {}}],
        )
        for code in ("QUJD", "not base64!")
    ]
    deadline = Deadline.after(10, asyncio.get_running_loop().time)
    await caption_pictures(context, model, deadline, CallLog())  # type: ignore[arg-type]
    assert sorted(call.image for call in model.asked) == [b"", b"ABC"]
