"""Words beside an answer: connectives of what is said behind it (算了，改成…; 行 再帮我…), banter. Pure."""

from __future__ import annotations

from typing import Final

from ...patterns import Pattern
from ..clauses.features import chats, talks

_INSTEAD: Final = Pattern(r"^(?:(?:那|就|还是|直接|给我)*(?:改成|改为|换成|换为))(?=.)")
"""Connectives between a cancellation and the order that replaces it (算了，改成提醒我吃药)."""
_GOES_ON: Final = Pattern("^(?:再|另外|顺便|顺带|还有|然后|也|还)")
"""Beginnings of an addition to a yes; without one, 好的 before an order is only a courtesy."""
_LAUGHS: Final = Pattern(
    "哈哈|呵呵|嘿嘿|嘻嘻|hhh|666|233|笑死|^[早晚]安?[啊呀!~。]*$|好的?[呀啊吧]?$|收到|[他她]们?|你们|大家"
)


_NOT_IN_TIME: Final = Pattern(
    "^(?P<what>[^我咱俺,，。 ]{2,8}?)(?:我|咱|俺|我们)?"
    "(?:可能|怕是|怕|恐怕|估计|大概|应该|真的?|实在|肯定|都|是|也)*+"
    "(?:来不及|赶不及|赶不上|(?:做|弄|写|搞|干|画|改|整)不完|(?:交|弄|做|写|搞)不(?:上|了|出来)|完不成|没法按时)"
)


def not_in_time(text: str) -> str:
    """What a text tells not to be done in time (海报我可能来不及); empty for any other text."""
    found = _NOT_IN_TIME.match(text)
    return "" if found is None else found["what"]


def without_instead(text: str) -> str:
    """The order that replaces what was cancelled, without its connective."""
    return _INSTEAD.sub("", text)


def goes_on(text: str) -> bool:
    """True if a text adds to the yes before it."""
    return _GOES_ON.match(text) is not None


def is_banter(text: str) -> bool:
    """True if a text laughs, greets, or speaks to others."""
    return talks(text) or chats(text) or _LAUGHS.search(text.lower()) is not None
