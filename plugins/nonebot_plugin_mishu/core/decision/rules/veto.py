"""Veto by mood: an order is written only where the line gives it (docs/decision.md, "Mood"). Pure.

mood of the clause                     frame
plain order                            unchanged
negated order (别取消)                 declined: the thing stays; a call that is kept already is deleted
question (评审取消了吗)                declined with the state of the thing, or a query
condition (要是下雨就取消)             declined: nobody can watch it
report, guess, request for leave       not sure: asked back before anything is written
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, time
from itertools import pairwise
from typing import Final

from ....agents.api.builtin_codes import PLANS
from ....agents.api.frame import frame_of
from ....language import (
    ORDER,
    Mood,
    Token,
    ends_in_question,
    in_another_word,
    is_bare,
    mood_of,
    offers_choice,
    words_of,
)
from ....language.books.amending import asks_and_orders_away
from ....language.clause import Clause, KeptThing
from ....language.mood import HEADS, denies
from ....language.names.referents import meant, spared_things
from ....language.recognise.times import names_day
from ....language.schedule_phrases import kept_away, portion_taken
from ..reading import Frame
from .choosing import Recogniser

FALLBACK: Final = ("chat", "chitchat")
"""Agent and intent of unrecognised clauses."""
_QUERY: Final = "query"
_UNDO: Final = "undo"
_PARTICLES: Final = "了吧啊呀啦"
_SHOWN: Final = 5
_VERBS: Final = {
    "make": ("记", "记"),
    "change": ("改", "改"),
    "delete": ("取消", "动"),
    "finish": ("打勾", "打勾"),
    "record": ("记", "记"),
    "amend": ("改", "改"),
}
"""By act: the verbs of doing and of leaving it."""
_LEFT: Final = "好，不{verb}。"
_NOTHING_LEFT: Final = "存着的都不动。刚才取消的还没存过，要记就再说一遍。"
_STILL_THERE: Final = "好，不动，{things}还在。"
_WHICH_GOING: Final = "没听出是哪件事，什么都没动。说清名字，比如「我不去聚餐了」「取消聚餐」。"
_NOT_DONE_YET: Final = "好，{things}先不打勾。"
_NOTHING_OF_IT: Final = "好。这件我没记着，也不会去做。"
_STAYS_DONE: Final = "好，不撤销。"
_TAKE_BACK: Final = "好。已经打了勾的，说「撤销」就收回。"
_UNCHANGED: Final = "好，不改，{things}还是原来的时间。"
_HANGS: Final = "「{words}」我没法盯着，到时候说一声，我再{verb}。"
WAS_DELETED: Final = "没取消，还在：{things}"
_WAS_FINISHED: Final = "还没做完：{things}"
WAS_CHANGED: Final = "现在是：{things}"
_NOT_WHOM: Final = "没改。要提醒别人，说「提醒谁、什么时候、做什么」就行。"
_COMES_THEMSELVES: Final = "没有动。来不来要{name}自己说，比如「我不去了」。"
_WHICH_PORTION: Final = "没有动，没听懂是{name}的哪一份。"
_UNDECIDED: Final = "还没定的话我先不记，定了哪个时间再告诉我。"
_NOTHING_ELSE: Final = "除了{things}，没找到别的，什么都没动。"
NOT_KEPT: Final = "我这里没记着这条。"


def apply_mood(
    frame: Frame, said: Clause, trailing: str, lead: Clause, asks: bool, agents: Sequence[Recogniser]
) -> Frame:
    """The frame with its mood, or its replacement where the line gives no order.

    Args:
        frame: as an agent's rules read it.
        said: the whole clause; its agent may have read only a part of it.
        trailing: words behind the clause in the same sentence that belong to no other clause (，可以吗).
        lead: words before the clause in the same sentence (要是下雨，).
        asks: the sentence ends in a question further on (提醒我交表 别的还有吗): the order is asked back.
        agents: the agents, in routing order; the frame's own one answers questions.
    """
    agent = next((each for each in agents if each.code == frame.agent_code), None)
    act = agent.acts.get(frame.intent) if agent is not None else None
    if agent is None or act is None:
        return frame
    if act == _QUERY:
        return _of_state(frame, said)
    if frame.intent == _UNDO and not ends_in_question(said.text):
        if _forbids_undoing(said):
            return _declined(frame, Mood("order", "minus"), _STAYS_DONE)
        return frame  # 别删, 不不不别删, of what is gone already: forbidding it takes it back
    refused = _refuse_by_words(frame, said, act)
    if refused is not None:
        return refused
    mood = _mood_of_act(frame, said, act, trailing, lead, asks=asks)
    if mood.kind == "order" and mood.polarity == "plus":
        return _order(frame, said, mood, act)
    if not said.situation.addressed:
        return _talk(frame, mood)  # said among members: no order, and nobody asked us
    if mood.kind == "question":
        return _asked(frame, said, mood, act, agent)
    if mood.kind == "condition":
        alone = mood_of(said.text, act, said.times, said.amounts).kind == mood.kind
        words = _shown(said.text if alone else lead.text or said.text)
        return _declined(frame, mood, _HANGS.format(words=words, verb=_VERBS[act][0]))
    if mood.kind in ("report", "told"):
        return replace(frame, mood=mood, sure=False)
    return _left(frame, said, mood, act, agent)


def _refuse_by_words(frame: Frame, said: Clause, act: str) -> Frame | None:
    """Replacement of a frame whose words rule its act out in any mood; None for any other frame."""
    if act in ("delete", "finish") and (spared := _only_spared(frame, said)):
        return _declined(frame, ORDER, _NOTHING_ELSE.format(things=_named(spared)))
    if act == "amend" and said.situation.addressed and asks_and_orders_away(said):
        return frame  # 羽毛球那2块是啥 删了: the question is of what goes
    if act in ("make", "delete") and _means_another(said):
        if not said.situation.addressed:
            return _talk(frame, ORDER)
        return _declined(frame, Mood("order", "minus"), _NOT_WHOM)
    if frame.agent_code in PLANS and act in ("delete", "change") and (told := _of_another_alone(said)):
        minus = Mood("order", "minus")
        kept = _declined(frame, minus, told) if said.situation.addressed else _talk(frame, minus)
        return replace(kept, sure=kept.sure and frame.sure)
    if act in ("make", "change") and offers_choice(said.text, said.times):
        choice = Mood("question")
        return _declined(frame, choice, _UNDECIDED) if said.situation.addressed else _talk(frame, choice)
    return None


def _mood_of_act(frame: Frame, said: Clause, act: str, trailing: str, lead: Clause, *, asks: bool) -> Mood:
    """Mood of the frame's act in its sentence; an order that may be meant the other way round is no plain
    one."""
    attendance = getattr(frame.read, "attendance", None) if act == "change" else None
    joins = attendance is not None
    out = getattr(getattr(frame.read, "correction", None), "stays_out", None) is not None  # 别算我
    out = out or getattr(getattr(frame.read, "budget", None), "change", "") == "drop"  # 不要预算了
    mood = mood_of(
        said.text + trailing,
        "join" if joins or out else act,
        said.times,
        said.amounts,
        lead=lead.text,
        lead_times=lead.times,
    )
    counted = frame.match is not None and frame.match.every is not None
    if counted and mood.polarity == "plus" and _forbids_first(said):
        mood = replace(mood, polarity="minus")  # 别两个都取消
    turned = act in ("delete", "finish") and _negates_twice(said)
    turned = turned or (joins and attendance.joins and _begins_by_negating(said))  # 不羽毛球算我一个
    if mood.plain and (asks or turned):
        mood = replace(mood, modality="can" if asks else "may")
    return mood


def _order(frame: Frame, said: Clause, mood: Mood, act: str) -> Frame:
    """Frame of an order that is not negated."""
    if act == "delete" and said.situation.addressed and _forbids_the_unkept(frame, said):
        made = any("make" in one.classes for one in _words(said))
        return _declined(frame, mood, _LEFT.format(verb="记") if made else _NOTHING_OF_IT)
    if _hangs_in_the_air(said, act) or _is_no_verb(frame, said, act):
        return _talk(frame, mood)
    return replace(frame, mood=mood) if mood.plain else replace(frame, mood=mood, sure=False)


def _only_spared(frame: Frame, said: Clause) -> Sequence[KeptThing]:
    """The things that a line excepts, where the frame means nothing else: 除了周会其他的日程都取消, of the
    only one."""
    spared = [each for each in spared_things(said) if each.agent == frame.agent_code]
    things = _things(frame, said) if spared else ()
    return spared if things and all(each in spared for each in things) else ()


def _means_another(said: Clause) -> bool:
    """True for 不是提醒我 是提醒二妹: nothing is deleted, another member is reminded."""
    return any(
        said.text[one.start : one.end] == "不是" and not other.classes.isdisjoint({"remind", "rouse_me"})
        for one, other in pairwise(_words(said))
    )


def _of_another_alone(said: Clause) -> str:
    """What is answered to 别让阿凯参加周会 and 阿凯那份取消: the event stays for all the others."""
    names = [one.name for one in (*said.situation.mentions, *said.situation.members)]
    away, portion = kept_away(said.text, names), portion_taken(said.text, names)
    if portion is not None:
        return _WHICH_PORTION.format(name=portion)
    return _COMES_THEMSELVES.format(name=away) if away is not None else ""


def _forbids_first(said: Clause) -> bool:
    return next(("prohibit" in one.classes for one in _words(said)), False)


def _forbids_the_unkept(frame: Frame, said: Clause) -> bool:
    """True for 别发通知, 不用买菜, 别记了 where no such thing is kept, nor was just shown: nothing is to be
    done, and nothing to be deleted."""
    words = _words(said)
    taken = any(not one.classes.isdisjoint(HEADS["delete"] - _NEGATIONS) for one in words)
    named = [one for one in words[1:] if not one.classes.isdisjoint(_OF_DEEDS)]
    if taken or not named or not _forbids_first(said):
        return False
    return not (frame.match is not None and frame.match.refs) and not _things(frame, said)


def _begins_by_negating(said: Clause) -> bool:
    """True if the clause begins with a negation: 别…, 不…, 不用…."""
    return next((not one.classes.isdisjoint(_NEGATIONS) for one in _words(said)), False)


def _negates_twice(said: Clause) -> bool:
    """True if a clause that begins with a negation has a second one, or a deletion: 别周会不开了,
    不疫苗表别提醒了."""
    if not _begins_by_negating(said):
        return False
    names = "".join(thing.name for thing in said.situation.things)
    return any(
        not each.classes.isdisjoint(_TURNS)
        or (not each.classes.isdisjoint(_OF_ANOTHER) and said.text[each.start : each.end] not in names)
        for each in _words(said)[1:]
    )


def _forbids_undoing(said: Clause) -> bool:
    """别撤销上一笔, 上一笔先别撤, 不撤了."""
    return any(
        not one.classes.isdisjoint(_NEGATIONS) and "take_back" in other.classes
        for one, other in pairwise(_words(said))
    )


def _words(said: Clause) -> list[Token]:
    return [each for each in words_of(said.text, said.times, said.amounts) if "filler" not in each.classes]


_NEGATIONS: Final = frozenset({"negation", "prohibit", "hold_off"})
_OF_ANOTHER: Final = frozenset({"unread", "place", "action"})
"""Word classes outside the name of a kept thing, which change its meaning (别体检搬去活动中心)."""
_OF_DEEDS: Final = frozenset({"action", "occasion", "personal", "announce", "make", "unread", "plain"})
"""Word classes of what is not to be done."""
_TURNS: Final = _NEGATIONS | HEADS["change"] | {"take_away", "refuse", "finish", "done"}


def doubt_order(frame: Frame, line: Clause, agents: Sequence[Recogniser], *, alone: bool = False) -> Frame:
    """A model's frame with the mood of the line: without a plain order it is asked back.

    `alone`: the line's only frame; ordered on a condition it is declined.
    """
    agent = next((each for each in agents if each.code == frame.agent_code), None)
    act = agent.acts.get(frame.intent) if agent is not None else None
    if act is None or act == _QUERY:
        return frame
    mood = mood_of(line.text, act, line.times, line.amounts)
    if mood.kind == "condition" and alone and line.situation.addressed and not frame.declined:
        return _declined(frame, mood, _HANGS.format(words=_shown(line.text), verb=_VERBS[act][0]))
    return frame if mood.plain else replace(frame, mood=mood, sure=False)


def _hangs_in_the_air(clause: Clause, act: str) -> bool:
    """A verb alone (取消) where nothing was just shown; a single character (停) wherever it is said."""
    if act not in ("delete", "change") or not is_bare(clause.text, clause.times, clause.amounts):
        return False
    letters = [letter for letter in clause.text if letter.isalnum() and letter not in _PARTICLES]
    alone = len(letters) == 1 and letters[0] != "删"
    return alone or not clause.situation.just_shown()


def _is_no_verb(frame: Frame, said: Clause, act: str) -> bool:
    """True if a verb-like word is none of ours and no kept thing is meant: 提神醒脑, 换下一个."""
    if act not in ("delete", "change") or not in_another_word(said.text, said.times, said.amounts):
        return False
    known = (*said.situation.things, *said.situation.shown)
    return not any(each.name and _shares_a_word(each.name, said.text) for each in known)


def _of_state(frame: Frame, said: Clause) -> Frame:
    """Answer to a query about the state of kept things (羽毛球取消了啊？ 评审还开吗); other queries
    unchanged."""
    tokens = words_of(said.text, said.times, said.amounts)
    taken = any(not token.classes.isdisjoint(HEADS["delete"]) for token in tokens)
    changed = any(not token.classes.isdisjoint(HEADS["change"]) for token in tokens)
    goes_on = any(said.text[token.start : token.end] == "还" for token in tokens)
    if not said.situation.addressed or not (taken or changed or goes_on):
        return frame
    things = [
        each for each in _things(frame, said) if _everything(said) or _shares_a_word(each.name, said.text)
    ]
    if not things or _of_another_day(said, things):
        return frame
    told = WAS_DELETED if taken else WAS_CHANGED
    return _declined(frame, Mood("question"), told.format(things=listed(things, said.situation.now.year)))


def _of_another_day(said: Clause, things: Sequence[KeptThing]) -> bool:
    """True if the clause asks about a day on which no such thing begins (明天例会还开吗): that day is looked
    up, since one time of a series may have been left out."""
    days = {each.date for each in said.times if each.date is not None and names_day(each.text)}
    return bool(days) and not any(each.at is not None and each.at.date() in days for each in things)


def _shares_a_word(name: str, line: str) -> bool:
    return any(name[at : at + 2].lower() in line.lower() for at in range(len(name) - 1))


def _asked(frame: Frame, said: Clause, mood: Mood, act: str, agent: Recogniser) -> Frame:
    """Frame of a question: answered from the kept things, else a query of the same agent, else talk."""
    things = _things(frame, said)
    told = {"delete": WAS_DELETED, "finish": _WAS_FINISHED, "change": WAS_CHANGED}.get(act)
    if told is not None:
        return _declined(
            frame, mood, told.format(things=listed(things, said.situation.now.year)) if things else NOT_KEPT
        )
    query = next((intent for intent, each in agent.acts.items() if each == _QUERY), None)
    if query is None or (act in ("record", "amend") and mood.aspect != "done"):
        return _talk(frame, mood)
    read = frame_of(agent.read(query, frame.clause))
    match = None if frame.match is None else replace(frame.match, intent=query, refs=())
    return Frame(frame.agent_code, query, frame.clause, read, frame.sure, match, mood=mood)


def _left(frame: Frame, said: Clause, mood: Mood, act: str, agent: Recogniser) -> Frame:
    """Frame of a negated order: kept things stay, nothing new is made; a kept thing that was not to be made
    is deleted after a question (别提醒我吃药了)."""
    things = _things(frame, said)
    if act == "make":
        kept = meant(words_of(frame.clause.text, frame.clause.times, frame.clause.amounts), frame.clause)
        delete = next((intent for intent, each in agent.acts.items() if each == "delete"), None)
        if kept is not None and kept.refs and _stays(said):
            own = [each for each in said.situation.things if each.agent == kept.agent and each.name]
            things = [each for each in own if each.id in kept.refs]
            return _declined(frame, mood, _STILL_THERE.format(things=_named(things or kept.things)))
        if kept is not None and kept.refs and delete is not None and kept.agent == agent.code:
            match = None if frame.match is None else replace(frame.match, intent=delete, refs=kept.refs)
            read = frame_of(agent.read(delete, frame.clause))
            return Frame(frame.agent_code, delete, frame.clause, read, False, match, mood=mood)
        return _declined(frame, mood, _LEFT.format(verb="提醒" if "提醒" in frame.clause.text else "记"))
    if things:
        text = {"delete": _STILL_THERE, "finish": _NOT_DONE_YET}.get(act, _UNCHANGED)
        return _declined(frame, mood, text.format(things=_named(things)))
    if act == "finish":
        return _declined(frame, mood, _TAKE_BACK)  # nothing open is meant: it may be ticked already
    if act == "delete":
        return _declined(frame, mood, _NOTHING_LEFT)
    if act == "change" and _puts_off_going(said):
        return _declined(frame, mood, _WHICH_GOING)
    return _declined(frame, mood, _LEFT.format(verb=_VERBS[act][1]))


def _puts_off_going(said: Clause) -> bool:
    """True for 先不去了: a going is put off, and no change is refused (先不改了)."""
    words = _words(said)
    off = any(not one.classes.isdisjoint({"hold_off", "defer"}) for one in words)
    others = [one for one in words if "hold_off" not in one.classes]
    return off and all(one.classes.isdisjoint(HEADS["change"]) for one in others)


def _stays(said: Clause) -> bool:
    """True if a negated order spares a kept thing: 别动我的报告提醒, 没说不要提醒啊."""
    tokens = words_of(said.text, said.times, said.amounts)
    return denies(said.text, tokens) or any("leave" in one.classes for one in tokens)


def _things(frame: Frame, said: Clause) -> tuple[KeptThing, ...]:
    """Kept things of a frame: by id, else by name; all of its agent's with 都."""
    where = said.situation
    own = [each for each in where.things if each.agent == frame.agent_code and each.name]
    if _everything(said):
        return tuple(own)
    refs = frame.match.refs if frame.match is not None else ()
    if not refs:
        kept = meant(words_of(said.text, said.times, said.amounts), said)
        return () if kept is None else tuple(each for each in kept.things if each.name)
    # Ids count by agent: a task and a schedule may both be 1.
    shown = (each for each in where.shown if each.agent == frame.agent_code and each.name)
    return tuple({each.id: each for each in (*own, *shown) if each.id in refs}.values())


