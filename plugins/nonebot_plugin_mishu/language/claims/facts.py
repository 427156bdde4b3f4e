"""Facts that a reply is held against: what this turn did, and to what; what stands in the prompt; what
members said.

A promise or a deed is true where the turn did that to that thing; a state of things kept here is true where
it was shown to the model or looked up; a state of the world only where a member told it. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache, cached_property, lru_cache
from typing import Final

from ...patterns import Pattern
from ..recognise.numerals import parse_integer
from ..recognise.times import names_day, parse
from ..text.fold import normalise
from ..text.tokens import Token
from .reading import Claim, claims
from .states import ANY_MOMENT, ZONE, states, told
from .table import KINDS, Kind, words
from .topic import named_deeds, topic

_ASKED: Final = Pattern(r"[?？]\s*$|[吗么没嘛]\s*[?？。!！~]*$|了没有?|有没有|是不是|记得吗")
_CLAUSES: Final = Pattern("[,，;；]")
_QUOTED: Final = Pattern("「([^」]+)」|“([^”]+)”|《([^》]+)》")
_ORDERS: Final = Pattern("[：:,， ](?:帮|请(?!假)|麻烦|把|将|给我)")
"""A member's line that begins as an order (把买菜那条删了, 秘书 帮我…), not 我把合同寄了."""
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
_DEEDS: Final[frozenset[Kind]] = frozenset({"note", "change", "remove", "finish", "send", "order", "remind"})
_PLACES: Final = frozenset({"place", "room"})
_COMES: Final = Pattern("报名|报了名|参加|加入|都?[来去]")
_CALLED: Final = frozenset({"action"})
_PIECES: Final = Pattern("[,，;；:：、]|[和跟]|还有")
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
    now: datetime = ANY_MOMENT
    """When the reply is made: 明天 is a day by it."""

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
            return self._said(claim.sentence) or self._grounded(claim.sentence)
        if (claim.past or self.asked) and self.before and self._told_of(claim):
            anything = "anything" in claim.kinds or "state" in claim.kinds
            kinds = anything or not claim.kinds.isdisjoint(self.before)
            if kinds and self._fits_one(claim.sentence, self._attesting(claim), earlier=True):
                return True
        denied = self.looked and _DENIES.search(claim.sentence)  # 你这周没记过账
        if (claim.kinds | claim.named) & _DEEDS and not denied:
            return self._was_done(claim)
        return self._stands(claim)

    def _attesting(self, claim: Claim) -> Sequence[str]:
        """Our own earlier lines that tell of a deed of the claim's kind."""
        kinds = (claim.named or claim.kinds) & _DEEDS
        return [line for line in self.told if not kinds or kinds & _kinds_told(line)]

    def _was_done(self, claim: Claim) -> bool:
        """True if a deed that is claimed, or a call that is promised, is one that our own line told of, or
        that what is kept shows: the same thing, and no day, clock, sum or member otherwise."""
        kinds = (claim.named or claim.kinds) & _DEEDS
        sentence = claim.sentence
        if self._fits_one(sentence, self._attesting(claim)):
            return True
        if kinds <= {"note", "remind"} or (kinds <= {"note", "remind", "order"} and _COMES.search(sentence)):
            if _KEEPS.search(sentence) and self._bare_but(sentence) and self.kept:
                return True
            if self._fits_one(sentence, self._kept_lines) or self._comes(sentence):
                return True
        # 石头周五请假了 is theirs; what a line asks of us is not done by being asked (帮我把评审会取消了)
        return claim.kinds.isdisjoint(_DEEDS) and self._said(sentence, ours=False)

    def _bare_but(self, sentence: str) -> bool:
        """True of 放心，都记着呢."""
        told = _times_and_sums(self._nameless(sentence), self.now)
        return not (any(told) or self._names_in(sentence) or _things(self._nameless(sentence), _THINGS))

    @cached_property
    def _kept_lines(self) -> tuple[str, ...]:
        return tuple(each for line in self.kept for each in line.split("\n") if each)

    def _names_in(self, sentence: str) -> list[str]:
        return [name for name in self.people if name in sentence]

    def _fits_one(self, sentence: str, lines: Iterable[str], *, earlier: bool = False) -> bool:
        """True if one line has the thing that a sentence names, and nothing of it otherwise. A time or a name
        alone names no thing (早上八点叫你).

        `earlier`: told of a deed of earlier, which need not be named again, or of when (昨天就关了).
        """
        sentence = self._without_doer(sentence) if earlier else sentence
        plain = self._nameless(sentence)
        names = {normalise(name).lower() for name in self._names_in(sentence)}
        days, clocks, numbers = _times_and_sums(plain, self.now)
        if earlier:
            days = frozenset(
                day for day in days if day[1] is None or day[1] >= (self.now.month, self.now.day)
            )
        sure, things, done = _named_things(plain, earlier=earlier)
        for line in lines:
            text = normalise(line).lower()
            theirs, at, sums = _times_and_sums(text, self.now)
            known = {
                *sums,
                *map(float, _NUMBER.findall(text)),
                float(sum(one in text for one in self.people)),
            }
            if not names <= {name for name in names if name in text} or not clocks <= at:
                continue
            if not all(any(_same_day(day, other) for other in theirs) for day in days):
                continue
            if any(number not in known for number in numbers):
                continue
            found = [thing for thing in things if _shares(thing, text)]
            if any(thing not in found for thing in sure) or 2 * len(found) < len(things):
                continue
            details = sum(map(bool, (names, days, clocks, numbers)))
            found += [thing for thing in done if thing in text]  # 去换护照 is not 去换驾照
            if found or (not things and (earlier or details > 1)) or (names and _alike(plain, text)):
                return True
        return False

    def _stands(self, claim: Claim) -> bool:
        """True if a statement is supported by what the model saw."""
        sentence = claim.sentence
        if "look" in claim.kinds and claim.here and (self.looked or self.kept):
            return True
        keeps = claim.kinds <= {"note", "remind"} and _KEEPS.search(sentence) is not None
        if keeps:
            return self._grounded(sentence)
        if not claim.kinds & {"state", "anything", "look", "send"}:
            return False
        if self.looked and claim.kinds <= {"anything"} and _DENIES.search(sentence):
            return not self._strange(sentence)
        if any(row.name in _ABSENT for row in states(told(self._nameless(sentence)))):
            one = _OF_ONE.search(self._nameless(sentence)) is not None
            return self.looked or (self.shown and not one) or self._said(sentence)
        if "state" not in claim.kinds and not (claim.kinds <= {"anything"} or self.looked):
            return False
        if self.looked and ("state" in claim.kinds or "look" in claim.kinds):
            found = _clocks("\n".join(self.kept))
            return not self._strange(sentence) and (not found or _clocks(self._nameless(sentence)) <= found)
        return self._grounded(sentence) or self._said(sentence)

    def _nameless(self, sentence: str) -> str:
        return _without_names(sentence, self.people)

    def _said(self, sentence: str, *, ours: bool = True) -> bool:
        """True if a single line, no question, supports the whole sentence; `ours`: also one of ours, else no
        order either."""
        told = (*self.talk, *self.told) if ours else (each for each in self.talk if not _ORDERS.search(each))
        lines = [line for line in told if not _ASKS.search(line)]
        return any(
            (self._fits_one(sentence, (line,)) and _denied_alike(sentence, line)) or _echoes(sentence, line)
            for line in lines
        )

    def _strange(self, sentence: str) -> bool:
        """True if a known person is named who is in no line looked up."""
        lines = "\n".join((*self.kept, *self.talk))
        return any(name in sentence and name not in lines for name in self.people)

    def _grounded(self, sentence: str) -> bool:
        """True if what is kept has each thing that a sentence tells of, as it tells it."""
        lines = self._kept_lines
        bare = _BARE.sub("", normalise(sentence).lower())
        if len(bare) > _SHORT and bare in _BARE.sub("", normalise("\n".join(lines)).lower()):
            return True
        if self._fits_one(sentence, lines) or self._comes(sentence):
            return True
        parts = self._of_each_thing(sentence)
        counts = {float(len(self.kept)), float(len(parts))}
        lead = "" if self._things_of(parts[0]) else parts.pop(0)
        numbers = _times_and_sums(self._nameless(lead), self.now)[2]
        telling = [part for part in parts if self._tells_something(part)]
        return bool(telling) and numbers <= counts and all(self._fits_one(part, lines) for part in telling)

    def _tells_something(self, part: str) -> bool:
        plain = self._nameless(part)
        told = any(_times_and_sums(plain, self.now)) or self._names_in(part)
        return bool(told) or any(_stated(plain))

    def _comes(self, sentence: str) -> bool:
        """True if members of whom a sentence says that they come stand together in a kept line."""
        names = self._names_in(sentence)
        plain = self._nameless(sentence)
        told = any(_times_and_sums(plain, self.now)) or _DENIES.search(plain) or _things(plain, _THINGS)
        comes = bool(names) and not told and _COMES.search(sentence) is not None
        return comes and any(all(name in line for name in names) for line in self._kept_lines)

    def _without_doer(self, sentence: str) -> str:
        """A sentence without who did it (是老陈改的): our lines name nobody."""
        for name in self._names_in(sentence):
            sentence = re.sub(f"是?{re.escape(name)}.{{1,2}}的(?=[。!！~ ]|$)", "", sentence)
        return sentence

    def _of_each_thing(self, sentence: str) -> list[str]:
        """A sentence in parts that name a thing each (周三例会，周六聚餐), what stands before first."""
        parts: list[str] = []
        for clause in _PIECES.split(sentence):
            if parts and not self._things_of(clause):
                parts[-1] += f"，{clause}"
            else:
                parts.append(clause)
        return parts

    def _things_of(self, clause: str) -> list[str]:
        return _things(self._nameless(clause), _NAMING)

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


