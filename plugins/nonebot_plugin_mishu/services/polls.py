"""Polls of a group: listed, made, answered, changed, ended, deleted, by the executor of the agent."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from ..agents import Asker
from ..agents.polls.executor import PollRefused
from ..agents.polls.wording import NAMES, card, result, say_moment, tally
from ..storage.polls.records import PollAnswer, PollFields, PollRecord, VoiceGiven, seated
from ..storage.records import Conversation
from .access.actor import Actor, Write
from .office import Office
from .paging import MOST, Key, Page, make_page
from .refusals import Refused, forbidden, missing, needs_confirmation

OpenOrClosed = Literal["open", "closed"]
__all__ = ["NAMES", "PollShown", "say_moment"]


@dataclass(frozen=True, slots=True)
class AnswerShown:
    """One voice as it is shown; of an anonymous poll there are none."""

    user_id: str | None
    """None for somebody who is known by a list's name alone."""
    name: str
    choice: int | None
    choices: tuple[int, ...]
    """All options that are chosen, by index."""
    amount: int
    waiting: bool
    said_by: str | None
    """Who gave it in their place; None for oneself."""


@dataclass(frozen=True, slots=True)
class PollShown:
    """A poll as pages and the API show it."""

    poll: PollRecord
    counts: tuple[int, ...]
    """Votes by option."""
    total: int
    """Voices of a vote, heads with a place, or pieces."""
    waiting: int
    answers: tuple[AnswerShown, ...]
    own_answer: PollAnswer | None
    """The viewer's own voice, that of an anonymous poll too."""


async def list_polls(
    office: Office,
    actor: Actor,
    place: Conversation,
    me: str | None = None,
    *,
    status: OpenOrClosed | None = None,
    limit: int = MOST,
    after: Key | None = None,
) -> Page[PollShown]:
    """Polls of a group, the newest first. `me`: whose own voice is told, for an owner."""
    viewer = me if actor.is_owner else actor.user_id
    before = None if after is None else after[1]
    found = await office.storage.polls.list_polls(place, status=status, before=before, limit=limit + 1)
    return make_page([show(each, viewer) for each in found], limit, lambda each: ("", each.poll.id))


async def get_poll(office: Office, actor: Actor, place: Conversation, poll_id: int) -> PollShown:
    """A poll of the group. Raises `Refused` (404)."""
    return show(await _require(office, place, poll_id), actor.user_id)


async def create_poll(office: Office, write: Write, place: Conversation, fields: PollFields) -> PollShown:
    """Make a poll; the group is shown its card. Raises `Refused`."""
    speaker = await _speaker(office, write, place)
    poll = await _checked(office.polls.make(place, speaker, fields, write.origin))
    await office.tell_group(place, speaker, f"发起了\n{card(poll, office.zone)}")
    return show(poll, speaker.user_id)


async def answer_poll(
    office: Office,
    write: Write,
    place: Conversation,
    poll_id: int,
    *,
    taken: bool = True,
    choice: int | None = None,
    amount: int = 1,
) -> PollShown:
    """Give one's voice; the newest counts. `choice` is the option's index. Members answer for themselves.
    Raises `Refused`."""
    speaker = await _speaker(office, write, place)
    await _require(office, place, poll_id)
    voice = VoiceGiven(
        speaker.user_id,
        speaker.name,
        taken,
        choice if taken else None,
        amount,
        speaker.user_id,
        speaker.name,
        "page",
        "",
        write.origin,
        office.clock.wall(),
    )
    casts = await _checked(office.polls.answer(poll_id, [voice]))
    cast = casts[-1]
    if cast.short:
        raise Refused(409, "名额不够，人数没有改。")
    if not cast.counted:
        raise Refused(409, "已经截止了，这次没算进去。")
    poll = cast.poll
    if await office.polls.all_answered(poll):
        done = await office.polls.close_complete(poll)
        if done is not None:
            await office.tell_group(place, speaker, f"答完，大家都回了：\n{result(done)}")
            poll = done
    return show(poll, speaker.user_id)


