"""Mood of a clause: order, question, report, condition; polarity, aspect and modality of its head verb. Pure.

The only place that decides if an order's words are an order (docs/language.md, "Mood"). A question particle,
a negation before the head verb, 要是…的话 or 听说 make 取消周会 no order, also where a form of the grammar
has room for them. Markers count within the given stretch (a clause with its lead and trail) and relative to
the head verb of the act: 别提醒我开会 is negated, 提醒我别迟到 is not.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, Literal

from .names.titles import plan_end
from .reading import words_of
from .recognise.money import Amount
from .recognise.times import TimeExpression
from .text.tokens import Token

Kind = Literal["order", "question", "told", "wish", "report", "condition"]
Act = Literal["make", "change", "delete", "finish", "join", "record", "amend", "query"]

HEADS: Final[Mapping[str, frozenset[str]]] = {
    "delete": frozenset({"take_away"}),
    "change": frozenset({"change", "later", "earlier", "defer"}),
    "finish": frozenset({"finish"}),
    "make": frozenset({"make", "remind", "rouse", "rouse_me", "mind", "announce"}),
    "record": frozenset({"enter", "pay", "make"}),
    "join": frozenset({"join"}),
}
"""Word classes of the head verb, by act."""
_TRANSPARENT: Final = frozenset(
    {
        *(
            "modal",
            "filler",
            "help",
            "self",
            "you",
            "again",
            "degree",
            "courtesy",
            "particle",
            "time",
            "toward",
        ),
        *("all", "group", "already", "soon", "ought", "mark", "this", "call", "member", "who", "to"),
    }
)
"""Classes between a negation and its head verb (别再给我明天取消)."""
_PAUSES: Final = frozenset({"pause", "stop"})
_PIECE_ENDS: Final = frozenset({"pause", "stop", "blank"})
_TRAILING: Final = frozenset(
    {"particle", "filler", "blank", "sign", "mark", "stop", "pause", "call", "courtesy"}
)
"""Classes allowed after a question particle (取消了吗 哈哈)."""
_NOT_NEGATING: Final = frozenset({"what", "whether", "mind", "plain", "aside", "courtesy", "tag"})
_NO: Final = frozenset({"negation", "prohibit", "hold_off"})
_COURTESY: Final = frozenset({"help", "courtesy", "ba", "rouse_me"})
_LEAVE: Final = frozenset({"能不能", "可不可以", "可否", "能否", "能否帮忙"})
_NEGATES_ITSELF: Final = frozenset({"join", "amend"})
"""Acts that contain a negation."""
_FINAL_NO: Final = frozenset({"没", "没有", "不", "否", "未", "没得", "冇", "没呢", "不啊"})
"""Final negations that ask after a verb (做完了没, 来不)."""
_SO_FAR_NOT: Final = frozenset({"没", "没有", "还没", "还没有", "未", "还未", "忘"})
"""Negations of past actions, no prohibition."""
_AND_SO_ON: Final = ("啥的", "什么的", "之类")
"""牙膏纸巾啥的 is no question."""
_NOT_ALTERNATIVE: Final = frozenset("时动偏三得")
"""时不时, 动不动, 三不三: no question of the form V不V."""


@dataclass(frozen=True, slots=True)
class Mood:
    """Mood of a clause.

    `polarity`: `minus` for a negated head verb (别取消). `aspect`: `done` for a completed action. `modality`:
    `can` for permission or ability asked, `may` for an open matter, `must` for an obligation.
    """

    kind: Kind = "order"
    polarity: Literal["plus", "minus"] = "plus"
    aspect: Literal["to_do", "done"] = "to_do"
    modality: Literal["none", "can", "may", "must"] = "none"

    @property
    def plain(self) -> bool:
        """True for a plain order with plus polarity: the only mood that may write without a yes."""
        return self.kind == "order" and self.polarity == "plus" and self.modality in ("none", "must")

    def as_json(self) -> dict[str, str]:
        """The four parts by name (contracts.md, `explain --json`)."""
        return {
            "kind": self.kind,
            "polarity": self.polarity,
            "aspect": self.aspect,
            "modality": self.modality,
        }


ORDER: Final = Mood()


def mood_of(
    line: str,
    act: Act | str,
    times: tuple[TimeExpression, ...] = (),
    amounts: tuple[Amount, ...] = (),
    *,
    lead: str = "",
    lead_times: tuple[TimeExpression, ...] = (),
) -> Mood:
    """Mood of a clause for the act that was read in it.

    Args:
        line: the clause in its one form (`language.text.fold`), with what trails it in its sentence.
        act: what was read. `amend` (a correction, an undo) and `query` have no head verb, and of `amend` and
            `join` a negation is a part (不是18，是16; 我不去了).
        times: times found in `line`; `amounts` likewise.
        lead: what stands before the clause in its sentence: a condition or a speaker named there counts;
            `lead_times`: times found in it.
    """
    said = words_of(line, times, amounts)
    if act == "make" and 0 < (end := plan_end(line, said)) < len(line):
        line, said = line[:end], [token for token in said if token.end <= end]  # 三点打球 谁来
    head = _head(said, act)
    before = words_of(lead, lead_times)
    if any("jest" in token.classes for token in said):
        return Mood("order", "minus")  # 这周六加班 我说笑的
    if _conditional(said) or _conditional(before) or _waits(line, said, act):
        return Mood("condition")
    if _reported(line, said, head) or _reported(lead, before, None):
        return Mood("report")
    if act in ("delete", "change", "finish") and _wished(said, head):
        return Mood("wish")
    polarity: Literal["plus", "minus"] = "minus" if _negated(line, said, head, act) else "plus"
    asks = _asks(line, said, head, act, polarity)
    if asks is not None:
        return Mood(asks.kind, polarity, asks.aspect, asks.modality)
    if polarity == "minus":
        return Mood("order", "minus")
    leading = before if before else said
    if act == "amend" and _negation_leads(leading, None, "") and not _corrects(line, leading):
        return Mood("order", modality="may")
    if act != "join" and _negation_leads(before, None, ""):
        return Mood("order", modality="may")
    if _uncertain(line, said, head, act) or _hedged(said, head) or _hedged(before, None):
        return Mood("order", modality="may")
    if act not in _NEGATES_ITSELF and _negation_leads(said, head, act):
        return Mood("order", modality="may")
    if act != "query" and _wished(said, head):
        return Mood("wish")
    if act in ("delete", "change") and _told(line, said, head):
        return Mood("told", aspect="done")
    if act in ("make", "record") and head is not None and _already(said, head):
        return Mood("told", aspect="done")
    return ORDER


def orders_reminder(line: str) -> bool:
    """True for a reminder verb with a person at the start, and no prohibition (提醒我还小红30,
    到时候叫我一声)."""
    said = words_of(line)
    reminds = any(not one.classes.isdisjoint({"remind", "rouse_me"}) for one in said[:4])
    return reminds and not any(_is_negation(one) for one in said[:4])


def stops_reminder(line: str) -> bool:
    """True if a reminder verb right behind a negation stands in the line (检讨不写了 别提醒了)."""
    said = words_of(line)
    return any(_is_negation(no) and "remind" in verb.classes for no, verb in pairwise(said))


def leaves_open(line: str) -> bool:
    """True for a piece that only says undecided (待定, 我再想想, 有可能, 八字没一撇)."""
    said = words_of(line)
    words = [line[one.start : one.end] for one in said]
    open_ = any("may" in one.classes or word in _UNSETTLED for one, word in zip(said, words, strict=True))
    return open_ and all(
        not one.classes.isdisjoint(_HEDGING | {"may"}) or word in _UNSETTLED
        for one, word in zip(said, words, strict=True)
    )


def guesses(line: str, *, corrects: bool = False) -> bool:
    """True if a line has a word of guess or condition. `corrects`: a correction, where 应该是 is firm."""
    certain = {"instead"} if corrects else set[str]()
    return any(
        not one.classes.isdisjoint({"may", "condition"}) and one.classes.isdisjoint(certain)
        for one in words_of(line)
    )


def is_still_to_do(line: str) -> bool:
    """Future obligation, not completion (提醒我还小红30)."""
    said = words_of(line)
    calls = any(
        "rouse" in one.classes and not other.classes.isdisjoint({"self", "group"})
        for one, other in pairwise(said)
    )
    later = any("soon" in one.classes for one in said) and not any("done" in one.classes for one in said)
    return calls or later or any(not one.classes.isdisjoint(_KEPT_IN_MIND) for one in said)


_KEPT_IN_MIND: Final = frozenset({"remind", "mind", "rouse_me", "defer"})


_UNSETTLED: Final = frozenset(
    {
        *(
            "待定",
            "再议",
            "再定",
            "再说",
            "以后再说",
            "回头再说",
            "下次再说",
            "想想",
            "问问",
            "商量",
            "看",
            "应该",
        ),
        *("商量商量", "研究研究", "考虑", "考虑考虑", "看看", "讨论", "纠结", "犹豫", "估计", "可能", "没准"),
    }
)
"""Words of other classes for an undecided matter."""


def has_own_mood(text: str) -> bool:
    """True for a negation, question, condition, reported speech or joke: no consent beside it."""
    said = words_of(text)
    telling = {"condition", "reported", "jest", "leave"}
    return (
        ends_in_question(text)
        or any(_is_negation(token) and not _alternative(text, token) for token in said)
        or any(not token.classes.isdisjoint(telling) for token in said)
    )


def ends_in_question(text: str) -> bool:
    """A question mark or particle at the end of a stretch of a line (…真的会猝死吗)."""
    said = words_of(text)
    last = _last(said)
    if text.rstrip(" ~。!…").endswith("?"):
        return True
    return last is not None and ("whether" in said[last].classes or _final_no(text, said, last))


def offers_choice(line: str, times: tuple[TimeExpression, ...] = ()) -> bool:
    """True for two alternative times (周五还是周六, 9点或者10点).

    The time grammar reads such a pair as one stretch; in 周四 还是晚上七点 the clock time stays.
    """
    return any(
        "time" in token.classes and any(word in line[token.start : token.end] for word in _OR)
        for token in words_of(line, times)
    )


_OR: Final = ("还是", "或者", "或")


def is_bare(line: str, times: tuple[TimeExpression, ...] = (), amounts: tuple[Amount, ...] = ()) -> bool:
    """True for an order verb alone (停, 恢复, 换下一个): the object was just mentioned."""
    if times or amounts:
        return False
    said = [token for token in words_of(line) if token.classes.isdisjoint(_TRAILING | {"done", "again"})]
    verbs = HEADS["delete"] | HEADS["change"]
    return len(said) == 1 and not said[0].classes.isdisjoint(verbs) and said[0].end - said[0].start <= 2


def in_another_word(
    line: str, times: tuple[TimeExpression, ...] = (), amounts: tuple[Amount, ...] = ()
) -> bool:
    """True for a one-character order verb inside another word (提神醒脑, 换下一个, 推脱责任), unless a stored
    item has that name. 删 is always an order verb."""
    if times or amounts:
        return False
    said = [token for token in words_of(line) if token.classes.isdisjoint(_TRAILING)]
    verbs = HEADS["delete"] | HEADS["change"]
    if len(said) < 2 or said[0].classes.isdisjoint(verbs) or line[said[0].start : said[0].end] in "删":
        return False
    one = said[0].end - said[0].start == 1
    return one and all(token.classes.isdisjoint(_NOUNS) for token in said[1:])


_NOUNS: Final = frozenset(
    {
        *("schedule_noun", "task_noun", "reminder_noun", "list_noun", "note_noun", "money_noun"),
        *("occasion", "personal", "order_of", "this", "all", "time", "quoted", "ordinal", "to", "member"),
    }
)


def _head(said: Sequence[Token], act: str) -> int | None:
    """Index of the head verb; of several the last of deleting or changing, else the first."""
    heads = HEADS.get(act, frozenset())
    places = [
        at
        for at, token in enumerate(said)
        if not token.classes.isdisjoint(heads) and token.classes.isdisjoint({"negation", "aside"})
    ]
    if places:
        return places[-1] if act in ("delete", "change", "finish") else places[0]
    if act == "make":
        return next(
            (
                at
                for at, token in enumerate(said)
                if not token.classes.isdisjoint({"action", "occasion", "personal", "hui"})
            ),
            None,
        )
    return None


def _is_negation(token: Token) -> bool:
    return not token.classes.isdisjoint(_NO) and token.classes.isdisjoint(_NOT_NEGATING)


def _negated(line: str, said: Sequence[Token], head: int | None, act: str) -> bool:
    """True for a negation of the head verb, or a denial before it (没说要取消羽毛球, 不是不提醒)."""
    if act != "amend" and denies(line, said[: len(said) if head is None else head + 1]):
        return True
    if act == "amend" and _leaves_alone(said):
        return True
    if act in _NEGATES_ITSELF:
        return act == "amend" and any("prohibit" in one.classes for one in said[:1])  # 别改, not 不是18，是16
    if act in ("delete", "change") and any("leave" in token.classes for token in said):
        return True  # 妈的生日莫动
    if head is None and act == "delete":
        return _forbids_change(said)
    if head is None and act == "finish" and _not_so_far(line, said):
        return True  # 猫粮还没买呢 急死
    if head is None:
        return _leads_piece(said, None)
    if act == "make" and said[head].classes.isdisjoint(HEADS["make"]):
        return _leads_piece(said, head)  # 别明天下午三点开会
    at = head
    for place in range(head - 1, -1, -1):
        if not said[place].classes.isdisjoint(_PAUSES):
            break
        if "ba" in said[place].classes:
            at = place  # 别把周会取消了: verb and object are between
            break
    for place in range(at - 1, -1, -1):
        token = said[place]
        if _is_negation(token):
            return not _alternative(line, token) and not (
                act == "record" and _forgotten(line, said, place, head)
            )
        if "refuse" in token.classes and act == "delete":
            return False  # 算了 取消吧
        if token.classes.isdisjoint(_TRANSPARENT):
            break
    return act != "delete" and _leads_piece(said, head)


def _not_so_far(line: str, said: Sequence[Token]) -> bool:
    """True if an action is negated as not done, and no word says done."""
    undone = any(
        line[one.start : one.end] in _SO_FAR_NOT and not other.classes.isdisjoint({"action", "pay", "make"})
        for one, other in pairwise(said)
    )
    told = any("done" in one.classes or line[one.start : one.end].endswith("了") for one in said)
    return undone and not told  # 猫粮买了 周报还没写 is a tick


def denies(line: str, said: Sequence[Token]) -> bool:
    """True for a denial of a statement or wish: 没说要…, 没让你…, 不是不…."""
    return any(
        "denial" in one.classes
        or (line[one.start : one.end] == "不是" and (_is_negation(other) or "take_away" in other.classes))
        for one, other in pairwise([*said, said[-1]] if said else [])
    )


def _leaves_alone(said: Sequence[Token]) -> bool:
    """True for an order to leave a record as it is: 那笔别动, 打车那笔不用改."""
    verbs = HEADS["change"] | HEADS["delete"]
    return any("leave" in token.classes for token in said) or any(
        "prohibit" in token.classes and not following.classes.isdisjoint(verbs)
        for token, following in pairwise(said)
    )


def _forbids_change(said: Sequence[Token]) -> bool:
    """True for a prohibited change, also with 把: 别推迟到下周, 别把剧本杀弄没了."""
    return any(
        _is_negation(token) and not following.classes.isdisjoint(HEADS["change"] | {"ba"})
        for token, following in pairwise(said)
    )


def _forgotten(line: str, said: Sequence[Token], place: int, head: int) -> bool:
    """电费也没记一百零二: missed record with its amount, to be recorded."""
    told = line[said[place].start : said[place].end] in _SO_FAR_NOT and line[said[head].start] == "记"
    return told and any("amount" in token.classes for token in said[head:])


def _leads_piece(said: Sequence[Token], head: int | None) -> bool:
    """True for a negation at the start of the head verb's piece (没地铁4块)."""
    first = _opening(said)
    if first is None or not _is_negation(said[first]):
        return False
    end = len(said) if head is None else head
    return all(token.classes.isdisjoint(_PIECE_ENDS) for token in said[first + 1 : end])


