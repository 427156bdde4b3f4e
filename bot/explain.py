"""`python -m bot explain`: how the local rules read a sentence, without a model and without starting the bot.

Contracts, "explain --json".
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterable
from datetime import datetime
from io import TextIOWrapper
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

import nonebot

from . import own_keys
from .sink import Refusal, log_to

if TYPE_CHECKING:
    from nonebot_plugin_mishu.agents.clause import Situation
    from nonebot_plugin_mishu.config import Config

CARD_ITEMS = 10
"""`triage` reads the sentence as heard while a card of so many items waits."""


def main(arguments: list[str]) -> int:
    """Read the sentences given, or standard input line by line; 2 where an argument or a key is wrong."""
    parser = argparse.ArgumentParser(prog="python -m bot explain", description="本地规则怎样读一句话")
    parser.add_argument("text", nargs="*", help="句子；没有则逐行读标准输入")
    parser.add_argument("--json", action="store_true", help="每句一行，一个 JSON 对象")
    parser.add_argument("--now", type=_moment, help="当作现在的时间，ISO 8601，如 2026-11-21T09:00")
    parser.add_argument("--zone", type=_zone, help="时区，IANA 名，默认取 MISHU__TIMEZONE")
    options = parser.parse_args(arguments)
    wrong = _load()
    if wrong:
        print("\n".join(wrong), file=sys.stderr)
        return 2

    from nonebot_plugin_mishu import entry

    config = entry.configuration()
    zone = options.zone or config.zone
    nicknames = sorted(nonebot.get_driver().config.nickname)
    _speak_utf8()
    try:
        for text in map(_utf8, options.text) if options.text else _lines():
            read = explain(text, now_in(zone, options.now), zone, config, nicknames)
            print(json.dumps(read, ensure_ascii=False) if options.json else _shown(read), flush=True)
    except BrokenPipeError:
        # Whoever read has enough. What is still in the buffer must not complain at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def explain(text: str, now: datetime, zone: ZoneInfo, config: Config, nicknames: list[str]) -> dict[str, Any]:
    """The object that `--json` prints: the sentence as read when said in a group to the bot."""
    from nonebot_plugin_mishu.agents.clause import Situation
    from nonebot_plugin_mishu.core import local_verdict
    from nonebot_plugin_mishu.drafts import triage
    from nonebot_plugin_mishu.frontdesk import commands
    from nonebot_plugin_mishu.frontdesk.words import is_word, names_one, uncalled
    from nonebot_plugin_mishu.timeparse import parse

    trigger = None
    if commands.parse(text) is not None:
        pass  # a command of ours is carried out, whatever words stand in it
    elif is_word(text, config.frontdesk.speak_words):
        trigger = "speak"
    elif is_word(text, config.frontdesk.silence_words):
        trigger = "silence"
    elif names_one(text, [*nicknames, *config.frontdesk.wake_words]):
        trigger = "summon"
    read = triage(text, CARD_ITEMS)
    situation = Situation(now.astimezone(zone), open_tasks=True)
    said = uncalled(text, [*nicknames, *config.frontdesk.wake_words])
    found = frames(said, situation)
    return {
        "text": text,
        "trigger": trigger,
        "gate": local_verdict(text).verdict,
        "frames": found,
        "times": [found.as_json() for found in parse(text, now, zone)],
        "triage": read.kind,
        "items": list(read.items),
        "transactions": _transactions(said, situation, found),
    }


def _transactions(text: str, situation: Situation, found: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What would be written: the items of the frames that record. Where all is talk that might yet be told to
    the books (人均50), what they would read in it; of what is asked, planned or somebody else's, nothing."""
    from nonebot_plugin_mishu.agents.bookkeeping import told, transactions

    recorded = [
        frame for frame in found if (frame["agent_code"], frame["intent"]) == ("bookkeeping", "record")
    ]
    if recorded:
        return [item for frame in recorded for item in frame["slots"].get("items", [])]
    if any(frame["agent_code"] != "chat" for frame in found) or not told(text, situation):
        return []
    return transactions(text, situation.now, situation.zone)


def frames(text: str, situation: Situation) -> list[dict[str, Any]]:
    """The frames of a sentence by the rules of the agents, with what of their slots is fit to be shown."""
    from nonebot_plugin_mishu.agents import REGISTRY
    from nonebot_plugin_mishu.agents.builtin import builtin_rules
    from nonebot_plugin_mishu.core.decision import read

    return [
        {
            "agent_code": frame.agent_code,
            "intent": frame.intent,
            "slots": {name: _plain(value) for name, value in frame.slots.items() if name[:1] != "_"},
            "text": frame.text,
        }
        for frame in read(text, situation, (*builtin_rules(), *REGISTRY)).frames
    ]


def _plain(value: Any) -> Any:
    """A slot as JSON has it; what JSON does not know is written as text."""
    return json.loads(json.dumps(value, ensure_ascii=False, default=str))


def _lines() -> Iterable[str]:
    """Every line of standard input, empty ones too: the n-th answer is the n-th line's."""
    return (line.rstrip("\r\n") for line in sys.stdin)


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
        lines.append(f"  frame: {frame['agent_code']}/{frame['intent']} 「{frame['text']}」 {slots}".rstrip())
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

    from nonebot_plugin_mishu import entry

    for name in entry.configuration().bot.plugins:  # their agents read the sentence too
        if nonebot.load_plugin(name) is None:
            return [f"MISHU__BOT__PLUGINS 里的插件 {name} 没有装上，见上面的日志"]
    return []
