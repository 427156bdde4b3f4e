"""The shapes of `/api/v1`: one for each thing, in answers, lists and live events alike.

Names are snake_case, ids are strings, times ISO 8601 with the offset of the configured zone, days
`YYYY-MM-DD`, amounts decimal strings in yuan. What does not apply is null; nothing is left out.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date as Day
from datetime import datetime, time, timedelta
from typing import Any, Final, Generic, Literal, Self, TypeVar
from zoneinfo import ZoneInfo

from pydantic import BaseModel, ConfigDict, Field

from ...events import BotEvent, Kind
from ...services import groups as group_operations
from ...services.books.books import find_foreign_sum
from ...services.schedules.schedules import ALL_DAY, Time
from ...storage.records import LedgerMessage
from ...storage.tasks.records import TaskRecord
from ...storage.transactions.queries import TransactionRecord
from ..backend import DayOfUsage, State
from ..schemas import Instant, Shape, at, maybe_at

T = TypeVar("T")
Segment = Literal["all_day", "early_morning", "morning", "forenoon", "noon", "afternoon", "evening"]
Frequency = Literal["minutely", "hourly", "daily", "weekly", "monthly", "yearly", "workday", "lunar_yearly"]
Weekday = Literal["MO", "TU", "WE", "TH", "FR", "SA", "SU"]
BUDGETS: Final = "mishu_budget"
"""The table of budgets, whose changes the first routes tell as those of transactions."""
_SECOND = timedelta(seconds=1)


def example(**values: Any) -> ConfigDict:
    """The example of a shape in the document."""
    return examples(values)


def examples(*bodies: dict[str, Any]) -> ConfigDict:
    """The examples of a body in the document."""
    return ConfigDict(json_schema_extra={"examples": list(bodies)})


class Listed(BaseModel, Generic[T]):
    """A page of a list."""

    items: list[T] = Field(description="这一页的内容")
    next_cursor: str | None = Field(description="下一页的 cursor；没有下一页是 null")


class RecurrenceShape(BaseModel):
    """Recurrence rule."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"freq": "weekly", "interval": 1, "byday": ["TH"]}]}
    )

    freq: Frequency = Field(description="多久一次；workday 是每个工作日，lunar_yearly 是每年农历这一天")
    interval: int = Field(1, ge=1, le=999, description="每隔几个 freq 一次")
    byday: list[Weekday] | None = Field(None, max_length=7, description="每周的哪几天")
    bymonthday: int | None = Field(None, ge=-1, le=31, description="每月几号，-1 是最后一天")
    bymonth: int | None = Field(None, ge=1, le=12, description="每年几月")

    @classmethod
    def of(cls, kept: Mapping[str, Any] | None) -> RecurrenceShape | None:
        """From a row; the days left out of it are told by `exception` of the expanded list."""
        if kept is None:
            return None
        return cls.model_validate({name: value for name, value in kept.items() if name != "without"})

    def plain(self) -> dict[str, Any]:
        """As rows keep it."""
        return self.model_dump(exclude_none=True)


