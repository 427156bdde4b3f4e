"""Title of a new item: the line without times and order words. Pure.

The line is cut at pauses and times; words of order, question, thanks or connection are removed from both ends
of each piece, by the rows of `titles.toml`; pieces about participants are left out. The rest stays in the
member's own words and script.
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Final

from ...patterns import Pattern
from ..grammar import THINGS
from ..lexicon import lexicon
from ..text.edges import Edges
from ..text.tokens import Token

_FILE: Final = Path(__file__).parent / "titles.toml"
_NAMED: Final = frozenset({"said"})
"""Class of a name after an @."""
_LOOSE: Final = frozenset(
    {
        *("make", "rouse", "look", "take_away", "change", "later", "earlier", "at", "to", "mind"),
        *("unit", "this", "filler", "is", "level", "hui"),
    }
)
"""Classes of one-character words that join an unknown next word (设 in 设计)."""
_HELD: Final = frozenset({"occasion", "hui", "personal", "plan_noun"})
_ORDERED: Final = frozenset(
    {"unit", "level", "this", "filler", "pause", "task_noun", "schedule_noun", "reminder_noun", "list_noun"}
)
"""Classes after which 布置 orders."""
_BEFORE_FIRST: Final = frozenset(
    {
        *("pause", "time", "help", "courtesy", "you", "modal", "ought", "filler", "again"),
        *("self", "group", "greeting"),
    }
)
"""Classes after which a piece begins."""
_LONGEST_NAME: Final = 20
_SHORTEST_HELD: Final = 3
"""Shortest event name: 开个会 stays whole, 开个短会 becomes 短会."""
_KEPT_MARKS: Final = frozenset("[]()<>{}【】《》「」『』“”‘’\"'@/")
_COMES: Final = frozenset({"action", "come"})
_DONE: Final = frozenset({"action", "come", "negation"})
"""Remaining classes of an action word."""
_CALLS: Final = frozenset({"self", "group", "all"})
_PASSING: Final = Pattern("(?<=.)一(?:下[子儿]?|声)(?=.)|(?<=..)一(?:下[子儿]?|声)$")
"""Diminutive 一下 inside a title."""


def title(line: str, tokens: Sequence[Token]) -> str:
    """Title of `line`, read as `tokens`; empty if none (半小时后叫我). Never raises."""
    pieces: list[list[Token]] = []
    kept: list[list[Token]] = []
    held = False
    for piece in _pieces(_placed(line, tokens)):
        core = _core(line, piece)
        if not core or (piece.before_time and not kept and _edges().covers(line, piece.words, "called")):
            continue
        if kept and _only_finishes(line, piece.words):
            continue
        pieces.append(core)
        beside = (
            _edges().covers(line, core, "aside")
            or _edges().covers(line, piece.words, "invites")
            or (held and not _names_held(core) and _edges().covers(line, piece.words, "asked"))
        )
        if not (piece.alone and beside):
            kept.append(core)
            held = held or _names_held(core)
    kept = kept or pieces[:1] or [[token for token in tokens if "sign" in token.classes]]
    text = ""
    for before, piece in zip([[], *kept], kept, strict=False):
        text += _between(line, before[-1].end, piece[0].start, tokens) if before else ""
        text += _PASSING.sub("", "".join(line[token.start : token.end] for token in piece))
    return text.replace("()", "").strip()


def _only_finishes(line: str, words: Sequence[Token]) -> bool:
    """Piece with only a deadline (接口文档 周三前搞定)."""
    known = [lexicon().words.get(line[token.start : token.end], token.classes) for token in words]
    return any("finish" in each for each in known) and all(
        not each.isdisjoint({"finish", "filler", "particle", "done"}) for each in known
    )


def plan_end(line: str, tokens: Sequence[Token]) -> int:
    """End of a plan with a clock time before a question to the others (周六三点打球 谁来); else the length of
    the line."""
    end = len(line)
    if all("clock" not in token.classes for token in tokens):
        return end
    for piece in reversed(_pieces(_placed(line, tokens))):
        if not piece.alone or not _edges().covers(line, piece.words, "invites"):
            break
        end = piece.words[0].start
    return end


def _names_held(words: Sequence[Token]) -> bool:
    """True if words name a group event."""
    return any(not token.classes.isdisjoint(_HELD) for token in words)


def _placed(line: str, tokens: Sequence[Token]) -> list[Token]:
    """Tokens with their position-dependent classes."""
    tokens = [part for token in tokens for part in _parted(line, token)]
    placed: list[Token] = []
    for at, token in enumerate(tokens):
        following = tokens[at + 1].classes if at + 1 < len(tokens) else frozenset[str]()
        first = at == 0 or not tokens[at - 1].classes.isdisjoint(_BEFORE_FIRST)
        placed.append(replace(token, classes=_classes(line, token, following, tokens[at + 1 :], first=first)))
        if _mentioned(line, tokens, at):
            placed[-1] = replace(token, classes=frozenset({"said"}))
        elif _is_sent(line, tokens, at) or _is_announced(tokens, at):
            placed[-1] = replace(token, classes=frozenset({"action"}))
    return placed


def _is_announced(tokens: Sequence[Token], at: int) -> bool:
    """True for 群公告 and 通知 as what is done with them (发群公告, 写通知), not as a call to the group."""
    if at == 0 or "announce" not in tokens[at].classes:
        return False
    verb = tokens[at - 1]
    return verb.end == tokens[at].start == verb.start + 1 and "action" in verb.classes


def _is_sent(line: str, tokens: Sequence[Token], at: int) -> bool:
    """True for 发群里 as the reminder's content (提醒我十点把接口文档发群里), not its target."""
    if "make" not in tokens[at].classes or not line.startswith(_SENDS, tokens[at].start):
        return False
    reminded = any(not each.classes.isdisjoint({"remind", "rouse", "rouse_me"}) for each in tokens)
    return reminded and any("ba" in each.classes for each in tokens[:at])


