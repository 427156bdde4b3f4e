"""A model's frame that the rules read otherwise is asked about; what they read too is not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from nonebot_plugin_mishu.agents import SlotFrame
from nonebot_plugin_mishu.agents.api.builtin_codes import ACTS
from nonebot_plugin_mishu.core.decision.model.agreement import compared
from nonebot_plugin_mishu.core.decision.reading import Frame

SPECS: Any = [SimpleNamespace(code=code, acts=acts) for code, acts in ACTS.items()]
SPECS.append(SimpleNamespace(code="clinic", acts={}))


def frame(act: str, **slots: Any) -> Frame:
    agent, _, intent = act.partition(".")
    clause: Any = SimpleNamespace(times=("三点",))
    return Frame(agent, intent, clause, SlotFrame(slots), sure=False)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("model", "rules", "contested"),
    [
        (frame("tasks.create_task", title="吃火锅"), [frame("chat.chitchat")], True),
        (frame("tasks.create_task"), [frame("tasks.create_task")], False),
        (frame("tasks.update_task", ref="7"), [frame("tasks.update_task")], False),
        (frame("tasks.update_task", ref="7"), [frame("tasks.update_task", ref="7")], False),
        (frame("tasks.update_task", ref="7"), [frame("tasks.update_task", ref="8")], True),
        (frame("tasks.update_task", ref="7"), [frame("tasks.update_task", refs=["7", "8"])], False),
        (frame("schedule.delete", ref="1"), [frame("schedule.edit", ref="1")], True),
        (frame("tasks.query_tasks"), [frame("chat.chitchat")], False),
        (frame("chat.chitchat"), [frame("tasks.create_task")], False),
        (frame("clinic.register"), [frame("chat.chitchat")], False),
    ],
)
def test_what_is_contested(model: Frame, rules: Sequence[Frame], contested: bool) -> None:
    (found,) = compared([model], rules, SPECS, talk=True)
    assert found.contested is contested


def test_a_change_that_both_read_of_one_thing_is_sure() -> None:
    model, rules = (
        frame("schedule.delete", ref="1", old_time="三点"),
        frame("schedule.delete", ref="1", time="三点"),
    )
    (found,) = compared([model], [rules], SPECS, talk=True)
    assert found.sure
    assert found.slots == {"ref": "1", "time": "三点"}, "as the rules read it"
    (found,) = compared([frame("tasks.create_task")], [frame("tasks.create_task")], SPECS, talk=True)
    assert not found.sure


def test_of_what_nobody_here_could_read_the_models_word_counts() -> None:
    (found,) = compared([frame("tasks.create_task")], [frame("chat.chitchat")], SPECS, talk=False)
    assert not found.contested
    weak = replace(frame("schedule.add"), probability=0.7)
    (found,) = compared([frame("tasks.create_task")], [weak], SPECS, talk=True)
    assert not found.contested
