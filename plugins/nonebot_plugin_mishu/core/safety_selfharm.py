"""Self-harm: intent, plan, method or deed of the speaker or of somebody concretely near. Data."""

from __future__ import annotations

from typing import Final

from .safety_people import ACQUAINTED, ANYBODY, RELATIVES, THIRD
from .safety_rule import GAP, WIDE, Family, Hint, Rule

SELF: Final = "自伤"
OTHER: Final = "身边人自伤"

_TOPIC: Final = (
    "(?!的(?:人|那些|群体|患者|网友|新闻|故事|情节|镜头|画面|场景|戏|片段|角色|视频|案例|"
    "原因|话题|论文|文章|小说|歌|电影|书|明星|作家|诗人))"
)
_PLACES: Final = "(?:楼上|天台|楼顶|桥上|阳台|窗户|窗口|顶楼|悬崖|[0-9一二三四五六七八九十]{1,3}[楼层])"
_ACT: Final = (
    "(?:自杀|自尽|自残|自戕|自缢|自刎|自焚|轻生|寻短见|寻死|割腕|割脉|割手腕|割自己|上吊|"
    "跳楼|跳河|跳江|跳海|跳桥|跳轨|卧轨|"
    "撞火车|烧炭(?!烤|火)|服毒|吞药|死给|一死了之|一了百了|自我了断|自我了结|"
    "了[结断](?:自己|我自己|这一切|一切|生命|此生|余生|这辈子)|结束(?:掉)?(?:我|自己|这个|"
    "这条|我自己)?的?(?:生命|性命|小命|一生|痛苦的一生|人生(?!课)|这一切)|"
    f"从{_PLACES}[^,。!?;]{{0,3}}跳(?:下去|下来|下)|伤害(?:我)?自己|弄死(?:我)?自己|"
    "杀死?[了掉]?(?:我)?自己|掐死自己|捅死?自己|毒死自己|勒死自己)"
)
_INTENT: Final = (
    "(?:想要|想着|想过|只想|好想|真想|很想|就想|想|打算|准备|决定|计划|考虑|试图|试着|企图|"
    "尝试|正要|马上|即将|要|去|忍不住|控制不住|差点|"
    "不如|还是|干脆|冲动|这就|今晚|待会儿?|该)"
)
_NEAR: Final = (
    f"(?:我(?:的)?(?:{RELATIVES}|[^,。!?;]{{0,4}}朋友|同学|同事|室友|舍友|闺蜜|兄弟|姐妹|邻居|"
    f"学生|老师|粉丝|网友|一个)|{THIRD})"
)
_ME: Final = f"(?<![给跟和对向替帮叫让])(?:我|俺|本人)(?!们?的?(?:{RELATIVES}|{ACQUAINTED}|有个|一个|认识))"
_SPEECH: Final = (
    "(?:跟我说|和我说|给我发|发消息|告诉我|一直说|总说|老说|说|发朋友圈|留言|发信息|威胁|嚷嚷|扬言|闹着?)"
)
_SERIOUS: Final = ("negation", "second_person", "degree", "role")
_WEAK: Final = ("negation", "second_person", "degree", "role", "joke", "daily_grind", "generic", "game")

