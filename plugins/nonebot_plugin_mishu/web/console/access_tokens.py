"""访问令牌, a part of 设置: what a member gives a program of theirs; shown once, revoked by a press."""

from __future__ import annotations

from datetime import datetime

from nicegui import ui

from ...services.access import tokens
from ...services.access.actor import Actor
from ...services.access.tokens import LONGEST_LABEL, NewToken
from ...storage.access.tokens import MemberToken
from ...storage.records import Conversation
from .elements.panel import Draw, Panel, perform
from .elements.parts import (
    ask_confirmation,
    await_answer,
    box,
    button,
    empty,
    field,
    form,
    heading,
    sheet,
    text,
)
from .elements.wording import moment
from .shell.visit import Visit

ABOUT = "给你自己的程序用，比如支持 MCP 的助手：拿着它的就是你，在这个群里能做的和你一样。"


def make_token_panel(visit: Visit) -> Panel:
    """The part with the visitor's tokens."""
    panel = Panel(visit, lambda a, p: _load_tokens(visit, a, p, panel))
    return panel


async def _load_tokens(visit: Visit, actor: Actor, place: Conversation, panel: Panel) -> Draw:
    found = await tokens.list_tokens(visit.office, actor, place)

    async def create() -> None:
        made = await _create(visit)
        if made is not None:
            await panel.show()
            await _show_once(made)

    async def revoke(token: MemberToken) -> None:
        if not await ask_confirmation(f"停用「{token.label}」？用着它的程序就进不来了。", "停用"):
            return

        async def revoke_token(actor: Actor, place: Conversation, _: bool) -> None:
            await tokens.revoke_token(visit.office, actor, place, token.id)

        if await perform(visit, revoke_token, "停用了"):
            await panel.show()

    def draw_tokens() -> None:
        today = visit.office.now().date()

        def day(at: float) -> str:
            return moment(datetime.fromtimestamp(at, visit.office.zone), today)

        with box("mi-card"):
            with box("mi-row mi-between"):
                heading("访问令牌")
                button("新建令牌", create)
            text(ABOUT, "mi-soft")
            if not found:
                empty("还没有。")
            with box("mi-list"):
                for each in found:
                    used = f"，最近用过：{day(each.checked_at)}" if each.checked_at > each.created_at else ""
                    with box("mi-item"):
                        with box("mi-what"):
                            text(each.label)
                            text(f"{day(each.created_at)}建的{used}", "mi-soft")
                        with box("mi-acts"):
                            button(
                                "停用",
                                lambda each=each: revoke(each),
                                "mi-danger",
                                title=f"停用：{each.label}",
                            )

    return draw_tokens


async def _create(visit: Visit) -> NewToken | None:
    """Form for a new token; None where it was left."""
    made: list[NewToken] = []

    async def create() -> bool:
        async def create_token(actor: Actor, place: Conversation, _: bool) -> None:
            label = str(named[0].value or "")
            made.append(await tokens.create_token(visit.office, actor, place, label))

        return await perform(visit, create_token)

    def draw_fields() -> None:
        named.append(field("给谁用", mark="label", hint="比如：我的助手", longest=LONGEST_LABEL))

    named: list[ui.input] = []
    await form("新建令牌", draw_fields, create)
    return made[0] if made else None


async def _show_once(made: NewToken) -> None:
    with sheet("令牌只显示这一次") as dialog:
        text("现在就复制到你的程序里；关掉以后看不到了，丢了就停用，再建一个。")
        text(made.secret, "mi-tag").props["data-mishu"] = "token"
        with box("mi-row mi-end"):
            button("复制好了", lambda: dialog.submit(True), "mi-primary", mark="yes")
    await await_answer(dialog)
