"""Reading of a line as a member would say it in a group now; nothing is done."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..agents.builtin import builtin_rules
from ..core.decision import read as decide
from ..language.clause import Situation
from ..storage.records import Conversation
from .office import Office
from .sentences import ProposedItem, find_people, read_sentence


@dataclass(frozen=True, slots=True)
class ReadIntent:
    """One intent that was read: agent, intent, the words it stands in."""

    agent_code: str
    intent: str
    text: str
    sure: bool
    """True if it would be acted on without a question or a model."""


@dataclass(frozen=True, slots=True)
class LineReading:
    """Intents of a line in spoken order, and the items it would add (`sentences.read_sentence`)."""

    sure: bool
    intents: Sequence[ReadIntent]
    items: Sequence[ProposedItem]
    trouble: str
    """Why there are no items; empty where there are some."""


async def read_line(office: Office, place: Conversation, user_id: str | None, text: str) -> LineReading:
    """Reading of a line by the rules, without a model. Writes nothing."""
    members, speaker = await find_people(office, place, user_id)
    others = tuple(each for each in members if speaker is None or each.user_id != speaker.user_id)
    found = decide(text, Situation(office.now(), members=others), builtin_rules())
    proposed = read_sentence(text, office.now(), members, speaker)
    intents = [ReadIntent(each.agent_code, each.intent, each.text, each.sure) for each in found.frames]
    return LineReading(found.sure, intents, proposed.items, proposed.trouble)
