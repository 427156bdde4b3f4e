"""Division of a bill to the cent: whatever parts, weights and payers, no fen appears or is lost."""

from __future__ import annotations

from datetime import date

from hypothesis import given
from hypothesis import strategies as st
from nonebot_plugin_mishu.agents.bookkeeping.shares.settling import bill_called, repayments_of
from nonebot_plugin_mishu.agents.bookkeeping.shares.sharing import (
    Bearing,
    balances,
    pair_debts,
    split,
    split_by_payers,
    split_unevenly,
)
from nonebot_plugin_mishu.language.entries.entry import Entry, Share
from nonebot_plugin_mishu.language.ledger.repayments.repaying import Debts

PEOPLE = [("1", "小明"), ("2", "小雅"), ("3", "阿凯"), ("4", "老王"), ("5", "林然")]
DAY = date(2026, 11, 18)
sums = st.integers(1, 10_000_000)
some_people = st.integers(2, 5).map(lambda count: PEOPLE[:count])
weights = st.integers(1, 30)


@st.composite
def shared_bills(draw: st.DrawFn) -> tuple[int, tuple[Share, ...]]:
    """A sum and how members share it, by weights."""
    fen, people = draw(sums), draw(some_people)
    bears = [Bearing(who, "weight", draw(weights)) for who in people]
    shares = split_unevenly(fen, people[0], people[1:], len(people), bears)
    assert shares is not None
    return fen, shares


@st.composite
def paid_bills(draw: st.DrawFn) -> tuple[list[tuple[tuple[str, str], int]], tuple[Share, ...]]:
    """A shared bill and who paid which part of it, perhaps somebody who shares nothing."""
    fen, shares = draw(shared_bills().filter(lambda bill: bill[0] > len(PEOPLE)))
    payers = draw(st.lists(st.sampled_from(PEOPLE), min_size=2, max_size=4, unique=True))
    inner = st.integers(1, fen - 1)
    cuts = sorted(draw(st.lists(inner, min_size=len(payers) - 1, max_size=len(payers) - 1, unique=True)))
    parts = [end - begin for begin, end in zip([0, *cuts], [*cuts, fen], strict=True)]
    return list(zip(payers, parts, strict=True)), shares


@given(shared_bills())
def test_weights_divide_to_the_cent(bill: tuple[int, tuple[Share, ...]]) -> None:
    fen, shares = bill
    assert sum(each.fen for each in shares) == fen
    assert all(each.fen >= 0 for each in shares)


@given(sums, some_people, st.lists(weights, min_size=5, max_size=5))
def test_nobody_but_the_payer_is_a_fen_off_their_weight(
    fen: int, people: list[tuple[str, str]], parts: list[int]
) -> None:
    bears = [Bearing(who, "weight", part) for who, part in zip(people, parts, strict=False)]
    shares = split_unevenly(fen, people[0], people[1:], len(people), bears)
    assert shares is not None
    whole = sum(each.value for each in bears)
    for share, each in zip(shares[1:], bears[1:], strict=True):
        assert share.fen == fen * each.value // whole
    assert 0 <= shares[0].fen - fen * bears[0].value // whole < len(people)


@given(sums, some_people, st.data())
def test_parts_of_every_kind_come_to_the_sum_or_are_refused(
    fen: int, people: list[tuple[str, str]], data: st.DataObject
) -> None:
    kinds = st.sampled_from(["more", "less", "tenths", "sum", "weight"])
    limit = {"more": fen, "less": fen, "tenths": 9, "sum": fen, "weight": 9}
    bears: list[Bearing] = []
    for who in people[1:]:
        if data.draw(st.booleans()):
            kind = data.draw(kinds)
            bears.append(Bearing(who, kind, data.draw(st.integers(1, max(1, limit[kind])))))  # type: ignore[arg-type]
    shares = split_unevenly(fen, people[0], people[1:], len(people), bears)
    if shares is None:
        return
    assert sum(each.fen for each in shares) == fen
    assert all(each.fen >= 0 for each in shares)
    exact = {each.who[0]: each.value for each in bears if each.kind == "sum"}
    assert {each.user_id: each.fen for each in shares if each.user_id in exact} == exact


@given(paid_bills())
def test_a_bill_of_several_payers_is_one_bill_to_the_cent(
    bill: tuple[list[tuple[tuple[str, str], int]], tuple[Share, ...]],
) -> None:
    payments, shares = bill
    found = split_by_payers(shares, payments)
    assert found is not None
    assert [sum(each.fen for each in one) for one in found] == [fen for _, fen in payments]
    assert [one[0].user_id for one in found] == [payer[0] for payer, _ in payments]
    assert all(each.fen >= 0 for one in found for each in one)
    borne: dict[str, int] = {}
    for one in found:
        for each in one:
            borne[each.user_id] = borne.get(each.user_id, 0) + each.fen
    assert {user: fen for user, fen in borne.items() if fen} == {
        each.user_id: each.fen for each in shares if each.fen
    }
    # Who is owed is owed what they paid less what they bear.
    paid = {payer[0]: fen for payer, fen in payments}
    everybody = paid.keys() | borne.keys()
    net = {user: paid.get(user, 0) - borne.get(user, 0) for user in everybody}
    assert balances((one[0].user_id, one) for one in found) == {user: fen for user, fen in net.items() if fen}


@given(paid_bills())
def test_one_bill_made_even_leaves_nobody_owing_for_it(
    bill: tuple[list[tuple[tuple[str, str], int]], tuple[Share, ...]],
) -> None:
    payments, shares = bill
    found = split_by_payers(shares, payments)
    assert found is not None
    records = [
        Entry(fen, "EXPENSE", "餐饮", "火锅", DAY, True, one)
        for (_, fen), one in zip(payments, found, strict=True)
    ]
    me = PEOPLE[1]
    owed = balances((one[0].user_id, one) for one in found)
    direct = pair_debts((one, False) for one in found)
    net = {
        (a, b): direct.get((a, b), 0) - direct.get((b, a), 0) for a, _ in PEOPLE for b, _ in PEOPLE if a != b
    }
    debts = Debts(owed, net, dict(PEOPLE))
    back = repayments_of(bill_called("火锅", records, me[0]), me, debts, DAY)
    settled = [*((one, False) for one in found), *((each.shares, True) for each in back)]
    after = pair_debts(settled)
    for other, _ in PEOPLE:
        if other != me[0]:
            assert after.get((me[0], other), 0) - after.get((other, me[0]), 0) == 0


def test_payments_that_are_not_the_bill_are_refused() -> None:
    shares = split(30_000, PEOPLE[0], PEOPLE[1:3])
    assert split_by_payers(shares, [(PEOPLE[0], 20_000), (PEOPLE[1], 5_000)]) is None
    assert split_by_payers(shares, [(PEOPLE[0], 30_000), (PEOPLE[1], 0)]) is None
    assert split_by_payers((), [(PEOPLE[0], 1)]) is None
