"""OneBot's harness room as a `Chat`."""

from __future__ import annotations

from collections.abc import Callable

from ..harness import Chat as Room
from ..harness import Member, OneBotClient, Said, Sent
from ..harness.segments import at, reply
from .chat import Line, Seen, Someone


class OneBotChat:
    """A group, or a friend's conversation, over OneBot v11."""

    recalls = True
    buttons = False
    publishes = True

    def __init__(self, client: OneBotClient, room: Room | None = None) -> None:
        self.client = client
        self.room = room or client.room()
        self.id = self.room.id
        self._members: dict[str, Member] = {}
        self._said: dict[str, Said] = {}

    def member(self, name: str, role: str = "member") -> Someone:
        made = self.room.member(name, role=role)
        self._members[str(made.user_id)] = made
        return Someone(str(made.user_id), name, role)

    async def say(self, who: Someone, text: str) -> Line:
        return self._keep(who, text, await self.room.say(self._whom(who), text))

    async def call(self, who: Someone, text: str) -> Line:
        return self._keep(
            who, text, await self.room.say(self._whom(who), at(self.client.self_id), f" {text}")
        )

    async def quote(self, who: Someone, seen: Seen, text: str) -> Line:
        return self._keep(who, text, await self.room.say(self._whom(who), reply(int(seen.id)), text))

    async def press(self, who: Someone, seen: Seen, label: str) -> None:
        """There are no buttons: the words are said, quoting."""
        await self.quote(who, seen, label)

    async def recall(self, line: Line) -> None:
        await self.room.recall(self._said[line.id])

    def make_admin(self) -> None:
        row = {"group_id": int(self.id), "user_id": int(self.client.self_id), "role": "admin"}
        self.client.platform.members[self.id, self.client.self_id] = row

    def announcements(self) -> list[str]:
        return self.client.platform.announcements[self.id]

    async def expect(
        self, matching: str | Callable[[Seen], bool] | None = None, within: float = 12.0
    ) -> Seen:
        if callable(matching):
            test = matching
            return _seen(await self.room.expect(lambda sent: test(_seen(sent)), within=within))
        return _seen(await self.room.expect(matching, within=within))

    def left(self) -> list[Seen]:
        return [_seen(sent) for sent in self.room.left()]

    def take_all(self) -> None:
        for sent in self.room.left():
            sent.taken = True

    def alone(self, who: Someone) -> OneBotChat:
        made = OneBotChat(self.client, self.client.friend(int(who.id), who.name))
        made._members[who.id] = Member(int(who.id), who.name)
        return made

    def _whom(self, who: Someone) -> Member | None:
        return None if self.room.friend is not None else self._members[who.id]

    def _keep(self, who: Someone, text: str, said: Said) -> Line:
        self._said[said.id] = said
        return Line(said.id, who, text)


def _seen(sent: Sent) -> Seen:
    pictures = sum(part["type"] == "image" for part in sent.segments)
    return Seen(str(sent.message_id), sent.text.strip(), sent.ats, [], pictures)
