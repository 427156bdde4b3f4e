"""The whole front desk under any order of events: nobody is forgotten, nobody is answered twice."""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from nonebot_plugin_mishu.frontdesk import Segment
from nonebot_plugin_mishu.llm import ModelError
from nonebot_plugin_mishu.secretary import PresenceState, SendFailed
from office import Office, office
from stand_ins import GROUP
from virtual_time import run_virtually, settle

USERS = st.sampled_from("abcdef")
STEP = st.one_of(
    st.tuples(st.sampled_from(["call", "call", "call", "chat", "echo", "bare", "poke", "again"]), USERS),
    st.tuples(st.sampled_from(["silence", "speak", "free", "block", "mute", "unmute", "prune"])),
    st.tuples(st.just("recall"), st.integers(0, 40)),
    st.tuples(st.just("time"), st.sampled_from([0.0, 0.5, 3.0, 8.0, 16.0, 100.0, 250.0, 700.0])),
    st.tuples(st.just("model"), st.sampled_from(["good", "slow", "hangs", "fails", "keen"])),
    st.tuples(st.just("send"), st.sampled_from(["good", "slow", "fails"])),
)


def change_model(made: Office, how: str) -> None:
    model = made.model
    model.reply = {"slow": 20.0, "hangs": 1e6, "fails": ModelError("refused", "chat_reply")}.get(how, "好的")
    model.analysis = {"should_reply": True, "is_questioned": True} if how == "keen" else {}


def change_sending(made: Office, how: str) -> None:
    made.platform.delay = 2.0 if how == "slow" else 0.0
    made.platform.fail = SendFailed("平台拒绝了") if how == "fails" else None


async def live(steps: list[tuple[Any, ...]]) -> None:
    async with office() as made:
        said: list[Any] = []
        owed: set[str] = set()
        answered: Counter[str] = Counter()
        sending_fails = False

        def forgive() -> None:
            owed.clear()

        for kind, *arguments in steps:
            silent = made.room.silenced_until(made.clock.wall()) is not None
            if kind in ("call", "bare"):
                heard = made.heard(arguments[0], "" if kind == "bare" else "问一下", at=True)
                said.append(heard)
                made.hear(heard)
                if not silent:
                    owed.add(heard.message_id)
            elif kind == "chat":
                said.append(made.heard(arguments[0], f"闲聊{len(said)}"))
                made.hear(said[-1])
            elif kind == "echo":
                said.append(made.heard(arguments[0], "哈哈"))
                made.hear(said[-1])
            elif kind == "poke":
                made.desk.take_poke(made.heard(arguments[0], segments=[Segment("other", "[戳一戳]")]))
            elif kind == "again" and said:
                made.hear(said[-1])
            elif kind == "silence":
                await made.say("z", "闭嘴")
                forgive()
            elif kind == "speak":
                await made.say("z", "张嘴")
            elif kind == "mute":
                await made.desk.notices.muted(GROUP, 60)
                forgive()
            elif kind == "unmute":
                await made.desk.notices.unmuted(GROUP)
            elif kind == "recall" and said:
                gone = said[arguments[0] % len(said)].message_id
                await made.desk.notices.recalled(GROUP, gone)
                owed.discard(gone)
            elif kind == "free" and made.model.gate is not None:
                made.model.gate.set()
                made.model.gate = None
            elif kind == "block" and made.model.gate is None:
                made.model.gate = asyncio.Event()
            elif kind == "time":
                await made.pass_time(arguments[0])
            elif kind == "model":
                change_model(made, arguments[0])
            elif kind == "send":
                change_sending(made, arguments[0])
                sending_fails = sending_fails or arguments[0] == "fails"
            elif kind == "prune":
                await made.desk.prune()
            await settle()
        if made.model.gate is not None:
            made.model.gate.set()
            made.model.gate = None
        change_model(made, "good")
        change_sending(made, "good")
        await made.pass_time(1500)

        for _, speech in made.platform.sent:
            answered.update(speech.answers)
        assert not [count for count in answered.values() if count > 1], "answered once"
        if not sending_fails:
            assert owed <= set(answered), "whoever called is answered"
        assert made.room.seat.presence.state in (PresenceState.ABSENT, PresenceState.OBSERVING)
        assert not made.room.seat.lock.busy
        assert len(made.room.hold) == 0
        assert made.room.work is None
        assert [error for _, error in made.reports if not isinstance(error, SendFailed)] == []
        for heard in said:
            known = made.storage.row(heard.message_id)
            if known.addressed:
                assert known.processed, "what was to be answered is marked, however it ended"
        assert len(made.desk._tasks) == 0


@settings(max_examples=250, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(STEP, max_size=25))
def test_nobody_is_forgotten_and_nobody_answered_twice(steps: list[tuple[Any, ...]]) -> None:
    run_virtually(live(steps))
