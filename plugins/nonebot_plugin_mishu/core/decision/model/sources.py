"""Check of a model's slots against the line and the world. Pure.

A frame that names an id that is not in the world, a member nobody knows or a name that nobody said is refused
as a whole; a time that was converted becomes the words it was said in, or is left out. Slots that are free
(other plugins' own text) may be worded by the model, as long as no fact comes in with the words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from datetime import date, time
from typing import Any, Final

from ....language.clause import Clause
from ....language.recognise.money import is_named
from ....language.recognise.times import TimeExpression, names_day, parse
from ....language.text.fold import normalise
from ....patterns import Pattern
from .frame_sums import AMOUNT, ITEM, sums_in

REF: Final = "ref"
MEMBER: Final = "member"
ASSIGNEE: Final = "assignee"
"""A task's own name for who does it; a model may say either."""
ME: Final = "我"
SELF: Final = frozenset({"我", "自己", "本人", "我自己", ""})
_SPLIT: Final = Pattern("[,，、;； ]+")
_ISO_DAY: Final = Pattern(r"(\d{4})[-/年](\d{1,2})[-/月](\d{1,2})日?")
_ISO_CLOCK: Final = Pattern(r"(?<!\d)(\d{1,2}):(\d{2})(?::\d{2})?")
_CODE: Final = Pattern("[0-9a-z]*[a-z][0-9a-z]*")
_DIGITS: Final = str.maketrans("零〇二两俩三仨四五六七八九", "0022233456789")
"""一 and 十 are words as often as numbers (一阵一阵, 十分)."""
_LONGEST_WORDING: Final = 200
_CONTROLS: Final = frozenset({"priority", "status"})
"""Slots whose values are words of ours."""
_WAYS: Final = frozenset({"借", "还", "垫"})
"""Words for how money changed hands between two, which the prompt asks for as the item."""
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
        return cls(_letters("\n".join(texts)), priced, speaker)

    def says(self, value: str) -> bool:
        """True if a value occurs: literally, or four of five of its letters and every digit."""
        letters = _letters(value)
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
        if len(value) > _LONGEST_WORDING or not set(_numbers(value)) <= set(_numbers(self.letters)):
            return False
        if any(code not in self.letters for code in _CODE.findall(_letters(value))):
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
        each_of = [each.lstrip("@") for each in _SPLIT.split(names) if each]
        own = {*SELF, self.speaker}
        return all(each in own or each in known or self.says(each) for each in each_of)

    def _from_speaker(self, names: str) -> str:
        """Names from the speaker's view: 我 for their own (大壮,小北)."""
        told = [each.lstrip("@") for each in _SPLIT.split(names) if each]
        if not any(each in {*SELF, self.speaker} and each != "我" for each in told):
            return names
        return ",".join("我" if each in {*SELF, self.speaker} else each for each in told)

    def value(self, name: str, value: str, line: Clause, free: Set[str] = frozenset()) -> str | None:
        """A value as it may be taken; None where it was not said."""
        if (
            name in _CONTROLS
            or (name == ITEM and value in _WAYS)
            or self.says(value)
            or (name in free and self.words(value, line))
        ):
            return value
        return as_said(value, line.times)

    def checked(
        self,
        given: Mapping[str, str],
        agent_code: str,
        line: Clause,
        more_ids: frozenset[str],
        free: Set[str] = frozenset(),
    ) -> dict[str, Any] | None:
        """The slots that hold; None where the frame is about what is not there or was not said. `free`: the
        slots that a model may word."""
        found: dict[str, Any] = {}
        for name, value in given.items():
            value = value.strip()
            if not value:
                continue
            if name in (REF, "refs", "taskId"):
                refs = [each for each in _SPLIT.split(value) if each]
                known = {thing.id for thing in line.situation.things if thing.agent == agent_code}
                if not refs or not known.union(more_ids).issuperset(refs):
                    return None
                found.update({"ref": refs[0]} if len(refs) == 1 else {"refs": refs})
            elif name in (MEMBER, ASSIGNEE):
                if value.lstrip("@") in {*SELF, self.speaker}:
                    if REF in given:
                        found[MEMBER] = ME
                    continue
                if not any(value.lstrip("@") in (each.name, each.user_id) for each in _people(line)):
                    return None
                found[MEMBER] = value.lstrip("@")
            elif name == AMOUNT:
                if not self.priced_so(value):
                    return None
                found[name] = value
            elif name in _PEOPLE and self._known(value, line):
                found[name] = self._from_speaker(value)
            elif (taken := self.value(name, value, line, free)) is not None:
                found[name] = taken
            elif name in _NAMING and name not in free:
                return None
        return found


def _people(line: Clause) -> list[Any]:
    return [*line.situation.members, *line.situation.mentions]


def _numbers(text: str) -> list[str]:
    return re.findall(r"\d", normalise(text).translate(_DIGITS))


def _letters(text: str) -> str:
    return "".join(letter for letter in normalise(text).lower() if letter.isalnum())


def as_said(value: str, times: Sequence[TimeExpression]) -> str | None:
    """Words of the line for a time that a model wrote as a date or a clock; None if there are none."""
    day, clock = _ISO_DAY.search(value), _ISO_CLOCK.search(value)
    if day is None and clock is None:
        return None
    try:
        wanted = date(*map(int, day.groups())) if day is not None else None
        at = time(int(clock[1]), int(clock[2])) if clock is not None else None
    except ValueError:
        return None
    for said in times:
        right_day = wanted is None or said.date == wanted or not names_day(said.text)
        right_clock = at is None or said.start is None or _same(said, at)
        if right_day and right_clock and (wanted is not None or said.start is not None):
            return said.text
    return None


def _same(said: TimeExpression, at: time) -> bool:
    assert said.start is not None
    if said.start.minute != at.minute:
        return False
    return said.start.hour == at.hour or (said.ambiguous == "am_pm" and said.start.hour % 12 == at.hour % 12)
