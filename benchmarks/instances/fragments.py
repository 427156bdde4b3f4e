"""Lines made of fragments that are said again and again, and of many different ones: what a line may cost."""

from __future__ import annotations

import random
from functools import cache
from pathlib import Path
from typing import Final

_ROOT: Final = Path(__file__).resolve().parent.parent.parent
SIGNS: Final = (
    *(
        "嗯",
        "刚刚",
        "哈",
        "谢谢",
        "那就",
        "6",
        "早",
        "的",
        "了",
        "呃",
        "不",
        "哦",
        "还是",
        "就",
        "都",
        "好的",
    ),
    *(
        "（",
        "）",
        "(",
        ")",
        "「",
        "」",
        '"',
        "，",
        "。",
        ",",
        ".",
        "、",
        " ",
        "\n",
        "\u3000",
        "?",
        "!",
        "…",
        "~",
    ),
    *(
        "\u200b",
        "\ufeff",
        "\u202e",
        "😀",
        "👍🏻",
        "❤️",
        "①",
        "ＡＢ",
        "é",
        "e\u0301",
        "臺灣",
        "-",
        "--",
        "_",
        "%",
    ),
    *(
        "1",
        "0",
        "12",
        "3.5",
        "1,299",
        "9点",
        "下周三",
        "明天",
        "每天",
        "半小时",
        "100块",
        "50",
        "¥",
        "元",
        "一",
        "第",
    ),
    *(
        "@",
        "#",
        "/",
        "a",
        "ab",
        "AA",
        "ok",
        "http://a.b/c",
        "a@b.c",
        "【",
        "】",
        "《",
        "》",
        "<",
        ">",
        "{",
        "}",
    ),
    *(
        "不用了",
        "取消",
        "提醒我",
        "记账",
        "第2笔",
        "改成",
        "删掉",
        "完成了",
        "不是",
        "是",
        "我",
        "大家",
        "群里",
        "要",
    ),
)
"""Fragments by which readers go wrong: fillers, signs, digits, what is invisible, words of orders."""


@cache
def words() -> tuple[str, ...]:
    """The words of the lexicon and of all tables."""
    from nonebot_plugin_mishu.language import lexicon

    return tuple(sorted(lexicon().words))


@cache
def sentences() -> tuple[str, ...]:
    """Sentences of people, from which the judges learn."""
    return tuple(
        line
        for file in sorted((_ROOT / "training" / "sentences").glob("*/*.txt"))
        for line in file.read_text("utf-8").split("\n")
        if line and not line.startswith("#")
    )


def line(chance: random.Random, length: int) -> str:
    """A line of `length` characters: one to three fragments in turn, perhaps with something sensible
    before or behind; or many different ones."""
    if chance.random() < 0.6:
        parts = [
            chance.choice(chance.choice((words(), SIGNS))) for _ in range(chance.choice((1, 1, 2, 2, 3)))
        ]
        one = "".join(parts)
        said = (one * (length // len(one) + 1))[:length]
        if chance.random() < 0.4:
            end = chance.choice(sentences())[:12]
            said = said[: length - len(end)] + end
        if chance.random() < 0.2:
            said = (chance.choice((*words()[:50], "提醒我", "记账 ", "取消"))[:6] + said)[:length]
        return said
    pool = sentences() if chance.random() < 0.5 else (*words(), *SIGNS)
    found: list[str] = []
    size = 0
    while size < length:
        found.append(chance.choice(pool))
        size += len(found[-1])
    return "".join(found)[:length]
