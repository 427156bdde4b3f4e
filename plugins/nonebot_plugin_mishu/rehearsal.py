"""A rehearsal: some lines are read once at start, by nobody for nobody.

The first reading loads words and grammars and compiles patterns: a third of a second of a free processor,
seconds of a busy one. In it nothing else moves, and what was said meanwhile is not on disk. So it is done
beside the start, in a thread, before the first member speaks.
"""

from __future__ import annotations

from zoneinfo import ZoneInfo

from .agents.bookkeeping.participants import amendment_of
from .agents.builtin import builtin_rules
from .core import local_verdict, made_ready
from .core.decision import read
from .core.situation import situation

LINES = (
    "提醒我明天早上八点交报告",
    "加个任务：写完周报",
    "明天下午三点评审会，记一下",
    "把周会改到后天",
    "打车花了23元",
    "记住：快递放门卫了",
    "在吗",
    "今天天气不错啊",
)
"""One of each kind."""


def rehearse(now: float, zone: ZoneInfo) -> None:
    """Compile the safety rules, and read the lines by our own agents' rules. Pure; may run in a thread."""
    for _ in made_ready():
        pass
    amendment_of("小王不算", (), ())  # read only where an expense is open
    for line in LINES:
        local_verdict(line)
        read(line, situation(now, zone), builtin_rules())
