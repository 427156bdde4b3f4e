"""A model's frame that the rules read otherwise is asked about; what they read too is not."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import pytest
from nonebot_plugin_mishu.agents import SlotFrame
from nonebot_plugin_mishu.agents.builtin import ACTS
from nonebot_plugin_mishu.core.decision.agreement import compared
from nonebot_plugin_mishu.core.decision.reading import Frame

SPECS: Any = [SimpleNamespace(code=code, acts=acts) for code, acts in ACTS.items()]
SPECS.append(SimpleNamespace(code="clinic", acts={}))


def frame(act: str, **slots: Any) -> Frame:
    agent, _, intent = act.partition(".")
    return Frame(agent, intent, None, SlotFrame(slots), sure=False)  # type: ignore[arg-type]


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
    (found,) = compared([model], rules, SPECS)
    assert found.contested is contested


def test_a_change_that_both_read_of_one_thing_is_sure() -> None:
    (found,) = compared(
        [frame("schedule.edit", ref="1", new_time="三点")],
        [frame("schedule.edit", ref="1", time="三点")],
        SPECS,
    )
    assert found.sure
    assert found.slots == {"ref": "1", "time": "三点"}, "as the rules read it"
    (found,) = compared([frame("tasks.create_task")], [frame("tasks.create_task")], SPECS)
    assert not found.sure
