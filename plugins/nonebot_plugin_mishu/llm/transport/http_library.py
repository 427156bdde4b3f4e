"""The HTTP library that the installed openai package sends through: httpx2 from version 3 on, httpx before.

Both have one interface. Which one is asked of the openai package's own version, since an instance may hold
both for other plugins' sake. Imports the library: `transport` imports this module where it makes a client.
"""

from __future__ import annotations

from importlib.metadata import version
from typing import TYPE_CHECKING

if TYPE_CHECKING or int(version("openai").partition(".")[0]) >= 3:
    import httpx2 as http
else:
    import httpx as http

__all__ = ["http"]
