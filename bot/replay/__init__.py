"""`python -m bot replay`: conversations with expected readings, orders and end states (`samples/*.yaml`).

`sample` reads them, `stage` puts a core with real storage around scripted models and a clock that stands,
`play` goes through one, `command` prints the table. docs/replay.md tells how to write one.
"""

from .command import main
from .sample import BadSample, Sample, read_samples

__all__ = ["BadSample", "Sample", "main", "read_samples"]
