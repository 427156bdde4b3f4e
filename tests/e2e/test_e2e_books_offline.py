"""The books without a model: corrections by local rules, sums, shares, budgets, files, undo."""

from __future__ import annotations

import asyncio
import base64
import csv
import io

import pytest
from default_run import first
from nonebot_plugin_mishu.agents.bookkeeping.picture.fonts import chinese_font

from .conftest import StartBot
from .harness import Api, Chat, Member, OneBotClient, Sent, summon
from .harness.segments import at
from .test_e2e_books import UNCLEAR, WAITING, books, card, saved, tell
from .test_e2e_restart import running

OFFLINE = True
OFFLINE_LINE = "现在只会改"


async def keep(room: Chat, who: Member, words: str) -> None:
    """Record something and confirm it."""
    await card(room, who, words)
    done = await tell(room, who, "确认")
    assert "记下了" in done.text or "记下了" in done.text


async def test_offline_is_said_once_and_corrects_simply(room: Chat, api: Api) -> None:
    ming = room.member("小明")
    await card(room, ming, "红包60")
    first = await tell(room, ming, "那个应该是收入不是支出")
    assert OFFLINE_LINE in first.text
    assert "已将第1笔修改为收入60元，红包" in first.text
    second = await tell(room, ming, "金额改成100")
    assert OFFLINE_LINE not in second.text
    assert "收入100元" in second.text
    assert WAITING not in room.texts()
    await tell(room, ming, "确认")
    assert await saved(api, room) == [("INCOME", "100.00", "红包")]


async def test_where_several_are_open_it_asks_which(room: Chat, api: Api) -> None:
    ming = room.member("小明")
    await card(room, ming)
    assert "要改第几笔" in (await tell(room, ming, "改为收入")).text
    assert "已将第2笔修改为收入20元" in (await tell(room, ming, "第二笔")).text
    assert "第2笔修改为收入21元" in (await tell(room, ming, "打车那笔改成21")).text
    await tell(room, ming, "确认")
    assert await saved(api, room) == [("EXPENSE", "35.00", "午饭"), ("INCOME", "21.00", "打车")]


async def test_what_no_rule_reads_keeps_the_card(room: Chat, api: Api) -> None:
    ming = room.member("小明")
    await card(room, ming)
    assert UNCLEAR in (await tell(room, ming, "第一笔的金额好像哪里不太对劲")).text
    assert await books(api, room) == []
    assert "记下了" in (await tell(room, ming, "确认")).text


async def test_more_than_ten_items_are_told(room: Chat, api: Api) -> None:
    ming = room.member("小明")
    shown = await card(room, ming, "，".join(f"{name}{n}" for n, name in enumerate(THINGS, start=11)))
    assert "一次最多10笔" in shown.text
    await tell(room, ming, "确认")
    assert len(await books(api, room)) == 10


THINGS = ("早饭", "午饭", "晚饭", "奶茶", "打车", "地铁", "电影", "水果", "零食", "咖啡", "夜宵", "可乐")


async def test_a_task_and_an_expense_in_one_message(room: Chat, api: Api) -> None:
    ming = room.member("小明")
    _, shown = await summon(room, ming, "午饭35，另外提醒我后天下午三点交报告")
    assert "要记这笔吗" in shown.text
    assert "交报告" in shown.text
    await tell(room, ming, "确认")
    assert [row["amount"] for row in await books(api, room)] == ["35.00"]
    tasks = await api.get(f"/api/users/{ming.user_id}/tasks", self_id=room.client.self_id)
    assert [task["title"] for task in tasks] == ["交报告"]


async def test_undo_takes_back_the_last_change_only(room: Chat, api: Api) -> None:
    ming, hong = room.members("小明", "小红")
    await keep(room, ming, "午饭35")
    await keep(room, ming, "打车20")
    _, none = await summon(room, hong, "撤销")
    assert "没有可以撤销" in none.text
    _, undone = await summon(room, ming, "撤销")
    assert "撤销了：记账 打车20元" in undone.text
    assert await saved(api, room) == [("EXPENSE", "35.00", "午饭")]


async def test_a_saved_record_is_changed_and_deleted_by_its_owner_only(room: Chat, api: Api) -> None:
    ming, hong = room.members("小明", "小红")
    await keep(room, ming, "午饭35")
    _, other = await summon(room, hong, "刚才那笔改成1块")
    assert "没找到" in other.text
    _, changed = await summon(room, ming, "刚才那笔改成45")
    assert "午饭 45元" in changed.text
    assert await saved(api, room) == [("EXPENSE", "45.00", "午饭")]


