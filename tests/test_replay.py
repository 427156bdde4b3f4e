"""`python -m bot replay`: every sample agrees, and a sample that does not is told in words."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections import Counter
from itertools import groupby
from pathlib import Path

import nonebot
import pytest
from default_run import first
from nonebot_plugin_mishu.agents import REGISTRY, register_agent

from bot.replay import BadSample, Sample, read_samples
from bot.replay.loading import AGENTS_OF
from bot.replay.play import play

ROOT = Path(__file__).resolve().parent.parent
SAMPLES = list(read_samples([ROOT / "samples"]))
FIRST = [(file, next(samples)[1]) for file, samples in groupby(SAMPLES, key=lambda one: one[0])]
"""Samples that are tests: `python -m bot replay`, run beside the tests, plays all of them."""


def setup_module() -> None:
    """The clinic's agents; another module of this process may have loaded the plugin and removed them."""
    plugin = nonebot.get_plugin("nonebot_plugin_mishu_clinic")
    if plugin is None:
        nonebot.load_plugin("nonebot_plugin_mishu_clinic")
    elif "triage" not in REGISTRY:
        from nonebot_plugin_mishu_clinic import house, triage, waiting

        room = waiting.WaitingRoom()
        for spec in (triage.triage_spec(room), house.smart_cs_spec(), waiting.queue_spec(room)):
            register_agent(spec)
    AGENTS_OF["nonebot_plugin_mishu_clinic"] = frozenset({"triage", "smartCS", "queue"})


@pytest.mark.parametrize("sample", [each for _, each in FIRST], ids=[file.stem for file, _ in FIRST])
async def test_a_sample_of_each_file_agrees(sample: Sample) -> None:
    played = await play(sample)
    assert [str(difference) for difference in played.differences] == []


def test_every_agent_brings_samples() -> None:
    count = Counter(file.stem for file, _ in SAMPLES)
    assert count["core"] >= 20
    for agent in ("tasks", "schedules", "bookkeeping", "chat", "clinic"):
        assert count[agent] >= 10, agent


TALK = {"name": "x", "now": "2026-11-23T09:00:00", "talk": [{"who": "小明", "say": "@秘书 讲讲相对论"}]}


@first(3)
@pytest.mark.parametrize(
    ("expect", "words"),
    [
        ({"gate": "BLOCK"}, "gate：应是 BLOCK，却是 SAFE"),
        ({"frames": ["tasks.create_task"]}, "frames：应是 ['tasks.create_task']"),
        ({"dispatched": []}, "dispatched：应是 []，却是 ['chat']"),
        ({"open": ["triage queued"]}, "open：应是 ['triage queued']，却是 []"),
        ({"status": "blocked"}, "status：应是 blocked"),
        ({"reply": "无此话"}, "回复：应是 含有「无此话」"),
        ({"reply_without": "帮助"}, "回复：应是 不含「帮助」"),
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


def run(*arguments: str, also: Path | None = None) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join(map(str, [ROOT, ROOT / "plugins", *([also] if also else [])]))
    return subprocess.run(
        [sys.executable, "-m", "bot", "replay", *arguments],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.mark.exhaustive
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


BROKEN = """
import nonebot_plugin_mishu
from nonebot_plugin_mishu.agents import AgentSpec, Intent, Match, TaskResult, register_agent


async def broken(dispatch, context):
    raise RuntimeError("打印机没纸了")


def no_rules(clause):
    if "碎纸机" in clause.text:
        raise KeyError("shredder")
    return Match("use", weight=3) if "打印机" in clause.text else None


def no_slots(intent, clause):
    return {}["nothing"] if "扫描" in clause.text else {}


register_agent(
    AgentSpec(
        code="printer", name="打印机", intents=(Intent("use", "用打印机"),), boundary="只管打印机。",
        handler=broken, rules=no_rules, read=no_slots,
    )
)
"""
TALKS = """
- {name: 先前的, now: 2026-11-23T09:00:00, plugins: [broken_printer], talk: [{who: 小明, say: '@秘书 在吗'}]}
- name: 没纸
  now: 2026-11-23T09:00:00
  plugins: [broken_printer]
  talk: [{who: 小明, say: '@秘书 在吗'}, {who: 小明, say: '@秘书 用一下打印机'}]
- name: 规则坏了
  now: 2026-11-23T09:00:00
  plugins: [broken_printer]
  talk: [{who: 小明, say: '@秘书 碎纸机'}]
- name: 读坏了
  now: 2026-11-23T09:00:00
  plugins: [broken_printer]
  talk: [{who: 小明, say: '@秘书 打印机扫描'}]
- {name: 后面的, now: 2026-11-23T09:00:00, talk: [{who: 小明, say: '@秘书 在吗'}]}
"""


@pytest.mark.exhaustive
def test_what_breaks_in_somebodys_agent_fails_its_sample_alone(tmp_path: Path) -> None:
    (tmp_path / "broken_printer.py").write_text(BROKEN, "utf-8")
    (tmp_path / "talks.yaml").write_text(TALKS, "utf-8")
    done = run(str(tmp_path / "talks.yaml"), also=tmp_path)
    assert done.returncode == 1, done.stderr
    rows = {line.split("：")[1].split()[0]: line for line in done.stdout.splitlines() if "talks：" in line}
    assert ["一致" in rows[name] for name in ("先前的", "后面的")] == [True, True], done.stdout
    assert ["出错" in rows[name] for name in ("没纸", "规则坏了", "读坏了")] == [True, True, True], (
        done.stdout
    )
    assert "第 2 句出错，后面的没有跑：RuntimeError：打印机没纸了" in done.stdout
    assert "broken_printer.py 第 " in done.stdout
    assert "共 5 个样例，3 个不一致" in done.stdout
    assert "Traceback" not in done.stdout


async def test_what_never_ends_fails_its_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    """A line has a deadline of its own."""
    ended = asyncio.Event()

    async def say(self: object, line: object) -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    monkeypatch.setattr("bot.replay.play.LONGEST", 0.05)
    monkeypatch.setattr("bot.replay.stage.Stage.say", say)
    played = await play(Sample.model_validate(TALK))
    assert ended.is_set()
    [broken] = played.differences
    assert str(broken).startswith("第 1 句出错，后面的没有跑：TimeoutError：0.05 秒没有结束")
