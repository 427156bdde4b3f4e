"""Work shared out in one line: 让老猫去订场地 月月去买水 都是周三之前; 场地阿凯跑，奖品月月买，周五前. Pure.

Every piece names one member and what they do, or only says by when; a line with any other piece shares
nothing out.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from ...patterns import Pattern
from ..clause import Clause, Mention
from ..reading import words_of
from ..recognise.members import matched, spoken_names
from ..recognise.times import TimeExpression, parse
from ..word_lists import table
from .task_lists import acts

MOST: Final = 12
"""Most portions of a line."""
_LONGEST: Final = 120
_LONGEST_DEED: Final = 24
_SHORTEST_DEED: Final = 2
_PAUSE: Final = Pattern("[ ,，、;；。]+")
_NONE: Final = Pattern("[?？]|吗|没|不|别|谁|投票|报名|接龙|统计|参加|记得我")
"""Stands in no line that only shares out."""
_LABEL: Final = Pattern("^(?:[^:：]{1,12}[:：]|分工(?:一下|如下)?|任务(?:分配|安排)?(?:一下|如下)?)")
_HANDS: Final = (
    "(?:再|就|那|请|麻烦|顺便|另外|还有|然后|你|帮我|帮忙)*+(?P<hands>让|叫|派|由|安排|喊|提醒|通知)?(?:@ *)?"
)
_TAKES: Final = "(?:(?:来|去|就|要|得|帮忙|那边|把|也|还)*(?P<takes>负责|管)?(?:去|来)?)"
_DOES: Final = "(?P<verb>负责|跑一?下?|弄|管|来|做|采买|采购|搞|写|带|订|买|办|盯|跟|准备|整|拿|取|画|改|拍)"
_CALLS: Final = ("提醒", "通知")
_ONLY_TAKES: Final = ("负责", "跑", "管", "来", "弄", "搞", "盯", "跟", "办")
"""Verbs that say nothing but that it is theirs: 场地阿凯跑."""
_TAIL: Final = Pattern(
    "(?:都|全|得|要|是|必须|分别|各自|大家|全部|一律|之前|以前|前|截止|交|完成|弄完|弄好|搞定|做完|给我|交给我|发我|就行"
    "|你|挨个|盯着?|一下|催着?|跟着?|提醒(?:他们|一下)?|辛苦(?:了|大家)?|谢谢|吧|哈|啊|哦|[。!~])*+"
)
_NO_TASK: Final = Pattern(f"值[日班周夜]|轮值|[早晚夜中白]班|有[空课]|上课|生日|{table('lasting.days')}")


@dataclass(frozen=True, slots=True)
class Portion:
    """What one does of it; `member` None is the speaker. `order` is in their own voice, with its time."""

    member: Mention | None
    order: Clause


@dataclass(frozen=True, slots=True)
class _Piece:
    name: str
    does: str
    hands: str
    at: int
    end: int


def shared_out(clause: Clause) -> tuple[Portion, ...]:
    """The portions of a line, of two members at least; none for any other line. Linear."""
    where, text = clause.situation, clause.text
    pool = tuple({one.user_id: one for one in (*where.mentions, *where.members)}.values())
    if where.private or not pool or clause.amounts or clause.lines or len(text) > _LONGEST:
        return ()
    if _NONE.search(text) or any(_is_over(each, clause) for each in clause.times):
        return ()
    pieces = _pieces(clause, spoken_names(pool))
    if not 2 <= len(pieces) <= MOST or len({each.name for each in pieces}) < 2:
        return ()
    if not any(each.hands or acts(each.does) for each in pieces):
        return ()
    own = [_times_in(clause, each.at, each.end) for each in pieces]
    common = _common(clause, pieces)
    if not clause.times and not any(each.hands for each in pieces):
        return ()
    if not any(each.hands for each in pieces) and sum(map(bool, own)) > 1:
        return ()  # 周一阿凯值日 周二月月值日: a roster
    found: list[Portion] = []
    calls = any(each.hands in _CALLS for each in pieces)
    for piece, times in zip(pieces, own, strict=True):
        same = () if piece.name == _ME else matched(piece.name, pool)
        if piece.name != _ME and len(same) != 1:
            return ()
        said = "".join(each.text for each in times) or common
        line = f"{said}{'提醒我' if calls else ''}{piece.does}"
        order = Clause(line, where, tuple(parse(line, where.now, where.zone)))
        found.append(Portion(same[0] if same else None, order))
    return tuple(found)


_ME: Final = "我"


def _pieces(clause: Clause, names: Sequence[str]) -> list[_Piece]:
    """The pieces that name somebody; none where another piece says more than by when."""
    text, found = clause.text, list[_Piece]()
    label = _LABEL.match(text)
    at = label.end() if label is not None else 0
    for pause in (*_PAUSE.finditer(text, at), None):
        end = pause.start() if pause is not None else len(text)
        start, at = at, pause.end() if pause is not None else end
        said = _untimed(clause, start, end)
        if not said:
            continue
        read = _piece(said, names, start, end)
        if read is not None:
            found.append(read)
        elif _TAIL.fullmatch(said) is None:
            return []
    return found


def _piece(said: str, names: Sequence[str], start: int, end: int) -> _Piece | None:
    line = said.lower()
    inside = [name for name in names if name in line]
    if len({name for name in inside if not any(name != other and name in other for other in inside)}) > 1:
        return None
    name = inside[0] if inside else _ME
    who = re.escape(name)
    first = re.match(f"{_HANDS}{who}{_TAKES}(?P<does>.+)", line)
    if first is not None:
        does = said[first.start("does") :].strip("的 吧哈啊")
        hands = first["hands"] or first["takes"] or ""
        if not _is_work(does) or not (hands or _is_done(does)):
            return None
        return _Piece(name, does, hands, start, end)
    behind = re.fullmatch(
        f"(?P<thing>.{{2,12}}?)(?P<hands>由|让|归|交给)?{who}(?:去|来|就)?{_DOES}?(?:吧|哈|啊)?", line
    )
    if behind is None or not (behind["hands"] or behind["verb"]):
        return None
    thing, verb = said[: behind.end("thing")], behind["verb"] or ""
    does = thing if not verb or verb.startswith(_ONLY_TAKES) else f"{verb}{thing}"
    return _Piece(name, does, behind["hands"] or verb, start, end) if _is_work(does) else None


def _is_work(does: str) -> bool:
    return (
        _SHORTEST_DEED <= len(does) <= _LONGEST_DEED and _NO_TASK.search(does) is None and _ME not in does[:1]
    )


def _is_done(does: str) -> bool:
    """True for an action, or an occasion beside actions of others (拍照)."""
    return any(not each.classes.isdisjoint({"action", "occasion"}) for each in words_of(does))


def _untimed(clause: Clause, start: int, end: int) -> str:
    """Words of a piece without its times."""
    said, at = "", start
    for begin, stop in sorted(span for each in clause.times for span in each.spans):
        if stop <= at or begin >= end:
            continue
        said += clause.text[at : max(begin, at)]
        at = min(stop, end)
    return f"{said}{clause.text[at:end]}".strip(" ,:")


def _times_in(clause: Clause, start: int, end: int) -> tuple[TimeExpression, ...]:
    return tuple(each for each in clause.times if start <= each.span[0] and each.span[1] <= end)


def _common(clause: Clause, pieces: Sequence[_Piece]) -> str:
    """Words of the time that holds for all: outside the pieces, else before the first name (周五阿凯…), else
    the only one there is."""
    inside = {each.span for piece in pieces for each in _times_in(clause, piece.at, piece.end)}
    outside = [each for each in clause.times if each.span not in inside]
    first = [each for each in _times_in(clause, pieces[0].at, pieces[0].end) if each.span[0] == pieces[0].at]
    alone = clause.times if len(clause.times) == 1 else ()
    return "".join(each.text for each in (outside or first or alone))


def _is_over(time: TimeExpression, clause: Clause) -> bool:
    known = time.ambiguous is None and time.recurrence is None and time.date is not None
    return known and time.date is not None and time.date < clause.situation.now.date()
