"""The one configuration object: every `MISHU__SECTION__KEY`, its default, and what it allows.

Each field carries a sentence for `.env.example` and the documentation (`description`) and says what it
allows (`allowed`), so that a wrong value is answered with one line that names the key, the value and the
allowed values. Second-valued keys take fractions. Reading the keys from the environment is
`settings.py`'s subject; this module knows only values.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, cast
from zoneinfo import ZoneInfo

from pydantic import Field, PrivateAttr, SecretStr, field_validator, model_validator

from .fields import (
    NETWORKS,
    ORIGINS,
    PRICES,
    RATES,
    ROUNDING,
    WORDS,
    Currency,
    ModelName,
    Network,
    Origin,
    Rate,
    Section,
    Word,
    Yuan,
    count,
    field,
    seconds,
)
from .owner_choices import DAILY, GROUP_DAILY, Chosen


class GroupsConfig(Section):
    mode: Literal["all", "allow", "deny"] = field(
        "all", "all、allow 或 deny", "哪些群启用：全部、只有名单内、名单外"
    )
    ids: list[str] = field([], '群号的 JSON 列表，如 ["12345"]', "名单")

    @field_validator("ids", mode="before")
    @classmethod
    def _numbers_are_ids(cls, value: Any) -> Any:
        if isinstance(value, list):
            return [str(item) if isinstance(item, int) else item for item in cast("list[Any]", value)]
        return value


class FrontDeskConfig(Section):
    ledger_size: int = count(1000, "每个会话留在内存里的消息数", 10, 100_000)
    wake_words: list[Word] = field([], WORDS, "NICKNAME 之外的唤醒词")
    silence_words: list[Word] = field(["闭嘴"], WORDS, "静音词")
    speak_words: list[Word] = field(["张嘴"], WORDS, "解除静音的词")
    silence_seconds: float = seconds(600, "静音多久（秒）")
    silence_by: Literal["everyone", "admins"] = field("everyone", "everyone 或 admins", "谁可以用静音词")
    hold_timeout: float = seconds(300, "扣押闲聊的上限（秒），必须大于 LOCK_TIMEOUT")
    ledger_days: int = count(30, "账本在数据库里保留的天数", 1, 3650)
    priority: int = count(1_000_000, "唯一的事件响应器的优先级，默认排在所有插件之后", 1, 1_000_000)


class SecretaryConfig(Section):
    chat: bool = field(True, "true 或 false", "关了就只办事不聊天；各群可用 /秘书 开关 聊天 改")
    cooldown: float = seconds(7, "留意着的时候两次分析之间的冷却（秒）", zero=True)
    observing_timeout: float = seconds(600, "留意着多久无活动变为没在听（秒）")
    familiar_timeout: float = seconds(600, "凑热闹多久无新触发变为没在听（秒）")
    familiar_cooldown: float = seconds(1800, "两次凑热闹之间的间隔（秒）", zero=True)
    unasked_gap: float = seconds(600, "同一群两次没人问起的开口之间的间隔（秒）", zero=True)
    echo_count: int = count(3, "几个人说同一句话算复读", 2, 100)
    echo_window: float = seconds(30, "复读的时间窗（秒）")
    dense_count: int = count(30, "多少条消息算密集发言", 2, 10_000)
    dense_people: int = count(5, "至少几个人", 1, 1000)
    dense_window: float = seconds(600, "密集发言的时间窗（秒）")
    patience: list[tuple[Annotated[float, Field(gt=0)], Word]] = field(
        [(15.0, "让我想想…")], '[[秒, "话"], …]，秒数大于 0', "有人叫而久未答出时说的话"
    )
    lock_timeout: float = seconds(240, "一次处理的上限（秒）")


class Llm(Section):
    base_url: str | None = field(
        None, "http:// 或 https:// 开头的地址", "模型接口地址，默认取 OPENAI_BASE_URL"
    )
    api_key: SecretStr | None = field(
        None, "一个密钥", "模型接口密钥，默认取 OPENAI_API_KEY；没有则只用本地规则"
    )
    model: str | None = field(None, "模型名", "主模型")
    secretary_model: str | None = field(None, "模型名", "秘书分析用的模型，默认同主模型")
    vision_model: str | None = field(None, "模型名", "看图用的模型，空则不看图")
    embedding_model: str | None = field(None, "模型名", "向量模型，空则不用")
    transcribe_model: str | None = field(None, "模型名", "语音转文字的模型，空则不用")
    speech_model: str | None = field(None, "模型名", "文字转语音的模型，空则不用")
    timeout: float = seconds(60, "一次完整回复的上限（秒），含全部工具轮次", top=3600)
    decide_timeout: float = seconds(10, "一次结构化调用的上限（秒）", top=3600)
    concurrency: int = count(8, "同时进行的模型调用数", 1, 1000)
    daily_tokens: int = count(0, "每天的 token 上限，0 为不限", 0, 10**12)
    group_daily_tokens: int = count(
        1_000_000, "每群每天的 token 上限，0 为不限；一位成员最多用掉一半", 0, 10**12
    )
    member_daily_tokens: int = count(
        100_000, "一位成员在一个群里每天的 token 上限，0 为不限；到了只对他退回本地规则", 0, 10**12
    )

    backup_base_url: str | None = field(
        None, "http:// 或 https:// 开头的地址", "备用模型接口的地址：主接口不通时顶上，主接口一好就换回去"
    )
    backup_api_key: SecretStr | None = field(None, "一个密钥", "备用模型接口的密钥")
    backup_model: str | None = field(
        None, "模型名", "备用的模型，代替主模型和秘书分析用的模型；用量上限两边合计"
    )

    prices: dict[ModelName, tuple[Yuan, Yuan, Yuan]] = field(
        {}, PRICES, "模型的价格，写了 /秘书 用量 就显示花了多少元"
    )

    @field_validator("prices")
    @classmethod
    def _names_in_lower_case(cls, value: dict[str, Any]) -> dict[str, Any]:
        # NoneBot writes the keys of a .env value in lower case; from the environment they come as they are.
        return {name.lower(): price for name, price in value.items()}

    @field_validator("base_url", "backup_base_url")
    @classmethod
    def _is_address(cls, value: str | None) -> str | None:
        if value is not None and not value.startswith(("http://", "https://")):
            raise ValueError("not an http address")
        return value

    @property
    def online(self) -> bool:
        """True if a model can be asked at all: a key and a model are configured."""
        return self.api_key is not None and self.model is not None

    @property
    def has_backup(self) -> bool:
        """True if a second endpoint takes over where the first is down: whole, and beside a whole first."""
        return self.online and not self._lacking_backup

    @property
    def _lacking_backup(self) -> list[str]:
        names = ("backup_base_url", "backup_api_key", "backup_model")
        return [f"MISHU__LLM__{name.upper()}" for name in names if getattr(self, name) is None]

    @property
    def backup_incomplete(self) -> str | None:
        """Why the backup that was begun is of no use, in a sentence; None where it is whole or not begun."""
        lacking = self._lacking_backup
        if len(lacking) == 3 or self.has_backup:
            return None
        if lacking:
            return f"备用模型只配了一半：缺 {'、'.join(lacking)}。没有备用模型，主接口不通时按本地规则运行。"
        return "配了备用模型，却没有配全主模型（MISHU__LLM__API_KEY、MISHU__LLM__MODEL）：备用的不会用到。"

    @property
    def incomplete(self) -> str | None:
        """Missing keys of a half-configured model, in a sentence; None if complete or not begun."""
        given = [
            f"MISHU__LLM__{name.upper()}"
            for name in (
                "base_url",
                "api_key",
                "model",
                "secretary_model",
                "vision_model",
                "embedding_model",
                "transcribe_model",
                "speech_model",
            )
            if getattr(self, name) is not None
        ]
        if not given or self.online:
            return None
        lacking = [
            f"MISHU__LLM__{name.upper()}" for name in ("api_key", "model") if getattr(self, name) is None
        ]
        hint = "（接口不查密钥时随便填一个）" if self.api_key is None and self.model is not None else ""
        return (
            f"模型只配了一半：有 {'、'.join(given)}，缺 {'、'.join(lacking)}{hint}。"
            "没有接上模型，先按本地规则运行。"
        )


class Qq(Section):
    send_gap: float = seconds(1, "同一群两次发送的最小间隔（秒）", zero=True, top=3600)
    fold_length: int = count(500, "超过多少字折叠成合并转发", 1, 100_000)


class ScheduleConfig(Section):
    listen: Literal["off", "present", "always"] = field("present", "off、present 或 always", "何时旁听日程")
    confirm_timeout: float = seconds(300, "日程候选等待确认的时间（秒）")
    remind_before: int = count(10, "默认提前多少分钟提醒", 0, 10_080)


class TasksConfig(Section):
    max_rounds: int = count(10, "一次请求最多几轮工具调用", 1, 100)


class MemoryConfig(Section):
    tokens: int = count(6000, "M1 超过多少 token 后改用摘要", 100, 10_000_000)
    rounds: int = count(10, "摘要之外保留的轮数", 1, 1000)


class Bookkeeping(Section):
    correction_timeout: float = seconds(3, "一次纠正的上限（秒）", top=3600)
    confidence: float = field(0.7, "0 到 1 的数", "低于它的纠正视为没听清", ge=0, le=1)
    max_items: int = count(10, "一批最多几笔", 1, 100)
    session_timeout: float = seconds(300, "一批记账等待确认的时间（秒）")
    rates: dict[Currency, Rate] = field(
        {}, RATES, "外币的汇率：按当时的折成元，说的原数和汇率也留着；没写的货币记的时候问合多少元"
    )

    @field_validator("rates")
    @classmethod
    def _codes_in_upper_case(cls, value: dict[str, Any]) -> dict[str, Any]:
        # NoneBot writes the keys of a .env value in lower case; from the environment they come as they are.
        return {code.upper(): rate for code, rate in value.items()}


class CoreConfig(Section):
    await_timeout: float = seconds(600, "没有草稿的追问保留多久（秒）")


class Bot(Section):
    adapters: list[Literal["onebot_v11", "qq", "milky"]] = field(
        ["onebot_v11"],
        'onebot_v11、qq、milky 的 JSON 列表，如 ["onebot_v11","qq"]',
        "独立机器人接哪些平台：OneBot、QQ 官方机器人、Milky（docs/platforms.md）",
    )
    plugins: list[Word] = field(
        [], '模块名的 JSON 列表，如 ["nonebot_plugin_mishu_clinic"]', "独立机器人另外加载的插件"
    )


class Record(Section):
    daily_tokens: int = count(0, "每群每天总结用的 token 上限，0 为不限", 0, 10**12)


class BackupConfig(Section):
    daily: str | None = field(
        None,
        "HH:MM，如 04:30",
        "每天几点备份数据库，空则不备份",
        pattern=r"^([01]\d|2[0-3]):[0-5]\d$",
    )
    keep: int = count(7, "每日备份保留最新的几份", 1, 10_000)
    dir: str | None = field(None, "目录", "每日备份放在哪里，默认为插件数据目录")

    @property
    def incomplete(self) -> str | None:
        """Missing keys of half-configured backups, in a sentence; None if complete or not begun."""
        given = [
            f"MISHU__BACKUP__{name.upper()}" for name in ("keep", "dir") if name in self.model_fields_set
        ]
        if self.daily is not None or not given:
            return None
        return f"每日备份只配了一半：有 {'、'.join(given)}，缺 MISHU__BACKUP__DAILY，不会备份。"


class Scale(Section):
    lease: float = seconds(15, "几个进程共用 PostgreSQL 时，一个进程停顿多久后由别的进程接手（秒）", top=3600)
    pool: int = count(5, "每个进程到 PostgreSQL 的连接数", 2, 100)


class Web(Section):
    public_url: str | None = field(
        None, "http:// 或 https:// 开头的地址", "别人打开机器人网页用的地址，日历的订阅和网页的链接由它开头"
    )
    trusted_proxies: list[Network] = field(
        [], NETWORKS, '哪些反向代理的 X-Forwarded-* 算数；只认写出来的，反向代理在本机就写 ["loopback"]'
    )
    token: SecretStr | None = field(
        None, "一个令牌，别的机器连得上时不能太好猜", "HTTP 接口的令牌；空则只答本机"
    )

    origins: list[Origin] = field(
        [], ORIGINS, "哪些网站的页面可以在浏览器里调用 HTTP 接口（CORS）；要带令牌，不带网页的登录；空则没有"
    )

    @field_validator("public_url")
    @classmethod
    def _is_site(cls, value: str | None) -> str | None:
        if value is not None and not value.startswith(("http://", "https://")):
            raise ValueError("not an http address")
        return value.rstrip("/") if value is not None else None


class Config(Section):
    """Everything `MISHU__…` configures. Built by `settings.read`."""

    timezone: str = field("Asia/Shanghai", "IANA 时区名，如 Asia/Shanghai", "时区")
    database_url: str | None = field(
        None,
        "sqlite+aiosqlite:///… 或 postgresql+asyncpg://…",
        "数据库，默认为插件数据目录里的 SQLite 文件",
    )
    groups: GroupsConfig = GroupsConfig()
    frontdesk: FrontDeskConfig = FrontDeskConfig()
    secretary: SecretaryConfig = SecretaryConfig()
    llm: Llm = Llm()
    qq: Qq = Qq()
    schedule: ScheduleConfig = ScheduleConfig()
    tasks: TasksConfig = TasksConfig()
    memory: MemoryConfig = MemoryConfig()
    bookkeeping: Bookkeeping = Bookkeeping()
    record: Record = Record()
    core: CoreConfig = CoreConfig()
    bot: Bot = Bot()
    backup: BackupConfig = BackupConfig()
    web: Web = Web()
    scale: Scale = Scale()
    _chosen: Chosen = PrivateAttr(default_factory=Chosen)

    @property
    def chosen(self) -> Chosen:
        """Owner choices made while the bot runs."""
        return self._chosen

    @field_validator("timezone")
    @classmethod
    def _is_zone(cls, value: str) -> str:
        try:
            ZoneInfo(value)
        except (ValueError, OSError, KeyError) as error:
            raise ValueError("not a time zone") from error
        return value

    @field_validator("database_url")
    @classmethod
    def _is_database(cls, value: str | None) -> str | None:
        if value is not None and not value.startswith(("sqlite+aiosqlite:///", "postgresql+asyncpg://")):
            raise ValueError("not a database address")
        return value

    @model_validator(mode="after")
    def _timeouts_nest(self) -> Config:
        whole = self.llm.timeout + self.llm.decide_timeout
        for key, value in (
            ("MISHU__FRONTDESK__HOLD_TIMEOUT", self.frontdesk.hold_timeout),
            ("MISHU__SECRETARY__LOCK_TIMEOUT", self.secretary.lock_timeout),
        ):
            if value < whole - ROUNDING:
                raise ValueError(
                    f"{key} = {value:g}，应不小于 LLM 的 TIMEOUT + DECIDE_TIMEOUT（{whole:g} 秒）"
                )
        if self.frontdesk.hold_timeout <= self.secretary.lock_timeout:
            raise ValueError(
                f"MISHU__FRONTDESK__HOLD_TIMEOUT = {self.frontdesk.hold_timeout:g}，"
                f"应大于 MISHU__SECRETARY__LOCK_TIMEOUT（{self.secretary.lock_timeout:g} 秒）"
            )
        return self

    @property
    def zone(self) -> ZoneInfo:
        """The zone in which times are said and shown."""
        return ZoneInfo(self.timezone)

    def limits(self) -> tuple[int, int]:
        """Tokens a day that hold now, of all and of each group; 0 for no limit."""
        chosen, llm = self._chosen, self.llm
        return chosen.limit(DAILY, llm.daily_tokens), chosen.limit(GROUP_DAILY, llm.group_daily_tokens)

    def group_enabled(self, group_id: str) -> bool:
        """True if the plugin hears this group at all (product section 1, order of checks)."""
        chosen = self._chosen.group(group_id)
        if chosen is not None:
            return chosen
        listed = group_id in self.groups.ids
        return {"all": True, "allow": listed, "deny": not listed}[self.groups.mode]
