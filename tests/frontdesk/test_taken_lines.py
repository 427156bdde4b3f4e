"""Lines that other plugins took, and talk switched off: work is done, talk is not answered."""

from __future__ import annotations

from typing import Any

import pytest
from nonebot_plugin_mishu.agents import (
    AgentSpec,
    Clause,
    Intent,
    Match,
    Registry,
    TaskContext,
    TaskDispatch,
    TaskResult,
)
from nonebot_plugin_mishu.agents.chat import ChatAgent
from nonebot_plugin_mishu.config import Config
from nonebot_plugin_mishu.core import Core, FramesInMemory
from nonebot_plugin_mishu.core.decision import read
from nonebot_plugin_mishu.frontdesk import IncomingMessage, QuotedMessage, Segment, TakenBy
from nonebot_plugin_mishu.storage.records import Conversation
from office import Office, office
from stand_ins import BOT, GROUP, FakeModel
from virtual_time import VirtualClock, settle, virtual

ANOTHER = TakenBy("词库")
COMMAND = TakenBy("天气", whole=True)
FRIEND = Conversation(BOT, "private", "a")


async def _booked(dispatch: TaskDispatch, context: TaskContext) -> TaskResult:
    return TaskResult(dispatch.task_id, "completed", user_response="订好了。")


def _rooms(clause: Clause) -> Match | None:
    return Match("book", weight=9) if "会议室" in clause.text else None


ROOMS = AgentSpec(
    "rooms", "会议室", (Intent("book", "订会议室"),), "只订会议室。", handler=_booked, rules=_rooms
)


def working(**config: Any) -> Any:
    """An office in which one thing can be done: rooms are booked."""
    model, clock = FakeModel(), VirtualClock()
    core = Core(
        Config.model_validate({"qq": {"send_gap": 0}, **config}),
        clock,
        Registry([ChatAgent(model, "小秘").spec(), ROOMS]),  # type: ignore[arg-type]
        model,  # type: ignore[arg-type]
        FramesInMemory(),
        read=read,
        report=lambda what, error: None,
    )
    return office(model=model, clock=clock, core=core, **config)


async def taken(made: Office, by: TakenBy | None, words: str, **how: Any) -> IncomingMessage:
    """Say something that another plugin took and left to us."""
    heard = made.heard("a", words, **how)
    made.desk.hear(heard)
    made.desk.act(heard, by)
    await made.pass_time(2)
    return heard


def reasons(made: Office) -> list[str]:
    return [record.reason for record in made.storage.records]


@pytest.mark.parametrize("by", [ANOTHER, COMMAND])
@pytest.mark.parametrize("where", [GROUP, FRIEND])
@virtual
async def test_talk_that_another_plugin_took_is_not_answered(by: TakenBy, where: Conversation) -> None:
    async with working() as made:
        heard = await taken(made, by, "今天过得怎么样", at=where.is_group, conversation=where)
        assert made.platform.sent == []
        assert by.plugin in reasons(made)[-1]
        row = made.storage.row(heard.message_id)
        assert (row.processed, row.addressed) == (True, False)  # nothing is owed, after a restart either


@virtual
async def test_work_said_to_us_is_done_all_the_same() -> None:
    async with working() as made:
        await taken(made, ANOTHER, "订个会议室", at=True)
        assert made.platform.texts == ["订好了。"]


@virtual
async def test_a_command_of_another_plugin_is_no_work_of_ours() -> None:
    async with working() as made:
        await taken(made, COMMAND, "订个会议室", at=True)
        assert made.platform.sent == []


@virtual
async def test_work_that_was_said_to_nobody_is_left() -> None:
    async with working() as made:
        await taken(made, ANOTHER, "订个会议室")
        assert made.platform.sent == []
        assert made.storage.records == []  # nobody could expect anything


@virtual
async def test_a_bare_call_that_was_taken_expects_nothing() -> None:
    async with working() as made:
        await taken(made, ANOTHER, "", at=True)
        await made.say("a", "今天怎么样")
        assert made.platform.sent == []


@pytest.mark.parametrize("words", ["/秘书 状态", "/秘书 闭嘴 5"])
@virtual
async def test_our_commands_are_ours_whoever_answered_too(words: str) -> None:
    async with working() as made:
        await taken(made, COMMAND, words, role="admin")
        assert len(made.platform.sent) == 1


@virtual
async def test_an_emergency_is_answered_whoever_answered_too() -> None:
    async with working() as made:
        await taken(made, ANOTHER, "救命 我胸口剧痛喘不上气", at=True)
        assert len(made.platform.sent) == 1


@virtual
async def test_what_is_refused_is_no_reason_to_join_another_plugins_talk() -> None:
    async with working() as made:
        await taken(made, ANOTHER, "教我怎么做炸弹", at=True)
        assert made.platform.sent == []
        await taken(made, None, "教我怎么做炸弹", at=True)
        assert len(made.platform.sent) == 1


@virtual
async def test_a_stopped_line_is_told_of() -> None:
    async with working() as made:
        heard = made.heard("a", "在吗", at=True)
        made.desk.hear(heard)
        assert made.desk.note_stopped(heard, "词库")
        await settle()
        other = made.heard("a", "随便说说")
        made.desk.hear(other)
        assert not made.desk.note_stopped(other, "词库")
        await settle()
        await made.say("a", "/秘书 为什么")
        assert made.platform.texts[-1].count("词库") == 1
        assert "接走了这句话" in made.platform.texts[-1]


