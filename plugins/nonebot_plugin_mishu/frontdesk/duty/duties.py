"""Which of our accounts is on duty in each group, in memory: one answers, the others listen (docs/scale.md).

A group is kept under one account, its home, whichever of ours heard it: `Conversation.self_id` of a group is
that home, and stands for us wherever somebody is compared with it. Who speaks is the account on duty. Nothing
here waits: the database's side is `DutyKeeper`'s.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field

from ...storage.duty.queries import Post
from ...storage.records import Conversation
from .standby_lines import KeptLine, KeptLines

SETTLING = 10.0
"""Seconds after a duty has passed on in which a line may be one that the account before heard too: then it is
looked for in the ledger before anything is done with it."""
_ALIASES = 2000
"""Ids of one line at two accounts, remembered."""


@dataclass(eq=False, slots=True)
class GroupDuty:
    """One group. `process` is whose duty it is: empty where nobody has it, ours where we are alone."""

    peer: str
    home: str
    account: str
    process: str
    members: set[str] = field(default_factory=lambda: set[str]())
    """Accounts of this process that were heard there."""
    kept: KeptLines | None = None
    settled_at: float = 0.0
    """Monotonic seconds from which what is heard is new."""
    epoch: int = 0
    """Number of duty takeovers known to us."""
    stays: bool = False
    """Taken for the account that had it before: whatever that one heard it knows by the same id."""
    taking_up: int = 0
    """Looks at the database that are under way for lines of this group: what is heard now stands behind."""
    place: Conversation = field(init=False)

    def __post_init__(self) -> None:
        self.place = Conversation(self.home, "group", self.peer)


class Duties:
    """The accounts of this process, and the groups. `monotonic` gives seconds.

    As made it is for a process that has its database for itself: whichever account is in a group and can
    speak there has the duty, and the next one the moment it cannot. `share` makes it wait for leases.
    """

    def __init__(self, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._monotonic = monotonic
        self.process = ""
        self.alone = True
        self.valid_until = 0.0
        """Monotonic seconds until which our lease surely holds."""
        self._elsewhere: Mapping[str, Collection[str]] = {}
        self._order: list[str] = []
        self.away: dict[str, float] = {}
        """Accounts that went, and since when (monotonic)."""
        self._gone: set[tuple[str, str]] = set()
        self._muted: dict[tuple[str, str], float] = {}
        self._lists: dict[str, frozenset[str]] = {}
        self._groups: dict[str, GroupDuty] = {}
        self._unknown: dict[str, GroupDuty] = {}
        """Groups of which the database has not told yet; their home is empty."""
        self._ours: set[str] = set()
        """Every account that is or was ours. None leaves: what an account said may be read long after its
        process is gone (a line is kept for `KEPT`), and is no talk of a member then either."""
        self._names: OrderedDict[tuple[str, str, str], str] = OrderedDict()
        """Group, account and the account's id of a line: the id under which it is kept; and the other way."""
        self.changed: Callable[[GroupDuty], None] = lambda group: None
        """Told of a group that is new, or whose account on duty changed, in a process that is alone."""
        self.unsettled: Callable[[GroupDuty], None] = lambda group: None
        """Told of a group whose duty passed on a moment ago, and in which something is heard."""
        self.wanted: Callable[[str], None] = lambda peer: None
        """Told of a group that we hear and whose duty may be free."""

    # What the platform tells

    def connect(self, account: str) -> None:
        """An account came; the newest is last."""
        self.away.pop(account, None)
        self._ours.add(account)
        self._order = [*(known for known in self._order if known != account), account]

    def disconnect(self, account: str) -> None:
        """An account went. Another of this process takes over where it heard something lately: that may be
        what the one that went did not hear any more."""
        if account in self._order:
            self.away[account] = self._monotonic()
        self._order = [known for known in self._order if known != account]
        for group in self._groups.values():
            if group.account == account and group.kept is not None and len(group.kept) and self.holds(group):
                self._speaker(group)

    def accounts(self) -> list[str]:
        """Connected accounts of this process, newest first."""
        return self._order[::-1]

    def ours(self) -> set[str]:
        """Every account that is ours, here or in another process, also one that was."""
        return self._ours

    @property
    def elsewhere(self) -> Mapping[str, Collection[str]]:
        """The accounts of the other processes that are alive, by process."""
        return self._elsewhere

    @elsewhere.setter
    def elsewhere(self, processes: Mapping[str, Collection[str]]) -> None:
        self._elsewhere = processes
        self._ours.update(*processes.values())

    def entered(self, account: str, peer: str) -> None:
        """An account is in a group: it was let in, or is heard there."""
        if self._gone:
            self._gone.discard((account, peer))
        group = self._groups.get(peer)
        if group is not None:
            group.members.add(account)

    def left(self, account: str, peer: str) -> None:
        """An account was removed from a group."""
        self._gone.add((account, peer))
        group = self._groups.get(peer)
        if group is not None:
            group.members.discard(account)

    def is_gone(self, account: str, peer: str) -> bool:
        """True if an account was removed from a group."""
        return (account, peer) in self._gone

    def mute(self, account: str, peer: str, seconds: float) -> None:
        """An account may say nothing in a group for so long; 0: it may again."""
        if seconds > 0:
            self._muted[account, peer] = self._monotonic() + seconds
        else:
            self._muted.pop((account, peer), None)

    def muted(self, account: str, peer: str) -> float:
        """Seconds for which an account may say nothing in a group; 0 where it may."""
        return max(0.0, self._muted.get((account, peer), 0.0) - self._monotonic()) if self._muted else 0.0

    def lists(self, account: str, peers: Iterable[str]) -> None:
        """The groups an account is in, as the platform lists them."""
        self._lists[account] = frozenset(peers)

    # Groups

    def know(self, posts: Iterable[Post]) -> list[GroupDuty]:
        """Groups as the database has them; where we are not alone also whose duty it is."""
        found: list[GroupDuty] = []
        for post in posts:
            self._ours.add(post.account)
            group = self._groups.get(post.peer)
            if group is None:
                group = self._groups[post.peer] = GroupDuty(post.peer, post.home, post.account, "")
                self._ours.add(post.home)
                if (heard := self._unknown.pop(post.peer, None)) is not None:
                    group.members, group.kept = heard.members, heard.kept
            if not self.alone:
                if post.process == self.process != group.process and post.epoch > 1:
                    group.settled_at = 0.0 if group.stays else self._monotonic() + SETTLING
                group.epoch = post.epoch
                group.account, group.process = post.account, post.process
            found.append(group)
        return found

    def find(self, peer: str) -> GroupDuty | None:
        """A group that is known."""
        return self._groups.get(peer)

    def unknown(self, peer: str) -> GroupDuty | None:
        """A group that was heard and of which the database has not told yet."""
        return self._unknown.get(peer)

    def groups(self) -> Iterable[GroupDuty]:
        """All that are known."""
        return self._groups.values()

    def home(self, account: str, peer: str) -> str | None:
        """Under which account a group is kept that this account is in. None where only the database knows;
        in a process that is alone a group nobody knew is kept under whoever hears it first."""
        group = self._groups.get(peer)
        if group is not None:
            return group.home
        if not self.alone:
            return None
        group = self._groups[peer] = GroupDuty(peer, account, account, "")
        self._ours.add(account)
        self.changed(group)
        return account

    def hears(self, account: str, peer: str) -> bool:
        """True if a line heard by this account in a group is acted on at once; else it is kept (`keep`)."""
        if not self.on_duty(account, peer):
            return False
        group = self._groups[peer]
        if group.taking_up or group.settled_at > self._monotonic():
            self.unsettled(group)
            return False
        return True

    def on_duty(self, account: str, peer: str) -> bool:
        """True if this process acts on lines of this account in a group: the account is on duty, or takes
        over from one that cannot speak."""
        group = self._groups.get(peer)
        if group is None:
            if self.home(account, peer) is None:
                self.wanted(peer)
                return False
            group = self._groups[peer]
        group.members.add(account)
        if not self.holds(group):
            if not group.process or group.process not in self.elsewhere:
                self.wanted(peer)
            return False
        return group.account == account or self._speaker(group) == account

    def holds(self, group: GroupDuty) -> bool:
        """True if this process holds the duty of a group."""
        return self.alone or (group.process == self.process and self._monotonic() < self.valid_until)

    def attended(self, group: GroupDuty) -> bool:
        """True if another process has the duty of a group, and the account that has it is connected there."""
        return group.account in self._elsewhere.get(group.process, ())

    def speaker(self, where: Conversation) -> str | None:
        """The account through which something is said there now; None where it is not ours to say."""
        if not where.is_group:
            return where.self_id
        group = self._groups.get(where.peer)
        if group is None:
            return where.self_id if self.alone else None
        return self._speaker(group) if self.holds(group) else None

    def can_speak(self, where: Conversation) -> bool:
        """True if a connected account on duty can speak there now."""
        speaker = self.speaker(where)
        return speaker is not None and speaker in self._order

    def serves(self, where: Conversation) -> bool:
        """True if scheduled work of a conversation is this process's."""
        if self.alone:
            return True
        if where.is_group:
            group = self._groups.get(where.peer)
            return group is not None and self.holds(group)
        return where.self_id in self._order or not any(
            where.self_id in all for all in self.elsewhere.values()
        )

    def candidate(self, group: GroupDuty, *, muted: bool = False) -> str | None:
        """The account of this process that could have the duty of a group."""
        for account in (group.account, group.home, *self._order[::-1]):
            if self._fit(account, group, muted=muted):
                return account
        return None

    def inside(self, account: str, group: GroupDuty) -> bool:
        """True if an account of ours is in a group, or holds it; for other processes' accounts only
        likely."""
        mine = account in (group.home, group.account) or account in group.members
        return mine or any(account in accounts for accounts in self.elsewhere.values())

    def keep_line(self, peer: str, line: KeptLine) -> None:
        """Keep what an account heard that is not on duty."""
        group = self._groups.get(peer) or self._unknown.get(peer)
        if group is None:
            group = self._unknown[peer] = GroupDuty(peer, "", line.account, "")
            group.members.add(line.account)
        if group.kept is None:
            group.kept = KeptLines()
        group.kept.add(line)

    # Ids: each account has its own of every message

    def kept_id(self, account: str, home: str, peer: str, raw: str) -> str:
        """Under which id a message is kept that an account knows as `raw`."""
        known = self._names.get((peer, account, raw)) if self._names else None
        return known or (raw if account == home else f"{account}:{raw}")

    def raw_id(self, account: str, home: str, peer: str, kept: str) -> str | None:
        """The id an account knows a message by; None where it knows none."""
        if kept.startswith(f"{account}:"):
            return kept[len(account) + 1 :]
        if self._names and (known := self._names.get((peer, f"{account}>", kept))) is not None:
            return known
        return kept if account == home and ":" not in kept else None

    def expects_id(self, account: str, home: str, peer: str, kept: str) -> bool:
        """True if an account knows no id of a message and may be about to: the duty of the group passed on a
        moment ago, and what the account heard there is still being compared with what is kept."""
        group = self._groups.get(peer)
        if group is None or self.raw_id(account, home, peer, kept) is not None:
            return False
        return group.taking_up > 0 or group.settled_at > self._monotonic()

    def alias(self, account: str, peer: str, raw: str, kept: str) -> None:
        """An account knows a message by this id that is kept under that one."""
        self._names[peer, account, raw] = kept
        self._names[peer, f"{account}>", kept] = raw
        while len(self._names) > _ALIASES:
            self._names.popitem(last=False)

    def _speaker(self, group: GroupDuty) -> str:
        """The account on duty; another of ours in the moment in which it cannot speak."""
        if self._fit(group.account, group):
            return group.account
        other = self.candidate(group)
        if other is not None:
            group.account = other
            group.settled_at = self._monotonic() + SETTLING
            self.changed(group)
        return group.account

    def _fit(self, account: str, group: GroupDuty, *, muted: bool = False) -> bool:
        if account not in self._order or (account, group.peer) in self._gone:
            return False
        if not muted and self._muted.get((account, group.peer), 0.0) > self._monotonic():
            return False
        if account in group.members:
            return True
        listed = self._lists.get(account)
        return group.peer in listed if listed is not None else account in (group.home, group.account)
