"""Routing of a clause to its agent and intent (product section 3, "Routing by rules"). Pure.

The language room says what a clause does (makes, changes, asks, …) and in which words: a form that covers
all of it. Whose it is follows from these words (`owners`), or from what is kept and meant (`language/meant`).
Where no form covers it, its words may hint at something (`hints`). It is sure where a form that more than
its shape speaks for covers every word, what it means is there once, and the talk judge does not object.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache
from itertools import pairwise
from typing import Final

from ...language import (
    SURELY_TALK,
    Fit,
    Form,
    Reading,
    TalkScore,
    Token,
    judge_talk,
    offers_choice,
    plan_end,
    read,
    words_of,
)
from ...language.books.amending import names_a_record, of_records
from ...language.books.orders import takes_back_because
from ...language.clause import Clause, Situation
from ...language.clauses.hollow import without_order
from ...language.clauses.own_days import table_of_days
from ...language.clauses.roster import days_of, handed_over
from ...language.clauses.task_lists import tasks_listed
from ...language.match import Match, Rules
from ...language.names.referents import Meant, beside, meant, on_another_day, speaks_of
from ...language.recognise.handing import handing, without_handing
from ...language.recognise.members import as_own, for_whom
from .acts import THINGS, happened, is_work, says_too_little, tells_sums
from .called import as_reminder
from .classes import classes, hinted
from .doubts import ASKS, ORDERED, is_unknown, leaves_open
from .ending import asks_end, ends
from .hints import begins_new, hint, otherwise, spares
from .owners import SCHEDULE, TASKS, whose
from .settling import begins_series, settles, takes_place

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
"""Weight of an agent's own noun (任务, 日程): the talk judge does not overrule it."""
_FEW: Final = 2
"""Least number of tasks for which label and first task stand for the list."""
HINTED_ABOVE: Final = 1.0
"""Least score of the talk judge for a hint: below it no question is asked."""
_LIKE_TALK: Final = "像是闲聊"
UNJUDGED: Final = TalkScore(0.0)
_WEAK: Final = "weak_"
"""Prefix of forms supported only by word order; their fits are never sure."""
_PLAIN: Final = frozenset({"remind", "rouse", "noun", "field", "ref"})
"""Slots that talk does not have, whatever the talk judge says."""
_OF_KEPT: Final = frozenset({"query", "delete", "change", "finish", "join"})
_NAMES: Final = frozenset({"title", "name", "noun", "ref", "all", "whose"})
_FREE: Final = ("title", "name", "value", "place", "cond", "detail")


@dataclass(frozen=True, slots=True)
class Routed:
    """Act and agent of a clause; `weight`, `sure` and `why` as in `Match`."""

    agent_code: str
    intent: str
    act: str
    """Act of the clause: make, query, change, delete, finish, join."""
    weight: int
    sure: bool
    why: str
    said: Reading
    fit: Fit
    meant: Meant | None = None
    completed: Clause | None = None
    """The clause completed from the world, or reduced to its subject."""
    judged: TalkScore = UNJUDGED

    @property
    def nameless(self) -> bool:
        """True if the object is omitted."""
        if self.act == "make" and _names_no_thing(self.fit.slots.get("title", ())):
            return True
        named = self.fit.slots.keys() & _NAMES
        return self.act in _OF_KEPT - {"query", "join"} and not named

    @property
    def unread(self) -> tuple[str, ...]:
        """Stretches of the clause that no rule explains."""
        if not self.fit.form.text:
            slots = (slot for name, slot in self.fit.slots.items() if name != "name")
            return self.said.unused({token for slot in slots for token in slot})
        return self.said.unread({token for name in _FREE for token in self.fit.slots.get(name, ())})

    @property
    def match(self) -> Match:
        """The routing as an agent's `Match`."""
        known = self.meant if self.act in _OF_KEPT else None
        refs = known.refs if known is not None else ()
        return Match(
            self.intent,
            self.weight,
            self.sure,
            self.nameless,
            self.unread,
            self.why,
            self.runners_up,
            refs,
            self.completed,
            every=known.every if known is not None and known.counted else None,
            also=self._also(known) if known is not None else (),
        )

    def _also(self, known: Meant) -> tuple[tuple[str, str, tuple[str, ...]], ...]:
        """Other agents that the same order concerns."""
        found: list[tuple[str, str, tuple[str, ...]]] = []
        for agent in dict.fromkeys(each.agent for each in known.beside):
            intent = _INTENTS.get(agent, {}).get(self.act)
            if intent is not None:
                found.append((agent, intent, tuple(each.id for each in known.beside if each.agent == agent)))
        return tuple(found)

    @property
    def runners_up(self) -> tuple[tuple[str, str], ...]:
        """Agents and intents of the other fitting forms."""
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
    """Rules of a built-in agent: the clauses routed to it."""

    def rules(clause: Clause) -> Match | None:
        routed = route(clause)
        return None if routed is None or routed.agent_code != agent_code else routed.match

    return rules


