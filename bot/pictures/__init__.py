"""Pictures of the console for the README: invented people, a bot of their own, a browser (`shooting`)."""

from .shooting import main

__all__ = ["main"]
