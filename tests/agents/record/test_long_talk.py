"""A talk of two hundred lines and a model that lies about it: every sentence is a line or rests on lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from nonebot_plugin_mishu.agents.record.digest import CALL
from nonebot_plugin_mishu.language.lines.check import Sentence, check
from nonebot_plugin_mishu.language.lines.line import RecordLine
from nonebot_plugin_mishu.language.text.fold import normalise
from nonebot_plugin_mishu.record import line_of
from nonebot_plugin_mishu.storage import Storage
from record_support import scripted
from stand_ins import GROUP, FakeModel

from .test_record_agent import NOON, ZONE, agent_of, keep, said

LINES = 200


class TellsAll(FakeModel):
    """Answers with every sentence, true or not, whose lines it is shown."""

    def __init__(self, sentences: Sequence[Sentence], lines: Sequence[RecordLine]) -> None:
        super().__init__()
        self.sentences = sentences
        self.by_id = {each.id: each for each in lines}
        self.told: list[Sentence] = []

    async def structured(self, name: str, data: Any, answer: Any, **more: Any) -> Any:
        if name == CALL:
            number = {(each["name"], each["text"]): each["id"] for each in data["lines"]}
            told: list[dict[str, Any]] = []
            for each in self.sentences:
                lines = [self.by_id.get(key) for key in each.lines]
                ids = [number.get((line.name, line.text), 9999) if line else 9999 for line in lines]
                told.append({"text": each.text, "lines": ids, "kind": each.kind})
            self.structures[CALL] = {"sentences": told[:40]}
        return await super().structured(name, data, answer, **more)


async def test_every_sentence_of_a_long_talk_is_held(storage: Storage) -> None:
    lines: list[RecordLine] = []
    true: list[Sentence] = []
    lies: list[Sentence] = []
    for seed in range(100):
        script = scripted(seed)
        ids = {each.id: f"m{len(lines) + number}" for number, each in enumerate(script.lines, start=1)}
        lines += [replace(each, id=ids[each.id]) for each in script.lines]
        renamed = [
            replace(each, lines=tuple(ids.get(key, key) for key in each.lines)) for each in script.true
        ]
        true += renamed
        lies += [replace(lie, lines=tuple(ids.get(key, key) for key in lie.lines)) for _, lie in script.lies]
        if len(lines) >= LINES:
            break
    lines = lines[:LINES]
    keep(storage, *(said(number, each.name, each.text) for number, each in enumerate(lines, start=1)))
    sentences = [each for pair in zip(lies, true, strict=False) for each in pair]
    model = TellsAll(sentences, lines)
    agent = agent_of(storage, model)
    told = await agent.sentences(GROUP, NOON, NOON + 3600)
    assert model.of(CALL)
    heard = await storage.ledger.between(GROUP, NOON, NOON + 3600, 1000)
    span = [line_of(each, ZONE) for each in heard]
    assert len(span) == LINES
    texts = {line.id: line.text for line in span}
    false = {normalise(each.text) for each in lies} - {normalise(each.text) for each in true}
    models = 0
    for each in told:
        assert each.lines
        assert set(each.lines) <= set(texts), each
        if "：「" in each.text:
            words = each.text.partition("：「")[2].removesuffix("」")
            assert words in texts[each.lines[0]], each
            continue
        models += 1
        assert each.text not in false, each
        assert check(each, span).sentence is not None, each
    assert models >= 5