def _negation_leads(said: Sequence[Token], head: int | None, act: str) -> bool:
    """True for a negation at the start and an order in another piece (不去了 羽毛球取消吧)."""
    if act == "delete" and head is None:
        return False  # 不用提醒我喝水了: the negation is the delete word
    first = _opening(said)
    if first is None or not _is_negation(said[first]):
        return False
    behind = said[first + 1 : first + 2]
    return not behind or behind[0].classes.isdisjoint(_PAUSES)  # 不，改到八点 answers


def _corrects(line: str, said: Sequence[Token]) -> bool:
    """不是18，是16: the negation of what was recorded."""
    first = _opening(said)
    return first is not None and line[said[first].start : said[first].end] in ("不是", "没有")


def _opening(said: Sequence[Token]) -> int | None:
    silent = _TRAILING | {"self", "you"}
    return next((at for at, token in enumerate(said) if token.classes.isdisjoint(silent)), None)


def _alternative(line: str, token: Token) -> bool:
    """V不V: 开不开, 取不取消; no figures on both sides (是69不是96)."""
    if token.start == 0 or token.end >= len(line):
        return False
    before, after = line[token.start - 1], line[token.end]
    return (
        not before.isdigit() and before == after and before not in _NOT_ALTERNATIVE and not before.isspace()
    )


