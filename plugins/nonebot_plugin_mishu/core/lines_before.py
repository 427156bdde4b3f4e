"""Lines of the conversation just before a line, by the ledger at the start of the turn. Pure.

What its speaker had said to us is left out: it stands in the history of the two. So does what we said to
them: rules look at none of ours, and a model is shown what others were told.
"""

from __future__ import annotations

from typing import Final

from ..agents.api.request import Request, Utterance
from ..language.clause import SaidBefore
from ..memory import clean_name, one_line
from ..prompts.quoting import QUOTE, fitted
from ..storage.records import LedgerMessage

OURS: Final = "秘书"
"""Speaker name of our own lines, for a model."""
MINUTES: Final = 600.0
"""Seconds of the window before a line."""
_SHOWN: Final = 6
"""Most lines shown to a model."""
_LOOKED_AT: Final = 20
"""Most lines used by rules."""
_LONGEST: Final = 200


def lines_just_before(request: Request, said: Utterance) -> tuple[SaidBefore, ...]:
    """Last lines of the talk, for rules, oldest first."""
    lines = [
        SaidBefore(each.name, each.text, each.user_id == said.user_id)
        for each in _before(request, said)
        if len(each.text) <= _LONGEST
    ]
    return tuple(lines[-_LOOKED_AT:])


def around(request: Request, said: Utterance) -> list[str]:
    """The last lines of the talk, each behind its speaker's name, as a model is shown them; with ours, which
    others were told and which are in no history of the speaker's."""
    lines = [
        f"{OURS if each.is_bot else clean_name(each.name)}：{one_line(fitted(each.text, QUOTE))}"
        for each in _before(request, said, ours=True)
    ]
    return lines[-_SHOWN:]


def lately(request: Request, said: Utterance) -> list[str]:
    """Last lines of anybody before the line, ours included."""
    message = said.message
    return [
        each.text
        for each in request.context
        if each.order < message.order and message.time - each.time <= MINUTES and not each.recalled
    ]


def _before(request: Request, said: Utterance, *, ours: bool = False) -> list[LedgerMessage]:
    message = said.message
    return [
        each
        for each in request.context
        if each.order < message.order
        and message.time - each.time <= MINUTES
        and (ours or not each.is_bot)
        and not (each.recalled or (each.user_id == said.user_id and each.addressed))
        and each.text.strip()
    ]
