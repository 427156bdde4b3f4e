"""Who paid an item of a card and who bears it, said again by a line or named by a model."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from books_support import ScriptedModel, shop
from hypothesis import given
from hypothesis import strategies as st
from nonebot_plugin_mishu.agents.bookkeeping.cards.payers import Around, said_anew
from nonebot_plugin_mishu.agents.bookkeeping.model.asking import shown_to_model
from nonebot_plugin_mishu.agents.bookkeeping.model.item import change
from nonebot_plugin_mishu.agents.bookkeeping.shares.sharing import split
from nonebot_plugin_mishu.language.clause import Mention
from nonebot_plugin_mishu.language.entries.entry import Entry, Share

ME = ("1", "大壮")
OTHERS = (Mention("2", "阿紫"), Mention("3", "老K"), Mention("4", "小北"), Mention("5", "糖糖"))
AROUND = Around(ME, OTHERS)
FISH = Entry(
    16_800, description="烤鱼", shared=True, shares=split(16_800, ("2", "阿紫"), [ME, ("3", "老K")], 3)
)
ALONE = Entry(3_000, description="打车")


def borne(shares: tuple[Share, ...] | None) -> str | None:
    """Who paid, and who bears a part: 阿紫: 阿紫 大壮."""
    if shares is None:
        return None
    return f"{shares[0].name}: {' '.join(each.name for each in shares if each.fen)}" if shares else "-"


@pytest.mark.parametrize(
    ("say", "expected"),
    [
        ("啊不是 是老K付的", "老K: 老K 阿紫 大壮"),
        ("钱是老K出的", "老K: 老K 阿紫 大壮"),
        ("付钱的是我", "大壮: 大壮 阿紫 老K"),
        ("其实小北买的单", "小北: 阿紫 大壮 老K"),
        ("不是阿紫 是老K", "老K: 老K 阿紫 大壮"),
        ("不是老K 是小北", "阿紫: 阿紫 大壮 小北"),
        ("糖糖也算", "阿紫: 阿紫 大壮 老K 糖糖"),
        ("忘了糖糖和小北", "阿紫: 阿紫 大壮 老K 糖糖 小北"),
        ("老K也算", "阿紫: 阿紫 大壮 老K"),
        ("不算我", "阿紫: 阿紫 老K"),
        ("阿紫没吃", "阿紫: 大壮 老K"),
        ("就我俩分", "阿紫: 阿紫 大壮"),
        ("就我和老K分", "阿紫: 大壮 老K"),
        ("只有阿紫和老K", "阿紫: 阿紫 老K"),
        ("是石头付的", None),
        ("小北没来", "阿紫: 阿紫 大壮 老K"),
        ("烤鱼真香", None),
    ],
)
def test_a_line_says_it_again(say: str, expected: str | None) -> None:
    shares = said_anew(say, FISH, AROUND)
    assert borne(shares) == expected
    assert shares is None or sum(each.fen for each in shares) == FISH.fen


@pytest.mark.parametrize(
    ("say", "expected"),
    [
        ("是老K付的", "老K: 大壮"),
        ("糖糖也算", "大壮: 大壮 糖糖"),
        ("我付的", "-"),
        ("就我俩分", "大壮: 大壮 "),
    ],
)
def test_of_what_nobody_shared_yet(say: str, expected: str) -> None:
    assert borne(said_anew(say, ALONE, AROUND)) == expected


@given(
    st.integers(3, 100_000),
    st.lists(st.sampled_from(["是老K付的", "糖糖也算", "不算我", "付钱的是我"]), max_size=8),
)
def test_the_parts_are_always_the_sum(fen: int, lines: list[str]) -> None:
    entry = Entry(fen, shared=True, shares=split(fen, ("2", "阿紫"), [ME, ("3", "老K")], 3))
    for line in lines:
        shares = said_anew(line, entry, AROUND)
        if shares:
            entry = Entry(fen, shared=True, shares=shares)
    assert sum(each.fen for each in entry.shares) == fen
    assert all(each.fen >= 0 for each in entry.shares)


@pytest.mark.parametrize(
    ("fields", "expected"),
    [
        ({"payer": "老K"}, "老K: 老K 阿紫 大壮"),
        ({"payer": "我", "sharers": ["我", "糖糖"]}, "大壮: 大壮 糖糖"),
        ({"sharers": ["阿紫", "我", "老K", "糖糖"]}, "阿紫: 阿紫 大壮 老K 糖糖"),
        ({"sharers": ["阿紫", "石头"]}, "阿紫: 阿紫 石头"),
        ({"amount": "90", "payer": "小北"}, "小北: 阿紫 大壮 老K"),
        ({"payer": "石头"}, None),
        ({"payer": 3}, None),
        ({"sharers": []}, None),
        ({"sharers": "阿紫"}, None),
        ({"sharers": ["阿紫", 3]}, None),
        ({"type": "INCOME", "payer": "老K"}, None),
    ],
)
def test_a_model_names_them(fields: dict[str, Any], expected: str | None) -> None:
    changed = change(FISH, fields, AROUND)
    assert (None if changed is None else borne(changed.shares)) == expected
    assert changed is None or sum(each.fen for each in changed.shares) == changed.fen


def test_a_model_is_shown_who_paid_and_who_shares() -> None:
    fish, cab = shown_to_model([FISH, ALONE])
    assert (fish["payer"], fish["sharers"]) == ("阿紫", ["阿紫", "大壮", "老K"])
    assert not {"payer", "sharers"} & cab.keys()


async def test_a_correction_that_was_promised_never_ends_in_silence(tmp_path: Path) -> None:
    async with shop(tmp_path, ScriptedModel(online=True), correction_timeout=0.2) as office:
        office.model.answers_late = True
        await office.say("午饭35")
        assert "没听清要改什么" in await office.say("金额那里改成那个啥")
        assert "午饭 35元" in await office.say("金额那里改成那个啥")
        assert "午饭 35元" in await office.say("不对 应该是那个什么来着")
        assert not await office.kept()


async def test_a_nod_behind_an_unheard_correction_shows_what_would_be_kept(tmp_path: Path) -> None:
    async with shop(tmp_path, ScriptedModel(online=True), correction_timeout=0.2) as office:
        office.model.answers_late = True
        await office.say("午饭35")
        await office.say("金额那里改成那个啥")
        assert "午饭 35元" in await office.say("嗯嗯 记")
        assert not await office.kept()
        await office.say("嗯嗯 记")
        assert await office.kept() == ["午饭3500"]