def _conditional(said: Sequence[Token]) -> bool:
    """要是, 如果, …的话 anywhere."""
    return any("condition" in token.classes for token in said)


def _waits(line: str, said: Sequence[Token], act: str) -> bool:
    """True for a condition with no time (等房东同意了再改, 等我忙完这阵就开个会)."""
    words = [line[token.start : token.end] for token in said]
    return (
        _waits_until(said, words, act)
        or (act in _CHANGING and (_comes_again(said, words) or _lets_it_follow(said, words)))
        or (act in _WAITING and _follows_on(said, words))
    )


_UNTIL: Final = frozenset({"等", "等到", "等着", "只要", "哪天", "啥时候", "什么时候", "几时", "多咱"})
_CHANGING: Final = frozenset({"delete", "change"})
_WAITING: Final = frozenset({"delete", "change", "record", "amend"})


def _waits_until(said: Sequence[Token], words: Sequence[str], act: str) -> bool:
    at = next((place for place, word in enumerate(words) if word in _UNTIL), None)
    if at is None or "time" in said[min(at + 1, len(said) - 1)].classes:
        return False
    if at and not said[at - 1].classes.isdisjoint({"unread", "number", "amount"}):
        return False  # 高铁二等座
    if words[at] == "等" and act == "record":
        return True  # 等我发工资给小红转500
    behind = words[at + 1 :]
    then = ("再", "就", "还") if words[at] == "等" else ("再", "就")
    return any(word.startswith(then) for word in behind) or (words[at] == "等" and "后" in behind)


