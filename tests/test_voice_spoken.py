"""What is said in the sample conversations is made of sentences that stand in `docs/voice.md`."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from default_run import first

from bot.replay.sample import Sample, read_samples
from bot.replay.stage import Stage
from bot.sentences import has_chinese
from bot.voice_page import said

ROOT = Path(__file__).resolve().parent.parent
SPOKEN = ("answers", "asking_back", "beside_questions", "bookkeeping", "record", "schedules", "tasks")
SAMPLES = [sample for _, sample in read_samples([ROOT / "samples" / f"{name}.yaml" for name in SPOKEN])]


@cache
def words() -> frozenset[str]:
    """The runs of Chinese characters of the page's sentences."""
    return frozenset(run for many in said().values() for one in many for run in runs(one.text))


def runs(text: str) -> list[str]:
    """The stretches of Chinese characters in it."""
    cut = "".join(letter if has_chinese(letter) else " " for letter in text)
    return cut.split()


def unknown(reply: str, talk: str) -> list[str]:
    """The stretches of a reply that are neither sentences of the page nor what was said by members."""
    return [run for run in runs(reply) if not made_of(run, talk)]


def made_of(run: str, talk: str) -> bool:
    reached = {0}
    for begin in range(len(run)):
        if begin in reached:
            for end in range(begin + 1, len(run) + 1):
                part = run[begin:end]
                if part in words() or part in talk or part in "一二三四五六日":
                    reached.add(end)
    return len(run) in reached


@first(8)
@pytest.mark.parametrize("sample", SAMPLES, ids=[sample.name for sample in SAMPLES])
async def test_nothing_is_said_that_is_not_on_the_page(sample: Sample, tmp_path: Path) -> None:
    talk = "".join(str(line.model_dump(exclude={"expect"})) for line in sample.talk)
    async with Stage.open(sample, tmp_path) as stage:
        for line in sample.talk:
            heard = await stage.say(line)
            assert unknown(heard.reply or "", talk) == [], heard.reply


def test_another_sentence_is_found() -> None:
    assert unknown("大功告成，恭喜你", "") == ["大功告成", "恭喜你"]
    assert unknown("记下了：买菜", "买菜") == []
