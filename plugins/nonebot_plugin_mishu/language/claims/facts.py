"""Facts that a reply is held against: what this turn did, and to what; what stands in the prompt; what
members said.

A promise or a deed is true where the turn did that to that thing; a state of things kept here is true where
it was shown to the model or looked up; a state of the world only where a member told it. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from ...patterns import Pattern
from ..recognise.times import parse
from ..text.fold import normalise
from ..text.tokens import Token
from .reading import Claim, claims
from .states import ANY_MOMENT, ZONE, states, told
from .table import KINDS, Kind
from .topic import named_deeds, topic

_ASKED: Final = Pattern(r"[?？]\s*$|[吗么没嘛]\s*[?？。!！~]*$|了没有?|有没有|是不是|记得吗")
_CLAUSES: Final = Pattern("[,，;；]")
_QUOTED: Final = Pattern("「([^」]+)」|“([^”]+)”|《([^》]+)》")
_ASKS: Final = Pattern(
    r"[?？]\s*$|[吗么呢嘛没]\s*[。!！~～]*$|谁|几[个点号]|多少|啥|什么|来不来|去不去|要不要|有没有|是不是"
)
_BARE: Final = Pattern(r"[\s\W_]+")
_SHORT: Final = 3
"""Fewer characters say the same by chance."""
_NUMBER: Final = Pattern(r"\d+(?:\.\d+)?")
_KEEPS: Final = Pattern("[记存留]着|日程里|清单里|都在")
"""Action words that also state a stored item: 记着呢, 周五交报告."""
_JOINS: Final = Pattern(
    "算上?[你您]|[加带添]上?[你您]|把[你您].{0,4}[加算拉]|[你您](?:也|已经?|的名字)?(?:报名|参加|在名单|在里)"
)
"""Words by which a member is taken in: what stands there already does not make them true."""
_THINGS: Final = frozenset({"occasion", "hui", "personal", "latin"})
_NAMING: Final = _THINGS | {"unread", "plain"}
_ABSENT: Final = frozenset({"none", "nobody", "empty", "not_found", "all_done", "whole"})
"""Rows of states that say that nothing, or nobody, is there: only who has looked knows."""
_RETOLD: Final = Pattern("[我你您他她自己了的呀啊哈啦吧呢也都就]|已经?|刚才?")
_ECHO: Final = 4
"""Characters in a row that are no chance."""
_DENIES: Final = Pattern("不|没")
_NO_DENIAL: Final = Pattern("不是|没问题|不错|不用|要不|差不多|不过|对不起|不好意思|没事")
_HALF_A_DAY: Final = 12 * 60
_EARLY: Final = 2 * 60
"""Minutes that a reminder comes before its thing, at most."""
_TELLS: Final = Pattern("[他她](?:们|俩)?[^,，我]{0,6}(?:说|讲|提|回|告诉|交代|答应)")
"""Words by which what a member said is told again: it is theirs, whatever deed it speaks of."""
_OF_ONE: Final = Pattern("你(?!们)|您|他|她")


@dataclass(frozen=True, slots=True)
class TurnAction:
    """One deed of this turn. `words` name what it was done to; empty where nobody knows."""

    kinds: frozenset[Kind]
    words: str = ""


@dataclass(frozen=True)
class TurnFacts:
    """Known facts while a reply is checked."""

    deeds: tuple[TurnAction, ...] = ()
    kept: tuple[str, ...] = ()
    """Lines of stored items, as the model saw them: future plans, and results of look-ups."""
    shown: bool = False
    """The plans to come were shown, even where there are none."""
    looked: bool = False
    """Something kept here was looked up for this reply."""
    talk: tuple[str, ...] = ()
    """Members' lines, each with its speaker."""
    told: tuple[str, ...] = ()
    """Our own earlier lines."""
    asked: bool = False
    """The line that is answered asks whether something was done."""
    people: frozenset[str] = frozenset()

    @cached_property
    def done(self) -> frozenset[Kind]:
        """The kinds of deeds of this turn."""
        return frozenset(kind for deed in self.deeds for kind in deed.kinds)

    @cached_property
    def before(self) -> frozenset[Kind]:
        """The kinds of deeds of earlier turns, as our own lines tell them."""
        found: set[Kind] = {kind for line in self.told for claim in claims(line) for kind in claim.kinds}
        if "remind" in found:
            found.add("note")  # a reminder is a stored item
        if "note" in found and any("提醒" in line for line in self.told):
            found.add("remind")
        return frozenset(found)

    def false_in(self, text: str) -> tuple[Claim, ...]:
        """The claims of a reply that are not true."""
        return tuple(claim for claim in claims(text, self.people) if not self._true(claim))

    def _true(self, claim: Claim) -> bool:
        if any(_did(deed, claim, self.people) for deed in self.deeds):
            return True
        if _TELLS.search(self._nameless(claim.sentence)) and self._said(claim.sentence):
            return True
        if _JOINS.search(claim.sentence) and not self.looked:
            return bool((claim.past or self.asked) and self.before and self._told_of(claim))
        if claim.outside:
            return self._said(claim.sentence) or self._grounded(claim.sentence, self.kept)
        if (claim.past or self.asked) and self.before and self._told_of(claim):
            anything = "anything" in claim.kinds or "state" in claim.kinds
            if anything or not claim.kinds.isdisjoint(self.before):
                return True
        return self._stands(claim)

    def _stands(self, claim: Claim) -> bool:
        """True if a statement is supported by what the model saw."""
        sentence = claim.sentence
        if "look" in claim.kinds and claim.here and (self.looked or self.kept):
            return True
        keeps = claim.kinds <= {"note", "remind"} and _KEEPS.search(sentence) is not None
        if keeps:
            return self._grounded(sentence, self.kept)
        if not claim.kinds & {"state", "anything", "look", "send"}:
            return False
        if self.looked and claim.kinds <= {"anything"} and _DENIES.search(sentence):
            return not self._strange(sentence)
        if self._absent(sentence):
            one = _OF_ONE.search(self._nameless(sentence)) is not None
            return self.looked or (self.shown and not one) or self._said(sentence)
        if "state" not in claim.kinds and not (claim.kinds <= {"anything"} or self.looked):
            return False
        if self.looked and ("state" in claim.kinds or "look" in claim.kinds):
            return not self._strange(sentence)
        return self._grounded(sentence, self.kept) or self._said(sentence)

    def _absent(self, sentence: str) -> bool:
        return any(row.name in _ABSENT for row in states(told(self._nameless(sentence))))

    def _nameless(self, sentence: str) -> str:
        return _without_names(sentence, self.people)

    def _said(self, sentence: str) -> bool:
        """True if a single line, no question, supports the whole sentence."""
        lines = [line for line in (*self.talk, *self.told) if not _ASKS.search(line)]
        return any(
            (self._grounded(sentence, (line,)) and _denied_alike(sentence, line)) or _echoes(sentence, line)
            for line in lines
        )

    def _strange(self, sentence: str) -> bool:
        """True if a known person is named who is in no line looked up."""
        lines = "\n".join((*self.kept, *self.talk))
        return any(name in sentence and name not in lines for name in self.people)

    def _grounded(self, sentence: str, lines: Sequence[str]) -> bool:
        """True if names, numbers and topic of a sentence are in some lines."""
        whole = normalise("\n".join(lines)).lower()
        bare = _BARE.sub("", normalise(sentence).lower())
        if len(bare) > _SHORT and bare in _BARE.sub("", whole):
            return True
        names = [name for name in self.people if name in sentence]
        if any(normalise(name).lower() not in whole for name in names):
            return False
        plain = sentence
        for name in names:
            plain = plain.replace(name, "他")
        things = _things(plain, _NAMING)
        numbers = _numbers(plain)
        known = {float(each) for each in _NUMBER.findall(whole)}
        if any(number not in known and number != len(lines) for number in numbers):
            return False
        if not _clocks(plain) <= (_clocks(whole) or _clocks(plain)):
            return False
        if any(not _shares(thing, whole) for thing in _stated(plain)):
            return False
        found = [thing for thing in things if _shares(thing, whole)]
        if not (names or numbers or found):
            return False
        return 2 * len(found) >= len(things)

    def _told_of(self, claim: Claim) -> bool:
        """True if our earlier lines name something in the claim; it may name nothing (已经记下了)."""
        lines = [normalise(line).lower() for line in self.told]
        named = [thing for clause in _CLAUSES.split(claim.sentence) for thing in self._named(clause)]
        return not named or any(_shares(thing, line) for thing in named for line in lines)

    def _named(self, clause: str) -> Sequence[str]:
        plain = self._nameless(clause)
        tells = bool(named_deeds(plain).kinds) or bool(claims(clause, self.people))
        naming = _NAMING - {"hui"}
        return _things(plain, naming if tells else naming | {"action"})


