"""Isolation: a question that names a root never sees what lies in another one."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mfgit.errors import BadInput
from mfgit.index.searcher import Searcher
from mfgit.project import Project, views
from mfgit.project.within import both, within
from tests.builders import Workbench
from tests.searching import blob, propose

SETTINGS = """
[[root]]
path = "help"
[[root]]
path = "help/inner"
[[root]]
path = "work/*/notes"
layer = "workspace"
"""
PAGES = {
    "mfgit.toml": SETTINGS,
    "help/vpn.md": "# VPN\n\nThe VPN of the company starts with the laptop.\n",
    "help/inner/vpn.md": "# VPN inside\n\nThe VPN of the inner circle.\n",
    "help-desk/vpn.md": "# VPN desk\n\nNot below a root at all: VPN.\n",
    "work/ann/notes/vpn.md": "# VPN of Ann\n\nAnn's VPN uses the secret gateway zeppelin.\n",
    "work/ann/notes/网络.md": "# 网络\n\n安的内网地址在网关里。\n",
    "work/bob/notes/vpn.md": "# VPN of Bob\n\nBob's VPN uses the gateway on the roof.\n",
    "work/bob/notes/_forged/x-0123456789abcdef.md": "---\nproposal: 0123456789abcdef\nlang: en\n---\n\n# VPN\n\nBob's VPN.\n",
    "work/bobby/notes/vpn.md": "# VPN of Bobby\n\nBobby has a VPN too.\n",
}


@pytest.fixture(scope="module")
def kb(tmp_path_factory: pytest.TempPathFactory) -> Workbench:
    """Pages that came in two commits, so that they stand in the index in another order than in the tree."""
    bench = Workbench.make(tmp_path_factory.mktemp("within") / "kb", {k: v for k, v in PAGES.items() if "bob/" not in k})
    Project.open(bench.path).search("vpn")
    bench.write(PAGES)
    bench.commit()
    return bench


def found(kb: Workbench, question: str, *roots: str, **options: Any) -> set[str]:
    return {hit.passage.path for hit in Project.open(kb.path).search(question, roots=roots, limit=60, **options).hits}


@pytest.mark.parametrize(
    ("roots", "wanted"),
    [
        pytest.param(("help",), {"help/vpn.md"}, id="the-root-inside-is-its-own"),
        pytest.param(("help/inner/",), {"help/inner/vpn.md"}, id="inner-root"),
        pytest.param(("work/bob/notes",), {p for p in PAGES if p.startswith("work/bob/")}, id="workspace-with-overlay"),
        pytest.param(("bob",), {p for p in PAGES if p.startswith("work/bob/")}, id="by-workspace-id"),
        pytest.param(("help", "ann"), {"help/vpn.md", "work/ann/notes/vpn.md"}, id="help-and-a-workspace"),
    ],
)
def test_a_question_sees_the_roots_that_it_names(kb: Workbench, roots: tuple[str, ...], wanted: set[str]) -> None:
    assert found(kb, "VPN", *roots) == wanted


def test_only_and_root_go_together(kb: Workbench) -> None:
    assert found(kb, "VPN", "bob", only="original") == {"work/bob/notes/vpn.md"}


def test_a_word_of_another_workspace_is_no_correction(kb: Workbench) -> None:
    """The note would tell what another workspace has written down."""
    assert "zeppelin" in str(Project.open(kb.path).search("zepelin gateway").note)
    answer = Project.open(kb.path).search("zepelin gateway", roots=("bob",))
    assert "zeppelin" not in str(answer.note)
    nothing = Project.open(kb.path).search("zeppelin", roots=("bob",))
    assert nothing.hits == ()
    assert nothing.note == "No document in work/bob/notes in HEAD holds a word of the question."


def test_problems_of_other_workspaces_are_not_told(tmp_path: Path) -> None:
    kb = Workbench.make(tmp_path / "kb", {**PAGES, "work/ann/notes/index.json": "{", "work/bob/notes/index.json": "["})
    note = str(Project.open(kb.path).search("VPN", roots=("bob",)).note)
    assert "work/bob/notes/index.json" in note
    assert "ann" not in note


@pytest.mark.parametrize(
    ("name", "said"),
    [
        pytest.param("work/bop/notes", "nearest is work/bob/notes", id="nearest"),
        pytest.param("xyz", "There are help, help/inner", id="all"),
    ],
)
def test_an_unknown_root_is_named_with_the_nearest(kb: Workbench, name: str, said: str) -> None:
    with pytest.raises(BadInput, match=f"no knowledge root {name}") as caught:
        Project.open(kb.path).search("VPN", roots=(name,))
    assert said in str(caught.value.hint)


def test_a_workspace_id_of_two_roots_must_be_a_path(tmp_path: Path) -> None:
    settings = '[[root]]\npath = "a/*"\nlayer = "workspace"\n[[root]]\npath = "b/*"\nlayer = "workspace"\n'
    kb = Workbench.make(tmp_path / "kb", {"mfgit.toml": settings, "a/x/p.md": "# P\n\nvpn\n", "b/x/p.md": "# P\n\nvpn\n"})
    with pytest.raises(BadInput, match="several roots"):
        found(kb, "vpn", "x")
    assert found(kb, "vpn", "b/x") == {"b/x/p.md"}


def test_the_top_as_a_root_leaves_roots_below_it_out(tmp_path: Path) -> None:
    settings = '[[root]]\npath = "."\n[[root]]\npath = "work/*"\nlayer = "workspace"\n'
    kb = Workbench.make(tmp_path / "kb", {"mfgit.toml": settings, "p.md": "# P\n\nvpn\n", "work/x/p.md": "# P\n\nvpn\n"})
    assert found(kb, "vpn", ".") == {"p.md"}
    assert found(kb, "vpn") == {"p.md", "work/x/p.md"}


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(roots=st.sets(st.sampled_from(["help", "help/inner", "ann", "bob", "bobby"]), min_size=1))
def test_any_choice_of_roots_sees_each_page_of_theirs_and_none_else(kb: Workbench, roots: set[str]) -> None:
    project = Project.open(kb.path)
    where = views.locate(project)
    paths = {"ann": "work/ann/notes", "bob": "work/bob/notes", "bobby": "work/bobby/notes"}
    every = {"help", "help/inner", *paths.values()}

    def look(searcher: Searcher) -> None:
        seen = within(project, where, searcher, sorted(roots))
        for place, shown in enumerate(seen.mask):
            path = searcher.passage(place).path
            holding = max((root for root in every if path.startswith(f"{root}/")), key=len, default="")
            assert bool(shown) == (holding in {paths.get(root, root) for root in roots}), path

    views.using(project, where, look)


@given(st.integers(0, 40).flatmap(lambda n: st.tuples(*[st.lists(st.booleans(), min_size=n, max_size=n)] * 2)))
def test_two_masks_leave_what_both_have(masks: tuple[list[bool], list[bool]]) -> None:
    one, other = map(bytes, masks)
    assert both(one, other) == bytes(a and b for a, b in zip(one, other, strict=True))
    assert both(None, one) == both(one, None) == one


def test_a_follow_up_is_found_by_the_turn_before_and_says_so(kb: Workbench) -> None:
    search = Project.open(kb.path).search
    assert "work/bob/notes/vpn.md" in found(kb, "where is it?", history=["Which gateway does Bob's VPN use?"])
    answer = search("where is it?", history=["Which gateway does Bob's VPN use?"])
    assert answer.note == "Read as a follow-up to “Which gateway does Bob's VPN use?”."
    chinese = search("那怎么看？", history=["安的内网地址"])
    assert chinese.hits[0].passage.path == "work/ann/notes/网络.md"


ASKED = "Which gateway does Bob's VPN use?"
PARTS = [{"type": "text", "text": "Which gateway does"}, {"type": "image_url", "image_url": {"url": "x"}}, "Bob's VPN use?"]


@pytest.mark.parametrize(
    "history",
    [
        pytest.param([ASKED], id="texts"),
        pytest.param([{"role": "user", "content": ASKED}, {"role": "assistant", "content": None}], id="messages"),
        pytest.param([{"role": "user", "content": PARTS}, {"role": "assistant", "content": PARTS[1:2]}], id="parts"),
        pytest.param([ASKED, {"role": "user", "content": PARTS[1:2]}], id="a-picture-alone"),
    ],
)
def test_a_history_comes_as_texts_or_as_messages(kb: Workbench, history: list[object]) -> None:
    ran = kb.mfgit("search", "where is it?", "--history", "-", "--json", stdin=json.dumps(history)).json()
    assert ran["note"] == f"Read as a follow-up to “{ASKED}”."


@pytest.mark.parametrize(
    ("history", "said"), [("[3]", "Entry 1 of"), ('[["x"]]', "Entry 1 of"), ("{}", "not a list"), ("[", "JSON")]
)
def test_a_history_that_is_none_is_refused(kb: Workbench, history: str, said: str) -> None:
    ran = kb.mfgit("search", "where is it?", "--history", "-", stdin=history)
    assert (ran.code, said in ran.err) == (2, True), ran.err


def test_a_question_that_stands_by_itself_finds_the_same_with_and_without_a_history(kb: Workbench) -> None:
    search = Project.open(kb.path).search
    for question in ("VPN of the inner circle", "Which gateway is on the roof?", "内网地址是什么"):
        assert search(question) == search(question, history=["Ann's secret gateway", "安的内网地址"])


def test_a_proposal_is_seen_below_its_own_root_only(tmp_path: Path) -> None:
    kb = Workbench.make(tmp_path / "kb", {"mfgit.toml": '[[root]]\npath = "."\n[[root]]\npath = "in"\n', "a.md": "# A\n\nvpn\n",
                                          "in/b.md": "# B\n\nvpn\n"})  # fmt: skip
    path = propose(kb, "0123456789abcdef", "VPN at night", "The vpn sleeps.", [blob(kb, "a.md")])
    assert path in found(kb, "vpn", ".", with_id="0123456789abcdef")
    assert found(kb, "vpn", "in", with_id="0123456789abcdef") == {"in/b.md"}
