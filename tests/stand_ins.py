"""Stand-ins for what lies around front desk and secretary: storage, platform, model, audience."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

from nonebot_plugin_mishu.frontdesk.duty.duties import Duties
from nonebot_plugin_mishu.frontdesk.platform import Means
from nonebot_plugin_mishu.llm import ModelError
from nonebot_plugin_mishu.secretary import SendFailed, Speech
from nonebot_plugin_mishu.storage import DatabaseLocked
from nonebot_plugin_mishu.storage.core_tasks.finished import Finished
from nonebot_plugin_mishu.storage.ledger.claims import UnsentReply
from nonebot_plugin_mishu.storage.personal import Forgotten, PersonalData
from nonebot_plugin_mishu.storage.quiet.records import QuietHours
from nonebot_plugin_mishu.storage.records import (
    Conversation,
    ConversationSettings,
    DecisionRecord,
    LedgerMessage,
    ModelUsage,
    Silence,
    UsageRecord,
)
from nonebot_plugin_mishu.storage.reminders.records import Unsent

BOT = "10000"
GROUP = Conversation(BOT, "group", "777001")
OTHER = Conversation(BOT, "group", "777002")
FRIEND = Conversation(BOT, "private", "30001")


def line(number: int | str, text: str = "嗯", **changed: Any) -> LedgerMessage:
    """A ledger message; `number` gives its id, and its time where it is a number."""
    values: dict[str, Any] = {
        "conversation": GROUP,
        "message_id": str(number),
        "time": float(number) if isinstance(number, int) else 0.0,
        "receipt": number if isinstance(number, int) else 0,
        "user_id": "30001",
        "name": "小明",
        "role": "member",
        "text": text,
        "segments": [{"type": "text", "data": {"text": changed.get("text", text)}}],
    }
    return LedgerMessage(**{**values, **changed})


async def until(true: Callable[[], bool], seconds: float = 10.0) -> None:
    """Wait for something that other tasks bring about."""
    async with asyncio.timeout(seconds):
        while not true():  # noqa: ASYNC110 - what is waited for has no event of its own
            await asyncio.sleep(0.005)


class FakeStorage:
    """Keeps everything in memory. `broken`: every awaited call fails; `slow`: it takes so many seconds."""

    def __init__(self) -> None:
        self.rows: dict[tuple[str, str], LedgerMessage] = {}
        self.claimed: dict[tuple[str, str], str] = {}
        self.kept: dict[Conversation, ConversationSettings] = {}
        self.records: list[DecisionRecord] = []
        self.log: list[str] = []
        self.broken = False
        self.slow = 0.0
        self.ledger = self.claims = self.settings = self.decisions = self.usage = self.members = self
        self.finished = self.reminders = self.member_quiet = self
        self.unsent: list[Unsent] = []
        self.quiet: dict[str, QuietHours] = {}
        self.done: dict[str, Finished] = {}
        self.cut_off: list[UnsentReply] = []
        self.replies: dict[tuple[str, str], tuple[str, tuple[str, ...]]] = {}
        """Claimed replies and the lines they answer, until they are said."""
        self.withheld: dict[tuple[str, str], UnsentReply] = {}
        self.recovered: Callable[[], None] = lambda: None

    async def _pass(self, what: str) -> None:
        self.log.append(what)
        if self.slow:
            await asyncio.sleep(self.slow)
        else:
            await asyncio.sleep(0)
        if self.broken:
            raise DatabaseLocked

    async def list_troubles(self, conversation: Conversation, now: float) -> list[Unsent]:
        await self._pass("unsent")
        return self.unsent

    def append(self, message: LedgerMessage) -> None:
        self.log.append(f"append {message.message_id}")
        self.rows.setdefault((message.conversation.self_id, message.message_id), message)

    async def exists(self, self_id: str, message_ids: Iterable[str]) -> set[str]:
        await self._pass("exists")
        return {one for one in message_ids if (self_id, one) in self.rows}

    def row(self, message_id: str) -> LedgerMessage:
        return self.rows[BOT, message_id]

    def _mark(self, conversation: Conversation, ids: Iterable[str], **changes: Any) -> None:
        for key in [(conversation.self_id, one) for one in ids]:
            if key in self.rows:
                self.rows[key] = replace(self.rows[key], **changes)

    async def mark_processed(self, conversation: Conversation, ids: Iterable[str]) -> None:
        await self._pass(f"processed {' '.join(ids)}")
        self._mark(conversation, ids, processed=True)

    async def mark_addressed(self, conversation: Conversation, ids: Iterable[str]) -> None:
        await self._pass(f"addressed {' '.join(ids)}")
        self._mark(conversation, ids, addressed=True, processed=False)

    def owe(self, conversation: Conversation, ids: Iterable[str]) -> None:
        self._mark(conversation, ids, addressed=True)

    async def find_results(self, message: LedgerMessage) -> Finished:
        await self._pass(f"finished {message.message_id}")
        return self.done.get(message.message_id, Finished())

    async def mark_tried(self, message: LedgerMessage) -> None:
        await self._pass(f"tried {message.message_id}")
        self._mark(message.conversation, [message.message_id], tries=message.tries + 1)

    async def mark_recalled(self, conversation: Conversation, ids: Iterable[str]) -> None:
        await self._pass(f"recalled {' '.join(ids)}")
        self._mark(conversation, ids, recalled=True)

    async def set_sender(self, message: LedgerMessage) -> None:
        await self._pass(f"named {message.message_id}")
        self._mark(message.conversation, [message.message_id], name=message.name, role=message.role)

    async def set_captions(self, conversation: Conversation, one: str, captions: Sequence[str]) -> None:
        await self._pass(f"captioned {one}")
        self._mark(conversation, [one], captions=list(captions))

    async def load(self, conversation: Conversation, limit: int | None = None) -> Any:
        await self._pass("load")
        if limit is None:
            return self.kept.get(conversation, ConversationSettings())
        said = [row for row in self.rows.values() if row.conversation == conversation]
        return sorted(said, key=lambda row: row.order)[-limit:]

    async def pending(self, self_id: str, since: float) -> list[LedgerMessage]:
        await self._pass("pending")
        return [
            row
            for key, row in self.rows.items()
            if row.addressed and not (row.processed or row.recalled or key in self.claimed)
            if row.time >= since and key[0] == self_id
        ]

    async def expire_pending(self, self_id: str, before: float) -> int:
        await self._pass("expire")
        old = [row for row in self.rows.values() if row.addressed and row.time < before]
        for row in old:
            self._mark(row.conversation, [row.message_id], processed=True)
        return len(old)

    async def export(self, conversation: Conversation, user_id: str) -> PersonalData:
        await self._pass("export")
        return PersonalData(
            [r for r in self.rows.values() if r.conversation == conversation and r.user_id == user_id]
        )

    async def would_forget(self, conversation: Conversation, user_id: str) -> Forgotten:
        theirs = (await self.export(conversation, user_id)).messages
        return Forgotten({"消息": len(theirs)} if theirs else {}, {})

    async def delete_member(
        self, conversation: Conversation, user_id: str, *, sparing: str | None = None
    ) -> Forgotten:
        told = await self.would_forget(conversation, user_id)
        for row in (await self.export(conversation, user_id)).messages:
            if row.message_id != sparing:
                del self.rows[row.conversation.self_id, row.message_id]
        return told

    async def delete_line(self, conversation: Conversation, message_id: str) -> None:
        await self._pass(f"deleted {message_id}")
        self.rows.pop((conversation.self_id, message_id), None)

    def status(self) -> tuple[str, str]:
        return ("degraded", "磁盘满了。") if self.broken else ("ok", "")

    def on_recovered(self, listener: Callable[[], None]) -> None:
        self.recovered = listener

    async def list_unsent(self, self_id: str, since: float, before: float) -> list[UnsentReply]:
        await self._pass("list_unsent")
        return [one for one in self.cut_off if one.message.conversation.self_id == self_id]

    async def take_unsent(self, unsaid: UnsentReply) -> bool:
        await self._pass("take_unsent")
        if self.withheld.pop((unsaid.message.conversation.self_id, unsaid.message.message_id), None):
            return True
        if unsaid not in self.cut_off:
            return False
        self.cut_off.remove(unsaid)
        return True

    async def heard_between(self, self_id: str, since: float, until: float) -> bool:
        return any(
            row.conversation.self_id == self_id and since <= row.time < until for row in self.rows.values()
        )

    async def claim(self, self_id: str, ids: Iterable[str], reply: str | None = None) -> set[str]:
        await self._pass(f"claim {' '.join(ids)}")
        ours = {one for one in ids if (self_id, one) not in self.claimed}
        if ours and reply is not None:
            self.replies[self_id, next(iter(ids))] = reply, tuple(ids)
        self.claimed.update({(self_id, one): "" for one in ours})
        return ours

    async def mark_sent(self, self_id: str, ids: Iterable[str], message_id: str) -> None:
        await self._pass(f"sent {' '.join(ids)}")
        self.claimed.update({(self_id, one): message_id for one in ids})
        for one in ids:
            self.replies.pop((self_id, one), None)
            self.withheld.pop((self_id, one), None)

    async def withhold(self, self_id: str, ids: Sequence[str], reply: str | None = None) -> bool:
        await self._pass(f"withheld {' '.join(ids)}")
        key = (self_id, ids[0])
        if reply is None and key not in self.replies:
            return False
        text, answers = self.replies.pop(key, ("", tuple(ids)))
        self.withheld[key] = UnsentReply(self.rows[key], reply or text, answers)
        return True

    async def list_withheld(self, self_id: str, where: Conversation | None = None) -> list[UnsentReply]:
        await self._pass("list_withheld")
        return [
            one
            for (account, _), one in self.withheld.items()
            if account == self_id and where in (None, one.message.conversation)
        ]

    async def begin_withheld(self, waiting: UnsentReply) -> bool:
        await self._pass("begin_withheld")
        return waiting in self.withheld.values()

    def _change(self, conversation: Conversation, **changes: Any) -> None:
        self.kept[conversation] = replace(self.kept.get(conversation, ConversationSettings()), **changes)

    async def set_silence(self, conversation: Conversation, silence: Silence) -> None:
        await self._pass("silence")
        self._change(conversation, silence=silence)

    async def lift_silence(self, conversation: Conversation) -> None:
        await self._pass("lift")
        self._change(conversation, silence=None)

    async def set_times(self, conversation: Conversation, **values: str | None) -> None:
        await self._pass("set_times")
        self._change(conversation, **values)

    async def set_member(self, where: Conversation, user_id: str, hours: QuietHours | None) -> None:
        await self._pass("set_member")
        self.quiet = {user: of for user, of in self.quiet.items() if user != user_id}
        if hours is not None:
            self.quiet[user_id] = hours

    async def of_members(self, self_id: str, users: Iterable[str]) -> dict[str, QuietHours]:
        await self._pass("of_members")
        return {user: self.quiet[user] for user in users if user in self.quiet}

    async def set_persona(self, conversation: Conversation, persona: str | None) -> None:
        await self._pass("persona")
        self._change(conversation, persona=persona)

    async def set_feature(self, conversation: Conversation, feature: str, on: bool) -> None:
        await self._pass("feature")
        known = self.kept.get(conversation, ConversationSettings())
        self._change(conversation, features={**known.features, feature: on})

    async def add_word(self, conversation: Conversation, kind: Any, word: str) -> None:
        await self._pass("word")
        self._word(conversation, kind, word, added=True)

    async def remove_word(self, conversation: Conversation, kind: Any, word: str) -> None:
        await self._pass("word")
        self._word(conversation, kind, word, added=False)

    def _word(self, conversation: Conversation, kind: Any, word: str, *, added: bool) -> None:
        known = self.kept.get(conversation, ConversationSettings())
        plus, minus = dict(known.added_words), dict(known.removed_words)
        here, there = (plus, minus) if added else (minus, plus)
        there[kind] = [one for one in there.get(kind, []) if one != word]
        here[kind] = [*here.get(kind, []), word]
        self._change(conversation, added_words=plus, removed_words=minus)

    async def add(self, record: DecisionRecord, considered: Iterable[str] = ()) -> int:
        await self._pass(f"decision {record.message_id} on {' '.join(considered)}")
        self._mark(record.conversation, considered, processed=True)
        self.records.append(record)
        return len(self.records)

    async def of_message(self, conversation: Conversation, message_id: str) -> list[DecisionRecord]:
        found = [one for one in self.records if one.message_id == message_id]
        return [one for one in found if one.conversation == conversation][::-1]

    async def latest(self, conversation: Conversation, limit: int) -> list[DecisionRecord]:
        await self._pass("latest")
        return [one for one in reversed(self.records) if one.conversation == conversation][:limit]

    async def today(self, since: float, conversation: Conversation | None = None) -> UsageRecord:
        await self._pass("usage")
        return UsageRecord(3 if conversation else 5, 0, 30 if conversation else 50)

    async def between(
        self, since: float, until: float | None, conversation: Conversation | None = None
    ) -> list[ModelUsage]:
        await self._pass("usage")
        calls, tokens = (3, 30) if conversation else (5, 50)
        return [ModelUsage("m", calls, 0, tokens - 10, 10, 10, "chat_reply")]

    async def prune(self, now: float, days: int) -> int:
        await self._pass("prune")
        return 0


class FakePlatform:
    """Notes what is sent. `fail`: raise this; `delay`: seconds a sending takes; `gate`: wait for it."""

    def __init__(self) -> None:
        self.sent: list[tuple[Conversation, Speech]] = []
        self.at: list[float] = []
        self.fail: BaseException | None = None
        self.delay = 0.0
        self.gate: asyncio.Event | None = None
        self.files: list[tuple[str, bytes]] = []
        self.given: list[Conversation] = []
        """Where the files went."""
        self.refused: list[Conversation] = []
        """Where nothing can be sent."""
        self.published: list[str] = []
        """Texts put among a group's announcements."""
        self.answerable: list[str] = []
        """Lines of a former run that may be answered again."""
        self.takes_files = True
        self.through_groups = False
        """True if a temporary session reaches whom nothing else reaches."""
        self.recordings: dict[str, bytes] = {}
        self.fetched: list[str] = []
        self.ours: list[str] = [BOT]
        self.duties = Duties()
        self.parts: list[Any] = []
        """No platform that lists groups or members."""

    async def send(self, conversation: Conversation, speech: Speech, bot_name: str) -> str:
        if self.gate is not None:
            await self.gate.wait()
        if self.delay:
            await asyncio.sleep(self.delay)
        if self.fail is not None:
            raise self.fail
        if conversation in self.refused and (speech.via is None or not self.through_groups):
            raise SendFailed("平台拒绝了")
        self.sent.append((conversation, speech))
        self.at.append(asyncio.get_running_loop().time())
        return f"sent-{len(self.sent)}"

    async def recording(
        self, conversation: Conversation, name: str, link: str, largest: int, timeout: float
    ) -> bytes | None:
        self.fetched.append(name)
        return self.recordings.get(name)

    async def attachment(
        self, conversation: Conversation, told: Mapping[str, Any], largest: int, timeout: float
    ) -> bytes | None:
        return None

    async def publish(self, conversation: Conversation, text: str) -> None:
        self.published.append(text)

    async def give_file(self, conversation: Conversation, name: str, content: bytes) -> bool:
        if not self.takes_files or conversation in self.refused:
            return False
        self.files.append((name, content))
        self.given.append(conversation)
        return True

    def names_of(self, where: Conversation) -> tuple[str, ...]:
        return ()

    def means(self, where: Conversation) -> Means:
        return Means()

    def trouble(self, account: str) -> str:
        return ""

    def answerable_again(self, where: Conversation, message_id: str, at: float) -> None:
        self.answerable.append(message_id)

    def can_speak(self, where: Conversation) -> bool:
        return where.self_id in self.ours

    def speaker(self, where: Conversation) -> str:
        return where.self_id

    def accounts(self) -> list[str]:
        return self.ours

    @property
    def texts(self) -> list[str]:
        return [speech.text for _, speech in self.sent]


