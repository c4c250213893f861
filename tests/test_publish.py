"""Publish and sync against each kind of service: its API by contract, its repository over real HTTP."""

import json
import os
import re
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from mfgit import model
from mfgit.errors import BadInput
from mfgit.project import Project
from mfgit.project.deciding import write_proposals
from mfgit.project.publishing import Outcome
from tests import servers
from tests.builders import CONFIG, Workbench
from tests.hosting import KEY, OWNER, Hosted, hosting
from tests.records import draft, identity, record, wording

KINDS = ("github", "gitlab", "gitea")
ONE, TWO = identity(1), identity(2)


class Team:
    """A knowledge base on a hosting service: the checkout, the bare repository behind HTTP, the API."""

    def __init__(self, folder: Path, kind: str, hosted: Hosted, served: servers.Server) -> None:
        self.folder, self.kind, self.hosted = folder, kind, hosted
        self.bare = served.path.parent / OWNER / "kb.git"
        self.bare.parent.mkdir()
        served.path.rename(self.bare)
        self.url = served.url("alice").replace("/kb.git", f"/{OWNER}/kb.git")
        api = f"{hosted.url}{hosted.contract['prefix']}"
        more = f'\n[publish]\nservice = "{kind}"\nurl = "{api}"\nreviewers = ["@olga", "mfgit-bot"]\n'
        self.bench = Workbench.make(folder / "kb")
        self.bench.write({"mfgit.toml": CONFIG + more, "CODEOWNERS": owners_of(kind)})
        self.bench.commit("settings")
        self.bench.git("remote", "add", "origin", self.url)
        self.bench.git("push", "-q", "origin", "main")

    def project(self, path: Path | None = None) -> Project:
        return Project.open(path or self.bench.path, {"MFGIT_PUBLISH_TOKEN": KEY})

    def propose(self, *records: model.Record) -> None:
        write_proposals(self.project(), list(records))

    def publish(self, *ids: str, **options: Any) -> Outcome:
        done = self.project().publish(ids, **options)
        assert self.hosted.faults == []
        return done

    def clone(self, name: str) -> Workbench:
        subprocess.run(["git", "clone", "-q", self.url, str(self.folder / name)], check=True)
        return Workbench(self.folder / name)

    def refs(self, bench: Workbench | None = None) -> set[str]:
        return set((bench or self.bench).git("for-each-ref", "--format=%(refname)", "refs/heads", "refs/mfgit").split("\n"))

    def remote_refs(self) -> dict[str, str]:
        lines = self.bench.git("ls-remote", "--refs", "origin").split("\n")
        return {ref: oid for oid, ref in (line.split("\t") for line in lines)}


def owners_of(kind: str) -> str:
    if kind == "gitea":
        return "help/password.md @wei\n.*\\.bin @nobody\n"
    return "* @everyone\n/help/ @wei\n"


@pytest.fixture(params=KINDS)
def team(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Team]:
    with ExitStack() as stack:
        hosted = stack.enter_context(hosting(request.param))
        served = stack.enter_context(servers.http(tmp_path))
        yield Team(tmp_path, request.param, hosted, served)


# ---- publish


def test_each_proposal_gets_one_request_and_keeps_it(team: Team) -> None:
    """Branches pushed, requests opened with labels and reviewers, a second run changes nothing."""
    team.propose(record(1), wording(2), draft(3))
    first = team.publish()
    assert [(one.branch, one.request, one.problems) for one in first.proposals] == [("pushed", "opened", [])] * 3
    assert {f"refs/heads/mfgit/{identity(n)}" for n in (1, 2, 3)} <= set(team.remote_refs())
    assert [one.branch for one in team.hosted.requests] == [f"mfgit/{identity(n)}" for n in (1, 2, 3)]
    assert all(one.labels == ["mfgit"] for one in team.hosted.requests)
    people = team.hosted.requests[1].reviewers
    assert people == (["7", "8"] if team.kind == "gitlab" else ["olga", "wei"])
    again = team.publish()
    assert [(one.branch, one.request) for one in again.proposals] == [("unchanged", "unchanged")] * 3
    assert len(team.hosted.requests) == 3
    assert "Before and after" in first.proposals[1].text


