"""Pages made from JSON schemas: what is stored and printed, from `schemas/`; the HTTP API, from its OpenAPI document."""

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, get_type_hints

from fastapi import FastAPI
from fastapi.routing import APIRoute

from docs.versions import versions_part
from mfgit.server import access, archive, knowledge, proposals, system
from mfgit.server.app import described

SCHEMAS = Path(__file__).parent.parent / "schemas"
STORED = {
    "turn": "`<chat>/YYYY-MM-DD.jsonl`, a line",
    "rating": "`<chat>/YYYY-MM-DD.jsonl`, a line",
    "session": "`<sessions>/sessions/YYYY-MM/ID.json`",
    "record": "`<root>/_forged/proposals/ID.json`, in Git",
}
"""Schemas of what is kept, each with where."""

FORMATS_HEAD = """\
# Formats

<!-- Written by docs/generate.py: run `make docs` after changing a schema. -->

Every file and document that mfgit writes or takes as JSON, field by field. The schemas themselves are in `schemas/` and come
with the package. A field marked `*` is always there; fields that mfgit does not know are kept. `a.b` is a field within a
field, `a[].b` one of each entry of a list, `a{}.b` one of each value of a map.

## What is stored

"""
HTTP_HEAD = """\
# HTTP API

<!-- Written by docs/generate.py: run `make docs` after changing the server. -->

What `mfgit serve` answers; [Serve](../how-to/serve.md) tells how to run it and who may ask what. `GET /openapi.json` describes
the same to programs. A field or parameter marked `*` has to be there. Every failure is a problem document
([RFC 9457](https://www.rfc-editor.org/rfc/rfc9457)) with `status`, `title`, `detail` and, where there is one, `hint`.
"""
PARTS = (archive, knowledge, proposals, system)
ROLES = {"writer": access.Writer, "reviewer": access.Reviewer, "reader": access.Reader}
SENTENCE = re.compile(r"[.;](?: |$)")
COLUMNS = "|---|---|---|\n"


def formats_page() -> str:
    """Return the page on every stored and printed format."""
    names = sorted(path.name.removesuffix(".schema.json") for path in SCHEMAS.glob("*.schema.json"))
    index = "".join(f"| [{name}](#{name}) | {place} |\n" for name, place in STORED.items())
    stored = [format_part(name) for name in STORED]
    printed = [format_part(name) for name in names if name not in STORED]
    table = f"| format | where |\n|---|---|\n{index}"
    return "\n".join([FORMATS_HEAD + table, *stored, versions_part(), "## What is printed and answered\n", *printed])


def format_part(name: str) -> str:
    """Return the section on one schema."""
    schema = json.loads((SCHEMAS / f"{name}.schema.json").read_text("utf-8"))
    about = ". ".join(filter(None, [schema.get("title", ""), schema.get("description", "")])).rstrip(".")
    return f"### {name}\n\n{about}.\n\n{table_of(schema, schema, 'field')}"


def http_page() -> str:
    """Return the page on every route of the HTTP API."""
    app = FastAPI(title="mfgit", version="0")
    for part in PARTS:
        app.include_router(part.router)
    document = described(app)
    routes = [
        (f"{method.upper()} {path}", operation, roles()[method.upper(), path])
        for path, operations in document["paths"].items()
        for method, operation in operations.items()
    ]
    rows = "".join(f"| `{route}` | {role} | {SENTENCE.split(about(operation))[0]} |\n" for route, operation, role in routes)
    overview = f"\n| request | role | does |\n{COLUMNS}{rows}"
    return "\n".join([HTTP_HEAD + overview, *(route_part(*route, document) for route in routes)])


def roles() -> dict[tuple[str, str], str]:
    """Return who may ask, by method and path: a role, or everybody."""
    found: dict[tuple[str, str], str] = {}
    for route in (route for part in PARTS for route in part.router.routes if isinstance(route, APIRoute)):
        given = get_type_hints(route.endpoint, include_extras=True).values()
        role = next((name for name, kind in ROLES.items() if kind in given), "everybody")
        found |= {(method, route.path_format): role for method in route.methods or ()}
    return found


def about(operation: Mapping[str, Any]) -> str:
    """Return what an operation does, in one paragraph."""
    return " ".join(operation["description"].split())


