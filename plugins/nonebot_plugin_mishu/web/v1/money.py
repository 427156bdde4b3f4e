"""`/api/v1`: a group's account books."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Annotated, Any, Final

from fastapi import APIRouter, Query
from pydantic import BaseModel, ConfigDict, Field

from ...services.books import books, totals
from ...services.books.books import RecordFilter
from ...services.office import Office
from ...services.paging import cut_page, decode_cursor
from ...services.refusals import invalid, missing
from ...storage.records import Conversation
from ..acting import WhoActs, Writes
from ..api.books import TransactionInput, Yuan
from ..api.values import PRINTABLE, Person, day_from, day_to
from .shapes import Budget, DaySum, Debt, Listed, Scope, Sum, Totals, Transaction, Type, examples, yuan
from .values import (
    Body,
    Cursor,
    DeletesFor,
    From,
    GroupId,
    Limit,
    ThingId,
    To,
    V1Route,
    Whose,
    WritesFor,
    listed,
    named,
    row_id,
)

_SETTLED: Final[Mapping[str, str]] = {"from": "from_user_id", "to": "to_user_id"}
_MONTH: Final = r"^\d{4}-(?:0[1-9]|1[0-2])$"


class Sharer(BaseModel):
    """Somebody who shares it; all with their `share`, or all without (evenly)."""

    model_config = ConfigDict(extra="forbid")

    user_id: Person = Field(description="谁")
    share: Yuan | None = Field(None, description="分摊多少元；都不给就平摊，除不尽的归付钱的人")


class TransactionFields(TransactionInput, Body):
    """A transaction as it is to be. In a PATCH what is left out stays, and null takes it away."""

    model_config = examples(
        {
            "as_user": "101",
            "type": "EXPENSE",
            "amount": "100.00",
            "category": "餐饮",
            "description": "聚餐",
            "scope": "shared",
            "participants": [{"user_id": "101"}, {"user_id": "102"}],
        }
    )

    participants: list[Sharer] | None = Field(None, max_length=200, description="谁分摊")

    def said(self) -> dict[str, Any]:
        given = super().said()
        if self.participants is not None:
            given["participants"] = [(each.user_id, each.share) for each in self.participants]
        return given


class Settlement(Body):
    """A debt that was paid back."""

    model_config = examples({"as_user": "102", "from_user_id": "102", "to_user_id": "101", "amount": "50.00"})

    from_user_id: Person = Field(description="谁还")
    to_user_id: Person = Field(description="还给谁")
    amount: Yuan = Field(description="多少元")


class BudgetAmount(Body):
    """A budget as it is to be."""

    model_config = examples({"as_user": "101", "amount": "1000"})

    amount: Yuan = Field(description="多少元")


CategoryIn = Annotated[str | None, Query(max_length=100, pattern=PRINTABLE, description="只要这个分类的")]
TypeIn = Annotated[Type | None, Query(description="只要支出、收入或转账")]
ScopeIn = Annotated[Scope | None, Query(description="shared 只要群账，personal 只要各人自己的；不给则都要")]
MonthIn = Annotated[str | None, Query(pattern=_MONTH, description="YYYY-MM，默认这个月")]


def _budget_id(given: str) -> tuple[str, str]:
    """The month and the category ("" is all) of a budget's id."""
    month, _, category = given.partition(":")
    well = len(month) == 7 and month[4] == "-" and (month[:4] + month[5:]).isdecimal() and month.isascii()
    if not well or not 1 <= int(month[5:]) <= 12:
        raise missing("预算")
    return month, category


