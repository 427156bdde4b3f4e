"""Messages go straight to the secretary where nobody else could handle them.

NoneBot's dispatcher resolves the dependencies of hooks it does not know, opens a task group for them, looks
for commands and opens another task group for the matchers of each priority. That takes longer than everything
the secretary does with a line of talk. With no other plugin in the instance all of it leads to the same two
hooks of one plugin.
"""

from __future__ import annotations

import nonebot
from nonebot.adapters import Bot as BaseBot
from nonebot.adapters.onebot.v11 import Bot, Event

from .quiet import QuietGroupMessageEvent, QuietPrivateMessageEvent

OWN = frozenset({"nonebot_plugin_mishu", "nonebot_plugin_apscheduler", "nonebot_plugin_localstore"})
"""The plugins that are there in any case. Of these only the first handles events."""


class DirectBot(Bot):
    """An account whose messages do not go through NoneBot's dispatcher."""

    async def handle_event(self, event: Event) -> None:
        """As the adapter does it, but for messages that are not logged and quote nothing: what is quoted the
        adapter looks up at the platform."""
        if isinstance(event, QuietGroupMessageEvent | QuietPrivateMessageEvent) and not any(
            part.type == "reply" for part in event.message
        ):
            from nonebot_plugin_mishu.app import plugin as entry

            entry.take(self, event)
        else:
            await super().handle_event(event)


def alone() -> bool:
    """True if no plugin is loaded that could handle events beside the secretary."""
    return {plugin.name for plugin in nonebot.get_loaded_plugins()} <= OWN


def direct(bot: BaseBot) -> None:
    """Let an account's messages go straight to the secretary, where it is alone.

    The adapter makes its accounts itself and has no place to say of which class.
    """
    if type(bot) is Bot and alone():
        bot.__class__ = DirectBot
