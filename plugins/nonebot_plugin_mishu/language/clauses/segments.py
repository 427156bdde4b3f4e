"""Segmentation of a message into clauses. Pure; linear in the length.

Cuts at the ends of sentences and lines, at list marks (1. 2、 ①), at commas and blanks between words, and
before connectives; never inside quotes, brackets, numbers or times. `reading` joins neighbours again by
rules.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final, NamedTuple

from ...patterns import Pattern
from ..changes.corrections import only_times
from ..changes.frequency import frequency_told
from ..changes.right_behind import amendment, needless
from ..changes.series_end import end_of_series_told
from ..clause import Clause, Situation
from ..recognise.list_marks import parted
from ..recognise.members import sums_among
from ..recognise.money import Amount
from ..recognise.times import TimeExpression, parse
from ..repairs.begun_series import begun_series
from ..repairs.birthdays import birthday_told
from ..repairs.canonical import canonical, edited, put_right
from ..repairs.repetitions import said_again
from ..repairs.secrets import without_secrecy
from ..repairs.self_corrections import repaired
from ..repairs.shared_nouns import spread
from ..repairs.trailing_recurrence import said_series
from ..term.weeks import in_term
from ..text.fold import Folded, fold
from ..text.repeats import READ, unrepeated
from ..timing.eve import on_eves
from ..timing.named_week import in_said_week
from ..timing.own_times import is_clock
from ..word_lists import table
from .own_days import table_of_days
from .task_lists import tasks_listed

LONGEST: Final = 400
"""Most characters of a message read for work, repeats shortened; a longer one is never sure."""
MOST: Final = 32
"""Most clauses; the rest belongs to the last one, and is never sure."""

_LISTED: Final[int] = 2
"""Mark of a list of tasks, where a line end is no cut."""
_HARD: Final = frozenset("。!?;")
_SOFT: Final = frozenset(",")
_OPENERS: Final = {
    "“": "”",
    "‘": "’",
    "「": "」",
    "『": "』",
    "《": "》",
    "(": ")",
    "[": "]",
    "【": "】",
    "{": "}",
    '"': '"',
}
_LATIN: Final = Pattern("[0-9a-zA-Z]")
_WORD: Final = Pattern("[a-zA-Z]")
_CODE: Final = Pattern("[a-zA-Z]{1,4}[0-9]{1,5}$")
_LONGEST_CODE: Final = 9
_CONNECTIVE: Final = Pattern(
    rf"(?<=[^\s,。!?;还最]) ?(?:{table('decision.connective')})"
    "(?<!还有(?=[什啥多几没会吗哪谁人事机一剩]|[ ,。!~了呢啊呀吧哦]*$))"
)
_THING: Final = Pattern("[^ ,、;。!?0-9]{1,20}[^ ,、;。!?到成为在于至从和跟与或是前把的了过约等当]")
_TIED: Final = frozenset("的前到至之以")
_LONGEST_TIME: Final = 40
_LAST_PLAIN: Final = 0x2000
_SYMBOLS: Final = frozenset({"So", "Sk", "Cf", "Mn"})
"""Categories of pictures after words (做完了✅)."""
_EDGE: Final = " ,、;:。.!~…-"


@dataclass(frozen=True, slots=True)
class Message:
    """Normalised message with everything recognised in it."""

    text: str
    situation: Situation
    times: tuple[TimeExpression, ...]
    amounts: tuple[Amount, ...]
    written: Folded
    """Position of each character in the member's text."""
    cut: bool = False
    """True if the message is longer than what is read."""
    amends: bool = False
    """To be confirmed: a time alone, directly after a creation or change, as the item's new time; a birthday
    told."""

    def clause(self, start: int, end: int) -> Clause:
        """Clause at a span of `text`; things that only touch its edges are left out."""
        text = self.text[start:end]
        left = len(text) - len(text.lstrip(_EDGE))
        text = text.strip(_EDGE)
        while text and ord(text[-1]) > _LAST_PLAIN and unicodedata.category(text[-1]) in _SYMBOLS:
            text = text[:-1].rstrip(_EDGE)
        start += left
        end = start + len(text)
        times = tuple(
            found.moved(-start) for found in self.times if start <= found.span[0] and found.span[1] <= end
        )
        amounts = tuple(
            found.moved(-start) for found in self.amounts if start <= found.start and found.end <= end
        )
        return Clause(text, self.situation, times, amounts)


