"""Questions about the state of kept things, in words that no form has. Pure.

听阿凯说路演取消了，真的假的; 婚礼是哪天几点在哪; 今晚扔垃圾的提醒会响吧. Every word besides the thing's name
must ask, or be of its state or time; any other line about it (羽毛球冷不冷) is talk.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ....language import Token, ends_in_question, words_of
from ....language.changes.undoing import asks_who_made
from ....language.clause import Clause, KeptThing
from ....language.lines.lookup import asks_when_or_where
from ....language.mood import HEADS
from ....language.recognise.times import names_day
from ....memory import clean_name
from .veto import WAS_CHANGED, WAS_DELETED, listed

_ABOUT: Final = frozenset(
    {
        *(
            "whether",
            "what",
            "tag",
            "who",
            "member",
            "reported",
            "says",
            "done",
            "already",
            "take_away",
            "ends",
        ),
        *("change", "later", "earlier", "defer", "time", "length", "filler", "particle", "of", "is", "this"),
        *("remind", "come", "to", "have", "negation", "modal", "hui", "pause", "stop", "greeting", "self"),
        *("with", "or", "all", "again", "unit", "blank", "mark", "sign", "group", "aside", "task_noun"),
        *("schedule_noun", "reminder_noun", "join", "at", "ought", "note_noun", "place"),
    }
)
"""Word classes of a question about what is kept."""
_WORDS: Final = frozenset(
    {
        *("开", "去", "来", "还", "办", "走", "听", "响", "被", "人", "要不要", "真的", "假", "天"),
        *("定", "会不会", "在", "搞", "叫"),
    }
)
"""Words of other classes that may stand in such a question."""
_ORDERS: Final = frozenset({"help", "ba", "courtesy", "tag"})
"""Word classes of an order that is put as a question."""
_ASKS: Final = frozenset({"whether", "what"})
_ASKING: Final = frozenset({"要不要", "会不会"})
_PEOPLE: Final = frozenset(
    {"谁", "都有谁", "有谁", "哪些人", "几个人", "多少人", "几人", "哪些", "多少", "几个"}
)
_PARTS: Final = frozenset({"去", "来", "人", "人了", "报名", "参加", "报"})
_NOW: Final = frozenset({"现在", "目前", "报", "一共", "共", "总共"})
_SCHEDULE: Final = "schedule"
_TASKS: Final = "tasks"
_A_MOMENT: Final = 600.0
"""Seconds in which a question without a name refers to what was just made or shown."""
_SHORT: Final = 14
_LONGEST_TELLER: Final = 10
_POINTS: Final = ("那顿", "那场", "那个", "那次", "这顿", "这场", "这个")
_LEAST: Final = 2
_LONGEST: Final = 40
_MADE_BY: Final = "{thing}是{name}让我记的。"


def answer_state(line: Clause, *, looked_up: bool = False) -> str | None:
    """Answer to a question about a kept thing; None if the line asks none, or if it is `looked_up` anyway
    and does not ask whether the thing still holds."""
    where, text = line.situation, line.text
    if not where.addressed or len(text) > _LONGEST or not where.things:
        return None
    named = _named(text, where.things)
    if not named:
        return None
    name, things = named
    at = text.lower().find(name)
    tokens = words_of(text, line.times)
    beside = [token for token in tokens if not (at < token.end and token.start < at + len(name))]
    said = _told_by(text)
    beside = [token for token in beside if token.start >= said]
    people = [one.name.lower() for one in (*where.members, *where.mentions) if one.name]
    beside = [token for token in beside if not _in_names(text, token, people)]
    if any(not token.classes.isdisjoint(_ORDERS) for token in tokens):
        return None  # 麻烦你把聚餐取消掉行不行
    if not all(_is_about(text, token) for token in beside) or not _is_question(text, beside):
        return None
    days = {one.date for one in line.times if one.date is not None and names_day(one.text)}
    moved = any(not token.classes.isdisjoint(HEADS["change"]) for token in beside)
    if days and not moved and not any(thing.at is not None and thing.at.date() in days for thing in things):
        return None
    taken = any(not token.classes.isdisjoint({"take_away", "ends"}) for token in beside)
    if looked_up and not (taken or moved):
        return None
    told = WAS_DELETED if taken else WAS_CHANGED
    return told.format(things=listed(things, where.now.year))


def answer_creator(line: Clause) -> str | None:
    """Creator of a kept thing (周会谁定的); None if the line asks anything else."""
    where = line.situation
    named = _named(line.text, where.things) if where.addressed and len(line.text) <= _LONGEST else None
    if named is None or not asks_who_made(line.text.lower(), named[0]):
        return None
    told = [
        _MADE_BY.format(thing=listed((one,), where.now.year), name=clean_name(one.creator))
        for one in named[1]
        if one.creator
    ]
    return "\n".join(told) or None


def _told_by(text: str) -> int:
    """Index behind a reported-speech lead (听阿凯说 | 路演取消了); 0 without one."""
    at = text.find("说", 1, _LONGEST_TELLER) if text.startswith(("听", "据")) else -1
    return at + 1


def find_asked_who(line: Clause) -> KeptThing | None:
    """Schedule of a question after its members that names none (参加的都有谁, 几个人了现在): the last one
    shown, else the only one; None for any other line."""
    where, text = line.situation, line.text
    if not where.addressed or len(text) > _SHORT or line.times:
        return None
    last = where.last
    own = [one for one in where.things if one.agent == _SCHEDULE and one.name]
    thing = last if last is not None and last.name else own[0] if len(own) == 1 else None
    if thing is None or thing.agent != _SCHEDULE:
        return None
    tokens = words_of(text)
    words = [text[token.start : token.end] for token in tokens]
    people = any(word in _PEOPLE for word in words) or ("几" in text and "人" in text)
    parts = any("join" in token.classes or word in _PARTS for token, word in zip(tokens, words, strict=True))
    near = all(
        not token.classes.isdisjoint(_ABOUT) or word in _WORDS or word in _NOW
        for token, word in zip(tokens, words, strict=True)
    )
    return thing if people and parts and near else None


def find_asked_when(line: Clause) -> KeptThing | None:
    """Thing of a question after time or place that names none (几点在哪来着): the last one shown, else the
    schedule made by anybody in the last ten minutes; None for any other line."""
    where = line.situation
    if not where.addressed or len(line.text) > _SHORT or line.times or not asks_when_or_where(line.text):
        return None
    last = where.last if where.just_shown(_A_MOMENT) else None
    if last is not None:
        return last if last.id and last.name and last.agent in (_SCHEDULE, _TASKS) else None
    made = [
        one
        for one in where.things
        if one.agent == _SCHEDULE
        and one.made_at is not None
        and 0 <= (where.now - one.made_at).total_seconds() <= _A_MOMENT
    ]
    return made[0] if len(made) == 1 else None


def _named(text: str, things: Sequence[KeptThing]) -> tuple[str, tuple[KeptThing, ...]] | None:
    """Longest part of a kept thing's name that stands in the line, and the things with that part."""
    said = text.lower()
    best = ""
    for thing in things:
        name = thing.name.lower()
        for start in range(len(name)):
            size = max(len(best) + 1, _LEAST)
            while start + size <= len(name) and name[start : start + size] in said:
                best, size = name[start : start + size], size + 1
    best = best or _short_name(said, things)
    found = tuple(thing for thing in things if best and best in thing.name.lower())
    return (best, found) if found else None


def _short_name(said: str, things: Sequence[KeptThing]) -> str:
    """那顿饭: one character behind a word that points, where one thing only has it in its name."""
    for opening in _POINTS:
        at = said.find(opening)
        word = said[at + len(opening) : at + len(opening) + 1] if at >= 0 else ""
        if word.strip() and sum(word in thing.name.lower() for thing in things) == 1:
            return word
    return ""


def _in_names(text: str, token: Token, people: Sequence[str]) -> bool:
    word, said = text[token.start : token.end].lower(), text.lower()
    return any(word in name and name in said for name in people)


def _is_about(text: str, token: Token) -> bool:
    return not token.classes.isdisjoint(_ABOUT) or text[token.start : token.end] in _WORDS


def _is_question(text: str, beside: Sequence[Token]) -> bool:
    if ends_in_question(text):
        return True
    if any(
        not token.classes.isdisjoint(_ASKS) or text[token.start : token.end] in _ASKING for token in beside
    ):
        return True
    foretold = any(not token.classes.isdisjoint({"hui", "modal"}) for token in beside)
    return foretold and text.rstrip(" ~。!").endswith("吧")
