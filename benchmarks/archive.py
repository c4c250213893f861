"""`archive search` in many turns: cold, against a bare tantivy query process; its indexing, against plain Whoosh.

Whoosh indexes with its own English analyzer, which makes one word of a whole Chinese sentence; mfgit redacts what it indexes.
"""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from benchmarks import corpus
from benchmarks.measure import (
    CONSOLE,
    Row,
    compared,
    cpu_of,
    environment,
    interleaved,
    missing,
    repository,
    run,
    wall_of,
)  # fmt: skip


class Size(NamedTuple):
    """Turns that are searched, turns on which indexing is compared, and repetitions of either."""

    turns: int
    sample: int
    asked: int
    made: int


FULL, QUICK = Size(200_000, 20_000, 11, 3), Size(300, 100, 1, 1)
CHAT = Path("tmp/memoryforge/chat-archive")
TANTIVY = """import sys, tantivy
index = tantivy.Index.open(sys.argv[1])
index.reload()
searcher = index.searcher()
query = index.parse_query(sys.argv[2], ["text"])
for score, address in searcher.search(query, 10).hits:
    print(score, searcher.doc(address)["id"])
"""
WHOOSH = """import json, sys
from pathlib import Path
from whoosh import fields, index
place = Path(sys.argv[2])
place.mkdir()
writer = index.create_in(place, fields.Schema(text=fields.TEXT, id=fields.ID(stored=True))).writer(limitmb=256)
for path in sorted(Path(sys.argv[1]).glob("*.jsonl")):
    for line in path.open(encoding="utf-8"):
        turn = json.loads(line)
        writer.add_document(text=turn["user_message"] + "\\n" + turn["assistant_message"], id=turn["request_id"])
writer.commit()
"""


def measure(work: Path, size: Size = FULL) -> list[Row]:
    """Return the cost of a cold question whose index is there, and of making the index."""
    env = environment(work)
    return [*searching(work, env, size), indexing(work, env, size)]


def searching(work: Path, env: dict[str, str], size: Size) -> list[Row]:
    """Return how questions compare with tantivy's; it has to be installed for this benchmark only."""
    try:
        import tantivy
    except ImportError:
        return [missing(f"cold archive search, {size.turns:,} turns", "a tantivy query process")]
    kb = repository(work / "large", {"a.md": "# A\n"}, env)
    corpus.archive(kb / CHAT, size.turns)
    place = work / "tantivy"
    place.mkdir()
    fill(tantivy, place, kb / CHAT)
    run([*CONSOLE, "archive", "search", "panel"], kb, env)
    rows = []
    for kind, question in zip(("English", "Chinese", "frequent words"), questions(kb / CHAT), strict=True):
        pairs = interleaved(
            asking([*CONSOLE, "archive", "search", question], kb, env),
            asking([sys.executable, "-c", TANTIVY, str(place), question], kb, env),
            size.asked,
            wall_of,
            scale=1000,
        )
        name = f"cold archive search, {size.turns:,} turns, {kind}"
        rows.append(compared(name, "a tantivy query process", "ms", pairs, most=10, note=f"by the clock; {question[:40]}"))
    return rows


def asking(argv: list[str], folder: Path, env: dict[str, str]) -> Callable[[], object]:
    """Return a call that runs one question."""
    return lambda: run(argv, folder, env)


def questions(chat: Path) -> list[str]:
    """Return questions that find something: two whole ones, in English and Chinese, and one of frequent words."""
    lines = (json.loads(line)["user_message"] for path in sorted(chat.glob("*.jsonl")) for line in path.open(encoding="utf-8"))
    texts = [text.replace("?", "") for text, _ in zip(lines, range(200), strict=False)]
    return [next(t for t in texts if t.isascii()), next(t for t in texts if not t.isascii()), "open panel press merge"]


def fill(tantivy: object, place: Path, chat: Path) -> None:
    """Make tantivy's index of the same turns."""
    import tantivy as engine

    schema = engine.SchemaBuilder().add_text_field("text").add_text_field("id", stored=True, tokenizer_name="raw").build()
    writer = engine.Index(schema, str(place)).writer(heap_size=128_000_000, num_threads=1)
    for path in sorted(chat.glob("*.jsonl")):
        for line in path.open(encoding="utf-8"):
            turn = json.loads(line)
            writer.add_document(
                engine.Document(text=turn["user_message"] + "\n" + turn["assistant_message"], id=turn["request_id"])
            )
    writer.commit()
    writer.wait_merging_threads()


def indexing(work: Path, env: dict[str, str], size: Size) -> Row:
    """Return the rate at which turns are read, redacted and indexed, against Whoosh's with its own analyzer."""
    pairs: list[tuple[float, float]] = []
    for number in range(size.made):
        kb = repository(work / f"small-{number}", {"a.md": "# A\n"}, env)
        corpus.archive(kb / CHAT, size.sample, seed=number)
        ours = cpu_of(asking([*CONSOLE, "archive", "search", "panel"], kb, env))
        theirs = cpu_of(asking([sys.executable, "-c", WHOOSH, str(kb / CHAT), str(work / f"whoosh-{number}")], kb, env))
        pairs.append((size.sample / ours, size.sample / theirs))
    return compared(f"archive indexing, {size.sample:,} turns", "plain Whoosh", "turns/s", pairs, least=1)
