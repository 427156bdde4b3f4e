"""Lines that may be about an open card, whatever they are to it. Pure."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final

from ...patterns import Pattern
from ..answers.answer import Question, answer
from ..clause import Clause
from ..learned.sums import MOVED_ABOVE, moved
from ..match import AnswerMatch
from ..mood import mood_of
from ..text.fold import normalise
from .aimed import adds_one, aims_at
from .grammar import Kind
from .triage import Triage, may_refuse, triage

_MOST_ITEMS: Final = 10
_CORRECTS: Final = Pattern(
    r"改|换成|换为|应该|应当|不是|不对|错|弄反|记成|算作|去掉|删|少了|多了|漏|收入|支出"
    r"|(?:[那这]一?[个笔条]|它)(?:我|也|就|先|都|可|又|还是|给)*[不别莫勿唔嫑覅弗甭毋咪删去取撤划]"
    r"|[要记存消撤掉](?:了|给我)?(?:[那这]一?[个笔条]|它)(?:[吧了啊呀哈]|$)"
)
"""Words by which a line may be about what is on the card, though it names no item and no money."""
_NAMES: Final = Pattern("金额|类型|分类|类别|种类|日期|备注|描述|名称|名字|标题|[那这]一?[个笔条](?!人)|它")
"""Words for the fields of a card."""
_BEGINS: Final = Pattern(
    "(?:那|就|都|还是|请|帮我|其实|这|它|不|嗯|哦|啊|[ ,，])*"
    "(?:是(?![吧吗么])|应该|应当|改[成为到]?|换[成为]|算[成作]?|记[成到]|去掉|删|加上?|少了|多了|漏|不对|错了|重来)"
)
"""Beginnings of corrections that name nothing (是晚饭, 改成昨天)."""
_DROPS: Final = Pattern("不[要记存算]|别记|取消")
_LITTLE: Final = 2
_SHORT: Final = 12
_DONE: Final = frozenset("打买吃付花喝玩坐交")
_BESIDE_DAY: Final = frozenset("的是在那就都也吧啊呀哦了嘛呢哈改成到应该对不错,，。.!！?？~ ")
"""Characters beside a day that say nothing more."""


def relation_to_card(clause: Clause, names: Sequence[str], called: Collection[str]) -> AnswerMatch | None:
    """Relation of its owner's line to a card whose items have these names, and are called by these words.

    Weak if the line is no order and mentions neither an item nor money nor a correction.
    """
    read = triage(clause.text, _MOST_ITEMS, {name for name in called if len(name) > 1})
    if not clause.amounts and aims_at(clause.text, names):
        return AnswerMatch("corrects")
    vague = read.kind in (Kind.CORRECTION, Kind.NEW_INPUT) and not read.items
    if vague and answer(clause.text, Question("make")).kind == "yes":
        return AnswerMatch("corrects", consents=True)  # 来吧, 安排
    if vague and (_is_left_open(clause) or (read.kind is Kind.NEW_INPUT and _only_talks_of_money(clause))):
        return None
    weak = vague and not clause.amounts and not _CORRECTS.search(clause.text)
    if vague and not clause.amounts and not _concerns_card(read, clause, called, weak=weak):
        return None
    return AnswerMatch("corrects", weak=weak, consents=read.kind is Kind.CONFIRM)


def _concerns_card(read: Triage, clause: Clause, called: Collection[str], *, weak: bool) -> bool:
    """True if a line that is no order may be about the card.

    What members say to each other (你晚上吃啥, 他说不行) is not; without a call a line must say plainly that
    it corrects something (不对, 是晚饭, 前天的); the name of an item alone (麻辣烫真香) corrects nothing.
    """
    refuses = _DROPS.search(clause.text) is not None
    corrects = refuses or "是" in clause.text or _CORRECTS.search(clause.text) is not None
    changes = corrects or bool(clause.times)
    pointed = read.named and (clause.situation.addressed or changes or may_refuse(clause.text))
    if (
        pointed
        or triage(clause.text, _MOST_ITEMS).named
        or _NAMES.search(clause.text) is not None
        or _BEGINS.match(clause.text) is not None
    ):
        return True
    if (read.known and read.about_batch) or _is_a_day(clause):
        return True
    if changes and _names_part(clause.text, called):
        return True
    return clause.situation.addressed and (read.about_batch or refuses or not weak)


def _names_part(text: str, called: Collection[str]) -> bool:
    """水不要了, of 买水 or 水: a name, or a part of one, at the beginning, beside which little is said."""
    return len(text) <= _SHORT and any(text[:1] in name or text[:2] in name for name in called)


def _is_a_day(clause: Clause) -> bool:
    """前天的: a time, and next to nothing beside it that says more (今天好累)."""
    spans = [span for time in clause.times for span in time.spans]
    left = [each for at, each in enumerate(clause.text) if not any(a <= at < b for a, b in spans)]
    said = "是" in left and "的" in left  # 是前天打的
    little = _BESIDE_DAY | _DONE if said else _BESIDE_DAY
    return bool(spans) and len(left) <= _LITTLE + said and all(each in little for each in left)


def _only_talks_of_money(clause: Clause) -> bool:
    """房租涨到3000了, 老王月薪三万: no money of the speaker's has moved, and nothing is pointed at."""
    if len(clause.amounts) != 1 or _NAMES.search(clause.text) is not None or adds_one(clause.text):
        return False
    line, today = normalise(clause.text), clause.situation.now.date()
    return len(line) == len(clause.text) and moved(line, clause.times, clause.amounts, today) <= MOVED_ABOVE


def _is_left_open(clause: Clause) -> bool:
    """等发了工资还小红500, 小红可能还了我50: nothing that moves on the card is told by a condition, and by a
    guess only where it corrects (应该是35)."""
    line = normalise(clause.text)
    same = len(line) == len(clause.text)
    mood = mood_of(line, "record", clause.times if same else (), clause.amounts if same else ())
    if mood.kind in ("condition", "report"):
        return True
    said = clause.text.replace("改天", "")
    corrects = _CORRECTS.search(said) is not None or _BEGINS.match(said) is not None
    corrects = corrects or _NAMES.search(said) is not None or len(clause.amounts) > 1  # 没花90，花了99
    return mood.modality == "may" and mood.polarity == "plus" and not corrects
