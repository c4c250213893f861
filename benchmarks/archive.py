"""`archive search` in 200,000 turns: cold, against a bare tantivy query process; its indexing, against plain Whoosh."""

import json
import statistics
import sys
from collections.abc import Callable
from pathlib import Path

from benchmarks import corpus
from benchmarks.measure import CONSOLE, Row, at_least, at_most, cpu_of, environment, interleaved, repository, run, wall_of

TURNS = 200_000
SAMPLE = 20_000
"""Turns on which indexing is compared."""
TIMES = 11
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


def measure(work: Path) -> list[Row]:
    """Return the cost of a cold question whose index is there, and of making the index."""
    env = environment(work)
    return [*searching(work, env), indexing(work, env)]


def searching(work: Path, env: dict[str, str]) -> list[Row]:
    """Return how questions compare with tantivy's; it has to be installed for this benchmark only."""
    try:
        import tantivy
    except ImportError:
        print("     archive search: not compared, since there is no tantivy: pip install 'mfgit[bench]'", flush=True)
        return []
    kb = repository(work / "large", {"a.md": "# A\n"}, env)
    corpus.archive(kb / CHAT, TURNS)
    place = work / "tantivy"
    place.mkdir()
    fill(tantivy, place, kb / CHAT)
    run([*CONSOLE, "archive", "search", "panel"], kb, env)
    rows = []
    for question in questions(kb / CHAT):
        ours, floor = interleaved(
            asking([*CONSOLE, "archive", "search", question], kb, env),
            asking([sys.executable, "-c", TANTIVY, str(place), question], kb, env),
            TIMES,
            wall_of,
        )
        detail = f"{ours * 1000:.0f} ms, {floor * 1000:.0f} ms: {question[:40]}"
        rows.append(at_most(f"cold archive search, {TURNS:,} turns", "a tantivy query process", ours / floor, 10, detail))
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


def indexing(work: Path, env: dict[str, str]) -> Row:
    """Return the rate at which turns are read, redacted and indexed, against Whoosh's with its own analyzer."""
    rates: list[tuple[float, float]] = []
    for number in range(3):
        kb = repository(work / f"small-{number}", {"a.md": "# A\n"}, env)
        corpus.archive(kb / CHAT, SAMPLE, seed=number)
        ours = cpu_of(asking([*CONSOLE, "archive", "search", "panel"], kb, env))
        floor = cpu_of(asking([sys.executable, "-c", WHOOSH, str(kb / CHAT), str(work / f"whoosh-{number}")], kb, env))
        rates.append((SAMPLE / ours, SAMPLE / floor))
    ours, floor = (statistics.median(column) for column in zip(*rates, strict=True))
    return at_least("archive indexing, turns a second", "plain Whoosh", ours / floor, 1, f"{ours:,.0f}, {floor:,.0f}")
