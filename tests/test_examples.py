"""The templates for schedules do what they say: their own commands are run, against a bare repository."""

import json
import os
import re
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import yaml

from tests.archives import turn
from tests.builders import Workbench
from tests.servers import require

if TYPE_CHECKING:
    from collections.abc import Mapping

EXAMPLES = Path(__file__).parent.parent / "docs/examples"
UNITS = sorted((EXAMPLES / "systemd").iterdir())


@pytest.fixture
def remote(tmp_path: Path, bench: Workbench) -> Path:
    """Return a bare repository `team/kb.git` that holds a proposal which a person edited; an archive is beside it."""
    place = tmp_path / "team/kb.git"
    place.parent.mkdir()
    subprocess.run(["git", "clone", "-q", "--bare", str(bench.path), str(place)], check=True)
    ask(tmp_path / "chat", bench, 1, "How do I pair the scanner?")
    other = Workbench(tmp_path / "person")
    subprocess.run(["git", "clone", "-q", str(place), str(other.path)], check=True)
    assert other.mfgit("scan", env={"CHAT_ARCHIVE_DIR": str(tmp_path / "chat")}).code == 0
    branch = other.git("for-each-ref", "--format=%(refname:short)", "refs/heads/mfgit")
    other.git("switch", "-q", branch)
    page = next(path for path in other.path.rglob("_forged/*.md"))
    page.write_text(page.read_text() + "\nHold the button for five seconds.\n")
    other.commit("an answer")
    other.git("push", "-q", "origin", branch)
    ask(tmp_path / "chat", bench, 2, "打印机怎么加纸？")
    return place


def ask(chat: Path, bench: Workbench, number: int, question: str) -> None:
    asked = turn(number, datetime.now(UTC), user_message=question, help_mode=True, rating="down", session_id=f"s{number}")
    assert bench.mfgit("archive", "append", stdin=json.dumps(asked) + "\n", env={"CHAT_ARCHIVE_DIR": str(chat)}).code == 0


