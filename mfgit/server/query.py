"""Query parameters that an address does not have, or not so often: passed over, they would answer another question."""

import difflib
from collections import Counter

from fastapi import Request

from mfgit.server.problems import Failure


def known(request: Request) -> None:
    """Raise a 422 for a parameter that the OpenAPI document does not have at this address, or has once and that comes again."""
    operation = request.app.openapi()["paths"][request.scope["route"].path_format][request.method.lower()]
    taken = {each["name"]: each["schema"] for each in operation.get("parameters", ()) if each["in"] == "query"}
    counts = Counter(name for name, _ in request.query_params.multi_items())
    for given, count in counts.items():
        if given not in taken:
            raise Failure(422, f"The query has a parameter that is not known here: {shown(given)}.", hint(given, [*taken]))
        if count > 1 and taken[given].get("type") != "array":
            raise Failure(422, f"The query has the parameter {given} {count} times.", "Give it once.")


def shown(given: str) -> str:
    """Return the beginning of a name, on one line and without what a reader does not see."""
    return "".join(character if character.isprintable() else "\N{REPLACEMENT CHARACTER}" for character in given[:40])


def hint(given: str, names: list[str]) -> str:
    """Return which name was meant, or which there are."""
    near = difflib.get_close_matches(given.lower(), names, 1, 0.5)
    if near:
        return f"Did you mean {near[0]}?"
    return f"There are {', '.join(names)}." if names else "This address takes none."
