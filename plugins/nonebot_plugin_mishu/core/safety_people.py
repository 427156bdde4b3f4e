"""Words for people, as the safety rules need them: alternations to embed in a pattern's group."""

from __future__ import annotations

from typing import Final

RELATIVES: Final = (
    "爸爸?|妈妈?|父亲|母亲|爹|娘|爷爷|奶奶|外公|外婆|姥姥|姥爷|公公|婆婆|岳父|岳母|丈母娘|"
    "老丈人|老公|老婆|丈夫|妻子|媳妇|爱人|男友|女友|男朋友|女朋友|对象|前任|前男友|前女友|"
    "前夫|前妻|孩子|小孩|娃|儿子|女儿|闺女|宝宝|婴儿|弟弟?|妹妹?|哥哥?|姐姐?|表[哥弟姐妹]|"
    "堂[哥弟姐妹]|叔叔?|舅舅?|姑姑|姨|侄子|外甥"
)
ACQUAINTED: Final = (
    "朋友|同学|同事|室友|舍友|闺蜜|兄弟|姐妹|邻居|老师|导师|班主任|学生|学长|学姐|学弟|学妹|"
    "客户|老板|领导|经理|房东|网友|群友|师傅|司机|工友|战友|病人|乘客|顾客|客人|保安|阿姨|"
    "大叔"
)
STRANGERS: Final = (
    "有个?人|有一个人|一个人|那个?人|这个?人|有个[^,。!?;]{0,4}[人孩生的]|老人家?|老大爷|"
    "大爷|大妈|路人|行人|女孩|男孩|女生|男生|小女孩|小男孩"
)
THIRD: Final = f"(?:{RELATIVES}|{ACQUAINTED}|{STRANGERS}|[他她]们?|小[一-鿿]|老[王李张刘陈杨赵黄周吴徐孙])"
"""Somebody who is not the speaker."""
ANYBODY: Final = (
    f"(?:我们?|俺|本人|{RELATIVES}|{ACQUAINTED}|{STRANGERS}|[他她]们?|小[一-鿿]|老[王李张刘陈杨赵黄周吴徐孙])"
)

"""The speaker or somebody."""
VICTIM: Final = (
    f"(?:{RELATIVES}|{ACQUAINTED}|[他她](?!妈)们?|旁人|某人|某个人|一个人|那个?(?:人|女的|"
    "男的|女人|男人|婊子|贱人|混蛋|家伙)|这个?(?:人|女人|男人|贱人|家伙)|仇人|仇家|情敌|小三|"
    f"对方|(?:楼上|楼下|隔壁|对门|对面)(?:的|那[个家户群帮])(?![蚊虫猫狗鸡鸟鼠野小]|boss|怪)|全家|女生|女孩子?|男生|妹子|美女|小区[^,。!?;]{{0,3}}人|全班|所有人|大家|"
    "人(?![工物群气脸家事格设机类]))"
)

"""Somebody whom harm could be meant for."""
