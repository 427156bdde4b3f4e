"""Undo order with its object or reason: 刚才那个推迟的撤销掉, 周会改错了 撤销, 不对 还没去呢 after a ticked
task.

Pure; the words are in `answer.toml`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from ...patterns import Pattern
from ..answers.answer_words import ASKED, MADE_BY, UNDO
from ..clause import Clause
from ..mood import denies, ends_in_question
from ..reading import words_of
from ..recognise.times import TimeExpression
from .corrections import opens_by_correcting

LONGEST: Final = 40
"""Most characters of an undo order alone."""
UNDONE_AGO: Final = 600.0
"""Seconds for which 恢复 means what was just undone."""
_PIECES: Final = Pattern("[ ,。;!?~]+")
_EDGE: Final = " ,。;!~"
_TWO: Final = 2
_SHORT: Final = 5
"""Most characters of a negated action (不借, 不去了)."""
_NEGATIONS: Final = ("不", "没", "莫")
_BARELY: Final = {"back": UNDO["anything"], "around": UNDO["around"]}
_CALLED_OFF: Final = {"off": UNDO["off"], "around": UNDO["around"]}
_UNSAID: Final = {
    "unsaid": UNDO["unsaid"],
    "around": (*UNDO["around"], *UNDO["opener"], "那", "哦", "唉", "哎", "嗯", "好", " ", ","),
}
_FORBIDS: Final = ("别", "不要", "不用", "先不", "莫", "甭", "不")


def says_undo(line: str) -> bool:
    """True for an undo word with a reference to the last change, and no stored item to delete."""
    if not 0 < len(line) <= LONGEST or ends_in_question(line):
        return False
    places = [(line.find(word), word) for word in UNDO["back"] if word in line]
    if not places or any(line[:at].endswith(_FORBIDS) for at, _ in places):
        return False
    return any(word in line for word in UNDO["of_the_last"])


def restores_deleted(line: str) -> bool:
    """True for 恢复刚才删的日程, 撤销删除: an undo of a deletion and of nothing else."""
    return says_undo(line) and any(word in line for word in UNDO["deleted"])


def says_again(line: str) -> bool:
    """True for words that bring back what is gone (恢复, 找回来, 撤错了), beside whatever they name."""
    if not 0 < len(line) <= LONGEST or ends_in_question(line) or "未完成" in line:
        return False
    return any(word in line for word in UNDO["again"])


def named_again(line: str) -> str:
    """What such a line names beside these words (班会 in 恢复班会); empty where it names nothing, or where
    they stand inside it: 建个任务恢复训练."""
    word = next((each for each in UNDO["again"] if each in line), "")
    if not word:
        return ""
    before, _, behind = line.partition(word)
    if _left(before) and _left(behind):
        return ""
    return _left(before) or _left(behind)


def _left(words: str) -> str:
    for each in sorted(UNDO["beside_again"], key=len, reverse=True):
        words = words.replace(each, " ")
    return "".join(_PIECES.split(words))


def redoes(line: Clause) -> bool:
    """True for a line that makes again what its speaker undid a moment ago: 恢复, 鸡给我恢复回去."""
    undone = line.situation.undone
    if undone is None or line.situation.now.timestamp() - undone.at > UNDONE_AGO or not says_again(line.text):
        return False
    named = named_again(line.text)
    return not named or bool(set(named) & set(undone.summary))


def restores_another(line: Clause) -> bool:
    """True for 恢复班会 where what was done last is about something else: neither undone nor made again."""
    done, named = line.situation.just_done(UNDONE_AGO), named_again(line.text)
    if done is None or line.times or line.amounts or not says_again(line.text) or redoes(line):
        return False
    return len(named) > 1 and not set(named) & set(done.summary)


def says_unsaid(line: str) -> bool:
    """True for 当我没说 and nothing else: withdraws the previous order."""
    return 0 < len(line) <= LONGEST and "unsaid" in (word_kinds(line.strip(_EDGE), _UNSAID) or ())


def ends_by_undoing(line: str) -> bool:
    """True for a question or an error, and then only 撤销 (上晚班那两个是啥啊 撤销)."""
    if not 0 < len(line) <= LONGEST:
        return False
    pieces = [piece for piece in _PIECES.split(line) if piece]
    if len(pieces) < _TWO or word_kinds(pieces[-1], _BARELY) is None:
        return False
    before = line[: line.rindex(pieces[-1])].strip(_EDGE)
    if before in UNDO["opener"] or opens_by_correcting(before):
        return True
    said = words_of(before)
    if any(not one.classes.isdisjoint({"negation", "prohibit"}) for one in said):
        return False
    asks = any(not one.classes.isdisjoint({"what", "who_asked"}) for one in said)
    return asks or ends_in_question(before)


def begins_by_undoing(line: str) -> bool:
    """True for 撤销 and then what was meant instead (撤销 我说的是火锅 不是值班)."""
    if not 0 < len(line) <= LONGEST or ends_in_question(line):
        return False
    first, _, rest = line.strip(_EDGE).partition(" ") if " " in line else line.strip(_EDGE).partition(",")
    return (
        word_kinds(first.strip(_EDGE), _BARELY) is not None and _EXPLAINS.match(rest.strip(_EDGE)) is not None
    )


_EXPLAINS: Final = Pattern(
    "(?:我|刚才|刚刚|你|,| )*(?:说的(?:是|不是)|是说|指的是|的意思|意思是|没说|没让|没叫|要的是|不是(?!吧)"
    "|[说搞弄记听看]错|错了)"
)


def calls_off_last(line: str) -> bool:
    """True for a reason and then a cancellation (不对 明天周五我休息 不用叫了; 不借 取消掉)."""
    if not 0 < len(line) <= LONGEST or ends_in_question(line):
        return False
    pieces = [piece for piece in _PIECES.split(line) if piece]
    if len(pieces) < _TWO or word_kinds(pieces[-1], _CALLED_OFF) is None:
        return False
    return (
        _negated(pieces[0]) != ""
        or opens_by_correcting(line)
        or any(piece in UNDO["opener"] for piece in pieces[:-1])
    )


def refused_deed(line: str) -> str:
    """Negated action of a line that then cancels its item (不借 取消掉); empty for another line."""
    pieces = [piece for piece in _PIECES.split(line) if piece]
    if len(pieces) != _TWO or len(line) > LONGEST or word_kinds(pieces[-1], _CALLED_OFF) is None:
        return ""
    return _negated(pieces[0])


def _negated(piece: str) -> str:
    return piece[1:].rstrip("了吧啊呀哈啦") if piece.startswith(_NEGATIONS) and len(piece) <= _SHORT else ""


def says_take_back(line: str) -> bool:
    """True for 撤销 and the like without an object: also undoes a creation."""
    return any(word in line for word in UNDO["anything"]) and not any(
        word in line for word in UNDO["of_a_change"]
    )


def says_not_done(line: str) -> bool:
    """True for 不对 还没去呢: the task just ticked is still open."""
    told = any(word in line for word in UNDO["not_done"])
    takes_back = opens_by_correcting(line) or any(word in line for word in UNDO["back"])
    return 0 < len(line) <= LONGEST and told and takes_back and not ends_in_question(line)


_LEAVING: Final = frozenset(
    {
        *(
            "denial",
            "leave",
            "negation",
            "prohibit",
            "refuse",
            "take_away",
            "particle",
            "self",
            "you",
            "filler",
        ),
        *(
            "blank",
            "pause",
            "stop",
            "mark",
            "done",
            "already",
            "ought",
            "action",
            "come",
            "join",
            "finish",
            "time",
        ),
        *(
            "remind",
            "of",
            "this",
            "all",
            "again",
            "degree",
            "schedule_noun",
            "task_noun",
            "reminder_noun",
            "ba",
        ),
        *("modal", "says", "change", "group", "sign", "call"),
    }
)
"""Word classes of a line that only denies a deletion."""


def leaves_be(line: str, names: Sequence[str], times: tuple[TimeExpression, ...] = ()) -> bool:
    """True for 又没说不去剧本杀, 没说不要啊, 千万别动剧本杀: denial, or order to keep, with only an item's
    name beside it."""
    if not 0 < len(line) <= LONGEST or ends_in_question(line):
        return False
    said = words_of(line, times)
    if not denies(line, said) and not any("leave" in one.classes for one in said):
        return False
    return all(
        not one.classes.isdisjoint(_LEAVING) or any(line[one.start : one.end] in name for name in names)
        for one in said
    )


def asks_what_was_done(line: str, *, of_late: bool = False) -> bool:
    """True for a question about the last change: 刚才改成啥了, 你刚刚干了什么. `of_late`: after a recent
    change 刚才 may be omitted (记上没, 你删了哪个, 改到几点了)."""
    if not 0 < len(line) <= LONGEST:
        return False
    kinds = word_kinds(line, ASKED)
    if kinds is None or not kinds & {"what", "whether"}:
        return False
    if "just" in kinds and kinds & {"does", "did"}:
        return "what" in kinds or "did" in kinds
    return of_late and "did" in kinds and "does" not in kinds


def asks_who_made(line: str, name: str) -> bool:
    """True for a question about an item's creator, by name or a part of it: 周会谁定的, 是谁加的剧本杀."""
    at = line.find(name)
    if not name or at < 0 or len(line) > LONGEST:
        return False
    before, behind = (word_kinds(part, MADE_BY) for part in (line[:at], line[at + len(name) :]))
    return before is not None and behind is not None and {"who", "made"} <= before | behind


def word_kinds(line: str, table: Mapping[str, Sequence[str]]) -> frozenset[str] | None:
    """Kinds of the words of a line, longest first; None if a word has none."""
    at, said = 0, set[str]()
    while at < len(line):
        found = max(
            (
                (len(word), kind)
                for kind, words in table.items()
                for word in words
                if line.startswith(word, at)
            ),
            default=None,
        )
        if found is None:
            return None
        at, _ = at + found[0], said.add(found[1])
    return frozenset(said)
