"""The plugin of Mishu is loaded once, before the first import of it; its files lie in a folder of this run."""

import os
import tempfile

for _kind in ("DATA", "CACHE", "CONFIG"):
    os.environ[f"LOCALSTORE_{_kind}_DIR"] = tempfile.mkdtemp(prefix="lunch-tests-")

import nonebot  # noqa: E402

nonebot.init(driver="~none", _env_file=None)
nonebot.load_plugin("nonebot_plugin_mishu")
nonebot.load_plugin("nonebot_plugin_lunch")
