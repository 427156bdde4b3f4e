"""The sentences of `data/`, and reading them as the built-in agents do."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import yaml
from nonebot_plugin_mishu.agents.builtin import builtin_rules
from nonebot_plugin_mishu.core.decision import MessageReading, read
from nonebot_plugin_mishu.language.clause import Situation

DATA = Path(__file__).parent / "data"
NOW = datetime(2026, 11, 18, 10, 0, tzinfo=ZoneInfo("Asia/Shanghai"))
"""A Wednesday."""
AGENTS = builtin_rules()
_FLAGS = {"private": {"private": True}, "overheard": {"addressed": False}, "tasks": {"open_tasks": True}}
_FRAME = re.compile(r"(?P<name>[a-z]+/[a-z_]+)(?:\((?P<text>[^()]*)\))?")


@dataclass(frozen=True)
class Case:
    """One sentence and the frames it must give, each with its text where that matters."""

    said: str
    flags: tuple[str, ...]
    frames: tuple[tuple[str, str | None], ...]

    @property
    def situation(self) -> Situation:
        """Where it is said."""
        keys: dict[str, Any] = {}
        for flag in self.flags:
            keys |= _FLAGS[flag]
        return Situation(NOW, **keys)

    def __str__(self) -> str:
        return f"{''.join(f'[{flag}]' for flag in self.flags)}{self.said}"


def case(line: str, expected: str) -> Case:
    """A case from a line of the tables."""
    flags, said = re.fullmatch(r"((?:\[[a-z]+\])*) ?(.*)", line, re.DOTALL).groups()  # type: ignore[union-attr]
    frames = tuple((found["name"], found["text"]) for found in _FRAME.finditer(expected))
    return Case(said, tuple(re.findall(r"[a-z]+", flags)), frames)


def cases(name: str) -> list[Case]:
    """All cases of a file."""
    found: list[Case] = []
    for key, value in yaml.safe_load((DATA / name).read_text("utf-8")).items():
        if key == "newlines":
            found += [case(said, " ".join(frames)) for said, *frames in value]
            continue
        for line in filter(None, value.splitlines()):
            said, _, frames = line.partition(" => ")
            found.append(case(said, frames or key))
    return found


def reading(said: str, **situation: Any) -> MessageReading:
    """How the built-in agents read it."""
    return read(said, Situation(NOW, **situation), AGENTS)


def named(found: MessageReading) -> list[str]:
    """The frames as `agent/intent`."""
    return [f"{frame.agent_code}/{frame.intent}" for frame in found.frames]
