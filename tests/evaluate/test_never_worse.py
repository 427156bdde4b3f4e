"""Whatever a model answers, a dialogue ends at least as right as by the rules alone.

Nothing made up is stored or said."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from bad_models import KINDS, MADE_UP, TALK
from model_server import ModelServer, Request, hang, serve
from nonebot_plugin_mishu.config import Config, Llm
from pydantic import SecretStr

from bot.evaluate import Dialogue
from bot.evaluate.desk import Desk
from bot.evaluate.play import Played, evaluate
from bot.replay import read_samples

ROOT = Path(__file__).resolve().parent.parent.parent
_FOUND = list(read_samples([ROOT / "samples" / "evaluate"], Dialogue))
DIALOGUES = [each for _, each in _FOUND]
FEW = [found[0] for _, each in groupby(_FOUND, key=lambda one: one[0]) if (found := [one for _, one in each])]
"""The first of each file."""
AT_ONCE = 6

model_server = pytest_asyncio.fixture(serve)
_alone: dict[str, bool] = {}


async def played(dialogues: Sequence[Dialogue], config: Config) -> list[Played]:
    """A few at a time."""
    places = asyncio.Semaphore(AT_ONCE)

    async def one(dialogue: Dialogue) -> Played:
        async with places:
            return await evaluate(dialogue, config)

    return await asyncio.gather(*map(one, dialogues))


async def by_rules(dialogues: Sequence[Dialogue]) -> dict[str, bool]:
    """Which end right by the rules alone; each is played once."""
    new = [each for each in dialogues if each.name not in _alone]
    _alone.update({one.name: one.right for one in await played(new, Config(llm=Llm()))})
    return _alone


def sent_by(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Everything that is sent and stored from now on."""
    found: list[str] = []
    rows = Desk.rows

    async def noted(self: Desk, what: str) -> list[dict[str, Any]]:
        kept = await rows(self, what)
        found.extend(map(str, kept))
        found.extend(speech.text for _, speech in self.group.sent)
        return kept

    monkeypatch.setattr(Desk, "rows", noted)
    return found


async def test_what_is_made_up_makes_few_dialogues_no_worse(
    model_server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The worst model, in every run; all of them, in all dialogues, take minutes."""
    await _none_is_worse("inventor", FEW, model_server, monkeypatch)


@pytest.mark.exhaustive
@pytest.mark.parametrize("kind", KINDS)
async def test_no_dialogue_ends_worse_than_by_the_rules(
    kind: str, model_server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    await _none_is_worse(kind, DIALOGUES, model_server, monkeypatch)


async def _none_is_worse(
    kind: str, dialogues: Sequence[Dialogue], model_server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = await by_rules(dialogues)
    told = sent_by(monkeypatch)
    model_server.always("*", KINDS[kind])
    config = Config(llm=Llm(base_url=model_server.url, api_key=SecretStr("k"), model="m"))
    worse = [one for one in await played(dialogues, config) if alone[one.name] and not one.right]
    assert [(one.name, one.differences, one.claims) for one in worse] == []
    assert model_server.requests, "it was asked"
    assert [line for line in told if any(word in line for word in MADE_UP)] == []


@pytest.mark.exhaustive
async def test_what_decides_too_late_decides_nothing(model_server: ModelServer) -> None:
    alone = await by_rules(DIALOGUES)

    def late(request: Request) -> Any:
        return TALK["check_safety"] if request.name == "check_safety" else hang()

    model_server.always("*", late)
    llm = Llm(base_url=model_server.url, api_key=SecretStr("k"), model="m", timeout=4, decide_timeout=0.5)
    worse = [one for one in await played(DIALOGUES, Config(llm=llm)) if alone[one.name] and not one.right]
    assert [(one.name, one.differences, one.claims) for one in worse] == []
