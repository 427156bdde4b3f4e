"""The presence machine: `(presence, event, now) -> step`, pure, as in product section 2 and seed 3.

Times are monotonic seconds. The machine knows no clock and keeps no timer: `Presence.wake_at` says when a
`Tick` would change something, and whoever runs the machine delivers it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum

from .turn import Trigger


class PresenceState(StrEnum):
    """Presence state in one conversation."""

    ABSENT = "absent"
    FAMILIAR = "familiar"
    SUMMONED = "summoned"
    OBSERVING = "observing"

    @property
    def label(self) -> str:
        """The state's name for people."""
        return _LABELS[self]


_LABELS = {
    PresenceState.ABSENT: "没在听",
    PresenceState.FAMILIAR: "凑热闹",
    PresenceState.SUMMONED: "有人叫",
    PresenceState.OBSERVING: "留意着",
}


@dataclass(frozen=True, slots=True)
class Rules:
    """The machine's times in seconds, from the configuration."""

    cooldown: float = 7
    observing_timeout: float = 600
    familiar_timeout: float = 600
    familiar_cooldown: float = 1800
    unasked_gap: float = 0


@dataclass(frozen=True, slots=True)
class Presence:
    """Everything the machine remembers of one conversation."""

    state: PresenceState = PresenceState.ABSENT
    since: float = 0.0
    before: PresenceState = PresenceState.ABSENT
    """The state to go back to when a summons or a joining-in ends without a reply."""
    active_at: float = 0.0
    """When the bot last spoke or was addressed."""
    familiar_at: float | None = None
    """When it last became familiar."""
    unasked_at: float | None = None
    """When the bot last said something that nobody had asked for."""
    cooldown_until: float = 0.0
    skipped: str | None = None
    """Id of the newest message skipped in the running cooldown: it is analysed when the cooldown ends."""

    def wake_at(self, rules: Rules) -> float | None:
        """When a `Tick` is due next, or None."""
        times: list[float] = []
        if self.state is PresenceState.OBSERVING:
            times.append(self.active_at + rules.observing_timeout)
            if self.skipped is not None:
                times.append(self.cooldown_until)
        elif self.state is PresenceState.FAMILIAR:
            times.append(self.since + rules.familiar_timeout)
        return min(times, default=None)

    def may_join(self, now: float, rules: Rules) -> bool:
        """True if an echo or dense talk would be joined now."""
        return self.may_speak_up(now, rules) and self.state in (PresenceState.ABSENT, PresenceState.OBSERVING)

    def may_speak_unasked(self, now: float, rules: Rules) -> bool:
        """True if the last unasked line is long enough ago for another one."""
        return self.unasked_at is None or now - self.unasked_at >= rules.unasked_gap

    def may_speak_up(self, now: float, rules: Rules) -> bool:
        """True if the last joining-in and the last unasked line are long enough ago."""
        long_ago = self.familiar_at is None or now - self.familiar_at >= rules.familiar_cooldown
        return long_ago and self.may_speak_unasked(now, rules)


class PresenceEvent(StrEnum):
    """Presence events, beside accepted triggers."""

    ANALYSED = "analysed"
    REPLY_SENT = "reply sent"
    UNASKED_SENT = "unasked reply sent"
    QUESTION_ASKED = "overheard question asked"
    ENDED = "ended without a reply"
    TICK = "tick"
    SILENCED = "silence begins"
    INVALID = "state found invalid"
    RESTARTED = "restart"


class Effect(StrEnum):
    """Effects of a presence transition."""

    NONE = "nothing"
    FORCED = "analyse, reply whatever the analysis says"
    CORE = "straight to the core, must be answered"
    JOIN_IN = "join in without analysis"
    JUDGE = "analyse, reply if asked or interested"
    LISTEN = "ask about what was overheard"
    SKIP = "skipped in the cooldown"
    TRAILING = "take the newest skipped message"


@dataclass(frozen=True, slots=True)
class Step:
    """The result of one step; `message` names the message of a `TRAILING` effect."""

    presence: Presence
    effect: Effect = Effect.NONE
    message: str | None = None


def take(presence: Presence, trigger: Trigger, message_id: str, now: float, rules: Rules) -> Step:
    """The secretary takes a triggering message: the transition happens now and not while it was held."""
    return _TAKE[trigger](_faded(presence, now, rules), message_id, now, rules)


def step(presence: Presence, event: PresenceEvent, now: float, rules: Rules) -> Step:
    """Everything that happens beside a trigger being taken."""
    return _STEP[event](presence, now, rules)


def _faded(presence: Presence, now: float, rules: Rules) -> Presence:
    """The presence with its time-outs applied, whether a tick has come yet or not."""
    idle = presence.state is PresenceState.OBSERVING and now >= presence.active_at + rules.observing_timeout
    unused = presence.state is PresenceState.FAMILIAR and now >= presence.since + rules.familiar_timeout
    return replace(_to(presence, PresenceState.ABSENT, now), skipped=None) if idle or unused else presence


def _to(presence: Presence, state: PresenceState, now: float) -> Presence:
    return presence if presence.state is state else replace(presence, state=state, since=now)


