"""The page: chat in the middle, groups and members left, the front desk right. All of NiceGUI is here and
in the modules it draws with; nothing else of the playground knows it.
"""

from __future__ import annotations

from nicegui import ui
from starlette.requests import Request

from .chat import ChatView, plain
from .composer import Composer
from .group import Change, Group, Message, Segment
from .look import STYLE
from .model import ModelPill
from .panel import DeskPanel
from .parts import box, button, text
from .roster import Roster
from .session import Session

TITLE = "Mishu 试用台"
DARK = "mishu_dark"
"""The cookie that keeps whether pages are dark, one with the console's (`web.console.shell.frame`)."""

_LINKS = {"connected": ("已连接机器人", "good"), "connecting": ("正在连接机器人…", "warn")}


class Page:
    """One open page: which group it shows, as whom it speaks, and everything drawn on it."""

    def __init__(self, session: Session, *, dark: bool | None = None) -> None:
        """`dark` as it was chosen; None: as the machine likes it."""
        self._session = session
        self._dark = ui.dark_mode(dark)
        world = session.world
        self.group: Group = next(iter(world.groups.values()))
        self.speaker: int = self._first_speaker(self.group)
        self.unread: set[int] = set()
        with box("pg") as self._whole:
            self._top()
            self._roster = Roster(session, self)
            with box("pg-main", "main"):
                with box("pg-chathead"):
                    self._name = ui.element("b")
                    with self._name:
                        self._name_text = ui.label()
                    self._count = text("", "pg-hint")
                self._chat = ChatView(
                    world,
                    session.settings.zone,
                    on_reply=lambda each: self._composer.quote(each),
                    on_recall=self._recall,
                    on_repeat=self._repeat,
                )
                with box("pg-busy") as self._busy:
                    box("pg-dot info")
                    self._busy_text = text("")
                self._composer = Composer(
                    world,
                    compose=lambda typed: world.compose(self.group, typed),
                    preview=lambda each: plain(world, self.group, each.segments),
                    say=self._say,
                    poke=lambda: session.poke(self.group, self.speaker),
                )
            with box("pg-desk", "aside"):
                self._panel = DeskPanel(self._message_text, self._session.world.now)
        self.take(self.group)
        ui.timer(1.0, self._tick)
        stop_listening = world.listen(self._on_change)
        leave = session.enter(self._refresh)
        ui.context.client.on_delete(stop_listening)
        ui.context.client.on_delete(leave)

    @staticmethod
    def _first_speaker(group: Group) -> int:
        ordinary = (each.user_id for each in group.members.values() if each.role == "member")
        return next(ordinary, next(iter(group.members)))

    def _top(self) -> None:
        with box("pg-top", "header"):
            with box("pg-title", "h1"):
                text(TITLE)
            text("这里的群是模拟的，消息经过真实的 OneBot 连接", "pg-hint")
            box("pg-grow")
            self._model = ModelPill(self._session)
            with box("pg-pill"):
                self._link_dot, self._link = box("pg-dot"), text("…")
            self._link.props["data-mark"] = "link"
            button("前台", "pg-icon pg-phone", self._turn_desk, title="看看前台怎么想的", mark="desk")
            if self._session.settings.data_dir is not None:
                with ui.element("a").classes("pg-icon pg-back") as back:
                    ui.label("控制台")
                back.props["href"] = "../console"
                back.props["title"] = "回到控制台"
            button("", "pg-icon", self._turn_dark, title="深色或浅色", mark="dark", sign="contrast")

    def _turn_dark(self) -> None:
        """Dark or light, kept for the pages of the console too."""
        wanted = self._dark.value is not True
        self._dark.value = wanted
        ui.run_javascript(f"document.cookie='{DARK}={int(wanted)};path=/;max-age=31536000;SameSite=Strict'")

    def _turn_desk(self) -> None:
        self._whole.classes(toggle="desk")

    # -- what is shown -------------------------------------------------------------------------------------

    def take(self, group: Group, speaker: int | None = None) -> None:
        """Go to a group, or become another member of it."""
        if speaker is None:
            stays = group is self.group and self.speaker in group.members
            speaker = self.speaker if stays else self._first_speaker(group)
        if group is not self.group:
            self._composer.quote(None)
        self.group, self.speaker = group, speaker
        self.unread.discard(group.group_id)
        self._roster.show()
        self._chat.show(group, speaker)
        self._heading()
        self._refresh()

    def _heading(self) -> None:
        self._name_text.set_text(self.group.name)
        self._count.set_text(f"群号 {self.group.group_id} · {len(self.group.members)} 位成员和秘书")
        self._composer.address(self._session.world.name_of(self.group, self.speaker))

    def _on_change(self, change: Change) -> None:
        self._chat.change(change)
        if change.kind == "line" and change.group_id not in self.unread | {self.group.group_id}:
            self.unread.add(change.group_id)
            self._roster.show()
        if change.kind == "groups" or (change.kind == "members" and change.group_id == self.group.group_id):
            if self.speaker not in self.group.members:
                self.take(self.group)
            else:
                self._roster.show()
                self._heading()

    def _refresh(self) -> None:
        session = self._session
        self._panel.show(session.desk.view(self.group.group_id))
        name, colour = _LINKS.get(session.link.status, (session.link.trouble or "没有连接", "bad"))
        self._link.set_text(name)
        self._link_dot.classes(replace=f"pg-dot {colour}")
        self._model.show(session.desk.health or {})
        held = int((session.desk.view(self.group.group_id).presence or {}).get("held") or 0)
        self._busy.set_visibility(self._panel.busy)
        waiting = f"，{held} 条在等" if held else ""
        self._busy_text.set_text(f"{session.world.bot_name}正在处理{waiting}…")

    def _tick(self) -> None:
        self._panel.tick()
        group = self.group
        if group.muted_until and group.muted_until <= self._session.world.now():
            group.muted_until = 0.0
            self._roster.show()

    def _message_text(self, message_id: str) -> str:
        if message_id.startswith("poke"):
            return "戳一戳"
        message = self._session.world.find(int(message_id)) if message_id.isdigit() else None
        if message is None:
            return ""
        what = "（已撤回）" if message.recalled else plain(self._session.world, self.group, message.segments)
        return f"{message.name}：{what}"

    # -- what is done --------------------------------------------------------------------------------------

    async def _say(self, segments: list[Segment]) -> None:
        if segments and self.speaker in self.group.members:
            await self._session.say(self.group, self.speaker, segments)

    async def _recall(self, message: Message) -> None:
        if self._session.world.may_recall(message, self.speaker):
            await self._session.recall(message, self.speaker)

    async def _repeat(self, message: Message) -> None:
        said = [each for each in message.segments if each["type"] not in ("reply", "forward")]
        await self._say(said)


def declare(session: Session, path: str) -> None:
    """Say that the page is at this path inside NiceGUI."""

    @ui.page(path, title=TITLE, favicon="🗒️", dark=None)
    def index(request: Request) -> None:  # pyright: ignore[reportUnusedFunction]
        ui.add_css(STYLE)
        Page(session, dark={"1": True, "0": False}.get(request.cookies.get(DARK, "")))
