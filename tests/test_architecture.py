"""The shape of the code, read from its source: imports point one way, pure modules stay pure.

`docs/architecture.md` says the same in words. The last tests put each fault into a made-up package and see
that it is found.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path

import pytest
from imports import Package

ROOT = Path(__file__).resolve().parent.parent
PLUGIN = Package(ROOT / "plugins" / "nonebot_plugin_mishu")
BOT = Package(ROOT / "bot")

RANKS = {
    "language": 0,
    "prompts": 0,
    "storage": 1,
    "truth": 1,
    "drafts": 3,
    "llm": 2,
    "memory": 3,
    "record": 4,
    "agents": 5,
    "voice": 5,
    "core": 6,
    "reminders": 6,
    "imports": 6,
    "secretary": 7,
    "frontdesk": 8,
    "adapter": 9,
    "services": 9,
}
"""Rooms, lowest first. A room imports only rooms of lower rank."""

FREE = {"config", "clock"}
"""Modules any impure room may import: the one configuration object, the one clock."""

ANYWHERE = {"patterns", "report"}
"""Modules that any other may import: they are as Python's own, and import nothing of ours."""

EDGE = {
    "web": {"web", "events", "storage", "services"},
    "events": {"storage"},
    "error_log": {"storage"},
    "config": set[str](),
    "clock": set[str](),
    "patterns": set[str](),
    "report": set[str](),
}
"""Modules beside the ranks, and their allowed imports. `error_log` may be imported by the adapter."""

TOP = {"__init__", "app", "testing"}
"""Where everything is put together: may import all, may be imported by each other only."""

PURE = (
    "patterns",
    "report",
    "config.*",
    "prompts.*",
    "truth.*",
    "language.*",
    "drafts.*",
    "memory.terms",
    "record.*",
    "core.safety.gate",
    "core.tasks.orchestrator",
    "core.answers.alignment",
    "core.answers.partial_answers",
    "core.answers.approvals",
    "core.situation",
    "core.suggested_agents",
    "core.decision.confidence",
    "core.decision.learned",
    "core.decision.settling",
    "agents.*.rules",
    "core.decision.rules.choosing",
    "core.decision.rules.doubt",
    "core.decision.rules.merging",
    "core.decision.rules.neighbours",
    "core.decision.rules.unit",
    "agents.schedule.asking_back",
    "agents.routing.*",
    "core.decision.rules.telling",
    "core.decision.rules.undoing",
    "core.decision.rules.state",
    "core.decision.rules.undoing",
    "core.decision.model.sources",
    "core.decision.model.frame_sums",
    "llm.messages",
    "core.decision.reader",
    "agents.chat.judged",
    "agents.chat.offering",
    "core.decision.rules.veto",
    "secretary.attention",
    "secretary.plans",
    "secretary.presence",
    "secretary.turn",
    "secretary.lock",
    "frontdesk.lines.word_guard",
    "frontdesk.rooms.crowd",
    "frontdesk.lines.triggers",
    "frontdesk.commands.parsing",
    "frontdesk.lines.incoming_message",
    "frontdesk.lines.ledger",
    "frontdesk.duty.standby_lines",
    "frontdesk.hold",
    "adapter.reading_context",
    "adapter.qq.reading",
    "adapter.qq.reply_windows",
    "adapter.onebot_v11.reading",
    "adapter.milky.reading",
    "agents.api.questions",
    "agents.api.builtin_codes",
    "agents.api.judgement",
    "agents.bookkeeping.cards.payers",
    "agents.bookkeeping.cards.sharers",
    "agents.bookkeeping.cards.correcting",
    "agents.bookkeeping.model.item",
    "agents.bookkeeping.shares.sharing",
    "agents.tasks.planning.several",
    "agents.tasks.planning.task_time",
    "agents.tasks.planning.policy",
    "agents.tasks.frames",
    "agents.tasks.planning.matching",
    "agents.tasks.reader",
    "agents.tasks.planning.new_task",
    "agents.tasks.planning.references",
    "agents.tasks.queries",
    "agents.tasks.planning.revision",
    "agents.tasks.words",
    "agents.tasks.answering",
    "agents.tasks.planning.assignees",
    "agents.api.frame",
    "agents.api.dispatch",
    "core.decision.reading",
    "agents.chat.calendar",
    "agents.chat.offline",
    "agents.chat.repertoire",
    "agents.nudges.reader",
    "agents.nudges.wording",
    "agents.polls.frames",
    "agents.polls.reader",
    "agents.polls.wording",
    "agents.schedule.answering",
    "agents.schedule.candidates.candidate",
    "agents.schedule.candidates.correcting",
    "agents.schedule.frames",
    "agents.schedule.reader",
    "agents.schedule.model.grounding",
    "agents.schedule.candidates.machine",
    "agents.schedule.candidates.moments",
    "agents.schedule.candidates.operations",
    "agents.schedule.overhearing",
    "agents.schedule.candidates.reading",
    "agents.schedule.search",
    "agents.schedule.candidates.single",
    "agents.schedule.timetable",
    "agents.schedule.words",
    "storage.schedules.records",
    "storage.tasks.records",
    "llm.vendors",
    "llm.limits.tokens",
    "llm.answers.schema",
    "llm.answers.ladder",
    "llm.errors",
    "storage.records",
    "storage.reminders.records",
    "storage.polls.records",
    "storage.quiet.records",
    "reminders.plan",
    "reminders.wording",
    "reminders.recurring",
    "reminders.sent_reminders",
    "reminders.calendars.entries",
    "reminders.calendars.ics",
    "imports.bills.reading",
    "imports.bills.sheets",
    "storage.bills.records",
    "imports.calendars.addresses",
    "imports.calendars.content_lines",
    "imports.calendars.ics",
    "imports.calendars.occurrences",
    "services.access.actor",
    "services.access.attempts",
    "services.schedules.days",
    "services.paging",
    "services.schedules.plans",
    "services.refusals",
    "agents.tasks.planning.listed",
    "agents.tasks.planning.open_end",
)
"""Modules that decide and touch nothing. They import only each other, of this package."""

