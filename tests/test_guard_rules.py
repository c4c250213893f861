"""The pure parts of the guard against tables and against slow second opinions."""

import json
import re
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mfgit import aliases
from mfgit.errors import BadInput
from mfgit.guard import changes, commits, gather, rules
from mfgit.guard import policy as kinds
from mfgit.guard.changes import ABSENT, Change, Diff, Merged
from mfgit.guard.policy import Policy
from mfgit.guard.rules import MACHINE, Contents, Step, Violation
from mfgit.plumbing import Git, GitFailedError, Objects
from mfgit.sections import ArchiveConfig, Config, GuardConfig, RootPattern
from tests.guarding import Guarded

ROOTS = (
    RootPattern("help", "help"),
    RootPattern("help/team", "help"),
    RootPattern("ws/*/knowledge", "workspace"),
    RootPattern("知识库", "help"),
)
POLICY = Policy(Config(roots=ROOTS, configured=True), "refs/heads/main", None)
WHOLE = Policy(Config(configured=True), None, None)

# ---- what a path is


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("help/a.md", kinds.ORIGINAL),
        ("help/sub/A.MARKDOWN", kinds.ORIGINAL),
        ("help/a.md.", kinds.ORIGINAL),
        ("HELP/a.md", kinds.ORIGINAL),
        ("help/_forged/a.md", kinds.OVERLAY),
        ("help/_forged/sub/a.png", kinds.OVERLAY),
        ("help/_forged", kinds.FORGED),
        ("help/_FORGED", kinds.FORGED),
        ("help/_Forged/a.md", kinds.ORIGINAL),
        ("Help/_forged/a.md", kinds.ORIGINAL),
        ("help/_forgedx/a.md", kinds.ORIGINAL),
        ("help/x/_forged/a.md", kinds.ORIGINAL),
        ("help/_f\u043erged/a.md", kinds.ORIGINAL),
        ("help/index.json", kinds.ALIASES),
        ("help/INDEX.json", kinds.ORIGINAL),
        ("Help/index.json", kinds.ORIGINAL),
        ("help/sub/index.json", kinds.OTHER),
        ("help/a.png", kinds.OTHER),
        ("help/team/_forged/a.md", kinds.OVERLAY),
        ("help/team/index.json", kinds.ALIASES),
        ("help/team", kinds.ROOT),
        ("help", kinds.ROOT),
        ("HELP", kinds.ROOT),
        ("ws", kinds.ROOT),
        ("ws/anything", kinds.ROOT),
        ("ws/any/knowledge", kinds.ROOT),
        ("ws/any/knowledge/a.md", kinds.ORIGINAL),
        ("ws/any/KNOWLEDGE/a.md", kinds.ORIGINAL),
        ("ws/any/knowledge/_forged/a.md", kinds.OVERLAY),
        ("ws/any/notes/a.md", kinds.OTHER),
        ("知识库/a.md", kinds.ORIGINAL),
        ("helper/a.md", kinds.OTHER),
        ("a.md", kinds.OTHER),
        ("_forged/a.md", kinds.OTHER),
        ("mfgit.toml", kinds.SETTINGS),
        ("MFGIT.toml", kinds.SETTINGS),
        ("sub/mfgit.toml", kinds.OTHER),
        ("sub/.GitAttributes", kinds.SETTINGS),
        ("help/_forged/.gitattributes", kinds.SETTINGS),
        (".gitmodules", kinds.SETTINGS),
        ("tmp/memoryforge/chat-archive/2026-10-05.jsonl", kinds.ARCHIVE),
        ("Tmp/MemoryForge/conversation_archive/sessions/2026-10/a.json", kinds.ARCHIVE),
        ("tmp/memoryforge/chat-archive/.gitignore", kinds.OTHER),
        ("tmp/memoryforge/chat-archive", kinds.OTHER),
        ("tmp/memoryforge/chat-archives/a", kinds.OTHER),
    ],
)
def test_what_a_path_is(path: str, kind: str) -> None:
    assert POLICY.kind(path) == kind


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("a.md", kinds.ORIGINAL),
        ("_forged/a.md", kinds.OVERLAY),
        ("index.json", kinds.ALIASES),
        ("_forged", kinds.FORGED),
        ("x", kinds.OTHER),
    ],
)
def test_what_a_path_is_where_the_whole_repository_is_one_root(path: str, kind: str) -> None:
    assert WHOLE.kind(path) == kind


