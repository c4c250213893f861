"""`mfgit scan` as users run it, on real repositories."""

import json
from datetime import UTC, datetime, timedelta
from typing import Any

import jsonschema
import pytest

from mfgit.model import schema_folder
from mfgit.project.scanning import SNAPSHOT
from tests.builders import Workbench

CHAT = "tmp/memoryforge/chat-archive"
EN = ["How do I cancel an order?", "how do i cancel my order", "How do I cancel an order ??"]
ZH = ["怎么取消订单？", "请问怎么取消订单", "怎么取消订单呢"]
ANSWER = "Open the orders page, choose the order, and press Cancel before it has shipped."


def line(number: int, question: str, answer: str = ANSWER, **more: Any) -> dict[str, Any]:
    when = datetime.now(UTC) - timedelta(days=2, minutes=number)
    return {
        "timestamp": when.isoformat(),
        "request_id": f"r{number}",
        "session_id": f"s{number}",
        "user_id": f"u{number}",
        "help_mode": True,
        "user_message": question,
        "assistant_message": answer,
        **more,
    }


def archive(bench: Workbench, *turns: dict[str, Any], extra: str = "") -> None:
    days: dict[str, str] = {}
    for turn in turns:
        day = turn["timestamp"][:10]
        days[day] = days.get(day, "") + json.dumps(turn, ensure_ascii=False) + "\n"
    last = max(days, default=f"{datetime.now(UTC):%Y-%m-%d}")
    days[last] = days.get(last, "") + extra
    bench.write({f"{CHAT}/{day}.jsonl": text for day, text in days.items()})


def refs(bench: Workbench) -> str:
    return bench.git("for-each-ref", "--format=%(refname) %(objectname)")


def scan(bench: Workbench, *options: str) -> Any:
    ran = bench.mfgit("scan", *options, "--json")
    assert ran.code == 0, ran.err
    report = ran.json()
    schema = json.loads((schema_folder() / "scan.schema.json").read_text("utf-8"))
    jsonschema.validate(report, schema)
    return report


@pytest.fixture
def full(bench: Workbench) -> Workbench:
    """Return a repository with two repeated questions, one praised, one unhappy, and small talk."""
    turns = [line(number, text, rating="up") for number, text in enumerate(EN)]
    turns += [
        line(10 + number, text, "抱歉，我无法回答。", rating="down", rating_reasons=["没用"]) for number, text in enumerate(ZH)
    ]
    archive(bench, *turns, line(20, "thanks"), line(21, "好的"))
    return bench


def test_a_scan_writes_branches_and_leaves_the_checkout_alone(full: Workbench) -> None:
    full.write({"help/password.md": "edited\n", "new.txt": "new\n"})
    full.git("add", "new.txt")
    before = full.git("status", "--porcelain")
    report = scan(full)
    assert {p["title"]: p["action_type"] for p in report["proposals"]} == {
        "怎么取消订单？": "supplement",
        "How do I cancel an order?": "verified_answer",
    }
    assert report["turns"] == {"read": 8, "used": 6, "set_aside": {"small talk": 2}}
    for proposal in report["proposals"]:
        assert proposal["status"] == "new"
        assert full.git("rev-parse", "--verify", f"refs/heads/{proposal['branch']}")
    assert full.git("status", "--porcelain") == before


def test_a_second_scan_changes_no_byte(full: Workbench) -> None:
    scan(full)
    before = refs(full)
    again = scan(full)
    assert {p["status"] for p in again["proposals"]} == {"unchanged"}
    assert refs(full) == before


def test_a_dry_run_writes_nothing_at_all(full: Workbench) -> None:
    before = refs(full), sorted(str(path) for path in (full.path / "tmp").rglob("*"))
    report = scan(full, "--dry-run")
    assert [(p["status"], p["branch"]) for p in report["proposals"]] == [("new", None), ("new", None)]
    assert (refs(full), sorted(str(path) for path in (full.path / "tmp").rglob("*"))) == before


