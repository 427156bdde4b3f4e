"""The search index over the ledger: kept as messages are stored, built for old rows, and what leaves it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from nonebot_plugin_mishu.storage import Storage
from nonebot_plugin_mishu.storage.ledger import word_index
from storage_support import GROUP, OTHER, ids, message, outside

Opener = Callable[..., Awaitable[Storage]]


async def _found(storage: Storage, *words: str, limit: int = 10) -> list[str]:
    lines = await storage.ledger.containing(GROUP, words, user_id=None, since=0.0, until=1e12, limit=limit)
    return ids(lines)


async def _indexed(url: str) -> int:
    [(count,)] = await outside(url, f"SELECT COUNT(*) FROM {word_index.INDEX}")
    return int(count)


async def test_words_side_by_side_are_found_and_those_apart_are_not(storage: Storage) -> None:
    texts = ["合同会议", "合会同议", "会议合同议", "繁體的會議", "Wi-Fi 密码"]
    for number, text in enumerate(texts, start=1):
        storage.ledger.append(message(number, text=text))
    await storage.ledger.flush()
    assert await _found(storage, "会议") == ["4", "3", "1"]
    assert await _found(storage, "同会议") == ["1"]
    assert await _found(storage, "會議", "合同") == ["3", "1"]
    assert await _found(storage, "密") == ["5"], "a lone character is looked for without the index"
    assert await _found(storage, "wi") == ["5"]


async def test_deep_in_lines_that_hold_the_pairs_but_not_the_words(storage: Storage) -> None:
    storage.ledger.append(message(1, text="甲乙丙"))
    for number in range(2, 302):
        storage.ledger.append(message(number, text="乙丙说甲乙"))
    await storage.ledger.flush()
    assert await _found(storage, "甲乙丙") == ["1"]


async def test_what_is_recalled_forgotten_and_pruned_leaves_the_index(storage: Storage, url: str) -> None:
    for number in range(1, 5):
        storage.ledger.append(message(number, text="报销单", user_id=str(number), time=number * 86400.0))
    storage.ledger.append(message(9, text="报销单", user_id="4", conversation=OTHER, time=9 * 86400.0))
    await storage.ledger.flush()
    assert await _indexed(url) == 5
    await storage.ledger.mark_recalled(GROUP, ["3"])
    assert await _indexed(url) == 4
    assert await _found(storage, "报销单") == ["4", "2", "1"]
    await storage.members.delete_member(GROUP, "4")
    assert await _indexed(url) == 3
    await storage.prune(2.5 * 86400, 1)
    assert await _indexed(url) == 2
    assert await _found(storage, "报销单") == ["2"]


async def test_a_message_that_comes_twice_is_indexed_once(storage: Storage, url: str) -> None:
    storage.ledger.append(message(1, text="报销"))
    await storage.ledger.flush()
    storage.ledger.append(message(1, text="报销"))
    storage.ledger.append(message(2, text="报销"))
    await storage.ledger.flush()
    assert await _indexed(url) == 2
    assert await _found(storage, "报销") == ["2", "1"]


async def test_rows_from_before_the_index_are_found_while_it_is_built_and_after(
    opened: Opener, url: str
) -> None:
    first = await opened()
    for number in range(1, 41):
        first.ledger.append(message(number, text="报销" if number % 2 else "打球", is_bot=number == 7))
    await first.ledger.flush()
    await first.close()
    await outside(url, f"DELETE FROM {word_index.INDEX}")
    storage = await opened()
    odd = [str(number) for number in range(39, 0, -2) if number != 7]
    assert await _found(storage, "报销", limit=50) == odd
    assert await storage.ledger.index_older(10) == 10
    storage.ledger.append(message(41, text="报销"))
    await storage.ledger.flush()
    assert await _found(storage, "报销", limit=50) == ["41", *odd]
    while await storage.ledger.index_older(10):
        pass
    assert await _indexed(url) == 40
    assert await _found(storage, "报销", limit=50) == ["41", *odd]
