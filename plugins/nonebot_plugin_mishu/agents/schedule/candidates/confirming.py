"""Confirmation of candidates: seed 0's NEED_CONFIRM on the shared mechanism (`drafts`).

`drafts` does the local triage and stores the batch; the rest goes to `check_intent`, and an edit to a second
`extract_info`. Without a model local rules replace both.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from ....drafts import AskModel, Batch, Commit, ItemModel, ItemState, Limits, Local, OwnerNotice, Say, speak
from ....llm import Deadline
from ....storage import Storage
from ....storage.schedules.queries import Outdated
from ...api.references import ListedReferences
from ...api.task_context import TaskContext
from ...drafting import CommitRefused, DraftAdapter, DraftWording
from .. import words
from ..executor import ScheduleExecutor, gone
from ..frames import CONFIRMING, STAGE
from ..model.calls import Calls
from ..model.extracting import words_of
from ..watching import Watching
from .candidate import Candidate, dump, load
from .correcting import asked_of, called_on, check_locally, edits, may_confirm
from .machine import Checked, CheckIntent, ExtractInfo, MemberSpoke, Phase, TalkState, step


def _take(value: Candidate, fields: Mapping[str, object]) -> Candidate | None:
    new = fields.get("candidate")
    return new if isinstance(new, Candidate) else None


ITEMS: Final[ItemModel[Candidate]] = ItemModel(
    change=_take,
    create=lambda fields: None,
    correct_locally=lambda text, pending: Local(),
    terms=lambda values: [each.new_description for each in values if len(each.new_description) > 1],
    waiting_line=False,
    ask_about_talk=True,
    asked=asked_of,
    pointing=called_on,
)


class Confirming:
    """Adapter of the schedule agent for `drafting.DraftRunner`."""

    def __init__(
        self,
        storage: Storage,
        calls: Calls,
        deeds: ScheduleExecutor,
        watching: Watching,
        lately: ListedReferences,
        *,
        timeout: float,
        call_timeout: float,
        wall: Callable[[], float],
    ) -> None:
        """`timeout`: CONFIRM_TIMEOUT, `call_timeout`: one model call, both in seconds."""
        self._storage, self._calls, self._deeds = storage, calls, deeds
        self._watching = watching
        self._lately = lately
        self._told: dict[str, str] = {}
        """Reply of each committed batch, until it is sent"""
        self.trade: DraftAdapter[Candidate] = DraftAdapter(
            agent_code="schedule",
            model=ITEMS,
            limits=Limits(timeout=timeout, correction_timeout=2 * call_timeout + 1.0),
            dump_item=dump,
            load_item=load,
            item_json=lambda each: {"intent": each.intent, **each.slots()},
            wording=DraftWording(
                card=self._card, line=self._line, unreachable="我这会儿存不了东西，过会儿再说一次。"
            ),
            ask=self._ask,
            commit=self._commit,
            saved=self._saved,
            online=lambda: True,
            wall=wall,
            notes=lambda batch: {STAGE: CONFIRMING},
        )
        self._context: TaskContext | None = None

    def card_for(self, context: TaskContext) -> None:
        """Set the context of the next card: its moment is the base of dates."""
        self._context = context

    def _card(self, batch: Batch[Candidate]) -> str:
        assert self._context is not None
        pending = [each.value for each in batch.pending]
        verb = _DOES.get(pending[0].intent, "记下") if len({each.intent for each in pending}) == 1 else "记下"
        hint = (
            f"（回「确认」{verb}，「不用」就算了）"
            if len(pending) == 1
            else f"（回「确认」全部{verb}，也可以「确认第一个」「不用」）"
        )
        return f"{words.question(pending, self._context.now)}\n{hint}"

    def _line(self, say: Say, batch: Batch[Candidate]) -> str | None:
        match say.line:
            case OwnerNotice.SAVED:
                return self._told.pop(batch.id, None) or speak(say.line, say.numbers, say.count, "个")
            case OwnerNotice.CANCELLED | OwnerNotice.LEFT:
                intents = {item.value.intent for item in batch.items}
                left = _LEFT.get(next(iter(intents)), "不记了") if len(intents) == 1 else "不记了"
                kept = any(item.state is ItemState.SAVED for item in batch.items)
                return (
                    f"好，{'其他的' if kept else ''}{left}"
                    if not batch.pending
                    else speak(OwnerNotice.CANCELLED, say.numbers, counter="个")
                )
            case OwnerNotice.UNCLEAR:
                return words.NOT_UNDERSTOOD
            case (
                OwnerNotice.EXPIRED
                | OwnerNotice.OFFLINE
                | OwnerNotice.CHANGED
                | OwnerNotice.ADDED
                | OwnerNotice.NOT_SAVED
            ):
                return None
            case _:
                return speak(say.line, say.numbers, say.count, "个")

    async def _ask(
        self, ask: AskModel[Candidate], context: TaskContext, deadline: Deadline
    ) -> Mapping[str, object]:
        """`check_intent`, and `extract_info` for an edit, in the form of `drafts`."""
        pending = [each for _, each in ask.pending]
        state = TalkState(Phase.NEED_CONFIRM, tuple(pending), ask.said, words.question(pending, context.now))
        situation = context.clause.situation
        heard = words_of(context) if ask.text == context.text else ask.text
        _, (check,) = step(state, MemberSpoke(heard))
        assert isinstance(check, CheckIntent)
        read = context.bound is not None and bool(context.bound.words)  # a model has read the line
        listens = self._watching.answer(context) and not read
        intent = await self._calls.check(check, context, deadline) if listens else None
        if intent in ("confirm", "edit") and not may_confirm(ask.text, pending):
            return {"intent": "unclear"}  # whatever a model reads, only an explicit yes deletes
        intent = intent or check_locally(ask.text, situation, pending)
        if intent in ("confirm", "deny"):
            return {"intent": "confirm" if intent == "confirm" else "cancel", "confidence": 1.0}
        if intent == "irrelevant":
            return {"intent": "irrelevant"}
        _, (extract,) = step(state, Checked("edit", heard))
        assert isinstance(extract, ExtractInfo)
        said = None if read else await self._calls.extract(extract, context, deadline)
        changed = edits(pending, said, ask.text, situation)
        if changed is None:
            # 天天改 beside our unasked question is meant for the others.
            return {"intent": "irrelevant" if self._watching.is_unasked(context) else "unclear"}
        corrections = [
            {"index": place, "updatedFields": {"candidate": each}} for place, each in changed.items()
        ]
        return {"intent": "edit", "corrections": corrections}

    async def _commit(self, batch: Batch[Candidate], commit: Commit[Candidate], context: TaskContext) -> None:
        candidates = [each for _, each in commit.items]
        origins = {id(each): f"{batch.id}:{commit.ticket}:{number}" for number, each in commit.items}
        for each in candidates:
            if each.problem is not None:
                raise CommitRefused(words.doubt(each.problem, context.now))
            if gone(each, context.now):
                assert each.when is not None
                raise CommitRefused(f"{words.when_text(each.when, context.now)}已经过了。{words.WHICH_TIME}")
        state = TalkState(Phase.NEED_CONFIRM, tuple(candidates), batch.said)
        state, effects = step(state, Checked("confirm"))
        try:
            done = await self._deeds.carry_out(
                state, effects, context, lambda each: origins[id(each)], context.deadline
            )
        except Outdated as outdated:
            raise CommitRefused(words.OUTDATED) from outdated
        if done.touched:
            self._watching.led(context.conversation)
            member, now = context.actor.user_id, context.request.now
            await self._lately.note_items(
                context.conversation, member, "schedule", done.touched, now, beside=True
            )
        if done.asked is not None and not done.touched:
            raise CommitRefused(done.asked.text)
        if done.asked is not None:
            done.lines.append(done.asked.text)
        self._told[batch.id] = "\n".join(done.lines)

    async def _saved(self, batch_id: str) -> Mapping[int, int]:
        """Stored items of a batch: number on the card to ticket."""
        found: dict[int, int] = {}
        for origin in await self._storage.schedules.made_by(f"{batch_id}:"):
            ticket, _, number = origin.removeprefix(f"{batch_id}:").partition(":")
            if ticket.isdigit() and number.isdigit():
                found[int(number)] = int(ticket)
        return found


_LEFT: Final = {"edit": "没改，还是原来的", "delete": "没取消"}
"""Replies to a refusal, by intent: what stays as it was."""
_DOES: Final = {"add": "记下", "edit": "改", "delete": "取消"}


def plain(candidates: Sequence[Candidate]) -> list[dict[str, Any]]:
    """Candidates as slot values."""
    return [dump(each) for each in candidates]
