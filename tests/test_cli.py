"""What all commands have in common."""

import importlib
import json
import os
import subprocess
import sys

import click
import pytest
from click.testing import CliRunner

from mfgit import __version__
from mfgit.cli.group import COMMANDS, cli, main
from tests.builders import Workbench

WITH_JSON = [
    pytest.param(["init", "--dry-run"], id="init"),
    pytest.param(["archive", "check"], id="archive check"),
    pytest.param(["scan", "--dry-run"], id="scan"),
    pytest.param(["proposals"], id="proposals"),
    pytest.param(["search", "password"], id="search"),
    pytest.param(["doctor"], id="doctor"),
]


@pytest.mark.parametrize("name", [name for name in COMMANDS if name != "guard"])
def test_every_command_has_a_module_and_help_that_says_more_than_its_name(name: str) -> None:
    module = importlib.import_module(f"mfgit.cli.{'evaluate' if name == 'eval' else name}")
    assert isinstance(module.command, click.Command)
    ran = CliRunner().invoke(cli, [name, "--help"])
    assert ran.exit_code == 0
    assert len(module.command.help or "") > 20
    undocumented = [p.name for p in module.command.params if isinstance(p, click.Option) and not p.help]
    assert not undocumented


@pytest.mark.parametrize("name", list(COMMANDS))
def test_help_works_outside_of_any_repository(name: str, tmp_path: object) -> None:
    ran = subprocess.run(
        [sys.executable, "-I", "-m", "mfgit", name, "--help"], cwd=str(tmp_path), capture_output=True, text=True, check=False
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    assert "usage" in ran.stdout.lower()


def test_the_list_of_commands_imports_none_of_them() -> None:
    script = (
        "import sys; from mfgit.cli import main; main(['--help']); "
        "print([m for m in sys.modules if m.startswith('mfgit.cli.')])"
    )
    out = subprocess.run([sys.executable, "-I", "-c", script], capture_output=True, text=True, check=True).stdout
    assert all(name in out for name in COMMANDS)
    assert out.splitlines()[-1] == "['mfgit.cli.group']"


def test_the_version_is_printed(bench: Workbench) -> None:
    assert bench.mfgit("--version").out == f"mfgit {__version__}\n"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        pytest.param(["serch", "x"], "Did you mean search?", id="a typing slip"),
        pytest.param(["frobnicate"], "mfgit --help", id="nothing near"),
        pytest.param(["search"], "QUERY", id="an argument missing"),
        pytest.param(["search", "x", "--colour"], "--colour", id="an unknown option"),
        pytest.param(["search", "x", "-n", "many"], "many", id="a number that is none"),
        pytest.param(["archive", "imprt", "x"], "Did you mean import?", id="a typing slip in a group"),
        pytest.param(["archive", "frobnicate"], "mfgit archive --help", id="nothing near in a group"),
        pytest.param(["archive", "hold", "lst"], "Did you mean list?", id="archive hold"),
        pytest.param(["archive", "session", "ad"], "Did you mean add?", id="archive session"),
        pytest.param(["serve", "tokn"], "Did you mean token?", id="serve"),
        pytest.param(["serve", "token", "revok"], "Did you mean revoke?", id="serve token"),
        pytest.param(["archive", ""], "no command ''. mfgit archive --help", id="no name"),
    ],
)
def test_wrong_use_is_exit_2_with_a_sentence_on_standard_error(bench: Workbench, words: list[str], said: str) -> None:
    ran = bench.mfgit(*words)
    assert (ran.code, ran.out) == (2, "")
    assert said in ran.err
    assert "Traceback" not in ran.err


def test_c_names_the_repository(bench: Workbench, tmp_path: object) -> None:
    ran = bench.mfgit("-C", str(bench.path), "init", "--dry-run", cwd=bench.path.parent)
    assert (ran.code, str(bench.path) in ran.out) == (0, True)


@pytest.mark.parametrize("folder", ["nowhere", "file"])
def test_c_of_something_that_is_no_folder_is_a_sentence(bench: Workbench, folder: str) -> None:
    bench.write({"file": "x"})
    ran = bench.mfgit("-C", folder, "proposals")
    assert (ran.code, folder in ran.err, "Traceback" in ran.err) == (2, True, False)