class ClauseCandidate(NamedTuple):
    """Candidate clause: its span, and a flag for a sentence or line end before it."""

    start: int
    end: int
    hard: bool
    connected: bool
    """Starts with a connective (顺便, 另外)."""


def message(text: str, situation: Situation) -> tuple[Message, tuple[ClauseCandidate, ...]]:
    """Normalised message, and its pieces in order, at least one. Never raises."""
    text = parted(text[:READ])
    shorter = in_term(unrepeated(fold(text)), situation)
    cut = len(shorter.text) > LONGEST
    if cut:
        shorter = Folded(shorter.text[:LONGEST], shorter.origin[:LONGEST], shorter.length)
    behind = (
        amendment(shorter.text, situation)
        or needless(shorter.text, situation)
        or frequency_told(shorter.text, situation)
        or end_of_series_told(shorter.text, situation)
    )
    if behind:
        shorter = edited(shorter, behind)
    folded = spread(canonical(said_again(repaired(put_right(without_secrecy(shorter))))), situation)
    folded = said_series(begun_series(folded, situation))
    born = birthday_told(folded, situation)
    folded = born or folded
    line = folded.text
    times = on_eves(line, in_said_week(parse(line, situation.now, situation.zone)), situation)
    amends = _amends_last(line, times, situation)
    held = _held_there(line, situation)
    if amends or held:
        folded = edited(folded, ((0, 1, f"{_AMENDS if amends else _PLACES}{line[0]}"),))
        line = folded.text
        times = on_eves(line, in_said_week(parse(line, situation.now, situation.zone)), situation)
    sums = sums_among(situation, _with_commas(line, text, folded.origin))
    amounts = tuple(each for each in sums if not (_is_room(line, each, times) or is_clock(each, times)))
    read = Message(line, situation, times, amounts, folded, cut, amends or born is not None)
    breaks = {
        index
        for index, character in enumerate(line)
        if character == " " and _ends_line(text, folded.origin, index)
    }
    pieces = tuple(_pieces(read, text, folded.origin, breaks))
    return (replace(read, cut=True) if len(pieces) >= MOST else read), pieces


_AMENDS: Final = "改到"
_PLACES: Final = "地点改成"


def _amends_last(line: str, times: Sequence[TimeExpression], where: Situation) -> bool:
    """九点嘛, 从下下周开始哈, directly after the speaker's single created or changed item."""
    last = where.last
    if not (where.addressed and where.just_done() and where.just_shown() and last is not None and last.id):
        return False
    return only_times(line, times)


def _held_there(line: str, where: Situation) -> bool:
    """教室405, directly after the speaker's single created or changed schedule: its place."""
    last = where.last
    if not (where.addressed and where.just_done() and where.just_shown() and last is not None and last.id):
        return False
    return last.agent == "schedule" and _ROOM_ALONE.fullmatch(line) is not None


_ROOM_ALONE: Final = Pattern(
    f"(?:在|就在|地点)?(?:(?:{table('places.numbered')})[: ]?[a-z]?[0-9]{{2,4}}"
    f"|[a-z]?[0-9]{{2,4}}(?:{table('places.numbered', 'places.let')}))[吧啊呀哈哦。!~ ]*"
)
_MEETS: Final = Pattern(
    "(?:会议?|评审|面试|培训|讨论|答辩|[上听]课|讲座|沙龙|复盘|彩排|宣讲|路演|体检|考试)"
    "[^ ,0-9]{0,4}[ ,]*(?:在|换到|改到|挪到)?$"
)
_AT: Final = Pattern(
    f"(?:{table('places.numbered')})[, ]*(?:[换改挪]?[成到为在]|是|就|:)*$"
    f"|(?:{table('places.let', 'places.any')})(?:也|又|都|了|,| )*(?:[换改挪]了?[成到为在]?[, ]*|在|:)$"
)
_ROOM: Final = Pattern(r"[1-9][0-9]{2}(?![0-9])(?:会议室|教室|房间|室|包间|包厢)?(?=$|[ ,。!])")


