"""Both plugins are loaded once, before the first import of either; their files lie in a temporary folder."""

import os
import tempfile

for _kind in ("DATA", "CACHE", "CONFIG"):
    os.environ[f"LOCALSTORE_{_kind}_DIR"] = tempfile.mkdtemp(prefix="lunch-tests-")

import nonebot  # noqa: E402

nonebot.init(driver="~none", _env_file=None)
nonebot.load_plugin("nonebot_plugin_mishu")
nonebot.load_plugin("nonebot_plugin_lunch")