UNCLEAN = {
    *("nonebot", "sqlalchemy", "aiosqlite", "asyncpg", "alembic", "sqlite3", "openai", "httpx", "httpx2"),
    *("fastapi", "starlette", "nicegui", "apscheduler", "nonebot_plugin_apscheduler"),
    *(
        "nonebot_plugin_localstore",
        "loguru",
        "logging",
        "socket",
        "threading",
        "subprocess",
        "random",
        "time",
    ),
}
"""Modules a pure module imports neither at the top nor later. `asyncio` is looked at apart."""

HANDLERS = (
    "agents.schedule.handler",
    "agents.schedule.attending",
    "agents.schedule.candidates.confirming",
    "agents.schedule.executor",
    "agents.schedule.candidates.operations",
    "agents.schedule.asking_back",
    "agents.tasks.handler",
    "agents.tasks.local",
    "agents.tasks.model.loop",
    "agents.tasks.tools",
    "agents.tasks.planning.consequences",
    "agents.tasks.asking_back",
    "agents.tasks.planning.remarks",
    "agents.tasks.notes",
    "agents.bookkeeping.handler",
    "agents.bookkeeping.budgets",
    "agents.bookkeeping.payments",
    "agents.bookkeeping.queries",
    "agents.bookkeeping.record_changes",
    "agents.record.agent",
)
"""Modules that do what a frame says. They take typed values and read no words of a member's."""

READS = (
    "language.*",
    "agents.routing.*",
    "agents.*.reader",
    "agents.*.reading",
    "agents.*.rules",
    "agents.tasks.answering",
    "agents.tasks.planning.listed",
    "agents.tasks.planning.new_task",
    "agents.tasks.planning.open_end",
    "agents.tasks.queries",
    "agents.tasks.planning.references",
    "agents.bookkeeping.cards.correcting",
    "agents.bookkeeping.cards.claiming",
    "agents.schedule.answering",
    "agents.schedule.model.grounding",
    "agents.schedule.overhearing",
)
"""Modules that read words: what they find stands in a frame before a handler is called."""

OTHERS = ("language.claims.*", "language.lines.*")
"""Modules that read a model's words, and those of talk that is told again: no member's order."""

FORMATS = frozenset(
    {
        "adapter.onebot_v11.notices",
        "adapter.onebot_v11.reading",
        "adapter.onebot_v11.speaking",
        "adapter.qq.reading",
        "adapter.qq.writing",
        "agents.chat.judged",
        "agents.api.registry",
        "core.instructions",
        "llm.simulator",
        "llm.limits.tokens",
        "llm.vendors",
        "memory.transcript",
        "services.settings",
        "prompts",
        "prompts.quoting",
        "config.loading",
        "config.warnings",
        "storage.schedules.calendar_tokens",
        "storage.engine.columns",
        "storage.copies.daily",
        "storage.copies.postgresql_tools",
        "config.token_strength",
        "web.api.tasks",
        "web.api.values",
        "web.routes.calendars",
        "web.console.shell.site",
        "web.console.today",
        "web.layers.forwarded",
        "web.layers.guard",
    }
)
"""Modules whose patterns are of formats and no member's words: addresses, keys, codes, a model's marks."""

