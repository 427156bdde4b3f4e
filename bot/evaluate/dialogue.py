"""A dialogue: who says what in a group, and what must be there at the end. Read strictly, from YAML.

The format is that of the replay samples, without what only a scripted model has; values at the end may leave
a model its choice of words (`end.fits`), and name members (`{member: 小红}`, `{members: [小红, 大熊]}`).
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field, field_validator

from ..replay.sample import MemberDialogue, SpokenLine, Strict


class Expected(Strict):
    """Expectations of the reply to one line."""

    reply: list[str] = Field(default_factory=list[str])
    """Of each one part is in it; parts are separated by |."""
    reply_without: list[str] = Field(default_factory=list[str])
    """None of these is in it."""
    silent: bool = False
    """Nothing is said."""

    @field_validator("reply", "reply_without", mode="before")
    @classmethod
    def _one_or_many(cls, value: Any) -> Any:
        return [value] if isinstance(value, str) else value


class Said(SpokenLine):
    """One line of the dialogue; where it begins with @秘书 the bot is mentioned."""

    after: float = 0.0
    """Seconds since the line before; 0: straight on, without waiting for what the bot makes of the talk."""
    quote: Literal["bot"] | None = None
    """It quotes the bot's last line."""
    expect: Expected = Expected()


class End(Strict):
    """The rows that are there when all has been said; tables that are not named are not looked at."""

    tasks: list[dict[str, Any]] | None = None
    schedules: list[dict[str, Any]] | None = None
    transactions: list[dict[str, Any]] | None = None


class Dialogue(MemberDialogue[Said]):
    """One dialogue."""

    end: End = End()

    def expected(self) -> dict[str, list[dict[str, Any]]]:
        """The rows of the tables that are named, members as their ids."""
        return {
            what: [{name: self._ids(value) for name, value in row.items()} for row in rows]
            for what, rows in self.end.model_dump().items()
            if rows is not None
        }

    def _ids(self, value: Any) -> Any:
        if isinstance(value, dict) and "member" in value:
            return self.user(value["member"])
        if isinstance(value, dict) and "members" in value:
            return [self.user(name) for name in value["members"]]
        return value
