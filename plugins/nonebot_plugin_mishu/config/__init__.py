"""Configuration: every `MISHU__SECTION__KEY`, how it is read, its warnings, and the owner's choices."""

from .keys import Bookkeeping, Config, Llm, Record, SecretaryConfig, TasksConfig

__all__ = ["Bookkeeping", "Config", "Llm", "Record", "SecretaryConfig", "TasksConfig"]
