"""Check of a model's slots against the line and the world. Pure.

A frame that names an id that is not in the world, a member nobody knows or a name that nobody said is refused
as a whole; a time that was converted becomes the words it was said in, or is left out. Slots that are free
(other plugins' own text) may be worded by the model, as long as no fact comes in with the words.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass
from typing import Any, Final

from ....language.clause import Clause
from ....language.recognise.money import is_named
from ....language.recognise.times import parse
from ....language.text.fold import normalise
from ....language.text.letters import codes, digits, letters_of
from ....language.text.lists import split_at_marks
from ....language.timing.written_times import words_of_written
from .frame_sums import AMOUNT, ITEM, sums_in

REF: Final = "ref"
MEMBER: Final = "member"
ASSIGNEE: Final = "assignee"
"""A task's own name for who does it; a model may say either."""
ME: Final = "我"
SELF: Final = frozenset({"我", "自己", "本人", "我自己", ""})
_LONGEST_WORDING: Final = 200
_CONTROLS: Final = frozenset({"priority", "status", "count"})
"""Slots whose values are words of ours, or are asked about before they count (两份 of 我跟我对象各来一份)."""
_WAYS: Final = frozenset({"借", "还", "垫"})
"""Words for how money changed hands between two, which the prompt asks for as the item."""
_OF_POLLS: Final[Mapping[str, frozenset[str]]] = {
    "kind": frozenset({"投票", "报名", "接龙", "统计"}),
    "into": frozenset({"日程", "任务", "平摊", "分摊"}),
}
"""By slot: the words for what a poll is, or becomes, which the prompt asks for."""
_PEOPLE: Final = frozenset({"payer", "sharers"})
"""Slots whose values are members: several names are parted by commas."""
_NAMING: Final = frozenset({"title", "new_description", "description", "place"})
"""Slots that name something: made up, they make the whole frame somebody else's."""


