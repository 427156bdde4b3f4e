"""Trials: what picky members met, a class at a time, each tried in many words (`data/trials`).

The default run plays the first cases of every class, the exhaustive part the others. `--row` plays only the
cases with these words, in them or in the name of their class.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from itertools import groupby

import pytest
import rows
from default_run import first

from .harness import Api, BotProcess, OneBotClient
from .trials import Case, Trial, TrialClass, read_trials

OFFLINE = True
TOGETHER = 8
"""Conversations at a time on the one bot."""
AT_A_MOMENT = 32
"""Conversations before the clock is set again: it goes on while they are played, and some reckon from now."""
FIRST = 1
"""Cases of a class that every run plays."""
CLASSES = read_trials()
SUBJECTS = {subject: list(classes) for subject, classes in groupby(CLASSES, key=lambda each: each.subject)}


def test_every_class_has_cases_and_a_name_of_its_own() -> None:
    names = [(each.subject, each.name) for each in CLASSES]
    assert len(set(names)) == len(names)
    assert all(each.name and each.cases and all(case.steps for case in each.cases) for each in CLASSES)


@first(2)
@pytest.mark.parametrize("subject", SUBJECTS)
async def test_first_cases(subject: str, bot: BotProcess, api: Api, client: OneBotClient) -> None:
    """All classes of a file in one test: the few conversations of one alone would mostly wait."""
    cases = [(each, number) for each in SUBJECTS[subject] for number in range(len(each.cases[:FIRST]))]
    await _play(cases, bot, api, client)


@pytest.mark.exhaustive
@pytest.mark.parametrize("subject", SUBJECTS)
async def test_further_cases(subject: str, bot: BotProcess, api: Api, client: OneBotClient) -> None:
    cases = [(each, number) for each in SUBJECTS[subject] for number in range(FIRST, len(each.cases))]
    await _play(cases, bot, api, client)


async def _play(
    wanted: Sequence[tuple[TrialClass, int]], bot: BotProcess, api: Api, client: OneBotClient
) -> None:
    """Play these cases, those of one moment some at a time; fails with all that is wrong in any of them."""
    named = [
        (f"{trial.name}: case {number + 1}", trial.cases[number])
        for trial, number in wanted
        if rows.wanted in f"{trial.name} {trial.cases[number]}"
    ]
    named.sort(key=lambda one: one[1].now)
    places = asyncio.Semaphore(TOGETHER)

    async def play(name: str, case: Case) -> list[str]:
        async with places:
            return [f"{name}: {each}" for each in await Trial(case, client, api).play()]

    wrong: list[str] = []
    for now, group in groupby(named, key=lambda one: one[1].now):
        cases = list(group)
        for start in range(0, len(cases), AT_A_MOMENT):
            bot.clock.set(now)
            together = (play(*one) for one in cases[start : start + AT_A_MOMENT])
            for found in await asyncio.gather(*together):
                wrong += found
    assert not wrong, "\n".join(wrong)
