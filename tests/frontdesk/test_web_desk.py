"""`/秘书 网页`: the link goes to who asked for it and to nobody else; 退出 closes whatever they have open."""

from __future__ import annotations

from typing import Any

import pytest
from nonebot_plugin_mishu.frontdesk.commands.web_links import IN_GROUP_ONLY, NO_PAGES, NOTHING_OPEN, SENT
from nonebot_plugin_mishu.frontdesk.private_delivery import KEPT, NOT_SENT
from nonebot_plugin_mishu.storage import DatabaseLocked
from nonebot_plugin_mishu.storage.records import Conversation
from office import Office, office
from stand_ins import BOT, FRIEND, GROUP, SendFailed
from virtual_time import virtual

ALONE = Conversation(BOT, "private", "x")
LINK = "https://bot.example/console/enter?code=c0de"


class NotedDoors:
    """Gives one link, and notes what it is asked for."""

    def __init__(self) -> None:
        self.log: list[tuple[Any, ...]] = []
        self.link: str | None = LINK
        self.open = 0
        self.broken = False

    async def invite(self, place: Conversation, user_id: str, name: str, role: str) -> str | None:
        if self.broken:
            raise DatabaseLocked
        self.log.append(("invite", place, user_id, role))
        return self.link

    async def take_back(self, link: str) -> None:
        self.log.append(("take_back", link))

    async def close_all(self, user_id: str) -> int:
        self.log.append(("close_all", user_id))
        return self.open

    async def standing_changed(self, place: Conversation, user_id: str) -> None:
        self.log.append(("standing_changed", place, user_id))

    async def close_here(self, place: Conversation, user_id: str | None = None) -> None:
        if self.broken:
            raise DatabaseLocked
        self.log.append(("close_here", place, user_id))


async def said(made: Office, words: str, **more: Any) -> list[tuple[Conversation, str]]:
    before = len(made.platform.sent)
    await made.say("x", words, **more)
    await made.pass_time(3)
    return [(where, speech.text) for where, speech in made.platform.sent[before:]]


@pytest.mark.parametrize(
    ("who", "role"),
    [
        ({"role": "member"}, "member"),
        ({"role": "admin"}, "admin"),
        ({"role": "owner"}, "owner"),
        ({"role": "member", "superuser": True}, "admin"),
    ],
)
@virtual
async def test_the_link_goes_to_who_asked_alone(who: dict[str, Any], role: str) -> None:
    doors = NotedDoors()
    async with office(doors=doors) as made:
        (there, given), (here, told) = await said(made, "/秘书 网页", **who)
        assert (there, here, told) == (ALONE, GROUP, SENT)
        assert LINK in given
        assert doors.log == [("invite", GROUP, "x", role)]
        kept = [row.text for row in made.storage.rows.values() if row.conversation == ALONE]
        assert kept == [KEPT]
        assert "c0de" not in str(made.storage.rows) + told


@pytest.mark.parametrize("perhaps", [False, True], ids=["refused", "unanswered"])
@virtual
async def test_where_nothing_can_be_sent_privately_it_says_so_and_shows_nothing(perhaps: bool) -> None:
    doors = NotedDoors()
    async with office(doors=doors) as made:
        if perhaps:
            usual = made.platform.send

            async def send(where: Conversation, speech: Any, name: str) -> str:
                if where == ALONE:
                    raise SendFailed("没有回音", perhaps=True)
                return await usual(where, speech, name)

            made.platform.send = send  # type: ignore[method-assign]
        made.platform.refused = [ALONE]
        assert await said(made, "/秘书 网页", role="member") == [(GROUP, NOT_SENT)]
        assert doors.log == [("invite", GROUP, "x", "member"), ("take_back", LINK)]
        assert "c0de" not in str(made.storage.rows) + str(made.platform.sent)


@virtual
async def test_in_private_and_where_there_are_no_pages_it_says_so() -> None:
    doors = NotedDoors()
    async with office(doors=doors) as made:
        assert await said(made, "/秘书 网页", conversation=FRIEND) == [(FRIEND, IN_GROUP_ONLY)]
        assert doors.log == []
        doors.link = None
        assert await said(made, "/秘书 网页") == [(GROUP, NO_PAGES)]
    async with office() as made:
        assert await said(made, "/秘书 网页") == [(GROUP, NO_PAGES)]


@virtual
async def test_leaving_tells_how_many_were_open() -> None:
    doors = NotedDoors()
    async with office(doors=doors) as made:
        assert await said(made, "/秘书 网页 退出") == [(GROUP, NOTHING_OPEN)]
        doors.open = 2
        ((_, told),) = await said(made, "/秘书 网页 退出", conversation=FRIEND)
        assert "2 处" in told
        assert [each[0] for each in doors.log] == ["close_all", "close_all"]


@virtual
async def test_a_database_in_trouble_gives_no_link_and_stops_no_notice() -> None:
    doors = NotedDoors()
    doors.broken = True
    async with office(doors=doors) as made:
        ((where, told),) = await said(made, "/秘书 网页")
        assert where == GROUP
        assert "http" not in told
        await made.desk.notices.went(GROUP, "x")
        assert [what for what, _ in made.reports if "网页" in what] == ["网页没有退出"]


@virtual
async def test_notices_reach_the_doors() -> None:
    doors = NotedDoors()
    async with office(doors=doors) as made:
        await made.desk.notices.standing_changed(GROUP, "x")
        await made.desk.notices.went(GROUP, "x")
        await made.desk.notices.left(GROUP)
    assert doors.log == [
        ("standing_changed", GROUP, "x"),
        ("close_here", GROUP, "x"),
        ("close_here", GROUP, None),
    ]
