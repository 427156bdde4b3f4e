"""The sentences that stand in the code: constants with Chinese, with the place of each.

Left out is what is known by its place in the syntax: docstrings, what is logged, what is looked for in a text
or compared with, keys, what models are told. What else is said to nobody is listed in `situations.toml`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

Kind = Literal["said", "reason", "invalid"]
"""`reason`: shown by `/秘书 为什么`; `invalid`: why a time is none (没有2月30日)."""


@dataclass(frozen=True)
class Sentence:
    """One constant, its placeholders by their names."""

    text: str
    module: str
    """The file, from the plugin's folder."""
    name: str
    """The function (`Class.method`), or the constant of the module."""
    kind: Kind = "said"


def has_chinese(text: str) -> bool:
    """True if a Chinese character stands in it."""
    return any("\u4e00" <= letter <= "\u9fff" for letter in text)


def sentences_of(path: Path, root: Path) -> list[Sentence]:
    """The sentences of one module in their order."""
    visitor = _Visitor(path.relative_to(root).as_posix())
    visitor.visit(ast.parse(path.read_text("utf-8")))
    return visitor.found


_LOGGED = {"report", "_report", "_noted", "inform", "_inform", "warn", "_warn", "info", "warning", "error"}
"""Calls whose words go to the log."""
_READS = {
    "startswith", "endswith", "removeprefix", "removesuffix", "strip", "lstrip", "rstrip", "find", "rfind",
    "index", "count", "split", "rsplit", "partition", "rpartition", "search", "match", "fullmatch", "findall",
    "finditer", "sub", "subn", "compile", "Pattern", "RowPattern", "maketrans", "frozenset", "set",
    "allows", "_allows", "switch", "translate", "pattern",
}  # fmt: skip
"""Calls whose words are looked for in a text, or are keys."""
_TOLD_TO_MODELS = {"Intent", "CallRefused", "_tool", "_text"}
_KINDS: dict[str, Kind] = {"reason": "reason", "why": "reason", "strategy": "reason", "invalid": "invalid"}
"""Value assigned to such a name."""
_REASONS = {
    "end",
    "_end",
    "Outcome",
    "Verdict",
    "HoldVerdict",
    "kill",
    "drop_all",
    "evict",
    "give_up",
    "_Said",
    "Routed",
}
"""Calls that are given a reason beside what is said."""


