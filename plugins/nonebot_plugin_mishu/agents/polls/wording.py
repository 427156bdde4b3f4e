"""What is said of polls: cards, states, results. Pure; an anonymous poll shows no name anywhere."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

from ...language.polls.cards import HEAD, NOT_SAID
from ...language.polls.orders import PollDraft, PollOrder
from ...language.polls.results import chosen, tells_day
from ...language.polls.voices import PollVoice
from ...storage.polls.records import Cast, PollAnswer, PollRecord, seated

LEAVES: Final = {"vote": "不投", "signup": "不去", "count": "不要"}
NAMES: Final = {"vote": "投票", "signup": "报名", "count": "统计"}
CALLS_AT: Final = "{at} 喊一声还没回的。"
TOO_LATE_TO_CALL: Final = "提前喊的时间（{at}）已经过了，要催就说「催一下没回的」。"
NOT_THEIRS: Final = "{names}的没记，要 TA 自己说，或者单独说一句替 TA 选的。"
STILL_IN: Final = "已经回了的 {count} 人还算着，不去的说一声。"
SHOWN_NAMES: Final = 30
"""Names in one line; further ones are counted."""
_WEEKDAYS: Final = "一二三四五六日"


def say_moment(at: float, zone: ZoneInfo) -> str:
    """11月20日（周五）22:00."""
    when = datetime.fromtimestamp(at, zone)
    return f"{when.month}月{when.day}日（周{_WEEKDAYS[when.weekday()]}）{when:%H:%M}"


def head(poll: PollRecord) -> str:
    """【投票3】周六还是周日去爬山."""
    return f"{HEAD.format(name=NAMES[poll.fields.form], number=poll.id)}{poll.fields.question}"


def card(poll: PollRecord, zone: ZoneInfo) -> str:
    """Text of a poll just made."""
    fields = poll.fields
    lines = [head(poll)]
    match fields.form:
        case "vote":
            lines += [f"{number}. {each}" for number, each in enumerate(fields.options, 1)]
            many = "一个人可以选几个，比如「1和3」" if fields.several else "一人一票"
            how = f"回数字或选项就行，{many}，改主意就再说一次"
        case "signup":
            how = "回「+1」报名，带人回「+2」，「不去了」退出"
            if fields.places is not None:
                lines.append(f"限 {fields.places} 人，满了排候补")
        case _:
            how = "回「要2份」这样的数量，不要回「不要」"
    notes = [how]
    if fields.anonymous:
        notes.append("不记名，谁选了什么不公开")
    if fields.closes_at is not None:
        lines.append(f"{say_moment(fields.closes_at, zone)} 截止")
    if poll.answers:
        lines += _lines(poll)
    return "\n".join([*lines, f"（{'；'.join(notes)}）"])


def asked(poll: PollRecord, voice: PollVoice, whom: str, kept: PollAnswer | None = None) -> str:
    """Question before a voice is counted: 「周六还是周日」给你投「周日」吗？ `kept`: what was said before."""
    fields = poll.fields
    if voice.relation == "leave":
        return f"「{fields.question}」{whom}{LEAVES[fields.form]}了吗？"
    match fields.form:
        case "vote":
            chosen_ = voice.choices or (() if voice.choice is None else (voice.choice,))
            what = f"给{whom}投「{'」「'.join(fields.options[each] for each in chosen_)}」"
        case "signup":
            heads = f"（{voice.amount}人）" if voice.amount > 1 else ""
            what = f"给{whom}报名{heads}"
            if kept is not None and kept.taken and kept.amount != voice.amount and not voice.more:
                what = f"{whom}从 {kept.amount} 人改成 {voice.amount} 人"
        case _:
            what = f"给{whom}记{voice.amount}份"
    return f"「{fields.question}」{what}吗？"


def would_make(made: PollDraft, zone: ZoneInfo) -> str:
    """Question before a poll is made that only a model reads: 要发起投票「去哪吃」吗：1. 火锅 2. 烤肉？"""
    told = [" ".join(f"{number}. {each}" for number, each in enumerate(made.options, 1))]
    told.append("" if made.places is None else f"限 {made.places} 人")
    told.append("" if made.closes_at is None else f"{say_moment(made.closes_at.timestamp(), zone)} 截止")
    told.append("不记名" if made.anonymous else "")
    told.append("一个人可以选几个" if made.several else "")
    parts = "；".join(each for each in told if each)
    return f"要发起{NAMES[made.form]}「{made.question}」吗{f'：{parts}' if parts else ''}？（回「确认」发起）"


def would_change(question: str, order: PollOrder, zone: ZoneInfo) -> str:
    """Question before a poll is changed in which only a model reads a change."""
    told = [f"名字改成「{order.question}」" if order.question else ""]
    told.append("" if order.places is None else f"限 {order.places} 人")
    told.append("不限人数" if order.unlimited else "")
    told.append(f"加选项「{'」「'.join(order.options)}」" if order.options else "")
    told.append("" if order.closes_at is None else f"{say_moment(order.closes_at.timestamp(), zone)} 截止")
    told.append("" if order.anonymous is None else "不记名" if order.anonymous else "记名")
    return f"「{question}」要这样改吗：{'；'.join(each for each in told if each)}？（回「确认」就改）"


def state(poll: PollRecord, zone: ZoneInfo) -> str:
    """Where a poll stands."""
    lines = [head(poll), *_lines(poll)]
    if poll.status == "closed":
        lines.append("已经截止。")
    elif poll.fields.closes_at is not None:
        lines.append(f"{say_moment(poll.fields.closes_at, zone)} 截止")
    return "\n".join(lines)


def result(poll: PollRecord) -> str:
    """The result of a poll that is over."""
    lines = [f"{head(poll)}（截止了）", *_lines(poll)]
    if poll.fields.form == "vote":
        lines.append(_winner(poll))
    return "\n".join(lines)


def short(poll: PollRecord) -> str:
    """The count in one line."""
    match poll.fields.form:
        case "vote":
            counts = tally(poll)
            return (
                "，".join(
                    f"{each} {counts[at]} 票" for at, each in enumerate(poll.fields.options) if counts[at]
                )
                or "还没有人投"
            )
        case "signup":
            inside, waiting = seated(poll.answers, poll.fields.places)
            heads = sum(each.amount for each in inside)
            limit = f"/{poll.fields.places}" if poll.fields.places is not None else ""
            more = f"，候补 {len(waiting)} 位" if waiting else ""
            return f"{heads}{limit} 人{more}"
        case _:
            return f"{len(poll.given)} 人，共 {sum(each.amount for each in poll.given)} 份"


def tally(poll: PollRecord) -> list[int]:
    """Votes by option."""
    counts = [0] * len(poll.fields.options)
    for each in poll.given:
        for at in each.chosen:
            if at < len(counts):
                counts[at] += 1
    return counts


def winners(poll: PollRecord) -> list[str]:
    """The options with the most votes; none where nobody voted."""
    counts = tally(poll)
    most = max(counts, default=0)
    return [each for at, each in enumerate(poll.fields.options) if most and counts[at] == most]


def voters(poll: PollRecord, choices: Sequence[int]) -> str:
    """Who chose these options; of an anonymous vote how many did."""
    lines: list[str] = []
    for at in choices:
        voices = [each for each in poll.given if at in each.chosen]
        names = "" if poll.fields.anonymous or not voices else f"：{_listed(voices)}"
        lines.append(f"{poll.fields.options[at]} {len(voices)} 票{names}")
    return "\n".join(lines)


def voices_of(poll: PollRecord, people: Sequence[tuple[str, str]], asker: str) -> str:
    """What these members (id, name) said, `asker` being 你; of an anonymous poll only one's own."""
    lines: list[str] = []
    for user_id, name in people:
        own = user_id == asker
        if poll.fields.anonymous and not own:
            return "这个不记名，谁选了什么不公开。"
        who = "你" if own else name
        answer = poll.answer_of(user_id) or next((one for one in poll.given if one.name == name), None)
        lines.append(f"{who}还没回。" if answer is None else f"{who}：{in_words(poll, answer)}。")
    return "\n".join([head(poll), *lines])


