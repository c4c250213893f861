"""A quick yes or no for the few JSON Schema keywords that mfgit's own schemas use.

Thousands of turns and records are read in one command, and `jsonschema` takes about a millisecond for each. So a value is
first asked here; only one that does not fit goes to `jsonschema`, whose word then counts and whose error is shown. A
property test holds the two to the same answers.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any

Fits = Callable[[Any], bool]

TYPES: dict[str, Fits] = {
    "null": lambda value: value is None,
    "boolean": lambda value: isinstance(value, bool),
    "string": lambda value: isinstance(value, str),
    "array": lambda value: isinstance(value, list),
    "object": lambda value: isinstance(value, dict),
    "number": lambda value: isinstance(value, int | float) and not isinstance(value, bool),
    "integer": lambda value: (
        (isinstance(value, int) and not isinstance(value, bool)) or (isinstance(value, float) and value.is_integer())
    ),
}
EXACT: dict[str, type] = {"null": type(None), "boolean": bool, "string": str, "array": list, "object": dict}
"""Types whose values JSON gives one Python type each."""
WORDS = ("$schema", "$id", "title", "description")


def compiled(schema: Mapping[str, Any]) -> Fits:
    """Return a function that says whether a value fits `schema`; raises `KeyError` for a keyword it does not know."""
    tests = [KEYWORDS[name](wanted) for name, wanted in schema.items() if name not in WORDS]
    if len(tests) == 1:
        return tests[0]
    if len(tests) == 2:
        first, second = tests
        return lambda value: first(value) and second(value)
    return lambda value: all(test(value) for test in tests)


def of_type(wanted: str | list[str]) -> Fits:
    """Check `type`: one name, or several of which one must fit."""
    names = [wanted] if isinstance(wanted, str) else wanted
    if all(name in EXACT for name in names):
        kinds = frozenset(EXACT[name] for name in names)
        return lambda value: type(value) in kinds
    tests = [TYPES[name] for name in names]
    return lambda value: any(test(value) for test in tests)


def is_one_of(wanted: list[Any]) -> Fits:
    """Check `enum` of strings and null."""
    return lambda value: any(value is entry or (type(value) is type(entry) and value == entry) for entry in wanted)


def equals(wanted: Any) -> Fits:
    """Check `const` of a string or a number; in JSON 1.0 is 1 and true is not."""
    return lambda value: isinstance(value, bool) == isinstance(wanted, bool) and bool(value == wanted)


def any_of(schemas: list[Mapping[str, Any]]) -> Fits:
    """Check `anyOf`."""
    tests = [compiled(schema) for schema in schemas]
    return lambda value: any(test(value) for test in tests)


def has(names: list[str]) -> Fits:
    """Check `required`."""
    return lambda value: not isinstance(value, dict) or all(name in value for name in names)


def properties(schemas: Mapping[str, Mapping[str, Any]]) -> Fits:
    """Check `properties`."""
    tests = {name: compiled(schema) for name, schema in schemas.items()}

    def fits(value: Any) -> bool:
        if not isinstance(value, dict):
            return True
        return all(name not in tests or tests[name](entry) for name, entry in value.items())

    return fits


def items(schema: Mapping[str, Any]) -> Fits:
    """Check `items`."""
    test = compiled(schema)
    return lambda value: not isinstance(value, list) or all(map(test, value))


def matches(pattern: str) -> Fits:
    """Check `pattern`, searched for as JSON Schema says."""
    search = re.compile(pattern).search
    return lambda value: not isinstance(value, str) or search(value) is not None


def at_least(limit: float) -> Fits:
    """Check `minimum`."""
    return lambda value: not TYPES["number"](value) or value >= limit


def at_most(limit: float) -> Fits:
    """Check `maximum`."""
    return lambda value: not TYPES["number"](value) or value <= limit


def no_shorter(limit: int) -> Fits:
    """Check `minLength`, in characters."""
    return lambda value: not isinstance(value, str) or len(value) >= limit


def no_longer(limit: int) -> Fits:
    """Check `maxLength`, in characters."""
    return lambda value: not isinstance(value, str) or len(value) <= limit


KEYWORDS: dict[str, Callable[[Any], Fits]] = {
    "type": of_type,
    "enum": is_one_of,
    "const": equals,
    "anyOf": any_of,
    "required": has,
    "properties": properties,
    "items": items,
    "pattern": matches,
    "minimum": at_least,
    "maximum": at_most,
    "minLength": no_shorter,
    "maxLength": no_longer,
}