def test_a_draft_is_marked_as_one_where_the_service_knows_how(team: Team) -> None:
    """An answer that is wanted makes a draft; once a person wrote it, it is none."""
    team.propose(draft(3))
    told = team.publish().proposals[0]
    made = team.hosted.requests[0]
    assert made.title.startswith({"github": "Answer wanted: ", "gitlab": "Draft: ", "gitea": "WIP: "}[team.kind])
    assert made.draft == (team.kind == "github")
    assert "There is no answer yet" in told.text


@pytest.mark.parametrize("team", ["github"], indirect=True)
def test_where_drafts_are_not_to_be_had_an_open_request_is_made(team: Team) -> None:
    """GitHub has drafts for some plans only."""
    team.hosted.drafts = False
    team.propose(draft(3))
    assert team.publish().proposals[0].request == "opened"
    assert not team.hosted.requests[0].draft


def test_a_changed_proposal_updates_its_request(team: Team) -> None:
    """The machine's branch is made anew, the request's text follows."""
    team.propose(record(1))
    team.publish()
    team.propose(record(1, frequency=9, suggestion="Open the menu and choose one."))
    told = team.publish().proposals[0]
    assert (told.branch, told.request) == ("updated", "updated")
    assert "Asked 9 times" in team.hosted.requests[0].text
    assert len(team.hosted.requests) == 1


@pytest.mark.parametrize("team", ["gitlab"], indirect=True)
def test_a_dry_run_writes_nothing(team: Team) -> None:
    """Neither refs here nor anything there; it tells what would be."""
    team.propose(record(1))
    here, there = team.refs(), team.remote_refs()
    done = team.publish(dry_run=True)
    assert (done.proposals[0].branch, done.proposals[0].request) == ("pushed", "opened")
    assert "Mfgit-Proposal: " in done.proposals[0].text
    assert (team.refs(), team.remote_refs(), team.hosted.requests) == (here, there, [])
    assert all(method == "GET" for method, _ in team.hosted.asked)


def test_a_request_from_a_fork_is_nobodys(team: Team) -> None:
    """A stranger's branch of the same name is neither updated nor believed."""
    team.propose(record(1))
    team.hosted.add(f"mfgit/{ONE}", "main", "mine", "mine", fork=True)
    assert team.publish().proposals[0].request == "opened"
    assert [one.text == "mine" for one in team.hosted.requests] == [True, False]
    team.hosted.requests[1].state = "merged"
    team.hosted.requests[0].state = "closed"
    assert [one.what for one in team.project().sync().changes] == ["merged"]


@pytest.mark.parametrize("team", ["github"], indirect=True)
def test_an_answer_that_is_lost_makes_no_second_request(team: Team) -> None:
    """The service opened it, the connection broke: the one that is there is found."""
    team.propose(record(1))
    team.hosted.lose_answer = True
    assert team.publish().proposals[0].problems == []
    assert len(team.hosted.requests) == 1


@pytest.mark.parametrize("team", ["gitea"], indirect=True)
def test_a_failure_is_told_for_its_proposal_alone(team: Team) -> None:
    """One request cannot be opened: the other is, and the exit code says that something is left."""
    team.propose(record(1), record(2))
    team.hosted.failing = [("POST", 400, {})]
    done = team.publish()
    assert [bool(one.problems) for one in done.proposals] == [True, False]
    assert done.failed
    assert [one.branch for one in team.hosted.requests] == [f"mfgit/{TWO}"]


def test_a_service_that_asks_for_a_pause_gets_it(team: Team) -> None:
    """A limit that lasts ends the run: nothing more is asked, and what was left is told."""
    team.propose(record(1), record(2), record(3))
    limit = (403, {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "9999999999"})
    team.hosted.failing = [("GET", *limit)] if team.kind == "github" else [("GET", 429, {"Retry-After": "3600"})]
    done = team.publish()
    assert [one.request for one in done.proposals] == ["failed"] * 3
    assert "It was not tried" in done.proposals[2].problems[0]
    assert len(team.hosted.asked) == 1


