"""A debt of a shared expense that is paid back (小王还我60, 我还小王60): it lowers 谁欠谁. Pure.

Only where the books know such a debt: whoever gives must owe, whoever gets must be owed. Other money that is
given back stays what it is, a record of its speaker's.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from ...text import find_amounts, normalise
from .entry import Entry, Share

Person = tuple[str, str]
"""Id and name."""

_LONGEST: Final = 100
"""Characters of a line that says so."""
CATEGORY: Final = "转账"
_LATELY: Final = "(?:刚才|刚|已经|今天|昨天|终于|都|把钱|的钱|的(?!钱))*+"
_TO_ME: Final = re.compile(f"(?P<who>[^,，。]{{0,20}}?){_LATELY}还(?:给|了|清)*我(?:钱|了)*")
_BY_ME: Final = re.compile(f"(?:我|我们)?{_LATELY}还(?:给|了|清)*(?P<who>[^,，。]{{0,20}}?)(?:钱|了)*")
_NICKNAME: Final = re.compile("[小老阿][^\\d\\s,，。]{1,2}|[^\\d\\s,，。]{1,2}[哥姐总叔姨]")


def said_to_be_repaid(text: str) -> bool:
    """Whether all of a line says that somebody with a nickname was given their money back (我还小王60)."""
    by_me = _before_amount(text, _BY_ME)
    return by_me is not None and _NICKNAME.fullmatch(by_me) is not None


def repayment(
    text: str,
    entry: Entry,
    speaker: Person,
    mentioned: Sequence[Person],
    names: Mapping[str, str],
    owed: Mapping[str, int],
) -> Entry | None:
    """The entry as a repayment; None where it is none.

    `names` are the members that have shared something, by id; `owed` what each is owed, in fen
    (`sharing.balances`). As an entry the giver comes first and bears nothing, the getter all of it.
    """
    for pattern, speaker_gets in ((_TO_ME, True), (_BY_ME, False)):
        who = _before_amount(text, pattern)
        if who is None:
            continue
        other = _person(who, mentioned, names, speaker[0])
        if other is None:
            continue
        giver, getter = (other, speaker) if speaker_gets else (speaker, other)
        if owed.get(giver[0], 0) < 0 < owed.get(getter[0], 0):
            shares = (Share(*giver, 0), Share(*getter, entry.fen))
            said = f"{giver[1]}还{getter[1]}"
            return replace(
                entry, type="TRANSFER", category=CATEGORY, description=said, shared=True, shares=shares
            )
    return None


def is_repayment(shares: Sequence[Share]) -> bool:
    """Whether shares are those of a repayment."""
    return len(shares) == 2 and shares[0].fen == 0


def _before_amount(text: str, pattern: re.Pattern[str]) -> str | None:
    """Who is named in a line that is such a sentence and one amount; None where it is not."""
    line = normalise(text[: _LONGEST + 1]).strip(" 。.!~")
    if len(line) > _LONGEST or "还" not in line:
        return None
    amounts = [found for found in find_amounts(line) if found.fen]
    if len(amounts) != 1 or re.search("[^元块钱了整啊哈 ]", line[amounts[0].end :]):
        return None
    found = pattern.fullmatch(line[: amounts[0].start].strip(" ¥￥"))
    return None if found is None else found["who"].strip(" @的")


def _person(who: str, mentioned: Sequence[Person], names: Mapping[str, str], me: str) -> Person | None:
    """Whom a name means: somebody mentioned, or the one member who is called so."""
    others = [one for one in mentioned if one[0] != me]
    if len(others) == 1 and (not who or who == others[0][1]):
        return others[0]
    found = [(user, name) for user, name in names.items() if who and user != me and name == who]
    return found[0] if len(found) == 1 else None
