"""A debt of a shared expense that is paid back (小王还我60, 我还小王60): it lowers 谁欠谁. Pure.

Only where the books know such a debt: whoever gives must owe, whoever gets must be owed. Other money that is
given back stays what it is, a record of its speaker's.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Final

from ...text import find_amounts, normalise
from ..clause import Mention
from .entry import Entry, Share

Person = tuple[str, str]
"""Id and name."""
Giving = tuple[str, str, bool]
"""Who is named in words of giving, by which verb, and whether the speaker gave."""

_LONGEST: Final = 100
"""Characters of a line that says so."""
CATEGORY: Final = "转账"
_LATELY: Final = "(?:微信|支付宝|刚才|刚|先|又|再|已经|今天|昨天|终于|都|把钱|的钱|的(?!钱))*+"
_GAVE: Final = "(?:还|转账|转|给|付|打|发|结|补|微信)"
_DONE: Final = "(?:给|了|清|过|到|完|回|来|过来)*+"
_FOR: Final = "(?:那?份|上次|昨天|今天|前天|那顿|聚餐|吃?饭|火锅|烧烤|打?车|房|[Aa]{2}制|欠[我他她]?)"
_OWED: Final = "(?:钱|费|账|款|份子|债)"
_PART_OF_OWN: Final = (
    f"(?:{_FOR}(?:{_FOR}|的|[Aa]{{2}}(?!制)){{0,6}}{_OWED}|{_OWED}|[Aa]{{2}}(?!制)|[了啊哈啦的,， ])"
)
_OWN_PART: Final = f"{_PART_OF_OWN}{{0,8}}"
"""的 AA 钱, 的饭钱: for what."""
_TO_ME: Final = tuple(
    re.compile(pattern)
    for pattern in (
        f"(?P<who>[^,，。]{{0,20}}?){_LATELY}(?:把{_OWN_PART})?(?P<verb>{_GAVE}){_DONE}我{_OWN_PART}",
        f"(?P<who>[^,，。]{{1,20}}?)的?(?:[Aa]{{2}})?(?:钱|账|款){_LATELY}(?:收到|到账|收|(?P<verb>还))了",
        f"(?P<who>[^,，。]{{1,20}}?){_LATELY}(?P<verb>还)(?:清|完|了)*钱了*",
        f"(?P<who>[^,，。]{{0,20}}?)(?:给我|向我){_LATELY}(?P<verb>{_GAVE}){_DONE}{_OWN_PART}",
        f"我?{_LATELY}(?:收到|收了"
        f"|到账)(?:了)?(?P<who>[^,，。]{{0,20}}?)(?:{_LATELY}(?P<verb>{_GAVE}){_DONE}(?:我)?)?{_OWN_PART}",
    )
)
_BY_ME: Final = tuple(
    re.compile(pattern)
    for pattern in (
        f"{_OWN_PART}(?:我"
        f"|我们)?{_LATELY}(?:把{_OWN_PART})?(?P<verb>{_GAVE}){_DONE}(?P<who>[^,，。]{{0,20}}?){_OWN_PART}",
        f"(?:我|我们)?{_LATELY}(?:给|向|跟)(?P<who>[^,，。]{{1,20}}?)(?P<verb>{_GAVE}){_DONE}{_OWN_PART}",
        f"(?:我)?欠?(?P<who>[^,，。]{{1,20}}?)的?(?:[Aa]{{2}})?(?:钱|账)我?{_LATELY}(?P<verb>还|转|给"
        f"|结)(?:清|完|过|掉)*了",
    )
)
_EVEN: Final = re.compile(
    "(?:我)?(?:和|跟|与)(?P<who>[^,，。]{1,20}?)(?:的?账)?(?:已经|都|也)*(?:两清|结清|扯平|平账|平|清)了?"
)
_SETTLED_NOW: Final = re.compile("了|收到|到账")
_SETTLED_NOT: Final = re.compile("[?？吗呢没未不别]|谁|多少|什么|几|要|等|明天|记得")
_SETTLES: Final = re.compile("的?(?:钱|账|[Aa]{2})|结清|两清|扯平|还清|[Aa]{2}的?(?:钱|账)|欠")
_GIVES: Final = re.compile("还|转|给|付|收|打|发|到账|结|补")
_BEHIND: Final = re.compile(f"(?:[元块整]|过去|过来|给我|{_PART_OF_OWN})*")
_NAME: Final = re.compile(r"(?!我|他|她|你|大家|银行|信用卡|花呗|房东|别人|快递)[^\d\s,，。的了]{1,8}")
_NICKNAME: Final = re.compile("[小老阿][^\\d\\s,，。]{1,2}|[^\\d\\s,，。]{1,2}[哥姐总叔姨]")


def said_to_be_repaid(text: str) -> bool:
    """Whether all of a line says that somebody with a nickname was given their money back (我还小王60)."""
    return any(
        _NICKNAME.fullmatch(who) is not None and verb == "还"
        for said in _around_amount(text)
        for who, verb, mine in _said(said)
        if mine
    )


def settles(text: str, mentioned: bool = False) -> bool:
    """Whether all of a line says that a debt was settled, not how much (把钱还给小雅了, 收到小明的AA钱了)."""
    line = _plain(text)
    if line is None or _SETTLES.search(line) is None or _SETTLED_NOW.search(line) is None:
        return False
    if _SETTLED_NOT.search(line) is not None or find_amounts(line):
        return False
    even = _EVEN.fullmatch(line)
    said = [(even["who"], "清", True)] if even is not None else _said(line)
    return any(_NAME.fullmatch(who) is not None or (mentioned and not who) for who, _, _ in said)


def settlements(text: str) -> tuple[Giving, ...]:
    """Who gave whom, in a line that says that a debt was settled."""
    line = _plain(text) or ""
    even = _EVEN.fullmatch(line)
    if even is not None:
        return (even["who"], "还", True), (even["who"], "还", False)
    return tuple(_said(line))


def settled(
    said: Sequence[Giving],
    speaker: Person,
    mentioned: Sequence[Person],
    names: Mapping[str, str],
    owed: Mapping[str, int],
    day: date,
) -> Entry | None:
    """The whole debt between the speaker and whom `settlements` name, as a repayment; None without one."""
    for who, _, mine in said:
        other = _person(who, mentioned, names, speaker[0])
        if other is None:
            continue
        giver, getter = (speaker, other) if mine else (other, speaker)
        debt = min(-owed.get(giver[0], 0), owed.get(getter[0], 0))
        if debt > 0:
            return paid(Entry(debt, day=day), giver, getter)
    return None


def gives_back(text: str, mentioned: Sequence[Mention]) -> bool:
    """Whether all of a line says that the speaker gave money to somebody @-ed or to a nickname."""
    names = {one.name for one in mentioned}
    return any(
        who in names or (not who and bool(names)) or _NICKNAME.fullmatch(who) is not None
        for said in _around_amount(text)
        for who, verb, mine in _said(said)
        if mine and verb in ("还", "转", "给")
    )


def givings(text: str) -> tuple[Giving, ...]:
    """Who gave whom in a line with one amount, as it may be read: without any it is no repayment."""
    return tuple(one for said in _around_amount(text) for one in _said(said))


def repayment(
    said: Sequence[Giving],
    entry: Entry,
    speaker: Person,
    mentioned: Sequence[Person],
    names: Mapping[str, str],
    owed: Mapping[str, int],
) -> Entry | None:
    """The entry as a repayment; None where it is none.

    `names` are the members that have shared something, by id; `owed` what each is owed, in fen
    (`sharing.balances`). As an entry the giver comes first and bears nothing, the getter all of it. What
    is said to be given back may be more than the debt, what was merely sent or handed over may not.
    """
    for who, verb, mine in said:
        other = _person(who, mentioned, names, speaker[0])
        if other is None:
            continue
        giver, getter = (speaker, other) if mine else (other, speaker)
        debt = min(-owed.get(giver[0], 0), owed.get(getter[0], 0))
        if debt > 0 and (verb == "还" or entry.fen <= debt):
            return paid(entry, giver, getter)
    return None


def paid(entry: Entry, giver: Person, getter: Person) -> Entry:
    """An entry as a repayment: the giver bears nothing of it, the getter all."""
    shares = (Share(*giver, 0), Share(*getter, entry.fen))
    said = f"{giver[1]}还{getter[1]}"
    return replace(entry, type="TRANSFER", category=CATEGORY, description=said, shared=True, shares=shares)


def is_repayment(shares: Sequence[Share]) -> bool:
    """Whether shares are those of a repayment."""
    return len(shares) == 2 and shares[0].fen == 0


def _plain(text: str) -> str | None:
    line = normalise(text[: _LONGEST + 1]).strip(" 。.!~")
    return line if line and len(line) <= _LONGEST else None


def _around_amount(text: str) -> list[str]:
    """A line that is one amount and words of giving, without the amount; none where it is not."""
    line = _plain(text)
    if line is None or _GIVES.search(line) is None:
        return []
    amounts = [found for found in find_amounts(line) if found.fen]
    if len(amounts) != 1:
        return []
    before, behind = line[: amounts[0].start].strip(" ¥￥,，:："), line[amounts[0].end :]
    if _BEHIND.fullmatch(behind) is not None:
        return [before]
    return [f"{before}{behind.strip()}"] if before.endswith(("把", "将")) else []  # 把50转给小王了


def _said(line: str) -> list[tuple[str, str, bool]]:
    """Who is named in words of giving, by which verb, and whether the speaker gave."""
    found: list[tuple[str, str, bool]] = []
    for patterns, mine in ((_TO_ME, False), (_BY_ME, True)):
        for pattern in patterns:
            said = pattern.fullmatch(line)
            if said is not None:
                found.append((said["who"].strip(" @的"), said["verb"] or "收", mine))
    return found


def _person(who: str, mentioned: Sequence[Person], names: Mapping[str, str], me: str) -> Person | None:
    """Whom a name means: somebody mentioned, or the one member who is called so."""
    others = [one for one in mentioned if one[0] != me]
    if len(others) == 1 and (not who or who == others[0][1]):
        return others[0]
    found = [(user, name) for user, name in names.items() if who and user != me and name == who]
    return found[0] if len(found) == 1 else None