def asks_of_deeds(words: str) -> bool:
    """True if a line asks: an earlier action may then be told."""
    return _ASKED.search(words) is not None


def _did(deed: TurnAction, claim: Claim, people: Collection[str]) -> bool:
    """True if an action is the claimed one, on the named item."""
    if (claim.outside or claim.beyond) and deed.kinds != frozenset(KINDS):
        return False
    if not (claim.kinds & deed.kinds or (claim.kinds & {"anything", "state"} and not deed.kinds <= {"look"})):
        return False
    if claim.named and claim.named.isdisjoint(deed.kinds):
        return False
    if deed.kinds == frozenset(KINDS):
        return True
    if (
        claim.kinds & deed.kinds <= {"order"}
        and claim.kinds & deed.kinds
        and "order" in named_deeds(claim.clause or claim.sentence).kinds
    ):
        return False  # one who joined has a place; nothing was bought
    if not deed.words:
        return True
    words = normalise(deed.words).lower()
    if any(normalise(name).lower() not in words for name in _taken_in(claim.sentence, people)):
        return False
    if not _at_its_time(claim, words):
        return False
    about = topic(told(_without_names(claim.clause, people))) if claim.clause else ""
    if about and not _meets(about, words):
        return False
    part = claim.clause if claim.clause and about else claim.sentence
    sure = [*_things(part, _THINGS), *_quotations(claim.sentence)]
    if "state" in claim.kinds:
        sure += [name for name in people if name in claim.sentence]
    if not sure:
        return True
    named = [*sure, *_things(part, _NAMING)]
    return any(_meets(thing, words) for thing in named)