async def test_totals_of_a_group_are_the_shared_ones_and_ones_own_are_ones_own(room: Chat) -> None:
    ming, hong = room.members("小明", "小红")
    await keep(room, ming, "午饭35")
    await keep(room, ming, "发工资8000")
    await keep(room, hong, "打车20")
    _, asked = await summon(room, ming, "聚餐300 AA 五个人")
    assert "另外4人是谁" in asked.text
    assert "5人AA" in (await tell(room, ming, "不记名")).text
    await tell(room, ming, "确认")
    _, mine = await summon(room, ming, "这个月花了多少")
    assert "335元" in mine.text
    assert "8335" not in mine.text
    assert "7665" not in mine.text
    _, group = await summon(room, hong, "群里这个月花了多少")
    assert "支出300元" in group.text
    assert "午饭" not in group.text
    assert "8000" not in group.text
    _, hers = await summon(room, hong, "这个月明细")
    assert "打车" in hers.text
    assert "午饭" not in hers.text


async def test_shares_are_exact_to_the_fen_and_everybody_ends_even(room: Chat) -> None:
    ming, hong, wang = room.members("小明", "小红", "小王")
    for who in (hong, wang):
        await room.say(who, "大家好")
    said = await room.call(ming, "聚餐100 AA ", at(hong.user_id), " ", at(wang.user_id))
    shown = await room.expect(quoting=said)
    assert "3人AA，每人33.33元（小明33.34元）" in shown.text
    await tell(room, ming, "确认")
    _, owes = await summon(room, wang, "谁欠谁")
    assert "小红 给 小明 33.33元" in owes.text
    assert "小王 给 小明 33.33元" in owes.text


async def test_a_budget_is_noticed_at_80_and_100_percent_once_each(room: Chat) -> None:
    ming = room.member("小明")
    _, made = await summon(room, ming, "这个月餐饮预算100")
    assert "餐饮预算100元" in made.text
    notices: list[str] = []
    for spent in (70, 12, 5, 20, 30):
        await card(room, ming, f"午饭{spent}")
        notices.append((await tell(room, ming, "确认")).text)
    assert ["提醒：" in text or "注意：" in text for text in notices] == [False, True, False, True, False]
    assert "用了82%" in notices[1]
    assert "超出7元" in notices[3]


async def test_an_export_is_a_file_that_excel_opens(room: Chat, client: OneBotClient) -> None:
    ming = room.member("小明")
    await keep(room, ming, "午饭35，打车20")
    before = len(client.actions)
    _, said = await summon(room, ming, "导出这个月的账")
    assert "共2笔" in said.text
    assert "私聊" in said.text
    assert not any(action.name == "upload_group_file" for action in client.actions[before:])
    [upload] = [action for action in client.actions[before:] if action.name == "upload_private_file"]
    assert upload.params["name"].endswith(".csv")
    assert str(upload.params["user_id"]) == str(ming.user_id)
    content = base64.b64decode(upload.params["file"].removeprefix("base64://"))
    assert content.startswith(b"\xef\xbb\xbf")
    rows = list(csv.reader(io.StringIO(content.decode("utf-8-sig"))))
    assert rows[0] == ["日期", "类型", "金额", "分类", "说明", "记录人", "公共", "外币金额", "币种", "汇率"]
    assert [row[1:6] for row in rows[1:]] == [
        ["支出", "35.00", "餐饮", "午饭", "小明"],
        ["支出", "20.00", "交通", "打车", "小明"],
    ]


async def test_a_month_comes_as_a_picture_behind_the_text(room: Chat) -> None:
    ming = room.member("小明")
    await keep(room, ming, "午饭35，打车20")
    _, said = await summon(room, ming, "月度图")
    assert "支出55元" in said.text
    shown = await picture(room, said)
    if chinese_font() is None:
        assert "没有中文字体" in said.text
        assert shown is None
    else:
        assert shown is not None
        assert shown.startswith(b"\x89PNG")


async def picture(room: Chat, said: Sent) -> bytes | None:
    """The picture in a reply or right behind it."""
    await room.sentinel()
    for sent in room.sends[room.sends.index(said) :]:
        for part in sent.segments:
            if part["type"] == "image":
                return base64.b64decode(str(part["data"]["file"]).removeprefix("base64://"))
    return None


# Time, and death


