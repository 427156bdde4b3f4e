"""Who shares an item of a card, said again: 小李没去，去掉他; 加上小李; 其实是五个人. Pure.

Of the items pending that are shared the only one is meant, or the one that a number names.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from ..clause import Mention
from .entry import Entry, Share
from .model import SHARES
from .participants import amendment_of, people_in
from .pointing import Pending, by_number
from .repaying import is_repayment
from .sharing import given_up, split

Divide = Callable[[str, Sequence[Entry]], Sequence[Entry]]
"""Divides among members what a line says is shared."""
_LONGEST: Final = 30
_LEAVES: Final = re.compile(
    "没(?:去|来|吃|在|参加|到|有份|喝|玩|打)|(?:不|别)(?:算|参加|参与|来|去|用|要|AA|aa)|去掉|除掉|除去|除外|除了|删掉|删了|拿掉|划掉|退出"
)
_COMES: Final = re.compile("加上|加个|算上|带上|补上|还有|漏了|忘了|也(?:去|来|吃|在|算|参加)了?")
COMING: Final = frozenset({"加上", "算上", "带上", "加个", "还有"})
"""Words of these that a line about a shared item begins with."""
_COUNTS: Final = re.compile("人|[俩仨]")
_MONEY: Final = re.compile("[0-9.]+ ?(?:块|元|毛|角|¥)|¥")


def shared_anew(
    line: str, pending: Pending, divide: Divide | None
) -> Mapping[int, Mapping[str, object]] | None:
    """The change of the one shared item that a line says other people share; None where it says none."""
    if len(line) > _LONGEST or _MONEY.search(line) is not None:
        return None
    named = by_number(line, pending)
    items = [(number, entry) for number, entry in pending if entry.shares and not is_repayment(entry.shares)]
    items = [each for each in items if not named or each[0] in named]
    if len(items) != 1:
        return None
    number, entry = items[0]
    shares = _waived(line, entry) or _without(line, entry)
    if shares is None:
        shares = _with(line, entry, divide) or _counted(line, entry)
    return None if shares is None or shares == entry.shares else {number: {SHARES: shares}}


def _waived(line: str, entry: Entry) -> tuple[Share, ...] | None:
    """石头那份算了: whoever paid bears it."""
    members = tuple(Mention(each.user_id, each.name) for each in entry.shares if each.user_id)
    said = amendment_of(line, (), members)
    if said is None or said.waived is None or len(said.waived.ids) != 1:
        return None
    return given_up(entry.shares, said.waived.ids[0])


def _without(line: str, entry: Entry) -> tuple[Share, ...] | None:
    payer, *others = entry.shares
    gone = [each for each in others if each.name and each.name in line]
    if not gone or _LEAVES.search(line) is None:
        return None
    if len(gone) == len(others):
        return ()
    left = [(each.user_id, each.name) for each in others if each not in gone and each.name]
    return split(entry.fen, (payer.user_id, payer.name), left, len(entry.shares) - len(gone))


def _with(line: str, entry: Entry, divide: Divide | None) -> tuple[Share, ...] | None:
    if divide is None or _COMES.search(line) is None or _LEAVES.search(line) is not None:
        return None
    payer, *others = entry.shares
    # As if they had been named at once: who is a member is known there.
    bare = _COMES.sub(" ", line)
    told = divide(f"我和{bare} AA", [entry])
    fresh = [
        (each.user_id, each.name)
        for each in told[0].shares[1:]
        if each.user_id and all(each.user_id != known.user_id for known in entry.shares)
    ]
    if not fresh:
        return None
    known = [(each.user_id, each.name) for each in others if each.name]
    return split(entry.fen, (payer.user_id, payer.name), [*known, *fresh], len(entry.shares) + len(fresh))


def _counted(line: str, entry: Entry) -> tuple[Share, ...] | None:
    count = people_in(line) if _COUNTS.search(line) is not None else None
    payer, *others = entry.shares
    named = [(each.user_id, each.name) for each in others if each.name]
    if count is None or count <= len(named):
        return None
    return split(entry.fen, (payer.user_id, payer.name), named, count)
