"""New sharers of an item on a card: 小李没去，去掉他; 加上小李; 其实是五个人. Pure.

Of several shared items a number names one. Parts are given by name (小吴800; 我1200 小吴800): parts that do
not fit the sum change nothing and are no new expense.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from ....language.books.pointing import Pending, by_number, without_items
from ....language.cards.triage import names_item
from ....language.clause import Mention
from ....language.entries.categories import Categories
from ....language.entries.entry import Entry, Share
from ....language.ledger import Division
from ....language.ledger.repayments.lending import borne_alone, lent
from ....language.ledger.repayments.repaying import is_repayment
from ....language.ledger.shares.division import ratio_in
from ....language.ledger.shares.name_lists import name_list
from ....language.ledger.shares.participants import (
    amendment_of,
    division_of,
    is_of_some,
    people_in,
    terms_of,
    thing_told,
    weights_of,
)
from ....language.ledger.strangers import is_surely_name
from ....language.recognise.money import find_amounts
from ....language.text.fold import normalise
from ....patterns import Pattern
from ..model.item import ENTRY, SHARES
from ..shares.sharing import Bearing, split, split_unevenly, without_share
from .payers import NOBODY, Around, is_even, said_anew

Divide = Callable[[str, Sequence[Entry]], Sequence[Entry]]
"""Division of shared entries by a line"""
_LONGEST: Final = 30
_LONGEST_LIST: Final = 60
_LEAVES: Final = Pattern(
    "没(?:去|来|吃|在|参加|到|有份|喝|玩|打)|(?:不|别)(?:算|参加|参与|来|去|用|要|AA|aa)|去掉|除掉|除去|除外|除了|删掉|删了|拿掉|划掉|退出"
)
_COMES: Final = Pattern("加上|加个|算上|带上|补上|还有|漏了|忘了|也(?:去|来|吃|在|算|参加)了?")
COMING: Final = frozenset({"加上", "算上", "带上", "加个", "还有"})
"""First words of a line adding sharers"""
_COUNTS: Final = Pattern("人|[俩仨]")
_SELF: Final = "我"
_OF_ALL: Final = ("都", "全")


def shared_anew(
    line: str, pending: Pending, divide: Divide | None, around: Around = NOBODY
) -> Mapping[int, Mapping[str, object]] | None:
    """New shares of the item whose sharers or payer a line changes; None without any."""
    if len(line) > _LONGEST_LIST:
        return None
    if pending and is_of_some(line, max(entry.fen for _, entry in pending), around.everybody):
        return {}
    if is_own_item(line, [entry for _, entry in pending], around.members):
        return None  # 蛋糕168 我出一半, card: 聚餐
    if (told := _divided_anew(line, pending, around)) is not None:
        return told
    if (told := _told_anew(line, pending, around)) is not None:
        return told
    if len(line) > _LONGEST:
        return None if divide is None else _listed(line, pending, divide)
    named = by_number(line, pending)
    if divide is not None and (paid := _paid_anew(line, pending, divide, named)) is not None:
        return paid
    items = [(number, entry) for number, entry in pending if entry.shares and not is_repayment(entry.shares)]
    items = [each for each in items if not named or each[0] in named]
    if len(items) == 1 and items[0][1].shares[0].user_id == around.me[0] != "" and _is_alone(line):
        return {items[0][0]: {SHARES: ()}}
    if divide is not None and (told := _listed(line, pending, divide)) is not None:
        return told
    if not items and divide is not None and (number := to_be_shared(line, pending)) is not None:
        told = divide(line, [dict(pending)[number]])
        return {number: {SHARES: told[0].shares}} if told[0].shares else None
    if len(items) != 1:
        return None
    number, entry = items[0]
    if find_amounts(line):
        return None
    waived = _waived(line, entry)
    weighed = _weighed(line, entry, around) if waived is None else None
    if weighed is not None:
        return {number: {SHARES: weighed}}
    shares = waived or _without(line, entry)
    if shares is None:
        shares = _with(line, entry, divide) or _all_named(line, entry, divide) or _counted(line, entry)
    return None if shares is None else {number: {SHARES: shares}}


def is_own_item(line: str, entries: Sequence[Entry], members: Sequence[Mention]) -> bool:
    """True if a line names a thing of its own with its own sum (蛋糕168 我出一半), none of these items."""
    thing = "" if names_item(line) else thing_told(normalise(line), members)
    names = [name for entry in entries for name in (entry.description, entry.category) if name]
    return bool(thing) and not any(thing in name or name in thing for name in names)


def _divided_anew(line: str, pending: Pending, around: Around) -> Mapping[int, Mapping[str, object]] | None:
    """Uneven shares of one expense by a line that says nothing else (不对 是月月六成我四成; 我出一半
    剩下他俩平分; 不是AA 我请客); nothing where they do not fit its sum."""
    meant, rest = _items_meant(line, pending)
    if len(meant) != 1 or is_repayment(meant[0][1].shares):
        return None
    number, entry = meant[0]
    said = terms_of(rest, entry.fen, around.people(entry)) or terms_of(line, entry.fen, around.people(entry))
    if said is None or said.guests or (entry.shares and _only_weights(said)):
        return None  # 我出两份: the others keep theirs
    if said.sole is not None:
        return _borne_alone(said, number, entry, around)
    if said.alone:
        mine = entry.shares and entry.shares[0].user_id == around.me[0] and not said.paid_by_other
        return {number: {SHARES: ()}} if mine else None
    bearing = [each for each in entry.shares if each.fen]
    if all(part.kind in ("more", "less") for part in said.parts) and said.parts and not is_even(bearing):
        return {}  # 月月多出20, of shares that are uneven already
    shares = _unevenly_anew(said, entry, around)
    if shares is None:
        return None if said.unclear and not said.parts else {}
    return {} if shares == entry.shares else {number: {SHARES: shares}}


def _borne_alone(
    said: Division, number: int, entry: Entry, around: Around
) -> Mapping[int, Mapping[str, object]] | None:
    """An item that one other person alone bears (全算大刘的): what they owe the speaker, or the speaker them;
    nothing where it is not known who that is."""
    other = said.payer if said.sole is None or said.sole.me else said.sole
    who = None if other is None else around.known(other.text, entry)
    owed = None if who is None else borne_alone(said, Mention(*who), entry)
    if owed is None or who in (None, around.me):
        return {}
    told = lent(owed, entry, around.speaker(entry), Categories())
    return {number: {ENTRY: told}}


def _only_weights(said: Division) -> bool:
    return bool(said.parts) and all(part.kind == "weight" for part in said.parts)


def _unevenly_anew(said: Division, entry: Entry, around: Around) -> tuple[Share, ...] | None:
    """Shares of those on the card and those named, by the parts said; None where they do not fit."""
    paid, *others = entry.shares or (Share(*around.speaker(entry), entry.fen),)
    payer = (paid.user_id, paid.name)
    bearing = [(each.user_id, each.name) for each in (paid, *others) if each.name and each.fen]
    bears: list[Bearing] = []
    if said.unclear and not said.parts:
        numbers = ratio_in(said.unclear)
        if len(numbers) != len(bearing) or len(entry.shares) != len(bearing):
            return None
        bears = [Bearing(who, "weight", value) for who, value in zip(bearing, numbers, strict=True)]
    for part in said.parts:
        if part.who.text in _THEY:
            continue
        who = around.known("我" if part.who.me else part.who.text, entry)
        if who is None:
            return None
        value = int(part.value) if part.kind in ("tenths", "weight") else int(part.value * 100)
        bears.append(Bearing(who, "sum" if part.own and who not in bearing else part.kind, value))
    named = [
        around.known("我" if who.me else who.text, entry) for who in said.people if who.text not in _THEY
    ]
    if any(who is None for who in named):
        return None
    more = [who for who in (*(each.who for each in bears), *named) if who is not None and who not in bearing]
    everybody = list(dict.fromkeys((*bearing, *more)))
    strangers = sum(1 for each in entry.shares if not each.name)
    first = payer if payer in everybody else everybody[0]
    left = [who for who in everybody if who != first]
    shares = split_unevenly(entry.fen, first, left, len(everybody) + strangers, bears)
    if shares is None:
        return None
    borne = tuple(each for each in shares if each.fen or (each.user_id, each.name) == payer)
    return borne if first == payer else (Share(*payer, 0), *borne)


_THEY: Final = frozenset({"他俩", "她俩", "他们", "她们", "他们俩", "她们俩", "他", "她"})
"""Those on the card beside the ones named"""


def _told_anew(line: str, pending: Pending, around: Around) -> Mapping[int, Mapping[str, object]] | None:
    """New payer or sharers of one expense by the whole line (是老K付的; 不算我)."""
    if not around.me[0] or len(line) > _LONGEST or find_amounts(line):
        return None
    meant, rest = _items_meant(line, pending)
    if len(meant) != 1 and not any(word in line for word in _OF_ALL):
        return None
    told = {
        number: said_anew(line, entry, around) or said_anew(rest, entry, around) for number, entry in meant
    }
    if not told or any(shares is None for shares in told.values()):
        return None
    return {number: {SHARES: shares} for number, shares in told.items()}


def _items_meant(line: str, pending: Pending) -> tuple[list[tuple[int, Entry]], str]:
    """Expenses the line may be about, and the line without their name or number."""
    spent = [each for each in pending if each[1].type == "EXPENSE"]
    names = [(each, each[1].description) for each in spent if each[1].description]
    called = [each for each, name in names if (len(name) > 1 and name in line) or line.startswith(name)]
    named = by_number(line, pending)
    meant = [each for each in spent if each[0] in named] if named else called or spent
    if len(meant) != 1:
        meant = [each for each in meant if each[1].shares]
    rest = without_items(line) if named else line
    for _, entry in called:
        rest = rest.replace(entry.description, " ", 1)
    return meant, rest.strip()


def asks_which(line: str, pending: Pending, around: Around) -> bool:
    """True if a line changes payer or sharers of one of several items without naming it (就我跟小鱼摊)."""
    if not around.me[0] or len(line) > _LONGEST or find_amounts(line):
        return False
    meant, rest = _items_meant(line, pending)
    return len(meant) > 1 and any(said_anew(rest, entry, around) is not None for _, entry in meant)


def _paid_anew(
    line: str, pending: Pending, divide: Divide, named: Sequence[int] | None
) -> Mapping[int, Mapping[str, object]] | None:
    """New payer (不是我付的 是小李) of the one expense, or the numbered one."""
    said = amendment_of(line)
    if said is None or said.payer is None:
        return None
    items = [each for each in pending if each[1].type == "EXPENSE" and (not named or each[0] in named)]
    if len(items) != 1:
        return None
    number, entry = items[0]
    told = divide(line, [entry])[0].shares
    return {number: {SHARES: told}} if told and told != entry.shares else None


def listing(
    line: str, pending: Pending, members: Sequence[Mention], mentions: Sequence[Mention] = ()
) -> int | None:
    """Item that a list of people belongs to (另外2人是阿敏老赵; 我 大刘 教头): the one with unnamed sharers,
    else the one unshared expense. None for any other line."""
    if len(line) > _LONGEST_LIST:
        return None
    spent = [each for each in pending if each[1].type == "EXPENSE" and not is_repayment(each[1].shares)]
    open_ = [number for number, entry in spent if any(not share.name for share in entry.shares)]
    about = " ".join(entry.description for _, entry in spent)
    said = name_list(line, members, mentions, about=about)
    if said is None:
        return None
    if len(open_) == 1:
        return open_[0]
    whole = said.me or said.count is not None or len(said.names) > 1
    return spent[0][0] if whole and len(spent) == 1 and not spent[0][1].shares else None


def _listed(line: str, pending: Pending, divide: Divide) -> Mapping[int, Mapping[str, object]] | None:
    """New shares by a list of people; None for any other line."""
    if len(line) > _LONGEST_LIST or find_amounts(line):
        return None
    spent = [each for each in pending if each[1].type == "EXPENSE"]
    if not spent:
        return None
    told = divide(line, [replace(spent[0][1], shares=())])[0].shares
    named = tuple(Mention(each.user_id or each.name, each.name) for each in told if each.name)
    number = listing(line, pending, named) if len(named) > 1 else None
    if number is None:
        return None
    entry = dict(pending)[number]
    if not entry.shares:
        return {number: {SHARES: divide(line, [entry])[0].shares}}
    payer, *others = entry.shares
    known = [(each.user_id, each.name) for each in others if each.name]
    ids = {payer.user_id, *(user for user, _ in known if user)}
    fresh = [(each.user_id, each.name) for each in told[1:] if each.name and each.user_id not in ids - {""}]
    fresh = [each for each in fresh if each not in known]
    count = max(len(entry.shares), len(known) + len(fresh) + 1)
    return {number: {SHARES: split(entry.fen, (payer.user_id, payer.name), [*known, *fresh], count)}}


def to_be_shared(
    line: str, pending: Pending, mentions: tuple[Mention, ...] = (), members: tuple[Mention, ...] = ()
) -> int | None:
    """The one unshared expense of a card, if the whole line gives its sharers (四个人分的 我 阿明 小雅 阿凯);
    None for any other line. Without members any names count."""
    items = [number for number, entry in pending if entry.type == "EXPENSE"]
    if len(items) != 1 or dict(pending)[items[0]].shares or len(line) > _LONGEST or find_amounts(line):
        return None
    said = division_of(line, mentions, members)
    if said.alone or not (said.split or said.count or said.people):
        return None
    known = bool(mentions or members)
    return items[0] if not known or (said.whole and said.divides) else None


def _is_alone(line: str) -> bool:
    """True if the whole line leaves the expense to the payer: 不分了; 算我请."""
    said = division_of(line)
    return said.alone and said.whole and not said.people and not said.paid_by_other


def _weighed(line: str, entry: Entry, around: Around) -> tuple[Share, ...] | None:
    """Shares by weights: 我出两份; 我媳妇那份算我的. A guest's own share goes."""
    said = weights_of(line, around.people(entry))
    bearing = {(each.user_id, each.name): each.fen for each in entry.shares if each.name}
    payer = (entry.shares[0].user_id, entry.shares[0].name)
    if said is None or not bearing.get(payer):
        return None
    least = min(fen for fen in bearing.values() if fen)
    weights = {who: round(fen / least) for who, fen in bearing.items()}
    strangers = len(entry.shares) - len(bearing)
    for guest in said.guests:
        gone = around.known(guest.text, entry) or ("", guest.text)
        if gone == payer:
            return None
        weights.pop(gone, None)
    for part in said.parts:
        who = around.known("我" if part.who.me else part.who.text, entry)
        if who is None:
            return None
        weights[who] = int(part.value)
    bears = [Bearing(who, "weight", value) for who, value in weights.items()]
    others = [who for who in weights if who != payer]
    return split_unevenly(entry.fen, payer, others, len(weights) + strangers, bears)


