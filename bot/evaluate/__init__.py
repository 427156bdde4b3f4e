"""`python -m bot evaluate`: messy group talk against the configured model endpoint, with end states.

`dialogue` reads the samples, `end` compares what is there afterwards, `desk` puts the whole running plugin
behind a platform that is none, `play` goes through one dialogue, `report` prints, `command` is the command
line. docs/models.md tells how to read the table.
"""

from .command import main
from .dialogue import Dialogue

__all__ = ["Dialogue", "main"]
