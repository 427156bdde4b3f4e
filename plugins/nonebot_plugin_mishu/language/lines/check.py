"""The check of a model's sentences against the lines they name: what no line holds is not told.

A sentence is dropped whole; nothing of it is mended. Who said something is checked as well as what: the words
after a speaker's name must be that speaker's. A true sentence may be dropped, a false one must not pass.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from ...patterns import Pattern
from ..text.fold import normalise
from . import telling
from .line import RecordLine
from .marks import asks, assents, assigns, decided, decides, plans, proposes, questions, settling, times
from .support import clauses, nearest, support
from .values import invented_latin, invented_link, invented_number, invented_time, quotations, stands, values
from .wording import (
    SPEECH,
    like_a_name,
    mentioned,
    names_in,
    negated,
    outcome,
    parts,
    strangers,
    subject,
    without,
)

Kind = Literal["talk", "decision", "todo", "plan", "question"]
KINDS: Final[tuple[Kind, ...]] = ("talk", "decision", "todo", "plan", "question")
MOST_LINES: Final = 12
"""Lines that one sentence may rest on; one that names more rests on none in particular."""
LONGEST: Final = 160
"""Characters of one sentence."""
_SHARE: Final = 0.5
"""Least part of a sentence's words found in its lines."""
_PART_SHARE: Final = 0.34
"""Least part of each piece between commas."""
_CLAIMS: Final = (
    "决定",
    "定了",
    "定在",
    "定于",
    "敲定",
    "约定",
    "说定",
    "一致",
    "拍板",
    "达成",
    "通过了",
    "商定",
)
"""Words that say that something was decided."""
_CHOSEN: Final = ("选了", "选择了", "改为", "定为")
_HEAD: Final = 8
"""Characters in which a part without a verb of saying names whom it is about."""
_LOOSE: Final = 2
_ASKING: Final = Pattern(
    r"问|想知道|想要|找|求|请|谁|什么|怎么|哪|几|吗|是否|能否|能不能|可不可以|要不要|有没有|是不是|希望|需要|征|打听|看看|提议|建议|商量"
)
"""Words by which a sentence reports a question."""
_AGREES: Final = Pattern("同意|附和|赞成|答应|支持")


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of a model's, with the ids of the lines it says it rests on."""

    kind: Kind
    text: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SentenceVerdict:
    """The sentence as it may be told, None where it may not; and why, for the trace and the tests."""

    sentence: Sentence | None
    why: str = ""


def check(sentence: Sentence, span: Sequence[RecordLine], names: Collection[str] = ()) -> SentenceVerdict:
    """Verdict on a sentence against its lines.

    `span` are all lines the model saw, `names` the names of members beside those who speak there. A decision,
    a plan or a to-do that no line reads as one is told as talk, or dropped where its words still claim it.
    """
    by_id = {line.id: line for line in span}
    cited = [by_id[key] for key in dict.fromkeys(sentence.lines) if key in by_id]
    text = normalise(sentence.text)
    if not sentence.lines or len(cited) < len(set(sentence.lines)):
        return SentenceVerdict(None, "no such line")
    if len(cited) > MOST_LINES or all(line.bot for line in cited):
        return SentenceVerdict(None, "too many lines, or only ours")
    if not text or len(text) > LONGEST:
        return SentenceVerdict(None, "empty or too long")
    cited = [line for line in cited if not line.bot]
    known = {line.name for line in span} | {normalise(name) for name in names} | mentioned(span)
    short = {name.lstrip("0123456789") for name in known if len(name.lstrip("0123456789")) > 1}
    settled = _Settled(cited, span)
    why = (
        _hard(text, cited)
        or _whose(text, cited, known, settled)
        or _held(text, cited, known | short, span, settled)
    )
    if why is not None:
        return SentenceVerdict(None, why)
    kind: Kind = sentence.kind
    if not _reads_so(kind, cited, span):
        kind = "talk"
    if kind != "decision" and any(word in text for word in _CLAIMS) and not _settled(cited, span):
        return SentenceVerdict(None, "claims a decision")
    return SentenceVerdict(replace(sentence, kind=kind, text=text))