@pytest.mark.parametrize(
    ("folder", "path", "kind"),
    [
        ("logs", "logs/a.jsonl", kinds.ARCHIVE),
        ("./logs/", "logs/a.jsonl", kinds.ARCHIVE),
        ("help/聊天", "help/聊天/a.jsonl", kinds.ARCHIVE),
        ("help/logs", "help/logs/a.md", kinds.ORIGINAL),
        (".", "a.jsonl", kinds.OTHER),
        ("../logs", "logs/a.jsonl", kinds.OTHER),
        ("/logs", "logs/a.jsonl", kinds.OTHER),
    ],
)
def test_the_archives_folders_are_those_of_the_settings(folder: str, path: str, kind: str) -> None:
    assert Policy(POLICY.config._replace(archive=ArchiveConfig(folder, folder)), None, None).kind(path) == kind


NESTED = Policy(
    Config(roots=(RootPattern("kb", "help"), RootPattern("kb/Team", "help"), RootPattern("kb/TEAM", "help"))), None, None
)
INSIDE = Policy(Config(roots=(RootPattern(".", "help"), RootPattern("help", "help"))), None, None)
BROKEN = Policy(Config(configured=True), None, None, BadInput("no settings"))


@pytest.mark.parametrize(
    ("policy", "path", "kind"),
    [
        (NESTED, "kb/team/index.json", kinds.ORIGINAL),
        (NESTED, "kb/team/_forged", kinds.FORGED),
        (NESTED, "kb/TEAM/index.json", kinds.ALIASES),
        (NESTED, "kb/Team/_forged/a.md", kinds.OVERLAY),
        (NESTED, "kb/_forged/a.md", kinds.OVERLAY),
        (NESTED, "KB/index.json", kinds.ORIGINAL),
        (INSIDE, "Help/index.json", kinds.ORIGINAL),
        (INSIDE, "Help/_forged", kinds.FORGED),
        (INSIDE, "help/index.json", kinds.ALIASES),
        (INSIDE, "index.json", kinds.ALIASES),
        (BROKEN, "index.json", kinds.ORIGINAL),
        (BROKEN, "a/b/Index.JSON", kinds.ORIGINAL),
        (BROKEN, "a/_Forged", kinds.FORGED),
        (BROKEN, "a/b.py", kinds.OTHER),
    ],
)
def test_the_deepest_root_decides_and_without_settings_every_folder_may_be_one(policy: Policy, path: str, kind: str) -> None:
    assert policy.kind(path) == kind


def test_who_is_the_machine() -> None:
    held = Policy(Config(guard=GuardConfig(machine_emails=("Bot@x",), machine_actors=("bot",))), None, None)
    assert held.is_machine(" bot@X ")
    assert not held.is_machine("")
    assert held.is_machine_actor("BOT")
    assert not held.is_machine_actor("")


# ---- raw trees and raw diffs


def raw_tree(*entries: tuple[str, str]) -> bytes:
    return b"".join(f"{mode} {name}".encode("utf-8", "surrogateescape") + b"\0" + b"\1" * 20 for mode, name in entries)


@pytest.mark.parametrize(
    ("entries", "said"),
    [
        ([("100644", "a"), ("40000", "b"), ("100644", "b.md")], "is not in order"),
        ([("100644", "a"), ("100644", "b.md"), ("40000", "b")], ""),
        ([("100644", "b"), ("100644", "a")], "is not in order"),
        ([("100644", "a"), ("40000", "a")], "'a' twice"),
        ([("100644", "..")], "that no folder may have"),
        ([("40000", ".GIT")], "that no folder may have"),
        ([("100644", "a/b")], "that no folder may have"),
        ([("100644", "")], "that no folder may have"),
        ([("100644", "\udcff"), ("120000", "\udcff\udcfe")], ""),
    ],
)
def test_a_tree_that_git_would_not_write_is_found(entries: list[tuple[str, str]], said: str) -> None:
    found = changes.read_tree(raw_tree(*entries), 20)
    assert [name.decode("utf-8", "surrogateescape") for name in found.names] == [name for _, name in entries]
    assert [key.endswith(b"/") for key in found.keys] == [mode == "40000" for mode, _ in entries]
    fault = changes.tree_fault(found)
    assert said in fault
    assert bool(said) == bool(fault)


def test_a_tree_that_is_cut_off_is_a_violation() -> None:
    data = raw_tree(("100644", "a"))[:-1]
    with pytest.raises(ValueError, match="cut off"):
        changes.read_tree(data, 20)
    step = Step(Diff((), {"src": "1" * 40}), "2" * 40, rules.HUMAN)
    assert rules.judge(step, POLICY, Contents({}, {}, {"1" * 40: None}, lambda *_: True)) == [
        Violation("src", "tree", "is a folder that is damaged")
    ]