def _comes_again(said: Sequence[Token], words: Sequence[str]) -> bool:
    """再下雨就取消算了: a repeated event as the condition of a deletion."""
    first = _opening(said)
    return first is not None and words[first] == "再" and any(word == "就" for word in words[first + 1 :])


def _lets_it_follow(said: Sequence[Token], words: Sequence[str]) -> bool:
    """人不够就取消剧本杀, 老板没空周会就改到周四: 就 after a negation or the weather, in one breath. A past
    event has 了 (我不去了就取消吧)."""
    at = next((place for place, word in enumerate(words) if place and word == "就"), None)
    if (
        at is None
        or words[at - 1].endswith("了")
        or any(not one.classes.isdisjoint(_PIECE_ENDS) for one in said[:at])
    ):
        return False
    return any(
        _is_negation(one) or not one.classes.isdisjoint({"weather", "cannot"}) for one in said[:at]
    ) and any(not one.classes.isdisjoint(HEADS["delete"] | HEADS["change"]) for one in said[at:])


def _follows_on(said: Sequence[Token], words: Sequence[str]) -> bool:
    """发了工资再还你500: a future event first, then 再 and the action. A past action has its own 了
    (吃了饭再打车花了20)."""
    at = next(
        (
            place
            for place, word in enumerate(words)
            if place and (word == "再" or (word == "就" and words[place + 1 : place + 2] == ["还"]))
        ),
        None,
    )
    if at is None or any(not one.classes.isdisjoint(_PIECE_ENDS) for one in said[:at]):
        return False
    first = any(
        "done" in one.classes or word.endswith("了") for one, word in zip(said[:at], words, strict=False)
    )
    done = any(
        "done" in one.classes or word.endswith("了") for one, word in zip(said[at:], words[at:], strict=True)
    )
    return first and not done


