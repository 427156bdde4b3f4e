"""`/api/v1`: imported calendars and bills of people."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Annotated, Any
from zoneinfo import ZoneInfo

from fastapi import APIRouter, Query, Request
from pydantic import BaseModel, Field

from ...services.imports import bills, calendars
from ...services.imports.calendars import Imported, MemberOccurrence
from ...services.office import Office
from ...services.refusals import invalid
from ...storage.calendars.queries import CalendarSource
from ..acting import WhoActs, Writes
from ..api.values import PRINTABLE, instant
from ..schemas import Instant, Shape, at
from .shapes import Listed, example, examples, yuan
from .values import Body, DeletesFor, From, ThingId, To, V1Route, WritesFor, row_id

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


class Calendar(Shape):
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
        checked_at = at(kept.checked_at, zone)
        return cls.take(kept, id=str(kept.id), shared_with=kept.shared, checked_at=checked_at)


class CalendarImport(Shape):
    """An imported calendar, with the counts of its changes."""

    calendar: Calendar = Field(description="日历")
    added: int = Field(description="新加了几个日程")
    changed: int = Field(description="改了几个")
    deleted: int = Field(description="去掉了几个")

    @classmethod
    def of(cls, done: Imported, zone: ZoneInfo) -> CalendarImport:
        return cls.take(done.counts, calendar=Calendar.of(done.source, zone))


class CalendarTime(Shape):
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
        each = one.occurrence
        return cls.take(each, calendar=one.source, starts_at=each.begins, ends_at=each.ends)


class Subscription(Body):
    """An address to subscribe to."""

    model_config = examples({"as_user": "101", "address": "https://calendar.example.com/basic.ics"})

    address: str = Field(min_length=1, max_length=2000, description="http 或 https 的地址")
    name: str = Field("", max_length=100, description="名字，默认用日历自己的")


class CalendarFields(Body):
    """Editable fields of an imported calendar."""

    model_config = examples({"as_user": "101", "shared_with": ["777001"]})

    name: str | None = Field(None, max_length=100, description="名字")
    shared_with: list[Annotated[str, Field(max_length=64)]] | None = Field(
        None, max_length=100, description="哪些群看得到"
    )


class BillRow(Shape):
    """Proposed record of a bill."""

    type: str = Field(description="EXPENSE 支出，INCOME 收入")
    amount: str = Field(description="多少元，两位小数")
    category: str = Field(description="分类")
    description: str = Field(description="说明")
    date: str = Field(description="哪天的，YYYY-MM-DD")
    refund_of: str | None = Field(description="退的是哪个单号；不是退款是 null")


class Bill(Shape):
    """Preview of a bill."""

    id: str | None = Field(description="编号，确认时用；没有要记的是 null")
    source: str = Field(description="wechat 微信，alipay 支付宝")
    total: int = Field(description="一共几笔")
    new: int = Field(description="新的几笔")
    skipped: dict[str, int] = Field(description="跳过的，按原因")
    later: int = Field(description="这次记不完、要再发一次的几笔")
    words: str = Field(description="一段话")
    items: list[BillRow] = Field(description="要记的")


class Written(BaseModel):
    """Number of records written from a bill."""

    records: int = Field(description="记了几笔")


def routes(office: Office) -> APIRouter:
    router = APIRouter(tags=["v1 导入"], route_class=V1Route)

    @router.get("/calendars", summary="一个人导入的日历")
    async def list_calendars(actor: WhoActs, user_id: WhoseCalendars) -> Listed[Calendar]:
        found = await calendars.list_sources(office, actor, user_id)
        return Listed(items=[Calendar.of(each, office.zone) for each in found], next_cursor=None)

    @router.post("/calendars", status_code=201, summary="订阅一个日历地址，每半小时更新")
    async def subscribe_calendar(write: Writes, body: Subscription) -> CalendarImport:
        done = await calendars.subscribe(office, body.of(write), body.address, name=body.name)
        return CalendarImport.of(done, office.zone)

    @router.post("/calendars/file", status_code=201, summary="导入一个 .ics 文件", openapi_extra=_FILE)
    async def import_calendar(write: WritesFor, request: Request, name: FileName) -> CalendarImport:
        done = await calendars.import_file(office, write, name, await request.body())
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
    async def update_calendar(write: Writes, calendar_id: ThingId, body: CalendarFields) -> Calendar:
        number = row_id(calendar_id, "日历")
        done = await calendars.update_source(office, body.of(write), number, body.said())
        return Calendar.of(done, office.zone)

    @router.delete("/calendars/{calendar_id}", status_code=204, summary="删掉一个导入的日历")
    async def delete_calendar(write: DeletesFor, calendar_id: ThingId) -> None:
        await calendars.remove_source(office, write, row_id(calendar_id, "日历"))

    @router.post(
        "/bills/file",
        status_code=201,
        summary="看一份微信或支付宝账单要记什么，还不记",
        openapi_extra=_FILE,
    )
    async def preview_bill(write: WritesFor, request: Request) -> Bill:
        data = await request.body()
        if not data:
            raise invalid("file", "不能缺少")
        shown = await bills.preview_bill(office, write, data)
        found = shown.preview
        return Bill.take(
            found,
            id=str(found.id) if found.records else None,
            words=shown.words,
            items=[BillRow.take(each, amount=yuan(each.fen), date=each.day) for each in found.records],
        )

    @router.post("/bills/{bill_id}/confirm", summary="把看过的账单记到账本")
    async def confirm_bill(write: WritesFor, bill_id: ThingId) -> Written:
        return Written(records=await bills.confirm_bill(office, write, row_id(bill_id, "账单")))

    @router.delete("/bills/{bill_id}", status_code=204, summary="看过的账单不记了")
    async def drop_bill(write: WritesFor, bill_id: ThingId) -> None:
        await bills.drop_bill(office, write, row_id(bill_id, "账单"))

    return router
