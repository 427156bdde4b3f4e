"""`/api/v1`: imported calendars and bills of people."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Annotated, Any
from zoneinfo import ZoneInfo

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel, ConfigDict, Field

from ...services.imports import bills, calendars
from ...services.imports.calendars import Imported, MemberOccurrence
from ...services.office import Office
from ...services.refusals import invalid
from ...storage.calendars.queries import CalendarSource
from ..acting import Origin, WhoActs
from ..api.values import PRINTABLE, instant
from ..schemas import Instant, at
from .shapes import Listed, example, yuan
from .values import AsUser, Body, Confirm, From, ThingId, To, V1Route, row_id

FileName = Annotated[
    str, Query(min_length=1, max_length=200, pattern=PRINTABLE, description="文件名，比如 课表.ics")
]
WhoseCalendars = Annotated[str, Query(min_length=1, max_length=64, pattern=PRINTABLE, description="谁的")]
_FILE: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "description": "文件的内容，最多 5 MB",
        "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
    }
}


class Calendar(BaseModel):
    """An imported calendar of a person."""

    model_config = example(
        id="3",
        user_id="101",
        name="工作",
        address="https://calendar.example.com/basic.ics",
        shared_with=[],
        entries=42,
        skipped=0,
        trouble=None,
        checked_at="2026-11-18T10:00:00.000+08:00",
    )

    id: str = Field(description="编号")
    user_id: str = Field(description="谁的")
    name: str = Field(description="名字")
    address: str | None = Field(description="订阅的地址；文件是 null")
    shared_with: list[str] = Field(description="哪些群看得到里面的日程；别的群只知道忙不忙")
    entries: int = Field(description="里面有多少日程")
    skipped: int = Field(description="有多少读不懂没要")
    trouble: str | None = Field(description="上次为什么没更新成；更新好了是 null")
    checked_at: Instant = Field(description="上次更新的时间")

    @classmethod
    def of(cls, kept: CalendarSource, zone: ZoneInfo) -> Calendar:
        """From a source."""
        return cls(
            id=str(kept.id),
            user_id=kept.user_id,
            name=kept.name,
            address=kept.address,
            shared_with=list(kept.shared),
            entries=kept.entries,
            skipped=kept.skipped,
            trouble=kept.trouble,
            checked_at=at(kept.checked_at, zone),
        )


class CalendarImport(BaseModel):
    """A calendar that was taken in, and what that changed."""

    calendar: Calendar = Field(description="日历")
    added: int = Field(description="新加了几个日程")
    changed: int = Field(description="改了几个")
    deleted: int = Field(description="去掉了几个")

    @classmethod
    def of(cls, done: Imported, zone: ZoneInfo) -> CalendarImport:
        """From what was done."""
        counts = done.counts
        return cls(
            calendar=Calendar.of(done.source, zone),
            added=counts.added,
            changed=counts.changed,
            deleted=counts.deleted,
        )


class CalendarTime(BaseModel):
    """One time of an imported entry."""

    calendar: str = Field(description="哪个日历里的")
    title: str = Field(description="名字")
    place: str | None = Field(description="地点")
    starts_at: datetime = Field(description="开始")
    ends_at: datetime = Field(description="结束；全天的是后一天零点")
    all_day: bool = Field(description="是不是全天的")
    busy: bool = Field(description="算不算忙")

    @classmethod
    def of(cls, one: MemberOccurrence) -> CalendarTime:
        """From an occurrence."""
        each = one.occurrence
        return cls(
            calendar=one.source,
            title=each.title,
            place=each.place,
            starts_at=each.begins,
            ends_at=each.ends,
            all_day=each.all_day,
            busy=each.busy,
        )


class Subscription(Body):
    """An address to subscribe to."""

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [{"as_user": "101", "address": "https://calendar.example.com/basic.ics"}]
        },
    )

    address: str = Field(min_length=1, max_length=2000, description="http 或 https 的地址")
    name: str = Field("", max_length=100, description="名字，默认用日历自己的")


class CalendarFields(Body):
    """What may be changed of a calendar."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"as_user": "101", "shared_with": ["777001"]}]}
    )

    name: str | None = Field(None, max_length=100, description="名字")
    shared_with: list[Annotated[str, Field(max_length=64)]] | None = Field(
        None, max_length=100, description="哪些群看得到"
    )


class BillRow(BaseModel):
    """A record that a bill would make."""

    type: str = Field(description="EXPENSE 支出，INCOME 收入")
    amount: str = Field(description="多少元，两位小数")
    category: str = Field(description="分类")
    description: str = Field(description="说明")
    date: str = Field(description="哪天的，YYYY-MM-DD")
    refund_of: str | None = Field(description="退的是哪个单号；不是退款是 null")