_SPEAKS_HIMSELF: Final = frozenset({"self", "you", "time", "toward", "modal", "with"})


def _reported(line: str, said: Sequence[Token], head: int | None) -> bool:
    """Reported speech before the head verb: 听说…, 小王说…. It ends with a comma and new content
    (老师说明天交作业，提醒我早上带)."""
    for at, token in enumerate(said[: len(said) if head is None else head]):
        if "reported" in token.classes:
            return True
        if "says" not in token.classes or at == 0:
            continue
        subject = _subject(said, at)
        if subject is None or not subject.classes.isdisjoint(_SPEAKS_HIMSELF) or _addressed_to(said, at):
            continue
        told = [one for one in said[at + 1 : head] if one.classes.isdisjoint(_TRAILING)]
        ended = any(line[one.start : one.end] == "," for one in said[at + 2 : head])
        if not (told and ended):
            return True
    return False


def _subject(said: Sequence[Token], at: int) -> Token | None:
    for token in reversed(said[:at]):
        if not token.classes.isdisjoint(_PAUSES):
            return None
        if token.classes.isdisjoint({"filler", "already", "time", "degree", "blank", "again", "mark"}):
            named = {"who", "member", "unread", "latin", "plain", "call", "group", "personal"}
            return token if not token.classes.isdisjoint(named) else None
    return None


