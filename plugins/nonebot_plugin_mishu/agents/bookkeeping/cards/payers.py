"""New payer or sharers of an item on a card. Pure.

Source: a line (是老K付的, 糖糖也算, 不算我, 就我俩分), or a model's words (`payer`, `sharers`). Names are
resolved among the people on the card, the speaker and the group's members. An unknown payer is dropped; an
unknown sharer stays a name.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from ....language.clause import Mention
from ....language.entries.entry import Entry, Person, Share
from ....language.ledger import SPEAKER, Anew, Name, anew
from ....language.ledger.anew import only_underlines, says_nothing
from ....language.ledger.repayments.repaying import is_repayment
from ....language.recognise.members import matched, names_in
from ..shares.sharing import split

_ME: Final = frozenset({"我", "本人", "自己", "我自己", "咱", "俺"})
_LONGEST_NAME: Final = 20


@dataclass(frozen=True, slots=True)
class Around:
    """Owner of a card and further people. Without an id the speaker is known by their share."""

    me: Person = ("", "")
    members: tuple[Mention, ...] = ()

    @property
    def everybody(self) -> tuple[Mention, ...]:
        """Members, with the speaker under their own name."""
        return (*self.members, Mention(SPEAKER, self.me[1])) if self.me[1] else self.members

    def people(self, entry: Entry) -> tuple[Mention, ...]:
        """People that may be named for an item; its sharers first."""
        on_it = [Mention(each.user_id or each.name, each.name) for each in entry.shares]
        found: dict[str, Mention] = {}
        for one in (*on_it, Mention(*self.me), *self.members):
            if one.user_id and one.name:
                found.setdefault(one.user_id, one)
        return tuple(found.values())

    def speaker(self, entry: Entry) -> Person:
        """Speaker, with their name on the item."""
        return next((_person(each) for each in entry.shares if each.user_id == self.me[0] != ""), self.me)

    def known(self, name: str, entry: Entry) -> Person | None:
        """Person with this name; None if unknown or ambiguous."""
        said = name.strip().removeprefix("@").strip()
        if said in _ME:
            return self.speaker(entry) if self.me[0] else None
        found = matched(said.lower(), self.people(entry)) if said else ()
        return self._person(found[0], entry) if len(found) == 1 else None

    def is_said(self, name: str, text: str) -> bool:
        """True if a model's name is the speaker, or is in the text."""
        said = name.strip().removeprefix("@").strip().lower()
        mine = said in _ME or (bool(said) and said == self.me[1].lower())
        return mine or (bool(said) and said in text.lower())

    def _person(self, found: Mention, entry: Entry) -> Person:
        """Person without an id if on the item by name only."""
        by_name = any(not each.user_id and each.name == found.name for each in entry.shares)
        return ("" if by_name else found.user_id, found.name)


NOBODY: Final = Around()


def said_anew(line: str, entry: Entry, around: Around) -> tuple[Share, ...] | None:
    """New shares of an item by a line; None without any."""
    if entry.type != "EXPENSE" or (is_repayment(entry.shares) and entry.shares[0].user_id == around.me[0]):
        return None
    names = names_in(line, around.people(entry))
    told = anew(line, names)
    if told is not None:
        return _told(told, entry, around)
    return _one_by_one(line, names, entry, around)


_PARTS: Final = str.maketrans(dict.fromkeys(",，。;；、!", " "))


def _one_by_one(
    line: str, names: Mapping[str, tuple[str, ...]], entry: Entry, around: Around
) -> tuple[Share, ...] | None:
    """Shares by several parts in order (老K没打 不算他 就我跟小鱼摊); None if a part is about something
    else."""
    parts = line.translate(_PARTS).split()
    shares: tuple[Share, ...] | None = None
    for part in parts if len(parts) > 1 else ():
        told = anew(part, names)
        if told is None and (only_underlines(part) if shares is not None else says_nothing(part)):
            continue
        shares = None if told is None else _told(told, entry, around)
        if shares is None:
            return None
        entry = replace(entry, shares=shares)
    return shares


def with_payer(entry: Entry, payer: Person, me: Person) -> tuple[Share, ...]:
    """Shares with another payer: each bears the same as before, the speaker all of an unshared item."""
    before, *others = entry.shares or (Share(*me, entry.fen),)
    bearing = [each for each in (before, *others) if each is not before or each.fen]
    if bearing == [Share(*payer, entry.fen)]:
        return () if payer == me else tuple(bearing)
    if is_even(bearing):
        return _among(entry.fen, payer, bearing)
    own = next((each for each in bearing if _person(each) == payer), None)
    return (own or Share(*payer, 0), *(each for each in bearing if each is not own))


