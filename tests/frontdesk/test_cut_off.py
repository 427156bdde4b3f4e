"""What a kill cut off, or a platform would not take: commands are done once at most and answered, replies are
told at the next chance."""

from __future__ import annotations

import pytest
from nonebot_plugin_mishu.frontdesk.commands.desk import BEGUN, BEGUN_TWICE, NOT_ALLOWED
from nonebot_plugin_mishu.frontdesk.commands.parsing import help_text
from nonebot_plugin_mishu.frontdesk.commands.personal import NOTHING_ASKED
from nonebot_plugin_mishu.frontdesk.resuming import MOST_FAILURES
from nonebot_plugin_mishu.secretary import SendFailed
from nonebot_plugin_mishu.storage.ledger.claims import UnsentReply
from nonebot_plugin_mishu.storage.records import Silence
from office import Office, office
from stand_ins import BOT, GROUP, FakeStorage, line
from virtual_time import BEGAN, settle, virtual

SWITCH = "/秘书 开关 插话 关"
SWITCHED = "好，「插话」关掉了。"
NOT_NOW = SendFailed("这里不允许主动消息，等有人说话时补发", not_now=True)


def owed(storage: FakeStorage, words: str, *, tries: int = 0, role: str = "admin", user: str = "9") -> None:
    """A line that a run before this one heard and did not answer."""
    storage.append(line("cut", words, time=BEGAN - 5, addressed=True, tries=tries, role=role, user_id=user))


async def resumed(made: Office) -> list[str]:
    await made.desk.resume(BOT)
    await made.pass_time(3)
    return made.platform.texts


@pytest.mark.parametrize(
    ("words", "tries", "role", "told"),
    [
        ("/秘书 帮助", 0, "member", help_text()),
        ("/秘书 帮助", 1, "member", BEGUN_TWICE),
        (SWITCH, 0, "admin", SWITCHED),
        (SWITCH, 1, "admin", BEGUN.format(look="发「/秘书 开关 列表」")),
        (SWITCH, 0, "member", NOT_ALLOWED),
        ("/秘书 闭嘴 30", 1, "owner", BEGUN.format(look="发「/秘书 状态」")),
        ("确认忘记", 0, "member", NOTHING_ASKED),
    ],
)
@virtual
async def test_a_command_that_was_cut_off_is_answered_and_not_done_twice(
    words: str, tries: int, role: str, told: str
) -> None:
    storage = FakeStorage()
    owed(storage, words, tries=tries, role=role)
    async with office(storage=storage) as made:
        assert await resumed(made) == [told]
        assert made.platform.sent[0][1].quote == "cut"
        switched = GROUP in storage.kept and storage.kept[GROUP].features.get("插话") is False
        assert switched == (told == SWITCHED)
        assert made.room.settings.silence is None
        if words != "确认忘记":  # which is forgotten as the last one
            assert (storage.row("cut").processed, storage.row("cut").tries) == (True, 1)
        assert await resumed(made) == [told]


@virtual
async def test_a_superusers_command_is_one_after_a_restart_too() -> None:
    storage = FakeStorage()
    owed(storage, SWITCH, role="member")
    async with office(storage=storage) as made:
        made.desk._superusers = lambda: {"9"}
        assert await resumed(made) == [SWITCHED]


@virtual
async def test_a_silence_word_that_was_cut_off_silences() -> None:
    storage = FakeStorage()
    owed(storage, "闭嘴", role="member")
    async with office(storage=storage) as made:
        assert await resumed(made) == []
        assert made.room.settings.silence is not None


@virtual
async def test_what_a_command_will_say_is_on_disk_before_it_is_said_and_begun_before_it_is_done() -> None:
    async with office() as made:
        heard = made.heard("a", SWITCH, role="admin")
        made.hear(heard)
        assert made.storage.row(heard.message_id).addressed, "owed at once"
        await made.pass_time(1)
        begun, done, claimed, sent = (
            made.storage.log.index(what)
            for what in (
                f"tried {heard.message_id}",
                "feature",
                f"claim {heard.message_id}",
                f"sent {heard.message_id}",
            )
        )
        assert begun < done < claimed < sent
        assert made.platform.texts == [SWITCHED]
        read = await made.say("a", "/秘书 帮助")
        assert f"tried {read}" not in made.storage.log
        word = made.heard("a", "闭嘴")
        made.hear(word)
        assert made.storage.row(word.message_id).addressed


