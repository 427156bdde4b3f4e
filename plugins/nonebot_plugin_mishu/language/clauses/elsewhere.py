"""Orders for others: players, devices, messages. Pure.

播放七里香, 把音量调到八十, 发短信给刘文说明天五点有聚会, 大王叫我来巡山: nothing to store. The words are in
`word_lists.toml` (`elsewhere`).
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from ...patterns import Pattern
from ..word_lists import table
from .features import bare

_LOOKED_AT: Final = 60
"""Most characters of a clause searched."""
_START: Final = "(?>我?(?:想要?|要|再|先|快)|请你?|你|麻烦你?|能不能|可以|把|将|给我|帮我|为我|替我)*"
_PERSON: Final = r"[^\s,，。:：!?？的]{1,6}?"
_BY: Final = "(?:短信|微信|消息|信息|邮件|qq|语音|电话|留言)"
_SAYS: Final = "(?:说|告诉|讲|问|让|叫|:)"
_ON_SCREEN: Final = f"(?:{table('elsewhere.media')})"
_DEVICE: Final = f"(?:{table('elsewhere.device')})"
_SWITCHES: Final = (
    "(?:打开|开启|启动|关闭|关掉|关上|关|开|调高|调低|调大|调小|调亮|调暗|调到|调"
    "|连接?|设成|切换到?)(?:一?下)?"
)
_NUMBERED: Final = "[-一二三四五六七八九十0-9]*(?:套|台|频道)?"
_OURS: Final = Pattern(
    f"(?:{table('tasks.remind')})|记(?:一?下|上|个)"
    f"|(?:{table('tasks.noun', 'schedule.noun', 'bookkeeping.noun')})"
)
"""Order for us with the same words: 提醒我八点播放新闻, 明早叫我起床再放首歌."""
_WHOLE: Final = Pattern(
    # A message to somebody else, with its content.
    f"{_START}(?:用微信)?(?:发|回|写|打|留)(?:一?[条个封通]|一下)?{_BY}(?:给|到){_PERSON}{_SAYS}"
    f"|{_START}(?:给|跟|向|和){_PERSON}(?:发|回|打|留)(?:一?[条个封通]|一下)?{_BY} ?{_SAYS}"
    f"|{_START}发(?:一?[条个封]|一下)?(?:短信|微信|消息|信息)给{_PERSON} "
    f"|{_START}(?:跟|和|向|给){_PERSON}(?:说|讲|带)(?:一?声|一下|个话|句话|句)"
    # Words to be turned into others.
    f"|{_START}(?:这(?:句话?|段话?|篇|个)|下面)?[^,。:]{{0,10}}?(?:翻译|翻成|译成)[^,。:]{{0,6}}:"
    f"|{_START}(?:这|下面|以下)[^,。:]{{0,8}}?(?:润色|改写|扩写|缩写|精简|总结|概括|点评|批改)[^,。:]{{0,6}}:"
    f"|{_START}给(?:这|下面|以下)[^,。:]{{0,8}}?(?:润色|改写|扩写|缩写|精简|总结|概括|点评|批改)"
    f"|(?:{table('elsewhere.verse')})"
)
_CLAUSE: Final = Pattern(
    # Players and screens.
    f"{_START}(?:播放|播一?下|播|放(?=[首点段个]|一[首点段个]|歌|音乐|新闻)|点播|单曲循环|循环播放|切歌|暂停|继续播放"
    "|快进|快退|[上下]一[首集台曲]|换一?首)"
    f"|{_START}[听看](?:一?[首段个集部会点下]|些|一会儿?|一听|一看|听|看|下)?[^,。]{{0,12}}?{_ON_SCREEN}"
    f"|{_START}来(?:点|首|一首|段|一段|几首)"
    f"|{_START}(?:换|切|调|转|跳)(?:到|成|至|去)?[^,。]{{0,8}}?(?:台|卫视|频道|央视|中央[一二三四五六七八九十0-9]|cctv)"
    f"|(?:央视|中央|cctv|湖南卫视|浙江卫视|东方卫视|江苏卫视|北京卫视){_NUMBERED}$"
    # Devices.
    f"|{_START}{_SWITCHES}[^,。]{{0,6}}?{_DEVICE}"
    f"|{_START}[^,。]{{0,6}}?{_DEVICE}再?(?:给我|帮我)?(?:打开|开|关|调|设|升|降|大|小|亮|暗|高|低)"
    f"|{_START}(?:声音|音量|亮度|温度)[^,。]{{0,8}}$"
    f"|{_START}[拍照扫录](?:一?[张个段下])?(?:照片?|相|视频|二维码|码|屏|一扫)"
    # Ways, weather, luck, games; words to be turned into others.
    f"|{_START}(?:导航|带我去|怎么去|怎么走|去[^,。]{{1,10}}怎么走|打(?:一?辆|个)(?:车|滴滴)去|规划(?:一?下)?路线)"
    f"|{_START}(?:看|查|问|说|报|播报?|讲|告诉我)(?:看|查|问|说|一?下|一查|一看)?[^,。]{{0,8}}?"
    f"(?:{table('talk.weather')}|限行|路况|股价|汇率|油价|比分|运势|星座|黄历)"
    f"|{_START}[抽摇掷扔丢猜玩下](?:一?[个盘局支把次])?(?:签|骰子|硬币|拳|谜语?|成语|数字|五子棋|游戏|真心话)"
    f"|{_START}(?:石头剪刀布|成语接龙|脑筋急转弯|真心话大冒险)"
    f"|{_START}[^,。:]{{0,8}}?(?:翻译|翻成|译成)(?:一下)?[^,。]{{0,6}}$"
    "|[写编作想起取拟列](?:一?[个首篇段份句封副条些]|几[个首篇段份句封副条])"
    f"[^,。]{{0,12}}?(?:{table('elsewhere.writing')})"
)
_TURNED: Final = Pattern(
    "(?:英语|英文|日语|日文|韩语|法语|德语|俄语|西语|粤语|闽南语|方言|四川话|东北话|上海话|客家话|文言文?|成语|emoji)"
    "(?:里|版)?(?:该|应该|要|得)?(?:怎么|咋|如何|怎样|点样|是(?:什么|啥))(?:说|讲|读|写|念|表达)?"
)
"""Translation request, with its text before or behind (用英语怎么说 我明天请假)."""
_CALLED_BY: Final = Pattern(
    "(?:[^\\s,，。:：!?我你请再就都也要得该别不用记快帮到点时钟分秒半候后前醒准闹必定万务能可]{1,4}?|[我他她][^\\s,，。]{1,3}?)"
    "(?<![前后时再来点天早晚午你])(?<!起床)(?:叫|喊|让|催|约|请|拉)我(?!一[声下])(?!起床)(?!起来)"
)
"""大王叫我来巡山, 老板喊我去开会: called by somebody else."""
_NAMED_ME: Final = Pattern(
    "(?:就|以后|你们?|大家)?(?:可以|请)?(?:叫|喊|称呼)我[^\\s,，。去来起做干上下出吃喝一]{1,5}"
    "(?:吧|就行|就好|好了|啊|呀|哦)?$"
)
"""叫我宛瑜吧: a name, no reminder."""
_NEAR: Final = 6
"""Farthest start of an order for us: 记得给我妈发消息说不回去."""


@lru_cache(maxsize=64)
def others_business(text: str) -> bool:
    """True if a whole line is an order for others, and none for us at its start."""
    said = _plain(text)
    ours = _OURS.search(said)
    if ours is not None and ours.start() <= _NEAR:
        return False
    return _TURNED.search(said) is not None or _matches(_WHOLE, said)


@lru_cache(maxsize=256)
def elsewhere(text: str) -> bool:
    """True if a clause is an order for a player, device or service, or names the speaker."""
    said = _plain(text)
    if _NAMED_ME.match(said) is not None or _CALLED_BY.match(said) is not None:
        return True
    return _matches(_CLAUSE, said) and _OURS.search(said) is None


def _plain(text: str) -> str:
    return text[:_LOOKED_AT].lower().strip(" ,。!~?")


def _matches(pattern: Pattern, said: str) -> bool:
    return pattern.match(said) is not None or pattern.match(bare(said)) is not None
