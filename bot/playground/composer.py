"""The box one writes in: text with real @s, a quote, a picture, a voice message, a poke."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from nicegui import ui

from .group import Message, Segment, World
from .parts import box, button, text
from .picture import data_url

# Enter sends, Shift+Enter breaks the line; the Enter that ends a Chinese input method's word does neither.
_ON_ENTER = """(e) => {
  if (e.key !== "Enter" || e.shiftKey || e.isComposing || e.keyCode === 229) return;
  e.preventDefault();
  emit(e.target.value);
}"""

EXAMPLES = {
    "日程": "周五下午三点开评审会",
    "记账": "午饭35，打车20",
    "提醒": "提醒我明早八点带伞",
    "闭嘴": "闭嘴",
}
"""To be said by a click: what it is about, and the words behind the bot's name."""

Say = Callable[[list[Segment]], Awaitable[object]]


class Composer:
    """Writes messages for whoever one speaks as. `compose` turns typed text into segments."""

    def __init__(
        self,
        world: World,
        *,
        compose: Callable[[str], list[Segment]],
        preview: Callable[[Message], str],
        say: Say,
        poke: Callable[[], Awaitable[None]],
    ) -> None:
        self._world = world
        self._compose = compose
        self._preview = preview
        self._say = say
        self._quoted: Message | None = None
        with box("pg-composer"):
            with box("pg-replying") as self._replying:
                self._reply_text = text("")
                button("", "pg-icon", lambda: self.quote(None), title="不引用了", sign="close")
            self._replying.set_visibility(False)
            self._input = ui.textarea().props("borderless dense autogrow rows=1").classes("pg-input")
            self._input.style("width: 100%")
            self._input.props["data-mark"] = "input"
            self._input.props["aria-label"] = "要说的话"
            self._input.on("keydown", lambda event: self._send(event.args), js_handler=_ON_ENTER)
            with box("pg-examples"):
                for label, words in EXAMPLES.items():
                    said = f"{world.bot_name} {words}"
                    button(label, "pg-example", lambda said=said: self._send(said), title=f"说：{said}")
            with box("pg-tools"):
                name = world.bot_name
                button(f"@{name}", "pg-tool", self._mention, title=f"@{name}", mark="mention")
                button("图片", "pg-tool", self._picture, title="发一张内置的图片", mark="picture")
                button("语音", "pg-tool", self._voice, title="发一条语音（占位，没有声音）", mark="voice")
                button("文件", "pg-tool", self._file, title="发一个文件（只有名字和大小）", mark="file")
                button("戳一戳", "pg-tool", poke, title=f"戳一戳{name}", mark="poke")
                box("pg-grow")
                button("发送", "pg-send", lambda: self._send(self._input.value or ""), mark="send")

    def address(self, speaker: str) -> None:
        """Say in the empty box as whom one speaks."""
        self._input.props["placeholder"] = (
            f"以「{speaker}」的身份说…（@{self._world.bot_name} 叫秘书，Enter 发送）"
        )

    def quote(self, message: Message | None) -> None:
        """Quote a message with the next one; none: no longer."""
        self._quoted = message
        self._replying.set_visibility(message is not None)
        if message is not None:
            self._reply_text.set_text(f"回复 {message.name}：{self._preview(message)}")
            self._input.run_method("focus")

    def _quote_segment(self) -> list[Segment]:
        quoted, self._quoted = self._quoted, None
        self._replying.set_visibility(False)
        if quoted is None or quoted.recalled:
            return []
        return [{"type": "reply", "data": {"id": str(quoted.message_id)}}]

    def _mention(self) -> None:
        self._input.value = f"{self._input.value or ''}@{self._world.bot_name} "
        self._input.run_method("focus")

    async def _send(self, typed: object) -> None:
        segments = self._compose(str(typed).strip())
        if not segments and self._quoted is None:
            return
        self._input.value = ""
        await self._say([*self._quote_segment(), *segments])

    async def _picture(self) -> None:
        picture: Segment = {"type": "image", "data": {"file": "sunset.png", "url": data_url(), "summary": ""}}
        typed = self._compose(str(self._input.value or "").strip())
        self._input.value = ""
        await self._say([*self._quote_segment(), *typed, picture])

    async def _voice(self) -> None:
        await self._say([{"type": "record", "data": {"file": "playground.amr", "url": ""}}])

    async def _file(self) -> None:
        data = {"file": "会议纪要.docx", "file_id": "/playground", "file_size": "24576"}
        await self._say([{"type": "file", "data": data}])
