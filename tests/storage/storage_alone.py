"""Imported first, lets a program of its own reach the rooms without the plugin, which needs a NoneBot."""

import importlib.util
import sys
import types
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # for the support modules of all tests
_found = importlib.util.find_spec("nonebot_plugin_mishu")
assert _found is not None
_package = types.ModuleType("nonebot_plugin_mishu")
_package.__path__ = list(_found.submodule_search_locations or [])
sys.modules["nonebot_plugin_mishu"] = _package
