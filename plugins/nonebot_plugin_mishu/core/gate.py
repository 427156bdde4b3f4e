"""The safety gate's local rules (product section 3, seed 2 section 4): a verdict in microseconds, no model.

`EMERGENCY`: self-harm of the speaker or somebody named near them, a body in danger now, an attack or fire.
`BLOCK`: a request to harm others, or for plainly illegal and dangerous help; words that order the bot to
throw over its rules. `SAFE`: everything else.
The rules are data in the `safety_*` modules; this file only decides which of them weighs most.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Literal

from .safety_crime import CRIMES
from .safety_guards import GUARDS
from .safety_harm import HARM
from .safety_medical import BODY
from .safety_output import SPOKEN
from .safety_reading import read
from .safety_replies import BLOCK_REPLY, EMERGENCY_REPLIES, OFFERS_HELP
from .safety_rule import Hit, Rulebook
from .safety_selfharm import OTHER, SELF, SELF_HARM
from .safety_smuggled import SMUGGLED, SMUGGLING


@dataclass(frozen=True)
class Verdict:
    """What the gate says of a text. `category` and `reply` are Chinese, and empty where it is SAFE."""

    verdict: Literal["SAFE", "BLOCK", "EMERGENCY"]
    category: str
    reply: str


SAFE: Final = Verdict("SAFE", "", "")

_RULEBOOK: Final = Rulebook((SELF_HARM, BODY, HARM, CRIMES, SMUGGLING), GUARDS)
_SPOKEN: Final = Rulebook((SPOKEN,), GUARDS)
_OFFERS_HELP: Final = re.compile(OFFERS_HELP)
_DECLINES: Final = re.compile(
    r"(?:(?<!能)不能|(?<!会)不会|(?<!可)不可以|没办法|无法|帮不了|不方便|拒绝|不提供|不支持|不应该|不建议|千万别|千万不要|请不要|请勿)"
)


def reasons(text: str) -> list[Hit]:
    """Every rule that speaks in `text`, for `explain`, logs and tests."""
    return _RULEBOOK.hits(read(text))


def local_verdict(text: str) -> Verdict:
    """The gravest verdict of the local rules over `text`.

    Reads the text in its normal form (width, script, invisible characters, spaced-out words), so that it does
    not matter how it was typed. Of a text longer than 5,000 characters only the start and the end are read.
    Linear in the length, never raises.
    """
    hits = reasons(text)
    if not hits:
        return SAFE
    for hit in hits:  # in the order of the tables: of several emergencies the first one answers
        if hit.verdict == "EMERGENCY":
            return Verdict("EMERGENCY", hit.category, EMERGENCY_REPLIES[hit.category])
    return Verdict("BLOCK", hits[0].category, BLOCK_REPLY)


def may_say(text: str) -> bool:
    """Whether the bot may say `text`: the same rules, heard from the other side.

    Refused: what a request would be blocked for (unless the sentence declines it), instructions, words that
    push somebody to hurt themselves, and talk of self-harm that offers no help. Emergencies of the body are
    only spoken about, so they pass, and so do words that would be orders to us. Never raises.
    """
    form = read(text)
    if _SPOKEN.hits(form):
        return False
    hits = _RULEBOOK.hits(form)
    harmful = [hit for hit in hits if hit.verdict == "BLOCK" and hit.category != SMUGGLED]
    if any(not _declined(form, hit) for hit in harmful):
        return False
    about_self_harm = any(hit.category in (SELF, OTHER) for hit in hits)
    return not about_self_harm or _OFFERS_HELP.search(form) is not None


def _declined(form: str, hit: Hit) -> bool:
    """Whether the bot says in the same breath that it will not do this."""
    return _DECLINES.search(form, max(0, hit.start - 30), hit.start + 2) is not None
