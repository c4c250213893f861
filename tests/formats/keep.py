"""Keeps a small set of everything that one mfgit stores, in `tests/formats/VERSION/`: run once at each release.

    python tests/formats/keep.py                         the mfgit of this checkout
    python tests/formats/keep.py CHECKOUT --name NAME    an older one, from a clone of its commit

Every later mfgit has to read the set (`tests/test_kept_formats.py`), so it is never written again. The pages and
conversations are made up; what stands in the files was written by the commands and the writers of that mfgit, but for the
age of two days and of one session, which the clock would have given them. A command that it does not have yet is passed over.
"""

import argparse
import gzip
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
NOW = datetime.now(UTC).replace(hour=8, minute=0, second=0, microsecond=0)
PAGES = {
    "help/account.md": "# Account\n\n## Reset a password\n\nOpen the sign-in page and choose Forgot password.\n",
    "help/发票.md": "# 发票\n\n## 修改抬头\n\n发票开出后三十天内，可以在订单页修改一次发票抬头。\n",
}
PROPOSED = (
    ("verified_answer", "en", "Which teapot keeps water hot?", "The blue teapot does, for two hours."),
    ("verified_answer", "zh", "茶壶盖子在哪里买？", "在商店二楼的柜台买。"),
    ("verified_answer", "en", "Who waters the plants on Sunday?", "The porter does."),
    ("supplement", "zh", "周末可以借自行车吗？", ""),
    ("skill", "en", "How do I descale the kettle?", "1. Fill it with vinegar.\n2. Boil it.\n3. Rinse it twice."),
    ("index", "zh", "登录口令忘了", ""),
    ("supplement", "en", "Is the garden open at night?", ""),
    ("verified_answer", "zh", "图书馆几点关门？", "晚上九点关门。"),
)
"""The proposals, by number from 1. Adopted: 2, 5 and 6. Rejected: 3. Adopted and undone: 8. Closed: 7. Open: the others."""
ODD = "agent:main 一号"
"""The id of a session that cannot be the name of a file."""
SECRET = "kept" * 10
"""Stands in the place of the random part of the one token, so that tests know it; nothing else has this token."""
WRITE = """
import sys; sys.path.insert(0, sys.argv[1])
import json
from mfgit.model import Record
from mfgit.project import Project
from mfgit.project.deciding import write_proposals
records = [Record.load(json.dumps(each).encode(), "kept") for each in json.load(sys.stdin)]
write_proposals(Project.open("."), records)
"""
CLOSE = """
import sys; sys.path.insert(0, sys.argv[1])
from datetime import UTC, datetime
from mfgit.project import Project
from mfgit.project.deciding import Closing, write_proposals
write_proposals(Project.open("."), [], closing=[Closing(sys.argv[2], datetime.now(UTC), "The original answers it now.")])
"""
TOKEN = """
import sys; sys.path.insert(0, sys.argv[1])
import secrets; secrets.token_urlsafe = lambda size: sys.argv[2]
from pathlib import Path
from mfgit.server.tokens import Tokens
Tokens(Path(".git").resolve()).add("Ann", ("reviewer", "writer"), "ann@example.com")
"""
RUN = "import sys; sys.path.insert(0, sys.argv.pop(1)); from mfgit.__main__ import main; main()"

NAMES = {WRITE: "proposals", CLOSE: "closing", TOKEN: "tokens"}


class Keeper:
    """A repository in a scratch folder, and the mfgit that works on it."""

    def __init__(self, source: Path, folder: Path) -> None:
        self.source, self.kb = source, folder / "kb"
        self.chat, self.talks = self.kb / "tmp/memoryforge/chat-archive", self.kb / "tmp/memoryforge/conversation_archive"
        self.lacks: list[str] = []
        self.environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "MFGIT_", "CHAT_ARCHIVE"))},
            "HOME": str(folder),
            "LC_ALL": "C.UTF-8",
            "TZ": "UTC",
        }

    def run(self, *words: str, given: str = "") -> subprocess.CompletedProcess[str]:
        """Run a command in the repository."""
        return subprocess.run(
            words, cwd=self.kb, env=self.environment, input=given, capture_output=True, text=True, check=False
        )

    def git(self, *words: str) -> str:
        """Run git; it has to work."""
        ran = self.run("git", *words)
        if ran.returncode:
            sys.exit(f"git {words[0]}: {ran.stderr}")
        return ran.stdout

    def mfgit(self, *words: str, given: str = "") -> str:
        """Run mfgit; return what it printed. What it does not have is noted."""
        return self.python(RUN, *words, given=given, fine=(0, 1))

    def python(self, code: str, *words: str, given: str = "", fine: tuple[int, ...] = (0,)) -> str:
        """Run Python with the package of the mfgit that is kept."""
        ran = self.run(sys.executable, "-c", code, str(self.source), *words, given=given)
        if ran.returncode not in fine or "Error: " in ran.stderr:
            self.lacks.append(" ".join(words[:2]) if code is RUN else NAMES[code])
            sys.stderr.write(f"passed over: {self.lacks[-1]}: {(ran.stderr.strip().splitlines() or [''])[-1]}\n")
        return ran.stdout


