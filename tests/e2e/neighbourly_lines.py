"""What is said in an instance of many plugins, and who answers: each line once, by whom it belongs to."""

from __future__ import annotations

from dataclasses import dataclass

US = "mishu"
RULE = "?"
"""A rule answers, outside of any matcher: alconna's, with the help of a command."""
PUBLISHED = (
    "nonebot_plugin_chatrecorder",
    "nonebot_plugin_wordcloud",
    "nonebot_plugin_status",
    "nonebot_plugin_word_bank2",
    "nonebot_plugin_autoreply",
    "nonebot_plugin_remind",
    "nonebot_plugin_answersbook",
    "nonebot_plugin_crazy_thursday",
    "nonebot_plugin_roll",
    "nonebot_plugin_repeater",
    "nonebot_plugin_poke",
    "nonebot_plugin_treehelp",
    "nonebot_plugin_random_choice",
    "nonebot_plugin_minesweeper",
    "nonebot_plugin_handle",
    "nonebot_plugin_ping",
    "nonebot_plugin_blocker",
    "nonebot_plugin_memes",
    "nonebot_plugin_llmchat",
)


@dataclass(frozen=True)
class Line:
    """Something said, and which plugins answer it (`US` is ours): each exactly once."""

    words: str
    by: tuple[str, ...] = ()
    at: bool = False
    """With an @ of the bot before it."""
    place: str = "群"
    """`群`, `静群` (where the blocker is switched on), `复读群` or `私聊`."""
    admin: bool = False
    """Said by the group's admin, who is the instance's superuser."""
    poke: bool = False
    """No words: the bot is poked."""
    quotes: str = ""
    """The plugin whose newest message there it quotes."""
    quote_at: bool = False
    """With the @ that QQ puts behind a quote."""


def lines(llm: bool) -> list[Line]:
    """Everything that is said; `llm`: beside a plugin that chats at every @, our own talk switched off."""
    if llm:  # it chats at whatever it is called for and nobody took: commands are told of without it
        return [*_WORD_BANKS[:2], *_POKES, *_TALK[llm], *_QUOTES[llm], *_PRIVATE[llm], *_BLOCKED]
    answered = Line("小秘 刷屏", (US,), place="复读群")
    last = (*_PRIVATE[llm], *_BLOCKED, answered)
    return [*_COMMANDS, *_WORD_BANKS, *_POKES, *_TALK[llm], *_QUOTES[llm], *last]


_COMMANDS = (
    Line("/status", ("status",), admin=True),
    Line("/rd 2d6", ("roll",)),
    Line("/rd", ("roll",)),
    Line("1d20", ("roll",)),
    Line("翻看答案 我该睡吗", ("answersbook",)),
    Line("我该不该睡 翻看答案", ("answersbook",)),
    Line("疯狂星期四", ("crazy_thursday",)),
    Line("/帮助 掷骰子", ("treehelp",)),
    Line("/help 没有这个", ("treehelp",)),
    Line("/提醒列表", ("remind",)),
    Line("/删除提醒", ("remind",)),
    Line("选米饭还是面条", ("random_choice",), at=True),
    Line("提醒我明天早上八点交报告", ("remind",), at=True),
    Line("翻看答案 明天开会吗", ("answersbook",), at=True),
    Line("/rd 3d6", ("roll",), at=True),
    Line("/表情搜索 没有这个表情", ("memes",)),
    Line("/今日词云", ("wordcloud",)),
    Line("/词云 --help", (RULE,)),
    Line("/扫雷", ("minesweeper",), at=True),
    Line("/结束扫雷", ("minesweeper",)),
    Line("/猜成语", ("handle",)),
    Line("胸有成竹", ("handle",)),
    Line("/结束猜成语", ("handle",)),
    Line("/二维码 你好", ("ping",)),
    Line("/没有这个命令"),
    Line("/秘书 状态", (US,)),
)
_WORD_BANKS = (
    Line("问天王盖地虎答宝塔镇河妖", ("word_bank2",), admin=True),
    Line("天王盖地虎", ("word_bank2",)),
    Line("@问你叫什么答我叫词库", ("word_bank2",), admin=True),
    Line("你叫什么", ("word_bank2",), at=True),
    Line("天王盖地虎", ("word_bank2",), at=True),
    Line("芝麻开门", ("autoreply",)),
    Line("芝麻开门", ("autoreply",), at=True),
    Line("小秘 芝麻开门", ("autoreply",)),
    Line("/秘书 为什么", (US,)),
)
_UNCALLED = (Line("今天天气不错"), Line("周末去爬山吗"), Line("我也觉得"), Line("选哪个好呢"))
_TALK = {
    False: (
        *_UNCALLED,
        Line("在吗", (US,), at=True),
        Line("小秘你好", (US,)),
        Line("明天下午三点开会", (US,), at=True),
        Line("小秘 午饭35", (US,)),
        Line("确认", (US,)),
        Line("我有什么任务", (US,), at=True),
    ),
    True: (
        *_UNCALLED,
        Line("在吗", ("llmchat",), at=True),
        Line("讲个笑话", ("llmchat",), at=True),
        Line("小秘你好", ("llmchat",)),
        Line("明天下午三点开会", ("llmchat", US), at=True),
        Line("我有什么任务", ("llmchat", US), at=True),
    ),
}
_POKES = (Line("", ("poke",), poke=True), Line("你干嘛呀"))
_QUOTES = {
    False: (
        Line("这是什么意思", quotes="word_bank2"),
        Line("这是什么意思", quotes="word_bank2", quote_at=True),
        Line("笑死", quotes="autoreply", quote_at=True),
        Line("明天上午十点体检", (US,), quotes="word_bank2", quote_at=True),
        Line("小秘 你怎么看", (US,), quotes="autoreply"),
        Line("谢谢", (US,), quotes=US, quote_at=True),
    ),
    True: (
        Line("这是什么意思", ("llmchat",), quotes="word_bank2"),
        Line("这是什么意思", ("llmchat",), quotes="word_bank2", quote_at=True),
        Line("明天上午十点体检", ("llmchat", US), quotes="word_bank2", quote_at=True),
    ),
}
_PRIVATE = {
    False: (
        Line("/rd 1d6", ("roll",), place="私聊"),
        Line("选一还是二", ("random_choice",), place="私聊"),
        Line("芝麻开门", ("autoreply",), place="私聊"),
        Line("/词云 --help", (RULE,), place="私聊"),
        Line("你好", (US,), place="私聊"),
        Line("后天下午两点面试", (US,), place="私聊"),
    ),
    True: (
        Line("/rd 1d6", ("roll",), place="私聊"),
        Line("你好", place="私聊"),
        Line("后天下午两点面试", (US,), place="私聊"),
    ),
}
_BLOCKED = (
    Line(".bot off", ("blocker",), place="静群", admin=True),
    Line("在吗", place="静群", at=True),
    Line("/rd 1d6", place="静群"),
    Line("刷屏", place="复读群"),
    Line("刷屏", ("repeater",), place="复读群"),
)
