"""Claims of a reply: sentences saying that something was or will be noted, changed, sent or looked up. Pure.

A table of words (`claims.toml`) over clauses; questions, offers, conditions, negations, quotations and
statements about others are no claims.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Final

from ...patterns import Pattern
from ..text.fold import normalise
from .judge import CLAIMS_ABOVE, PLAIN_TALK, claim_features, sounds_done
from .offers import offer_in
from .states import ClaimSentence, closed_up, states, told
from .table import HERE, Kind, Row, either, rows, words
from .topic import ClauseActions, named_deeds, narrowed

_SENTENCE: Final = Pattern(r"[^。！!？?\n;；…~～]*[。！!？?\n;；…~～]*")
_CLAUSE: Final = Pattern(r"[,，]|(?<!\d)[:：]|[:：](?!\d)|(?<=[^\x00-\x7f])\s+|\s+(?=[^\x00-\x7f])")
_QUOTED: Final = Pattern('「[^」]*」|『[^』]*』|“[^”]*”|"[^"]*"|《[^》]*》|【[^】]*】|‘[^’]*’')
_IDLE: Final = Pattern(
    "没问题|没事儿?|没关系|不客气|不用谢|别担心|不用担心|别急|不着急|没毛病|不好意思|不要紧|别怕|不谢"
    "|(?:听到|听见|知道|明白|晓得|懂)[了啦咯]"
)
_ANYTHING: Final[frozenset[Kind]] = frozenset({"anything"})
_LOOK: Final[frozenset[Kind]] = frozenset({"look"})
_STATE: Final[frozenset[Kind]] = frozenset({"state"})
_HAN: Final = Pattern("[一-鿿]")
_NOT_ENGLISH: Final = Pattern(
    r"\b(?:not|never|cannot|unable|if|would|could|want|should|may|might|no one)\b|n't\b", re.IGNORECASE
)
_THEIR_ENGLISH: Final = Pattern(
    r"\b(?:he|she|they|you|who)\b(?:'ve|'s| have| has)?(?: \w+)?\s*$", re.IGNORECASE
)
_EARLIER_ENGLISH: Final = Pattern(r"\b(?:earlier|already|before|yesterday)\b", re.IGNORECASE)
_FOLLOWS: Final = Pattern("我(?:就|才|好)(?!是|想|知|说|在|不|像|会|先|此)")
_COURTEOUS: Final = 3
"""Most characters of a courtesy (好的呀)."""
_SPEAKS: Final = Pattern("我|小秘|秘书|这边|咱")


@dataclass(frozen=True, slots=True)
class Claim:
    """One thing a reply says was done, or will be."""

    kinds: frozenset[Kind]
    """Several where the words leave it open; one of them done makes it true."""
    sentence: str
    """The sentence as the reply has it."""
    past: bool = False
    """About earlier, not now."""
    here: bool = False
    """About the secretary's own items: needs no look-up."""
    outside: bool = False
    """About the world, known to the secretary only from members."""
    clause: str = ""
    """Part of the sentence with the claim, normalised; empty if not a single part."""
    named: frozenset[Kind] = frozenset()
    """Kinds of deeds that the words name, where `kinds` only says that something was done."""
    beyond: bool = False
    """A deed that nothing of ours does: only another plugin's tool can have done it."""


def claims(text: str, people: Collection[str] = ()) -> tuple[Claim, ...]:
    """The claims of a text, in order, at most one a clause. `people` are names of members: what is said of
    them is no claim. Linear in the length."""
    return tuple(claim for sentence in sentences(text) for claim in _found(sentence, people))


def features_of(sentence: str, people: Collection[str] = ()) -> list[int]:
    """Features of a sentence for the judge."""
    found = tuple(_of(sentence, people))
    return _features(told(_nameless(sentence, people)), found, sentence)


UNGROUNDED_ABOVE: Final = 0.3
"""A score above this is a claim where no row of a table speaks for one: less is heard in plain talk too."""
ALONE_ABOVE: Final = 0.8
"""A score above this is a claim of one clause beside others."""
_SHORTEST: Final = 4
"""Characters from which on the judge alone hears a claim (轮到了 may be said of anything)."""


def _features(seen: ClaimSentence, found: Collection[Claim], sentence: str) -> list[int]:
    kinds = {kind for claim in found for kind in claim.kinds}
    return claim_features(seen, kinds, guarded=not _may_claim(sentence))


