"""Chat's offers: an order in words that waits for its member's yes. Pure.

好的 记吧 carries it out as if the member had said it; nothing is done before.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from ...language import Act, Question, answer
from ...language.claims.amended import amended
from ...language.claims.offers import changes, deletes, offer_in
from ...language.claims.reading import sentences
from ...language.clause import Clause, Situation
from ...language.match import AnswerMatch
from ...storage.records import FrameRecord

OFFERED: Final = "_offer"
"""The note of a chat task: the order that waits for a yes."""
LONGEST: Final = 200
Reads = Callable[[str, Situation], bool]
"""Check that the rules are sure of an order in a situation."""
WhyNot = Callable[[str, Situation], str | None]
"""Why an order may not be offered, in words for the model."""
ASKED: Final = "要我照这样办吗：「{order}」？"


def acceptable(order: str, where: Situation, reads: Reads) -> str | None:
    """The order as it may be offered; None where the rules are not sure of it."""
    line = " ".join(order.split()).strip("「」\"'“” ")
    return line if 2 <= len(line) <= LONGEST and reads(line, where) else None


def in_words(reply: str, where: Situation, reads: Reads, line: str = "") -> tuple[str, str | None]:
    """A reply without offers that nothing stands behind, and the order of the one that holds, if any: it is
    then a question. `line` is what the member said."""
    kept: list[str] = []
    order: str | None = None
    for sentence in sentences(reply):
        offer = offer_in(sentence, line)
        if offer is None:
            kept.append(sentence)
            continue
        readable = (acceptable(each, where, reads) for each in offer.orders)
        holds = next((each for each in readable if each is not None), None) if order is None else None
        if holds is not None:
            order = holds
            named = offer.asks and holds in offer.orders[:2]
            kept.append(sentence if named else ASKED.format(order=holds))
    return "".join(kept).strip(), order


def answers(frame: FrameRecord, clause: Clause) -> AnswerMatch | None:
    """Answer to an offer: taken up, turned down, or changed (五点吧); None for everything
    else."""
    if OFFERED not in frame.slots:
        return None
    order = str(frame.slots[OFFERED])
    asked = _question_of(order)
    said = answer(clause.text, asked)
    if said.refuses:
        return AnswerMatch("cancel")
    if said.kind == "yes":
        return AnswerMatch("confirm", grave=asked.grave)
    other = amended(order, clause)
    return None if other is None else AnswerMatch("corrects", {OFFERED: other})


def _question_of(order: str) -> Question:
    """Question of an offer: to do the order, which may delete."""
    act: Act = "delete" if deletes(order) else "change" if changes(order) else "make"
    return Question(act, said=order)


def order_of(slots: Mapping[str, Any]) -> str | None:
    """The order that waits in a chat task."""
    found = slots.get(OFFERED)
    return found if isinstance(found, str) else None


def taken_up(frame: FrameRecord, bound: AnswerMatch) -> str | None:
    """The order that an answer to an offer wants done: as it was offered, or otherwise."""
    offered = order_of(frame.slots)
    if offered is None:
        return None
    return offered if bound.relation == "confirm" else order_of(bound.slots)
