"""`/api/docs`: the OpenAPI description as a page of our own, made here: no script, nothing from elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any, Final, cast

_STYLE: Final = """
:root { color-scheme: light dark; --line: #8884; --soft: #8882; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 0 auto; padding: 1rem; }
h2 { border-bottom: 1px solid var(--line); margin-top: 2rem; }
details { border: 1px solid var(--line); border-radius: .5rem; margin: .5rem 0; }
summary { cursor: pointer; padding: .75rem; min-height: 1.5rem; overflow-wrap: anywhere; }
details > div { padding: 0 .75rem .75rem; overflow-x: auto; }
code, pre { font-family: ui-monospace, monospace; font-size: .9em; }
pre { background: var(--soft); padding: .75rem; border-radius: .5rem; overflow-x: auto; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; border-top: 1px solid var(--line); }
th, td { padding: .25rem .5rem .25rem 0; }
.method { display: inline-block; min-width: 4.5rem; font-weight: 700; }
"""
POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
"""Content-Security-Policy of the page: it may load nothing at all."""
_OTHER: Final = "其他"


def render_page(document: Mapping[str, Any]) -> str:
    """The page of an OpenAPI document, HTML."""
    info = document["info"]
    by_tag: dict[str, list[str]] = {}
    for path, methods in cast("Mapping[str, Mapping[str, Any]]", document["paths"]).items():
        for method, operation in methods.items():
            tag = (operation.get("tags") or [_OTHER])[0]
            by_tag.setdefault(tag, []).append(_render_operation(path, method, operation, document))
    ordered = sorted(by_tag.items(), key=lambda each: (each[0] == _OTHER, not each[0].startswith("v1 ")))
    parts = [f"<h2>{escape(tag)}</h2>{''.join(operations)}" for tag, operations in ordered]
    title = f"{info['title']} {info['version']}"
    return (
        '<!doctype html><html lang="zh-CN"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{_STYLE}</style></head><body>"
        f"<h1>{escape(title)}</h1><p>{escape(info.get('description', ''))}</p>"
        '<p>机器可读的描述在 <a href="openapi.json">openapi.json</a>。</p>'
        f"{''.join(parts)}</body></html>"
    )


def _render_operation(
    path: str, method: str, operation: Mapping[str, Any], document: Mapping[str, Any]
) -> str:
    rows = [
        f"<tr><td><code>{escape(each['name'])}</code></td><td>{escape(_where(each))}</td>"
        f"<td>{escape(each.get('description') or '')}</td></tr>"
        for each in operation.get("parameters", ())
    ]
    inner = f"<table>{''.join(rows)}</table>" if rows else ""
    body = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema")
    if body is not None:
        inner += f"<p>请求体</p><pre>{escape(_shape(body, document))}</pre>"
    for status, response in sorted(operation.get("responses", {}).items()):
        schema = response.get("content", {}).get("application/json", {}).get("schema")
        if status.startswith("2") and schema:
            inner += f"<p>{escape(status)}</p><pre>{escape(_shape(schema, document))}</pre>"
    head = f'<span class="method">{escape(method.upper())}</span> <code>/api{escape(path)}</code>'
    summary = escape(operation.get("summary") or "")
    return f"<details><summary>{head} {summary}</summary><div>{inner}</div></details>"


def _where(parameter: Mapping[str, Any]) -> str:
    places = {"path": "路径", "query": "查询", "header": "请求头"}
    return places.get(str(parameter["in"]), "") + ("，必填" if parameter.get("required") else "")


def _shape(schema: Mapping[str, Any], document: Mapping[str, Any], depth: int = 0) -> str:
    """A schema in a few lines, in the form of JSON."""
    pad = "  " * depth
    if depth > 5:
        return "…"
    reference = schema.get("$ref")
    if isinstance(reference, str):
        name = reference.rsplit("/", 1)[-1]
        return _shape(document["components"]["schemas"][name], document, depth)
    for joined in ("anyOf", "oneOf", "allOf"):
        if joined in schema:
            return " | ".join(dict.fromkeys(_shape(each, document, depth) for each in schema[joined]))
    if "enum" in schema:
        return " | ".join(f'"{each}"' for each in schema["enum"])
    if "const" in schema:
        return f'"{schema["const"]}"'
    if schema.get("type") == "array":
        return f"[{_shape(schema.get('items', {}), document, depth)}]"
    properties = cast("Mapping[str, Mapping[str, Any]]", schema.get("properties") or {})
    if not properties:
        return str(schema.get("format") or schema.get("type") or "any")
    required = set(schema.get("required", ()))
    lines = [
        f"{pad}  {name}{'' if name in required else '?'}: {_shape(each, document, depth + 1)}"
        + (f"  // {each['description']}" if each.get("description") else "")
        for name, each in properties.items()
    ]
    return "{\n" + "\n".join(lines) + f"\n{pad}}}"
