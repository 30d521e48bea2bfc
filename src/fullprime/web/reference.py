"""The API's document as a page for people: every route, and every field that goes over the wire, with its meaning.

It is made from ``/api/openapi.json`` and needs no script and nothing from another server.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from html import escape
from typing import Any

from fullprime.web.pages import HEAD, header

Schema = Mapping[str, Any]
"""A part of an OpenAPI document, which is JSON of any form."""

_HEAD = f"""\
<!doctype html>
<html lang="en">
<head>
{HEAD}
<title>Fullprime: the web API</title>
</head>
<body class="home">
{header()}
<main>
"""
_INTRODUCTION = """\
<section class="card">
<h1>The web API</h1>
<p>Any program can do all that the pages do. Bodies are JSON. <a href="/api/openapi.json">openapi.json</a> says the same
for machines. The state of a game is a <a href="#WaitingState">WaitingState</a> before it has begun and a
<a href="#BegunState">BegunState</a> from then on; each line of a stream is a
<a href="#StateMessage">StateMessage</a>.</p>
</section>
"""
_CODE = re.compile(r"`([^`]+)`")


def reference_page(document: Schema) -> str:
    """The page of an OpenAPI document."""
    routes = "".join(_routes(document["paths"]))
    types = "".join(_type(name, schema) for name, schema in sorted(document["components"]["schemas"].items()))
    table = _table("Routes", ("Route", "What it does", "Answer"), routes)
    return (
        f'{_HEAD}{_INTRODUCTION}<section class="card"><h2>Routes</h2>{table}</section>\n'
        f"<h2>What is sent</h2>\n{types}</main>\n</body>\n</html>\n"
    )


def _table(name: str, columns: tuple[str, ...], rows: str) -> str:
    head = "".join(f'<th scope="col">{column}</th>' for column in columns)
    return (
        f'<div class="wide" tabindex="0" role="group" aria-label="{escape(name)}"><table><thead><tr>{head}</tr></thead>'
        f"<tbody>{rows}</tbody></table></div>"
    )


def _routes(paths: Schema) -> Iterator[str]:
    for path, methods in paths.items():
        for method, route in methods.items():
            description = _words(route.get("description", route["summary"]))
            name = f'<th scope="row"><code>{method.upper()} {escape(path)}</code></th>'
            yield f"<tr>{name}<td>{description}</td><td>{_answer(route['responses'])}</td></tr>\n"


def _answer(responses: Schema) -> str:
    """The answer of a route when all is well."""
    for code, answer in responses.items():
        if code.startswith("2"):
            kinds = [_kind(content.get("schema", {})) for content in answer.get("content", {}).values()]
            return " or ".join(kinds) or "nothing"
    return "nothing"


def _type(name: str, schema: Schema) -> str:
    required = schema.get("required", ())
    rows = "".join(
        f'<tr><th scope="row"><code>{escape(field)}</code></th><td>{_kind(part)}'
        f"{'' if field in required else ' (may be missing)'}</td><td>{_words(part.get('description', ''))}</td></tr>\n"
        for field, part in schema.get("properties", {}).items()
    )
    table = _table(name, ("Field", "Type", "Meaning"), rows)
    about = _words(schema.get("description", ""))
    return f'<section class="card" id="{escape(name)}"><h3>{escape(name)}</h3><p>{about}</p>{table}</section>\n'


def _kind(schema: Schema) -> str:
    """A type in words, with a link to each type that has a name."""
    if "$ref" in schema:
        name = escape(schema["$ref"].rsplit("/", 1)[-1])
        return f'<a href="#{name}">{name}</a>'
    if "anyOf" in schema:
        return " or ".join(_kind(option) for option in schema["anyOf"])
    if "const" in schema or "enum" in schema:
        values = schema.get("enum", [schema.get("const")])
        return " or ".join(f"<code>{escape(str(value))}</code>" for value in values)
    kind = schema.get("type", "anything")
    if kind == "array":
        if "prefixItems" in schema:
            return f"list of {len(schema['prefixItems'])}: {', '.join(_kind(part) for part in schema['prefixItems'])}"
        return f"list of {_kind(schema.get('items', {}))}"
    if kind == "object" and isinstance(schema.get("additionalProperties"), dict):
        return f"{_kind(schema['additionalProperties'])} by name"
    return escape(str(kind))


def _words(text: str) -> str:
    return _CODE.sub(r"<code>\1</code>", escape(" ".join(text.replace("``", "`").split()), quote=False))
