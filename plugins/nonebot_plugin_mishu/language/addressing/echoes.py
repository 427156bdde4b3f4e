"""Lines that a group may repeat together. Pure."""

from __future__ import annotations

import re
from typing import Final

from ...patterns import Pattern

ECHO_LENGTH: Final = 30
"""A longer text is no echo."""
_LINK: Final = Pattern(r"https?://|www\.|\.(?:com|cn|net|org|io)\b", re.IGNORECASE)
_PLACEHOLDER: Final = Pattern(r"^(?:\[[^\[\]]{1,12}\]\s*)+$")


def can_echo(text: str) -> bool:
    """True if a text may count as an echo: short, and no link, mention, command or placeholder."""
    said = text.strip()
    if not said or len(said) > ECHO_LENGTH:
        return False
    return not (said[0] in "/／!！#" or "@" in said or _LINK.search(said) or _PLACEHOLDER.match(said))
