"""The plain form: what happened in a span, told without a model, by quotation and counting only."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Final

from ..language.lines.check import Kind, Sentence
from ..language.lines.line import RecordLine
from ..language.lines.marks import asks, assents
from .findings import Findings
from .selecting import telling

LONGEST: Final = 500
"""Characters of the whole."""
NOTHING: Final = "这段时间群里没有人说话。"
_NAMED: Final = 5
"""Members whose counts are told."""
_QUOTES: Final = (60, 48, 36, 28)
"""Characters of one quotation: the longest that lets the whole fit is taken. Shorter ones help nobody."""
_LONG: Final = 20
"""Lines from which on a talk without a break is told by several of them."""
_TALK: Final = 6
"""Sentences about the rest of the talk."""
_MOST: Final = (12, 8, 5, 3, 2, 1)
"""Items shown of each kind, tried in this order until the text fits."""


@dataclass(frozen=True, slots=True)
class _SentencePart:
    """A heading and what stands under it; parts that are `spare` go first where room is short."""

    heading: str
    items: Sequence[Callable[[int], str]]
    spare: bool = False


def plain_form(found: Findings, sentences: Sequence[Sentence] = (), *, longest: int = LONGEST) -> str:
    """Plain summary of a span, the weightiest first; `sentences` are a model's that were checked (`check`):
    they stand before what they do not tell, and instead of the busiest stretches.

    At most `longest` characters (200 at the least). What was asked of the asker, decided and planned comes
    first and is given up last; what does not fit is counted."""
    if not found.lines:
        return NOTHING
    parts = _build_parts(found, sentences)
    head = _render_head(found)
    for kept in (parts, [part for part in parts if not part.spare]):
        for most in _MOST:
            for quote in _QUOTES:
                text = "\n".join([head, *(_render_part(part, most, quote) for part in kept)])
                if len(text) <= longest:
                    return text
    text = head
    for part in parts:
        more = f"{text}\n{_render_part(part, 1, _QUOTES[-1])}"
        text = more if len(more) <= longest else text
    return text[:longest]


def quoted(found: Findings, sentences: Sequence[Sentence] = ()) -> list[Sentence]:
    """Findings that no sentence rests on, as sentences that quote their lines."""
    told = {key for each in sentences for key in each.lines}
    by_id = {line.id: line for line in found.lines}
    kinds: dict[str, Kind] = {}
    for key in found.decided:
        kinds.setdefault(key, "decision")
    for line in found.plans:
        kinds.setdefault(line.id, "plan")
    for line in found.todos:
        kinds.setdefault(line.id, "todo")
    if not sentences:
        for each in found.stretches:
            kinds.setdefault(each.telling.id, "talk")
    return [
        Sentence(kind, f"{by_id[key].name}：「{by_id[key].text}」", (key, *found.decided.get(key, ())))
        for key, kind in kinds.items()
        if key in by_id and key not in told
    ]


def _render_head(found: Findings) -> str:
    first, last = found.lines[0].at, found.lines[-1].at
    end = f"{last:%H:%M}" if last.date() == first.date() else f"{last.month}月{last.day}日 {last:%H:%M}"
    named = "、".join(f"{_clip(name, 12)} {count}" for name, count in found.by_member[:_NAMED])
    more = "等" if len(found.by_member) > _NAMED else ""
    people = len(found.by_member)
    day = f"{first.month}月{first.day}日 {first:%H:%M}—{end}"
    return f"{day}，{people} 人说了 {len(found.lines)} 句：{named}{more}"


def _build_parts(found: Findings, sentences: Sequence[Sentence]) -> list[_SentencePart]:
    by_id = {line.id: line for line in found.lines}
    one_day = found.lines[0].at.date() == found.lines[-1].at.date()

    def begun(line: RecordLine) -> str:
        day = "" if one_day else f"{line.at.month}/{line.at.day} "
        return f"{day}{line.at:%H:%M} {_clip(line.name, 12)}"

    def quoted(line: RecordLine, after: str = "") -> Callable[[int], str]:
        return lambda quote: f"{begun(line)}「{_clip(line.text, quote)}」{after}"

    def show_content(line: RecordLine, what: str) -> Callable[[int], str]:
        # A link is of use only whole, so it is clipped far later than words are.
        return lambda quote: f"{begun(line)} {_clip(what, 4 * quote)}"

    def settled(line: RecordLine, assents: Sequence[str]) -> Callable[[int], str]:
        people = len({by_id[key].user_id for key in assents if key in by_id})
        return quoted(line, f"（{people} 人附和）" if people else "")

    told = {key for each in sentences if each.kind != "talk" for key in each.lines}
    shown = {line.id for line in found.asked} | set(found.decided) | told
    made = [
        settled(by_id[key], assents)
        for key, assents in found.decided.items()
        if key in by_id and key not in told
    ]
    coming = [line for line in found.plans if line.id not in shown]
    todo = [line for line in found.todos if line.id not in shown and line not in coming]
    parts = [
        _SentencePart("找你的（还没回）", [quoted(line) for line in found.asked]),
        _SentencePart("定了", [*_select_sentences(sentences, "decision"), *made]),
        _SentencePart(
            "有时间的", [*_select_sentences(sentences, "plan"), *(quoted(line) for line in coming)]
        ),
        _SentencePart("要做的", [*_select_sentences(sentences, "todo"), *(quoted(line) for line in todo)]),
        _SentencePart("有人问，没看到答复", [quoted(line) for line in found.open if line.id not in shown]),
        _SentencePart("链接", [show_content(line, link) for line, link in found.links]),
        _SentencePart("文件", [show_content(line, name) for line, name in found.files]),
    ]
    if sentences:
        parts.append(_SentencePart("有人问", _select_sentences(sentences, "question")[:_TALK], spare=True))
        parts.append(_SentencePart("还聊了", _select_sentences(sentences, "talk")[:_TALK]))
    else:
        told = {line.id for line in (*coming, *todo, *found.open)}
        told |= {line.id for line, _ in (*found.links, *found.files)}
        # Of a long talk without a break one line says nothing.
        one = len(found.lines) > _LONG and not found.stretches[1:]
        talk = _typical(found.lines, shown | told) if one else ()
        parts.append(_SentencePart("聊到的", [quoted(line) for line in talk], spare=True))
        busy = [] if talk else [quoted(each.telling, f"（{each.count} 句）") for each in found.stretches]
        parts.append(_SentencePart("聊得最多的", busy, spare=True))
    return [part for part in parts if part.items]


def _typical(lines: Sequence[RecordLine], shown: Collection[str]) -> Sequence[RecordLine]:
    """The weightiest lines of a talk that are not shown yet, in their order, each text once."""
    others: dict[str, RecordLine] = {}
    for line in lines:
        if line.id not in shown and not (line.bot or line.files or assents(line) or asks(line)):
            others.setdefault(line.text, line)
    return telling(list(others.values()), lambda line: 1, _TALK)


def _select_sentences(sentences: Sequence[Sentence], kind: Kind) -> list[Callable[[int], str]]:
    """The sentences of a kind, whole: they were checked so."""
    return [lambda quote, text=each.text: text for each in sentences if each.kind == kind]


def _render_part(part: _SentencePart, most: int, quote: int) -> str:
    told = [f"· {item(quote)}" for item in part.items[:most]]
    left = len(part.items) - len(told)
    return "\n".join([f"{part.heading}：", *told, *([f"· 还有 {left} 条"] if left else [])])


def _clip(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"
