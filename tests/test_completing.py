"""What TAB offers, as each shell asks for it: through the completions that the wheel carries."""

import os
import select
import subprocess
import sys
from pathlib import Path

import pytest

from mfgit.cli.group import COMMANDS
from mfgit.project.deciding import write_proposals
from tests.builders import Workbench
from tests.records import draft, identity, record, wording
from tests.servers import require
from tests.test_repo import open_project

TOP = Path(__file__).parent.parent
SHARE = TOP / "share"
BIN = Path(sys.executable).parent


@pytest.fixture
def environment() -> dict[str, str]:
    return {**os.environ, "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}", "TERM": "dumb"}


@pytest.fixture
def offered(bench: Workbench, environment: dict[str, str]) -> "Offered":
    return Offered(bench, environment)


class Offered:
    """Asks as bash does; the last word is the one that TAB is pressed in."""

    def __init__(self, bench: Workbench, environment: dict[str, str]) -> None:
        self.bench, self.environment = bench, environment
        self.said = ""

    def __call__(self, *words: str) -> list[str]:
        asked = {"COMP_WORDS": " ".join(["mfgit", *words]), "COMP_CWORD": str(len(words)), "_MFGIT_COMPLETE": "bash_complete"}
        ran = subprocess.run(
            ["mfgit"], cwd=self.bench.path, env={**self.environment, **asked}, capture_output=True, text=True, check=False
        )
        self.said = ran.stderr
        return [line.partition(",")[2] for line in ran.stdout.split()]


def test_commands_are_offered_without_a_repository(offered: Offered, tmp_path: Path) -> None:
    offered.bench.path = tmp_path
    assert offered("") == list(COMMANDS)
    assert offered("sc") == ["scan"]
    assert offered("no-such-command", "") == list(COMMANDS)
    assert offered("adopt", "") == []
    assert offered("search", "--ref", "") == ["HEAD"]
    assert offered.said == ""


def test_the_commands_modules_are_not_imported_to_name_them() -> None:
    script = (
        "import sys; from mfgit.cli.group import cli; import click.shell_completion as s; "
        "found = s.BashComplete(cli, {}, 'mfgit', 'X').get_completions([], 'se'); "
        "assert [each.value for each in found] == ['search', 'serve']; "
        "assert not [name for name in sys.modules if name in ('mfgit.cli.search', 'mfgit.project', 'mfgit.cli.serve')]"
    )
    subprocess.run([sys.executable, "-I", "-c", script], check=True)


def test_ids_are_offered_by_what_can_be_done_with_them(offered: Offered) -> None:
    here = open_project(offered.bench)
    write_proposals(here, [record(1), wording(2), wording(3), draft(4)])
    here.adopt(identity(1))
    here.reject(identity(2), "no")
    one, two, three, four = map(identity, range(1, 5))
    assert set(offered("adopt", "")) == set(offered("search", "--with", "")) == {three, four}
    assert offered("adopt", three, "") == [four]
    assert offered("undo", "") == [one]
    assert offered("restore", "") == [two]
    assert set(offered("show", "")) == {one, two, three, four}
    assert offered("-C", str(offered.bench.path), "show", three) == [three]
    assert "mfgit/" + three in offered("search", "--ref", "mfgit/")
    assert offered.said == ""


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (("guard", ""), ["install", "status", "test", "uninstall"]),
        (("guard", "--st"), ["--staged"]),
        (("archive", "import", "open"), ["openclaw", "openwebui", "openai"]),
        (("scan", "--dr"), ["--dry-run"]),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_words_and_options(offered: Offered, words: tuple[str, ...], expected: list[str]) -> None:
    assert offered(*words) == expected


def test_bash_loads_what_the_wheel_carries(bench: Workbench, environment: dict[str, str]) -> None:
    write_proposals(open_project(bench), [record(1)])
    script = (
        f"source {SHARE}/bash-completion/completions/mfgit; COMP_WORDS=(mfgit adopt ''); COMP_CWORD=2; "
        "$(complete -p mfgit | sed 's/.*-F \\([^ ]*\\).*/\\1/') mfgit; printf '%s\\n' \"${COMPREPLY[@]}\""
    )
    ran = subprocess.run(
        ["bash", "--norc", "-c", script], cwd=bench.path, env=environment, capture_output=True, text=True, check=False
    )
    assert ran.stdout.split() == [identity(1)], ran.stderr


def test_fish_loads_what_the_wheel_carries(bench: Workbench, environment: dict[str, str]) -> None:
    require("fish", "fish")
    write_proposals(open_project(bench), [record(1)])
    script = f"source {SHARE}/fish/vendor_completions.d/mfgit.fish; complete -C 'mfgit adopt '"
    ran = subprocess.run(["fish", "-c", script], cwd=bench.path, env=environment, capture_output=True, text=True, check=False)
    assert ran.stdout.split("\t")[0] == identity(1), ran.stderr


def test_zsh_loads_what_the_wheel_carries(bench: Workbench, environment: dict[str, str]) -> None:
    """zsh completes at a terminal only, so it is given one."""
    require("zsh", "zsh")
    write_proposals(open_project(bench), [record(1)])
    setup = f"fpath=({SHARE}/zsh/site-functions $fpath); autoload -Uz compinit; compinit -D -u; print rea''dy"
    words = (sys.executable, "-c", "import pty; pty.spawn(['zsh', '-f'])")
    with subprocess.Popen(words, cwd=bench.path, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as shell:
        assert shell.stdin
        assert shell.stdout
        os.write(shell.stdin.fileno(), f"{setup}\n".encode())
        read_until(shell.stdout.fileno(), b"ready\r")
        os.write(shell.stdin.fileno(), b"mfgit adopt \t")
        read_until(shell.stdout.fileno(), identity(1).encode())
        shell.kill()


def read_until(terminal: int, wanted: bytes) -> None:
    """Read from a terminal until it has shown some bytes; half a minute of silence is a failure."""
    said = b""
    while wanted not in said:
        assert select.select([terminal], [], [], 30)[0], said
        said += os.read(terminal, 1 << 16)
