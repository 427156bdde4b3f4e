"""Trials: dialogues as data, in the language people use, and what must come of them.

A file in `data/trials` is a list of classes. A class says in one line what must hold and has cases; every
case is a conversation of its own:

    - class: dialect refusals on a card never save
      cases:
        - steps:
            - 小明: "@ 午饭35"        # "@ " calls the bot; {阿凯} is an @ of that member
            - 小明: 唔要
              reply: 不记             # a pattern, or a list of them, in what the bot says to this line
              never: 已记             # in none of it, nor in what it says to anybody in private
            - 小明: 哈哈
              silent: true            # nothing is said to this line
          now: 2026-11-18T10:00       # Asia/Shanghai
          members: [阿凯]             # who else has spoken in the group
          admin: [小明]
          where: private              # a friend's conversation instead of a group
          kept:                       # the end state; every list whole and in order
            records: ["EXPENSE 35.00 午饭"]
            tasks: {小明: ["2026-11-19 08:00 吃药"]}
            schedules: ["2026-11-20 15:30 羽毛球"]

`private` in a step is a pattern of a private message to the speaker. Whatever a line brings, the next one
waits until the conversation has come to rest.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from .harness import Api, Chat, Member, OneBotClient
from .harness.room import WITHIN
from .harness.segments import Segment, at

DATA = Path(__file__).parent / "data" / "trials"
NOW = "2026-11-18T10:00"
"""A Wednesday."""
STEP_KEYS = frozenset({"reply", "never", "silent", "private"})
CASE_KEYS = frozenset({"steps", "now", "members", "admin", "where", "kept"})
KEPT_KEYS = frozenset({"records", "tasks", "schedules"})
_PARTS = re.compile(r"\{([^{}]+)\}")


@dataclass(frozen=True)
class Step:
    """One line and what it must bring."""

    speaker: str
    text: str
    reply: tuple[str, ...] = ()
    never: tuple[str, ...] = ()
    silent: bool = False
    private: tuple[str, ...] = ()


@dataclass(frozen=True)
class Case:
    """One conversation."""

    steps: tuple[Step, ...]
    now: str = NOW
    members: tuple[str, ...] = ()
    admin: tuple[str, ...] = ()
    private: bool = False
    kept: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class TrialClass:
    """What must hold, and the conversations in which it is tried."""

    subject: str
    name: str
    cases: tuple[Case, ...]


def read_trials() -> list[TrialClass]:
    """Every class of every file. Raises ValueError that names the file and class where one is malformed."""
    found: list[TrialClass] = []
    for file in sorted(DATA.glob("*.yaml")):
        for entry in yaml.safe_load(file.read_text("utf-8")) or []:
            name = str(entry.get("class", ""))
            try:
                cases = tuple(_case(case) for case in entry["cases"])
            except (KeyError, TypeError, ValueError, AttributeError) as error:
                raise ValueError(f"{file.name}, {name!r}: {error!r}") from error
            found.append(TrialClass(file.stem, name, cases))
    return found


def _case(row: Mapping[str, Any]) -> Case:
    unknown = set(row) - CASE_KEYS | set(row.get("kept", {})) - KEPT_KEYS
    if unknown:
        raise ValueError(f"unknown keys {sorted(unknown)}")
    return Case(
        steps=tuple(_step(step) for step in row["steps"]),
        # YAML reads an unquoted moment as a datetime.
        now=str(row.get("now", NOW)).replace(" ", "T"),
        members=tuple(row.get("members", ())),
        admin=tuple(row.get("admin", ())),
        private=row.get("where") == "private",
        kept=row.get("kept", {}),
    )


def _step(row: Mapping[str, Any]) -> Step:
    speakers = [key for key in row if key not in STEP_KEYS]
    if len(speakers) != 1:
        raise ValueError(f"one speaker a step, not {speakers}")
    return Step(
        str(speakers[0]),
        str(row[speakers[0]]),
        _patterns(row.get("reply")),
        _patterns(row.get("never")),
        bool(row.get("silent", False)),
        _patterns(row.get("private")),
    )


def _patterns(value: str | Sequence[str] | None) -> tuple[str, ...]:
    if value is None:
        return ()
    return (str(value),) if isinstance(value, (str, int)) else tuple(str(each) for each in value)


class Trial:
    """One case, played against a running bot whose clock stands where the case wants it."""

    def __init__(self, case: Case, client: OneBotClient, api: Api) -> None:
        self.case = case
        self.client = client
        self.api = api
        self.room: Chat = client.friend() if case.private else client.room()
        self.people: dict[str, Member] = {}
        self.told: list[str] = []

    async def play(self) -> list[str]:
        """Say the lines and look at what came of them: what is wrong, in words; empty where all holds."""
        wrong: list[str] = []
        for name in self.case.members:
            await self.room.say(self.person(name), "路过")
        for step in self.case.steps:
            wrong += await self._take(step)
        wrong += await self._kept()
        return [f"{each}\n      " + "\n      ".join(self.told) for each in wrong]

    def person(self, name: str) -> Member:
        """A member of the conversation, by the name that the case uses."""
        if self.case.private and self.room.friend is not None:
            return self.room.friend
        if name not in self.people:
            role = "admin" if name in self.case.admin else "member"
            self.people[name] = self.room.member(name, role=role)
        return self.people[name]

    def _words(self, text: str) -> list[Segment | str]:
        called = text.startswith("@ ")
        parts = _PARTS.split(text[2:] if called else text)
        words: list[Segment | str] = [at(self.client.self_id), " "] if called else []
        for number, part in enumerate(parts):
            if number % 2:
                words += [at(self.person(part).user_id), " "]
            elif part:
                words.append(part)
        return words

    async def _take(self, step: Step) -> list[str]:
        since = len(self.client.sends)
        who = self.person(step.speaker)
        await self.room.say(who, *self._words(step.text))
        await self._answered(step, since)
        await self._at_rest(step.silent)
        here = [sent for sent in self.room.sends_since(since) if not sent.taken]
        apart = [sent for sent in self.client.sends_to((True, str(who.user_id)), since) if not sent.taken]
        heard = "\n".join(sent.text for sent in here)
        alone = "\n".join(sent.text for sent in apart)
        self.told.append(f"{step.speaker}: {step.text}")
        self.told += [f"  -> {line}" for line in heard.splitlines()]
        if not self.case.private:
            self.told += [f"  -> (private) {line}" for line in alone.splitlines()]
        wrong = [f"no {each!r} in the reply to {step.text!r}" for each in step.reply if not _in(each, heard)]
        wrong += [f"{each!r} was said to {step.text!r}" for each in step.never if _in(each, heard + alone)]
        wrong += [
            f"no {each!r} in private after {step.text!r}" for each in step.private if not _in(each, alone)
        ]
        if step.silent and heard:
            wrong.append(f"{step.text!r} was answered")
        for sent in (*here, *apart):
            sent.taken = True
        return wrong

    async def _answered(self, step: Step, since: int) -> None:
        """Wait for what the line must bring: a command is answered without a turn to wait for."""
        who = str(self.person(step.speaker).user_id)

        def there() -> bool:
            return (not step.reply or bool(self.room.sends_since(since))) and (
                not step.private or bool(self.client.sends_to((True, who), since))
            )

        with contextlib.suppress(AssertionError):  # what is missing is told with everything that was said
            await self.client.until(there, WITHIN, "an answer")

    async def _at_rest(self, silent: bool) -> None:
        """Wait until everything that the line brings has been said.

        The API tells of groups alone; a friend is answered, and what follows stands before the status that is
        asked for behind it.
        """
        if not self.case.private:
            await self.api.settle(self.room)
            return
        if not silent:
            await self.client.until(self.room.left, WITHIN, f"an answer behind {self.told}")
        await self.room.sentinel()

    async def _kept(self) -> list[str]:
        kept, wrong = self.case.kept, list[str]()
        where = {"self_id": self.client.self_id}
        if "records" in kept:
            rows = await self.api.get(f"/api/groups/{self.room.id}/transactions", **where)
            rows.sort(key=lambda row: int(row["id"]))
            seen = [f"{row['type']} {row['amount']} {row['description']} {row['date']}" for row in rows]
            wrong += _differs("records", kept["records"], seen)
        if "schedules" in kept:
            rows = await self.api.get(f"/api/groups/{self.room.id}/schedules", **where)
            seen = [f"{row['time'][:16]} {row['description']}" for row in rows]
            wrong += _differs("schedules", kept["schedules"], seen)
        for name, wanted in kept.get("tasks", {}).items():
            query = {"status": "pending", **({} if self.case.private else {"group_id": self.room.id})}
            rows = await self.api.get(f"/api/users/{self.person(name).user_id}/tasks", **query)
            wrong += _differs(f"tasks of {name}", wanted, [_task(row) for row in rows])
        return wrong


def _task(row: Mapping[str, Any]) -> str:
    clock = row["startTime"] or (row["remindAt"] or "")[11:16] or row["timeSegment"] or "-"
    return f"{row['dueDate']} {clock} {row['title']}"


def _in(pattern: str, text: str) -> bool:
    return re.search(pattern, text) is not None


def _differs(what: str, wanted: Sequence[str], seen: Sequence[str]) -> list[str]:
    alike = len(wanted) == len(seen) and all(_in(a, b) for a, b in zip(wanted, seen, strict=True))
    return [] if alike else [f"{what}: wanted {list(wanted)}, there are {list(seen)}"]
