"""`mfgit guard`: the entry of every hook, of CI, and of people. Reached before anything else is imported."""

import gc
import os
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING

from mfgit.errors import EXIT_NO, EXIT_OK, BadInput

if TYPE_CHECKING:
    from mfgit.guard.rules import Violation

USAGE = """\
Usage: mfgit guard [-C PATH] [STAGE | install] [--json]

Checks that the machine left every original alone, and that people gave a reason where they edited one.

  --staged             what is staged now (pre-commit, pre-merge-commit); the default
  --commit-msg FILE    what is staged, with its message (commit-msg)
  --range BASE..HEAD   every commit of a range, and the result as it will land (CI)
      --ref REF        the branch under review; one named mfgit/… is the machine's
      --actor NAME     who pushed it, as the server knows them (default: MFGIT_ACTOR)

  install              put the hooks that run these stages into this clone

  -C PATH              work in the repository that holds PATH
  --json               print one JSON document instead of text
  -h, --help           show this and exit

Exit codes: 0 fine, 1 refused, 2 cannot judge (which refuses too).

A person edits an original with one more option: git commit --trailer "Original-Edit: why"
"""
VALUES = ("-C", "--commit-msg", "--range", "--ref", "--actor")
FLAGS = ("--staged", "--json", "install")
STAGES = ("--staged", "--commit-msg", "--range", "install")


def main(arguments: list[str]) -> int:
    """Run `mfgit guard …`; return its exit code. Raises `MfgitError` where it cannot judge."""
    collecting = gc.isenabled()
    gc.disable()  # a hook lives for milliseconds: looking for garbage is a tenth of them
    try:
        return answer(arguments)
    finally:
        if collecting:
            gc.enable()


def answer(arguments: list[str]) -> int:
    """Do what the arguments ask for; return the exit code."""
    rest = arguments[1:]
    if "-h" in rest or "--help" in rest:
        print(USAGE, end="")
        return EXIT_OK
    given = read_arguments(rest)
    if "install" in given:
        return install(given)
    violations = run(given)
    if not violations and "--json" not in given:
        return EXIT_OK
    from mfgit.guard import report

    if "--json" in given:
        print(report.as_json(violations))
    else:
        print(report.as_text(violations), end="", file=sys.stderr)
    return EXIT_NO if violations else EXIT_OK


def read_arguments(rest: list[str]) -> dict[str, str]:
    """Return the options that are given, flags with an empty value; raises `BadInput` that names what is not known."""
    given: dict[str, str] = {}
    waiting = list(rest)
    while waiting:
        name, equals, value = waiting.pop(0).partition("=")
        if name in FLAGS and not equals:
            given[name] = ""
        elif name in VALUES and (equals or waiting):
            given[name] = value if equals else waiting.pop(0)
        else:
            wrong = f"{name} needs a value." if name in VALUES else f"mfgit guard does not know {name}."
            raise BadInput(wrong, "mfgit guard --help lists what it knows.")
    stages = [name for name in STAGES if name in given]
    if len(stages) > 1:
        raise BadInput(f"{' and '.join(stages)} cannot go together.", "Ask for one stage at a time.")
    return given


def run(given: Mapping[str, str]) -> "list[Violation]":
    """Return the violations of the stage that is asked for."""
    from mfgit.plumbing import Git

    git = Git(given.get("-C", "."))
    if "--range" in given:
        from mfgit.guard import commits

        actor = given.get("--actor", os.environ.get("MFGIT_ACTOR", ""))
        return commits.check(git, given["--range"], given.get("--ref", ""), actor)
    from mfgit.guard import staged

    return staged.check(git, read_message(given["--commit-msg"]) if "--commit-msg" in given else None)


def install(given: Mapping[str, str]) -> int:
    """Install the hooks and say what was done."""
    from mfgit.guard.install import install as put_hooks
    from mfgit.plumbing import Git

    done = put_hooks(Git(given.get("-C", ".")))
    if "--json" in given:
        import json

        print(json.dumps([hook._asdict() for hook in done], ensure_ascii=False, indent=2))
    else:
        print("".join(f"{hook.name}: {hook.what}\n" for hook in done), end="")
    return EXIT_OK


def read_message(path: str) -> bytes:
    """Return the bytes of a commit message."""
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError as error:
        raise BadInput(f"The commit message {path} cannot be read: {error.strerror}.") from None
