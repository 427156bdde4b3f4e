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
    """Duty of one group. `process`: id of the process that holds it; empty where none does, and always in a
    process that is alone."""

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
    """Taken again for the account that had it before, so that its message ids stay valid."""
    opening: bool = False
    """Taken a moment ago: its open questions and the lines left there are being read. What is heard now is
    kept, and taken up behind what was kept before."""
    taking_up: int = 0
    """Number of comparisons with the database under way; lines heard now wait behind them."""
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
        self._connected: list[str] = []
        self.away: dict[str, float] = {}
        """Accounts that went, and since when (monotonic)."""
        self._removed: set[tuple[str, str]] = set()
        self._muted: dict[tuple[str, str], float] = {}
        self._lists: dict[str, frozenset[str]] = {}
        self._groups: dict[str, GroupDuty] = {}
        self._unknown: dict[str, GroupDuty] = {}
        """Groups that are not read from the database yet; their home is empty."""
        self._ours: set[str] = set()
        """Every account that is or was ours. None is removed: a line of an account may be read long after its
        process ended (`KEPT`), and is no talk of a member then either."""
        self._aliases: OrderedDict[tuple[str, str, str], str] = OrderedDict()
        """(group, account, the account's message id): ledger id; and (group, "account>", ledger id): its."""
        self.changed: Callable[[GroupDuty], None] = lambda group: None
        """Called with a group that is new, or whose account on duty changed, in a process that is alone."""
        self.unsettled: Callable[[GroupDuty], None] = lambda group: None
        """Called when a line is heard in a group whose duty passed on less than `SETTLING` seconds ago."""
        self.wanted: Callable[[str], None] = lambda peer: None
        """Called with the number of a group that we hear and whose duty may be free."""

    # What the platform tells

    def connect(self, account: str) -> None:
        """Add a connected account; the newest is last."""
        self.away.pop(account, None)
        self._ours.add(account)
        self._connected = [*(known for known in self._connected if known != account), account]

    def disconnect(self, account: str) -> None:
        """Remove an account. Another one of this process takes over groups in which it heard lines lately:
        the removed account may have missed them."""
        if account in self._connected:
            self.away[account] = self._monotonic()
        self._connected = [known for known in self._connected if known != account]
        for group in self._groups.values():
            self._pass_on(account, group)

    def accounts(self) -> list[str]:
        """Connected accounts of this process, newest first."""
        return self._connected[::-1]

    def ours(self) -> set[str]:
        """Every account that is or was ours, here or in another process."""
        return self._ours

    @property
    def elsewhere(self) -> Mapping[str, Collection[str]]:
        """The accounts of the other processes that are alive, by process."""
        return self._elsewhere

    @elsewhere.setter
    def elsewhere(self, processes: Mapping[str, Collection[str]]) -> None:
        self._elsewhere = processes
        self._ours.update(*processes.values())

    def note_entered(self, account: str, peer: str) -> None:
        """Note that an account is in a group: it was let in, or heard there."""
        if self._removed:
            self._removed.discard((account, peer))
        group = self._groups.get(peer)
        if group is not None:
            group.members.add(account)

    def note_left(self, account: str, peer: str) -> None:
        """Note that an account was removed from a group. Another one takes over, as at a disconnection."""
        self._removed.add((account, peer))
        group = self._groups.get(peer)
        if group is not None:
            group.members.discard(account)
            self._pass_on(account, group)

    def is_gone(self, account: str, peer: str) -> bool:
        """True if an account was removed from a group."""
        return (account, peer) in self._removed

    def mute(self, account: str, peer: str, seconds: float) -> None:
        """Note that an account is muted in a group for so many seconds; 0 ends the mute. Another one takes
        over, as at a disconnection."""
        if seconds > 0:
            self._muted[account, peer] = self._monotonic() + seconds
            if (group := self._groups.get(peer)) is not None:
                self._pass_on(account, group)
        else:
            self._muted.pop((account, peer), None)

    def muted(self, account: str, peer: str) -> float:
        """Seconds left of an account's mute in a group; 0 where there is none."""
        return max(0.0, self._muted.get((account, peer), 0.0) - self._monotonic()) if self._muted else 0.0

    def set_group_list(self, account: str, peers: Iterable[str]) -> None:
        """Set the groups an account is in, as the platform lists them."""
        self._lists[account] = frozenset(peers)

    # Groups

    def set_posts(self, posts: Iterable[Post]) -> list[GroupDuty]:
        """Take in groups from the database, with their holders unless we are alone; the groups."""
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
        """The group's duty; None where it is not read from the database."""
        return self._groups.get(peer)

    def unknown(self, peer: str) -> GroupDuty | None:
        """A group that was heard and is not read from the database yet."""
        return self._unknown.get(peer)

    def groups(self) -> Iterable[GroupDuty]:
        """Every group read from the database."""
        return self._groups.values()

    def home(self, account: str, peer: str) -> str | None:
        """Home account of a group that this account is in: the one it is stored under.

        None where only the database knows. In a process that is alone the first account to hear a new group
        becomes its home.
        """
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
        """True if a line heard by this account in a group is acted on at once; else the caller keeps it
        (`keep_line`)."""
        if not self.on_duty(account, peer):
            return False
        group = self._groups[peer]
        if group.opening:
            return False
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

    def is_attended(self, group: GroupDuty) -> bool:
        """True if another process holds the duty of a group, and its account on duty is connected."""
        return group.account in self._elsewhere.get(group.process, ())

    def speaker(self, where: Conversation) -> str | None:
        """The account that speaks in a conversation now; None where another process does."""
        if not where.is_group:
            return where.self_id
        group = self._groups.get(where.peer)
        if group is None:
            return where.self_id if self.alone else None
        return self._speaker(group) if self.holds(group) else None

    def can_speak(self, where: Conversation) -> bool:
        """True if a connected account on duty can speak there now."""
        speaker = self.speaker(where)
        return speaker is not None and speaker in self._connected

    def serves(self, where: Conversation) -> bool:
        """True if scheduled work of a conversation is this process's."""
        if self.alone:
            return True
        if where.is_group:
            group = self._groups.get(where.peer)
            return group is not None and self.holds(group)
        return where.self_id in self._connected or not any(
            where.self_id in all for all in self.elsewhere.values()
        )

    def candidate(self, group: GroupDuty, *, muted: bool = False) -> str | None:
        """The account of this process that can take the duty of a group; `muted`: also one that is muted."""
        for account in (group.account, group.home, *self._connected[::-1]):
            if self._may_speak(account, group, muted=muted):
                return account
        return None

    def is_inside(self, account: str, group: GroupDuty) -> bool:
        """True if an account of ours is in a group, or holds it; a guess for other processes' accounts."""
        mine = account in (group.home, group.account) or account in group.members
        return mine or any(account in accounts for accounts in self.elsewhere.values())

    def keep_line(self, peer: str, line: KeptLine) -> None:
        """Keep a line heard by an account that is not on duty."""
        group = self._groups.get(peer) or self._unknown.get(peer)
        if group is None:
            group = self._unknown[peer] = GroupDuty(peer, "", line.account, "")
            group.members.add(line.account)
        if group.kept is None:
            group.kept = KeptLines()
        group.kept.add(line)

    # Ids: each account has its own of every message

    def kept_id(self, account: str, home: str, peer: str, raw: str) -> str:
        """Ledger id of a message that an account knows by the id `raw`."""
        known = self._aliases.get((peer, account, raw)) if self._aliases else None
        return known or (raw if account == home else f"{account}:{raw}")

    def raw_id(self, account: str, home: str, peer: str, kept: str) -> str | None:
        """The account's own id of a message with the ledger id `kept`; None where it has none."""
        if kept.startswith(f"{account}:"):
            return kept[len(account) + 1 :]
        if self._aliases and (known := self._aliases.get((peer, f"{account}>", kept))) is not None:
            return known
        return kept if account == home and ":" not in kept else None

    def expects_id(self, account: str, home: str, peer: str, kept: str) -> bool:
        """True if an account knows no id of a message and may be about to: the duty of the group passed on a
        moment ago, and what the account heard there is still being compared with what is kept."""
        group = self._groups.get(peer)
        if group is None or self.raw_id(account, home, peer, kept) is not None:
            return False
        return group.opening or group.taking_up > 0 or group.settled_at > self._monotonic()

    def add_alias(self, account: str, peer: str, raw: str, kept: str) -> None:
        """Note the account's own id (`raw`) of a message with the ledger id `kept`."""
        self._aliases[peer, account, raw] = kept
        self._aliases[peer, f"{account}>", kept] = raw
        while len(self._aliases) > _ALIASES:
            self._aliases.popitem(last=False)

    def _pass_on(self, account: str, group: GroupDuty) -> None:
        """Pass on the duty of a group whose account cannot speak any more, if another one of this process
        heard lines there lately: what nobody has taken up yet nobody else would ask for."""
        if group.account == account and group.kept is not None and len(group.kept) and self.holds(group):
            self._speaker(group)

    def _speaker(self, group: GroupDuty) -> str:
        """The account on duty; another one of ours takes over as soon as it cannot speak."""
        if self._may_speak(group.account, group):
            return group.account
        other = self.candidate(group)
        if other is not None:
            group.account = other
            group.settled_at = self._monotonic() + SETTLING
            self.changed(group)
        return group.account

    def _may_speak(self, account: str, group: GroupDuty, *, muted: bool = False) -> bool:
        if account not in self._connected or (account, group.peer) in self._removed:
            return False
        if not muted and self._muted.get((account, group.peer), 0.0) > self._monotonic():
            return False
        if account in group.members:
            return True
        listed = self._lists.get(account)
        return group.peer in listed if listed is not None else account in (group.home, group.account)