def _addressed_to(said: Sequence[Token], at: int) -> bool:
    """跟老板说, 给客户讲: a task, not reported speech."""
    for token in reversed(said[max(0, at - 4) : at]):
        if not token.classes.isdisjoint({"toward", "with", "remind", "mind", "rouse", "make"}):
            return True
        if not token.classes.isdisjoint(_PIECE_ENDS):
            return False
    return False


def _asks(line: str, said: Sequence[Token], head: int | None, act: str, polarity: str) -> Mood | None:
    """Mood of a question, or of an order put as one (能不能帮我…, 把…改到四点好吗); None for no question."""
    softened = any(
        line[token.start : token.end].startswith(("能", "可以", "方便"))
        and not token.classes.isdisjoint({"modal", "help"})
        for token in said[: len(said) if head is None else head + 1]
    )
    kindly = any(not token.classes.isdisjoint(_COURTESY) for token in said)
    kindly = kindly or (act == "make" and head is not None and "remind" in said[head].classes)
    last = _last(said)
    ends = None if last is None else said[last]
    done = _done_before(line, said, last)
    aspect: Literal["to_do", "done"] = "done" if done else "to_do"
    mark = line.rstrip(" ~。!…").endswith("?")
    tag = ends is not None and "tag" in ends.classes
    particle = ends is not None and (
        ("whether" in ends.classes and not tag and line[ends.start : ends.end] != "?")
        or _final_no(line, said, last)
    )
    alternative = any("negation" in token.classes and _alternative(line, token) for token in said) or any(
        not token.classes.isdisjoint({"what", "whether", "advice"})
        and line[token.start : token.end]
        in ("是不是", "有没有", "是否", "与否", "还有没有", "要不要", "该不该", "用不用")
        and not _embedded(said, at, head, act)
        for at, token in enumerate(said)
    )
    leave = any("modal" in token.classes and line[token.start : token.end] in _LEAVE for token in said)
    if (leave or ((particle or mark) and softened)) and not done:
        if kindly and polarity == "plus":
            return None  # 能不能帮我把评审改到四点
        return Mood("order", modality="can")
    if tag and not done:
        return None if kindly and polarity == "plus" else Mood("order", modality="can")
    if particle or alternative:
        return Mood("question", aspect=aspect)
    if any(
        not token.classes.isdisjoint({"what"}) and not _embedded(said, at, head, act)
        for at, token in enumerate(said)
        if not (
            line[token.start :].startswith(_AND_SO_ON)
            or ((_not_much(line, said, at) or _these_few(line, token)) and not mark)
        )
    ):
        return Mood("question", aspect=aspect)
    if mark and any("suggest" in token.classes for token in said):
        return Mood("order", modality="can")  # 要不改到10点？
    if mark:
        return Mood("order", modality="can") if kindly and not done else Mood("question", aspect=aspect)
    if polarity == "minus" and line.rstrip(" ~。!…").endswith("吧") and not _forbids(said, head):
        return Mood("question")  # 面试没取消吧
    if act == "finish" and _surmised(line, said):
        return Mood("question", aspect="done")  # 都结束了吧
    return None


