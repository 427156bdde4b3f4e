"""`/秘书 …`: which command a message is, and who may give it (contracts, Commands in a group). Pure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import time
from typing import Literal, get_args

from ...language.addressing.typed_commands import behind_secretary, day_and_clock, minutes
from ...language.following.quiet_hours import QuietOrder, quiet_order
from ...language.text.fold import normalise
from ...storage.quiet.records import QuietHours
from ...storage.records import WordKind
from ..lines.word_guard import refusal

Verb = Literal[
    "帮助", "状态", "为什么", "用量", "网页", "导出", "忘记我", "确认忘记",
    "闭嘴", "说话", "静音词", "唤醒词", "开关", "人设", "日报", "周报", "安静时段", "我的安静时段",
]  # fmt: skip

FEATURES = (
    "聊天",
    "插话",
    "复读",
    "日程监听",
    "日程",
    "空闲",
    "任务",
    "记账",
    "提醒",
    "日报",
    "周报",
    "群记录",
    "统计",
    "催办",
    "图片",
    "语音",
    "表情",
    "安全",
)
"""Our own features that can be switched; each is asked for where it acts. Agents of others bring theirs."""
OFF_AT_FIRST = frozenset({"日报", "周报", "表情"})
"""Features that are off until somebody switches them on."""

EVERYBODY: frozenset[Verb] = frozenset(
    {"帮助", "状态", "为什么", "用量", "网页", "导出", "忘记我", "确认忘记", "我的安静时段"}
)
READING: frozenset[Verb] = frozenset(EVERYBODY - {"确认忘记", "我的安静时段"})
"""Verbs that change nothing of what is kept: done twice they are done once."""
_VERBS: tuple[Verb, ...] = get_args(Verb)
_SLASHES = ("/", "／")
LONGEST_MINUTES = 7 * 24 * 60
_EXAMPLES: dict[WordKind, str] = {"wake": "小助手", "silence": "肃静"}
_ACTIONS = {"开": "开", "打开": "开", "开启": "开", "关": "关", "关掉": "关", "关闭": "关"}

_HELP = """\
@ 我或叫我的名字，直接说事就行：
日程「明天下午三点开会」「本周日程」「把会改到四点」「我也去」
空闲「我明天下午有空吗」「大家周五什么时候都有空」「这周谁最忙」
任务「提醒我8点吃药」「我今天有什么任务」「买菜做完了」
记账「午饭35，打车20」「这个月花了多少」「聚餐300 AA 五个人」
统计「投个票 周六还是周日去爬山」「周六羽毛球报名 限8人」「统计一下谁要订盒饭」
催办「帮我催一下阿凯交方案」「催阿凯还钱」「每半小时提醒我交表直到我做完」
{others}说错了、记错了说「撤销」；要日历说「导出日历」；私聊发我日历文件或微信、支付宝账单，也能导进来；嫌我吵说「安静十分钟」。
大家都能用：
/秘书 帮助｜状态｜为什么｜用量｜导出｜忘记我（后两个只管你自己的，导出走私聊）
/秘书 网页 [退出]（日历、账本、设置，链接走私聊）
/秘书 我的安静时段 <时段>|取消（如 23:00-8:00，这段时间不替人催你）
群主、管理员能用：
/秘书 闭嘴 [分钟]｜说话
/秘书 静音词 添加|删除|列表 [词]
/秘书 唤醒词 添加|删除|列表 [词]
/秘书 开关 <功能> 开|关（{features}）
/秘书 人设 <文字>|重置
/秘书 日报 <时间>（如 8:00）｜周报 <时间>（如 周五 18:00）
/秘书 安静时段 <时段>|取消（如 23:00-8:00，这段时间我不主动说话）"""


def help_text(features: Sequence[str] = FEATURES, others: Sequence[str] = ()) -> str:
    """The whole help. `others`: a line for each agent that another plugin brought."""
    return _HELP.format(features="、".join(features), others="".join(f"{line}\n" for line in others))


@dataclass(frozen=True, slots=True)
class Command:
    """A command as given. `problem` says in Chinese what is wrong with it, where something is."""

    verb: Verb
    action: str = ""
    """添加, 删除, 列表, 开, 关, 重置, 设置, 取消, 看 or 退出."""
    value: str = ""
    """The word, the feature, the persona, the quiet hours as they are kept."""
    minutes: float | None = None
    at: tuple[int, time] | None = None
    """A weekday (0 is Monday) and a clock."""
    problem: str | None = None

    @property
    def writes(self) -> bool:
        """True if something is changed by it."""
        reads = self.problem is not None or self.action in ("列表", "看")
        return not reads and self.verb not in READING

    @property
    def for_admins(self) -> bool:
        """True if the command is for the group's owner, its admins and superusers only."""
        return self.verb not in EVERYBODY and self.action != "看"


