"""The world that `parse_intents` is told: the speaker's and the group's, nothing of anybody else's."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from nonebot_plugin_mishu.storage.record.facts import Fact
from nonebot_plugin_mishu.storage.records import Conversation

from bot.replay.sample import Sample
from bot.replay.scripted import ScriptedModel
from bot.replay.stage import ACCOUNT, Stage

UNCLEAR = "@秘书 那个弄一下呗 就上回那样"
NOTHING = {"frames": [], "intent_ops": [], "safety": "SAFE"}
GROUP_FACT = "wifi密码是8842"
OF_RED = ("体检报告", "口罩", "保险柜密码是5566", "看牙医")
"""A task, an open draft, a fact told in private and one told in another group, all of 小红's."""


def group_talk() -> Sample:
    return Sample.model_validate(
        {
            "name": "小红的事小明看不见",
            "now": "2026-11-18T10:00:00",
            "online": True,
            "talk": [
                {"who": "小红", "say": "@秘书 提醒我明天下午三点拿体检报告"},
                {"who": "小红", "say": "@秘书 记住 " + GROUP_FACT},
                {"who": "小红", "say": "@秘书 口罩30 酒精20 都记上"},
                {"who": "小明", "say": UNCLEAR, "model": {"parse_intents": NOTHING}},
                {"who": "小红", "say": UNCLEAR, "after": 5},
            ],
        }
    )


async def told_to_model(monkeypatch: pytest.MonkeyPatch, folder: Path) -> list[tuple[str, dict[str, Any]]]:
    """What `parse_intents` was told, by whose line."""
    seen: list[tuple[str, dict[str, Any]]] = []
    answered = ScriptedModel.structured

    async def noted(self: ScriptedModel, name: str, data: Any, *rest: Any, **more: Any) -> Any:
        if name == "parse_intents":
            seen.append((data["user"], json.loads(json.dumps(data))))
        return await answered(self, name, data, *rest, **more)

    monkeypatch.setattr(ScriptedModel, "structured", noted)
    sample = group_talk()
    red = sample.user("小红")
    async with Stage.open(sample, folder) as stage:
        facts = stage.storage.facts
        elsewhere = (Conversation(ACCOUNT, "private", red), Conversation(ACCOUNT, "group", "777"))
        for number, (place, words) in enumerate(zip(elsewhere, OF_RED[2:], strict=True)):
            new = Fact(words, words, red, "小红", 1.0, f"m{number}")
            await facts.store_fact(place, new, f"o{number}", only_own=False)
        for line in sample.talk:
            await stage.say(line)
    return seen


async def test_of_other_members_nothing_but_what_the_group_keeps_is_told(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    seen = await told_to_model(monkeypatch, tmp_path)
    worlds = {user: {"world": data["world"], "open": data["open_frames"]} for user, data in seen}
    assert set(worlds) == {"小明", "小红"}
    told = json.dumps(worlds["小明"], ensure_ascii=False)
    assert [each["text"] for each in worlds["小明"]["world"]["facts"]] == [GROUP_FACT]
    assert [words for words in OF_RED if words in told] == []
    own = json.dumps(worlds["小红"], ensure_ascii=False)
    assert [words for words in OF_RED if words in own] == list(OF_RED[:2])
