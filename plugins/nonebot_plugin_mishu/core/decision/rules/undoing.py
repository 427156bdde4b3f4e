"""Orders to undo the last change that name it or say why, read of the whole line. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ....agents.api.frame import frame_of
from ....language.books.orders import forbids_taking_away
from ....language.changes.recency import Described, described
from ....language.changes.undoing import (
    asks_what_was_done,
    calls_off_last,
    ends_by_undoing,
    leaves_be,
    redoes,
    restores_another,
    restores_deleted,
    says_not_done,
    says_take_back,
    says_undo,
    says_unsaid,
)
from ....language.clause import Clause
from ....language.match import Match
from ....language.mood import Mood
from ....language.names.referents import shared
from ....language.polls.cards import NOT_SAID
from ..reading import Frame
from .choosing import Recogniser
from .veto import WAS_CHANGED, listed

UNDO: Final = "undo"
_WITHIN: Final = 900.0
"""Seconds in which such a line refers to the last change."""
_FINISHED: Final = "完成"
_MADE: Final = ("添加", "创建", "记账", "参加", "发起")
_NAMES: Final = 2
NOTHING_DONE: Final = "刚才没有给你记下、改动或删掉什么。"
STILL_THERE: Final = "好，不动，{things}还在。"
TAKEN_AWAY: Final = "刚才做的是：{summary}。说「撤销」就恢复。"
LEFT_ALONE: Final = "好，存着的都没有动。"
_TAKEN: Final = ("删除", "取消", "退出")
_SHOWN: Final = 5
DONE: Final = "最近一次改动：{summary}（说「撤销」就收回）。"


def answer_last_change(line: Clause) -> str | None:
    """Answer to a question after the speaker's last change (刚才改成啥了): its summary and the things' state
    now. Also to 恢复刚才删的日程, where the last change deleted nothing; None for any other line."""
    done = line.situation.just_done(_WITHIN)
    of_late = line.situation.just_done() is not None
    asks = asks_what_was_done(line.text, of_late=of_late) or restores_deleted(line.text)
    asks |= restores_another(line)
    if redoes(line):
        return None
    if not line.situation.addressed or not asks:
        return None
    if done is None:
        return NOTHING_DONE
    kept = [one for one in line.situation.things if one.name and one.name in done.summary]
    now = f"\n{WAS_CHANGED.format(things=listed(kept, line.situation.now.year))}" if kept else ""
    return f"{DONE.format(summary=done.summary)}{now}"


def read_recent_deletion(line: Clause, agents: Sequence[Recogniser]) -> Frame | None:
    """Frame of a deletion of things by when they were made (早上加的那个任务删掉), to be asked about; None
    for any other line."""
    found = (described(line) or _made_last(line)) if line.situation.addressed else None
    if found is None:
        return None
    code = found.things[0].agent
    things = [each for each in found.things if each.agent == code]
    agent = next((each for each in agents if each.code == code), None)
    intent = (
        next((name for name, act in agent.acts.items() if act == "delete"), None)
        if agent is not None
        else None
    )
    if agent is None or intent is None:
        return None
    words = f"删掉{things[0].name}" if len(things) == 1 else "都删掉" if found.all else "删掉那个"
    every = True if found.all else False if len(things) > 1 else None
    clause = Clause(words, line.situation)
    match = Match(intent, 3, refs=tuple(each.id for each in things), every=every)
    asked = Mood("order", modality="may")
    return Frame(agent.code, intent, clause, frame_of(agent.read(intent, clause)), True, match, mood=asked)


def _made_last(line: Clause) -> Described | None:
    """The speaker's last creation, if the line gives the reason against it (不对 明天周五我休息 不用叫了)
    and names no other kept thing."""
    where, done = line.situation, line.situation.just_done()
    if done is None or not done.summary.startswith(_MADE) or not calls_off_last(line.text):
        return None
    named = [one for one in where.things if one.name and shared(line.text, one.name) >= _NAMES]
    made = [one for one in where.shown if one.id and one.name and one.name in done.summary]
    if not made or any(one.id not in {each.id for each in made} for one in named):
        return None
    return Described(tuple(made), all=len(made) > 1)


def answer_spared(line: Clause) -> str | None:
    """Answer to a line that spares a kept thing (又没说不去剧本杀, 千万别动剧本杀); None where the line says
    or asks more."""
    where, text = line.situation, line.text
    if not where.addressed or not leaves_be(text, [one.name for one in where.things], line.times):
        return None
    named = [one for one in where.things if one.name and shared(text, one.name) >= _NAMES]
    if named:
        return STILL_THERE.format(things="、".join(f"「{one.name}」" for one in named[:_SHOWN]))
    done = where.just_done()
    if done is not None and done.summary.startswith(_TAKEN):
        return TAKEN_AWAY.format(summary=done.summary)
    return LEFT_ALONE


def read_undo(line: Clause, agents: Sequence[Recogniser]) -> Frame | None:
    """Frame of an undo of the speaker's last change (刚才那个推迟的撤销掉); None where the line names another
    kept thing, or nothing was changed in the last quarter of an hour."""
    agent = next((each for each in agents if UNDO in each.acts), None)
    if agent is not None and line.situation.addressed and redoes(line):
        return Frame(agent.code, UNDO, line, frame_of(agent.read(UNDO, line)), True, Match(UNDO, 3))
    done = line.situation.just_done(_WITHIN)
    if agent is None or done is None or not line.situation.addressed or restores_another(line):
        return None
    finished = done.summary.startswith(_FINISHED) and says_not_done(line.text)
    just = line.situation.just_done()
    behind = just is not None and (ends_by_undoing(line.text) or says_unsaid(line.text))
    behind |= just is not None and just.summary.startswith(_TAKEN) and forbids_taking_away(line.text)
    if not finished and not behind and not says_undo(line.text):
        return None
    if restores_deleted(line.text) and not done.summary.startswith(_TAKEN):
        return None  # 恢复刚才删的日程, behind a change: it is said what the last one was
    named = [one for one in line.situation.things if shared(line.text, one.name) >= _NAMES]
    if named and not any(shared(done.summary, one.name) >= _NAMES for one in named):
        return None
    made = done.summary.startswith(_MADE) or done.summary.endswith(NOT_SAID)
    if not (finished or behind) and made and not says_take_back(line.text):
        return None  # 改回来, 恢复 take back nothing that was made, and no voice that was given
    if not finished and "笔" in line.text and "笔" not in done.summary and "账" not in done.summary:
        return None  # 撤回刚才那笔, of the books, and the last change was none of theirs
    match = Match(UNDO, 3)
    return Frame(agent.code, UNDO, line, frame_of(agent.read(UNDO, line)), True, match)
