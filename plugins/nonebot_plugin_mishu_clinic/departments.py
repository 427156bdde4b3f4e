"""Symptoms and the departments that see them. Data and its pure reading; no diagnosis."""

from __future__ import annotations

import re

GENERAL = "全科医学科"
_VERY = (
    "(?:有点儿?|有些|稍微|很|好|特别|非常|一直|又|老是|总是|总|老|突然|感觉|觉得|里面?|这|那|发|最近|今天|"
    "隐隐|不停|比较|也|都)"
)
_ACHE = (
    f"{_VERY}*(?:疼|痛|酸|胀|麻|肿|痒|僵|抽筋|刺痛|不舒服|难受|出血|发炎|红|烫|干|涩|模糊|晕|嗡嗡响?|"
    "不通气?|没知觉|使不上劲|没力气)"
)
DEPARTMENTS: tuple[tuple[str, str], ...] = (
    ("儿科", "(?:孩子|宝宝|小孩|娃)(?:发烧|发热|咳嗽|拉肚子|不舒服)"),
    ("口腔科", rf"(?:牙(?:齿|龈|根)?|口腔|舌头|嘴巴?里){_ACHE}|智齿|蛀牙|口腔溃疡|牙(?:掉|松|断)了"),
    ("眼科", rf"(?:左|右|双)?(?:眼睛?|眼皮|眼球){_ACHE}|看不清|看东西(?:重影|模糊)|视力下降|近视"),
    (
        "耳鼻喉科",
        rf"(?:左|右)?(?:耳朵|嗓子|喉咙|咽喉|扁桃体|鼻子){_ACHE}|耳鸣|鼻塞|流鼻[涕血]|鼻炎|听不清|嗓子哑",
    ),
    (
        "皮肤科",
        f"皮肤{_ACHE}?|起(?:了|疹|红)*疹子?|过敏|湿疹|痘|荨麻疹|(?:身上|全身|胳膊上|腿上){_VERY}*痒|脱皮|脱发|掉头发",
    ),
    (
        "骨科",
        rf"(?:左|右|双)?(?:腰|后背|背|大腿|小腿|腿|膝盖|脖子|颈椎|腰椎|肩膀?|胳膊|手臂|手肘|手腕|手指头?|手|脚踝|脚趾|脚后跟|脚|髋|关节|屁股)"
        rf"{_ACHE}|扭(?:了|伤|到)|崴了?脚|脚崴了?|骨折|落枕|闪了?腰|腰闪了?",
    ),
    (
        "消化内科",
        rf"(?:肚子|胃|腹部?|小腹|肚脐){_ACHE}|拉肚子|腹泻|恶心|呕吐|反酸|便秘|没胃口|烧心|打嗝|胀气|消化不良",
    ),
    (
        "心内科",
        rf"(?:胸口?|胸部|心口|心脏){_ACHE}|胸闷|心慌|心悸|(?:血压|心率){_VERY}*(?:偏)?(?:高|低|快|慢)",
    ),
    ("呼吸内科", "发烧|发热|高烧|低烧|咳嗽|咳痰|干咳|感冒|气喘|气短|哮喘|流感|支气管炎|肺炎"),
    ("神经内科", rf"(?:头|脑袋|脑壳|太阳穴|偏头|后脑勺?){_ACHE}|偏头痛|头晕|头昏|眩晕|失眠|睡不着|手抖"),
    ("内分泌科", f"血糖{_VERY}*(?:偏)?(?:高|低)|甲状腺|糖尿病"),
    ("泌尿外科", "尿频|尿急|尿痛|尿血|肾结石"),
    ("妇产科", "怀孕|产检|月经|痛经|白带"),
    (
        GENERAL,
        "浑身(?:疼|痛|酸|没劲|没力气|不舒服|难受)|乏力|没精神|盗汗|消瘦|(?:哪里?都|身体|身上)(?:有点|很|好)*(?:不舒服|难受|疼)",
    ),
)
"""Department to the pattern of what it sees, in the order in which they are tried."""
_SYMPTOMS = re.compile("|".join(pattern for _, pattern in DEPARTMENTS))
_FIGURE = re.compile(r"(?:令人|让人|叫人|真是|最|就)头[疼痛]|头[疼痛]的(?:是|事|问题)")
"""头痛 said of something else than a head."""
_REMEDY = frozenset("药片贴膏灵粉")
"""头痛药, 感冒灵: no symptom."""
_NEGATED = re.compile(r"不(?:是|再)?$|没(?:有)?$|并?非$")
_NOT_THIS = re.compile(r"(?:不是|并非|说错了?|搞错了?)")

