"""The duties put together with the running plugin: whose turn it is to speak in a group, taken, kept, given
up."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path

from ..clock import Clock
from ..core import Core
from ..frontdesk import FrontDesk
from ..frontdesk.duty.duties import Duties, GroupDuty
from ..frontdesk.duty.keeper import DutyKeeper
from ..frontdesk.rooms.rosters import Rosters
from ..report import Report
from ..storage import Storage, StorageError
from ..storage.engine.instance import occupied
from ..storage.engine.process_lock import ProcessLock
from ..storage.ledger.account_merge import MergeCounts

_TRIES = 5


class Watchkeeping:
    """`start` once the front desk is there, `connected` for each account, `stop` once nothing is said any
    more."""

    def __init__(
        self,
        duties: Duties,
        storage: Storage,
        clock: Clock,
        lease: float,
        rosters: Rosters,
        desk: FrontDesk,
        core: Core,
        report: Report,
    ) -> None:
        self._duties = duties
        self._storage = storage
        self._rosters = rosters
        self._desk = desk
        self._core = core
        self._report = report
        self._settings: int | None = None
        self._lock: ProcessLock | None = None
        self.taken: Callable[[], None] = lambda: None
        """Told whenever groups were taken."""
        self._keeper = DutyKeeper(duties, storage.duties, clock.monotonic, lease, report)
        self._keeper.ready = self._ready
        self._keeper.taken = self._taken
        self._keeper.more = desk.taking_over.take_up_kept
        self._keeper.handed = desk.taking_over.take_handed_lines
        self._keeper.lost = desk.taking_over.give_up_groups
        self._keeper.looked = self._looked
        desk.notices.offer = self._keeper.offer
        desk.notices.lost = self._lost
        core.open_tasks.serves = duties.serves

    async def start(self, folder: Path | None) -> None:
        """Begin. Raises `StorageError`."""
        instance = None
        if folder is not None and not self._storage.duties.alone:
            instance, self._lock = await asyncio.to_thread(occupied, folder)
        await self._keeper.start(instance)

    async def connected(self, account: str) -> None:
        """An account came. Where others of ours are, or were, it is asked which groups it is in."""
        self._keeper.wake()
        if len(self._duties.ours()) > 1:
            groups = await self._rosters.groups(account)
            if groups:
                self._duties.set_group_list(account, groups)
            self._keeper.wake()
            self.taken()

    async def stop(self) -> None:
        """Write what is queued, while that is ours, and give everything up."""
        try:
            await self._storage.ledger.flush()
        except StorageError as error:
            self._report("关闭前没有写完", error)
        await self._keeper.stop()
        self._storage.duties.lend(None)
        if self._lock is not None:
            self._lock.release()

    async def _ready(self, groups: Sequence[GroupDuty]) -> None:
        """Load open drafts and questions of groups whose duty was just taken."""
        places = [group.place for group in groups]
        for _ in range(_TRIES):
            try:
                await self._core.open_tasks.reload(places)
                await self._core.reload_polls(places)
                return
            except StorageError as error:
                self._report("接手的群里还开着的追问没有读出来，再试", error)
            await asyncio.sleep(0.5)

    def _taken(self, groups: Sequence[GroupDuty]) -> None:
        self._desk.taking_over.take_groups(groups)
        self.taken()

    async def _lost(self, peer: str) -> None:
        group = self._duties.find(peer)
        if group is not None:
            await self._desk.taking_over.give_up_groups([group])

    async def _looked(self) -> None:
        """Reload settings changed through another process."""
        self._settings, places = await self._storage.settings.changed_since(self._settings)
        for room in self._desk.rooms if places else ():
            if room.conversation in places and room.loaded.is_set():
                room.settings = await self._storage.settings.load(room.conversation)


def joined(one: MergeCounts) -> str:
    """A group that was kept under several accounts and is one now, for the log."""
    return (
        f"群 {one.peer} 的数据原来按 {len(one.accounts) + 1} 个账号分开存，现在合在 {one.home} 名下："
        f"合并前 {one.before} 行，重复的 {one.dropped} 行，合并后 {one.after} 行"
    )
