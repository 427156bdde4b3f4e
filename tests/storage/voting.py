"""A program in which 200 members answer one poll at the same moment, until it is killed.

A member's number on standard output: their voice was kept. Who has a voice already gives it again, with the
same origin, as a line that is handled again after a restart.
"""

import asyncio
import sys

import storage_alone  # noqa: F401 - before what it makes reachable
from nonebot_plugin_mishu.storage import Storage
from nonebot_plugin_mishu.storage.polls.records import VoiceGiven


async def main(url: str, poll_id: int) -> None:
    storage = await Storage.open(url, on_trouble=lambda sentence: None, deadline=60)

    async def vote(user: int) -> None:
        name = str(user)
        voice = VoiceGiven(name, name, True, None, 1, name, name, "line", "+1", f"line-{user}", 5.0)
        await storage.polls.answer(poll_id, [voice], 5.0)
        sys.stdout.write(f"{user}\n")
        sys.stdout.flush()

    await asyncio.gather(*(vote(user) for user in range(200)))
    await storage.close()


asyncio.run(main(sys.argv[1], int(sys.argv[2])))