@pytest.mark.parametrize("words", WITH_JSON)
def test_outside_of_a_repository_is_a_sentence_with_the_way_out(bench: Workbench, words: list[str]) -> None:
    ran = bench.mfgit(*words, cwd=bench.path.parent)
    assert (ran.code, ran.out) == (2, "")
    assert "is not in a Git repository" in ran.err
    assert "-C" in ran.err


@pytest.mark.parametrize("words", WITH_JSON)
def test_json_is_one_document_and_nothing_else(bench: Workbench, words: list[str]) -> None:
    ran = bench.mfgit(*words, "--json")
    assert ran.code in (0, 1), ran.err
    json.loads(ran.out)


@pytest.mark.parametrize(
    "words", [["init", "--dry-run"], ["archive", "check"], ["scan", "--dry-run"], ["proposals"]], ids=" ".join
)
def test_an_error_leaves_standard_output_empty_for_json_too(bench: Workbench, words: list[str]) -> None:
    bench.write({"mfgit.toml": "targt = 'main'\n"})
    bench.commit()
    ran = bench.mfgit(*words, "--json")
    assert (ran.code, ran.out) == (2, "")
    assert "Did you mean target?" in ran.err


@pytest.mark.parametrize("words", [["proposals"], ["demo"], ["init", "--yes"], ["guard", "--staged"]], ids=" ".join)
def test_a_machine_without_git_is_a_sentence(bench: Workbench, words: list[str]) -> None:
    ran = bench.mfgit(*words, env={"PATH": str(bench.path / "empty")})
    assert (ran.code, ran.out) == (2, "")
    assert "git, which is not installed" in ran.err


@pytest.mark.parametrize(
    ("words", "code"), [(["search", "x"], 2), (["guard", "--help"], 0), (["--version"], 0), (["--help"], 0)]
)
def test_windows_itself_is_a_sentence_but_for_the_guard(words: list[str], code: int) -> None:
    begin = "import shutil, sys, click; from mfgit.__main__ import main; sys.platform = 'win32'; "
    script = f"{begin} sys.argv = ['mfgit', *{words}]; main()"
    ran = subprocess.run([sys.executable, "-I", "-c", script], capture_output=True, text=True, check=False)
    assert ran.returncode == code
    assert ran.stderr.startswith("mfgit: mfgit does not run on Windows itself" if code else "")
    assert "Traceback" not in ran.stderr


def test_a_reader_that_goes_away_is_no_traceback(bench: Workbench) -> None:
    command = f"{sys.executable} -I -m mfgit search password --json | true"
    ran = subprocess.run(["bash", "-c", command], cwd=bench.path, capture_output=True, text=True, check=False)
    assert ran.stderr == ""


def test_an_interruption_is_exit_130(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_args: object, **_options: object) -> None:
        raise click.exceptions.Abort

    monkeypatch.setattr(cli, "main", interrupted)
    assert main(["proposals"]) == 130


def test_the_end_of_a_file_that_nobody_expected_is_a_bug_and_no_interruption(monkeypatch: pytest.MonkeyPatch) -> None:
    def ended(*_args: object, **_options: object) -> None:
        raise EOFError("cut off")

    monkeypatch.setattr(cli, "invoke", ended)
    with pytest.raises(EOFError):
        main(["proposals"])


def test_a_bug_is_exit_3_with_lines_to_report(bench: Workbench) -> None:
    script = (
        "import sys; from mfgit.project import base; base.Repository.find = classmethod(lambda *a: 1 / 0); "
        "sys.argv = ['mfgit', 'proposals']; from mfgit.__main__ import main; main()"
    )
    ran = subprocess.run([sys.executable, "-I", "-c", script], cwd=bench.path, capture_output=True, text=True, check=False)
    assert ran.returncode == 3
    assert "a bug in mfgit" in ran.stderr
    assert "ZeroDivisionError" in ran.stderr


@pytest.mark.parametrize("words", [["proposals"], ["search", "password"], ["guard", "--help"], ["--help"]], ids=" ".join)
def test_a_reader_that_went_away_ends_a_command_without_a_word(bench: Workbench, words: list[str]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, "-I", "-m", "mfgit", *words]
    ran = subprocess.run(command, cwd=bench.path, stdout=writer, stderr=subprocess.PIPE, check=False)
    os.close(writer)
    assert (ran.returncode, ran.stderr) == (141, b"")
