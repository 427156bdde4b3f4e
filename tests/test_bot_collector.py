"""The garbage collector: off while the bot is loaded, on from then on."""

from __future__ import annotations

import gc
import sys

from bot import start


async def test_what_was_not_collected_at_start_is_from_then_on() -> None:
    thresholds, interval = gc.get_threshold(), sys.getswitchinterval()
    try:
        gc.disable()
        await start._freeze_loaded_objects()
        assert gc.isenabled()
    finally:
        gc.enable()
        gc.unfreeze()
        gc.set_threshold(*thresholds)
        sys.setswitchinterval(interval)
