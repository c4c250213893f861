"""`index.json` is changed at its aliases and nowhere else."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mfgit import aliases
from mfgit.errors import BadInput

WHERE = "help/index.json"
DOCS = json.dumps(
    {
        "version": 1,
        "docs": [
            {"path": "install.md", "title": "Install", "weight": 10, "aliases": ["how to install", "setup"]},
            {"path": "guide.md", "title": "Guide", "weight": 0.5, "aliases": []},
            {"path": "安装.md", "title": "安装", "aliases": ["怎么安装"]},
            {"path": "bare.md", "title": "No list"},
        ],
    },
    ensure_ascii=False,
    indent=2,
).encode()
MAP = b'{ "team" : "Docs",\n   "order":["b", "a"],\n  "aliases": {\n    "where": "help/b.md"\n  },\n  "note": "by hand"   }\n'


def lists(data: bytes) -> dict[str, tuple[str, ...]]:
    return {entry.path: entry.aliases for entry in aliases.parse(data, WHERE).documents}


# ---- reading


def test_the_docs_shape_is_read_with_titles_and_in_order() -> None:
    assert aliases.parse(DOCS, WHERE) == aliases.Aliases(
        "docs",
        (
            aliases.Document("install.md", "Install", ("how to install", "setup")),
            aliases.Document("guide.md", "Guide", ()),
            aliases.Document("安装.md", "安装", ("怎么安装",)),
            aliases.Document("bare.md", "No list", ()),
        ),
    )


def test_the_map_shape_is_read_by_page() -> None:
    two = MAP.replace(b'"where": "help/b.md"', b'"where": "help/b.md", "b": "c.md", "which": "help/b.md"')
    assert aliases.parse(two, WHERE) == aliases.Aliases(
        "map", (aliases.Document("help/b.md", "", ("where", "which")), aliases.Document("c.md", "", ("b",)))
    )


@pytest.mark.parametrize(
    "data", [b"[]", b"7", b"{}", b'{"docs": {}}', b'{"aliases": []}', b'{"aliases": {"page.md": ["x"]}}', b'{"docs": null}']
)
def test_other_valid_json_has_no_place_for_aliases(data: bytes) -> None:
    assert aliases.parse(data, WHERE) == aliases.Aliases("none", ())
    assert aliases.outside(data, WHERE) == data
    assert aliases.edit(data, {}, WHERE) == data
    with pytest.raises(BadInput, match="no place for aliases"):
        aliases.edit(data, {"a.md": ["x"]}, WHERE)


@pytest.mark.parametrize("data", [b'{"docs": [{"path": "a", "aliases": ["x", 7]}]}', b'{"aliases": {"x": "a.md", "y": 7}}'])
def test_an_alias_that_is_no_string_is_named_with_its_line(data: bytes) -> None:
    with pytest.raises(BadInput, match="line 1"):
        aliases.parse(data, WHERE)


# ---- outside


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b'"setup"', b'"setup", "x"'),
        (b'"how to install",\n        "setup"', b""),
        (b'"aliases": []', b'"aliases": ["x"]'),
    ],
    ids=["added", "emptied", "first"],
)
def test_alias_values_do_not_count_as_outside(old: bytes, new: bytes) -> None:
    assert old in DOCS
    assert aliases.outside(DOCS.replace(old, new, 1), WHERE) == aliases.outside(DOCS, WHERE)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b'"version": 1', b'"version": true'),
        (b'"version": 1', b'"version": 1.0'),
        (b'"aliases": []', b'"aliases": null'),
        (b'0.5,\n      "aliases": []', b"0.5"),
        (b'"title": "No list"', b'"title": "No list", "aliases": []'),
        (b'"version": 1,', b'"version": 1, "aliases": ["x"],'),
        (b'"version"', b'"versi\\u006fn"'),
        (b"\n", b"\r\n"),
    ],
)
def test_everything_else_counts_as_outside(old: bytes, new: bytes) -> None:
    assert old in DOCS
    assert aliases.outside(DOCS.replace(old, new, 1), WHERE) != aliases.outside(DOCS, WHERE)


def test_the_whole_map_is_the_area_of_the_map_shape() -> None:
    assert aliases.outside(MAP, WHERE) == MAP.replace(b'{\n    "where": "help/b.md"\n  }', b"\0")


# ---- edit


def test_a_new_alias_is_sorted_in_and_taken_out_again() -> None:
    more = aliases.edit(DOCS, {"install.md": ["how to install", "setup", "install how"]}, WHERE)
    assert more == DOCS.replace(b'"setup"', b'"install how",\n        "setup"')
    assert aliases.edit(more, {"install.md": ["setup", "how to install"]}, WHERE) == DOCS


def test_an_unsorted_list_is_appended_to_and_entries_keep_their_bytes() -> None:
    data = DOCS.replace(b'"how to install",\n        "setup"', b'"z\\u0061",\n        "setup"')
    assert aliases.edit(data, {"install.md": ["b", "za", "setup"]}, WHERE) == data.replace(b'"setup"', b'"setup",\n        "b"')


def test_the_first_alias_of_an_empty_list_takes_the_indentation_of_the_file() -> None:
    more = aliases.edit(DOCS, {"guide.md": ['say "hi"', "a\\b"]}, WHERE)
    assert b'"aliases": [\n        "a\\\\b",\n        "say \\"hi\\""\n      ]' in more
    assert aliases.edit(more, {"guide.md": []}, WHERE) == DOCS


@pytest.mark.parametrize("newline", [b"\n", b"\r\n"])
@pytest.mark.parametrize("indent", [b" ", b"    ", b"\t"])
def test_any_indentation_and_line_ending_is_kept(newline: bytes, indent: bytes) -> None:
    data = DOCS.replace(b"  ", indent).replace(b"\n", newline)
    more = aliases.edit(data, {"guide.md": ["x"], "install.md": ["a", "how to install", "setup"]}, WHERE)
    assert newline + indent * 4 + b'"x"' + newline + indent * 3 + b"]" in more
    assert aliases.edit(more, {"guide.md": [], "install.md": ["how to install", "setup"]}, WHERE) == data


def test_a_file_without_indentation_gets_two_blanks() -> None:
    data = b'{\n"aliases": {}\n}\n'
    assert aliases.edit(data, {"a.md": ["x"]}, WHERE) == b'{\n"aliases": {\n  "x": "a.md"\n}\n}\n'


@pytest.mark.parametrize(
    "data",
    [
        b'{"docs":[{"path":"a.md","aliases":[]}]}',
        b'{"docs":[{"path":"a.md","aliases":["b", "d"]}]}\n',
        b'{\n "docs": [\n  {"path": "a.md", "aliases": ["b", "d"]}]}\n',
    ],
    ids=["minified", "one line", "short list on one line"],
)
def test_a_list_on_one_line_stays_on_one(data: bytes) -> None:
    old = lists(data)["a.md"]
    more = aliases.edit(data, {"a.md": [*old, "c"]}, WHERE)
    assert more.count(b"\n") == data.count(b"\n")
    assert lists(more)["a.md"] == tuple(sorted([*old, "c"]))
    assert aliases.edit(more, {"a.md": old}, WHERE) == data


def test_entries_that_share_the_line_of_the_bracket_are_laid_out_again() -> None:
    data = b'{\n  "docs": [\n    {"path": "a.md",\n     "aliases": ["a",\n        "c"]}\n  ]\n}\n'
    assert aliases.edit(data, {"a.md": ["a", "b", "c"]}, WHERE) == data.replace(
        b'["a",\n        "c"]', b'[\n       "a",\n       "b",\n       "c"\n     ]'
    )


def test_the_map_takes_phrases_of_several_pages() -> None:
    more = aliases.edit(MAP, {"help/b.md": ["where", "wo"], "help/c.md": ["an"]}, WHERE)
    assert more == MAP.replace(b'"where": "help/b.md"', b'"an": "help/c.md",\n    "where": "help/b.md",\n    "wo": "help/b.md"')
    assert aliases.edit(more, {"help/b.md": ["where"], "help/c.md": []}, WHERE) == MAP
    assert b'"aliases": {},' in aliases.edit(MAP, {"help/b.md": []}, WHERE)


def test_an_empty_map_is_filled_and_emptied_again() -> None:
    data = b'{\n  "title": "Greenhouse",\n  "aliases": {}\n}\n'
    more = aliases.edit(data, {"a.md": ["x"]}, WHERE)
    assert more == b'{\n  "title": "Greenhouse",\n  "aliases": {\n    "x": "a.md"\n  }\n}\n'
    assert aliases.edit(more, {"a.md": []}, WHERE) == data


@pytest.mark.parametrize(
    ("data", "wanted", "said"),
    [
        (DOCS, {"ghost.md": ["x"]}, "no alias list for ghost.md"),
        (DOCS, {"bare.md": ["x"]}, "no alias list for bare.md"),
        (b'{"docs": [{"path": "a", "aliases": []}, {"path": "a", "aliases": []}]}', {"a": ["x"]}, "no alias list for a"),
        (DOCS, {"guide.md": [" "]}, "is blank"),
        (DOCS, {"guide.md": ["a\nb"]}, "control"),
        (MAP, {"help/c.md": ["where"]}, "already leads to help/b.md"),
        (MAP, {"help/c.md": ["x"], "d.md": ["x"]}, "already leads to"),
    ],
)
def test_what_has_no_place_is_refused(data: bytes, wanted: dict[str, list[str]], said: str) -> None:
    with pytest.raises(BadInput, match=said):
        aliases.edit(data, wanted, WHERE)


def test_no_change_keeps_every_byte() -> None:
    for data in (DOCS, MAP):
        assert aliases.edit(data, {page: said for page, said in lists(data).items() if said}, WHERE) == data


def test_an_unusual_alias_of_the_team_may_stay() -> None:
    data = DOCS.replace(b'"setup"', b'"setup", " "')
    assert lists(aliases.edit(data, {"install.md": ["a", "how to install", "setup", " "]}, WHERE))["install.md"][-1] == "a"


# ---- merge


def with_lists(**said: list[str]) -> bytes:
    docs = [{"path": page, "title": page, "aliases": aliases} for page, aliases in said.items()]
    return json.dumps({"docs": docs}, indent=2).encode() + b"\n"


def test_both_sides_of_a_merge_keep_their_additions_and_removals() -> None:
    base = with_lists(a=["one", "two", "three"], b=["x"])
    ours = with_lists(a=["mine", "one", "two", "three"], b=["x"])
    theirs = with_lists(a=["one", "three", "yours"], b=[])
    assert lists(aliases.merge(base, ours, theirs, WHERE)) == {"a": ("mine", "one", "three", "yours"), "b": ()}


def test_a_page_that_ours_dropped_gets_nothing() -> None:
    base = with_lists(a=["one"], b=["x"])
    assert aliases.merge(base, with_lists(a=["one"]), with_lists(a=["one"], b=["x", "y"]), WHERE) == with_lists(a=["one"])


def test_a_phrase_that_ours_leads_elsewhere_stays_there() -> None:
    def mapped(**said: str) -> bytes:
        return json.dumps({"aliases": said}, indent=2).encode()

    merged = aliases.merge(mapped(a="1"), mapped(a="1", b="2"), mapped(a="1", b="3", c="3"), WHERE)
    assert merged == mapped(a="1", b="2", c="3")
    assert aliases.merge(mapped(a="1"), mapped(a="1"), mapped(a="2"), WHERE) == mapped(a="2")


names = st.text("abcé安 ", min_size=1, max_size=4).filter(str.strip)
tables = st.lists(st.lists(names, unique=True, max_size=5), min_size=1, max_size=4)


def laid_out(table: list[list[str]], *, ordered: bool) -> bytes:
    docs = [{"path": f"{n}.md", "aliases": sorted(said) if ordered else said} for n, said in enumerate(table)]
    return (json.dumps({"version": 1, "docs": docs}, ensure_ascii=False, indent=2) + "\n").encode()


@given(tables, st.lists(names, unique=True, max_size=4))
def test_adding_and_removing_gives_the_same_bytes(table: list[list[str]], more: list[str]) -> None:
    data = laid_out(table, ordered=True)
    old = lists(data)["0.md"]
    new = aliases.edit(data, {"0.md": [*old, *more]}, WHERE)
    assert json.loads(new)["docs"][0]["aliases"] == sorted({*old, *more})
    assert aliases.outside(new, WHERE) == aliases.outside(data, WHERE)
    assert aliases.edit(new, {"0.md": old}, WHERE) == data


@given(tables, tables, tables)
def test_a_merge_is_the_formula(base: list[list[str]], ours: list[list[str]], theirs: list[list[str]]) -> None:
    old, mine, new = (laid_out(table, ordered=False) for table in (base, ours, theirs))
    merged = lists(aliases.merge(old, mine, new, WHERE))
    for page, said in lists(mine).items():
        was, now = set(lists(old).get(page, ())), set(lists(new).get(page, ()))
        assert set(merged[page]) == (set(said) - (was - now)) | (now - was)


@pytest.mark.parametrize(
    ("said", "why"),
    [
        (["fine", "也好", "emoji ❤️"], []),
        (["", "　"], ["is blank", "is blank"]),
        (["x" * 201], ["longer than 200"]),
        (["a\u202eb"], ["bidirectional"]),
        (["a\u200bb"], ["zero-width"]),
        (["a\ud800"], ["control"]),
        (["tag\U000e0041"], ["control"]),
        (["a", "b", "a"], ["'a' is there twice"]),
        ([str(n) for n in range(201)], ["201 aliases"]),
    ],
    ids=lambda value: "",
)
def test_the_rules_of_an_alias_list(said: list[str], why: list[str]) -> None:
    found = aliases.faults(said)
    assert len(found) == len(why)
    for sentence, part in zip(found, why, strict=True):
        assert part in sentence
