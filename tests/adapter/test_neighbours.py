"""What other plugins do with an event before it is our turn, through NoneBot's dispatcher."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import pytest
from nonebot import (
    on_command,
    on_endswith,
    on_fullmatch,
    on_keyword,
    on_message,
    on_notice,
    on_regex,
    on_startswith,
)
from nonebot.adapters.onebot.v11 import Adapter, Bot, Event
from nonebot.adapters.onebot.v11.exception import ActionFailed
from nonebot.exception import IgnoredException
from nonebot.matcher import Matcher
from nonebot.message import _run_postprocessors, _run_preprocessors, handle_event, run_preprocessor
from nonebot.rule import Rule
from nonebot_plugin_mishu.frontdesk import Interest, TakenBy
from nonebug import App
from wiring_support import BOT, FakeDesk, message, notice

POKE = notice("notify", sub_type="poke", user_id=30001, target_id=10000)
QUIETLY = lambda: None  # noqa: E731


@contextmanager
def beside(matcher: type[Matcher], *handlers: Callable[..., Any]) -> Iterator[type[Matcher]]:
    """Another plugin's matcher, while the test lasts."""
    for handler in handlers:
        matcher.append_handler(handler)
    try:
        yield matcher
    finally:
        matcher.destroy()


async def handled(app: App, payload: dict[str, Any], *answers: Any) -> None:
    """An event through the dispatcher, beside which other plugins call the platform so often."""
    async with app.test_api() as ctx:
        bot = ctx.create_bot(
            base=Bot, adapter=ctx.create_adapter(base=Adapter), self_id=BOT, auto_connect=False
        )
        for api, data, result in answers:
            error = result if isinstance(result, Exception) else None
            ctx.should_call_api(api, data, None if error else result, exception=error)
        event = Adapter.json_to_event(payload)
        assert isinstance(event, Event)
        await handle_event(bot, event)


def said(words: str, **changed: Any) -> dict[str, Any]:
    return message(message=words, raw_message=words, **changed)


def answer(group: int = 777) -> tuple[str, dict[str, Any], Any]:
    return "send_group_msg", {"group_id": group, "message": "答"}, {"message_id": 9}


async def answers(bot: Bot) -> None:
    await bot.call_api("send_group_msg", group_id=777, message="答")


async def _nothing() -> None: ...


async def _about_me(event: Event) -> bool:
    return True


SPECIFIC = {
    "command": lambda **how: on_command("天气", **how),
    "startswith": lambda **how: on_startswith("/天", **how),
    "endswith": lambda **how: on_endswith("天气", **how),
    "fullmatch": lambda **how: on_fullmatch("/天气", **how),
    "keyword": lambda **how: on_keyword({"天气"}, **how),
    "regex": lambda **how: on_regex("^/天.$", **how),
}
ANYTHING = {
    "message": lambda **how: on_message(**how),
    "to_me": lambda **how: on_message(Rule(_about_me), **how),
    "regex": lambda **how: on_regex(".*", **how),
}


@pytest.mark.parametrize("kind", SPECIFIC)
async def test_a_line_for_whose_words_a_matcher_ran_is_taken(app: App, desk: FakeDesk, kind: str) -> None:
    with beside(SPECIFIC[kind](priority=9, block=False), _nothing):
        await handled(app, said("/天气"))
    assert desk.acted == ["1"]
    assert [by is not None and not by.whole for by in desk.taken] == [True]


@pytest.mark.parametrize("kind", ["command", "startswith", "fullmatch", "regex"])
async def test_a_command_that_was_answered_is_taken_as_a_whole(app: App, desk: FakeDesk, kind: str) -> None:
    with beside(SPECIFIC[kind](priority=9, block=False), answers):
        await handled(app, said("/天气"), answer())
    assert [by and by.whole for by in desk.taken] == [True]


@pytest.mark.parametrize("kind", ["endswith", "keyword"])
async def test_a_line_with_certain_words_in_it_is_no_command(app: App, desk: FakeDesk, kind: str) -> None:
    with beside(SPECIFIC[kind](priority=9, block=False), answers):
        await handled(app, said("/天气"), answer())
    assert [by and by.whole for by in desk.taken] == [False]


@pytest.mark.parametrize("kind", ANYTHING)
async def test_who_listens_to_all_talk_and_says_nothing_takes_nothing(
    app: App, desk: FakeDesk, kind: str
) -> None:
    with beside(ANYTHING[kind](priority=9, block=False), _nothing):
        await handled(app, message())
    assert (desk.acted, desk.taken, desk.stops) == (["1"], [None], [])


@pytest.mark.parametrize("kind", ANYTHING)
async def test_what_anybody_answered_is_taken(app: App, desk: FakeDesk, kind: str) -> None:
    with beside(ANYTHING[kind](priority=9, block=False), answers):
        await handled(app, message(), answer())
    assert [by is not None and not by.whole for by in desk.taken] == [True]


async def test_an_answer_from_a_rule_is_one(app: App, desk: FakeDesk) -> None:
    """Alconna answers a half-written command in its rule, and then does not run."""

    async def helps(bot: Bot) -> bool:
        await answers(bot)
        return False

    with beside(on_message(Rule(helps), priority=9, block=False)):
        await handled(app, said("/词云 --help"), answer())
    assert [by and by.whole for by in desk.taken] == [True]


