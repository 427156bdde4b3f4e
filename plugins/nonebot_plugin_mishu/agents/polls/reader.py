"""Reading of a line about polls, in the words of `language.polls`. Pure."""

from __future__ import annotations

from ...language.clause import Clause
from ...language.polls.cards import number_on_card
from ...language.polls.lists import read_list
from ...language.polls.naming import numbered
from ...language.polls.orders import PollDraft, PollOrder, read_order
from ...language.polls.poll import OpenPoll
from ...language.polls.voices import read_named, read_voice, said_by_name
from .frames import PollFrame


def read(intent: str, clause: Clause) -> PollFrame:
    """The frame of a line; empty where nothing of a poll is read in it."""
    return read_line(clause) or PollFrame()


def read_line(clause: Clause) -> PollFrame | None:
    """A list that was pasted on, a voice, then an order; None for everything else."""
    where = clause.situation
    if where.private:
        order = read_order(clause)
        return PollFrame(made=order) if isinstance(order, PollDraft) else None
    polls = polls_of(clause)
    by_number = numbered(clause, polls)
    if by_number is not None:
        clause, polls = by_number.rest, (by_number.poll,)
    pasted = _pasted(clause, polls)
    if pasted is not None:
        return pasted
    order = None
    called = not any(each.strict for each in where.polls) and where.addressed
    if called:
        order = read_order(clause, polls)
    if isinstance(order, PollOrder):
        meant = by_number.poll.id if by_number is not None else order.poll
        return PollFrame(order=order, poll=_quoted_id(clause, polls) or meant)
    if polls:
        known = tuple(one.name for one in (*where.mentions, *where.members))
        heard = read_voice(
            clause.text,
            polls,
            where.now.timestamp(),
            mentioned=bool(where.mentions),
            names=known,
            quoted=_quoted_id(clause, polls) is not None,
        ) or read_named(clause, polls, names=known)
        if heard is not None and not (known and heard[1].plain and set(heard[1].names).difference(known)):
            doubts = said_by_name(clause, *heard) if heard[1].doubt else ""
            return PollFrame(voice=heard[1], poll=heard[0].id, doubts=doubts)
    return PollFrame(made=order) if isinstance(order, PollDraft) else None


def polls_of(clause: Clause) -> tuple[OpenPoll, ...]:
    """The polls that the line may mean: the one whose card it quotes, else all of the conversation."""
    polls = clause.situation.polls
    quoted = _quoted_id(clause, polls)
    if quoted is not None:
        return tuple(each for each in polls if each.id == quoted)
    return () if clause.situation.quoted is not None and polls and polls[0].strict else polls


def _quoted_id(clause: Clause, polls: tuple[OpenPoll, ...]) -> int | None:
    number = number_on_card(clause.situation.quoted or "")
    return number if any(each.id == number for each in polls) else None


def _pasted(clause: Clause, polls: tuple[OpenPoll, ...]) -> PollFrame | None:
    found = read_list(clause.text)
    if found is None:
        return None
    lists = [each for each in polls if each.form != "vote" and not each.closed]
    titled = [each for each in lists if found.title and _alike(found.title, each.question)]
    if titled:
        return PollFrame(pasted=found, poll=max(titled, key=lambda each: each.touched_at).id)
    if found.named and len(lists) == 1 and not found.title:
        return PollFrame(pasted=found, poll=lists[0].id)
    return None


def _alike(title: str, question: str) -> bool:
    one, other = (each.replace(" ", "").replace(",", "").lower() for each in (title, question))
    return bool(one) and bool(other) and (one in other or other in one)
