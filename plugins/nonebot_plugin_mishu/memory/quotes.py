"""What was stored, as data for a prompt: one line, nothing in it that could pass for our own markup. Pure."""

from __future__ import annotations

_OURS = str.maketrans("[]「」『』<>{}", "()“”“”()()")
"""Our own brackets and quotation marks become others: no stored text can end the quote it stands in."""


def one_line(text: str, limit: int) -> str:
    """The text on one line of at most `limit` characters (and an ellipsis), without invisible ones."""
    read = text[: 4 * limit]
    shown = "".join(character if character.isprintable() else " " for character in read)
    line = " ".join(shown.translate(_OURS).split())
    return line if len(line) <= limit and len(read) == len(text) else f"{line[:limit]}…"


def quoted(text: str, limit: int) -> str:
    """The text as a quotation."""
    return f"「{one_line(text, limit)}」"