def run(script: str, folder: Path, **environment: str) -> None:
    """Run commands as a job does: in bash, to the first failure, with mfgit on the path."""
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    ran = subprocess.run(
        ["bash", "-e", "-o", "pipefail", "-c", script],
        cwd=folder, env={**os.environ, "PATH": path, **environment}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr


def check(remote: Path) -> None:
    """Two proposals are at the remote, and the person's edit is still in one."""
    git = Workbench(remote).git
    branches = git("for-each-ref", "--format=%(refname:short)", "refs/heads/mfgit").split()
    assert len(branches) == 2
    authors = [git("log", "-1", "--format=%an", branch) for branch in branches]
    assert sorted(authors) == ["Alice", "mfgit"]


def test_the_github_workflow_scans_and_pushes(tmp_path: Path, remote: Path) -> None:
    job = yaml.safe_load((EXAMPLES / "github-scan.yml").read_text())["jobs"]["scan"]
    given: Mapping[str, str] = {
        "GITHUB_SERVER_URL": tmp_path.as_uri(),
        "GITHUB_REPOSITORY": "team/kb",
        "CHAT_ARCHIVE_DIR": str(tmp_path / "chat"),
        "TOKEN": "x",
    }
    work = tmp_path / "runner"
    work.mkdir()
    for _ in range(2):
        for step in job["steps"]:
            run(step["run"], work / step.get("working-directory", "."), **given)
        check(remote)


def test_the_gitlab_job_scans_and_pushes(tmp_path: Path, remote: Path) -> None:
    job = yaml.safe_load((EXAMPLES / "gitlab-scan.yml").read_text())["mfgit-scan"]
    given = {
        "CI_PROJECT_URL": f"{tmp_path.as_uri()}/team/kb",
        "CHAT_ARCHIVE_DIR": str(tmp_path / "chat"),
        "MFGIT_PUSH_TOKEN": "x",
    }
    work = tmp_path / "runner"
    work.mkdir()
    for _ in range(2):
        run("\n".join(job["script"]), work, **given)
        check(remote)


@pytest.mark.parametrize("kind", ["github", "gitlab"])
def test_the_jobs_after_a_merge_refresh_and_push(tmp_path: Path, remote: Path, kind: str) -> None:
    """The target moved: the branch holds it, the person's edit is kept, and the guard passes it on the machine's lane."""
    merged = Workbench(tmp_path / "merged")
    subprocess.run(["git", "clone", "-q", str(remote), str(merged.path)], check=True)
    merged.write({"help/new.md": "# New\n"})
    target = merged.commit("a page")
    merged.git("push", "-q", "origin", "main")
    given = {"GITHUB_SERVER_URL": tmp_path.as_uri(), "GITHUB_REPOSITORY": "team/kb", "TOKEN": "x", "MFGIT_PUSH_TOKEN": "x"}
    given["CI_PROJECT_URL"] = f"{tmp_path.as_uri()}/team/kb"
    job = yaml.safe_load((EXAMPLES / f"{kind}-refresh.yml").read_text())
    steps = job["jobs"]["refresh"]["steps"] if kind == "github" else [{"run": "\n".join(job["mfgit-refresh"]["script"])}]
    work = tmp_path / "runner"
    work.mkdir()
    for _ in range(2):
        for step in steps:
            run(step["run"], work / step.get("working-directory", "."), **given)
    git = Workbench(remote).git
    branch = git("for-each-ref", "--format=%(refname)", "refs/heads/mfgit")
    assert git("merge-base", branch, "main") == target
    assert "Hold the button" in git("diff", "main", branch)
    ran = merged.mfgit("-C", str(remote), "guard", "--range", f"main..{branch}", "--ref", branch, "--actor", "mfgit-bot")
    assert ran.code == 0, ran.out + ran.err


def test_the_lines_of_the_crontab_work(tmp_path: Path, remote: Path) -> None:
    require("flock", "util-linux")
    subprocess.run(["git", "clone", "-q", str(remote), str(tmp_path / "cron")], check=True)
    lines = re.findall(r"^[\d*]+ [\d*]+ \* \* \* +(.+)$", (EXAMPLES / "crontab").read_text(), re.MULTILINE)
    assert len(lines) == 3
    for line in [*lines, lines[-1]]:
        run(line, tmp_path, KB=str(tmp_path / "cron"), CHAT_ARCHIVE_DIR=str(tmp_path / "chat"))
    check(remote)


@pytest.mark.parametrize("name", ["github-scan.yml", "github-refresh.yml"])
def test_zizmor_finds_nothing_in_the_workflow(name: str) -> None:
    zizmor = Path(sys.executable).parent / "zizmor"
    ran = subprocess.run([zizmor, "--offline", "--no-progress", EXAMPLES / name], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_systemd_understands_the_units(tmp_path: Path, unit: Path) -> None:
    require("systemd-analyze", "systemd")
    for each in UNITS:
        text = each.read_text().replace("/usr/local/bin/mfgit", "/bin/true").replace("User=mfgit\n", "")
        (tmp_path / each.name).write_text(text)
    ran = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", str(tmp_path / unit.name)], capture_output=True, text=True, check=False
    )
    said = [line for line in ran.stderr.splitlines() if str(tmp_path) in line or unit.name in line]
    assert (ran.returncode, said) == (0, [])


def test_every_command_of_the_units_is_one(bench: Workbench) -> None:
    commands = [
        line.removeprefix("ExecStart=") for unit in UNITS for line in unit.read_text().splitlines() if "ExecStart" in line
    ]
    assert len(commands) == 4
    for command in commands:
        words = [word for word in command.split()[1:] if not word.startswith(("-", "http"))]
        assert bench.mfgit(*words, "--help").code == 0


def test_the_pages_exist_that_the_examples_are_for() -> None:
    named = re.findall(r"\]\(\.\./(examples/[^)]+)\)", "".join(path.read_text() for path in EXAMPLES.parent.rglob("*.md")))
    assert named
    assert all((EXAMPLES.parent / name).exists() for name in named)