@pytest.mark.parametrize(
    ("api", "data", "result"),
    [
        ("get_group_info", {"group_id": 777}, {}),
        ("mark_msg_as_read", {"message_id": 1}, None),
        ("send_group_msg", {"group_id": 778, "message": "转发"}, {"message_id": 9}),
        ("send_private_msg", {"user_id": 1, "message": "转发"}, {"message_id": 9}),
        ("send_group_msg", {"group_id": 777, "message": "答"}, ActionFailed(retcode=100)),
    ],
)
async def test_calls_that_nobody_there_sees_answer_nothing(
    app: App, desk: FakeDesk, api: str, data: dict[str, Any], result: Any
) -> None:
    async def calls(bot: Bot) -> None:
        with suppress(ActionFailed):
            await bot.call_api(api, **data)

    with beside(on_message(priority=9, block=False), calls):
        await handled(app, message(), (api, data, result))
    assert desk.taken == [None]


async def test_a_reaction_is_an_answer(app: App, desk: FakeDesk) -> None:
    call = ("set_msg_emoji_like", {"message_id": 1, "emoji_id": "76"}, None)

    async def likes(bot: Bot) -> None:
        await bot.call_api(call[0], **call[1])

    with beside(on_message(priority=9, block=False), likes):
        await handled(app, message(), call)
    assert [by is not None for by in desk.taken] == [True]


@pytest.mark.parametrize("priority", [1, 99, 114_515, 999_999])
async def test_pitfall_63_what_is_stopped_is_told_and_not_acted_on(
    app: App, desk: FakeDesk, priority: int
) -> None:
    with beside(on_keyword({"在吗"}, priority=priority, block=True), answers):
        await handled(app, message(), answer())
    assert desk.acted == []
    assert [one for one, _, _ in desk.stops] == ["1"]


async def test_who_stops_every_line_and_answers_none_is_told_of_once(
    app: App, desk: FakeDesk, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []
    monkeypatch.setattr(
        "nonebot_plugin_mishu.adapter.wiring.logger.warning", lambda words: told.append(words)
    )
    with beside(on_message(priority=99), _nothing):
        await handled(app, message(1))
        await handled(app, message(2))
    assert len(told) == 1
    assert "优先级 99" in told[0]
    assert len(desk.stops) == 2


@pytest.mark.parametrize("called", [True, False])
async def test_nothing_is_told_of_who_answers_or_of_what_was_not_said_to_us(
    app: App, desk: FakeDesk, monkeypatch: pytest.MonkeyPatch, called: bool
) -> None:
    told: list[str] = []
    monkeypatch.setattr(
        "nonebot_plugin_mishu.adapter.wiring.logger.warning", lambda words: told.append(words)
    )
    desk.calls = called
    with beside(on_message(priority=99), *([answers] if called else [_nothing])):
        await handled(app, message(), *([answer()] if called else []))
    assert told == []


async def test_chatter_that_another_plugin_answered_is_not_looked_at(app: App, desk: FakeDesk) -> None:
    desk.interest = Interest.CHATTER
    with beside(on_message(priority=9, block=False), answers):
        await handled(app, message(), answer())
    assert (desk.acted, desk.over) == ([], [])


async def test_a_poke_comes_through_the_matcher(app: App, desk: FakeDesk) -> None:
    await handled(app, POKE)
    assert ([said.user_id for said in desk.pokes], desk.taken) == (["30001"], [None])


async def test_a_poke_that_is_stopped_is_not_ours(app: App, desk: FakeDesk) -> None:
    with beside(on_notice(priority=5, block=True), _nothing):
        await handled(app, POKE)
    assert desk.pokes == []
    assert [poke for _, _, poke in desk.stops] == [True]


async def test_a_poke_that_was_answered_is_taken(app: App, desk: FakeDesk) -> None:
    with beside(on_notice(priority=5, block=False), answers):
        await handled(app, POKE, answer())
    assert [by is not None for by in desk.taken] == [True]


async def test_a_poke_that_is_ignored_is_nobodys(app: App, desk: FakeDesk) -> None:
    async def ignore(matcher: Matcher) -> None:
        raise IgnoredException("blocked here")

    before = set(_run_preprocessors)
    run_preprocessor(ignore)
    try:
        await handled(app, POKE)
    finally:
        _run_preprocessors.intersection_update(before)
    assert (desk.pokes, desk.stops) == ([], [])


async def test_the_next_line_of_a_dialogue_is_the_dialogues(app: App, desk: FakeDesk) -> None:
    asking = on_command("查天气", priority=5, block=False)

    @asking.got("city")
    async def _(bot: Bot) -> None:
        await answers(bot)

    with beside(asking):
        await handled(app, said("/查天气"))
        await handled(app, said("北京", message_id=2), answer())
    assert (desk.acted, [one for one, _, _ in desk.stops]) == (["1"], ["2"])


async def test_nothing_is_looked_at_but_while_a_line_of_ours_is_under_way(app: App, desk: FakeDesk) -> None:
    """Every hook costs every run of every matcher."""
    seen: list[bool] = []

    async def count() -> None:
        seen.append(any("mishu" in str(hook.call.__module__) for hook in _run_postprocessors))

    with beside(on_message(priority=9, block=False), count):
        await handled(app, message(1))
        desk.interest = Interest.NONE
        await handled(app, message(2))
    assert seen == [True, False]


async def test_what_another_plugin_calls_itself_is_told(app: App, desk: FakeDesk) -> None:
    with beside(on_command("天气", priority=9, block=False), _nothing):
        await handled(app, said("/天气"))
    assert isinstance(desk.taken[0], TakenBy)
    assert desk.taken[0].plugin
