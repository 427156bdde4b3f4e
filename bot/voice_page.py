"""`docs/voice.md`, as `python -m bot.reference` prints it: what the bot says, situation by situation."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .sentences import Sentence, has_chinese, modules, sentences_of

PLUGIN = Path(__file__).resolve().parent.parent / "plugins" / "nonebot_plugin_mishu"
_SITUATIONS = Path(__file__).with_name("situations.toml")
WHY = "Reasons, shown by /秘书 为什么"
ASKED_BACK = "Asked back: when, what, which"
_LONGEST_PIECE = 6


@dataclass(frozen=True)
class Places:
    """The situation of each place; None where what stands there is said to nobody."""

    titles: tuple[str, ...]
    by_place: dict[str, str | None]

    def of(self, module: str, name: str) -> str | None:
        """The situation. Raises `ValueError` where no place names the module."""
        parts = name.split(".")
        named = [f"{module}:{'.'.join(parts[:many])}" for many in range(len(parts), 0, -1)]
        named += [f"{module}:{part}" for part in reversed(parts)]
        folders = [str(parent) for parent in (Path(module), *Path(module).parents)]
        for place in [*named, *folders]:
            if place in self.by_place:
                return self.by_place[place]
        raise ValueError(f"bot/situations.toml has no place for {module}:{name}")


def places() -> Places:
    """`bot/situations.toml`. Raises `ValueError` where a place stands twice."""
    table = tomllib.loads(_SITUATIONS.read_text("utf-8"))
    found: dict[str, str | None] = {}
    pairs = [(place, one["title"]) for one in table["situation"] for place in one["places"]]
    pairs += [(place, None) for many in table["unsaid"].values() for place in many]
    for place, title in pairs:
        if place in found:
            raise ValueError(f"bot/situations.toml: {place} stands twice")
        found[place] = title
    return Places(tuple(one["title"] for one in table["situation"]), found)


def said() -> dict[str, list[Sentence]]:
    """Every sentence that is said, by situation, in the order of the code."""
    where = places()
    found: dict[str, list[Sentence]] = {title: [] for title in where.titles}
    for path in modules(PLUGIN):
        for one in sentences_of(path, PLUGIN):
            title = where.of(one.module, one.name)
            reads = title is None and any(
                one.module.startswith(part) for part in ("language/", "web/", "services/", "storage/")
            )
            if one.kind == "reason" and not reads:
                title = WHY
            elif one.kind == "invalid":
                title = ASKED_BACK
            if title is not None:
                found[title].append(one)
    for name in ("agents/chat/repertoire.toml", "language/safety/tables/replies.toml"):
        title = where.of(name, "")
        assert title is not None
        found[title] += _of_table(name)
    found["Late, or cut off by a restart"] += _of_settings()
    found["Money"] += _of_categories()
    return found


def _of_table(name: str) -> list[Sentence]:
    table = tomllib.loads((PLUGIN / name).read_text("utf-8"))
    if name.endswith("replies.toml"):
        lines = [*table["emergency"].values(), table["other"]["emergency"], table["other"]["block"]]
        return [Sentence(line.format(**table["numbers"]), name, "") for line in lines]
    talks: list[dict[str, Any]] = table["talk"]
    answers = [line for talk in talks for answer in talk["answers"] for line in answer["lines"]]
    return [
        Sentence(line, name, "")
        for line in [*answers, *(line for one in table["shown"] for line in one["lines"])]
    ]


def _of_settings() -> list[Sentence]:
    from nonebot_plugin_mishu.config import SecretaryConfig

    return [Sentence(line, "config.py", "PATIENCE") for _, line in SecretaryConfig().patience]


def _of_categories() -> list[Sentence]:
    from nonebot_plugin_mishu.language.entries.categories import BUILT_IN

    return [Sentence(name, "language/entries/categories.toml", "") for name in BUILT_IN]


def voice_page() -> str:
    """The page."""
    parts = [_HEAD]
    for title, sentences in said().items():
        parts.append(f"\n## {title}\n")
        texts = dict.fromkeys(one.text.strip() for one in sentences)
        pieces = [text for text in texts if _is_piece(text)]
        parts += [f"* {_shown(text)}" for text in texts if not _is_piece(text)]
        if pieces:
            parts.append(f"\nParts: {' · '.join(map(_shown, pieces))}")
    return "\n".join(parts) + "\n"


def _is_piece(text: str) -> bool:
    """A word or two that stand in a sentence."""
    return len(text) <= _LONGEST_PIECE and not any(letter in "。？！，…{" for letter in text)


def _shown(text: str) -> str:
    return text.replace("\n", " ⏎ ").replace("*", "\\*").replace("<", "\\<")


def without_place(sentences: Iterable[Sentence], where: Places) -> list[Sentence]:
    """Those whose module no place names."""
    left: list[Sentence] = []
    for one in sentences:
        try:
            where.of(one.module, one.name)
        except ValueError:
            left.append(one)
    return left


__all__ = ["Places", "has_chinese", "places", "said", "voice_page", "without_place"]

_HEAD = """\
# Voice

<!-- printed by `python -m bot.reference` from the code; edit the code, not this page -->

What the bot can say in a conversation, by situation. `{…}` is put in, by its name in the code; `{a/b}` is one
of the two; ⏎ begins a line. Beside these it says what a model wrote for talk, and repeats what members wrote.
Which module speaks in which situation is written in `bot/situations.toml`, with what is said to nobody and
why.

How it speaks:

* **One sentence.** The thing itself first, the question last. Nothing is said twice.
* **The same thing in the same words**: 记下了, 改好了, 删掉了, 做完了, 不记了, 没找到, 没听懂, 还在.
* **A refusal says what can be done instead**, and who can do it.
* **No words of the trade**: no state, model, token, parameter or database; what went wrong is told by what it
  means for the member.
* **As one speaks among friends**: no 请 where 说 does, no 您, no praise, no cheer, no apology for nothing.
* **What could not be done is said, and that nothing was changed.**"""
