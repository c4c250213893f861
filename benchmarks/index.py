"""The index: warm questions on 50,000 passages against Whoosh's own search and bare tantivy, re-indexing, reading a tree."""

import random
import statistics
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from benchmarks import corpus
from benchmarks.measure import Row, at_most, cpu_of, environment, interleaved, repository, run
from mfgit.index import fields
from mfgit.index.engines.stock import storage
from mfgit.index.searcher import Searcher
from mfgit.index.store import Entry, Store
from mfgit.passages import Passage
from mfgit.plumbing import Git
from mfgit.project import Project, views

PASSAGES = 50_000
FILES = 10_000
QUESTIONS = 40
TIMES = 5
HITS = 10
AGAINST = {"whoosh": ("Whoosh's own search", 0.25), "tantivy": ("bare tantivy-py", 3)}
"""Engine → what it is measured against, and the ratio that it may have."""
WORDS = 20_000
"""Words of the made-up language, the n-th as frequent as 1/(n + 5): that is how words of real texts are spread."""


def measure(work: Path) -> list[Row]:
    """Return the cost of questions, of keeping an index up to date, and of reading a tree."""
    rng = random.Random(7)
    spread = Spread(rng)
    passages = [spread.passage(number) for number in range(PASSAGES)]
    sets = {size: [spread.distinct(size) for _ in range(QUESTIONS)] for size in (3, 8)}
    rows = against_whoosh(work, passages, sets)
    rows += against_tantivy(work, passages, sets)
    del passages
    return [*rows, *keeping(work)]


class Spread:
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


def ours(found: Searcher, questions: Sequence[Sequence[str]]) -> None:
    """Ask mfgit's index."""
    for terms in questions:
        for scored in found.search(terms, HITS):
            found.details(scored.position)


def stemmed(questions: Sequence[Sequence[str]]) -> list[list[str]]:
    """Return the terms of questions as the analyzer gives them."""
    from mfgit.text import tokens

    return [[term for word in question for term in tokens.terms(word)] for question in questions]


def compared(
    sets: dict[int, list[list[str]]], found: Searcher, floor: Callable[[Sequence[Sequence[str]]], object], name: str
) -> list[Row]:
    """Return a row for each size of question."""
    against, limit = AGAINST[name]
    rows = []
    for size, words in sets.items():
        questions = stemmed(words)
        ours(found, questions)
        floor(questions)
        mine, theirs = interleaved(lambda: ours(found, questions), lambda: floor(questions), TIMES)  # noqa: B023 - run at once
        detail = f"{mine / QUESTIONS * 1000:.2f} ms, {theirs / QUESTIONS * 1000:.2f} ms"
        rows.append(at_most(f"warm {size}-term question, {PASSAGES:,} passages, {name}", against, mine / theirs, limit, detail))
    return rows


def against_whoosh(work: Path, passages: Sequence[Passage], sets: dict[int, list[list[str]]]) -> list[Row]:
    """Return how questions compare with Whoosh's own search of an index that it wrote by itself."""
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

        def floor(questions: Sequence[Sequence[str]]) -> None:
            for terms in questions:
                for hit in stock.search(Or([Term("text", term) for term in terms]), limit=HITS):
                    hit["path"]

        found = kept_by("whoosh", work / "whoosh-ours", passages)
        return compared(sets, found, floor, "whoosh")


def against_tantivy(work: Path, passages: Sequence[Passage], sets: dict[int, list[list[str]]]) -> list[Row]:
    """Return how questions compare with bare tantivy-py on the same terms."""
    try:
        import tantivy
    except ImportError:
        print("     index: tantivy is not compared, since there is none: pip install 'mfgit[bench]'", flush=True)
        return []
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

    def floor(questions: Sequence[Sequence[str]]) -> None:
        for terms in questions:
            query = tantivy.Query.boolean_query([term(text) for text in terms])
            for _, address in searcher.search(query, HITS, count=False).hits:
                searcher.doc(address)["path"]

    found = kept_by("tantivy", work / "tantivy-ours", passages)
    return compared(sets, found, floor, "tantivy")


def keeping(work: Path) -> list[Row]:
    """Return what it costs to follow one changed file, and to read a tree, in a repository of many files."""
    env = environment(work)
    texts = corpus.pages(FILES)
    kb = repository(work / "kb", texts, env)
    full = cpu_of(lambda: views.searcher(Project.open(kb), views.locate(Project.open(kb))))
    changed = []
    for number in range(TIMES):
        path = next(iter(texts))
        (kb / path).write_text(f"# Changed {number}\n\nAnother text.\n", encoding="utf-8")
        run(["git", "commit", "-qam", "change"], kb, env)
        changed.append(cpu_of(lambda: views.searcher(Project.open(kb), views.locate(Project.open(kb)))))
    once = statistics.median(changed)
    detail = f"{once * 1000:.0f} ms, {full:.1f} s"
    again = at_most(f"re-index, 1 changed file of {FILES:,}", "a full build", once / full, 0.01, detail)
    git = Git(kb)
    mine, theirs = interleaved(lambda: merged(git), lambda: bare(kb, env), 9)
    detail = f"{mine * 1000:.0f} ms, {theirs * 1000:.0f} ms"
    return [
        again,
        at_most(f"reading a merged tree, {FILES:,} files", "ls-tree and cat-file --batch", mine / theirs, 1.5, detail),
    ]


def merged(git: Git) -> int:
    """Read every document of a tree as a search does: list it, tell what each is, find what is stale, take the contents."""
    tree = views.read_tree(git, "HEAD^{tree}", "")
    views.stale_pages(git, tree)
    return sum(len(blob.data or b"") for blob in git.blobs(page.blob for page in tree.pages))


def bare(folder: Path, env: dict[str, str]) -> int:
    """Do what Git alone takes for it."""
    listed = run(["git", "ls-tree", "-r", "-z", "HEAD"], folder, env).split(b"\0")
    names = b"".join(line.split(b"\t")[0].split()[2] + b"\n" for line in listed if line)
    return len(run(["git", "cat-file", "--batch"], folder, env, names))
