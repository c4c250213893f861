"""The hooks under the real pre-commit and the real prek: installed from this project, tried with try-repo, on real commits.

Making the environments takes most of the time of this file; all workers share them.
"""

import json
import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest
import yaml

from tests.frameworks import BIN, IDS, SETTINGS, TOP, Framework, hooks_repository
from tests.guarding import BOT, EVIL, NEW, REASON, Guarded
from tests.sharing import shared

pytestmark = pytest.mark.slow
TOOLS = ("pre-commit", "prek")
MANIFEST = yaml.safe_load((TOP / ".pre-commit-hooks.yaml").read_text("utf-8"))
TURN = json.dumps({"timestamp": "2026-10-01T09:00:00+00:00", "user_message": "How?"}) + "\n"
TRAP = "import os\nos._exit(0)\n"
"""What a module holds that turns off whoever imports it."""


@pytest.fixture(params=TOOLS)
def framework(request: pytest.FixtureRequest, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Framework:
    store = shared(tmp_path_factory, "frameworks")
    return Framework(request.param, Guarded.at(tmp_path / "kb"), hooks_repository(store), store)


@pytest.fixture
def installed(framework: Framework) -> Framework:
    framework.install()
    return framework


COMMITS: dict[str, tuple[str, Mapping[str, str | bytes | None], str, bool, str]] = {
    "a proposal": ("mfgit/p1", NEW, "work", True, ""),
    "a machine's original": ("mfgit/p1", EVIL, "work", True, "mfgit-originals"),
    "by e-mail only": ("edit", EVIL, "work", True, "mfgit-originals"),
    "a machine with a reason": ("mfgit/p1", EVIL, f"work{REASON}", True, "mfgit-originals"),
    "a deleted original": ("mfgit/p1", {"help/password.md": None}, "work", True, "mfgit-originals"),
    "a rename out of .md": (
        "mfgit/p1",
        {"help/password.md": None, "help/password.txt": "# Account access\n"},
        "work",
        True,
        "mfgit-originals",
    ),
    "a person with a reason": ("edit", EVIL, f"work{REASON}", False, ""),
    "a person without a reason": ("edit", EVIL, "work", False, "mfgit-message"),
    "a deleted original without a reason": ("edit", {"help/password.md": None}, "work", False, "mfgit-message"),
    "a person's code": ("edit", {"tool.py": "print(1)\n"}, "work", False, ""),
    "a day file": ("edit", {"help/2026-10-01.jsonl": TURN}, "work", False, "mfgit-archive"),
    "a conversation by another name": ("edit", {"notes.txt": TURN}, "work", False, "mfgit-archive"),
    "a secret in an overlay": ("edit", {"help/_forged/a.md": "key AKIAIOSFODNN7EXAMPLE\n"}, "work", False, "mfgit-archive"),
}


@pytest.mark.parametrize("name", COMMITS)
def test_commits_are_judged(installed: Framework, name: str) -> None:
    branch, files, message, bot, refused_by = COMMITS[name]
    installed.kb.branch(branch)
    installed.kb.stage(files)
    before = installed.kb.git("rev-parse", "HEAD")
    ran = installed.commit(message, bot=bot)
    assert (installed.kb.git("rev-parse", "HEAD") == before) == bool(refused_by), ran.out + ran.err
    assert (f"hook id: {refused_by}" in ran.out + ran.err) == bool(refused_by)


def test_a_link_in_an_originals_place_is_refused(installed: Framework) -> None:
    """Frameworks hand no links to hooks."""
    installed.kb.branch("mfgit/p1")
    installed.kb.link("../mfgit.toml", "help/password.md")
    assert installed.commit(bot=True).code == 1


def test_a_merge_is_judged_before_it_is_made(installed: Framework) -> None:
    installed.kb.branch("side")
    installed.kb.save({"help/password.md": "# evil\n"}, bot=True)
    installed.kb.branch("mfgit/p1")
    installed.kb.save(NEW, bot=True)
    ran = installed.run(
        "git", "merge", "-q", "--no-ff", "-m", "merge", "side", env={"GIT_COMMITTER_EMAIL": "mfgit-bot@example.com"}
    )
    assert ran.code != 0
    assert "hook id: mfgit-originals" in ran.out + ran.err


def test_what_lies_in_the_checkout_does_not_switch_a_hook_off(installed: Framework) -> None:
    """A `json.py` in the checkout is imported by pre-commit itself, which Git starts as `python -m pre_commit`.

    prek is no Python program. pre-commit holds with Python's own PYTHONSAFEPATH; without it only the gates behind it do.
    """
    installed.kb.branch("mfgit/p1")
    installed.kb.write(dict.fromkeys(("json.py", "os.py", "click.py", "sitecustomize.py", "mfgit/__init__.py", "git.py"), TRAP))
    installed.kb.write(EVIL)
    installed.kb.git("add", *EVIL)
    env = {"PYTHONSAFEPATH": "1"} if installed.tool == "pre-commit" else {}
    ran = installed.commit(bot=True, env=env)
    assert ran.code == 1
    assert "hook id: mfgit-originals" in ran.out + ran.err
    installed.kb.git("reset", "-q", "--hard")
    installed.kb.write(EVIL)
    installed.kb.branch("edit")
    installed.kb.git("add", *EVIL)
    assert installed.commit(env=env).code == 1
    assert installed.commit(f"work{REASON}", env=env).code == 0


def test_the_guards_own_hooks_hold_where_pre_commit_is_switched_off(installed: Framework) -> None:
    """`mfgit guard install` beside a framework: whatever the checkout does to that, the gate behind it refuses."""
    assert installed.kb.mfgit("guard", "install").code == 0
    installed.kb.branch("mfgit/p1")
    installed.kb.write({"json.py": TRAP, **EVIL})
    installed.kb.git("add", *EVIL)
    assert installed.commit(bot=True).code == 1
    assert installed.run("git", "commit", "-q", "--no-verify", "-m", "work", env=BOT).code != 0


@pytest.mark.parametrize("hook", MANIFEST, ids=[hook["id"] for hook in MANIFEST])
def test_an_entry_runs_python_apart_from_the_checkout(hook: dict[str, str], tmp_path: Path) -> None:
    kb = Guarded.at(tmp_path / "kb")
    kb.branch("mfgit/p1")
    kb.write(dict.fromkeys(("json.py", "mfgit.py", "sitecustomize.py", "click.py", "detect_secrets.py"), TRAP))
    kb.write({**EVIL, "help/_forged/a.md": "key AKIAIOSFODNN7EXAMPLE\n"})
    kb.git("add", "help")
    message = kb.path / "message"
    message.write_text("work\n")
    words = [*hook["entry"].split(), *([str(message)] if hook["id"] == "mfgit-message" else [])]
    env = {**os.environ, "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}", "PYTHONPATH": str(kb.path)}
    ran = subprocess.run(words, cwd=kb.path, env=env, capture_output=True, check=False)
    assert ran.returncode == 1, ran.stderr


def test_the_hooks_are_never_filtered() -> None:
    """With `files:` or file names a framework leaves out deletions, links and submodules."""
    assert tuple(hook["id"] for hook in MANIFEST) == IDS
    for hook in MANIFEST:
        assert hook["always_run"]
        assert "files" not in hook
        assert "types" not in hook
        assert hook["stages"] == ["commit-msg"] or hook["pass_filenames"] is False


@pytest.mark.parametrize(("framework", "code"), [("pre-commit", 1), ("prek", 0)], indirect=["framework"])
def test_the_hooks_can_be_tried_before_they_are_installed(framework: Framework, code: int) -> None:
    """Each try makes an environment of its own, so each framework tries once: an attack, and good work."""
    framework.kb.branch("mfgit/p1")
    framework.kb.stage(NEW if code == 0 else {**EVIL, "notes.txt": TURN})
    ran = framework.run("try-repo", str(framework.hooks), "--verbose")
    said = ran.out + ran.err
    assert ran.code == code, said
    assert ("help/password.md is an original" in said) == bool(code)
    assert ("notes.txt holds conversations" in said) == bool(code)


@pytest.mark.parametrize("tool", TOOLS)
def test_the_manifest_is_valid_to_the_framework(tool: str) -> None:
    ran = subprocess.run([BIN / tool, "validate-manifest", TOP / ".pre-commit-hooks.yaml"], capture_output=True, check=False)
    assert (ran.returncode, ran.stdout + ran.stderr) in ((0, b""), (0, b"success: All manifests are valid\n"))


def test_the_documentation_shows_the_settings_that_are_tested_here() -> None:
    page = (TOP / "docs/reference/guard.md").read_text("utf-8")
    shown = SETTINGS.format(hooks="https://git.example.com/tools/mfgit", rev="v0.1.0")
    assert shown in page
