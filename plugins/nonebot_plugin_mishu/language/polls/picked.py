"""Drafts and changes of polls from words that were picked out of a line (the slots of a model's frame). Pure.

Nothing counts that does not stand in the line, or in what it quotes: a value that was made up is none.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from ...patterns import Pattern
from ..clause import Clause, Situation
from ..recognise.numerals import parse_integer
from ..recognise.times import parse
from ..text.fold import normalise
from ..text.letters import letters_of
from .deadlines import closing_of, closing_time
from .naming import named
from .options import EDGE, told_options
from .orders import (
    LONGEST_QUESTION,
    Follow,
    PollDraft,
    PollOrder,
    asks_about,
    form_asked,
    form_told,
    hides_names,
    may_choose_several,
    shows_names,
    unlimits,
    wrong_options,
    wrong_places,
)
from .poll import OpenPoll, PollForm

_NUMBER: Final = Pattern("[0-9]+|[零一二两三四五六七八九十百]+")
_SHORTEST_WORDS: Final = 2


@dataclass(frozen=True, slots=True)
class PickedWords:
    """Words of a line for the parts of a poll; empty for what was not picked."""

    kind: str = ""
    question: str = ""
    options: tuple[str, ...] = ()
    limit: str = ""
    closes_at: str = ""
    anonymous: str = ""

    @classmethod
    def of(cls, slots: Mapping[str, object], clause: Clause) -> PickedWords:
        """The words of a model's slots that stand in the line, or in what it quotes."""
        said = letters_of(f"{clause.text}\n{clause.situation.quoted or ''}")
        given = slots.get("options")
        options = told_options(given) if isinstance(given, str) else ()
        words = {name: str(slots.get(name) or "").strip() for name in ("limit", "closes_at", "anonymous")}
        question = str(slots.get("question") or "").strip(EDGE)
        return cls(
            str(slots.get("kind") or ""),
            question if _in_order(letters_of(question), said) else "",
            tuple(each for each in options if letters_of(each) and letters_of(each) in said),
            **{name: value if letters_of(value) in said else "" for name, value in words.items()},
        )


def line_of(text: str, where: Situation) -> Clause:
    """The whole line of a member, out of which words were picked."""
    line = normalise(text)
    return Clause(line, where, tuple(parse(line, where.now, where.zone)))


def _in_order(letters: str, said: str) -> bool:
    """True if all letters stand in the line in their order: 周六羽毛球 of 周六咱们凑人打羽毛球."""
    rest = iter(said)
    return bool(letters) and all(each in rest for each in letters)


def draft_of(words: PickedWords, clause: Clause) -> PollDraft:
    """The poll that was read; `why` says what is wrong. A vote without options is to be asked for them."""
    form = _form(words)
    line = clause.text.lower()
    at, why = _closes(words, clause)
    places = _places(words) if form == "signup" else None
    why = why or ("" if places is None else wrong_places(places))
    made = PollDraft(
        form,
        words.question[:LONGEST_QUESTION],
        words.options if form == "vote" else (),
        places,
        at,
        hides_names(line) or _hides(words.anonymous),
        form == "vote" and may_choose_several(line),
        why,
    )
    return with_options(made, made.options)


def with_options(made: PollDraft, options: tuple[str, ...]) -> PollDraft:
    """The draft with these options, and with what is wrong with them."""
    why = made.why or wrong_options(options)
    question = made.question or "、".join(options)
    return replace(made, options=options, question=question[:LONGEST_QUESTION], why=why)


def amended(made: PollDraft, words: PickedWords, clause: Clause) -> PollDraft:
    """The draft with what was said anew of it: its end, its options, its places, names out of sight."""
    at, why = _closes(words, clause)
    places = _places(words) if made.form == "signup" else None
    why = why or ("" if places is None else wrong_places(places))
    changed = replace(
        made,
        question=words.question[:LONGEST_QUESTION] or made.question,
        places=made.places if places is None else places,
        closes_at=at or made.closes_at,
        anonymous=made.anonymous or _hides(words.anonymous),
        why=why,
    )
    return with_options(changed, words.options) if made.form == "vote" and words.options else changed