def shared_by(entry: Entry, sharers: Sequence[Person], me: Person) -> tuple[Share, ...]:
    """Equal shares of these people, with the same payer."""
    payer = _person(entry.shares[0]) if entry.shares else me
    if [payer] == list(sharers):
        return ()
    return _among(entry.fen, payer, [Share(*who, 0) for who in dict.fromkeys(sharers)])


def by_names(entry: Entry, payer: object, sharers: object, around: Around) -> tuple[Share, ...] | None:
    """Shares by a model's payer and sharers; None if empty or no names."""
    shares = entry.shares
    if payer is not None:
        who = around.known(payer, entry) if isinstance(payer, str) else None
        if who is None:
            return None
        shares = with_payer(entry, who, around.speaker(entry))
    if sharers is None:
        return shares
    if not isinstance(sharers, list) or not sharers:
        return None
    people: list[Person] = []
    for name in sharers:  # pyright: ignore[reportUnknownVariableType]
        if not isinstance(name, str) or not 0 < len(name.strip()) <= _LONGEST_NAME:
            return None
        people.append(around.known(name, entry) or ("", name.strip().removeprefix("@")))
    paid = shares[0] if shares else Share(*around.speaker(entry), entry.fen)
    if [_person(paid)] == people:
        return ()
    return _among(entry.fen, _person(paid), [Share(*who, 0) for who in dict.fromkeys(people)])


def payer_of(entry: Entry) -> str:
    """Payer of a shared item; empty if unshared."""
    return entry.shares[0].name if entry.shares and entry.type == "EXPENSE" else ""


def sharers_of(entry: Entry) -> list[str]:
    """Names of the sharers of a shared item."""
    return [each.name for each in entry.shares if each.fen and each.name] if payer_of(entry) else []


def _told(told: Anew, entry: Entry, around: Around) -> tuple[Share, ...] | None:
    def who(name: Name | None) -> Person | None:
        if name is None:
            return None
        return around.known("我" if name.me else name.text, entry)

    bearing = [each for each in entry.shares if each.fen]
    if told.payer is not None or told.new is not None:
        new, old = who(told.payer or told.new), who(told.old)
        if new is None:
            return None
        paid = _person(entry.shares[0]) if entry.shares else around.speaker(entry)
        if told.payer is not None or (told.old is not None and (told.old.me or old == paid)):
            return with_payer(entry, new, around.speaker(entry))
        if old is None or all(_person(each) != old for each in bearing):
            return None
        return shared_by(
            entry, [new if _person(each) == old else _person(each) for each in bearing], around.speaker(entry)
        )
    if told.joins:
        more = [person for name in told.joins if (person := who(name)) is not None]
        if len(more) != len(told.joins):
            return None
        own = bearing or [Share(*around.speaker(entry), entry.fen)]
        return shared_by(entry, [*map(_person, own), *more], around.speaker(entry))
    if told.leaves:
        gone = {person for name in told.leaves if (person := who(name)) is not None}
        left = [_person(each) for each in bearing if _person(each) not in gone]
        if len(left) == len(bearing):
            return entry.shares if entry.shares and len(gone) == len(told.leaves) else None
        return shared_by(entry, left, around.speaker(entry)) if left else None
    if told.only:
        alone = [person for name in told.only if (person := who(name)) is not None]
        return shared_by(entry, alone, around.speaker(entry)) if len(alone) == len(told.only) else None
    return _counted(told.count or 0, entry, bearing, around)


def _counted(count: int, entry: Entry, bearing: Sequence[Share], around: Around) -> tuple[Share, ...] | None:
    """Shares by a head count: 就我俩分 is speaker and payer; else further sharers stay unnamed."""
    paid = _person(entry.shares[0]) if entry.shares else around.speaker(entry)
    known = list(dict.fromkeys([around.speaker(entry), paid]))
    if len(bearing) == count and any(_person(each) == known[0] for each in bearing):
        return entry.shares
    if count < len(known):
        return None
    strangers = [("", "")] * (count - len(known))
    return _among(entry.fen, paid, [Share(*who, 0) for who in (*known, *strangers)])


def _among(fen: int, payer: Person, bearing: Sequence[Share]) -> tuple[Share, ...]:
    """Equal shares; the payer comes first, with nothing if no sharer."""
    people = [_person(each) for each in bearing]
    if payer in people:
        named = [who for who in people if who not in (payer, ("", ""))]
        return split(fen, payer, named, len(people))
    first, *rest = people
    shares = split(fen, first, [who for who in rest if who != ("", "")], len(people))
    return (Share(*payer, 0), *shares)


def is_even(bearing: Sequence[Share]) -> bool:
    """True if several bear the same, apart from a remainder."""
    parts = [each.fen for each in bearing]
    return len(parts) > 1 and max(parts) - min(parts) < len(parts)


def _person(share: Share) -> Person:
    return share.user_id, share.name