_COUNTED: Final = Pattern("[两俩仨二三四五六七八九十]++(?=[个位]人|人)")
"""Number of people (有三个人了)."""
_WEEKDAY: Final = Pattern("(?:本周|这周|这个?|本)?(?:周|星期|礼拜)?[一二三四五六日天][^月号/-]*+")
"""A day told by its weekday alone (周六晚上七点)."""
Day = tuple[int, tuple[int, int] | None]
"""Weekday, and month and day where they are known."""


def _same_day(one: Day, other: Day) -> bool:
    if one[1] is not None and other[1] is not None:
        return one[1] == other[1]
    return one[0] == other[0]


@lru_cache(maxsize=512)
def _times_and_sums(text: str, now: datetime) -> tuple[frozenset[Day], frozenset[int], frozenset[float]]:
    """Days, times of day in minutes, and further numbers of a text."""
    plain = normalise(text)
    days: set[Day] = set()
    for each in parse(plain, now, ZONE):
        if each.date is not None and names_day(each.text):
            exact = _WEEKDAY.fullmatch(each.text) is None
            days.add((each.date.weekday(), (each.date.month, each.date.day) if exact else None))
    counted = (parse_integer(each) for each in _COUNTED.findall(plain))
    numbers = {*_numbers(plain), *(float(each) for each in counted if each is not None)}
    return frozenset(days), frozenset(_clocks(plain)), frozenset(numbers)