def options_answered(clause: Clause) -> tuple[str, ...]:
    """The options in a line that was asked for them (火锅、烤肉、日料; 周六还是周日); none where it is a
    sentence."""
    options = told_options(clause.text.lower())
    return options if len(options) > 1 and all(len(each) <= _ANSWERED for each in options) else ()


_ANSWERED: Final = 12


def change_of(words: PickedWords, clause: Clause, poll: OpenPoll) -> PollOrder | None:
    """The change of a poll that was read; None where nothing of it is to become anything."""
    at, why = _closes(words, clause)
    places = _places(words)
    why = why or ("" if places is None else wrong_places(places))
    new = tuple(each for each in words.options if each not in poll.options) if poll.form == "vote" else ()
    question = words.question if words.question != poll.question else ""
    order = PollOrder(
        "change",
        closes_at=at,
        places=places if poll.form == "signup" else None,
        options=new,
        why=why,
        poll=poll.id,
        anonymous=True if _hides(words.anonymous) else False if shows_names(words.anonymous) else None,
        unlimited=poll.form == "signup" and places is None and unlimits(words.limit),
        question=question[:LONGEST_QUESTION],
    )
    empty = PollOrder("change", poll=poll.id)
    return None if order == empty else order


def poll_meant(poll_id: str, kind: str, clause: Clause, polls: tuple[OpenPoll, ...]) -> OpenPoll | None:
    """The poll that a model means by its number, else the one that the line names, else the only one of the
    kind that the line tells, or the only one; None where several may be."""
    by_id = next((each for each in polls if str(each.id) == poll_id), None)
    if by_id is not None or not polls:
        return by_id
    by_name = named(clause, polls)
    if by_name is not None:
        return by_name.poll
    form = form_told(kind) or form_told(clause.text)
    here = [each for each in polls if each.form == form] or list(polls)
    return here[0] if len(here) == 1 else None


def asked_of(clause: Clause, poll: OpenPoll) -> PollOrder:
    """The question that a line asks of a poll, by the longest end of a piece of it that is one
    (饭局那投票还有谁没投); its state where none is."""
    where = clause.situation
    for piece in _PIECES.findall(clause.text.lower()[:_READ]):
        for begin in range(len(piece)):
            order = asks_about(Clause(piece[begin:], where), poll)
            if order is not None and order.kind in ("missing", "voters", "voice", "maker"):
                return replace(order, poll=poll.id)
    return PollOrder("show", poll=poll.id)


def told_in(words: str, clause: Clause) -> Follow:
    """What a result is to become, by the word for it, else by the line."""
    said = f"{words}\n{clause.text}"
    for into, told in _INTO:
        if told.search(said) is not None:
            return into
    return "schedule"


_INTO: Final[tuple[tuple[Follow, Pattern], ...]] = (
    ("money", Pattern("平摊|分摊|AA|aa|费用")),
    ("task", Pattern("任务|待办")),
)
_READ: Final = 60
_PIECES: Final = Pattern("[^ ,;。!?~]+")


def _form(words: PickedWords) -> PollForm:
    told = form_told(words.kind)
    if len(words.options) > 1:
        return "vote"
    if told is not None:
        return told if told != "count" else form_asked(words.question) or told
    return form_asked(words.question) or ("signup" if words.limit else "vote")


def _places(words: PickedWords) -> int | None:
    found = _NUMBER.search(normalise(words.limit))
    return parse_integer(found.group()) if found is not None else None


def _hides(said: str) -> bool:
    return len(said) >= _SHORTEST_WORDS and not shows_names(said)


def _closes(words: PickedWords, clause: Clause) -> tuple[datetime | None, str]:
    """When it ends, and what is wrong with that: by the words that were picked, else by the line's own."""
    where = clause.situation
    found = closing_of(words.closes_at, where.now) if words.closes_at else None
    found = found or closing_time(clause.text.lower(), clause.times, where.now)
    return (None, "") if found is None else (found.at, found.why)
