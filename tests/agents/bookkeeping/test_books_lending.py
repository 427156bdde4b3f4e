"""What the speaker and one member lend, owe or pay for each other; and who shares, said again."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from nonebot_plugin_mishu.agents.bookkeeping.cards.sharers import shared_anew
from nonebot_plugin_mishu.agents.bookkeeping.model.item import SHARES, change
from nonebot_plugin_mishu.agents.bookkeeping.shares.sharing import balances, split
from nonebot_plugin_mishu.language.clause import Mention
from nonebot_plugin_mishu.language.entries.categories import Categories
from nonebot_plugin_mishu.language.entries.entry import Entry
from nonebot_plugin_mishu.language.ledger.repayments.lending import Lending, lending, lent
from rows import each_row

MEMBERS = (Mention("2", "阿凯"), Mention("3", "小雅"), Mention("4", "小李"))
ROWS = yaml.safe_load((Path(__file__).parent / "data" / "lending.yaml").read_text("utf-8"))


def told(found: Lending | None) -> str | None:
    if found is None:
        return None
    giver, getter = ("我", found.other.name) if found.mine else (found.other.name, "我")
    return f"{giver} > {getter} {found.way} {found.thing}".strip()


@each_row("say, expected", [(row["say"], row["is"]) for row in ROWS])
def test_who_owes_whom_is_heard(say: str, expected: str | None) -> None:
    assert told(lending(say, (), MEMBERS)) == expected


@pytest.mark.parametrize(
    ("say", "kind", "words", "owes"),
    [
        ("阿凯欠我300", "TRANSFER", "阿凯欠老王", "2"),
        ("跟小雅借了300", "TRANSFER", "小雅借给老王", "1"),
        ("小雅帮我垫了奶茶300", "EXPENSE", "奶茶", "1"),
        ("帮阿凯垫付了快递费300", "TRANSFER", "替阿凯垫付快递费", "2"),
    ],
)
def test_one_owes_all_of_it(say: str, kind: str, words: str, owes: str) -> None:
    said = lending(say, (), MEMBERS)
    assert said is not None
    entry = lent(said, Entry(30_000), ("1", "老王"), Categories())
    assert (entry.type, entry.description, entry.shared) == (kind, words, True)
    after = balances([(entry.shares[0].user_id, entry.shares)])
    assert after[owes] == -30_000
    assert sum(after.values()) == 0


FOUR = Entry(24_000, description="烧烤", shared=True, shares=split(24_000, ("1", "老王"), [
    (each.user_id, each.name) for each in MEMBERS
]))  # fmt: skip
AGAIN = [
    ("小李没去 去掉他", "老王 阿凯 小雅"),
    ("阿凯不算", "老王 小雅 小李"),
    ("去掉小雅和小李", "老王 阿凯"),
    ("其实是五个人", "老王 阿凯 小雅 小李 "),
    ("小雅好吵", None),
    ("小李那天迟到了", None),
    ("三个人", None),
    ("改成200块", None),
]


@each_row("say, expected", AGAIN)
def test_who_shares_is_said_again(say: str, expected: str | None) -> None:
    found = shared_anew(say, [(0, FOUR)], None)
    if expected is None:
        assert found is None
        return
    assert found is not None
    entry = change(FOUR, found[0])
    assert entry is not None
    assert " ".join(share.name for share in entry.shares) == expected
    assert sum(share.fen for share in entry.shares) == 24_000


def test_no_model_divides_by_that_field() -> None:
    assert change(FOUR, {SHARES: [["2", "阿凯", 100]]}) is None


def test_whoever_is_left_alone_shares_with_nobody() -> None:
    two = Entry(3_000, shared=True, shares=split(3_000, ("1", "老王"), [("3", "小雅")]))
    found = shared_anew("把小雅去掉", [(0, two)], None)
    assert found is not None
    entry = change(two, found[0])
    assert entry is not None
    assert (entry.shares, entry.shared) == ((), False)
