"""A scan's proposals written as branches, against a bare `git fast-import` of the same files."""

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import NamedTuple

from benchmarks.corpus import pages
from benchmarks.measure import Row, compared, cpu_of, environment, repository, run
from mfgit.model import Evidence, Record
from mfgit.project import Project
from mfgit.project.deciding import write_proposals
from mfgit.proposal.render import render


class Size(NamedTuple):
    """How many proposals, pages beside them, and repetitions, each in fresh repositories."""

    proposals: int
    pages: int
    times: int


FULL, QUICK = Size(1000, 1000, 3), Size(3, 5, 1)


def records(count: int) -> list[Record]:
    """Return proposals as a scan makes them, each with an answer and twenty turns of evidence."""
    return [
        Record(
            id=f"{number:016x}",
            title=f"How do I calibrate the sensor number {number}?",
            action_type="verified_answer",
            target_layer="help",
            root="help",
            priority="medium",
            frequency=20,
            suggestion="Open the panel, press calibrate and wait for the green light. " * 8,
            questions=tuple(f"wording {i} of {number}" for i in range(5)),
            evidence=tuple(Evidence(f"r{number}-{i}", "2026-01-05", f"wording {i} of {number}", "up") for i in range(20)),
            keys=tuple(f"{number * 31 + i:016x}" for i in range(20)),
            why=("five users asked and were satisfied",),
            first_seen="2026-01-01T00:00:00+00:00",
            last_seen="2026-01-05T00:00:00+00:00",
        )
        for number in range(count)
    ]


def stream(base: str, contents: Mapping[str, Mapping[str, bytes]]) -> bytes:
    """Return the same files as input of `fast-import`, on scratch branches."""
    parts = []
    for name, files in contents.items():
        parts.append(b"commit refs/heads/bare/%s\ncommitter b <b@example.org> 1767225600 +0000\n" % name.encode())
        parts.append(b"data 8\nPropose\n\nfrom %s\n" % base.encode())
        for path, data in files.items():
            parts.append(b"M 100644 inline %s\ndata %d\n%s\n" % (path.encode(), len(data), data))
    return b"".join(parts) + b"done\n"


def measure(work: Path, size: Size = FULL) -> list[Row]:
    """Return the cost of writing all branches, and of the bare import."""
    env, pairs = environment(work), []
    proposals = records(size.proposals)
    for attempt in range(size.times):
        kb = repository(work / f"kb-{attempt}", pages(size.pages), env)
        bare = repository(work / f"bare-{attempt}", pages(size.pages), env)
        project = Project.open(kb, env)
        ours = cpu_of(partial(write_proposals, project, proposals))
        base = run(["git", "rev-parse", "HEAD"], bare, env).decode().strip()
        index = (bare / "help/index.json").read_bytes() if (bare / "help/index.json").exists() else None
        lines = stream(base, {record.id: {k: v for k, v in render(record, index).files.items() if v} for record in proposals})
        pairs.append((ours, cpu_of(partial(run, ["git", "fast-import", "--quiet", "--done"], bare, env, lines))))
    name = f"{size.proposals:,} proposals to branches"
    return [compared(name, "git fast-import of the same files", "s", pairs, most=2, floor=True)]