def _found(sentence: str, people: Collection[str]) -> Iterable[Claim]:
    """By the table, which knows which deed is claimed; where it finds nothing, by the judge, which only hears
    that something is, and by the table of states, which tells of what. What stands beside a claim of the
    table is heard by itself."""
    if offer_in(sentence) is not None:
        return ()
    found = tuple(_of(sentence, people))
    plain = _nameless(sentence, people)
    seen = told(plain)
    sure = sounds_done(_features(seen, found, sentence))
    if found and sure < PLAIN_TALK and _HAN.search(sentence):
        return ()
    about = {row.about for row in states(seen)}
    outside = about == {"world"}
    if found and all(claim.kinds <= {"look"} for claim in found):
        # the result is beside it: 我查了一下，明天多云
        return tuple(replace(claim, outside="world" in about) for claim in found)
    if found:
        return (*found, *_beside(sentence, plain, {claim.clause for claim in found}))
    bar = CLAIMS_ABOVE if about else UNGROUNDED_ABOVE
    if people and PLAIN_TALK < sure <= bar and _tells_of(sentence, people) and _may_be_told(sentence):
        return (_heard(sentence, "", _STATE),)
    short = not about and len(_HAN.findall(sentence)) < _SHORTEST
    if not _may_be_told(sentence):
        return _before_question(sentence, people)
    if sure <= bar or short:
        return ()
    if about:
        return (_heard(sentence, "", _LOOK if outside else _STATE, outside=outside),)
    parts = _clauses(_QUOTED.sub("▯", closed_up(normalise(sentence))))
    alone = parts[0] if len(parts) == 1 else ""
    return tuple(_beside(sentence, plain, None)) or (_heard(sentence, alone, _ANYTHING),)


def _before_question(sentence: str, people: Collection[str]) -> Iterable[Claim]:
    """Claim before a final question: 位置共享开了，看得到吗."""
    told_, mark, asked = sentence.rpartition("，")
    if (
        not mark
        or asked.strip("?？。~ ") in words("guards", "tags")
        or not _may_be_told(told_)
        or _may_be_told(asked)
    ):
        return ()
    seen = told(_nameless(told_, people))
    if len(_HAN.findall(told_)) < _SHORTEST or sounds_done(_features(seen, (), told_)) <= ALONE_ABOVE:
        return ()
    return (_heard(sentence, normalise(told_), _STATE if states(seen) else _ANYTHING),)


def _tells_of(sentence: str, people: Collection[str]) -> bool:
    """True for a statement about a member's words or plans, which needs support in the talk."""
    name = either(tuple(sorted(people, key=lambda each: (-len(each), each))))
    lately = "(?:刚才?|刚刚|已经?|也|都|就|那边|昨天|今天|早上|上午)*"
    governed = "[等让叫问催找给跟和替帮向被把]"
    tells = re.search(
        f"(?<!{governed}){name}{lately}{either(words('guards', 'telling'))}(?![的得])", sentence
    )
    return tells is not None and _hedged().search(sentence) is None


@cache
def _hedged() -> Pattern:
    return Pattern(f"{either(words('guards', 'hedged'))}|吧[。!！~]*$")


def _beside(sentence: str, plain: str, known: Collection[str] | None) -> Iterable[Claim]:
    """Claims found by the judge in single clauses, without those known to claim; none if the whole sentence
    is known to."""
    clauses = _clauses(_QUOTED.sub("▯", closed_up(normalise(plain))))
    if len(clauses) < 2 or not _may_be_told(sentence):
        return
    for clause in clauses:
        if clause in (known or ()) or len(_HAN.findall(clause)) < _SHORTEST:
            continue
        seen, deeds = told(clause), named_deeds(clause)
        bar = 0.0 if (deeds.kinds or deeds.beyond) and _may_claim(clause) else ALONE_ABOVE
        if not states(seen) and sounds_done(_features(seen, tuple(_of(clause, ())), clause)) > bar:
            yield _heard(sentence, clause, _ANYTHING)


def _heard(sentence: str, clause: str, kinds: frozenset[Kind], outside: bool = False) -> Claim:
    past = _earlier().search(sentence) is not None
    deeds = named_deeds(clause or sentence) if kinds == _ANYTHING else ClauseActions(frozenset())
    here = HERE.search(sentence) is not None
    beyond = deeds.beyond and not deeds.kinds
    return Claim(kinds, sentence, past, here, outside, clause, deeds.kinds, beyond)


def _nameless(sentence: str, people: Collection[str]) -> str:
    """The judge has learned words, not the names that people bear here."""
    names = either(tuple(sorted(people, key=len, reverse=True))) if people else ""
    return re.sub(names, "他", sentence) if names else sentence


