"""A headless Chromium of this machine, driven through chromedriver (selenium), in whatever width."""

from __future__ import annotations

import base64
import shutil
from pathlib import Path
from typing import Any, Final

FLAGS: Final = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
    "--window-size=1440,940",
)
_AROUND: Final = """
const boxes = [...document.querySelectorAll(arguments[0])].map(e => e.getBoundingClientRect());
const shown = boxes.filter(each => each.height > 0);
const [x, y] = [Math.min(...shown.map(each => each.left)), Math.min(...shown.map(each => each.top))];
const [right, bottom] = [Math.max(...shown.map(e => e.right)), Math.max(...shown.map(e => e.bottom))];
return {x, y, width: right - x, height: bottom - y};
"""
PHONE: Final = 600
"""Below this width it is a phone: touched, not pointed at."""


class NoBrowser(Exception):
    """There is none on this machine; why, in words."""


def opened(profile: Path, *, any_certificate: bool = False) -> Any:
    """Start it with this profile; a selenium driver, to be `quit()`. Raises `NoBrowser`.

    With `any_certificate` it believes one that nobody has signed.
    """
    names = ("chromium", "chromium-browser", "google-chrome")
    binary = next((found for name in names if (found := shutil.which(name))), None)
    driver = shutil.which("chromedriver")
    if binary is None or driver is None:
        raise NoBrowser("no Chromium with chromedriver on this machine")
    try:
        from selenium import webdriver
        from selenium.webdriver.chrome.service import Service
    except ImportError:
        raise NoBrowser("selenium is not installed (uv sync --group dev)") from None
    options = webdriver.ChromeOptions()
    options.binary_location = binary
    options.accept_insecure_certs = any_certificate
    for flag in (*FLAGS, f"--user-data-dir={profile}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    return webdriver.Chrome(options=options, service=Service(driver))


def sized(driver: Any, width: int, height: int, scale: float = 1) -> None:
    """Show pages as a screen of that size does, in CSS pixels; a narrow one is a phone's."""
    phone = width < PHONE
    wanted = {"width": width, "height": height, "deviceScaleFactor": scale, "mobile": phone}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", wanted)
    touched = {"enabled": phone, "maxTouchPoints": 5 if phone else 1}
    driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", touched)


def shot(driver: Any, file: Path, within: str = "") -> None:
    """A picture of what the screen shows, or of the elements that a selector finds, from the first on."""
    asked: dict[str, Any] = {"format": "png"}
    if within:
        asked["clip"] = {**driver.execute_script(_AROUND, within), "scale": 1}
    taken = driver.execute_cdp_cmd("Page.captureScreenshot", asked)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(base64.b64decode(taken["data"]))
