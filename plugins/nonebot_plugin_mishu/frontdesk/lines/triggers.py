"""Triggers: why a message should reach the secretary, found locally, without a lock or a model."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass

from ...language.addressing.called_names import is_only_a_call, names_one
from ...secretary import PresenceState, Trigger
from ...storage.records import LedgerMessage
from ..rooms.crowd import CrowdRules, is_dense, is_echo
from .incoming_message import IncomingMessage

FOLLOW_UP = 60.0
"""Seconds in which a member's next line after a bare @ is a summons, and after our reply may be an order."""


@dataclass(frozen=True, slots=True)
class TriggerFacts:
    """Conversation state at the time a message is checked. All of it is in memory."""

    state: PresenceState
    names: Collection[str]
    """NICKNAME and wake words."""
    awaited: bool = False
    """A question or draft of ours waits for the sender."""
    polled: bool = False
    """It is a voice in an open poll, the sender's or that of whoever is @-ed."""
    asked: bool = False
    """A question or draft of ours is open for the sender, whether this line answers it or not."""
    expected: bool = False
    """The sender called us a moment ago and said nothing else."""
    replied_to: bool = False
    """We replied to the sender within the last minute."""
    quotes_bot: bool = False
    may_echo: bool = False
    """The presence machine would join in when its turn comes, and the feature 复读 is on."""
    may_join: bool = False
    """As `may_echo`, for dense talk and the feature 插话."""
    lively: bool = True
    """Enough may have been said lately, by enough people, for dense talk: worth counting."""
    amends: Callable[[str], bool] = lambda words: False
    """True if words refer to the sender's last change of a moment ago (地点302)."""
    overhears: bool = False
    """Talk among members is listened to here now."""
    is_talk: Callable[[str], bool] = lambda words: True
    """True if words would be talk and no work if addressed to us. Called for dense talk only: an echoed +1
    orders nothing."""
    watches: bool = True
    """The feature 安全 is on: an emergency is answered, whoever it was said to and whatever our presence."""
    may_chat: bool = True
    """The feature 插话 is on."""


def called(heard: IncomingMessage, names: Collection[str], quotes_bot: bool) -> bool:
    """True if the message calls the bot by itself: an @, a reply to the bot, a name in the sender's words."""
    if not heard.obeyed:
        return False
    return heard.at_bot or quotes_bot or not heard.conversation.is_group or names_one(heard.words, names)


def is_bare(heard: IncomingMessage, names: Collection[str]) -> bool:
    """True if the message is only a call: an @ or a name without words, pictures, voice or quote."""
    if any(part.kind not in ("text", "at") for part in heard.segments) or heard.ats_others:
        return False
    return is_only_a_call(heard.words, names, at_bot=heard.at_bot)


def detect(
    heard: IncomingMessage,
    message: LedgerMessage,
    facts: TriggerFacts,
    newest_first: Callable[[], Iterable[LedgerMessage]],
    bots: Collection[str],
    crowd: CrowdRules,
    alarms: Callable[[str], bool],
    reads_as_order: Callable[[str], bool],
    overhears: Callable[[str], bool],
) -> Trigger | None:
    """The trigger of a message, None where it is only stored. In the order of `Trigger`."""
    if not heard.obeyed:
        return None
    if called(heard, facts.names, facts.quotes_bot) or facts.expected:
        return Trigger.SUMMON
    speaks_to_others = heard.ats_others or heard.reply_to is not None
    if facts.awaited and not speaks_to_others:
        return Trigger.ANSWER
    if facts.polled and heard.reply_to is None:
        return Trigger.ANSWER
    observing = facts.state is PresenceState.OBSERVING
    if facts.watches and alarms(heard.words):
        return Trigger.ORDER  # an emergency, whoever it was said to
    if observing and facts.replied_to and not speaks_to_others and reads_as_order(heard.words):
        return Trigger.ORDER
    if observing and not speaks_to_others and facts.amends(heard.words):
        return Trigger.ORDER
    joins = _joins(message, facts, newest_first, bots, crowd)
    # What is work for us, or may be an answer, is no talk to join in, whoever was meant to hear it.
    if joins is not None and not facts.asked:
        talk = not reads_as_order(heard.words) if joins is Trigger.ECHO else facts.is_talk(heard.words)
        if talk:
            return joins
    if facts.overhears and heard.reply_to is None and overhears(heard.words):
        return Trigger.OVERHEARD
    if observing and facts.may_chat:
        return Trigger.CHAT
    return None


def _joins(
    message: LedgerMessage,
    facts: TriggerFacts,
    newest_first: Callable[[], Iterable[LedgerMessage]],
    bots: Collection[str],
    crowd: CrowdRules,
) -> Trigger | None:
    """Trigger for joining in when the group says something together."""
    if facts.may_echo and is_echo(message, newest_first(), bots, crowd):
        return Trigger.ECHO
    if facts.may_join and facts.lively and is_dense(message, newest_first(), bots, crowd):
        return Trigger.DENSE
    return None
