"""Ways through a regular expression: whether a text can be read in more ways than it has characters.

A pattern's parse tree becomes an automaton over classes of characters, and two (three) readers walk it side
by side over one text. Two that part and meet again in one repeat make the ways exponential (Weber and
Seidl's EDA, `(?:ab|a|b)*`); one that stays in a repeat while another goes on to the next makes them quadratic
(IDA, `.*.*`). Atomic groups and possessive repeats have one way for a place, whatever stands in them; what is
in them and in what looks ahead is walked by itself. Bounded repeats of many rounds count as unbounded ones.
"""

from __future__ import annotations

import re
import re._constants as code  # pyright: ignore
import re._parser as parser  # pyright: ignore
from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from enum import Enum
from functools import cache
from itertools import product
from typing import Any, Final

ROUNDS: Final = 4
"""A bounded repeat of more rounds counts as one without bounds."""
_SAMPLES: Final = " \n\t0٣aZé_,.，。-一中鿿㐀😀\u200b"


_Pair = tuple[int, int]


class Fault(Enum):
    """How the ways through a pattern grow with the text."""

    NOTHING = "a repeat of what may be nothing"
    EXPONENTIAL = "one text in exponentially many ways"
    ADJACENT = "neighbouring repeats without bounds share characters"
    QUADRATIC = "two repeats share what stands between them"


@dataclass(eq=False)
class _Node:
    """A place in the automaton: `reads` classes of characters and goes on, or goes on without reading."""

    region: int
    """The atomic group it is in; 0 outside."""
    reads: frozenset[int] | None = None
    to: list[_Node] = field(default_factory=list)
    bars: frozenset[int] = frozenset()
    """What is not read next: a possessive repeat would have read it, or what looks ahead forbids it."""
    endless: bool = False
    """It stands in a repeat without bounds."""


class _Letters:
    """The characters a pattern tells apart, as few classes."""

    def __init__(self, tree: Any, flags: int) -> None:
        self._flags = flags
        tests: list[Callable[[str], bool]] = []
        self._tests: dict[int, int] = {}
        seen = set(_SAMPLES)
        for key, op, argument in _sets(tree):
            self._tests[key] = len(tests)
            tests.append(_holds(op, argument, flags))
            seen |= _named(op, argument)
        signatures: dict[tuple[bool, ...], int] = {}
        holding: list[set[int]] = [set() for _ in tests]
        for letter in seen:
            signature = tuple(test(letter) for test in tests)
            number = signatures.setdefault(signature, len(signatures))
            for index, holds in enumerate(signature):
                if holds:
                    holding[index].add(number)
        self._holding = [frozenset(one) for one in holding]
        self.every = frozenset(signatures.values())
        self.example: dict[int, str] = {}
        for letter in sorted(seen, key=_odd):
            signature = tuple(test(letter) for test in tests)
            self.example.setdefault(signatures[signature], letter)

    def of(self, item: Any) -> frozenset[int]:
        return self._holding[self._tests[id(item)]]


def _odd(letter: str) -> tuple[bool, str]:
    return not "一" <= letter <= "鿿", letter


def _sets(tree: Any) -> Iterator[tuple[int, Any, Any]]:
    for item in tree:
        op, argument = item
        if op in (code.LITERAL, code.NOT_LITERAL, code.ANY, code.IN):
            yield id(item), op, argument
        for inner in _inside(op, argument):
            yield from _sets(inner)


def _inside(op: Any, argument: Any) -> list[Any]:
    if op in (code.MAX_REPEAT, code.MIN_REPEAT, code.POSSESSIVE_REPEAT):
        return [argument[2]]
    if op is code.SUBPATTERN:
        return [argument[3]]
    if op is code.ATOMIC_GROUP:
        return [argument]
    if op in (code.ASSERT, code.ASSERT_NOT):
        return [argument[1]]
    if op is code.BRANCH:
        return list(argument[1])
    if op is code.GROUPREF_EXISTS:
        return [part for part in argument[1:] if part is not None]
    return []