RULES: Final = (
    Rule(
        "I mean to",
        "EMERGENCY",
        SELF,
        rf"{_ME}[^,。!?;不没别你他她]{{0,6}}{_INTENT}{GAP}{_ACT}{_TOPIC}",
        ("negation", "degree", "role", "second_person"),
    ),
    Rule(
        "deed of mine",
        "EMERGENCY",
        SELF,
        (
            f"{_ME}[^,。!?;不没别差怕你他她]{{0,5}}(?:{_ACT}|割(?:了|破了?|开了?)(?:自己的?)?(?:手腕|"
            f"动脉|手臂)|用刀划)[^,。!?;]{{0,2}}了"
        ),
        ("negation", "role", "long_past", "fiction", "news", "game", "second_person"),
    ),
    Rule(
        "somebody means to",
        "EMERGENCY",
        OTHER,
        rf"{_NEAR}(?:{WIDE}{_SPEECH})?[^,。!?;不没别你]{{0,8}}{_INTENT}{GAP}{_ACT}{_TOPIC}",
        (*_SERIOUS, "fiction", "news", "game", "past", "generic", "study"),
    ),
    Rule(
        "deed of another",
        "EMERGENCY",
        OTHER,
        rf"{_NEAR}[^,。!?;不没别差怕]{{0,6}}{_ACT}(?:了|未遂|呢)",
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
        rf"{ANYBODY}[^,。!?;不没别]{{0,6}}(?:正在|在)(?:{_ACT}|划手腕|划自己|吞药)",
        ("fiction", "news", "game", "past", "study", "role"),
    ),
    Rule(
        "tendency",
        "EMERGENCY",
        OTHER,
        rf"{_NEAR}[^,。!?;不没]{{0,5}}(?:自杀|自残|轻生)的?(?:倾向|念头|想法|冲动|行为)",
        ("negation", "fiction", "news", "study", "generic", "long_past", "second_person"),
    ),
    Rule(
        "somebody tired of living",
        "EMERGENCY",
        OTHER,
        (
            f"{_NEAR}(?:{WIDE}{_SPEECH})?[^,。!?;没别你]{{0,8}}(?:不想活(?!动|泼|儿|在|得|成|该)|"
            "活不下去|想死(?![你他她我])|要去死|想去死|活够了|生不如死|写(?:了|好)?遗书|留(?:了|"
            "下)?遗书)"
        ),
        (*_SERIOUS, "fiction", "news", "game", "past", "generic", "study", "joke"),
    ),
    Rule(
        "somebody on the edge",
        "EMERGENCY",
        OTHER,
        (
            f"{_NEAR}[^,。!?;不没]{{0,6}}(?:站|坐|爬|在|上)[^,。!?;不没]{{0,4}}(?:天台|楼顶|顶楼|阳台|"
            f"窗台|窗边|桥|护栏|栏杆|悬崖|铁轨|江边|河边|海边)[^。!?;]{{0,12}}(?:跳(?!舞|绳|操|广场|"
            f"一跳|高|远|过|蚤|棋|槽)|往下|不想活|轻生)|{_NEAR}[^,。!?;]{{0,3}}要跳了"
        ),
        ("negation", "fiction", "news", "game", "past", "swim", "second_person", "role"),
    ),
    Rule(
        "letter of another",
        "EMERGENCY",
        OTHER,
        (
            "(?:发现|看到|收到|找到)(?:了|到)?[^,。!?;我]{0,6}(?:他|她|妹妹?|弟弟?|哥哥?|姐姐?|同学|"
            "室友|朋友|爸|妈|儿子|女儿|学生|同事)[^,。!?;]{0,4}遗书|(?:他|她)(?:的|留下的?)遗书"
        ),
        ("role", "joke", "fiction", "news", "game", "study", "negation"),
    ),
    Rule(
        "intent",
        "EMERGENCY",
        SELF,
        rf"{_INTENT}{GAP}{_ACT}{_TOPIC}",
        (*_SERIOUS, "fiction", "news", "study", "generic", "game", "past", "swim"),
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
        (*_SERIOUS, "fiction", "news", "game", "study", "past", "animal", "order"),
    ),
    Rule(
        "planned",
        "EMERGENCY",
        SELF,
        (
            "(?:今天|今晚|今夜|明天|明早|明晚|后天|下周|周末|等下|待会|马上|[0-9]点|点钟?)(?:就|去|"
            f"我|要|再|一起|来)*{_ACT}{_TOPIC}"
        ),
        (*_SERIOUS, "fiction", "news", "study", "generic", "game", "past", "swim"),
    ),
    Rule(
        "thoughts",
        "EMERGENCY",
        SELF,
        (
            "(?:有|出现|产生|冒出|满脑子|脑子里|都是|一直|总|反复|"
            f"又)[^,。!?;不没]{{0,5}}{_ACT}的?(?:念头|想法|冲动|打算|准备|计划|倾向|画面)"
        ),
        (*_SERIOUS, "fiction", "news", "study", "generic", "long_past"),
    ),
    Rule(
        "method asked",
        "EMERGENCY",
        SELF,
        (
            "(?:怎么|如何|怎样|咋|哪种|(?<!为)什么|哪里|哪儿|用啥|有没有|求|"
            f"教我)[^,。!?;预防止阻劝治]{{0,8}}(?:自杀|自尽|割腕|割脉|上吊|烧炭自|跳楼|轻生|去死(?!皮|"
            f"线)|结束(?:自己的?|我的?)?生命)(?!的?(?:人|者|朋友|同学))(?:{WIDE}(?:方法|方式|办法|疼|"
            "痛|快|舒服|轻松|安静|容易|成功|会死|$)|$|[?吗呢])"
        ),
        ("negation", "fiction", "news", "study", "game", "swim", "second_person"),
    ),
    Rule(
        "way to die",
        "EMERGENCY",
        SELF,
        "(?:怎么|如何|怎样|咋|哪种|(?<!为)什么)(?:样|个|才能|才|能|去|方式|方法|办法|"
        "死法)*(?:的)?死[^,。!?;]{0,6}(?:疼|痛苦?|舒服|轻松|快|安详|体面|容易|干净|安静|难受)"
        "|(?:无痛|不痛苦|没有痛苦|没痛苦|安静|轻松|体面|最快|不疼|"
        "不痛)的?(?:[^,。!?;]{0,4})?(?:死法|死去|自杀|去死|离开这个?世界|的死$)",
        ("fiction", "game", "news", "pest", "animal", "study", "joke"),
    ),
    Rule(
        "lethal dose",
        "EMERGENCY",
        SELF,
        "(?:多少|几)[片颗粒瓶][^,。!?;]{0,6}药[^,。!?;]{0,4}(?:死|致命|睡过去)|(?:吃|喝|吞|服|"
        "打)(?:下|了)?(?:多少|几)[^,。!?;]{0,10}(?:会死|能死|才死|死人|致死|致命|才会死|才能死|"
        "可以死|睡过去|死掉|不醒)"
        "|(?:安眠药|安定片?|布洛芬|对乙酰氨基酚|胰岛素|头孢|药)[^,。!?;]{0,8}(?:致死量|(?:多少|"
        "几)[片颗粒瓶][^,。!?;]{0,4}(?:死|致命))"
        r"|割(?:哪里|哪儿|哪|多深)[^,。!?;]{0,8}(?:死|致命|快)|几楼跳[^,。!?;]{0,6}死|跳楼[^,。!?;]{0,3}几楼",
        ("fiction", "game", "pest", "animal", "news"),
    ),
    Rule(
        "no wish to live",
        "EMERGENCY",
        SELF,
        "(?<!谁)(?<!谁都)(?:不想|不愿意?|没心思|没力气|没勇气)(?:再|继续|要|多|这样|这么|一个人|"
        "这么痛苦地)*(?:活(?!动|泼|跃|力|儿|计|成|在|该|得|到|受罪|页|期)|苟活|活着)(?!(?:着|"
        "下去)?就)"
        "|活不下去|(?:我|真的?|已经|早就)[^,。!?;你他她]{0,4}活(?:够|腻)了|不(?:配|该|"
        "应该)(?:再)?活(?:着|在(?:这|世)|下去)|没(?:有)?(?:必要|理由|勇气|动力|意义|"
        "盼头)[^,。!?;]{0,3}活(?:着|下去)"
        r"|没(?:有)?[^,。!?;]{0,3}活(?:着|下去)的?(?:必要|理由|勇气|动力|意义|希望|欲望|念头|意思|盼头)",
        ("second_person", "role", "joke", "fiction", "news", "generic", "animal", "degree"),
    ),
    Rule(
        "life is nothing",
        "EMERGENCY",
        SELF,
        "(?<!《)活着(?:真的?|好|太|也|就|都|还|实在|又|对我来说|简直|已经|"
        "完全)*(?:没(?:有)?(?:什么|任何|啥|一点儿?)?(?:意思|意义|劲|希望|盼头|价值|用|必要)|"
        "(?:太|很|好|真)?痛苦|是(?:一种)?(?:折磨|煎熬|负担|累赘|多余)"
        r"|有什么(?:意思|意义|用|劲|盼头)|干什么|干嘛|不如死|生不如死)|(?:我|真的?)[^,。!?;]{0,3}生不如死",
        ("role", "joke", "fiction", "news", "generic", "degree", "game", "daily_grind"),
    ),
    Rule(
        "want to die",
        "EMERGENCY",
        SELF,
        "(?:是不是|要不要|干脆|活该|应该|该|要|这就)(?:真的|就|也)?去死(?!皮|线)|想死(?!党|忠|磕|"
        r"你|他|她|它|谁)(?:掉|去|了)?(?!(?:就|也)?(?:直说|别拉|吗$|吗\?|啊?你|么你|是吧|是不是))|"
        "(?:想|宁愿|不如|还是|打算|准备)去死(?!皮|线)|(?:我|好想|"
        "真想)[^,。!?;不没别你他她]{0,4}去死(?!皮|线)"
        "|(?:我|真的?|好|只|就|很|特别|不如|干脆|还是)(?:想|愿意)?死(?:掉|去|了)(?:就好|算了|"
        "拉倒|得了|更好|一了百了|好了|也好|最好|吧)"
        "|(?:让|叫|求[^,。!?;]{0,3}让)我(?:去)?死(?:了|掉)?(?:吧|算了|好了|好不好|$)|(?:怎么|"
        "为什么)(?:我)?还(?:不让我|不|没)死|不如死[了掉去]?|死了(?:算了|一了百了|就解脱|才解脱|"
        "就轻松|就不用)",
        _WEAK,
    ),
    Rule(
        "if I were dead",
        "EMERGENCY",
        SELF,
        (
            "(?:要是|如果|假如|等|是不是|也许|可能)?我(?:要是|如果)?(?:死|不在|消失)了?(?:以后|之后|"
            "的话)?[^,。!?;]{0,2},?[^。!?;]{0,8}(?:难过|在乎|伤心|后悔|解脱|更好|就好了|就都好了|"
            "哭吗|会哭|记得我|想起我|轻松)"
        ),
        ("role", "joke", "fiction", "game", "second_person"),
    ),
    Rule(
        "leave the world",
        "EMERGENCY",
        SELF,
        "(?:想|要|打算|准备|决定)[^,。!?;不没别]{0,4}(?:离开(?:这个|这|人)世?界?(?:世界|人世|"
        "人间|世上)?(?<=[界世间上])|从(?:这个)?世(?:界)?上?消失|消失在这个世界|永远(?:消失|"
        "睡(?:着|过去|去|下去)|离开|闭上眼)|(?:一觉|睡着|睡过去)[^,。!?;]{0,4}(?:不|别)(?:再|要|"
        "用)*醒|再也不(?:要|用|想)?醒|彻底消失|彻底解脱)"
        "|(?:再也|永远|明天)?(?:不想|不用|不要)(?:再)?(?:醒过来|醒来|醒了)|(?:永别|诀别|再见|"
        "别)了[,! ]?(?:这个|这|美丽的|残酷的)?世界"
        "|(?:(?:世界|家里|大家|他们|你们)[^,。!?;]{0,3})?没有?我(?:这个世界|你们|大家|"
        "世界)?(?:会|就|才|可能|也许|反而)*(?:更好|好|一样|轻松)",
        ("negation", "role", "joke", "fiction", "game", "second_person", "news"),
    ),
    Rule(
        "last letter",
        "EMERGENCY",
        SELF,
        (
            "(?:写|留|准备|想)(?:好|下|完|了|个|一封|封)*[^,。!?;不没]{0,3}遗书(?!的?(?:格式|作文|"
            "剧情))|(?:我的|她的|他的|发现|看到|收到)(?:了|他|她|的|我|妹妹|弟弟|同学|室友|朋友)*遗书"
        ),
        ("role", "joke", "fiction", "news", "game", "study", "negation"),
    ),
    Rule(
        "hurts own body",
        "EMERGENCY",
        SELF,
        "(?:拿|用|又|想|忍不住|在|总是?)[^,。!?;不没别]{0,6}(?:刀|刀片|小刀|美工刀|剪刀|玻璃|"
        "烟头|圆规)?[^,。!?;不没别]{0,3}(?:划|割|烫|捅|扎|砍)(?:了|着|伤|破|开)?(?:我|他|她|"
        "我自己|他自己|她自己|自己)的?(?:手腕|手臂|胳膊|大腿|腿|手|动脉|身体|肚子|脖子|$)"
        "|(?:划|割)(?:了|破|开)?(?:自己的?)?(?:手腕|动脉)|(?:手腕|胳膊|"
        "手臂)上[^,。!?;]{0,6}(?:都是|全是|很多|新)[^,。!?;]{0,3}(?:刀痕|划痕|割痕)",
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
            "不想活|一了百了|轻生|结束(?:一切|这)|解脱)|(?:要|想|准备|马上)跳下去"
        ),
        ("negation", "fiction", "news", "game", "past", "swim", "second_person", "role"),
    ),
    Rule(
        "english",
        "EMERGENCY",
        SELF,
        (
            r"\b(?:kill(?:ing)? myself|end(?:ing)? my (?:own )?life|want to die|wanna die|"
            r"cut(?:ting)? my wrists?|i(?:'m| am) suicidal|commit suicide|don't want to live)\b"
        ),
        ("fiction", "joke", "study"),
    ),
)

