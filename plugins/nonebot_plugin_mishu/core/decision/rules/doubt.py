"""Possible work in a line that no agent's rules recognise: a model is worth asking.

Talk is sure where nothing of this is found. Pure.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Any, Final

from ....agents.api.builtin_codes import KNOWN_BY_RULES
from ....language.clause import Clause
from ....language.clauses.features import LONGEST, OPENING, hints_at_work, tells
from ....patterns import Pattern
from .choosing import Recogniser

_ORDERS: Final = Pattern(
    "(?:帮|替|给)(?:我们|我|忙|个忙)(?!们|讲|说|唱|发|看|买|打|的|还|送)|麻烦你|拜托你"
    f"|^(?:{OPENING})*[再也并]?(?:把|将)[^,。!?]{{1,12}}|(?:处理|办理|搞定|安排|操作|登记|预约|申请|办)(?:一下|下|掉|了吧|吧|好)"
    "|(?:弄|搞|改|换|调|订|定|记|加|删)(?:一下|下)(?!子|来|午|周|班|课)"
)
"""Orders to us, whatever their content."""
_RUN: Final = 3
"""Length (characters) of a run of an agent's description that is no coincidence."""
_WORDS: Final = Pattern("[一-鿿a-z0-9]+")


def may_be_work(line: Clause, agents: Iterable[Recogniser]) -> bool:
    """True if the line has an agent's word, an order to us, or a run of an agent's description."""
    if hints_at_work(line):
        return True
    text = line.text[:LONGEST].lower()
    if orders_us(line):
        return True
    runs = _runs(text)
    return any(not runs.isdisjoint(_told(intents)) for intents in map(_intents, agents) if intents)


def orders_us(line: Clause) -> bool:
    """True if the line orders something of us, whatever it is (帮我安排一下明天的那个)."""
    text = line.text[:LONGEST].lower()
    return line.situation.addressed and _ORDERS.search(text) is not None and not tells(text)


def _intents(agent: Recogniser) -> tuple[Any, ...]:
    """Intents of an agent known by its own description; none for agents known by their rules (你们到哪了
    shares 到哪了 with the polls' 问统计到哪了)."""
    return () if agent.code in KNOWN_BY_RULES else getattr(agent, "intents", ())


@lru_cache(maxsize=64)
def _told(intents: tuple[Any, ...]) -> frozenset[str]:
    """The runs of characters in the descriptions and examples of an agent's intents."""
    told = [text for intent in intents for text in (intent.description, *intent.examples)]
    return frozenset(run for text in told for run in _runs(text.lower()))


def _runs(text: str) -> frozenset[str]:
    return frozenset(
        word[at : at + _RUN] for word in _WORDS.findall(text) for at in range(len(word) - _RUN + 1)
    )
