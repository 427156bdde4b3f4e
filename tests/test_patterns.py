"""Patterns are compiled at first use (`patterns`): what that is worth, and that nobody notices."""

from __future__ import annotations

import gc
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from nonebot_plugin_mishu import patterns
from nonebot_plugin_mishu.patterns import Pattern, RowPattern

ROOT = Path(__file__).resolve().parent.parent
AT_IMPORT = {"prompts/__init__.py", "slips.py", "web/layers/guard.py", "storage/copies/postgresql_tools.py"}
"""Patterns of formats, one each: of the headings of prompts, of keys, and two of bytes."""
_LOAD = """
import json, re, sys
compiled = []
plain = re._compile
def noted(pattern, flags):
    frame = sys._getframe(2)
    if frame.f_code.co_filename.endswith("nonebot_plugin_mishu/patterns.py"):
        frame = frame.f_back.f_back
    _, ours, where = frame.f_code.co_filename.rpartition("nonebot_plugin_mishu/")
    if ours:
        compiled.append([where, str(pattern)])
    return plain(pattern, flags)
re._compile = noted
import nonebot
nonebot.init(driver="~none", log_level="CRITICAL", _env_file=None)
assert nonebot.load_plugin("nonebot_plugin_mishu") is not None
from nonebot_plugin_mishu.patterns import made
heavy = ["alembic", "nicegui", "openai", "prometheus_client", "PIL"]
print(json.dumps([compiled, len(made()), [name for name in heavy if name in sys.modules]]))
"""


def test_loading_the_plugin_compiles_hardly_a_pattern_and_imports_nothing_heavy(tmp_path: Path) -> None:
    """In a process of its own: this one has read lines already."""
    run = subprocess.run(
        [sys.executable, "-c", _LOAD],
        capture_output=True,
        text=True,
        check=True,
        cwd=tmp_path,
        env={"PYTHONPATH": str(ROOT / "plugins"), "HOME": str(tmp_path), "PATH": ""},
    )
    compiled, made, heavy = json.loads(run.stdout.splitlines()[-1])
    assert [each for each in compiled if each[0] not in AT_IMPORT] == []
    assert len(compiled) < 10
    assert made > 1000
    assert heavy == []


def test_a_pattern_does_what_a_compiled_one_does() -> None:
    lazy, eager = (
        Pattern("(?P<sum>[0-9]+)元|x", re.IGNORECASE),
        re.compile("(?P<sum>[0-9]+)元|x", re.IGNORECASE),
    )
    said = "买菜20元 打车35元 X"
    assert lazy.compiled is None
    assert [each.span() for each in lazy.finditer(said)] == [each.span() for each in eager.finditer(said)]
    assert lazy.findall(said) == eager.findall(said)
    assert lazy.sub("#", said) == eager.sub("#", said)
    assert lazy.subn("#", said, count=1) == eager.subn("#", said, count=1)
    assert lazy.split(said) == eager.split(said)
    for name in ("search", "match", "fullmatch"):
        found, wanted = getattr(lazy, name)(said, 2), getattr(eager, name)(said, 2)
        assert (found and found.groups()) == (wanted and wanted.groups())
    assert (lazy.pattern, lazy.groups, dict(lazy.groupindex)) == (eager.pattern, 1, {"sum": 1})
    assert lazy.flags == re.IGNORECASE


def test_a_broken_pattern_is_found_at_its_first_use() -> None:
    with pytest.raises(re.error):
        Pattern("(").search("")


def test_nothing_else_is_looked_up() -> None:
    pattern = Pattern("a")
    with pytest.raises(AttributeError):
        pattern.scanner  # type: ignore[attr-defined]  # noqa: B018
    assert pattern.compiled is None


def test_what_is_left_is_compiled_and_what_is_gone_is_not_kept() -> None:
    pattern, row = Pattern("kept"), RowPattern("row")
    Pattern("gone").search("")
    gc.collect()
    assert "gone" not in {each.pattern for each in patterns.made()}
    for _ in patterns.warm():
        pass
    assert pattern.compiled is not None
    assert row.compiled is None
    assert list(patterns.warm()) == []
