"""Fixtures of the model client's tests."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest_asyncio

sys.path.insert(0, str(Path(__file__).parents[1]))

from model_server import serve

model_server = pytest_asyncio.fixture(serve)