modes = st.sampled_from(["000000", "100644", "100755", "120000", "160000", "040000"])
names = st.binary(min_size=1, max_size=12).map(lambda name: name.replace(b"\0", b"\n"))
records = st.lists(st.tuples(modes, modes, names), max_size=6)


@given(st.lists(records, min_size=1, max_size=4))
def test_raw_records_are_read_back_whatever_a_name_holds(pairs: list[list[tuple[str, str, bytes]]]) -> None:
    out, asked = b"", []
    for number, listed in enumerate(pairs):
        asked.append((f"{number:040x}", "f" * 40))
        out += f"{number:040x} {'f' * 40}\n".encode()
        for old, new, name in listed:
            out += f":{old} {new} {'a' * 40} {'b' * 40} M".encode() + b"\0" + name + b"\0"
    for listed, found in zip(pairs, changes.read_answer(out, asked, headers=True).values(), strict=True):
        plain = [entry for entry in listed if "040000" not in entry[:2]]
        assert [(one.old_mode, one.new_mode, one.path.encode("utf-8", "surrogateescape")) for one in found.changes] == plain
        assert set(found.folders) - {""} == {
            name.decode("utf-8", "surrogateescape") for _, new, name in listed if new == "040000"
        }


def test_an_answer_to_another_question_is_not_taken() -> None:
    with pytest.raises(GitFailedError, match="something else"):
        changes.read_answer(b"", [("a", "b")], headers=True)
    for cut_off in (b":100644 100644 a b M", b":100644\0x\0", b":100644 100644 a b M\0x\0more"):
        with pytest.raises(GitFailedError, match="something else"):
            changes.read_answer(cut_off, [("a", "b")], headers=False)


class Lying(Git):
    """A Git whose every answer is given."""

    def __init__(self, answer: bytes) -> None:
        super().__init__()
        self.answer = answer

    def out(self, *args: str | bytes, stdin: bytes | None = None, environment: Mapping[str, str] | None = None) -> bytes:
        return self.answer


def test_a_log_that_does_not_add_up_cannot_be_judged() -> None:
    with pytest.raises(BadInput, match="holds a NUL"):
        commits.log(Lying(b"a\0b\0"), "HEAD", [])


def test_a_landing_that_conflicts_shows_what_the_branch_changed() -> None:
    merged = Merged("t", {"a": {"1": ("100644", "x"), "2": ("100644", "y"), "3": ("100755", "z")}, "b": {"3": ("100644", "n")}})
    found = Diff((Change("a", "100644", "100644", "y", "markers"), Change("c", ABSENT, "100644", "", "k")), {})
    assert changes.landing_changes(found, merged).changes == (
        Change("c", ABSENT, "100644", "", "k"),
        Change("a", "100644", "100755", "x", "z"),
        Change("b", ABSENT, "100644", "", "n"),
    )


# ---- the machine lane against a slow second opinion

FOLDERS = ["help", "HELP", "team", "ws", "w1", "knowledge", "知识库", "_forged", "_Forged", "_forged.md", "x"]
ODD = [".x", "x ", "con", "a\nb", "e\u0301", "\udcff", "a:b", "x" * 201]
components = st.sampled_from([*FOLDERS, *ODD])
leaves = st.sampled_from(
    ["a.md", "A.md", "a.json", "a.MD", "index.json", "Index.json", "mfgit.toml", ".gitattributes", "a", "b.png", "a.md "]
)
paths = st.tuples(st.lists(components, max_size=4), leaves).map(lambda pair: "/".join([*pair[0], pair[1]]))
NAME = r"(?!\.|(?i:con|aux|nul|prn)[./]?)[^/\\:*?\"<>|\x00-\x1f\udc80-\udcff]{1,200}(?<![. ])"
OVERLAY_PATH = re.compile(rf"(?:help|help/team|ws/[^/]+/knowledge|知识库)/_forged(?:/{NAME})+")


def slow_may_add(path: str) -> bool:
    """Tell whether the machine may add a small clean file at a path: one regular expression, and the rest by eye."""
    found = OVERLAY_PATH.fullmatch(path)
    return bool(found) and path.endswith((".md", ".json")) and "e\u0301" not in path and not path.endswith("/.gitattributes")


@given(paths)
@settings(max_examples=600)
def test_the_machine_may_add_exactly_what_a_second_opinion_allows(path: str) -> None:
    new = "2" * 40
    step = Step(Diff((Change(path, ABSENT, "100644", "0" * 40, new),), {}), "3" * 40, MACHINE)
    found = rules.judge(step, POLICY, Contents({new: 2}, {new: b"x\n"}, {}, lambda *_: True))
    assert (not found) == slow_may_add(path), (path, found)