def _everything(said: Clause) -> bool:
    """True if the clause means every kept thing: 都取消了吗, without a time."""
    everything = "都" in said.text or any("all" in token.classes for token in words_of(said.text))
    return everything and not said.times


def _declined(frame: Frame, mood: Mood, text: str) -> Frame:
    return Frame(*FALLBACK, frame.clause, sure=True, match=frame.match, mood=mood, declined=text)


def _talk(frame: Frame, mood: Mood) -> Frame:
    return Frame(*FALLBACK, frame.clause, sure=True, mood=mood)


def _named(things: Sequence[KeptThing]) -> str:
    names = "、".join(f"「{each.name}」" for each in things[:_SHOWN])
    return f"{names}等 {len(things)} 件" if len(things) > _SHOWN else names


def listed(things: Sequence[KeptThing], year: int) -> str:
    """Names of the first five things with their times; the year only where it is not `year`."""
    lines = [f"{each.name}{_when(each.at, year)}" for each in things[:_SHOWN]]
    rest = f"，共 {len(things)} 件" if len(things) > _SHOWN else ""
    return "、".join(lines) + rest


def _when(at: datetime | None, year: int) -> str:
    if at is None:
        return ""
    other = "" if at.year == year else f"{at.year}年"
    clock = "" if at.time() == time() else f" {at:%H:%M}"
    return f"（{other}{at.month}月{at.day}日 周{'一二三四五六日'[at.weekday()]}{clock}）"


def _shown(words: str) -> str:
    line = " ".join(words.split()).strip(" ,，。")
    return line if len(line) <= 20 else f"{line[:20]}…"
