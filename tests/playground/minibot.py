"""A bot of its own, run as a process: NoneBot, one matcher that answers, the API, the playground.

`python minibot.py PORT [--access TOKEN] [--web TOKEN]`. It answers whoever @s it, folds when told 折叠, and
tells presence and a decision as the real one does.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from types import ModuleType
from zoneinfo import ZoneInfo

import nonebot
from pydantic import SecretStr

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

# Only rooms of the plugin are wanted here, not the plugin itself: an empty package hides its `__init__`.
package = ModuleType("nonebot_plugin_mishu")
package.__path__ = [str(ROOT / "plugins" / "nonebot_plugin_mishu")]
sys.modules[package.__name__] = package

arguments = argparse.ArgumentParser()
arguments.add_argument("port", type=int)
arguments.add_argument("--access")
arguments.add_argument("--web")
given = arguments.parse_args()

nonebot.init(
    driver="~fastapi",
    host="127.0.0.1",
    port=given.port,
    log_level="INFO",
    **({"onebot_access_token": given.access} if given.access else {}),
)

from nonebot.adapters.onebot.v11 import Adapter, Bot, GroupMessageEvent, MessageSegment  # noqa: E402
from nonebot_plugin_mishu.clock import Clock  # noqa: E402
from nonebot_plugin_mishu.events import BotEvent, EventBus  # noqa: E402
from nonebot_plugin_mishu.frontdesk.rooms.rosters import NoRosters  # noqa: E402
from nonebot_plugin_mishu.services.access.sessions import Sessions  # noqa: E402
from nonebot_plugin_mishu.storage.records import Conversation, DecisionRecord, LedgerMessage  # noqa: E402
from nonebot_plugin_mishu.web import Health, PresenceView, decision_json, presence_json  # noqa: E402
from nonebot_plugin_mishu.web.mounting import mount as mount_api  # noqa: E402
from sessions_in_memory import KeptInMemory  # noqa: E402

from bot.playground import mount  # noqa: E402


class Backend:
    """Knows what the one matcher did."""

    def __init__(self) -> None:
        self.zone = ZoneInfo("Asia/Shanghai")
        self.feed = EventBus()
        self.records: list[DecisionRecord] = []
        self.view = PresenceView()

    async def account_in(self, group_id: str, self_id: str | None = None) -> str | None:
        return "2880000000"

    async def health(self) -> Health:
        return Health(llm="off", database="ok", version="0", bots=["2880000000"])

    async def presence(self, conversation: Conversation) -> PresenceView:
        return self.view

    async def decisions(
        self, conversation: Conversation, *, limit: int, before: int | None = None
    ) -> Sequence[DecisionRecord]:
        return [each for each in self.records if each.conversation == conversation][:limit]

    async def messages(
        self, conversation: Conversation, *, limit: int, after: str | None
    ) -> Sequence[LedgerMessage]:
        return []

    def listen(self) -> AsyncIterator[BotEvent]:
        return self.feed.listen()

    def decide(self, event: GroupMessageEvent) -> None:
        here = Conversation("2880000000", "group", str(event.group_id))
        record = DecisionRecord(
            here,
            str(event.message_id),
            "summon",
            "absent",
            "observing",
            True,
            "被呼唤",
            "有人@我，必须回应",
            {"分析": 0.12, "回复": 0.31},
            [],
            0,
            time.time(),
            len(self.records) + 1,
        )
        self.records.insert(0, record)
        self.view = PresenceView("observing", time.time(), False, 0, None, time.time() + 7)
        self.feed.publish(BotEvent("presence", here, presence_json(self.view, self.zone)))
        self.feed.publish(BotEvent("decision", here, decision_json(record, self.zone)))


backend = Backend()
nonebot.get_driver().register_adapter(Adapter)


@nonebot.on_message(block=False).handle()
async def answer(bot: Bot, event: GroupMessageEvent) -> None:
    said = event.get_plaintext().strip()
    if said == "折叠":
        nodes = [MessageSegment.node_custom(2_880_000_000, "秘书", f"第{number}段") for number in (1, 2)]
        await bot.call_api("send_group_forward_msg", group_id=event.group_id, messages=nodes)
    elif any(each.type == "at" and each.data["qq"] == "2880000000" for each in event.original_message):
        quote = MessageSegment.reply(event.message_id) + MessageSegment.at(event.user_id)
        await bot.send(event, quote + f" 收到：{said}")
        backend.decide(event)


web_token = SecretStr(given.web) if given.web else None
mount_api(nonebot.get_app(), backend, token=web_token)
doors = Sessions(KeptInMemory(), Clock(backend.zone), NoRosters(), lambda: given.web)  # type: ignore[arg-type]
mount(
    nonebot.get_app(),
    host="0.0.0.0",
    port=given.port,
    access_token=given.access,
    bot_name="秘书",
    web_token=web_token,
    sessions=lambda: doors,
    zone=backend.zone,
)
nonebot.run()