STILL_MATCH = frozenset(
    {
        "agents.bookkeeping.cards.claiming",
        "agents.bookkeeping.cards.correcting",
        "agents.bookkeeping.reader",
        "agents.bookkeeping.rules",
        "agents.bookkeeping.cards.sharers",
        "agents.bookkeeping.cards.unknown_items",
        "agents.schedule.answering",
        "agents.schedule.candidates.correcting",
        "agents.schedule.overhearing",
        "agents.schedule.reader",
        "agents.schedule.candidates.reading",
        "agents.schedule.search",
        "agents.tasks.answering",
        "agents.tasks.planning.listed",
        "agents.tasks.model.loop",
        "agents.tasks.planning.matching",
        "agents.tasks.planning.new_task",
        "agents.tasks.queries",
        "agents.tasks.reader",
        "agents.tasks.planning.references",
        "agents.tasks.planning.assignees",
    }
)
"""Modules outside `language` that still match words by patterns of their own. The list only gets shorter:
what reads words belongs in `language`, best as words, rows and values."""

VALUES = {
    *("AnswerMatch", "Clause", "KeptThing", "LastDone", "Mention", "Situation"),
    *("Attendance", "BudgetOrder", "Categories", "Debts", "Entry", "Giving", "LedgerQuery", "Person"),
    *(
        "called",
        "dump_entry",
        "entry_json",
        "foreign_of",
        "kept_as_said",
        "is_repayment",
        "kept",
        "known",
        "lent",
        "load_entry",
    ),
    *("others_owed", "paid_on", "pays_back"),
    *("repayment", "settled", "spoken"),
    "answers",
    "ABROAD",
    "CHOICE",
    "MEMBERS",
    "PROPOSED",
    "SAID",
    "WHO",
    "WEEKDAYS",
    "WITHIN_A_DAY",
    "Recurrence",
    "Said",
    "RecordQuestion",
    "Kind",
    "another_part",
    "taken_over",
    "met_at",
    "is_quantity",
    "recounted",
    "read",
    "claims",
    "rules",
}
"""Values that reading modules give, and what compares two of them; and an agent's own functions where its
AgentSpec is put together."""

WAITS = {"frontdesk.hold"}
"""Pure modules that may hold Futures: they make and resolve them and wait for nothing."""

CLOCK_READS = {
    "now": {"datetime.now"},
    "utcnow": {"datetime.utcnow"},
    "today": {"datetime.today", "date.today"},
    "time": {"time.time", "asyncio.get_running_loop().time"},
}
FORBIDDEN_NAMES = {"util", "utils", "helper", "helpers", "manager", "managers", "common", "misc"}


def back_imports(package: Package) -> Iterator[str]:
    """Imports that point the wrong way, in words."""
    for module in package.modules.values():
        room = package.room(module.name)
        for found in module.imports:
            if not package.inside(found):
                continue
            target = package.room(package.origin(found) if found.name else found.module)
            if not _may(room, target):
                yield f"{module.name}:{found.line} ({room}) imports {target}"


def _may(room: str, target: str) -> bool:
    if room == target or room in TOP or target in ANYWHERE:
        return True
    if target in TOP:
        return False
    if room in EDGE:
        return target in EDGE[room]
    if target in FREE or (target == "error_log" and room == "adapter"):
        return True
    return room in RANKS and target in RANKS and RANKS[target] < RANKS[room]


def is_pure(package: Package, name: str) -> bool:
    """True if the module is one of those that touch nothing."""
    inner = name.removeprefix(f"{package.name}.")
    return any(fnmatchcase(inner, pattern) for pattern in PURE) or f"{inner}.*" in PURE


def impurities(package: Package) -> Iterator[str]:
    """Forbidden imports and calls of pure modules, in words."""
    for module in package.modules.values():
        if not is_pure(package, module.name):
            continue
        for found in module.imports:
            if package.inside(found):
                origin = package.origin(found)
                if not is_pure(package, origin) and origin != package.name:
                    yield f"{module.name}:{found.line} imports {origin}, which is not pure"
                continue
            root = found.module.split(".")[0]
            inner = module.name.removeprefix(f"{package.name}.")
            if root in UNCLEAN or (root == "asyncio" and inner not in WAITS):
                yield f"{module.name}:{found.line} imports {root}"
        for node in ast.walk(module.tree):
            clocked = isinstance(node, ast.Attribute) and node.attr in CLOCK_READS
            if clocked and ast.unparse(node) in CLOCK_READS[node.attr]:
                yield f"{module.name}:{node.lineno} reads the clock: {ast.unparse(node)}"
            if isinstance(node, ast.Await):
                yield f"{module.name}:{node.lineno} awaits"


