"""The index: warm questions against stock Whoosh, SQLite FTS5 and bare tantivy; following a change; reading a tree.

Every peer gets the terms that mfgit's analyzer makes (FTS5 through `unicode61`, tantivy through `whitespace`), in one field,
and scores with the same BM25; mfgit searches three fields. "agree" is how much of the first ten is the same. A change is
followed when a search comes after a commit; the floor of reading a tree is Git's own `ls-tree` and `cat-file --batch`.
"""

import random
import sqlite3
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks import corpus
from benchmarks.measure import Row, compared, cpu_of, environment, interleaved, missing, repository, run
from mfgit.index import fields
from mfgit.index.engines.stock import storage
from mfgit.index.searcher import Searcher
from mfgit.index.store import Entry, Store
from mfgit.passages import Passage
from mfgit.plumbing import Git
from mfgit.project import Project, views


class Size(NamedTuple):
    """Passages that are searched, files of a tree, questions, and repetitions."""

    passages: int
    files: int
    questions: int
    times: int


FULL, QUICK = Size(50_000, 10_000, 40, 5), Size(200, 20, 3, 1)
HITS = 10
Find = Callable[[Sequence[str]], list[str]]
"""The paths of the first hits for the terms of a question."""
WORDS = 20_000
"""Words of the made-up language, the n-th as frequent as 1/(n + 5): that is how words of real texts are spread."""


def measure(work: Path, size: Size = FULL) -> list[Row]:
    """Return the cost of questions, of keeping an index up to date, and of reading a tree."""
    rng = random.Random(7)
    language = Language(rng)
    passages = [language.passage(number) for number in range(size.passages)]
    sets = {count: stemmed(language.distinct(count) for _ in range(size.questions)) for count in (3, 8)}
    rows = against_whoosh(work, passages, sets, size.times)
    rows += against_tantivy(work, passages, sets, size.times)
    del passages
    return [*rows, *keeping(work, size)]


class Language:
    """Texts whose words are as frequent as in real ones."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.words = list(dict.fromkeys(corpus.word(rng) for _ in range(WORDS)))
        self.weights = [1 / (place + 5) for place in range(len(self.words))]

    def distinct(self, count: int) -> list[str]:
        """Return the terms of a question."""
        found: dict[str, None] = {}
        while len(found) < count:
            found.setdefault(self.rng.choices(self.words, self.weights)[0])
        return list(found)

    def passage(self, number: int) -> Passage:
        """Return a passage of 30 to 120 words."""
        words = self.rng.choices(self.words, self.weights, k=self.rng.randint(30, 120))
        text, head = " ".join(words), " ".join(words[:3])
        return Passage(f"help/{number}.md", head, head, (), (1, 1), text, "original", "1" * 40)


def kept_by(name: str, folder: Path, passages: Sequence[Passage]) -> Searcher:
    """Return the searcher of mfgit's index of passages, kept by an engine."""
    entries = [Entry(passage.path, 0) for passage in passages]
    rows = ([passage] for passage in passages)
    return Store(folder, kept_by=name).update("all", entries, lambda new: zip(new, rows, strict=True), ())


def stemmed(questions: Iterable[Sequence[str]]) -> list[list[str]]:
    """Return the terms of questions as the analyzer gives them."""
    from mfgit.text import tokens

    return [[term for word in question for term in tokens.terms(word)] for question in questions]


def finder(found: Searcher) -> Find:
    """Return a call that asks mfgit's index."""
    return lambda terms: [found.details(scored.position)[0] for scored in found.search(terms, HITS)]


def asked(
    sets: dict[int, list[list[str]]], ours: Find, theirs: Find, names: tuple[str, str], times: int, *, most: float | None = None
) -> list[Row]:
    """Return a row for each length of question, of mfgit's engine and of a peer, in milliseconds a question."""
    rows = []
    for count, questions in sets.items():
        pairs = [(ours(terms), theirs(terms)) for terms in questions]
        same = sum(len({*mine} & {*other}) / max(1, len(other)) for mine, other in pairs) / len(pairs)
        costs = interleaved(every(ours, questions), every(theirs, questions), times, scale=1000 / len(questions))
        name = f"warm {count}-term question, {names[0]}"
        rows.append(compared(name, names[1], "ms", costs, most=most, quality=f"agree {same:.0%}"))
    return rows


def every(find: Find, questions: Sequence[Sequence[str]]) -> Callable[[], object]:
    """Return a call that asks all questions."""
    return lambda: [find(terms) for terms in questions]


