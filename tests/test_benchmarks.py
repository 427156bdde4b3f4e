"""Benchmarks that stand something in for a part of the bot keep up with that part."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.exhaustive

SMALL = """
import asyncio
from benchmarks import holding
from benchmarks.instances.office import load_plugin
holding.GROUPS, holding.EACH = 2, 3
load_plugin()
print("handed over", len(asyncio.run(holding._measure())))
"""


CROWD = """
import asyncio
from benchmarks.instances import crowd
asyncio.run(crowd.main(2, 20, 20))
"""


def test_a_crowd_is_remembered() -> None:
    """Its stand-ins have what the front desk asks of a core and a database."""
    root = Path(__file__).parents[1]
    command = [sys.executable, "-c", CROWD]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, timeout=110, check=False)
    assert '"kept": 40' in done.stdout, done.stdout[-2000:] + done.stderr[-2000:]


def test_holding_hands_over_every_held_message() -> None:
    """In a process of its own: a benchmark loads the plugin as it likes."""
    root = Path(__file__).parents[1]
    command = [sys.executable, "-c", SMALL]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, timeout=110, check=False)
    assert "handed over 4" in done.stdout, done.stdout[-2000:] + done.stderr[-2000:]