def _without_names(sentence: str, people: Collection[str]) -> str:
    for name in sorted(people, key=len, reverse=True):
        sentence = sentence.replace(name, "他")
    return sentence


def _taken_in(sentence: str, people: Collection[str]) -> Iterable[str]:
    """Members named as object of an action: 把小北也拉进去了, 石头我也加了, 记在石头头上."""
    for name in people:
        if name not in sentence:
            continue
        each = re.escape(name)
        if re.search(
            f"(?:把|加上?|算上?|拉上?|带上?|捎上?){each}|在{each}(?:名下|头上|账上)|{each}(?:我|也|都)+[加算拉报写]",
            sentence,
        ):
            yield name


def _at_its_time(claim: Claim, words: str) -> bool:
    """True if a claim's clock time is one of the action's, if known; a reminder may be earlier."""
    said, known = _clocks(claim.clause or claim.sentence), _clocks(words)
    if not said or not known:
        return True
    early = _EARLY if "remind" in claim.kinds else 0
    return any((there - here) % _HALF_A_DAY <= early for here in said for there in known)


def _clocks(text: str) -> set[int]:
    """Times of day in minutes, whatever half of the day."""
    found: set[int] = set()
    for each in parse(normalise(text), ANY_MOMENT, ZONE):
        for at in (each.start, each.end):
            if at is not None:
                found.add((at.hour * 60 + at.minute) % _HALF_A_DAY)
    return found


def _echoes(sentence: str, line: str) -> bool:
    """True if a clause of the sentence is verbatim in the line, both denied or neither."""
    heard = _bare(line)
    for clause in _CLAUSES.split(sentence):
        said = _bare(clause)
        if any(said[at : at + _ECHO] in heard for at in range(len(said) - _ECHO + 1)):
            return _denied_alike(said, heard)
    return False


def _bare(text: str) -> str:
    """A text without marks and without what changes when another one says it."""
    return _RETOLD.sub("", _BARE.sub("", normalise(text).lower()))


def _denied_alike(one: str, other: str) -> bool:
    denied, also = (_DENIES.search(_NO_DENIAL.sub("", each)) is not None for each in (one, other))
    return denied is also


def _stated(sentence: str) -> Iterable[str]:
    """Items named in clauses that state something."""
    return [
        thing
        for clause in _CLAUSES.split(sentence)
        if states(told(clause))
        for thing in _things(clause, _THINGS)
    ]


def _quotations(sentence: str) -> Iterable[str]:
    return [next(filter(None, match.groups())) for match in _QUOTED.finditer(sentence)]


def _things(sentence: str, classes: frozenset[str]) -> list[str]:
    """Runs of words of some classes, two characters and more, without times and sums."""
    seen = told(sentence)
    runs: list[str] = []
    run: list[Token] = []
    for token in (*seen.tokens, None):
        named = token is not None and not token.classes.isdisjoint(classes) and "number" not in token.classes
        if named and token is not None and (not run or run[-1].end == token.start):
            run.append(token)
            continue
        if run:
            runs.append(seen.text[run[0].start : run[-1].end])
        run = [token] if named and token is not None else []
    return [each for each in runs if len(each) > 1]


def _numbers(sentence: str) -> list[float]:
    """Numbers that are no part of a time."""
    seen = told(sentence)
    found: list[float] = []
    for token in seen.tokens:
        if token.classes & {"amount", "number"}:
            found += [float(each) for each in _NUMBER.findall(seen.text[token.start : token.end])]
    return found


def _shares(thing: str, words: str) -> bool:
    """True if two neighbouring characters of it are in the words."""
    return any(thing[at : at + 2] in words for at in range(len(thing) - 1))


def _meets(thing: str, words: str) -> bool:
    """True if the words may mean a thing: 打球 and 羽毛球 match."""
    return _shares(thing, words) or thing[-1] in words
