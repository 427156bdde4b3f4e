"""Look-alikes of times: 三点建议, 3号楼, 比分3:20, 一点也不 (pitfall 49)."""

from __future__ import annotations

from typing import Final

from ....patterns import Pattern
from .nextword import NEXT_WORD

PREMISE: Final = "提(?:是|条件|下(?!单)|呢|吗|[,:。;]|$)"
"""Text after 前 in 前提 (a premise), not in 明天前提交."""

# Things that are counted in 点: points of a talk, of a game, of a share price.
_THOUGHTS: Final = (
    "[重小大关]?(?:建议|意见|要求|原因|理由|看法|想法|问题|说明|内容|好处|坏处|优势|劣势|优点|缺点|区别|不同"
    "|感受|感想|感悟|体会|心得|经验|启示|启发|疑问|疑惑|补充|声明|希望|思考|总结|结论|收获|期望|共识|变化|更新"
    f"|改进|特点|重点|要点|注意|事项|提示|提醒(?=[:,。]|$)|前{PREMISE}|条件|规定|规则|方面|措施|办法|方法|步骤|东西|小事|事|不足)"
)
# 三点小技巧 are three; 三点小会 is at three.
_SMALL: Final = (
    "小(?:技巧|贴士|窍门|诀窍|秘诀|常识|知识|毛病|瑕疵|缺陷|遗憾|插曲|失误|错误|误会|麻烦|礼物|惊喜|期待|愿望|心愿|感冒"
    "|情绪|脾气|确幸|幸福|成绩|成就|进展|变动|调整|优化|改动|细节|秘密|启发|疑虑|困难|困惑|心思|聪明|伤|病|忙|费|分歧)"
)
_POINTS: Final = Pattern(
    f"(?:{_THOUGHTS}|{_SMALL}|(?:积分|经验|血|蓝|伤害|生命|攻击|防御|法力|能量|魔法|魅力|利润|利息|股|贡献|进步|小钱|钱|水|饭|菜|酒|油|盐|糖"
    "|心意|意思|希望|把握|办法|时间|关系|道理|常识|印象|机会|面子|个性|信心|耐心|良心|共圆|共线|一线|式|论|定位|支撑"
    "|透视|开外|之间|以内的?差|赞(?![助美歌])|档(?![期案])|声望|多分)|儿|点(?![名到菜餐单评歌球])|几|也|都|不|没|[五一二三四六七八九](?:[一二三四五六七八九倍折米元块斤度亿万]|个(?!人)))"
)
# …unless the noun goes on as an event at a clock time: 三点问题复盘会, 两点股东会, 七点不见不散.
_HELD: Final = Pattern(
    f"{NEXT_WORD}|(?:{_THOUGHTS}|{_SMALL}|积分|攻击|防御|魔法|利润|贡献|定位)[^,。;:!?\\s]{{0,4}}?"
    "(?:会(?!议?[有很太更让被比])|课(?!题)|评审|复盘|分享|讨论|讲解|交流|汇报|答疑|对齐|沟通|演练|培训|碰头|集合|训练|彩排|发布|答辩|比赛)"
)
# Behind a day nothing is counted but what ends there (今天两点感受：…) and a little (今天一点水没喝).
_ENDS_THERE: Final = Pattern(f"(?:{_THOUGHTS}|{_SMALL})(?=[:,。;、!?\\s]|$|如下|是)")
# A numeral behind 点 makes a decimal where it ends there or a unit follows; 十二点一起, 八点五排 do not.
_DECIMAL: Final = Pattern(
    "[零〇一二三四五六七八九](?=[零〇一二三四五六七八九]|[倍折米斤块元度亿万千百平公厘毫吨升寸克级秒成%kKcCmMgG]|个(?!人)"
    "|[了的多吧呢吗嘛啊呀到至和与左]|包邮|[^\\w]|$)"
)
# Words before N点 that announce a count, not a clock.
_ANNOUNCES: Final = Pattern(
    "(?:有|提|说|讲|谈|聊|补充|强调|以下|如下|上述|下面|前面|这|那|哪|第|前|分|总结|归纳|列|做到|注意|记住|共|其中|就这|以上"
    "|涨|跌|升|降|加|减|扣|得|差|早|晚|快|慢|多|少|好|大|小|高|低|远|近|轻|重|长|短|了|些|再|给|剩|值|零|〇)$"
)
# …unless followed by words of a clock time only: 有三点的票, 说三点开会.
_CLOCK_BEHIND: Final = Pattern(
    f"(?:左右|前后|之前|以前|前(?!{PREMISE})|之后|以后|过后|后(?!面)|钟|整|到|至|-|~|的(?:会|课|票|飞机|高铁|火车|动车|车|航班|面试|考试|局|饭|活动|电影|场)"
    "|[要就才]?(?:开会|集合|出发|上课|下课|开始|开门|关门|见面|见|吃饭|起床|睡|下班|上班|面试|叫我|提醒我|叫醒|截止|交|开|去|来|接|送|走|发车|起飞|比赛|考试|直播|开播|结束|放学|打))"
)
# 一点 alone is nearly always a little; a clock only at the head of an order or with one of these behind.
_ONE_CLOCK: Final = Pattern(
    f"(?:左右|前后|之前|以前|前(?!{PREMISE})|之后|以后|到|至|[要就才]?(?:开会|集合|出发|上课|下课|开始|开门|见面|起床|睡觉|下班|上班|面试|叫我|提醒我|叫醒|截止|发车|起飞|比赛|考试|直播|开播|结束|放学))"
)
_ONE_BEFORE: Final = Pattern("(?:^|[,。;!?:、 ]|提醒我|叫我|通知我|在|于|约|是|到)$")
# What is moved to 一点 is moved to a clock: 改成一点, 挪到一点吧.
_MOVED_TO: Final = Pattern("(?:改|挪|推迟?|延|移|换|提前)(?:到|成|为|在)了?$")
_MOVED_ENDS: Final = Pattern("[吧啊呀哦了嘛哈]*(?:$|[,。!~;、 ])")
_BEFORE_RATIO: Final = Pattern(
    "(?:比分|大比分|比例|比例尺|赢|输|胜|负|平|拿下|横扫|逆转|领先|落后|以|章|福音|诗篇)(?:为|是|了|约)? ?$"
)
_AFTER_RATIO: Final = Pattern(
    " ?(?:赢|输|胜|负|平局|战平|逆转|击败|领先|落后|拿下|横扫|的?比例|的?比分|大胜|惨败|告负|取胜)"
)
_SO_LATE: Final = Pattern("(?:多|半)?了(?!解)")
_ALREADY: Final = Pattern("(?:^|[都才快,。!?; ]|已经|现在|马上)$")
# What is numbered with 号 and is no day.
_NUMBERED: Final = Pattern(
    f"(?!{NEXT_WORD})(?:楼|场(?![次景]|地费)|人(?![员才事均资力])|线(?![上下])|门(?!诊)|机(?![场票])|窗|桌|球(?!赛)|选手|位|文件|公寓|公馆|店(?!庆)|房(?![租贷产])|馆|会议室|厅|病房|病床|床"
    "|车(?![票展次检])|汽油|油|电池|电梯|字(?!幕)|院|井|坑|台|柜|箱|仓|库(?!存)|厂|航站楼|站|口(?![试语])|出口|教室|教学楼|实验楼|实验室"
    "|宿舍|食堂|操场|公路|高速|国道|省道|码头|员工|学员|玩家|嘉宾|人物|种子|主角|技师|型|样|题|卡|键|轮(?![到休班值流])|塔|船|舰|卫星|火箭|飞船"
    "|弹|针|令|频道|直播间|链接|模特|别墅|大院|基地|区|登机口|座|席|通道|停车[场位]|泊位|色|粉底|试剂|方案)"
)
_BEFORE_NUMBERED: Final = Pattern(
    "(?:第|编号?|尾|型|路|街|巷|弄|(?<!知)道|胡同|大厦|广场|小区|栋|座|单元|楼|门牌|账|房间|No\\.?|NO\\.?|[A-Z#])$"
)
_DAY_TAIL: Final = Pattern("(?:游|均|志|记|常|元|语|本|式|系|韩|光|化|程表|晒|行一善)")


