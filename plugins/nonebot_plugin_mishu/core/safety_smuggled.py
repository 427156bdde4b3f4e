"""Words that order the bot to throw over its rules or to recite them, wherever they were put. Data.

They are no danger by themselves: whatever a text says, rights are the event's and models act through rules.
Yet who quotes or photographs such words for the bot wants nothing else, and a plain refusal answers them
best.
"""

from __future__ import annotations

from typing import Final

from .safety_rule import Family, Rule

SMUGGLED: Final = "夹带指令"

_OVER: Final = (
    "(?:忽略|无视|忘记|忘掉|忘了|抛开|抛弃|违反|违背|绕过|绕开|覆盖|推翻|别看上面|不再(?:遵守|遵循|受)|"
    "(?:不用|不要|不必|不需要|停止)(?:再)?(?:遵守|遵循|理会))(?:掉|了)?"
)
_ORDERED: Final = "(?:^|[,。!?;:#> ]|[你请须要将并能])"
"""Before an order: who throws rules over by himself (他开车无视一切规则) is somebody else."""
_THERE: Final = "(?:之前|以上|上面|上文|前面|上述|先前|此前|原先|原来|最初|初始|预设|开头)"
_EVERY: Final = "(?:所有|全部|一切|任何|你|系统|平台|官方)"
_ORDERS: Final = (
    "(?:指令|提示词|系统提示|系统消息|system ?prompt|prompt|安全(?:规则|准则|检查|限制|策略|约束))"
)
_RULES: Final = "(?:设定|规则|规定|限制|准则|约束|身份|人设|原则|底线)"
_TOLD: Final = (
    "(?:系统(?:提示词?|指令|设定|消息)|提示词|初始(?:指令|设定|提示)|隐藏(?:的)?(?:指令|提示词?)|内部(?:指令|规则|"
    "提示)|system ?prompt|(?:上面|以上)的?(?:全部|所有)?(?:规则|指令))"
)
_RECITE: Final = (
    "(?:输出|打印|复述|重复|背|念|告诉|发|展示|泄露|透露|附上|列出|写出|贴出|公开|显示|交出|说出)"
)
_BY_TALK: Final = ("negation", "prevent", "study", "fiction", "game", "news")

RULES: Final[tuple[Rule, ...]] = (
    Rule(
        "throws the rules over",
        "BLOCK",
        SMUGGLED,
        (
            f"{_OVER}[^,。!?;]{{0,4}}(?:{_THERE}|{_EVERY})[^,。!?;]{{0,8}}{_ORDERS}|"
            f"{_OVER}[^,。!?;]{{0,4}}(?:以上|上面|上述|前面|初始|预设)的?(?:所有|全部|一切)?{_RULES}|"
            f"{_ORDERED}{_OVER}[^,。!?;]{{0,4}}(?:(?:所有|全部|一切|任何|你)的?[^,。!?;]{{0,6}}{_RULES}|"
            "安全(?:规则|准则|检查|限制|策略))"
        ),
        _BY_TALK,
    ),
    Rule(
        "no limits",
        "BLOCK",
        SMUGGLED,
        (
            "你(?:现在|已经|从现在起|从此|以后|将|就)*(?:是|变成|成为|扮演|叫)[^。!?;]{0,16}(?:没有(?:任何|"
            "一切)?(?:的)?(?:限制|规则|道德|底线|约束|审查)|不受(?:任何|一切)?(?:的)?(?:限制|约束|审查|规则))|"
            "(?:dan|越狱|无限制|无审查|不受限)模式(?:已)?(?:开启|启动|打开|激活)|"
            "(?:进入|开启|启动|切换到|激活|打开)(?:dan|越狱|无限制|无审查|不受限)模式|"
            "你[^,。!?;]{0,6}(?:进入|开启|启动|切换到|激活|处于)了?(?:开发者|管理员|上帝|调试)模式"
        ),
        _BY_TALK,
    ),
    Rule(
        "another than it is",
        "BLOCK",
        SMUGGLED,
        (
            "你(?:现在|已经|从现在起|从此|以后)*不再是[^,。!?;]{0,6}(?:秘书|助手|机器人|ai|助理)|"
            "(?:以|用)(?:超级)?(?:管理员|系统|root|开发者|主人)的?(?:身份|权限)(?:来|去)?(?:执行|运行)|"
            "(?:最高|新的?)(?:优先级)?的?(?:系统)?指令(?:如下|:|是)|最高优先级[^,。!?;]{0,4}(?:系统)?(?:指令|规则)|"
            "(?:新指令|系统指令|new instructions?|system override)(?=#|:|]|】)|"
            "ai[^。!?;]{0,24}(?:不要|别|不得)告诉(?:用户|使用者)"
        ),
        _BY_TALK,
    ),
    Rule(
        "recites what it was told",
        "BLOCK",
        SMUGGLED,
        (
            f"{_RECITE}[^,。!?;]{{0,6}}你(?:的|收到的|上面的|被给的)*{_TOLD}|"
            f"(?:把|将)你(?:的|收到的)*{_TOLD}[^,。!?;]{{0,12}}{_RECITE}|"
            f"(?:原样|逐字|一字不[差落漏])[^,。!?;]{{0,4}}{_RECITE}[^,。!?;]{{0,6}}{_TOLD}"
        ),
        _BY_TALK,
    ),
    Rule(
        "markup of prompts",
        "BLOCK",
        SMUGGLED,
        (
            r"<\|(?:im_start|im_end|system|user|assistant|endoftext)\|>|<<sys>>|<</sys>>|\[/?inst\]|"
            r"</?(?:system|sys|instructions?|system_prompt)>|\[system\]|"
            r"#{2,} ?(?:system|instruction|新指令|系统指令|系统提示)"
        ),
    ),
    Rule(
        "english",
        "BLOCK",
        SMUGGLED,
        (
            r"\b(?:ignore|disregard|forget|override|bypass) (?:all |any |of |the |your |my |these |those )*"
            r"(?:previous|above|prior|earlier|preceding|system|initial|original|safety|guidelines?|instructions?)"
            r"\b|"
            r"\byou are now (?:an? )?(?:unrestricted|unfiltered|uncensored|jailbroken|dan\b|"
            r"free (?:of|from))|"
            r"\bsystem override\b|"
            r"\b(?:reveal|print|output|repeat|show|leak|display|tell) "
            r"(?:me |us |out )*(?:all |of |everything in )*your "
            r"(?:hidden |system |initial |full |secret |original |entire |own )*"
            r"(?:prompt|instructions|configuration|rules|guidelines)\b|"
            r"\brepeat (?:everything|all|the (?:text|words)) above\b"
        ),
        ("study", "prevent"),
    ),
)

SMUGGLING: Final = Family(rules=RULES)