@pytest.mark.parametrize(
    "title",
    [
        "Why does <script> in {{ header }} of a page fail to load?",
        "为什么页面的 <script> 在 {{ header }} 里加载失败？",
        "How do I sort a list of rows " + "by the colour of the next column and " * 8 + "by name?",
    ],
    ids=["markup", "Chinese markup", "long"],
)
def test_a_dry_run_tells_what_a_scan_would_do(bench: Workbench, title: str) -> None:
    archive(bench, *(line(number, title, rating="up") for number in range(3)))
    assert [p["status"] for p in scan(bench, "--dry-run")["proposals"]] == ["new"]
    scan(bench)
    assert [p["status"] for p in scan(bench, "--dry-run")["proposals"]] == ["unchanged"]
    assert [p["status"] for p in scan(bench)["proposals"]] == ["unchanged"]
    archive(bench, *(line(number, title, rating="up") for number in range(4)))
    assert [p["status"] for p in scan(bench, "--dry-run")["proposals"]] == ["updated"]
    assert [p["status"] for p in scan(bench)["proposals"]] == ["updated"]


def test_a_named_folder_that_is_not_there_is_said(bench: Workbench) -> None:
    ran = bench.mfgit("scan", env={"CHAT_ARCHIVE_DIR": str(bench.path / "nothing")})
    assert ran.code == 0
    assert "nothing is not there" in ran.err
    assert "is not there" not in bench.mfgit("scan").err


def test_the_snapshot_is_kept_beside_the_archive_and_may_be_damaged(full: Workbench) -> None:
    first = scan(full)
    snapshot = full.path / CHAT / SNAPSHOT
    assert json.loads(snapshot.read_text("utf-8"))["version"] == first["frequencies"]["version"]
    snapshot.write_text("{damaged", "utf-8")
    assert scan(full)["frequencies"] == first["frequencies"]
    assert json.loads(snapshot.read_text("utf-8"))["version"] == first["frequencies"]["version"]


def test_text_output_tells_what_was_found_left_out_and_what_to_do_next(full: Workbench) -> None:
    out = full.mfgit("scan").out
    for part in (
        "Read 8 turns of",
        "2 small talk",
        "High priority: 1 proposal",
        "怎么取消订单？  (3×, 3 rated down)",
        "No answer was rated good",
        "verified_answer How do I cancel an order?",
        "2 new.",
        "mfgit show ",
    ):
        assert part in out


def test_explain_without_a_question_gives_every_reason(full: Workbench) -> None:
    out = full.mfgit("scan", "--dry-run", "--explain").out
    assert "Asked 3 times by 3 users in 3 sessions" in out
    assert "This was a dry run" in out


def test_explain_follows_one_question(full: Workbench) -> None:
    out = full.mfgit("scan", "--dry-run", "--explain", "Hello, how do I cancel my order?").out
    assert "Compared as: how do i cancel my order" in out
    assert "verified_answer, by rule 5" in out
    assert "asks nothing" in full.mfgit("scan", "--dry-run", "--explain", "thanks").out
    assert "nothing is like it" in full.mfgit("scan", "--dry-run", "--explain", "Where do penguins sleep?").out


def test_an_index_proposal_fills_only_the_alias_list(bench: Workbench) -> None:
    asks = ["I forgot my secret word, what now?", "i forgot my secret word what now", "I forgot my secret word, what now ??"]
    answer = "Open the sign-in page and choose Forgot password."
    bench.write({"help/forgot.md": "# Words\n\nI forgot my words, what a secret, and now? My word.\n" * 3})
    bench.write({f"help/more{n}.md": f"# Secret {n}\n\nWhat I forgot: a secret word, now and then.\n" for n in range(3)})
    bench.commit()
    archive(bench, *(line(number, text, answer, rating="up") for number, text in enumerate(asks)))
    (found,) = scan(bench)["proposals"]
    assert found["action_type"] == "index"
    changed = bench.git("diff", "--name-only", "main", found["branch"]).split()
    assert sorted(changed) == [f"help/_forged/proposals/{found['id']}.json", "help/index.json"]
    assert "I forgot my secret word, what now?" in bench.git("show", f"{found['branch']}:help/index.json")