def routes(office: Office) -> APIRouter:
    router = APIRouter(tags=["v1 账本"], route_class=V1Route)

    def debts(group_id: str, owed: list[Any]) -> list[Debt]:
        ordered = sorted(owed, key=lambda each: (each.debtor, each.creditor))
        return [
            Debt(
                id=f"{each.debtor}-{each.creditor}",
                group_id=group_id,
                from_user_id=each.debtor,
                to_user_id=each.creditor,
                amount=yuan(each.fen),
            )
            for each in ordered
        ]

    async def budgets(actor: WhoActs, place: Conversation, month: str, user_id: str | None) -> list[Budget]:
        found = await books.get_budgets(office, actor, place, month, user_id=user_id)
        whose = user_id if actor.is_owner else actor.user_id
        assert whose is not None  # `books.budgets` refuses an owner who names nobody
        spent = await totals.sum_expenses(office, actor, place, month, whose)
        amounts = {} if found.total is None else {"": found.total}
        return [
            Budget(
                id=f"{month}:{category}" if category else month,
                group_id=place.peer,
                user_id=whose,
                month=month,
                category=category or None,
                amount=yuan(fen),
                spent=yuan(spent.get(category, 0)),
            )
            for category, fen in sorted({**amounts, **found.categories}.items())
        ]

    @router.get("/groups/{group_id}/transactions", summary="群里记下的账，按日期，旧的在前")
    async def list_transactions(
        actor: WhoActs,
        group_id: GroupId,
        first: From = None,
        last: To = None,
        category: CategoryIn = None,
        type: TypeIn = None,
        scope: ScopeIn = None,
        user_id: Whose = None,
        limit: Limit = 50,
        cursor: Cursor = None,
    ) -> Listed[Transaction]:
        place = await office.require_group(actor, group_id)
        since, until = day_from("from", first, office.zone), day_to("to", last, office.zone)
        if since is not None and until is not None and since > until:
            raise invalid("from", "不能晚于 to")
        wanted = RecordFilter(
            None if since is None else since.isoformat(),
            None if until is None else (until - timedelta(days=1)).isoformat(),
            category,
            type,
            user_id,
            scope=scope,
        )
        page = await books.list_records(
            office, actor, place, wanted, limit=limit, after=decode_cursor(cursor)
        )
        return listed(page, lambda each: Transaction.of(each, office.zone))

    @router.post("/groups/{group_id}/transactions", summary="记一笔账", status_code=201)
    async def create_transaction(write: Writes, group_id: GroupId, body: TransactionFields) -> Transaction:
        place = await office.require_group(write.actor, group_id)
        made = await books.create_record(office, body.of(write), place, body.said())
        return Transaction.of(made, office.zone)

    @router.get("/groups/{group_id}/transactions/{transaction_id}", summary="一笔账")
    async def get_transaction(actor: WhoActs, group_id: GroupId, transaction_id: ThingId) -> Transaction:
        place = await office.require_group(actor, group_id)
        found = await books.get_record(office, actor, place, row_id(transaction_id, "账目"))
        return Transaction.of(found, office.zone)

    @router.patch("/groups/{group_id}/transactions/{transaction_id}", summary="改一笔账，只能改自己记的")
    async def update_transaction(
        write: Writes, group_id: GroupId, transaction_id: ThingId, body: TransactionFields
    ) -> Transaction:
        place = await office.require_group(write.actor, group_id)
        number = row_id(transaction_id, "账目")
        changed = await books.update_record(office, body.of(write), place, number, body.said())
        return Transaction.of(changed, office.zone)

    @router.delete(
        "/groups/{group_id}/transactions/{transaction_id}",
        summary="删一笔账，只能删自己记的",
        status_code=204,
    )
    async def delete_transaction(write: DeletesFor, group_id: GroupId, transaction_id: ThingId) -> None:
        place = await office.require_group(write.actor, group_id)
        await books.delete_record(office, write, place, row_id(transaction_id, "账目"))

    @router.get("/groups/{group_id}/totals", summary="一段日子的合计：群账，或一个人自己的（不含群账）")
    async def get_totals(
        actor: WhoActs,
        group_id: GroupId,
        first: From = None,
        last: To = None,
        user_id: Annotated[Whose, Query(description="谁自己的；不给就是群账")] = None,
    ) -> Totals:
        place = await office.require_group(actor, group_id)
        today = office.now().date()
        since = day_from("from", first, office.zone) or today.replace(day=1)
        until = day_to("to", last, office.zone) or today + timedelta(days=1)
        if since > until:
            raise invalid("from", "不能晚于 to")
        end = (until - timedelta(days=1)).isoformat()
        found = await totals.sum_span(
            office, actor, place, since.isoformat(), end, user_id, own_only=user_id is not None
        )
        return Totals(
            scope="shared" if user_id is None else "personal",
            user_id=user_id,
            sums=[Sum.take(each, amount=yuan(each.fen)) for each in found.sums],
            days=[
                DaySum.model_validate({"date": day, "type": kind, "amount": yuan(fen)})
                for day, kind, fen in found.days
            ],
        )

    @router.get("/groups/{group_id}/debts", summary="谁欠谁多少")
    async def list_debts(
        actor: WhoActs, group_id: GroupId, limit: Limit = 50, cursor: Cursor = None
    ) -> Listed[Debt]:
        place = await office.require_group(actor, group_id)
        found = debts(group_id, await books.list_debts(office, place))
        return listed(
            cut_page(found, limit, decode_cursor(cursor), lambda each: (each.id, 0)), lambda each: each
        )

    @router.get("/groups/{group_id}/debts/{debt_id}", summary="一个人欠另一个人多少")
    async def get_debt(actor: WhoActs, group_id: GroupId, debt_id: ThingId) -> Debt:
        place = await office.require_group(actor, group_id)
        for each in debts(group_id, await books.list_debts(office, place)):
            if each.id == debt_id:
                return each
        raise missing("欠账")

    @router.post("/groups/{group_id}/settlements", summary="记下谁还了谁多少", status_code=201)
    async def create_settlement(write: Writes, group_id: GroupId, body: Settlement) -> Transaction:
        place = await office.require_group(write.actor, group_id)
        giver, getter = body.from_user_id, body.to_user_id
        with named(_SETTLED):
            made = await books.pay_back(office, body.of(write), place, giver, getter, body.amount)
        return Transaction.of(made, office.zone)

    @router.get("/groups/{group_id}/budgets", summary="一个人某个月的预算，总预算在前")
    async def list_budgets(
        actor: WhoActs,
        group_id: GroupId,
        month: MonthIn = None,
        user_id: Whose = None,
        limit: Limit = 50,
        cursor: Cursor = None,
    ) -> Listed[Budget]:
        place = await office.require_group(actor, group_id)
        found = await budgets(actor, place, month or f"{office.now():%Y-%m}", user_id)
        return listed(
            cut_page(found, limit, decode_cursor(cursor), lambda each: (each.id, 0)), lambda each: each
        )

    @router.get("/groups/{group_id}/budgets/{budget_id}", summary="一个预算")
    async def get_budget(
        actor: WhoActs, group_id: GroupId, budget_id: ThingId, user_id: Whose = None
    ) -> Budget:
        place = await office.require_group(actor, group_id)
        month, _ = _budget_id(budget_id)
        for each in await budgets(actor, place, month, user_id):
            if each.id == budget_id:
                return each
        raise missing("预算")

    @router.put("/groups/{group_id}/budgets/{budget_id}", summary="设预算，编号是月份，或 月份:分类")
    async def put_budget(write: Writes, group_id: GroupId, budget_id: ThingId, body: BudgetAmount) -> Budget:
        place = await office.require_group(write.actor, group_id)
        month, category = _budget_id(budget_id)
        with named({f"categories.{category}": "budget_id", "total": "amount"}):
            await books.set_budgets(office, body.of(write), place, month, {category: body.amount})
        made = await budgets(write.actor, place, month, body.as_user)
        return next(each for each in made if (each.category or "") == category)

    @router.delete("/groups/{group_id}/budgets/{budget_id}", summary="去掉预算", status_code=204)
    async def delete_budget(write: WritesFor, group_id: GroupId, budget_id: ThingId) -> None:
        place = await office.require_group(write.actor, group_id)
        month, category = _budget_id(budget_id)
        if all(each.id != budget_id for each in await budgets(write.actor, place, month, write.user_id)):
            raise missing("预算")
        await books.set_budgets(office, write, place, month, {category: None})

    return router