@lru_cache(maxsize=256)
def route(clause: Clause) -> Routed | None:
    """Routing of a clause; None if it is no work of schedules or tasks."""
    reminder = as_reminder(clause)
    if reminder is not None and (told := route(reminder)) is not None:
        return replace(told, completed=told.completed or reminder)
    turn = handed_over(clause)
    if turn is not None and turn.text != clause.text and (told := route(turn)) is not None:
        return replace(told, completed=told.completed or turn)
    handed = _handed(clause)
    if handed is not None:
        return handed
    person = for_whom(clause)
    if person is None:
        return _listed(clause) or _kept_as_told(clause) or _invited(clause) or _routed(clause)
    own = _routed(as_own(clause, person))
    if own is None or own.act != "make":
        return _routed(clause)
    told = person.instead != "" or person.span != (0, 0)
    sure = own.sure or (told and own.why == _LIKE_TALK and not own.judged.surely_talk)
    weight = NAMED if told else own.weight
    return replace(own, agent_code=TASKS, intent=_INTENTS[TASKS]["make"], weight=weight, sure=sure)


def _handed(clause: Clause) -> Routed | None:
    """Reassignment of a kept task: 这个改成提醒老猫, 交水费那个给阿宽吧."""
    found = handing(clause)
    if found is None:
        return None
    rest = without_handing(clause, found)
    tokens = words_of(rest.text, rest.times)
    known = meant(tokens, rest) if rest.text.strip(" ,") else _just_shown(clause.situation)
    if known is None or known.agent != TASKS or not known.refs:
        return None
    points = any("this" in token.classes for token in tokens) or not rest.text.strip(" ,")
    sure = known.clear and (found.plain or points)
    said = read(clause.text, clause.times, clause.amounts)
    why = _why(weak=not sure, doubted=False, several=not known.clear)
    fit = Fit(Form("change", ""), {"name": said.tokens})
    return Routed(TASKS, _INTENTS[TASKS]["change"], "change", NAMED, sure, why, said, fit, known)


def _just_shown(where: Situation) -> Meant | None:
    """The one thing made, changed or shown a moment ago."""
    last = where.last if where.just_shown() else None
    return Meant(last.agent, (last,)) if last is not None and last.id else None


def _listed(clause: Clause) -> Routed | None:
    """待办：1.写周报 2.约牙医 3.还书: a list of tasks is what its label and its first task are."""
    spans = tasks_listed(clause.text)
    if len(spans) < _FEW:
        return None
    end = spans[0][1]
    first = replace(
        clause,
        text=clause.text[:end],
        times=tuple(each for each in clause.times if each.span[1] <= end),
        amounts=tuple(each for each in clause.amounts if each.end <= end),
    )
    told = _routed(first)
    return None if told is None or told.act != "make" else replace(told, completed=told.completed or clause)


def _kept_as_told(clause: Clause) -> Routed | None:
    """站会 周一九点 记群里: what is to be made is read without the piece that says that it is to be kept, and
    whose it is by that piece."""
    found = without_order(clause)
    rest = None if found is None else _routed(found[0])
    if found is None or rest is None or rest.act != "make" or not rest.fit.form.text:
        return None
    told = found[1]
    agent_code = rest.agent_code
    if not told.isdisjoint({"schedule_noun", "group"}):
        agent_code = SCHEDULE
    elif not told.isdisjoint({"task_noun", "reminder_noun"}):
        agent_code = TASKS
    sure = rest.sure or not rest.judged.surely_talk
    why = rest.why if rest.sure or not sure else "说了要记下"
    own = replace(rest, agent_code=agent_code, intent=_INTENTS[agent_code]["make"], sure=sure, why=why)
    return replace(
        own, weight=NAMED if agent_code != rest.agent_code else max(rest.weight, 2), completed=found[0]
    )


