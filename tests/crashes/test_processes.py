"""Several processes on one PostgreSQL, whose accounts share groups: killed, paused, restarted, cut off from
the database, the database restarted, one after the other at random.

No acknowledged write is lost, nothing is answered or written twice, no reminder is lost, or told twice
unmarked, the answers in a group come in the order of its lines, and whoever is left answers (docs/scale.md).

`MISHU_TEST_PROCESSES` (2), `MISHU_TEST_ACCOUNTS` (2), `MISHU_TEST_GROUPS` of each account (3),
`MISHU_TEST_FAULTS` of each kind (1), `MISHU_TEST_KINDS` (all, with commas), `MISHU_TEST_SEED` (1). The
figures are printed: see them with `-s`.
"""

from __future__ import annotations

import asyncio
import os
import random
import re
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, field
from pathlib import Path

import pytest
import pytest_asyncio
from e2e.harness.sent import Sent
from nonebot_plugin_mishu.frontdesk.resuming import AGAIN, GAVE_UP
from nonebot_plugin_mishu.storage.engine.database import POOL

from .fleet import KINDS as ALL_KINDS
from .fleet import ORDERS, Fault, Fleet, Line
from .own_server import Server, connected, server_for_tests

pytestmark = pytest.mark.exhaustive

PROCESSES = int(os.environ.get("MISHU_TEST_PROCESSES", "2"))
ACCOUNTS = int(os.environ.get("MISHU_TEST_ACCOUNTS", "2"))
GROUPS = int(os.environ.get("MISHU_TEST_GROUPS", "3"))
FAULTS = int(os.environ.get("MISHU_TEST_FAULTS", "1"))
KINDS = tuple(os.environ.get("MISHU_TEST_KINDS", ",".join(ALL_KINDS)).split(","))
SEED = int(os.environ.get("MISHU_TEST_SEED", "1"))
LONGEST = 30.0 if FAULTS > 1 else 18.0
"""Seconds of the longest fault."""
ANSWERED = 20.0
"""Seconds within which whoever is left answers."""
PATIENT = 10.0
"""Seconds more for a machine that is busy with other tests."""
SETTLED = 150.0
"""Seconds for what is still owed at the end: a reminder whose claim died with its process waits for 90."""
LAST_MOMENT = 0.5
"""Seconds before a fault in which what is said may be lost with the process that heard it."""
CONNECTIONS = 2 * POOL
"""The pool's, and one for each that is being given up: the driver asks the server by another to stop."""
GROWN = 120 * 2**20
"""Bytes a process may grow by, all in all."""
REFUSED = ("存不进去", "没存", "没有存", "再试一次", GAVE_UP)
"""Words of an answer that promises nothing."""
MARK = re.compile(r"[TRSF]\d{4}")


@pytest_asyncio.fixture
async def server() -> AsyncIterator[Server]:
    found = server_for_tests(os.environ.get("MISHU_TEST_DATABASE_URL", ""))
    if found is None:
        pytest.skip("there is no PostgreSQL to start, and MISHU_TEST_DATABASE_URL is not set")
    try:
        await found.start()
        yield found
    finally:
        await found.stop()


@dataclass
class Heard:
    """What was said about one line."""

    answers: list[Sent] = field(default_factory=lambda: list[Sent]())
    again: int = 0
    """Answers marked as said once more."""
    told: int = 0
    told_again: int = 0
    """Reminders, those marked as sent once more apart."""

    @property
    def promised(self) -> bool:
        """True if an answer says that it was done."""
        return any(not any(word in one.text for word in REFUSED) for one in self.answers)


def heard_of(fleet: Fleet) -> dict[str, Heard]:
    """By mark. An answer quotes its line, where the account that speaks knows it by an id."""
    found = {line.mark: Heard() for line in fleet.lines}
    for number, account in enumerate(fleet.accounts):
        for sent in account.sends:
            line = fleet.line_of(number, sent.quotes)
            if line is not None and line.mark in found:
                if sent.text.startswith(AGAIN):
                    found[line.mark].again += 1
                else:
                    found[line.mark].answers.append(sent)
            elif line is None:
                for words in sent.text.splitlines():
                    for mark in set(MARK.findall(words)) & found.keys():
                        if "提醒：" in words:
                            found[mark].told_again += "补发" in words
                            found[mark].told += "补发" not in words
                        elif sent.text.startswith(AGAIN):
                            found[mark].again += 1
                        elif "同一时间还有" not in words:
                            found[mark].answers.append(sent)
    return found


def answered_by(fleet: Fleet, line: Line) -> float:
    """When a line has to be answered: so long after it was said, or after the first of those that heard it is
    past the faults that came over it."""
    ready: list[float] = []
    for account in line.heard_by:
        at = line.at
        for fault in fleet.faults:
            if (
                fault.process in (None, fleet.process_of(account))
                and fault.began < at + ANSWERED < fault.over + ANSWERED
            ):
                at = fault.over
        ready.append(at)
    return min(ready) + ANSWERED


