"""The presence machine: product section 2's table row by row, and what holds for every sequence of events."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule
from nonebot_plugin_mishu.secretary import (
    Effect,
    Presence,
    PresenceEvent,
    PresenceState,
    Rules,
    Step,
    Trigger,
    step,
    table,
    take,
)

RULES = Rules()
NOW = 10_000.0
ABSENT, FAMILIAR, SUMMONED, OBSERVING = (
    PresenceState.ABSENT,
    PresenceState.FAMILIAR,
    PresenceState.SUMMONED,
    PresenceState.OBSERVING,
)


def presence(state: PresenceState, **changed: object) -> Presence:
    start = Presence(state=state, since=NOW, active_at=NOW)
    return replace(start, **changed)  # type: ignore[arg-type]


def happens(start: Presence, what: Trigger | PresenceEvent, now: float = NOW, rules: Rules = RULES) -> Step:
    if isinstance(what, Trigger):
        return take(start, what, "m", now, rules)
    return step(start, what, now, rules)


ROWS: list[tuple[PresenceState, Trigger | PresenceEvent, PresenceState, Effect]] = [
    # any | summon, answer | summoned (answer while observing: stays observing)
    (ABSENT, Trigger.SUMMON, SUMMONED, Effect.FORCED),
    (FAMILIAR, Trigger.SUMMON, SUMMONED, Effect.FORCED),
    (SUMMONED, Trigger.SUMMON, SUMMONED, Effect.FORCED),
    (OBSERVING, Trigger.SUMMON, SUMMONED, Effect.FORCED),
    (ABSENT, Trigger.ANSWER, SUMMONED, Effect.CORE),
    (FAMILIAR, Trigger.ANSWER, SUMMONED, Effect.CORE),
    (SUMMONED, Trigger.ANSWER, SUMMONED, Effect.CORE),
    (OBSERVING, Trigger.ANSWER, OBSERVING, Effect.CORE),
    (OBSERVING, Trigger.ORDER, OBSERVING, Effect.CORE),
    # absent, observing | echo, dense | familiar
    (ABSENT, Trigger.ECHO, FAMILIAR, Effect.JOIN_IN),
    (OBSERVING, Trigger.ECHO, FAMILIAR, Effect.JOIN_IN),
    (ABSENT, Trigger.DENSE, FAMILIAR, Effect.JOIN_IN),
    (OBSERVING, Trigger.DENSE, FAMILIAR, Effect.JOIN_IN),
    (SUMMONED, Trigger.ECHO, SUMMONED, Effect.NONE),
    (FAMILIAR, Trigger.DENSE, FAMILIAR, Effect.NONE),
    # summoned, familiar, observing | reply sent | observing
    (SUMMONED, PresenceEvent.REPLY_SENT, OBSERVING, Effect.NONE),
    (FAMILIAR, PresenceEvent.REPLY_SENT, OBSERVING, Effect.NONE),
    (OBSERVING, PresenceEvent.REPLY_SENT, OBSERVING, Effect.NONE),
    # absent | overheard question asked | observing
    (ABSENT, PresenceEvent.QUESTION_ASKED, OBSERVING, Effect.NONE),
    (SUMMONED, PresenceEvent.QUESTION_ASKED, SUMMONED, Effect.NONE),
    (FAMILIAR, PresenceEvent.QUESTION_ASKED, FAMILIAR, Effect.NONE),
    (ABSENT, Trigger.OVERHEARD, ABSENT, Effect.LISTEN),
    # chat is for observing only
    (OBSERVING, Trigger.CHAT, OBSERVING, Effect.JUDGE),
    (ABSENT, Trigger.CHAT, ABSENT, Effect.NONE),
    (FAMILIAR, Trigger.CHAT, FAMILIAR, Effect.NONE),
    # any | silence begins, state found invalid, restart | absent
    *[
        (state, event, ABSENT, Effect.NONE)
        for state in PresenceState
        for event in (PresenceEvent.SILENCED, PresenceEvent.INVALID, PresenceEvent.RESTARTED)
    ],
    # a tick before its time changes nothing
    *[(state, PresenceEvent.TICK, state, Effect.NONE) for state in PresenceState],
    *[(state, PresenceEvent.ENDED, state, Effect.NONE) for state in (ABSENT, OBSERVING)],
]


@pytest.mark.parametrize(("state", "what", "after", "effect"), ROWS)
def test_the_table(
    state: PresenceState, what: Trigger | PresenceEvent, after: PresenceState, effect: Effect
) -> None:
    done = happens(presence(state), what)
    assert (done.presence.state, done.effect) == (after, effect)


@pytest.mark.parametrize("before", [ABSENT, OBSERVING])
@pytest.mark.parametrize("trigger", [Trigger.SUMMON, Trigger.ECHO, Trigger.DENSE])
def test_ended_without_a_reply_goes_back_to_the_state_before(before: PresenceState, trigger: Trigger) -> None:
    taken = happens(presence(before), trigger).presence
    assert taken.state is not before
    assert happens(taken, PresenceEvent.ENDED).presence.state is before


def test_nested_attempts_go_back_to_the_first_state() -> None:
    once = happens(presence(OBSERVING), Trigger.ECHO).presence
    twice = happens(happens(once, Trigger.SUMMON).presence, Trigger.ANSWER).presence
    assert happens(twice, PresenceEvent.ENDED).presence.state is OBSERVING


@pytest.mark.parametrize(
    ("state", "seconds", "after"),
    [
        (FAMILIAR, 599.9, FAMILIAR),
        (FAMILIAR, 600, ABSENT),
        (OBSERVING, 599.9, OBSERVING),
        (OBSERVING, 600, ABSENT),
    ],
)
def test_timeouts(state: PresenceState, seconds: float, after: PresenceState) -> None:
    start = presence(state)
    assert start.wake_at(RULES) == NOW + 600
    assert happens(start, PresenceEvent.TICK, NOW + seconds).presence.state is after


def test_observing_counts_from_when_the_bot_spoke_or_was_addressed() -> None:
    addressed = happens(presence(OBSERVING), Trigger.ANSWER, NOW + 500).presence
    assert happens(addressed, PresenceEvent.TICK, NOW + 1099).presence.state is OBSERVING
    spoke = happens(addressed, PresenceEvent.REPLY_SENT, NOW + 1000).presence
    assert happens(spoke, PresenceEvent.TICK, NOW + 1599).presence.state is OBSERVING
    assert happens(spoke, PresenceEvent.TICK, NOW + 1600).presence.state is ABSENT


def test_chatter_does_not_prolong_observing() -> None:
    judged = happens(presence(OBSERVING), Trigger.CHAT, NOW + 500)
    analysed = happens(judged.presence, PresenceEvent.ANALYSED, NOW + 501).presence
    assert happens(analysed, PresenceEvent.TICK, NOW + 600).presence.state is ABSENT


@pytest.mark.parametrize(("seconds", "joins"), [(1, False), (1799, False), (1800, True)])
def test_joining_in_not_within_half_an_hour_of_the_last_time(seconds: float, joins: bool) -> None:
    replied = happens(happens(presence(ABSENT), Trigger.ECHO).presence, PresenceEvent.REPLY_SENT).presence
    again = happens(replied, Trigger.DENSE, NOW + seconds)
    assert (again.effect is Effect.JOIN_IN) is joins
    assert replied.may_join(NOW + seconds, RULES) is joins


@pytest.mark.parametrize("rested_by", [PresenceEvent.ANALYSED, PresenceEvent.REPLY_SENT])
def test_pitfall_12_one_analysis_after_a_cooldown_with_ten_messages(rested_by: PresenceEvent) -> None:
    now = happens(presence(OBSERVING), rested_by).presence
    for number in range(10):
        taken = take(now, Trigger.CHAT, f"m{number}", NOW + number / 2, RULES)
        assert taken.effect is Effect.SKIP
        now = taken.presence
    assert now.wake_at(RULES) == NOW + 7
    assert happens(now, PresenceEvent.TICK, NOW + 6.9).effect is Effect.NONE
    due = happens(now, PresenceEvent.TICK, NOW + 7)
    assert (due.effect, due.message) == (Effect.TRAILING, "m9")
    assert happens(due.presence, PresenceEvent.TICK, NOW + 8).effect is Effect.NONE


def test_pitfall_12_an_analysis_before_the_tick_takes_what_was_skipped() -> None:
    skipped = take(
        happens(presence(OBSERVING), PresenceEvent.ANALYSED).presence, Trigger.CHAT, "old", NOW + 1, RULES
    )
    judged = take(skipped.presence, Trigger.CHAT, "new", NOW + 7, RULES)
    assert judged.effect is Effect.JUDGE
    assert happens(judged.presence, PresenceEvent.TICK, NOW + 7.5).effect is Effect.NONE


def test_no_cooldown_for_what_must_be_answered() -> None:
    cooling = happens(presence(OBSERVING), PresenceEvent.REPLY_SENT).presence
    assert happens(cooling, Trigger.SUMMON).effect is Effect.FORCED
    assert happens(cooling, Trigger.ANSWER).effect is Effect.CORE
    assert happens(cooling, Trigger.ORDER).effect is Effect.CORE


def test_the_table_is_computed() -> None:
    rows = table()
    assert len(rows) == len(PresenceState) * (len(Trigger) + len(PresenceEvent))
    assert ("absent", "echo", "familiar", Effect.JOIN_IN.value) in rows
    assert ("observing", "tick", "absent", Effect.NONE.value) in rows


@pytest.mark.parametrize("trigger", list(Trigger))
@pytest.mark.parametrize("late", [0.0, 5.0, 7.0, 600.0, 601.0])
@pytest.mark.parametrize("skipped", [None, "old"])
@pytest.mark.parametrize("state", list(PresenceState))
def test_the_order_of_tick_and_take_does_not_matter(
    trigger: Trigger, late: float, skipped: str | None, state: PresenceState
) -> None:
    skipped = skipped if state is OBSERVING else None
    start = presence(state, skipped=skipped, cooldown_until=NOW + 7)
    now = NOW + late
    alone = take(start, trigger, "m", now, RULES)
    after_tick = take(step(start, PresenceEvent.TICK, now, RULES).presence, trigger, "m", now, RULES)
    assert (alone.presence.state, alone.presence.before, alone.effect) == (
        after_tick.presence.state,
        after_tick.presence.before,
        after_tick.effect,
    )


class Life(RuleBasedStateMachine):
    """Turns of every kind in any order, with ticks delivered at any time or late."""

    def __init__(self) -> None:
        super().__init__()
        self.now = NOW
        self.presence = Presence(since=NOW)
        self.in_turn = False
        self.joined: list[float] = []
        self.skipped: str | None = None
        self.number = 0

    def accept(self, done: Step) -> Effect:
        self.presence = done.presence
        return done.effect

    @rule(seconds=st.sampled_from([0.1, 1.0, 6.9, 7.0, 100.0, 599.0, 601.0, 1801.0]))
    def time_passes(self, seconds: float) -> None:
        self.now += seconds

    @rule()
    def tick(self) -> None:
        effect = self.accept(step(self.presence, PresenceEvent.TICK, self.now, RULES))
        if effect is Effect.TRAILING:
            assert self.skipped is not None
            self.skipped = None
        once = self.presence
        again = step(once, PresenceEvent.TICK, self.now, RULES)
        assert again.presence == once, "ticks are idempotent"
        assert again.effect is Effect.NONE

    @precondition(lambda self: not self.in_turn)
    @rule(trigger=st.sampled_from(list(Trigger)))
    def take(self, trigger: Trigger) -> None:
        before = self.presence
        self.number += 1
        effect = self.accept(take(before, trigger, f"m{self.number}", self.now, RULES))
        self.in_turn = effect in (Effect.FORCED, Effect.CORE, Effect.JOIN_IN, Effect.JUDGE)
        if effect is Effect.JOIN_IN:
            assert all(self.now - last >= RULES.familiar_cooldown for last in self.joined)
            self.joined.append(self.now)
        if effect is Effect.SKIP:
            self.skipped = f"m{self.number}"
        if effect is Effect.JUDGE:
            self.skipped = None
            assert self.now >= before.cooldown_until
        if trigger.obligation:
            assert effect in (Effect.FORCED, Effect.CORE), "whoever must be answered is"

    @precondition(lambda self: self.in_turn)
    @rule(
        ending=st.sampled_from(
            [PresenceEvent.REPLY_SENT, PresenceEvent.ENDED, PresenceEvent.SILENCED, PresenceEvent.INVALID]
        )
    )
    def end(self, ending: PresenceEvent) -> None:
        self.accept(step(self.presence, ending, self.now, RULES))
        self.in_turn = False
        if ending in (PresenceEvent.SILENCED, PresenceEvent.INVALID):
            assert self.presence.state is ABSENT
        if ending is PresenceEvent.REPLY_SENT:
            assert self.presence.state is OBSERVING
            assert self.presence.cooldown_until == self.now + RULES.cooldown

    @precondition(lambda self: self.in_turn)
    @rule()
    def analysed(self) -> None:
        self.accept(step(self.presence, PresenceEvent.ANALYSED, self.now, RULES))

    @invariant()
    def never_stuck(self) -> None:
        if not self.in_turn:
            assert self.presence.state in (ABSENT, OBSERVING)

    @invariant()
    def skipped_is_never_forgotten_nor_invented(self) -> None:
        if self.presence.skipped is not None:
            assert self.presence.skipped == self.skipped
            assert self.in_turn or self.presence.wake_at(RULES) is not None

    @invariant()
    def falls_back_to_a_state_of_rest(self) -> None:
        assert self.presence.before in (ABSENT, OBSERVING)


TestLife = Life.TestCase


def test_a_word_that_nobody_asked_for_is_said_once_in_a_while() -> None:
    rules = replace(RULES, unasked_gap=600.0)
    chimed = happens(presence(OBSERVING), PresenceEvent.UNASKED_SENT, rules=rules).presence
    assert (chimed.state, chimed.cooldown_until) == (OBSERVING, NOW + RULES.cooldown)
    assert not chimed.may_speak_unasked(NOW + 599, rules)
    assert not chimed.may_join(NOW + 599, rules)
    assert chimed.may_speak_unasked(NOW + 600, rules)
    answered = happens(presence(OBSERVING), PresenceEvent.REPLY_SENT, rules=rules).presence
    assert answered.may_speak_unasked(NOW, rules), "an answer is no word that nobody asked for"
    assert chimed.may_speak_unasked(NOW, RULES), "without a gap as often as the analysis says"