def _may_be_told(sentence: str) -> bool:
    """True for a Chinese sentence without a question or condition."""
    plain = _QUOTED.sub("▯", normalise(sentence)).rstrip("~ ")
    if len(_HAN.findall(_IDLE.sub("", plain))) < 2:
        return False  # 嗯，听到了; codes, numbers, other languages: it has learned from Chinese sentences
    asks = plain.endswith("?") or _asking().search(plain.rstrip("。.!")) is not None
    if _SPEAKS.search(plain) is None and any(_agent().match(clause) for clause in _clauses(plain)):
        return False
    clauses = _clauses(plain)
    if any(word in plain for word in words("guards", "proposes")):
        return False
    if any(_on_condition(clauses, number) for number in range(1, len(clauses))):
        return False
    return not (asks or _supposed(plain) or _cited().search(plain) is not None)


def _supposed(plain: str) -> bool:
    """True for a condition (要去就说一声), not for 我去说一声."""
    return any(
        "我" not in plain[max(0, each.start() - 4) : each.start()] for each in _supposing().finditer(plain)
    )


def _may_claim(sentence: str) -> bool:
    plain = _QUOTED.sub("▯", normalise(sentence)).rstrip("~ ")
    if plain.endswith("?") or _asking().search(plain) or _supposing().search(plain) or _cited().search(plain):
        return False
    return _SPEAKS.search(plain) is not None or _others().search(plain) is None


def sentences(text: str) -> list[str]:
    """A text cut into its sentences, each with its stop; nothing is lost."""
    return [part for part in _SENTENCE.findall(text) if part]


def unmet(
    text: str,
    done: Collection[Kind],
    *,
    before: Collection[Kind] = (),
    seen: bool = False,
    asked: bool = False,
    people: Collection[str] = (),
) -> tuple[Claim, ...]:
    """The claims of a reply that are not true.

    `done` are the kinds of deeds of this turn; `before` those of earlier turns, which count for what speaks
    of earlier, or answers a question (`asked`); `seen`: the reply was made in sight of what is kept here.
    """
    return tuple(claim for claim in claims(text, people) if not _met(claim, done, before, seen, asked))


def _met(claim: Claim, done: Collection[Kind], before: Collection[Kind], seen: bool, asked: bool) -> bool:
    if "anything" in claim.kinds and done:
        return True
    if "state" in claim.kinds and (seen or done):
        return True
    if not claim.kinds.isdisjoint(done):
        return True
    if (claim.past or asked) and ("anything" in claim.kinds or not claim.kinds.isdisjoint(before)):
        return bool(before)
    return "look" in claim.kinds and claim.here and seen


def _of(sentence: str, people: Collection[str]) -> Iterable[Claim]:
    plain = closed_up(_QUOTED.sub("▯", normalise(sentence))).strip()
    plain = _IDLE.sub("", plain)
    asks = plain.endswith("?")
    body = plain.rstrip("。.!?~;… ")
    if not body:
        return
    if not _HAN.search(body):
        if not asks:
            yield from _in_english(body, sentence)
        return
    clauses = _clauses(body)
    if len(clauses) > 1 and clauses[-1] in words("guards", "tags"):
        clauses, offered = clauses[:-1], True
    else:
        offered = False
    supposed = False
    for number, clause in enumerate(clauses):
        last = number == len(clauses) - 1
        if _cited().search(clause) is not None:
            return  # a quotation follows: 台词是我会回来的
        if number and _continues().search(clause) and _theirs(clauses[number - 1]):
            continue
        if _on_condition(clauses, number) or _on_condition(clauses, number + 1):
            continue
        supposed = supposed or _supposing().search(clause) is not None
        if (last and asks) or _asking().search(clause):
            continue
        promises = not (offered and last) and not supposed
        perfect = not (supposed and re.search("[就再才]", clause))
        kinds: frozenset[Kind] = frozenset(
            row.kind
            for row in rows()
            if (perfect if row.perfect else promises)
            and (match := row.pattern.search(clause)) is not None
            and _ours(clause, match, people)
        )
        kinds = (
            narrowed(kinds.difference(_ANYTHING), clause) or kinds
        )  # where it is known what, any will not do
        if kinds:
            yield _heard(sentence, clause, kinds)


def _clauses(body: str) -> list[str]:
    return [part.strip() for part in _CLAUSE.split(body.rstrip("。.!?~;… ")) if part and part.strip()]