def read_again(package: Package) -> Iterator[str]:
    """Imports of what reads words, by modules that are given frames."""
    for module in package.modules.values():
        if module.name.removeprefix(f"{package.name}.") not in HANDLERS:
            continue
        for found in module.imports:
            origin = package.origin(found).removeprefix(f"{package.name}.")
            reads = any(fnmatchcase(origin, pattern) or f"{origin}.*" == pattern for pattern in READS)
            reads = reads and not any(fnmatchcase(origin, pattern) for pattern in OTHERS)
            # The values that reading gives are no reading.
            if package.inside(found) and reads and (found.name or "a") not in VALUES:
                yield f"{module.name}:{found.line} reads with {origin}.{found.name}"


def matching(package: Package) -> set[str]:
    """The modules outside `language` that use regular expressions, by their names in the package."""
    found: set[str] = set()
    for module in package.modules.values():
        inner = module.name.removeprefix(f"{package.name}.")
        names = {item.module if item.name is None else item.module.split(".")[0] for item in module.imports}
        if any(item.name == "Pattern" for item in module.imports if package.inside(item)):
            names.add("re")
        if package.room(module.name) not in {"language", "patterns"} and names & {"re", "regex"}:
            found.add(inner)
    return found


def absolute_self_imports(package: Package) -> Iterator[str]:
    """Imports of the package by its full name from inside: a second copy where it is loaded from a folder."""
    for module in package.modules.values():
        for node in ast.walk(module.tree):
            absolute = isinstance(node, ast.ImportFrom) and not node.level
            if absolute and str(node.module).split(".")[0] == package.name:
                yield f"{module.name}:{node.lineno}"


def bad_names(package: Package) -> Iterator[str]:
    """Modules whose name says nothing."""
    for module in package.modules.values():
        if FORBIDDEN_NAMES & set(module.name.split(".")[-1].split("_")):
            yield module.name


def undescribed(package: Package) -> Iterator[str]:
    """Modules without a docstring, and rooms that do not say what they offer."""
    for module in package.modules.values():
        if not ast.get_docstring(module.tree):
            yield f"{module.name}: no docstring"
        if (
            module.is_package
            and any(package.inside(found) for found in module.imports)
            and "__all__" not in module.path.read_text("utf-8")
        ):
            yield f"{module.name}: no __all__"


def test_imports_point_one_way() -> None:
    assert list(back_imports(PLUGIN)) == []


def test_every_room_has_its_place() -> None:
    rooms = {PLUGIN.room(name) for name in PLUGIN.modules}
    assert rooms - set(RANKS) - set(EDGE) - TOP == set(), (
        "give the room a rank here and a row in architecture.md"
    )


def test_pure_modules_touch_nothing() -> None:
    assert list(impurities(PLUGIN)) == []


def test_handlers_take_frames_and_read_no_words() -> None:
    assert list(read_again(PLUGIN)) == []


def test_words_are_matched_in_language_alone() -> None:
    found = matching(PLUGIN)
    assert found - FORMATS - STILL_MATCH == set(), "read words in `language`; no module joins these lists"
    assert (FORMATS | STILL_MATCH) - found == set(), "matches nothing any more: take it off the list"


def test_every_pure_pattern_names_something() -> None:
    """A pattern that matches nothing checks nothing: a module was renamed."""
    inner = [name.removeprefix(f"{PLUGIN.name}.") for name in PLUGIN.modules]
    unused = [pattern for pattern in PURE if not any(fnmatchcase(name, pattern) for name in inner)]
    assert unused == []


def test_pitfall_65_the_plugin_imports_itself_relatively() -> None:
    assert list(absolute_self_imports(PLUGIN)) == []


@pytest.mark.parametrize("package", [PLUGIN, BOT], ids=lambda package: package.name)
def test_names_say_what_is_inside(package: Package) -> None:
    assert list(bad_names(package)) == []


@pytest.mark.parametrize("package", [PLUGIN, BOT], ids=lambda package: package.name)
def test_every_module_says_what_it_is_for(package: Package) -> None:
    assert list(undescribed(package)) == []


def test_the_bot_is_not_imported_by_the_plugin() -> None:
    """The wheel holds the plugin alone."""
    found = {
        f"{module.name}:{item.line}"
        for module in PLUGIN.modules.values()
        for item in module.imports
        if item.module.split(".")[0] in {"bot", "tests", "benchmarks"}
    }
    assert found == set()


