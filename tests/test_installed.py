"""The wheel of a release at work where only what it asks for is installed: no extras, no development dependencies.

The libraries are those that pip chose for the environment which pre-commit makes for the hooks; the tests of the hook
frameworks need it too, so it is made once. mfgit itself comes from the wheel.
"""

import fcntl
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

from mfgit import __version__
from tests.builders import Ran
from tests.distributions import build
from tests.frameworks import Framework, hooks_repository
from tests.guarding import Guarded
from tests.sharing import shared

pytestmark = pytest.mark.slow
QUESTION = "Can I mount the gateway outdoors?"


class Installed(NamedTuple):
    """A virtual environment that holds the wheel, and the repository that `mfgit demo` left."""

    place: Path
    demo: Path

    def run(self, *words: str, stdin: str = "", env: dict[str, str] | None = None, folder: Path | None = None) -> Ran:
        environment = {**os.environ, "PATH": f"{self.place / 'bin'}{os.pathsep}{os.environ['PATH']}", **(env or {})}
        ran = subprocess.run(
            words, cwd=folder or self.demo, env=environment, input=stdin, capture_output=True, text=True, check=False
        )
        return Ran(ran.returncode, ran.stdout, ran.stderr)


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """Return the environment, which all workers of a run share, and a copy of the demo for this one."""
    store = shared(tmp_path_factory, "frameworks")
    made = Installed(store / "installed/environment", store / "installed/demo")
    with (store / "installed.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not made.demo.is_dir():
            install(made, store, tmp_path_factory.mktemp("built"))
    mine = tmp_path_factory.mktemp("installed") / "demo"
    shutil.copytree(made.demo, mine, symlinks=True)
    return made._replace(demo=mine)


def install(made: Installed, store: Path, folder: Path) -> None:
    """Make the environment from what `build` builds in a folder, then the demo."""
    Framework("pre-commit", Guarded.at(folder / "kb"), hooks_repository(store), store).install()
    libraries = next((store / "pre-commit").glob("repo*/py_env*/lib/python*/site-packages/click")).parent
    words = (
        ("venv", "--without-pip", str(made.place)),
        ("pip", "--python", str(made.place), "install", "--quiet", "--no-deps", "--no-index", str(build(folder).wheel)),
    )
    for each in words:
        ran = made.run(sys.executable, "-m", *each, folder=folder)
        assert ran.code == 0, ran.err
    next(made.place.glob("lib/python*/site-packages")).joinpath("libraries.pth").write_text(f"{libraries}\n")
    ran = made.run("mfgit", "demo", "--folder", str(made.demo), folder=folder)
    assert ran.code == 0, ran.err
    made.run("git", "remote", "add", "hub", "https://github.com/example/handbook.git")


def test_it_is_the_wheel_that_runs_and_nothing_of_the_checkout(installed: Installed) -> None:
    said = installed.run(str(installed.place / "bin/python"), "-c", "import mfgit, sys; print(mfgit.__file__, *sys.path)").out
    assert said.startswith(str(installed.place))
    assert str(Path(__file__).parent.parent) not in said
    assert installed.run("mfgit", "--version").out == f"mfgit {__version__}\n"


def test_a_whole_loop(installed: Installed) -> None:
    """`mfgit demo` has run init, archive append, scan, guard and adopt, each as a command of this environment."""
    found = json.loads(installed.run("mfgit", "proposals", "--json").out)
    assert {"adopted", "open"} <= {one["status"] for one in found}
    hits = json.loads(installed.run("mfgit", "search", QUESTION, "--json").out)["hits"]
    assert hits[0]["kind"] == "overlay"
    turn = json.dumps({"timestamp": "2026-11-20T09:00:00+08:00", "request_id": "r1", "user_message": "How loud is it?"})
    assert json.loads(installed.run("mfgit", "archive", "append", stdin=f"{turn}\n").out)["request_id"] == "r1"
    assert installed.run("mfgit", "scan", "--since", "2026-10-01", "--until", "2026-10-31", "--json").code == 0
    assert installed.run("mfgit", "undo", hits[0]["proposal"]).code == 0


def test_the_hooks_of_the_wheel_hold(installed: Installed) -> None:
    assert installed.run("mfgit", "guard", "test").code == 0
    page = installed.demo / "help/data.md"
    before = page.read_bytes()
    page.write_bytes(before + b"\nMore.\n")
    ran = installed.run("git", "commit", "--quiet", "--all", "--message", "More")
    page.write_bytes(before)
    assert ran.code != 0
    assert 'git commit --trailer "Original-Edit:' in ran.err


def test_the_manual_and_the_completions_lie_where_shells_and_man_look(installed: Installed) -> None:
    for name in (
        "man/man1/mfgit-scan.1", "bash-completion/completions/mfgit", "zsh/site-functions/_mfgit",
        "fish/vendor_completions.d/mfgit.fish",
    ):  # fmt: skip
        assert (installed.place / "share" / name).is_file()


MISSING: dict[str, tuple[tuple[str, ...], dict[str, str]]] = {
    "server": (("serve",), {}),
    "mcp": (("mcp",), {}),
    "dask": (("scan", "--since", "2026-10-01", "--scheduler", "tcp://127.0.0.1:9"), {}),
    "remote": (("scan", "--since", "2026-10-01"), {"CHAT_ARCHIVE_DIR": "memory://archive"}),
    "tantivy": (("search", QUESTION), {"MFGIT_INDEX_ENGINE": "tantivy"}),
    "opensearch": (("search", QUESTION), {"MFGIT_INDEX_ENGINE": "opensearch"}),
    "publish": (("publish", "--remote", "hub"), {"MFGIT_PUBLISH_TOKEN": "0" * 40}),
    "llm": (("scan", "--since", "2026-10-01"), {"MFGIT_LLM_URL": "https://127.0.0.1:9/v1", "MFGIT_LLM_MODEL": "m"}),
    "vector": (("scan", "--since", "2026-10-01"), {"MFGIT_VECTOR_URL": "https://127.0.0.1:9/v1", "MFGIT_VECTOR_MODEL": "m"}),
}


@pytest.mark.parametrize("extra", MISSING)
def test_what_an_extra_would_do_says_in_one_sentence_which_to_install(installed: Installed, extra: str) -> None:
    words, env = MISSING[extra]
    ran = installed.run("mfgit", *words, env=env)
    assert (ran.code, ran.out) == (2, ""), ran.err
    sentence, hint = ran.err.splitlines()
    assert "not installed" in sentence
    assert f'pip install "mfgit[{extra}]"' in hint


QUIET = (("mcp", "--help"), ("serve", "--help"), ("serve", "token", "list"), ("publish", "--help"))


@pytest.mark.parametrize("words", QUIET, ids=" ".join)
def test_what_needs_no_extra_asks_for_none(installed: Installed, words: tuple[str, ...]) -> None:
    ran = installed.run("mfgit", *words)
    assert ran.code == 0
    assert "not installed" not in ran.out + ran.err