@dataclass(frozen=True, slots=True)
class CommandStarts:
    """Command prefixes: COMMAND_START of the instance."""

    texts: frozenset[str] = frozenset({"/"})

    @property
    def shown(self) -> str:
        """The one we tell people of: the slash wherever it is one."""
        if "/" in self.texts:
            return "/"
        return min((text for text in self.texts if text), key=lambda text: (len(text), text), default="")

    def with_prefix(self, text: str) -> str:
        """A text of ours, whose commands begin as they do here."""
        return text if self.shown == "/" else text.replace("/秘书", f"{self.shown}秘书")

    def behind(self, words: str) -> tuple[str, str] | None:
        """Longest start that the words begin with, and the words behind it; None where they begin with
        none."""
        starts = [text for text in self.texts if text] + list(_SLASHES if "/" in self.texts else ())
        for start in sorted(starts, key=len, reverse=True):
            if words.startswith(start):
                return start, words[len(start) :]
        return ("", words) if "" in self.texts else None


SLASH = CommandStarts()


def parse(words: str, features: Sequence[str] = FEATURES, starts: CommandStarts = SLASH) -> Command | None:
    """The command that a message's own words are, None where they are none. `features` can be switched.

    Where nothing needs to stand before a command (COMMAND_START holds the empty text), what is none of ours
    is said to somebody, and no mistake.
    """
    if (behind := starts.behind(words.strip())) is None:
        return None
    start, line = behind
    if (found := behind_secretary(line)) is None:
        return None
    rest, gap = found
    command = _parsed(rest, features, gap=gap)
    if start or command is None:
        return command
    return command if rest and gap and command.problem is None else None


def _parsed(rest: str, features: Sequence[str], *, gap: bool) -> Command | None:
    if not rest:
        return Command("帮助")
    verb: Verb | None = next((known for known in _VERBS if rest.startswith(known)), None)
    leaving = verb == "网页" and rest[2:].strip() == "退出"
    bare = verb in EVERYBODY and verb not in _WITH_ARGUMENT
    if verb is None or (bare and rest != verb and not leaving):
        if not gap:
            return None  # 秘书处 and the like
        return Command(
            "帮助", problem=f"没有「{rest.split()[0][:20]}」这个命令。发「/秘书 帮助」看全部命令。"
        )
    argument = rest[len(verb) :].strip()
    if bare:
        return Command(verb, argument)
    if verb == "说话":
        return Command(verb, problem="要我说话就只发「/秘书 说话」。" if argument else None)
    if verb == "开关":
        return _switch(argument, features)
    return _WITH_ARGUMENT[verb](argument)


def _silence(argument: str) -> Command:
    if not argument:
        return Command("闭嘴")
    said = minutes(argument)
    if said is None or not 0 < said <= LONGEST_MINUTES:
        return Command(
            "闭嘴",
            problem=f"「{argument[:20]}」不像分钟数（最多 {LONGEST_MINUTES}）。安静半小时就发：/秘书 闭嘴 30",
        )
    return Command("闭嘴", minutes=said)


