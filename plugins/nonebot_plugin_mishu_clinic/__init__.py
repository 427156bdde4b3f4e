"""门诊前台: a clinic's desk as three agents, written against the public interface of Mishu only.

The example for who writes agents of their own (docs/agents.md): `triage` is a focus that asks for what it
needs, `smartCS` answers questions about the house, `queue` says how many are ahead. It gives no medical
advice beyond naming a department, and its queue lives in memory: a real desk would ask the hospital's.

Load it after, or together with, `nonebot_plugin_mishu`; the standalone bot does where
`MISHU__BOT__PLUGINS=["nonebot_plugin_mishu_clinic"]` says so.
"""

from nonebot import require
from nonebot.plugin import PluginMetadata

require("nonebot_plugin_mishu")

from nonebot_plugin_mishu.agents import register_agent  # noqa: E402 - what is required comes first

from .house import smart_cs_spec  # noqa: E402
from .triage import triage_spec  # noqa: E402
from .waiting import WaitingRoom, queue_spec  # noqa: E402

__plugin_meta__ = PluginMetadata(
    name="门诊前台",
    description="导诊、答疑、看排队：秘书的三个示例智能体",
    usage="@ 机器人说：我头痛想挂号，顺便问停车怎么收费，前面还有几个人？",
    type="application",
    homepage="https://github.com/mishu-bot/nonebot-plugin-mishu",
    supported_adapters={"~onebot.v11"},
)

_room = WaitingRoom()
for _spec in (triage_spec(_room), smart_cs_spec(), queue_spec(_room)):
    register_agent(_spec)
