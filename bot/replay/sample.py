"""A sample: who says what and when, what a model answers, what is expected. Read strictly, from YAML."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, Final, Generic, Literal, TypeVar, overload
from zoneinfo import ZoneInfo

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

S = TypeVar("S", bound=BaseModel)
Role = Literal["owner", "admin", "member"]
_FIRST_USER: Final = 30001
"""Number of the first member of a dialogue."""


class BadSample(Exception):
    """A file is no set of samples; says which, where and why, in Chinese."""


class Strict(BaseModel):
    """A key that is not known is a mistake in the sample, not something to be overlooked."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Member(Strict):
    """A member of the group."""

    role: Role = "member"
    superuser: bool = False
    card: str | None = None
    """The name shown; the key in `members` unless given."""
    silent: bool = False
    """Has never spoken: only the platform's list knows the name."""


class Expected(Strict):
    """Expectations of one line. Fields not named are not looked at."""

    gate: Literal["SAFE", "BLOCK", "EMERGENCY"] | None = None
    frames: list[str] | None = None
    """The local reading, `agent.intent` each, in spoken order."""
    dispatched: list[str] | None = None
    """The agents that were called for this line, in order."""
    open: list[str] | None = None
    """The speaker's open tasks afterwards, `agent status` each, focus first."""
    status: Literal["completed", "awaiting_user", "canceled", "blocked"] | None = None
    reply: list[str] = Field(default_factory=list[str])
    """Each must be in the reply."""
    reply_without: list[str] = Field(default_factory=list[str])
    """None of these is in it."""
    silent: bool = False
    """Nothing is said."""
    calls: list[str] | None = None
    """The model calls made, in any order."""

    @field_validator("reply", "reply_without", mode="before")
    @classmethod
    def _one_or_many(cls, value: Any) -> Any:
        return [value] if isinstance(value, str) else value


class Look(Strict):
    """Finding of the secretary, watching, at a line that nobody said to us."""

    reply: Literal["questioned", "interesting"] | None = None
    """The way in which it is answered; not at all unless given."""
    plan: str | None = None
    """The plan that several members made, in words; then its asking comes first."""


class SpokenLine(Strict):
    """Who says a line of a dialogue, what, and whom it mentions."""

    who: str
    say: str
    mentions: list[str] = Field(default_factory=list[str])
    """Members who are mentioned in front of the words."""


class Line(SpokenLine):
    """One line of the conversation."""

    to_bot: bool | None = None
    """Addressed to the bot. Unless given: in private, or where the line starts with @秘书."""
    after: float = 0.0
    """Seconds since the line before."""
    quote: Literal["bot"] | str | None = None
    """`bot`: the bot's last line; else a text that somebody said."""
    restart: bool = False
    """The bot is killed and started again before this line."""
    look: Look | None = None
    """Of a line among members that is no answer and no order."""
    model: dict[str, Any] = Field(default_factory=dict[str, Any])
    """Answers of the model from this line on, by call; `hang` and `error` are its faults."""
    expect: Expected = Expected()


class End(Strict):
    """Rows expected at the end. They are compared by the fields named."""

    open: list[str] | None = None
    """Open tasks of everybody, `member: agent status`."""
    tasks: list[dict[str, Any]] | None = None
    schedules: list[dict[str, Any]] | None = None
    transactions: list[dict[str, Any]] | None = None


L = TypeVar("L", bound=SpokenLine)


class MemberDialogue(Strict, Generic[L]):
    """A dialogue with its members: what a sample of replay and one of evaluate have in common."""

    name: str
    now: datetime
    """When it begins, wall time in `zone`."""
    zone: str = "Asia/Shanghai"
    private: bool = False
    members: dict[str, Member] = Field(default_factory=dict[str, Member])
    """Members by name: who has not spoken yet, or is more than an ordinary member; whoever speaks is one
    anyway."""
    talk: list[L] = Field(min_length=1)

    @field_validator("zone")
    @classmethod
    def _is_zone(cls, value: str) -> str:
        try:
            ZoneInfo(value)
        except (ValueError, OSError, KeyError):
            raise ValueError("not a time zone") from None
        return value

    @property
    def began(self) -> datetime:
        """When it begins, aware."""
        zone = ZoneInfo(self.zone)
        return self.now.replace(tzinfo=zone) if self.now.tzinfo is None else self.now.astimezone(zone)

    def user(self, who: str) -> str:
        """A member's number: the place of the name in the dialogue."""
        return str(_FIRST_USER + self._names().index(who))

    def card(self, who: str) -> str:
        """The name that the group sees of a member."""
        member = self.members.get(who)
        return member.card if member is not None and member.card else who

    def known_members(self) -> list[tuple[str, str]]:
        """Number and card of everybody who is declared or speaks, whether or not they have spoken yet, but
        not of those who are silent; in private nobody."""
        silent = {who for who, member in self.members.items() if member.silent}
        return [each for who, each in self.roster().items() if who not in silent]

    def roster(self) -> dict[str, tuple[str, str]]:
        """Number and card of everybody in the group, by the name in the dialogue; in private nobody."""
        if self.private:
            return {}
        known = dict.fromkeys([*self.members, *(line.who for line in self.talk)])
        return {who: (self.user(who), self.card(who)) for who in known}

    def _names(self) -> list[str]:
        named = [*self.members, *(line.who for line in self.talk)]
        named += [name for line in self.talk for name in line.mentions]
        return list(dict.fromkeys(named))


class Sample(MemberDialogue[Line]):
    """One conversation."""

    plugins: list[str] = Field(default_factory=list[str])
    online: bool = False
    """True if there is a model at all. Calls that no line scripts fail."""
    end: End = End()


@overload
def read_samples(paths: Sequence[Path]) -> Iterator[tuple[Path, Sample]]: ...
@overload
def read_samples(paths: Sequence[Path], kind: type[S]) -> Iterator[tuple[Path, S]]: ...
def read_samples(paths: Sequence[Path], kind: type[Any] = Sample) -> Iterator[tuple[Path, Any]]:
    """Every sample of the files, and of the `*.yaml` right in the folders, in order. Raises `BadSample`.

    Folders in a folder hold samples of another kind (`samples/evaluate`).
    """
    for path in paths:
        if not path.exists():
            raise BadSample(f"{path}：没有这个文件")
        for file in sorted(path.glob("*.yaml")) if path.is_dir() else [path]:
            yield from ((file, sample) for sample in _load_models(file, kind))


def _load_models(file: Path, kind: type[S]) -> list[S]:
    try:
        given = yaml.safe_load(file.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise BadSample(f"{file}：读不出来，{_first_line(error)}") from None
    if not isinstance(given, list):
        raise BadSample(f"{file}：应是样例的列表")
    samples: list[S] = []
    for number, entry in enumerate(given, start=1):
        try:
            samples.append(kind.model_validate(entry))
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(str(part) for part in first["loc"])
            raise BadSample(
                f"{file}：第 {number} 个样例的 {where or '内容'} 不对（{first['msg']}）"
            ) from None
    return samples


def _first_line(error: BaseException) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]
