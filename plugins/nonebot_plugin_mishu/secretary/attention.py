"""Rate limit for checking group talk: fewer checks the less they lead to. Pure.

Times are monotonic seconds. A look that led to a reply makes the next ones free again; so does an hour in
which nothing was looked at. Talk that may have made a plan has a pace of its own: it is looked at although
much was looked at in vain.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from ..language.clauses.vocabulary import says_little
from ..language.lines.marks import questions
from ..language.text.fold import normalise
from .turn import Turn

FORGOTTEN: Final = 3600.0
GOES_ON: Final = 120.0
"""Seconds in which the next lines of whoever we answered last go on with that talk."""


@dataclass(frozen=True, slots=True)
class TalkPace:
    """Check rate while checks lead to no reply."""

    free: int
    """Looks in a row that may lead to nothing before they become rarer."""
    first: float
    """Seconds until the next look after that; twice as many with each further one."""
    longest: float


TALK: Final = TalkPace(free=3, first=60.0, longest=1800.0)
"""Talk that nothing is known of."""
PLANS: Final = TalkPace(free=6, first=60.0, longest=600.0)
"""Talk that may have made a plan (`plans.may_make_plan`)."""


@dataclass(frozen=True, slots=True)
class Attention:
    """Results of the last checks of a conversation."""

    pace: TalkPace = TALK
    fruitless: int = 0
    """Looks in a row after which nothing was said."""
    at: float | None = None
    """When the last look was."""

    def allows(self, now: float) -> bool:
        """True if talk is worth a look now."""
        pace = self.pace
        if self.at is None or self.fruitless < pace.free or now - self.at >= FORGOTTEN:
            return True
        return now - self.at >= min(pace.longest, pace.first * 2 ** min(self.fruitless - pace.free, 10))

    def after_check(self, now: float, *, led: bool) -> Attention:
        """The rate after another check; `led`: something was said."""
        rested = self.at is not None and now - self.at >= FORGOTTEN
        return Attention(self.pace, 0 if led else 1 if rested else self.fruitless + 1, now)


def all_say_little(texts: Iterable[str]) -> bool:
    """True if lines are only 收到, 1, 哈哈 and sticker pictures, or there are none."""
    return all(says_little(text) for text in texts)


def continues_with_us(turn: Turn) -> bool:
    """True if the speaker continues a conversation with us: our last line, not long ago, answered them. If
    their answered line was unaddressed, only their next line counts. 嗯 counts only behind a question of
    ours."""
    lead = turn.lead.message
    if not lead.conversation.is_group:
        return True
    before = [said for said in turn.context if said.order < lead.order]
    ours = next((said for said in reversed(before) if said.is_bot), None)
    if ours is None or lead.time - ours.time > GOES_ON:
        return False
    answered = next((said for said in before if said.message_id == ours.reply_to), None)
    if answered is None or answered.user_id != lead.user_id:
        return False
    if says_little(lead.text) and not questions(normalise(ours.text)):
        return False
    since = [said for said in before if said.user_id == lead.user_id and said.order > ours.order]
    return answered.addressed or not since
