"""School terms: when week 1 begins, which week it is, and the question for it where a line needs it
(docs/importing.md)."""

from __future__ import annotations

from typing import Final

from ...storage import Storage
from ..api.builtin_codes import ACTS
from ..api.spec import AgentSpec, Intent
from ..schedule.free.answering import FEATURE
from .answering import answers
from .handler import CODE, TermAgent, current_term
from .rules import claims, rules

INTENTS: Final = (
    Intent(
        "set",
        "定下学期第一周是哪周、现在第几周、一共几周",
        ("本学期9月7号开始", "这周是第11周", "学期18周"),
        own_mood=True,
    ),
    Intent("ask", "问第几周、单周双周、哪周是几号", ("现在第几周", "第9周是几号"), reads_only=True),
    Intent("first_week", "话里说了第几周，还不知道学期从哪周算起", ("第9周周三三四节高数",), own_mood=True),
    Intent("no_week", "话里说的那周学期里没有", (), reads_only=True, own_mood=True),
)


def term_spec(storage: Storage) -> AgentSpec:
    """Specification of the agent."""
    agent = TermAgent(storage)
    return AgentSpec(
        code=CODE,
        own_words=True,
        name="学期",
        intents=INTENTS,
        boundary="只管学期从哪周算起、现在第几周、一共几周。上课和有没有空归日程。",
        handler=agent.handle,
        rules=rules,
        claims=claims,
        answers=answers,
        acts=ACTS[CODE],
        insertable=True,
        feature=FEATURE,
        undo=agent.undo,
    )


__all__ = ["CODE", "TermAgent", "current_term", "term_spec"]