_SENDS: Final = ("发", "贴")


def _mentioned(line: str, tokens: Sequence[Token], at: int) -> bool:
    """True for a token of an @ name that a pause ends: @小北 周五…."""
    for token in reversed(tokens[: at + 1]):
        word = line[token.start : token.end]
        if word == "@":
            ends = any("pause" in each.classes for each in tokens[at:])
            return ends and not line[token.end : token.end + 1].isdigit()
        if "pause" in token.classes or token.end < tokens[at].start - _LONGEST_NAME:
            return False
    return False


def _parted(line: str, token: Token) -> list[Token]:
    """Words split into connective and content: 要去, 的会."""
    word = line[token.start : token.end]
    if len(word) > 1 and word[-1] in "去来" and not token.classes.isdisjoint({"ought", "modal"}):
        cut, behind = token.end - 1, _COMES
        return [Token(token.start, cut, frozenset({"ought"})), Token(cut, token.end, behind)]
    if len(word) > 2 and word[0] == "我" and "join" in token.classes:
        cut = token.start + (2 if word[1] in "要也" else 1)
        return [Token(token.start, cut, frozenset({"ought"})), Token(cut, token.end, frozenset({"action"}))]
    if "occasion" in token.classes and len(word) > _SHORTEST_HELD and word[:2] in _held_or_done():
        cut = token.start + 2  # 开个短会
        return [Token(token.start, cut, frozenset({"make"})), Token(cut, token.end, token.classes)]
    if len(word) > 1 and word[0] == "的":
        cut = token.start + 1
        return [Token(token.start, cut, frozenset({"of"})), Token(cut, token.end, token.classes)]
    return [token]


