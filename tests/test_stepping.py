"""From one indexed tree to the next: hits, scores and notes are those of an index made from nothing, whatever changed."""

import json
import random
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from mfgit.index import view
from mfgit.plumbing import Git
from mfgit.project import Project, stepping, views
from mfgit.tree import reading
from tests.builders import CONFIG, Workbench, aliases_file

WORDS = ["alpha", "beta", "gamma", "delta", "omega", "sigma", "kappa", "lambda"]
OVERLAY = "---\ntitle: Over\nbased_on:\n  - path: {path}\n    blob: {blob}\n---\n\nalpha overlay\n"
FILES = {
    **{f"help/page-{number:02}.md": f"# Page {number}\n\n{WORDS[number % 8]} common\n" for number in range(24)},
    **{
        f"workspaces/w{number % 2}/knowledge/{number}.md": f"# Work {number}\n\ncommon {WORDS[number]}\n" for number in range(6)
    },
    "help/empty.md": "",
    "help/watched.md": "# Watched\n\nomega\n",
    "help/_forged/over.md": OVERLAY.format(path="help/watched.md", blob="0" * 40),
    "code.py": "pass\n",
}


def seen(bench: Workbench) -> dict[str, Any]:
    """Return all that a search of HEAD can tell."""
    repository = Project.open(bench.path)
    found = views.searcher(repository, views.locate(repository))
    shown = found.view
    hits = {word: [(hit.position, hit.score) for hit in found.search([word], 50)] for word in (*WORDS, "common", "new")}
    passages = [found.passage(position) for position in range(len(shown.documents))]
    columns = [list(norm) for norm in shown.norms]
    told = {"kinds": list(shown.kinds), "starts": list(shown.starts), "notes": shown.notes}
    return {"hits": hits, "passages": passages, "norms": columns, **told}


def anew(bench: Workbench) -> dict[str, Any]:
    """Return what `seen` returns of an index made from nothing; the index in use is left as it is."""
    folder = bench.path / ".git" / "mfgit" / "search"
    aside = folder.with_name("aside")
    folder.rename(aside)
    try:
        return seen(bench)
    finally:
        shutil.rmtree(folder)
        aside.rename(folder)


def remove(bench: Workbench, *paths: str) -> None:
    """Remove files of the checkout."""
    for path in paths:
        (bench.path / path).unlink()


def edit(bench: Workbench, rng: random.Random) -> None:
    """Make one random change of any kind."""
    files = [*bench.git("ls-files").split("\n")]
    pages = [path for path in files if path.endswith(".md")]
    page, text = rng.choice(pages), f"# New\n\nnew {rng.choice(WORDS)}\n\n## More\n\n{rng.choice(WORDS)}\n" * rng.randint(0, 2)
    folder = rng.choice(
        ["help", "help/deep/er", "workspaces/w0/knowledge", "workspaces/w7/knowledge", "help/_forged", "elsewhere"]
    )
    other = f"{folder}/{rng.randint(0, 40)}.{rng.choice(['md', 'md', 'txt'])}"
    match rng.choice([0, 0, 0, 0, 0, 1, 1, 1, 3, 3, 3, 5, 5, 6, 6, 7, 8, 9]):
        case 0:
            bench.write({page: text})
        case 1:
            blob = rng.choice(["0" * 40, bench.git("hash-object", "--", page)])
            bench.write({f"help/_forged/{rng.randint(0, 9)}.md": OVERLAY.format(path=page, blob=blob)})
        case 3:
            bench.write({other: text})
        case 5:
            remove(bench, page)
        case 6:
            (bench.path / other).parent.mkdir(parents=True, exist_ok=True)
            (bench.path / page).rename(bench.path / other)
        case 7 if "help/index.json" in files:
            remove(bench, "help/index.json")
        case 7:
            named = rng.sample(range(30), 3)
            bench.write({"help/index.json": aliases_file(*((f"page-{n:02}.md", "", ["alias new"] * (n % 2)) for n in named))})
        case 8:
            bench.write({"mfgit.toml": rng.choice([CONFIG, CONFIG, CONFIG.replace('"help"', '"elsewhere"'), "target = ["])})
        case _:
            bench.git("checkout", "-q", "-B", "other", f"HEAD~{rng.randint(0, 1)}")


@pytest.mark.parametrize("seed", range(4))
def test_any_changes_give_what_an_index_made_from_nothing_gives(tmp_path: Path, seed: int) -> None:
    rng = random.Random(seed)
    bench = Workbench.make(tmp_path / "kb", {**FILES, "mfgit.toml": CONFIG})
    bench.git("commit", "-q", "--allow-empty", "-m", "so that there is one before")
    seen(bench)
    for _ in range(16):
        for _ in range(rng.choice([1, 1, 1, 3])):
            edit(bench, rng)
        bench.git("add", "-A")
        bench.git("commit", "-q", "--allow-empty", "-m", "work")
        assert seen(bench) == anew(bench)


def moved(bench: Workbench, monkeypatch: pytest.MonkeyPatch, files: Mapping[str, str | None]) -> bool:
    """Commit files (None: removed), search; return whether the tree was read whole."""
    whole: list[str] = []
    real = views.read_tree

    def noted(git: Git, tree: str, fallback: str) -> reading.Tree:
        whole.append(tree)
        return real(git, tree, fallback)

    bench.write({path: text for path, text in files.items() if text is not None})
    remove(bench, *(path for path, text in files.items() if text is None))
    bench.git("add", "-A")
    bench.git("commit", "-q", "-m", "work")
    with monkeypatch.context() as patch:
        patch.setattr(views, "read_tree", noted)
        found = seen(bench)
    assert found == anew(bench)
    return bool(whole)