@lru_cache(maxsize=512)
def _kinds_told(line: str) -> frozenset[Kind]:
    """Kinds of deeds that a line of ours tells of; what is kept with a reminder is both."""
    found: set[Kind] = {kind for claim in claims(line) for kind in (*claim.kinds, *claim.named)}
    if "remind" in found or ("note" in found and "提醒" in line):
        found |= {"note", "remind"}
    return frozenset(found)


@lru_cache(maxsize=256)
def _named_things(plain: str, *, earlier: bool) -> tuple[list[str], list[str], list[str]]:
    """Things of a sentence that a line must have, all things, and what is done."""
    calls = "提醒" in plain or "叫" in plain
    left = frozenset({"hui"}) if earlier else frozenset[str]()
    sure = [each for each in _things(plain, (_THINGS | _PLACES) - left) if each not in _generic()]
    naming = (_NAMING | _CALLED if calls else _NAMING) - left
    more = (each for each in _things(plain, naming) if each not in {*sure, *_generic()})
    return sure, [*sure, *more], _things(plain, _NAMING | _CALLED)


def _alike(sentence: str, line: str) -> bool:
    """True if most of what a sentence tells stands in a line (他已经把钱转了, of 钱我已经转过去了)."""
    said = _LITTLE.sub("", _bare(sentence))
    return len(said) > 1 and 2 * sum(letter in line for letter in said) > len(said)


_LITTLE: Final = Pattern("[把刚说讲被给让了过在]")


@cache
def _generic() -> frozenset[str]:
    return frozenset(words("named", "generic"))


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
