"""`mfgit demo`: the main job on the sample repository, told with the real commands and what they print."""

import json
import shlex
import shutil
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from mfgit import sample
from mfgit.cli.common import clean
from mfgit.project import demonstration
from mfgit.project.demonstration import Ran, Shell

PERSONAL = ("@", "+44", "13800138000", "11010519", "4111", "91350100", "ghp_", "6222")
QUESTIONS = (
    "Can I mount the gateway outdoors?",
    "How do I get the box onto our wifi?",
    "停电以后传感器的历史数据会不会丢？",
    "半夜手机总是叮叮响怎么办？",
)
WINDOW = ("--since", sample.SINCE, "--until", sample.UNTIL)
ORIGINAL = "help/wireless.md"


@click.command()
@click.option(
    "--folder", type=click.Path(path_type=Path), metavar="PATH", help="Make the sample here instead of in a temporary folder."
)
def command(folder: Path | None) -> None:
    """Show the whole loop on a sample repository, in English and Chinese.

    Makes a small knowledge repository in a temporary folder and runs the real commands in it: a month of conversations is
    archived and redacted, a scan proposes what is missing, the guard refuses an edit of an original, proposals are adopted,
    and the same questions are answered before and after. The repository stays, to play with.
    """
    place = folder.absolute() if folder else Path(tempfile.mkdtemp(prefix="mfgit-demo-"))
    Story(demonstration.make(place)).tell()


