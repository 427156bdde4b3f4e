"""Text that somebody else put into the group, quoted or forwarded: work only by an order beside it."""

from __future__ import annotations

import pytest
from default_run import first

from .harness import Api, Chat
from .harness.segments import Segment, at, reply

OFFLINE = True

NOTICE = (
    "【停水通知】\n各位业主：\n本小区11月20日9:00至17:00停水，请提前储水。\n"
    "11月22日上午十点在1号楼大厅召开业主大会，商议电梯更换事宜（预算38万元），"
    "请每户派一名代表参加，不得缺席。\n"
    "幸福里物业服务中心 2026年11月17日"
)
MINUTES = (
    "例会纪要\n1. 视觉稿周三定稿。\n2. 下周二上午十点走查会，全组参加。\n3. 外包报价3.6万，再压一压。\n"
    "4. 海报花费640元，找行政报销。"
)
LOG = (
    "老王 10:02\n周五晚上七点老地方打球\n小李 10:03\n我去\n老王 10:06\n场地费120我先垫上\n"
    "阿宽 10:09\n周六早上九点体检别忘了 空腹\n小李 10:12\n收到"
)
LETTER = (
    "发件人: HR 小吴\n主题: 体检与年会\n\n"
    "各位同事：体检安排在12月8日早上七点半，请空腹前往，超出部分自费（加项120元起）。\n\n"
    "年会定于12月26日下午五点半，地点在滨江酒店三楼，节目名单请在月初报给我。祝好"
)
PLAN = "周六上午九点半北门集合 都带好水"
QUOTED = {"notice": NOTICE, "minutes": MINUTES, "log": LOG, "letter": LETTER, "plan": PLAN}
FOUND = {"notice": "业主大会", "minutes": "走查会", "log": "打球", "letter": "年会", "plan": "北门集合"}
NO_ORDERS = ("看下这个", "哈哈哈这写的啥", "你怎么看", "收到", "这是谁发的啊")
ORDERS = ("记一下", "帮我整理一下", "把这个记下来", "加到日程", "麻烦记一下")


async def kept(room: Chat, api: Api) -> list[object]:
    """Everything that is kept of the group."""
    where = {"self_id": room.client.self_id}
    plans = await api.get(f"/api/groups/{room.id}/schedules", **where)
    return [*plans, *await api.get(f"/api/groups/{room.id}/transactions", **where)]


@first(2)
@pytest.mark.parametrize("kind", QUOTED)
async def test_a_quoted_text_is_no_work(room: Chat, api: Api, kind: str) -> None:
    ming, kai = room.members("小明", "阿凯")
    for words in NO_ORDERS:
        text = await room.say(kai, QUOTED[kind])
        said = await room.say(ming, reply(text.id), at(room.client.self_id), f" {words}")
        told = await room.expect(quoting=said)
        for never in ("已记", "记下了", "要记这", "要记成", "要把", "提醒你", "什么时候"):
            assert never not in told.text, (words, told.text)
    assert await kept(room, api) == []


@first(2)
@pytest.mark.parametrize(("kind", "words"), list(zip(QUOTED, ORDERS, strict=True)))
async def test_a_quoted_text_with_an_order_is_one_card(room: Chat, api: Api, kind: str, words: str) -> None:
    ming, kai = room.members("小明", "阿凯")
    text = await room.say(kai, QUOTED[kind])
    said = await room.say(ming, reply(text.id), at(room.client.self_id), f" {words}")
    card = await room.expect(quoting=said)
    assert FOUND[kind] in card.text
    assert "确认" in card.text
    assert await kept(room, api) == [], "before the yes"
    said = await room.say(ming, "确认")
    assert "记下了" in (await room.expect(quoting=said)).text
    rows = await kept(room, api)
    assert any(FOUND[kind] in str(row) for row in rows)
    assert not any("EXPENSE" in str(row) for row in rows), "nothing of it is money"


@first(2)
@pytest.mark.parametrize("kind", QUOTED)
async def test_a_forwarded_text_is_no_work(room: Chat, api: Api, kind: str) -> None:
    """As the platform tells of it: the lines as nodes, or only a number."""
    ming = room.member("小明")
    node = {"type": "node", "data": {"nickname": "阿凯", "user_id": 5, "content": QUOTED[kind]}}
    parts: tuple[Segment, ...] = (
        {"type": "forward", "data": {"id": "7012345678901234567"}},
        {"type": "forward", "data": {"id": "7012345678901234568", "content": [node]}},
        {"type": "json", "data": {"data": '{"app":"com.tencent.multimsg","prompt":"[聊天记录]"}'}},
    )
    for part in parts:
        await room.say(ming, part)
        await room.say(ming, part, at(room.client.self_id))
    await api.settle(room)
    for sent in room.left():
        sent.taken = True
        assert not any(never in sent.text for never in ("已记", "记下了", "要记这", "要记成", "提醒你")), (
            sent.text
        )
    assert await kept(room, api) == []
