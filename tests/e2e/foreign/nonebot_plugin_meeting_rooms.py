"""A plugin of somebody else's: the example of docs/agents.md, run exactly as it stands there."""

import re
from pathlib import Path

PAGE = Path(__file__).resolve().parents[3] / "docs" / "agents.md"
_blocks = re.findall(r"^```python\n(.*?)^```", PAGE.read_text("utf-8"), re.DOTALL | re.MULTILINE)
exec(compile(_blocks[0], str(PAGE), "exec"), globals())
