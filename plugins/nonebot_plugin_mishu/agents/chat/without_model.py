"""Chat without a model: what is understood is told once an hour in each conversation."""

from __future__ import annotations

from datetime import datetime

from ...language import ends_in_question
from ...language.clause import Clause
from ...llm import OWN
from ...memory import clean_name
from ...storage.records import Conversation
from ..api.request import Request, Utterance
from . import offline

NOT_READ = "（「{words}」没听懂，要就单独说一句）"
_SHOWN = 20
TOLD = 3600.0
"""Seconds in which a conversation is not told again that there is no model."""


class WithoutModel:
    """Answers from the local repertoire, and honestly where that has nothing."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._told: dict[tuple[Conversation, bool], float] = {}
        """Conversations told of the missing model (True: none is set up), and the time (wall
        seconds)."""

    def answer(self, request: Request, now: datetime, kind: str) -> str:
        """One reply to all utterances of the request; `kind` of model trouble as in
        `ModelError`, or `spent` for a budget that was told of today."""
        names = (self._name, *(name for name in request.bot_names if name != self._name))
        said = [offline.local(one.message, one.words, now, names) for one in request.utterances]
        if len(set(said)) > 1:
            return self._answer_each(request, now, kind, said)
        return said[0] or self._answer_honestly(request, request.lead, now, kind)

    def answer_rest(self, request: Request, now: datetime, clause: Clause) -> str | None:
        """The reply to what stands beside work that is answered: of the repertoire, else a word about a
        question that was not understood; to other talk nothing."""
        names = (self._name, *(name for name in request.bot_names if name != self._name))
        known = offline.local(request.lead.message, clause.text, now, names)
        if known is not None or not ends_in_question(clause.text):
            return known
        return NOT_READ.format(words=" ".join(clause.text.split())[:_SHOWN])

    def _answer_each(self, request: Request, now: datetime, kind: str, said: list[str | None]) -> str:
        """A line for each of several members, who said different things."""
        return "\n".join(
            f"{clean_name(one.message.name)}：{text or self._answer_honestly(request, one, now, kind)}"
            for one, text in zip(request.utterances, said, strict=True)
        )

    def _answer_honestly(self, request: Request, one: Utterance, now: datetime, kind: str) -> str:
        if kind == "spent":
            return offline.cannot(one.message.message_id, now, self._name, one.words)
        if kind in OWN:
            return offline.honest(kind)
        self._told = {where: at for where, at in self._told.items() if 0 <= request.now - at < TOLD}
        told = (request.conversation, kind == "offline")
        if told in self._told:
            return offline.cannot(one.message.message_id, now, self._name, one.words)
        self._told[told] = request.now
        return offline.honest(kind)
