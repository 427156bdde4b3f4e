"""Somebody's own NoneBot with published plugins that write down all talk, ours beside them."""

import nonebot
from nonebot.adapters.onebot.v11 import Adapter

nonebot.init()
nonebot.get_driver().register_adapter(Adapter)
for _name in ("nonebot_plugin_chatrecorder", "nonebot_plugin_wordcloud", "nonebot_plugin_mishu"):
    nonebot.load_plugin(_name)

if __name__ == "__main__":
    nonebot.run()
