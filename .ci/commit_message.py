"""Check the message of a commit: `python .ci/commit_message.py FILE`, run by the commit-msg hook.

The form is that of Conventional Commits: `feat(schedule): move one date of a series`. CONTRIBUTING.md has the
types and scopes. Exit code 1 and a line for each fault where the message has another form.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

TYPES = ("feat", "fix", "refactor", "perf", "docs", "test", "style", "build", "ci", "release", "revert")
LONGEST = 110
"""Characters of the first line."""

_FIRST = re.compile(r"(?P<type>\w+)(?:\((?P<scope>[^()]*)\))?!?: (?P<subject>\S.*)")
_SCOPE = re.compile(r"[a-z][a-z0-9_-]*(?:, [a-z][a-z0-9_-]*)*")
_WRITTEN_BY_GIT = re.compile(r"Merge |merge: |Revert \"|(?:fixup|squash|amend)! ")
_SCISSORS = re.compile(r"(?m)^# -+ >8 -+$")


def faults(message: str) -> list[str]:
    """Sentences about what is wrong with a message, in the order of its lines; empty where it is right.

    Lines that begin with `#`, and what stands below git's scissors line, are no part of it.
    """
    text = _SCISSORS.split(message, maxsplit=1)[0]
    lines = [line.rstrip() for line in text.splitlines() if not line.startswith("#")]
    while lines and not lines[0]:
        lines.pop(0)
    if not lines:
        return ["the message is empty"]
    first = lines[0]
    if _WRITTEN_BY_GIT.match(first):
        return []
    found: list[str] = []
    parts = _FIRST.fullmatch(first)
    if parts is None:
        found.append("the first line is not `type(scope): subject` or `type: subject`")
    else:
        if parts["type"] not in TYPES:
            found.append(f"`{parts['type']}` is no type; types are {', '.join(TYPES)}")
        if parts["scope"] is not None and not _SCOPE.fullmatch(parts["scope"]):
            found.append(f"`{parts['scope']}` is no scope: lower-case words, as `schedule` or `web, api`")
        if parts["subject"].endswith("."):
            found.append("the first line ends with a full stop")
    if len(first) > LONGEST:
        found.append(f"the first line has {len(first)} characters, at most {LONGEST} are read")
    if len(lines) > 1 and lines[1]:
        found.append("the second line is not blank")
    return found


def main(arguments: list[str]) -> int:
    """Check the file that git names; 0: right, 1: wrong, 2: called wrongly."""
    if len(arguments) != 1:
        print("usage: python .ci/commit_message.py FILE", file=sys.stderr)
        return 2
    found = faults(Path(arguments[0]).read_text("utf-8"))
    for fault in found:
        print(f"commit message: {fault}", file=sys.stderr)
    if found:
        print(
            "for example: fix(schedule): 改到八点 keeps the length (CONTRIBUTING.md, Commits)",
            file=sys.stderr,
        )
    return 1 if found else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