async def update_poll(
    office: Office, write: Write, place: Conversation, poll_id: int, changes: Mapping[str, Any]
) -> PollShown:
    """Change fields (of `PollFields`, absent ones stay), end it by `status: closed`, or open it again by
    `status: open`, without an end that is past. Raises `Refused`."""
    speaker = await _speaker(office, write, place)
    poll = await _require(office, place, poll_id)
    changes = dict(changes)
    status: OpenOrClosed | None = changes.pop("status", None)
    fields = replace(poll.fields, **changes)
    if status == "open" and not poll.open:
        if fields.closes_at is not None and fields.closes_at <= office.clock.wall():
            fields = replace(fields, closes_at=changes.get("closes_at"))
        poll = await _checked(office.polls.change(speaker, poll_id, fields, reopens=True))
        await office.tell_group(place, speaker, f"重开了\n{card(replace(poll, answers=()), office.zone)}")
    elif changes and fields != poll.fields:
        poll = await _checked(office.polls.change(speaker, poll_id, fields))
        await office.tell_group(place, speaker, f"改了\n{card(replace(poll, answers=()), office.zone)}")
    if status == "closed" and poll.open:
        poll = await _checked(office.polls.close(speaker, poll_id))
        await office.tell_group(place, speaker, f"截止了\n{result(poll)}")
    return show(poll, speaker.user_id)


async def delete_poll(office: Office, write: Write, place: Conversation, poll_id: int) -> None:
    """Delete a poll with its voices, after a confirmation. Raises `Refused`."""
    speaker = await _speaker(office, write, place)
    poll = await _require(office, place, poll_id)
    if poll.given and not write.confirm and (speaker.governs or speaker.user_id == poll.maker):
        raise needs_confirmation(f"「{poll.fields.question}」已经有 {len(poll.given)} 人回了，确定删掉吗？")
    gone = await _checked(office.polls.delete(speaker, poll_id))
    await office.tell_group(place, speaker, f"删掉了「{gone.fields.question}」")


def show(poll: PollRecord, viewer: str | None) -> PollShown:
    """The poll with what may be seen of its voices: of an anonymous one nothing but counts and one's own."""
    inside, waiting = seated(poll.answers, poll.fields.places)
    answers = () if poll.fields.anonymous else tuple(_shown(each, each in waiting) for each in poll.given)
    total = len(poll.given) if poll.fields.form == "vote" else sum(each.amount for each in inside)
    own_answer = poll.answer_of(viewer) if viewer is not None else None
    counts = tuple(tally(poll)) if poll.fields.form == "vote" else ()
    return PollShown(poll, counts, total, len(waiting), answers, own_answer)


def _shown(answer: PollAnswer, waiting: bool) -> AnswerShown:
    given = answer.said_by if answer.said_by not in ("", answer.user_id) else None
    user_id = None if answer.user_id.startswith("~") else answer.user_id
    return AnswerShown(user_id, answer.name, answer.choice, answer.chosen, answer.amount, waiting, given)


async def _speaker(office: Office, write: Write, place: Conversation) -> Asker:
    if not await office.announcer.allows(place, "统计"):
        raise forbidden("这个群把「统计」关了")
    return await office.require_speaker(write, place)


async def _require(office: Office, place: Conversation, poll_id: int) -> PollRecord:
    poll = await office.storage.polls.get(poll_id)
    if poll is None or poll.conversation != place:
        raise missing("统计")
    return poll


async def _checked(work: Any) -> Any:
    """The result of the executor's work. Raises `Refused` for what it refuses."""
    try:
        return await work
    except PollRefused as why:
        match why.kind:
            case "right":
                raise forbidden(why.text) from None
            case "missing":
                raise missing("统计") from None
            case "closed" | "conflict":
                raise Refused(409, why.text) from None
            case _:
                raise Refused(422, why.text, field=why.field or None) from None
