"""Orders in the words people use, put into those the rules know, before anything is read. Pure.

挪一挪到八点 -> 挪到八点, 闹钟帮我关了 -> 闹钟取消掉, 体检改后天 -> 体检改到后天, 改时间，四点 -> 改到四点.
Every character keeps its place in what the member wrote.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from ..text.normalise import Folded

_KEPT: Final = "(?:闹[钟铃]|提醒|任务|待办|日程)"
_DAY: Final = (
    "(?:大?后天|[今明]天|[今明]晚|明早|(?:[这下本]个?)?(?:周|星期|礼拜)[一二三四五六日天末]"
    "|[0-9一二三四五六七八九十]{1,3}[号点月](?![一-鿿]?[的地得]?[会课班])|[早晚]上|[上中下]午)"
)
_CLOCK: Final = "(?:[早晚]上|[上中下]午|傍晚|凌晨)?(?:[0-9]{1,2}|[一二两三四五六七八九十]{1,3})[点:]"
_WHEN: Final = (
    f"(?:{_DAY})?{_CLOCK}(?:半|[一三]刻|[0-9]{{1,2}}分?|[一二三四五]?十?[一二三四五六七八九]?分?)"
    f"|{_DAY}[一-鿿]{{0,2}}"
)
_MOVES: Final = "改|挪|推|换|调|延|顺延"
_ROWS: Final[Sequence[tuple[str, str]]] = (
    # 挪一挪, 调调, 改改, 往后挪挪
    (
        r"(?P<verb>[挪调改换推移拖延])(?:一|了)?(?P=verb)(?:一?下)?(?=到|成|为|至|在|时间|地点|日期|期"
        r"|[吧呗啊,。!~ ]|$|[0-9]|今|明|后天|周|下[周个午]|上午|中午|晚上|早上)",
        r"\g<verb>",
    ),
    # 撤销撤销, 写进去写进去
    (
        "(?P<twice>撤销|取消|删除|删掉|删了|完成了?|记一下|写进去|加上去?|算了|不要了|记上)"
        "[ ,]{0,2}(?P=twice)",
        r"\g<twice>",
    ),
    # 记一哈, 看哈子
    ("(?<=[记看等搞弄问查改删写])(?:一哈(?:子|儿)?|哈子)(?!哈)", "一下"),
    ("改变(?=[^,。!?]{1,14}?(?:到|成|为|至))", "改"),
    # An alarm that is switched off is taken away.
    (
        f"(?P<kept>{_KEPT})(?:都|也|先|就|给我|帮我|帮忙|麻烦|给|,| )*"
        "(?:关|停|撤|免|掐|退)(?:了|掉|上|一下|闭)(?:吧)?",
        r"\g<kept>取消掉",
    ),
    (
        f"(?:关|停|撤)(?:了|掉|闭|一下|上)?(?=[^,。!?关]{{0,12}}{_KEPT}(?:$|[吧了,。!~ ]))"
        "(?!于|注|心|系|键|机)",
        "取消",
    ),
    (
        "^(?:那|哦|啊|不对|错了|不|嗯|额|算了|[, ])*(?:还是|应该是|要不|干脆|应该)"
        f"(?=(?:{_WHEN})[吧了啊呀哦。!~]*$)",
        "改到",
    ),
    # 改时间，四点; 往后挪，五点吧
    (
        "(?:改(?:个|一下)?(?:时间|期)|往[前后][挪推延调移拖]|(?<=[一-鿿])[挪推调])[,: ]+"
        f"(?:就|到|改到|换到)?(?={_CLOCK})",
        "改到",
    ),
    # 再改回后天, 还是放周一吧
    (f"(?:再|又|还是)?(?:改|调|挪|移|换|推|搬)回(?:到|去|来)?(?={_DAY}|{_CLOCK})", "改到"),
    (f"(?<=[一-鿿])还是放(?:在|到)?(?={_DAY}|{_CLOCK})", "改到"),
    # 改回原来的时间 takes the last change back.
    (
        "^(?:再|还是|那|给我|帮我|,| )*(?:恢复|还原|改回|挪回|调回|换回)(?:成|到)?"
        "(?:原来|之前|以前|原先|刚才|原本)(?:的|那个)*(?:时间|日期|样子|安排)?[吧了。!~ ]*$",
        "撤销",
    ),
    # 体检改后天早上, 客户电话也后天
    (f"(?<=[一-鿿a-z])(?<![更修])(?P<verb>改|挪|推|换)(?={_DAY})", r"\g<verb>到"),
    (f"(?<=[一-鿿])也(?:都)?(?={_DAY}[^,。!?]{{0,6}}$)", "也改到"),
)
_TABLE: Final = tuple((re.compile(pattern), put) for pattern, put in _ROWS)
_HINT: Final = re.compile(
    "(?P<same>[一-鿿]{2})[ ,]{0,2}(?P=same)|还是|恢复|还原|应该|要不|干脆|[挪调改换推移拖延关停撤免掐退]"
    f"|也(?={_DAY})"
)
_ALSO: Final = len(_ROWS) - 1


def canonical(folded: Folded) -> Folded:
    """The text in the rules' words."""
    if _HINT.search(folded.text) is None:
        return folded
    text, origin = folded.text, folded.origin
    for number, (pattern, put) in enumerate(_TABLE):
        if number == _ALSO and re.search(f"(?:{_MOVES})", text) is None:
            continue  # 也后天 moves only beside what is moved
        pieces: list[str] = []
        places: list[int] = []
        at = 0
        for found in pattern.finditer(text):
            new = found.expand(put)
            pieces += [text[at : found.start()], new]
            own = origin[found.start() : found.end()]
            places += [*origin[at : found.start()], *own[: len(new)], *([own[-1]] * (len(new) - len(own)))]
            at = found.end()
        if at:
            text, origin = "".join([*pieces, text[at:]]), (*places, *origin[at:])
    return Folded(text, origin, folded.length)
