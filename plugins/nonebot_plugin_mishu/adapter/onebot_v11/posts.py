"""Events that came by HTTP POST without a signature, in an instance that is another person's.

The adapter mounts `POST /onebot/v11/` and two more and asks there for ONEBOT_SECRET alone, never for
ONEBOT_ACCESS_TOKEN: without a secret anybody who reaches the port makes events of whomever they like. The
instance is not ours, so its other plugins go on hearing them; the secretary does not, an account that only
such a POST named is no connected one, and the account that then comes by WebSocket is let in.

The adapter tells nobody how an event came. It looks for the signature first, in the task from which the
event's own task is made: what is marked there is seen wherever the event gets to.
"""

from __future__ import annotations

from contextvars import ContextVar
from typing import Final
from weakref import WeakSet

import nonebot
from nonebot.adapters import Bot as BaseBot
from nonebot.adapters.onebot.v11 import Adapter, Bot
from nonebot.drivers import ASGIMixin, Driver, Request, Response

_by_unsigned_post: Final[ContextVar[bool]] = ContextVar("mishu_unsigned_post", default=False)
_made_up: Final[WeakSet[BaseBot]] = WeakSet()
UNSIGNED: Final = (
    "OneBot 的 HTTP 上报（POST /onebot/v11/http）没有签名，谁都能冒充群友：秘书不听这样来的消息。"
    "用反向 WebSocket 连接就没有关系；要用 HTTP 上报，请写 ONEBOT_SECRET=一串别人猜不到的字，"
    "OneBot 实现里填同样的"
)


def unsigned() -> bool:
    """True while an event is handled that came by an unsigned POST."""
    return _by_unsigned_post.get()


def made_up(bot: BaseBot) -> bool:
    """True for an account that is known from unsigned POSTs alone: nobody proved to be it."""
    return bot in _made_up


def watch_posts(driver: Driver) -> list[str]:
    """Mark what comes by unsigned POST from now on. A line of warning where that can happen.

    To be called before the server answers, once the adapters are there.
    """
    adapter = driver._adapters.get(Adapter.get_name())  # pyright: ignore[reportPrivateUsage]
    if not isinstance(driver, ASGIMixin) or not isinstance(adapter, Adapter):
        return []
    if not getattr(adapter, "takes_posts", True) or adapter.onebot_config.onebot_secret:
        return []
    _mark(adapter)
    return [UNSIGNED]


def connected_bot(self_id: str) -> Bot | None:
    """The account's connection, unless nobody proved to be it."""
    bot = nonebot.get_bots().get(self_id)
    return bot if isinstance(bot, Bot) and not made_up(bot) else None


def _mark(adapter: Adapter) -> None:
    driver, connect = adapter.driver, adapter.bot_connect
    check = adapter._check_signature  # pyright: ignore[reportPrivateUsage]

    def marked(request: Request) -> Response | None:
        _by_unsigned_post.set(True)
        return check(request)

    def connected(bot: BaseBot) -> None:
        known = driver.bots.get(bot.self_id)
        if unsigned() and known is not None and made_up(known):
            return
        if unsigned():
            # NoneBot knows it, as before; the adapter does not, and so lets the real one in.
            _made_up.add(bot)
            driver._bot_connect(bot)  # pyright: ignore[reportPrivateUsage]
            return
        if known is not None and made_up(known):
            driver._bot_disconnect(known)  # pyright: ignore[reportPrivateUsage]
        connect(bot)

    adapter._check_signature = marked  # pyright: ignore[reportPrivateUsage]
    adapter.bot_connect = connected