def _hard(text: str, cited: Sequence[RecordLine]) -> str | None:
    """Quoted words, links, Latin words, times, numbers: each stands in a line."""
    if any(not stands(words, cited) for words in quotations(text)):
        return "quoted words"
    if invented_link(text, cited) is not None:
        return "link"
    names = " ".join(line.name for line in cited)
    bare = without(text, {line.name for line in cited})
    if invented_latin(bare, cited, names) is not None:
        return "latin word"
    time, left = invented_time(bare, cited)
    if time is not None:
        return "time"
    if invented_number(left, cited) is not None:
        return "number"
    return None


def _whose(
    text: str, cited: Sequence[RecordLine], known: Collection[str], settled: Container[str]
) -> str | None:
    """Every name is a speaker's of the lines or stands in one; and who is said to have said something did."""
    said = "\n".join(line.text for line in cited)
    speakers = {line.name for line in cited}
    for name in names_in(text, known):
        if name not in speakers and name not in said:
            return "name"
    for part in parts(text):
        verb = SPEECH.search(part)
        head = part[: verb.start()] if verb is not None else part[:_HEAD]
        first = names_in(head, speakers)
        own = [line for line in cited if line.name in first]
        if verb is not None and names_in(head, known) and not own:
            return "not the speaker"
        if verb is not None and not own and not _told_of(head, speakers, said):
            return "nobody of the lines"
        if _AGREES.search(part) and own:
            if not any(assents(line) or _AGREES.search(line.text) for line in own):
                return "nobody agreed"
            continue
        if own and len(own) < len(cited) and part.startswith(tuple(first)):
            why = _own(part, own, cited, known, settled)
            if why is not None:
                return why
    return None


def _told_of(head: str, speakers: Collection[str], said: str) -> bool:
    """True if the speaker of a reported statement is nobody in particular, or is in a line."""
    who = subject(head, speakers)
    return (
        len(who) < 2
        or who[-2:] in said
        or any(len(word) > 1 and who.endswith(word) for word in telling.PLAIN)
    )


def _own(
    part: str,
    own: Sequence[RecordLine],
    cited: Sequence[RecordLine],
    known: Collection[str],
    settled: Container[str],
) -> str | None:
    """Reason if a part with a speaker's name is not in that speaker's lines, values above all; words may be
    of the line answered. None if supported."""
    left = invented_time(without(part, known), own)
    if left[0] is not None or invented_number(left[1], own) is not None:
        return "not the speaker's words"
    said = [(clause, line) for line in own for clause in clauses(line)]
    near = nearest(part, [clause for clause, _ in said], known)
    if near and _open(near, said, settled) and _ASKING.search(part) is None:
        return "a question told as a fact"
    if any(asks(line) for line in cited if line not in own and line.at <= own[0].at):
        return None  # an answer takes up the words of its question
    mine = support(part, [line.text for line in own], known, _values_of(part, known))
    others = support(part, [line.text for line in cited if line not in own], known, _values_of(part, known))
    if mine.total and mine.share < _PART_SHARE and others.held > mine.held:
        return "not the speaker's words"
    return None


def _values_of(part: str, known: Collection[str]) -> tuple[str, ...]:
    return values(without(part, known))


def _held(
    text: str,
    cited: Sequence[RecordLine],
    known: Collection[str],
    span: Sequence[RecordLine],
    settled: Container[str],
) -> str | None:
    """The words are mostly the lines', in every part of the sentence, and none turns a yes into a no."""
    if outcome(without(text, known), cited) is not None:
        return "another outcome"
    said = [line.text for line in cited]
    if any(strangers(without(part, known), said) for part in parts(text)):
        return "unknown name"
    found = [support(part, said, known, _values_of(part, known)) for part in parts(text)]
    runs = [run for each in found for run in each.runs]
    if any(like_a_name(run) for run in runs):
        return "unknown name"
    if any(len(run) > 1 for run in runs) or len(runs) > _LOOSE or any(each.loose > _LOOSE for each in found):
        return "words that no line holds"
    if any(each.total >= 2 and each.share < _PART_SHARE for each in found):
        return "words that no line holds"
    total = sum(each.total for each in found)
    if total and sum(each.held for each in found) / total < _SHARE and (total > _LOOSE or not values(text)):
        return "words that no line holds"
    why = _turned(text, cited, known, span, settled)
    if why is not None:
        return why
    if not total and _AGREES.search(text) is None:
        return None if any(_values(text, line) for line in cited) or values(text) else "says nothing"
    return None


