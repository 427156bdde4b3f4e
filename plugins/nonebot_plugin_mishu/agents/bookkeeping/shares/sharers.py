"""Sharers of an expense, and questions before its division. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import gcd
from typing import Final, Literal

from ....language.entries.entry import Entry, Person, Share
from ....language.ledger.shares.division import ratio_in
from ....language.ledger.shares.participants import Participants, without_people
from ....language.ledger.shares.people import ONE_MEANT
from ..frames import Sharing
from .sharing import Bearing, split, split_by_payers, split_unevenly

ALL: Final = "就你自己就说「不用分」，要分就报名字或 @ 一下：都有谁一起分{without}？"
RATIO: Final = "像「小雅六成我四成」这样说一遍，「{said}」是谁多谁少？"
BIGGER: Final = "「{said}」是多少？"
FOR_WHOM: Final = "{payer}付的{sum}，和你们没关系就说「不用记」，要分就报名字或 @ 一下：谁一起分？"
WHO_PAID: Final = "不在群里就说「不用记」，在就 @ 一下或报群名片：「{payer}」是群里的哪位？"
CREDITOR: Final = "不在群里就说「不记名」，我按转账记；在就 @ 一下或报群名片：「{who}」是群里的哪位？"


@dataclass(frozen=True, slots=True)
class SharerQuestion:
    """Question before a division. `kind`: sharers, parts, payer, or receiver of a repayment."""

    kind: Literal["who", "parts", "payer", "creditor"]
    question: str


def asking_who(said: Sharing, me: str, sum_: str) -> SharerQuestion | None:
    """Question about an expense of this sum; None if all is known."""
    payer = said.payer
    if said.creditor:
        return SharerQuestion("creditor", CREDITOR.format(who=said.creditor))
    unknown = next((who for who, _ in said.payments if who[1] and not who[0]), None)
    if unknown is not None:
        return SharerQuestion("payer", WHO_PAID.format(payer=unknown[1]))
    if payer is not None and not payer[0]:
        return SharerQuestion("payer", WHO_PAID.format(payer=payer[1]))
    if said.unclear:
        told = BIGGER if "头" in said.unclear or "部分" in said.unclear else RATIO
        return SharerQuestion("parts", told.format(said=said.unclear))
    if payer is not None and (not said.split or said.open):
        return SharerQuestion("who", FOR_WHOM.format(payer=payer[1], sum=sum_))
    if said.beside and not said.split:
        return SharerQuestion("who", ALL.format(without=""))
    nobody = said.split and not said.among.others and said.among.people is None
    if said.open or (said.bears and nobody):  # 酒店600 我出400: the rest has no sharers
        left = "、".join(said.without)
        return SharerQuestion("who", ALL.format(without=f"（{left}不算）" if left else ""))
    question = among(said, me).question if said.split else None
    return None if question is None else SharerQuestion("who", question)


def among(said: Sharing, me: str, name: str = "") -> Participants:
    """Sharers beside the payer, with the speaker unless excluded."""
    others = said.among.without(me)
    if said.payer is None:
        return others
    others = said.among.without(said.payer[0])
    if not said.ours or any(user == me for user, _ in others.named):
        return others
    return replace(others, named=((me, name), *others.named))


def shared_with(me: str, entry: Entry) -> bool:
    """True for a bill whose parts are all of members, the speaker and others."""
    bears = {share.user_id for share in entry.shares if share.fen}
    return entry.type == "EXPENSE" and me in bears and len(bears) > 1 and "" not in bears


def divided_like(said: Sharing, last: Entry, me: Person) -> Sharing:
    """Sharing among those who share an earlier bill; in its proportions where nothing else is said of whose
    part it is and these are the ratio that is named, if one is. 他 is the other one of two."""
    parts = [each for each in last.shares if each.fen]
    others = tuple((each.user_id, each.name) for each in parts if each.user_id != me[0])
    strangers = said.among.unknown
    if any(name not in ONE_MEANT for name in strangers) or (strangers and len(others) != 1):
        return said
    meant = {("", name): others[0] for name in strangers}
    bears = tuple(replace(each, who=meant.get(each.who, each.who)) for each in said.bears)
    unclear = said.unclear
    if not bears and (not unclear or _proportion(ratio_in(unclear)) == _proportion(e.fen for e in parts)):
        bears, unclear = (
            tuple(
                Bearing(("", "") if each.user_id == me[0] else (each.user_id, each.name), "weight", each.fen)
                for each in parts
            ),
            "",
        )
    among = replace(said.among, named=others, unknown=())
    return replace(said, among=among, bears=bears, unclear=unclear, split=True, shared=True, open=False)


def _proportion(parts: Iterable[int]) -> list[int]:
    """Whole numbers without a common divisor, in order of size."""
    numbers = sorted(parts)
    return [each // gcd(*numbers) for each in numbers]


def divided_among(said: Sharing, entry: Entry, me: Person) -> Entry | None:
    """Divided entry; None if the parts do not fit its sum."""
    payer = said.payer or me
    others = among(said, *me)
    words = without_people(entry.description, [name for _, name in others.others])
    fen = entry.fen * others.count if said.each else entry.fen
    entry = replace(entry, fen=fen, description=words, shared=True)
    if not said.split or others.count < 2:
        return entry
    apart = not said.ours if said.payer is None else said.payer not in said.among.named
    if apart and (said.closed or (not said.bears and others.people == len(others.others) > 1)):
        # The head count equals the named people, without the payer (队长付的 我们三个分的 我阿凯小胖).
        borne = _among(fen, others.others, said.bears)
        return None if borne is None else replace(entry, shares=(Share(*payer, 0), *borne))
    if not said.bears:
        return replace(entry, shares=split(fen, payer, others.others, others.count))
    bears = [replace(each, who=me) if each.who == ("", "") else each for each in said.bears]
    shares = split_unevenly(
        fen, payer, others.others, others.count, _completed(bears, [payer, *others.others])
    )
    return None if shares is None else replace(entry, shares=shares)


def _among(fen: int, people: Sequence[Person], bears: Sequence[Bearing]) -> tuple[Share, ...] | None:
    """Shares of these people alone; None if the parts do not fit the sum."""
    first, *rest = people
    if bears:
        return split_unevenly(fen, first, rest, len(people), bears)
    return split(fen, first, rest, len(people))


def paid_in_parts(said: Sharing, entry: Entry, me: Person) -> list[Entry]:
    """A divided bill as one entry for each of those who paid a part of it; as it is where one paid it all."""
    if not said.payments or not entry.shares:
        return [entry]
    payments = [(me if who == ("", "") else who, fen) for who, fen in said.payments]
    found = split_by_payers(entry.shares, payments)
    if found is None:
        return [entry]
    return [replace(entry, fen=fen, shares=shares) for (_, fen), shares in zip(payments, found, strict=True)]


def _completed(bears: list[Bearing], everybody: list[Person]) -> list[Bearing]:
    """Bearings of actual sharers only."""
    return [each for each in bears if each.who in everybody]