def against_whoosh(work: Path, passages: Sequence[Passage], sets: dict[int, list[list[str]]], times: int) -> list[Row]:
    """Return how questions compare with Whoosh's own search, of an index that it wrote by itself, and with FTS5."""
    from whoosh import scoring
    from whoosh.fields import STORED, Schema
    from whoosh.query.compound import Or
    from whoosh.query.terms import Term

    from mfgit.index.terms import Terms

    place = work / "whoosh"
    place.mkdir()
    index = storage(place).create_index(Schema(text=Terms(), path=STORED))
    writer = index.writer(limitmb=256)
    for passage in passages:
        writer.add_document(text=fields.field_terms(passage)["text"], path=passage.path)
    writer.commit()
    with index.searcher(weighting=scoring.BM25F(B=0.75, K1=1.2)) as stock:

        def theirs(terms: Sequence[str]) -> list[str]:
            return [hit["path"] for hit in stock.search(Or([Term("text", term) for term in terms]), limit=HITS)]

        ours = finder(kept_by("whoosh", work / "whoosh-ours", passages))
        name = f"{len(passages):,} passages, Whoosh"
        rows = asked(sets, ours, theirs, (name, "stock Whoosh search"), times, most=0.25)
        return rows + asked(sets, ours, fts5(work / "fts5.db", passages), (name, "SQLite FTS5"), times)


def fts5(place: Path, passages: Sequence[Passage]) -> Find:
    """Return a call that asks SQLite's full-text index of the same terms."""
    base = sqlite3.connect(place)
    base.execute("CREATE VIRTUAL TABLE page USING fts5(text, path UNINDEXED, tokenize='unicode61')")
    rows = ((" ".join(fields.field_terms(passage)["text"]), passage.path) for passage in passages)
    base.executemany("INSERT INTO page VALUES (?, ?)", rows)
    base.execute("INSERT INTO page(page) VALUES ('optimize')")
    base.commit()

    def find(terms: Sequence[str]) -> list[str]:
        query = " OR ".join(f'"{term}"' for term in terms)
        return [path for (path,) in base.execute("SELECT path FROM page(?) ORDER BY rank LIMIT ?", (query, HITS))]

    return find


def against_tantivy(work: Path, passages: Sequence[Passage], sets: dict[int, list[list[str]]], times: int) -> list[Row]:
    """Return how questions compare with bare tantivy-py on the same terms."""
    name = f"{len(passages):,} passages, tantivy"
    try:
        import tantivy
    except ImportError:
        return [missing(f"warm questions, {name}", "bare tantivy-py")]
    builder = tantivy.SchemaBuilder().add_text_field("text", tokenizer_name="whitespace", index_option="freq")
    schema = builder.add_text_field("path", stored=True, tokenizer_name="raw").build()
    index = tantivy.Index(schema)
    writer = index.writer(128_000_000, 1)
    for passage in passages:
        writer.add_document(tantivy.Document(text=" ".join(fields.field_terms(passage)["text"]), path=passage.path))
    writer.commit()
    writer.wait_merging_threads()
    index.reload()
    searcher = index.searcher()

    def term(text: str) -> tuple[Any, Any]:
        return tantivy.Occur.Should, tantivy.Query.term_query(schema, "text", text, "freq")

    def theirs(terms: Sequence[str]) -> list[str]:
        query = tantivy.Query.boolean_query([term(text) for text in terms])
        return [str(searcher.doc(address)["path"][0]) for _, address in searcher.search(query, HITS, count=False).hits]

    ours = finder(kept_by("tantivy", work / "tantivy-ours", passages))
    return asked(sets, ours, theirs, (name, "bare tantivy-py"), times, most=3)


def keeping(work: Path, size: Size) -> list[Row]:
    """Return what it costs to follow one changed file, and to read a tree, in a repository of many files."""
    env = environment(work)
    texts = corpus.pages(size.files)
    kb = repository(work / "kb", texts, env)
    full = 1000 * cpu_of(lambda: views.searcher(Project.open(kb), views.locate(Project.open(kb))))
    changed = []
    for number in range(size.times):
        path = next(iter(texts))
        (kb / path).write_text(f"# Changed {number}\n\nAnother text.\n", encoding="utf-8")
        run(["git", "commit", "-qam", "change"], kb, env)
        changed.append((1000 * cpu_of(lambda: views.searcher(Project.open(kb), views.locate(Project.open(kb)))), full))
    git = Git(kb)
    read = interleaved(lambda: merged(git), lambda: bare(kb, env), 2 * size.times - 1, scale=1000)
    again, reading = f"re-index, 1 changed file of {size.files:,}", f"reading a merged tree, {size.files:,} files"
    return [
        compared(again, "a full build", "ms", changed, most=0.01, floor=True),
        compared(reading, "ls-tree and cat-file --batch", "ms", read, most=1.5, floor=True),
    ]


def merged(git: Git) -> int:
    """Read every document of a tree as a search does: list it, tell what each is, find what is stale, take the contents."""
    tree = views.read_tree(git, "HEAD^{tree}", "")
    views.stale_among(views.sources_of(git, tree), tree)
    return sum(len(blob.data or b"") for blob in git.blobs(page.blob for page in tree.pages))


def bare(folder: Path, env: dict[str, str]) -> int:
    """Do what Git alone takes for it."""
    listed = run(["git", "ls-tree", "-r", "-z", "HEAD"], folder, env).split(b"\0")
    names = b"".join(line.split(b"\t")[0].split()[2] + b"\n" for line in listed if line)
    return len(run(["git", "cat-file", "--batch"], folder, env, names))
