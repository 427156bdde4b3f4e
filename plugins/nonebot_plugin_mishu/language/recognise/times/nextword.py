"""Words directly after a time: 三天后|面试, 明晚|会停电, 26号|房东, 三点半|路口.

A unit and the next character may look like another word (后面, 晚会, 号房, 半路), where readers stop. If that
character begins a word of this table they go on. Add words here; every reader uses this table.
"""

from __future__ import annotations

from typing import Final

_WORDS: Final = """
安排 安装 安检 百度 报名 报到 报告 报销 报送 报价 备份 备案 备考 备课 备货 备注 备料 备孕 部署 部门
部分 测试 测量 测评 测完 产检 产假 场地 场馆 场外 车检 车票 车险 车展 车贷 车主 成都 成员 成绩 成立
成功 存款 存钱 存入 存够 存满 存好 次日 代表 代码 代理 代课 代购 代驾 代班 代办 代写 代打 代收 导师
导员 导游 导航 导演 地铁 点餐 点名 点歌 点单 点外卖 点到 店庆 店长 度假 端午 饭店 饭局 房东 房租
房贷 房产 房价 个人赛 个人秀 高铁 高速 公布 公告 公共 公交 公开 公示 公司 公园 光临 光盘 光纤 光电费
光吃 果断 果汁 会不会 会下 会停 会来 会去 会到 会更 会议 会面 会合 会谈 会餐 会场 会员 会考 会迟到
会展 假期 价格 教学 进行 进入 进场 进站 进货 进群 进组 经常 经费 经过 经济 经理 经期 经营 卡点 卡里
卡丁车 科目 科研 空不空 空吗 空么 空着 口腔 口试 口语 口罩 口红 老板 老大 老妈 老家 老人 老师 老同学
老婆 老公 老爸 老乡 路边 路过 路口 路上 路线 路演 轮班 轮到 轮流 轮休 轮值 轮胎 门票 门店 门诊 面包
面对 面馆 面基 面交 面签 面试 面谈 面条 面向 男生 男士 女生 女士 年报 年初 年底 年会 年货 年假 年检
年末 年审 年夜 年中 年终 排班 排查 排队 排放 排骨 排课 排练 排名 排期 排球 排位 排版 期货 期末 期中
起床 起飞 起风 球票 球赛 球鞋 任何 任命 任务 容易 收租 所需 所有 台风 台球 台账 台湾 台北 天安门
天府 天河 天黑 天津 天冷 天亮 天桥 天气 天晴 天热 天台 题库 停电 退房 退货 退款 退票 退烧 外出 外卖
万达 万象 卫生 线上 线下 现场 向大 向公 向老 向领 向你 向全 向他 向它 向她 向我 向组 心情 薪酬 薪水
薪资 型材 续保 续杯 续订 续费 续航 续集 续借 续命 续期 续签 续上 续约 续住 续租 样品 夜里 夜晚 衣服
油费 油价 油画 院会 院庆 院长 元旦 元宵 月报 月底 月会 月考 月末 张老师 张总 张姐 张哥 张工 张三
涨价 站会 站岗 自己 自驾 自取 自助 租车 租房 租金 租约 座谈 字幕组 字画 楼市 色彩 箱包 机器 床单
桌游 儿童 儿子 儿科 事业部 事务所 水电 水果 水管 水站 饭桌 菜市场 菜鸟 油漆 油站 钱柜 酒会 酒局 酒店
酒吧 酒席 股东 股票课 血检 血常规 血压 论文 论坛 几何 蓝队 盐城 糖厂 法律 不见不散 六级考 四级考 八级考
"""

# Longer words that begin like one of these: 5号会议室 is a room.
_LONGER: Final = "会议室"


def _pattern(first: str | None = None) -> str:
    """The words as one pattern, by their first characters (all, or only those in `first`)."""
    tails: dict[str, list[str]] = {}
    for word in _WORDS.split():
        if first is None or word[0] in first:
            tails.setdefault(word[0], []).append(word[1:])
    found = "|".join(f"{head}(?:{'|'.join(rest)})" for head, rest in tails.items())
    return f"(?!{_LONGER})(?:{found or '(?!)'})"


NEXT_WORD: Final = f"(?:{_pattern()})"
"""A word after a time. To embed; holds no group."""


def unless_next(characters: str) -> str:
    """Lookahead for one of `characters` that begins no word of the table. To embed; takes no character."""
    # Only the words that can begin there: twenty patterns with the whole table would be slow to compile.
    return f"(?=[{characters}])(?!{_pattern(characters)})"