def _named(op: Any, argument: Any) -> set[str]:
    """The characters at which a set may change its mind."""
    points: set[int] = set()
    if op in (code.LITERAL, code.NOT_LITERAL):
        points.add(argument)
    elif op is code.IN:
        for kind, value in argument:
            if kind is code.LITERAL:
                points.add(value)
            elif kind is code.RANGE:
                low, high = value
                points |= {low, high, max(low - 1, 0), min(high + 1, 0x10FFFF)}
    return {chr(point) for point in points}


_CATEGORIES: Final = {
    code.CATEGORY_DIGIT: r"\d",
    code.CATEGORY_NOT_DIGIT: r"\D",
    code.CATEGORY_SPACE: r"\s",
    code.CATEGORY_NOT_SPACE: r"\S",
    code.CATEGORY_WORD: r"\w",
    code.CATEGORY_NOT_WORD: r"\W",
}


@cache
def _category(kind: Any) -> re.Pattern[str]:
    return re.compile(_CATEGORIES[kind])


def _holds(op: Any, argument: Any, flags: int) -> Callable[[str], bool]:
    folds = bool(flags & re.IGNORECASE)

    def same(letter: str, point: int) -> bool:
        return ord(letter) == point or (folds and letter.lower() == chr(point).lower())

    def holds(letter: str) -> bool:
        if op is code.LITERAL:
            return same(letter, argument)
        if op is code.NOT_LITERAL:
            return not same(letter, argument)
        if op is code.ANY:
            return letter != "\n" or bool(flags & re.DOTALL)
        negated = found = False
        for kind, value in argument:
            if kind is code.NEGATE:
                negated = True
            elif kind is code.LITERAL:
                found = found or same(letter, value)
            elif kind is code.RANGE:
                forms = {letter, letter.lower(), letter.upper()} if folds else {letter}
                found = found or any(len(one) == 1 and value[0] <= ord(one) <= value[1] for one in forms)
            elif kind is code.CATEGORY:
                found = found or _category(value).match(letter) is not None
        return found != negated

    return holds