class Story:
    """Runs one command after the other and shows what matters of what they print."""

    def __init__(self, shell: Shell) -> None:
        self.shell = shell

    def tell(self) -> None:
        """Run the whole demo."""
        self.set_up()
        self.archive()
        proposals = self.scan()
        self.review(proposals)
        self.guard()
        self.adopt(proposals)
        self.end(proposals)

    def set_up(self) -> None:
        """Set the sample up and commit that."""
        chapter("A knowledge repository", "Help pages in English and Chinese and a workspace's notes, as a team wrote them.")
        self.show("git", "ls-files")
        self.show("mfgit", "init", "--yes")
        self.quietly("git", "add", "--all")
        self.show("git", "commit", "--quiet", "--message", "Set up mfgit")

    def archive(self) -> None:
        """Archive the conversations; show that personal data never reached the disk."""
        chapter("1. Archive", "A month of questions and replies. Secrets and personal data go before anything is written.")
        turns = sample.turns()
        note(f"$ mfgit archive append < turns.jsonl          # {len(turns)} turns")
        done = self.shell.must("mfgit", "archive", "append", stdin=demonstration.conversations())
        lines = done.splitlines()
        said("\n".join([lines[0], f"… {len(lines) - 1} more, each acknowledged once it is on the disk"]))
        late = next(
            turn
            for turn in turns
            if turn["user_message"].startswith("Does the gateway work with Home") and not turn.get("rating")
        )
        self.show("mfgit", "archive", "rate", late["assistant_message_id"], "down", "--reason", "not answered")
        self.show("mfgit", "archive", "check")
        asked = {turn["request_id"]: turn["user_message"] for turn in turns if any(w in turn["user_message"] for w in PERSONAL)}
        kept = demonstration.stored(self.shell.folder, list(asked))
        note("What was said, and what the archive holds:")
        said("\n".join(f"{asked[key]}\n   -> {kept[key]}" for key in asked))

    def scan(self) -> list[dict[str, Any]]:
        """Scan; return the proposals."""
        chapter(
            "2. Scan",
            "Questions that repeat or disappoint become proposals. Each says why it exists and why it is of its type.",
        )
        note("The same questions, before:")
        self.ask()
        self.show("mfgit", "scan", *WINDOW)
        self.show("git", "branch", "--list", "mfgit/*")
        found: list[dict[str, Any]] = json.loads(self.shell.must("mfgit", "proposals", "--json"))
        return found

    def review(self, proposals: Sequence[dict[str, Any]]) -> None:
        """Show one proposal as a reviewer sees it."""
        chapter("3. Review", "A proposal is a branch: open a pull request from it, or look at it here.")
        self.show("mfgit", "show", chosen(proposals, "verified_answer", "en")["id"])

    def guard(self) -> None:
        """Show that an original cannot be changed by the way."""
        chapter("4. Guard", "Originals are read-only to the machine; a person's edit has to be recorded.")
        place = self.shell.folder / ORIGINAL
        before = place.read_bytes()
        place.write_bytes(before.replace(b"five seconds", b"ten seconds"))
        self.show("git", "commit", "--all", "--message", "Improve the page on wireless networks", fails=True)
        note("The machine cannot pass, whatever its message says:")
        machine = ("-c", "user.name=mfgit", "-c", "user.email=mfgit-bot@example.com")
        self.show("git", *machine, "commit", "-am", "Improve it", "--trailer", "Original-Edit: I may", fails=True)
        place.write_bytes(before)
        self.quietly("git", "reset", "--quiet")

    def adopt(self, proposals: Sequence[dict[str, Any]]) -> None:
        """Adopt what is ready, try what is not, ask again."""
        chapter(
            "5. Adopt", "A merge in the reviewer's name. A draft that nobody answered is refused: a person writes the answer."
        )
        ready = [p["id"] for p in proposals if p["action_type"] != "supplement"]
        self.show("mfgit", "adopt", chosen(proposals, "supplement", "en")["id"], fails=True)
        self.show("mfgit", "adopt", *ready)
        self.show("git", "log", "--oneline", "--first-parent", "--format=%an: %s")
        note("Outside of _forged/ only alias lists have changed:")
        self.show("git", "diff", "--stat", "HEAD^{/Set up mfgit}", "HEAD", "--", ":!*/_forged/*")
        note("The same questions, after:")
        self.ask()

    def ask(self) -> None:
        """Ask what is asked before and after."""
        for question in QUESTIONS:
            self.show("mfgit", "search", question, "-n", "1")

    def end(self, proposals: Sequence[dict[str, Any]]) -> None:
        """Say what to try next and how to take everything away."""
        one = chosen(proposals, "verified_answer", "en")["id"]
        folder = shlex.quote(str(self.shell.folder))
        chapter("Yours to try", f"The sample stays in {self.shell.folder}")
        said(
            f"{on_path()}cd {folder}\n"
            f"mfgit undo {one}            # takes an adopted answer out again, by a new commit\n"
            'mfgit context "How do I get the box onto our wifi?"   # what an assistant would be handed\n'
            "mfgit proposals\n"
            f"rm -r {folder}    # removes it all"
        )

    def show(self, *words: str, fails: bool = False) -> Ran:
        """Show a command, run it and show what it printed; a command that ends otherwise than it should is a bug."""
        note(f"$ {' '.join(quoted(word) for word in words)}")
        ran = self.shell.run(*words)
        if (ran.code != 0) is not fails:
            raise RuntimeError(f"{shlex.join(words[:4])} ended with {ran.code}: {ran.said}")
        said(ran.said)
        return ran

    def quietly(self, *words: str) -> None:
        """Run a command that has to work, without showing it."""
        self.shell.must(*words)


def chosen(proposals: Sequence[dict[str, Any]], action: str, lang: str) -> dict[str, Any]:
    """Return the first proposal of a type in a language."""
    return next(p for p in proposals if p["action_type"] == action and p["lang"] == lang)


def quoted(word: str) -> str:
    """Return a word as people would type it."""
    name, sign, value = word.partition("=")
    return f"{name}={shlex.quote(value)}" if word.startswith("--") and sign else shlex.quote(word)


def on_path() -> str:
    """Return the line that makes this mfgit the one that is found, nothing when it is already."""
    folder = Path(sys.executable).parent
    if shutil.which("mfgit") == str(folder / "mfgit"):
        return ""
    return f"export PATH={shlex.quote(str(folder))}:$PATH\n"


def chapter(title: str, sentence: str) -> None:
    """Start a part of the story."""
    click.secho(f"\n{title}", bold=True)
    click.secho("=" * len(title))
    click.echo(f"{sentence}\n")


def note(text: str) -> None:
    """Show a command or a remark."""
    click.secho(clean(text), fg="cyan")


def said(text: str) -> None:
    """Show what a command printed, indented."""
    lines = clean(text).strip("\n").splitlines()
    click.echo("".join(f"    {line}".rstrip() + "\n" for line in lines))
