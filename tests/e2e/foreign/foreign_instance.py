"""Somebody's own NoneBot: Mishu as one plugin, agents of other plugins beside it, two that are refused."""

import nonebot
from nonebot.adapters.onebot.v11 import Adapter

nonebot.init()
nonebot.get_driver().register_adapter(Adapter)
for _name in (
    "nonebot_plugin_mishu",
    "nonebot_plugin_mishu_clinic",
    "nonebot_plugin_meeting_rooms",
    "foreign_agents",
    "foreign_twin",
    "foreign_usurper",
):
    nonebot.load_plugin(_name)

if __name__ == "__main__":
    nonebot.run()
