"""The command line of replay: reads samples, plays them, prints a table; 1 on any difference."""

from __future__ import annotations

import argparse
import asyncio
import sys
import unicodedata
from pathlib import Path

from .loading import load_plugins
from .sample import BadSample, read_samples

DEFAULT = Path("samples")
BAD = 2


def main(arguments: list[str]) -> int:
    """0: everything as expected; 1: a difference; 2: a sample or an argument that is none."""
    parser = argparse.ArgumentParser(prog="python -m bot replay", description="重放样例对话，比较结果")
    parser.add_argument("path", nargs="*", type=Path, help="样例文件或放样例的文件夹；没有则是 samples")
    options = parser.parse_args(arguments)
    try:
        samples = list(read_samples(options.path or [DEFAULT]))
    except BadSample as error:
        print(error, file=sys.stderr)
        return BAD
    if not samples:
        print("没有找到样例", file=sys.stderr)
        return BAD
    wrong = load_plugins(sorted({name for _, sample in samples for name in sample.plugins}))
    if wrong:
        print("\n".join(wrong), file=sys.stderr)
        return BAD

    from .play import Broken, play

    differing = 0
    print(_row("样例", "句数", "结果", "用时"))
    for file, sample in samples:
        played = asyncio.run(play(sample))
        differing += bool(played.differences)
        broken = any(isinstance(each, Broken) for each in played.differences)
        result = "出错" if broken else f"{len(played.differences)} 处不同" if played.differences else "一致"
        print(_row(f"{file.stem}：{sample.name}", str(len(sample.talk)), result, f"{played.seconds:.2f}s"))
        for difference in played.differences:
            print(f"    {difference}")
    print(f"共 {len(samples)} 个样例，{differing} 个不一致")
    return 1 if differing else 0


def _row(name: str, lines: str, result: str, seconds: str) -> str:
    return f"{_wide(name, 56)} {_wide(lines, 5)} {_wide(result, 12)} {seconds}"


def _wide(text: str, width: int) -> str:
    """Padded as a terminal shows it: Chinese characters are two columns wide."""
    columns = sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in text)
    return text + " " * max(0, width - columns)
