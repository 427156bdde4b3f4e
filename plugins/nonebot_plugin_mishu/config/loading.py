"""Reading the configuration: NoneBot's `.env` values and the process environment into one `Config`.

NoneBot hands plugins the keys of its `.env` files, but not those that stand only in the process
environment; both are read here, the environment wins. An empty value means unset. Every wrong value
becomes one line that names the key, the value and what is allowed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any, cast, get_args, get_origin

from pydantic import BaseModel, SecretStr, ValidationError
from pydantic.fields import FieldInfo

from . import Config

PREFIX = "MISHU__"
_WHOLE = "MISHU"


class ConfigurationError(ValueError):
    """One or more keys are wrong; `lines` holds one line for each, in Chinese, without secrets."""

    def __init__(self, lines: list[str]) -> None:
        super().__init__("\n".join(lines))
        self.lines = lines


def read(nonebot_config: Mapping[str, Any], environ: Mapping[str, str]) -> Config:
    """Build the configuration.

    `nonebot_config` is the dump of NoneBot's global config (its `mishu` entry is the nested mapping of the
    `.env` keys), `environ` the process environment. Raises `ConfigurationError`.
    """
    values = _from_dotenv(nonebot_config.get("mishu"))
    for key, value in environ.items():
        if key.upper().startswith(PREFIX):
            _set_nested(values, key.upper()[len(PREFIX) :].lower().split("__"), value)
    llm = values.setdefault("llm", {})
    if isinstance(llm, dict):
        section = cast("dict[str, Any]", llm)
        for field in ("base_url", "api_key"):
            if _unset(section.get(field)):
                shared = environ.get(f"OPENAI_{field.upper()}") or nonebot_config.get(f"openai_{field}")
                section[field] = shared
    try:
        return Config.model_validate(_prepared(Config, values))
    except ValidationError as error:
        raise ConfigurationError(_lines(error, values)) from None


def unknown_keys(nonebot_config: Mapping[str, Any], environ: Mapping[str, str]) -> list[str]:
    """Keys that start with `MISHU__` and mean nothing: most often a slip of the pen, worth a warning."""
    values = _from_dotenv(nonebot_config.get("mishu"))
    for key, value in environ.items():
        if key.upper().startswith(PREFIX):
            _set_nested(values, key.upper()[len(PREFIX) :].lower().split("__"), value)
    found = [key for key in environ if key.upper() == _WHOLE]
    if nonebot_config.get("mishu") is not None and not values:
        found.append(_WHOLE)
    for name, value in values.items():
        field = Config.model_fields.get(name)
        section = _section(field)
        if field is None:
            found.extend(flat(PREFIX + name.upper(), value))
        elif section is not None and isinstance(value, dict):
            inner = cast("dict[str, Any]", value)
            found.extend(f"{PREFIX}{name}__{key}".upper() for key in inner if key not in section.model_fields)
    return sorted(set(found))


def flat(name: str, value: Any) -> list[str]:
    """The keys that were written: a `.env` key with `__` in it comes as nested mappings."""
    if not isinstance(value, Mapping):
        return [name.upper()]
    nested = cast("Mapping[str, Any]", value)
    return [key for part, inner in nested.items() for key in flat(f"{name}__{part}", inner)]


def keys() -> list[tuple[str, FieldInfo]]:
    """Every key with its field, in the order of the configuration: documentation is made from it."""
    found: list[tuple[str, FieldInfo]] = []
    for name, field in Config.model_fields.items():
        section = _section(field)
        if section is None:
            found.append((PREFIX + name.upper(), field))
        else:
            found.extend(
                (f"{PREFIX}{name}__{key}".upper(), inner) for key, inner in section.model_fields.items()
            )
    return found


def _section(field: FieldInfo | None) -> type[BaseModel] | None:
    annotation = None if field is None else field.annotation
    return annotation if isinstance(annotation, type) and issubclass(annotation, BaseModel) else None


def _from_dotenv(nested: Any) -> dict[str, Any]:
    if not isinstance(nested, Mapping):
        return {}
    found: dict[str, Any] = {}
    for key, value in cast("Mapping[str, Any]", nested).items():
        found[key.lower()] = _from_dotenv(value) if isinstance(value, Mapping) else value
    return found


def _set_nested(values: dict[str, Any], path: list[str], value: str) -> None:
    *parents, last = path
    for name in parents:
        inner = values.setdefault(name, {})
        if not isinstance(inner, dict):
            return
        values = cast("dict[str, Any]", inner)
    values[last] = value


def _unset(value: Any) -> bool:
    return value is None or (isinstance(value, str) and not value.strip())


def _prepared(model: type[BaseModel], values: Mapping[str, Any]) -> dict[str, Any]:
    """Drop unset values, decode JSON where the field is a list, keep text as text."""
    ready: dict[str, Any] = {}
    for name, value in values.items():
        field = model.model_fields.get(name)
        section = _section(field)
        if field is None or _unset(value):
            continue
        if section is not None and isinstance(value, Mapping):
            ready[name] = _prepared(section, cast("Mapping[str, Any]", value))
        elif get_origin(field.annotation) in (list, dict) and isinstance(value, str):
            ready[name] = _decoded(value)
        elif _takes_text(field) and isinstance(value, (bool, int, float)):
            # NoneBot decodes every `.env` value as JSON; a name or key made of digits is text all the same.
            ready[name] = json.dumps(value)
        else:
            ready[name] = value
    return ready


def _takes_text(field: FieldInfo) -> bool:
    kinds = get_args(field.annotation) or (field.annotation,)
    return str in kinds or SecretStr in kinds


def _decoded(value: str) -> Any:
    try:
        return json.loads(value)
    except ValueError:
        return value


def _lines(error: ValidationError, values: Mapping[str, Any]) -> list[str]:
    lines: dict[str, str] = {}
    for problem in error.errors():
        path = [str(part) for part in problem["loc"]]
        if not path:
            lines[str(problem["msg"])] = "配置错误：" + str(problem["msg"]).removeprefix("Value error, ")
            continue
        field, value, key = _find(path, values)
        allowed = _allowed(field)
        lines[key] = f"配置错误：{key} = {_shown(key, value)}，应为：{allowed}"
    return list(lines.values())


def _allowed(field: FieldInfo | None) -> str:
    extra = field.json_schema_extra if field is not None else None
    known = cast("dict[str, object]", extra) if isinstance(extra, dict) else {}
    return str(known.get("allowed", "MISHU__节__键 的形式"))


def _shown(key: str, value: Any) -> str:
    if key.endswith(("_KEY", "__TOKEN")):
        return "（已隐去）"
    text = json.dumps(value, ensure_ascii=False, default=str)
    return re.sub(r"//[^@/]*@", "//…@", text)[:200]


def _find(path: list[str], values: Mapping[str, Any]) -> tuple[FieldInfo | None, Any, str]:
    """The deepest configured key on the path of an error, with its field and the value given."""
    model: type[BaseModel] = Config
    field: FieldInfo | None = None
    value: Any = values
    names: list[str] = []
    for part in path:
        found = model.model_fields.get(part)
        if found is None:
            break
        field = found
        names.append(part)
        value = cast("Mapping[str, Any]", value).get(part) if isinstance(value, Mapping) else None
        section = _section(found)
        if section is None:
            break
        model = section
    return field, value, PREFIX + "__".join(names).upper()