@pytest.mark.exhaustive
async def test_an_expiry_drops_what_is_pending_and_says_so(start_bot: StartBot) -> None:
    bot = start_bot(offline=True, MISHU__BOOKKEEPING__SESSION_TIMEOUT=2.5)
    account = OneBotClient(bot.onebot_url, 10_081)
    room = Chat.group(account)
    ming = room.member("小明")
    async with running(bot, account) as api:
        await card(room, ming)
        await tell(room, ming, "确认第1笔")
        over = await room.expect("等太久了", within=15)
        assert "第2笔没记" in over.text
        assert over.ats == [str(ming.user_id)]
        await room.say(ming, "确认")
        await api.settle(room)
        assert await saved(api, room) == [("EXPENSE", "35.00", "午饭")]


async def test_a_card_survives_kill_9(start_bot: StartBot) -> None:
    bot = start_bot(offline=True)
    account = OneBotClient(bot.onebot_url, 10_082)
    room = Chat.group(account)
    ming = room.member("小明")
    async with running(bot, account) as api:
        await card(room, ming)
        await tell(room, ming, "确认第2笔")
        await tell(room, ming, "第一笔改成50")
        await bot.kill()
    async with running(bot, account) as api:
        assert await saved(api, room) == [("EXPENSE", "20.00", "打车")]
        done = await tell(room, ming, "确认")
        assert "第1笔记下了：午饭 50元" in done.text
        assert await saved(api, room) == [("EXPENSE", "20.00", "打车"), ("EXPENSE", "50.00", "午饭")]


@pytest.mark.exhaustive
@pytest.mark.parametrize("after", [0.0, 0.01, 0.03, 0.06, 0.1])
async def test_killed_between_a_confirm_and_its_reply_nothing_is_lost_or_twice(
    start_bot: StartBot, after: float
) -> None:
    bot = start_bot(offline=True)
    account = OneBotClient(bot.onebot_url, 10_083)
    room = Chat.group(account)
    ming = room.member("小明")
    async with running(bot, account):
        await card(room, ming)
        await room.say(ming, "确认")
        await asyncio.sleep(after)
        await bot.kill()
    async with running(bot, account) as api:
        await api.settle(room)
        if not await books(api, room):  # it died before the line was on disk: the card is as it was
            await room.say(ming, "确认")
        rows = await api.poll(lambda: books(api, room), lambda seen: len(seen) >= 2, "both saved")
        await api.settle(room)
        assert sorted(row["amount"] for row in rows) == ["20.00", "35.00"]
        await room.say(ming, "确认")
        await api.settle(room)
        assert len(await books(api, room)) == 2


async def test_a_clear_order_for_another_is_done_beside_the_card(room: Chat, api: Api) -> None:
    ming = room.member("小明")
    _, made = await summon(room, ming, "后天下午两点到四点和大家打球")
    assert "日程记下了" in made.text
    await card(room, ming, "打车20")
    _, moved = await summon(room, ming, "打球改到三点")
    assert "15:00" in moved.text
    [event] = await api.get(f"/api/groups/{room.id}/schedules", self_id=room.client.self_id)
    assert event["time"].endswith("15:00:00")
    await tell(room, ming, "确认")
    assert await saved(api, room) == [("EXPENSE", "20.00", "打车")]


CARDS = [
    ("小树懒", "林然", "火锅300 我和林然AA", "150元"),
    ("ran_99", "市场部 陈晨", "打车40 和陈晨平摊", "20元"),
    ("苏苏", "3栋502苏苏", "电费120 苏苏和我一人一半", "60元"),
    ("老白", "白总", "烧烤200 我和白总两个人分", "100元"),
    ("Kevin", "阿凯（Kevin）", "门票100 我跟阿凯平分", "50元"),
    ("💫小雅✨", "", "奶茶36 小雅和我AA", "18元"),
]


@first(2)
@pytest.mark.parametrize(("nickname", "card", "words", "each"), CARDS, ids=lambda each: str(each)[:12])
async def test_who_shares_is_known_by_card_and_nickname(
    room: Chat, api: Api, nickname: str, card: str, words: str, each: str
) -> None:
    ming, other = room.member("小明"), room.member(nickname, card=card)
    await room.say(other, "路过")
    await api.until_stored(room, "路过")
    _, asked = await summon(room, ming, words)
    assert "哪位" not in asked.text, asked.text
    assert f"2人AA，每人{each}" in asked.text, asked.text
    await tell(room, ming, "确认")
    _, owing = await summon(room, other, "我欠多少")
    assert each in owing.text, owing.text