def test_only_the_console_knows_what_draws_its_pages() -> None:
    """The extra `console` is an extra: nothing else may need NiceGUI."""
    found = {
        ".".join(module.name.split(".")[1:3])
        for module in PLUGIN.modules.values()
        for item in module.imports
        if item.module.split(".")[0] == "nicegui"
    }
    assert found == {"web.console"}


def test_only_one_module_knows_the_sdk_of_mcp() -> None:
    """The extra `mcp` is an extra, and imported at the first request."""
    found = {
        module.name.partition(".")[2]
        for module in PLUGIN.modules.values()
        for item in module.imports
        if item.module.split(".")[0] in {"mcp", "mcp_types"}
    }
    assert found == {"web.mcp.server"}


# The checks themselves: every fault they exist for is found.


@pytest.fixture
def made(tmp_path: Path) -> Path:
    """A small package of the same shape, without a fault."""
    folder = tmp_path / "nonebot_plugin_mishu"
    files = {
        "__init__.py": '"""All."""\n',
        "config.py": '"""Values."""\n',
        "clock.py": '"""The clock."""\nimport time\n',
        "language/__init__.py": '"""Words."""\n',
        "storage/__init__.py": '"""SQL."""\nimport sqlalchemy\nfrom .records import R\n__all__ = ["R"]\n',
        "storage/records.py": '"""Values."""\nclass R: ...\n',
        "secretary/__init__.py": '"""S."""\nfrom .presence import P\n__all__ = ["P"]\n',
        "secretary/presence.py": '"""P."""\nfrom ..storage import R\nclass P: ...\n',
        "frontdesk/__init__.py": '"""F."""\n',
        "frontdesk/lines/__init__.py": '"""L."""\n',
        "frontdesk/lines/triggers.py": '"""W."""\nfrom ...secretary import P\n',
        "frontdesk/desk.py": '"""D."""\nimport asyncio\nfrom ..clock import time\nfrom ..storage import R\n',
    }
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(content, "utf-8")
    return folder


def _faults(folder: Path) -> list[str]:
    package = Package(folder)
    checks = (back_imports, impurities, absolute_self_imports, bad_names, undescribed)
    return [fault for check in checks for fault in check(package)]


def test_a_package_without_fault_has_none(made: Path) -> None:
    assert _faults(made) == []


@pytest.mark.parametrize(
    ("file", "content", "words"),
    [
        ("storage/more.py", '"""M."""\nfrom ..secretary import P\n', "(storage) imports secretary"),
        ("secretary/more.py", '"""M."""\nfrom ..frontdesk.desk import R\n', "(secretary) imports frontdesk"),
        ("secretary/more.py", '"""M."""\ndef f():\n    from .. import app\n', "(secretary) imports __init__"),
        (
            "frontdesk/lines/triggers.py",
            '"""W."""\nfrom ..desk import R\n',
            "frontdesk.desk, which is not pure",
        ),
        ("frontdesk/lines/triggers.py", '"""W."""\nfrom ...clock import time\n', "clock, which is not pure"),
        ("frontdesk/lines/triggers.py", '"""W."""\ndef f():\n    import nonebot\n', "imports nonebot"),
        ("frontdesk/lines/triggers.py", '"""W."""\nfrom sqlalchemy import select\n', "imports sqlalchemy"),
        ("frontdesk/lines/triggers.py", '"""W."""\nimport asyncio\n', "imports asyncio"),
        (
            "frontdesk/lines/triggers.py",
            '"""W."""\nfrom datetime import datetime\nNOW = datetime.now()\n',
            "reads the clock",
        ),
        ("language/__init__.py", '"""T."""\nasync def f(x):\n    await x\n', "awaits"),
        ("frontdesk/more.py", '"""M."""\nfrom nonebot_plugin_mishu.language import x\n', "frontdesk.more:2"),
        ("frontdesk/text_utils.py", '"""M."""\n', "text_utils"),
        ("frontdesk/more.py", "x = 1\n", "no docstring"),
        ("frontdesk/__init__.py", '"""F."""\nfrom .desk import R\n', "no __all__"),
    ],
)
def test_each_fault_is_found(made: Path, file: str, content: str, words: str) -> None:
    (made / file).write_text(content, "utf-8")
    assert any(words in fault for fault in _faults(made)), _faults(made)


def test_a_long_table_is_no_long_file(made: Path) -> None:
    (made / "language" / "table.py").write_text('"""T."""\nTABLE = (\n' + '    "x",\n' * 400 + ")\n", "utf-8")
    assert _faults(made) == []
