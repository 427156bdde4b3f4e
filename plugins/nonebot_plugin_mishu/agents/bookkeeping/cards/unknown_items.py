"""Lines about an item missing from the open card (帽子那笔改成25 on a card of socks). Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from ....drafts import Batch
from ....language.books.pointing import called, without_sum_refused
from ....language.entries.categories import Categories
from ....language.entries.entry import Entry
from ....language.text.fold import normalise
from ....patterns import Pattern

_LEAD: Final = "(?:把|将|刚才的?|刚刚的?|今天的?|昨天的?|那个|那|不对|[打写记说弄]错了?|,|，| )*"
_THAT: Final = "的?[那这]?一?[笔条](?:账|钱)?的?"
_NAME: Final = "(?P<name>[^,，。?？0-9 是改换不删去第]{1,8}?)"
_CHANGED: Final = Pattern(
    f"{_LEAD}{_NAME}(?P<that>{_THAT})?(?P<verb>改成|改为|改到|换成|应该是|其实是|是|算|改|备注)"
    "(?P<more>[^,，。]{1,20})"
)
_REFUSED: Final = Pattern(
    f"{_LEAD}{_NAME}(?P<that>{_THAT})?(?:给我|就|先)?(?:不要了?|不用记了?|删了|删掉|删除|删|去掉|取消|不记了?|别记了?|作废)"
    "[了吧啊呀]*"
)
_REFUSED_FIRST: Final = Pattern(f"(?:删掉|删了|删除|去掉|取消|不要|别记){_NAME}(?P<that>{_THAT})?[了吧啊呀]*")
_NAMES_ONE: Final = Pattern(
    f"{_LEAD}{_NAME}的?[那这]一?笔(?:账|钱)?的?(?:改|换|应该|其实|是|算|不|删|去|取消|备注|作废)"
)
_ASKS: Final = Pattern("[?？吗]|多少|什么|几|没有|是不是")
_NO_NAME: Final = Pattern(
    "[那这上下前后头尾末最中间]+[面边]?[一二两三个]?|金额|日期|时间|分类|类别|类型|备注|描述|名字|名称|收入|支出|转账|价格|价钱|钱|数"
    "|都|全部?|它们?|其他|其它|剩下|刚才|刚刚|刚|最后|最近|[一二两三四五六七八九十]+|我|还是"
)


@dataclass(frozen=True, slots=True)
class Stray:
    """Name missing from the card. `known`: a known thing, not just any words."""

    words: str
    known: bool
    fen: int | None = None
    """Its sum, where that is told as well (火锅2块那笔删了)."""
    elsewhere: bool = False
    """Another kept thing has the name, and no record (快递那个取消, of a reminder)."""


def stray(
    text: str, card: Batch[Entry], recorded: Sequence[str] = (), kept: Sequence[str] = ()
) -> Stray | None:
    """Item changed or refused that is not on the card, if the line does nothing else. `recorded`: what
    saved records are called (营地费改成500), `kept` what other things are. Never raises."""
    line = normalise(text[:60]).strip(" 。.!~")
    if _ASKS.search(line):
        return None
    line, fen = without_sum_refused(line)
    items = [(item.number, item.value) for item in card.items]
    if any(not entry.description for _, entry in items):
        return None
    for pattern in (_CHANGED, _REFUSED, _REFUSED_FIRST):
        said = pattern.fullmatch(line)
        if said is None:
            continue
        name = said["name"].strip("的").removesuffix("那个")
        if not name or _NO_NAME.fullmatch(name) or called(name, items):
            return None
        if any(entry.description in name or name in entry.category for _, entry in items):
            return None
        known = any(name in each or each in name for each in recorded if len(each) > 1)
        if not known and not said["that"] and any(name in each for each in kept if len(name) > 1):
            return Stray(name, known=False, elsewhere=True)
        plainly = said["that"] or pattern is not _CHANGED or said["verb"].startswith("改")
        if not known and not plainly:
            return None  # 房费是450: of a thing that nobody recorded
        known = known or Categories().thing(name) is not None or Categories().named(name) is not None
        return Stray(name, known, fen) if known or said["that"] else None
    return None


def names_one(text: str) -> bool:
    """True if a line changes 那笔 by its name (加油那笔是大前天的)."""
    line = normalise(text[:60])
    said = _NAMES_ONE.match(line)
    return said is not None and not _ASKS.search(line) and _NO_NAME.fullmatch(said["name"]) is None
