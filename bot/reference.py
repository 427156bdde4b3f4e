"""`python -m bot.reference`: print the code's own tables into the documentation.

Writes `.env.example`, `docs/configuration.md`, `docs/prompts.md` and `docs/voice.md` whole, and in
`docs/architecture.md` the presence table and the table of errors between their markers, in `docs/agents.md`
between those of the handler tables. With `--check` nothing is written; exit 1 and the names of the files that
are behind.
"""

from __future__ import annotations

import argparse
import ast
import inspect
import json
import sys
from pathlib import Path
from textwrap import dedent
from typing import TYPE_CHECKING, Any, cast

import nonebot

from . import own_keys
from .error_tree import error_table
from .own_keys import Key

if TYPE_CHECKING:
    from pydantic.fields import FieldInfo

ROOT = Path(__file__).resolve().parent.parent
BEGIN = "<!-- presence table: printed by `python -m bot.reference` -->"
END = "<!-- end of the presence table -->"
BEGIN_ERRORS = "<!-- error table: printed by `python -m bot.reference` -->"
END_ERRORS = "<!-- end of the error table -->"
BEGIN_HANDLER = "<!-- handler tables: printed by `python -m bot.reference` -->"
END_HANDLER = "<!-- end of the handler tables -->"

_SECTIONS = {
    "": "总体",
    "GROUPS": "群",
    "FRONTDESK": "前台",
    "SECRETARY": "秘书",
    "LLM": "模型",
    "QQ": "发送",
    "SCHEDULE": "日程",
    "TASKS": "任务",
    "MEMORY": "记忆",
    "BOOKKEEPING": "记账",
    "RECORD": "群记录",
    "CORE": "追问",
    "BOT": "独立机器人",
    "BACKUP": "每日备份",
    "WEB": "HTTP 接口与游乐场",
    "SCALE": "几个进程",
}


def plugin_keys() -> list[Key]:
    """Every `MISHU__` key, in the order of the configuration."""
    from nonebot_plugin_mishu.config import loading

    entries = loading.keys()
    return [_key(name, field) for name, field in entries]


def env_example() -> str:
    """`.env.example`: every key with its default, commented out, under one line that says what it is."""
    lines = [
        "# 复制成 .env 后按需修改：去掉行首的 # 即生效，留空等于不设，写出的值都是默认值。",
        "# 值写错时，启动会指出是哪个键、写了什么、应该是什么。",
        "",
        "# ── NoneBot ──",
    ]
    for key in own_keys.KEYS:
        lines += _example(key)
    section = None
    for key in plugin_keys():
        if _section(key) != section:
            section = _section(key)
            lines += ["", f"# ── {_SECTIONS[section]} ──"]
        lines += _example(key)
    return "\n".join(lines) + "\n"


def configuration_page() -> str:
    """`docs/configuration.md`: the same keys as tables."""
    parts = [_INTRODUCTION, "## NoneBot 自己的键\n", _table(own_keys.KEYS), _FILES]
    keys = plugin_keys()
    for section, title in _SECTIONS.items():
        parts += [f"## {title}\n", _table([key for key in keys if _section(key) == section])]
    return "\n".join(parts)


def presence_table() -> str:
    """The presence machine as a Markdown table: rows that change the state or ask for something."""
    from nonebot_plugin_mishu.secretary import table

    rows = ["| from | on | to | then |", "|---|---|---|---|"]
    rows += [
        f"| {before} | {on} | {after} | {effect} |"
        for before, on, after, effect in table()
        if before != after or effect != "nothing"
    ]
    return "\n".join(rows)


def handler_tables() -> str:
    """Arguments and result of an agent's handler: the parts of the classes, in their own words."""
    from nonebot_plugin_mishu.agents import TaskContext, TaskDispatch, TaskResult
    from nonebot_plugin_mishu.agents.api.task_context import Asker

    tables: list[str] = []
    for kind, what in (
        (TaskContext, "`context`"),
        (Asker, "`context.actor`"),
        (TaskDispatch, "`dispatch`"),
        (TaskResult, "`TaskResult`, what it gives back"),
    ):
        rows = [f"| {what} | |", "|---|---|"]
        rows += [f"| `{name}` | {meaning} |" for name, meaning in members(kind).items()]
        tables.append("\n".join(rows))
    return "\n\n".join(tables)


def members(kind: type) -> dict[str, str]:
    """The public parts of a class in their order, with what is said of each: fields, properties, methods.

    Raises `ValueError` where a part has no words beside it.
    """
    [body] = ast.parse(dedent(inspect.getsource(kind))).body
    assert isinstance(body, ast.ClassDef)
    found: dict[str, str] = {}
    for part, after in zip(body.body, [*body.body[1:], None], strict=True):
        match part, after:
            case ast.AnnAssign(target=ast.Name(id=name)), _:
                said = after.value if isinstance(after, ast.Expr) else None
                words = said.value if isinstance(said, ast.Constant) else None
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name), _:
                words = ast.get_docstring(part)
                if "property" not in map(ast.unparse, part.decorator_list):
                    name = f"{name}({', '.join(each.arg for each in part.args.args[1:])})"
            case _:
                continue
        if name.startswith("_"):
            continue
        if not isinstance(words, str):
            raise ValueError(f"{kind.__name__}.{name} says nothing of itself")
        found[name] = " ".join(words.split()).replace("|", "\\|")
    return found


