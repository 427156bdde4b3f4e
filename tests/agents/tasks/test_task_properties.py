"""Whatever is said in any order: ids only grow, and no two ranges of one member meet unconfirmed."""

from __future__ import annotations

import tempfile
from datetime import timedelta
from itertools import combinations
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from nonebot_plugin_mishu.agents.tasks.planning.new_task import wish_of
from nonebot_plugin_mishu.agents.tasks.planning.policy import Taken, TaskQuestion, overlapping, settle
from nonebot_plugin_mishu.agents.tasks.planning.revision import when_of
from nonebot_plugin_mishu.language.recognise.times import SEGMENT_BOUNDS
from nonebot_plugin_mishu.storage import Storage
from ready_database import ready_url

from .tasks_support import MING, NOW, SHANGHAI, Office, clause_of

hours = st.integers(12, 22)
orders = st.one_of(
    st.builds(
        lambda day, a, n: f"{day}{a}:00到{a + n}:30做事{a}",
        st.sampled_from(["明天", "后天"]),
        hours,
        st.integers(0, 1),
    ),
    st.builds(lambda a: f"把做事{a}改到明天{a}:30到{a + 1}:15", hours),
    st.builds(lambda a: f"做事{a}推迟一小时", hours),
    st.builds(lambda a: f"删掉做事{a}", hours),
    st.builds(lambda a: f"做事{a}做完了", hours),
    st.sampled_from(["不", "算了", "第一个", "后天", "下午4点到5点", "我的任务有哪些"]),
)  # fmt: skip


@settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(orders, max_size=12))
async def test_any_conversation(lines: list[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        storage = await Storage.open(await ready_url(Path(folder)), on_trouble=print)
        try:
            office = Office(storage)
            seen: set[int] = set()
            for line in lines:
                await office.say(line)
                ids = {row["id"] for row in await office.all()}
                new = ids - seen
                assert all(one > max(seen, default=0) for one in new)
                seen |= ids
            open_tasks = await storage.tasks.of_member(MING.user_id, status="pending")
            for one, other in combinations(open_tasks, 2):
                taken = [Taken(other.id, when_of(other.fields, SHANGHAI))]
                assert overlapping(when_of(one.fields, SHANGHAI), taken, SHANGHAI) is None
        finally:
            await storage.close()


words = st.lists(
    st.sampled_from(
        [
            "今天",
            "明天",
            "后天",
            "下周三",
            "2月30号",
            "凌晨",
            "早上",
            "上午",
            "中午",
            "下午",
            "晚上",
            "全天",
            "3点",
            "4点半",
            "15:00",
            "25点",
            "到",
            "5点",
            "提醒我",
            "每天",
            "10分钟后",
            "买菜",
            "前",
            "周末",
        ]
    ),
    max_size=7,
)


@settings(max_examples=300)
@given(words, st.integers(0, 24 * 60 - 1))
def test_seed_1_holds_for_any_words(said: list[str], minute: int) -> None:
    """What is settled is never past, is a range or a segment, and in the evening the evening."""
    now = NOW.replace(hour=0, minute=0) + timedelta(minutes=minute)
    found = settle(wish_of(clause_of("".join(said), now)), now, SHANGHAI)
    if isinstance(found, TaskQuestion):
        assert found.question
        return
    ranged = found.start is not None and found.end is not None
    assert ranged is (found.segment is None)
    span = found.span(SHANGHAI)
    if span is not None:
        assert span[1] > now
    elif found.remind_at is None:
        assert found.segment is not None
        assert found.day >= now.date()
        if found.day == now.date():
            assert SEGMENT_BOUNDS[found.segment][1] > now.time()
            if now.hour >= 18:
                assert found.segment == "evening"
    if found.remind_at is not None:
        assert found.remind_at > now


@settings(max_examples=200)
@given(st.text(max_size=60))
def test_nothing_raises(text: str) -> None:
    from nonebot_plugin_mishu.agents.tasks import read

    clause = clause_of(text)
    for intent in ("create_task", "query_tasks", "update_task", "delete_task", "complete_task"):
        read(intent, clause)
    settle(wish_of(clause), NOW, SHANGHAI)