def _classes(
    line: str, token: Token, following: frozenset[str], rest: Sequence[Token], *, first: bool
) -> frozenset[str]:
    classes, word = token.classes, line[token.start : token.end]
    if word == "一起" or word in _KEPT_MARKS:
        return frozenset({"unread"})
    if token.end - token.start == 1 and not classes.isdisjoint(_LOOSE) and "unread" in following:
        return frozenset({"unread"})
    if "team" in classes:
        return frozenset({"team"})
    if "make" in classes and "action" in classes and not following.isdisjoint({"filler", "unit", "pause"}):
        return frozenset({"make"})
    if "action" in classes:
        if not following.isdisjoint(_CALLS) and not classes.isdisjoint({"rouse", "announce", "remind"}):
            return classes
        return classes & _DONE
    if "make" in classes and word in _done_or_ordered() and following.isdisjoint(_ORDERED):
        return frozenset({"action"})
    if "make" in classes and word in _held_or_done():
        ends = [each for each in _until_pause(rest) if each.classes.isdisjoint({"particle", "filler"})]
        return classes if ends and not ends[-1].classes.isdisjoint(_HELD) else frozenset({"action"})
    if "make" in classes and "plan_noun" in classes:
        return frozenset({"make"}) if first else frozenset({"plan_noun"})
    return classes


def _until_pause(tokens: Sequence[Token]) -> list[Token]:
    found: list[Token] = []
    for token in tokens:
        if not token.classes.isdisjoint({"pause", "time"}):
            break
        found.append(token)
    return found


@dataclass(slots=True)
class _TitlePiece:
    """A stretch between pauses and times."""

    words: list[Token]
    behind_time: bool
    before_time: bool = False
    alone: bool = True
    """Between pauses."""


def _pieces(tokens: Sequence[Token]) -> list[_TitlePiece]:
    pieces = [_TitlePiece([], behind_time=False)]
    for token in tokens:
        last = pieces[-1]
        if "time" in token.classes:
            last.before_time = True
            last.alone = last.alone and not last.words
            pieces.append(_TitlePiece([], behind_time=True, alone=not last.words))
        elif "pause" in token.classes:
            pieces.append(_TitlePiece([], behind_time=False))
        else:
            last.words.append(token)
    return [piece for piece in pieces if piece.words]


def _core(line: str, piece: _TitlePiece) -> list[Token]:
    """Piece without order words at its ends."""
    words, edges = piece.words, _edges()
    if edges.closes(line, words, ("closing",)) == len(words):
        return []
    if piece.before_time:
        words = words[: len(words) - edges.closes(line, words, ("tie", "closing"))]
    words = words[edges.opens(line, words, ("behind", "opening") if piece.behind_time else ("opening",)) :]
    closing = ("closing",) if any("ba" in each.classes for each in words) else ("closing", "told")
    return words[: len(words) - edges.closes(line, words, closing)]


def _between(line: str, start: int, end: int, tokens: Sequence[Token]) -> str:
    """Separator of two pieces; empty if only a time is between."""
    between = [token for token in tokens if start <= token.start and token.end <= end]
    if all("pause" in token.classes for token in between):
        return line[start:end]
    pauses = [line[token.start : token.end] for token in between if "pause" in token.classes]
    return next((each for each in pauses if each != " "), " ") if pauses else ""


@cache
def _rows() -> dict[str, list[str]]:
    return tomllib.loads(_FILE.read_text("utf-8"))


@cache
def _held_or_done() -> frozenset[str]:
    """Classes of group events and other activities: 开个会, but 写个周报."""
    return frozenset(_rows()["held_or_done"])


@cache
def _done_or_ordered() -> frozenset[str]:
    """Verbs of an order and of a deed: 布置个任务, but 布置会场."""
    return frozenset(_rows()["done_or_ordered"])


@cache
def _edges() -> Edges:
    words = ("held_or_done", "done_or_ordered")
    rows = {name: row for name, row in _rows().items() if name not in words}
    variants = {classes & _DONE for classes in lexicon().words.values()}
    variants |= {
        frozenset({name}) for name in ("unread", "team", "make", "plan_noun", "action", "ought", "of")
    }
    return Edges(rows, lexicon(), things=(*THINGS, _NAMED), variants=variants | {_COMES})
