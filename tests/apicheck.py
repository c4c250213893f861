"""`make api-check`: Schemathesis tries the OpenAPI document on a real server, with and without a token."""

import json
import os
import subprocess
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path

import pytest

from mfgit.server.tokens import ROLES, Tokens
from tests.archives import turn
from tests.builders import Workbench
from tests.conftest import pin
from tests.serving import serving

CONFIG = """\
[parameters]
"path.identity" = "{identity}"
"path.session_id" = "s1"

[checks]
negative_data_rejection.expected-statuses = [400, 401, 403, 404, 405, 409, 413, 415, 422, 429]
"""
UNSUITABLE = "positive_data_acceptance,unsupported_method"
"""Not checked: what JSON Schema cannot tell (which days and proposals exist), and TRACE, which no server here answers."""


def main() -> int:
    """Serve a repository with an archive and a proposal, and check it; return Schemathesis's exit code."""
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        home = Path(folder) / "home"
        home.mkdir()
        pin(home, patch)
        bench = Workbench.make(Path(folder) / "kb")
        asked = turn(1, datetime.now(UTC), user_message="How do I pair the scanner?", help_mode=True, rating="down")
        bench.mfgit("archive", "append", stdin=json.dumps(asked) + "\n")
        identity = bench.mfgit("scan", "--json").json()["proposals"][0]["id"]
        config = Path(folder) / "schemathesis.toml"
        config.write_text(CONFIG.format(identity=identity), "utf-8")
        secret = Tokens(bench.path / ".git").add("checker", ROLES)
        with serving(bench.path, require_tokens=True, rate=0) as served:
            return check(served.url, secret, config, sys.argv[1:])


def check(url: str, secret: str, config: Path, words: list[str]) -> int:
    """Run Schemathesis on a server."""
    program = str(Path(sys.executable).parent / "schemathesis")
    command = [program, "--config-file", str(config), "run", f"{url}/openapi.json", "--exclude-checks", UNSUITABLE]
    header = ["--header", f"Authorization: Bearer {secret}"]
    return subprocess.run([*command, *header, *words], env={**os.environ, "NO_COLOR": "1"}, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
