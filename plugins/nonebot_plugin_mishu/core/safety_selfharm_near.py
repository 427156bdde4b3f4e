"""Somebody concretely near who hurts themselves or means to. Data."""

from __future__ import annotations

from typing import Final

from .safety_people import ANYBODY
from .safety_rule import GAP, WIDE, Rule
from .safety_selfharm_words import ACT, INTENT, NEAR, OTHER, SERIOUS, SPEECH, TOPIC

NEARBY: Final[tuple[Rule, ...]] = (
    Rule(
        "somebody means to",
        "EMERGENCY",
        OTHER,
        rf"{NEAR}(?:{WIDE}{SPEECH})?[^,。!?;不没别你]{{0,8}}{INTENT}{GAP}{ACT}{TOPIC}",
        (*SERIOUS, "fiction", "news", "game", "past", "generic", "study"),
    ),
    Rule(
        "deed of another",
        "EMERGENCY",
        OTHER,
        rf"{NEAR}[^,。!?;不没别差怕]{{0,6}}{ACT}(?:了|未遂|呢)",
        (
            "negation",
            "fiction",
            "news",
            "game",
            "past",
            "question",
            "role",
            "study",
            "second_person",
            "resolved",
        ),
    ),
    Rule(
        "under way",
        "EMERGENCY",
        OTHER,
        (
            f"{ANYBODY}[^,。!?;不没别]{{0,6}}(?:正在|在)(?:{ACT}|划手腕|划自己|吞药)|"
            f"{ANYBODY}[^,。!?;不没别]{{0,6}}(?:锁|关|躲)在[^,。!?;不没]{{1,6}}[里内中]?(?:{ACT}|吞药|划自己)"
        ),
        ("fiction", "news", "game", "past", "study", "role"),
    ),
    Rule(
        "tendency",
        "EMERGENCY",
        OTHER,
        rf"{NEAR}[^,。!?;不没]{{0,5}}(?:自杀|自残|轻生)的?(?:倾向|念头|想法|冲动|行为)",
        ("negation", "fiction", "news", "study", "generic", "long_past", "second_person"),
    ),
    Rule(
        "somebody tired of living",
        "EMERGENCY",
        OTHER,
        (
            f"{NEAR}(?:{WIDE}{SPEECH})?[^,。!?;没别你]{{0,8}}(?:不想活(?!动|泼|儿|在|得|成|该)|"
            f"活不下去|想死(?![你他她我])|要去死|想去死|活够了|生不如死|活[够腻]了|(?:想|要)(?:解脱|一了百了|永远睡)|死了(?:算了|就好|更好|就解脱)|活着[^,。!?;]{{0,2}}(?:没意思|"
            "没意义|太累|痛苦)|(?:想|要|准备)(?:喝农药|喝百草枯|吞药|吃安眠药|吞安眠药)|写(?:了|"
            "好)?遗书|留(?:了|下)?遗书)"
        ),
        (*SERIOUS, "fiction", "news", "game", "past", "generic", "study", "joke"),
    ),
    Rule(
        "somebody on the edge",
        "EMERGENCY",
        OTHER,
        (
            f"{NEAR}[^,。!?;不没]{{0,6}}(?:站|坐|爬|在|上)[^,。!?;不没]{{0,4}}(?:天台|楼顶|顶楼|阳台|"
            f"窗台|窗边|桥|护栏|栏杆|悬崖|铁轨|江边|河边|海边)[^。!?;]{{0,12}}(?:跳(?!舞|绳|操|广场|"
            f"一跳|高|远|过|蚤|棋|槽)|往下|不想活|轻生)|{NEAR}[^,。!?;]{{0,3}}要跳了"
        ),
        ("negation", "fiction", "news", "game", "past", "swim", "second_person", "role"),
    ),
    Rule(
        "farewell of another",
        "EMERGENCY",
        OTHER,
        (
            f"{NEAR}[^。!?;]{{0,20}}(?:(?<!明天)(?<!回头)(?<!下周)再见|永别|告别|来世|来生|下辈子|遗言|绝笔|最后一[次面句])"
            "[^。!?;]{0,16}(?:(?:电话|手机|微信|消息)[^,。!?;]{0,5}(?:不接|打不通|没人接|关机|不回)|联系不上|失联|找不到[他她人])"
        ),
        (*SERIOUS, "fiction", "news", "game", "long_past", "joke", "study"),
    ),
    Rule(
        "threat of another",
        "EMERGENCY",
        OTHER,
        f"{NEAR}[^。!?;]{{0,4}}{SPEECH}[^。!?;]{{0,14}}[就便](?:立刻|马上|去|真的?)*{ACT}{TOPIC}|"
        f"{NEAR}[^。!?;]{{0,20}}(?:美工刀|刀片|小刀)[^。!?;]{{0,14}}(?:一道一道|一道道|划痕|新口子|是血)|"
        f"{NEAR}[^,。!?;]{{0,4}}把自己反?[锁关](?:在|进)?[^。!?;]{{0,16}}(?:有血|流血|拿[^,。!?;]{{0,2}}刀|没动静|没声音|叫不应)|"
        f"{NEAR}[^,。!?;不没别]{{0,10}}(?:非要|硬要|闹着要?|吵着要?)[^,。!?;]{{0,3}}{ACT}",
        (*SERIOUS, "fiction", "news", "game", "long_past", "joke", "study", "generic", "swim"),
    ),
    Rule(
        "means of another",
        "EMERGENCY",
        OTHER,
        (
            f"{NEAR}[^。!?;]{{0,16}}(?:找|翻|抢|拿)[^,。!?;不没]{{0,3}}(?:农药|百草枯|敌敌畏|老鼠药|安眠药)[^。!?;]{{0,12}}(?:藏|拦|劝|抢下|怕|还在)|"
            f"(?:{NEAR}|同桌)[^,。!?;]{{0,4}}(?:袖子|胳膊|手臂|手腕|大腿)[^,。!?;]{{0,4}}(?:都是|全是|好多|很多|新|一道道)[^,。!?;]{{0,4}}"
            "(?:刀痕|划痕|割痕|刀口|划的|割的|口子)"
        ),
        (*SERIOUS, "fiction", "news", "game", "long_past", "animal", "study"),
    ),
    Rule(
        "letter of another",
        "EMERGENCY",
        OTHER,
        (
            f"{NEAR}[^,。!?;不没]{{0,4}}(?:发|寄|留|写)(?:了|给我|下)*(?:一?封)?遗书|"
            "(?:发现|看到|收到|找到)(?:了|到)?[^,。!?;我]{0,6}(?:他|她|妹妹?|弟弟?|哥哥?|姐姐?|同学|"
            "室友|朋友|爸|妈|儿子|女儿|学生|同事)[^,。!?;]{0,4}遗书|(?:他|她)(?:的|留下的?)遗书"
        ),
        ("role", "joke", "fiction", "news", "game", "study", "negation"),
    ),
)
