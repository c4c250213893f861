"""CI: the action's own script, GitLab's job and the plain line, run on real clones with what each server says."""

import json
import os
import re
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.builders import Ran
from tests.guarding import EVIL, NEW, REASON, Guarded

TOP = Path(__file__).parent.parent
ACTION = yaml.safe_load((TOP / "action.yml").read_text("utf-8"))
STEP = ACTION["runs"]["steps"][0]
ZERO = "0" * 40
NO_INPUTS: dict[str, str] = {}


class Server:
    """A bare repository, a person's clone of it, and the clones that a CI makes."""

    def __init__(self, top: Path) -> None:
        self.top = top
        self.bare = top / "origin.git"
        self.alice = Guarded.at(top / "alice")
        self.alice.git("init", "-q", "--bare", "-b", "main", str(self.bare))
        self.alice.git("remote", "add", "origin", str(self.bare))
        self.push("main")
        self.count = 0

    def push(self, *specs: str) -> None:
        self.alice.git("push", "-q", "origin", *specs)

    def checkout(self, commit: str, *options: str, also: str = "") -> Path:
        """Clone as actions/checkout does: fetch, then a detached commit; without options the whole history."""
        self.count += 1
        place = self.top / f"ci{self.count}"
        place.mkdir()
        ci = Guarded(place)
        ci.git("init", "-q", "-b", "unborn")
        ci.git("remote", "add", "origin", f"file://{self.bare}")
        heads = ["+refs/heads/*:refs/remotes/origin/*"] if "--depth=1" not in options else []
        ci.git(
            "fetch", "-q", "--no-tags", *options, "origin", *heads, *([also] if also else []), *([commit] if not heads else [])
        )
        ci.git("checkout", "-q", "--detach", commit)
        return place


