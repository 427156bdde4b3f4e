"""报餐: an agent of Mishu 秘书 that counts lunches. A template: copy it, rename it, change it."""

from nonebot import require
from nonebot.plugin import PluginMetadata

require("nonebot_plugin_mishu")
require("nonebot_plugin_localstore")

from nonebot_plugin_localstore import get_plugin_data_file  # noqa: E402 - what is required comes first
from nonebot_plugin_mishu.agents import register_agent  # noqa: E402

from .agent import lunch_spec  # noqa: E402
from .orders import Orders  # noqa: E402

__plugin_meta__ = PluginMetadata(
    name="报餐",
    description="数午饭：秘书的一个智能体",
    usage="@ 机器人说：报餐两份 / 今天报了几份饭 / 取消报餐",
    type="application",
    homepage="https://github.com/mishu-bot/nonebot-plugin-mishu",
    supported_adapters={"~onebot.v11"},
)

register_agent(lunch_spec(Orders(get_plugin_data_file("orders.json"))))