class Schedule(Shape):
    """A schedule of a group, or one time of one that repeats (`expand=true`)."""

    model_config = example(
        id="12",
        group_id="777001",
        description="例会",
        starts_at="2026-11-26T10:00:00.000+08:00",
        ends_at="2026-11-26T11:00:00.000+08:00",
        all_day=False,
        segment=None,
        place="会议室",
        recurrence={"freq": "weekly", "interval": 1, "byday": ["TH"], "bymonthday": None, "bymonth": None},
        until=None,
        lead_minutes=10,
        everybody=False,
        occurrence="2026-11-26T10:00:00.000+08:00",
        exception=None,
        created_by="101",
        joined=["102"],
        created_at="2026-11-18T10:00:00.000+08:00",
    )

    id: str = Field(description="编号；重复日程的每一次都是同一个编号，改过时间的那次也是")
    group_id: str = Field(description="在哪个群里")
    description: str = Field(description="什么事")
    starts_at: Instant = Field(description="开始；不展开时，重复的是第一次")
    ends_at: Instant | None = Field(description="结束；全天的是最后一天之后的零点；没说结束是 null")
    all_day: bool = Field(description="是不是全天的")
    segment: Segment | None = Field(description="没说钟点时的时段，如 afternoon")
    place: str | None = Field(description="地点")
    recurrence: RecurrenceShape | None = Field(description="怎么重复；只有一次是 null")
    until: Day | None = Field(description="重复到哪天为止")
    lead_minutes: int | None = Field(description="提前几分钟提醒；null 是按群里平时的")
    everybody: bool = Field(description="是不是提醒全体成员")
    occurrence: Instant | None = Field(
        description="重复日程的哪一次：按规律本来的开始时刻，写操作里用它指这一次；不重复的是 null"
    )
    exception: Literal["moved", "cancelled"] | None = Field(
        description="moved：这一次改过时间；cancelled：这一次取消了"
    )
    created_by: str = Field(description="谁建的")
    joined: list[str] = Field(description="谁参加")
    created_at: Instant = Field(description="什么时候建的")

    @classmethod
    def of(cls, found: Time) -> Schedule:
        schedule, zone = found.schedule, ZoneInfo(found.schedule.plan.zone)
        plan, whole = schedule.plan, (found.series or schedule).plan
        starts, ends = found.starts_at.astimezone(zone), found.ends_at
        if plan.segment == ALL_DAY:
            # 23:59 or 23:59:59 of the last day is kept; the midnight behind it is told, as it is asked for.
            last = starts.date() if ends is None else (ends.astimezone(zone) - _SECOND).date()
            ends = datetime.combine(max(last, starts.date()) + timedelta(days=1), time(), zone)
        return cls.take(
            plan,
            id=str(found.id),
            group_id=schedule.conversation.peer,
            starts_at=starts,
            ends_at=None if ends is None else ends.astimezone(zone),
            all_day=plan.segment == ALL_DAY,
            recurrence=RecurrenceShape.of(whole.recurrence),
            until=None if whole.until is None else Day.fromisoformat(whole.until),
            occurrence=None if found.occurrence is None else found.occurrence.astimezone(zone),
            exception=found.exception,
            created_by=schedule.created_by,
            joined=[each.user_id for each in schedule.joined],
            created_at=at(schedule.created_at, zone),
        )


class Task(Shape):
    """A task of a person."""

    model_config = example(
        id="5",
        user_id="101",
        group_id="777001",
        title="交报告",
        description=None,
        due_date="2026-11-20",
        starts_at="2026-11-20T14:00:00.000+08:00",
        ends_at="2026-11-20T15:00:00.000+08:00",
        segment=None,
        remind_at="2026-11-20T13:50:00.000+08:00",
        recurrence=None,
        priority="medium",
        status="pending",
        created_by="101",
        created_at="2026-11-18T10:00:00.000+08:00",
        updated_at="2026-11-18T10:00:00.000+08:00",
    )

    id: str = Field(description="编号")
    user_id: str = Field(description="谁的")
    group_id: str | None = Field(description="在哪个群里；私下的是 null")
    title: str = Field(description="要做什么")
    description: str | None = Field(description="备注")
    due_date: Day = Field(description="哪天；重复的是下一次")
    starts_at: Instant | None = Field(description="几点开始，和 ends_at 成对；只有一天或一个时段的是 null")
    ends_at: Instant | None = Field(description="几点结束")
    segment: Segment | None = Field(description="时段，和 starts_at 只有一个")
    remind_at: Instant | None = Field(description="什么时候提醒；不提醒是 null")
    recurrence: RecurrenceShape | None = Field(description="怎么重复；只有一次是 null")
    priority: Literal["low", "medium", "high"] = Field(description="轻重")
    status: Literal["pending", "completed"] = Field(description="未完成或已完成")
    created_by: str = Field(description="谁派的；自己记的就是本人")
    created_at: Instant = Field(description="什么时候建的")
    updated_at: Instant = Field(description="什么时候最后改的")

    @classmethod
    def of(cls, record: TaskRecord) -> Task:
        fields, zone = record.fields, ZoneInfo(record.fields.zone)
        day = Day.fromisoformat(fields.due_date)
        start = None if fields.start_time is None else time.fromisoformat(fields.start_time)
        end = None if fields.end_time is None else time.fromisoformat(fields.end_time)
        over = day + timedelta(days=1) if start is not None and end is not None and end <= start else day
        remind = None if fields.remind_at is None else datetime.fromisoformat(fields.remind_at)
        return cls.take(
            fields,
            id=str(record.id),
            user_id=record.owner,
            group_id=record.conversation.peer if record.conversation.is_group else None,
            due_date=day,
            starts_at=None if start is None else datetime.combine(day, start, zone),
            ends_at=None if end is None else datetime.combine(over, end, zone),
            segment=fields.time_segment,
            remind_at=None if remind is None else remind.astimezone(zone),
            recurrence=RecurrenceShape.of(fields.recurrence),
            status=record.status,
            created_by=record.creator,
            created_at=at(record.created_at, zone),
            updated_at=at(record.updated_at, zone),
        )


