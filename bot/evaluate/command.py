"""The command line of the evaluation: reads dialogues, plays them, prints; 1 where one is not right."""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from pathlib import Path

from ..replay.loading import load_plugins
from ..replay.sample import BadSample, read_samples
from .dialogue import Dialogue

DEFAULT = Path("samples/evaluate")
BAD = 2


def main(arguments: list[str]) -> int:
    """0: everything right; 1: a dialogue that is not; 2: no model, or a sample or argument that is none."""
    parser = argparse.ArgumentParser(
        prog="python -m bot evaluate", description="拿样例对话考一考配置好的模型接口"
    )
    parser.add_argument("path", nargs="*", type=Path, help=f"样例文件或文件夹；没有则是 {DEFAULT}")
    parser.add_argument("--json", action="store_true", help="打印一个 JSON 对象，不打印表")
    options = parser.parse_args(arguments)
    try:
        dialogues = [each for _, each in read_samples(options.path or [DEFAULT], Dialogue)]
    except BadSample as error:
        print(error, file=sys.stderr)
        return BAD
    wrong = [] if dialogues else ["没有找到样例"]
    wrong = wrong or load_plugins([])
    if wrong:
        print("\n".join(wrong), file=sys.stderr)
        return BAD

    from nonebot_plugin_mishu.app.plugin import configuration

    from .play import Played, evaluate
    from .report import as_json, table

    config = configuration()
    if not config.llm.online:
        print("没有接上模型：要写 MISHU__LLM__API_KEY 和 MISHU__LLM__MODEL", file=sys.stderr)
        return BAD

    async def play_all() -> list[Played]:
        played: list[Played] = []
        for number, dialogue in enumerate(dialogues, start=1):
            print(f"\r{number}/{len(dialogues)} {dialogue.name}\033[K", end="", file=sys.stderr, flush=True)
            played.append(await evaluate(dialogue, config))
        print("\r\033[K", end="", file=sys.stderr, flush=True)
        return played

    played = asyncio.run(play_all())
    prices = config.llm.prices
    print(json.dumps(as_json(played, prices), ensure_ascii=False) if options.json else table(played, prices))
    return 0 if all(one.right for one in played) else 1