_MUCH: Final = ("多久", "多少", "几", "怎么")
_HAD_NOT: Final = ("没", "没有")


def _not_much(line: str, said: Sequence[Token], at: int) -> bool:
    """True for 没唱多久, 没喝多少, 没怎么吃: little of it, and no question."""
    near = said[max(0, at - 2) : at]
    between = [each for each in near if line[each.start : each.end] not in _HAD_NOT]
    denied = len(between) < len(near) and all("blank" not in each.classes for each in between)
    return denied and line[said[at].start : said[at].end].startswith(_MUCH)


def _these_few(line: str, token: Token) -> bool:
    """True for the 几 of 那几笔 and 这几条, which asks nothing."""
    return line[: token.start].endswith(("那", "这")) and line[token.start :].startswith(_FEW)


_FEW: Final = ("几笔", "几条", "几项", "几单")


def _surmised(line: str, said: Sequence[Token]) -> bool:
    """True for a deed that is guessed to be done (都结束了吧, 写完了吧); 任务结了吧 and 那条结了吧, of the
    entry itself, are orders."""
    words = [one for one in said if "pause" not in one.classes]
    if len(words) < 2 or line[words[-1].start : words[-1].end] != "吧":
        return False
    before = words[-2]
    done = not before.classes.isdisjoint({"finish", "done"}) and line[: before.end].endswith("了")
    return done and all(one.classes.isdisjoint(_ENTRY) for one in words)


_ENTRY: Final = frozenset({"task_noun", "reminder_noun", "this", "may", "ought", "ba", "help", "request"})


def _embedded(said: Sequence[Token], at: int, head: int | None, act: str) -> bool:
    """True for a question word inside the content (提醒我问老板什么时候发工资)."""
    if head is None:
        return False
    if act in ("make", "record"):
        return at > head and not said[head].classes.isdisjoint(HEADS["make"])
    return "advice" in said[at].classes and at > head


def _last(said: Sequence[Token]) -> int | None:
    """Index of the last token with content; trailing classes are skipped."""
    for at in range(len(said) - 1, -1, -1):
        token = said[at]
        if token.classes.isdisjoint(_TRAILING) or "tag" in token.classes or "whether" in token.classes:
            return at
    return None


def _final_no(line: str, said: Sequence[Token], last: int | None) -> bool:
    """没, 没有, 不 at the end behind a verb (做完了没, 来不, 取消没)."""
    if last is None:
        return False
    token = said[last]
    if line[token.start : token.end] == "?" and last:
        last, token = last - 1, said[last - 1]
    return last > 0 and line[token.start : token.end] in _FINAL_NO


def _done_before(line: str, said: Sequence[Token], last: int | None) -> bool:
    """True for 了, 过, 已经 before the question particle (取消了吗)."""
    before = said[: len(said) if last is None else last + 1]
    return any(
        not token.classes.isdisjoint({"done", "already"}) or line[token.start : token.end].endswith("了")
        for token in before
        if "particle" not in token.classes
    )


_WISH: Final = frozenset({"wish"})


