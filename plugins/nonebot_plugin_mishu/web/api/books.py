"""`/api/groups/{id}/transactions`, `balances`, `settlements`, `budgets`: a group's account books."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date as Day
from datetime import timedelta
from decimal import Decimal
from typing import Annotated, Any

from fastapi import APIRouter, Query, Response
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from ...services.books import books
from ...services.books.books import RecordFilter
from ...services.office import Office
from ...services.paging import cut_page, decode_cursor
from ...storage.transactions.queries import TransactionRecord
from ..acting import WhoActs
from ..layers.handlers import ApiError
from ..schemas import Shape
from ..v1.shapes import Scope, Type, yuan
from .values import (
    PRINTABLE,
    CommonBody,
    Cursor,
    DeletesFor,
    GroupId,
    Limit,
    Person,
    RowId,
    SelfId,
    When,
    Whose,
    WritesFor,
    day_from,
    day_to,
    paged,
)

Month = Annotated[str | None, Query(pattern=r"^\d{4}-(?:0[1-9]|1[0-2])$", description="YYYY-MM，默认这个月")]


def _exact(value: object) -> object:
    """Amount in yuan: a decimal string or a whole number; floats and booleans are refused."""
    if isinstance(value, bool) or (isinstance(value, float) and not value.is_integer()):
        return str(value) if isinstance(value, float) else "-"
    return value


Yuan = Annotated[
    Decimal, BeforeValidator(_exact), Field(ge=0, le=100_000_000, decimal_places=2, allow_inf_nan=False)
]
"""An amount in yuan, at most two decimals."""


class PartBody(BaseModel):
    """One person's share of it; `user` is null for somebody who was not named."""

    user: str | None
    share: str


class TransactionBody(Shape):
    """One saved transaction."""

    id: int
    type: Type
    amount: str = Field(description="元，两位小数的字符串")
    category: str
    description: str
    date: str = Field(description="YYYY-MM-DD")
    user: str = Field(description="谁记的")
    scope: Scope
    payer: str = Field(description="谁付的")
    participants: list[PartBody] = Field(description="谁分摊多少；没有分摊则为空")


class PartIn(BaseModel):
    """A sharer; all with their `share`, or all without (evenly)."""

    model_config = ConfigDict(extra="forbid")

    user: Person
    share: Yuan | None = None


class TransactionInput(BaseModel):
    """Fields of a transaction, the same in both generations of routes."""

    type: Type | None = Field(None, description="默认 EXPENSE 支出")
    amount: Yuan | None = Field(None, description="多少元，最多两位小数；新建时必填")
    category: str | None = Field(None, max_length=100, description="分类，默认 其他")
    description: str | None = Field(None, max_length=500, description="说明")
    date: Day | None = Field(None, description="哪天的，默认今天")
    scope: Scope | None = Field(None, description="shared 记成群账；默认 personal，有人分摊就是 shared")
    payer: Person | None = Field(None, description="谁付的，默认记的人")


class TransactionIn(TransactionInput, CommonBody):
    """Fields of a transaction. In a PATCH what is left out stays."""

    participants: list[PartIn] | None = Field(None, max_length=200)

    def said(self) -> dict[str, Any]:
        given = super().said()
        if self.participants is not None:
            given["participants"] = [(each.user, each.share) for each in self.participants]
        return given


class TransferBody(BaseModel):
    """A debt or repayment of `from` to `to`."""

    model_config = ConfigDict(populate_by_name=True)

    debtor: str = Field(serialization_alias="from")
    creditor: str = Field(serialization_alias="to")
    amount: str


class SettlementIn(CommonBody):
    """A repaid debt."""

    giver: Person = Field(validation_alias="from")
    getter: Person = Field(validation_alias="to")
    amount: Yuan


class BudgetsBody(BaseModel):
    """Budgets of a person in a month; null: no budget."""

    month: str
    total: str | None
    categories: dict[str, str]


class BudgetsIn(CommonBody):
    """Budgets to set; null removes one, absent ones stay."""

    month: str | None = Field(None, pattern=r"^\d{4}-(?:0[1-9]|1[0-2])$")
    total: Yuan | None = None
    categories: dict[str, Yuan | None] = Field(default_factory=dict[str, Yuan | None], max_length=100)

    def amounts(self) -> dict[str, Decimal | None]:
        """By category, "" for the total."""
        total = {"": self.total} if "total" in self.model_fields_set else {}
        return {**self.categories, **total}


def transaction_json(record: TransactionRecord) -> TransactionBody:
    """A transaction as the routes give it."""
    fields = record.fields
    parts = [PartBody(user=str(user) or None, share=yuan(int(fen))) for user, _, fen in fields.shares]
    payer = parts[0].user if parts else None
    return TransactionBody.take(
        fields,
        id=record.id,
        amount=yuan(fields.fen),
        date=fields.day,
        user=record.user_id,
        scope="shared" if fields.shared else "personal",
        payer=payer or record.user_id,
        participants=parts,
    )


def budgets_json(found: books.MonthBudgets) -> BudgetsBody:
    """Budgets as the routes give them."""
    total = None if found.total is None else yuan(found.total)
    return BudgetsBody(
        month=found.month,
        total=total,
        categories={category: yuan(fen) for category, fen in found.categories.items()},
    )