Type = Literal["INCOME", "EXPENSE", "TRANSFER"]
Scope = Literal["personal", "shared"]


def yuan(fen: int) -> str:
    """Fen as yuan with two decimals."""
    return f"{fen // 100}.{fen % 100:02d}"


class Part(BaseModel):
    """Share of one person in a transaction."""

    user_id: str | None = Field(description="谁；没有写名字的人是 null")
    share: str = Field(description="分摊多少元")


class ForeignSum(Shape):
    """Amount in a foreign currency, before conversion."""

    amount: str = Field(description="说的是多少")
    currency: str = Field(description="币种，ISO 4217")
    rate: str = Field(description="当时一份折多少元")


class Transaction(Shape):
    """A record of a group's books."""

    model_config = example(
        id="31",
        group_id="777001",
        type="EXPENSE",
        amount="100.00",
        foreign={"amount": "14.05", "currency": "USD", "rate": "7.12"},
        category="餐饮",
        description="聚餐",
        date="2026-11-18",
        scope="shared",
        payer="101",
        participants=[{"user_id": "101", "share": "50.00"}, {"user_id": "102", "share": "50.00"}],
        created_by="101",
        created_at="2026-11-18T10:00:00.000+08:00",
        updated_at="2026-11-18T10:00:00.000+08:00",
    )

    id: str = Field(description="编号")
    group_id: str | None = Field(description="在哪个群里；私下的是 null")
    type: Type = Field(description="EXPENSE 支出，INCOME 收入，TRANSFER 转账")
    amount: str = Field(description="多少元，两位小数")
    foreign: ForeignSum | None = Field(description="折算前的外币；本来就是人民币，或者改过金额的，是 null")
    category: str = Field(description="分类")
    description: str = Field(description="说明，可以是空的")
    date: Day = Field(description="哪天的")
    scope: Scope = Field(description="shared 是群账，personal 是记的人自己的")
    payer: str = Field(description="谁付的；转账是谁给的")
    participants: list[Part] = Field(description="谁分摊多少；不分摊是空的")
    created_by: str = Field(description="谁记的")
    created_at: Instant = Field(description="什么时候记的")
    updated_at: Instant = Field(description="什么时候最后改的")

    @classmethod
    def of(cls, record: TransactionRecord, zone: ZoneInfo) -> Transaction:
        fields = record.fields
        parts = [Part(user_id=str(user) or None, share=yuan(int(fen))) for user, _, fen in fields.shares]
        payer = parts[0].user_id if parts else None
        said = find_foreign_sum(record)
        return cls.take(
            fields,
            id=str(record.id),
            group_id=record.conversation.peer if record.conversation.is_group else None,
            amount=yuan(fields.fen),
            foreign=None if said is None else ForeignSum.take(said, currency=said.code),
            date=Day.fromisoformat(fields.day),
            scope="shared" if fields.shared else "personal",
            payer=payer or record.user_id,
            participants=parts,
            created_by=record.user_id,
            created_at=at(record.created_at, zone),
            updated_at=at(record.updated_at, zone),
        )


class Debt(BaseModel):
    """Debt between two members, over all records."""

    model_config = example(
        id="102-101", group_id="777001", from_user_id="102", to_user_id="101", amount="50.00"
    )

    id: str = Field(description="编号：谁-欠谁")
    group_id: str = Field(description="在哪个群里")
    from_user_id: str = Field(description="谁欠")
    to_user_id: str = Field(description="欠谁")
    amount: str = Field(description="多少元")


class Budget(BaseModel):
    """Budget of a person for a month, in total or of a category."""

    model_config = example(
        id="2026-11:餐饮",
        group_id="777001",
        user_id="101",
        month="2026-11",
        category="餐饮",
        amount="1000.00",
        spent="35.00",
    )

    id: str = Field(description="编号：月份，或 月份:分类")
    group_id: str = Field(description="在哪个群里")
    user_id: str = Field(description="谁的")
    month: str = Field(description="YYYY-MM")
    category: str | None = Field(description="哪个分类；总预算是 null")
    amount: str = Field(description="预算多少元")
    spent: str = Field(description="这个月已经花了多少元：平摊的只算自己那份")


