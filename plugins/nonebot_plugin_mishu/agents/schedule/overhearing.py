"""Recognition of plans in talk not addressed to us (product section 4). Pure, before any model.

A line passes with a usable time, a joint activity and content, if it is no question, quote or reported
speech, and not about the speaker alone. A time alone never passes (pitfall 49).
"""

from __future__ import annotations

import re
from typing import Final

from ...language import mood_of
from ...language.clause import Clause
from ...language.polls.lists import read_list
from ...language.schedule_phrases import attendance
from ...language.word_lists import one_of, table, words
from ...patterns import Pattern
from .candidates.candidate import Candidate, usable
from .candidates.reading import candidates, clause_of

LONGEST: Final = 100
_ACTIVITY: Final = Pattern(
    "开[^,，。]{0,8}会|会议|例会|周会|组会|班会|晨会|聚餐|聚会|聚一?聚|团建|吃饭|吃个?饭|火锅|烧烤|撸串|唱歌|唱k|ktv|电影|打[^,，。]{0,3}球|篮球|羽毛球"
    "|足球|乒乓|网球|台球|保龄球|开黑|上分|打[^,，。]{0,2}游戏|桌游|剧本杀|狼人杀|密室|麻将|上课|补课|考试|答辩|讲座|培训|排练|彩排|比赛|训练|出发|集合|见面"
    "|碰头|碰面|爬山|登山|徒步|旅游|旅行|露营|野餐|春游|秋游|郊游|逛街|活动|评审|演出|演唱会|音乐会|体检|值班|直播|讨论|交流会|分享会|跑步|夜跑"
    "|健身|游泳|滑雪|骑行|生日会|婚礼|面试|汇报|启动会|发布会|团购会|大扫除|志愿|摄影|拍照|合影|对线|下副本|副本|团战",
    re.IGNORECASE,
)
_ASKS: Final = Pattern(
    "[?？]|[吗呢么嘛不没]\\W*$|什么|怎么|为啥|谁|哪|几点|几号|多少|是不是|要不要|能不能|有没有|好不好|行不行|可不可以|去不去|来不来|约不约|如何|有空"
)
_REPORTED: Final = Pattern(
    "(?<!再)(?<!来)说(?!好|定|明)|讲(?!座|解|课|台)|听闻|据|转发|通知说|告诉|表示|宣布|新闻|报道|公告|他们|她们|人家|别人|隔壁|(?<![其])他|她|老师|领导|老板|同事|我(?:妈|爸|哥|姐|弟|妹|老公|老婆|室友|同学|朋友)"
)
_QUOTE: Final = Pattern('[「」『』“”"]|^[>》]|https?://|^\\[')
_UNREAL: Final = Pattern(
    "如果|要是|假如|万一|可能|也许|或许|说不定|好像|想要?|希望|本来|原来|上次|当时|那天|不(?:用|要|想|去|开|能|会|打|吃|聚|考|上)|没|别(?!迟|忘)|取消|不是|已经"
)
_ALONE: Final = Pattern(
    "我(?!们|家[吃喝玩聚见]|[定订约占带盯开请负接叫]|发(?!誓|现|呆|烧|愁|火|财|工资|朋友圈)|把)|俺|本人|(?:和|跟|陪|带)(?:着|我)?(?:老婆|老公|对象|媳妇|女朋友|男朋友|女友|男友|闺蜜|家人|爸妈|孩子|娃|儿子|女儿|妈|爸)|我们(?=公司|学校|单位|部门|班|老师|这|那)"
)
_AGREED: Final = Pattern(
    "^(?:ok|可以|行|好|那|得|嗯|就|说好|都没意见)[^,，。]{0,8}[ ,，]"
    "|^那?就这么(?:定|办)|^那就|谁不(?:来|去)谁"
)
_DONE: Final = Pattern(
    "(?<!定)(?<!说好)(?<!齐)(?<!到)了(?!啊|哈)\\W*$|过\\W*$|过(?=[ ,，。]|的)|(?:睡|醒|困|累|输|赢)(?:了|死)"
)
_PLACE: Final = one_of(words("overheard.place"))
_TOGETHER: Final = Pattern(
    f"(?:{table('overheard.together')})|碰(?=[哈吧了]|$)|聚(?=[哈吧]|$)"
    "|都(?:来|去|到|把|带|要|得|准时|回来|留|过来|给我|上线)|(?:过来|回来)(?:吃|喝|玩|聚|坐)"
    f"|(?:{_PLACE})(?:见|集合|碰|等|[ ,，]|$)|见(?=[哈吧啊哦]|[ ,，。!！~]|$)|线上(?:进|见|开|集合)"
    "|(?:我|谁)先?(?:开车|占[位座]|带|叫上|[定订]好?了|[定订]好|请客|主讲|发链接|盯)"
    "|(?:位子?|座|场子|房间?|票|包间|场地)[^,，。 ]{0,3}(?:[定订约]|抢)好?了?"
    "|你主讲|我们(?:对|过|聊|开|吃|去|搞)"
    "|(?:会|评审|培训|聚餐|团建|活动)(?:改|定|挪|推|放)(?:到|在)|就[^,，。我]{1,10}吧",
    re.IGNORECASE,
)
"""Words of joint planning, beside a time"""
_HABIT: Final = Pattern("每天|天天|一般|平时|通常|总是|经常|老是|习惯|变态|抢钱|太早|太晚")
_CHOOSES: Final = Pattern(f"(?:{one_of(words('overheard.chooses'))})(?!时间|地方|日子|包间|位置)")
_BOTH: Final = (_ASKS, _REPORTED, _QUOTE, _UNREAL, _DONE, _HABIT, _CHOOSES)