def _invited(clause: Clause) -> Routed | None:
    """周六下午三点打球 谁来: what is planned at a time, read without the pieces behind it that ask the others
    whether they come. Of what is kept already they ask."""
    end = plan_end(clause.text, words_of(clause.text, clause.times, clause.amounts))
    if not 0 < end < len(clause.text):
        return None
    text = clause.text[:end].rstrip(" ,")
    plan = replace(
        clause, text=text, times=tuple(each for each in clause.times if each.span[1] <= len(text)), amounts=()
    )
    if clause.amounts or len(plan.times) != len(clause.times):
        return None
    if meant(words_of(text, plan.times), plan) is not None:
        return None
    rest = _routed(plan)
    return None if rest is None or rest.act != "make" else replace(rest, completed=rest.completed or plan)


def _has_time_apart(title: Sequence[Token]) -> bool:
    """True for a title with a time that begins a piece of its own (带水 周五晚上说, not 交周三的作业)."""
    return any(
        "time" in token.classes and not before.classes.isdisjoint({"pause", "blank"})
        for before, token in pairwise(title)
    )


def _routed(clause: Clause) -> Routed | None:
    if takes_back_because(clause):
        return None  # 撤销 家里还有, of the last change
    if of_records(clause):
        return None  # 撤回刚才四笔, 门票改成四个人AA
    said = read(clause.text, clause.times, clause.amounts)
    known = meant(said.tokens, clause) or _refused_days(said, clause.situation)
    table = table_of_days(clause.text, clause.times) is not None and not clause.situation.private
    if clause.situation.addressed and table:
        fit = Fit(Form("make", ""), {"title": said.tokens})
        return Routed(
            SCHEDULE, "add", "make", 2, False, _why(weak=True, doubted=False, several=False), said, fit
        )
    if clause.situation.addressed and days_of(clause):
        title = tuple(token for token in said.tokens if "time" not in token.classes)
        when = tuple(token for token in said.tokens if "time" in token.classes)
        fit = Fit(Form("make", ""), {"title": title, "when": when})
        return Routed(SCHEDULE, "add", "make", 2, True, "每个词都读懂了", said, fit)
    ended = ends(said, known, clause) if clause.situation.addressed else None
    if ended is not None:
        known = Meant(SCHEDULE, ended.things)
        why = _why(weak=False, doubted=False, several=not ended.sure)
        return Routed(SCHEDULE, "edit", "change", 2, ended.sure, why, said, ended.fit, known, clause)
    asked = asks_end(known, clause) if clause.situation.addressed else None
    if asked is not None:
        known = Meant(SCHEDULE, asked.things)
        return Routed(SCHEDULE, "query", "query", 2, True, "每个词都读懂了", said, asked.fit, known)
    settled = settles(said, known, clause) if clause.situation.addressed else None
    settled = settled or (takes_place(said, known, clause) if clause.situation.addressed else None)
    if known is not None and settled is not None:
        why = _why(weak=not settled.sure, doubted=False, several=not known.clear)
        intent, judged = _INTENTS[known.agent]["change"], judge_talk(clause.text, said.tokens)
        moved = beside(settled.clause, known)
        return Routed(
            known.agent, intent, "change", 2, settled.sure, why, said, settled.fit, known, moved, judged
        )
    begun = begins_series(said, known, clause) if clause.situation.addressed else None
    if begun is not None:
        known = Meant(SCHEDULE, begun.things)
        return Routed(
            SCHEDULE, "edit", "change", 2, begun.sure, "每个词都读懂了", said, begun.fit, known, clause
        )
    if not said.fits:
        return _hinted(said, clause, known)
    fit = _best(said)
    weak = fit.form.reads.startswith(_WEAK)
    act = fit.form.reads.removeprefix(_WEAK)
    if act == "make" and known is not None and known.clear and speaks_of(said, known, clause):
        act, weak = "delete" if spares(said.tokens) else "change", True  # 猫粮那个定个时间，今晚八点提醒我
    if act == "make" and happened(said, clause):
        act, fit = "finish", replace(fit, slots={"name": fit.slots.get("title", ())})
    if act in ("delete", "change") and known is None and not clause.times and names_a_record(clause):
        return None  # 删掉奶茶, 把槟榔改成零食, of the books
    agent_code, weight = whose(act, fit, clause)
    if known is not None and act in _OF_KEPT and weight < NAMED:
        agent_code, weight = known.agent, 2
    if act == "change" and known is None and weight < NAMED:
        agent_code = _spoken_of(clause.situation) or agent_code
    intent = _INTENTS[agent_code].get(act)
    if intent is None or not is_work(said, act, fit, clause, weight, weak=weak):
        return None
    judged = judge_talk(clause.text, said.tokens)
    plain = weight >= NAMED or act == "finish" or known is not None or _joins(act, clause)
    plain = plain or not fit.slots.keys().isdisjoint(_PLAIN) or _is_plan(act, fit) or _asks_own(act, fit)
    if not plain and (judged.surely_talk or (weak and judged.talk)):
        return None
    if (
        act == "make"
        and "when" not in fit.slots
        and fit.slots.keys().isdisjoint(ORDERED | {"rouse", "whose"})
    ):
        weight = min(weight, 1)  # 我要挂号: whoever has a word of it goes first
    if act == "make" and says_too_little(fit):
        weak = True  # 订, 去: a piece of another order
    if act == "make" and _has_time_apart(fit.slots.get("title", ())):
        weak = True  # 提醒大家周六带水 周五晚上说一声: the second time is in no slot
    if act == "make" and "whose" in fit.slots and not clause.times and weight < NAMED:
        weak = True  # 提醒大家带电脑: by itself of a plan that is told beside it
    if known is not None and known.counted and act in _OF_KEPT:
        weak = not known.shown  # 两个都取消: its form is thin, and what is meant is plain
    weak = weak or (known is None and is_unknown(act, fit)) or leaves_open(said, act, fit, known)
    doubted = (judged.surely_talk if plain else judged.talk) or _asks_to_tell(fit)
    several = known is not None and act in _OF_KEPT - {"query"} and not known.clear
    elsewhere = known is not None and act == "delete" and on_another_day(known, clause)
    why = ANOTHER_DAY if elsewhere else _why(weak=weak, doubted=doubted, several=several)
    sure = not (weak or doubted or several or elsewhere)
    completed = beside(clause, known) if known is not None and act == "change" else None
    weight = 1 if weak else weight
    return Routed(agent_code, intent, act, weight, sure, why, said, fit, known, completed, judged)