def in_words(poll: PollRecord, answer: PollAnswer | None) -> str:
    """A voice in words: 周六, 2 人, 3 份, 不去."""
    if answer is None or not answer.taken:
        return LEAVES[poll.fields.form]
    match poll.fields.form:
        case "vote":
            return "、".join(poll.fields.options[at] for at in answer.chosen)
        case "signup":
            return f"{answer.amount} 人" if answer.amount > 1 else "报名"
        case _:
            return f"{answer.amount} 份"


def counted_in(cast: Cast) -> str:
    """Which poll a voice went into, where another one might have been meant."""
    said = "" if cast.poll.fields.anonymous else f"：{in_words(cast.poll, cast.after)}"
    return f"记在「{cast.poll.fields.question}」里了{said}。"


def taken_back(cast: Cast) -> str:
    """Summary of a voice, for 撤销: what was said, and what stands again without it."""
    poll = cast.poll
    if poll.fields.anonymous:
        return f"「{poll.fields.question}」里的回答"
    who = cast.after.name if cast.after is not None else ""
    before = f"改回「{in_words(poll, cast.before)}」" if cast.before is not None else NOT_SAID
    return f"「{poll.fields.question}」里{who}的回答「{in_words(poll, cast.after)}」，{before}"


def _winner(poll: PollRecord) -> str:
    found = winners(poll)
    if not found:
        return "没有人投。"
    most = max(tally(poll))
    if len(found) > 1:
        return f"{'、'.join(found)} 并列，各 {most} 票。"
    return f"{found[0]} 最多，{most} 票。"