def _waived(line: str, entry: Entry) -> tuple[Share, ...] | None:
    """Shares with a waived part, borne by the payer: 石头那份算了."""
    members = tuple(Mention(each.user_id, each.name) for each in entry.shares if each.user_id)
    said = amendment_of(line, (), members)
    if said is None or said.waived is None or len(said.waived.ids) != 1:
        return None
    return without_share(entry.shares, said.waived.ids[0])


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
    # Read as an initial division, which resolves member names.
    bare = _COMES.sub(" ", line)
    told = divide(f"我和{bare} AA", [entry])
    fresh = [
        (each.user_id, each.name)
        for each in told[0].shares[1:]
        if each.user_id and all(each.user_id != known.user_id for known in entry.shares)
    ]
    taken = {*(each.name for each in entry.shares), *(name for _, name in fresh)}
    fresh += [("", name) for name in _strangers(line) if name not in taken]
    if not fresh:
        return None
    known = [(each.user_id, each.name) for each in others if each.name]
    return split(entry.fen, (payer.user_id, payer.name), [*known, *fresh], len(entry.shares) + len(fresh))


def _all_named(line: str, entry: Entry, divide: Divide | None) -> tuple[Share, ...] | None:
    """Shares of the people of a line that names as many as it counts (不对 小雅小明阿凯三个人分); None for
    any other line."""
    count = people_in(line) if divide is not None and _COUNTS.search(line) is not None else None
    if count is None or divide is None:
        return None
    told = divide(line, [replace(entry, shares=())])[0].shares
    bearing = [each for each in told if each.fen]
    if len(bearing) != count or not all(each.name for each in bearing):
        return None
    payer = entry.shares[0]
    others = [(each.user_id, each.name) for each in bearing if each.user_id != payer.user_id]
    if len(others) == count:
        first, *rest = others
        return (Share(payer.user_id, payer.name, 0), *split(entry.fen, first, rest, count))
    return split(entry.fen, (payer.user_id, payer.name), others, count)


def _counted(line: str, entry: Entry) -> tuple[Share, ...] | None:
    count = people_in(line) if _COUNTS.search(line) is not None else None
    payer, *others = entry.shares
    named = [(each.user_id, each.name) for each in others if each.name]
    if count is None or count <= len(named):
        return None
    fresh = [("", name) for name in _strangers(line) if all(name != other for _, other in named)]
    return split(entry.fen, (payer.user_id, payer.name), [*named, *fresh][: count - 1], count)


def _strangers(line: str) -> list[str]:
    """Added sharers that are no members (加上大飞; 是四个人 还有大飞)."""
    comes = _COMES.search(line)
    said = None if comes is None or find_amounts(line) else name_list(line[comes.end() :], ())
    return [] if said is None else [name.text for name in said.names if is_surely_name(name.text)]
