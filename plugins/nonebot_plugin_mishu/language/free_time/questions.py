"""Questions about free time, read by forms over words of their own: every word of the line must belong. Pure.

大家周五下午什么时候都有空, 我明天有空吗, 这周谁最忙, 找个大家都行的时间开会 一小时. Who asks another
member (你明天有空吗) fits no form.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from pathlib import Path
from typing import Final, Literal, cast

from ...patterns import Pattern
from ..clause import Clause, Mention
from ..following.tables import members_in, names_in
from ..forms.forms import Fit, Grammar
from ..forms.tables import read_grammar, read_lexicon
from ..lexicon import Lexicon
from ..reading import words_of
from ..recognise.members import matched
from ..term.lines import is_timetable
from ..text.tokens import Thing, Token, tokens
from ..timing.reminder_leads import minutes_of

HERE: Final = Path(__file__).parent
LONGEST: Final = 60
"""Characters of a line that may be such a question."""
FreeKind = Literal[
    "whether", "when", "who", "busiest", "idlest", "arrange", "told_busy", "told_free", "timetable"
]
_BORDERS: Final = (
    *("asks", "who", "when_asked", "day_asked", "free", "free_asked", "busy", "busy_asked", "find", "look"),
    *("most_busy", "most_free", "time", "all_right", "length", "stop", "whether", "pause"),
    *("noun", "particle", "help"),
)
_SIGNS: Final = ("空", "忙", "闲", "事", "时间", "方便", "都", "安排", "档期", "最", "夫", "课", "没会")
_SIGNS_OF_PLANS: Final = ("哪天", "聚", "凑", "能来", "找", "约", "档", "参加", "呢", "样", "一起")
"""Every such question has one of these, or of those: most lines are not looked at further."""
_AGAIN: Final = Pattern(" *(?:一起|一块儿?|来|去)+ *")


@dataclass(frozen=True, slots=True)
class FreeQuestion:
    """A question about free time.

    `whether` and `who` ask about a time that is said, `when` looks for one, `arrange` looks for one to plan
    something, `busiest` and `idlest` compare the members. Three ask nothing and write nothing: `told_busy`
    (我周三晚上没空), `told_free` (我周六都有空 随便约) and `timetable`, a pasted one, which cannot be read.
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
    """Purpose of the time."""
    now: bool = False
    """This moment is asked about (谁现在没课)."""
    without: tuple[Mention, ...] = ()
    """Members who are left out (除了阿凯谁还有空)."""
    part: str = ""
    """Part of the days in which a time is looked for, as a segment (找个晚上)."""
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
    if is_timetable(text):
        return FreeQuestion("timetable", me=True)
    in_times = [span for time in clause.times for span in time.spans]
    sums = [one for one in clause.amounts if not any(a <= one.start and one.end <= b for a, b in in_times)]
    if not text or len(text) > LONGEST or sums or clause.lines:
        return None  # 12.5 下午都有空不 has a day, and no sum
    return _read(clause)


@lru_cache(maxsize=256)
def _read(clause: Clause) -> FreeQuestion | None:
    line = clause.text.lower()
    if len(line) != len(clause.text) or not any(sign in line for sign in (*_SIGNS, *_SIGNS_OF_PLANS)):
        return None
    where = clause.situation
    known = (*where.mentions, *where.members)
    found = tokens(line, _lexicon(), _things(clause, line, known))
    left_out = _left_out(found)
    found = tuple(each for each in found if each not in left_out)
    fits = _grammar().fits(line, found)
    if not fits:
        return None
    question = _question(fits[0], found, clause, known)
    without = tuple(each.value for each in left_out if isinstance(each.value, Mention))
    if not left_out:
        return question
    unknown = tuple(str(each.value) for each in left_out if "name" in each.classes)
    whose = replace(question, me=False, everyone=True) if not question.members else question
    return replace(whose, without=without, unknown=(*question.unknown, *unknown))


def _left_out(found: Sequence[Token]) -> tuple[Token, ...]:
    """Tokens of 除了阿凯和老周以外: all of them from 除了 on; none where nobody is named behind it."""
    for at, each in enumerate(found):
        if "except" not in each.classes:
            continue
        end = at + 1
        while end < len(found) and not found[end].classes.isdisjoint(_LEFT_OUT):
            end += 1
        named = any(not one.classes.isdisjoint({"member", "name", "me"}) for one in found[at:end])
        return tuple(found[at:end]) if named else ()
    return ()


_LEFT_OUT: Final = frozenset({"member", "name", "me", "with", "and", "outside", "pause"})


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
    return [*things, *names_in(line, things)]


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
        minutes=next((_HALF_DAY if each == "半天" else minutes_of(each) or 0 for each in lengths), 0),
        title=_words_of(title, clause.text),
        now="now" in classes and kind in ("whether", "who") and not clause.times,
        part=next(
            (_PARTS[clause.text[each.start : each.end]] for each in said if "part" in each.classes), ""
        ),
        lessons="lesson" in classes,
    )


_HALF_DAY: Final = 240
_PARTS: Final = {
    "晚上": "evening",
    "下午": "afternoon",
    "上午": "forenoon",
    "中午": "noon",
    "早上": "morning",
}


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


_WHOEVER: Final = Pattern("谁|哪些人|哪几个|大家|大伙|你们|他们|都|各位")
_IS_FREE: Final = Pattern(
    "有空|得空|空不空|得闲|闲着|有时间|方便|(?:腾|抽|挤)(?:得|的|出|点|个)*(?:空|时间|工夫|功夫)"
)


def asks_who_is_free(text: str) -> bool:
    """True if somewhere in a question it is asked who is free (你帮我瞅瞅谁那天能腾出空来呗)."""
    return _WHOEVER.search(text) is not None and _IS_FREE.search(text) is not None
