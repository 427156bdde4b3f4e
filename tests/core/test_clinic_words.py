"""The example clinic desk's reading: what hurts, for how long, and what is no answer to that question.

The module is loaded by its file: importing its package would register its agents for every other test.
"""

from __future__ import annotations

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest
import yaml

_HERE = Path(__file__).parent
_DATA: dict[str, Any] = yaml.safe_load((_HERE / "data" / "clinic.yaml").read_text("utf-8"))


def _departments() -> Any:
    file = _HERE.parents[1] / "plugins" / "nonebot_plugin_mishu_clinic" / "departments.py"
    spec = spec_from_file_location("clinic_departments", file)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


DESK = _departments()


@pytest.mark.parametrize(("said", "how_long"), _DATA["durations"].items())
def test_a_duration_is_heard_as_the_answer(said: str, how_long: str) -> None:
    assert DESK.answered_duration(said) == how_long


@pytest.mark.parametrize("said", _DATA["no_durations"])
def test_talk_is_no_answer_to_how_long(said: str) -> None:
    assert DESK.answered_duration(said) is None


@pytest.mark.parametrize(("said", "where"), _DATA["symptoms"].items())
def test_a_symptom_leads_to_its_department(said: str, where: str) -> None:
    found = DESK.symptom(said)
    assert found is not None
    assert DESK.department(found) == where


@pytest.mark.parametrize("said", _DATA["no_symptoms"])
def test_what_is_no_symptom(said: str) -> None:
    assert DESK.symptom(said) is None


@pytest.mark.parametrize(("said", "how_long"), _DATA["told_at_once"].items())
def test_a_duration_told_at_once_is_not_asked_again(said: str, how_long: str | None) -> None:
    assert DESK.duration(said) == how_long
