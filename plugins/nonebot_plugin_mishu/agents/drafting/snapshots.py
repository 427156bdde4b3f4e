"""A batch as it is kept with its task (M3), and how it is taken up again."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from typing import Any, Final, TypeVar, cast

from ...drafts import Batch, BatchPhase, Committed, ItemState, Mode, load
from ...drafts.batch import RunningWork
from ...language import MOVED_ABOVE, Question, answer, mood_of, moved
from ...language.cards.aimed import adds_one, aims_at
from ...language.cards.grammar import Kind
from ...language.cards.triage import Triage, may_refuse, triage
from ...language.clause import Clause
from ...language.match import AnswerMatch
from ...language.text.fold import normalise
from ...patterns import Pattern
from ...storage.records import Conversation, FrameRecord

T = TypeVar("T")

BATCH: Final = "_batch"
"""The slot that holds the batch."""
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
_TELLING: Final = frozenset({"feeling", "weather"})
"""Word classes of talk."""
_DROPS: Final = Pattern("不[要记存算]|别记|取消")
_LONGEST_NAME: Final = 30
_LITTLE: Final = 2
_SHORT: Final = 12
_DONE: Final = frozenset("打买吃付花喝玩坐交")
_BESIDE_DAY: Final = frozenset("的是在那就都也吧啊呀哦了嘛呢哈改成到应该对不错,，。.!！?？~ ")
"""Characters beside a day that say nothing more."""


def concerns(frame: FrameRecord, clause: Clause) -> AnswerMatch | None:
    """`AgentSpec.answers` of an agent with drafts: while one is open, each line of its owner is the batch's.

    What it is to the batch, the batch decides itself (layer 1), and passes on what is not its own. Its claim
    is weak to what is no order of layer 1 and mentions neither an item nor money nor a correction.
    """
    if not frame.slots.get(BATCH):
        return None
    called = _item_words(frame)
    names = {name for name in called if len(name) > 1}
    read = triage(clause.text, _MOST_ITEMS, names)
    if not clause.amounts and aims_at(clause.text, _item_names(frame)):
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


def _item_names(frame: FrameRecord) -> list[str]:
    """Names of the items."""
    values = (
        each.get("value") for each in cast("list[Mapping[str, Any]]", frame.slots[BATCH].get("items", ()))
    )
    said = [
        cast("Mapping[str, Any]", value).get("description") for value in values if isinstance(value, Mapping)
    ]
    return [each for each in said if isinstance(each, str) and 0 < len(each) <= _LONGEST_NAME]


def _item_words(frame: FrameRecord) -> set[str]:
    """The words of the items: what they are called, and their categories."""
    found: set[str] = set()
    for each in cast("list[Mapping[str, Any]]", frame.slots[BATCH].get("items", ())):
        value: object = each.get("value")
        if isinstance(value, Mapping):
            words = cast("Mapping[str, object]", value).values()
            found |= {word for word in words if isinstance(word, str) and 0 < len(word) <= _LONGEST_NAME}
    return found


def batch_of(slots: Mapping[str, Any], load_item: Callable[[Any], T]) -> Batch[T] | None:
    """The batch kept in a task's slots; None where there is none that can be read."""
    plain = slots.get(BATCH)
    if not isinstance(plain, Mapping):
        return None
    try:
        return load(cast("Mapping[str, Any]", plain), load_item)
    except (KeyError, TypeError, ValueError, ArithmeticError, AttributeError):
        return None


def name_of(conversation: Conversation) -> str:
    """A conversation as a batch names it."""
    return f"{conversation.self_id}:{conversation.kind}:{conversation.peer}"


def interrupted(batch: Batch[T], saved: Mapping[int, int]) -> tuple[Batch[T], Committed | None]:
    """The batch as a commit left it that nobody saw the end of, and that end; the batch as it is without one.

    Between a commit and the snapshot behind it a process can die: the snapshot then shows as pending what is
    on disk. What is on disk is saved, whatever the snapshot says.
    """
    pending = {item.number for item in batch.items if item.state is ItemState.PENDING}
    there = tuple(sorted(pending & saved.keys()))
    if not there:
        return batch, None
    ticket = max(batch.ticket, *(saved[number] for number in there))
    work = RunningWork(ticket, Mode.COMMIT, there)
    home = batch.home if batch.home is not BatchPhase.CLOSED else BatchPhase.CONFIRMING
    return replace(batch, phase=BatchPhase.COMMITTING, home=home, ticket=ticket, work=work), Committed(ticket)
