"""Keeps the duties with the database: the lease of this process, and the groups it takes, gives up, and
loses.

One task. In a process that is alone it only writes down the homes of groups. Else it renews the lease at a
third of its time, looks every second who else is alive, and takes groups that nobody has and an account of
ours is in. A process that was paused past its lease notices here, before it may do anything again: its
turns end, and it goes on under a new name. What we heard where the account on duty was away for a while is
handed to it once it is back: nobody else has that line.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from uuid import uuid4

from ...report import Report
from ...storage import StorageError
from ...storage.duty.inbox import InboxLine
from ...storage.duty.queries import DutyRows, Lease, Post
from ...storage.engine.errors import DutyLost
from .duties import Duties, GroupDuty
from .handing import packed

TICK = 1.0
"""Seconds between two looks at the others."""
GAP = 0.1
"""Seconds between two looks at least."""
AWAY = 10.0
"""Seconds an account may be gone before its groups are free for another process; in the same one another
takes over at once. As long as a speech waits for its account."""
UNWANTED = 3.0
"""Seconds a group waits for somebody who can speak there, before one that is muted takes it again."""
HANDED = 60.0
"""Seconds: what was heard longer ago is not handed over. As young as a line is answered at a takeover."""
_SURE = 0.9
"""The part of a lease in which we count on it: the database's begins later than our request."""


