"""Answers about open questions: their content, other questions that wait for a yes, and "nothing is
waiting"."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from typing import Final

from ...agents.api.builtin_codes import PLANS
from ...language import correction_at, without_is, words_of
from ...language.changes.corrections import only_trails
from ...language.changes.undoing import asks_what_was_done
from ...language.clause import Clause, KeptThing, Situation
from ...language.clauses.features import hear
from ...language.match import AnswerMatch
from ...language.names.referents import names_part
from ...language.recognise.money import find_amounts
from ...language.schedule_phrases import attendance
from ...language.text.fold import normalise
from ...storage.records import FrameRecord
from ..decision.reading import MessageReading
from ..decision.rules.veto import NOT_KEPT, listed
from ..protocols import Agents
from ..situation import whole
from ..tasks.dispatching import shown
from ..tasks.orchestrator import CHAT
from .alignment import CLARIFIES, answer_of

NOT_KEPT_YET: Final = "这件还没记下：\n{question}"
KEPT: Final = "现在是：{things}\n还有一处没定：\n{question}"
STILL_THERE: Final = "还在：{things}\n要不要取消还没定：\n{question}"
_NEXT: Final = "还有一件等你回话：{question}"
NOTHING_WAITS: Final = "现在没有等你确认的事。"
NOT_COUNTED: Final = "（还没确认的没算在里面）"
WAITS_FOR: Final = "「{text}」还没记下，等{name}确认。"
PROPOSED: Final = "这件还没记下，等{name}确认："
ANOTHERS: Final = "这个等{name}来答。"
WHOEVER: Final = "提出来的人"
_YES: Final = "确认"
_HOW: Final = "（"
"""How to answer a card, the last line of it; another question has none (是指哪个？ and its two days)."""
_MAKES: Final = frozenset({"make", "record"})
_SAYS_WHAT: Final = frozenset({"unread", "occasion", "personal", "action", "latin", "place", "quoted"})
"""Word classes of a line's subject; not times and question words."""


def asked_about(
    words: str,
    where: Situation,
    reading: MessageReading,
    agents: Agents,
    own: Iterable[FrameRecord],
    others: Iterable[FrameRecord] = (),
) -> FrameRecord | None:
    """Question that waits for a yes, if the line asks about its content and no kept thing (核酸几点开始,
    beside the card of it): the speaker's own, else another member's plan."""
    line = whole(words, where)
    if asks_what_was_done(line.text, of_late=True):
        return _asked_since(where, own)
    heard = hear(line)
    unkept = any(frame.declined == NOT_KEPT for frame in reading.frames)  # 爬山取消了吗, of a draft
    if not (heard.asks or unkept) or heard.advice or heard.weather:
        return None
    if any(frame.declined not in ("", NOT_KEPT) for frame in reading.frames):
        return None
    if any("free" in frame.slots for frame in reading.frames):
        return None  # 大家明天下午谁有空 asks about the members, not about what waits for a yes
    reads = {(spec.code, one.name) for spec in agents for one in spec.intents if one.reads_only}
    for frame in reading.frames:
        known = frame.match is not None and frame.match.refs
        if known or (frame.agent_code != CHAT and (frame.agent_code, frame.intent) not in reads):
            return None
    asked = {frame.agent_code for frame in reading.frames} - {CHAT}
    looks_up = bool(asked) or unkept

    def said(task: FrameRecord) -> str:
        """Words that may name a task's thing: of what is not kept yet no day does (周六有什么安排)."""
        if not looks_up:
            return line.text
        return _spoken_of(line, days=not is_plan(task, agents))

    found = [
        task
        for task in (
            *own,
            # 上次聚餐花了多少 asks the books, whatever somebody's plan waits for.
            *(one for one in others if _is_shared(one, agents) and asked <= {one.agent_code, *PLANS}),
        )
        if task.status == "awaiting_user"
        and task.question
        and CLARIFIES not in task.slots
        and (names_part(said(task), task.text) or (unkept and _has_sign(said(task), task.text)))
    ]
    return max(found, key=lambda task: task.updated_at, default=None)