def routes(office: Office) -> APIRouter:
    router = APIRouter(tags=["账本"])

    @router.get("/groups/{id}/transactions", summary="群里记下的账，按日期，旧的在前")
    async def listed(
        response: Response,
        actor: WhoActs,
        group_id: GroupId,
        first: Annotated[When, Query(alias="from")] = None,
        last: Annotated[When, Query(alias="to")] = None,
        category: Annotated[str | None, Query(max_length=100, pattern=PRINTABLE)] = None,
        kind: Annotated[Type | None, Query(alias="type")] = None,
        user: Whose = None,
        limit: Limit = 200,
        cursor: Cursor = None,
        self_id: SelfId = None,
    ) -> Sequence[TransactionBody]:
        since = day_from("from", first, office.zone)
        until = day_to("to", last, office.zone)
        if since is not None and until is not None and since > until:
            raise ApiError(422, "from：不能晚于 to", "from")
        after = decode_cursor(cursor)
        place = await office.find_visible_group(actor, group_id, self_id)
        if place is None:
            return []
        wanted = RecordFilter(
            None if since is None else since.isoformat(),
            None if until is None else (until - timedelta(days=1)).isoformat(),
            category,
            kind,
            user,
        )
        page = await books.list_records(office, actor, place, wanted, limit=limit, after=after)
        return paged(response, page, transaction_json)

    @router.post("/groups/{id}/transactions", summary="记一笔账", status_code=201)
    async def add(
        write: WritesFor, group_id: GroupId, body: TransactionIn, self_id: SelfId = None
    ) -> TransactionBody:
        place = await office.require_group(write.actor, group_id, self_id)
        return transaction_json(await books.create_record(office, body.of(write), place, body.said()))

    @router.get("/groups/{id}/transactions/{tid}", summary="一笔账")
    async def read(actor: WhoActs, group_id: GroupId, tid: RowId, self_id: SelfId = None) -> TransactionBody:
        place = await office.require_group(actor, group_id, self_id)
        return transaction_json(await books.get_record(office, actor, place, tid))

    @router.patch("/groups/{id}/transactions/{tid}", summary="改一笔账，只能改自己记的")
    async def change(
        write: WritesFor, group_id: GroupId, tid: RowId, body: TransactionIn, self_id: SelfId = None
    ) -> TransactionBody:
        place = await office.require_group(write.actor, group_id, self_id)
        return transaction_json(await books.update_record(office, body.of(write), place, tid, body.said()))

    @router.delete("/groups/{id}/transactions/{tid}", summary="删一笔账，只能删自己记的", status_code=204)
    async def remove(write: DeletesFor, group_id: GroupId, tid: RowId, self_id: SelfId = None) -> None:
        place = await office.require_group(write.actor, group_id, self_id)
        await books.delete_record(office, write, place, tid)

    @router.get("/groups/{id}/balances", summary="谁欠谁多少")
    async def balances(
        response: Response,
        actor: WhoActs,
        group_id: GroupId,
        limit: Limit = 200,
        cursor: Cursor = None,
        self_id: SelfId = None,
    ) -> Sequence[TransferBody]:
        place = await office.require_group(actor, group_id, self_id)
        owed = sorted(await books.list_debts(office, place), key=lambda each: (each.debtor, each.creditor))
        numbered = list(enumerate(owed))
        page = cut_page(numbered, limit, decode_cursor(cursor), lambda each: ("", each[0]))
        return paged(
            response,
            page,
            lambda each: TransferBody(
                debtor=each[1].debtor, creditor=each[1].creditor, amount=yuan(each[1].fen)
            ),
        )

    @router.post("/groups/{id}/settlements", summary="记下谁还了谁多少", status_code=201)
    async def settle(
        write: WritesFor, group_id: GroupId, body: SettlementIn, self_id: SelfId = None
    ) -> TransferBody:
        place = await office.require_group(write.actor, group_id, self_id)
        made = await books.pay_back(office, body.of(write), place, body.giver, body.getter, body.amount)
        return TransferBody(debtor=body.giver, creditor=body.getter, amount=yuan(made.fields.fen))

    @router.get("/groups/{id}/budgets", summary="一个人某个月的预算")
    async def read_budgets(
        actor: WhoActs, group_id: GroupId, month: Month = None, user: Whose = None, self_id: SelfId = None
    ) -> BudgetsBody:
        place = await office.require_group(actor, group_id, self_id)
        when = month or f"{office.now():%Y-%m}"
        return budgets_json(await books.get_budgets(office, actor, place, when, user_id=user))

    @router.put("/groups/{id}/budgets", summary="设预算；给 null 去掉，没给的不变")
    async def set_budgets(
        write: WritesFor, group_id: GroupId, body: BudgetsIn, self_id: SelfId = None
    ) -> BudgetsBody:
        place = await office.require_group(write.actor, group_id, self_id)
        when = body.month or f"{office.now():%Y-%m}"
        return budgets_json(await books.set_budgets(office, body.of(write), place, when, body.amounts()))

    return router