def test_bad_lines_are_named_on_standard_error_and_the_scan_goes_on(bench: Workbench) -> None:
    archive(bench, *(line(number, text) for number, text in enumerate(EN)), extra='{"timestamp": 3}\nnot json\n')
    ran = bench.mfgit("scan", "--dry-run", "--json")
    assert ran.code == 0
    assert len(ran.json()["proposals"]) == 1
    assert ran.err.count("passed over") == 2
    assert ".jsonl:4" in ran.err


def test_secrets_of_a_foreign_day_file_do_not_reach_git(bench: Workbench) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    archive(
        bench, *(line(number, f"How do I rotate the token {secret}?", rating="down", rating_note=secret) for number in range(3))
    )
    (found,) = scan(bench)["proposals"]
    files = bench.git("ls-tree", "-r", "--name-only", found["branch"], "help/_forged").split("\n")
    assert secret not in "".join(bench.git("show", f"{found['branch']}:{name}") for name in files)
    assert secret not in json.dumps(found)


WINDOWS = [
    (("--days", "1"), 0),
    (("--days", "3"), 3),
    (("--since", "2020-01-01"), 3),
    (("--until", "2020-01-01"), 0),
    (("--since", "2020-01-01T00:00:00+08:00", "--until", "2099-01-01"), 3),
]


@pytest.mark.parametrize(("options", "read"), WINDOWS)
def test_the_window_is_what_was_asked_for(bench: Workbench, options: tuple[str, ...], read: int) -> None:
    archive(bench, *(line(number, text) for number, text in enumerate(EN)))
    assert scan(bench, "--dry-run", *options)["turns"]["read"] == read


MISUSES = [
    (("--since", "yesterday"), "is no date or time"),
    (("--since", "2026-02-01", "--until", "2026-01-01"), "before it"),
    (("--days", "0"), "0 is not in the range"),
]


@pytest.mark.parametrize(("options", "said"), MISUSES)
def test_a_window_that_cannot_be_is_refused_with_a_sentence(bench: Workbench, options: tuple[str, ...], said: str) -> None:
    ran = bench.mfgit("scan", *options)
    assert ran.code == 2
    assert said in ran.err
    assert "Traceback" not in ran.err


def test_older_turns_are_counted_and_the_way_to_take_them_is_told(bench: Workbench) -> None:
    old = [line(number, text, timestamp=f"2020-03-0{number + 1}T09:00:00Z") for number, text in enumerate(EN)]
    archive(bench, *old)
    out = bench.mfgit("scan", "--dry-run").out
    assert "but 3 older ones: mfgit scan --since 2020-03-01 takes them." in out
    assert scan(bench, "--dry-run", "--since", "2020-03-01")["turns"]["read"] == 3


def test_the_text_lists_ten_that_wait_and_says_where_the_rest_is(bench: Workbench) -> None:
    words = ("amber", "basil", "cedar", "daisy", "elder", "ferns", "grape", "hazel", "iris", "kale", "lilac", "maple", "olive")
    archive(bench, *(line(number, f"Where is the {word} archive?", rating="down") for number, word in enumerate(words)))
    bench.write({"mfgit.toml": '[[root]]\npath = "help"\nlayer = "help"\n[scan]\nmax_open = 2\n'})
    bench.commit()
    out = bench.mfgit("scan").out
    assert (out.count("  new  "), out.count("  waiting  ")) == (2, 10)
    assert "  and 1 more waiting; mfgit scan --json has all" in out
    assert len(scan(bench, "--dry-run")["proposals"]) == 13


def test_nothing_is_said_of_users_that_are_not_known(bench: Workbench) -> None:
    archive(bench, *(line(number, text, user_id=None) for number, text in enumerate(EN)))
    (found,) = scan(bench)["proposals"]
    assert found["distinct_users"] == 0
    assert found["why"][0].startswith("Asked 3 times in 3 sessions, ")
    assert "people" not in bench.mfgit("show", found["id"]).out


