"""What the group's record reads of the ledger: spans, a member's last line, words; queued or on disk."""

from __future__ import annotations

from nonebot_plugin_mishu.storage import Storage
from storage_support import GROUP, OTHER, ids, message


async def test_a_span_is_the_newest_of_one_conversation_without_recalled_lines(storage: Storage, settle):
    for number in range(1, 8):
        storage.ledger.append(message(number, recalled=number == 5))
    storage.ledger.append(message("elsewhere", conversation=OTHER, time=4.0))
    await settle(storage)
    assert ids(await storage.ledger.between(GROUP, 2.0, 7.0, 100)) == ["2", "3", "4", "6"]
    assert ids(await storage.ledger.between(GROUP, 2.0, 7.0, 2)) == ["4", "6"]
    assert await storage.ledger.between(GROUP, 2.0, 7.0, 0) == []


async def test_when_a_member_spoke_last(storage: Storage, settle):
    for number in range(1, 5):
        storage.ledger.append(message(number, user_id="1" if number % 2 else "2"))
    storage.ledger.append(message(9, conversation=OTHER, user_id="1"))
    await settle(storage)
    assert await storage.ledger.last_said(GROUP, "1", 100.0) == 3.0
    assert await storage.ledger.last_said(GROUP, "1", 3.0) == 1.0
    assert await storage.ledger.last_said(GROUP, "1", 1.0) is None
    assert await storage.ledger.last_said(GROUP, "3", 100.0) is None


async def test_lines_that_hold_all_words_newest_first(storage: Storage, settle):
    texts = ["报销 WiFi", "wifi密码", "100%的把握", "报销", "WIFI报销"]
    for number, text in enumerate(texts, start=1):
        storage.ledger.append(message(number, text=text, user_id=str(number % 2)))
    storage.ledger.append(message(6, text="报销", is_bot=True))
    storage.ledger.append(message(7, text="报销", recalled=True))
    storage.ledger.append(message(8, text="报销", conversation=OTHER))
    await settle(storage)

    async def found(*words: str, who: str | None = None, since: float = 0.0, limit: int = 10) -> list[str]:
        lines = await storage.ledger.containing(
            GROUP, words, user_id=who, since=since, until=99.0, limit=limit
        )
        return ids(lines)

    assert await found("报销") == ["5", "4", "1"]
    assert await found("WiFi", "报销") == ["5", "1"]
    assert await found("报销", who="1") == ["5", "1"]
    assert await found("报销", since=2.0) == ["5", "4"]
    assert await found("报销", limit=1) == ["5"]
    assert await found("%") == ["3"]
    assert await found("_") == []
    assert await found("'; DROP TABLE mishu_ledger; --") == []
    assert await found("\x00") == []
