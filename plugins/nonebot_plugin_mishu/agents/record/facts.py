"""Facts of the group by their members: stored verbatim, shown with author and time, deleted for good."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

from ...language.clause import KeptThing
from ...language.lines import facts as reading
from ...language.lines.record_questions import RecordQuestion
from ...language.mood import guesses
from ...storage import Conversation, Storage
from ...storage.record.facts import Fact
from ..api.task_context import TaskContext

Withdrawn = Callable[[Conversation, Sequence[str]], None]
"""Removes messages of a conversation from memory, as if recalled."""
CODE: Final = "record"
_LISTED: Final = 20
NOT_SURE: Final = "还没准的话我先不记，定了再说「记住：……」。"


def not_withdrawn(conversation: Conversation, message_ids: Sequence[str]) -> None:
    """No memory to remove from."""


def fact_thing(fact: Fact) -> KeptThing:
    """A fact as a kept thing that a line may mean."""
    return KeptThing(CODE, fact.content, str(fact.id), creator=fact.name)


class FactsOfGroup:
    """Stores, deletes and shows facts. Raises `StorageError`: then nothing was done."""

    def __init__(self, storage: Storage, zone: ZoneInfo, withdrawn: Withdrawn) -> None:
        self._facts = storage.facts
        self._zone = zone
        self._withdrawn = withdrawn

    async def remember(self, context: TaskContext, asked: RecordQuestion) -> str:
        """Store the fact of 记住：…; another member's fact is changed by an admin only."""
        words = context.utterance.words.strip() if not context.partial else context.text
        right = self._put_right(context, words)
        other = await self._corrected(context, asked) or await self._changed(context, words, context.text)
        other = other or right
        if context.needs_yes and other is None and (guesses(words) or reading.kept(words) is None):
            return NOT_SURE  # 我不吃香菜 记住了 is sure for all its negation
        given = other or reading.kept(words) or reading.kept(context.text)
        if given is None and asked.content:
            given = reading.fact_of(asked.content)
        if given is None:
            renewed = reading.renewed(words)
            if renewed is not None:
                return await self._which(context, renewed)
            return "比如「记住：WiFi密码是12345678」，要记住什么？"
        subject, content = reading.of_member(given[0], context.actor.name), given[1]
        said = context.utterance.message
        new = Fact(subject, content, context.actor.user_id, context.actor.name, said.time, said.message_id)
        before, stands = await self._facts.store_fact(
            context.conversation, new, context.origin, only_own=not context.actor.governs
        )
        if not stands:
            assert before is not None
            return f"这条是{before.name}记的：「{before.content}」，只有TA和管理员能改。"
        context.acted("remember_fact", {"content": content}, "ok")
        told = reading.told_of(content, "你")
        if before is not None and before.content != content:
            return f"改好了：{told}（原来是「{before.content}」）"
        return f"记住了：{told}"

    def _put_right(self, context: TaskContext, words: str) -> tuple[str, str] | None:
        """不是三号，是四号楼, behind what the speaker gave a moment ago."""
        told = context.clause.situation.told
        content = None if told is None else reading.put_right(words, told[1])
        return None if told is None or content is None else (told[0], content)

    async def _corrected(self, context: TaskContext, asked: RecordQuestion) -> tuple[str, str] | None:
        """The fact that a model names by id, with its new words."""
        if not asked.ref or not asked.content:
            return None
        known = await self._facts.list_facts(context.conversation)
        old = next((each for each in known if str(each.id) == asked.ref), None)
        words = None if old is None else reading.corrected(old.subject, old.content, asked.content)
        return None if old is None or words is None else (old.subject, words)

    async def _changed(self, context: TaskContext, *lines: str) -> tuple[str, str] | None:
        """The stored fact that a line changes (密码改成9911), in the words of the first line that does."""
        known = {each.subject: each.content for each in await self._facts.list_facts(context.conversation)}
        read = (reading.changed(line, known) for line in lines)
        other = next((each for each in read if each is not None), None)
        return None if other is None else (other[0], reading.said_of(known[other[0]], other[1]))

    async def _which(self, context: TaskContext, subject: str) -> str:
        """密码改了 现在是9981, where several are kept, or none."""
        known = [each.subject for each in await self._facts.list_facts(context.conversation)]
        near = [each for each in known if subject in each]
        if near:
            return f"改哪一个？记着{'、'.join(f'「{each}」' for each in near)}。可以说：{near[0]}改成…"
        return f"还没有人让我记过{subject}，要记的话说：记住：{subject}是…"

    async def forget(self, context: TaskContext, asked: RecordQuestion) -> str:
        """Delete a fact, and every line that holds it."""
        known = {each.subject: each for each in await self._facts.list_facts(context.conversation)}
        subject = _named(asked, known) or reading.nearest(asked.what, list(known))
        if subject is None:
            return f"没记过「{asked.what}」，问「群里记住了什么」能看全部。"
        gone = known[subject]
        if gone.user_id != context.actor.user_id and not context.actor.governs:
            return f"这条是{gone.name}记的，只有TA和管理员能让我忘掉。"
        hidden = await self._facts.delete_fact(context.conversation, gone)
        self._withdrawn(context.conversation, hidden)
        context.acted("forget_fact", {"subject": subject}, "ok")
        # Its words are not said again, not even here.
        return "好，这条忘掉了，群记录里也不会再翻出来。"

    async def show(self, context: TaskContext, asked: RecordQuestion) -> str:
        """One fact, verbatim."""
        known = {each.subject: each for each in await self._facts.list_facts(context.conversation)}
        subject = _named(asked, known) or reading.nearest(asked.what, list(known))
        if subject is None:
            return f"还没人让我记过{asked.what}，说「记住：{asked.what}是…」我就记。"
        return self._told(known[subject], context)

    async def list(self, context: TaskContext) -> str:
        """All facts, the newest first."""
        known = (await self._facts.list_facts(context.conversation))[::-1]
        if not known:
            return "还没人让我记过什么，说「记住：WiFi密码是12345678」我就记。"
        told = [f"· {self._told(each, context)}" for each in known[:_LISTED]]
        more = [f"· 还有 {len(known) - _LISTED} 条"] if len(known) > _LISTED else []
        return "\n".join([f"记着 {len(known)} 件事：", *told, *more])

    def _told(self, fact: Fact, context: TaskContext) -> str:
        at = datetime.fromtimestamp(fact.at, self._zone)
        year = f"{at.year}年" if at.year != context.now.year else ""
        content = reading.told_of(fact.content, "你" if fact.user_id == context.actor.user_id else fact.name)
        return f"{content}（{fact.name}，{year}{at.month}月{at.day}日说的）"


def _named(asked: RecordQuestion, known: Mapping[str, Fact]) -> str | None:
    """The subject of the fact whose id a model named."""
    return next((each.subject for each in known.values() if asked.ref and str(each.id) == asked.ref), None)
