"""A line that says of one item of an open card, by its name, that something is to become of it, however short
the name is and whatever sigh stands before it (哎呀鱼那个不要记; 算了鱼不记了; 鱼的钱是我爸付的). Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from ...patterns import Pattern
from ..text.fold import normalise

_LONGEST: Final = 40
_SIGHS: Final = (
    "(?:哎呀|哎哟|哎|唉|诶|欸|呃|额|嗯|哦|噢|啊|算了|等等|等一?下|等哈|对了|不对|错了|那个|这个|那|刚才的?|其实|还有"
    "|[ ,，])*+"
)
_OF_IT: Final = "(?:[那这]一?[个笔份条]|的钱|那份钱|钱|的)?(?:我|就|先|也|都|还是|给我|其实|[ ,，])*"
_BECOMES: Final = (
    "(?:不|没|别|莫|甭|嫑|唔|删|去掉|撤|取消|划掉|划了|算了|算错|记错|写错|打错|错了|是|应该|改|换|多了|少了)"
)
_ADDS: Final = Pattern(
    f"{_SIGHS.removesuffix('*+').replace('|还有', '')}*+(?:还有|另外还?有?|再加个?|加上|还要加)"
)


def aims_at(text: str, names: Iterable[str]) -> bool:
    """True if a line orders a change of one of these names, or of a name's ending (菜 of 买菜)."""
    line = normalise(text).lower()
    if len(line) > _LONGEST:
        return False
    ends = {name[at:].lower() for name in names for at in range(len(name))}
    said = "|".join(re.escape(each) for each in sorted(filter(None, ends), key=len, reverse=True))
    return bool(said) and re.match(f"{_SIGHS}(?:{said}){_OF_IT}{_BECOMES}", line) is not None


def adds_one(text: str) -> bool:
    """True if a line starts by adding (还有葱3块)."""
    return _ADDS.match(normalise(text)) is not None
