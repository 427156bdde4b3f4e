"""Access tokens of members: made, shown once, revoked, asked anew, ended with their member."""

from __future__ import annotations

from dataclasses import dataclass

import httpx
import pytest
import pytest_asyncio
from fastapi import FastAPI
from nonebot_plugin_mishu.frontdesk.rooms.rosters import NoRosters, Standing
from nonebot_plugin_mishu.services.access import tokens
from nonebot_plugin_mishu.services.access.actor import OWNER, Actor
from nonebot_plugin_mishu.services.access.page_access import PageAccess
from nonebot_plugin_mishu.services.access.sessions import Sessions
from nonebot_plugin_mishu.services.access.standing import ASKED_ANEW
from nonebot_plugin_mishu.services.access.tokens import MOST, PREFIX, MemberTokens, NewToken
from nonebot_plugin_mishu.services.refusals import Refused
from nonebot_plugin_mishu.storage.access.token_tables import member_token
from nonebot_plugin_mishu.storage.records import Conversation
from nonebot_plugin_mishu.web.mcp import mounting
from pydantic import SecretStr
from shared_app import share_app
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from .conftest import GROUP, MING, PLACE, YA, Running

ELSEWHERE = Conversation(PLACE.self_id, "group", "777002")
MEMBER = Actor("member", MING, GROUP, "小明")


class Platform(NoRosters):
    """Says what somebody is."""

    says: Standing = "member"

    async def standing(self, conversation: Conversation, user_id: str) -> Standing:
        return self.says


@dataclass
class Access:
    """The API with members' tokens, over one running plugin."""

    running: Running
    platform: Platform
    tokens: MemberTokens
    doors: PageAccess

    async def create(self, actor: Actor = MEMBER, label: str = "助手") -> NewToken:
        return await tokens.create_token(self.running.office, actor, PLACE, label)

    async def get(
        self, token: str, path: str = f"/v1/groups/{GROUP}/schedules", *, owner: str = ""
    ) -> httpx.Response:
        """Ask from another machine, with a token."""
        console = self.running.runtime.console
        assert console is not None
        api = share_app(
            console,
            token=SecretStr(owner) if owner else None,
            office=self.running.office,
            tokens=self.tokens,
        )
        app = FastAPI(openapi_url=None)
        app.mount("/api", api)
        transport = httpx.ASGITransport(app, client=("203.0.113.9", 50_000))
        headers = {"Authorization": f"Bearer {token}"}
        async with httpx.AsyncClient(
            transport=transport, base_url="http://bot.example", headers=headers
        ) as http:
            return await http.get(f"/api{path}")

    async def rows(self) -> str:
        """Everything that is stored of tokens."""
        storage = self.running.office.storage

        async def read(connection: AsyncConnection) -> str:
            return str((await connection.execute(select(member_token))).all())

        return await storage._database.read(read)  # pyright: ignore[reportPrivateUsage]


@pytest_asyncio.fixture(loop_scope="session")
async def access(running: Running) -> Access:
    storage, platform = running.office.storage, Platform()
    held = MemberTokens(storage.tokens, running.clock, platform)
    sessions = Sessions(storage.sessions, running.clock, platform, lambda: None)
    return Access(running, platform, held, PageAccess(sessions, lambda: None, None, held))


async def test_a_token_opens_what_is_its_members_and_is_stored_as_a_hash(access: Access) -> None:
    made = await access.create()
    assert made.secret.startswith(PREFIX)
    assert made.secret not in await access.rows()
    assert "助手" in await access.rows()
    for owner in ("", "owner-token-of-the-bot"):
        assert (await access.get(made.secret, owner=owner)).status_code == 200
        assert (await access.get(made.secret, "/v1/groups/777002/schedules", owner=owner)).status_code == 403
        assert (await access.get(made.secret, f"/v1/tasks?user_id={YA}", owner=owner)).status_code == 403
        for wrong in (made.secret[:-1], made.secret + "x", PREFIX + "x" * 43, PREFIX, "x"):
            assert (await access.get(wrong, owner=owner)).status_code == 403, wrong
    # An owner's token may begin as members' do.
    odd = PREFIX + "y" * 43
    assert (await access.get(odd, "/v1/groups/777002/schedules", owner=odd)).status_code == 404


