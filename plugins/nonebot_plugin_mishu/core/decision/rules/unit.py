"""A stretch of a message that asks for one thing, or is talk."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final, Literal

from ....language.clause import Clause
from ....language.clauses.vocabulary import is_detail, is_talk, only_time
from .choosing import Choice

LONGEST_JOINED: Final = 200
"""A clause that has grown longer is not shown to the rules again: forms read no more of one (`language`), and
thirty pieces joined one by one would each time be read whole."""


class Unit:
    """Stretch of the message with one request; without a choice it is talk.

    Whose it is is read when somebody wants to know: most pieces join a neighbour whatever they are alone.
    """

    __slots__ = ("_before", "_choice", "_parts", "_read", "clause", "end", "hollow", "start")

    def __init__(
        self,
        start: int,
        end: int,
        clause: Clause,
        read: Callable[[Clause, Unit | None], Choice | None],
        before: Unit | None,
        *,
        hollow: bool,
        parts: tuple[Unit, Unit] | None = None,
    ) -> None:
        self.start = start
        self.end = end
        self.clause = clause
        self.hollow = hollow
        self._read = read
        self._before = before
        self._parts = parts
        self._choice: Choice | Literal["unread"] | None = "unread"

    @property
    def choice(self) -> Choice | None:
        """Agent of the unit; of two joined ones the choice for the whole, else the fuller of the two."""
        if self._choice == "unread":
            short = self._parts is None or self.end - self.start <= LONGEST_JOINED
            choice = self._read(self.clause, self._before) if short else None
            self._choice = _fuller(*self._parts) if choice is None and self._parts is not None else choice
        return self._choice

    @choice.setter
    def choice(self, choice: Choice | None) -> None:
        self._choice = choice

    @property
    def recognised(self) -> bool:
        """True if an agent's rules recognise it, or one of its joined parts."""
        if self._choice != "unread":
            return self._choice is not None
        if self._parts is not None and any(part.recognised for part in self._parts):
            return True
        return self.choice is not None

    @property
    def talk(self) -> bool:
        """True if no agent recognises it and it needs a reply of its own."""
        if self.recognised:
            return False
        return is_talk(self.clause.text) if self._parts is None else any(part.talk for part in self._parts)


def _fuller(last: Unit, new: Unit) -> Choice | None:
    """Choice of two joined units whose whole the rules do not recognise: the fuller one, sure only if the
    other adds nothing. World knowledge of a part is not kept for the whole."""
    if last.choice is None or new.choice is None:
        full, other = (new, last) if last.choice is None else (last, new)
    else:
        full, other = (new, last) if last.hollow else (last, new)
    choice = full.choice
    if choice is None:
        return None
    adds = not (other.hollow or only_time(other.clause) or is_detail(other.clause))
    match = replace(choice.match, clause=None)
    return replace(choice, match=match, sure=choice.sure and not adds)