_TOO: Final = Pattern("(?:都|也)(?![不没无])")
"""晚上八点都得吃: after a clock time with a part of the day."""


def counts_points(text: str, start: int, end: int, bare: bool) -> bool:
    """True if N点 at `start:end`, without minutes, is a count, not a clock time. `bare`: without a day or
    part of a day before."""
    little = text[start] == "一" and text[start + 1 : start + 2] == "点"
    if little and text.startswith("小", end) and bare:
        return True  # 一点小意思
    counted = _POINTS.match(text, end) is not None and not text.startswith("不到", end)
    if counted and not _HELD.match(text, end):
        if not bare and not little:
            return _ENDS_THERE.match(text, end) is not None and not text.startswith("提醒", end)
        return bare or not text.startswith("提醒", end)
    if not bare:
        return False
    if _DECIMAL.match(text, end) and not _HELD.match(text, end):
        return True
    before = text[max(0, start - 6) : start]
    if text[start:end] in {"一点", "1点"} and text[start] == "一":
        if _MOVED_TO.search(before) and _MOVED_ENDS.match(text, end):
            return False
        return not (
            _ONE_CLOCK.match(text, end) and (_ONE_BEFORE.search(before) or not _ANNOUNCES.search(before))
        )
    return _ANNOUNCES.search(before) is not None and _CLOCK_BEHIND.match(text, end) is None


_SCORED: Final = Pattern("(?:得|打|评|考|拿|分数|评分|平均分?|总分|满分)(?:了|是|出|为)?$")


def is_score(text: str, start: int) -> bool:
    """True if N点M分 from `start` on is a score (得了九点八分)."""
    return _SCORED.search(text[max(0, start - 4) : start]) is not None


def is_greeting(text: str, end: int) -> bool:
    """True for a day before `end` in a greeting (中秋快乐, 周末愉快)."""
    return text.startswith(("快乐", "愉快", "安康"), end)


def tells_the_time(text: str, start: int, end: int) -> bool:
    """True if the clock time at `start:end` is the present time (都十二点了)."""
    return (
        _SO_LATE.match(text, end) is not None and _ALREADY.search(text[max(0, start - 2) : start]) is not None
    )


def is_ratio(text: str, start: int, end: int) -> bool:
    """True if 3:20 at `start:end` is a score, a scale or a verse."""
    return (
        _BEFORE_RATIO.search(text[max(0, start - 8) : start]) is not None
        or _AFTER_RATIO.match(text, end) is not None
    )


def is_numbered_thing(text: str, start: int, end: int) -> bool:
    """True if N号 at `start:end` is a numbered thing (3号楼, 中山路5号), not a day of a month."""
    return (
        _NUMBERED.match(text, end) is not None
        or _BEFORE_NUMBERED.search(text[max(0, start - 4) : start]) is not None
    )


def is_not_a_day(text: str, end: int) -> bool:
    """True if N日 before `end` continues as another word (三日游, 15日均线)."""
    return _DAY_TAIL.match(text, end) is not None