def identity(number: int) -> str:
    """Return the id of a proposal."""
    return f"{number:016x}"


def record(number: int, blob: str) -> dict[str, Any]:
    """Return a proposal as the first mfgit knew it."""
    kind, lang, title, answer = PROPOSED[number - 1]
    return {
        "id": identity(number),
        "title": title,
        "lang": lang,
        "action_type": kind,
        "target_layer": "help",
        "root": "help",
        "priority": "high" if kind == "supplement" else "medium",
        "frequency": 4,
        "distinct_users": 3,
        "dissatisfied_count": int(kind == "supplement"),
        "rating_reasons": [],
        "suggestion": answer,
        "questions": [title],
        "aliases": [{"path": "help/account.md", "alias": title}] if kind == "index" else [],
        "evidence": [{"request_id": f"r{number}", "date": str(NOW.date()), "excerpt": title, "rating": "up", "reasons": []}],
        "keys": [identity(number)],
        "why": ["asked 4 times"],
        "first_seen": str(NOW.date()),
        "last_seen": str(NOW.date()),
        "based_on": [{"path": "help/account.md", "blob": blob}],
        "schema": 1,
    }


def turn(name: str, days: int, **more: Any) -> dict[str, Any]:
    """Return a turn of so many days ago."""
    when = NOW - timedelta(days=days)
    return {
        "timestamp": when.isoformat(),
        "request_id": name,
        "session_id": f"s-{name}",
        "user_id": "u1",
        "help_mode": True,
        "user_message": f"怎么修改发票抬头 {name}?",
        "assistant_message": f"Open the order, {name}.",
        "assistant_message_id": f"m-{name}",
        "of_the_backend": {"colour": "blue"},
        **more,
    }


def lines(*values: dict[str, Any]) -> str:
    """Return values as JSON lines."""
    return "".join(json.dumps(value, ensure_ascii=False) + "\n" for value in values)


def set_up(keeper: Keeper) -> None:
    """Make the repository of a team that begins with mfgit."""
    keeper.kb.mkdir()
    keeper.git("init", "-q", "-b", "main")
    for name, value in {"user.name": "Ann", "user.email": "ann@example.com", "commit.gpgsign": "false"}.items():
        keeper.git("config", name, value)
    for name, text in PAGES.items():
        place = keeper.kb / name
        place.parent.mkdir(exist_ok=True)
        place.write_text(text, "utf-8")
    keeper.git("add", "-A")
    keeper.git("commit", "-q", "-m", "Write the help pages")
    keeper.mfgit("init", "--yes")
    keeper.git("add", "-A")
    keeper.git("commit", "-q", "--no-verify", "-m", "Set up mfgit\n\nOriginal-Edit: set up mfgit")


def archive(keeper: Keeper) -> None:
    """Fill the archive: days of all ages, a line cut short, ratings, sessions, the legal-hold list, what is derived."""
    keeper.mfgit("archive", "append", given=lines(turn("r1", 0), turn("r2", 0, help_mode=False, workspace_id="w1")))
    keeper.mfgit("archive", "rate", "m-r1", "down", "--reason", "wrong", "--note", "it does not work")
    for days in (15, 60):
        day = (NOW - timedelta(days=days)).date()
        rated = {"event": "rating", "assistant_message_id": f"m-old{days}", "rating": 2, "rated_at": NOW.isoformat()}
        (keeper.chat / f"{day}.jsonl").write_text(lines(turn(f"old{days}", days), rated), "utf-8")
    torn = keeper.chat / f"{(NOW - timedelta(days=1)).date()}.jsonl"
    torn.write_text(lines(turn("whole", 1)) + '{"timestamp": "2026-', "utf-8")
    keeper.mfgit("archive", "append", given=lines(turn("after", 1)))
    for name in ("old-talk", "plain", ODD):
        said = [("user", "How do I reset my password?"), ("assistant", "Decision: choose Forgot password.")]
        messages = [{"role": role, "content": text, "time": NOW.isoformat(), "mood": "calm"} for role, text in said]
        keeper.mfgit("archive", "session", "add", given=json.dumps({"sessionId": name, "team": "blue", "messages": messages}))
        if name == "old-talk":
            age(keeper)
    keeper.mfgit("archive", "hold", "add", "user", "u7", "--reason", "case 7")
    keeper.mfgit("archive", "retain")
    keeper.mfgit("archive", "sweep")
    keeper.mfgit("archive", "search", "password")


