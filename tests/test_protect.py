"""The pages on CI and servers say what is so: their files pass the linters, and the squashes they name keep the reason."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.guarding import Guarded, Verdict

TOP = Path(__file__).parent.parent
PAGE = (TOP / "docs/reference/guard.md").read_text("utf-8")
BLOCKS: list[str] = re.findall(r"^```yaml\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
ACTION = yaml.safe_load((TOP / "action.yml").read_text("utf-8"))
ACTIONLINT = shutil.which("actionlint")


def workflow() -> str:
    """Return the workflow of the page with its placeholders filled in."""
    [text] = [block for block in BLOCKS if "runs-on" in block]
    return text.replace("COMMIT", "0123456789abcdef0123456789abcdef01234567").replace("OWNER", "example")


def as_workflow() -> str:
    """Return the action's steps as the job of a reusable workflow, since actionlint checks workflows only."""
    inputs = {name: {"type": "string", "description": spec["description"]} for name, spec in ACTION["inputs"].items()}
    job = {"runs-on": "ubuntu-latest", "steps": ACTION["runs"]["steps"]}
    events: dict[str, Any] = {"workflow_call": {"inputs": inputs}, "pull_request": None, "push": None, "merge_group": None}
    return str(yaml.safe_dump({"name": "action", "on": events, "permissions": {}, "jobs": {"guard": job}}, sort_keys=False))


def run(*command: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_zizmor_finds_nothing(tmp_path: Path) -> None:
    folder = tmp_path / ".github/workflows"
    folder.mkdir(parents=True)
    (folder / "guard.yml").write_text(workflow())
    zizmor = Path(sys.executable).parent / "zizmor"
    ran = run(zizmor, "--offline", "--no-progress", "--persona=pedantic", TOP / "action.yml", folder / "guard.yml")
    assert ran.returncode == 0, ran.stdout + ran.stderr


@pytest.mark.skipif(ACTIONLINT is None, reason="actionlint is no package of Python; it is run where it is installed")
def test_actionlint_finds_nothing(tmp_path: Path) -> None:
    (tmp_path / "guard.yml").write_text(workflow())
    (tmp_path / "action.yml").write_text(as_workflow())
    for name in ("guard.yml", "action.yml"):
        ran = run(ACTIONLINT or "", tmp_path / name)
        assert (ran.returncode, ran.stdout) == (0, "")


def test_the_page_names_every_input_of_the_action() -> None:
    [listed] = re.findall(r"Inputs, all\noptional: (.*?)\.", PAGE)
    assert re.findall(r"`(\w+)`", listed) == list(ACTION["inputs"])
    assert all(spec["description"] and not spec["required"] for spec in ACTION["inputs"].values())


def test_the_page_names_every_variable_of_the_script() -> None:
    script = (TOP / "hooks/ci").read_text("utf-8")
    assert set(re.findall(r"`(MFGIT_\w+)`", PAGE)) >= set(re.findall(r"MFGIT_\w+", script))


def test_the_page_says_what_help_says() -> None:
    said = run(sys.executable, "-I", "-m", "mfgit", "guard", "--help").stdout
    for word in re.findall(r"^ +(--[\w-]+|\w+)  ", said, re.MULTILINE):
        assert word in PAGE, word


def test_the_page_names_every_rule() -> None:
    code = "".join(path.read_text("utf-8") for path in [*(TOP / "mfgit/guard").glob("*.py"), TOP / "mfgit/leaks.py"])
    named = re.findall(r'Violation\("", "([\w-]+)"|yield "([\w-]+)", |: \("([\w-]+)", "|Leak\([^"]*, "([\w-]+)"', code)
    rules = {name for names in named for name in names if name} - {"overlay"}
    assert {"reason", "merge", "ref", "original", "secret", "overlay-text"} <= rules
    assert not [rule for rule in sorted(rules) if f"`{rule}`" not in PAGE]


WHY = "Original-Edit: a wrong step"
TWO = f"Correct a step (#7)\n\n* Correct a step\n\nIt was wrong.\n\n{WHY}\n\n* Second"
AUTHORS = "Co-authored-by: Bob <bob@example.com>"


@pytest.mark.parametrize(
    ("message", "kept"),
    [
        (f"Correct a step (#7)\n\nIt was wrong.\n\n{WHY}", True),
        (f"Correct a step (#7)\n\n{WHY}", True),
        (f"Correct a step\r\n\r\nIt was wrong.\r\n\r\n{WHY}\r\n", True),
        (f"Correct a step (#7)\n\nIt was wrong.\n\n{WHY}\n{AUTHORS}", True),
        (f"Correct a step (#7)\n\nIt was wrong.\n\n{WHY}\n\n{AUTHORS}", False),
        (f"Correct a step (#7)\n\n{WHY}\n\n---------\n\n{AUTHORS}", False),
        (TWO, False),
        (f"{TWO}\n\n{WHY}", True),
        ("Correct a step (#7)", False),
        (f"{WHY}", False),
    ],
    ids=[
        "description",
        "single commit",
        "typed in a browser",
        "authors in the same paragraph",
        "authors in a paragraph behind it",
        "GitHub's line before authors",
        "list of commits",
        "list whose last commit has it",
        "title",
        "only a title",
    ],
)
def test_a_squash_keeps_the_reason_where_the_page_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], message: str, kept: bool
) -> None:
    kb = Guarded.at(tmp_path / "kb")
    kb.branch("edit")
    kb.stage({"help/password.md": "# New\n"})
    kb.git("commit", "-q", "--no-verify", "--cleanup=verbatim", "-F", "-", stdin=message.encode())
    guard = Verdict(kb, monkeypatch, capsys)
    assert guard.range("main..edit", "edit") == (0 if kept else 1)


def test_the_bare_server_of_the_page_refuses_and_lets_pass(tmp_path: Path) -> None:
    """The lines of the page are run on a bare repository; the guard then attacks a copy of it."""
    kb = Guarded.at(tmp_path / "kb")
    kb.git("clone", "-q", "--bare", ".", str(tmp_path / "kb.git"))
    page = (TOP / "docs/how-to/protect-a-repository.md").read_text("utf-8")
    lines = re.findall(r"^\$ mfgit -C /srv/git/kb\.git (guard .*)$", page, re.MULTILINE)
    assert len(lines) == 3
    for line in lines:
        ran = kb.mfgit("-C", str(tmp_path / "kb.git"), *line.split())
        assert ran.code == 0, (line, ran.out, ran.err)


def test_a_server_runs_the_guard_from_a_checkout(tmp_path: Path) -> None:
    kb = Guarded.at(tmp_path / "kb")
    kb.git("clone", "-q", "--bare", ".", str(tmp_path / "kb.git"))
    hook = tmp_path / "kb.git/hooks/pre-receive"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f"#!/bin/sh\nexec python3 -I -S {TOP}/hooks/guard --pre-receive\n")
    hook.chmod(0o755)
    kb.branch("mfgit/p1")
    kb.save({"help/password.md": "# evil\n"}, bot=True)
    assert kb.attempt("push", "-q", str(tmp_path / "kb.git"), "mfgit/p1") != 0
    kb.branch("mfgit/p2")
    kb.save({"help/_forged/a.md": "# a\n"}, bot=True)
    assert kb.attempt("push", "-q", str(tmp_path / "kb.git"), "mfgit/p2", env=dict(os.environ)) == 0
