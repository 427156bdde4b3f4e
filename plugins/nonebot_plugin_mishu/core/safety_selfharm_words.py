"""Words for hurting oneself, as the self-harm tables need them: who, meaning to, and the deed."""

from __future__ import annotations

from typing import Final

from .safety_people import ACQUAINTED, RELATIVES, THIRD

SELF: Final = "自伤"
OTHER: Final = "身边人自伤"

TOPIC: Final = (
    "(?!的(?:人|那些|群体|患者|网友|新闻|故事|情节|镜头|画面|场景|戏|片段|角色|视频|案例|"
    "原因|话题|论文|文章|小说|歌|电影|书|明星|作家|诗人))"
)
"""What may not follow an act: then it is spoken about."""
PLACES: Final = "(?:楼上|天台|楼顶|桥上|阳台|窗户|窗口|顶楼|悬崖|[0-9一二三四五六七八九十]{1,3}[楼层])"
ACT: Final = (
    "(?:自杀(?!热线)|自尽|自残|自戕|自缢|自刎|自焚|轻生|寻短见|寻死|割腕|割脉|割手腕|割自己|上吊|"
    "跳楼|跳河|跳江|跳海|跳桥|跳轨|卧轨|撞火车|烧炭(?!烤|火)|服毒|吞药|死给|一死了之|"
    "一了百了|自我了断|自我了结|了[结断](?:自己|我自己|这一切|一切|生命|此生|余生|这辈子)|"
    "结束(?:掉)?(?:我|自己|这个|这条|我自己)?的?(?:生命|性命|小命|命(?!运|题|名|令|案)|一生|痛苦的一生|人生(?!课)|"
    f"这一切)|从{PLACES}[^,。!?;]{{0,3}}跳(?:下去|下来|下)|伤害(?:我)?自己|弄死(?:我)?自己|"
    "割[过了](?:[一两三几好]{1,2}[次回])?手?腕|跳[过了](?:[一两三几好]{1,2}[次回])?[楼河江桥]|上[过了](?:[一两三几好]{1,2}[次回])?吊|"
    "自[过了](?:[一两三几好]{1,2}[次回])?杀|(?:结束|了结)(?:掉|了)?(?:我)?自己(?![的这那一手上在])|"
    "杀死?[了掉]?(?:我)?自己|掐死自己|捅死?自己|毒死自己|勒死自己)"
)
"""The deed."""
INTENT: Final = (
    "(?:想要|想着|想过|只想|好想|真想|很想|就想|想|打算|准备|决定|计划|考虑|试图|试过|试着|"
    "企图|尝试|正要|马上|即将|要|去|总|差点|不如|还是|干脆|冲动|这就|今晚|待会儿?|该)"
)
"""Meaning to."""
NEAR: Final = (
    f"(?:我(?:的)?(?:{RELATIVES}|[^,。!?;]{{0,4}}朋友|同学|同事|室友|舍友|闺蜜|兄弟|姐妹|邻居|"
    f"学生|老师|粉丝|网友|一个)|{THIRD})"
)
"""Somebody concretely near the speaker."""
ME: Final = f"(?<![给跟和对向替帮叫让])(?:我|俺|本人)(?!们?的?(?:{RELATIVES}|{ACQUAINTED}|有个|一个|认识))"
"""The speaker."""
SPEECH: Final = (
    "(?:跟我说|和我说|给我发|发消息|告诉我|一直说|总说|老说|说|发朋友圈|留言|发信息|威胁|嚷嚷|扬言|闹着?)"
)
"""How one hears of it."""
SERIOUS: Final = ("negation", "second_person", "degree", "role")
"""Guards of words that weigh much."""
WEAK: Final = ("negation", "second_person", "degree", "role", "joke", "daily_grind", "generic", "game")
"""Guards of words that people also grumble with."""
