"""Pictures: described beside the work, never in its way (product section 2, reply path; pitfall 39)."""

from __future__ import annotations

import base64
from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio
from aiohttp import web
from model_server import ModelServer, hang, server_error

from .harness import Api, Chat, OneBotClient, summon
from .harness.segments import at, image

pytestmark = pytest.mark.exhaustive

BOT = {
    "MISHU__LLM__VISION_MODEL": "test-vision",
    "MISHU__SECRETARY__LOCK_TIMEOUT": 8,
    "MISHU__LLM__TIMEOUT": 4,
    "MISHU__LLM__DECIDE_TIMEOUT": 1,
}

PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)


@pytest_asyncio.fixture(scope="module")
async def pictures() -> AsyncIterator[str]:
    """A server of pictures, as QQ's is: any path is a picture."""
    app = web.Application()

    async def picture(request: web.Request) -> web.Response:
        return web.Response(body=PNG, content_type="image/png")

    app.router.add_get("/{name}", picture)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    server: Any = site._server  # the port the system chose
    yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    await runner.cleanup()


async def test_a_pictures_description_reaches_the_reply(
    room: Chat, client: OneBotClient, api: Api, model: ModelServer, pictures: str
):
    model.always("caption_image", "一只橘猫趴在键盘上")
    said = await room.say(room.member("阿明"), at(client.self_id), " 这是什么", image(f"{pictures}/a.png"))
    await room.expect(quoting=said)
    assert model.last("caption_image").body["model"] == "test-vision"
    assert "一只橘猫趴在键盘上" in model.last("chat_reply").prompt


async def test_a_picture_said_before_the_call_is_described(
    room: Chat, api: Api, model: ModelServer, pictures: str
):
    model.always("caption_image", "一张火车票")
    await room.say(room.member("小红"), image(f"{pictures}/t.png"))
    await api.poll(lambda: api.messages(room), bool, "stored")
    await summon(room, room.member("阿明"), "她发的是什么")
    assert "一张火车票" in model.last("chat_reply").prompt


async def test_pictures_are_described_once(
    room: Chat, client: OneBotClient, model: ModelServer, pictures: str
):
    ming = room.member("阿明")
    said = await room.say(ming, at(client.self_id), image(f"{pictures}/b.png"))
    await room.expect(quoting=said)
    await summon(room, ming, "再说说")
    assert len(model.of("caption_image")) == 1
    assert "一张图片" in model.last("chat_reply").prompt


async def test_pitfall_39_a_hung_caption_model_does_not_block_the_reply(
    room: Chat, client: OneBotClient, model: ModelServer, pictures: str
):
    model.always("caption_image", hang())
    said = await room.say(room.member("阿明"), at(client.self_id), " 看图", image(f"{pictures}/c.png"))
    await room.expect(quoting=said, within=6)
    assert len(model.of("chat_reply")) == 1


async def test_pitfall_39_a_failing_caption_model_does_not_block_the_reply(
    room: Chat, client: OneBotClient, model: ModelServer, pictures: str
):
    model.always("caption_image", server_error())
    said = await room.say(room.member("阿明"), at(client.self_id), " 看图", image(f"{pictures}/d.png"))
    sent = await room.expect(quoting=said)
    assert "provider" not in sent.text


async def test_pitfall_39_only_the_newest_seven_are_described(
    room: Chat, api: Api, model: ModelServer, pictures: str
):
    hong = room.member("小红")
    for number in range(12):
        await room.say(hong, image(f"{pictures}/n{number}.png"))
    await api.poll(lambda: api.messages(room), lambda rows: len(rows) == 12, "twelve stored")
    await summon(room, room.member("阿明"), "都是什么图")
    assert len(model.of("caption_image")) == 7


async def test_a_picture_that_is_gone_does_not_block_the_reply(
    room: Chat, client: OneBotClient, model: ModelServer
):
    said = await room.say(
        room.member("阿明"), at(client.self_id), " 看图", image("http://127.0.0.1:9/gone.png")
    )
    await room.expect(quoting=said, within=8)


async def test_pitfall_30_the_switch_for_pictures(
    room: Chat, client: OneBotClient, model: ModelServer, pictures: str
):
    await room.command(room.member("管理员", role="admin"), "开关 图片 关")
    said = await room.say(room.member("阿明"), at(client.self_id), " 看图", image(f"{pictures}/e.png"))
    await room.expect(quoting=said)
    assert model.of("caption_image") == []
