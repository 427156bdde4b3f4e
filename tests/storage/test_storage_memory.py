"""Turns and summaries: whose they are, in which order, how they are found and when they go."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from nonebot_plugin_mishu.memory import query, terms
from nonebot_plugin_mishu.storage import Storage
from nonebot_plugin_mishu.storage.engine import fulltext
from nonebot_plugin_mishu.storage.records import Conversation, Digest, Summary
from storage_support import FRIEND, GROUP, OTHER, outside

Opener = Callable[..., Awaitable[Storage]]

DAY = 86400.0
ME, YOU = "30000", "30001"


def summary(task: str, content: str, **changed: Any) -> Summary:
    values: dict[str, Any] = {
        "conversation": GROUP,
        "user_id": ME,
        "task_id": task,
        "agent_code": "tasks",
        "content": content,
        "terms": tuple(terms(content)),
        "at": 100.0,
    }
    return Summary(**{**values, **changed})


async def search(storage: Storage, text: str, where: Conversation = GROUP, user: str = ME) -> list[str]:
    found = await storage.summaries.search(where, user, query(text), 10)
    return [each.task_id for each in found]


async def test_turns_are_read_oldest_first_and_page_backwards(storage: Storage, opened: Opener):
    last = [await storage.turns.add(GROUP, ME, f"问{n}", f"答{n}", float(n)) for n in range(3)]
    assert last == sorted(set(last))
    turns = await (await opened()).turns.page(GROUP, ME, 4)
    assert [(turn.role, turn.content, turn.at) for turn in turns] == [
        ("user", "问1", 1.0),
        ("assistant", "答1", 1.0),
        ("user", "问2", 2.0),
        ("assistant", "答2", 2.0),
    ]
    assert [turn.id for turn in turns] == sorted(turn.id for turn in turns)
    older = await storage.turns.page(GROUP, ME, 4, before=turns[0].id)
    assert [turn.content for turn in older] == ["问0", "答0"]
    assert await storage.turns.page(GROUP, ME, 4, before=older[0].id) == []


async def test_no_member_and_no_conversation_sees_anothers_turns(storage: Storage):
    elsewhere = Conversation("10001", "private", ME)
    for where, user, text in ((GROUP, ME, "群里"), (GROUP, YOU, "别人"), (OTHER, ME, "别的群")):
        await storage.turns.add(where, user, text, "好", 1.0)
    for where, text in ((FRIEND, "私下"), (elsewhere, "对另一个号")):
        await storage.turns.add(where, ME, text, "好", 1.0)

    def texts(turns: Any) -> list[str]:
        return [turn.content for turn in turns if turn.role == "user"]

    assert texts(await storage.turns.page(GROUP, ME, 10)) == ["群里"]
    assert texts((await storage.turns.recent(GROUP, ME, 10))[1]) == ["群里"]
    assert texts(await storage.turns.page(FRIEND, ME, 10)) == ["私下"]
    assert texts(await storage.turns.of_user(ME, 10)) == ["私下", "对另一个号"]
    assert texts(await storage.turns.of_user(ME, 10, group_id=OTHER.peer)) == ["别的群"]
    assert texts(await storage.turns.of_user(YOU, 10)) == []


async def test_a_digest_stands_for_the_turns_up_to_it(storage: Storage):
    first = await storage.turns.add(GROUP, ME, "一", "好", 1.0)
    second = await storage.turns.add(GROUP, ME, "二", "好", 2.0)
    assert await storage.turns.digested(GROUP, ME, Digest("说过一", first, 3.0))
    digest, turns = await storage.turns.recent(GROUP, ME, 10)
    assert digest == Digest("说过一", first, 3.0)
    assert [turn.content for turn in turns] == ["二", "好"]
    assert await storage.turns.digested(GROUP, ME, Digest("说过一和二", second, 4.0))
    assert not await storage.turns.digested(GROUP, ME, Digest("来晚了", first, 5.0))
    assert (await storage.turns.recent(GROUP, ME, 10))[0] == Digest("说过一和二", second, 4.0)
    assert (await storage.turns.recent(GROUP, YOU, 10)) == (None, [])


async def test_a_digest_of_forgotten_turns_is_not_kept(storage: Storage):
    last = await storage.turns.add(GROUP, ME, "一", "好", 1.0)
    await storage.members.delete_member(GROUP, ME)
    assert not await storage.turns.digested(GROUP, ME, Digest("说过一", last, 2.0))
    assert await storage.turns.recent(GROUP, ME, 10) == (None, [])


async def test_summaries_are_found_by_words(storage: Storage, opened: Opener):
    made = {
        "meet": "要求：明天下午三点在会议室开项目会；结果：记下了",
        "hike": "要求：周六去爬香山；结果：记下了",
        "tax": "要求：给会计小李报销打车费；结果：记下了",
    }
    for task, content in made.items():
        await storage.summaries.store_summary(summary(task, content))
    assert await search(storage, "几点开项目会") == ["meet", "tax"]
    again = await opened()
    assert await search(again, "爬香山的事") == ["hike"]
    assert await search(again, "体检") == []
    (found,) = await again.summaries.search(GROUP, ME, query("爬香山"), 10)
    assert found == replace(summary("hike", made["hike"]), id=found.id)


async def test_one_summary_per_task_and_the_last_one_counts(storage: Storage, url: str):
    await storage.summaries.store_summary(summary("t", "要求：去爬山"))
    await storage.summaries.store_summary(summary("t", "要求：去游泳", at=200.0))
    assert await search(storage, "爬山") == []
    assert await search(storage, "游泳") == ["t"]
    assert await outside(url, "SELECT count(*) FROM mishu_summary") == [(1,)]
    await storage.summaries.store_summary(summary("t", "要求：冒名", user_id=YOU))
    assert await search(storage, "游泳") == ["t"]
    assert await search(storage, "冒名", user=YOU) == []


async def test_no_member_and_no_conversation_finds_anothers_summaries(storage: Storage):
    for number, (where, user) in enumerate([(GROUP, ME), (GROUP, YOU), (FRIEND, ME), (OTHER, ME)]):
        await storage.summaries.store_summary(
            summary(f"t{number}", "要求：去医院体检", conversation=where, user_id=user)
        )
    assert await search(storage, "体检") == ["t0"]
    assert await search(storage, "体检", user=YOU) == ["t1"]
    assert await search(storage, "体检", FRIEND) == ["t2"]
    assert await search(storage, fulltext.owner(GROUP, YOU)) == []
    assert [each.task_id for each in await storage.summaries.latest(OTHER, ME, 10)] == ["t3"]


async def test_pairs_come_before_single_characters_however_old(storage: Storage):
    """More match than are asked for: the one that has more in common is among them."""
    await storage.summaries.store_summary(summary("old", "要求：预约医院体检"))
    for number in range(30):
        await storage.summaries.store_summary(summary(f"t{number}", f"要求：约第{number}个人"))
    assert (await search(storage, "医院体检约好了吗"))[0] == "old"


WORDS = st.text(max_size=60) | st.sampled_from(["' | '", '" OR "', "a & !b", "开会 <-> x", "\\", "''", "*:A"])


@given(text=WORDS, words=st.lists(WORDS, max_size=80))
@settings(
    max_examples=60,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.differing_executors],
)
async def test_pitfall_56_any_text_is_a_query(storage: Storage, text: str, words: list[str]):
    await storage.summaries.store_summary(summary("t", text))
    await search(storage, text)
    await storage.summaries.search(GROUP, ME, words, 5)
    if any(len(term) <= fulltext.LONGEST for term in query(text)):
        assert await search(storage, text) == ["t"]


async def test_pitfall_56_fifty_thousand_terms(storage: Storage):
    everything = "".join(chr(0x4E00 + number % 20_000) for number in range(50_000))
    await storage.summaries.store_summary(summary("t", everything[:300]))
    assert await search(storage, everything) == ["t"]
    await storage.summaries.search(GROUP, ME, terms(everything), 5)
    await storage.summaries.store_summary(summary("long", "x" * 5000))
    assert await search(storage, "x" * 5000) == []


async def test_pitfall_57_odd_texts_are_kept(storage: Storage):
    odd = "\u200b\u202e三点\u202c[CQ:at,qq=all] ' \" -- ; %s :x $1 \\ 🀄 a\x00b\ud800"
    await storage.turns.add(GROUP, ME, odd, odd, 1.0)
    await storage.summaries.store_summary(summary("t", odd))
    (turn, _) = await storage.turns.page(GROUP, ME, 5)
    assert turn.content == odd.replace("\x00", "\ufffd").replace("\ud800", "\ufffd")
    assert await search(storage, "三点") == ["t"]


async def test_vectors_belong_to_the_words_they_were_made_of(storage: Storage):
    for task in ("a", "b"):
        await storage.summaries.store_summary(summary(task, f"要求：{task}"))
        await storage.summaries.set_vector(task, f"要求：{task}", "m", task.encode() * 4)
    await storage.summaries.set_vector("a", "别的话", "m", b"wrong")

    async def kept(user: str = ME, model: str = "m") -> list[tuple[str, bytes]]:
        found = await storage.summaries.vectors(GROUP, user, model, 10)
        return [(each.task_id, vector) for each, vector in found]

    assert await kept() == [("b", b"bbbb"), ("a", b"aaaa")]
    assert await kept(model="other") == []
    assert await kept(user=YOU) == []
    await storage.summaries.store_summary(summary("a", "要求：改了"))
    assert await kept() == [("b", b"bbbb")]


async def test_what_is_old_goes_and_is_not_found_any_more(storage: Storage):
    last = await storage.turns.add(GROUP, ME, "旧的", "好", 0.0)
    await storage.turns.digested(GROUP, ME, Digest("旧的", last, 0.0))
    await storage.turns.add(GROUP, ME, "新的", "好", 40 * DAY)
    await storage.summaries.store_summary(summary("old", "要求：体检", at=0.0))
    await storage.summaries.store_summary(summary("new", "要求：体检", at=40 * DAY))
    assert await storage.prune(40 * DAY, 30) == 4
    digest, turns = await storage.turns.recent(GROUP, ME, 10)
    assert digest is None
    assert [turn.content for turn in turns] == ["新的", "好"]
    assert await search(storage, "体检") == ["new"]


@pytest.mark.parametrize("kind", ["sqlite"], indirect=True)
async def test_the_index_follows_its_table(storage: Storage, url: str):
    for number in range(5):
        await storage.summaries.store_summary(summary(f"t{number}", f"要求：第{number}件"))
    await storage.summaries.store_summary(summary("t0", "要求：改了"))
    await storage.members.delete_member(GROUP, YOU)
    await outside(url, f"INSERT INTO {fulltext.INDEX} ({fulltext.INDEX}, rank) VALUES ('integrity-check', 1)")
