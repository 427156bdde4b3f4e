"""The playground: a simulated QQ group in the browser, connected to the bot the way QQ is.

State (`group`), OneBot (`events`, `actions`, `onebot`), the view through the HTTP API (`desk`), what holds
them together (`session`) and the page (`page`, `chat`, `panel`, `look`) are apart; only the page knows
NiceGUI. `mount` hangs it on the bot's application.

How one gets in: without `MISHU__WEB__TOKEN` from this machine alone, by the API's own guard; with one, by
a page that asks for it once and sets a cookie (`entrance`).
"""

from .group import BOT_NAME, SELF_ID
from .mounting import MOUNT_PATH, mount, reachable

ACCOUNT = str(SELF_ID)
"""The bot's account in the simulated groups."""

__all__ = ["ACCOUNT", "BOT_NAME", "MOUNT_PATH", "mount", "reachable"]
