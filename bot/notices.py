"""`python -m bot.notices`: the licences of everything that is installed beside ours, for `deploy/NOTICES.md`.

Of each package its version, its licence, and who holds the rights as its own licence file says; then what its
NOTICE files say, which go along with every copy. It ends with 1 where a licence is missing, or is one that
would reach ours (the GPL and its kin).
"""

from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from typing import Final

from .constraints import PROJECT, installed, wanted

HEAD: Final = """\
# Notices

What the image contains beside Mishu itself (MIT, `LICENSE`), printed before a release by
`python -m bot.notices` from the installation with which the tests passed. The whole text of each licence lies
in the image beside its package (`*.dist-info`); where a package brings none, its metadata name the licence.
None of them is the GPL, and nothing of a package was changed.

| package | version | licence | rights |
|---|---|---|---|
"""
REVIEWED: Final = {"docutils": "Public Domain AND BSD-2-Clause AND PSF-2.0", "nonestorage": "MIT"}
"""Packages whose metadata do not say it, or say more than is there: of docutils only an Emacs mode is GPL,
and the wheel has none."""
_CLASSIFIER: Final = "License :: OSI Approved :: "
_NAMES: Final = {
    "Apache Software License": "Apache-2.0",
    "Apache 2.0": "Apache-2.0",
    "Apache License 2.0": "Apache-2.0",
    "MIT License": "MIT",
    "BSD License": "BSD-3-Clause",
    "Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
    "Python Software Foundation License": "PSF-2.0",
}
"""Other names of licences in metadata."""
_REACHING: Final = ("GPL", "GNU", "SSPL", "Commons Clause", "BUSL", "CC-BY-NC")
_MOST_RIGHTS: Final = 3
_LINKED: Final = re.compile(r"\[([^\]]+)\]\([^)]+\)|\s*https?://\S+")


@dataclass(frozen=True, slots=True)
class Notice:
    """Licence notice of a package."""

    name: str
    version: str
    licence: str
    """SPDX; empty where nobody knows."""
    rights: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()
    """The texts of its NOTICE files."""


def licence(name: str, expression: str | None, said: str | None, classifiers: Sequence[str]) -> str:
    """The licence by a package's metadata: its expression, else the one line, else its classifiers."""
    if name in REVIEWED:
        return REVIEWED[name]
    if expression:
        return expression
    line = (said or "").strip()
    if line and "\n" not in line and len(line) < 60:
        return _NAMES.get(line, line)
    found = [each.removeprefix(_CLASSIFIER) for each in classifiers if each.startswith(_CLASSIFIER)]
    return " AND ".join(_NAMES.get(each, each) for each in found)


def reaches(named: str) -> bool:
    """True if a licence would reach what is given away with it, or is none that may be given away."""
    return not named or any(each in named for each in _REACHING)


def rights(texts: Iterable[str]) -> tuple[str, ...]:
    """The lines that say whose it is, as a licence file writes them."""
    found: dict[str, None] = {}
    for text in texts:
        for line in text.splitlines():
            said = _LINKED.sub(lambda each: each[1] or "", line).strip(" \t*#.-")
            if said.lower().startswith(("copyright ", "©")) and any(each.isdigit() for each in said):
                found[said.replace("|", "/").replace("<", "&lt;")] = None
    return tuple(found)[:_MOST_RIGHTS]


def page(notices: Sequence[Notice]) -> Iterator[str]:
    """The file, part by part."""
    yield HEAD
    for each in notices:
        whose = "; ".join(each.rights)
        yield f"| {each.name} | {each.version} | {each.licence} | {whose} |\n"
    for each in notices:
        for text in each.notices:
            body = "\n".join(f"    {line}".rstrip() for line in text.strip().splitlines())
            yield f"\n## {each.name}\n\n{body}\n"


def _notice(name: str) -> Notice:
    found = distribution(name)
    texts = list(_texts(found))
    data = found.metadata
    return Notice(
        name,
        found.version,
        licence(
            name,
            _one(data.get_all("License-Expression")),
            _one(data.get_all("License")),
            data.get_all("Classifier") or [],
        ),
        rights(text for _, text in texts),
        tuple(text for file, text in texts if file.upper().startswith("NOTICE")),
    )


def _one(values: Sequence[str] | None) -> str | None:
    return values[0] if values else None


def _texts(found: Distribution) -> Iterator[tuple[str, str]]:
    """Names and texts of the licence files in a package's metadata."""
    for file in found.files or ():
        named = any(each in file.name.upper() for each in ("LICEN", "COPYING", "NOTICE"))
        if named and ".dist-info" in file.parts[0]:
            yield file.name, file.read_text("utf-8")


def main() -> int:
    """Print them; 1 where one may not be given away, or something is not installed."""
    project = tomllib.loads(PROJECT.read_text("utf-8"))
    try:
        notices = [_notice(name) for name in installed(wanted(project))]
    except PackageNotFoundError as error:
        print(f"没有安装 {error.name}：先 uv sync --extra postgresql", file=sys.stderr)
        return 1
    sys.stdout.writelines(page(notices))
    bad = [each for each in notices if reaches(each.licence)]
    for each in bad:
        print(f"{each.name} {each.version}：{each.licence or '没有写许可'}", file=sys.stderr)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