class Sum(Shape):
    """Total of a type and category."""

    type: Type = Field(description="支出、收入或转账")
    category: str = Field(description="分类")
    amount: str = Field(description="多少元")
    count: int = Field(description="几笔")


class DaySum(BaseModel):
    """Total of a day."""

    date: Day = Field(description="哪天")
    type: Type = Field(description="支出、收入或转账")
    amount: str = Field(description="多少元")


class Totals(BaseModel):
    """Totals of a span of days: of the group's shared records, or of one person's own."""

    model_config = example(
        scope="shared",
        user_id=None,
        sums=[{"type": "EXPENSE", "category": "餐饮", "amount": "100.00", "count": 1}],
        days=[{"date": "2026-11-18", "type": "EXPENSE", "amount": "100.00"}],
    )

    scope: Scope = Field(description="shared：群账；personal：一个人自己的，不含群账")
    user_id: str | None = Field(description="谁的；群账是 null")
    sums: list[Sum] = Field(description="按类型和分类，多的在前")
    days: list[DaySum] = Field(description="按天")


class Group(Shape):
    """A group."""

    model_config = example(
        id="777001",
        name="周末羽毛球",
        self_ids=["10000"],
        member_count=12,
        presence="absent",
        last_message_at="2026-11-18T09:58:00.000+08:00",
        enabled=True,
    )

    id: str = Field(description="群号")
    name: str | None = Field(description="群名；账号没有连接时不知道，是 null")
    self_ids: list[str] = Field(description="哪些机器人账号在里面")
    member_count: int = Field(description="成员数；账号没有连接时是最近说过话的人数")
    presence: State = Field(description="秘书现在的状态")
    last_message_at: Instant | None = Field(description="最后一条消息的时刻")
    enabled: bool = Field(description="秘书在不在这个群里干活")

    @classmethod
    def of(cls, group: group_operations.GroupEntry, zone: ZoneInfo) -> Group:
        return cls.take(group, last_message_at=maybe_at(group.last_message_at, zone))


class MemberShape(Shape):
    """A member of the group that is asked for."""

    id: str = Field(description="号码")
    name: str = Field(description="群名片或昵称")
    role: Literal["owner", "admin", "member"] = Field(description="群主、管理员或成员")
    last_spoke_at: Instant | None = Field(description="最后说话的时刻")

    @classmethod
    def of(cls, member: group_operations.MemberEntry, zone: ZoneInfo, **more: str) -> Self:
        return cls.take(member, last_spoke_at=maybe_at(member.last_spoke_at, zone), **more)


class Member(MemberShape):
    """A member of a group."""

    model_config = example(
        id="101", group_id="777001", name="小明", role="member", last_spoke_at="2026-11-18T09:58:00.000+08:00"
    )

    group_id: str = Field(description="在哪个群里")


class SettingsShape(Shape):
    """Settings in force in a group."""

    silence_words: list[str] = Field(description="让秘书安静的词")
    speak_words: list[str] = Field(description="让秘书再说话的词")
    wake_words: list[str] = Field(description="叫秘书的词")
    features: dict[str, bool] = Field(description="各项功能开没开")
    persona: str | None = Field(description="人设；没设是 null")
    listen: Literal["off", "present", "always"] = Field(description="听不听大家说的安排")
    digest_time: str = Field(description="日报几点发，HH:MM")
    weekly_time: str = Field(description="周报哪天几点发，如 MO 09:00")
    quiet_hours: str | None = Field(description="安静时段，这段时间不主动说话，如 23:00-08:00；没设是 null")


class Settings(SettingsShape):
    """Settings in force in a group, and which."""

    model_config = example(
        group_id="777001",
        silence_words=["闭嘴"],
        speak_words=["张嘴"],
        wake_words=["秘书"],
        features={"插话": True},
        persona=None,
        listen="present",
        digest_time="08:00",
        weekly_time="FR 18:00",
        quiet_hours="23:00-08:00",
    )

    group_id: str = Field(description="哪个群的")


class SettingChange(BaseModel):
    """Change of a setting over HTTP or in the console."""

    user_id: str | None = Field(description="谁改的；机器人的主人是 null")
    name: str = Field(description="改了哪一项")
    value: str = Field(description="改成了什么")
    at: Instant = Field(description="什么时候")


