"""The short way: messages pass NoneBot's dispatcher by where nobody else could handle them."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import nonebot
import pytest
from nonebot.adapters.onebot.v11 import Adapter, Bot, Event, GroupMessageEvent
from nonebot_plugin_mishu.app import plugin as entry
from test_bot_quiet import EVENT, TEXT

from bot.direct import OWN, DirectBot, direct
from bot.quiet import QuietGroupMessageEvent

QUOTE = {"type": "reply", "data": {"id": "6"}}


def account() -> Bot:
    """One that no adapter knows of."""
    return Bot(cast(Adapter, SimpleNamespace(get_name=lambda: "OneBot V11")), "10001")


@pytest.mark.parametrize(
    ("names", "short"),
    [
        (OWN, True),
        ({"nonebot_plugin_mishu"}, True),
        (OWN | {"somebody"}, False),
        ({"nonebot_plugin_mishu_clinic"}, False),
    ],
)
def test_the_short_way_is_for_who_is_alone(
    monkeypatch: pytest.MonkeyPatch, names: set[str], short: bool
) -> None:
    monkeypatch.setattr(nonebot, "get_loaded_plugins", lambda: [SimpleNamespace(name=name) for name in names])
    bot = account()
    direct(bot)
    assert type(bot) is (DirectBot if short else Bot)


@pytest.mark.parametrize(
    ("model", "message", "short"),
    [
        (QuietGroupMessageEvent, [TEXT], True),
        (QuietGroupMessageEvent, [{"type": "at", "data": {"qq": "10001"}}, TEXT], True),
        (QuietGroupMessageEvent, [QUOTE, TEXT], False),
        (QuietGroupMessageEvent, [TEXT, QUOTE], False),
        (GroupMessageEvent, [TEXT], False),
    ],
    ids=["text", "at", "quote", "quote behind", "logged"],
)
async def test_which_messages_take_it(
    monkeypatch: pytest.MonkeyPatch, model: type[GroupMessageEvent], message: list[Any], short: bool
) -> None:
    taken: list[Event] = []
    dispatched: list[Event] = []

    async def dispatch(_self: Bot, event: Event) -> None:
        dispatched.append(event)

    monkeypatch.setattr(entry, "take", lambda _bot, event: taken.append(event))
    monkeypatch.setattr(Bot, "handle_event", dispatch)
    monkeypatch.setattr(nonebot, "get_loaded_plugins", list)
    bot = account()
    direct(bot)
    event = model.model_validate({**EVENT, "message": message})
    await bot.handle_event(event)
    assert (taken, dispatched) == (([event], []) if short else ([], [event]))