ANOTHER_DAY: Final = "说的那天没有这一个"


def _why(*, weak: bool, doubted: bool, several: bool) -> str:
    if weak:
        return "只有句子的样子像"
    if doubted:
        return _LIKE_TALK
    return "说的不止一样" if several else "每个词都读懂了"


def _best(said: Reading) -> Fit:
    """The first that more than its shape speaks for; 周五下午三点部门会议 asks for nothing, so it is made."""
    plain = [each for each in said.fits if not each.form.reads.startswith(_WEAK)] or list(said.fits)
    if plain[0].form.reads == "query" and not hinted(said.tokens, ASKS):
        clocked = "clock" in classes(plain[0].slots.get("when", ()))
        made = next((each for each in plain if each.form.reads == "make" and "title" in each.slots), None)
        if clocked and made is not None:
            return made
    return plain[0]


def _hinted(said: Reading, clause: Clause, known: Meant | None) -> Routed | None:
    """Act hinted at by the words; only if the clause sounds like work."""
    if not said.tokens or tells_sums(clause) or not clause.situation.addressed:
        return None
    of_kept = known is not None and not begins_new(said.tokens) and not _reminds_again(said, clause)
    fit = hint(said.tokens, of_kept=of_kept, either=offers_choice(clause.text, clause.times))
    if fit is None:
        return None
    known = known if fit.form.reads in _OF_KEPT else None
    plain = known is not None or not fit.slots.keys().isdisjoint({"remind", "rouse"})
    judged = judge_talk(clause.text, said.tokens)
    if judged.score < (SURELY_TALK if plain else HINTED_ABOVE):
        return None
    if fit.form.reads == "query" and judged.talk:
        return None  # 羽毛球和网球哪个更伤膝盖
    act = fit.form.reads
    agent_code, _ = whose(act, fit, clause)
    if act == "query" and "谁" in clause.text and not clause.situation.private:
        agent_code = SCHEDULE  # 明天谁值班: nobody asks so after their own tasks
    if known is not None and act in _OF_KEPT:
        agent_code = known.agent
    elif act == "change":
        agent_code = _spoken_of(clause.situation) or agent_code
    intent = _INTENTS[agent_code].get(act)
    if intent is None:
        return None
    weight = 1 if known is None else 2
    completed = beside(_without_refused(said, clause), known) if known and act == "change" else None
    return Routed(agent_code, intent, act, weight, False, "没有全读懂", said, fit, known, completed)


