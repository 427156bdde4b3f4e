"""How the playground looks: the style sheet, the page that asks for the token, the colours of people."""

from __future__ import annotations

from pathlib import Path
from string import Template

_HERE = Path(__file__).parent

STYLE = (_HERE / "look.css").read_text(encoding="utf-8")
"""The style sheet, light and dark."""

AVATARS = ("#5b7fc7", "#4f9d83", "#b9785a", "#8a6fb5", "#c2688a", "#5a93a8", "#9c8548", "#6d8f4e")
BOT_AVATAR = "#3f6fd1"

_LOGIN = Template((_HERE / "login.html").read_text(encoding="utf-8"))


def login_page(action: str, trouble: str = "") -> str:
    """The page that asks for the token and posts it to `action`. Both are our own words, not a visitor's."""
    return _LOGIN.substitute(action=action, trouble=trouble)
