"""Benchmarks: each module measures one room and, where it compares, runs both sides in the same run.

A module here offers `run() -> Iterable[Measurement]`; `python -m benchmarks [NAME…] [--json]` finds it by
its file name. Speed is never asserted in tests; it is measured here.
"""

from .measurement import Measurement

__all__ = ["Measurement"]