_NUMBER = "(?:[0-9]+(?:\\.[0-9])?|[一二两三四五六七八九十百几好数半]{1,4}|大半|小半|整)"
_UNIT = "(?:分钟|刻钟|小时|钟头|天|日|晚上?|夜|宿|星期|礼拜|周|月|年)"
_LENGTH = (
    f"(?<![前这那])(?:大概|大约|差不多|快要?|已经|都|整整|足足|最近|近)?(?:有)?{_NUMBER}(?:(?:到|至|[-~、])?{_NUMBER})?"
    f"(?:多|来)?个?(?:半|多)? ?{_UNIT}"
    f"(?:半|多|左右|上下)?(?:{_NUMBER}{_UNIT})?"
    "|(?<![a-z0-9])[0-9]{1,3} ?(?:days?|weeks?|months?|[dhw])(?![a-z0-9])"
)
_PART = "(?:凌晨|清晨|早晨|早上|早|上午|中午|下午|傍晚|晚上|晚|夜里|夜|半夜)"
_FIGURE_OF_MONTH = "[0-9一二三四五六七八九十]{1,3}"
_DAY = (
    "(?:今天?|昨天?|前天|大前天|前[几两]天|这[几两]天|(?:上上?|这|本)?个?(?:周|星期|礼拜)[一二三四五六日天末]|"
    "上上?个?(?:周|星期|礼拜)|上上?个?月|这个月|"
    f"{_FIGURE_OF_MONTH}月(?:份|初|中|底|{_FIGURE_OF_MONTH}[号日])?|{_FIGURE_OF_MONTH}[号日]|"
    "月初|年初|年前|去年|今年|春节|国庆|五一|元旦|放假)"
)
_POINT = f"(?:{_DAY}{_PART}?|{_PART})"
_SINCE = (
    f"(?:从|自从?|打从?){_POINT}(?:就|才|便)?(?:开始|起)?|"
    f"{_POINT}(?:就|才)?(?:开始|起(?=[,。!~ ]|$)|就(?=[^开]|$))"
)
_VAGUE = (
    "很久|好久|(?:有)?(?:好)?一阵子?|(?:有)?(?:好)?一?段时间|好些天|好些日子|不久|没多久|没几天|"
    "刚刚?(?:才)?开始|时间不长|多年|常年|老毛病|一直都?这样|一直都?有|从小"
)
_STATED = re.compile(f"{_LENGTH}|{_SINCE}|{_VAGUE}")
"""Duration, anywhere in a line."""
_UNKNOWN = (
    "(?:记|想|说)不(?:太)?(?:清楚?|起来|上来|得|好|准)|不(?:太)?(?:清楚|知道|记得|确定|好说)|忘了|没注意"
)
_ANSWERED = re.compile(f"{_LENGTH}|{_SINCE}|{_VAGUE}|刚刚?才?(?:开始)?|{_POINT}|{_UNKNOWN}")
"""Duration as an answer: also a day alone, or that it is unknown."""
_AROUND = re.compile(
    r"持续|开始|到现在|为止|起床|起来|醒来|睡醒|这样|那样|现在|断断续续|时不时|反反复复|反复|发作|严重|每天|连续|算上|加起来|"
    r"[0-9]{2}(?:\.[0-9])?度[0-9]?多?|受不了|要命|要死|死我|厉害|差不多|大概|可能|应该|好像|似乎|估计|左右|快要?|不到|以上|多吧|具体|吧唧|"
    r"[我它真太很就都有是从又也还才得疼痛酸晕烧咳胀麻难受不舒服了的吧呢啊呀哦嗯哎诶唉，。,.!！~、\s]"
)


def symptom(text: str) -> str | None:
    """The symptom a text names, in its own words."""
    if _FIGURE.search(text):
        return None
    for found in _SYMPTOMS.finditer(text):
        if text[found.end() : found.end() + 1] not in _REMEDY and not _NEGATED.search(text[: found.start()]):
            return found.group(0)
    return None


def department(complaint: str) -> str:
    """The department that sees a complaint."""
    return next((name for name, pattern in DEPARTMENTS if re.search(pattern, complaint)), GENERAL)


def duration(text: str) -> str | None:
    """Duration in the text's own words. A day alone (我今天头痛) does not say it."""
    found = _STATED.search(text)
    return found.group(0) if found and found.group(0) else None


def answered_duration(text: str) -> str | None:
    """The duration that a line is and nothing else: it answers 持续多久了, and does not merely name a day."""
    found = _STATED.search(text) or _ANSWERED.search(text)
    if found is None or not found.group(0):
        return None
    rest = _ANSWERED.sub("", _SYMPTOMS.sub("", text))
    return found.group(0) if not _AROUND.sub("", rest) else None


def only_symptom(text: str) -> bool:
    """True if a line names a symptom, perhaps its duration, and nothing else."""
    return symptom(text) is not None and not _AROUND.sub("", _ANSWERED.sub("", _SYMPTOMS.sub("", text)))


def corrected_symptom(text: str) -> str | None:
    """The corrected symptom (不是腰痛，是腿疼)."""
    return symptom(text) if _NOT_THIS.search(text) else None