class _Automaton:
    """A pattern, or a part of it that is walked by itself."""

    def __init__(self, tree: Any, letters: _Letters) -> None:
        self._letters = letters
        self._regions = 0
        self._moves: dict[int, dict[int, Counter[_Node]]] = {}
        self._kept: list[_Node] = []
        self.apart: list[Any] = []
        """Parts that are walked by themselves: atomic ones and those that look around."""
        self._groups: dict[int, Any] = {}
        self.repeats_nothing = False
        self._endless = 0
        self.start = self._sequence(tree, self._place(0), 0)

    def _place(
        self,
        region: int,
        reads: frozenset[int] | None = None,
        to: Sequence[_Node] = (),
        bars: frozenset[int] = frozenset(),
    ) -> _Node:
        return _Node(region, reads, list(to), bars, self._endless > 0)

    def _sequence(self, items: Any, then: _Node, region: int) -> _Node:
        built = list(items)
        for item in built:
            self._learn(item)
        for item in reversed(built):
            then = self._item(item, then, region)
        return then

    def _learn(self, item: Any) -> None:
        op, argument = item
        if op is code.SUBPATTERN and argument[0] is not None:
            self._groups[argument[0]] = argument[3]
        for inner in _inside(op, argument):
            for each in inner:
                self._learn(each)

    def _item(self, item: Any, then: _Node, region: int) -> _Node:
        op, argument = item
        if op in (code.LITERAL, code.NOT_LITERAL, code.ANY, code.IN):
            return self._place(region, self._letters.of(item), [then])
        if op is code.AT:
            return then
        if op in (code.ASSERT, code.ASSERT_NOT):
            self.apart.append(argument[1])
            ahead, body = argument
            if ahead < 0:
                return then
            bars = self._single(body) if op is code.ASSERT_NOT else self._letters.every - self._first(body)
            return self._place(region, None, [then], bars)
        if op is code.SUBPATTERN:
            return self._sequence(argument[3], then, region)
        if op is code.BRANCH:
            return self._place(region, None, [self._sequence(one, then, region) for one in argument[1]])
        if op is code.ATOMIC_GROUP:
            return self._atomic(argument, then)
        if op is code.POSSESSIVE_REPEAT:
            low, high, body = argument
            self.apart.append(body)  # every round has one way by itself
            inside = self._region()
            bars = self._single(body) if high > ROUNDS else frozenset[int]()
            return self._repeat(low, high, body, self._place(inside, None, [then], bars), inside, region)
        if op in (code.MAX_REPEAT, code.MIN_REPEAT):
            return self._repeat(*argument, then, region, region)
        if op is code.GROUPREF:
            body = self._groups.get(argument)
            if body is not None and len(body) == 1 and body[0][0] in (code.LITERAL, code.ANY, code.IN):
                return self._place(region, self._letters.of(body[0]), [then])
            return self._place(region, self._letters.every, [then])
        if op is code.GROUPREF_EXISTS:
            parts = [self._sequence(part, then, region) for part in argument[1:] if part is not None]
            return self._place(region, None, [*parts, then] if len(parts) == 1 else parts)
        raise NotImplementedError(op)

    def _region(self) -> int:
        self._regions += 1
        return self._regions

    def _atomic(self, body: Any, then: _Node) -> _Node:
        self.apart.append(body)
        inside = self._region()
        return self._sequence(body, self._place(inside, None, [then]), inside)

    def _single(self, items: Any) -> frozenset[int]:
        """The classes of characters of which one alone is all that these items can be."""
        if len(items) != 1:
            return frozenset()
        op, argument = items[0]
        if op in (code.LITERAL, code.NOT_LITERAL, code.ANY, code.IN):
            return self._letters.of(items[0])
        if op is code.SUBPATTERN:
            return self._single(argument[3])
        if op is code.BRANCH:
            return frozenset[int]().union(*map(self._single, argument[1]))
        return frozenset()

    def _first(self, items: Any) -> frozenset[int]:
        """The classes of characters with which these items may begin."""
        begin = self._sequence(items, self._place(0, self._letters.every, [self._place(0)]), 0)
        found: dict[int, Counter[_Node]] = {}
        self._close(begin, found, set(), frozenset())
        return frozenset(found)

    def _repeat(self, low: int, high: int, body: Any, then: _Node, region: int, outside: int) -> _Node:
        if high <= ROUNDS:
            end = then
            for _ in range(high - low):
                then = self._place(region, None, [self._sequence(body, then, region), end])
        else:
            if body.getwidth()[0] == 0 and region == outside:
                self.repeats_nothing = True
            self._endless += high is code.MAXREPEAT
            hub = self._place(region)
            hub.to = [self._sequence(body, hub, region), then]
            self._endless -= high is code.MAXREPEAT
            then = hub
        for _ in range(min(low, ROUNDS)):
            then = self._sequence(body, then, region)
        return then

    def moves(self, node: _Node) -> dict[int, Counter[_Node]]:
        """Where reading one more character leads, by its class; how many ways there are."""
        found = self._moves.get(id(node))
        if found is None:
            found = {}
            self._close(node, found, set(), frozenset())
            self._moves[id(node)] = found
            self._kept.append(node)
        return found

    def _close(
        self, node: _Node, found: dict[int, Counter[_Node]], passed: set[int], bars: frozenset[int]
    ) -> None:
        if node.reads is not None:
            for letter in node.reads - bars:
                found.setdefault(letter, Counter())[node.to[0]] += 1
            return
        if id(node) in passed:
            return
        passed.add(id(node))
        for further in node.to:
            self._close(further, found, passed, bars | node.bars)
        passed.discard(id(node))

    def spelled(self, letters: Sequence[int]) -> str:
        return "".join(self._letters.example[letter] for letter in letters)

    def nodes(self) -> list[_Node]:
        """All places where a reader may stand."""
        seen: dict[int, _Node] = {id(self.start): self.start}
        waiting = [self.start]
        while waiting:
            for ways in self.moves(waiting.pop()).values():
                for node in ways:
                    if id(node) not in seen:
                        seen[id(node)] = node
                        waiting.append(node)
        return list(seen.values())