def _fallback(presence: Presence) -> PresenceState:
    """The state a new attempt would fall back to: nested attempts keep the first one's."""
    return (
        presence.before
        if presence.state in (PresenceState.SUMMONED, PresenceState.FAMILIAR)
        else presence.state
    )


def _summon(presence: Presence, message_id: str, now: float, rules: Rules) -> Step:
    summoned = replace(_to(presence, PresenceState.SUMMONED, now), before=_fallback(presence), active_at=now)
    return Step(summoned, Effect.FORCED)


def _answer(presence: Presence, message_id: str, now: float, rules: Rules) -> Step:
    if presence.state is PresenceState.OBSERVING:
        return Step(replace(presence, active_at=now), Effect.CORE)
    return Step(_summon(presence, message_id, now, rules).presence, Effect.CORE)


def _join(presence: Presence, message_id: str, now: float, rules: Rules) -> Step:
    if not presence.may_join(now, rules):
        return Step(presence)
    familiar = replace(_to(presence, PresenceState.FAMILIAR, now), before=presence.state, familiar_at=now)
    return Step(familiar, Effect.JOIN_IN)


def _overheard(presence: Presence, message_id: str, now: float, rules: Rules) -> Step:
    return Step(presence, Effect.LISTEN)


def _chat(presence: Presence, message_id: str, now: float, rules: Rules) -> Step:
    if presence.state is not PresenceState.OBSERVING:
        return Step(presence)
    if now < presence.cooldown_until:
        return Step(replace(presence, skipped=message_id), Effect.SKIP)
    return Step(replace(presence, skipped=None), Effect.JUDGE)  # what was skipped before is in its context


_Take = Callable[[Presence, str, float, Rules], Step]
_TAKE: dict[Trigger, _Take] = {
    Trigger.SUMMON: _summon,
    Trigger.ANSWER: _answer,
    Trigger.ORDER: _answer,
    Trigger.ECHO: _join,
    Trigger.DENSE: _join,
    Trigger.OVERHEARD: _overheard,
    Trigger.CHAT: _chat,
}


def _analysed(presence: Presence, now: float, rules: Rules) -> Step:
    return Step(replace(presence, cooldown_until=now + rules.cooldown, skipped=None))


def _reply_sent(presence: Presence, now: float, rules: Rules) -> Step:
    observing = _to(presence, PresenceState.OBSERVING, now)
    return Step(replace(observing, active_at=now, cooldown_until=now + rules.cooldown, skipped=None))


def _unasked_sent(presence: Presence, now: float, rules: Rules) -> Step:
    return Step(replace(_reply_sent(presence, now, rules).presence, unasked_at=now))


def _question_asked(presence: Presence, now: float, rules: Rules) -> Step:
    asked = (
        _to(presence, PresenceState.OBSERVING, now) if presence.state is PresenceState.ABSENT else presence
    )
    return Step(replace(asked, active_at=now))


def _ended(presence: Presence, now: float, rules: Rules) -> Step:
    if presence.state in (PresenceState.SUMMONED, PresenceState.FAMILIAR):
        return Step(_to(presence, presence.before, now))
    return Step(presence)


def _tick(presence: Presence, now: float, rules: Rules) -> Step:
    presence = _faded(presence, now, rules)
    if (
        presence.state is PresenceState.OBSERVING
        and presence.skipped is not None
        and now >= presence.cooldown_until
    ):
        return Step(replace(presence, skipped=None), Effect.TRAILING, presence.skipped)
    return Step(presence)


def _reset(presence: Presence, now: float, rules: Rules) -> Step:
    return Step(
        replace(
            _to(presence, PresenceState.ABSENT, now),
            before=PresenceState.ABSENT,
            skipped=None,
            cooldown_until=0.0,
        )
    )


_Step = Callable[[Presence, float, Rules], Step]
_STEP: dict[PresenceEvent, _Step] = {
    PresenceEvent.ANALYSED: _analysed,
    PresenceEvent.REPLY_SENT: _reply_sent,
    PresenceEvent.UNASKED_SENT: _unasked_sent,
    PresenceEvent.QUESTION_ASKED: _question_asked,
    PresenceEvent.ENDED: _ended,
    PresenceEvent.TICK: _tick,
    PresenceEvent.SILENCED: _reset,
    PresenceEvent.INVALID: _reset,
    PresenceEvent.RESTARTED: _reset,
}


def table(rules: Rules | None = None) -> list[tuple[str, str, str, str]]:
    """`(from, on, to, effect)` for every state and event, computed: documentation is printed from it."""
    rules = rules or Rules()
    rows: list[tuple[str, str, str, str]] = []
    for state in PresenceState:
        start = Presence(state=state, before=PresenceState.ABSENT)
        for trigger in Trigger:
            taken = take(start, trigger, "m", 0.0, rules)
            rows.append((state.value, trigger.value, taken.presence.state.value, taken.effect.value))
        for event in PresenceEvent:
            late = 1e9 if event is PresenceEvent.TICK else 0.0
            done = step(start, event, late, rules)
            rows.append((state.value, event.value, done.presence.state.value, done.effect.value))
    return rows