class Line(Shape):
    """A line of a group's record."""

    model_config = example(
        id="8841",
        group_id="777001",
        user_id="101",
        name="小明",
        text="周六九点集合",
        at="2026-11-18T09:58:00.000+08:00",
    )

    id: str = Field(description="消息的编号")
    group_id: str = Field(description="在哪个群里")
    user_id: str = Field(description="谁说的")
    name: str = Field(description="当时的名片或昵称")
    text: str = Field(description="说了什么")
    at: Instant = Field(description="什么时候说的")

    @classmethod
    def of(cls, said: LedgerMessage, zone: ZoneInfo) -> Line:
        group_id = said.conversation.peer
        return cls.take(said, id=said.message_id, group_id=group_id, at=at(said.time, zone))


class UsageShape(Shape):
    """Calls of one kind to one model on one day."""

    day: Day = Field(description="哪天")
    model: str = Field(description="哪个模型")
    call: str = Field(description="哪种调用")
    calls: int = Field(description="几次")
    tokens_in: int = Field(description="输入的 token")
    cached: int = Field(description="tokens_in 里命中缓存的")
    tokens_out: int = Field(description="输出的 token")
    yuan: str | None = Field(description="多少元，六位小数；没写价格的模型是 null")

    @classmethod
    def of(cls, row: DayOfUsage, **more: str) -> Self:
        used = row.used
        return cls.take(
            used,
            day=row.day,
            tokens_in=used.prompt_tokens,
            cached=used.cached_tokens,
            tokens_out=used.completion_tokens,
            yuan=None if row.yuan is None else f"{row.yuan:.6f}",
            **more,
        )


class Usage(UsageShape):
    """Calls of one kind to one model on one day, and their id."""

    model_config = example(
        id="2026-11-18:chat_reply:deepseek-v4-flash",
        day="2026-11-18",
        model="deepseek-v4-flash",
        call="chat_reply",
        calls=12,
        tokens_in=9000,
        cached=6000,
        tokens_out=800,
        yuan="0.004720",
    )

    id: str = Field(description="编号：日期:调用:模型")


class Nudge(BaseModel):
    """A nudge that is said, or will be after quiet hours."""

    model_config = example(
        user_id="902", text="陈默想问问：「交方案」怎么样了？", at="2026-11-18T10:00:00+08:00"
    )

    user_id: str = Field(description="催谁")
    text: str = Field(description="在群里说的话")
    at: Instant = Field(description="什么时候说；安静时段里要等到结束")


class Undone(BaseModel):
    """Summary of an undone change."""

    model_config = example(summary="记下日程「例会」")

    summary: str = Field(description="撤销了什么")


class Event(BaseModel):
    """Live event of a group."""

    model_config = example(
        id="3f9c2a71-42",
        group_id="777001",
        kind="schedule",
        action="added",
        thing_id="12",
        user_id="101",
        at="2026-11-18T10:00:00.000+08:00",
        data=None,
    )

    id: str = Field(description="编号，只增；重新连接时放在 Last-Event-ID 里，接着它往下听")
    group_id: str = Field(description="在哪个群里")
    kind: Kind | Literal["budget", "ready", "reset"] = Field(
        description="什么变了；ready：开始听了；reset：断得太久，漏掉的补不全，该重新读列表了"
    )
    action: Literal["added", "changed", "deleted"] | None = Field(description="添了、改了还是删了")
    thing_id: str | None = Field(
        description="哪个日程、任务、统计或哪笔账，按这个编号去读；别的是 null，应重新读列表"
    )
    user_id: str | None = Field(description="谁做的；不知道是 null")
    at: Instant = Field(description="什么时候")
    data: dict[str, Any] | None = Field(description="presence、decision、draft 的内容；别的是 null")

    @classmethod
    def of(cls, news: BotEvent, event_id: str, zone: ZoneInfo) -> Event:
        noted = news.data if news.kind not in ("presence", "decision", "draft") else None
        budget = news.table == BUDGETS
        read = noted is not None and news.kind in ("schedule", "task", "transaction", "poll") and not budget
        return cls(
            id=event_id,
            group_id=news.conversation.peer,
            kind="budget" if budget else news.kind,
            action=None if noted is None else noted.get("action"),
            thing_id=str(news.data["id"]) if read else None,
            user_id=None if noted is None else noted.get("by"),
            at=at(news.at, zone),
            data=news.data if noted is None else None,
        )
