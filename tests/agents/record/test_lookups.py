"""What chat looks up for somebody is what that somebody may see."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any
from zoneinfo import ZoneInfo

from nonebot_plugin_mishu.agents.bookkeeping.shares.debts_for_model import list_debts
from nonebot_plugin_mishu.agents.chat import Lookups
from nonebot_plugin_mishu.storage import Storage
from nonebot_plugin_mishu.storage.polls.records import PollFields, VoiceGiven
from nonebot_plugin_mishu.storage.records import Conversation, LedgerMessage
from nonebot_plugin_mishu.storage.transactions.queries import NewTransactions, TransactionChanges

HERE = Conversation("10000", "group", "777")


def _said(number: int, who: str, text: str, *, recalled: bool = False) -> LedgerMessage:
    return LedgerMessage(
        HERE, str(number), float(number), number, who, who, "member", text, recalled=recalled
    )


async def _found(storage: Storage, who: str, words: str) -> list[str]:
    context: Any = SimpleNamespace(
        conversation=HERE, utterance=SimpleNamespace(message=_said(5_000, who, "问一句"))
    )
    told = await Lookups(storage, ZoneInfo("Asia/Shanghai")).run_lookup(
        "search_record", {"words": words}, context
    )
    return [each["text"] for each in json.loads(told)["found"]]


async def test_lines_from_before_somebody_came_and_recalled_ones_are_not_looked_up(storage: Storage):
    for said in (
        _said(1_000, "1", "密码是8842"),
        _said(2_000, "1", "密码换成7711了"),
        _said(2_500, "1", "密码写错了9999", recalled=True),
    ):
        storage.ledger.append(said)
    await storage.ledger.flush()
    await storage.joins.store_join(HERE, "2", 1_500.0)
    assert await _found(storage, "1", "密码") == ["密码换成7711了", "密码是8842"]
    assert await _found(storage, "2", "密码") == ["密码换成7711了"]


async def test_debts_are_told_beside_what_one_recorded(storage: Storage):
    divided = TransactionChanges(
        "EXPENSE",
        9_000,
        "餐饮",
        "火锅",
        "2026-11-18",
        True,
        [["1", "阿笙", 3_000], ["2", "老白", 3_000], ["3", "小雅", 3_000]],
    )
    await storage.transactions.commit(
        NewTransactions(HERE, "1", "阿笙", "b", 1, [(0, divided)], "记账"), 100.0
    )

    async def owed(conversation: Conversation, user_id: str) -> list[dict[str, str]]:
        return await list_debts(storage, conversation, user_id)

    context: Any = SimpleNamespace(conversation=HERE, actor=SimpleNamespace(user_id="2"))
    lookups = Lookups(storage, ZoneInfo("Asia/Shanghai"), owed=owed)
    told = json.loads(await lookups.run_lookup("find_records", {}, context))
    assert told["owed"] == [{"from": "老白", "to": "阿笙", "amount": "30.00"}]


async def test_polls_are_told_as_they_stand_and_an_anonymous_one_without_names(storage: Storage):
    votes = PollFields("vote", "晚上吃啥", ("涮肉", "烤鸭"), None, None, True, False)
    heads = PollFields("signup", "周六爬山", (), 7, None, False, False)
    for number, fields in enumerate((votes, heads)):
        made = await storage.polls.add(HERE, "1", "阿笙", fields, f"o{number}", 100.0, None, (), None)
        choice = 0 if fields.form == "vote" else None
        voice = VoiceGiven("2", "老白", True, choice, 2, "2", "老白", "line", "", f"v{number}", 101.0)
        await storage.polls.answer(made.id, [voice], 101.0)
    context: Any = SimpleNamespace(
        conversation=HERE,
        utterance=SimpleNamespace(message=_said(5_000, "1", "问一句")),
        request=SimpleNamespace(now=200.0),
    )
    lookups = Lookups(storage, ZoneInfo("Asia/Shanghai"))
    told = json.loads(await lookups.run_lookup("find_polls", {"words": "爬山"}, context))["found"]
    assert [each["status"] for each in told] == ["开着"]
    assert "老白×2" in told[0]["poll"]
    told = json.loads(await lookups.run_lookup("find_polls", {"words": "饭局"}, context))["found"]
    assert len(told) == 2, "words that name none of them give all"
    assert not any("老白" in each["poll"] for each in told if "涮肉" in each["poll"])