class DutyKeeper:
    """Holds the lease of this process and the duties of its groups in the database.

    `start` and `stop` once each. `ready` reads the rooms of taken groups anew, `taken` begins work there,
    `lost` ends it; these attributes are set before `start`.

    Args:
        monotonic: seconds.
        lease: seconds of a lease.
    """

    def __init__(
        self,
        duties: Duties,
        rows: DutyRows,
        monotonic: Callable[[], float],
        lease: float,
        report: Report,
    ) -> None:
        self._duties = duties
        self._rows = rows
        self._monotonic = monotonic
        self._lease = lease
        self._report = report
        self.ready: Callable[[Sequence[GroupDuty]], Awaitable[None]] = _nothing
        self.taken: Callable[[Sequence[GroupDuty]], None] = lambda groups: None
        self.lost: Callable[[Sequence[GroupDuty]], Awaitable[None]] = _nothing
        self.more: Callable[[GroupDuty], None] = lambda group: None
        """Called with a group whose kept lines are to be taken up."""
        self.handed: Callable[[GroupDuty, Sequence[InboxLine]], None] = lambda group, lines: None
        """Called with the lines of a group of ours that another process heard while we were away."""
        self.looked: Callable[[], Awaitable[None]] = _idle
        """Called after each look at the others."""
        self._instance = uuid4().hex
        self._new: dict[str, GroupDuty] = {}
        self._wanted: dict[str, None] = {}
        self._free: dict[str, float] = {}
        """Groups nobody has and nobody of ours can speak in, and since when (monotonic)."""
        self._resting: dict[str, float] = {}
        """Groups that were offered to others, and until when (monotonic) we do not take them ourselves."""
        self._doubtful: set[str] = set()
        """Groups in which we heard something while the account on duty was away."""
        self._registered: list[str] = []
        """Our accounts, as registered in the database."""
        self._renew_at = 0.0
        self._woken = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    async def start(self, instance: str | None = None) -> None:
        """Read the groups, begin a lease, start the task. Raises `StorageError`."""
        duties = self._duties
        duties.changed, duties.wanted, duties.unsettled = self._changed, self._want, self._more
        if not self._rows.alone:
            duties.alone = False
            self._instance = instance or self._instance
            duties.set_posts(await self._rows.all())
            await self._enlist()
        else:
            duties.set_posts(await self._rows.all())
        self._task = asyncio.create_task(self._run(), name="mishu duty")

    async def stop(self) -> None:
        """End the task and the lease; our groups are free at once."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait({self._task})
        if self._duties.alone:
            return
        self._duties.valid_until = 0.0
        try:
            await self._rows.leave(self._duties.process)
        except StorageError as error:
            self._report("当班没有交出去，过一会儿才会由别的进程接手", error)

    def wake(self) -> None:
        """Look at the database now instead of at the next tick."""
        self._woken.set()

    async def release(self, peers: Sequence[str], rest: float = 0.0) -> None:
        """Give up the duty of groups, and take them again after `rest` seconds at the earliest."""
        if self._duties.alone:
            return
        for peer in peers:
            self._resting[peer] = self._monotonic() + rest
            group = self._duties.find(peer)
            if group is not None:
                group.process = ""
        try:
            await self._rows.release(self._duties.process, peers)
        except StorageError as error:
            self._report("当班没有交出去", error)

    async def offer(self, peer: str) -> bool:
        """Give up a group in which no account of ours can speak any more; False where no other process could
        take it."""
        if self._duties.alone or not any(self._duties.elsewhere.values()):
            return False
        await self.release([peer], UNWANTED)
        return True

    def _changed(self, group: GroupDuty) -> None:
        self._new[group.peer] = group
        if group.settled_at:
            self.more(group)
        self.wake()

    def _more(self, group: GroupDuty) -> None:
        self.more(group)

    def _want(self, peer: str) -> None:
        if peer not in self._wanted:
            self._wanted[peer] = None
            self.wake()

    async def _run(self) -> None:
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(None if self._duties.alone else TICK):
                    await self._woken.wait()
            self._woken.clear()
            try:
                if self._duties.alone:
                    await self._store_homes()
                else:
                    await self._look()
            except StorageError as error:
                if not isinstance(error, DutyLost):
                    self._report("当班的账号没有和数据库对上，过一会儿再试", error)
                await asyncio.sleep(TICK)
                self.wake()
            await asyncio.sleep(GAP)

    async def _store_homes(self) -> None:
        new, self._new = self._new, {}
        try:
            await self._rows.keep(Post(one.peer, one.home, one.account, "") for one in new.values())
        except StorageError:
            self._new = {**new, **self._new}
            raise

    async def _enlist(self) -> None:
        """Begin a lease under a new process name."""
        began, name = self._monotonic(), uuid4().hex
        self._registered = self._duties.accounts()
        await self._rows.register(name, self._instance, self._registered, self._lease)
        self._duties.process = name
        self._duties.valid_until = began + _SURE * self._lease
        self._renew_at = began + self._lease / 3
        self._rows.lend(Lease(name))

    async def _look(self) -> None:
        duties = self._duties
        now = self._monotonic()
        due = now >= self._renew_at or self._registered != duties.accounts()
        if now >= duties.valid_until or (due and not await self._renew()):
            await self._replace_lease()
        seen = await self._rows.watch(duties.process)
        if duties.process not in seen.processes:
            await self._replace_lease()
            return
        duties.elsewhere = {
            name: accounts for name, accounts in seen.processes.items() if name != duties.process
        }
        await self._release_absent()
        await self._take(
            duties.set_posts(Post(one.peer, one.home, one.account, "", one.epoch) for one in seen.free)
        )
        await self._hand_over()
        await self._take_inbox()
        await self.looked()

    async def _renew(self) -> bool:
        began, accounts = self._monotonic(), self._duties.accounts()
        if not await self._rows.renew(self._duties.process, accounts, self._lease):
            return False
        self._registered = accounts
        self._duties.valid_until = began + _SURE * self._lease
        self._renew_at = began + self._lease / 3
        return True

    async def _replace_lease(self) -> None:
        """End all work after a lost lease, and begin a new one: others may have taken our groups."""
        duties, mine = self._duties, self._duties.process
        duties.valid_until = 0.0
        groups = [group for group in duties.groups() if group.process == mine]
        for group in groups:
            group.process = ""
        await self.lost(groups)
        with suppress(StorageError):
            await self._rows.leave(mine)
        await self._enlist()
        for group in groups:
            self._want(group.peer)

    async def _hand_over(self) -> None:
        """Put lines into the inbox of processes whose account on duty was away while we heard them, and is
        back. Lines it heard itself it knows by their twins."""
        duties, since = self._duties, self._monotonic() - HANDED
        back: list[GroupDuty] = []
        for group in duties.groups():
            if group.kept is None or duties.holds(group) or not group.kept.since(since):
                self._doubtful.discard(group.peer)
            elif not duties.is_attended(group):
                self._doubtful.add(group.peer)
                if group.process not in duties.elsewhere:
                    # Taken at the next look, or whoever has it by now is told of.
                    self._wanted[group.peer] = None
            elif group.peer in self._doubtful:
                back.append(group)
        found = [
            packed(line, one.home) for one in back if one.kept is not None for line in one.kept.since(since)
        ]
        await self._rows.inbox.put([line for line in found if line is not None])
        self._doubtful.difference_update(one.peer for one in back)

    async def _take_inbox(self) -> None:
        """Take lines that other processes heard in groups of ours out of the inbox."""
        lines: dict[str, list[InboxLine]] = {}
        for line in await self._rows.inbox.take(self._duties.process):
            lines.setdefault(line.conversation.peer, []).append(line)
        for peer, its in lines.items():
            if (group := self._duties.find(peer)) is not None:
                self.handed(group, its)

    async def _release_absent(self) -> None:
        """Give up the groups of accounts that are away for more than `AWAY` seconds."""
        duties, now = self._duties, self._monotonic()
        gone = {account for account, since in duties.away.items() if now - since > AWAY}
        if not gone:
            return
        left = [one for one in duties.groups() if duties.holds(one) and one.account in gone]
        left = [one for one in left if duties.candidate(one) is None]
        if left:
            await self.release([one.peer for one in left])
            await self.lost(left)

    async def _take(self, free: Sequence[GroupDuty]) -> None:
        """Take the duty of free groups in which an account of ours can speak."""
        duties, now = self._duties, self._monotonic()
        asked, self._wanted = self._wanted, {}
        groups = {group.peer: group for group in free}
        for peer in asked:
            group = duties.find(peer) or duties.unknown(peer)
            if group is not None:
                groups[peer] = group
        wanted: list[tuple[str, str]] = []
        for peer, group in groups.items():
            if self._resting.get(peer, 0.0) > now:
                continue
            account = duties.candidate(group)
            if account is None and now - self._free.setdefault(peer, now) > UNWANTED:
                account = duties.candidate(group, muted=True)
            if account is not None:
                wanted.append((peer, account))
                self._free.pop(peer, None)
                self._resting.pop(peer, None)
        self._free = {peer: since for peer, since in self._free.items() if peer in groups}
        if not wanted:
            return
        before = {peer: (groups[peer].account, groups[peer].epoch + 1) for peer, _ in wanted}
        posts = await self._rows.take(duties.process, wanted)
        mine = [post for post in posts if post.process == duties.process]
        known = duties.set_posts(Post(one.peer, one.home, one.account, "", one.epoch) for one in mine)
        for group in known:
            group.stays = before.get(group.peer) == (group.account, group.epoch)
            group.opening = True
        try:
            await self.ready(known)
            duties.set_posts(posts)
        finally:
            if known:
                self.taken(known)


async def _nothing(_groups: Sequence[GroupDuty]) -> None:
    """Nobody has to know."""


async def _idle() -> None:
    """Nothing to do."""
