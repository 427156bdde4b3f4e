"""The words of telling: verbs of saying, words that only join, surnames. Data."""

from __future__ import annotations

from typing import Final

_SPEECH: Final = (
    "上传 介绍 决定 分享 反对 同意 回复 回答 宣布 希望 建议 强调 感谢 "
    "打算 报告 抱怨 担心 指出 推荐 提供 提出 提到 提议 提醒 汇报 确认 "
    "答应 补充 表示 要求 觉得 解释 认为 询问 说明 负责 转发 转告 转达 "
    "转述 透露 通知 附和 会 发 叫 回 想 提 要 让 讲 说 请 贴 问 "
)
SPEECH: Final = tuple(_SPEECH.split())
"""Verbs of saying and doing behind which a sentence tells what somebody said."""
_JOINING: Final = (
    "早些时候 其他人 一下 一个 一些 一份 一条 一致 一起 上传 不过 之后 "
    "事情 于是 什么 介绍 他们 以及 众人 会上 但是 何时 关于 其中 内容 "
    "决定 分享 刚刚 刚才 别人 双方 反对 另外 可以 同意 同时 后来 哪里 "
    "商量 回复 回答 因为 地址 地点 大家 她们 如何 如果 安排 宣布 "
    "对于 对方 已经 希望 并且 建议 强调 怎么 成员 我们 所以 打算 抱怨 "
    "担心 指出 接着 推荐 提出 提到 提议 提醒 文件 时间 是否 最后 最终 "
    "有人 期间 本人 正在 此外 汇报 消息 然后 目前 确认 答应 约定 群友 "
    "群里 而且 聊到 自己 补充 表示 要求 觉得 解释 计划 认为 讨论 询问 "
    "说明 谈到 负责 赞成 转发 转告 转达 转述 进行 透露 通知 链接 问题 "
    "附和 随即 随后 需要 上 下 与 个 中 为 也 了 事 于 些 从 以 "
    "件 会 但 位 做 先 其 再 则 到 去 又 及 发 叫 各 向 吗 吧 "
    "呢 和 啊 回 在 地 定 对 将 就 已 并 得 想 或 把 提 是 有 "
    "条 来 某 次 此 每 由 的 着 等 给 而 聊 能 被 要 让 讲 该 "
    "说 请 谁 谈 贴 跟 过 还 这 那 都 里 问 "
)
JOINING: Final = tuple(_JOINING.split())
"""Words that a sentence may use without any line holding them: they join, refer to people in general, or say
that something was said."""
SURNAMES: Final = frozenset(
    "丁万严乐乔习于仇仰仲任伊伍何余侯俞倪傅储党全关冉农冯冷凌刁刘利劳勾包匡华卓卞"
    "卢卫厉古史叶司吉吕吴周唐喻国夏大姚姜姬娄孔孙孟季宁安宋宓宗宫寇封小尚尹居屈屠"
    "岑崔左巩巴师席常幸广庄应庞康庾廖弓张强彭徐慎戈成戴房敖文方施明易晁景曲曹曾朱"
    "李杜束杨林柯柳柴桂桑梁梅樊欧步武段殷毕毛江池汤汪沈洪浦温滕满潘焦熊燕牛牧狄王"
    "班甄甘田申盛瞿石祁祖祝禹秋秦程穆童符简米纪终罗羊翁翟老耿聂肖胡臧舒苗范荀荣莫"
    "萧葛董蒋蒙蒲蓝蓬蔡蔺薛虞衡袁裴褚解詹计许谢谭谷贝贡费贺贾赵路车辛边邓邢邬邱邵"
    "邹郑郝郭金钟钱闵闻阎阮阴阿陆陈陶雍雷霍靳韦韩项顾颜饶马骆高魏鲁鲍麻黄黎齐龙龚"
)
"""Characters that names begin with."""
_OUTCOMES: Final = (
    "修好 弄坏 请客 加班 好了 坏了 完成 写完 做完 搞定 成功 失败 取消 通过 拒绝 批准 "
    "驳回 推迟 延期 提前 暂停 停止 辞职 离职 开除 裁员 涨 降 赢 输 去世 "
    "住院 生病 受伤 迟到 缺席 生气 道歉 吵架 付款 付了 退款 买了 卖了 "
    "丢了 赔 罚 免费 收费 上线 发布 关闭 开放 解散 退群 增加 减少 反对 "
    "喜欢 讨厌 结婚 分手 怀孕 超支 违约 泄露 删除 恢复 "
)
OUTCOMES: Final = tuple(_OUTCOMES.split())
"""Words that turn what is told into something else (坏了, 修好了): each stands in a line or is not said. Who
同意 is looked at apart."""
