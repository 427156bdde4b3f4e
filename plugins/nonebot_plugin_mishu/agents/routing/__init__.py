"""Whose a clause is, and what it asks for (product section 3, "Routing by rules"). Pure.

The language room says what a clause does (makes, changes, asks, …) and in which words: a form that covers
all of it. Whose it is follows from these words (`owners`), or from what is kept and meant (`agents/meant`).
Where no form covers it, its words may hint at something (`hints`). It is sure where a form that more than
its shape speaks for covers every word, what it means is there once, and the talk judge does not object.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from ...language import SURELY_TALK, Fit, Judgement, Reading, judge, read
from ..clause import Clause, Match, Rules
from ..meant import Meant, meant
from ..persons import as_own, for_whom
from .acts import THINGS, happened, is_work, tells_sums
from .classes import classes, hinted
from .hints import hint
from .owners import SCHEDULE, TASKS, whose

_INTENTS: Final = {
    SCHEDULE: {"make": "add", "query": "query", "change": "edit", "delete": "delete", "join": "edit"},
    TASKS: {
        "make": "create_task",
        "query": "query_tasks",
        "finish": "complete_task",
        "change": "update_task",
        "delete": "delete_task",
    },
}
NAMED: Final = 3
"""The weight of what names an agent's own (任务, 日程): no judge talks that away."""
HINTED_ABOVE: Final = 1.0
"""What the talk judge must think of a line that no form covers: below it no hint is worth a question."""
_WEAK: Final = "weak_"
"""Forms that only the shape speaks for: what fits them is never sure."""
_PLAIN: Final = frozenset({"remind", "rouse", "noun", "field", "ref"})
"""Slots that no talk has: whoever says them wants something, whatever the judge hears."""
_OF_KEPT: Final = frozenset({"query", "delete", "change", "finish", "join"})
_NAMES: Final = frozenset({"title", "name", "noun", "ref", "all", "whose"})
_OWN_NOUNS: Final = frozenset({"task_noun", "schedule_noun", "reminder_noun"})
_CHANGES: Final = (frozenset({"change", "later", "earlier"}),)
_TAKES: Final = (frozenset({"take_away", "refuse", "remind", "rouse"}),)
_ORDERED: Final = frozenset({"remind", "rouse", "noun", "level"})
_ORDERS: Final = (frozenset({"make", "mind", "ought", "announce", "help", "look"}),)
_FREE: Final = ("title", "name", "value", "place", "cond", "detail")
_ASKS: Final = (frozenset({"look", "what", "whether", "have", "free"}),)


@dataclass(frozen=True, slots=True)
class Routed:
    """What a clause asks for, and of whom; `weight`, `sure` and `why` as in `Match`."""

    agent_code: str
    intent: str
    weight: int
    sure: bool
    why: str
    said: Reading
    fit: Fit
    meant: Meant | None = None

    @property
    def nameless(self) -> bool:
        """Whether it says what to do and not with what."""
        act = self.fit.form.reads.removeprefix(_WEAK)
        named = self.fit.slots.keys() & _NAMES
        return act in _OF_KEPT - {"query", "join"} and not named

    @property
    def unread(self) -> tuple[str, ...]:
        """The stretches of the clause that no rule explains."""
        if not self.fit.form.text:
            slots = (slot for name, slot in self.fit.slots.items() if name != "name")
            return self.said.unused({token for slot in slots for token in slot})
        return self.said.unread({token for name in _FREE for token in self.fit.slots.get(name, ())})

    @property
    def match(self) -> Match:
        """It as what an agent's rules say of a clause."""
        act = self.fit.form.reads.removeprefix(_WEAK)
        refs = self.meant.refs if self.meant is not None and act in _OF_KEPT else ()
        beside = self.beside
        return Match(self.intent, self.weight, self.sure, self.nameless, self.unread, self.why, beside, refs)

    @property
    def beside(self) -> tuple[tuple[str, str], ...]:
        """The agents and intents of the other forms that fit."""
        found: list[tuple[str, str]] = []
        for fit in self.said.fits:
            act = fit.form.reads.removeprefix(_WEAK)
            for code in (self.agent_code, *_INTENTS):
                one = (code, _INTENTS[code].get(act, ""))
                if one[1] and one != (self.agent_code, self.intent) and one not in found:
                    found.append(one)
                    break
        return tuple(found)


def rules_of(agent_code: str) -> Rules:
    """The rules of a built-in agent: what is routed to it."""

    def rules(clause: Clause) -> Match | None:
        routed = route(clause)
        return None if routed is None or routed.agent_code != agent_code else routed.match

    return rules


@lru_cache(maxsize=256)
def route(clause: Clause) -> Routed | None:
    """What is made of a clause; None where it is no work of schedules or tasks."""
    person = for_whom(clause)
    if person is None:
        return _routed(clause)
    own = _routed(as_own(clause, person))
    if own is None or own.fit.form.reads.removeprefix(_WEAK) != "make":
        return _routed(clause)
    told = person.instead != "" or person.span != (0, 0)
    return replace(
        own, agent_code=TASKS, intent=_INTENTS[TASKS]["make"], weight=NAMED if told else own.weight
    )