def _word_command(verb: Verb, kind: WordKind, argument: str) -> Command:
    action = next((known for known in ("添加", "删除", "列表") if argument.startswith(known)), "")
    word = argument[len(action) :].strip()
    example = _EXAMPLES[kind]
    if not argument or (action == "列表" and not word):
        return Command(verb, "列表")
    if action in ("", "列表"):
        usage = f"/秘书 {verb} 添加 {example}，/秘书 {verb} 删除 {example}，/秘书 {verb} 列表"
        return Command(verb, problem=f"「{argument[:20]}」我没看懂。可以发：{usage}")
    if not word:
        what = "加" if action == "添加" else "删"
        return Command(verb, problem=f"要{what}哪个词？比如：/秘书 {verb} {action} {example}")
    if action == "添加" and (reason := refusal(kind, word)) is not None:
        return Command(verb, problem=f"{reason}换一个，比如：/秘书 {verb} 添加 {example}")
    return Command(verb, action, word)


def _switch(argument: str, features: Sequence[str]) -> Command:
    if not argument or argument == "列表":
        return Command("开关", "列表")
    # The longest first: 日程监听 begins with 日程.
    known = sorted(features, key=len, reverse=True)
    feature = next((each for each in known if argument.startswith(each)), None)
    if feature is None:
        offered = f"能开关的有：{'、'.join(features)}"
        return Command("开关", problem=f"没有「{argument.split()[0][:20]}」这个功能。{offered}")
    action = _ACTIONS.get(argument[len(feature) :].strip())
    if action is None:
        return Command("开关", problem=f"「{feature}」要开还是关？比如：/秘书 开关 {feature} 关")
    return Command("开关", action, feature)


def _persona(argument: str) -> Command:
    if not argument:
        return Command("人设", problem="要什么人设？比如：/秘书 人设 说话俏皮一点。改回来发：/秘书 人设 重置")
    if argument == "重置":
        return Command("人设", "重置")
    if len(argument) > 1000:
        return Command("人设", problem=f"人设有 {len(argument)} 字，最多 1000 字。")
    return Command("人设", "设置", argument)


CODES = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")
"""Weekdays as settings keep them."""


def _weekly(argument: str) -> Command:
    found = day_and_clock(argument)
    if found is None:
        return Command("周报", problem=f"「{argument[:20]}」不像每周的时间。比如：/秘书 周报 周五 18:00")
    day, clock = found
    return Command("周报", at=(4 if day is None else day, clock))  # 周五


def _daily(argument: str) -> Command:
    found = day_and_clock(normalise(argument).removeprefix("每天"))
    if found is None or found[0] is not None:
        return Command("日报", problem=f"「{argument[:20]}」不像每天的时间。比如：/秘书 日报 8:00")
    return Command("日报", at=(0, found[1]))


def _quiet_hours(verb: Verb, argument: str) -> Command:
    order = quiet_order(f"{verb}{argument}")
    if order is None:
        example = f"/秘书 {verb} 23:00-8:00，/秘书 {verb} 取消"
        return Command(verb, problem=f"「{argument[:20]}」不像一段时间。可以发：{example}")
    return quiet_command(order)


def quiet_command(order: QuietOrder, *, private: bool = False) -> Command:
    """The command that an order about quiet hours is; in private they are always one's own."""
    verb: Verb = "我的安静时段" if order.mine or private else "安静时段"
    if order.does != "set" or order.start is None or order.end is None:
        return Command(verb, "取消" if order.does == "clear" else "看")
    if order.start == order.end:
        return Command(verb, problem="开始和结束一样，没法当安静时段，换一个吧。")
    return Command(verb, "设置", QuietHours(order.start, order.end).as_kept())


_WITH_ARGUMENT: dict[Verb, Callable[[str], Command]] = {
    "闭嘴": _silence,
    "静音词": lambda argument: _word_command("静音词", "silence", argument),
    "唤醒词": lambda argument: _word_command("唤醒词", "wake", argument),
    "人设": _persona,
    "日报": _daily,
    "周报": _weekly,
    "安静时段": lambda argument: _quiet_hours("安静时段", argument),
    "我的安静时段": lambda argument: _quiet_hours("我的安静时段", argument),
}