def _is_room(line: str, amount: Amount, times: Sequence[TimeExpression]) -> bool:
    """周五下午两点评审 302: three digits after a meeting are a room; also any number after a place noun."""
    if amount.spoken:
        return False
    if amount.text.isdigit() and _AT.search(line[: amount.start]) is not None:
        return True  # 教室405, 包间换到888
    if _ROOM.match(line, amount.start) is None:
        return False
    clocked = any(each.start is not None and each.span[1] <= amount.start for each in times)
    moved = line[: amount.start].endswith(("换到", "改到", "挪到"))
    return (clocked or moved) and _MEETS.search(line[: amount.start]) is not None


def clauses(text: str, situation: Situation) -> tuple[Clause, ...]:
    """Candidate clauses of a message, before the rules join neighbours."""
    read, pieces = message(text, situation)
    return tuple(read.clause(piece.start, piece.end) for piece in pieces)


def _with_commas(line: str, text: str, origin: tuple[int, ...]) -> str:
    """Full-width commas part amounts, plain ones group digits: restored for amounts."""
    if "，" not in text:
        return line
    return "".join("，" if c == "," and text[origin[at]] == "，" else c for at, c in enumerate(line))


def _second_clocks(read: Message) -> set[int]:
    """Starts of a second clock time after an item (三点开会五点接孩子)."""
    found: set[int] = set()
    for before, after in pairwise(read.times):
        end, at = before.span[1], after.span[0]
        if (after.start is None and after.kind != "segment") or not _THING.fullmatch(read.text, end, at):
            continue
        if read.text[after.span[1] : after.span[1] + 1] not in _TIED:
            found.add(at)
    return found


_KEPT: Final = ("日程|行程|会议安排|活动", "任务|待办(?:事项)?", "账单|账目|花销|开销|支出|收入|消费")
"""Nouns of stored items, by owning agent."""
_WHOSE: Final = (
    "(?:我的?|群里?的?|大家的?|今天的?|明天的?|本?(?:周|月)的?|这个?(?:周|月|星期)的?|所有的?|全部的?)*"
)
_BOTH: Final = Pattern(
    "|".join(
        f"(?<=(?:{'|'.join(tail)}))(?:和|跟|与|及){_WHOSE}(?:{'|'.join(_KEPT[:n] + _KEPT[n + 1 :])})"
        for n, tail in enumerate(
            (
                ("日程", "行程", "活动"),
                ("任务", "待办"),
                ("账单", "账目", "花销", "开销", "支出", "收入", "消费"),
            )
        )
    )
)
_LOOKS: Final = Pattern("查|看|列|显示|告诉我|有什么|有哪些")


def _looked_at(read: Message) -> set[int]:
    """Starts of a second kind of items in one query (查一下明天的日程和我的任务)."""
    if _LOOKS.search(read.text) is None:
        return set()
    return {found.start() for found in _BOTH.finditer(read.text)}


def _listed(read: Message) -> set[int]:
    """Positions of a 、 between two items with a time each (周三开会、周四团建), not in a mere list of
    times."""
    if "、" not in read.text or len(read.times) < 2:
        return set()
    found: set[int] = set()
    starts = {time.span[0]: time.span[1] for time in read.times}
    ends = [time.span[1] for time in read.times]
    for at, character in enumerate(read.text):
        if character != "、" or at + 1 not in starts:
            continue
        thing = read.text[max((end for end in ends if end <= at), default=0) : at]
        after = _TO_NEXT.match(read.text, starts[at + 1])
        if _LISTED_THING.search(thing) and after is not None and _LISTED_THING.search(after.group()):
            found.add(at)
    return found


_TO_NEXT: Final = Pattern("[^,、;。!?]{0,40}")
_LISTED_THING: Final = Pattern("[一-鿿a-z]{2}")


def _ends_line(text: str, origin: tuple[int, ...], index: int) -> bool:
    end = origin[index + 1] if index + 1 < len(origin) else len(text)
    return "\n" in text[origin[index] : end] or "\r" in text[origin[index] : end]


