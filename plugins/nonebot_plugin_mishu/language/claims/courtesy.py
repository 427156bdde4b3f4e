"""Courtesies around a claim: 好的没问题, 包在我身上. Pure."""

from __future__ import annotations

import re
from typing import Final

from ...patterns import Pattern
from ..text.fold import normalise

_COURTESY: Final = Pattern(
    r"^(?:好[的嘞哒滴呀啊哦了吧]*|行[吧啊的]*|嗯|没问题|没事儿?|收到|明白了?|了解|可以[的呀啊]*|得嘞|"
    r"ok|okay|sure|got it|no problem|"
    r"放心[吧哈]?+|别担心|交给我[吧了]?|包在我身上|当然|遵命|妥|太好了|(?>哈(?:(?<=哈哈)|(?=哈)))|那|搞定)*$",
    re.IGNORECASE,
)


def is_courtesy(sentence: str) -> bool:
    """True if a sentence holds courtesies and nothing else."""
    return _COURTESY.match(re.sub(r"[\s\W_]+", "", normalise(sentence))) is not None
