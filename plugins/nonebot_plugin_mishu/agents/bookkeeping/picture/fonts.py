"""Font of this machine with Chinese characters. Reads the disk and runs fontconfig: for threads."""

from __future__ import annotations

import os
import shutil
import subprocess
from functools import cache
from pathlib import Path
from typing import Final

_KNOWN: Final = (
    "/usr/share/fonts/truetype/wqy/wqy-microhei.ttc",
    "/usr/share/fonts/wqy-microhei/wqy-microhei.ttc",
    "/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc",
    "/usr/share/fonts/noto-cjk/NotoSansCJK-Regular.ttc",
    "/usr/share/fonts/google-noto-cjk/NotoSansCJK-Regular.ttc",
    "/usr/share/fonts/google-noto-sans-cjk-fonts/NotoSansCJK-Regular.ttc",
    "/usr/share/fonts/truetype/wqy/wqy-zenhei.ttc",
    "/System/Library/Fonts/PingFang.ttc",
    "/System/Library/Fonts/Hiragino Sans GB.ttc",
    "/System/Library/Fonts/STHeiti Medium.ttc",
)
_WINDOWS: Final = ("msyh.ttc", "msyh.ttf", "simhei.ttf", "simsun.ttc")
_FONTCONFIG_TIMEOUT: Final = 5.0
_FILES: Final = (".ttf", ".ttc", ".otf")


@cache
def chinese_font() -> str | None:
    """Path of a font; None if this machine has none. Cached."""
    windows = Path(os.environ.get("WINDIR", "C:/Windows")) / "Fonts"
    for place in (*map(Path, _KNOWN), *(windows / name for name in _WINDOWS)):
        if place.is_file():
            return str(place)
    return _by_fontconfig()


def _by_fontconfig() -> str | None:
    command = shutil.which("fc-list")
    if command is None:
        return None
    try:
        asked = subprocess.run(
            [command, ":lang=zh-cn", "file"],
            capture_output=True,
            text=True,
            timeout=_FONTCONFIG_TIMEOUT,
            check=False,
        )
    except (OSError, subprocess.SubprocessError, UnicodeDecodeError):
        return None
    found = sorted(line.strip().rstrip(":") for line in asked.stdout.splitlines())
    return next((path for path in found if path.lower().endswith(_FILES) and Path(path).is_file()), None)
