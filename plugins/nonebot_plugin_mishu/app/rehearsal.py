"""A rehearsal: some lines are read once after the start, by nobody for nobody.

The first reading loads words, weights and grammars and compiles patterns: most of a second of a free
processor, seconds of a busy one. In it nothing else moves, and what was said meanwhile is not on disk. So it
is done when the bot is ready, in a thread, before the first member speaks; the patterns that those lines do
not need are compiled behind it, so that no later line waits for them.
"""

from __future__ import annotations

from collections.abc import Callable
from zoneinfo import ZoneInfo

from ..agents.builtin import builtin_rules
from ..core import local_verdict, may_say
from ..core.decision import read
from ..core.overhearing import worth_a_question
from ..core.situation import situation
from ..language.cards.triage import triage
from ..language.grammar import grammar
from ..language.ledger.shares.participants import amendment_of
from ..patterns import warm

LINES = (
    "提醒我明天早上八点交报告",
    "加个任务：写完周报",
    "明天下午三点评审会，记一下",
    "把周会改到后天",
    "打车花了23元",
    "记住：快递放门卫了",
    "在吗",
    "今天天气不错啊",
    "给全寝室定七点的闹钟",
    "家长会取消 老师通知的",
    "提醒我提前一小时去接外婆",
    "提醒室友把卫生费交了",
    "每两周一次的回顾会,周四下午",
    "买牛奶一箱 59",
    "我也去 带上我老公",
    "我们三个人吃火锅 240 AA",
    "群里有什么重要的事",
    "读书会每周四晚八点雷打不动 帮我们录一下",
)
"""One of each kind, and those of which something is put together when it is first needed."""


def rehearse(now: float, zone: ZoneInfo) -> None:
    """Read the safety rules, write out the forms of orders, and read the lines by our own agents' rules, said
    to us and among members. Pure; may run in a thread."""
    grammar().made_ready()
    amendment_of("小王不算", (), ())  # read only where an expense is open
    agents = builtin_rules()
    for line in LINES:
        local_verdict(line)
        may_say(line)
        for addressed in (True, False):
            read(line, situation(now, zone, addressed=addressed), agents)
        worth_a_question(line, agents, lambda: situation(now, zone, addressed=False))
        triage(line, 1)


def compile_rest(ended: Callable[[], bool]) -> None:
    """Compile every pattern that no line has needed yet, until `ended`. May run in a thread."""
    for _ in warm():
        if ended():
            return
