"""A proposal over time, as scans in two clones see it: one decides, the other has fetched, and both tell the same."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.builders import Workbench
from tests.test_scan_command import ANSWER, CHAT, archive, line

CASES = {
    "en": ["How do I cancel an order?", "how do i cancel my order", "How do I cancel an order ??"],
    "zh": ["怎么取消订单？", "请问怎么取消订单", "怎么取消订单呢"],
}
LANGUAGES = pytest.mark.parametrize("asks", CASES.values(), ids=CASES)
SHARED = ("refs/heads/*:refs/heads/*", "refs/mfgit/*:refs/mfgit/*")


class Team:
    """Two clones of one server, and one archive that both scan."""

    def __init__(self, bench: Workbench, folder: Path) -> None:
        self.one, self.other = bench, Workbench(folder / "other")
        bench.git("clone", "-q", "--bare", ".", str(folder / "server.git"))
        bench.git("remote", "add", "server", str(folder / "server.git"))
        bench.git("clone", "-q", str(folder / "server.git"), str(self.other.path))
        self.other.git("remote", "rename", "origin", "server")
        self.chat = {"CHAT_ARCHIVE_DIR": str(bench.path / CHAT)}

    def share(self) -> None:
        """Bring the other clone to what the first one has."""
        self.one.git("push", "-q", "--prune", "--force", "server", *SHARED)
        self.other.git("checkout", "-q", "--detach")
        self.other.git("fetch", "-q", "--prune", "--force", "server", *SHARED)
        self.other.git("checkout", "-q", "main")

    def scans(self) -> list[dict[str, str]]:
        """Return id -> status of a dry scan in either clone."""
        reports = [bench.mfgit("scan", "--dry-run", "--json", env=self.chat).json() for bench in (self.one, self.other)]
        return [{found["id"]: found["status"] for found in report["proposals"]} for report in reports]

    def states(self) -> list[dict[str, str]]:
        """Return id -> status of every proposal in either clone."""
        listed = [bench.mfgit("proposals", "--json").json() for bench in (self.one, self.other)]
        return [{found["id"]: found["status"] for found in each} for each in listed]


def asked(asks: list[str], times: int = 1, start: int = 0, **more: Any) -> list[dict[str, Any]]:
    """Return that many rounds of turns, half an hour apart."""
    return [
        {**line(n, text, **more), "timestamp": (datetime.now(UTC) - timedelta(days=3, minutes=30 * n)).isoformat()}
        for n, text in enumerate(asks * times, start)
    ]


@LANGUAGES
def test_a_rejection_holds_in_every_clone_until_its_question_grows(bench: Workbench, tmp_path: Path, asks: list[str]) -> None:
    archive(bench, *asked(asks))
    team = Team(bench, tmp_path)
    (identity,) = (found["id"] for found in bench.mfgit("scan", "--json").json()["proposals"])
    assert bench.mfgit("reject", identity, "--reason", "too rare").code == 0
    team.share()
    assert team.states() == [{identity: "rejected"}] * 2
    assert team.scans() == [{identity: "rejected"}] * 2
    archive(bench, *asked(asks, 3))
    assert team.scans() == [{identity: "new"}] * 2  # its branch is made anew
    assert bench.mfgit("restore", identity).code == 0
    assert bench.mfgit("reject", identity, "--reason", "not ours", "--forever").code == 0
    team.share()
    archive(bench, *asked(asks, 5), *asked(asks, 1, 40, rating="down"))
    assert team.scans() == [{identity: "rejected"}] * 2
    assert "for ever" in team.other.mfgit("show", identity).out
    assert bench.mfgit("restore", identity).code == 0
    team.share()
    assert team.states() == [{identity: "open"}] * 2


@LANGUAGES
def test_an_adopted_one_reopens_in_every_clone_when_users_are_unhappy_after(
    bench: Workbench, tmp_path: Path, asks: list[str]
) -> None:
    good = asked(asks, answer=ANSWER, rating="up")
    archive(bench, *good)
    team = Team(bench, tmp_path)
    (identity,) = (found["id"] for found in bench.mfgit("scan", "--json").json()["proposals"])
    assert bench.mfgit("adopt", identity).code == 0
    team.share()
    assert team.states() == [{identity: "adopted"}] * 2
    archive(bench, *good, *asked(asks, 4, 20))
    assert team.scans() == [{}, {}]
    later = (datetime.now(UTC) + timedelta(minutes=2)).isoformat()
    archive(bench, *good, *asked(asks[:1], 1, 60, answer="No.", rating="down", rated_at=later))
    first, second = team.scans()
    assert list(first) == [identity]
    assert first == second
    assert bench.mfgit("scan").code == 0
    rows = bench.mfgit("scan", "--calibrate", "--json").json()["rules"]
    assert [sum(row[state] for row in rows) for state in ("adopted", "open")] == [1, 1]
    assert bench.mfgit("reject", identity, "--reason", "it is right").code == 0
    assert team.states()[0] == {identity: "rejected"}
    assert team.scans()[0] == {identity: "rejected"}
    undone = bench.mfgit("undo", identity)
    assert undone.code == 0, undone.err
    assert identity not in bench.git("ls-tree", "-r", "--name-only", "main")
