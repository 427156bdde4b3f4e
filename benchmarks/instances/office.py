"""A front desk in this process: everything real but the platform, the model and the secretary."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, cast

import nonebot

from .chatter import SELF_ID

if TYPE_CHECKING:
    from nonebot_plugin_mishu.secretary import DeskPort, Secretary


def load_plugin() -> None:
    """Importing any part of a plugin runs the plugin, which wants NoneBot to be there."""
    nonebot.logger.remove()
    nonebot.init(driver="~none", log_level="ERROR")
    nonebot.load_plugin("nonebot_plugin_mishu")


def freeze_garbage() -> None:
    """Collect and freeze garbage, as the plugin does once it has started."""
    gc.collect()
    gc.freeze()


class Platform:
    """Sends nothing and says it did."""

    async def send(self, conversation: Any, speech: Any, bot_name: str) -> str:
        """An id of our own making."""
        return f"sent-{time.monotonic_ns()}"

    async def give_file(self, conversation: Any, name: str, content: bytes) -> bool:
        """No."""
        return False

    async def publish(self, conversation: Any, text: str) -> None:
        """Nothing."""

    async def recording(
        self, conversation: Any, name: str, link: str, largest: int, timeout: float
    ) -> bytes | None:
        """None."""
        return None

    async def attachment(self, conversation: Any, told: Any, largest: int, timeout: float) -> bytes | None:
        """No file."""
        return None

    def names_of(self, where: Any) -> list[str]:
        """None of its own."""
        return []

    def means(self, where: Any) -> Any:
        """Everything."""
        from nonebot_plugin_mishu.frontdesk.platform import Means

        return Means()

    def trouble(self, account: str) -> str:
        """None."""
        return ""

    def answerable_again(self, where: Any, message_id: str, at: float) -> None:
        """Any line is."""

    def can_speak(self, where: Any) -> bool:
        """Always."""
        return True

    def speaker(self, where: Any) -> str:
        """The one account."""
        return str(SELF_ID)

    def accounts(self) -> list[str]:
        """The one account."""
        return [str(SELF_ID)]


class Audience:
    """Nobody listens."""

    def presence_changed(self, room: Any) -> None:
        """Nothing."""

    def decision_made(self, record: Any) -> None:
        """Nothing."""


class _Offline:
    """No model is connected."""

    def status(self) -> Literal["ok", "offline", "failing"]:
        return "offline"

    def trouble(self) -> str:
        return ""


class _Core:
    """Every summons is worked on by itself."""

    def awaits(self, conversation: Any, user_id: str, words: str) -> bool:
        return False

    def asks(self, conversation: Any, user_id: str) -> bool:
        return False

    def overhears(self, conversation: Any, user_id: str, words: str, at: float) -> bool:
        return False

    def votes(
        self,
        conversation: Any,
        user_id: str,
        words: str,
        *,
        mentions: bool = False,
        called: bool = False,
    ) -> bool:
        return False

    def reads_as_order(self, words: str) -> bool:
        return False

    def only_talk(self, words: str) -> bool:
        return False

    def amends(self, conversation: Any, user_id: str, words: str, at: float) -> bool:
        return False

    def alarms(self, said: Any, words: str, newest_first: Any) -> bool:
        return False

    def emergency_reply(self, said: Any, words: str, newest_first: Any) -> str | None:
        return None


class Office:
    """Open while it is entered. `clock` may be replaced before."""

    def __init__(
        self,
        home: str,
        staff: Callable[[DeskPort], Secretary],
        storage: Any = None,
        **config: dict[str, Any],
    ) -> None:
        self._home = home
        self._staff = staff
        self._config = config
        self._storage = storage
        self._numbers = 0
        self.offset = 0.0
        """Seconds added to the monotonic clock."""

    async def __aenter__(self) -> Office:
        from nonebot_plugin_mishu.clock import Clock
        from nonebot_plugin_mishu.config import Config
        from nonebot_plugin_mishu.frontdesk import FrontDesk
        from nonebot_plugin_mishu.storage import Storage, default_url

        config = Config.model_validate(self._config)
        office = self

        class Ahead(Clock):
            def monotonic(self) -> float:
                return super().monotonic() + office.offset

        self.clock = Ahead(config.zone)
        if self._storage is None:
            self._storage = await Storage.open(default_url(Path(self._home)), on_trouble=print)
        self.desk = FrontDesk(
            config,
            self.clock,
            self._storage,
            cast("Any", _Core()),
            Platform(),
            Audience(),
            nicknames=("小秘",),
            make_secretary=self._staff,
            model=_Offline(),
            report=lambda what, error: print(what, error),
        )
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.desk.close()
        await self._storage.close()

    def say(self, group: int, user: int, words: str, *, at_bot: bool = False) -> None:
        """A member says something; what it asks for is done."""
        from nonebot_plugin_mishu.adapter.onebot_v11.reading import heard_message
        from nonebot_plugin_mishu.adapter.reading_context import ReadingContext

        self._numbers += 1
        parts = [{"type": "text", "data": {"text": words}}]
        if at_bot:
            parts.insert(0, {"type": "at", "data": {"qq": str(SELF_ID)}})
        event = {
            "time": int(self.clock.wall()),
            "message_type": "group",
            "sub_type": "normal",
            "message_id": self._numbers,
            "group_id": 20_000 + group,
            "user_id": 1_000_000 + user,
            "sender": {"nickname": f"群友{user}", "card": "", "role": "member"},
        }
        around = ReadingContext(
            receipt=self.clock.receipt(),
            heard_at=self.clock.monotonic(),
            accounts=[str(SELF_ID)],
            superusers=set[str](),
        )
        heard = heard_message(event, parts, str(SELF_ID), around)
        assert heard is not None
        if self.desk.hear(heard):
            self.desk.act(heard)
