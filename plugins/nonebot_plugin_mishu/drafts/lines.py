"""Lines to the owner of a draft, in one table. An agent may replace any of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from types import MappingProxyType
from typing import Final


class OwnerNotice(StrEnum):
    """Kinds of lines to the owner; their words are in `LINES`."""

    WAITING = "waiting"
    UNCLEAR = "unclear"
    UNHEARD = "unheard"
    OFFLINE = "offline"
    WHICH = "which"
    WHICH_GOES = "which_goes"
    CHANGED = "changed"
    SAME = "same"
    ADDED = "added"
    FULL = "full"
    SAVED = "saved"
    NOT_SAVED = "not_saved"
    CANCELLED = "cancelled"
    SAVE_THESE = "save_these"
    LEFT = "left"
    EXPIRED = "expired"
    RECORDING = "recording"
    NO_SUCH = "no_such"
    ALREADY_SAVED = "already_saved"
    ALREADY_CANCELLED = "already_cancelled"
    TOO_LATE = "too_late"


LINES: Final[Mapping[OwnerNotice, str]] = MappingProxyType(
    {
        OwnerNotice.WAITING: "好的，正在修改...",
        OwnerNotice.UNCLEAR: "没听清要改什么，请再说一次",
        OwnerNotice.UNHEARD: "刚才那句没听懂，没改；照这样记就回「确认」",
        OwnerNotice.OFFLINE: "（现在只会改金额、收支、分类和怎么分）",
        OwnerNotice.WHICH: "要改第几笔？",
        OwnerNotice.WHICH_GOES: "都要就说「都要」，不要的是第几笔？",
        OwnerNotice.CHANGED: "{items}改好了。还需要修改吗？",
        OwnerNotice.SAME: "{items}本来就是这样",
        OwnerNotice.ADDED: "{items}加上了",
        OwnerNotice.FULL: "一次最多{count}笔，多的没记，先确认这些吧",
        OwnerNotice.SAVED: "{items}记下了",
        OwnerNotice.NOT_SAVED: "{items}没存上，再说一次「确认」吧",
        OwnerNotice.CANCELLED: "{items}不记了",
        OwnerNotice.SAVE_THESE: "这{count}笔要保存吗？",
        OwnerNotice.LEFT: "{items}没记",
        OwnerNotice.EXPIRED: "等太久了，{items}没记，要记就再说一遍",
        OwnerNotice.RECORDING: "好，接着说",
        OwnerNotice.NO_SUCH: "没有{items}，再说一次？",
        OwnerNotice.ALREADY_SAVED: "{items}已经记下了",
        OwnerNotice.ALREADY_CANCELLED: "{items}已经不记了",
        OwnerNotice.TOO_LATE: "{items}已经记下了，要反悔就说「撤销」",
    }
)
"""Chinese text by line; `{items}` becomes 第1、3笔, `{count}` a number."""


def speak(line: OwnerNotice, numbers: Sequence[int] = (), count: int = 0, counter: str = "笔") -> str:
    """The words for `line` about the items with these 0-based `numbers`; `counter` counts them (笔, 个)."""
    items = f"第{'、'.join(str(number + 1) for number in numbers)}{counter}" if numbers else ""
    return LINES[line].replace("笔", counter).replace("{items}", items).replace("{count}", str(count))
