"""Playground theme: the style sheet, the page that asks for the token, the colours of people."""

from __future__ import annotations

from pathlib import Path
from string import Template

_HERE = Path(__file__).parent

STYLE = (_HERE / "look.css").read_text(encoding="utf-8")
"""The style sheet, light and dark."""

AVATARS = ("#4a6cb3", "#2f7a62", "#9a5c3f", "#7a5ea8", "#a84f72", "#3c7389", "#7d682f", "#52742f")
BOT_AVATAR = "#2c5cbd"

_LOGIN = Template((_HERE / "login.html").read_text(encoding="utf-8"))


def login_page(action: str, trouble: str = "") -> str:
    """The page that asks for the token and posts it to `action`. Both are our own words, not a visitor's."""
    return _LOGIN.substitute(action=action, trouble=trouble)
