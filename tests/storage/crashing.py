"""A program that writes until it is killed, and says on standard output what it may rely on.

`heard N T` after message N was appended at T (monotonic seconds); `acked KIND N` after a write returned.
"""

import asyncio
import sys
import time

import storage_alone  # noqa: F401 - before what it makes reachable
from nonebot_plugin_mishu.storage import Storage
from storage_support import GROUP, decision, message


def say(*words: object) -> None:
    sys.stdout.write(" ".join(map(str, words)) + "\n")
    sys.stdout.flush()


async def chatter(storage: Storage) -> None:
    for number in range(10**9):
        storage.ledger.append(message(f"chatter-{number}", time=float(number)))
        say("heard", number, time.monotonic())
        await asyncio.sleep(0.002)


async def claims(storage: Storage, start: int) -> None:
    for number in range(start, 10**9):
        if await storage.claims.claim("10000", [f"claim-{number}"]):
            say("acked", "claim", number)


async def decisions(storage: Storage) -> None:
    for number in range(10**9):
        await storage.decisions.add(decision(message_id=f"decision-{number}"))
        say("acked", "decision", number)


async def marks(storage: Storage, start: int) -> None:
    for number in range(start, 10**9):
        storage.ledger.append(message(f"mark-{number}", addressed=True))
        await storage.ledger.mark_processed(GROUP, [f"mark-{number}"])
        say("acked", "mark", number)


async def main(url: str, start: int) -> None:
    storage = await Storage.open(url, on_trouble=lambda sentence: say("trouble", sentence))
    await asyncio.gather(chatter(storage), claims(storage, start), decisions(storage), marks(storage, start))


asyncio.run(main(sys.argv[1], int(sys.argv[2])))
