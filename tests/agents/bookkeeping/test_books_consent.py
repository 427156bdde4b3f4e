"""What was refused is never saved, and what is saved is what was confirmed, counted in the database.

A card of three, and any order of lines. Beside each line stands what it means to which item: the items it
refuses, those it consents to. After every line the database holds exactly the items whose last word was a
consent, and their sum.
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import Final

import pytest
from books_support import ScriptedModel, Shop, shop
from default_run import first

CARD: Final = "午饭35，打车20，奶茶15"
WORDS: Final = ("午饭", "打车", "奶茶")

REFUSALS: Final[dict[str, set[int]]] = {
    "第二笔唔要": {1},
    "打车那个别记了": {1},
    "打车莫记": {1},
    "第二笔重复了，删": {1},
    "20那笔删掉": {1},
    "第一笔不要了": {0},
    "午饭覅记": {0},
    "把午饭那笔删了吧": {0},
    "午饭和打车都不要": {0, 1},
    "最后一笔去掉": {2},
    "奶茶划掉": {2},
    "奶茶那个是公司请的，不要了": {2},
    "唔要": {0, 1, 2},
    "都别记了": {0, 1, 2},
    "全部不要": {0, 1, 2},
    "莫存": {0, 1, 2},
}
CONSENTS: Final[dict[str, set[int]]] = {
    "确认": {0, 1, 2},
    "好嘅": {0, 1, 2},
    "要得": {0, 1, 2},
    "确认第一笔": {0},
    "奶茶那笔存上": {2},
    "第二笔记上": {1},
}
NEITHER: Final = (
    "唔确认",
    "唔对",
    "不是很确认",
    "不啦要",
    "别啊",
    "先别存",
    "要不要",
    "没确认呢",
    "今天好累",
    "不太想要",
    "奶茶不要加糖",
    "第二笔唔确认",
    "唔",
    "👎好的",
)
NODS: Final = frozenset({"好嘅", "要得"})
LINES: Final = (*REFUSALS, *CONSENTS, *NEITHER)


async def walk(here: Shop, lines: list[str]) -> None:
    """Say the lines on a fresh card; hold the disk against what they mean."""
    user = f"9{here.count}"
    await here.say(CARD, user=user)
    open_, kept = {0, 1, 2}, set[int]()
    for number, line in enumerate(lines):
        if user not in here.tasks:
            break
        await here.say(line, user=user)
        unheard = line in NODS and not set(NEITHER).isdisjoint(lines[:number])
        if unheard and len(await here.saved(user)) == len(kept):
            continue  # a nod behind what nobody understood may be meant for that: the card is shown again
        if line in CONSENTS:
            kept |= CONSENTS[line] & open_
            open_ -= CONSENTS[line]
        open_ -= REFUSALS.get(line, set())
        records = await here.saved(user)
        assert sorted(one.fields.description for one in records) == sorted(WORDS[item] for item in kept), (
            lines,
            line,
        )
        assert sum(one.fields.fen for one in records) == sum((3500, 2000, 1500)[item] for item in kept)
        assert (user in here.tasks) == bool(open_), (lines, line)
    await here.expire(user) if user in here.tasks else None
    assert len(await here.saved(user)) == len(kept)


@first(1)
@pytest.mark.parametrize("online", [False, True])
async def test_after_every_line_the_books_hold_what_was_consented_to(tmp_path: Path, online: bool) -> None:
    """Every line first, every pair with a consent behind it, and 60 longer walks."""
    chance = random.Random(7)
    async with shop(tmp_path, ScriptedModel(online=online), session_timeout=10_000) as here:
        for line in LINES:
            await walk(here, [line, "确认"])
        for _ in range(60):
            await walk(here, chance.choices(LINES, k=chance.randint(2, 6)))


@pytest.mark.parametrize(
    "line", ["唔要啊", "我看还是莫记咯哈", "不是这样的先别记吧", "这个我不太想要诶", "算不算都行 别存"]
)
async def test_a_model_that_reads_a_consent_into_a_no_saves_nothing(tmp_path: Path, line: str) -> None:
    model = ScriptedModel(correct_transaction={"intent": "confirm", "corrections": [], "confidence": 1.0})
    async with shop(tmp_path, model) as here:
        await here.say(CARD)
        await here.say(line)
        assert await here.kept() == []


@pytest.mark.parametrize("demonstrative", ["那个不要了", "删掉那笔", "别记那个", "这个唔要"])
async def test_a_refusal_of_an_unclear_item_holds_up_a_bare_consent(
    tmp_path: Path, demonstrative: str
) -> None:
    async with shop(tmp_path) as here:
        await here.say(CARD)
        assert "不要的是第几笔" in await here.say(demonstrative)
        assert "不要的是第几笔" in await here.say("确认")
        assert await here.kept() == []
        await here.say("第二笔")
        await here.say("确认")
        assert sorted(await here.kept()) == ["午饭3500", "奶茶1500"]
