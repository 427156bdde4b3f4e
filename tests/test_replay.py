"""`python -m bot replay`: every sample agrees, and a sample that does not is told in words."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from pathlib import Path

import nonebot
import pytest

from bot.replay import BadSample, Sample, read_samples
from bot.replay.play import play

ROOT = Path(__file__).resolve().parent.parent
SAMPLES = list(read_samples([ROOT / "samples"]))


def setup_module() -> None:
    nonebot.load_plugin("nonebot_plugin_mishu_clinic")


@pytest.mark.parametrize(
    ("file", "sample"), SAMPLES, ids=[f"{file.stem}-{sample.name}" for file, sample in SAMPLES]
)
async def test_every_sample_agrees(file: Path, sample: Sample) -> None:
    played = await play(sample)
    assert [str(difference) for difference in played.differences] == []


def test_every_agent_brings_samples() -> None:
    count = Counter(file.stem for file, _ in SAMPLES)
    assert count["core"] >= 20
    for agent in ("tasks", "schedules", "bookkeeping", "chat", "clinic"):
        assert count[agent] >= 10, agent


TALK = {"name": "x", "now": "2026-11-23T09:00:00", "talk": [{"who": "小明", "say": "@秘书 在吗"}]}


@pytest.mark.parametrize(
    ("expect", "words"),
    [
        ({"gate": "BLOCK"}, "gate：应是 BLOCK，却是 SAFE"),
        ({"frames": ["tasks.create_task"]}, "frames：应是 ['tasks.create_task']"),
        ({"dispatched": []}, "dispatched：应是 []，却是 ['chat']"),
        ({"open": ["triage queued"]}, "open：应是 ['triage queued']，却是 []"),
        ({"status": "blocked"}, "status：应是 blocked"),
        ({"reply": "无此话"}, "回复：应是 含有「无此话」"),
        ({"reply_without": "大模型"}, "回复：应是 不含「大模型」"),
        ({"silent": True}, "回复：应是 不说话"),
        ({"calls": ["chat_reply"]}, "calls：应是 ['chat_reply']，却是 []"),
    ],
)
async def test_what_differs_is_told(expect: dict[str, object], words: str) -> None:
    talk = [{**TALK["talk"][0], "expect": expect}]  # type: ignore[index]
    played = await play(Sample.model_validate({**TALK, "talk": talk}))
    assert any(words in str(difference) for difference in played.differences), played.differences


async def test_a_different_end_is_told() -> None:
    sample = Sample.model_validate(
        {**TALK, "end": {"tasks": [{"title": "买菜"}], "open": ["小明: chat queued"]}}
    )
    assert [difference.what for difference in (await play(sample)).differences] == ["open", "tasks"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("- name: [", "读不出来"),
        ("name: x", "样例的列表"),
        ("- {name: x}", "第 1 个样例的 now"),
        ("- {name: x, now: 2026-11-23T09:00:00, talk: []}", "talk"),
        ("- {name: x, now: 2026-11-23T09:00:00, talk: [{who: a, say: b, expext: {}}]}", "expext"),
        ("- {name: x, now: 2026-11-23T09:00:00, zone: Mars/One, talk: [{who: a, say: b}]}", "zone"),
    ],
)
def test_what_is_no_sample_is_told(tmp_path: Path, text: str, words: str) -> None:
    (tmp_path / "bad.yaml").write_text(text, "utf-8")
    with pytest.raises(BadSample, match=words):
        list(read_samples([tmp_path]))


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "bot", "replay", *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_the_command_ends_with_what_it_found(tmp_path: Path) -> None:
    good = "- {name: 好, now: 2026-11-23T09:00:00, talk: [{who: 小明, say: '@秘书 在吗'}]}"
    (tmp_path / "good.yaml").write_text(good, "utf-8")
    fine = run(str(tmp_path / "good.yaml"))
    assert (fine.returncode, "一致" in fine.stdout) == (0, True), fine.stderr
    (tmp_path / "bad.yaml").write_text(good.replace("}]}", ", expect: {silent: true}}]}"), "utf-8")
    differs = run(str(tmp_path / "bad.yaml"))
    assert differs.returncode == 1
    assert "不说话" in differs.stdout
    assert run(str(tmp_path / "none.yaml")).returncode == 2
