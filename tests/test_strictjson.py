"""JSON is read strictly: what Python's own reader lets through by courtesy is refused."""

import json
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from mfgit import strictjson
from mfgit.errors import BadInput
from mfgit.strictjson import Node


def read(data: bytes) -> tuple[str, Node]:
    text = strictjson.decode(data, "x.json")
    return text, strictjson.parse(text, "x.json")


def value(text: str, node: Node) -> Any:
    """Return what a node says, in Python's values."""
    if node.kind == "object":
        return {key: value(text, item) for key, (_, item) in node.members.items()}
    if node.kind == "array":
        return [value(text, item) for item in node.items]
    return node.string if node.kind == "string" else json.loads(text[node.start : node.end])


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "line 1, column 1"),
        (b"{", "a key in quotes"),
        (b'{"a" 1}', "colon"),
        (b'{"a": 1 "b"}', "comma"),
        (b"[1 2]", "comma"),
        (b"[1,]", "column 4"),
        (b'{"a": 1,}', "key in quotes"),
        (b'{"a": 1, "\\u0061": 2}', "'a' occurs twice"),
        (b"{}\n{}", "behind the value at line 2, column 1"),
        (b"NaN", "none that JSON knows"),
        (b"-Infinity", "none that JSON knows"),
        (b"01", "none that JSON knows"),
        (b"-", "none that JSON knows"),
        (b"1.", "digit"),
        (b"1e", "digit"),
        (b"1" * 301, "too long"),
        (b'"abc', "no end"),
        (b'"a\tb"', "control character"),
        (b'"\\x"', "backslash"),
        (b'"\\u12g4"', "backslash"),
        (b'"\\u12"', "backslash"),
        (b'"\\ud800"', "surrogate"),
        (b'"\\udc00"', "surrogate"),
        (b'"\\ud800\\u0041"', "surrogate"),
        (b"[" * 65 + b"]" * 65, "deeply"),
        (b"\xff", "UTF-8"),
        (b"\xef\xbb\xbf{}", "byte order mark"),
        ('{"a": 1}'.encode("utf-16"), "UTF-8"),
        (b"\x0c{}", "none that JSON knows"),
    ],
)
def test_what_is_not_strict_json_is_refused_with_its_place(data: bytes, said: str) -> None:
    with pytest.raises(BadInput, match=said):
        read(data)


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4),
    max_leaves=12,
)


@given(anything, st.booleans(), st.sampled_from([None, 0, 2, "\t"]))
@example('\U0001f600 \x7f / \\ "', True, None)
def test_it_agrees_with_the_standard_library_on_what_that_writes(said: Any, ascii_only: bool, indent: int | str | None) -> None:
    data = json.dumps(said, ensure_ascii=ascii_only, indent=indent).encode("utf-8", "surrogatepass")
    text, node = read(data)
    assert value(text, node) == said
    assert text[node.start : node.end] == text


@given(st.text('{}[]",:\\u0d8e1.-+ntrue \n', max_size=24))
def test_it_never_accepts_what_the_standard_library_refuses(text: str) -> None:
    try:
        node = strictjson.parse(text, "x.json")
    except BadInput:
        return
    assert value(text, node) == json.loads(text)


def test_members_are_found_by_key() -> None:
    _, node = read(b'{"a": "x"}')
    found = node.member("a")
    assert found is not None
    assert found.string == "x"
    assert node.member("b") is None