def _lines(poll: PollRecord) -> list[str]:
    match poll.fields.form:
        case "vote":
            return _vote_lines(poll)
        case "signup":
            return _signup_lines(poll)
        case _:
            total = sum(each.amount for each in poll.given)
            return [f"{len(poll.given)} 人，共 {total} 份{_colon(poll, poll.given)}"]


def _vote_lines(poll: PollRecord) -> list[str]:
    lines: list[str] = []
    for at, (each, count) in enumerate(zip(poll.fields.options, tally(poll), strict=True)):
        voices = [one for one in poll.given if at in one.chosen]
        lines.append(f"{at + 1}. {each}：{count} 票{_names(poll, voices)}")
    return lines


def _signup_lines(poll: PollRecord) -> list[str]:
    inside, waiting = seated(poll.answers, poll.fields.places)
    heads = sum(each.amount for each in inside)
    limit = f"/{poll.fields.places}" if poll.fields.places is not None else ""
    lines = [f"{heads}{limit} 人{_colon(poll, inside)}"]
    if waiting:
        lines.append(f"候补 {len(waiting)} 位{_colon(poll, waiting)}")
    return lines


def _names(poll: PollRecord, voices: Sequence[PollAnswer]) -> str:
    return f"（{_listed(voices)}）" if voices and not poll.fields.anonymous else ""


def _colon(poll: PollRecord, voices: Sequence[PollAnswer]) -> str:
    return f"：{_listed(voices)}" if voices and not poll.fields.anonymous else ""


def _listed(voices: Sequence[PollAnswer]) -> str:
    named = [f"{each.name}{f'×{each.amount}' if each.amount > 1 else ''}" for each in voices[:SHOWN_NAMES]]
    more = f"等 {len(voices)} 人" if len(voices) > SHOWN_NAMES else ""
    return "、".join(named) + more


def names_day(words: str) -> bool:
    """True if words name a day: without one nothing is put into the calendar."""
    return tells_day(words)


def with_option(question: str, options: Sequence[str], won: str) -> str:
    """The question with the option that won in the place of all of them: 周六去爬山 of 周六还是周日去爬山."""
    return chosen(question, options, won)


def offers(poll: PollRecord) -> str:
    """What may be done with a result, and in which words; empty where there is nothing to do it with."""
    if not poll.given:
        return ""
    if poll.fields.form == "vote":
        return "（要排上就@我说「排进日程」）" if names_day(poll.fields.question) else ""
    return "（接着可以@我说「排进日程」「每人一个任务」「大家平摊」）"
