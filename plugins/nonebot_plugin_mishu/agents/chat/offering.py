"""Chat's offers: an order in words that waits for its member's yes. Pure.

好的 记吧 carries it out as if the member had said it; nothing is done before.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from ...language import Act, Question, answer
from ...language.claims.reading import sentences
from ...language.clause import Clause, Situation
from ...language.match import AnswerMatch
from ...storage.records import FrameRecord

OFFERED: Final = "_offer"
"""The note of a chat task: the order that waits for a yes."""
LONGEST: Final = 200
Reads = Callable[[str, Situation], bool]
"""Whether the rules are sure of an order, said to us in a situation."""
ASKED: Final = "要我照这样办吗：「{order}」？"
_OFFERS: Final = re.compile(
    "(?:(?:需|想|用)?不(?:需)?要|需要|要|用|想让?)我?(?:现在|先)?(?:帮你|给你|替你|帮忙|把它|帮)"
    "(?P<order>[^?？。!！]{2,60}?)(?:一下)?(?:吗|不|么|嘛)?[?？]"
    "|(?:我)?(?:可以|能)(?:帮你|给你|替你)(?P<also>[^?？。!！]{2,60}?)(?:一下)?(?:要不要|要吗|好吗|行吗|怎么样)[?？]"
)
_DOES: Final = re.compile("记|提醒|日程|任务|待办|加|设|改|取消|删|查")
_DELETES: Final = re.compile("删|取消|撤|去掉|清空")
_CHANGES: Final = re.compile("改|换|挪|推|提前")


def acceptable(order: str, where: Situation, reads: Reads) -> str | None:
    """The order as it may be offered; None where the rules are not sure of it."""
    line = " ".join(order.split()).strip("「」\"'“” ")
    return line if 2 <= len(line) <= LONGEST and reads(line, where) else None


def in_words(reply: str, where: Situation, reads: Reads) -> tuple[str, str | None]:
    """A reply without offers that nothing stands behind, and the order of the one that holds, if any."""
    kept: list[str] = []
    order: str | None = None
    for sentence in sentences(reply):
        found = _OFFERS.search(sentence)
        if found is None or _DOES.search(sentence) is None:
            kept.append(sentence)
            continue
        said = (found["order"] or found["also"] or "").replace("你", "我")
        holds = acceptable(said, where, reads) if order is None else None
        if holds is not None:
            order = holds
            kept.append(sentence)
    return "".join(kept).strip(), order


def answers(frame: FrameRecord, clause: Clause) -> AnswerMatch | None:
    """Whether a line takes an offer up or turns it down; None for everything else."""
    if OFFERED not in frame.slots:
        return None
    said = answer(clause.text, _asked(str(frame.slots[OFFERED])))
    if said.refuses:
        return AnswerMatch("cancel")
    asked = _asked(str(frame.slots[OFFERED]))
    return AnswerMatch("confirm", grave=asked.grave) if said.kind == "yes" else None


def _asked(order: str) -> Question:
    """What an offer asks: whether to do the order, which may delete."""
    deletes = _DELETES.search(order) is not None
    act: Act = "delete" if deletes else "change" if _CHANGES.search(order) is not None else "make"
    return Question(act, said=order)


def order_of(slots: Mapping[str, Any]) -> str | None:
    """The order that waits in a chat task."""
    found = slots.get(OFFERED)
    return found if isinstance(found, str) else None
