"""Speeches as QQ's official bots send them: text, Markdown with buttons. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...patterns import Pattern
from ...secretary import Button, Speech

_MARKS = Pattern(r"([\\`*_{}\[\]()#+\-!|~>])")
ROW = 5
"""Buttons in a row."""
ROWS = 5
LONGEST = 3000
"""Characters of one message; QQ's own limit is not published and somewhat higher."""


def escaped(text: str) -> str:
    """Text in which nothing is a mention: `<@…>` of a member's words would call somebody."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def mentions(speech: Speech, *, group: bool) -> str:
    """Mentions before the text. Official bots cannot call everybody."""
    return "".join(f"<@{member}> " for member in speech.mentions) if group else ""


def plain(speech: Speech, *, group: bool) -> list[str]:
    """The text in parts that each fit one message, mentions before the first."""
    text = speech.text
    parts = [text[at : at + LONGEST] for at in range(0, len(text), LONGEST)] or [""]
    return [mentions(speech, group=group) + escaped(parts[0]), *map(escaped, parts[1:])]


def markdown(speech: Speech, *, group: bool) -> str:
    """The text as Markdown that shows it as it is."""
    marked = _MARKS.sub(r"\\\1", speech.text.replace("&", "&amp;").replace("<", "&lt;"))
    return mentions(speech, group=group) + marked.replace("\n", "\n\n")


def keyboard(buttons: Sequence[Button], token: str) -> dict[str, Any]:
    """Buttons whose press is told to us with the words they say; `token` tells the message they stand under.

    Everybody may press: whose answer counts is decided as for a line they said.
    """
    shown = list(buttons[: ROW * ROWS])
    rows = [shown[at : at + ROW] for at in range(0, len(shown), ROW)]
    return {
        "content": {
            "rows": [
                {"buttons": [_button(one, f"{token}-{row}-{number}") for number, one in enumerate(line)]}
                for row, line in enumerate(rows)
            ]
        }
    }


def _button(button: Button, button_id: str) -> dict[str, Any]:
    return {
        "id": button_id,
        "render_data": {"label": button.label, "visited_label": button.label, "style": 1},
        "action": {
            "type": 1,
            "permission": {"type": 2},
            "data": button.says,
            "unsupport_tips": f"请直接回「{button.says}」",
        },
    }
