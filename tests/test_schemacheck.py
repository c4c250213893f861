"""The quick check and `jsonschema` give the same answers for mfgit's own schemas."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from mfgit import model
from mfgit.schemacheck import compiled

scalars = st.none() | st.booleans() | st.integers(-2, 7) | st.sampled_from([0.0, 1.0, 2.5]) | st.sampled_from(
    ["", "up", "down", "rating", "en", "index", "2026-01-31", "2026-01-31T09:30:00Z", "0123456789abcdef", "x" * 401, "a" * 40]
)  # fmt: skip
values = st.recursive(
    scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
)
NAMES = ("turn", "rating", "record")


def objects(schema: Any) -> st.SearchStrategy[Any]:
    """Return objects that have some of a schema's fields, with values that often fit."""
    fields = {name: fitting(part) | values for name, part in schema.get("properties", {}).items()}
    return st.fixed_dictionaries({}, optional=fields)


def fitting(schema: Any) -> st.SearchStrategy[Any]:
    if schema.get("type") == "array":
        return st.lists(fitting(schema.get("items", {})), max_size=2)
    if "properties" in schema:
        return objects(schema)
    return scalars


@pytest.mark.parametrize("name", NAMES)
def test_both_say_the_same_of_anything(name: str) -> None:
    schema = model.schema(name)
    slow, quick = Draft202012Validator(schema), compiled(schema)

    @given(objects(schema) | values)
    def agree(value: Any) -> None:
        assert quick(value) == slow.is_valid(value)

    agree()


def test_a_keyword_it_does_not_know_is_an_error() -> None:
    with pytest.raises(KeyError, match="uniqueItems"):
        compiled({"uniqueItems": True})
