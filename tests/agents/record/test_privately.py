"""Catching up in a busy group goes to the asker alone; who has not spoken is called by their card."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from nonebot_plugin_mishu.agents import Handed
from nonebot_plugin_mishu.agents.record import RecordAgent
from nonebot_plugin_mishu.config import Config
from nonebot_plugin_mishu.storage import Storage
from nonebot_plugin_mishu.storage.records import Conversation, LedgerMessage

from .test_record_agent import OFFLINE, asked, keep, said


class Postman:
    """Stands for `Announcer`; `reaches`: whether a private message arrives."""

    def __init__(self, *, reaches: bool) -> None:
        self.reaches = reaches
        self.handed: list[tuple[str, str]] = []

    async def allows(self, conversation: Conversation, feature: str) -> bool:
        return True

    async def hand_over(
        self, conversation: Conversation, user_id: str, told: Callable[[bool], str], file: Any = None
    ) -> Handed:
        if self.reaches:
            self.handed.append((user_id, told(False)))
        return Handed(words=self.reaches)


def _agent(storage: Storage, postman: Postman | None, **more: Any) -> RecordAgent:
    return RecordAgent(storage, OFFLINE, Config(), announcer=postman, **more)  # type: ignore[arg-type]


def _busy(storage: Storage, at: int = 3400) -> None:
    rows = (
        "楼下奶茶有人拼吗",
        "+1 少冰",
        "那就周五晚上七点聚餐吧",
        "好的",
        "地铁上人好多",
        "我快到了",
        "带把伞",
    )
    for number, text in enumerate(rows):
        keep(storage, said(at + number * 10, ("小红", "老周")[number % 2], text))


async def test_in_a_busy_group_it_is_the_askers_alone(storage: Storage) -> None:
    _busy(storage)
    postman = Postman(reaches=True)
    told = await asked(_agent(storage, postman), "我错过了什么")
    assert told == "7 句，私聊发给你了。"
    [(user_id, words)] = postman.handed
    assert user_id == "u-小明"
    assert "那就周五晚上七点聚餐吧" in words


async def test_where_it_does_not_arrive_it_is_told_in_the_group(storage: Storage) -> None:
    _busy(storage)
    for agent in (_agent(storage, Postman(reaches=False)), _agent(storage, None)):
        assert "那就周五晚上七点聚餐吧" in await asked(agent, "我错过了什么")


async def test_for_all_or_where_nobody_talks_it_is_told_in_the_group(storage: Storage) -> None:
    _busy(storage)
    postman = Postman(reaches=True)
    agent = _agent(storage, postman)
    assert "聚餐" in await asked(agent, "总结一下今天")
    assert "聚餐" in await asked(agent, "我错过了什么，发在群里")
    assert "聚餐" in await asked(agent, "我错过了什么", at=7200)
    assert postman.handed == []


async def _card(conversation: Conversation, user_id: str) -> str | None:
    return {"500": "老陈"}.get(user_id)


def _calling(number: int, text: str, *user_ids: str) -> LedgerMessage:
    segments: list[dict[str, Any]] = [{"type": "at", "data": {"qq": each}} for each in user_ids]
    return said(number, "小红", text, segments=segments)


async def test_who_has_not_spoken_is_called_by_their_card(storage: Storage) -> None:
    keep(storage, _calling(1, "@群友 记得交报表", "500"), _calling(2, "@群友 周五记得带电脑", "600"))
    agent = _agent(storage, None, card=_card)
    told = await asked(agent, "总结一下今天")
    assert "@老陈 记得交报表" in told
    assert "@群友 周五记得带电脑" in told
    assert "@老陈 记得交报表" in await asked(agent, "谁说过报表")


async def test_a_name_that_is_known_from_the_talk_is_not_asked_for(storage: Storage) -> None:
    keep(storage, _calling(1, "@群友 记得交报表", "u-老周"), said(2, "老周", "知道了"))
    asked_for: list[str] = []

    async def card(conversation: Conversation, user_id: str) -> str | None:
        asked_for.append(user_id)
        return None

    assert "@老周 记得交报表" in await asked(_agent(storage, None, card=card), "总结一下今天")
    assert asked_for == []
