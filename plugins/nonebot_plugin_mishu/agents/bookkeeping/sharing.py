"""Shared expenses: who bears how much to the fen, and who owes whom with the fewest transfers. Pure.

Whoever pays takes what does not divide: of 100 for three each other one bears 33.33, the payer 33.34.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from ...text import mask_identifiers, parse_integer
from .entry import Share

MOST_PEOPLE: Final = 200

_LATER: Final = (
    "(?:,|，| )*(?:回头|之后|到时候?|以后|下次|待会儿?|晚点|等下|过后|改天|后面)*(?:让|叫|等)?(?:他们|她们"
    "|大家|你们|其他人)[^,，。0-9]{0,6}(?:转|给|还|发|补)(?:钱)?(?:给)?我(?:就行)?"
)
"""The others are to give it back (回头他们转我)."""
LATER: Final = re.compile(_LATER)
_PEOPLE: Final = "[0-9一二两三四五六七八九十百]{1,4}"
_BY_COUNT: Final = (
    f"(?:我们|咱们?|俺们)?(?:[俩仨]|{_PEOPLE}个?)人(?:一起|来|要)*分(?:摊|担|掉)?(?![钟手开店期红公组数])"
)
"""我们五个人分."""
SHARING: Final = re.compile(
    f"{_BY_COUNT}|(?<![A-Za-z])[Aa]{{2}}制?(?![A-Za-z])|平摊|均摊|平分|均分|分摊|大家分|一人一半|对半分?|五五开"
    f"|{_LATER}|(?:记|算)?(?:到|进|入|在)?群里?(?:的)?账(?:上|里)?"
    f"|公账|(?:我们|咱们|一共|总共|共|连我|我|咱)?(?:[俩仨]|{_PEOPLE}个?)人(?![民均])(?:一起)?|人均"
    f"|每个?人|按?人头"
)
"""The words of sharing, which are no part of what was bought."""
_SHARED: Final = re.compile(
    f"{_BY_COUNT}|(?<![A-Za-z])[Aa]{{2}}制?(?![A-Za-z])|平摊|均摊|平分|均分|分摊|大家分|一人一半|对半分?|五五开"
    f"|{_LATER}|群里?(?:的)?账|公账"
)
SPLIT: Final = re.compile(
    f"{_BY_COUNT}|(?<![A-Za-z])[Aa]{{2}}制?(?![A-Za-z])|平摊|均摊|平分|均分|分摊|大家分|一人一半|对半分?|五五开|{_LATER}"
)
_PART: Final = re.compile("[,，;；:：。\n]")
_COUNT: Final = re.compile(
    f"一人一半|(?P<more>另外|其他|其余|别的|[和跟与])?(?P<ours>我们|咱们?|俺们|一共|总共|共|连我)?"
    f"(?:(?P<count>{_PEOPLE})(?:个人|人(?!民)|位|口人|个(?:同事|朋友|同学|室友|舍友|哥们|兄弟|姐妹|闺蜜)"
    f"|(?<=[们咱共])个)|(?P<pair>[俩仨])(?=个?人|平|均|分|[Aa]{{2}}|对|$|[,，。 ]))"
    f"|(?:我们|咱们?|俺们)(?P<ours_count>{_PEOPLE}|[俩仨])个?(?!起|共|块|样|元|[0-9])"
    f"|对半分?|五五开"
)
_SHORT: Final = {"俩": 2, "仨": 3}


@dataclass(frozen=True, slots=True)
class Transfer:
    """`debtor` gives `creditor` so many fen; both are ids."""

    debtor: str
    creditor: str
    fen: int


def is_shared(text: str) -> bool:
    """Whether an expense is the group's: AA, 平摊, 群账."""
    return _SHARED.search(mask_identifiers(text)) is not None


def is_split(text: str) -> bool:
    """Whether it is divided among people (AA), and not merely the group's (群账)."""
    return SPLIT.search(mask_identifiers(text)) is not None


def parts_of(text: str, items_in: Callable[[str], int]) -> tuple[tuple[int, bool], ...]:
    """The parts of a text: how many items `items_in` finds in each, and whether it speaks of sharing."""
    return tuple((items_in(part), is_shared(part)) for part in _PART.split(text) if part.strip())