@given(st.lists(paths, min_size=1, max_size=5, unique=True))
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_git_itself_and_the_rules_agree_on_random_trees(shared: Guarded, listed: list[str]) -> None:
    kept = [path for path in listed if not any(other.startswith(f"{path}/") for other in listed) and usable(path)]
    stream = b"".join(b"100644 blob %s\t%s\0" % (b"%s", path.encode("utf-8", "surrogateescape")) for path in kept)
    blob = shared.git("hash-object", "-w", "--stdin", stdin=b"x\n").encode()
    shared.git("read-tree", "--empty")
    shared.git("update-index", "--add", "-z", "--index-info", stdin=stream.replace(b"%s\t", blob + b"\t"))
    tree = shared.git("write-tree")
    git = Git(shared.path)
    with Objects(git) as objects:
        difference = changes.diff(git, [(commits.empty_tree(git), tree)])[0]
        found = gather.assess(objects, [Step(difference, tree, MACHINE)], POLICY)
    assert {change.path for change in difference.changes} == set(kept)
    refused = {violation.path for violation in found if "one name" not in violation.why}
    assert refused == {path for path in kept if not slow_may_add(path)}


def usable(path: str) -> bool:
    """Tell whether Git's staging area takes a path."""
    return all(part not in ("", ".", "..", ".git") for part in path.split("/"))


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Guarded:
    return Guarded.at(tmp_path_factory.mktemp("shared") / "kb", {"README.md": "x"})


@pytest.mark.parametrize(
    ("sizes", "said"), [({"2" * 40: 2_000_000}, "2,000,000 bytes"), ({"2" * 40: 5}, "its content is missing")]
)
def test_an_overlay_that_was_not_read_is_refused(sizes: dict[str, int], said: str) -> None:
    step = Step(Diff((Change("help/_forged/a.md", ABSENT, "100644", "0" * 40, "2" * 40),), {}), "3" * 40, MACHINE)
    assert said in rules.judge(step, POLICY, Contents(sizes, {}, {}, lambda *_: True))[0].why


# ---- index.json against a slow second opinion