def _between(old: str, begin: str, printed: str, end: str) -> str:
    before, found, rest = old.partition(begin)
    _, closed, after = rest.partition(end)
    if not found or not closed:
        raise ValueError(f"a page has lost its markers: {begin}")
    return f"{before}{begin}\n\n{printed}\n\n{end}{after}"


def architecture_page(old: str) -> str:
    """`docs/architecture.md` with the presence table and the errors of this code."""
    with_presence = _between(old, BEGIN, presence_table(), END)
    return _between(with_presence, BEGIN_ERRORS, error_table(), END_ERRORS)


def agents_page(old: str) -> str:
    """`docs/agents.md` with the tables of what a handler is given."""
    return _between(old, BEGIN_HANDLER, handler_tables(), END_HANDLER)


def pages() -> dict[Path, str]:
    """Every page that is printed from code, by its file."""
    from .prompt_page import calls, prompt_page
    from .voice_page import voice_page

    architecture, agents = ROOT / "docs" / "architecture.md", ROOT / "docs" / "agents.md"
    return {
        ROOT / ".env.example": env_example(),
        ROOT / "docs" / "configuration.md": configuration_page(),
        architecture: architecture_page(architecture.read_text("utf-8")),
        agents: agents_page(agents.read_text("utf-8")),
        ROOT / "docs" / "prompts.md": prompt_page(calls()),
        ROOT / "docs" / "voice.md": voice_page(),
    }


def main(arguments: list[str]) -> int:
    """Write the pages, or with `--check` say which are behind."""
    parser = argparse.ArgumentParser(prog="python -m bot.reference")
    parser.add_argument("--check", action="store_true", help="write nothing, exit 1 if a page is behind")
    options = parser.parse_args(arguments)
    nonebot.logger.remove()
    nonebot.init(driver="~none", _env_file=None)
    nonebot.load_plugin("nonebot_plugin_mishu")
    behind = [path for path, page in pages().items() if not path.exists() or path.read_text("utf-8") != page]
    for path in behind:
        if not options.check:
            path.write_text(pages()[path], "utf-8")
        print(f"{path.relative_to(ROOT)}: {'behind' if options.check else 'written'}")
    return 1 if behind and options.check else 0


def _key(name: str, field: FieldInfo) -> Key:
    default = field.get_default(call_default_factory=True)
    extra = cast("dict[str, Any]", field.json_schema_extra)
    meaning = str(field.description)
    return Key(name, _written(default), meaning, str(extra["allowed"]))


def _written(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:g}"
    if isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False).replace(".0,", ",")


def _section(key: Key) -> str:
    return key.name.split("__")[1] if key.name.count("__") > 1 else ""


def _example(key: Key) -> list[str]:
    return [f"# {key.meaning}。应为：{key.allowed}", f"#{key.name}={key.default}"]


def _table(keys: list[Key] | tuple[Key, ...]) -> str:
    rows = ["| 键 | 默认 | 含义 | 可取 |", "|---|---|---|---|"]
    for key in keys:
        default = f"`{key.default}`" if key.default else "（不设）"
        rows.append(f"| `{key.name}` | {default} | {key.meaning} | {key.allowed} |")
    return "\n".join(rows).replace("[[秒", "\\[\\[秒") + "\n"


_INTRODUCTION = """\
# 配置

<!-- printed by `python -m bot.reference` from the configuration itself; edit config.py, not this page -->

写在 NoneBot 的 `.env`、`.env.{ENVIRONMENT}`（默认 `.env.prod`）或进程的环境变量里，环境变量优先。\
`.env.example` 列出全部键，复制即可用。

- 插件的键都写作 `MISHU__节__键`；留空等于不设；列表写成 JSON；以秒计的键都可以是小数。
- 写错时每个键一行，指出键、写的值和可取的值。独立机器人不启动，退出码 2；\
装在别的 NoneBot 里时，插件记一行日志、不加载，别的插件照常。
- 不认识的 `MISHU__` 键没有作用，启动时警告一次，并猜是哪个键；少了一个下划线的（`MISHU_TIMEZONE`）也一样。
- `HOST` 让别的机器连得上，却没有 `ONEBOT_ACCESS_TOKEN` 或 `MISHU__WEB__TOKEN`，各警告一次；\
令牌太好猜（短于 8 个字符、短于 16 位的纯数字、几个字符的重复、`12345678`、`password`、`token` 之类）\
按写错算，不启动。只有本机连得上时，好猜的令牌只警告。
- 装在别的 NoneBot 里、又没有写 NoneBot 适配器的 `ONEBOT_SECRET` 时，启动会警告一次：\
没有签名的 HTTP 上报秘书不听（独立机器人不接 HTTP 上报，只接 WebSocket）。
- 前面有反向代理时，写 `MISHU__WEB__TRUSTED_PROXIES`（在本机就是 `["loopback"]`）：\
没有写出来的代理，它的 `X-Forwarded-*` 不算数。
- `MISHU__FRONTDESK__HOLD_TIMEOUT` 必须大于 `MISHU__SECRETARY__LOCK_TIMEOUT`，\
两者都不得小于 `MISHU__LLM__TIMEOUT` 与 `MISHU__LLM__DECIDE_TIMEOUT` 之和。
"""

_FILES = """\
数据库等文件放在 `nonebot-plugin-localstore` 的数据目录里\
（Linux 默认为 `~/.local/share/nonebot2/nonebot_plugin_mishu/`），\
可用它的 `LOCALSTORE_DATA_DIR` 或 `LOCALSTORE_USE_CWD=true` 改动。
"""


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
