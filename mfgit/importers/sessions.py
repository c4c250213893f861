"""Our own sessions: one a file as the archive has them, JSON Lines, or an array."""

from collections.abc import Iterator

from mfgit.errors import BadInput
from mfgit.importers.found import Damage, Skipped
from mfgit.importers.jsonstream import records
from mfgit.importers.source import Source
from mfgit.session import Conversation, conversation

EXPECTED = 'sessions of a mfgit archive: {"sessionId", "messages": [{"role", "content", "time"}]} (sessions)'
FILES = r"(?<!index)\.jsonl?(\.gz)?$"


def read(source: Source) -> Iterator[Conversation | Skipped | Damage]:
    """Yield the sessions of files; those without messages are counted, since nothing was said in them that is still there."""
    for member in source.files(FILES):
        for value in records(member):
            if isinstance(value, Damage | Skipped):
                yield value
                continue
            try:
                found = conversation(value, member.name)
            except BadInput:
                yield Skipped("not a session")
                continue
            yield found if found.messages else Skipped("session without messages")
