"""Transactions, balances, settlements and budgets: to the fen, by the same books as a line in the group."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from default_run import first
from nonebot_plugin_mishu.services.access.actor import OWNER, Actor
from nonebot_plugin_mishu.services.books import books
from nonebot_plugin_mishu.services.paging import Key

from .conftest import GROUP, MING, PLACE, WANG, YA, Running

PATH = f"/groups/{GROUP}/transactions"
LUNCH = {
    "type": "EXPENSE",
    "amount": "35.00",
    "category": "餐饮",
    "description": "午饭",
    "date": "2026-11-18",
    "user_id": MING,
}
DINNER = {
    **LUNCH,
    "amount": "100",
    "description": "聚餐",
    "scope": "shared",
    "participants": [{"user": MING}, {"user": YA}, {"user": WANG}],
}


async def made(client: httpx.AsyncClient, body: dict[str, Any]) -> dict[str, Any]:
    answer = await client.post(PATH, json=body)
    assert answer.status_code == 201, answer.text
    return answer.json()


async def test_made_changed_and_deleted(running: Running) -> None:
    async with running.client() as client:
        row = await made(client, LUNCH)
        assert row == {
            "id": row["id"],
            "type": "EXPENSE",
            "amount": "35.00",
            "category": "餐饮",
            "description": "午饭",
            "date": "2026-11-18",
            "user": MING,
            "scope": "personal",
            "payer": MING,
            "participants": [],
        }
        assert (await client.get(PATH)).json() == [row]
        one = f"{PATH}/{row['id']}"
        changed = await client.patch(one, json={"amount": "36.50", "user_id": MING})
        assert (changed.json()["amount"], changed.json()["description"]) == ("36.50", "午饭")
        assert (await client.patch(one, json={"amount": "1"})).status_code == 422  # whose?
        assert (await client.patch(one, json={"amount": "1", "user_id": YA})).status_code == 403
        asked = await client.delete(one, params={"user_id": MING})
        assert asked.status_code == 409
        assert "36.50" in asked.json()["error"]["question"]
        assert (await client.delete(one, params={"user_id": MING, "confirm": "true"})).status_code == 204
        assert (await client.get(PATH)).json() == []
    assert running.platform.texts == []


async def test_what_is_shared_is_divided_to_the_fen_and_told(running: Running) -> None:
    async with running.client() as client:
        row = await made(client, DINNER)
        assert row["participants"] == [
            {"user": MING, "share": "33.34"},
            {"user": YA, "share": "33.33"},
            {"user": WANG, "share": "33.33"},
        ]
        assert (row["scope"], row["payer"]) == ("shared", MING)
        balances = (await client.get(f"/groups/{GROUP}/balances")).json()
        assert balances == [
            {"from": YA, "to": MING, "amount": "33.33"},
            {"from": WANG, "to": MING, "amount": "33.33"},
        ]
        paid = {"from": YA, "to": MING, "amount": "33.33", "user_id": YA}
        answer = await client.post(f"/groups/{GROUP}/settlements", json=paid)
        assert answer.status_code == 201
        assert answer.json() == {"from": YA, "to": MING, "amount": "33.33"}
        left = (await client.get(f"/groups/{GROUP}/balances")).json()
        assert left == [{"from": WANG, "to": MING, "amount": "33.33"}]
        more = await client.post(f"/groups/{GROUP}/settlements", json=paid)
        assert more.status_code == 409
        assert "没有欠" in more.json()["error"]["question"]
        yes = await client.post(f"/groups/{GROUP}/settlements", json={**paid, "confirm": True})
        assert yes.status_code == 201
    assert "聚餐" in running.platform.texts[0]
    assert set(running.platform.sent[0][1].mentions) == {YA, WANG}


async def test_shares_said_one_by_one_and_another_payer(running: Running) -> None:
    parts = [{"user": MING, "share": "30"}, {"user": YA, "share": "70.00"}]
    async with running.client() as client:
        row = await made(client, {**DINNER, "payer": YA, "participants": parts})
        assert row["payer"] == YA
        assert (await client.get(f"/groups/{GROUP}/balances")).json() == [
            {"from": MING, "to": YA, "amount": "30.00"}
        ]
        wrong = await client.post(PATH, json={**DINNER, "participants": [{"user": YA, "share": "1"}]})
        assert wrong.status_code == 422
        assert wrong.json()["error"]["message"].startswith("participants")
        # The amount changes, and what was even stays even.
        even = await made(client, DINNER)
        changed = await client.patch(f"{PATH}/{even['id']}", json={"amount": "90", "user_id": MING})
        assert [each["share"] for each in changed.json()["participants"]] == ["30.00"] * 3


@first(2)
@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"amount": None}, "amount"),
        ({"amount": "0"}, "amount"),
        ({"amount": "-1"}, "amount"),
        ({"amount": "1.005"}, "amount"),
        ({"amount": 0.1}, ""),
        ({"amount": True}, "amount"),
        ({"amount": "NaN"}, "amount"),
        ({"type": "GIFT"}, "type"),
        ({"date": "2026-11-31"}, "date"),
        ({"category": "x" * 99}, "category"),
        ({"scope": "personal", "participants": [{"user": YA}]}, "participants"),
        ({"user_id": None}, "user_id"),
    ],
)
async def test_a_wrong_value_is_422_and_named(running: Running, change: dict[str, Any], named: str) -> None:
    async with running.client() as client:
        answer = await client.post(PATH, json={**LUNCH, **change})
        if not named:  # a tenth is ten fen, whatever a float makes of it
            assert answer.json()["amount"] == "0.10"
            return
        assert answer.status_code == 422, answer.text
        assert answer.json()["error"]["message"].startswith(named)


async def test_spans_filters_and_pages(running: Running) -> None:
    async with running.client() as client:
        for day in range(10, 17):
            await made(client, {**LUNCH, "date": f"2026-11-{day}", "amount": str(day)})
        await made(client, {**LUNCH, "type": "INCOME", "category": "工资", "date": "2026-11-12"})
        span = {"from": "2026-11-11", "to": "2026-11-14", "type": "EXPENSE"}
        assert [row["date"][-2:] for row in (await client.get(PATH, params=span)).json()] == [
            "11",
            "12",
            "13",
        ]
        moment = {"from": "2026-11-15T00:00:00+08:00", "to": "2026-11-16T00:00:00+08:00"}
        assert [row["date"][-2:] for row in (await client.get(PATH, params=moment)).json()] == ["15"]
        naive = await client.get(PATH, params={"from": "2026-11-15T00:00:00"})
        assert naive.status_code == 422
        assert naive.json()["error"]["message"].startswith("from")
        assert len((await client.get(PATH, params={"category": "工资"})).json()) == 1
        first = await client.get(PATH, params={"limit": 5})
        rest = await client.get(PATH, params={"limit": 5, "cursor": first.headers["X-Next-Cursor"]})
        ids = [row["id"] for row in [*first.json(), *rest.json()]]
        assert len(ids) == len(set(ids)) == 8


async def test_personal_records_are_their_person_s(running: Running) -> None:
    async with running.client() as client:
        mine = await made(client, LUNCH)
        both = await made(client, DINNER)
    async with running.client(Actor("admin", YA, GROUP, "小雅")) as client:
        assert [row["id"] for row in (await client.get(PATH)).json()] == [both["id"]]
        assert (await client.patch(f"{PATH}/{mine['id']}", json={"amount": "1"})).status_code == 404
        assert (await client.patch(f"{PATH}/{both['id']}", json={"amount": "1"})).status_code == 403
        others = {"from": WANG, "to": MING, "amount": "33.33"}
        assert (await client.post(f"/groups/{GROUP}/settlements", json=others)).status_code == 201
    async with running.client(Actor("member", MING, GROUP, "小明")) as client:
        assert [row["id"] for row in (await client.get(PATH)).json()][:2] == [mine["id"], both["id"]]
        others = {"from": WANG, "to": YA, "amount": "1"}
        assert (await client.post(f"/groups/{GROUP}/settlements", json=others)).status_code == 403


async def test_budgets_are_set_in_parts_and_taken_away(running: Running) -> None:
    path = f"/groups/{GROUP}/budgets"
    whose = {"user_id": MING}
    async with running.client() as client:
        assert (await client.get(path)).status_code == 422
        body = {"month": "2026-11", "total": "3000", "categories": {"餐饮": "1000.50"}, **whose}
        kept = {"month": "2026-11", "total": "3000.00", "categories": {"餐饮": "1000.50"}}
        assert (await client.put(path, json=body)).json() == kept
        assert (await client.get(path, params=whose)).json() == kept
        less = await client.put(path, json={"categories": {"餐饮": None}, **whose})
        assert less.json() == {"month": "2026-11", "total": "3000.00", "categories": {}}
        wrong = await client.put(path, json={"total": "-1", **whose})
        assert wrong.status_code == 422
        assert (await client.get(path, params={**whose, "month": "2026-13"})).status_code == 422


async def test_a_span_that_ends_before_it_begins_is_named(running: Running) -> None:
    async with running.client() as client:
        answer = await client.get(PATH, params={"from": "2026-11-20", "to": "2026-11-19"})
        assert answer.status_code == 422
        assert answer.json()["error"]["message"].startswith("from")


async def test_null_takes_a_field_away(running: Running) -> None:
    async with running.client() as client:
        one = f"{PATH}/{(await made(client, DINNER))['id']}"
        bare = await client.patch(one, json={"category": None, "description": None, "user_id": MING})
        assert (bare.json()["category"], bare.json()["description"]) == ("其他", "")
        assert len(bare.json()["participants"]) == 3
        alone = await client.patch(one, json={"participants": None, "user_id": MING})
        assert (alone.json()["participants"], alone.json()["amount"]) == ([], "100.00")
        assert (await client.get(f"/groups/{GROUP}/balances")).json() == []
        for name in ("amount", "type", "date"):
            refused = await client.patch(one, json={name: None, "user_id": MING})
            assert refused.status_code == 422
            assert refused.json()["error"]["message"].startswith(name)


async def test_the_newest_first_page_by_page(running: Running) -> None:
    async with running.client() as client:
        for number in range(7):
            await made(
                client, {**LUNCH, "date": f"2026-11-{10 + number // 2}", "description": f"第{number}笔"}
            )
    wanted, seen = books.RecordFilter(newest=True), list[str]()
    after: Key | None = None
    for _ in range(5):
        page = await books.list_records(running.office, OWNER, PLACE, wanted, limit=2, after=after)
        seen += [each.fields.description for each in page.rows]
        after = books.record_key(page.rows[-1])
        if page.cursor is None:
            break
    assert seen == [f"第{number}笔" for number in reversed(range(7))]
