"""Which clauses ask for the group's record: whole lines only, so that no other agent's is taken. Pure."""

from __future__ import annotations

from ..clause import Clause, Match
from .reading import asked


def rules(clause: Clause) -> Match | None:
    """我错过了什么, 总结一下今天, 谁说过报销: what the line as a whole asks for."""
    found = asked(clause)
    return None if found is None else Match(found.kind, 4, why="问的是群里说过的话")
