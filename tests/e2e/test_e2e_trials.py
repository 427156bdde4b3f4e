"""Trials: what picky members met, a class at a time, each tried in many words (`data/trials`)."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from itertools import groupby

import pytest

from .harness import Api, BotProcess, OneBotClient
from .trials import Case, Trial, TrialClass, read_trials

OFFLINE = True
TOGETHER = 8
"""Conversations at a time on the one bot."""
CLASSES = read_trials()


def test_every_class_has_cases_and_a_name_of_its_own() -> None:
    names = [(each.subject, each.name) for each in CLASSES]
    assert len(set(names)) == len(names)
    assert all(each.name and each.cases and all(case.steps for case in each.cases) for each in CLASSES)


@pytest.mark.parametrize("trial", CLASSES, ids=lambda each: f"{each.subject}: {each.name}")
async def test_class(trial: TrialClass, bot: BotProcess, api: Api, client: OneBotClient) -> None:
    wrong: list[str] = []
    numbered = list(enumerate(trial.cases, 1))
    numbered.sort(key=lambda one: one[1].now)
    for now, cases in groupby(numbered, key=lambda one: one[1].now):
        wrong += await _at(now, cases, bot, api, client)
    assert not wrong, f"{trial.name}:\n" + "\n".join(wrong)


async def _at(
    now: str, cases: Iterable[tuple[int, Case]], bot: BotProcess, api: Api, client: OneBotClient
) -> list[str]:
    """Play the cases of one moment, some at a time."""
    bot.clock.set(now)
    places = asyncio.Semaphore(TOGETHER)

    async def play(number: int, case: Case) -> list[str]:
        async with places:
            return [f"  case {number}: {each}" for each in await Trial(case, client, api).play()]

    return [each for found in await asyncio.gather(*(play(*one) for one in cases)) for each in found]
