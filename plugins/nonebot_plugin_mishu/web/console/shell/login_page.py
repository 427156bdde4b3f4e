"""Plain HTML before the pages, without a script: the login, and how to get a link."""

from __future__ import annotations

from html import escape
from pathlib import Path
from string import Template
from typing import Final

_PAGE: Final = Template((Path(__file__).parent / "door.html").read_text(encoding="utf-8"))
_ASK: Final = "<p>在 QQ 群里发 <code>{command} 网页</code>，链接会私聊发给你，打开就是那个群的网页。</p>"
OVER: Final = "会话结束了。要接着看，再拿一个链接，或者再登录一次。"
OVER_QUERY: Final = "over=1"
"""Behind the door's address: a page that was open has met the end of its session."""
_LOGIN: Final = """\
<form method="post" action="{action}"><label for="token">主人的令牌</label>
<input id="token" type="password" name="token" autocomplete="current-password" aria-label="令牌">
<button type="submit">进入</button></form>"""


def door(action: str | None, trouble: str = "", *, own: str = "", command: str = "/秘书") -> str:
    """The page without a session. `action`: target of the owner's token; None: there is none. `own`:
    address of the pages, for the owner who needs no session on this machine. `command`: prefix of our
    commands."""
    said = f'<p class="trouble" role="alert">{escape(trouble)}</p>' if trouble else ""
    login = "" if action is None else _LOGIN.format(action=escape(action))
    here = f'<p><a href="{escape(own)}">这台机器是我的，以主人的身份进去</a></p>' if own else ""
    return _PAGE.substitute(
        head="", title="Mishu 秘书", body=said + _ASK.format(command=escape(command)) + login + here
    )


def onwards(address: str) -> str:
    """A page that leads on by itself: a browser sends our cookie only where a page of ours led there."""
    there = escape(address)
    head = f'<meta http-equiv="refresh" content="0;url={there}">'
    link = f'<p><a href="{there}">没有动静就点这里</a></p>'
    return _PAGE.substitute(head=head, title="正在打开…", body=link)