def _routed(clause: Clause) -> Routed | None:
    said = read(clause.text, clause.times, clause.amounts)
    known = meant(said.tokens, clause)
    if not said.fits:
        return _hinted(said, clause, known)
    fit = _best(said)
    weak = fit.form.reads.startswith(_WEAK)
    act = fit.form.reads.removeprefix(_WEAK)
    if act == "make" and happened(said, clause):
        act, fit = "finish", replace(fit, slots={"name": fit.slots.get("title", ())})
    agent_code, weight = whose(act, fit, clause.situation)
    if known is not None and act in _OF_KEPT and weight < NAMED:
        agent_code, weight = known.agent, 2
    intent = _INTENTS[agent_code].get(act)
    if intent is None or not is_work(said, act, fit, clause, weight, weak=weak):
        return None
    judged = _judged(clause)
    plain = weight >= NAMED or act == "finish" or known is not None or _joins(act, clause)
    plain = plain or not fit.slots.keys().isdisjoint(_PLAIN) or _is_plan(act, fit)
    if not plain and (judged.surely_talk or (weak and judged.talk)):
        return None
    if act == "make" and "whose" in fit.slots and not clause.times and weight < NAMED:
        weak = True  # 提醒大家带电脑: by itself of a plan that is told beside it
    weak = weak or (known is None and _is_unknown(act, fit)) or _leaves_open(said, act, fit, known)
    doubted = judged.surely_talk if plain else judged.talk
    several = known is not None and act in _OF_KEPT - {"query"} and not known.clear
    why = _why(weak=weak, doubted=doubted, several=several)
    sure = not (weak or doubted or several)
    return Routed(agent_code, intent, 1 if weak else weight, sure, why, said, fit, known)


def _why(*, weak: bool, doubted: bool, several: bool) -> str:
    if weak:
        return "只有句子的样子像"
    if doubted:
        return "像是闲聊"
    return "说的不止一样" if several else "每个词都读懂了"


def _best(said: Reading) -> Fit:
    """The first that more than its shape speaks for; 周五下午三点部门会议 asks for nothing, so it is made."""
    plain = [each for each in said.fits if not each.form.reads.startswith(_WEAK)] or list(said.fits)
    if plain[0].form.reads == "query" and not hinted(said.tokens, _ASKS):
        clocked = "clock" in classes(plain[0].slots.get("when", ()))
        made = next((each for each in plain if each.form.reads == "make" and "title" in each.slots), None)
        if clocked and made is not None:
            return made
    return plain[0]


def _hinted(said: Reading, clause: Clause, known: Meant | None) -> Routed | None:
    """What the words hint at; only of what sounds like work."""
    if not said.tokens or tells_sums(clause) or not clause.situation.addressed:
        return None
    fit = hint(said.tokens, of_kept=known is not None)
    if fit is None:
        return None
    plain = known is not None or not fit.slots.keys().isdisjoint({"remind", "rouse"})
    if _judged(clause).score < (SURELY_TALK if plain else HINTED_ABOVE):
        return None
    act = fit.form.reads
    agent_code, _ = whose(act, fit, clause.situation)
    if known is not None and act in _OF_KEPT:
        agent_code = known.agent
    intent = _INTENTS[agent_code].get(act)
    if intent is None:
        return None
    return Routed(agent_code, intent, 1 if known is None else 2, False, "没有全读懂", said, fit, known)


def _is_unknown(act: str, fit: Fit) -> bool:
    """帽子不要了: of what is changed or taken away nothing is known but a name that could be anybody's."""
    if act not in ("change", "delete") or fit.slots.keys() - {"name", "whose"} or "name" not in fit.slots:
        return False
    return classes(fit.slots["name"]).isdisjoint(THINGS | {"action", "personal"})


def _leaves_open(said: Reading, act: str, fit: Fit, known: Meant | None) -> bool:
    """Whether a form fits and says too little: what is only told of a plan, a bare noun, a detail alone."""
    slots = fit.slots
    title = slots.get("title", ())
    if act == "make" and len(title) > 1 and "this" in title[-1].classes:
        return True  # 安排一下明天下午报销的那个
    if act == "make" and slots.keys().isdisjoint(_ORDERED) and not hinted(said.tokens, _ORDERS):
        return any(token.unread for token in said.tokens)  # 周五的团建好尬
    if act == "delete" and known is None and not hinted(said.tokens, _TAKES):
        return True  # 不用买菜了, of nothing that is kept
    if act == "query" and known is None and not hinted(said.tokens, _ASKS):
        return classes(slots.get("noun", ())).isdisjoint(_OWN_NOUNS)
    if act == "query" and known is None and "noun" not in slots:
        return any(token.unread for token in slots.get("name", ()))  # 现在纽约几点
    return act == "change" and "field" in slots and not hinted(said.tokens, _CHANGES)  # 地点：腾讯会议


def _is_plan(act: str, fit: Fit) -> bool:
    """明天下午4点到5点去买东西: a clock and a deed, every word of it known, need no verb of ordering."""
    when, title = fit.slots.get("when", ()), fit.slots.get("title", ())
    known = bool(title) and not any(token.unread for token in title)
    return (
        act == "make"
        and known
        and "clock" in classes(when)
        and not classes(title).isdisjoint(THINGS | {"action"})
    )


def _joins(act: str, clause: Clause) -> bool:
    """Whether somebody comes or goes where something is planned."""
    return act == "join" and any(each.agent == SCHEDULE for each in clause.situation.things)


def _judged(clause: Clause) -> Judgement:
    """What the talk judge makes of a clause in which a form sees an order."""
    times = [span for time in clause.times for span in time.spans]
    return judge(clause.text, times, [(each.start, each.end) for each in clause.amounts])


__all__ = ["SCHEDULE", "TASKS", "Routed", "route", "rules_of"]