def at_the_last_moment(fleet: Fleet, line: Line) -> bool:
    """True where everybody who heard a line was hit within a moment."""
    return all(
        any(
            fault.process in (None, fleet.process_of(account))
            and fault.began - LAST_MOMENT <= line.at <= fault.over
            for fault in fleet.faults
        )
        for account in line.heard_by
    )


def overtaken(fleet: Fleet, heard: dict[str, Heard]) -> list[str]:
    """Lines that were answered after a line of the same group that was said later, of those that the account
    heard that answered: what another heard for it comes to it later."""
    found: list[str] = []
    by_group: dict[int, list[Line]] = {}
    for line in fleet.lines:
        if heard[line.mark].answers and fleet.heard_by_speaker(line, heard[line.mark].answers):
            by_group.setdefault(line.group.id, []).append(line)
    for said in by_group.values():
        first = [min(one.action.at for one in heard[line.mark].answers) for line in said]
        found += [
            f"{line.mark} after {later.mark}"
            for line, at, later, its in zip(said, first, said[1:], first[1:], strict=False)
            if its < at
        ]
    return found


async def settled(fleet: Fleet) -> None:
    """Wait until everything is answered and every reminder told, or for as long as it may take."""
    end = time.monotonic() + SETTLED
    while time.monotonic() < end:
        heard = heard_of(fleet)
        owed = [
            line
            for line in fleet.lines
            if not (heard[line.mark].answers or heard[line.mark].again)
            or (
                line.mark[0] == "R"
                and heard[line.mark].promised
                and not heard[line.mark].told + heard[line.mark].told_again
            )
        ]
        latest = max((answered_by(fleet, line) for line in owed), default=0.0) + PATIENT
        if not owed or (time.monotonic() > latest and all(not heard[one.mark].promised for one in owed)):
            break
        await asyncio.sleep(0.5)
    await asyncio.sleep(3)  # what is said twice comes a moment later


@dataclass
class Written:
    """What stands in the database at the end, by mark: how often in its table, how often in the ledger, what
    was claimed for an answer, and what is known of each line."""

    done: Counter[str] = field(default_factory=lambda: Counter[str]())
    kept: Counter[str] = field(default_factory=lambda: Counter[str]())
    claimed: set[str] = field(default_factory=lambda: set[str]())
    stories: dict[str, list[str]] = field(default_factory=lambda: dict[str, list[str]]())


async def written(server: Server) -> Written:
    """Read it."""
    found, known = Written(), dict[str, str]()
    rows = await connected(server.url)
    try:
        for table, column in {(table, column) for _, table, column in ORDERS.values()}:
            for row in await rows.fetch(f"SELECT {column} FROM mishu_{table}"):
                marks = set(MARK.findall(row[column]))
                found.done.update(mark for mark in marks if ORDERS[mark[0]][1] == table)
        for row in await rows.fetch("SELECT * FROM mishu_ledger WHERE NOT is_bot ORDER BY id"):
            for mark in set(MARK.findall(row["text"])):
                found.kept[mark] += 1
                known[row["message_id"]] = mark
                late = row["receipt"] / 1e9 - row["time"]
                told = f"heard after {late:.1f} s, tries {row['tries']}, processed {row['processed']}"
                found.stories.setdefault(mark, []).append(f"{row['message_id']}: {told}")
        for row in await rows.fetch("SELECT message_id, reply, sent_message_id FROM mishu_claim"):
            if (mark := known.get(row["message_id"])) is not None:
                found.claimed.add(mark)
                found.stories[mark].append(f"claimed, sent as {row['sent_message_id']}: {row['reply']}")
        for row in await rows.fetch("SELECT message_id, reason, timings FROM mishu_decision ORDER BY id"):
            if (mark := known.get(row["message_id"])) is not None:
                found.stories[mark].append(f"decided {row['timings']}: {row['reason']}")
        return found
    finally:
        await rows.close()