def _has_sign(subject: str, order: str) -> bool:
    """True if a character of a subject stands in an order (爬山, of 爬凤凰岭): enough to tell what waits,
    where nothing kept is meant."""
    return not set(subject.replace(" ", "")).isdisjoint(normalise(order))


def _asked_since(where: Situation, waiting: Iterable[FrameRecord]) -> FrameRecord | None:
    """The speaker's newest question that was put after their last change (记上没)."""
    own = [
        task
        for task in waiting
        if task.status == "awaiting_user" and task.question and CLARIFIES not in task.slots
    ]
    newest = max(own, key=lambda task: (task.updated_at, task.place), default=None)
    since = newest is not None and (where.done is None or newest.updated_at > where.done.at)
    return newest if since else None


def _spoken_of(line: Clause, *, days: bool) -> str:
    """Subject words of a line, with its days or without: 今天一共花了多少 shares none with 今天进货."""
    read = words_of(line.text) if days else words_of(line.text, line.times, line.amounts)
    return "".join(
        " " if token.classes.isdisjoint(_SAYS_WHAT) else line.text[token.start : token.end] for token in read
    )


def anothers_question(task: FrameRecord, where: Situation) -> str:
    """Whose answer a question wants."""
    return ANOTHERS.format(name=_owner(task, where))


def _owner(task: FrameRecord, where: Situation) -> str:
    return next((one.name for one in where.members if one.user_id == task.user_id and one.name), WHOEVER)


def told_another(task: FrameRecord, where: Situation) -> str:
    """The answer about a plan that waits for the yes of another member: of whom, and what is proposed."""
    name = _owner(task, where)
    asked = (task.question or "").split("\n")
    proposed = asked[1:-1] if asked[-1].startswith(_HOW) else asked
    if proposed:  # the words of the task may be the rules' own, where a model read the line
        return "\n".join([PROPOSED.format(name=name), *proposed])
    return WAITS_FOR.format(text=shown(task.text), name=name)


def _is_shared(task: FrameRecord, agents: Agents) -> bool:
    """True if the task concerns a thing of the whole group; others may ask about it."""
    spec = agents.get(task.agent_code)
    return spec is not None and spec.overhears is not None


def is_plan(task: FrameRecord, agents: Agents) -> bool:
    """True if the task would create a thing of the whole group."""
    spec = agents.get(task.agent_code)
    return spec is not None and spec.acts.get(task.intent) == "make" and spec.overhears is not None


def joined_too_early(
    words: str, where: Situation, agents: Agents, others: Iterable[FrameRecord]
) -> FrameRecord | None:
    """The plan of another member that waits for their yes, and that the speaker would join (我来, +1); None
    where something was made or shown since, or another thing is named."""
    wish = attendance(normalise(words))
    if wish is None or not wish.joins:
        return None
    plans = [
        task for task in others if task.status == "awaiting_user" and task.question and is_plan(task, agents)
    ]
    if wish.what:
        plans = [task for task in plans if names_part(wish.what, task.text)]
    newest = max(plans, key=lambda task: (task.updated_at, task.place), default=None)
    if newest is None or (where.shown_at is not None and where.shown_at > newest.updated_at):
        return None
    return newest


def told(task: FrameRecord, agents: Agents, where: Situation) -> str:
    """The answer to a question about what waits for a yes: what is kept as it is, and what is asked of it."""
    question = task.question or ""
    spec = agents.get(task.agent_code)
    act = spec.acts.get(task.intent) if spec is not None else None
    kept = () if act in _MAKES else _named_in(question, where.things)
    if not kept:
        return NOT_KEPT_YET.format(question=question)
    yes = _to_a_yes(task, agents, where)
    text = STILL_THERE if yes is not None and yes.grave else KEPT
    return text.format(things=listed(kept, where.now.year), question=question)


def unconfirmed(waiting: Iterable[FrameRecord], codes: Collection[str], agents: Agents) -> bool:
    """Something that one of these agents would record waits for a yes."""
    for task in waiting:
        spec = agents.get(task.agent_code)
        act = spec.acts.get(task.intent) if spec is not None else None
        if task.agent_code in codes and task.status == "awaiting_user" and act == "record":
            return True
    return False


