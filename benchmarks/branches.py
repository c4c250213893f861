"""1,000 proposals written as branches, against a bare `git fast-import` of the same files."""

import statistics
from collections.abc import Mapping
from functools import partial
from pathlib import Path

from benchmarks.corpus import pages
from benchmarks.measure import Row, at_most, cpu_of, environment, repository, run
from mfgit.model import Evidence, Record
from mfgit.project import Project
from mfgit.project.deciding import write_proposals
from mfgit.proposal.render import render

COUNT = 1000


def records() -> list[Record]:
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
        for number in range(COUNT)
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


def measure(work: Path) -> list[Row]:
    """Return the cost of writing all branches over the cost of the bare import, medians of three fresh repositories each."""
    env, costs = environment(work), []
    proposals = records()
    for attempt in range(3):
        kb = repository(work / f"kb-{attempt}", pages(1000), env)
        bare = repository(work / f"bare-{attempt}", pages(1000), env)
        project = Project.open(kb, env)
        ours = cpu_of(partial(write_proposals, project, proposals))
        base = run(["git", "rev-parse", "HEAD"], bare, env).decode().strip()
        index = (bare / "help/index.json").read_bytes() if (bare / "help/index.json").exists() else None
        lines = stream(base, {record.id: {k: v for k, v in render(record, index).files.items() if v} for record in proposals})
        floor = cpu_of(partial(run, ["git", "fast-import", "--quiet", "--done"], bare, env, lines))
        costs.append((ours, floor))
    ours, floor = (statistics.median(column) for column in zip(*costs, strict=True))
    return [
        at_most(
            f"{COUNT:,} proposals to branches",
            "bare fast-import of the same files",
            ours / floor,
            2,
            f"{ours:.2f} s, {floor:.2f} s",
        )
    ]
