"""Calendars and bills that a friend sends in private, over the wire."""

from __future__ import annotations

import sys
from base64 import b64encode
from pathlib import Path

from .harness import BotProcess, Chat, OneBotClient, summon
from .harness.disk import rows
from .harness.segments import file

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "imports"))

from bill_files import W_OCTOBER, locked, wechat_csv, wechat_xlsx

DATA = Path(__file__).resolve().parents[1] / "imports" / "data"


def given(content: bytes) -> dict[str, str]:
    """What the implementation answers for a file."""
    return {"file": "", "file_name": "x", "base64": b64encode(content).decode()}


async def test_a_calendar_sent_in_private(client: OneBotClient, room: Chat) -> None:
    ming = room.member("阿明")
    friend = client.friend(ming.user_id, "阿明")
    client.platform.files["calendar"] = given((DATA / "google.ics").read_bytes())
    await friend.say(None, file("basic.ics", "calendar"))
    said = (await friend.expect("「阿一的日历」导入好了")).text
    assert "新加 3 个，现在一共 3 个" in said
    assert "只有你看得到" in said
    await friend.say(None, file("basic.ics", "gone"))
    await friend.expect("文件没拿到")
    await friend.say(None, "我的日历")
    await friend.expect("1. 阿一的日历（文件，3 个日程）")
    _, refused = await summon(room, ming, "我的日历")
    assert "私聊发给我" in refused.text
    await friend.say(None, "取消订阅")
    await friend.expect("「阿一的日历」删掉了")


async def test_its_entries_stand_in_the_day(client: OneBotClient, room: Chat) -> None:
    ming = room.member("阿明")
    friend = client.friend(ming.user_id, "阿明")
    daily = "UID:d\r\nDTSTART;VALUE=DATE:20250101\r\nRRULE:FREQ=DAILY\r\nSUMMARY:遛狗狗"
    whole = f"BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\n{daily}\r\nEND:VEVENT\r\nEND:VCALENDAR"
    client.platform.files["daily"] = given(whole.encode())
    await friend.say(None, file("狗.ics", "daily"))
    await friend.expect("「狗」导入好了")
    await friend.say(None, "我今天有什么安排")
    assert "全天 遛狗狗" in (await friend.expect("你日历里的")).text
    _, said = await summon(room, ming, "今天有哪些日程")
    assert "遛狗狗" not in said.text


async def test_other_files_are_nothing_to_us(client: OneBotClient) -> None:
    friend = client.friend()
    await friend.say(None, file("photo.zip.jpg", "x"))
    await friend.say(None, "我的日历")
    await friend.expect("你还没有导入日历")
    friend.nothing_else()


async def test_a_bill_is_shown_before_it_is_written(client: OneBotClient) -> None:
    friend = client.friend()
    client.platform.files["bill"] = given(wechat_csv(W_OCTOBER))
    await friend.say(None, file("微信支付账单(20261001-20261031).csv", "bill"))
    said = (await friend.expect("微信账单 6 笔，新 5，跳过 1（不计收支 1）")).text
    assert "回「确认」记到你的账本" in said
    await friend.say(None, "确认")
    await friend.expect("记好了，5 笔都在你的账本里")
    await friend.say(None, file("again.csv", "bill"))
    await friend.expect("新 0，跳过 6（不计收支 1，之前导过 5）。没有要记的")
    await friend.say(None, "撤销")
    await friend.expect("导入微信账单 5 笔")
    await friend.say(None, file("again.csv", "bill"))
    await friend.expect("新 5")
    await friend.say(None, "不用了")
    await friend.expect("好，没记")


async def test_a_sheet_of_wechat_is_written_once(client: OneBotClient, bot: BotProcess) -> None:
    friend = client.friend()
    client.platform.files["sheet"] = given(wechat_xlsx(W_OCTOBER))
    await friend.say(None, file("微信支付账单流水文件(20261001-20261031).xlsx", "sheet"))
    await friend.expect("微信账单 6 笔，新 5，跳过 1（不计收支 1）")
    assert not rows(bot.database, "mishu_transaction", peer=friend.id)
    await friend.say(None, "确认")
    await friend.expect("记好了，5 笔都在你的账本里")
    written = rows(bot.database, "mishu_transaction", peer=friend.id)
    assert len(written) == 5
    await friend.say(None, file("再发一次.XLSX", "sheet"))
    await friend.expect("新 0，跳过 6（不计收支 1，之前导过 5）。没有要记的")
    assert rows(bot.database, "mishu_transaction", peer=friend.id) == written


async def test_a_locked_bill_is_told_how_to_open(client: OneBotClient) -> None:
    friend = client.friend()
    client.platform.files["locked"] = given(locked("a.csv", wechat_csv(W_OCTOBER)))
    await friend.say(None, file("微信支付账单.zip", "locked"))
    await friend.expect("这个压缩包有密码")