def route_part(route: str, operation: Mapping[str, Any], role: str, document: Mapping[str, Any]) -> str:
    """Return the section on one method of one path."""
    parts = [f"## {route}\n", f"Role: {role}. {about(operation)}\n"]
    asked = operation.get("parameters", ())
    given = {
        "type": "object",
        "properties": {one["name"]: {**one["schema"], "description": f"{said(one)} {span(one['schema'])}"} for one in asked},
        "required": [one["name"] for one in asked if one.get("required")],
    }
    if given["properties"]:
        parts.append(table_of(given, document, "parameter"))
    body = content(operation.get("requestBody", {}))
    if body:
        parts.append(f"It takes:\n\n{table_of(body, document, 'field')}")
    answer = next(
        (shape for code, reply in operation["responses"].items() if code != "default" and (shape := content(reply))), None
    )
    if answer:
        parts.append(f"It answers:\n\n{table_of(answer, document, 'field')}")
    return "\n".join(parts)


def content(holder: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the schema of a body, None where it has none that is JSON."""
    found: dict[str, Any] | None = holder.get("content", {}).get("application/json", {}).get("schema")
    return found


# ---- a schema as a table


def table_of(schema: Mapping[str, Any], root: Mapping[str, Any], what: str) -> str:
    """Return the fields of a schema, those within fields after them, as a table of Markdown; else the type as a sentence."""
    marks = {True: "\\*", False: ""}
    found = fields(schema, root)
    rows = [f"| `{name}`{marks[needed]} | {words(shape, root)} | {said(shape)} |\n" for name, shape, needed in found]
    return f"| {what} | type | meaning |\n{COLUMNS}{''.join(rows)}" if rows else f"{words(schema, root).capitalize()}.\n"


def fields(
    schema: Mapping[str, Any], root: Mapping[str, Any], prefix: str = "", opened: tuple[str, ...] = ()
) -> Iterator[tuple[str, Mapping[str, Any], bool]]:
    """Yield the name, schema and necessity of each field, depth first; what refers to itself is opened once."""
    among = choices(schema, root)
    for part in among:
        reference = part.get("$ref", "")
        if reference in opened:
            continue
        path = (*opened, reference) if reference else opened
        whole = resolved(part, root)
        for name, shape in whole.get("properties", {}).items():
            yield prefix + name, shape, name in whole.get("required", ())
            yield from fields(shape, root, f"{prefix}{name}.", path)
        for key, mark in (("items", "[]."), ("additionalProperties", "{}.")):
            if isinstance(whole.get(key), dict) and whole[key] not in among:  # one, or a list of them, is told once
                yield from fields(whole[key], root, prefix.removesuffix(".") + mark, path)


def choices(schema: Mapping[str, Any], root: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the schemas of which one has to fit; those of a reference stay behind it."""
    among: list[Mapping[str, Any]] = schema.get("anyOf") or schema.get("oneOf") or []
    return [part for one in among for part in choices(one, root)] if among else [schema]


def resolved(schema: Mapping[str, Any], root: Mapping[str, Any]) -> Mapping[str, Any]:
    """Follow a reference within the document."""
    if "$ref" not in schema:
        return schema
    found: Mapping[str, Any] = root
    for word in schema["$ref"].removeprefix("#/").split("/"):
        found = found[word]
    return found


def words(schema: Mapping[str, Any], root: Mapping[str, Any]) -> str:
    """Return the type of a value in words, such as `list of string or null`."""
    found = [word for part in choices(schema, root) for word in kinds(resolved(part, root), root)]
    return " or ".join(dict.fromkeys(found)) or "any"


def kinds(schema: Mapping[str, Any], root: Mapping[str, Any]) -> list[str]:
    """Return the types that a schema without choices names."""
    if "const" in schema:
        return [f"`{json.dumps(schema['const'])}`"]
    if "enum" in schema:
        return ["null" if value is None else f"`{value}`" for value in schema["enum"]]
    if "anyOf" in schema or "oneOf" in schema:
        return [words(schema, root)]
    named = schema.get("type", [])
    types = [named] if isinstance(named, str) else list(named)
    inner = f" of {words(schema['items'], root)}" if isinstance(schema.get("items"), dict) else ""
    return [f"list{inner}" if kind == "array" else kind for kind in types]


def said(schema: Mapping[str, Any]) -> str:
    """Return what a schema says of itself, fit for a cell."""
    text = str(schema.get("description") or schema.get("schema", {}).get("description") or "")
    return " ".join(text.split()).replace("|", "\\|")


def span(schema: Mapping[str, Any]) -> str:
    """Return from where to where a parameter that is a number may go, and what it is unless given."""
    number = next((one for one in (schema, *schema.get("anyOf", ())) if "minimum" in one and "maximum" in one), None)
    if number is None:
        return ""
    unless = f"; {schema['default']:,} unless given" if schema.get("default") is not None else ""
    return f"From {int(number['minimum'])} to {int(number['maximum']):,}{unless}."