def _uncertain(line: str, said: Sequence[Token], head: int | None, act: str) -> bool:
    """True for 可能, 估计, 好像 before the head verb, or anywhere without one; also 周六应该聚餐 without a
    request."""
    scope = said if head is None else said[: head + 1]
    if any("may" in token.classes for token in scope):
        return True
    if act == "finish" and _is_partly(line, said, head):
        return True  # 周报写完一半了, 差不多写完了, 快写完了
    if act == "record" and any("defer" in token.classes for token in scope):
        return True  # 改天还小红500
    made = head is not None and not said[head].classes.isdisjoint(HEADS["make"])
    tells = (act == "make" and not made) or act == "finish"
    last = said[-1:]  # 明天下午三点开会吧 应该
    return tells and any(line[one.start : one.end] == "应该" for one in (*scope, *last))


def _is_partly(line: str, said: Sequence[Token], head: int | None) -> bool:
    soon = head is not None and line[: said[head].start].rstrip(" ").endswith(("快", "快要", "就要"))
    return soon or any("partly" in one.classes for one in said)


_HEDGING: Final = _TRAILING | _TRANSPARENT | _NO | frozenset({"modal", "have", "is", "done", "of", "whether"})
"""Classes allowed beside a guess in a piece of nothing else."""


def _hedged(said: Sequence[Token], head: int | None) -> bool:
    """True for a piece that only makes the rest uncertain (周六聚餐 看情况, 我不太确定), or a final guess
    without a request (周六聚餐吧大概)."""
    piece: list[Token] = []
    for token in (*said, None):
        if token is not None and token.classes.isdisjoint(_PIECE_ENDS):
            piece.append(token)
            continue
        guesses = any("may" in one.classes for one in piece)
        if guesses and all("may" in one.classes or not one.classes.isdisjoint(_HEDGING) for one in piece):
            return True
        piece = []
    last = _last(said)
    asked = head is not None and not said[head].classes.isdisjoint(HEADS["make"])
    return last is not None and not asked and "may" in said[last].classes


def _wished(said: Sequence[Token], head: int | None) -> bool:
    """True for a wish (好想, 恨不得, 早知道); 希望 only without a request."""
    scope = said if head is None else said[: head + 1]
    asked = any(not token.classes.isdisjoint(_COURTESY - {"ba"}) for token in said)
    return any(
        token.classes == _WISH or ("wish" in token.classes and "may" not in token.classes and not asked)
        for token in scope
    )


def is_guarded(line: str, times: tuple[TimeExpression, ...] = (), amounts: tuple[Amount, ...] = ()) -> bool:
    """True for a line confirmed before writing: a negation opens it, or it has a condition, a guess or
    reported speech."""
    said = words_of(line, times, amounts)
    first = _opening(said)
    negated = first is not None and _is_negation(said[first])
    return negated or any(not token.classes.isdisjoint({"condition", "reported", "may"}) for token in said)


def _forbids(said: Sequence[Token], head: int | None) -> bool:
    """True for a prohibition: 别 and 不要, not 没 and 不."""
    return any("prohibit" in token.classes for token in (said if head is None else said[:head]))


def _told(line: str, said: Sequence[Token], head: int | None) -> bool:
    """周会取消了: statement of fact, without 把 and without a request."""
    if head is None or head == 0 or any(not one.classes.isdisjoint(_COURTESY) for one in said):
        return False
    token = said[head]
    behind = said[head + 1 :]
    done = line[token.start : token.end].endswith("了") or (bool(behind) and "done" in behind[0].classes)
    if not done or line.rstrip(" ~。!…").endswith("吧"):
        return False
    rest = behind[1:] if behind and "done" in behind[0].classes else behind
    if any(one.classes.isdisjoint(_TRAILING) for one in rest):
        return False
    named = [
        one
        for one in said[:head]
        if one.classes.isdisjoint(_TRAILING | {"time", "of", "this", "all", "self"})
    ]
    return bool(named) and "refuse" not in named[-1].classes and "take_away" in token.classes


def _already(said: Sequence[Token], head: int) -> bool:
    return any("already" in token.classes and "this" not in token.classes for token in said[:head])


__all__ = ["HEADS", "ORDER", "Act", "Kind", "Mood", "in_another_word", "is_bare", "mood_of"]
