"""The check of a model's sentences against the lines they name: what no line holds is not told.

A sentence is dropped whole; nothing of it is mended. Who said something is checked as well as what: the words
after a speaker's name must be that speaker's. A true sentence may be dropped, a false one must not pass.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from ..text import normalise
from .line import Line
from .marks import asks, assenting, assents, assigns, decided, decides, plans
from .values import (
    invented_latin,
    invented_link,
    invented_number,
    invented_time,
    quotations,
    stands,
)
from .wording import (
    SPEECH,
    begins,
    covered,
    like_a_name,
    mentioned,
    names_in,
    negated,
    outcome,
    parts,
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
"""How much of a sentence's words stand in its lines at the least."""
_PART_SHARE: Final = 0.34
"""And of every part of it between commas."""
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
_AGREES: Final = re.compile("同意|附和|赞成|答应|支持")


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of a model's, with the ids of the lines it says it rests on."""

    kind: Kind
    text: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Verdict:
    """The sentence as it may be told, None where it may not; and why, for the trace and the tests."""

    sentence: Sentence | None
    why: str = ""


def check(sentence: Sentence, span: Sequence[Line], names: Collection[str] = ()) -> Verdict:
    """Whether a sentence is held by its lines.

    `span` are all lines the model saw, `names` the names of members beside those who speak there. A decision,
    a plan or a to-do that no line reads as one is told as talk, or dropped where its words still claim it.
    """
    by_id = {line.id: line for line in span}
    cited = [by_id[key] for key in dict.fromkeys(sentence.lines) if key in by_id]
    text = normalise(sentence.text)
    if not sentence.lines or len(cited) < len(set(sentence.lines)):
        return Verdict(None, "no such line")
    if len(cited) > MOST_LINES or all(line.bot for line in cited):
        return Verdict(None, "too many lines, or only ours")
    if not text or len(text) > LONGEST:
        return Verdict(None, "empty or too long")
    cited = [line for line in cited if not line.bot]
    known = {line.name for line in span} | {normalise(name) for name in names} | mentioned(span)
    why = _hard(text, cited) or _whose(text, cited, known) or _held(text, cited, known)
    if why is not None:
        return Verdict(None, why)
    kind: Kind = sentence.kind
    if not _reads_so(kind, cited, span):
        kind = "talk"
    if kind != "decision" and any(word in text for word in _CLAIMS) and not _settled(cited, span):
        return Verdict(None, "claims a decision")
    return Verdict(replace(sentence, kind=kind, text=text))


def _hard(text: str, cited: Sequence[Line]) -> str | None:
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


def _whose(text: str, cited: Sequence[Line], known: Collection[str]) -> str | None:
    """Every name is a speaker's of the lines or stands in one; and who is said to have said something did."""
    said = "\n".join(line.text for line in cited)
    speakers = {line.name for line in cited}
    for name in names_in(text, known):
        if name not in speakers and name not in said:
            return "name"
    for part in parts(text):
        verb = SPEECH.search(part)
        if verb is None:
            continue
        head = part[: verb.start()]
        own = [line for line in cited if line.name in names_in(head, speakers)]
        if names_in(head, known) and not own:
            return "not the speaker"
        if subject(head, speakers)[-2:] not in said:
            return "nobody of the lines"
        if (
            _AGREES.search(part)
            and own
            and not any(assents(line) or _AGREES.search(line.text) for line in own)
        ):
            return "nobody agreed"
        if own and len(own) < len(cited):
            total, fits, _ = covered(part, own, known)
            if total and fits / total < _SHARE and not _agreed(part, own):
                return "not the speaker's words"
    return None


def _agreed(part: str, own: Sequence[Line]) -> bool:
    """小明同意 rests on an assent, whose words are not those of what it is to."""
    return _AGREES.search(part) is not None and all(assents(line) for line in own)


def _held(text: str, cited: Sequence[Line], known: Collection[str]) -> str | None:
    """The words are mostly the lines', in every part of the sentence, and none turns a yes into a no."""
    if outcome(without(text, known), cited) is not None:
        return "another outcome"
    total = fits = 0
    for part in parts(text):
        counted, held, runs = covered(part, cited, known)
        total, fits = total + counted, fits + held
        if any(like_a_name(run.strip()) for run in runs):
            return "unknown name"
        if any(begins(run) for run in runs):
            return "begins with what no line holds"
        if any(len(run.strip()) > 1 for run in runs):
            return "words that no line holds"
        if counted >= 2 and held / counted < _PART_SHARE:
            return "words that no line holds"
    if total and fits / total < _SHARE:
        return "words that no line holds"
    if not total and _AGREES.search(text) is None:
        return None if any(_values(text, line) for line in cited) else "says nothing"
    nearest = max(cited, key=lambda line: covered(text, [line], known)[1])
    if negated(text) != negated(nearest.text) and not (
        negated(text) and any(negated(line.text) for line in cited)
    ):
        return "yes and no"
    return None


def _values(text: str, line: Line) -> bool:
    """A sentence of names and joining words alone says something where it hands on a value of the line."""
    return any(stands(words, [line]) for words in quotations(text)) or bool(set(line.files)) or "http" in text


def _reads_so(kind: Kind, cited: Sequence[Line], span: Sequence[Line]) -> bool:
    if kind == "decision":
        return _settled(cited, span)
    if kind == "question":
        return any(asks(line) for line in cited)
    if kind == "todo":
        return any(assigns(line) for line in cited)
    if kind == "plan":
        return any(plans(line) for line in cited) or _settled(cited, span)
    return True


def _settled(cited: Sequence[Line], span: Sequence[Line]) -> bool:
    """Whether one of the lines decides by itself, or is a proposal that was assented to in the span."""
    if any(decides(line) for line in cited):
        return True
    to: Mapping[str, Sequence[str]] = assenting(span)
    made = decided(span)
    return any(line.id in made or line.id in to for line in cited)