def _reminds_again(said: Reading, clause: Clause) -> bool:
    """A reminder with a rhythm of its own (@爸爸 每天晚上九点提醒他吃降压药): another one than what is kept
    by a name like it. With a word of changing it is the kept one's new rhythm."""
    spoken = frozenset[str]().union(*(each.classes for each in said.tokens))
    rhythm = any(time.recurrence is not None for time in clause.times)
    return rhythm and not spoken.isdisjoint({"remind", "rouse"}) and spoken.isdisjoint({"change", "this"})


def _refused_days(said: Reading, where: Situation) -> Meant | None:
    """周末就不用了, behind a series that was just made or shown: those days of it."""
    last = where.last if where.just_shown() else None
    if last is None or not (last.repeats and last.name):
        return None
    spoken = frozenset[str]().union(*(each.classes for each in said.tokens))
    known = all(not each.classes.isdisjoint(_REFUSED_DAYS) for each in said.tokens)
    refused = known and "time" in spoken and not spoken.isdisjoint({"refuse", "take_away", "prohibit"})
    return Meant(last.agent, (last,)) if refused else None


_REFUSED_DAYS: Final = frozenset(
    {
        "time",
        "filler",
        "refuse",
        "take_away",
        "prohibit",
        "remind",
        "rouse",
        "rouse_me",
        "self",
        "all",
        "particle",
        "done",
    }
)


def _spoken_of(where: Situation) -> str | None:
    """Agent of the thing made or shown a moment ago (换个地方 去香山); None if there was none."""
    last = where.last if where.just_shown() else None
    return last.agent if last is not None and last.agent in _INTENTS else None


def _without_refused(said: Reading, clause: Clause) -> Clause:
    """不要四点 五点; 七点吧 六点半太赶了: the clause with the time alone that it is to be."""
    chosen = otherwise(said.tokens)
    first = chosen.start if chosen is not None else 0
    too = {
        one.start for one, two in pairwise(said.tokens) if "time" in one.classes and "degree" in two.classes
    }
    times = tuple(each for each in clause.times if each.span[0] >= first and each.span[0] not in too)
    return replace(clause, times=times) if times != clause.times else clause


def _names_no_thing(title: Sequence[Token]) -> bool:
    """True if a title only points (那件事), or is a verb without an object: 后天带过去, 明天订."""
    if title and all("this" in token.classes for token in title):
        return True
    if not title or "action" not in title[0].classes or title[0].end - title[0].start > 1:
        return False
    return all(not token.classes.isdisjoint({"result", "done", "to"}) for token in title[1:])


def _is_plan(act: str, fit: Fit) -> bool:
    """True if a plan needs no verb of ordering: a clock and an action, every word known
    (明天下午4点到5点去买东西)."""
    when, title = fit.slots.get("when", ()), fit.slots.get("title", ())
    if act == "make" and "whose" in fit.slots and when and "occasion" in classes(title):
        return True  # 大家周六去爬山
    known = bool(title) and not any(token.unread for token in title)
    return (
        act == "make"
        and known
        and "clock" in classes(when)
        and not classes(title).isdisjoint(THINGS | {"action"})
    )


def _asks_to_tell(fit: Fit) -> bool:
    """True if the title holds a request to inform others: 我周五要请假，你跟大家说一声."""
    named = [token.classes for token in fit.slots.get("title", ())]
    return any("you" in each for each in named) and any("says" in each for each in named)


def _asks_own(act: str, fit: Fit) -> bool:
    """True for a query after the speaker's own to-dos: 我有啥要干的."""
    return act == "query" and "mine" in fit.slots and "todo" in fit.slots and "noun" not in fit.slots


def _joins(act: str, clause: Clause) -> bool:
    """True if the clause joins or leaves while schedules are kept."""
    return act == "join" and any(each.agent == SCHEDULE for each in clause.situation.things)


def begins_now(clause: Clause) -> datetime | None:
    """Kept beginning of the one thing that a clause means; None if unknown."""
    routed = route(clause)
    if routed is None or routed.meant is None or len(routed.meant.things) != 1:
        return None
    return routed.meant.things[0].at


def place_in(clause: Clause) -> str:
    """Place of what a clause makes, in its words; empty if no form has one."""
    routed = route(clause)
    if routed is None or routed.act != "make":
        return ""
    told = routed.completed or clause
    return "".join(told.text[token.start : token.end] for token in routed.fit.slots.get("place", ()))


__all__ = ["SCHEDULE", "TASKS", "Routed", "begins_now", "place_in", "route", "rules_of"]