async def test_revoked_tokens_open_nothing_and_nobody_revokes_anothers(access: Access) -> None:
    mine, hers = await access.create(), await access.create(Actor("admin", YA, GROUP, "小雅"))
    office = access.running.office
    assert [each.label for each in await tokens.list_tokens(office, MEMBER, PLACE)] == ["助手"]
    for actor, place in ((MEMBER, PLACE), (Actor("admin", YA, "777002"), ELSEWHERE)):
        with pytest.raises(Refused, match="没有这个令牌"):
            await tokens.revoke_token(office, actor, place, hers.token.id)
    await tokens.revoke_token(office, MEMBER, PLACE, mine.token.id)
    assert (await access.get(mine.secret)).status_code == 403
    assert (await access.get(hers.secret)).status_code == 200


@pytest.mark.parametrize(
    ("actor", "place", "label", "why"),
    [
        (OWNER, PLACE, "助手", "MISHU__WEB__TOKEN"),
        (MEMBER, ELSEWHERE, "助手", "这不是你所在的群"),
        (MEMBER, PLACE, "  ", "给谁用"),
        (MEMBER, PLACE, "长" * 41, "最多 40 个字"),
    ],
)
async def test_what_makes_no_token(
    access: Access, actor: Actor, place: Conversation, label: str, why: str
) -> None:
    with pytest.raises(Refused, match=why):
        await tokens.create_token(access.running.office, actor, place, label)
    assert await access.rows() == "[]"


async def test_a_member_has_five_at_most(access: Access) -> None:
    for _ in range(MOST):
        await access.create()
    with pytest.raises(Refused, match="先停用一个"):
        await access.create()
    await access.create(Actor("member", YA, GROUP, "小雅"))


async def test_the_role_is_asked_anew_every_hour(access: Access) -> None:
    made = await access.create(Actor("admin", YA, GROUP, "小雅"))
    actor = await access.tokens.actor(made.secret)
    assert actor is not None
    assert actor.role == "admin"
    access.running.clock.ahead = ASKED_ANEW
    access.platform.says = "unknown"
    assert (await access.get(made.secret)).status_code == 503
    access.platform.says = "member"
    access.tokens = MemberTokens(access.running.office.storage.tokens, access.running.clock, access.platform)
    actor = await access.tokens.actor(made.secret)
    assert actor is not None
    assert (actor.role, actor.user_id, actor.group_id) == ("member", YA, GROUP)
    access.running.clock.ahead = 2 * ASKED_ANEW
    access.platform.says = "gone"
    assert (await access.get(made.secret)).status_code == 403
    assert await access.rows() == "[]"


async def test_tokens_end_with_their_member(access: Access) -> None:
    storage = access.running.office.storage
    for end in (
        lambda: access.doors.close_here(PLACE, MING),
        lambda: access.doors.close_here(PLACE),
        lambda: access.doors.close_all(MING),
        lambda: storage.members.delete_member(PLACE, MING),
    ):
        made = await access.create()
        assert await access.tokens.actor(made.secret) is not None
        await end()
        assert await access.tokens.actor(made.secret) is None
    made = await access.create()
    await access.doors.close_here(PLACE, YA)
    await access.doors.close_here(ELSEWHERE)
    assert await access.tokens.actor(made.secret) is not None
    kept = (await storage.members.export(PLACE, MING)).rows["member_token"]
    assert [each["label"] for each in kept] == ["助手"]
    assert "digest" not in kept[0]


async def test_a_change_of_standing_is_asked_about_at_the_next_request(access: Access) -> None:
    made = await access.create(Actor("admin", MING, GROUP, "小明"))
    access.platform.says = "member"
    await access.doors.standing_changed(PLACE, MING)
    actor = await access.tokens.actor(made.secret)
    assert actor is not None
    assert actor.role == "member"


async def test_without_the_extra_nothing_is_mounted(access: Access, monkeypatch: pytest.MonkeyPatch) -> None:
    console, app = access.running.runtime.console, FastAPI()
    assert console is not None
    before = list(app.router.routes)

    def mount() -> mounting.McpDoor | None:
        return mounting.mount(
            app,
            console,
            access.running.office,
            token=None,
            sessions=None,
            tokens=access.tokens,
            proxies=None,
            version="0",
            report=lambda what, error: None,
        )

    monkeypatch.setattr(mounting, "find_spec", lambda name: None)  # type: ignore[misc]
    assert mount() is None
    assert list(app.router.routes) == before
    monkeypatch.undo()
    door = mount()
    assert door is not None
    assert len(app.router.routes) == len(before) + 1
    await door.close()
    transport = httpx.ASGITransport(app, client=("127.0.0.1", 50_000))
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as http:
        assert (await http.post("/mcp", json={})).status_code == 503, "closed before it was asked for"
