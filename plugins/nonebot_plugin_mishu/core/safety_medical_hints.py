"""Weak signs of a body in danger: what befell it, what it shows. Two different ones together count. Data."""

from __future__ import annotations

from typing import Final

from .safety_guards import NOW
from .safety_medical_signs import CHEST, MEDICAL, TROUBLE
from .safety_rule import NO, Hint

HINTS: Final[tuple[Hint, ...]] = (
    Hint("chest", "EMERGENCY", MEDICAL, rf"{CHEST}{NO}{{0,8}}(?:疼|痛|闷|难受|发紧|压)", (*NOW, "degree")),
    Hint("breath", "EMERGENCY", MEDICAL, TROUBLE, NOW),
    Hint(
        "sweat",
        "EMERGENCY",
        MEDICAL,
        (
            "(?:出|冒)(?:了)?(?:一身|好多|一头)?冷汗|大汗淋漓|脸色(?:发白|惨白|苍白|发紫|发青)|"
            "嘴唇(?:都)?发?[紫青白]"
        ),
        NOW,
    ),
    Hint(
        "arm",
        "EMERGENCY",
        MEDICAL,
        r"左(?:臂|肩|胳膊|手臂|手)[^,。!?;]{0,3}(?:疼|痛|麻)|(?:放射|牵扯?|串|窜|连)[着到][^,。!?;]{0,2}(?:后背|左|下巴|肩)",
        NOW,
    ),
    Hint(
        "stroke",
        "EMERGENCY",
        MEDICAL,
        (
            "口齿不清|说话(?:含糊|不清|大舌头)|(?:手|胳膊|腿)[^,。!?;没不]{0,2}(?:抬不起来|没力气|没劲|使不上(?:劲|力)|没知觉|拿不住|拿不稳|"
            "不听使唤)|看东西重影|剧烈头[疼痛]|头(?:突然)?剧[烈痛]|喷射(?:性|状)?(?:的)?呕吐|"
            "头[^,。!?;不没]{0,4}(?:炸裂|炸开|裂开|要炸)[^,。!?;]{0,4}(?:疼|痛)"
        ),
        NOW,
    ),
    Hint(
        "blackout",
        "EMERGENCY",
        MEDICAL,
        r"眼前(?:一|发)黑|快?要?(?:晕|昏)(?:过去|倒)|快要?[晕昏]了|站不(?:住|稳|起来)|头晕[^,。!?;]{0,2}(?:想|要)吐|意识模糊|迷迷糊糊",
        (*NOW, "joke"),
    ),
    Hint(
        "fever",
        "EMERGENCY",
        MEDICAL,
        r"(?:烧到|高烧|发烧|体温)[^,。!?;]{0,4}(?:4[0-2](?:\.[0-9])?度?|四十度)",
        NOW,
    ),
    Hint(
        "fit",
        "EMERGENCY",
        MEDICAL,
        r"抽搐|抽筋一样|(?:开始|又|一直在?)抽(?:了|起来)?(?=[,。!?]|$)|翻白眼|眼睛[^,。!?;]{0,2}翻白|惊厥|叫不醒|喊不应|没反应",
        (*NOW, "joke", "machine"),
    ),
    Hint(
        "head",
        "EMERGENCY",
        MEDICAL,
        "(?:头|后脑勺?)(?:部|先|朝下)?(?:着地|磕|摔|撞)|一直(?:在)?(?:呕)?吐",
        (*NOW, "joke"),
    ),
    Hint("dose", "EMERGENCY", MEDICAL, "药[^,。!?;不没别]{0,2}(?:吃|服|喝)(?:得)?(?:太|过)?多了", NOW),
    Hint(
        "confused",
        "EMERGENCY",
        MEDICAL,
        "说胡话|胡言乱语|不认人|眼神(?:发直|涣散)|反应(?:很|特别)?迟钝|昏昏沉沉|人(?:都|有点|已经)?(?:迷糊|糊涂)",
        (*NOW, "joke"),
    ),
    Hint(
        "hard breath",
        "EMERGENCY",
        MEDICAL,
        "喘气[^,。!?;]{0,3}(?:呼哧|像拉风箱|费劲|响)|呼吸(?:很|特别)?(?:急促|重)|倒气",
        (*NOW, "joke", "degree", "exercise"),
    ),
    Hint(
        "wet with sweat",
        "EMERGENCY",
        MEDICAL,
        "(?:一身|满头|满身)大?汗",
        (*NOW, "joke", "degree", "exercise"),
    ),
    Hint(
        "sight",
        "EMERGENCY",
        MEDICAL,
        "(?:眼睛|东西|什么都)[^,。!?;]{0,4}看不[见清]|看不见了|看东西[^,。!?;]{0,3}(?:模糊|重影|雾|花)|眼前[^,。!?;]{0,2}(?:白|黑|模糊)",
        (*NOW, "joke", "machine"),
    ),
    Hint(
        "blood",
        "EMERGENCY",
        MEDICAL,
        "(?:一直|总|还)在?[流淌渗冒][^,。!?;]{0,2}血|[全都]是血|(?:大|深)口子|口子(?:很|好)?深|好多血|淌血",
        (*NOW, "joke", "money"),
    ),
    Hint(
        "hit",
        "EMERGENCY",
        MEDICAL,
        "撞(?:到|在|上)?了?(?:树|墙|护栏|电线杆|柱子|头|飞)|一头栽|[摔栽跌](?:下|倒|出去)|翻车|[压砸](?:到|中|住)了?(?:人|头|腿|脚|手|胸)",
        (*NOW, "joke", "machine"),
    ),
    Hint(
        "writhe",
        "EMERGENCY",
        MEDICAL,
        "[疼痛]得(?:打滚|直不起腰|满地|冒汗|直叫|站不)|绞着?[疼痛]",
        (*NOW, "joke"),
    ),
    Hint(
        "drops",
        "EMERGENCY",
        MEDICAL,
        "(?:筷子|杯子|碗|勺子)[^,。!?;]{0,3}(?:掉了|拿不住|拿不稳)",
        (*NOW, "joke"),
    ),
    Hint(
        "no answer",
        "EMERGENCY",
        MEDICAL,
        "(?:敲门|叫门|喊|叫)[^,。!?;]{0,4}(?:没人应|没动静|没回应|没声音|不应)|(?:好久|半天|一直)没(?:出来|动静)",
        (*NOW, "joke"),
    ),
    Hint(
        "fumes",
        "EMERGENCY",
        MEDICAL,
        "(?:煤气|燃气)热水器|(?:烧炭|炭火|煤炉|炭盆|蜂窝煤)[^,。!?;]{0,3}取暖|假酒|甲醇",
        (*NOW, "joke", "order", "money"),
    ),
    Hint(
        "sugar",
        "EMERGENCY",
        MEDICAL,
        r"血糖[^。!?;]{0,8}(?<![0-9.])(?:[012]\.[0-9]|2[5-9]|3[0-9])(?![0-9])",
        (*NOW, "order"),
    ),
    Hint(
        "eyes",
        "EMERGENCY",
        MEDICAL,
        "(?:溅|喷|弄|进|崩)(?:到|进|了)[^,。!?;]{0,3}眼",
        (*NOW, "joke"),
    ),
    Hint("shock", "EMERGENCY", MEDICAL, r"被电了(?!话)", (*NOW, "joke")),
    Hint("heart", "EMERGENCY", MEDICAL, r"心慌|心悸|心跳(?:很|突然)?(?:快|乱)|心律", NOW),
    Hint(
        "rash",
        "EMERGENCY",
        MEDICAL,
        "起(?:了|满)?[^,。!?;]{0,2}(?:疹子|红疹|荨麻疹|疙瘩|风团)|(?:浑身|全身)[^,。!?;]{0,2}(?:发?痒|红)",
        NOW,
    ),
    Hint(
        "throat",
        "EMERGENCY",
        MEDICAL,
        "(?:喉咙|嗓子)[^,。!?;]{0,3}(?:发紧|肿|紧|[掐卡堵锁]住)|(?:嘴唇?|舌头|眼睛|脸)[^,。!?;不没]{0,3}肿",
        NOW,
    ),
    Hint(
        "down",
        "EMERGENCY",
        MEDICAL,
        "(?<![摔跌打弄推碰滑栽累])倒(?:在地|在路边|地|了(?=[,。!?]|$))|(?:躺|趴)[^,。!?;]{0,4}(?:不动|没反应)|不动了|爬不起来|起不来了",
        (*NOW, "joke", "machine"),
    ),
    Hint(
        "senseless",
        "EMERGENCY",
        MEDICAL,
        "没(?:有)?知觉|叫不应|喊不应|不省人事|怎么[叫喊摇推拍]",
        (*NOW, "joke", "machine"),
    ),
    Hint(
        "speech",
        "EMERGENCY",
        MEDICAL,
        "[说讲]不[清出](?:楚|来)?话|话都?[说讲]不(?:清|出|利索)",
        (*NOW, "joke"),
    ),
    Hint(
        "pregnant",
        "EMERGENCY",
        MEDICAL,
        "怀孕|孕妇|孕期|身孕|怀了[^,。!?;]{0,3}个月",
        NOW,
    ),
    Hint(
        "bleeds below",
        "EMERGENCY",
        MEDICAL,
        "见红|下面[^,。!?;]{0,3}血|肚子[^,。!?;]{0,4}(?:剧|绞|很|一阵阵)[疼痛]",
        NOW,
    ),
    Hint(
        "fell",
        "EMERGENCY",
        MEDICAL,
        "从[^,。!?;]{1,6}(?:上|顶|高处)[^,。!?;]{0,2}[摔掉坠滚跌](?:了|下)",
        (*NOW, "joke", "machine"),
    ),
    Hint(
        "help",
        "EMERGENCY",
        MEDICAL,
        r"救命|救救(?:我|他|她)|快来人|不行了",
        ("joke", "game", "fiction", "news"),
    ),
)
