"""Reads a package's source without running it: which module imports which, and what each defines."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path


@dataclass(frozen=True)
class Import:
    """One imported name: `module` is absolute; `name` is None for `import module`."""

    module: str
    name: str | None
    line: int
    typing_only: bool
    """Stands under `if TYPE_CHECKING:`."""


@dataclass
class Module:
    """One source file of the package; `name` is dotted, a package's own `__init__` has the package's name."""

    name: str
    path: Path
    is_package: bool

    @cached_property
    def tree(self) -> ast.Module:
        """The file as parsed, when first asked for: most of a run asks for none."""
        return ast.parse(self.path.read_text("utf-8"), str(self.path))

    @cached_property
    def imports(self) -> list[Import]:
        """Every import, wherever it stands, with relative ones made absolute."""
        return list(self._imports(self.tree, typing_only=False))

    @property
    def lines(self) -> int:
        """How long the file is."""
        return len(self.path.read_text("utf-8").splitlines())

    @property
    def only_data(self) -> bool:
        """True if it holds tables and no code: imports, a docstring, assignments, plain classes of fields."""
        kinds = (ast.Import, ast.ImportFrom, ast.Assign, ast.AnnAssign, ast.Expr)
        return all(isinstance(part, kinds) for part in self.tree.body)

    def _imports(self, node: ast.AST, *, typing_only: bool) -> Iterator[Import]:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.Import):
                for alias in child.names:
                    yield Import(alias.name, None, child.lineno, typing_only)
            elif isinstance(child, ast.ImportFrom):
                module = self._absolute(child)
                for alias in child.names:
                    yield Import(module, alias.name, child.lineno, typing_only)
            else:
                guarded = isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test)
                yield from self._imports(child, typing_only=typing_only or guarded)

    def _absolute(self, node: ast.ImportFrom) -> str:
        if not node.level:
            return node.module or ""
        parts = self.name.split(".")
        depth = node.level - (1 if self.is_package else 0)
        base = parts[: len(parts) - depth]
        return ".".join([*base, *([node.module] if node.module else [])])


class Package:
    """All modules below a folder, by their dotted names."""

    def __init__(self, folder: Path) -> None:
        self.name = folder.name
        self.modules: dict[str, Module] = {}
        for path in sorted(folder.rglob("*.py")):
            parts = list(path.relative_to(folder.parent).with_suffix("").parts)
            is_package = parts[-1] == "__init__"
            name = ".".join(parts[:-1] if is_package else parts)
            self.modules[name] = Module(name, path, is_package)

    def inside(self, found: Import) -> bool:
        """True if it imports a part of this package."""
        return found.module == self.name or found.module.startswith(f"{self.name}.")

    def origin(self, found: Import) -> str:
        """The module that defines what is imported, looked up through the `__init__`s that re-export it."""
        module, name = found.module, found.name
        seen: set[str] = set()
        while name is not None and module in self.modules and module not in seen:
            seen.add(module)
            if f"{module}.{name}" in self.modules:
                return f"{module}.{name}"
            passed = next((more for more in self.modules[module].imports if more.name == name), None)
            if passed is None or not self.inside(passed) or not self.modules[module].is_package:
                return module
            module = passed.module
        return module

    def room(self, module: str) -> str:
        """The room a module belongs to: the first part below the package, or the module's own name."""
        rest = module.removeprefix(self.name).strip(".")
        return rest.split(".")[0] if rest else "__init__"