def faults(pattern: str, flags: int = 0) -> dict[Fault, str]:
    """How reading by this pattern can take longer than its text, each with a text that shows it when it is
    said again and again. Without faults it is linear from each place."""
    tree = parser.parse(pattern, flags)
    letters = _Letters(tree, tree.state.flags)
    found: dict[Fault, str] = {}
    waiting: list[Any] = [tree]
    while waiting:
        automaton = _Automaton(waiting.pop(), letters)
        waiting += automaton.apart
        found |= _faults(automaton)
    return found


def _faults(automaton: _Automaton) -> dict[Fault, str]:
    nodes = automaton.nodes()
    further = {
        id(node): list({id(to): to for ways in automaton.moves(node).values() for to in ways}.values())
        for node in nodes
    }
    loops = [
        part
        for part in _components(nodes, lambda node: further[id(node)])
        if len(part) > 1 or part[0] in further[id(part[0])]
    ]
    if automaton.repeats_nothing:
        return {Fault.NOTHING: ""}
    for loop in loops:
        twice = _meets_again(automaton, loop)
        if twice is not None:
            return {Fault.EXPONENTIAL: twice}
    found: dict[Fault, str] = {}
    for first in loops:
        behind = _reachable(first, further)
        for second in loops:
            if second is first or id(second[0]) not in behind:
                continue
            shared = _parts(automaton, first, second, behind)
            if shared is None:
                continue
            # A name of twelve characters before a repeat is read twelve times, however long the text is.
            touching = any(node.endless for node in first) and any(node.endless for node in second)
            touching = touching and any(_touches(node, {id(one) for one in second}) for node in first)
            found[Fault.ADJACENT if touching else Fault.QUADRATIC] = shared
    return found


def _touches(node: _Node, targets: set[int]) -> bool:
    """True if one gets there without reading anything."""
    waiting, seen = [node], {id(node)}
    while waiting:
        one = waiting.pop()
        if id(one) in targets:
            return True
        if one.reads is None:
            for to in one.to:
                if id(to) not in seen:
                    seen.add(id(to))
                    waiting.append(to)
    return False


def _reachable(part: Sequence[_Node], further: dict[int, list[_Node]]) -> set[int]:
    seen = {id(node) for node in part}
    waiting = list(part)
    while waiting:
        for node in further.get(id(waiting.pop()), []):
            if id(node) not in seen:
                seen.add(id(node))
                waiting.append(node)
    return seen


def _meets_again(automaton: _Automaton, loop: Sequence[_Node]) -> str | None:
    """A text on which two readers part in a repeat and meet where they began; None where there is none."""
    inside = {id(node) for node in loop}
    pairs: dict[_Pair, dict[_Pair, int]] = {(id(node), id(node)): {} for node in loop}
    waiting = [(node, node) for node in loop]
    twice: set[tuple[_Pair, _Pair]] = set()
    while waiting:
        one, other = waiting.pop()
        key = (id(one), id(other))
        left, right = automaton.moves(one), automaton.moves(other)
        for letter in left.keys() & right.keys():
            ones = [each for each in left[letter].items() if id(each[0]) in inside]
            others = [each for each in right[letter].items() if id(each[0]) in inside]
            for to, ways in ones:
                for into, also in others:
                    if _held(one, other, to, into):
                        if to is not into:
                            continue
                    elif to is into and one is other and ways * also > 1:
                        twice.add((key, (id(to), id(into))))
                    a, b = (to, into) if id(to) <= id(into) else (into, to)
                    goal = (id(a), id(b))
                    pairs[key].setdefault(goal, letter)
                    if goal not in pairs:
                        pairs[goal] = {}
                        waiting.append((a, b))
    for part in _components(list(pairs), lambda pair: list(pairs[pair])):
        members = set(part)
        for begin, end in twice:
            if begin in members and end in members:
                return automaton.spelled([pairs[begin][end], *_way(pairs, end, {begin}, members)])
        same = next((pair for pair in part if pair[0] == pair[1]), None)
        apart = {pair for pair in part if pair[0] != pair[1]}
        if same is not None and apart:
            there = _way(pairs, same, apart, members)
            at = _search(pairs, same, apart, members)[1]
            return automaton.spelled([*there, *_way(pairs, at, {same}, members)])
    return None


