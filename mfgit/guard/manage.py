"""What people run: install, uninstall, status and test, as text or as JSON."""

import sys
from collections.abc import Mapping, Sequence

from mfgit.errors import EXIT_NO, EXIT_OK
from mfgit.guard import attack, install, status
from mfgit.guard.status import MISSING, UNKNOWN
from mfgit.plumbing import Git

SIGNS = {status.THERE: "yes", MISSING: "no", UNKNOWN: "?"}


def main(name: str, options: Mapping[str, str]) -> int:
    """Run one of the commands; return its exit code."""
    return COMMANDS[name](Git(options.get("-C", ".")), options)


def put_in(git: Git, options: Mapping[str, str]) -> int:
    """Install the hooks and say what was done."""
    done = install.install_server(git) if "--server" in options else install.install(git)
    say([one._asdict() for one in done], [f"{one.name}: {one.what}" for one in done], options)
    return EXIT_OK


def take_out(git: Git, options: Mapping[str, str]) -> int:
    """Take the hooks out and say what was done."""
    done = install.uninstall(git)
    lines = [f"{one.name}: {one.what}" for one in done] or ["No hook of mfgit is here."]
    say([one._asdict() for one in done], lines, options)
    return EXIT_OK


def show(git: Git, options: Mapping[str, str]) -> int:
    """Say which gates are there; 1 when one is missing that could be."""
    found = status.gates(git)
    lines = [f"{SIGNS[gate.state]:4}{gate.name:23}{gate.what}" for gate in found]
    say([gate._asdict() for gate in found], lines, options)
    return EXIT_NO if any(gate.state == MISSING for gate in found) else EXIT_OK


def attempt(git: Git, options: Mapping[str, str]) -> int:
    """Attack a copy and say what each gate did; 1 when one did not do what it is for."""
    tried = attack.run(git)
    lines = [f"{'ok' if one.good else 'BAD':4}{one.gate:23}{one.what}: {one.did}" for one in tried]
    say([one._asdict() for one in tried], lines, options)
    return EXIT_OK if all(one.good for one in tried) else EXIT_NO


def say(values: Sequence[Mapping[str, object]], lines: Sequence[str], options: Mapping[str, str]) -> None:
    """Print what was done as JSON or as lines."""
    if "--json" in options:
        import json

        text = json.dumps(values, ensure_ascii=False, indent=2) + "\n"
    else:
        from mfgit.guard.report import shown

        text = "".join(f"{shown(line)}\n" for line in lines)
    sys.stdout.write(text)


COMMANDS = {"install": put_in, "uninstall": take_out, "status": show, "test": attempt}
