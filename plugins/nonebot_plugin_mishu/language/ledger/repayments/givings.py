"""Money handed over between two people, as a line tells it: which way, how much, whether back. Pure.

小雅转了我288.33              the speaker got 288.33 of 小雅, sent
我还了老三电费30块            the speaker gave back 30 to 老三, for 电费
我转给阿凯171块7 结清         the debt is settled by it
把钱还给小雅了                given back; how much is not said
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, cast

from ...mood import is_still_to_do
from ...recognise.money import Amount
from ...text.tokens import Token
from ..pieces import GIVINGS, EntryPiece, pieces, words_in
from ..shares.people import ONE_MEANT, Name, inside, name_of

_LONGEST: Final = 100
"""Characters of a line that tells so."""
_SILENT: Final = frozenset({"filler", "blank", "pause", "stop", "lately", "mark", "time", "channel"})
_FOR: Final = frozenset({"unread", "of", "due", "spent_on", "debt", "split", "part", "rest"})
"""Purpose before words of giving (电费, 蛋糕钱)."""
_BREAKS: Final = frozenset({"blank", "pause", "stop"})
_GIFTS: Final = ("红包", "压岁", "礼金", "份子钱")
_NOT_SO: Final = (
    *"没未别不要等谁吗呢几?礼",
    "多少",
    "什么",
    "明天",
    "记得",
    "打算",
    "准备",
    "可能",
    *_GIFTS,
)
"""Denial, question or delay of a payment, and words of gifts."""
_WAYS: Final = {"by_me": (True,), "part_by_me": (True,), "to_me": (False,), "either": (False, True)}
"""Speaker as giver, by reading; for two directions the debts decide."""
_OVER: Final = "了收到账清平"
"""Characters that say that it has happened, where no sum does."""


@dataclass(frozen=True, slots=True)
class Giving:
    """Money handed over between the speaker and another."""

    who: Name
    """The other; without a name where only an @ tells it."""
    mine: bool
    """The speaker gave."""
    back: bool
    """Repayment, or settlement of a debt."""
    amount: Amount | None = None
    verb: str = ""
    part: bool = False
    """The speaker's part of a known expense (我那120转过去了)."""
    pronoun: bool = False
    """The other is called 他 or 她, and the line names nobody it may be."""
    bill: str = ""
    """Name of the one bill that is settled (把火锅那笔结了)."""


def givings(line: str, amounts: Sequence[Amount], names: Mapping[str, tuple[str, ...]]) -> tuple[Giving, ...]:
    """The readings of a line (in its one form) that tells one sum handed over; none for every other line."""
    read, text, found = _read(line, amounts, names)
    for piece in reversed(found):
        if "sum" not in piece.slots or piece.reads not in _WAYS:
            continue
        said = text[: piece.end]
        if any(word in said for word in _GIFTS) or is_still_to_do(said):
            return ()  # 提醒我还小红30
        amount = cast("Amount", piece.slots["sum"][0].value)
        who = name_of(piece.slots["who"][0], text) if "who" in piece.slots else Name()
        before = [token for token in read if token.end <= piece.start]
        behind = [token for token in read if token.start >= piece.end]
        if who.text in ONE_MEANT and (meant := _one_named(before, text)) is not None:
            who = meant  # 月月那个口红我先还她300
            before = [token for token in before if "member" not in token.classes]
        if not _leads_in(before, text) or not _trails(behind, text) or not amount.fen or amount.fen < 0:
            return ()
        settles = any("evened" in token.classes for token in behind)
        verb = _verb(piece, text[piece.start : piece.end], text)
        own = [token.classes for token in read if inside(token, [(piece.start, piece.end)])]
        part = piece.reads == "part_by_me"
        known = piece.reads == "to_me" and any("that" in each for each in own)  # 外卖小雅那22她给我了现金
        back = settles or part or known or "还" in verb or any("borrowed" in each for each in own)
        unknown = who.text in ONE_MEANT and not who.ids
        return tuple(Giving(who, mine, back, amount, verb, part, unknown) for mine in _WAYS[piece.reads])
    return ()


