"""The guard at its gates: staged, over a range of commits, and what its hooks add to Git's own commands.

The peer is bare Git, or Python's own start. The range's commits each edit an original, with the reason that such an edit needs.
"""

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from benchmarks.corpus import pages
from benchmarks.measure import CONSOLE, Row, alone, compared, environment, interleaved, repository, run


class Size(NamedTuple):
    """Files of the repository, commits of the range, and repetitions: of a commit, of a range, of gc."""

    files: int
    commits: int
    often: int
    ranges: int
    collected: int


FULL, QUICK = Size(10_000, 1000, 15, 5, 7), Size(20, 5, 1, 1, 1)

CONFIG = 'target = "main"\n\n[[root]]\npath = "help"\nlayer = "help"\n'
REASON = "\n\nOriginal-Edit: a wrong step"
BARE_FLAGS = ("-r", "--raw", "-z", "--no-renames", "--no-ext-diff", "--no-textconv", "--no-abbrev")


def measure(work: Path, size: Size = FULL) -> list[Row]:
    """Return the cost of each stage."""
    env = environment(work)
    kb = repository(work / "kb", {**pages(size.files), "mfgit.toml": CONFIG}, env)
    return [staged(kb, env, size), history(kb, env, size), *hooks(kb, env, size)]


def staged(kb: Path, env: Mapping[str, str], size: Size) -> Row:
    """Return the cost of a staged guard that lets an overlay pass, against Python's own start."""
    run(["git", "checkout", "-q", "-b", "mfgit/0123456789abcdef"], kb, env)
    (kb / "help/_forged").mkdir()
    (kb / "help/_forged/new.md").write_text("---\ntitle: New\n---\n\n# New\n", encoding="utf-8")
    run(["git", "add", "help/_forged/new.md"], kb, env)
    pairs = interleaved(
        lambda: run([*CONSOLE, "guard", "--staged"], kb, env),
        lambda: run([sys.executable, "-c", "pass"], kb, env),
        size.often,
        scale=1000,
    )
    run(["git", "reset", "-q", "--hard"], kb, env)
    run(["git", "checkout", "-q", "main"], kb, env)
    return compared(f"staged guard, {size.files:,} files", "python -c pass", "ms", pairs, most=5, floor=True)


def history(kb: Path, env: Mapping[str, str], size: Size) -> Row:
    """Return the cost of a range of edits with a reason, against the bare commands that list it."""
    base = run(["git", "rev-parse", "HEAD"], kb, env).decode().strip()
    names = sorted(path.relative_to(kb).as_posix() for path in (kb / "help").rglob("*.md"))[: size.commits]
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

    pairs = interleaved(lambda: run(guard, kb, env), bare, size.ranges, scale=1000)
    return compared(f"guard of a range of {size.commits:,} commits", "git log | git diff-tree", "ms", pairs, most=8, floor=True)


def hooks(kb: Path, env: Mapping[str, str], size: Size) -> list[Row]:
    """Return what all hooks and the reference-transaction hook alone make of a commit, and the latter of gc."""
    run([*CONSOLE, "guard", "install"], kb, env)
    folder = kb / ".git/hooks"
    every = [path.name for path in sorted(folder.iterdir()) if path.suffix != ".sample"]

    def commit() -> None:
        with (kb / "help/edited.md").open("a", encoding="utf-8") as page:
            page.write("One more line.\n")
        run(["git", "add", "help/edited.md"], kb, env)
        run(["git", "commit", "-q", "-m", "Edit" + REASON], kb, env)

    def collect() -> None:
        run(["git", "gc", "-q"], kb, env)

    def without(names: Sequence[str], work: Callable[[], None]) -> Callable[[], None]:
        def bare() -> None:
            with aside(folder, names):
                work()

        return bare

    last = ["reference-transaction"]
    whole = interleaved(commit, without(every, commit), size.often, scale=1000)
    moved = interleaved(commit, without(last, commit), size.often, scale=1000)
    packed = interleaved(collect, without(last, collect), size.collected, scale=1000)
    shown = "git add and git commit"
    return [
        compared("commit with all hooks", f"without hooks: {shown}", "ms", whole, floor=True),
        alone("reference-transaction adds to a commit", "ms", [a - b for a, b in moved], most=30),
        alone("reference-transaction adds to gc", "ms", [a - b for a, b in packed], most=10),
    ]


@contextmanager
def aside(folder: Path, names: Sequence[str]) -> Iterator[None]:
    """Take hooks away for a while."""
    for name in names:
        (folder / name).rename(folder / f"{name}.aside")
    try:
        yield
    finally:
        for name in names:
            (folder / f"{name}.aside").rename(folder / name)