@dataclass
class _Visitor(ast.NodeVisitor):
    module: str
    found: list[Sentence] = field(default_factory=list[Sentence])
    _names: list[str] = field(default_factory=list[str])
    _kind: Kind = "said"
    _in_class: bool = False

    def _inside(self, name: str, node: ast.AST) -> None:
        outer, self._in_class = self._in_class, isinstance(node, ast.ClassDef)
        self._names.append(name)
        self.generic_visit(node)
        self._names.pop()
        self._in_class = outer

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self._inside(node.name, node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self._inside(node.name, node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> None:
        self._inside(node.name, node)

    def visit_Expr(self, node: ast.Expr) -> None:
        if not isinstance(node.value, ast.Constant):
            self.generic_visit(node)

    def visit_Compare(self, node: ast.Compare) -> None:
        """What is compared with is read, not said; calls inside are looked through."""
        for each in [node.left, *node.comparators]:
            if not isinstance(each, ast.Constant | ast.Tuple | ast.Set | ast.JoinedStr):
                self.visit(each)

    def visit_MatchValue(self, node: ast.MatchValue) -> None:
        """A value looked for."""

    def visit_Dict(self, node: ast.Dict) -> None:
        """Keys are looked up; values may be said."""
        for each in node.values:
            self.visit(each)

    def visit_Subscript(self, node: ast.Subscript) -> None:
        self.visit(node.value)
        if not isinstance(node.slice, ast.Constant):
            self.visit(node.slice)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self._assigned(node.target, node.value)

    def visit_Assign(self, node: ast.Assign) -> None:
        self._assigned(node.targets[0], node.value)

    def _assigned(self, target: ast.expr, value: ast.expr) -> None:
        named = _name(target)
        outer, self._kind = self._kind, _KINDS.get(named, self._kind)
        if self._names and not self._in_class:
            self.visit(value)
        else:
            self._names.append(named)
            self.visit(value)
            self._names.pop()
        self._kind = outer

    def visit_arg(self, node: ast.arg) -> None:
        """Annotations name types."""

    def visit_keyword(self, node: ast.keyword) -> None:
        if node.arg == "boundary":  # what an agent is for, told to models
            return
        outer, self._kind = self._kind, _KINDS.get(node.arg or "", self._kind)
        self.visit(node.value)
        self._kind = outer

    def visit_Call(self, node: ast.Call) -> None:
        called = _name(node.func)
        if isinstance(node.func, ast.Attribute) and called == "join":
            self.generic_visit(node)
            return
        if called in _LOGGED or called in _TOLD_TO_MODELS:
            return
        if isinstance(node.func, ast.Attribute):
            self.visit(node.func.value)
        reads = called in _READS
        appends = called == "append" and _name(getattr(node.func, "value", node.func)) == "reasons"
        outer = self._kind
        if appends or called in _REASONS:
            self._kind = "reason"
        for each in [*node.args, *node.keywords]:
            value = each.value if isinstance(each, ast.keyword) else each
            if reads and isinstance(value, ast.Constant | ast.JoinedStr | ast.Tuple):
                continue
            if isinstance(each, ast.keyword) and called in _REASONS and each.arg in ("text", "reply"):
                self._kind = outer
            self.visit(each)
        self._kind = outer

    def visit_BinOp(self, node: ast.BinOp) -> None:
        """Words added to words are one sentence."""
        if isinstance(node.op, ast.Add) and has_chinese(_literal(node)):
            self._add(_template(node))
        else:
            self.generic_visit(node)

    def visit_JoinedStr(self, node: ast.JoinedStr) -> None:
        if has_chinese(_literal(node)):
            self._add(_template(node))
        for part in node.values:
            if isinstance(part, ast.FormattedValue) and not isinstance(part.value, ast.IfExp):
                self.visit(part.value)

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, str) and has_chinese(node.value):
            self._add(node.value)

    def _add(self, text: str) -> None:
        self.found.append(Sentence(text, self.module, ".".join(self._names), self._kind))


def _name(node: ast.AST) -> str:
    match node:
        case ast.Name(id=name):
            return name
        case ast.Attribute(attr=name):
            return name
        case ast.Subscript(value=value):
            return _name(value)
        case ast.Call(func=called):
            return _name(called)
        case _:
            return ""


def _literal(node: ast.expr) -> str:
    """The words of a sentence without what is put in."""
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr(values=values):
            return "".join(map(_literal, values))
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return _literal(left) + _literal(right)
        case ast.FormattedValue(value=ast.IfExp(body=body, orelse=otherwise)):
            return _literal(body) + _literal(otherwise)
        case ast.IfExp(body=body, orelse=otherwise):
            return _literal(body) + _literal(otherwise)
        case _:
            return ""


def _template(node: ast.expr) -> str:
    """The sentence with the names of what is put in: `已改好：{now}`; a choice as `{打开/关掉}`."""
    match node:
        case ast.Constant(value=value):
            return str(value)
        case ast.JoinedStr(values=values):
            return "".join(_template(each) for each in values)
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return _template(left) + _template(right)
        case ast.FormattedValue(value=value):
            return _placeholder(value)
        case _:
            return _placeholder(node)


def _placeholder(node: ast.expr) -> str:
    match node:
        case ast.IfExp(body=body, orelse=otherwise):
            ways = [_template(body), _template(otherwise)]
            return "{" + "/".join(way for way in ways if way) + "}"
        case ast.BoolOp(op=ast.Or(), values=[first, ast.Constant(value=str(other))]) if other:
            return "{" + f"{_called(first)}/{other}" + "}"
        case ast.BoolOp(values=[first, *_]):
            return _placeholder(first)
        case _:
            return "{" + _called(node) + "}"


def _called(node: ast.expr) -> str:
    """`{line}` for `words.line(schedule, now)`, `{names}` for `"、".join(names)`."""
    match node:
        case ast.Call(func=ast.Attribute(attr="join"), args=[each, *_]):
            return _called(each)
        case ast.Call(func=ast.Name(id="len" | "str" | "int" | "sum"), args=[each, *_]):
            return _called(each)
        case ast.Call(func=called):
            return _name(called).strip("_")
        case ast.BinOp(left=left, right=right):
            return _called(left) or _called(right)
        case ast.UnaryOp(operand=each):
            return _called(each)
        case ast.JoinedStr():
            return _template(node)
        case ast.GeneratorExp(elt=each) | ast.ListComp(elt=each):
            return _called(each)
        case _:
            return _name(node).strip("_") or "…"


def modules(root: Path) -> Iterator[Path]:
    """The plugin's modules in the order of their names."""
    yield from sorted(root.rglob("*.py"), key=lambda path: path.relative_to(root).as_posix())
