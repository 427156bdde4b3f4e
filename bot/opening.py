"""Opening lines of the bot: its addresses, model and database, and what is off with the reason."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from nonebot_plugin_mishu.config import Config

PATH = "/onebot/v11/ws"


@dataclass(frozen=True, slots=True)
class Opening:
    """Start options of the bot, beside its configuration."""

    authority: str
    """`host:port` under which this machine reaches it."""
    everywhere: bool
    """True if other machines reach it too."""
    token: bool
    """True if an account needs ONEBOT_ACCESS_TOKEN."""
    dials: int
    """Addresses that it connects to by itself (ONEBOT_WS_URLS)."""
    database: str
    page: str | None
    """The path of the page; None where it is not installed."""
    names: tuple[str, ...]
    metrics: bool
    """True if /metrics is served."""
    adapters: tuple[str, ...] = ("onebot_v11",)
    """Platforms, as MISHU__BOT__ADAPTERS names them."""


def lines(opening: Opening, config: Config) -> list[str]:
    """A few lines for the log, in Chinese, without secrets."""
    off = _off(opening, config)
    return [
        _page_address(opening, config),
        *([_onebot(opening)] if "onebot_v11" in opening.adapters else []),
        *(_OTHERS[name] for name in opening.adapters if name in _OTHERS),
        "账号：还没有连上的，连上时这里会写 Bot 账号 connected"
        + (f"；正在去连 ONEBOT_WS_URLS 里的 {opening.dials} 个地址" if opening.dials else ""),
        f"数据库：{opening.database}",
        _model(config),
        *([f"没有开：{'；'.join(off)}"] if off else []),
    ]


_OTHERS = {
    "qq": "QQ 官方机器人：机器人自己去连，账号写在 QQ_BOTS",
    "milky": "Milky：机器人自己去连，地址写在 MILKY_CLIENTS",
}
"""Where the accounts of the other platforms are written."""


def _page_address(opening: Opening, config: Config) -> str:
    if opening.page is None and "onebot_v11" not in opening.adapters:
        return "试用台：没有，它走 OneBot，MISHU__BOT__ADAPTERS 里没有 onebot_v11"
    if opening.page is None:
        return "网页：没有，因为没有装 nicegui"
    who = "用令牌 MISHU__WEB__TOKEN 登录" if config.web.token is not None else "只有本机打得开"
    return f"试用台：http://{opening.authority}{opening.page} （不用 QQ 就能试，{who}）"


def _onebot(opening: Opening) -> str:
    token = "令牌是 ONEBOT_ACCESS_TOKEN" if opening.token else "不用令牌"
    other = "，从别的机器连时换成这台机器的地址" if opening.everywhere else ""
    return f"连接 QQ：让 OneBot 实现用反向 WebSocket 连 ws://{opening.authority}{PATH} （{token}{other}）"


def _model(config: Config) -> str:
    llm = config.llm
    if not llm.online:
        keys = "、".join(f"MISHU__LLM__{key}" for key in ("BASE_URL", "API_KEY", "MODEL"))
        return f"模型：没有接，只用本地规则；要接请写 {keys}"
    where = urlsplit(llm.base_url).hostname if llm.base_url else "api.openai.com"
    return f"模型：{llm.model}（{where}）"


def _off(opening: Opening, config: Config) -> list[str]:
    off: list[str] = []
    if not (opening.names or config.frontdesk.wake_words):
        off.append("叫名字（没有写 NICKNAME，只认 @、回复和戳一戳）")
    if config.llm.online:
        for what, key, model in (
            ("看图", "VISION_MODEL", config.llm.vision_model),
            ("听语音", "TRANSCRIBE_MODEL", config.llm.transcribe_model),
            ("念出来", "SPEECH_MODEL", config.llm.speech_model),
        ):
            if model is None:
                off.append(f"{what}（没有写 MISHU__LLM__{key}）")
    if not opening.metrics:
        off.append("指标 /metrics（没有装 prometheus-client）")
    if config.backup.daily is None:
        off.append("每日备份（没有写 MISHU__BACKUP__DAILY）")
    return off
