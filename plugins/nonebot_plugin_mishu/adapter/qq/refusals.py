"""QQ's refusals of messages by their codes. Pure.

Codes and meanings are those of the tables 错误码 of QQ's pages (`SOURCES`), as they stood in August 2026; the
others are named with where they were seen. A code that stands in no table is `unknown`: nothing was sent.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from ...secretary import SendFailed

SOURCES: Final = (
    "https://bot.q.qq.com/wiki/develop/api-v2/autogen/api/v2_groups_group_openid_messages.post.html",
    "https://bot.q.qq.com/wiki/develop/api-v2/autogen/api/v2_users_user_openid_messages.post.html",
)
"""Pages of a group's messages, and of a member's."""

Kind = Literal["unasked", "pace", "busy", "answer", "number", "looks", "never", "later", "unknown"]
"""`unasked`: nothing may be said there that answers nothing. `pace`: too much was said unasked. `busy`: too
much was called at once. `answer`: the message that was named is over. `number`: its number was used. `looks`:
the Markdown or the keyboard. `later`: nothing can be said there for a while. `never`: not this message, as
text either."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """Meaning of a code; `reason` is for people."""

    kind: Kind
    reason: str


NOT_ALLOWED: Final = "这里不允许主动消息，等有人说话时补发"
TOO_OFTEN: Final = "主动消息发得太密了（QQ 限一个群每分钟 20 条、每天 1000 条），过一会儿再发"
_OVER: Final = Refusal("answer", "要回复的那条消息过期了")
_LOOKS: Final = Refusal("looks", "QQ 不让机器人发按钮或 Markdown")
_TROUBLE: Final = Refusal("later", "QQ 那边出错了")
UNKNOWN: Final = Refusal("unknown", "QQ 拒绝了")
BUSY: Final = Refusal("busy", "QQ 说发得太快了，过一会儿再发")
_TOO_MANY, _FIRST_OF_SERVERS = 429, 500

CODES: Final[dict[int, Refusal]] = {
    40034105: Refusal("unasked", NOT_ALLOWED),
    40034102: Refusal("unasked", NOT_ALLOWED),  # tencent-connect/openclaw-qqbot#43: 主动消息失败, 无权限
    40054013: Refusal("unasked", "对方不收机器人的主动消息，等 TA 说话时补发"),
    40034100: Refusal("pace", TOO_OFTEN),
    304103: _OVER,
    40034005: _OVER,
    40034024: _OVER,
    40034025: _OVER,
    40034026: _OVER,
    40034027: _OVER,
    40034128: _OVER,
    40034031: _OVER,  # seen for msgid已经过期, in no table
    304027: _OVER,  # MSG_EXPIRE of the older pages for guilds
    40054005: Refusal("number", "消息被去重"),
    304036: _LOOKS,
    305007: _LOOKS,
    40034008: _LOOKS,
    40034009: _LOOKS,
    40034010: _LOOKS,
    40034011: _LOOKS,
    40034029: _LOOKS,
    40034106: _LOOKS,
    40034108: _LOOKS,
    40034109: _LOOKS,
    40034124: _LOOKS,
    40034127: _LOOKS,
    40034006: Refusal("never", "QQ 说内容违规"),
    40054007: Refusal("never", "QQ 说消息太长"),
    40054018: Refusal("never", "QQ 说消息太长"),
    40054010: Refusal("never", "QQ 不让机器人发网址"),
    40054002: Refusal("later", "机器人被禁言了"),
    40034101: Refusal("never", "机器人不在这个群里"),
    40054003: Refusal("never", "机器人不在这个群里"),
    40054004: Refusal("never", "对方没有加机器人好友"),
    40054016: Refusal("later", "机器人在 QQ 那边下线了"),
    40054006: _TROUBLE,
    40034004: _TROUBLE,
    50055001: _TROUBLE,
    50055002: _TROUBLE,
}


class NotNow(SendFailed):
    """QQ takes no message there now: later, as soon as somebody speaks there, or after a pause."""

    def __init__(self, reason: str = NOT_ALLOWED) -> None:
        super().__init__(reason, not_now=True)


def refusal(code: int | None, status: int | None = None) -> Refusal:
    """Meaning of a code; `status` is that of HTTP, of which 429 says that too much was asked."""
    return CODES.get(code or 0, BUSY if status == _TOO_MANY else UNKNOWN)


def may_be_out(code: int | None, status: int) -> bool:
    """True if a failed send may have been done: a server in front of QQ's own gave up waiting for it."""
    return status >= _FIRST_OF_SERVERS and (code or 0) not in CODES