def test_show_tells_the_titles_of_what_may_be_the_same(bench: Workbench) -> None:
    asks = [
        "How do I change the delivery address of an order?",
        "Can I change the delivery date and address of an order later?",
    ]
    archive(bench, *(line(number, asks[number % 2], rating="down") for number in range(6)))
    found = {proposal["id"]: proposal for proposal in scan(bench)["proposals"]}
    linked = [(each, other) for each, one in found.items() for other in one["similar"]]
    assert linked
    for each, other in linked:
        assert f"may be the same as {other}  {found[other]['title']}" in bench.mfgit("show", each).out


def test_no_archive_gives_no_proposals_and_says_why(bench: Workbench) -> None:
    ran = bench.mfgit("scan")
    assert ran.code == 0
    assert "No proposals: there are no turns of this time" in ran.out


def test_settings_that_are_not_on_the_target_yet_are_asked_for(full: Workbench) -> None:
    full.git("rm", "-q", "--cached", "mfgit.toml", "help/index.json")
    full.git("commit", "-q", "-m", "not yet")
    before = refs(full)
    ran = full.mfgit("scan", "--days", "3650")
    assert ran.code == 1
    assert "mfgit.toml is not committed on main yet" in ran.err
    assert "git add -- mfgit.toml help/index.json && git commit" in ran.err
    assert refs(full) == before
    assert full.mfgit("scan", "--days", "3650", "--dry-run").code == 0
    full.git("add", "mfgit.toml", "help/index.json")
    full.git("commit", "-q", "-m", "Set up mfgit")
    assert full.mfgit("scan", "--days", "3650").code == 0


def test_a_repository_without_commits_is_told_so(bench: Workbench) -> None:
    empty = bench.path.parent / "empty"
    empty.mkdir()
    bench.git("init", "-q", str(empty))
    ran = bench.mfgit("scan", cwd=empty)
    assert ran.code == 2
    assert "no commits yet" in ran.err


def test_workspace_turns_go_to_their_root_and_unknown_workspaces_are_counted(bench: Workbench) -> None:
    bench.write(
        {
            "workspaces/alpha/knowledge/index.json": '{"version": 1, "docs": []}\n',
            "workspaces/alpha/knowledge/a.md": "# A\n\nFerns.\n",
        }
    )
    bench.commit()
    more: dict[str, Any] = {"help_mode": False, "workspace_id": "alpha"}
    archive(bench, *(line(n, text, **more) for n, text in enumerate(EN)), line(30, EN[0], help_mode=False, workspace_id="beta"))
    report = scan(bench)
    assert [(p["root"], p["target_layer"]) for p in report["proposals"]] == [("workspaces/alpha/knowledge", "workspace")]
    assert report["turns"]["set_aside"] == {"workspace without a root": 1}


def test_the_shortest_turns_are_read_where_only_help_roots_are(bench: Workbench) -> None:
    kept = ("timestamp", "user_message")
    archive(bench, *({key: line(number, text)[key] for key in kept} for number, text in enumerate(EN)))
    ran = bench.mfgit("scan", "--dry-run")
    bench.write({"mfgit.toml": '[[root]]\npath = "help"\nlayer = "help"\n'})
    bench.commit()
    assert [p["root"] for p in scan(bench, "--dry-run")["proposals"]] == ["help"]
    bench.write({"mfgit.toml": '[[root]]\npath = "help"\nlayer = "help"\n[[root]]\npath = "spaces/*"\nlayer = "workspace"\n'})
    bench.commit()
    ran = bench.mfgit("scan", "--dry-run")
    assert "3 neither help nor a workspace: set help_mode or workspace_id on each turn" in ran.out


def test_a_bare_repository_is_scanned_too(full: Workbench) -> None:
    bare = full.path.parent / "bare.git"
    full.git("clone", "-q", "--bare", ".", str(bare))
    ran = full.mfgit("scan", "--json", cwd=bare, env={"CHAT_ARCHIVE_DIR": str(full.path / CHAT)})
    assert ran.code == 0, ran.err
    assert {p["status"] for p in ran.json()["proposals"]} == {"new"}
