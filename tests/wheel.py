"""What a wheel of the plugin must hold and must not: `python tests/wheel.py FILE`, exit 1 if it is wrong."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import zipfile
from email.message import Message
from email.parser import Parser
from pathlib import Path

PACKAGE = "nonebot_plugin_mishu"
ROOT = Path(__file__).resolve().parent.parent


def uv() -> str:
    """The program that builds and installs; the README's first command brings it."""
    found = os.environ.get("UV") or shutil.which("uv")
    assert found is not None, "uv builds the wheel; the README's command brings it"
    return found


def build(folder: Path) -> Path:
    """The wheel, built below `folder` without a network from a copy of the sources."""
    source, target = folder / "mishu", folder / "dist"
    shutil.copytree(ROOT, source, ignore=shutil.ignore_patterns(".*", "__pycache__", "dist", "build"))
    shutil.copy(ROOT / ".gitignore", source)
    command = [uv(), "build", "--offline", "--no-config", "--wheel", "--out-dir", str(target), str(source)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    (found,) = target.glob("*.whl")
    return found


def problems(wheel: Path) -> list[str]:
    """Everything that is wrong with a wheel, in words; nothing where it is right."""
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        found = _content(names)
        metadata = next((name for name in names if name.endswith(".dist-info/METADATA")), None)
        if metadata is None:
            return [*found, "no METADATA"]
        return [*found, *_metadata(Parser().parsestr(archive.read(metadata).decode("utf-8")))]


def _content(names: set[str]) -> list[str]:
    tops = {name.split("/")[0] for name in names}
    extra = {top for top in tops if top != PACKAGE and not top.endswith(".dist-info")}
    found = [f"{top} stands beside the package" for top in sorted(extra)]
    package = ROOT / "plugins" / PACKAGE
    kept = (path for path in package.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    wanted = {f"{PACKAGE}/{path.relative_to(package).as_posix()}" for path in kept}
    wanted.add(f"{PACKAGE}/py.typed")
    packaged = {name for name in names if name.startswith(f"{PACKAGE}/")}
    found += [f"{name} is missing" for name in sorted(wanted - packaged)]
    found += [f"{name} is too much" for name in sorted(packaged - wanted)]
    if not any("/migrations/versions/" in name for name in packaged):
        found.append("no migrations")
    if not any(name.endswith(".dist-info/licenses/LICENSE") for name in names):
        found.append("no LICENSE")
    return found


def _metadata(metadata: Message) -> list[str]:
    requires = metadata.get_all("Requires-Dist") or []
    plain = [line for line in requires if "extra ==" not in line]
    checks = {
        "name": metadata["Name"] == "nonebot-plugin-mishu",
        "version": bool(metadata["Version"]),
        "summary": bool(metadata["Summary"]),
        "python": metadata["Requires-Python"] == ">=3.11",
        "licence": metadata["License-Expression"] == "MIT",
        "readme": "NoneBot" in (readme := str(metadata.get_payload())),
        "every link of the readme an address": all(
            link.startswith(("http://", "https://", "#")) for link in re.findall(r"\]\(([^)]*)\)", readme)
        ),
        "links to its home, pages, changes and issues": {"Homepage", "Documentation", "Changelog", "Issues"}
        <= {line.partition(",")[0] for line in metadata.get_all("Project-URL") or []},
        "the extra postgresql": "postgresql" in (metadata.get_all("Provides-Extra") or []),
        "NoneBot as a requirement": any(line.startswith("nonebot2") for line in plain),
        "nothing of the bot or the tests as a requirement": not any(
            line.startswith(("nicegui", "pytest", "fastapi", "asyncpg", "selenium")) for line in plain
        ),
        "every requirement with an upper or lower bound": all(
            "<" in line or ">" in line for line in requires
        ),
    }
    return [f"metadata: {what} is not as it should be" for what, right in checks.items() if not right]


def main(arguments: list[str]) -> int:
    """Look into the wheels named."""
    found = [f"{name}: {problem}" for name in arguments for problem in problems(Path(name))]
    for line in found:
        sys.stderr.write(f"{line}\n")
    return 1 if found or not arguments else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
