"""撤销: a member's last change of tasks and schedules is taken back, within ten minutes and nobody else's."""

from __future__ import annotations

import pytest

from .test_e2e_schedules import schedules, single
from .test_e2e_tasks import CLOCK as CLOCK
from .test_e2e_tasks import OFFLINE as OFFLINE
from .test_e2e_tasks import TODAY, Talk
from .test_e2e_tasks import talk as talk

CHANGES = [
    ("买菜做完了", "打勾了：「买菜」"),
    ("把买菜改到后天晚上", "改好了：买菜，2月7日（周日）晚上"),
    ("把买菜设为高优先级", "高优先级"),
]


@pytest.mark.parametrize(("words", "told"), CHANGES, ids=[words for words, _ in CHANGES])
async def test_a_change_of_a_task_is_taken_back(talk: Talk, words: str, told: str) -> None:
    ming, hong = talk.room.members("小明", "小红")
    await talk.order(ming, "创建任务：明天下午买菜")
    before = await talk.only(ming)
    assert told in await talk.order(ming, words)
    after = await talk.only(ming)
    assert after != before
    await talk.order(hong, "撤销")
    assert await talk.only(ming) == after, "another member took it back"
    assert "撤销" in await talk.order(ming, "撤销")
    assert await talk.only(ming) == before


async def test_creating_and_deleting_are_taken_back(talk: Talk) -> None:
    ming = talk.room.member("小明")
    await talk.order(ming, "创建任务：明天下午买菜")
    before = await talk.only(ming)
    await talk.order(ming, "删除买菜的任务")
    await talk.answer(ming, "确认")
    assert await talk.tasks(ming) == []
    await talk.order(ming, "撤销")
    assert await talk.only(ming) == before
    await talk.order(ming, "创建任务：明天上午洗车")
    await talk.order(ming, "撤销")
    assert await talk.only(ming) == before


async def test_schedules_too(talk: Talk) -> None:
    ming, hong = talk.room.members("小明", "小红")
    await talk.order(ming, "添加日程：明天下午三点开会")
    before = await single(talk)
    await talk.order(ming, "把明天的会改到下午五点")
    await talk.order(hong, "撤销")
    assert (await single(talk))["time"] == "2027-02-06 17:00:00"
    await talk.order(ming, "撤销")
    assert await single(talk) == before
    assert "删掉了" in await talk.order(ming, "删除明天的会")
    assert await schedules(talk) == []
    await talk.order(ming, "撤销")
    assert await single(talk) == before
    await talk.order(ming, "添加日程：后天下午三点爬山")
    await talk.order(ming, "撤销")
    assert await single(talk) == before


async def test_ten_minutes_later_it_stays(talk: Talk) -> None:
    ming = talk.room.member("小明")
    await talk.order(ming, "创建任务：明天下午买菜")
    await talk.order(ming, "添加日程：明天下午三点开会")
    talk.at(f"{TODAY}T10:11")
    await talk.order(ming, "撤销")
    assert len(await talk.tasks(ming)) == 1
    assert len(await schedules(talk)) == 1
