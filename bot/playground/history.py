"""Playground messages, stored in a file: it is there again after a restart of page and bot."""

from __future__ import annotations

import json
import os
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from .group import Group, Member, Message, Notice, World

NAME: Final = "playground.json"
_VERSION: Final = 1


def kept(world: World) -> str:
    """The groups with their members and lines, as JSON."""
    groups = [
        {
            "group_id": group.group_id,
            "name": group.name,
            "bot_role": group.bot_role,
            "bot_inside": group.bot_inside,
            "members": [asdict(member) for member in group.members.values()],
            "lines": [asdict(line) for line in group.lines],
        }
        for group in world.groups.values()
    ]
    whole = {"version": _VERSION, "groups": groups, "forwards": world.forwards}
    return json.dumps(whole, ensure_ascii=False)


def write(file: Path, content: str) -> None:
    """Put it there whole, or leave what was there."""
    file.parent.mkdir(parents=True, exist_ok=True)
    new = file.with_suffix(".new")
    new.write_text(content, "utf-8")
    os.replace(new, file)


def restore(world: World, file: Path) -> str | None:
    """Let the world be what the file says; why it is not, in a sentence, where it cannot be read."""
    if not file.exists():
        return None
    try:
        found: dict[str, Any] = json.loads(file.read_text("utf-8"))
        groups = [_group(each) for each in found["groups"]]
        forwards = dict(found["forwards"])
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        return f"试用台的聊天记录读不出来，从头开始（{type(error).__name__}）"
    if groups:
        world.take(groups, forwards)
    return None


def _group(told: dict[str, Any]) -> Group:
    members = {each["user_id"]: Member(**each) for each in told["members"]}
    group = Group(
        int(told["group_id"]),
        str(told["name"]),
        members,
        bot_role=told["bot_role"],
        bot_inside=told["bot_inside"],
    )
    for line in told["lines"]:
        group.lines.append(Message(**line) if "message_id" in line else Notice(**line))
    return group