@pytest.mark.parametrize("team", ["gitlab"], indirect=True)
def test_a_short_pause_is_waited_for(team: Team) -> None:
    """`Retry-After` of a second is obeyed, and the run goes on."""
    team.propose(record(1))
    team.hosted.failing = [("GET", 429, {"Retry-After": "0"})]
    assert team.publish().proposals[0].problems == []


@pytest.mark.parametrize("team", ["gitea"], indirect=True)
def test_the_work_of_a_person_at_the_remote_is_never_dropped(team: Team) -> None:
    """They edited their clone's branch; a rescan here made another one: nothing is forced."""
    team.propose(record(1))
    team.publish()
    other = team.clone("other")
    other.git("switch", "-q", f"mfgit/{ONE}")
    page = next((other.path / "help/_forged").glob("*.md"))
    page.write_text(page.read_text("utf-8") + "\nAnd save.\n", "utf-8")
    other.commit("add a step")
    other.git("push", "-q", "origin", f"mfgit/{ONE}")
    assert team.publish().proposals[0].request == "updated"
    assert "And save." in team.hosted.requests[0].text
    team.bench.git(
        "update-ref", f"refs/heads/mfgit/{ONE}", team.bench.git("commit-tree", "-p", "main", "-m", "x", "main^{tree}")
    )
    kept = team.remote_refs()[f"refs/heads/mfgit/{ONE}"]
    team.publish()
    assert team.remote_refs()[f"refs/heads/mfgit/{ONE}"] == kept


# ---- sync


def close(team: Team, number: int, who: str = "olga", said: str = "We never do this. @all fixes #1") -> None:
    one = team.hosted.requests[number]
    one.state, one.closed_by = "closed", who
    one.comments.append((who, said))


def test_closed_is_rejected_and_opened_again_is_restored(team: Team) -> None:
    """With the reason that was given, and back again with the branch as it was."""
    team.propose(record(1), record(2))
    team.publish()
    tip = team.bench.git("rev-parse", f"mfgit/{ONE}")
    close(team, 0)
    done = team.project().sync()
    assert [(one.id, one.what) for one in done.changes] == [(ONE, "rejected")]
    there = team.project().proposals("rejected")[0]
    assert there.reason.startswith("We never do this. @all fixes #1")
    assert "by olga" in there.reason
    assert f"refs/mfgit/rejected/{ONE}" in team.remote_refs()
    assert team.project().sync().changes == ()
    team.hosted.requests[0].state = "open"
    assert [(one.id, one.what) for one in team.project().sync().changes] == [(ONE, "restored")]
    assert team.bench.git("rev-parse", f"mfgit/{ONE}") == tip
    assert f"refs/mfgit/rejected/{ONE}" not in team.remote_refs()
    assert team.project().sync().changes == ()


@pytest.mark.parametrize("team", ["gitlab"], indirect=True)
def test_all_clones_agree(team: Team) -> None:
    """A rejection here, read there; restored there, read here."""
    team.propose(record(1))
    team.publish()
    close(team, 0)
    team.project().sync()
    other = team.clone("other")
    far = team.project(other.path)
    far.sync()
    assert [one.status for one in far.proposals()] == ["rejected"]
    far.restore(ONE)
    assert "mfgit publish opens it again" in far.sync().problems[0]
    assert [one.what for one in team.project().sync().changes] == ["restored"]
    assert [one.status for one in team.project().proposals()] == ["open"]
    assert far.publish().proposals[0].request == "reopened"
    assert team.hosted.requests[0].state == "open"
    assert (far.sync().problems, team.project().sync().problems) == ((), ())
    close(team, 0)
    assert [one.what for one in team.project().sync().changes] == ["rejected"]