def settlements(
    line: str, names: Mapping[str, tuple[str, ...]], *, whole: bool = False
) -> tuple[Giving, ...]:
    """The readings of a line that says that a debt was settled, and not how much. `whole`: it is said apart
    that all of it was."""
    read, text, found = _read(line, (), names)
    if len(found) != 1 or not set(text).intersection(_OVER):
        return ()
    if denies(text):
        return ()
    piece = found[0]
    left = [token for token in read if not inside(token, [(piece.start, piece.end)])]
    due = _is_due(text[: piece.start])
    kept = (token for token in left if not (due and token.end <= piece.start and token.unread))
    if any(token.classes.isdisjoint(_SILENT | _FOR) or token.unread for token in kept):
        return ()
    said = text[piece.start : piece.end]
    about = _verb(piece, said, text)
    owed = any(not token.classes.isdisjoint({"debt", "evened", "split", "part", "rest"}) for token in read)
    all_sent = about.startswith(_SENT) and any(word in text[: piece.end] for word in _WHOLE)
    if not (whole or owed or due or all_sent or "钱" in text or "账" in text or "清" in text):
        return ()
    who = name_of(piece.slots["who"][0], text) if "who" in piece.slots else Name()
    ways = {**_WAYS, "even": (True, False)}
    return tuple(Giving(who, mine, "还" in about or piece.reads == "even") for mine in ways[piece.reads])


def _read(
    line: str, amounts: Sequence[Amount], names: Mapping[str, tuple[str, ...]]
) -> tuple[Sequence[Token], str, Sequence[EntryPiece]]:
    text = line.lower() if len(line.lower()) == len(line) else line
    if len(text) > _LONGEST:
        return (), text, ()
    read = words_in(text, [each for each in amounts if each.fen], names)
    return read, text, pieces(read, text, GIVINGS)


def _one_named(before: Sequence[Token], text: str) -> Name | None:
    """The only member named in these words; None for none or several."""
    named = {name_of(token, text) for token in before if "member" in token.classes}
    return next(iter(named)) if len(named) == 1 else None


def _is_due(words: str) -> bool:
    """True for a debt before words of giving (场地费转小雅了)."""
    return words.strip(" ,也都").endswith(_DUES)


_SENT: Final = ("转", "打", "汇")
_WHOLE: Final = ("都", "全")
"""都转给小雅了: what is sent whole is what is owed, as far as the debts say so."""
_DUES: Final = ("费", "钱", "租", "款")


def _verb(piece: EntryPiece, said: str, text: str) -> str:
    verb = piece.slots.get("verb")
    return said if verb is None else text[verb[0].start : verb[-1].end]


def denies(words: str) -> bool:
    """True for a denial, question or delay of a payment."""
    return any(word in words for word in _NOT_SO)


def _words(read: Sequence[Token], text: str) -> str:
    return text[read[0].start : read[-1].end] if read else ""


def _leads_in(before: Sequence[Token], text: str) -> bool:
    """True if the words before a payment have no other amount and lead to it: a purpose, a part before a
    pause, or a corrected payment (我把288转给... 不是 是小雅转给我288)."""
    kept = list(before)
    denied = [at for at, token in enumerate(kept) if "denied" in token.classes]
    if denied:
        kept = [token for token in kept[denied[-1] + 1 :] if "is" not in token.classes]
    if any("amount" in token.classes for token in kept):
        return False
    last = next((at for at in reversed(range(len(kept))) if not kept[at].classes.isdisjoint(_BREAKS)), -1)
    clause = kept[last + 1 :]
    return not denies(_words(clause, text)) and all(
        not token.classes.isdisjoint(_SILENT | _FOR) for token in clause
    )


def _trails(behind: Sequence[Token], text: str) -> bool:
    """True if the words after a payment have no other amount and no question."""
    first = next(
        (at for at, token in enumerate(behind) if not token.classes.isdisjoint(_BREAKS)), len(behind)
    )
    near = behind[:first]
    if any(
        token.classes.isdisjoint(_SILENT | _FOR | {"sent", "evened", "to_me", "handed_me"}) for token in near
    ):
        return False
    if denies(_words(near, text)) or any("number" in token.classes for token in near):
        return False
    sums = [cast("Amount", token.value) for token in behind if "amount" in token.classes]
    return all(each.approximate for each in sums) and all("whether" not in token.classes for token in behind)