def listens(line: str) -> bool:
    """True if the words of a line, without its time, allow a plan. Nearly all talk is dropped here."""
    text = line.strip()
    if not 4 <= len(text) <= LONGEST or attendance(text) is not None:
        return False
    together = _TOGETHER.search(text) is not None or _AGREED.search(text) is not None
    if not together and (_ACTIVITY.search(text) is None or _ALONE.search(text) is not None):
        return False
    return not any(pattern.search(text) for pattern in _BOTH)


def overhears(clause: Clause) -> bool:
    """True if an unaddressed line may deserve a question."""
    if not clause.times or clause.situation.quoted or clause.situation.private:
        return False
    if all(time.recurrence is not None for time in clause.times):
        return False
    if (pasted := read_list(clause.text)) is not None and pasted.named:
        return False  # #接龙 周五聚餐 1. 月月: a list that goes round
    planned = _ACTIVITY.search(clause.text) is not None or any(time.start for time in clause.times)
    if not planned or not listens(clause.text):
        return False
    mood = mood_of(clause.text, "make", clause.times, clause.amounts)
    if mood.kind == "condition" or mood.modality == "may":
        return False  # 周六要聚餐的话我带酒, 备不住周六聚餐
    return any(usable(each) for each in candidates("add", clause))


def plans(clause: Clause) -> tuple[Candidate, ...]:
    """Plans of an overheard line by rules: one, or one for each part with its own time
    (周六晚上吃火锅，周日下午爬山). Parts with dependent times are not split."""
    whole = candidates("add", clause)
    parts = [part for part in re.split("[,，;；。]", clause.text) if part.strip()]
    if len(parts) < 2:
        return whole
    clauses = [clause_of(part.strip(), clause.situation) for part in parts]
    apart = [(each.date, each.start) for part in clauses for each in part.times]
    if not all(part.times for part in clauses) or apart != [(each.date, each.start) for each in clause.times]:
        return whole
    found = [each for part in clauses for each in candidates("add", part)]
    return tuple(found) if all(usable(each) for each in found) else whole
