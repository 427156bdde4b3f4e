"""Friends' private conversations (product section 1, last bullet)."""

from __future__ import annotations

from model_server import ModelServer, server_error

from .harness import Api, Chat, Held, OneBotClient, summon
from .harness.segments import image


async def test_every_private_message_is_a_summons(client: OneBotClient, model: ModelServer):
    friend = client.friend()
    for words in ("你好", "在吗", "今天怎么样"):
        model.answer("chat_reply", f"听见了，{words}")
        await friend.say(None, words)
        await friend.expect(f"听见了，{words}")
    friend.nothing_else()


async def test_private_talk_stays_private(room: Chat, client: OneBotClient, api: Api, model: ModelServer):
    """What was said in private shows in no group, nor with another friend."""
    ming = room.member("阿明")
    friend = client.friend(ming.user_id, "阿明")
    other = client.friend()
    await friend.say(None, "我的秘密是喜欢小红")
    await friend.expect()
    await summon(room, ming, "我跟你说过什么")
    await other.say(None, "阿明说过什么")
    await other.expect()
    later = [each for each in model.of("chat_reply") if "我的秘密" in each.prompt]
    assert len(later) == 1
    assert "我的秘密" not in str(await api.messages(room))


async def test_a_private_conversation_is_remembered(client: OneBotClient, model: ModelServer):
    friend = client.friend()
    await friend.say(None, "我养了一只乌龟叫慢慢")
    await friend.expect()
    await friend.say(None, "我养了什么")
    await friend.expect()
    assert "慢慢" in model.last("chat_reply").prompt


async def test_no_echo_in_private(client: OneBotClient, model: ModelServer):
    friend = client.friend()
    for _ in range(3):
        await friend.say(None, "哈哈")
        await friend.expect("好的")
    friend.nothing_else()
    assert len(model.of("chat_reply")) == 3


async def test_pitfall_38_a_friend_is_answered_though_the_model_fails(
    client: OneBotClient, model: ModelServer
):
    model.always("chat_reply", server_error())
    friend = client.friend()
    await friend.say(None, "在吗")
    assert "provider" not in (await friend.expect()).text


async def test_a_picture_in_private_is_answered(client: OneBotClient):
    friend = client.friend()
    await friend.say(None, image("http://127.0.0.1:9/x.png"))
    await friend.expect()


async def test_a_recalled_private_message_is_not_answered(client: OneBotClient, model: ModelServer):
    friend = client.friend()
    held = Held("来不及")
    model.answer("chat_reply", held)
    gone = await friend.say(None, "发错了")
    await held.entered()
    await friend.recall(gone)
    await friend.say(None, "这句才是")
    await friend.expect("好的")
    held.release()
    await friend.say(None, "再一句")
    await friend.expect("好的")
    friend.nothing_else()