def _turned(
    text: str,
    cited: Sequence[RecordLine],
    known: Collection[str],
    span: Sequence[RecordLine],
    settled: Container[str],
) -> str | None:
    """A part that denies what the lines say, or says what they deny; or tells a question as a fact."""
    said = [(clause, line) for line in cited for clause in clauses(line)]
    for part in parts(text):
        words = without(part, _values_of(part, known))
        names = names_in(part[:_HEAD], known)
        own = [clause for clause, line in said if line.name in names]
        near = nearest(words, own, known) or nearest(words, [clause for clause, _ in said], known)
        if not near:
            continue
        if any(_turns_round(words, clause) for clause in near):
            return "the opposite"
        open_ = _open(near, said, settled)
        others = [clause for clause, line in said if not asks(line)] if open_ else near
        if others and all(negated(clause) != negated(part) for clause in others):
            return "yes and no"
        if open_ and _ASKING.search(text) is None and not _answered(part, said, known):
            return "a question told as a fact"
        if any(word in part for word in (*_CLAIMS, *_CHOSEN)):
            of = [line for clause, line in said if clause in near]
            chose = {line.name for line in of} <= set(names_in(part, known))
            if not chose and not _settled(of, span):
                return "claims a decision"
    return None


def _open(near: Sequence[str], said: Sequence[tuple[str, RecordLine]], settled: Container[str]) -> bool:
    """True if clauses only ask. A proposal as a question (…行不行) with an assent does not."""
    return all(
        questions(clause) and not any(clause == each and line.id in settled for each, line in said)
        for clause in near
    )


def _turns_round(part: str, clause: str) -> bool:
    """True if a part has the opposite of its clause (比前月少, 比前月多)."""
    return any(
        one in part and one not in clause and other in clause and other not in part
        for one, other in telling.OPPOSITE
    )


def _answered(part: str, said: Sequence[tuple[str, RecordLine]], known: Collection[str]) -> bool:
    """True if a question has an answer in the lines: the part's values, or any statement."""
    told = _values_of(part, known)
    answers = [clause for clause, line in said if not asks(line)]
    return bool(answers) if not told else any(words in clause for words in told for clause in answers)


def _values(text: str, line: RecordLine) -> bool:
    """A sentence of names and joining words alone says something where it hands on a value of the line."""
    return any(stands(words, [line]) for words in quotations(text)) or bool(set(line.files)) or "http" in text


def _reads_so(kind: Kind, cited: Sequence[RecordLine], span: Sequence[RecordLine]) -> bool:
    if kind == "decision":
        return _settled(cited, span)
    if kind == "question":
        return any(asks(line) for line in cited)
    if kind == "todo":
        return any(assigns(line) for line in cited)
    if kind == "plan":
        return any(plans(line) for line in cited) or _settled(cited, span)
    return True


def _settled(cited: Sequence[RecordLine], span: Sequence[RecordLine]) -> bool:
    """True if a line decides alone, or is a proposal with an assent in the span. 就这么定 decides another
    line's content, and nothing alone."""
    if any(decides(line) for line in cited) and not all(assents(line) for line in cited):
        return True
    settled = _Settled(cited, span)
    return any(line.id in settled for line in cited)


class _Settled(Container[str]):
    """The ids of those lines that are settled, by themselves or by an assent of somebody else's: found when
    they are first asked for, since most sentences need none."""

    def __init__(self, cited: Sequence[RecordLine], span: Sequence[RecordLine]) -> None:
        self._cited = cited
        self._span = span
        self._ids: frozenset[str] | None = None

    def __contains__(self, key: object) -> bool:
        if self._ids is None:
            self._ids = self._found()
        return key in self._ids

    def _found(self) -> frozenset[str]:
        if not any(proposes(line) or decides(line) or times(line) for line in self._cited):
            return frozenset()
        to = settling(self._span)
        made = decided(self._span, to)
        return frozenset(line.id for line in self._cited if line.id in made or line.id in to.assents)
