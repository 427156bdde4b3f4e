"""Questions about free time, read by forms over words of their own: every word of the line must belong. Pure.

大家周五下午什么时候都有空, 我明天有空吗, 这周谁最忙, 找个大家都行的时间开会 一小时. Who tells that they are
free (明天我有空), or asks another member (你明天有空吗), fits no form.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Final, Literal, cast

from ...patterns import Pattern
from ..clause import Clause, Mention
from ..following.tables import members_in
from ..forms.forms import Fit, Grammar
from ..forms.tables import read_grammar, read_lexicon
from ..lexicon import Lexicon
from ..reading import words_of
from ..recognise.members import matched
from ..text.tokens import Thing, Token, tokens
from ..timing.reminder_leads import minutes_of

HERE: Final = Path(__file__).parent
LONGEST: Final = 60
"""Characters of a line that may be such a question."""
FreeKind = Literal["whether", "when", "who", "busiest", "idlest", "arrange"]
_BORDERS: Final = (
    *("asks", "who", "when_asked", "day_asked", "free", "free_asked", "busy", "busy_asked", "find", "look"),
    *("most_busy", "most_free", "time", "all_right", "length", "stop", "whether", "pause"),
    *("noun", "particle", "help"),
)
_NAME: Final = Pattern("(?!大家|大伙|大概|小时|老是|小组)[小老阿大][一-鿿]|[一-鿿](?:哥|姐|总|老师|师傅|工)")
"""A word that looks like the name of somebody."""
_SIGNS: Final = ("空", "忙", "闲", "事", "时间", "方便", "都", "安排", "档期", "最", "夫", "课", "没会")
_SIGNS_OF_PLANS: Final = ("哪天", "聚", "凑", "能来", "找", "约", "档", "参加")
"""Every such question has one of these, or of those: most lines are not looked at further."""
_AGAIN: Final = Pattern(" *(?:一起|一块儿?|来|去)+ *")


@dataclass(frozen=True, slots=True)
class FreeQuestion:
    """A question about free time.

    `whether` and `who` ask about a time that is said, `when` looks for one, `arrange` looks for one to plan
    something, `busiest` and `idlest` compare the members.
    """

    kind: FreeKind
    me: bool = False
    """The speaker is asked about."""
    everyone: bool = False
    """All members are."""
    members: tuple[Mention, ...] = ()
    """Members named or @-ed."""
    unknown: tuple[str, ...] = ()
    """Names of nobody here."""
    by_day: bool = False
    """Whole days are asked for (哪天)."""
    busy: bool = False
    """It is asked who is not free (谁没空), or whether somebody is busy (忙不忙)."""
    minutes: int = 0
    """How long it is to be; 0: not said."""
    title: str = ""
    """What the time is looked for."""
    now: bool = False
    """This moment is asked about (谁现在没课)."""
    lessons: bool = False
    """It is asked in words of lessons (谁没课): the day begins with the first one."""

    def slots(self) -> dict[str, object]:
        """Slots to be shown, without empty ones."""
        whose = [*(["me"] if self.me else []), *(["everyone"] if self.everyone else [])]
        found: dict[str, object] = {
            "free": self.kind,
            "whose": [*whose, *(each.name for each in self.members), *self.unknown],
            "minutes": self.minutes,
            "new_description": self.title,
        }
        return {name: value for name, value in found.items() if value}


def free_question(clause: Clause) -> FreeQuestion | None:
    """Question of a clause; None for any other line."""
    text = clause.text.strip()
    if not text or len(text) > LONGEST or clause.amounts or clause.lines:
        return None
    return _read(clause)


@lru_cache(maxsize=256)
def _read(clause: Clause) -> FreeQuestion | None:
    line = clause.text.lower()
    if len(line) != len(clause.text) or not any(sign in line for sign in (*_SIGNS, *_SIGNS_OF_PLANS)):
        return None
    where = clause.situation
    known = (*where.mentions, *where.members)
    found = tokens(line, _lexicon(), _things(clause, line, known))
    fits = _grammar().fits(line, found)
    return _question(fits[0], found, clause, known) if fits else None


def _things(clause: Clause, line: str, known: Sequence[Mention]) -> list[Thing]:
    things = [
        Thing(start, end, frozenset({"time"}), time) for time in clause.times for start, end in time.spans
    ]
    things += [
        Thing(each.start, each.end, frozenset({"length"}), line[each.start : each.end])
        for each in words_of(clause.text, clause.times)
        if "length" in each.classes
    ]
    things += members_in(line, known)
    for match in _NAME.finditer(line):
        if not any(each.start < match.end() and match.start() < each.end for each in things):
            things.append(Thing(*match.span(), frozenset({"name"}), match.group()))
    return things


def _question(fit: Fit, found: Sequence[Token], clause: Clause, known: Sequence[Mention]) -> FreeQuestion:
    slots = fit.slots
    kind = cast("FreeKind", fit.form.reads)
    title = slots.get("title", ())
    said = [each for each in found if each not in title]
    classes = frozenset[str]().union(*(each.classes for each in said))
    members: dict[str, Mention] = {}
    unknown: list[str] = []
    for token in said:
        if "member" in token.classes and isinstance(token.value, Mention):
            members[token.value.user_id] = token.value
        elif "name" in token.classes:
            named = matched(str(token.value), known)
            if len(named) == 1:
                members[named[0].user_id] = named[0]
            else:
                unknown.append(str(token.value))
    lengths = [str(each.value) for each in found if "length" in each.classes]
    if not (members or unknown or "me" in classes or "everyone" in classes):
        members = {each.user_id: each for each in clause.situation.mentions}
    compares = kind in ("who", "busiest", "idlest", "arrange")
    all_of_them = ("every" in slots or "all_right" in classes) and "me" not in classes
    everyone = "everyone" in classes or (not members and not unknown and (compares or all_of_them))
    me = "me" in classes or not (everyone or members or unknown)
    me = me or (kind == "arrange" and "with" in classes and len(members) == 1)  # 和老周约个时间
    return FreeQuestion(
        kind,
        me,
        everyone,
        tuple(members.values()),
        tuple(unknown),
        by_day="day" in slots,
        busy="busy" in slots,
        minutes=next((_minutes_of(each) for each in lengths), 0),
        title=_words_of(title, clause.text),
        now="now" in classes and kind in ("whether", "who") and not clause.times,
        lessons="lesson" in classes,
    )


def _minutes_of(length: str) -> int:
    """Minutes of a length; half a day of somebody's time is four hours of it."""
    return _HALF_DAY if length == "半天" else minutes_of(length) or 0


_HALF_DAY: Final = 240


def _words_of(said: Sequence[Token], text: str) -> str:
    if not said:
        return ""
    words = text[said[0].start : said[-1].end].strip(" ,。!?~")
    led = _AGAIN.match(words)
    return words[led.end() :] if led is not None and led.end() < len(words) else words


@cache
def _lexicon() -> Lexicon:
    return read_lexicon(HERE / "words.toml")


@cache
def _grammar() -> Grammar:
    things = (frozenset({"name"}),)
    return read_grammar(HERE / "forms.toml", _lexicon(), things=things, borders=_BORDERS)
