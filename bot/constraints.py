"""`python -m bot.constraints`: the versions of other packages in this installation, `name==version` a line.

Run where the tests have passed, it gives `deploy/constraints.txt`: images and units are built with those
versions and not with whatever is newest on the day. It names versions only: no address, no checksum.
"""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Iterator, Sequence
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path
from typing import Any, Final

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

PROJECT: Final = Path(__file__).parents[1] / "pyproject.toml"
GROUP: Final = "bot"
EXTRAS: Final = ("postgresql",)
"""What `deploy/` installs beside the plugin's own requirements."""
HEAD: Final = """\
# The versions with which the tests passed, printed before a release by `python -m bot.constraints`.
"""


def wanted(project: dict[str, Any]) -> list[Requirement]:
    """What pyproject.toml asks for: the plugin's requirements, the bot's group, the extras of `deploy/`."""
    own = project["project"]
    lines: Sequence[str] = [
        *own["dependencies"],
        *project["dependency-groups"][GROUP],
        *(line for extra in EXTRAS for line in own["optional-dependencies"][extra]),
    ]
    return [Requirement(line) for line in lines]


def installed(roots: Sequence[Requirement]) -> dict[str, str]:
    """Name and version of all that is installed for `roots`, by name. Raises `PackageNotFoundError`."""
    found: dict[str, str] = {}
    seen: set[tuple[str, str]] = set()
    waiting = [(root, "", True) for root in roots]
    while waiting:
        requirement, extra, needed = waiting.pop()
        if requirement.marker is not None and not requirement.marker.evaluate({"extra": extra}):
            continue
        name = canonicalize_name(requirement.name)
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            if needed:
                raise
            continue
        for each in ("", *sorted(requirement.extras)):
            if (name, each) not in seen:
                seen.add((name, each))
                waiting += [(Requirement(line), each, False) for line in requires(name) or ()]
    return dict(sorted(found.items()))


def lines(found: dict[str, str]) -> Iterator[str]:
    """The file, line by line."""
    yield HEAD
    for name, at in found.items():
        yield f"{name}=={at}\n"


def main() -> int:
    """Print them; 1 where something that is asked for is not installed here."""
    project = tomllib.loads(PROJECT.read_text("utf-8"))
    try:
        sys.stdout.writelines(lines(installed(wanted(project))))
    except PackageNotFoundError as error:
        print(f"没有安装 {error.name}：先 uv sync --extra postgresql", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