@pytest.mark.parametrize("team", ["gitea"], indirect=True)
def test_what_is_rejected_here_is_closed_there(team: Team) -> None:
    """Publish closes it, once; opening it there again restores it."""
    team.propose(record(1))
    team.publish()
    team.project().reject(ONE, "no")
    assert "mfgit publish closes it" in team.project().sync().problems[0]
    assert [one.request for one in team.publish().proposals] == ["closed"]
    assert team.hosted.requests[0].state == "closed"
    assert team.publish().proposals == ()
    assert team.project().sync().problems == ()
    team.hosted.requests[0].state = "open"
    assert [one.what for one in team.project().sync().changes] == ["restored"]


@pytest.mark.parametrize("team", ["github"], indirect=True)
def test_a_fresh_clone_knows_what_was_closed_there(team: Team) -> None:
    """A job's clone neither closes a request that was opened again, nor takes it for rejected: the commit tells."""
    team.propose(record(1))
    team.publish()
    close(team, 0)
    team.project().sync()
    team.hosted.requests[0].state = "open"
    job = team.clone("job")
    job.git("fetch", "-q", "origin", "refs/heads/mfgit/*:refs/heads/mfgit/*", "refs/mfgit/*:refs/mfgit/*")
    team.project(job.path).publish()
    assert team.hosted.requests[0].state == "open"
    assert [one.what for one in team.project(job.path).sync().changes] == ["restored"]
    assert [one.status for one in team.project(job.path).proposals()] == ["open"]


@pytest.mark.parametrize(("team", "how"), [("github", "merge"), ("gitlab", "squash"), ("gitea", "rebase")], indirect=["team"])
def test_merged_is_adopted_as_git_tells(team: Team, how: str) -> None:
    """In a clone of the host's, whichever button was pressed; the branch may be gone."""
    team.propose(record(1))
    team.publish()
    host = team.clone("host")
    branch = f"origin/mfgit/{ONE}"
    if how == "merge":
        host.git("merge", "-q", "--no-ff", "-m", "Merge", branch)
    elif how == "squash":
        host.git("merge", "-q", "--squash", branch)
        host.git("commit", "-q", "--no-verify", "-m", "squashed")
    else:
        host.git("cherry-pick", branch)
    host.git("push", "-q", "origin", "main", f":mfgit/{ONE}")
    team.hosted.requests[0].state = "merged"
    assert [one.what for one in team.project().sync().changes] == ["merged"]
    team.bench.git("pull", "-q", "--rebase", "origin", "main")
    assert [one.status for one in team.project().proposals()] == ["adopted"]
    assert team.project().sync().changes == ()


@pytest.mark.parametrize("team", ["github"], indirect=True)
def test_a_persons_text_survives_being_closed_and_opened(team: Team) -> None:
    """Their commit came to the remote only; the rejected ref holds it, and so does the restored branch."""
    team.propose(record(1))
    team.publish()
    other = team.clone("other")
    other.git("switch", "-q", f"mfgit/{ONE}")
    page = next((other.path / "help/_forged").glob("*.md"))
    page.write_text(page.read_text("utf-8") + "\nAnd save.\n", "utf-8")
    written = other.commit("add a step")
    other.git("push", "-q", "origin", f"mfgit/{ONE}")
    close(team, 0)
    team.project().sync()
    assert team.bench.git("rev-parse", f"refs/mfgit/rejected/{ONE}^") == written
    team.hosted.requests[0].state = "open"
    team.project().sync()
    assert team.bench.git("rev-parse", f"mfgit/{ONE}") == written


@pytest.mark.parametrize("team", ["gitea"], indirect=True)
def test_a_dry_run_of_sync_only_reads(team: Team) -> None:
    """It tells the decision and moves nothing."""
    team.propose(record(1))
    team.publish()
    close(team, 0)
    here, there = team.refs(), team.remote_refs()
    done = team.project().sync(dry_run=True)
    assert [one.what for one in done.changes] == ["rejected"]
    assert (team.refs(), team.remote_refs()) == (here, there)