class FakeAudience:
    """Hears of decisions."""

    def __init__(self) -> None:
        self.changes = 0
        self.decisions: list[DecisionRecord] = []

    def presence_changed(self, room: Any) -> None:
        self.changes += 1

    def decision_made(self, record: DecisionRecord) -> None:
        self.decisions.append(record)


class FakeModel:
    """Stands for `ModelClient`. Answers are values, errors, or seconds to take before the usual answer."""

    def __init__(self, *, online: bool = True) -> None:
        self.online = online
        self.analysis: Any = {}
        self.structures: dict[str, Any] = {}
        """Answers of structured calls other than the analysis, by name; without one it is SAFE and empty."""
        self.reply: Any = "好的"
        self.caption_of: Callable[[str], Any] = lambda address: f"图 {address[-5:]}"
        self.embedding_model: str | None = None
        self.vector_of: Any = lambda text: (1.0, 0.0)
        """The vector of a text, or an error."""
        self.asked: list[SimpleNamespace] = []
        self.gate: asyncio.Event | None = None
        """Replies wait for it."""
        self.sees = False
        self.transcribes = False
        self.speaks = False
        self.transcription: Any = "你好"
        self.sound: Any = b"ID3"

    def names(self) -> list[str]:
        return [call.name for call in self.asked]

    def of(self, name: str) -> list[SimpleNamespace]:
        return [call for call in self.asked if call.name == name]

    async def _answer(self, name: str, answer: Any, deadline: Any, usual: Any) -> Any:
        if isinstance(answer, (int, float)) and not isinstance(answer, bool):
            if answer > deadline.remaining():
                await asyncio.sleep(deadline.remaining())
                raise ModelError("timeout", name)
            await asyncio.sleep(answer)
            return usual
        await asyncio.sleep(0)
        if isinstance(answer, BaseException):
            raise answer
        return answer

    async def structured(self, name: str, data: Any, answer: Any, **more: Any) -> Any:
        self.asked.append(SimpleNamespace(name=name, data=data, prompt=str(data), **more))
        if name == "analyze_conversation":
            given = await self._answer(name, self.analysis, more["deadline"], {})
            return answer.model_validate({"should_reply": False, **given})
        usual = {"verdict": "SAFE"} if name == "check_safety" else {}
        given = await self._answer(name, self.structures.get(name, usual), more["deadline"], usual)
        return answer.model_validate(given)

    async def text(self, name: str, messages: Any, **more: Any) -> str:
        prompt = "\n".join(message.text for message in messages)
        self.asked.append(SimpleNamespace(name=name, messages=messages, prompt=prompt, **more))
        if self.gate is not None:
            await self.gate.wait()
        return await self._answer(name, self.reply, more["deadline"], "好的")

    async def embed(self, texts: Any, **more: Any) -> Any:
        self.asked.append(SimpleNamespace(name="embed", texts=list(texts), prompt=str(texts), **more))
        answer = self.vector_of if isinstance(self.vector_of, BaseException) else None
        await self._answer("embed", answer, more["deadline"], None)
        return [self.vector_of(text) for text in texts]

    async def caption(self, image: Any, **more: Any) -> str:
        self.asked.append(SimpleNamespace(name="caption_image", image=image, prompt=str(image), **more))
        return await self._answer("caption_image", self.caption_of(str(image)), more["deadline"], "一张图")

    async def transcribe(self, name: str, content: bytes, **more: Any) -> str:
        self.asked.append(SimpleNamespace(name="transcribe", content=content, prompt="", **more))
        return await self._answer("transcribe", self.transcription, more["deadline"], "")

    async def speak(self, text: str, **more: Any) -> bytes:
        self.asked.append(SimpleNamespace(name="speak", text=text, prompt=text, **more))
        return await self._answer("speak", self.sound, more["deadline"], b"")

    def status(self) -> str:
        return "ok" if self.online else "offline"

    def trouble(self) -> str:
        return "连不上"


__all__ = [
    "BOT",
    "FRIEND",
    "GROUP",
    "OTHER",
    "FakeAudience",
    "FakeModel",
    "FakePlatform",
    "FakeStorage",
    "SendFailed",
]
