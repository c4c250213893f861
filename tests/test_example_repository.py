"""The template of a repository: complete, guarded, and its workflows do what they say against servers on this machine."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests import servers
from tests.archives import turn
from tests.builders import Workbench
from tests.examples import EXAMPLES, TOP
from tests.hosting import KEY, Hosted, hosting
from tests.test_guard_ci import github, pull

TEMPLATE = EXAMPLES / "github-repository/template"
WORKFLOWS = TEMPLATE / ".github/workflows"
REASON = "--trailer=Original-Edit: a new menu"


@pytest.fixture
def kb(tmp_path: Path) -> Workbench:
    """Return a copy of the template as somebody's repository."""
    shutil.copytree(TEMPLATE, tmp_path / "handbook")
    bench = Workbench(tmp_path / "handbook")
    bench.git("init", "-q", "-b", "main")
    bench.commit("Start")
    return bench


def test_nothing_is_left_to_set_up_but_the_hooks(kb: Workbench) -> None:
    assert kb.mfgit("init", "--yes").code == 0
    assert kb.git("status", "--porcelain") == ""
    assert "there is nothing to write" in kb.mfgit("init", "--dry-run").out
    examined = kb.mfgit("doctor")
    assert examined.code == 0, examined.out
    for question, page in [("How long are copies kept?", "en/backups.md"), ("副本保留多久？", "zh/backups.md")]:
        assert kb.mfgit("search", question, "--expect", f"help/{page}").code == 0


def test_zizmor_finds_nothing_in_the_workflows() -> None:
    zizmor = Path(sys.executable).parent / "zizmor"
    ran = subprocess.run([zizmor, "--offline", "--no-progress", WORKFLOWS], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stdout + ran.stderr


@pytest.mark.parametrize(
    ("branch", "options", "code"),
    [("menu", (), 1), ("menu", (REASON,), 0), ("mfgit/0123456789abcdef", (REASON,), 1)],
    ids=["no reason", "a reason", "the machine"],
)
def test_the_guard_judges_a_pull_request(kb: Workbench, branch: str, options: tuple[str, ...], code: int) -> None:
    """By the action that the workflow names, on the clone that its checkout makes."""
    steps = yaml.safe_load((WORKFLOWS / "guard.yml").read_text("utf-8"))["jobs"]["originals"]["steps"]
    assert [step["uses"].partition("@")[0] for step in steps] == ["actions/checkout", "OWNER/mfgit"]
    assert steps[0]["with"]["fetch-depth"] == 0
    kb.git("switch", "-q", "-c", branch)
    kb.write({"help/en/backups.md": "# Backups\n\nEvery hour.\n"})
    kb.git("commit", "-q", "-a", "-m", "Change the menu", *options)
    head = kb.git("rev-parse", "HEAD")
    kb.git("switch", "-q", "main")
    checkout = kb.path.parent / "checkout"
    subprocess.run(["git", "clone", "-q", kb.path.as_uri(), str(checkout)], check=True)
    ran = github(TOP, checkout, pull(head), base_ref="main", head_ref=branch, ref="refs/pull/1/merge", sha=head)
    assert ran.code == code, ran.err


class Hub:
    """The repository on a service: Git over HTTP, the API, a runner beside an archive."""

    def __init__(self, folder: Path, hosted: Hosted, served: servers.Server) -> None:
        self.hosted, self.folder = hosted, folder
        self.bare = served.path.parent / "team/kb.git"
        self.bare.parent.mkdir()
        served.path.rename(self.bare)
        self.address = served.template
        self.runner = folder / "runner"
        self.runner.mkdir()

    def run(self, name: str) -> None:
        """Run the steps of a workflow's only job as its runner does."""
        (job,) = yaml.safe_load((WORKFLOWS / name).read_text("utf-8"))["jobs"].values()
        given = {"GITHUB_REPOSITORY": "team/kb", "CHAT_ARCHIVE_DIR": str(self.folder / "chat")}
        given["GITHUB_SERVER_URL"] = self.address.replace("{user}:secret@", "").removesuffix("/kb.git")
        given["PATH"] = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
        for step in job["steps"]:
            own = {key: text.replace("${{ secrets.MFGIT_PUBLISH_TOKEN }}", KEY) for key, text in step.get("env", {}).items()}
            ran = subprocess.run(
                ["bash", "-e", "-o", "pipefail", "-c", step["run"]],
                cwd=self.runner / step.get("working-directory", "."), env={**os.environ, **given, **own},
                capture_output=True, text=True, check=False,
            )  # fmt: skip
            assert ran.returncode == 0, ran.stdout + ran.stderr


@pytest.fixture
def hub(tmp_path: Path, kb: Workbench) -> Iterator[Hub]:
    with hosting("github") as hosted, servers.http(tmp_path) as served:
        made = Hub(tmp_path, hosted, served)
        settings = (kb.path / "mfgit.toml").read_text("utf-8")
        api = f'[publish]\nservice = "github"\nurl = "{hosted.url}{hosted.contract["prefix"]}"\n'
        kb.write({"mfgit.toml": settings.replace("[publish]\n", api)})
        kb.commit("where the service is")
        kb.git("remote", "add", "origin", str(made.bare))
        kb.git("push", "-q", "origin", "main")
        yield made
        assert hosted.faults == []


def test_the_workflows_open_a_pull_request_and_carry_it_onto_what_was_merged(hub: Hub, kb: Workbench) -> None:
    asked: dict[str, Any] = turn(1, datetime.now(UTC), user_message="打印机怎么加纸？", help_mode=True, rating="down")
    chat = {"CHAT_ARCHIVE_DIR": str(hub.folder / "chat")}
    assert kb.mfgit("archive", "append", stdin=json.dumps(asked) + "\n", env=chat).code == 0
    for _ in range(2):
        hub.run("mfgit-scan.yml")
        (request,) = hub.hosted.requests
        assert "打印机" in request.title
    secret = KEY.encode()
    assert not [path for path in (hub.runner / "kb/.git").rglob("*") if path.is_file() and secret in path.read_bytes()]
    kb.write({"help/en/printing.md": "# Printing\n"})
    kb.git("add", "-A")
    kb.git("commit", "-q", "--no-verify", "-m", "A page", REASON)
    kb.git("push", "-q", "origin", "main")
    hub.run("mfgit-refresh.yml")
    bare = Workbench(hub.bare)
    assert bare.git("merge-base", request.branch, "main") == kb.git("rev-parse", "main")
    judged = kb.mfgit(
        "-C", str(hub.bare), "guard", "--range", f"main..{request.branch}", "--ref", request.branch, "--actor", "x"
    )
    assert judged.code == 0, judged.err
    request.state, request.closed_by = "closed", "wei"
    hub.run("mfgit-scan.yml")
    assert bare.git("for-each-ref", "--format=%(refname)", "refs/mfgit/rejected")
