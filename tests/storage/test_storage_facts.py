"""Facts of a group on disk: one a subject, whose they are, and what goes with one that is forgotten."""

from __future__ import annotations

from nonebot_plugin_mishu.storage import Storage
from nonebot_plugin_mishu.storage.record.facts import Fact
from nonebot_plugin_mishu.storage.record.span_digests import KeptSentence, SpanDigest
from storage_support import GROUP, OTHER, ids, message

WIFI = Fact("wifi密码", "WiFi密码是Abc-8842", "1", "小红", 5.0, "5")


async def test_kept_in_place_of_the_one_of_its_subject_by_its_author_or_an_admin(storage: Storage) -> None:
    assert await storage.facts.store_fact(GROUP, WIFI, "o1", only_own=True) == (None, True)
    other = Fact("wifi密码", "WiFi密码是0000", "2", "小明", 6.0, "6")
    assert await storage.facts.store_fact(GROUP, other, "o2", only_own=True) == (WIFI, False)
    assert await storage.facts.list_facts(GROUP) == [WIFI]
    assert await storage.facts.store_fact(GROUP, other, "o3", only_own=False) == (WIFI, True)
    assert await storage.facts.store_fact(GROUP, other, "o3", only_own=False) == (None, True), (
        "the same work twice"
    )
    assert await storage.facts.list_facts(GROUP) == [other]
    assert await storage.facts.list_facts(OTHER) == []


async def test_forgotten_with_every_line_that_holds_it(storage: Storage) -> None:
    storage.ledger.append(message(5, text="记住：WiFi密码是Abc-8842", user_id="1"))
    storage.ledger.append(message(6, text="记住了：WiFi密码是Abc-8842", is_bot=True, reply_to="5"))
    storage.ledger.append(message(7, text="哦 wifi密码是abc-8842 对吧"))
    storage.ledger.append(message(8, text="谁知道WiFi密码"))
    storage.ledger.append(message(9, text="WiFi密码是Abc-8842", conversation=OTHER))
    await storage.turns.add(GROUP, "1", "记住：WiFi密码是Abc-8842", "记住了：WiFi密码是Abc-8842", 5.0)
    await storage.facts.store_fact(GROUP, WIFI, "o1", only_own=True)
    kept = SpanDigest("5", "8", 5.0, 8.0, 4, (KeptSentence("talk", "WiFi密码是Abc-8842", ("5",)),))
    await storage.span_digests.store_digest(GROUP, kept)
    assert sorted(await storage.facts.delete_fact(GROUP, WIFI)) == ["5", "6", "7"]
    assert await storage.facts.list_facts(GROUP) == []
    assert ids(await storage.ledger.between(GROUP, 0.0, 99.0, 10)) == ["8"]
    found = await storage.ledger.containing(GROUP, ["8842"], user_id=None, since=0.0, until=99.0, limit=9)
    assert found == []
    assert await storage.span_digests.over(GROUP, 0.0, 99.0) == []
    _, turns = await storage.turns.recent(GROUP, "1", 10)
    assert not turns
    assert ids(await storage.ledger.between(OTHER, 0.0, 99.0, 10)) == ["9"]


async def test_a_digest_goes_with_a_recall_in_it_with_a_forgetting_and_with_age(storage: Storage) -> None:
    for number in range(1, 9):
        storage.ledger.append(message(number, user_id=str(number % 2)))
    await storage.ledger.flush()

    def made(first: int, last: int) -> SpanDigest:
        return SpanDigest(str(first), str(last), float(first), float(last), last - first + 1, ())

    await storage.span_digests.store_digest(GROUP, made(1, 4))
    await storage.span_digests.store_digest(GROUP, made(5, 8))
    await storage.span_digests.store_digest(OTHER, made(1, 4))
    await storage.ledger.mark_recalled(GROUP, ["6"])
    assert await storage.span_digests.over(GROUP, 0.0, 99.0) == [made(1, 4)]
    await storage.members.delete_member(GROUP, "1")
    assert await storage.span_digests.over(GROUP, 0.0, 99.0) == []
    assert await storage.span_digests.over(OTHER, 0.0, 99.0) == [made(1, 4)]
    await storage.prune(10 * 86400.0, 1)
    assert await storage.span_digests.over(OTHER, 0.0, 99.0) == []


async def test_when_a_member_came_is_theirs_to_be_forgotten(storage: Storage) -> None:
    await storage.joins.store_join(GROUP, "1", 5.0)
    await storage.joins.store_join(GROUP, "1", 9.0)
    assert await storage.joins.since(GROUP, "1") == 9.0
    assert await storage.joins.since(GROUP, "2") is None
    assert await storage.joins.since(OTHER, "1") is None
    await storage.facts.store_fact(GROUP, WIFI, "o1", only_own=True)
    kept = await storage.members.export(GROUP, "1")
    assert set(kept.rows) == {"joined", "fact"}
    forgotten = await storage.members.delete_member(GROUP, "1")
    assert forgotten.gone == {"群里记的事": 1, "进群时间": 1}
    assert await storage.joins.since(GROUP, "1") is None
    assert await storage.facts.list_facts(GROUP) == []
