"""Our own sessions: one a file as the archive has them, JSON Lines, or an array."""

import re
from collections.abc import Iterator

from mfgit.errors import BadInput
from mfgit.importers.found import Damage, Skipped
from mfgit.importers.jsonstream import records
from mfgit.importers.source import Source
from mfgit.session import Conversation, conversation

EXPECTED = 'sessions of a mfgit archive: {"sessionId", "messages": [{"role", "content", "time"}]} (sessions)'
NUMBER = re.compile(r"(?<=\.)\d+(?=[.: ])")
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
            except BadInput as error:
                yield Skipped(reason(error, member.name))
                continue
            yield found if found.messages else Skipped("session without messages")


def reason(error: BadInput, name: str) -> str:
    """Return why something is no session: the field and what is wrong with it, the same for all messages it is wrong in."""
    return "not a session: " + NUMBER.sub("N", error.message.removeprefix(f"{name}: ").removeprefix(name).strip().rstrip("."))
