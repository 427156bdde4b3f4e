"""What the speaker did, plans or asks for, to hurt themselves. Data."""

from __future__ import annotations

from typing import Final

from .safety_rule import GAP, WIDE, Rule
from .safety_selfharm_words import ACT, INTENT, ME, SELF, SERIOUS, TOPIC

MINE: Final[tuple[Rule, ...]] = (
    Rule(
        "I mean to",
        "EMERGENCY",
        SELF,
        rf"{ME}[^,。!?;不没别你他她]{{0,6}}{INTENT}{GAP}{ACT}{TOPIC}",
        ("negation", "degree", "role", "second_person"),
    ),
    Rule(
        "deed of mine",
        "EMERGENCY",
        SELF,
        (
            f"{ME}[^,。!?;不没别差怕你他她]{{0,5}}(?:{ACT}|割(?:了|破了?|开了?)(?:自己的?)?(?:手腕|"
            f"动脉|手臂)|用刀划)[^,。!?;]{{0,2}}了"
        ),
        ("negation", "role", "long_past", "fiction", "news", "game", "second_person"),
    ),
    Rule(
        "deed told",
        "EMERGENCY",
        SELF,
        "(?:^|[,。!?; ])(?:我)?(?:刚刚?|已经|又)?(?:割腕|割脉|割手腕|服毒|吞药|自残)了",
        ("role", "long_past", "fiction", "news", "game", "study", "resolved"),
    ),
)