def which(parts: Sequence[tuple[int, bool]], items: int) -> list[bool]:
    """Which of the `items` of a shared text with these parts are shared, in order.

    午饭35，聚餐400 AA: a part that names its own amount says it of that only. 午饭35，打车20，AA: of all.
    """
    own = [count for count, shared in parts if shared]
    if sum(count for count, _ in parts) != items or not own or not all(own):
        return [True] * items
    return [shared for count, shared in parts for _ in range(count)]


def people_in(text: str) -> int | None:
    """How many people a text says share it, the payer included; None where it does not."""
    for found in _COUNT.finditer(text):
        said = found["count"] or found["pair"] or found["ours_count"]
        count = 2 if said is None else _SHORT.get(said) or parse_integer(said)
        if count is not None and found["more"] and found["count"] and not found["ours"]:
            count += 1  # 和4个同事: and the payer
        if count is not None and 2 <= count <= MOST_PEOPLE:
            return count
    return None


def split(
    fen: int, payer: tuple[str, str], others: Sequence[tuple[str, str]], people: int | None = None
) -> tuple[Share, ...]:
    """Divide an expense: `payer` and `others` are (id, name), `people` how many there are in all.

    The payer comes first and takes the remainder; people who were counted but not named have no id.
    """
    named = list(dict.fromkeys(other for other in others if other[0] != payer[0]))
    count = max(people or 0, len(named) + 1)
    each = fen // count
    rest = fen - each * (count - 1)
    strangers = [("", "") for _ in range(count - 1 - len(named))]
    return (Share(*payer, rest), *(Share(*other, each) for other in (*named, *strangers)))


def unknown(records: Iterable[Sequence[Share]]) -> dict[str, tuple[int, int]]:
    """What nobody knows by whom it is owed, by the payer's id: how many shares, and how much in fen."""
    found: dict[str, tuple[int, int]] = {}
    for shares in records:
        for share in shares[1:]:
            if not share.user_id and share.fen:
                count, fen = found.get(shares[0].user_id, (0, 0))
                found[shares[0].user_id] = (count + 1, fen + share.fen)
    return found


def balances(records: Iterable[tuple[str, Sequence[Share]]]) -> dict[str, int]:
    """What each member is owed (positive) or owes, in fen, from (payer's id, shares). Sums to zero.

    Somebody who was not named owes nothing here: nobody knows who it is.
    """
    found: dict[str, int] = {}
    for payer, shares in records:
        for share in shares:
            if share.user_id and share.user_id != payer:
                found[payer] = found.get(payer, 0) + share.fen
                found[share.user_id] = found.get(share.user_id, 0) - share.fen
    return {user: fen for user, fen in found.items() if fen}


def settle(owed: Mapping[str, int]) -> list[Transfer]:
    """Transfers that make everybody even: at most one fewer than there are members with a balance."""
    debts = sorted(((-fen, user) for user, fen in owed.items() if fen < 0), reverse=True)
    credits = sorted(((fen, user) for user, fen in owed.items() if fen > 0), reverse=True)
    transfers: list[Transfer] = []
    _exact(debts, credits, transfers)
    while debts and credits:
        (debt, debtor), (credit, creditor) = debts.pop(0), credits.pop(0)
        fen = min(debt, credit)
        transfers.append(Transfer(debtor, creditor, fen))
        if debt > fen:
            debts.append((debt - fen, debtor))
            debts.sort(reverse=True)
        if credit > fen:
            credits.append((credit - fen, creditor))
            credits.sort(reverse=True)
    return transfers


def _exact(debts: list[tuple[int, str]], credits: list[tuple[int, str]], transfers: list[Transfer]) -> None:
    """First those whose debt is exactly somebody's credit: one transfer makes two people even."""
    for debt in list(debts):
        match = next((credit for credit in credits if credit[0] == debt[0]), None)
        if match is not None:
            transfers.append(Transfer(debt[1], match[1], debt[0]))
            debts.remove(debt)
            credits.remove(match)