@pytest.fixture(scope="module")
def action(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the action's checkout: the tracked files and nothing that was installed."""
    place = tmp_path_factory.mktemp("action") / "mfgit"
    for name in ("hooks", "mfgit", "action.yml"):
        source = TOP / name
        if source.is_dir():
            shutil.copytree(source, place / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy2(source, place / name)
    return place


@pytest.fixture
def server(tmp_path: Path) -> Server:
    return Server(tmp_path)


def value(expression: str, context: Mapping[str, Any]) -> str:
    """Return what GitHub makes of an expression of names joined by `||`."""
    for name in expression.removeprefix("${{").removesuffix("}}").split("||"):
        found: Any = context
        for part in name.strip().split("."):
            found = found.get(part, "") if isinstance(found, Mapping) else ""
        if found:
            return str(found)
    return ""


def run(command: list[str], cwd: Path, env: Mapping[str, str]) -> Ran:
    kept = {name: text for name, text in os.environ.items() if not name.startswith(("GITHUB_", "CI_", "GITLAB_", "MFGIT_"))}
    ran = subprocess.run(command, cwd=cwd, env={**kept, **env}, capture_output=True, text=True, check=False)
    return Ran(ran.returncode, ran.stdout, ran.stderr)


def github(action: Path, place: Path, event: Mapping[str, Any], inputs: Mapping[str, str] = NO_INPUTS, **names: str) -> Ran:
    """Run the composite's step as GitHub's runner does; `names` are of the `github` context, the event is its own."""
    defaults = {name: spec.get("default", "") for name, spec in ACTION["inputs"].items()}
    context = {"inputs": {**defaults, **inputs}, "github": {"actor": "alice", "event": event, **names}}
    script = place.parent / f"{place.name}.sh"
    script.write_text(STEP["run"], "utf-8")
    said = {name: value(text, context) for name, text in STEP["env"].items()}
    own = {"base_ref": "GITHUB_BASE_REF", "head_ref": "GITHUB_HEAD_REF", "ref": "GITHUB_REF", "sha": "GITHUB_SHA"}
    env = {name: names.get(key, "") for key, name in own.items()}
    env |= {
        "GITHUB_ACTIONS": "true",
        "CI": "true",
        "GITHUB_ACTOR": context["github"]["actor"],
        "GITHUB_ACTION_PATH": str(action),
    }
    shell = ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", str(script)]
    return run(shell, place / value(STEP["working-directory"], context), {**env, **said})


def pull(head: str, **more: Any) -> dict[str, Any]:
    return {"pull_request": {"head": {"sha": head}}, "repository": {"default_branch": "main"}, **more}


def pull_request(
    server: Server, action: Path, branch: str, *, actor: str = "alice", inputs: Mapping[str, str] = NO_INPUTS
) -> Ran:
    """Open a pull request of a pushed branch: GitHub checks its merge with the target out."""
    alice = server.alice
    head = alice.git("rev-parse", branch)
    alice.git("checkout", "-q", "--detach", "origin/main")
    alice.merge(head)
    server.push("+HEAD:refs/pull/1/merge")
    place = server.checkout("FETCH_HEAD", also="refs/pull/1/merge")
    names = {"base_ref": "main", "head_ref": branch, "ref": "refs/pull/1/merge", "sha": alice.git("rev-parse", "HEAD")}
    return github(action, place, pull(head), inputs, actor=actor, **names)


def proposed(
    server: Server, branch: str, files: Mapping[str, str | bytes | None], message: str = "work", *, bot: bool = False
) -> str:
    server.alice.branch(branch)
    made = server.alice.save(files, message, bot=bot)
    server.push(f"+{branch}")
    return made


@pytest.mark.parametrize(
    ("branch", "files", "message", "bot", "code"),
    [
        ("mfgit/p1", NEW, "work", True, 0),
        ("mfgit/p1", EVIL, "work", True, 1),
        ("mfgit/p1", EVIL, f"work{REASON}", False, 1),
        ("edit", EVIL, f"work{REASON}", False, 0),
        ("edit", EVIL, "work", False, 1),
        ("edit", EVIL, f"work{REASON}", True, 1),
        ("edit", NEW, "work", False, 0),
    ],
    ids=[
        "proposal",
        "evil proposal",
        "a reason does not help the machine",
        "edit",
        "edit without a reason",
        "by e-mail",
        "overlay",
    ],
)
def test_a_pull_request_is_judged(
    server: Server, action: Path, branch: str, files: dict[str, str], message: str, bot: bool, code: int
) -> None:
    proposed(server, branch, files, message, bot=bot)
    ran = pull_request(server, action, branch)
    assert ran.code == code, ran.err
    assert ("::error file=help/password.md," in ran.err) == (code == 1)


def test_the_actor_is_the_login_of_the_event(server: Server, action: Path) -> None:
    proposed(server, "edit", EVIL, f"work{REASON}")
    assert pull_request(server, action, "edit", actor="mfgit-bot").code == 1
    assert pull_request(server, action, "edit", inputs={"actor": "mfgit-bot"}).code == 1
    assert pull_request(server, action, "edit").code == 0


def test_the_base_is_the_target_as_it_is_now(server: Server, action: Path) -> None:
    """Between the event and the job the target came to protect more; what was checked out does not know it yet."""
    proposed(server, "edit", {"notes/a.md": "# a\n"})
    head = server.alice.git("rev-parse", "edit")
    place = server.checkout("origin/edit")
    names = {"base_ref": "main", "head_ref": "edit", "ref": "refs/pull/1/merge", "sha": head}
    assert github(action, place, pull(head), NO_INPUTS, **names).code == 0
    server.alice.git("checkout", "-q", "main")
    settings = (server.alice.path / "mfgit.toml").read_text("utf-8") + '\n[[root]]\npath = "notes"\nlayer = "help"\n'
    server.alice.save({"mfgit.toml": settings}, f"more{REASON}")
    server.push("main")
    assert github(action, place, pull(head), NO_INPUTS, **names).code == 1


def test_a_target_that_cannot_be_fetched_is_taken_as_it_was_checked_out(server: Server, action: Path) -> None:
    """So it is in a private repository whose checkout keeps no credentials."""
    head = proposed(server, "edit", EVIL)
    place = server.checkout("origin/edit")
    Guarded(place).git("remote", "set-url", "origin", str(server.top / "gone"))
    ran = github(action, place, pull(head), base_ref="main", head_ref="edit", ref="refs/pull/1/merge", sha=head)
    assert ran.code == 1
    assert "main could not be fetched from origin" in ran.err


def test_a_fork_is_judged_whatever_its_branch_is_called(server: Server, action: Path) -> None:
    """A fork's `main` is not the target, and its head is fetched where the checkout has only the target."""
    fork = server.top / "fork.git"
    server.alice.git("clone", "-q", "--bare", str(server.bare), str(fork))
    server.alice.branch("theirs")
    for files, message, code in [(EVIL, "work", 1), ({"help/password.md": "# b\n"}, f"work{REASON}", 1), (NEW, "more", 1)]:
        head = server.alice.save(files, message)
        server.alice.git("push", "-q", str(fork), "+theirs:main")
        server.push("+theirs:refs/pull/2/head")
        place = server.checkout("origin/main")
        ran = github(action, place, pull(head), base_ref="main", head_ref="main", ref="refs/pull/2/merge", sha="x")
        assert ran.code == code, ran.err
    server.alice.branch("good")
    head = server.alice.save(EVIL, f"work{REASON}")
    server.push("+good:refs/pull/3/head")
    place = server.checkout("origin/main")
    assert github(action, place, pull(head), base_ref="main", head_ref="main", ref="refs/pull/3/merge", sha="x").code == 0


def test_a_shallow_clone_is_refused_with_the_line_that_mends_it(server: Server, action: Path) -> None:
    head = proposed(server, "edit", NEW)
    place = server.checkout(head, "--depth=1")
    ran = github(action, place, pull(head), base_ref="main", head_ref="edit", ref="refs/pull/1/merge", sha=head)
    assert ran.code == 2
    assert "Give actions/checkout the line: fetch-depth: 0" in ran.err
    assert "::error title=mfgit guard::this clone is shallow" in ran.out


def test_a_push_to_the_target_is_judged_from_where_it_was(server: Server, action: Path) -> None:
    before = server.alice.git("rev-parse", "main")
    for files, message, code in [(EVIL, f"a{REASON}", 0), ({"help/password.md": "x"}, "b", 1), ({"code.py": "x"}, "c", 0)]:
        server.alice.git("checkout", "-q", "main")
        after = server.alice.save(files, message)
        server.push("main")
        place = server.checkout("origin/main")
        event = {"before": before, "after": after, "repository": {"default_branch": "main"}}
        ran = github(action, place, event, ref="refs/heads/main", sha=after)
        assert ran.code == code, ran.err
        before = after


def test_a_push_to_another_branch_is_judged_from_the_target(server: Server, action: Path) -> None:
    head = proposed(server, "mfgit/p1", EVIL)
    place = server.checkout("origin/mfgit/p1")
    event = {"before": ZERO, "after": head, "repository": {"default_branch": "main"}}
    assert github(action, place, event, ref="refs/heads/mfgit/p1", sha=head).code == 1
    assert github(action, place, event, ref="refs/tags/v1", sha=head).code == 1
    good = server.alice.git("rev-parse", "main")
    assert github(action, place, event, ref="refs/heads/other", sha=good).code == 0


def test_a_merge_queue_is_judged_from_the_target(server: Server, action: Path) -> None:
    head = proposed(server, "gh-readonly-queue/main/pr-1", EVIL)
    place = server.checkout("origin/gh-readonly-queue/main/pr-1")
    event = {"merge_group": {"base_ref": "refs/heads/main", "base_sha": "x"}, "repository": {"default_branch": "other"}}
    assert github(action, place, event, ref="refs/heads/gh-readonly-queue/main/pr-1", sha=head).code == 1


def test_a_forced_push_of_the_target_cannot_be_judged(server: Server, action: Path) -> None:
    head = server.alice.git("rev-parse", "main")
    place = server.checkout("origin/main")
    event = {"before": "f" * 40, "after": head, "repository": {"default_branch": "main"}}
    ran = github(action, place, event, ref="refs/heads/main", sha=head)
    assert (ran.code, f"the base {'f' * 40} is not in this clone" in ran.err) == (2, True)


def test_the_push_that_brings_the_settings_is_free(server: Server, action: Path, tmp_path: Path) -> None:
    """Until `mfgit.toml` is on the target people are free, and on the push that puts it there too."""
    other = Server(tmp_path / "other")
    other.alice.git("checkout", "-q", "main")
    before = other.alice.save({"mfgit.toml": None}, "none")
    other.push("main")
    other.alice.save({"help/password.md": "x"}, "free")
    after = other.alice.save({"mfgit.toml": (server.alice.path / "mfgit.toml").read_text("utf-8")}, "settings")
    other.push("main")
    place = other.checkout("origin/main")
    event = {"before": before, "after": after, "repository": {"default_branch": "main"}}
    ran = github(action, place, event, ref="refs/heads/main", sha=after)
    assert ran.code == 0, ran.err


def test_the_first_push_of_the_target_is_free(server: Server, action: Path) -> None:
    """A new repository is pushed whole: there was nothing on the target that could be protected."""
    head = server.alice.git("rev-parse", "main")
    place = server.checkout("origin/main")
    event = {"before": ZERO, "after": head, "repository": {"default_branch": "main"}}
    assert github(action, place, event, ref="refs/heads/main", sha=head).code == 0


def test_a_run_that_no_push_caused_needs_to_be_told_where_from(server: Server, action: Path) -> None:
    head = server.alice.git("rev-parse", "main")
    place = server.checkout("origin/main")
    event = {"repository": {"default_branch": "main"}}
    ran = github(action, place, event, ref="refs/heads/main", sha=head)
    assert (ran.code, "nothing says where it was" in ran.err) == (2, True)
    assert github(action, place, event, {"base": head}, ref="refs/heads/main", sha=head).code == 0


def test_what_lies_in_the_checkout_is_not_run(server: Server, action: Path) -> None:
    """A `json.py`, a package called mfgit or a sitecustomize in the judged folder must not be imported."""
    trap = "import os\nos._exit(0)\n"
    traps = dict.fromkeys(("json.py", "os.py", "sitecustomize.py", "mfgit/__init__.py", "tomllib.py", "typing.py"), trap)
    head = proposed(server, "edit", {**EVIL, **traps})
    place = server.checkout("origin/edit")
    names = {"base_ref": "main", "head_ref": "edit", "ref": "refs/pull/1/merge", "sha": head}
    assert github(action, place, pull(head), NO_INPUTS, **names).code == 1


def test_a_branch_name_is_no_command(server: Server, action: Path) -> None:
    name = "a;touch${IFS}hacked;$(touch${IFS}hacked)`touch${IFS}hacked`'\""
    proposed(server, name, EVIL)
    ran = pull_request(server, action, name)
    assert ran.code == 1
    assert not list(server.top.rglob("hacked"))


def test_a_checkout_below_the_workspace_is_found_by_its_path(server: Server, action: Path) -> None:
    head = proposed(server, "edit", EVIL)
    place = server.checkout("origin/edit")
    names = {"base_ref": "main", "head_ref": "edit", "ref": "refs/pull/1/merge", "sha": head}
    (server.top / "space").mkdir()
    place = place.rename(server.top / "space" / "kb")
    assert github(action, place.parent, pull(head), {"path": "kb"}, **names).code == 1
    ran = github(action, place.parent, pull(head), NO_INPUTS, **names)
    assert (ran.code, "git cannot read this checkout" in ran.err) == (2, True)


def test_inputs_reach_the_shell_through_the_environment_only() -> None:
    assert len(ACTION["runs"]["steps"]) == 1
    assert "${{" not in STEP["run"]
    named = set(re.findall(r"inputs\.(\w+)", " ".join([*STEP["env"].values(), STEP["working-directory"]])))
    assert named == set(ACTION["inputs"])


def gitlab(action: Path, place: Path, **names: str) -> Ran:
    """Run GitLab's job: its two parts in one shell, with mfgit's repository fetched by the job itself."""
    job = yaml.safe_load((TOP / "ci/gitlab.yml").read_text("utf-8"))["mfgit-guard"]
    assert job["variables"]["GIT_DEPTH"] == "0"
    lines = [*job["before_script"], *job["script"]]
    fixed = {"GITLAB_CI": "true", "CI": "true", "CI_DEFAULT_BRANCH": "main", "GITLAB_USER_LOGIN": "alice"}
    source = {"MFGIT_SOURCE": str(action), "MFGIT_VERSION": "v9", "CI_PROJECT_DIR": str(place)}
    return run(["sh", "-ec", "\n".join(lines)], place, {**fixed, **source, **names})


@pytest.fixture(scope="module")
def released(action: Path) -> Path:
    """Return the action's checkout as a repository with a release."""
    made = Guarded(action)
    made.git("init", "-q", "-b", "main")
    made.git("add", "-A")
    made.git("commit", "-q", "--no-verify", "-m", "release")
    made.git("tag", "v9")
    return action


def test_gitlabs_job_judges_merge_requests_and_pushes(server: Server, released: Path) -> None:
    before = server.alice.git("rev-parse", "main")
    evil, good = proposed(server, "edit", EVIL), proposed(server, "mfgit/p1", NEW, bot=True)
    for head, branch, code in [(evil, "edit", 1), (good, "mfgit/p1", 0), (evil, "main", 1)]:
        request = {"CI_MERGE_REQUEST_TARGET_BRANCH_NAME": "main", "CI_MERGE_REQUEST_SOURCE_BRANCH_NAME": branch}
        ran = gitlab(released, server.checkout(head), CI_COMMIT_SHA=head, CI_COMMIT_BEFORE_SHA=ZERO, **request)
        assert ran.code == code, ran.err
        result = {**request, "CI_MERGE_REQUEST_SOURCE_BRANCH_SHA": head}
        assert gitlab(released, server.checkout(head), CI_COMMIT_SHA=before, **result).code == code
    server.alice.git("checkout", "-q", "main")
    after = server.alice.save(EVIL)
    server.push("main")
    pushed = {"CI_COMMIT_BRANCH": "main", "CI_COMMIT_SHA": after}
    assert gitlab(released, server.checkout(after), CI_COMMIT_BEFORE_SHA=before, **pushed).code == 1
    shallow = gitlab(released, server.checkout(after, "--depth=1"), CI_COMMIT_BEFORE_SHA=before, **pushed)
    assert (shallow.code, 'GIT_DEPTH: "0"' in shallow.err) == (2, True)


def test_any_other_ci_runs_the_same_script_with_two_names(server: Server, action: Path) -> None:
    head = proposed(server, "edit", EVIL)
    place = server.checkout(head)
    line = ["sh", str(action / "hooks/ci")]
    assert run(line, place, {"MFGIT_TARGET": "main", "MFGIT_REF": "edit"}).code == 1
    assert run(line, place, {"MFGIT_BASE": "origin/main", "MFGIT_HEAD": "origin/main"}).code == 0
    for names, said in [
        ({}, "nothing says which branch the change goes to"),
        ({"MFGIT_TARGET": "main", "MFGIT_REF": "main"}, "nothing says where it was"),
        ({"MFGIT_TARGET": "main", "MFGIT_HEAD": "--all"}, "is not in this clone"),
        ({"MFGIT_TARGET": "gone"}, "the base refs/remotes/origin/gone is not in this clone"),
    ]:
        ran = run(line, place, names)
        assert (ran.code, said in ran.err) == (2, True), ran.err


def test_the_script_says_what_it_needs(server: Server, action: Path, tmp_path: Path) -> None:
    place = server.checkout("origin/main")
    tools = tmp_path / "tools"
    tools.mkdir()
    for name in ("sh", "dirname"):
        (tools / name).symlink_to(shutil.which(name) or "")
    line = ["sh", str(action / "hooks/ci")]
    ran = run(line, place, {"PATH": str(tools), "MFGIT_TARGET": "main"})
    assert (ran.code, "there is no git here" in ran.err) == (2, True)
    (tools / "git").symlink_to(shutil.which("git") or "")
    (tools / "python3").write_text("#!/bin/sh\nexit 1\n")
    (tools / "python3").chmod(0o755)
    ran = run(line, place, {"PATH": str(tools), "MFGIT_TARGET": "main"})
    assert (ran.code, "it needs Python 3.11 or newer" in ran.err) == (2, True)


def test_the_launcher_runs_the_guard_from_a_checkout_and_from_an_installed_package(
    server: Server, action: Path, tmp_path: Path
) -> None:
    proposed(server, "edit", EVIL)
    python = shutil.which("python3") or ""
    packed = tmp_path / "site" / "mfgit"
    shutil.copytree(action / "mfgit", packed)
    shutil.copytree(action / "hooks", packed / "hooks")
    (tmp_path / "link").symlink_to(action / "hooks/guard")
    for launcher in (action / "hooks/guard", packed / "hooks/guard", tmp_path / "link"):
        ran = run([python, "-I", "-S", str(launcher), "--range", "main..edit", "--json"], server.alice.path, {})
        assert (ran.code, json.loads(ran.out)["count"]) == (1, 1), ran.err
