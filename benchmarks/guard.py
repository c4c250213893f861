"""The guard at its gates on 10,000 files: staged, over a range of 1,000 commits, and at each move of a branch."""

import sys
from collections.abc import Mapping
from pathlib import Path

from benchmarks.corpus import pages
from benchmarks.measure import CONSOLE, Row, at_most, environment, interleaved, repository, run

CONFIG = 'target = "main"\n\n[[root]]\npath = "help"\nlayer = "help"\n'
REASON = "\n\nOriginal-Edit: a wrong step"
BARE_FLAGS = ("-r", "--raw", "-z", "--no-renames", "--no-ext-diff", "--no-textconv", "--no-abbrev")


def measure(work: Path) -> list[Row]:
    """Return the cost of each stage."""
    env = environment(work)
    kb = repository(work / "kb", {**pages(10_000), "mfgit.toml": CONFIG}, env)
    return [staged(kb, env), history(kb, env), *moves(kb, env)]


def staged(kb: Path, env: Mapping[str, str]) -> Row:
    """Return the cost of a staged guard that lets an overlay pass, against Python's own start."""
    run(["git", "checkout", "-q", "-b", "mfgit/0123456789abcdef"], kb, env)
    (kb / "help/_forged").mkdir()
    (kb / "help/_forged/new.md").write_text("---\ntitle: New\n---\n\n# New\n", encoding="utf-8")
    run(["git", "add", "help/_forged/new.md"], kb, env)
    ours, floor = interleaved(
        lambda: run([*CONSOLE, "guard", "--staged"], kb, env), lambda: run([sys.executable, "-c", "pass"], kb, env), times=15
    )
    run(["git", "reset", "-q", "--hard"], kb, env)
    run(["git", "checkout", "-q", "main"], kb, env)
    return at_most(
        "staged guard, 10,000 files", "python -c pass", ours / floor, 5, f"{ours * 1000:.0f} ms, {floor * 1000:.0f} ms"
    )


def history(kb: Path, env: Mapping[str, str]) -> Row:
    """Return the cost of a range of 1,000 edits with a reason, against the bare commands that list it."""
    base = run(["git", "rev-parse", "HEAD"], kb, env).decode().strip()
    names = sorted(path.relative_to(kb).as_posix() for path in (kb / "help").rglob("*.md"))[:1000]
    lines = []
    for number, name in enumerate(names):
        text, message = f"# Edited {number}\n".encode(), f"Edit {number}{REASON}\n".encode()
        lines += [
            b"commit refs/heads/edits\n", b"committer Bench <bench@example.org> 1700000000 +0000\n",
            b"data %d\n%s" % (len(message), message), b"from %s\n" % base.encode() if number == 0 else b"",
            b"M 100644 inline %s\ndata %d\n%s\n" % (name.encode(), len(text), text),
        ]  # fmt: skip
    run(["git", "fast-import", "--quiet"], kb, env, b"".join(lines))
    guard = [*CONSOLE, "guard", "--range", f"{base}..edits", "--ref", "edits", "--actor", "bench"]

    def bare() -> None:
        ids = run(["git", "log", "--format=%H", f"{base}..edits"], kb, env)
        run(["git", "diff-tree", "--stdin", *BARE_FLAGS], kb, env, ids)

    ours, floor = interleaved(lambda: run(guard, kb, env), bare, times=5)
    detail = f"{ours * 1000:.0f} ms, {floor * 1000:.0f} ms"
    return at_most("range of 1,000 commits", "git log | git diff-tree", ours / floor, 8, detail)


def moves(kb: Path, env: Mapping[str, str]) -> list[Row]:
    """Return what the reference-transaction hook adds to a commit that passes the other hooks, and to gc, in milliseconds."""
    run([*CONSOLE, "guard", "install"], kb, env)
    hook = kb / ".git/hooks/reference-transaction"
    aside = hook.with_suffix(".aside")

    def commit() -> None:
        with (kb / "help/edited.md").open("a", encoding="utf-8") as page:
            page.write("One more line.\n")
        run(["git", "add", "help/edited.md"], kb, env)
        run(["git", "commit", "-q", "-m", "Edit" + REASON], kb, env)

    def collect() -> None:
        run(["git", "gc", "-q"], kb, env)

    def without(work: object) -> None:
        assert callable(work)
        hook.rename(aside)
        try:
            work()
        finally:
            aside.rename(hook)

    rows = []
    for name, work, times, limit in (("a commit", commit, 15, 30.0), ("gc", collect, 7, 10.0)):
        ours, floor = interleaved(work, lambda work=work: without(work), times=times)  # type: ignore[misc]
        detail = f"{ours * 1000:.0f} ms, {floor * 1000:.0f} ms"
        rows.append(at_most(f"reference-transaction adds to {name}, ms", "without it", (ours - floor) * 1000, limit, detail))
    return rows