def _named_in(question: str, things: Sequence[KeptThing]) -> tuple[KeptThing, ...]:
    said = normalise(question).lower()
    return tuple(thing for thing in things if thing.name and normalise(thing.name).lower() in said)


def retold(words: str, waiting: Iterable[FrameRecord]) -> tuple[FrameRecord, str] | None:
    """The newest open question whose order had another sum than the line says (不对 是421, while it is asked
    who shares the 412), and that order with this one; None where the line says anything else."""
    line = normalise(words)
    at = correction_at(line)
    said = line[at:] if at is not None else ""
    sums = find_amounts(said)
    asked = [task for task in waiting if task.status == "awaiting_user" and task.question]
    if len(sums) != 1 or not asked or without_is(said[: sums[0].start]) or not only_trails(said, sums[0].end):
        return None
    task = max(asked, key=lambda one: (one.updated_at, one.place))
    order = normalise(task.text)
    before = find_amounts(order)
    if len(before) != 1:
        return None
    new = said[sums[0].start : sums[0].end]
    return task, f"{order[: before[0].start]}{new}{order[before[0].end :]}"


def still_waits(task: FrameRecord) -> str:
    """What is said of a question that waits beside other work: in one line, without its hints."""
    first, *more = (task.question or "").split("\n")
    things = more[:-1] if len(more) > 1 else more
    return _NEXT.format(question=f"{first}{things[0]}" if len(things) == 1 else first)


def without_asked(where: Situation, task: FrameRecord) -> Situation:
    """The situation without the things that a question named, and without recent ones."""
    asked = _named_in(task.question or "", where.things)
    return replace(where, things=tuple(one for one in where.things if one not in asked), shown=())


def waits_for_yes(task: FrameRecord, agents: Agents, where: Situation) -> bool:
    """True if a plain yes answers the task's question."""
    yes = _to_a_yes(task, agents, where)
    return yes is not None and (yes.relation == "confirm" or yes.grave or yes.consents)


def waits_gravely(task: FrameRecord, agents: Agents, where: Situation) -> bool:
    """True if a yes to the task's question deletes something."""
    yes = _to_a_yes(task, agents, where)
    return yes is not None and yes.grave


def next_question(
    tasks: Iterable[FrameRecord], but: str, agents: Agents, where: Situation
) -> FrameRecord | None:
    """The newest question that waits for a yes, except that of `but`."""
    waiting = [one for one in tasks if one.task_id != but and waits_for_yes(one, agents, where)]
    return max(waiting, key=lambda one: (one.updated_at, one.place), default=None)


def asked_as_one(other: FrameRecord, task: FrameRecord, agents: Agents, where: Situation) -> bool:
    """True if two questions of one agent stood in one reply to one line, each confirming an order of it
    (充电宝还了 体检表明天再交吧): a yes answers both. False if one deletes."""
    same = (other.message_id, other.moved_by, other.agent_code) == (
        task.message_id,
        other.message_id,
        task.agent_code,
    )
    yes = _to_a_yes(other, agents, where)
    return same and yes is not None and yes.relation == "confirm" and not yes.grave


def left_waiting(
    left: Iterable[FrameRecord], over: Iterable[FrameRecord], agents: Agents, where: Situation
) -> FrameRecord | None:
    """The question that is put once more beside what was just done (`over`): one that was asked of the same
    message, or one about a deletion, which nobody would remember behind another order."""
    messages = {task.message_id for task in over}
    waiting = [
        task
        for task in left
        if task.question
        and CLARIFIES not in task.slots
        and (task.message_id in messages or waits_gravely(task, agents, where))
    ]
    return max(waiting, key=lambda one: (one.updated_at, one.place), default=None)


def _to_a_yes(task: FrameRecord, agents: Agents, where: Situation) -> AnswerMatch | None:
    spec = agents.get(task.agent_code)
    if task.status != "awaiting_user" or not task.question:
        return None
    return answer_of(spec, task, whole(_YES, where))
