"""Lines that cancel a question, or everything that is open: 算了, 都不用了. Pure."""

from __future__ import annotations

from typing import Final

from ...patterns import Pattern
from ..text.fold import normalise
from ..text.repeats import without_repeats

_LONGEST: Final = 200
"""Longest line (characters) read as a cancellation."""
_LATER = r"(?:改天|改日|下次|下回|以后|回头|过几天)(?:再(?:说|办|弄|约|定)|吧)"
_FILLERS = r"(?:[那嗯呃哦]|算了|我|就|还是|请|麻烦|先|暂时|[,，\s])*"
_ENDS = rf"(?:吧|了|啦|哈|呀|啊|呢|谢谢|[,，。!！~～…\s]|{_LATER})*"
_CANCEL: Final = Pattern(
    rf"{_FILLERS}(?:算了|取消|撤了|作罢|不(?:用|要|办|挂|弄|搞|需要|必|问|想|记|约|定|设|提醒)了?|别(?:弄|办|搞|管|挂|记|问)了|"
    rf"(?:先)?不(?:用|要|办|挂|弄)(?:了|它|这个)|不(?:预?订|买|取|寄|借|租|去|做|查|改|加|看|报名)了|没事了|当我没说)"
    rf"(?:这个|它|挂号|这件事)?{_ENDS}|{_FILLERS}算了[,，\s]*(?:我|就|还是|先)*[不别](?![是如])[^,，。!！?？]{{1,5}}了{_ENDS}"
    rf"|{_FILLERS}{_LATER}{_ENDS}"
)
_KEEPS: Final = Pattern(
    r"(?:别|不要|不用|不|不能|先别|千万别)取消|不(?:能|可以|会|想)算了|不是(?:算了|取消)|怎么(?:取消|算)"
)
_CANCEL_ALL: Final = Pattern(
    rf"{_FILLERS}(?:(?:都|全都?|全部|统统)(?:不(?:用|要|办|需要)了?|取消|算了|作罢|撤了|别办了?|别弄了?)|"
    rf"(?:全部|所有的?|一切)(?:都)?(?:取消|不要了?|作罢)|取消(?:全部|所有))(?:的)?{_ENDS}"
)


def cancels(text: str) -> bool:
    """True if the whole line cancels the question (算了, 不用了). False for 别取消 and 怎么取消."""
    said = without_repeats(normalise(text[:_LONGEST]))
    return bool(_CANCEL.fullmatch(said)) and not _KEEPS.search(said)


def cancels_all(text: str) -> bool:
    """True if the whole line cancels everything (都不用了)."""
    said = without_repeats(normalise(text[:_LONGEST]))
    return bool(_CANCEL_ALL.fullmatch(said)) and not _KEEPS.search(said)
