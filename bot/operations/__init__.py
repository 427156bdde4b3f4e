"""`python -m bot backup|restore|move`: the database of the configured bot, without starting the bot."""

from .command import COMMANDS, main

__all__ = ["COMMANDS", "main"]
