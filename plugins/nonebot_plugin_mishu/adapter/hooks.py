"""A parameter of NoneBot's hooks that looks, in place of a hook that runs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from nonebot.dependencies import Param


class Look(Param):
    """Looks while NoneBot checks a hook's one parameter, which is the first thing it does.

    NoneBot checks, then solves every parameter in tasks of their own, and waits for each: another plugin's
    `IgnoredException` may cancel a hook in between, so that it never runs. And bot, event and state as
    three parameters would cost more than all we do with a message.
    """

    def __init__(self, look: Callable[..., None]) -> None:
        super().__init__()  # pyright: ignore[reportUnknownMemberType]
        self.look = look

    async def _check(self, **kwargs: Any) -> None:
        self.look(**kwargs)

    async def _solve(self, **kwargs: Any) -> Any:
        return None