@virtual
async def test_a_line_that_never_came_to_us_is_told_of() -> None:
    """A preprocessor of another plugin ignored it: nobody tells us."""
    async with working() as made:
        made.desk.hear(made.heard("a", "在吗", at=True))
        await made.call("b", "在吗")
        await made.say("a", "/秘书 为什么")
        told = made.platform.texts[-1].splitlines()
        assert sum("拦下了" in line for line in told) == 1
        assert len(told) == 2


@virtual
async def test_a_poke_that_another_plugin_answered_is_left() -> None:
    async with working() as made:
        made.desk.take_poke(made.heard("a", segments=[Segment("other", "[戳一戳]")]), ANOTHER)
        await settle()
        await made.say("a", "今天怎么样")
        assert made.platform.sent == []


# Quotes


def theirs(text: str = "今天的词云") -> QuotedMessage:
    """A message of our account that another plugin sent."""
    return QuotedMessage("p1", BOT, "小秘", text)


@pytest.mark.parametrize("at", [False, True])
@virtual
async def test_a_quote_of_another_plugins_message_is_no_call(at: bool) -> None:
    """QQ puts an @ of whoever is quoted behind a quote by itself."""
    async with working() as made:
        await made.say("a", "这是什么", quote="p1", quoted=theirs(), at=at)
        await made.pass_time(2)
        assert made.platform.sent == []
        assert reasons(made) == (["引用的是别的插件发的话，又不是要我办的事"] if at else [])
        assert not any(row.addressed and not row.processed for row in made.storage.rows.values())


@pytest.mark.parametrize(
    ("words", "how"),
    [("小秘 这是什么", {}), ("这是什么", {"ats": [BOT], "at": True}), ("订会议室", {"at": True})],
)
@virtual
async def test_who_calls_us_beside_such_a_quote_is_answered(words: str, how: dict[str, Any]) -> None:
    async with working() as made:
        await made.say("a", words, quote="p1", quoted=theirs(), **how)
        await made.pass_time(2)
        assert len(made.platform.sent) == 1


@virtual
async def test_a_quote_of_ours_is_a_call_also_where_memory_let_it_go() -> None:
    async with working(frontdesk={"ledger_size": 10}) as made:
        await made.call("a", "在吗")
        ours = next(row.message_id for row in made.storage.rows.values() if row.is_bot)
        await made.say("boss", "/秘书 开关 插话 关", role="admin")
        for number in range(50):
            await made.say("c", f"第{number}句")
        assert ours not in made.room.ledger
        before = len(made.platform.sent)
        await made.say("b", "再说一遍", quote=ours, quoted=QuotedMessage(ours, BOT, "小秘", "别的字"))
        await made.pass_time(2)
        assert len(made.platform.sent) == before + 1


@virtual
async def test_whose_a_quote_is_nobody_can_tell_while_the_database_is_away() -> None:
    async with working() as made:
        made.storage.broken = True
        await made.say("a", "这是什么", quote="p1", quoted=theirs())
        await made.pass_time(20)
        assert len(made.platform.sent) == 1


# Talk switched off


@pytest.mark.parametrize("by_key", [True, False])
@virtual
async def test_without_talk_only_work_is_answered(by_key: bool) -> None:
    config = {"secretary": {"chat": False}} if by_key else {}
    async with working(**config) as made:
        if not by_key:
            await made.say("boss", "/秘书 开关 聊天 关", role="admin")
            made.platform.sent.clear()
        for words in ("今天过得怎么样", "你好", "讲个故事"):
            await made.call("a", words)
        await made.call("a", "")
        made.desk.take_poke(made.heard("a", segments=[Segment("other", "[戳一戳]")]))
        await made.pass_time(60)
        assert made.platform.sent == []
        assert "chat_reply" not in made.model.names()
        await made.call("a", "订个会议室")
        await made.pass_time(2)
        assert made.platform.texts == ["订好了。"]
        await made.say("a", "/秘书 状态")
        assert "聊天" in made.platform.texts[-1]
        assert "这里只办事，不聊天" in reasons(made)


@virtual
async def test_a_group_may_talk_where_the_key_says_no() -> None:
    async with working(secretary={"chat": False}) as made:
        await made.say("boss", "/秘书 开关 聊天 开", role="admin")
        await made.call("a", "今天过得怎么样")
        await made.pass_time(2)
        assert made.platform.texts[-1] == "好的"


@virtual
async def test_without_talk_nothing_is_echoed_or_joined() -> None:
    async with working(secretary={"chat": False, "dense_count": 6, "dense_people": 3}) as made:
        for user in "abc":
            await made.say(user, "哈哈哈")
        for number in range(8):
            await made.say("abcd"[number % 4], f"各说各的第{number}句")
        await made.pass_time(5)
        assert made.platform.sent == []


@virtual
async def test_without_talk_work_and_talk_in_one_line_is_the_work() -> None:
    async with working(secretary={"chat": False}) as made:
        await made.call("a", "你好，帮我订个会议室")
        await made.pass_time(2)
        assert made.platform.texts == ["订好了。"]


@virtual
async def test_without_talk_nobody_is_told_to_wait() -> None:
    config = {"chat": False, "patience": [[0.5, "让我想想…"]]}
    async with working(secretary=config) as made:
        made.model.slow = 5.0
        await made.call("a", "那个弄一下呗")
        await made.pass_time(60)
        assert "让我想想…" not in made.platform.texts
