"""What the gate answers: short, warm, with what to do now. The owner of a bot may change these one day.

Numbers: 12356 national mental-health line, 120 ambulance, 110 police, 119 fire brigade (mainland China).
"""

from __future__ import annotations

from typing import Final

from .safety_medical import DANGER, FIRE, MEDICAL, POISON
from .safety_selfharm import OTHER, SELF

MENTAL_HEALTH_LINE: Final = "12356"
AMBULANCE: Final = "120"
POLICE: Final = "110"
FIRE_BRIGADE: Final = "119"

EMERGENCY_REPLIES: Final[dict[str, str]] = {
    SELF: (
        "听到你这么说，我很担心你，也谢谢你愿意说出来。你不用一个人扛着："
        f"现在就可以拨打心理援助热线 {MENTAL_HEALTH_LINE}，或者找一个信得过的人陪在身边。"
        f"如果已经受伤、服了药，或觉得快控制不住，请马上打 {AMBULANCE} 或 {POLICE}。"
    ),
    OTHER: (
        "这件事很要紧。请尽快联系上 TA，留在身边陪着，认真听，别责备，把药和刀具收开；"
        f"人已经受伤或正要行动，马上打 {AMBULANCE} 和 {POLICE}，说清地点。"
        f"心理援助热线 {MENTAL_HEALTH_LINE} 也能教你怎么帮 TA。"
    ),
    MEDICAL: (
        f"这可能危及生命，请立刻拨打 {AMBULANCE}，说清地点和症状，按接线员的指导做。"
        "别自己开车，别喂水喂药；没有呼吸就开始胸外按压，大出血就用干净的布用力压住。叫身边的人来帮忙。"
    ),
    POISON: (
        f"请马上拨打 {AMBULANCE}，告诉他们吃了或吸入了什么、多少、什么时候，留好包装，不要自己催吐；"
        "如果是煤气，先离开现场、开窗，别开关电器。"
        f"如果是一时想不开，请让身边的人陪着你，心理援助热线 {MENTAL_HEALTH_LINE}。"
    ),
    DANGER: (
        f"请先保证自己安全：离开那里，或锁好门，马上拨打 {POLICE}，说清地点；"
        f"不方便说话可以发短信到 12110。有人受伤打 {AMBULANCE}。"
    ),
    FIRE: (
        "先离开现场，别坐电梯，用湿毛巾捂住口鼻低身走，"
        f"马上拨打 {FIRE_BRIGADE}，说清地点和有没有人被困；有人受伤打 {AMBULANCE}。出来后不要再回去拿东西。"
    ),
}
"""Category of an emergency to its answer."""

EMERGENCY_REPLY: Final = (
    f"听起来情况很要紧。人有危险请马上拨打 {AMBULANCE} 或 {POLICE}，起火打 {FIRE_BRIGADE}；"
    f"心里撑不住的时候，可以打心理援助热线 {MENTAL_HEALTH_LINE}，也请找一个信得过的人陪在身边。"
)
"""For an emergency that only the model check saw, where its category is none of ours."""

BLOCK_REPLY: Final = "这件事我帮不了你，换个别的问题，我很乐意帮忙。"

OFFERS_HELP: Final = (
    f"{MENTAL_HEALTH_LINE}|{AMBULANCE}|{POLICE}|热线|求助|寻求帮助|拨打|报警|急救|就医|"
    "心理(?:医生|咨询|援助)|专业(?:的)?(?:帮助|人士)|陪着?你|"
    "信得过|信任的人|不是一个人|请联系"
)

"""By this the bot's own words about self-harm are known as help (a pattern)."""