@pytest.mark.parametrize(("words", "told"), [("/秘书 闭嘴 30", True), ("提醒我交报告", False)])
@virtual
async def test_in_a_silence_a_commands_answer_is_told_after_a_kill(words: str, told: bool) -> None:
    storage = FakeStorage()
    owed(storage, words)
    storage.cut_off.append(UnsentReply(storage.row("cut"), "好，安静30分钟", ("cut",)))
    await storage.set_silence(GROUP, Silence(until=BEGAN + 600, by_command=True))
    async with office(storage=storage) as made:
        assert await resumed(made) == (["【补发】好，安静30分钟"] if told else [])


@pytest.mark.parametrize("restarted", [False, True])
@virtual
async def test_a_reply_that_could_not_be_said_is_told_once_at_the_next_chance(restarted: bool) -> None:
    storage = FakeStorage()
    async with office(storage=storage) as made:
        made.platform.fail = NOT_NOW
        asked = await made.call("a", "在吗")
        command = await made.say("b", "/秘书 开关 插话 关", role="admin")
        await made.pass_time(3)
        assert made.platform.sent == []
        assert [key for _, key in storage.withheld] == [asked, command]
        assert "补发" in storage.records[-1].reason
        if not restarted:
            await made.say("c", "大家好")
            tries = storage.log.count("begin_withheld")
            assert (len(storage.withheld), tries) == (2, 1), "refused again: it goes on waiting"
            await made.say("c", "嗯嗯")
            assert storage.log.count("begin_withheld") == tries, "not with each line of a busy group"
            made.platform.fail = None
            await made.pass_time(10)
            await made.say("c", "吃了吗")
            await made.pass_time(3)
            await made.say("c", "吃了")
            await made.pass_time(3)
            await check_told(made)
    if restarted:
        async with office(storage=storage) as made:
            made.platform.fail = NOT_NOW
            assert await resumed(made) == []
            made.platform.fail = None
            made.desk.release_withheld(GROUP)
            await made.pass_time(3)
            made.desk.release_withheld(GROUP)
            await made.pass_time(3)
            await check_told(made)


async def check_told(made: Office) -> None:
    assert [(speech.text, speech.mentions) for _, speech in made.platform.sent] == [
        ("【补发】好的", ("a",)),
        (f"【补发】{SWITCHED}", ("b",)),
    ]
    assert made.storage.withheld == {}


@virtual
async def test_a_chance_that_came_while_it_was_refused_is_taken() -> None:
    async with office() as made:
        made.platform.fail, made.platform.delay = NOT_NOW, 1.0
        await made.call("a", "在吗")
        await made.pass_time(0.5)
        made.desk.release_withheld(GROUP)
        await made.pass_time(0.6)
        made.platform.fail = None
        await made.pass_time(3)
        assert made.platform.texts == ["【补发】好的"]


@virtual
async def test_a_reply_waits_for_the_end_of_a_silence_and_is_given_up_where_it_is_refused_for_good() -> None:
    async with office() as made:
        made.platform.fail = NOT_NOW
        await made.call("a", "在吗")
        made.platform.fail = SendFailed("QQ 说内容违规")
        await made.desk._silencing.begin(made.room, 60, by_command=False)
        await made.say("b", "嗯")
        assert len(made.storage.withheld) == 1
        await made.pass_time(61)
        for _ in range(MOST_FAILURES):
            assert len(made.storage.withheld) == 1
            made.desk.release_withheld(GROUP)
            await made.pass_time(1)
        assert made.storage.withheld == {}
        assert "QQ 说内容违规" in made.storage.records[-1].reason
        await settle()


@virtual
async def test_a_reply_that_is_withheld_while_another_is_told_goes_on_waiting() -> None:
    async with office() as made:
        made.platform.fail = NOT_NOW
        await made.call("a", "在吗")
        await made.pass_time(3)
        made.platform.fail, made.platform.delay = None, 5.0
        made.desk.release_withheld(GROUP)
        await made.pass_time(1)
        late = line("late", "秘书 在吗", user_id="b")
        made.storage.append(late)
        made.storage.withheld[BOT, "late"] = UnsentReply(late, "在的", ("late",))
        made.desk._resuming._note_withheld(GROUP, made.clock.monotonic())
        await made.pass_time(10)
        made.desk.release_withheld(GROUP)
        await made.pass_time(10)
        assert made.platform.texts == ["【补发】好的", "【补发】在的"]