@pytest.mark.parametrize(
    ("files", "whole"),
    [
        ({"help/page-03.md": "# Other\n\nnew\n\n## Second\n\nnew\n"}, False),
        ({"help/page-03.md": ""}, False),
        ({"help/empty.md": "# No more\n\nnew\n"}, False),
        ({"help/a.md": "new", "help/zz.md": "new", "help/page-03.md": None}, False),
        ({"workspaces/w1/knowledge/9.md": "new", "workspaces/w1/knowledge/1.md": None}, False),
        ({"code.py": "more\n"}, False),
        ({"code.py": "more\n", "help/picture.txt": "not a page"}, False),
        ({f"help/new-{number}.md": "new" for number in range(8)}, False),
        ({f"help/new-{number}.md": "new" for number in range(9)}, True),
        ({"workspaces/w9/knowledge/9.md": "new"}, True),
        ({"workspaces/w9/knowledge/9.txt": "new"}, True),
        ({"help/watched.md": "# Watched\n\nnew\n"}, True),
        ({"help/watched.md": None}, True),
        ({"help/_forged/over.md": "# Over\n\nnew\n"}, False),
        ({"help/_forged/more.md": "# More\n\nnew\n", "help/_forged/proposals/0.json": "{}"}, False),
        ({"help/_forged/more.md": OVERLAY.format(path="help/page-03.md", blob="0" * 40)}, False),
        ({"help/_forged/more.md": OVERLAY.format(path="help/nowhere.md", blob="0" * 40), "help/page-03.md": "new"}, False),
        *(
            ({"help/_forged/more.md": OVERLAY.format(path=path, blob="0" * 40)}, False)
            for path in ("../out.md", "/etc/out.md", "help/../../out.md", "''", ".", "help/", "./help/page-03.md", "'*'")
        ),
        ({"help/_forged/over.md": None}, True),
        ({"help/index.json": aliases_file(("page-03.md", "", ["new"]))}, True),
        ({"mfgit.toml": CONFIG + "\n"}, True),
    ],
)
def test_what_touches_nothing_else_is_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, files: Mapping[str, str | None], whole: bool
) -> None:
    bench = Workbench.make(tmp_path / "kb", {**FILES, "mfgit.toml": CONFIG})
    seen(bench)
    assert moved(bench, monkeypatch, files) is whole


@pytest.mark.parametrize(
    ("path", "text", "whole"),
    [("page-03.md", "other", False), ("page-04.md", "other", False), ("new.md", "new", False), ("page-04.md", None, True)],
)
def test_beside_an_index_json_pages_keep_their_aliases_and_are_missed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str, text: str | None, whole: bool
) -> None:
    aliases = aliases_file(("page-03.md", "", ["new words"]), ("page-04.md", "", []))
    bench = Workbench.make(tmp_path / "kb", {**FILES, "mfgit.toml": CONFIG, "help/index.json": aliases})
    seen(bench)
    assert moved(bench, monkeypatch, {f"help/{path}": text}) is whole


def test_an_overlay_that_was_followed_is_stale_when_its_original_moves_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench = Workbench.make(tmp_path / "kb", {**FILES, "mfgit.toml": CONFIG})
    blob = bench.git("rev-parse", "HEAD:help/page-03.md")
    seen(bench)
    assert not moved(bench, monkeypatch, {"help/_forged/more.md": OVERLAY.format(path="help/page-03.md", blob=blob)})
    fresh = seen(bench)["kinds"].count(view.STALE)
    assert moved(bench, monkeypatch, {"help/page-03.md": "# Other\n\nnew\n"})
    assert seen(bench)["kinds"].count(view.STALE) == fresh + 1


def test_a_page_that_was_missed_is_read_with_the_whole_tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    aliases = aliases_file(("page-99.md", "", ["new words"]))
    bench = Workbench.make(tmp_path / "kb", {**FILES, "mfgit.toml": CONFIG, "help/index.json": aliases})
    assert "page-99" in "".join(seen(bench)["notes"])
    assert not moved(bench, monkeypatch, {"help/page-03.md": "other"})
    assert moved(bench, monkeypatch, {"help/page-99.md": "here"})


@pytest.mark.parametrize("damage", [b"", b"garbage", None])
@pytest.mark.parametrize("name", ["last", "catalogue", "views/*", "*.toc"])
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # Whoosh leaves a damaged file open
def test_what_is_kept_of_the_last_tree_may_be_damaged_or_gone(tmp_path: Path, name: str, damage: bytes | None) -> None:
    bench = Workbench.make(tmp_path / "kb", {**FILES, "mfgit.toml": CONFIG})
    seen(bench)
    for path in (bench.path / ".git" / "mfgit" / "search").glob(f"index-*/{name}"):
        path.unlink() if damage is None else path.write_bytes(damage)
    bench.write({"help/page-03.md": "# Other\n\nnew\n"})
    bench.commit()
    assert seen(bench) == anew(bench)


def test_a_tree_that_git_no_longer_has_is_no_base(tmp_path: Path) -> None:
    bench = Workbench.make(tmp_path / "kb", FILES)
    said = json.dumps(
        {"roots": [], "endings": [], "starred": False, "listed": False, "wrong": False, "wordings": {}, "watched": []}
    )
    repository = Project.open(bench.path)
    assert stepping.compare(repository.git, "1" * 40, "HEAD^{tree}", said.encode(), {}) is None