def _pieces(read: Message, text: str, origin: tuple[int, ...], breaks: set[int]) -> Iterator[ClauseCandidate]:
    line = read.text
    inside = _protected(read)
    connectives = {found.start() for found in _CONNECTIVE.finditer(line)}
    clocks = {at for at in _second_clocks(read) if not inside[at - 1]}
    listed = {at for at in _listed(read) | _looked_at(read) if not inside[at]}
    start, hard, count = 0, True, 0
    at = 0
    while at < len(line) and count < MOST - 1:
        end, after, ended = at, at, False
        character = line[at]
        within_list: bool = inside[at] == _LISTED
        if at in breaks and not within_list:
            after, ended = at + 1, True
        elif at in clocks and at > start:
            after = at
        elif inside[at]:
            at += 1
            continue
        elif character in _HARD:
            end = at + (character == "?")
            after, ended = at + 1, True
        elif (
            at in listed
            or (character in _SOFT and not _in_number(line, text, origin, at))
            or (character == " " and line[at + 1 : at + 2] != "的" and not _between_latin(line, at))
        ):
            after = at + 1
        elif at in connectives and at > start and not _only_a_time(read, start, at):
            after = at
        else:
            at += 1
            continue
        if line[start:end].strip(_EDGE):
            yield _piece(line, start, end, hard)
            count += 1
            hard = ended
        else:
            hard = hard or ended
        start = after
        at = max(at + 1, after)
    if line[start:].strip(_EDGE) or count == 0:
        yield _piece(line, start, len(line), hard)


def _only_a_time(read: Message, start: int, end: int) -> bool:
    """True if a span is only a time: 明天下午再提醒我 is one order."""
    left, right = start, end
    while left < right and read.text[left] in _EDGE:
        left += 1
    while left < right and read.text[right - 1] in _EDGE:
        right -= 1
    return any(time.span == (left, right) for time in read.times)


_OPENS: Final = Pattern(rf"[ ,]*(?:{table('decision.connective')})")


def _piece(line: str, start: int, end: int, hard: bool) -> ClauseCandidate:
    return ClauseCandidate(start, end, hard, _OPENS.match(line, start, end) is not None)


def _in_number(line: str, text: str, origin: tuple[int, ...], at: int) -> bool:
    grouped = (
        line[at - 1 : at].isdigit() and line[at + 1 : at + 4].isdigit() and len(line[at + 1 : at + 4]) == 3
    )
    return grouped and not line[at + 4 : at + 5].isdigit() and text[origin[at]] == ","


def _between_latin(line: str, at: int) -> bool:
    """A blank beside Latin letters or digits is no cut (buy milk, 奶茶 18, 订 A3 会议室)."""
    before, behind = line[at - 1 : at], line[at + 1 : at + 2]
    if _LATIN.match(behind) and _LATIN.match(before):
        return True
    if _WORD.match(behind) or _CODE.search(line, max(0, at - _LONGEST_CODE), at):
        return True
    return (
        _LATIN.match(behind) is not None and not before.isdigit() and line[at + 1 : at + 3].strip().isdigit()
    )


def _protected(read: Message) -> bytearray:
    """Characters without a cut: inside quotes, brackets, times and a list of tasks."""
    line = read.text
    inside = bytearray(len(line))
    closing: list[tuple[str, int]] = []
    for at, character in enumerate(line):
        if closing and character == closing[-1][0]:
            _, opened = closing.pop()
            if not closing and at - opened <= 200:
                inside[opened : at + 1] = b"\1" * (at + 1 - opened)
        elif character in _OPENERS and len(closing) < 8:
            closing.append((_OPENERS[character], at))
    listed = tasks_listed(line)
    if listed:
        first, last = listed[0][0], listed[-1][1]
        opens = max(0, len(line[:first].rstrip(" ,，:;")) - 1)  # with its label
        inside[opens:last] = bytes([_LISTED]) * (last - opens)
    table = table_of_days(line, read.times)
    if table is not None:
        start, end = table
        inside[start : end - 1] = bytes([_LISTED]) * (end - 1 - start)
    for found in read.times if table is None else ():
        start, end = found.span
        if end - start <= _LONGEST_TIME:  # 早8点的会，明天: one time around other words
            inside[start:end] = b"\1" * (end - start)
    return inside
