"""`python -m bot explain`: how the local rules read a sentence, without a model and without starting the bot.

Contracts, "explain --json".
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from datetime import datetime
from io import TextIOWrapper
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import nonebot

from .. import own_keys
from ..sink import Refusal, log_to
from .reading import explain, words
from .world import WrongWorld, world

__all__ = ["explain", "main", "now_in", "words"]


def main(arguments: list[str]) -> int:
    """Read the sentences given, or standard input line by line; 2 where an argument or a key is wrong."""
    parser = argparse.ArgumentParser(prog="python -m bot explain", description="本地规则怎样读一句话")
    parser.add_argument("text", nargs="*", help="句子；没有则逐行读标准输入")
    parser.add_argument("--json", action="store_true", help="每句一行，一个 JSON 对象")
    parser.add_argument("--words", action="store_true", help="一行一个词：在句子里是什么词类")
    parser.add_argument("--now", type=_moment, help="当作现在的时间，ISO 8601，如 2026-11-21T09:00")
    parser.add_argument("--zone", type=_zone, help="时区，IANA 名，默认取 MISHU__TIMEZONE")
    parser.add_argument(
        "--world", type=Path, metavar="FILE", help="说话时知道的事：任务、日程、账、成员，JSON"
    )
    options = parser.parse_args(arguments)
    wrong = _load()
    if wrong:
        print("\n".join(wrong), file=sys.stderr)
        return 2

    from nonebot_plugin_mishu.app import plugin as entry

    config = entry.configuration()
    zone = options.zone or config.zone
    try:
        known = None if options.world is None else world(options.world, zone)
    except WrongWorld as error:
        print(error, file=sys.stderr)
        return 2
    nicknames = sorted(nonebot.get_driver().config.nickname)
    _speak_utf8()
    try:
        for text in map(_utf8, options.text) if options.text else (line.rstrip("\r\n") for line in sys.stdin):
            if options.words:
                print("\n".join(words(text, now_in(zone, options.now), zone)), flush=True)
                continue
            read = explain(text, now_in(zone, options.now), zone, config, nicknames, known)
            print(json.dumps(read, ensure_ascii=False) if options.json else _shown(read), flush=True)
    except BrokenPipeError:
        # Whoever read has enough. What is still in the buffer must not complain at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def _utf8(argument: str) -> str:
    """An argument as UTF-8, also where the locale knows only ASCII."""
    return os.fsencode(argument).decode("utf-8", "surrogateescape")


def now_in(zone: ZoneInfo, given: datetime | None) -> datetime:
    """The moment given, or now; one without an offset is one of the zone."""
    if given is None:
        from nonebot_plugin_mishu.clock import Clock

        clock = Clock(zone)
        return clock.local(clock.wall())
    return given.replace(tzinfo=zone) if given.tzinfo is None else given.astimezone(zone)


def _moment(text: str) -> datetime:
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text} 不是 ISO 8601 时间，如 2026-11-21T09:00") from None


def _zone(text: str) -> ZoneInfo:
    try:
        return ZoneInfo(text)
    except (ValueError, OSError, KeyError):
        raise argparse.ArgumentTypeError(f"{text} 不是 IANA 时区名，如 Asia/Shanghai") from None


def _speak_utf8() -> None:
    """UTF-8 whatever the locale; bytes that are none come in and go out as escapes, in JSON too."""
    for stream, errors in ((sys.stdin, "surrogateescape"), (sys.stdout, "backslashreplace")):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors=errors)


def _shown(read: dict[str, Any]) -> str:
    lines = [read["text"]]
    for name in ("trigger", "gate", "triage", "items", "transactions"):
        if read[name] not in (None, []):
            lines.append(f"  {name}: {read[name]}")
    for frame in read["frames"]:
        slots = json.dumps(frame["slots"], ensure_ascii=False) if frame["slots"] else ""
        doubt = "" if frame["sure"] else "（拿不准）"
        lines.append(
            f"  frame: {frame['agent_code']}/{frame['intent']}{doubt} 「{frame['text']}」 {slots}".rstrip()
        )
    lines.append(f"  {'sure' if read['sure'] else 'not sure'}: {read['why']}")
    if read["unread"]:
        lines.append(f"  unread: {'、'.join(read['unread'])}")
    if read["runners_up"]:
        others = "、".join(f"{each['agent_code']}/{each['intent']}" for each in read["runners_up"])
        lines.append(f"  runners_up: {others}")
    if read["overheard"]:
        lines.append("  overheard: 没叫我也会问一句")
    lines.extend(f"  time: {json.dumps(found, ensure_ascii=False)}" for found in read["times"])
    return "\n".join(lines)


def _load() -> list[str]:
    """Load the plugin without a web server, the log on standard error; what is wrong, a line for each key."""
    given: dict[str, str] = {}
    refusal = Refusal()
    log_to(sys.stderr, "WARNING", refusal)
    try:
        given = own_keys.written()
        nonebot.init(driver="~none")
    except ValueError as error:
        return own_keys.wrong_keys(error, given)
    nonebot.logger.configure(extra={"nonebot_log_level": "WARNING"})
    if nonebot.load_plugin("nonebot_plugin_mishu") is None:
        return refusal.lines or ["秘书插件没有装上"]

    from nonebot_plugin_mishu.app import plugin as entry

    for name in entry.configuration().bot.plugins:  # their agents read the sentence too
        if nonebot.load_plugin(name) is None:
            return [f"MISHU__BOT__PLUGINS 里的插件 {name} 没有装上，见上面的日志"]
    return []
