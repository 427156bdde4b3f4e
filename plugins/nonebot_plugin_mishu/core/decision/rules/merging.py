"""Clauses of a message, joined from its pieces: a piece that a rule recognises stands alone, one that
completes it joins it.

明天下午三点，老地方，开会 is one clause though only the last piece names the thing. Talk beside work is
left out unless it asks for an answer of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ....agents.api.builtin_codes import intents_that
from ....language.clause import Clause
from ....language.clauses.change_intents import deletes, edits, nameless, points, snoozes
from ....language.clauses.features import hear
from ....language.clauses.hollow import orders_alone
from ....language.clauses.joined_pieces import calls_wrong, is_sum_alone, says_what_it_becomes
from ....language.clauses.order_words import orders_one, orders_us
from ....language.clauses.segments import ClauseCandidate, Message
from ....language.clauses.vocabulary import (
    asks_more,
    gives_reason,
    is_chatter,
    is_detail,
    is_hollow,
    is_reply,
    is_talk,
    names_a_thing,
    only_takes_out,
    only_time,
    says_nothing,
    says_why,
    tells_own_plan,
)
from ....language.recognise.times import names_day
from ....language.schedule_phrases import attendance
from ....language.timing.reminder_leads import says_only_a_lead
from ....language.timing.stored_length import says_only_a_length
from .choosing import Choice, Recogniser, choose
from .neighbours import (
    another_record,
    asks_of_before,
    calls_too,
    comes_again,
    costs,
    means_kept,
    names_sharers,
    plans_sum,
    puts_right,
    shares_it,
    tells_cost,
    ticks_off,
)
from .unit import Unit

LONGEST_TOPIC: Final = 16
"""Characters of a piece that names what the next one orders (下周的团建，帮我改到周五)."""


_MAKES: Final = intents_that("make")
_EDITS: Final = intents_that("change")


class ClauseMerger:
    """Puts the pieces of one message together."""

    def __init__(self, said: Message, agents: Sequence[Recogniser]) -> None:
        self._said = said
        self._agents = agents
        self._units: list[Unit] = []
        self.left_out: list[Clause] = []
        """Unrecognised pieces beside work: possibly another order."""

    def units(self, pieces: Sequence[ClauseCandidate]) -> list[Unit]:
        """The units in spoken order; those nobody recognises are talk, or were left open at the end."""
        for number, piece in enumerate(pieces):
            clause = self._said.clause(piece.start, piece.end)
            if says_nothing(clause.text):
                continue
            before = self._recognised(self._units)
            hollow = is_hollow(clause)
            new = Unit(piece.start, piece.end, clause, self._choose, before, hollow=hollow)
            if hollow and piece.connected and self._heads(pieces[number + 1 : number + 2]):
                self._units.append(new)
            else:
                self._take(piece, new)
        return self._units

    def _heads(self, following: Sequence[ClauseCandidate]) -> bool:
        """True if a following piece completes an empty order: 然后再加一个任务 周三修水龙头."""
        return any(
            not (piece.hard or piece.connected or says_nothing(clause.text) or is_hollow(clause))
            and not (is_detail(clause) or is_talk(clause.text) or is_chatter(clause.text))
            for piece in following
            for clause in (self._said.clause(piece.start, piece.end),)
        )

    def _choose(self, clause: Clause, before: Unit | None) -> Choice | None:
        return choose(clause, self._agents, lambda: None if before is None else before.choice)

    def _recognised(self, units: Sequence[Unit]) -> Unit | None:
        return next((unit for unit in reversed(units) if unit.recognised), None)

    def _take(self, piece: ClauseCandidate, new: Unit) -> None:
        if not self._units:
            self._units.append(new)
            return
        last = self._units[-1]
        if asks_of_before(last, new) or names_sharers(last, new):
            self._join(last, new)
        elif not last.recognised:
            self._behind_open(last, new)
        elif comes_again(last, new):
            return
        elif plans_sum(last, new) or shares_it(last, new) or (not means_kept(last) and costs(last, new)):
            self._join(last, new)
        elif calls_too(last, new) or another_record(last, new) or _takes_part(new):
            self._units.append(new)
        elif self._joins_anyway(piece, last, new):
            self._join(last, new)
        elif not new.recognised:
            self._behind_work(piece, last, new)
        elif self._tells_why(last, new):
            return
        elif self._same_order(piece, last, new):
            self._join(last, new)
        elif ticks_off(last, new):
            self._units[-1] = new
        elif not (piece.connected or piece.hard or means_kept(last)) and tells_cost(last, new):
            self._spent(last, new)
        else:
            self._units.append(new)

    def _tells_why(self, last: Unit, new: Unit) -> bool:
        """True if the piece gives the reason of the change before it: 团本指挥换MT 我要加班."""
        change = last.choice is not None and last.choice.intent in _EDITS
        return (change or self._changes(last)) and (
            gives_reason(new.clause) or (not new.hollow and tells_own_plan(new.clause))
        )

    def _spent(self, last: Unit, new: Unit) -> None:
        """A sum behind its item: joined if the sum stands alone, else it replaces the item."""
        if is_sum_alone(new.clause):
            self._join(last, new)
            joined = self._units[-1].choice
            if joined is not None and new.choice is not None and joined.agent == new.choice.agent:
                return
        self._units[-1] = new

    def _joins_anyway(self, piece: ClauseCandidate, last: Unit, new: Unit) -> bool:
        """True if a piece joins the work before it whatever its own match."""
        text = new.clause.text
        if is_talk(text) or is_chatter(text):
            return False
        if last.hollow or new.hollow:
            return True
        if says_only_a_lead(text) and last.choice is not None and last.choice.intent in _MAKES:
            return True  # 周五下午四点评审 提前10分钟: of what is made here, and moves nothing
        if last.choice is not None and last.choice.intent in _MAKES and says_only_a_length(new.clause):
            return True  # 周日去爬山 爬三个小时: of what is made here, not of what was spoken of before
        detail = is_detail(new.clause) and not self._is_nameless(new)
        return not piece.connected and detail and not _on_another_day(last, new)

    def _behind_open(self, last: Unit, new: Unit) -> None:
        """Place a piece behind an unrecognised unit."""
        if new.recognised:
            chats = last.talk or is_chatter(last.clause.text)
            if is_reply(last.clause.text):
                self._units[-1] = new
            elif last.talk and not (new.hollow and not last.clause.text.endswith("?")):
                self._units.append(new)
            elif new.hollow or self._is_nameless(new) or (not chats and self._is_topic(last, new)):
                self._join(last, new)
            else:
                self.left_out.append(last.clause)
                self._units[-1] = new
            return
        if last.talk or new.talk or is_chatter(last.clause.text) or is_chatter(new.clause.text):
            if new.hollow and not last.talk:
                self._join(last, new)
            else:
                self._units.append(new)
            return
        self._join(last, new)

    def _behind_work(self, piece: ClauseCandidate, last: Unit, new: Unit) -> None:
        """Place an unrecognised piece behind work."""
        if new.talk and not new.hollow:
            if last.choice is None or last.choice.intent != "query" or not asks_more(new.clause.text):
                self._units.append(new)
        elif not last.hollow and self._passes(last, new):
            return
        elif means_kept(last) and self._changes(last) and says_why(new.clause):
            self.left_out.append(new.clause)
        else:
            self._join(last, new)

    def _passes(self, last: Unit, new: Unit) -> bool:
        """True if a piece behind work is only a feeling or the reason of a change."""
        felt = is_chatter(new.clause.text) and not is_detail(new.clause)
        return felt or (self._changes(last) and gives_reason(new.clause))

    def _same_order(self, piece: ClauseCandidate, last: Unit, new: Unit) -> bool:
        """True if two pieces that are both work are one order."""
        if last.hollow or new.hollow:
            return True
        if last.choice is None or new.choice is None:
            return False
        if last.choice.match.refs and last.choice.match.refs == new.choice.match.refs:
            return True  # 轰趴时间太早，三点开始: both of the one that is kept
        if puts_right(last, new):
            return True
        if last.choice.match.refs and orders_alone(new.clause) == "takes":
            return True  # 猫粮不用我买了 那条去掉
        if orders_alone(last.clause) == "takes" and _names_it(new) and not piece.connected:
            return True  # 删掉 明天的会: neither the last thing nor a new one
        if piece.connected and not is_detail(new.clause):
            return False
        if is_detail(new.clause) and not self._is_nameless(new) and not _on_another_day(last, new):
            return True
        if self._is_nameless(new):
            heard = hear(new.clause)
            if points(heard) and not snoozes(heard):
                return False
            named = not self._is_nameless(last) and not piece.hard
            return named and (
                new.choice.weight == 1
                or self._changes(last)
                or names_a_thing(last.clause)
                or means_kept(last)
                or only_takes_out(new.clause)
            )
        if not piece.hard and new.choice.agent == last.choice.agent and says_what_it_becomes(new.clause.text):
            return self._changes(last)
        weak = new.choice.weight == 1 and not new.choice.sure
        return weak and not new.clause.times and not piece.hard

    def _changes(self, unit: Unit) -> bool:
        """True if the unit changes a thing, or calls it wrong: 聚餐取消，改成周六."""
        heard = hear(unit.clause)
        return edits(heard) or deletes(heard) or calls_wrong(heard.text)

    def _is_nameless(self, unit: Unit) -> bool:
        if unit.choice is not None and unit.choice.match.nameless and not is_detail(unit.clause):
            return True
        return nameless(unit.clause, hear(unit.clause)) is not None or only_takes_out(unit.clause)

    def _is_topic(self, unit: Unit, new: Unit) -> bool:
        told = unit.clause.text.endswith("了")
        if new.choice is not None and new.choice.sure and orders_us(unit.clause) and not told:
            return False  # 帮我弄一下那个，头昏沉沉: another order, though nobody knows it
        return only_time(unit.clause) or len(unit.clause.text) <= LONGEST_TOPIC

    def _join(self, last: Unit, new: Unit) -> None:
        start, end = last.start, new.end
        hollow = last.hollow and (new.hollow or only_time(new.clause))
        before = self._recognised(self._units[:-1])
        clause = self._said.clause(start, end)
        self._units[-1] = Unit(start, end, clause, self._choose, before, hollow=hollow, parts=(last, new))


def _takes_part(unit: Unit) -> bool:
    """True for 爬山我也算一个, behind 我明天下午去医院: of what it names, no part of the plan before it."""
    wish = attendance(unit.clause.text) if unit.recognised else None
    return wish is not None and bool(wish.what)


def _on_another_day(last: Unit, new: Unit) -> bool:
    """True if the new piece has a clock on another day: 明天晚上收拾行李 后天七点出发 are two things."""
    days = {each.date for each in last.clause.times if each.date is not None and names_day(each.text)}
    clocks = [each for each in new.clause.times if each.start is not None and names_day(each.text)]
    return (
        bool(days)
        and bool(clocks)
        and not only_time(new.clause)
        and all(each.date not in days for each in clocks)
    )


def _names_it(unit: Unit) -> bool:
    """Date and title without a create verb: 周五的聚餐."""
    makes = unit.choice is not None and unit.choice.intent in _MAKES
    return makes and bool(unit.clause.times) and not orders_one(unit.clause.text)
