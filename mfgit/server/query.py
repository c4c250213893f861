"""Query parameters that an address does not have: passed over, they would give an answer to another question."""

import difflib

from fastapi import Request

from mfgit.server.problems import Failure


def known(request: Request) -> None:
    """Raise a 422 that names the nearest one for a parameter that the OpenAPI document does not have at this address."""
    operation = request.app.openapi()["paths"][request.scope["route"].path_format][request.method.lower()]
    names = [each["name"] for each in operation.get("parameters", ()) if each["in"] == "query"]
    for given in request.query_params:
        if given not in names:
            raise Failure(422, f"The query has a parameter that is not known here: {shown(given)}.", hint(given, names))


def shown(given: str) -> str:
    """Return the beginning of a name, on one line and without what a reader does not see."""
    return "".join(character if character.isprintable() else "\N{REPLACEMENT CHARACTER}" for character in given[:40])


def hint(given: str, names: list[str]) -> str:
    """Return which name was meant, or which there are."""
    near = difflib.get_close_matches(given.lower(), names, 1, 0.5)
    if near:
        return f"Did you mean {near[0]}?"
    return f"There are {', '.join(names)}." if names else "This address takes none."