def _ours(clause: str, match: re.Match[str], people: Collection[str]) -> bool:
    """True if the action at `match` is the speaker's own, and not denied, wished or only allowed."""
    left = clause[: match.start()]
    inside = match.group(0)
    if _denied().search(left[-6:]) or _denied().match(inside):
        return False
    if _allowed().search(left[-5:] + match.group("deed")):
        return False
    bare = _governed().sub("", left)
    subjects = list(_others().finditer(bare))
    if people:
        named = Pattern(either(tuple(sorted(people, key=len, reverse=True))))
        subjects += list(named.finditer(_governed_names(people).sub("", left)))
    if not subjects:
        return _agent().match(clause) is None
    after = max(subject.end() for subject in subjects)
    return bool(_SPEAKS.search(bare[after:])) or bool(_SPEAKS.match(inside))


def _in_english(body: str, sentence: str) -> Iterable[Claim]:
    kinds: set[Kind] = set()
    for row in rows():
        match = row.pattern.search(body)
        if match is None or not re.search("[a-z]", match.group(0), re.IGNORECASE):
            continue
        left = body[: match.start()]
        if not (_NOT_ENGLISH.search(left + match.group(0)) or _THEIR_ENGLISH.search(left)):
            kinds.add(row.kind)
    if kinds:
        yield Claim(frozenset(kinds), sentence, _EARLIER_ENGLISH.search(body) is not None)


@cache
def _supposing() -> Pattern:
    settled = f"(?<!我){either(words('guards', 'settles'))}(?:好|清楚|完|定|齐|妥|了)+(?:之后|以后)?"
    settled += "我(?:就|再|才|来|好|给|帮)"
    waits = f"等(?:你|您)们?.{{0,3}}?{either(words('guards', 'settling'))}"
    able = "我(?:就|才)(?:能|可以)|(?:你|您)们?一.{1,3}?我就"
    plain = f"(?<!我)(?<!我先)(?<!纪)(?<!摘){either(words('guards', 'if'))}"
    return Pattern(f"{plain}|{settled}|{waits}|{able}")


@cache
def _cited() -> Pattern:
    """Introductions of quoted words: 上联：…, 歌里唱…, 原话是…."""
    return Pattern(f"{either(words('guards', 'cited'))}[^,，我]{{0,3}}?(?:是|写|说|唱|叫|来|:|：|▯|$)")


@cache
def _continues() -> Pattern:
    """Clauses that continue with the previous subject: 还帮你占了座."""
    return Pattern("^(?:还|连|又|甚至|居然|竟然|不仅|并且)(?!是)")


def _on_condition(clauses: Sequence[str], number: int) -> bool:
    """True for a promise on the previous clause's condition: 把金额补上，我就记."""
    if not 0 < number < len(clauses) or _FOLLOWS.match(clauses[number]) is None:
        return False
    before = clauses[number - 1]
    return len(before) > _COURTEOUS and _SPEAKS.search(before) is None and not before.endswith(("了", "啦"))


def _theirs(clause: str) -> bool:
    return _SPEAKS.search(clause) is None and _others().search(_governed().sub("", clause)) is not None


@cache
def _asking() -> Pattern:
    asks = either(tuple(word for word in words("guards", "asks") if not word.startswith("没")))
    return Pattern(
        f"(?<![也都还真就才啥哈])(?<!什么){asks}$|(?<=[了过好完到成])没有?$|(?:饭|药|床|家|睡|醒)没$"
    )


@cache
def _denied() -> Pattern:
    return Pattern(either(words("guards", "not")))


@cache
def _agent() -> Pattern:
    """Somebody else whom no list knows: 中介会帮你约房东."""
    who = "[^,，我咱秘这那点早晚天时前后候周号然定都也就先再到会能一不]"
    return Pattern(
        f"^{who}{{2,4}}(?:都|一般|通常|自己)?(?:会|能|可以)(?:自动|自己|主动)?(?:帮|给|替|提醒|通知|联系|打电话|发)"
    )


@cache
def _allowed() -> Pattern:
    return Pattern(either(words("guards", "may")))


@cache
def _others() -> Pattern:
    return Pattern(either(words("guards", "others")))


@cache
def _earlier() -> Pattern:
    return Pattern(either(words("guards", "past")))


@cache
def _governed() -> Pattern:
    """Others as objects (给你, 跟他) and owners (你的日程)."""
    other = either(words("guards", "others"))
    return Pattern(f"(?:帮|给|替|为|跟|和|把|向|同|对|让){other}|{other}的|{other}(?=刚才?说|要的)")


@cache
def _governed_for(people: tuple[str, ...]) -> Pattern:
    name = either(people)
    return Pattern(f"(?:帮|给|替|为|跟|和|把|向|同|对|@){name}|{name}的")


def _governed_names(people: Collection[str]) -> Pattern:
    return _governed_for(tuple(sorted(people, key=lambda name: (-len(name), name))))


__all__ = ["Claim", "Kind", "Row", "claims", "sentences", "unmet"]
