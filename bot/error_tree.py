"""Table of the plugin's errors in `docs/architecture.md`: each with its base, its room and its meaning.

Read from the source, so that no module has to be imported for it.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

PLUGIN = Path(__file__).resolve().parent.parent / "plugins" / "nonebot_plugin_mishu"


@dataclass(frozen=True, slots=True)
class ErrorClass:
    """An error class of the plugin. `base` is the name of its first base class."""

    name: str
    base: str
    module: str
    meaning: str


def error_table() -> str:
    """The public error classes as a Markdown table, each below its base class."""
    known = _errors()
    rows = ["| error | in | means |", "|---|---|---|"]
    for error in sorted(known.values(), key=lambda each: (each.module, each.name)):
        if error.base not in known:
            rows += _rows(error, known, 0)
    return "\n".join(rows)


def _rows(error: ErrorClass, known: Mapping[str, ErrorClass], depth: int) -> Iterator[str]:
    built_in = "" if error.base in known or error.base == "Exception" else f" ({error.base})"
    yield f"| {'└ ' * depth}`{error.name}`{built_in} | `{error.module}` | {error.meaning} |"
    for each in known.values():
        if each.base == error.name:
            yield from _rows(each, known, depth + 1)


def _errors() -> dict[str, ErrorClass]:
    """Public error classes of the plugin by name. Raises `ValueError` for one without a meaning."""
    classes: dict[str, ErrorClass] = {}
    for path in sorted(PLUGIN.rglob("*.py")):
        source = path.read_text("utf-8")
        module = ".".join(path.relative_to(PLUGIN).with_suffix("").parts).removesuffix(".__init__")
        body = ast.parse(source)
        for node in body.body:
            if isinstance(node, ast.ClassDef) and node.bases and not node.name.startswith("_"):
                words = ast.get_docstring(node) or _drawn(node.name, ast.get_docstring(body) or "")
                meaning = re.split(r"(?<=\.)\s|\n\n", words)[0]
                base = ast.unparse(node.bases[0])
                classes[node.name] = ErrorClass(node.name, base, module, " ".join(meaning.split()))
    found = {name: each for name, each in classes.items() if _is_error(name, classes)}
    if silent := [name for name, each in found.items() if not each.meaning]:
        raise ValueError(f"errors without a docstring: {', '.join(silent)}")
    return found


def _drawn(name: str, docstring: str) -> str:
    """Meaning of an error in the tree that its module's docstring draws (`+-- DatabaseFull   no room …`)."""
    found = re.search(rf"-- {name} +(\S.*)", docstring)
    return "" if found is None else found[1]


def _is_error(name: str, classes: Mapping[str, ErrorClass]) -> bool:
    while name in classes:
        name = classes[name].base
    kind = getattr(builtins, name, None)
    return isinstance(kind, type) and issubclass(kind, Exception)
