"""Members of a dialogue are known to the desk of an evaluation as they are to a stage of replay."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from nonebot_plugin_mishu.config import Config

from bot.evaluate.desk import Desk
from bot.evaluate.dialogue import Dialogue
from bot.replay.sample import Sample

DIALOGUE: dict[str, Any] = {
    "name": "阿宝还没说过话",
    "now": "2026-03-12T20:00:00",
    "members": {"阿宝": {"role": "admin"}, "文文": {"card": "行政文文"}},
    "talk": [{"who": "小周", "say": "@秘书 让阿宝明天交周报", "mentions": ["小红"]}],
}
KNOWN = [("30001", "阿宝"), ("30002", "行政文文"), ("30003", "小周")]


def test_both_kinds_of_dialogue_know_the_same_members() -> None:
    for kind in (Dialogue, Sample):
        dialogue = kind.model_validate(DIALOGUE)
        assert dialogue.known_members() == KNOWN
        assert kind.model_validate({**DIALOGUE, "private": True}).known_members() == []
        assert dialogue.user("小红") == "30004"


async def test_the_desk_knows_who_has_not_spoken_yet(tmp_path: Path) -> None:
    dialogue = Dialogue.model_validate(DIALOGUE)
    async with Desk.open(dialogue, Config(), tmp_path) as desk:
        assert sorted((each.user_id, each.name) for each in await desk.known_members()) == KNOWN
        desk.say(dialogue.talk[0])
        await desk.rest(watched=True)
        tasks = await desk.rows("tasks")
    assert [(task["title"], task["owner"]) for task in tasks] == [("交周报", "30001")]
