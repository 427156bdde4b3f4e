"""What admins change stays changed."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from nonebot_plugin_mishu.storage import ConversationSettings, Silence, Storage
from storage_support import FRIEND, GROUP, OTHER

Opener = Callable[..., Awaitable[Storage]]


async def test_nothing_set_is_the_default(storage: Storage):
    assert await storage.settings.load(GROUP) == ConversationSettings()


async def test_everything_set_is_back_after_a_restart(storage: Storage, opened: Opener):
    settings = storage.settings
    await settings.set_persona(GROUP, "海盗")
    await settings.set_feature(GROUP, "插话", False)
    await settings.set_feature(GROUP, "复读", False)
    await settings.set_feature(GROUP, "复读", True)
    await settings.add_word(GROUP, "silence", "安静")
    await settings.add_word(GROUP, "silence", "别说了")
    await settings.add_word(GROUP, "wake", "小秘")
    await settings.remove_word(GROUP, "silence", "闭嘴")
    await settings.set_silence(GROUP, Silence(600.5, by_command=True))
    await settings.set_persona(OTHER, "诗人")
    await storage.close()
    again = (await opened()).settings
    assert await again.load(GROUP) == ConversationSettings(
        persona="海盗",
        features={"插话": False, "复读": True},
        added_words={"silence": ["安静", "别说了"], "wake": ["小秘"]},
        removed_words={"silence": ["闭嘴"]},
        silence=Silence(600.5, by_command=True),
    )
    assert await again.load(OTHER) == ConversationSettings(persona="诗人")
    assert await again.load(FRIEND) == ConversationSettings()


async def test_a_term_is_its_conversations_own(storage: Storage, opened: Opener):
    await storage.settings.set_persona(GROUP, "海盗")
    await storage.settings.set_term(GROUP, "2026-09-07/18")
    await storage.settings.set_term(FRIEND, "2026-09-14")
    await storage.settings.set_term(FRIEND, None)
    await storage.close()
    again = (await opened()).settings
    assert await again.term(GROUP) == "2026-09-07/18"
    assert [await again.term(place) for place in (OTHER, FRIEND)] == [None, None]
    assert (await again.load(GROUP)).persona == "海盗"


async def test_a_word_is_added_or_removed_and_never_both(storage: Storage):
    await storage.settings.add_word(GROUP, "wake", "小秘")
    await storage.settings.remove_word(GROUP, "wake", "小秘")
    loaded = await storage.settings.load(GROUP)
    assert (loaded.added_words, loaded.removed_words) == ({}, {"wake": ["小秘"]})
    await storage.settings.add_word(GROUP, "wake", "小秘")
    loaded = await storage.settings.load(GROUP)
    assert (loaded.added_words, loaded.removed_words) == ({"wake": ["小秘"]}, {})


async def test_silence_and_persona_do_not_touch_each_other(storage: Storage):
    await storage.settings.set_silence(GROUP, Silence(100.0, by_command=False))
    await storage.settings.set_persona(GROUP, "海盗")
    await storage.settings.set_silence(GROUP, Silence(200.0, by_command=True))
    loaded = await storage.settings.load(GROUP)
    assert (loaded.persona, loaded.silence) == ("海盗", Silence(200.0, by_command=True))
    await storage.settings.lift_silence(GROUP)
    await storage.settings.set_persona(GROUP, None)
    await storage.settings.lift_silence(OTHER)
    assert await storage.settings.load(GROUP) == ConversationSettings()


async def test_silenced_lists_what_still_holds(storage: Storage):
    await storage.settings.set_silence(GROUP, Silence(100.0, by_command=False))
    await storage.settings.set_silence(OTHER, Silence(200.0, by_command=True))
    await storage.settings.set_persona(FRIEND, "海盗")
    assert await storage.settings.silenced("10000", 99.0) == {
        GROUP: Silence(100.0, by_command=False),
        OTHER: Silence(200.0, by_command=True),
    }
    assert list(await storage.settings.silenced("10000", 100.0)) == [OTHER]
    assert await storage.settings.silenced("10001", 0.0) == {}
