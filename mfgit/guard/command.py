"""`mfgit guard`: the entry of every hook, of CI, and of people. Reached before anything else is imported."""

import gc
import os
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from mfgit.errors import EXIT_NO, EXIT_OK, BadInput

if TYPE_CHECKING:
    from mfgit.guard.rules import Violation
    from mfgit.plumbing import Git

USAGE = """\
Usage: mfgit guard [-C PATH] [STAGE | install | uninstall | status | test] [--json]

Checks that the machine left every original alone, and that people gave a reason where they edited one.

  --staged             what is staged now (pre-commit, pre-merge-commit); the default
  --commit-msg FILE    what is staged, with its message (commit-msg)
  --range BASE..HEAD   every commit of a range, and the result as it will land (CI)
      --ref REF        the branch under review; one named mfgit/… is the machine's
      --actor NAME     who pushed it, as the server knows them (default: MFGIT_ACTOR)
  --pre-receive        what a server takes in; OLD NEW REF lines on standard input (pre-receive),
                       or behind it REF OLD NEW (update); MFGIT_ACTOR says who pushes
  --ref-update STATE   what branches of this clone move to (reference-transaction)
  --pre-push REMOTE    what is about to be pushed (pre-push)

  install              put the hooks that run these stages into this clone
      --server         into a bare repository that people push to
  uninstall            take them out again; a hook that was there before comes back
  status               which gates this clone has, and which it cannot know of; exit 1 when one is missing
  test                 attack a throwaway copy, and show that each gate refuses and lets good work pass

  -C PATH              work in the repository that holds PATH
  --json               print one JSON document instead of text
  -h, --help           show this and exit

Exit codes: 0 fine, 1 refused, 2 cannot judge (which refuses too).

A person edits an original with one more option: git commit --trailer "Original-Edit: why"
"""
HELP = ("--help", "-h")
VALUES = ("-C", "--commit-msg", "--range", "--ref", "--actor", "--ref-update")
COMMANDS = ("install", "uninstall", "status", "test")
FLAGS = ("--staged", "--pre-receive", "--pre-push", "--server", "--json", *COMMANDS)
STAGES = ("--staged", "--commit-msg", "--range", "--pre-receive", "--ref-update", "--pre-push", *COMMANDS)
WORDS = {"--pre-receive": (0, 3), "--pre-push": (0, 1, 2)}
"""Stages that take words behind them, and how many: Git hands them to its hooks."""


class Given(NamedTuple):
    """What the command line says: options with their values (flags with an empty one), and further words."""

    options: Mapping[str, str]
    words: tuple[str, ...]


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
    given = read_arguments(arguments[1:])
    if HELP[0] in given.options:
        print(USAGE, end="")
        return EXIT_OK
    for name in COMMANDS:
        if name in given.options:
            from mfgit.guard import manage

            return manage.main(name, given.options)
    violations = run(given)
    if not violations and "--json" not in given.options:
        return EXIT_OK
    from mfgit.guard import report

    if "--json" in given.options:
        print(report.as_json(violations))
    else:
        print(report.as_text(violations), end="", file=sys.stderr)
    return EXIT_NO if violations else EXIT_OK


def read_arguments(rest: list[str]) -> Given:
    """Return what is given; raises `BadInput` that names what is not known.

    Help counts where an option may stand, never as the value of one: a branch may have that name.
    """
    options: dict[str, str] = {}
    words: list[str] = []
    waiting = list(rest)
    while waiting:
        first = waiting.pop(0)
        name, equals, value = first.partition("=")
        if first in HELP:
            return Given({HELP[0]: ""}, ())
        if name in FLAGS and not equals:
            options[name] = ""
        elif name in VALUES and (equals or waiting):
            options[name] = value if equals else waiting.pop(0)
        elif not first.startswith("-") and WORDS.keys() & options.keys():
            words.append(first)
        else:
            wrong = f"{name} needs a value." if name in VALUES else f"mfgit guard does not know {name}."
            raise BadInput(wrong, "mfgit guard --help lists what it knows.")
    check_together(options, words)
    return Given(options, tuple(words))


def check_together(options: Mapping[str, str], words: list[str]) -> None:
    """Raise `BadInput` for what does not go together."""
    stages = [name for name in STAGES if name in options]
    if len(stages) > 1:
        raise BadInput(f"{' and '.join(stages)} cannot go together.", "Ask for one stage at a time.")
    if "--server" in options and "install" not in options:
        raise BadInput("--server goes with install only.", "mfgit guard install --server")
    if stages and len(words) not in WORDS.get(stages[0], (0,)):
        raise BadInput(f"{stages[0]} does not take {len(words)} words.", "mfgit guard --help lists what it takes.")


def run(given: Given) -> "list[Violation]":
    """Return the violations of the stage that is asked for."""
    from mfgit.plumbing import Git

    options = given.options
    git = Git(options.get("-C", "."))
    if "--range" in options:
        from mfgit.guard import commits

        actor = options.get("--actor", os.environ.get("MFGIT_ACTOR", ""))
        return commits.check(git, options["--range"], options.get("--ref", ""), actor)
    if "--pre-receive" in options or "--pre-push" in options:
        return run_push(git, given)
    if "--ref-update" in options:
        from mfgit.guard import moved, moves

        told = moves.read(sys.stdin.buffer.read())
        return moved.check(git, options["--ref-update"], told, options.get("--actor", os.environ.get("MFGIT_ACTOR", "")))
    from mfgit.guard import staged

    return staged.check(git, read_message(options["--commit-msg"]) if "--commit-msg" in options else None)


def run_push(git: "Git", given: Given) -> "list[Violation]":
    """Return the violations of a push, on the server or before it leaves."""
    from mfgit.guard import moves, pushed

    actor = given.options.get("--actor") or pushed.actor_in(os.environ)
    if "--pre-push" in given.options:
        remote = given.words[0] if given.words else "origin"
        return pushed.send(git, moves.read_push(sys.stdin.buffer.read()), remote, actor)
    told = [moves.move(*given.words)] if given.words else moves.read(sys.stdin.buffer.read())
    return pushed.receive(git, told, actor)


def read_message(path: str) -> bytes:
    """Return the bytes of a commit message."""
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError as error:
        raise BadInput(f"The commit message {path} cannot be read: {error.strerror}.") from None
