"""AgentSpec of bookkeeping."""

from __future__ import annotations

from collections.abc import Callable
from zoneinfo import ZoneInfo

from ...config import Bookkeeping
from ...llm import ModelClient
from ...storage.store import Storage
from ..api.builtin_codes import ACTS
from ..api.ports import Announcer
from ..api.spec import AgentSpec, Intent, MemoryPolicy, Slot
from ..api.undoing import Undoing
from .books import AGENT, Books
from .handler import BookKeeper, answers
from .listed_records import ListedRecords
from .queries import Queries
from .reader import read, replies
from .rules import rules

INTENTS = (
    Intent(
        "record",
        "记收支、转账、AA、预算、分类；两人间借、还、垫的钱：item 写借、还或垫的东西，"
        "payer 是出钱的，sharers 只写另一个",
        ("午饭35，打车20", "聚餐300 AA 五个人", "老王找我借了200"),
        label="记一笔账",
    ),
    Intent(
        "query",
        "查自己或群里的账：合计、明细、谁欠谁、预算、导出",
        ("这个月花了多少", "我还欠多少", "导出上个月的账"),
        reads_only=True,
        label="查账",
    ),
    Intent("correct", "改或删已经记下的账", ("刚才那笔改成45", "把打车那笔删掉")),
    Intent("undo", "撤销自己刚才的操作，不只是账的", ("撤销",)),
)
_SUMS = ("record", "correct")
SLOTS = (
    Slot("item", intents=_SUMS),
    Slot("amount", intents=_SUMS),
    Slot("payer", intents=_SUMS),
    Slot("sharers", intents=_SUMS),
    Slot("date", intents=_SUMS),
    Slot("period", intents=("query",)),
    Slot("about", intents=("query",)),
)
"""For a model only: item, sum, payer, sharers, date. The agent reads the values itself"""
BOUNDARY = (
    "钱花了、收了、转了多少，记账、查账、改账、预算、AA 归它；"
    "要做的事、约会和闲聊不归它，问商品价格也不归它。"
)


def bookkeeping_spec(
    storage: Storage,
    model: ModelClient,
    config: Bookkeeping,
    *,
    zone: ZoneInfo,
    wall: Callable[[], float],
    decide_timeout: float = 10.0,
    announcer: Announcer | None = None,
    undoing: Undoing | None = None,
    listed: ListedRecords | None = None,
) -> AgentSpec:
    """Specification of the bookkeeping agent. `wall` is in seconds; `decide_timeout` limits one parse by a
    model."""
    books = Books(storage, model, config, zone, wall, decide_timeout, listed or ListedRecords())
    keeper = BookKeeper(books, Queries(books, announcer), undoing or Undoing(storage.changes, wall))
    return AgentSpec(
        code=AGENT,
        own_words=True,
        name="记账",
        intents=INTENTS,
        slots=SLOTS,
        boundary=BOUNDARY,
        handler=keeper,
        rules=rules,
        acts=ACTS[AGENT],
        read=read,
        answers=answers,
        replies=replies,
        memory=MemoryPolicy(turns=0),
        merges=True,
        spoken=True,
        feature="记账",
        expire=keeper.expire,
        drop=keeper.drop,
    )