def _held(one: _Node, other: _Node, to: _Node, into: _Node) -> bool:
    """True if two readers are in one atomic group together, or enter one: they have one way on."""
    return one is other and (one.region != 0 or (to.region != 0 and into.region == to.region))


def _search(
    pairs: Mapping[_Pair, Mapping[_Pair, int]], begin: _Pair, goals: Set[_Pair], members: Set[_Pair]
) -> tuple[list[int], _Pair]:
    paths: dict[_Pair, list[int]] = {begin: []}
    waiting = deque([begin])
    while waiting:
        pair = waiting.popleft()
        if pair in goals:
            return paths[pair], pair
        for to, letter in pairs[pair].items():
            if to in members and to not in paths:
                paths[to] = [*paths[pair], letter]
                waiting.append(to)
    raise AssertionError("parts of one component reach each other")


def _way(
    pairs: Mapping[_Pair, Mapping[_Pair, int]], begin: _Pair, goals: Set[_Pair], members: Set[_Pair]
) -> list[int]:
    return _search(pairs, begin, goals, members)[0]


def _parts(
    automaton: _Automaton, first: Sequence[_Node], second: Sequence[_Node], behind: Set[int]
) -> str | None:
    """A text on which one reader can stay in the first repeat, one in the second, while one crosses over."""
    inside, beyond = {id(node) for node in first}, {id(node) for node in second}
    for begin in first:
        for end in second:
            goal = (id(begin), id(end), id(end))
            seen = {(id(begin), id(begin), id(end))}
            waiting: deque[tuple[_Node, _Node, _Node, list[int]]] = deque([(begin, begin, end, [])])
            while waiting:
                one, middle, last, read = waiting.popleft()
                ways = [automaton.moves(each) for each in (one, middle, last)]
                for letter in ways[0].keys() & ways[1].keys() & ways[2].keys():
                    for a, b, c in product(*(way[letter] for way in ways)):
                        key = (id(a), id(b), id(c))
                        if id(a) not in inside or id(b) not in behind or id(c) not in beyond:
                            continue
                        if key in seen or (a is not b and _held(one, middle, a, b)):
                            continue
                        if key == goal:
                            return automaton.spelled([*read, letter])
                        seen.add(key)
                        waiting.append((a, b, c, [*read, letter]))
    return None


def _components(nodes: Sequence[Any], further: Callable[[Any], Sequence[Any]]) -> list[list[Any]]:
    """Strongly connected parts of a graph (Tarjan), without recursion."""
    key = _same
    index: dict[Any, int] = {}
    low: dict[Any, int] = {}
    waiting: list[Any] = []
    on: set[Any] = set()
    parts: list[list[Any]] = []
    for root in nodes:
        if key(root) in index:
            continue
        index[key(root)] = low[key(root)] = len(index)
        waiting.append(root)
        on.add(key(root))
        stack = [(root, iter(further(root)))]
        while stack:
            node, rest = stack[-1]
            for to in rest:
                if key(to) not in index:
                    index[key(to)] = low[key(to)] = len(index)
                    waiting.append(to)
                    on.add(key(to))
                    stack.append((to, iter(further(to))))
                    break
                if key(to) in on:
                    low[key(node)] = min(low[key(node)], index[key(to)])
            else:
                stack.pop()
                if stack:
                    low[key(stack[-1][0])] = min(low[key(stack[-1][0])], low[key(node)])
                if low[key(node)] == index[key(node)]:
                    part: list[Any] = []
                    while True:
                        one = waiting.pop()
                        on.discard(key(one))
                        part.append(one)
                        if key(one) == key(node):
                            break
                    parts.append(part)
    return parts


def _same(node: Any) -> Any:
    return node if isinstance(node, tuple) else id(node)
