"""Our own turns: day files of an archive, JSON Lines with a turn or a later rating a line, also gzipped."""

from collections.abc import Iterator
from typing import Any

from mfgit.importers.found import Damage, Skipped
from mfgit.importers.jsonstream import records
from mfgit.importers.source import Source

EXPECTED = 'turns of a mfgit archive: JSON Lines with {"timestamp", "user_message"} (turns)'
FILES = r"\.jsonl(\.gz)?$"


def read(source: Source) -> Iterator[dict[str, Any] | Skipped | Damage]:
    """Yield the values of lines as they are; they are checked when they are appended, and hold more than conversations."""
    for member in source.files(FILES):
        for value in records(member):
            if isinstance(value, dict | Skipped | Damage):
                yield value
            else:
                yield Skipped("line that is no object")