PLANS: Final[tuple[Rule, ...]] = (
    Rule(
        "intent",
        "EMERGENCY",
        SELF,
        rf"{INTENT}{GAP}{ACT}{TOPIC}",
        (*SERIOUS, "fiction", "news", "study", "generic", "game", "past", "swim", "market"),
    ),
    Rule(
        "means to take",
        "EMERGENCY",
        SELF,
        (
            "(?:想|要|准备|打算|决定)[^,。!?;不没别]{0,4}(?:吞|吃|喝|服)(?:下|掉|"
            "了)?[^,。!?;不没]{0,3}(?:(?:一整?|整|半|两|几)?(?:瓶|盒|把)(?:安眠药|安定|药)|农药|"
            "百草枯|敌敌畏|毒药|老鼠药|安眠药自)"
        ),
        (*SERIOUS, "fiction", "news", "game", "study", "past", "animal", "order"),
    ),
    Rule(
        "planned",
        "EMERGENCY",
        SELF,
        (
            "(?:今天|今晚|今夜|明天|明早|明晚|后天|下周|周末|等下|待会|马上|[0-9]点|点钟?)(?:就|去|"
            f"我|要|再|一起|来)*{ACT}{TOPIC}"
        ),
        (*SERIOUS, "fiction", "news", "study", "generic", "game", "past", "swim", "market"),
    ),
    Rule(
        "thoughts",
        "EMERGENCY",
        SELF,
        (
            "(?:有|出现|产生|冒出|满脑子|脑子里|都是|一直|总|反复|"
            f"又)[^,。!?;不没]{{0,5}}{ACT}的?(?:念头|想法|冲动|打算|准备|计划|倾向|画面)|"
            f"(?:满脑子|脑子里|脑海里|(?:一直|总|天天|每天)在想)[^,。!?;不没]{{0,4}}(?:怎么|如何)(?:去|才能)?(?:{ACT}|死(?![机磕亡背记]))"
        ),
        (*SERIOUS, "fiction", "news", "study", "generic", "long_past"),
    ),
    Rule(
        "again",
        "EMERGENCY",
        SELF,
        (
            f"(?:没死成|没死掉|没走成|被救(?:回来|下来|了)|[割跳]过(?:[一两三几好]{{1,2}}[次回])?|自[残杀]过|(?:{ACT})(?:过|未遂|失败))"
            f"[^。!?;]{{0,16}}(?:这次|这回|今[天晚]|现在|又|再|还)[^。!?;]{{0,6}}(?:更高的?(?:楼|地方|桥)|不会(?:再)?失败|"
            f"一定(?:能|会|要)成|(?<![不没别])(?:想|要|总|准备|打算)[^,。!?;不没别]{{0,3}}(?:割|划(?!算)|死|{ACT}))"
        ),
        (*SERIOUS, "fiction", "news", "game", "study", "generic"),
    ),
    Rule(
        "method asked",
        "EMERGENCY",
        SELF,
        (
            "(?:(?<!是)怎么|如何|怎样|咋|哪种|(?<!为)什么|哪里|哪儿|用啥|有没有|求|"
            f"教我)[^,。!?;预防止阻劝治]{{0,8}}(?:自杀|自尽|割腕|割脉|上吊|烧炭自|跳楼|轻生|去死(?!皮|"
            f"线|亡|海)|结束(?:自己的?|我的?)?生命)(?!的?(?:人|者|朋友|同学))(?:{WIDE}(?:方法|方式|"
            "办法|疼|痛|快|舒服|轻松|安静|容易|成功|会死|$)|$|[?吗呢])"
        ),
        ("negation", "fiction", "news", "study", "game", "swim", "second_person"),
    ),
    Rule(
        "way to die",
        "EMERGENCY",
        SELF,
        "求[^,。!?;]{0,6}死法|(?:哪种|哪个|什么样?的?)[^,。!?;]{0,3}死法|约死(?!亡)|相约自杀|(?:自杀|烧炭|上吊|割腕|割脉|跳楼|跳河|卧轨|"
        r"服毒|溺死)(?:自杀|死|死亡)?[^,。!?;]{0,6}(?:痛苦|疼|痛|难受)(?:吗|么|不|嘛|$|\?)|"
        "(?:怎么|如何|怎样|咋|哪种|(?<!为)什么)(?:样|个|才能|才|能|去|方式|方法|办法|"
        "死法)*(?:的)?死[^,。!?;]{0,6}(?:疼|痛苦?|舒服|轻松|快|安详|体面|容易|干净|安静|难受)|"
        "(?:无痛|不痛苦|没有痛苦|没痛苦|安静|轻松|体面|最快|不疼|"
        "不痛)的?(?:[^,。!?;]{0,4})?(?:死法|死去|自杀|去死|离开这个?世界|的死$)",
        ("fiction", "game", "news", "pest", "animal", "study", "joke"),
    ),
    Rule(
        "lethal dose",
        "EMERGENCY",
        SELF,
        "(?:多少|几)[片颗粒瓶][^,。!?;]{0,6}药[^,。!?;]{0,4}(?:死|致命|睡过去)|(?:吃|喝|吞|服|"
        "打)(?:下|了)?(?:多少|几)[^,。!?;]{0,10}(?:会死|能死|才死|死人|致死|致命|才会死|才能死|"
        "可以死|睡过去|死掉|不(?:会|用|再|想|要)*醒|醒不过?来)|(?:安眠药|安定片?|布洛芬|对乙酰氨基酚|胰岛素|头孢|"
        "药)[^,。!?;]{0,8}(?:致死量|(?:多少|几)[片颗粒瓶][^,。!?;]{0,4}(?:死|致命))|割(?:哪里|"
        "哪儿|哪|多深)[^,。!?;]{0,8}(?:死|致命|快)|割腕[^,。!?;]{0,4}(?:多深|多久|会死|能死)|"
        "几楼跳[^,。!?;]{0,6}死|跳楼[^,。!?;]{0,3}几楼|(?:烧炭|上吊|割腕|割脉|跳河|跳江|憋气|服毒|绝食|吸煤气|"
        "开煤气)[^,。!?;]{0,6}(?:多久|多长时间|几分钟|几个?小时|几天)[^,。!?;]{0,4}死",
        ("fiction", "game", "pest", "animal", "news"),
    ),
    Rule(
        "hurts own body",
        "EMERGENCY",
        SELF,
        "(?:拿|用|又|想|忍不住|在|总是?)[^,。!?;不没别]{0,6}(?:刀|刀片|小刀|美工刀|剪刀|玻璃|"
        "烟头|圆规)?[^,。!?;不没别]{0,3}(?:划|割|烫|捅|扎|砍)(?:了|着|伤|破|开)?(?:我|他|她|"
        "我自己|他自己|她自己|自己)的?(?:手腕|手臂|胳膊|大腿|腿|手|动脉|身体|肚子|脖子|$)|(?:划|"
        "割)(?:了|破|开)?(?:自己的?)?(?:手腕|动脉)|手腕[^,。!?;不没]{0,3}[割划](?:破|开|断|了|伤)(?!了?一?点儿?皮)|"
        "(?:手腕|胳膊|手臂)上[^,。!?;]{0,6}(?:都是|全是|很多|新)[^,。!?;]{0,3}(?:刀痕|划痕|割痕)",
        (
            "negation",
            "fiction",
            "news",
            "game",
            "long_past",
            "role",
            "second_person",
            "daily_grind",
            "idle_if",
        ),
    ),
    Rule(
        "on the edge",
        "EMERGENCY",
        SELF,
        (
            "(?:站|坐|爬|在|上)[^,。!?;不没]{0,4}(?:天台|楼顶|顶楼|阳台|窗台|窗边|桥|护栏|栏杆|悬崖|"
            "铁轨|江边|河边|海边)[^。!?;]{0,12}(?:跳(?!舞|绳|操|广场|一跳|高|远|过|蚤|棋|槽)|往下|"
            "不想活|一了百了|轻生|结束(?:一切|这)|解脱)|(?:要|想|准备|"
            "马上)(?:从[^,。!?;]{0,5})?跳下去"
        ),
        ("negation", "fiction", "news", "game", "past", "swim", "second_person", "role"),
    ),
    Rule(
        "end myself",
        "EMERGENCY",
        SELF,
        "(?:想|要|打算|准备|决定)[^,。!?;不没别]{0,4}(?:结束|了结|解决)(?:掉)?(?:我)?自己(?!的)|"
        "把(?:我)?自己(?:给)?(?:弄死|杀了|杀死|掐死|勒死|结束|毒死|淹死)|"
        "遗书[^,。!?;不没]{0,3}(?:在|放|留)|差点[^,。!?;]{0,3}跳下去|"
        "(?:想|要|准备|打算|差点)(?:就)?(?:这么|这样|用刀|拿刀)?(?:一刀)?(?:割|划)下去",
        (*SERIOUS, "fiction", "news", "game"),
    ),
    Rule(
        "I will",
        "EMERGENCY",
        SELF,
        f"{ME}(?:可能|一定|肯定|怕|担心|我|自己|真的?|早晚|迟早|总有一天|说不定|就|"
        f"也许)*会{ACT}(?!吗)|(?:今晚|今天|明天|现在|马上|等会儿?)(?:我)?(?:就|去)死(?!皮|线|亡|"
        "海|机)",
        (*SERIOUS, "fiction", "news", "game", "joke"),
    ),
    Rule(
        "means asked",
        "EMERGENCY",
        SELF,
        "自杀(?:的|最)?[^,。!?;预防]{0,5}(?:方法|方式|办法|途径|工具|地点)|(?:吃|喝|"
        "吞)什么[^,。!?;]{0,6}(?:可以|能|会|才能|就能)[^,。!?;不]{0,5}死|(?:吃|喝|吞|灌)(?:一瓶|"
        "半瓶|很多|了)?(?:安眠药|农药|百草枯|敌敌畏|洁厕灵|老鼠药|消毒液|"
        "安定)[^,。!?;]{0,6}(?:能|会|可以|多久|真的)[^,。!?;不]{0,5}死",
        ("negation", "fiction", "news", "study", "game", "pest", "animal", "prevent"),
    ),
    Rule(
        "english",
        "EMERGENCY",
        SELF,
        (
            r"\b(?:kill(?:ing)? myself|end(?:ing)? my (?:own )?life|want to die|wanna die|"
            r"cut(?:ting)? my wrists?|i(?:'m| am) suicidal|commit suicide|"
            r"don't (?:want to|wanna) (?:live|be (?:here|alive))|"
            r"(?:want to|wanna|gonna) end it|end it all|"
            r"better off dead|wish i (?:was|were) dead|take my own life|hang myself|unalive(?: myself)?|"
            r"no reason to live|(?:wanna|gonna|want to|to) kms)\b"
        ),
        ("fiction", "joke", "study"),
    ),
)