def age(keeper: Keeper) -> None:
    """Make the session that is there an old one; the catalogue is made anew by the next."""
    path = next(keeper.talks.glob("sessions/*/old-talk.json"), None)
    if path is None:
        return
    old = (NOW - timedelta(days=20)).isoformat()
    value = json.loads(path.read_text("utf-8"))
    value |= {"archivedAt": old, "started": old, "messages": [{**each, "time": old} for each in value["messages"]]}
    path.write_text(json.dumps(value, ensure_ascii=False, indent=1) + "\n", "utf-8")
    (keeper.talks / "index.json").unlink()


def proposals(keeper: Keeper) -> None:
    """Write proposals, and decide on them."""
    keeper.mfgit("scan")
    blob = keeper.git("rev-parse", "HEAD:help/account.md").strip()
    keeper.python(WRITE, given=json.dumps([record(number, blob) for number in range(1, len(PROPOSED) + 1)]))
    for number in (2, 5, 6, 8):
        if "dopted" not in keeper.mfgit("adopt", identity(number)):
            sys.exit(f"{number} was not adopted")
    keeper.mfgit("reject", identity(3), "--reason", "Not ours to answer.")
    keeper.mfgit("undo", identity(8))
    keeper.python(CLOSE, identity(7))
    keeper.mfgit("search", "password")


def kept(keeper: Keeper, place: Path) -> None:
    """Copy what was stored; the Python that hooks name is put in general words."""
    (place / "repository.fast-export").write_text(keeper.git("fast-export", "--all", "--reencode=no"), "utf-8")
    shutil.copytree(keeper.kb / "tmp/memoryforge", place / "archive", ignore=shutil.ignore_patterns(".lock", "lock", "index-*"))
    shutil.copytree(
        keeper.kb / ".git/mfgit", place / "common", ignore=shutil.ignore_patterns("*.lock", "lock", "index-*", "audit*")
    )
    for top, other in ((keeper.kb / ".git/mfgit", place / "common"), (keeper.chat, place / "archive/chat-archive")):
        for index in top.rglob("index-*"):  # whose files are of no use in another place: their names are
            mark = other / index.relative_to(top) / "engine"
            mark.parent.mkdir(parents=True, exist_ok=True)
            mark.write_text("whoosh", "ascii")
    (place / "hooks").mkdir()
    for hook in sorted((keeper.kb / ".git/hooks").iterdir()):
        if b"mfgit guard" in hook.read_bytes():
            text = re.sub(r"python='.*'", "python='/usr/bin/python3'", hook.read_text("utf-8"))
            (place / "hooks" / hook.name).write_text(text, "utf-8")


def told(keeper: Keeper) -> dict[str, Any]:
    """Return what that mfgit says of what it stored."""
    shown = json.loads(keeper.mfgit("proposals", "--json") or "[]")
    checked = json.loads(keeper.mfgit("archive", "check", "--json") or "{}")
    found = json.loads(keeper.mfgit("search", "descale the kettle", "--json") or '{"hits": []}')
    return {
        "lacks": keeper.lacks,
        "proposals": {each["id"]: [each["status"], each["title"], each["action_type"]] for each in shown},
        "archive": {name: checked.get(name, 0) for name in ("files", "turns", "ratings", "traces", "sessions")},
        "hits": sorted({hit["path"] for hit in found["hits"]}),
        "sessions": sorted(
            json.loads(gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes())["sessionId"]
            for path in keeper.talks.glob("sessions/*/*.json*")
        ),
    }


def main(arguments: Sequence[str]) -> None:
    """Keep a set; refuses to write over one."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", maxsplit=1)[0])
    parser.add_argument("checkout", nargs="?", type=Path, default=HERE.parent.parent)
    parser.add_argument("--name", help="the folder's name (default: the version)")
    given = parser.parse_args(arguments)
    version = re.search(r'__version__ = "(.*)"', (given.checkout / "mfgit/__init__.py").read_text("utf-8"))
    assert version is not None
    place = HERE / (given.name or version[1])
    if place.exists():
        sys.exit(f"{place} is there already, and a kept set is never written again.")
    with tempfile.TemporaryDirectory() as folder:
        keeper = Keeper(given.checkout.resolve(), Path(folder).resolve())
        set_up(keeper)
        archive(keeper)
        proposals(keeper)
        keeper.mfgit("guard", "install")
        keeper.python(TOKEN, SECRET)
        said = told(keeper)
        place.mkdir()
        kept(keeper, place)
    (place / "told.json").write_text(json.dumps(said, ensure_ascii=False, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