@pytest.mark.parametrize("team", ["github"], indirect=True)
def test_a_branch_that_is_checked_out_is_left_alone(team: Team) -> None:
    """Sync tells where, and touches neither the checkout nor the branch."""
    team.propose(record(1))
    team.publish()
    team.bench.git("switch", "-q", f"mfgit/{ONE}")
    close(team, 0)
    done = team.project().sync()
    assert "is checked out in" in done.problems[0]
    assert team.bench.git("rev-parse", "--abbrev-ref", "HEAD") == f"mfgit/{ONE}"


def test_a_closing_without_a_word_says_so(team: Team) -> None:
    """There is always a reason to read."""
    team.propose(record(1))
    team.publish()
    team.hosted.requests[0].state = "closed"
    team.project().sync()
    assert team.project().proposals("rejected")[0].reason.startswith("Closed without merging")


# ---- the command


def test_the_commands_print_what_their_schemas_say(team: Team) -> None:
    """With `--json`; and the exit code is 1 where something failed."""
    team.propose(record(1, lang="zh", title="如何修改发票抬头？", questions=("如何修改发票抬头？",)))
    env = {"MFGIT_PUBLISH_TOKEN": KEY, "PATH": os.environ["PATH"]}
    team.hosted.failing = [("POST", 400, {})]
    ran = team.bench.mfgit("publish", "--json", env=env)
    assert ran.code == 1, ran.err
    assert KEY not in ran.out + ran.err
    ran = team.bench.mfgit("publish", "--json", env=env)
    assert ran.code == 0, ran.err
    model.check("publish", ran.json(), "publish")
    assert "回答：如何修改发票抬头？" in ran.json()["proposals"][0]["title"]
    assert "如何处理" in team.hosted.requests[0].text
    close(team, 0)
    ran = team.bench.mfgit("sync", "--json", env=env)
    assert ran.code == 0, ran.err
    model.check("sync", ran.json(), "sync")
    text = team.bench.mfgit("publish", "--dry-run", env=env)
    assert (text.code, text.out) == (0, f"0 of 0 proposals would be published on {team.kind} (api).\n")


def test_without_a_key_gitlab_is_asked_by_push_options(tmp_path: Path) -> None:
    """The server sees the options; the others say which variable is missing."""
    with ExitStack() as stack:
        hosted = stack.enter_context(hosting("gitlab"))
        team = Team(tmp_path, "gitlab", hosted, stack.enter_context(servers.http(tmp_path)))
        subprocess.run(["git", "-C", str(team.bare), "config", "receive.advertisePushOptions", "true"], check=True)
        hook = team.bare / "hooks/pre-receive"
        hook.write_text('#!/bin/sh\nenv | grep ^GIT_PUSH_OPTION_ >> "$GIT_DIR/options"\n')
        hook.chmod(0o755)
        team.propose(record(1), record(2))
        done = Project.open(team.bench.path, {}).publish()
        assert [(one.branch, one.request, one.problems) for one in done.proposals] == [("pushed", "opened", [])] * 2
        options = (team.bare / "options").read_text()
        assert "=merge_request.create\n" in options
        assert f"Mfgit-Proposal: {TWO}" in options
        assert [one.request for one in Project.open(team.bench.path, {}).publish().proposals] == ["unchanged"] * 2
        with pytest.raises(BadInput, match="no key"):
            Project.open(team.bench.path, {}).sync()


def test_contracts_are_what_they_say() -> None:
    """Each names its source at one version, its licence, and no operation twice."""
    for kind in KINDS:
        found = json.loads((Path(__file__).parent / "openapi" / f"{kind}.json").read_text("utf-8"))
        names = [(one["method"], one["path"]) for one in found["operations"]]
        assert re.search(r"commit [0-9a-f]{40}$|@\S+ \d+\.\d+\.\d+$", found["source"])
        assert found["license"].startswith(("MIT", "CC BY-SA 4.0"))
        assert len(names) == len(set(names))