HINTS: Final = (
    Hint(
        "weary",
        "EMERGENCY",
        SELF,
        r"活(?:着|得)(?:真的?|好|太|很)+(?:累|难|苦|痛苦)|撑不(?:下去|住)了|坚持不下去了|熬不下去",
        ("joke", "role", "fiction"),
    ),
    Hint(
        "goodbye",
        "EMERGENCY",
        SELF,
        r"永别|来世|下辈子(?!也)|再也见不到我|大家再见|再见了",
        ("joke", "role", "fiction", "game"),
    ),
    Hint(
        "last",
        "EMERGENCY",
        SELF,
        r"最后一(?:次|条|面)[^,。!?;]{0,6}(?:消息|说说|朋友圈|见|你们)|后事",
        ("joke", "role", "fiction", "game"),
    ),
    Hint(
        "sorry",
        "EMERGENCY",
        SELF,
        r"对不起[^,。!?;]{0,3}(?:大家|爸|妈|你们|所有人|家人)|爸妈?,?对不起|我对不起",
        ("joke", "role", "fiction"),
    ),
    Hint(
        "pills",
        "EMERGENCY",
        SELF,
        (
            "(?:攒|囤|买|备|准备)(?:了|好)[^,。!?;]{0,4}安眠药|药(?:都|已经)?(?:准备|买|攒)好了|"
            "安眠药都?(?:准备|买|攒)好了"
        ),
        ("fiction", "order"),
    ),
    Hint(
        "high",
        "EMERGENCY",
        SELF,
        r"(?:站|坐|爬|在)[^,。!?;]{0,3}(?:天台|楼顶|顶楼|窗台)",
        ("fiction", "news"),
    ),
    Hint(
        "release",
        "EMERGENCY",
        SELF,
        (
            "(?:想|要|终于|可以)解脱|想消失|不想继续了|结束吧|不想再?醒|没有?人在乎我|"
            "没有?人会?在意我|多余的人"
        ),
        ("joke", "role", "fiction"),
    ),
    Hint(
        "despair",
        "EMERGENCY",
        SELF,
        r"绝望|抑郁|崩溃到|看不到希望|没有希望|痛不欲生|万念俱灰",
        ("joke", "role", "fiction", "study", "news"),
    ),
)

SELF_HARM: Final = Family(
    cue="死|杀|活|命|逝|割|腕|吊|跳|轻生|寻短|了[结断]|结束|消失|离开|遗书|自[残焚刎缢戕尽伤]|"
    "卧轨|烧炭|服毒|吞药|划|烫|醒|永|再见|世界|"
    "天台|楼顶|安眠|解脱|伤害|一了百了|我不在|捅|扎|撞火车|没有?我|对不起|下辈子|来世|后事|"
    "撑不|坚持不|熬不|药|绝望|抑郁|崩溃|希望|痛不欲生|万念|继续|在乎|在意|多余|suicid|kill|"
    "die|life|wrist|live",
    rules=RULES,
    hints=HINTS,
)
