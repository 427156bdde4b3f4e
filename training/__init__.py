"""Learns the weights of the judges from the sentences in `training/sentences` (docs/models.md).

Importing any module of the plugin's package loads the plugin, so NoneBot stands before the first import, with
a driver that opens nothing; where both are there already, they stay.
"""

import nonebot

nonebot.init(driver="~none", _env_file=None)
nonebot.logger.configure(extra={"nonebot_log_level": "WARNING"})
if nonebot.get_plugin("nonebot_plugin_mishu") is None:
    nonebot.load_plugin("nonebot_plugin_mishu")
