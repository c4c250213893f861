"""The MCP server as the MCP Inspector's command line sees it, over both transports; from npm, so only where that is.

`MFGIT_INSPECTOR` names the command of one that is installed.
"""

import json
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from tests.agents import serving
from tests.builders import Workbench
from tests.sharing import one_at_a_time, shared

INSPECTOR = shlex.split(os.environ.get("MFGIT_INSPECTOR", ""))
PACKAGE = "@modelcontextprotocol/inspector"
MESSAGES = [
    {"role": "user", "content": "Please keep answers short. We decided to run Dreaming at midnight. 每天几点运行？"},
    {"role": "assistant", "content": "Dreaming runs at 00:00. 每天零点。"},
]
TOOLS: dict[str, dict[str, Any]] = {
    "archive_session": {"sessionKey": "agent:main:main", "messages": MESSAGES},
    "search_archive": {"query": "Dreaming midnight", "limit": 2, "budget": 2000},
    "get_session": {"sessionId": "agent:main", "budget": 1500},
    "extract_memories": {"sessionId": "agent:main", "types": ["feedback", "project"]},
    "record_correction": {"sessionId": "agent:main", "message": 2, "correction": "每天零点运行，不是三点。"},
    "search_knowledge": {"query": "reset the router"},
}

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not INSPECTOR and shutil.which("npm") is None, reason="needs npm, which comes with Node.js"),
]


@pytest.fixture
def kb(bench: Workbench) -> Workbench:
    bench.write({"help/router.md": "# Router\n\n## Reset\n\nPress the reset button for ten seconds.\n"})
    bench.commit()
    return bench


@pytest.fixture(scope="module")
def inspector(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Return the command, installed once."""
    if INSPECTOR:
        return INSPECTOR
    place = shared(tmp_path_factory, "inspector")
    command = place / "node_modules/.bin/mcp-inspector"
    with one_at_a_time(place):
        if not command.exists():
            options = ["--no-audit", "--no-fund", "--silent", "--cache", str(place / "cache"), "--prefix", str(place)]
            subprocess.run(["npm", "install", *options, PACKAGE], check=True)
    return [str(command)]


@pytest.fixture(params=["stdio", "http"])
def server(request: pytest.FixtureRequest, inspector: list[str], kb: Workbench) -> Iterator[list[str]]:
    """Yield the command, up to what it looks at."""
    argv = [*inspector, "--cli"]
    if request.param == "stdio":
        yield [*argv, sys.executable, "-m", "mfgit", "-C", str(kb.path), "mcp"]
        return
    with serving(kb.path) as address:
        yield [*argv, address, "--transport", "http"]


def ask(server: list[str], method: str, *options: str) -> Any:
    argv = [*server, "--method", method, *options]
    done = subprocess.run(argv, capture_output=True, text=True, timeout=180, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout)


def given(arguments: dict[str, Any]) -> list[str]:
    told = {name: value if isinstance(value, str) else json.dumps(value) for name, value in arguments.items()}
    return [part for name, value in told.items() for part in ("--tool-arg", f"{name}={value}")]


def test_the_inspector_uses_every_tool_resource_and_prompt(server: list[str]) -> None:
    listed = {tool["name"]: tool for tool in ask(server, "tools/list")["tools"]}
    assert set(listed) == set(TOOLS)
    assert all(tool["outputSchema"] and "readOnlyHint" in tool["annotations"] for tool in listed.values())
    answers = {}
    for name, arguments in TOOLS.items():
        answer = ask(server, "tools/call", "--tool-name", name, *given(arguments))
        assert not answer.get("isError"), answer
        answers[name] = answer["structuredContent"]
    assert answers["search_archive"]["hits"]
    assert answers["record_correction"]["quote"].startswith("Dreaming runs")

    uris = [each["uri"] for each in ask(server, "resources/list")["resources"]]
    assert uris == ["mfgit://sessions", answers["archive_session"]["uri"]]
    assert len(ask(server, "resources/templates/list")["resourceTemplates"]) == 3
    for uri in (*uris, f"{uris[1]}/1-1", answers["search_knowledge"]["hits"][0]["uri"]):
        assert ask(server, "resources/read", "--uri", uri)["contents"][0]["text"]

    assert [each["name"] for each in ask(server, "prompts/list")["prompts"]] == ["correct_misunderstanding"]
    told = ask(server, "prompts/get", "--prompt-name", "correct_misunderstanding", "--prompt-args", "topic=Dreaming")
    assert "search_archive" in told["messages"][0]["content"]["text"]
