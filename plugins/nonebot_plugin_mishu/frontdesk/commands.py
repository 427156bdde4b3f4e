"""`/秘书 …`: which command a message is, and who may give it (contracts, Commands in a group). Pure."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from ..text.normalise import normalise

Verb = Literal[
    "帮助", "状态", "为什么", "用量", "导出", "忘记我", "闭嘴", "说话", "静音词", "唤醒词", "开关", "人设"
]

FEATURES = ("插话", "复读", "日程监听", "日程", "任务", "记账", "提醒", "日报", "图片", "语音")
"""Features that can be switched today; each is asked for where it acts."""
OFF_AT_FIRST = frozenset({"日报"})
"""Features that are off until somebody switches them on."""

EVERYBODY: frozenset[Verb] = frozenset({"帮助", "状态", "为什么", "用量", "导出", "忘记我"})
_VERBS: tuple[Verb, ...] = (
    "帮助", "状态", "为什么", "用量", "导出", "忘记我", "闭嘴", "说话", "静音词", "唤醒词", "开关", "人设",
)  # fmt: skip
_COMMAND = re.compile(r"^[/／]\s*秘[书書](?P<gap>\s*)(?P<rest>.*)$", re.DOTALL)
LONGEST_MINUTES = 7 * 24 * 60

_HELP = """\
我是群里的秘书，@ 我或叫我的名字就能吩咐我：
日程「明天下午三点开会」「本周日程」「把会改到四点」「我也去」
任务「提醒我8点吃药」「我今天有什么任务」「买菜做完了」
记账「午饭35，打车20」「这个月花了多少」「聚餐300 AA 五个人」
做错了说「撤销」；要日历说「导出日历」。
大家都可以用：
/秘书 帮助｜状态｜为什么｜用量｜导出｜忘记我
群主、管理员可以用：
/秘书 闭嘴 [分钟]｜说话
/秘书 静音词 添加|删除|列表 [词]
/秘书 唤醒词 添加|删除|列表 [词]
/秘书 开关 <功能> 开|关（{features}）
/秘书 人设 <文字>|重置"""
HELP = _HELP.format(features="、".join(FEATURES))


@dataclass(frozen=True, slots=True)
class Command:
    """A command as given. `problem` says in Chinese what is wrong with it, where something is."""

    verb: Verb
    action: str = ""
    """添加, 删除, 列表, 开, 关, 重置 or 设置."""
    value: str = ""
    """The word, the feature, the persona."""
    minutes: float | None = None
    problem: str | None = None

    @property
    def for_admins(self) -> bool:
        """Whether only the group's owner, its admins and superusers may give it."""
        return self.verb not in EVERYBODY


def parse(words: str) -> Command | None:
    """The command that a message's own words are, None where they are none."""
    found = _COMMAND.match(words.strip())
    if found is None:
        return None
    rest = found["rest"].strip()
    if not rest:
        return Command("帮助")
    verb: Verb | None = next((known for known in _VERBS if rest.startswith(known)), None)
    if verb is None or (verb in EVERYBODY and rest != verb):
        if not found["gap"]:
            return None  # 秘书处 and the like
        return Command(
            "帮助", problem=f"没有「{rest.split()[0][:20]}」这个命令。发「/秘书 帮助」看全部命令。"
        )
    argument = rest[len(verb) :].strip()
    if verb in EVERYBODY:
        return Command(verb)
    if verb == "说话":
        return Command(verb, problem="要我说话请只发「/秘书 说话」。" if argument else None)
    return _WITH_ARGUMENT[verb](argument)


def _silence(argument: str) -> Command:
    if not argument:
        return Command("闭嘴")
    found = re.fullmatch(r"(\d{1,6}(?:\.\d+)?)\s*(?:分钟|分|min)?", normalise(argument))
    minutes = float(found[1]) if found else 0.0
    if not 0 < minutes <= LONGEST_MINUTES:
        return Command(
            "闭嘴",
            problem=f"分钟数「{argument[:20]}」不对，应是 1 到 {LONGEST_MINUTES} 的数，如：/秘书 闭嘴 30",
        )
    return Command("闭嘴", minutes=minutes)


def _word_command(verb: Verb, argument: str) -> Command:
    action, _, word = argument.partition(" ")
    word = word.strip()
    usage = f"用法：/秘书 {verb} 添加|删除 <词>，或 /秘书 {verb} 列表"
    if action == "列表" or not argument:
        return Command(verb, "列表")
    if action not in ("添加", "删除"):
        return Command(verb, problem=f"不认识「{action[:20]}」。{usage}")
    if not word or len(word) > 30 or not re.search(r"\w", word):
        return Command(verb, problem=f"词「{word[:30]}」不对，应是 1 到 30 个字。{usage}")
    return Command(verb, action, word)


def _switch(argument: str) -> Command:
    parts = argument.split()
    usage = f"用法：/秘书 开关 <功能> 开|关，功能有：{'、'.join(FEATURES)}"
    if not parts or parts == ["列表"]:
        return Command("开关", "列表")
    feature, action = parts[0], parts[1] if len(parts) > 1 else ""
    if feature not in FEATURES:
        return Command("开关", problem=f"没有「{feature[:20]}」这个功能。{usage}")
    if action not in ("开", "关"):
        return Command("开关", problem=f"要「开」还是「关」？{usage}")
    return Command("开关", action, feature)


def _persona(argument: str) -> Command:
    if not argument:
        return Command("人设", problem="用法：/秘书 人设 <文字>，或 /秘书 人设 重置")
    if argument == "重置":
        return Command("人设", "重置")
    if len(argument) > 1000:
        return Command("人设", problem=f"人设有 {len(argument)} 字，最多 1000 字。")
    return Command("人设", "设置", argument)


_WITH_ARGUMENT: dict[Verb, Callable[[str], Command]] = {
    "闭嘴": _silence,
    "静音词": lambda argument: _word_command("静音词", argument),
    "唤醒词": lambda argument: _word_command("唤醒词", argument),
    "开关": _switch,
    "人设": _persona,
}
