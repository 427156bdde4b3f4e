"""An invented group with a month behind it: the console's pictures show it, its tests begin with it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from typing import Any, Final

from nonebot_plugin_mishu.storage import Conversation, DecisionRecord, LedgerMessage, ModelCall, Storage
from nonebot_plugin_mishu.storage.polls.records import PollFields, VoiceGiven
from nonebot_plugin_mishu.storage.record.facts import Fact
from nonebot_plugin_mishu.storage.records import Summary
from nonebot_plugin_mishu.storage.schedules.changes import Add, Delete, Edit
from nonebot_plugin_mishu.storage.schedules.records import Participant, SchedulePlan, ScheduleRecord
from nonebot_plugin_mishu.storage.tasks.records import TaskChanges, TaskDraft
from nonebot_plugin_mishu.storage.transactions.budgets import BudgetRecord
from nonebot_plugin_mishu.storage.transactions.queries import NewTransactions, TransactionChanges

ACCOUNT: Final = "10001"
GROUP: Final = "30001"
PLACE: Final = Conversation(ACCOUNT, "group", GROUP)
OTHER: Final = Conversation(ACCOUNT, "group", "30002")
"""A second group of the same account."""
PEOPLE: Final[dict[str, tuple[str, Any]]] = {
    "1001": ("林晓", "owner"),
    "1002": ("陈默", "admin"),
    "1003": ("小雅", "member"),
    "1004": ("阿凯", "member"),
    "1005": ("苏苏", "member"),
}
ME: Final = "1002"
"""Whose own things are many."""

_TALK: Final[Sequence[tuple[int, str, str]]] = (
    (2880, "1003", "这周末谁有空，去不去爬山"),
    (2871, "1004", "我可以，周六吧"),
    (2868, "1005", "周六上午行，下午要加班"),
    (2860, "1001", "那就周六上午九点，北门集合"),
    (1500, "1004", "聚餐定在哪家？"),
    (1496, "1003", "老地方，人均八十左右"),
    (1490, "1002", "周五晚上七点，我来订位子"),
    (190, "1005", "首页的图改好了，放在共享盘里"),
    (170, "1001", "好，下午评审一起看"),
    (64, "1003", "@秘书 周五下午三点开评审会，地点三号会议室"),
    (63, ACCOUNT, "记下了：11月20日（周五）15:00 评审会，三号会议室"),
    (40, "1004", "午饭35，打车20"),
    (39, ACCOUNT, "记哪两笔？午饭 35 元（餐饮）、打车 20 元（交通）"),
    (38, "1004", "确认"),
    (37, ACCOUNT, "记好了，共 55 元"),
    (25, "1002", "秘书 我这周还有什么安排"),
    (24, ACCOUNT, "今天 15:00 和设计对一遍首页；周五 15:00 评审会；周六 09:00 爬山"),
    (12, "1005", "哈哈哈今天也太冷了"),
    (11, "1003", "多穿点"),
)

_TASKS: Final[Sequence[tuple[int, str, str | None, str | None]]] = (
    (-1, "交上周的报销单", None, None),
    (0, "回客户的电话", "14:00", "14:30"),
    (0, "把评审材料发给大家", None, "17:30"),
    (1, "订周五聚餐的位子", None, "10:00"),
    (3, "买爬山的水和面包", None, None),
)
"""Days from today, what, from (with an end) or when to be reminded."""

_BOOKS: Final[Sequence[tuple[int, str, str, int, str]]] = (
    (0, "EXPENSE", "餐饮", 3500, "午饭"), (0, "EXPENSE", "交通", 2000, "打车"),
    (1, "EXPENSE", "餐饮", 1650, "奶茶"), (1, "EXPENSE", "购物", 12900, "登山杖"),
    (2, "EXPENSE", "餐饮", 4200, "晚饭"), (3, "EXPENSE", "居住", 21000, "电费"),
    (4, "EXPENSE", "娱乐", 9000, "电影票"), (5, "INCOME", "报销", 55600, "车票报销"),
    (6, "EXPENSE", "餐饮", 2800, "早午饭"), (8, "EXPENSE", "交通", 5000, "地铁充值"),
    (9, "EXPENSE", "餐饮", 3100, "午饭"), (11, "EXPENSE", "购物", 6990, "洗衣液"),
    (12, "EXPENSE", "餐饮", 5600, "火锅"), (14, "EXPENSE", "通讯", 9950, "话费"),
    (15, "EXPENSE", "餐饮", 2300, "面"), (16, "EXPENSE", "餐饮", 1800, "早饭"),
)  # fmt: skip

_WHY: Final[Sequence[tuple[int, str, str, str, bool, str, str, tuple[str, ...], int]]] = (
    (64, "summon", "absent", "observing", True, "办理", "有人@我，说的是日程", (), 0),
    (40, "chat", "observing", "observing", True, "办理", "说的是两笔账，先请本人确认", (), 0),
    (38, "answer", "observing", "observing", True, "办理", "对着还没确认的账说了「确认」", (), 0),
    (25, "summon", "observing", "observing", True, "回答", "有人叫我，问的是日程",
     ("analyze_conversation", "chat_reply"), 2140),
    (12, "chat", "observing", "observing", False, "", "群友在聊天，没有在问我",
     ("analyze_conversation",), 1180),
)  # fmt: skip


async def fill(storage: Storage, now: datetime) -> None:
    """Put the group and its past into an empty database. `now` is aware, in the zone of the group."""
    await _talk(storage, now)
    await _calendar(storage, now)
    await _tasks(storage, now)
    await _books(storage, now)
    await _polls(storage, now)
    await _models(storage, now)
    await _rest(storage, now)
    await storage.usage.today(0.0)  # what is queued is written before it answers


async def _talk(storage: Storage, now: datetime) -> None:
    said = [(minutes, who, words, PLACE) for minutes, who, words in _TALK]
    said += [(30, "1001", "周末的路线我发一下", OTHER), (29, "1004", "收到", OTHER)]
    for number, (minutes, who, words, place) in enumerate(said):
        at = now.timestamp() - 60 * minutes
        name, role = PEOPLE.get(who, ("秘书", "member"))
        message = LedgerMessage(
            place, f"m{minutes}" if place is PLACE else f"o{minutes}", at, int(at * 1e9) + number, who, name,
            role, words, is_bot=who == ACCOUNT, processed=True,
        )  # fmt: skip
        storage.ledger.append(message)


def _plan(now: datetime, days: int, clock: str, what: str, **more: Any) -> SchedulePlan:
    start = f"{now.date() + timedelta(days=days)} {clock}:00"
    end = more.pop("end", None)
    if end is not None:
        more["end"] = f"{start[:10]} {end}:00"
    return SchedulePlan(start, str(now.tzinfo), what, **more)


async def _calendar(storage: Storage, now: datetime) -> None:
    friday = (4 - now.weekday()) % 7 or 7
    plans = [
        _plan(now, -16, "09:30", "早会", recurrence={"freq": "daily", "interval": 1}, end="09:45"),
        _plan(now, 0, "15:00", "和设计对一遍首页", end="16:00", place="三号会议室"),
        _plan(now, friday, "15:00", "评审会", place="三号会议室", end="17:00"),
        _plan(now, friday, "19:00", "聚餐", place="老地方"),
        _plan(now, friday + 1, "09:00", "爬山", place="北门"),
        _plan(now, friday - 14, "18:00", "交周报", recurrence={"freq": "weekly", "interval": 1}),
        _plan(now, friday + 6, "10:00", "发布"),
        _plan(now, friday + 10, "00:00", "苏苏生日", segment="all_day"),
        _plan(now, -6, "14:00", "客户来访", end="16:00"),
        _plan(now, -9, "20:00", "桌游"),
    ]
    admin = Participant(ME, PEOPLE[ME][0])

    async def apply(*changes: Any) -> list[ScheduleRecord]:
        return await storage.schedules.apply(
            PLACE, admin, changes, at=now.timestamp() - 86400, summary="例子", remind=lambda _: None
        )

    made = await apply(*(Add(plan, f"example:{number}") for number, plan in enumerate(plans)))
    daily, moved = made[0], now.date() + timedelta(days=1)
    gone = (now.date() + timedelta(days=2)).isoformat()
    kept = {**(daily.plan.recurrence or {}), "without": [moved.isoformat(), gone]}
    whole = SchedulePlan(
        **{**{name: getattr(daily.plan, name) for name in SchedulePlan.__slots__}, "recurrence": kept}
    )
    await apply(
        Edit(daily.id, whole, "example:moved"),
        Add(
            _plan(now, 1, "10:30", "早会", end="10:45"),
            "example:moved:1",
            order="example:moved",
            taken_from=daily,
            instead_of=f"{moved} 09:30:00",
        ),
    )
    called_off = await apply(Add(_plan(now, 4, "16:00", "一对一"), "example:off"))
    await apply(Delete(called_off[0].id, "example:off:1"))


async def _tasks(storage: Storage, now: datetime) -> None:
    for number, (days, title, start, clock) in enumerate(_TASKS):
        day = now.date() + timedelta(days=days)
        remind = f"{day}T{clock}:00{now:%z}" if clock and not start else None
        times: Any = {"start_time": start, "end_time": clock} if start else {"remind_at": remind}
        fields = TaskChanges(title, day.isoformat(), str(now.tzinfo), **times)
        new = TaskDraft(PLACE, ME, PEOPLE[ME][0], ME, fields, f"example:{number}")
        await storage.tasks.create(
            new, summary="例子", at=now.timestamp(), remind=lambda _: None, objects=lambda _: None
        )


def _days_ago(now: datetime, days: int) -> str:
    """Within this month as long as there are days in it, so that the month has something to show."""
    return date.fromordinal(now.date().toordinal() - min(days, now.day - 1)).isoformat()


async def _books(storage: Storage, now: datetime) -> None:
    at = now.timestamp()
    mine = [
        (place, TransactionChanges(kind, fen, category, what, _days_ago(now, days)))
        for place, (days, kind, category, fen, what) in enumerate(_BOOKS)
    ]
    await storage.transactions.commit(
        NewTransactions(PLACE, ME, PEOPLE[ME][0], "example", 1, mine, "例子"), at
    )
    people = list(PEOPLE.items())
    for number, (payer, days, what, fen, among) in enumerate(
        ((0, 2, "聚餐", 32000, 4), (1, 5, "桌游店", 18000, 3), (2, 9, "水果", 6600, 3))
    ):
        sharing = [people[(payer + each) % len(people)] for each in range(among)]
        shares = [[who, name, fen // among] for who, (name, _) in sharing]
        fields = TransactionChanges("EXPENSE", fen, "餐饮", what, _days_ago(now, days), True, shares)
        who, (name, _) = people[payer]
        await storage.transactions.commit(
            NewTransactions(PLACE, who, name, f"shared{number}", 1, [(0, fields)], "例子"), at
        )
    budget = BudgetRecord("", f"{now:%Y-%m}", 200_000)
    await storage.transactions.budgets.set_budget(PLACE, ME, budget, "例子", at)


async def _polls(storage: Storage, now: datetime) -> None:
    at, friday = now.timestamp(), (4 - now.weekday()) % 7 or 7
    ends = now.replace(hour=22, minute=0, second=0, microsecond=0) + timedelta(days=friday)
    hike = PollFields("vote", "周六还是周日去爬山", ("周六", "周日", "都行"), closes_at=ends.timestamp())
    court = PollFields("signup", "周三羽毛球", places=3)
    for number, (fields, maker, voices) in enumerate(
        (
            (hike, "1003", (("1001", 0), ("1002", 0), ("1004", 1), ("1005", 2))),
            (court, "1004", (("1004", None), ("1002", None), ("1003", None), ("1005", None))),
        )
    ):
        given = [
            VoiceGiven(who, PEOPLE[who][0], True, choice, origin=f"example:{number}:{who}", at=at)
            for who, choice in voices
        ]
        name = PEOPLE[maker][0]
        await storage.polls.add(PLACE, maker, name, fields, f"example:{number}", at - 3600, None, given)


async def _models(storage: Storage, now: datetime) -> None:
    for minutes, trigger, before, after, replied, strategy, reason, calls, tokens in _WHY:
        await storage.decisions.add(
            DecisionRecord(
                PLACE, f"m{minutes}", trigger, before, after, replied, strategy, reason,
                {"判断": 0.02, "生成": 0.9} if calls else {"判断": 0.01}, list(calls), tokens,
                now.timestamp() - 60 * minutes + 1, user_id="1003",
            )
        )  # fmt: skip
    for days in range(20):
        for number, call in enumerate(("analyze_conversation", "chat_reply", "digest")):
            used = 1400 + (days * 7 + number * 13) % 11 * 260
            storage.usage.record(
                ModelCall(
                    call, "deepseek-v4-flash", PLACE, used, used // 9, 0.8, "ok",
                    now.timestamp() - 86400 * days - 60 * number, used // 2,
                )
            )  # fmt: skip


async def _rest(storage: Storage, now: datetime) -> None:
    at = now.timestamp()
    for number, (agent, words) in enumerate(
        (
            ("schedule", "建了日程「评审会」，周五下午三点，三号会议室"),
            ("tasks", "让我提醒他订周五聚餐的位子，那天上午十点"),
            ("bookkeeping", "十一月的总预算定为 2000 元"),
            ("chat", "他不吃香菜；周四下午固定去打球"),
        )
    ):
        made = Summary(PLACE, ME, f"example{number}", agent, words, (words,), at - 3600 * 20 * number)
        await storage.summaries.store_summary(made)
    for number, (subject, words) in enumerate(
        (("wifi密码", "WiFi密码是 mishu-2026"), ("会议室", "三号会议室的投影要提前半小时开"))
    ):
        fact = Fact(subject, words, "1001", PEOPLE["1001"][0], at - 86400 * (number + 3), f"f{number}")
        await storage.facts.store_fact(PLACE, fact, f"example:{number}", only_own=False)
    await storage.settings.set_persona(PLACE, "说话简短，少用感叹号")
    await storage.settings.log(PLACE, "1001", "persona", "说话简短，少用感叹号", at - 90_000)
    await storage.settings.set_feature(PLACE, "复读", False)
    await storage.settings.log(PLACE, ME, "features.复读", "关", at - 7200)
    await storage.settings.add_word(PLACE, "wake", "小秘")
    await storage.settings.log(PLACE, ME, "wake_words", "小秘", at - 5400)
