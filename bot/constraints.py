"""`python -m bot.constraints`: the versions of other packages in this installation, `name==version` a line.

Run where the tests have passed, it gives `deploy/constraints.txt`: units are installed with those versions,
not with whatever is newest on the day. `python -m bot.constraints --image` asks uv, which asks where this
machine takes packages from, for the wheels an image takes in these versions, and prints their checksums for
`deploy/image.txt`. Neither names an address.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path
from typing import Any, Final

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

PROJECT: Final = Path(__file__).parents[1] / "pyproject.toml"
GROUP: Final = "bot"
EXTRAS: Final = ("postgresql",)
"""Packages `deploy/` installs beside the plugin's own requirements."""
VERSIONS: Final = PROJECT.parent / "deploy" / "constraints.txt"
PYTHON: Final = "3.13"
"""The image's."""
PLATFORMS: Final = ("x86_64-manylinux_2_28", "aarch64-manylinux_2_28")
"""Machines that images are built for, as uv calls them."""
IMAGE_HEAD: Final = """\
# The wheels of the image (Python 3.13, x86-64 and ARM64), printed before a release by
# `python -m bot.constraints --image` of the versions in constraints.txt. Other checksums are refused.
"""
HEAD: Final = """\
# The versions with which the tests passed, printed before a release by `python -m bot.constraints`.
"""


def wanted(project: dict[str, Any]) -> list[Requirement]:
    """Requirements in pyproject.toml: the plugin's requirements, the bot's group, the extras of `deploy/`."""
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


def checksums(locks: Sequence[Mapping[str, Any]]) -> dict[str, list[str]]:
    """By `name==version` the checksums of the wheels in any of these lock files (PEP 751)."""
    found: dict[str, set[str]] = {}
    for lock in locks:
        for package in lock["packages"]:
            wheels = package.get("wheels", ())
            sums = found.setdefault(f"{canonicalize_name(package['name'])}=={package['version']}", set())
            sums.update(f"{kind}:{value}" for wheel in wheels for kind, value in wheel["hashes"].items())
    return {name: sorted(sums) for name, sums in sorted(found.items())}


def image_lines(found: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """The file of the image, line by line."""
    yield IMAGE_HEAD
    for name, sums in found.items():
        yield " \\\n".join([name, *(f"    --hash={each}" for each in sums)]) + "\n"


def _locked(platform: str) -> dict[str, Any]:
    """Packages uv installs on a platform. Raises `CalledProcessError`, `FileNotFoundError` without uv."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "pylock.toml"
        extras = [part for extra in EXTRAS for part in ("--extra", extra)]
        command = ["uv", "pip", "compile", "--quiet", "--generate-hashes", "--only-binary", ":all:"]
        command += ["--python-version", PYTHON, "--python-platform", platform, "--constraint", str(VERSIONS)]
        command += ["--group", GROUP, *extras, "--output-file", str(file), str(PROJECT)]
        subprocess.run(command, check=True, cwd=PROJECT.parent, stdout=subprocess.DEVNULL)
        return tomllib.loads(file.read_text("utf-8"))


def image() -> int:
    """Print the checksums of the image's wheels; 1 where uv does not find them."""
    try:
        locks = [_locked(platform) for platform in PLATFORMS]
    except FileNotFoundError:
        print("没有 uv：先 pip install uv", file=sys.stderr)
        return 1
    except subprocess.CalledProcessError as error:
        return error.returncode
    sys.stdout.writelines(image_lines(checksums(locks)))
    return 0


def main() -> int:
    """Print them; 1 where something that is asked for is not installed here."""
    if sys.argv[1:] == ["--image"]:
        return image()
    project = tomllib.loads(PROJECT.read_text("utf-8"))
    try:
        sys.stdout.writelines(lines(installed(wanted(project))))
    except PackageNotFoundError as error:
        print(f"没有安装 {error.name}：先 uv sync --extra postgresql", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
