"""Redaction of ordinary chat text on one core."""

from pathlib import Path

from benchmarks.corpus import questions
from benchmarks.measure import Row, at_least, cpu_of
from mfgit.redact import redact

TURNS = 4000


def measure(_: Path) -> list[Row]:
    """Return how many times a megabyte a CPU second chat text is redacted; the best of three, after a first one to warm up."""
    texts = [f"{question}\n{answer}" for question, answer in questions(TURNS)]
    size = sum(len(text.encode()) for text in texts) / 1e6

    def every() -> None:
        for text in texts:
            redact(text)

    every()
    seconds = min(cpu_of(every) for _ in range(3))
    return [at_least("redaction of chat text", "1 MB a CPU second", size / seconds, 1, f"{size:.2f} MB in {seconds:.2f} s")]
