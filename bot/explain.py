"""`python -m bot explain`: how the local rules read a sentence, without a model and without starting the bot.

Contracts, "explain --json". What is not built yet is null.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterable
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

import nonebot

CARD_ITEMS = 10


def main(arguments: list[str]) -> int:
    """Read the sentences given, or standard input line by line; 2 where an argument is wrong."""
    parser = argparse.ArgumentParser(prog="python -m bot explain", description="本地规则怎样读一句话")
    parser.add_argument("text", nargs="*", help="句子；没有则逐行读标准输入")
    parser.add_argument("--json", action="store_true", help="每行一个 JSON 对象")
    parser.add_argument("--now", help="当作现在的时间，ISO 8601，如 2026-11-21T09:00")
    parser.add_argument("--zone", help="时区，IANA 名，默认取 MISHU__TIMEZONE")
    options = parser.parse_args(arguments)
    _quiet_nonebot()

    from nonebot_plugin_mishu import settings

    try:
        config = settings.read(nonebot.get_driver().config.model_dump(), os.environ)
        zone = ZoneInfo(options.zone) if options.zone else config.zone
        now = datetime.fromisoformat(options.now) if options.now else datetime.now(zone)
    except settings.ConfigurationError as error:
        print("\n".join(error.lines), file=sys.stderr)
        return 2
    except (ValueError, OSError, KeyError) as error:
        print(f"参数不对：{error}", file=sys.stderr)
        return 2
    now = now.replace(tzinfo=zone) if now.tzinfo is None else now.astimezone(zone)
    nicknames = sorted(nonebot.get_driver().config.nickname)
    for text in _texts(options.text):
        read = explain(text, now, zone, config, nicknames)
        print(json.dumps(read, ensure_ascii=False) if options.json else _shown(read), flush=True)
    return 0


def explain(text: str, now: datetime, zone: ZoneInfo, config: Any, nicknames: list[str]) -> dict[str, Any]:
    """The object that `--json` prints: the sentence as read when said in a group to the bot."""
    from nonebot_plugin_mishu.core import local_verdict
    from nonebot_plugin_mishu.drafts import triage
    from nonebot_plugin_mishu.frontdesk import commands
    from nonebot_plugin_mishu.frontdesk.words import is_word, names_one
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
    return {
        "text": text,
        "trigger": trigger,
        "gate": local_verdict(text).verdict,
        "frames": None,
        "times": [found.as_json() for found in parse(text, now, zone)],
        "triage": read.kind,
        "items": list(read.items),
        "transactions": None,
    }


def _texts(given: list[str]) -> Iterable[str]:
    if given:
        return given
    return (line.rstrip("\n") for line in sys.stdin if line.strip())


def _shown(read: dict[str, Any]) -> str:
    lines = [read["text"]]
    for name in ("trigger", "gate", "triage", "items", "frames", "transactions"):
        if read[name] not in (None, []):
            lines.append(f"  {name}: {read[name]}")
    lines.extend(f"  time: {json.dumps(found, ensure_ascii=False)}" for found in read["times"])
    return "\n".join(lines)


def _quiet_nonebot() -> None:
    """Load the plugin without a web server; what is logged goes to standard error."""
    nonebot.logger.remove()
    nonebot.logger.add(sys.stderr, level="WARNING", format="{message}", backtrace=False, diagnose=False)
    nonebot.init(driver="~none")
    nonebot.load_plugin("nonebot_plugin_mishu")
