"""Nothing that a member can write takes the readings long, whatever it repeats."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
PATIENCE = 300
"""Seconds: the readings need a few, one pattern that tries every way to take a text apart needs years."""


@pytest.mark.exhaustive
def test_no_text_takes_the_readings_long() -> None:
    paths = os.pathsep.join([str(ROOT / "plugins"), *sys.path])
    code = (
        "import nonebot; nonebot.init(); import runpy, sys; runpy.run_path(sys.argv[1], run_name='__main__')"
    )
    try:
        done = subprocess.run(
            [sys.executable, "-c", code, str(HERE / "hostile_texts.py")],
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": paths},
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
    except subprocess.TimeoutExpired as slow:
        read = (slow.stdout or b"").decode(errors="replace").splitlines()
        raise AssertionError(f"still reading {read[-1:]}") from slow
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.splitlines()[-1].startswith("read ")
