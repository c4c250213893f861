"""Who did what: one JSON line for each action and each refusal, appended, never changed. Holds no text of conversations."""

import json
import os
import threading
from pathlib import Path
from typing import Any

from mfgit.server.tokens import now

FILE = "audit.jsonl"
AS_IS = frozenset(("time", "action", "address"))
"""What is no free text; the address of a caller is what such a log is for."""


class Audit:
    """The log of a repository, in the Git common directory, readable by the owner alone."""

    def __init__(self, common: Path) -> None:
        self.path = common / "mfgit" / "serve" / FILE
        self.lock = threading.Lock()

    def note(self, actor: str, action: str, identity: str = "", result: str = "done", **more: Any) -> None:
        """Append a line; it is on the disk when this returns. Raises `OSError` when the disk refuses."""
        from mfgit.redact import redact_value

        line = {"time": now(), "actor": actor, "action": action, "id": identity, "result": result, **more}
        line |= redact_value({name: given for name, given in line.items() if name not in AS_IS})
        data = json.dumps(line, ensure_ascii=True).encode() + b"\n"
        self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with self.lock:
            descriptor = os.open(self.path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)
            try:
                os.write(descriptor, data)
                os.fsync(descriptor)
            finally:
                os.close(descriptor)
