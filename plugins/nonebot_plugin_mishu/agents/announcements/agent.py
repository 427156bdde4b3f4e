"""Announcements of a group (群公告): an admin's order, asked first, then published (docs/platforms.md)."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final

from ...language.announcements import holds_forbidding, read_announcement
from ...storage.records import Conversation, LedgerMessage
from ..api.dispatch import Ask, TaskDispatch, TaskResult
from ..api.ports import Announcer, NotAnnounced
from ..api.spec import AgentSpec, Intent
from ..api.task_context import TaskContext
from .rules import claims, corrects, rules

CODE: Final = "announcements"
TEXT: Final = "text"
LONGEST: Final = 600
"""Characters of an announcement, as far as QQ shows one whole."""
LATELY: Final = 600.0
"""Seconds in which 把这个发群公告 without a quote means what we said last."""

NOT_HERE: Final = "群公告在群里才发得了。"
NOT_YOURS: Final = "群公告只有群主和管理员能让我发。"
NO_WAY: Final = "我在这里是 QQ 官方机器人，发不了群公告，得群主或管理员自己发。"
NO_ADMIN: Final = "我不是管理员，发不了群公告：先把我设成管理员，再说一次。"
WHICH: Final = "要发什么？说全，比如：发个群公告：明天停水；或者引用那条消息说「设为群公告」。"
NO_WORDS: Final = "那条里没有文字，群公告我只发文字。"
LEFT: Final = "好，不发。"
CORRECTED: Final = "好，先不发。改好的说全再发，比如：发个群公告：明天停水"
DONE: Final = "群公告发好了。"
FAILED: Final = "群公告没发成，QQ 没接。过一会儿再让我发，或者自己发。"
UNCLEAR: Final = "QQ 没有确认，群公告可能已经发出去了：先看一眼，没有再让我发。"

StandingOf = Callable[[Conversation, str], Awaitable[str]]
"""A member's role in a group by the platform: `owner`, `admin`, `member`, `gone` or `unknown`."""


class AnnouncementAgent:
    """Asks an admin once, then publishes."""

    def __init__(self, announcer: Announcer, standing: StandingOf) -> None:
        self._announcer = announcer
        self._standing = standing

    def spec(self) -> AgentSpec:
        """The agent, for the registry."""
        return AgentSpec(
            code=CODE,
            name="群公告",
            intents=(
                Intent(
                    "publish",
                    "把一段话发成群公告",
                    ("设为群公告", "发个群公告：明天停水"),
                    own_mood=True,
                ),
            ),
            boundary="只发群公告，问过才发；不改、不删、不念已有的公告。",
            handler=self.handle,
            rules=rules,
            claims=claims,
            answers=corrects,
            own_words=True,
            insertable=True,
        )

    async def handle(self, dispatch: TaskDispatch, context: TaskContext) -> TaskResult:
        """Ask for a yes, or publish after one. Rights and means are looked at both times. An order not to
        publish is nobody's task, and takes none away."""
        if context.open is None and holds_forbidding(context.text):
            return TaskResult(dispatch.task_id, "canceled", user_response=LEFT)
        refusal = await self._refusal(context)
        if refusal is not None:
            return TaskResult(dispatch.task_id, "canceled", user_response=refusal)
        if context.open is not None:
            return await self._answered(dispatch, context, str(context.open.slots[TEXT]))
        order = read_announcement(context.utterance.words)
        points = order is not None and order.points
        text = _meant(context, points=points) if order is None or order.text is None else order.text
        if text is None or not text.strip():
            said = WHICH if text is None else NO_WORDS
            return TaskResult(dispatch.task_id, "canceled", user_response=said)
        if len(text) > LONGEST:
            said = f"这段有 {len(text)} 个字，群公告最多 {LONGEST} 个，删一些再发。"
            return TaskResult(dispatch.task_id, "canceled", user_response=said)
        return TaskResult(
            dispatch.task_id,
            "awaiting_user",
            {TEXT: text},
            ("answer",),
            user_response=f"发成群公告吗？全群都会收到：\n{text}",
            ask=Ask("do"),
        )

    async def _refusal(self, context: TaskContext) -> str | None:
        """Why nothing is published for this member here."""
        where = context.conversation
        if not where.is_group:
            return NOT_HERE
        if not context.actor.governs:
            return NOT_YOURS
        account = self._announcer.publishes_as(where)
        if account is None:
            return NO_WAY
        return NO_ADMIN if await self._standing(where, account) == "member" else None

    async def _answered(self, dispatch: TaskDispatch, context: TaskContext, text: str) -> TaskResult:
        if context.bound is None or context.bound.relation != "confirm":
            corrected = context.bound is not None and context.bound.relation == "corrects"
            said = CORRECTED if corrected else LEFT
            return TaskResult(dispatch.task_id, "canceled", user_response=said)
        try:
            await self._announcer.publish(context.conversation, text)
        except NotAnnounced as error:
            said = UNCLEAR if error.perhaps else FAILED
            return TaskResult(dispatch.task_id, "canceled", user_response=said)
        context.acted("publish_announcement", {TEXT: text}, {})
        return TaskResult(dispatch.task_id, "completed", user_response=DONE)


def _meant(context: TaskContext, *, points: bool) -> str | None:
    """Words of the quoted message, else, of a line that `points` at something, of what we said last; None
    where there is neither."""
    quoted = context.utterance.quoted
    if quoted is not None:
        return _words(quoted)
    lately = [each for each in context.request.context if each.is_bot and not each.recalled]
    if not points or not lately or context.request.now - lately[-1].time > LATELY:
        return None
    return _words(lately[-1])


def _words(message: LedgerMessage) -> str | None:
    """The text of its segments: placeholders of pictures and the like are no words."""
    if message.recalled:
        return None
    parts = [each["data"].get("text") for each in message.parts if each.get("type") == "text"]
    return "".join(part for part in parts if isinstance(part, str)).strip() if parts else message.text
