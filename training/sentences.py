"""The sentences of the judges, in a folder for what they are: text files, one sentence a line, and orders in
the corpus's format, of which only the words count.

A line that begins with `#` is a comment. A sentence stands once in all files of a judge; a fifth of them,
chosen by their checksum, is held out: never learned from, only scored.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from zlib import crc32

import yaml
from nonebot_plugin_mishu.language.text.fold import normalise

from benchmarks.corpus import unmarked

from .judges import HERE, Judge

HELD_OUT = 5
"""One sentence of so many is held out."""


@dataclass(frozen=True)
class Sentence:
    """One sentence of a judge; `wanted`: it is what the judge is to find."""

    text: str
    wanted: bool
    subject: str
    buckets: tuple[int, ...]

    @property
    def held_out(self) -> bool:
        """True if the sentence is only scored."""
        return crc32(normalise(self.text).encode()) % HELD_OUT == 0


def read_sentences(judge: Judge) -> list[Sentence]:
    """A judge's sentences, in the order of files and lines. Raises ValueError where one stands twice."""
    found: list[Sentence] = []
    seen: dict[str, str] = {}
    for wanted, patterns in ((True, judge.found), (False, judge.other)):
        for file in (each for pattern in patterns for each in _files(pattern)):
            subject = f"{file.parent.name}/{file.stem}"
            for number, line in enumerate(_lines(file), 1):
                text = normalise(line)
                if not text or line.startswith("#") or not judge.holds(line):
                    continue
                where = f"{subject}:{number}"
                if text in seen:
                    raise ValueError(f"{where}: {line!r} stands already in {seen[text]}")
                seen[text] = where
                found.append(Sentence(line, wanted, subject, tuple(judge.features(line))))
    return found


def _files(pattern: str) -> list[Path]:
    return sorted(file for end in ("txt", "yaml") for file in HERE.glob(f"{pattern}.{end}"))


def _lines(file: Path) -> list[str]:
    if file.suffix == ".txt":
        return file.read_text("utf-8").splitlines()
    return [unmarked(str(row["say"]))[0] for row in yaml.safe_load(file.read_text("utf-8"))]