async def test_nothing_is_lost_and_nothing_is_done_twice(
    tmp_path: Path, server: Server, record_property: Callable[[str, object], None]
) -> None:
    chance = random.Random(SEED)
    fleet = Fleet(tmp_path, server, processes=PROCESSES, accounts=ACCOUNTS, groups=GROUPS, chance=chance)
    kinds = list(KINDS) * FAULTS
    chance.shuffle(kinds)
    try:
        await fleet.start()
        await fleet.greet()
        talking = asyncio.create_task(fleet.talk())
        await asyncio.sleep(3)
        began = time.monotonic()
        for kind in kinds:
            fault = await fleet.suffer(kind, LONGEST)
            assert not talking.done(), talking.exception()
            print(told_of(fault, began, len(fleet.lines)), flush=True)  # noqa: T201 - the story, with -s
            await asyncio.sleep(chance.uniform(2.0, 5.0))
        await asyncio.sleep(3)
        talking.cancel()
        await asyncio.wait([talking])
        await settled(fleet)
        disk = await written(server)
    finally:
        await fleet.close()

    done, heard, lines = disk.done, heard_of(fleet), {line.mark: line for line in fleet.lines}
    first = {m: min(one.action.at for one in its.answers) for m, its in heard.items() if its.answers}
    silent = [mark for mark, its in heard.items() if not its.answers and not its.again]
    wrong = {
        "acknowledged and lost": [m for m, its in heard.items() if its.promised and not done[m]],
        "answered twice": [m for m, its in heard.items() if len(its.answers) > 1],
        "answered again twice": [m for m, its in heard.items() if its.again > 1],
        "written twice": [m for m in done if done[m] > 1],
        "kept twice": [m for m, times in disk.kept.items() if times > 1],
        "reminders lost": [m for m in done if m[0] == "R" and not heard[m].told + heard[m].told_again],
        "reminders told twice unmarked": [m for m, its in heard.items() if its.told > 1],
        "reminders told again twice": [m for m, its in heard.items() if its.told_again > 1],
        "out of order": overtaken(fleet, heard),
        "late": [m for m, at in first.items() if at > answered_by(fleet, lines[m]) + PATIENT],
        "without a word": [
            m for m in silent if m not in disk.claimed and not at_the_last_moment(fleet, lines[m])
        ],
        "grown": [
            number for number, all_of_it in enumerate(fleet.memory) if all_of_it[-1] - all_of_it[0] > GROWN
        ],
        "too many connections": [held for held in fleet.connections if held > CONNECTIONS],
    }
    counted = {
        "lines": len(lines),
        **{f"faults: {kind}": sum(one.kind == kind for one in fleet.faults) for kind in ALL_KINDS},
        "answered": sum(bool(its.answers) for its in heard.values()),
        "refused": sum(bool(its.answers) and not its.promised for its in heard.values()),
        "refused and yet written": sum(
            bool(its.answers) and not its.promised and done[m] > 0 for m, its in heard.items()
        ),
        "answered again, marked": sum(its.again for its in heard.values()),
        "reminders": sum(mark[0] == "R" for mark in done),
        "reminders again, marked": sum(its.told_again for its in heard.values()),
        "claimed and cut off": sum(mark in disk.claimed for mark in silent),
        "at the last moment": sum(
            m not in disk.claimed and at_the_last_moment(fleet, lines[m]) for m in silent
        ),
        "slowest of whoever is left, s": round(
            max((at - answered_by(fleet, lines[m]) + ANSWERED for m, at in first.items()), default=0), 1
        ),
        "slowest of all, s": round(max((at - lines[m].at for m, at in first.items()), default=0), 1),
        "most memory, MB": [max(all_of_it) >> 20 for all_of_it in fleet.memory],
        "most connections": fleet.connections,
        **{name: len(found) for name, found in wrong.items()},
    }
    for name, value in counted.items():
        record_property(name, value)
    print("; ".join(f"{name} {value}" for name, value in counted.items()))  # noqa: T201 - the figures
    bad = {name: found for name, found in wrong.items() if found}
    assert not bad, story(fleet, disk, bad, began)


def told_of(fault: Fault, began: float, lines: int) -> str:
    """One fault, for the story."""
    whose = "all" if fault.process is None else fault.process + 1
    times = f"{fault.began - began:.1f} to {fault.over - began:.1f}"
    return f"{times}: {fault.kind} {fault.how} {whose}, {lines} lines by then"


def story(fleet: Fleet, disk: Written, bad: dict[str, list[object]], began: float) -> str:
    """What is needed to see why."""
    found = [str(bad), *(told_of(fault, began, 0) for fault in fleet.faults)]
    odd = {mark for all_of_it in bad.values() for one in all_of_it for mark in MARK.findall(str(one))}
    for line in fleet.lines:
        if line.mark in odd:
            ids = {number: said.id for number, said in line.said.items()}
            where = f"in {line.group.id} as {ids}, heard by {sorted(line.heard_by)}"
            found.append(f"{line.at - began:.1f} {line.mark} {where}")
            found += disk.stories.get(line.mark, ["not on disk"])
    for number, account in enumerate(fleet.accounts):
        for sent in account.sends:
            about = fleet.line_of(number, sent.quotes)
            if (about is not None and about.mark in odd) or odd & set(MARK.findall(sent.text)):
                found.append(f"{sent.action.at - began:.1f} said by {number} {sent!r}")
    found += [f"--- bot {number}\n{bot.tail(40)}" for number, bot in enumerate(fleet.bots, 1)]
    return "\n".join(found)
