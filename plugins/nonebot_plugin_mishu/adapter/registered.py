"""The platforms whose NoneBot adapters are registered in this instance. Nothing of the others is imported."""

from __future__ import annotations

from collections.abc import Callable

from nonebot.drivers import Driver

from .onebot_v11 import onebot_parts
from .platforms import PlatformNeeds, PlatformParts, Platforms


def _milky(needs: PlatformNeeds) -> PlatformParts:
    from .milky import milky_parts

    return milky_parts(needs)


def _qq(needs: PlatformNeeds) -> PlatformParts:
    from .qq import qq_parts

    return qq_parts(needs)


LATER: dict[str, Callable[[PlatformNeeds], PlatformParts]] = {"QQ": _qq, "Milky": _milky}
"""Makers of platforms by the name of NoneBot's adapter, beside OneBot, which is always there. Each imports
its folder when it is called."""


def first_platform(needs: PlatformNeeds) -> Platforms:
    """All platforms of an instance, as far as they are known while the plugin is loaded: OneBot alone."""
    return Platforms(needs.duties, onebot_parts(needs))


def join_registered(platforms: Platforms, needs: PlatformNeeds, driver: Driver) -> None:
    """Add the platforms whose adapters are registered by now. Called again at the start: an instance may
    register its adapters after its plugins."""
    registered = driver._adapters  # pyright: ignore[reportPrivateUsage] - NoneBot has no other list of them
    for name, make in LATER.items():
        if name in registered and not platforms.reads(name):
            platforms.add(make(needs))
