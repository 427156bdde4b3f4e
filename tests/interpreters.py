"""Pythons of this machine, by version: the one that runs this, those in the path, those of pyenv and uv."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path


@cache
def interpreter_of(version: str) -> Path | None:
    """A Python of that version (`3.12`); None where there is none."""
    return next((one for one in _places(version) if _is(version, one)), None)


def _places(version: str) -> list[Path]:
    """Where it may be; the Python that runs this comes first."""
    named = shutil.which(f"python{version}")
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv") / "versions"
    uv = Path(os.environ.get("UV_PYTHON_INSTALL_DIR") or Path.home() / ".local" / "share" / "uv" / "python")
    return [
        Path(sys.executable),
        *([Path(named)] if named else []),
        *sorted(pyenv.glob(f"{version}.*/bin/python{version}")),
        *sorted(uv.glob(f"cpython-{version}.*/bin/python{version}")),
    ]


def _is(version: str, python: Path) -> bool:
    """True if it runs, and is of that version: what stands in the path may be a stand-in for none."""
    asked = "import sys; print(f'{sys.version_info.major}.{sys.version_info.minor}')"
    done = subprocess.run([str(python), "-c", asked], capture_output=True, text=True, timeout=60, check=False)
    return done.returncode == 0 and done.stdout.strip() == version