@dataclass(frozen=True, slots=True)
class ValueSources:
    """All sources that a value may come from."""

    letters: str
    """Normalised text of the line, its quote, the talk before it and the question."""
    priced: str = ""
    """Text that may hold a sum: the line and its quote; all text if these have no sum."""
    speaker: str = ""
    """Name of the line's speaker, equal to 我."""

    @classmethod
    def of(
        cls, line: Clause, questions: Iterable[str], history: Iterable[str], speaker: str = ""
    ) -> ValueSources:
        """Sources of a line and its context; `speaker` is its member's name."""
        where = line.situation
        texts = [line.text, where.quoted or "", *questions, *history]
        own = normalise("\n".join(texts[:2]))
        priced = own if sums_in(own) else normalise("\n".join(texts))
        texts += [*(thing.name for thing in where.things), *where.facts]
        texts += [each for poll in where.polls for each in (str(poll.id), *poll.options)]
        return cls(letters_of("\n".join(texts)), priced, speaker)

    def says(self, value: str) -> bool:
        """True if a value occurs: literally, or four of five of its letters and every digit."""
        letters = letters_of(value)
        if not letters:
            return False
        if letters in self.letters:
            return True
        known = set(self.letters)
        if any(letter.isdigit() and letter not in known for letter in letters):
            return False
        return 5 * sum(letter in known for letter in letters) >= 4 * len(letters)

    def words(self, value: str, line: Clause) -> bool:
        """True if a value only rewords the sources: no new number, time, sum, code or member."""
        if len(value) > _LONGEST_WORDING or not set(digits(value)) <= set(digits(self.letters)):
            return False
        if any(code not in self.letters for code in codes(value)):
            return False
        if any(each.name in value and not self.says(each.name) for each in _people(line) if each.name):
            return False
        where = line.situation
        said = {(each.date, each.start) for each in line.times}
        times = parse(normalise(value), where.now, where.zone)
        return all((each.date, each.start) in said or self.says(each.text) for each in times)

    def priced_so(self, value: str) -> bool:
        """True if a sum occurs, literally or in other words (8000 of 八千)."""
        value = normalise(value.strip())
        sums = sums_in(value)
        if sums and set(sums) <= set(sums_in(self.priced)):
            return True
        at = self.priced.find(value) if value else -1
        while at >= 0:
            around = self.priced[max(0, at - 1) : at], self.priced[at + len(value) : at + len(value) + 1]
            apart = not any(each and (each.isdigit() or each == ".") for each in around)
            if apart and not is_named(self.priced, at):
                return True
            at = self.priced.find(value, at + 1)
        return False

    def _known(self, names: str, line: Clause) -> bool:
        """True if every name is the speaker's, a member's, or occurs in the text."""
        known = {each.name for each in _people(line)}
        each_of = [each.lstrip("@") for each in split_at_marks(names)]
        own = {*SELF, self.speaker}
        return all(each in own or each in known or self.says(each) for each in each_of)

    def _from_speaker(self, names: str) -> str:
        """Names from the speaker's view: 我 for their own (大壮,小北)."""
        told = [each.lstrip("@") for each in split_at_marks(names)]
        if not any(each in {*SELF, self.speaker} and each != "我" for each in told):
            return names
        return ",".join("我" if each in {*SELF, self.speaker} else each for each in told)

    def value(self, name: str, value: str, line: Clause, free: Set[str] = frozenset()) -> str | None:
        """The value, or the line's own words for a time in it; None if no source has it."""
        if (
            name in _CONTROLS
            or (name == ITEM and value in _WAYS)
            or value in _OF_POLLS.get(name, ())
            or self.says(value)
            or (name in free and self.words(value, line))
        ):
            return value
        return words_of_written(value, line.times)

    def check_slots(
        self,
        given: Mapping[str, str],
        agent_code: str,
        line: Clause,
        more_ids: frozenset[str],
        free: Set[str] = frozenset(),
        *,
        strangers: bool = False,
    ) -> dict[str, Any] | None:
        """Slots whose values have a source; None for a frame about a thing, member, sum or name that has
        none.

        Args:
            given: the model's slots by name.
            agent_code: the frame's agent, whose things its ids refer to.
            line: the member's line.
            more_ids: ids of this agent beside those of the situation.
            free: slots that the model may word.
            strangers: the agent answers itself where a name is nobody's here.
        """
        found: dict[str, Any] = {}
        slots: dict[str, Any] | None
        for name, value in given.items():
            value = value.strip()
            if not value:
                continue
            if name in (REF, "refs", "taskId"):
                slots = _check_refs(value, agent_code, line, more_ids)
            elif name in (MEMBER, ASSIGNEE):
                slots = self._check_member(value, line, changes=REF in given, strangers=strangers)
            elif name == AMOUNT:
                slots = {name: value} if self.priced_so(value) else None
            elif name in _PEOPLE and self._known(value, line):
                slots = {name: self._from_speaker(value)}
            elif (taken := self.value(name, value, line, free)) is not None:
                slots = {name: taken}
            else:
                slots = None if name in _NAMING and name not in free else {}
            if slots is None:
                return None
            found.update(slots)
        return found

    def _check_member(
        self, value: str, line: Clause, *, changes: bool, strangers: bool
    ) -> dict[str, Any] | None:
        """Member slot of a name; the speaker's own name is one only in a change. None if it is nobody's."""
        name = value.lstrip("@")
        if name in {*SELF, self.speaker}:
            return {MEMBER: ME} if changes else {}
        known = any(name in (each.name, each.user_id) for each in _people(line))
        return {MEMBER: name} if known or (strangers and self.says(value)) else None


def _check_refs(value: str, agent_code: str, line: Clause, more_ids: frozenset[str]) -> dict[str, Any] | None:
    """Slot of the ids in a value; None if one of them is unknown."""
    refs = split_at_marks(value)
    ids = {thing.id for thing in line.situation.things if thing.agent == agent_code}
    if not refs or not ids.union(more_ids).issuperset(refs):
        return None
    return {"ref": refs[0]} if len(refs) == 1 else {"refs": refs}


def _people(line: Clause) -> list[Any]:
    return [*line.situation.members, *line.situation.mentions]
