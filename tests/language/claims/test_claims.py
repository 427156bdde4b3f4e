"""What a reply claims to have done, and whether it is true."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from nonebot_plugin_mishu.language.claims.reading import claims, sentences, unmet
from nonebot_plugin_mishu.truth import LOOKED, kinds_of

DATA = Path(__file__).parent / "data"
FILES = ("claims", "claims_others", "claims_more", "claims_last")
ROWS: list[dict[str, Any]] = [
    row for name in FILES for row in yaml.safe_load((DATA / f"{name}.yaml").read_text("utf-8"))
]
CLAIMS = [row for row in ROWS if row.get("claims")]
TALK = [row["said"] for row in ROWS if not row.get("claims")]


@pytest.mark.parametrize("row", CLAIMS, ids=lambda row: row["said"])
def test_what_claims_a_deed_is_a_claim_of_it(row: dict[str, Any]) -> None:
    found = {kind for claim in claims(row["said"]) for kind in claim.kinds}
    assert set(row["claims"]) <= found


@pytest.mark.parametrize("row", CLAIMS, ids=lambda row: row["said"])
def test_it_is_not_true_where_nothing_was_done(row: dict[str, Any]) -> None:
    assert unmet(row["said"], frozenset())


@pytest.mark.parametrize("row", CLAIMS, ids=lambda row: row["said"])
def test_it_is_true_where_the_deed_was_done(row: dict[str, Any]) -> None:
    assert unmet(row["said"], frozenset(row["claims"])) == ()


@pytest.mark.parametrize("said", TALK)
def test_talk_claims_nothing(said: str) -> None:
    assert claims(said) == ()


def test_how_much_of_it_there_is() -> None:
    assert len(CLAIMS) >= 95
    assert len(TALK) >= 95


@pytest.mark.parametrize(
    ("said", "done", "true"),
    [
        ("记下了，也帮你订好了位子。", {"note"}, False),
        ("已经删掉了", {"note"}, False),
        ("记到日程里啦", {"note", "remind"}, True),
        ("搞定！", {"remove"}, True),
        ("搞定！", set(), False),
        ("到点叫你", {"remind"}, True),
        ("我查了一下，明天有雨", {"note"}, False),
    ],
)
def test_what_was_done_counts_and_nothing_else(said: str, done: set[Any], true: bool) -> None:
    assert (unmet(said, done) == ()) is true


def test_what_was_done_before_counts_for_what_speaks_of_it() -> None:
    before = frozenset({"note"})
    assert unmet("刚才已经记下了", frozenset(), before=before) == ()
    assert unmet("记下了呀", frozenset(), before=before, asked=True) == ()
    assert unmet("记下了", frozenset(), before=before), "they want it noted now"
    assert unmet("昨天就帮你改好了", frozenset(), before=before), "that was not done either"


def test_what_was_shown_needs_no_looking_up() -> None:
    said = "我看了下你的日程，周四下午是空的"
    assert unmet(said, frozenset(), seen=True) == ()
    assert unmet(said, frozenset(), seen=False)
    assert unmet("我查了一下，明天多云", frozenset(), seen=True)


@pytest.mark.parametrize(
    "said",
    [
        "你们定，定好了我来记",
        "把金额补上，我就记",
        "你一说我就记",
        "上联：我已经帮你订好了",
        "你同事真贴心，还帮你占了座",
        "中介会帮你约房东看房的",
    ],
)
def test_conditions_cited_words_and_deeds_of_others_are_no_claims(said: str) -> None:
    assert claims(said) == ()


@pytest.mark.parametrize(
    "said", ["加了加了，急啥", "看了眼导航，绕城高速有点慢", "比了几家，这家最便宜", "改成四点半了，没问题吧"]
)
def test_a_claim_is_one_whatever_stands_beside_it(said: str) -> None:
    assert claims(said)


def test_what_members_did_is_no_claim_of_ours() -> None:
    assert claims("阿凯已经改好了", ["阿凯"]) == ()
    assert claims("阿凯的我已经改好了", ["阿凯"])
    assert claims("给阿凯记上了", ["阿凯"])


@pytest.mark.parametrize("said", ["已記到行程裡啦", "好的，已经帮你记到日程里啦~", "已记下✅"])
def test_however_it_is_written(said: str) -> None:
    assert claims(said)


def test_tools_are_deeds() -> None:
    assert "note" in kinds_of(["create_task"])
    assert kinds_of(["delete_task"]) == {"remove"}
    assert kinds_of([LOOKED]) == {"look"}
    assert kinds_of([]) == frozenset()
    assert "order" in kinds_of(["book_room"]), "nobody knows what another plugin's tool does"


@settings(max_examples=200)
@given(st.text(max_size=60))
def test_any_text_is_read_and_nothing_of_it_is_lost(text: str) -> None:
    assert "".join(sentences(text)) == text
    for claim in claims(text):
        assert claim.sentence in text
