"""The kind of field that the index is made of; a module of its own, since opening an index imports it."""

from collections import Counter
from collections.abc import Generator
from typing import Any

from whoosh import fields, formats


class Terms(fields.FieldType):
    """A field whose value is a list of terms from `mfgit.text.tokens`; it keeps how often each occurs."""

    def __init__(self, scorable: bool = True) -> None:
        analyzer: Any = None  # the terms come ready made
        super().__init__(formats.Existence(), analyzer, scorable=scorable)

    def index(self, value: list[str], **_: Any) -> Generator[tuple[bytes, int, float, bytes], Any, None]:
        """Yield (term, count, weight, no further value)."""
        for term, count in Counter(value).items():
            yield term.encode("utf-8", "surrogatepass"), count, float(count), b""
