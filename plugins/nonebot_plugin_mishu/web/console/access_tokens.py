"""访问令牌, a part of 设置: access tokens of a member's programs; shown once, revoked by a press."""

from __future__ import annotations

from datetime import datetime

from nicegui import ui

from ...services.access import tokens
from ...services.access.actor import Actor, Write
from ...services.access.tokens import LONGEST_LABEL, NewToken
from ...storage.access.tokens import MemberToken
from ...storage.records import Conversation
from .elements.panel import Panel, perform
from .elements.parts import ask_confirmation, await_answer, box, button, card, empty, field, form, sheet, text
from .elements.wording import moment

ABOUT = "给你自己的程序用，比如支持 MCP 的助手：拿着它的就是你，在这个群里能做的和你一样。"


async def draw_tokens(panel: Panel, actor: Actor, place: Conversation) -> None:
    """Draw the visitor's tokens."""
    office = panel.visit.office
    found = await tokens.list_tokens(office, actor, place)
    today = office.now().date()

    def day(at: float) -> str:
        return moment(datetime.fromtimestamp(at, office.zone), today)

    async def revoke(token: MemberToken) -> None:
        if await ask_confirmation(f"停用「{token.label}」？用着它的程序就进不来了。", "停用"):
            await panel.perform(
                lambda write, place: tokens.revoke_token(office, write.actor, place, token.id), "停用了"
            )

    with card("访问令牌", lambda: button("新建令牌", lambda: _create_token(panel))):
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
                        title = f"停用：{each.label}"
                        button("停用", lambda each=each: revoke(each), "mi-danger", title=title)


async def _create_token(panel: Panel) -> None:
    """Form for a new token, which is then shown."""
    made: list[NewToken] = []
    inputs: list[ui.input] = []

    async def create_token(write: Write, place: Conversation) -> None:
        label = str(inputs[0].value or "")
        made.append(await tokens.create_token(panel.visit.office, write.actor, place, label))

    def draw_fields() -> None:
        inputs.append(field("给谁用", mark="label", hint="比如：我的助手", longest=LONGEST_LABEL))

    if not await form("新建令牌", draw_fields, lambda: perform(panel.visit, create_token)):
        return
    await panel.show()
    with sheet("令牌只显示这一次") as dialog:
        text("现在就复制到你的程序里；关掉以后看不到了，丢了就停用，再建一个。")
        text(made[0].secret, "mi-tag").props["data-mishu"] = "token"
        with box("mi-row mi-end"):
            button("复制好了", lambda: dialog.submit(True), "mi-primary", mark="yes")
    await await_answer(dialog)
