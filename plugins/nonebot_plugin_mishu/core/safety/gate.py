"""The safety gate's local rules (product section 3, seed 2 section 4): a verdict in microseconds, no model.

`EMERGENCY`: self-harm of the speaker or somebody named near them, a body in danger now, an attack or fire.
`BLOCK`: a request to harm others, or for plainly illegal and dangerous help; words that order the bot to
throw over its rules. `SAFE`: everything else.
The rules are data in `language/safety/tables`; this file only decides which of them weighs most.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final, Literal

from ...language.safety import Hint, Hit, Replies, Tables, load

SELF: Final = "自伤"
OTHER: Final = "身边人自伤"
SMUGGLED: Final = "夹带指令"


@dataclass(frozen=True)
class Verdict:
    """Verdict of the gate on a text. `category` and `reply` are Chinese, and empty where it is SAFE."""

    verdict: Literal["SAFE", "BLOCK", "EMERGENCY"]
    category: str
    reply: str


SAFE: Final = Verdict("SAFE", "", "")
LINES: Final = 5
"""Lines of one speaker that are looked at together, the newest included."""
_LONGEST_LINE: Final = 200
"""Characters of a line that count there: a veiled line is short."""
_GRAVE_TOGETHER: Final = 3
"""Weight of the signs of self-harm that several lines hold together, from which they are an emergency."""


@cache
def _tables() -> Tables:
    """Read at the first line, or beside the start (`rehearsal`): a sixth of a second that no start waits for.

    Raises `TableError`; a test reads the tables.
    """
    return load()


def replies() -> Replies:
    """Replies of the gate."""
    return _tables().replies


def normalise_text(text: str) -> str:
    """The form in which the rules read a text. Never raises."""
    return _tables().reader.read(text)


def offers_help(text: str) -> bool:
    """True if a text names help: a number to call, or somebody near."""
    return _tables().offers_help(text)


def reasons(text: str) -> list[Hit]:
    """Every rule that speaks in `text`, for `explain`, logs and tests."""
    return list(_reasons(text))


@lru_cache(maxsize=32)
def _reasons(text: str) -> tuple[Hit, ...]:
    """Remembered for a moment: a line is judged when it is heard, when it is served and before it is done."""
    return tuple(_tables().rulebook.hits(normalise_text(text)))


def local_verdict(text: str, before: Sequence[str] = ()) -> Verdict:
    """The gravest verdict of the local rules over `text`.

    `before` are the lines its speaker said just before, oldest first: what is veiled is often said in several
    lines. They can make an emergency of a line that is a sign itself, and nothing else of any line.
    Reads a text in its normal form (width, script, invisible characters, spaced-out words), so that it does
    not matter how it was typed. Of a text longer than 1,600 characters only the start and the end are read.
    Linear in the length, never raises.
    """
    hits = reasons(text)
    for hit in hits:  # in the order of the tables: of several emergencies the first one answers
        if hit.verdict == "EMERGENCY":
            return _emergency(hit.category)
    if before and (category := _find_over_lines(text, before)) is not None:
        return _emergency(category)
    return Verdict("BLOCK", hits[0].category, replies().block) if hits else SAFE


def _emergency(category: str) -> Verdict:
    return Verdict("EMERGENCY", category, replies().emergency[category])


def _find_over_lines(text: str, before: Sequence[str]) -> str | None:
    """The category of an emergency that several lines of one speaker make together."""
    newest = normalise_text(text[:_LONGEST_LINE])
    signs = {hint.name for hint in _tables().rulebook.hints(newest)}
    if not signs:
        return None
    forms = [newest]
    for line in reversed(before[-LINES + 1 :]):
        form = normalise_text(line[:_LONGEST_LINE])
        if any(hit.verdict == "EMERGENCY" for hit in _tables().rulebook.hits(form)):
            break  # answered when it was said
        forms.insert(0, form)
    if len(forms) == 1:
        return None
    weights = {hint.name: hint.weight for hint in _signs(forms) if hint.category == SELF}
    if signs & weights.keys() and sum(weights.values()) >= _GRAVE_TOGETHER:
        return SELF
    # A body in danger is told in short lines, one upon the other.
    told: dict[str, set[str]] = {}
    for hint in _signs(forms[-2:]):
        told.setdefault(hint.category, set()).add(hint.name)
    for category, names in told.items():
        if category != SELF and len(names) > 1 and signs & names:
            return category
    return None


def _signs(forms: Sequence[str]) -> list[Hint]:
    return _tables().rulebook.hints("。".join(forms))


def worries(text: str) -> bool:
    """True if a text holds a word that makes a model's check worth a call. Most such texts are harmless."""
    return _tables().worries(text)


def may_say(text: str) -> bool:
    """True if the bot may say `text`, by the same rules and those about its own lines.

    Refused: what a request would be blocked for (unless the sentence declines it), instructions, words that
    push somebody to hurt themselves, and talk of self-harm that offers no help. Emergencies of the body are
    only spoken about, so they pass, and so do words that would be orders to us. Never raises.
    """
    form = normalise_text(text)
    if _tables().spoken_rulebook.hits(form):
        return False
    hits = _tables().rulebook.hits(form)
    harmful = [hit for hit in hits if hit.verdict == "BLOCK" and hit.category != SMUGGLED]
    if any(not _tables().declines(form, hit.start) for hit in harmful):
        return False
    about_self_harm = any(hit.category in (SELF, OTHER) for hit in hits)
    return not about_self_harm or offers_help(form)
