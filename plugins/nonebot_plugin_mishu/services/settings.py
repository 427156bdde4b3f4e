"""Settings of a group: read, and changed as the chat commands change them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from ..frontdesk import FrontDesk, Room
from ..frontdesk.commands.parsing import FEATURES
from ..frontdesk.lines.word_guard import refusal
from ..patterns import Pattern
from ..reminders.minutes import WEEKLY
from ..storage.groups.settings import SettingChangeRecord
from ..storage.records import Conversation, WordKind
from .access.actor import Write, governs
from .office import Office
from .refusals import Refused, forbidden, invalid

LISTENS: Final = ("off", "present", "always")
DIGEST: Final = "08:00"
MOST_WORDS: Final = 50
LONGEST_PERSONA: Final = 1000
_CLOCK: Final = Pattern(r"(?:[01]\d|2[0-3]):[0-5]\d")
_WEEKLY: Final = Pattern(rf"(?:MO|TU|WE|TH|FR|SA|SU) {_CLOCK.pattern}")
_TIMES: Final = ("listen", "digest_time", "weekly_time", "quiet_hours")
_WORDS: Final[Mapping[str, WordKind]] = {
    "silence_words": "silence",
    "speak_words": "speak",
    "wake_words": "wake",
}


@dataclass(frozen=True, slots=True)
class SettingsView:
    """Settings in force in a group."""

    silence_words: Sequence[str]
    speak_words: Sequence[str]
    wake_words: Sequence[str]
    features: Mapping[str, bool]
    persona: str | None
    listen: str
    digest_time: str
    weekly_time: str
    quiet_hours: str | None


async def load_settings(office: Office, place: Conversation) -> SettingsView:
    """Settings in force in a group."""
    desk, room = await _open_room(office, place)
    return _read_room(desk, room)


async def list_changes(office: Office, place: Conversation, limit: int) -> Sequence[SettingChangeRecord]:
    """Changes made outside the chat, the newest first."""
    return await office.storage.settings.history(place, limit)


async def change_settings(
    office: Office, write: Write, place: Conversation, given: Mapping[str, Any]
) -> SettingsView:
    """Change the given settings, all or none. Raises `Refused`."""
    if not governs(write.actor, place.peer):
        raise forbidden("这个只有群主、管理员和机器人的主人能改")
    desk, room = await _open_room(office, place)
    before = _read_room(desk, room)
    _check_values(given, before)
    setting = desk.setting
    changed: list[tuple[str, str]] = []
    for name, kind in _WORDS.items():
        if name not in given:
            continue
        wanted, known = list(dict.fromkeys(given[name])), list(getattr(before, name))
        for word in known:
            if word not in wanted:
                await setting.remove_word(room, kind, word)
        for word in wanted:
            if word not in known:
                await setting.add_word(room, kind, word)
        if set(wanted) != set(known):
            changed.append((name, "、".join(wanted)))
    for feature, on in given.get("features", {}).items():
        if before.features[feature] != on:
            await setting.switch(room, feature, on)
            changed.append((f"features.{feature}", "开" if on else "关"))
    if "persona" in given and (given["persona"] or None) != before.persona:
        await setting.set_persona(room, given["persona"] or None)
        changed.append(("persona", given["persona"] or ""))
    times = {name: given[name] or None for name in _TIMES if name in given}
    moved = {name: value for name, value in times.items() if value != getattr(before, name)}
    if moved:
        await setting.set_times(room, **moved)
        changed += [(name, value or "") for name, value in moved.items()]
    for name, value in changed:
        await office.storage.settings.log(place, write.person or "", name, value, office.clock.wall())
    return _read_room(desk, room)


def _check_values(given: Mapping[str, Any], before: SettingsView) -> None:
    for name, kind in _WORDS.items():
        words = given.get(name, [])
        if len(words) > MOST_WORDS:
            raise invalid(name, f"最多 {MOST_WORDS} 个")
        for word in words:
            if word in getattr(before, name):
                continue
            why = "有空白" if word != word.strip() or not word.strip() else refusal(kind, word)
            if why is not None:
                raise invalid(name, why)
    for feature in given.get("features", {}):
        if feature not in before.features:
            raise invalid(f"features.{feature}", f"没有这个功能，能开关的有：{'、'.join(before.features)}")
    if len(given.get("persona") or "") > LONGEST_PERSONA:
        raise invalid("persona", f"最多 {LONGEST_PERSONA} 字")
    allowed: Mapping[str, tuple[Callable[[str], object], str]] = {
        "listen": (LISTENS.__contains__, "应是 off、present 或 always"),
        "digest_time": (_CLOCK.fullmatch, "应是 HH:MM"),
        "weekly_time": (_WEEKLY.fullmatch, "应是星期和时间，如 MO 09:00"),
        "quiet_hours": (_is_quiet, "应是 HH:MM-HH:MM，起止不同，如 23:00-08:00"),
    }
    for name, (fits, words) in allowed.items():
        value = given.get(name)
        if value and not fits(value):
            raise invalid(name, words)


def _is_quiet(value: str) -> bool:
    start, _, end = value.partition("-")
    return all(_CLOCK.fullmatch(each) for each in (start, end)) and start != end


async def _open_room(office: Office, place: Conversation) -> tuple[FrontDesk, Room]:
    desk = office.desk()
    if desk is None:
        raise Refused(409, "秘书正在启动，请稍后再试")
    return desk, await desk.rooms.opened(place)


def _read_room(desk: FrontDesk, room: Room) -> SettingsView:
    kept = room.settings
    features = desk.features() or FEATURES
    return SettingsView(
        room.silence_words(),
        room.speak_words(),
        room.names(()),
        {feature: room.allows(feature) for feature in features},
        kept.persona,
        room.listen,
        kept.digest_time or DIGEST,
        kept.weekly_time or WEEKLY,
        kept.quiet_hours,
    )
