"""The tools: each reads its arguments, calls operations as the actor, and gives back what is on disk."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, Final

from pydantic import BaseModel, ValidationError

from ...services import open_questions, sentences, tasks
from ...services.access.actor import Actor, Write, governs, sees_person
from ...services.books import books, totals
from ...services.office import Office
from ...services.paging import decode_cursor
from ...services.refusals import Refused, forbidden, invalid
from ...services.schedules import schedules
from ...storage import StorageError
from ...storage.records import Conversation, LedgerMessage
from ...storage.transactions.queries import CategorySum
from ..api.values import day_from, day_to, instant
from ..backend import Backend, BackendUnavailable
from ..layers.handlers import ApiError, describe_problems
from ..v1.shapes import Line, Schedule, Task, yuan
from . import arguments, results

MOST_TODAY: Final = 100
_DAYS: Final = "一二三四五六日"


DESCRIPTIONS: Final = {
    "today": "今天的群日程、这个人没做完的任务、还等着回答的问题，和现在的时间。",
    "read_line": "只看秘书会怎么读这句话：读成哪几件事、拿得准不准、会记下什么。什么也不做。",
    "list_schedules": "群日程的每一次，先发生的在前；不给时间是今天起 31 天。",
    "list_tasks": "一个人在这个群里的任务，先到期的在前。",
    "ledger_summary": "一个月的账：群账和这个人自己的，按收支和分类；还有现在谁欠谁。金额是元。",
    "catch_up": "这段时间群里说了什么，一句一句的总结，每句带着它根据的消息编号；不给时间是今天。",
    "search_record": "群里说过的话，按词、人和时间找，新的在前。",
    "say": (
        "替这个人对秘书说一句话，秘书就照办：建日程、派任务、记账、改、删、撤销，和在群里说一样。"
        "needs_answer 是 true 时 reply 是一个问题，再用 say 回答它（比如：确认、第二个、不要了）。"
        "done 里是已经存好的。"
    ),
}
"""Descriptions of the tools, by name, for their clients."""


@dataclass(frozen=True, slots=True)
class ToolAnswer:
    """The result of a tool: an object, and the text that stands for it; `failed` with a sentence why."""

    content: dict[str, Any] = field(default_factory=dict[str, Any])
    text: str = ""
    failed: bool = False


@dataclass(frozen=True, slots=True)
class McpTool:
    """One tool as its client sees it. `writes`: what it is told may be done; `asks`: a model may be asked."""

    name: str
    title: str
    takes: type[BaseModel]
    gives: type[BaseModel]
    run: Callable[[Actor, Any], Awaitable[ToolAnswer]]
    writes: bool = False
    asks: bool = False

    async def call(self, actor: Actor, given: dict[str, Any]) -> ToolAnswer:
        """Do it, or say in a sentence why not."""
        try:
            return await self.run(actor, self.takes.model_validate(given))
        except ValidationError as error:
            problems = [{**each, "loc": ("body", *each["loc"])} for each in error.errors()]
            return ToolAnswer(text=describe_problems(problems), failed=True)
        except Refused as why:
            return ToolAnswer(text=why.question or why.message, failed=True)
        except (ApiError, BackendUnavailable) as why:
            return ToolAnswer(text=why.message, failed=True)
        except StorageError as error:
            return ToolAnswer(text=str(error), failed=True)


class Tools:
    """The tools over the running plugin."""

    def __init__(self, office: Office, backend: Backend) -> None:
        self._office = office
        self._backend = backend

    def all(self) -> Sequence[McpTool]:
        """Every tool, those that only read first."""
        a, r = arguments, results
        return [
            McpTool("today", "今天", a.TodayArguments, r.TodayResult, self._today),
            McpTool("read_line", "只读不做", a.LineArguments, r.ReadLineResult, self._read_line),
            McpTool(
                "list_schedules", "群日程", a.SchedulesArguments, r.SchedulesResult, self._list_schedules
            ),
            McpTool("list_tasks", "任务", a.TasksArguments, r.TasksResult, self._list_tasks),
            McpTool("ledger_summary", "账本", a.LedgerArguments, r.LedgerResult, self._ledger_summary),
            McpTool(
                "catch_up", "群里说了什么", a.CatchUpArguments, r.CatchUpResult, self._catch_up, asks=True
            ),
            McpTool(
                "search_record", "找群里说过的话", a.SearchArguments, r.SearchResult, self._search_record
            ),
            McpTool("say", "对秘书说", a.LineArguments, r.SayResult, self._say, writes=True, asks=True),
        ]

    async def _today(self, actor: Actor, given: arguments.TodayArguments) -> ToolAnswer:
        office = self._office
        place = await self._require_place(actor, given.group_id)
        person = self._choose_person(actor, given.user_id)
        now = office.now()
        midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
        planned = await schedules.list_times(
            office, place, since=midnight, until=midnight + timedelta(days=1), limit=MOST_TODAY, after=None
        )
        shown = [_dump(Schedule.of(each)) for each in planned.rows]
        told: dict[str, Any] = {
            "now": now.isoformat(timespec="minutes"),
            "weekday": f"周{_DAYS[now.weekday()]}",
            "group_id": place.peer,
            "schedules": shown,
        }
        if person is not None:
            last = now.date() + timedelta(days=1)
            due = await tasks.list_tasks(
                office, actor, person, group_id=place.peer, status="pending", last=last, limit=MOST_TODAY
            )
            asked = await open_questions.list_open_questions(office, actor, place, person)
            told["user_id"] = person
            told["tasks"] = [_dump(Task.of(each)) for each in due.rows]
            told["questions"] = [{"question": each.question, "about": each.text} for each in asked]
        told["names"] = await self._names(place, _people_of(shown))
        return ToolAnswer(told)

    async def _read_line(self, actor: Actor, given: arguments.LineArguments) -> ToolAnswer:
        place = await self._require_place(actor, given.group_id)
        person = self._choose_person(actor, given.user_id)
        read = await sentences.read_line(self._office, place, person, given.text)
        return ToolAnswer(
            {
                "text": given.text,
                "sure": read.sure,
                "intents": [
                    {"agent": each.agent_code, "intent": each.intent, "text": each.text, "sure": each.sure}
                    for each in read.intents
                ],
                "would_add": [
                    {"kind": sentences.KINDS[each.kind], "what": each.shown} for each in read.items
                ],
                "note": read.trouble,
            }
        )

    async def _list_schedules(self, actor: Actor, given: arguments.SchedulesArguments) -> ToolAnswer:
        office = self._office
        place = await self._require_place(actor, given.group_id)
        found = await schedules.list_times(
            office,
            place,
            since=instant("since", given.since, office.zone),
            until=instant("until", given.until, office.zone),
            limit=given.limit,
            after=decode_cursor(given.cursor),
        )
        shown = [_dump(Schedule.of(each)) for each in found.rows]
        names = await self._names(place, _people_of(shown))
        return ToolAnswer({"items": shown, "next_cursor": found.cursor, "names": names})

    async def _list_tasks(self, actor: Actor, given: arguments.TasksArguments) -> ToolAnswer:
        office = self._office
        place = await self._require_place(actor, given.group_id)
        person = self._require_person(actor, given.user_id, reads_for=governs(actor, place.peer))
        found = await tasks.list_tasks(
            office,
            actor,
            person,
            group_id=place.peer,
            status=given.status,
            first=day_from("since", given.since, office.zone),
            last=day_to("until", given.until, office.zone),
            limit=given.limit,
            after=decode_cursor(given.cursor),
        )
        shown = [_dump(Task.of(each)) for each in found.rows]
        names = await self._names(place, {each[key] for each in shown for key in ("user_id", "created_by")})
        return ToolAnswer({"items": shown, "next_cursor": found.cursor, "names": names})

    async def _ledger_summary(self, actor: Actor, given: arguments.LedgerArguments) -> ToolAnswer:
        office = self._office
        place = await self._require_place(actor, given.group_id)
        person = self._choose_person(actor, given.user_id)
        month = given.month or f"{office.now():%Y-%m}"
        first, last = f"{month}-01", f"{month}-31"
        shared = await totals.sum_span(office, actor, place, first, last, None)
        debts = await books.list_debts(office, place)
        told: dict[str, Any] = {
            "month": month,
            "group": [_sum(each) for each in shared.sums],
            "debts": [
                {"from_user_id": each.debtor, "to_user_id": each.creditor, "amount": yuan(each.fen)}
                for each in debts
            ],
        }
        if person is not None:
            own = await totals.sum_span(office, actor, place, first, last, person, own_only=True)
            told["user_id"] = person
            told["own"] = [_sum(each) for each in own.sums]
        told["names"] = await self._names(
            place, {who for each in debts for who in (each.debtor, each.creditor)}
        )
        return ToolAnswer(told)

    async def _catch_up(self, actor: Actor, given: arguments.CatchUpArguments) -> ToolAnswer:
        place = await self._require_place(actor, given.group_id)
        since, until = await self._span(actor, place, given)
        told = await self._backend.record_digest(place, since=since, until=until)
        sentences = [{"text": text, "lines": list(lines)} for text, lines in told or ()]
        return ToolAnswer({"sentences": sentences}, "" if sentences else "这段时间没有什么可说的。")

    async def _search_record(self, actor: Actor, given: arguments.SearchArguments) -> ToolAnswer:
        place = await self._require_place(actor, given.group_id)
        since, until = await self._span(actor, place, given)
        found: Sequence[LedgerMessage] | None = await self._backend.record_lines(
            place,
            words=given.words.split(),
            user_id=given.said_by,
            since=since,
            until=until,
            limit=given.limit,
        )
        return ToolAnswer({"items": [_dump(Line.of(each, self._office.zone)) for each in found or ()]})

    async def _say(self, actor: Actor, given: arguments.LineArguments) -> ToolAnswer:
        place = await self._require_place(actor, given.group_id)
        person = self._require_person(actor, given.user_id)
        if not self._backend.group_enabled(place.peer):
            raise forbidden("这个群没有启用")
        speaker = await self._office.require_speaker(Write(actor, user_id=person), place)
        said = await self._backend.ask(place.peer, speaker.user_id, speaker.name, given.text)
        return ToolAnswer(
            {
                "reply": said.reply,
                "status": said.status,
                "needs_answer": said.status == "awaiting_user",
                "done": [
                    {"tool": tool, "arguments": values, "result": result}
                    for tool, values, result in said.actions
                ],
            },
            said.reply,
        )

    async def _require_place(self, actor: Actor, group_id: str | None) -> Conversation:
        named = group_id or actor.group_id
        if named is None:
            raise invalid("group_id", "不能缺少，请写明是哪个群")
        return await self._office.require_group(actor, named)

    def _choose_person(self, actor: Actor, user_id: str | None) -> str | None:
        """The person of a tool: a member themselves; None for an owner who named nobody."""
        if user_id is not None and not sees_person(actor, user_id):
            raise forbidden("只能是自己")
        return user_id or actor.user_id

    def _require_person(self, actor: Actor, user_id: str | None, *, reads_for: bool = False) -> str:
        """As `_choose_person`, named; `reads_for`: others may be named too."""
        person = user_id if reads_for and user_id is not None else self._choose_person(actor, user_id)
        if person is None:
            raise invalid("user_id", "不能缺少，请写明是谁的")
        return person

    async def _span(
        self, actor: Actor, place: Conversation, given: arguments.SpanArguments
    ) -> tuple[float | None, float | None]:
        """Bounds in wall seconds; a member reads from when they joined."""
        zone = self._office.zone
        since, until = instant("since", given.since, zone), instant("until", given.until, zone)
        start = None if since is None else since.timestamp()
        if not actor.is_owner and (came := await self._backend.came(place, actor.user_id)) is not None:
            start = max(came, start or came)
        return start, None if until is None else until.timestamp()

    async def _names(self, place: Conversation, user_ids: Iterable[str | None]) -> dict[str, str]:
        return await self._office.names_of(place, [each for each in user_ids if each])


def _people_of(shown: Iterable[dict[str, Any]]) -> set[str]:
    return {who for each in shown for who in (each["created_by"], *each["joined"])}


def _dump(thing: BaseModel) -> dict[str, Any]:
    """A thing of `/api/v1` as JSON, without what does not apply."""
    return thing.model_dump(mode="json", exclude_none=True)


def _sum(each: CategorySum) -> dict[str, Any]:
    return {"type": each.type, "category": each.category, "amount": yuan(each.fen), "count": each.count}