class Bill(BaseModel):
    """A bill before anything of it is written."""

    id: str | None = Field(description="编号，确认时用；没有要记的是 null")
    source: str = Field(description="wechat 微信，alipay 支付宝")
    total: int = Field(description="一共几笔")
    new: int = Field(description="新的几笔")
    skipped: dict[str, int] = Field(description="跳过的，按原因")
    later: int = Field(description="这次记不完、要再发一次的几笔")
    words: str = Field(description="一段话")
    items: list[BillRow] = Field(description="要记的")


class Written(BaseModel):
    """What was written of a bill."""

    records: int = Field(description="记了几笔")


def routes(office: Office) -> APIRouter:
    """The routes, to be included in the API."""
    router = APIRouter(tags=["v1 导入"], route_class=V1Route)

    @router.get("/calendars", summary="一个人导入的日历")
    async def list_calendars(actor: WhoActs, user_id: WhoseCalendars) -> Listed[Calendar]:
        found = await calendars.list_sources(office, actor, user_id)
        return Listed(items=[Calendar.of(each, office.zone) for each in found], next_cursor=None)

    @router.post("/calendars", status_code=201, summary="订阅一个日历地址，每半小时更新")
    async def subscribe_calendar(actor: WhoActs, body: Subscription) -> CalendarImport:
        done = await calendars.subscribe(office, actor, body.address, name=body.name, user_id=body.as_user)
        return CalendarImport.of(done, office.zone)

    @router.post("/calendars/file", status_code=201, summary="导入一个 .ics 文件", openapi_extra=_FILE)
    async def import_calendar(
        actor: WhoActs, request: Request, name: FileName, as_user: AsUser = None
    ) -> CalendarImport:
        data = await request.body()
        done = await calendars.import_file(office, actor, name, data, user_id=as_user)
        return CalendarImport.of(done, office.zone)

    @router.get("/calendars/times", summary="一个人导入的日历里，一段时间的日程")
    async def list_calendar_times(
        actor: WhoActs, user_id: WhoseCalendars, first: From = None, last: To = None
    ) -> Listed[CalendarTime]:
        begins = instant("from", first, office.zone) or office.now()
        ends = instant("to", last, office.zone) or begins + timedelta(days=30)
        found = await calendars.list_occurrences(office, actor, user_id, begins, ends)
        return Listed(items=[CalendarTime.of(each) for each in found], next_cursor=None)

    @router.get("/calendars/{calendar_id}", summary="一个导入的日历")
    async def get_calendar(actor: WhoActs, calendar_id: ThingId) -> Calendar:
        found = await calendars.get_source(office, actor, row_id(calendar_id, "日历"))
        return Calendar.of(found, office.zone)

    @router.patch("/calendars/{calendar_id}", summary="改名，或公开给群")
    async def update_calendar(actor: WhoActs, calendar_id: ThingId, body: CalendarFields) -> Calendar:
        number = row_id(calendar_id, "日历")
        done = await calendars.update_source(office, actor, number, body.said(), user_id=body.as_user)
        return Calendar.of(done, office.zone)

    @router.delete("/calendars/{calendar_id}", status_code=204, summary="删掉一个导入的日历")
    async def delete_calendar(
        actor: WhoActs, calendar_id: ThingId, as_user: AsUser = None, confirm: Confirm = False
    ) -> None:
        number = row_id(calendar_id, "日历")
        await calendars.remove_source(office, actor, number, user_id=as_user, confirm=confirm)

    @router.post(
        "/bills/file",
        status_code=201,
        summary="看一份微信或支付宝账单要记什么，还不记",
        openapi_extra=_FILE,
    )
    async def preview_bill(actor: WhoActs, origin: Origin, request: Request, as_user: AsUser = None) -> Bill:
        data = await request.body()
        if not data:
            raise invalid("file", "不能缺少")
        shown = await bills.preview_bill(office, actor, data, origin=origin, user_id=as_user)
        found = shown.preview
        return Bill(
            id=str(found.id) if found.records else None,
            source=found.source,
            total=found.total,
            new=found.new,
            skipped=dict(found.skipped),
            later=found.later,
            words=shown.words,
            items=[
                BillRow(
                    type=each.type,
                    amount=yuan(each.fen),
                    category=each.category,
                    description=each.description,
                    date=each.day,
                    refund_of=each.refund_of,
                )
                for each in found.records
            ],
        )

    @router.post("/bills/{bill_id}/confirm", summary="把看过的账单记到账本")
    async def confirm_bill(actor: WhoActs, bill_id: ThingId, as_user: AsUser = None) -> Written:
        number = row_id(bill_id, "账单")
        return Written(records=await bills.confirm_bill(office, actor, number, user_id=as_user))

    @router.delete("/bills/{bill_id}", status_code=204, summary="看过的账单不记了")
    async def drop_bill(actor: WhoActs, bill_id: ThingId, as_user: AsUser = None) -> None:
        await bills.drop_bill(office, actor, row_id(bill_id, "账单"), user_id=as_user)

    return router