BASE = {
    "version": 1,
    "docs": [
        {"path": "a.md", "title": "A", "aliases": ["one", "two"], "weight": 1.5},
        {"path": "b.md", "aliases": []},
        {"path": "c.md", "title": "no list"},
    ],
}
BASE_BYTES = (json.dumps(BASE, indent=2) + "\n").encode()
TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\],:]|[^\s{}\[\],:"]+|\s+')


def no_twins(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Build an object, refusing a key that is there twice."""
    if len({key for key, _ in pairs}) < len(pairs):
        raise ValueError("a key is there twice")
    return dict(pairs)


def refuse(word: str) -> None:
    raise ValueError(word)


def slow_allows(data: bytes) -> bool:
    """Tell whether the machine may turn BASE_BYTES into `data`: by Python's JSON for the lists, by tokens for the rest."""
    try:
        text = data.decode("utf-8")
        said = json.loads(text, object_pairs_hook=no_twins, parse_constant=refuse)
        json.dumps(said, ensure_ascii=False).encode("utf-8")
    except (ValueError, RecursionError):
        return False
    if not isinstance(said, dict) or not isinstance(said.get("docs"), list) or len(said["docs"]) != 3:
        return False
    for page in said["docs"][:2]:
        if not isinstance(page, dict) or not isinstance(page.get("aliases"), list):
            return False
        if not all(isinstance(alias, str) for alias in page["aliases"]):
            return False
        if page["aliases"] not in (["one", "two"], []) and aliases.faults(page["aliases"]):
            return False
    return without_lists(text) == without_lists(BASE_BYTES.decode())


def without_lists(text: str) -> str:
    """Return a text without the arrays that follow the key "aliases" inside of docs."""
    kept, skipping, depth, last = "", 0, 0, ""
    for token in TOKEN.findall(text):
        if skipping:
            skipping += {"[": 1, "]": -1}.get(token, 0)
            continue
        if token == "[" and last == '"aliases":' and depth == 3:
            skipping = 1
            kept += "<list>"
            continue
        depth += {"[": 1, "{": 1, "]": -1, "}": -1}.get(token, 0)
        kept += token
        if not token.isspace():
            last = f"{last}:" if token == ":" else token
    return kept


VALUES = ['"one"', '"two"', '"one", "x"', '["x"]', "[]", "null", "7", '"\\u0078"', '"\\ud800"', '""', "true", "1.0", "NaN"]
SIGNS = ["[", "]", "}", ",", "\ufeff", "\r\n", " ", '"a\u202eb"']
KEYS = ['"aliases"', '"path": "a.md",', '"aliases": [],', '"docs": [],']
pieces = st.sampled_from([*VALUES, *SIGNS, *KEYS])


@given(st.lists(st.tuples(st.integers(0, len(BASE_BYTES)), st.integers(0, 12), pieces), min_size=1, max_size=2))
@settings(max_examples=600)
def test_an_aliases_file_may_change_exactly_as_a_second_opinion_allows(edits: list[tuple[int, int, str]]) -> None:
    data = BASE_BYTES
    for at, cut, piece in edits:
        data = data[:at] + piece.encode("utf-8", "surrogatepass") + data[at + cut :]
    assert verdict(data) == slow_allows(data), data.decode(errors="replace")


def verdict(data: bytes, old: bytes = BASE_BYTES) -> bool:
    change = Change("help/index.json", "100644", "100644", "1" * 40, "2" * 40)
    contents = Contents({}, {"1" * 40: old, "2" * 40: data}, {}, lambda *_: True)
    return not rules.judge(Step(Diff((change,), {}), "3" * 40, MACHINE), POLICY, contents)


@pytest.mark.parametrize(
    "old_and_new",
    [
        ('"one"', '"1"'),
        ('"one", "two"', ""),
        ('"one",\n        "two"', '"two", "one"'),
        ('"aliases": []', '"aliases": ["b", "a"]'),
    ],
    ids=["replaced", "not found", "turned", "filled"],
)
def test_alias_lists_may_change_in_any_way(old_and_new: tuple[str, str]) -> None:
    assert verdict(BASE_BYTES.replace(old_and_new[0].encode(), old_and_new[1].encode()))


def test_a_base_that_cannot_be_read_lets_nothing_pass() -> None:
    assert not verdict(BASE_BYTES, b"{")
    assert not verdict(BASE_BYTES, BASE_BYTES + b"{}")


def test_what_was_wrong_with_a_list_before_does_not_stop_the_next_alias() -> None:
    old = BASE_BYTES.replace(b'"two"', b'" "')
    assert verdict(old.replace(b'"one"', b'"one", "new"'), old)
    assert not verdict(old.replace(b'"one"', b'"one", "\\t"'), old)


@pytest.mark.parametrize(
    ("stages", "allowed"),
    [
        (("b", "b", "t"), False),
        (("b", "t", "b"), True),
        (("b", "t", "t"), True),
        (("b", "t", "u"), False),
        (("", "t", "t"), True),
    ],
)
def test_after_a_conflict_what_one_side_changed_stands(stages: tuple[str, str, str], allowed: bool) -> None:
    versions = {
        "b": BASE_BYTES,
        "t": BASE_BYTES.replace(b'"A"', b'"T"'),
        "u": BASE_BYTES.replace(b'"A"', b'"U"'),
        "new": BASE_BYTES.replace(b'"A"', b'"T"').replace(b'"one"', b'"one", "x"'),
    }
    if stages == ("b", "b", "t"):
        versions["new"] = BASE_BYTES
    change = Change("help/index.json", "100644", "100644", "o", "new", stages)
    step = Step(Diff((change,), {}), "3" * 40, MACHINE)
    assert (not rules.judge(step, POLICY, Contents({}, versions, {}, lambda *_: True))) == allowed


def test_an_alias_in_a_file_outside_of_every_root_leads_nowhere() -> None:
    contents = Contents({}, {}, {}, lambda *_: True)
    assert not rules.leads_to_page("a.md", "src/index.json", "t", POLICY, contents)
    assert rules.leads_to_page("a.md", "index.json", "t", WHOLE, contents)
    assert not rules.leads_to_page("team/a.md", "help/index.json", "t", POLICY, contents)


def test_the_folders_above_a_path_start_at_the_top() -> None:
    assert list(changes.folders_above("a/b/c.md")) == ["", "a", "a/b"]


def test_a_folder_that_is_missing_or_damaged_is_told_apart_from_a_good_one(shared: Guarded) -> None:
    damaged = shared.git("hash-object", "-w", "--stdin", stdin=b"100644 cut off\0")
    good = shared.git("rev-parse", "HEAD^{tree}")
    step = Step(Diff((), {"a": damaged, "b": "1" * 40, "c": good}), good, rules.HUMAN)
    with Objects(Git(shared.path)) as objects:
        found = gather.folders(objects, [step])
    assert found[damaged] is found["1" * 40] is None
    assert found[good] == changes.Listing((b"README.md",), (b"README.md",))
