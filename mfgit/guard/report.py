"""Says what was found: as text for people, as annotations where GitHub reads along, or as one JSON document."""

import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import TextIO

from mfgit.guard.message import TRAILER
from mfgit.guard.rules import MERGE, PATCH, ROOT, TIP, Violation
from mfgit.printing import clean_line

SHOWN = 20
"""Violations that are shown one by one; the rest is counted by rule and by folder."""
FOLDERS = 5
"""Folders that the rest is counted by."""
ANNOTATIONS = 10
"""Errors that GitHub shows of one step; it drops the rest without a word."""
LEAKS = ("archive", "secret")
"""Rules that are about what must not enter Git, whoever commits it."""
PATTERN = frozenset("*?[\\")
"""Characters by which Git takes a path for a pattern."""
NO_PATH = "''"
REASON_COMMAND = f'git commit --trailer "{TRAILER}: why"'
AMEND_COMMAND = f'git commit --amend --no-edit --trailer "{TRAILER}: why"'


def as_text(violations: Sequence[Violation], environment: Mapping[str, str] | None = None) -> str:
    """Return what people read of one violation or more, and in a GitHub workflow the annotations behind it."""
    text = plain_text(violations)
    if (os.environ if environment is None else environment).get("GITHUB_ACTIONS") != "true":
        return text
    # A path may read as a command to GitHub's runner, so it is told to take none until the word that ends this.
    word = os.urandom(16).hex()
    return f"::stop-commands::{word}\n{text}::{word}::\n" + "".join(f"{line}\n" for line in annotations(violations))


def plain_text(violations: Sequence[Violation]) -> str:
    """Return what people read: the headline, the violations with the next step of one or several, and of hundreds the sums."""
    lines = [headline(violations)]
    chosen = sample(violations, SHOWN)
    for _, group in groupby(enumerate(chosen), alike):
        together = [violation for _, violation in group]
        lines += [f"  {sentence(violation)}" for violation in together]
        lines.append(f"    {next_step(*together)}")
    if len(violations) > len(chosen):
        lines += remainder(violations, len(violations) - len(chosen))
    if any(violation.rule not in ("reason", "ref", *LEAKS) for violation in violations):
        lines.append(f"A person may edit an original, on a branch of their own, with a reason: {REASON_COMMAND}")
    return "\n".join(lines) + "\n"


def headline(violations: Sequence[Violation]) -> str:
    """Return the first line."""
    if all(violation.rule in LEAKS for violation in violations):
        return "mfgit guard: refused. Conversations and secrets stay out of Git."
    count = len({violation.path for violation in violations if violation.path})
    if not count:
        moved = any(violation.rule == "ref" for violation in violations)
        why = "Not every ref may be pushed like this." if moved else "A proposal starts at the target and merges nothing else."
        return f"mfgit guard: refused. {why}"
    files = "1 path" if count == 1 else f"{count:,} paths"
    if all(violation.rule == "reason" for violation in violations):
        return f"mfgit guard: refused. {files} people wrote changed without a reason."
    if all(violation.rule in ("reason", *LEAKS) for violation in violations):
        return f"mfgit guard: refused, {files}. Originals need a reason, and conversations stay out of Git."
    return f"mfgit guard: refused, {files}. The machine may change overlays and alias lists, nothing else."


def sample(violations: Sequence[Violation], limit: int) -> list[Violation]:
    """Return at most `limit` violations in their order, of each rule as many as there is room for."""
    if len(violations) <= limit:
        return list(violations)
    turns: dict[str, int] = {}
    places = []
    for at, violation in enumerate(violations):
        turns[violation.rule] = turns.get(violation.rule, 0) + 1
        places.append((turns[violation.rule], at))
    return [violations[at] for at in sorted(at for _, at in sorted(places)[:limit])]


def remainder(violations: Sequence[Violation], hidden: int) -> list[str]:
    """Return what is said of the violations that are not shown: how many, and the sums over all."""
    rules = ", ".join(f"{count:,} × {rule}" for rule, count in counted(violation.rule for violation in violations))
    folders = counted(violation.path.rpartition("/")[0] or "the top" for violation in violations)
    named = ", ".join(f"{count:,} in {shown(folder)}" for folder, count in folders[:FOLDERS])
    others = f", and {len(folders) - FOLDERS:,} more folders" if len(folders) > FOLDERS else ""
    commits = len({violation.commit for violation in violations if violation.commit})
    lines = [
        f"  and {hidden:,} more. All {len(violations):,} by rule: {rules}.",
        f"  By folder: {named}{others}.",
        "  The same command with --json lists them all.",
    ]
    return [*lines, f"  They are in {commits:,} commits."] if commits > 1 else lines


def sentence(violation: Violation) -> str:
    """Return what one violation is."""
    where = f" (commit {violation.commit[:12]})" if violation.commit else ""
    what = f"{shown(violation.path)} {violation.why}" if violation.path else violation.why
    return f"{what}{where} [{violation.rule}]"


def alike(numbered: tuple[int, Violation]) -> tuple[object, ...]:
    """Return what violations share that one command mends; those without a path stand alone."""
    number, violation = numbered
    return (violation.rule, violation.commit, violation.form, None if violation.path else number)


def next_step(violation: Violation, *others: Violation) -> str:
    """Return the command that comes next, for violations that are `alike`."""
    if violation.rule == "ref":
        return f"git push again, and name every branch but {shown(violation.why.partition(' ')[0])}"
    if violation.rule in ("merge", "history"):
        carry = "mfgit refresh carries the proposal onto the target"
        return carry if violation.commit or violation.rule == "history" else f"git merge --abort; {carry}"
    path = " ".join(quoted(pathspec(path)) for path in dict.fromkeys(one.path for one in (violation, *others)))
    if violation.form == PATCH:
        return "git am --abort" + (f', and give the patch the line "{TRAILER}: why"' if violation.rule == "reason" else "")
    if violation.commit:
        mend = in_commit(violation.rule, path, violation.form)
        if violation.form == TIP:
            return mend
        return f"{stop_at(violation.commit[:12], violation.form)}, then {mend} && git rebase --continue"
    return in_staging(violation.rule, path, "them" if others else "it")


def stop_at(commit: str, form: str) -> str:
    """Return the command that makes a rebase stop at a commit."""
    if form == MERGE:
        return f"git rebase -i --rebase-merges {commit}^ and add the line 'break' below that merge"
    return f"git rebase -i {'--root' if form == ROOT else f'{commit}^'} and choose edit for that commit"


def in_commit(rule: str, path: str, form: str) -> str:
    """Return the command that mends the last commit; `path` is quoted, or two quotes for none."""
    if rule == "reason":
        return AMEND_COMMAND
    if rule == "secret":
        return f"take it out of {path}, git commit -a --amend --no-edit"
    if rule == "archive":  # stays in the work tree, where it may be the only copy
        return f"{in_staging(rule, path)} && git commit --amend --no-edit --allow-empty"
    restore = f"git restore --staged --worktree --source=HEAD^ -- {path} && " if path != NO_PATH else ""
    if restore and form == ROOT:
        restore = f"git rm -q -- {path} && "
    return f"{restore}git commit --amend --no-edit --allow-empty"


def in_staging(rule: str, path: str, what: str = "it") -> str:
    """Return the command that mends what is staged; `path` is quoted, several are apart by blanks, or two quotes for none."""
    if rule == "archive":
        return f"git rm --cached -f -- {path}"
    if rule == "secret":
        return f"take it out, then git add -- {path}"
    leave = f"git restore --staged -- {path}" if path != NO_PATH else "git reset"
    return f"{REASON_COMMAND}, or leave {what} out: {leave}" if rule == "reason" else leave


def pathspec(path: str) -> str:
    """Return a path as Git's commands take it: one that would be read as a pattern says that it is none."""
    return f":(literal){path}" if path.startswith(":") or not PATTERN.isdisjoint(path) else path


def counted(words: Iterable[str]) -> list[tuple[str, int]]:
    """Return how often each word comes, most often first."""
    sums: dict[str, int] = {}
    for word in words:
        sums[word] = sums.get(word, 0) + 1
    return sorted(sums.items(), key=lambda pair: -pair[1])


def annotations(violations: Sequence[Violation]) -> list[str]:
    """Return the commands that make GitHub show violations at their files; the last one counts what there is no room for."""
    chosen = sample(violations, ANNOTATIONS if len(violations) <= ANNOTATIONS else ANNOTATIONS - 1)
    lines = [annotation(violation) for violation in chosen]
    if len(violations) > len(chosen):
        rules = ", ".join(f"{count:,} × {rule}" for rule, count in counted(violation.rule for violation in violations))
        lines.append(f"::error title=mfgit guard::{escaped(f'{len(violations):,} violations: {rules}. The log lists more.')}")
    return lines


def annotation(violation: Violation) -> str:
    """Return one command of GitHub's runner; a violation without a path belongs to no file."""
    file = f"file={escaped(shown(violation.path), value=True)}," if violation.path else ""
    title = escaped(f"mfgit guard: {violation.rule}", value=True)
    said = f"{sentence(violation)}\n{next_step(violation)}"
    return f"::error {file}title={title}::{escaped(said)}"


def escaped(text: str, *, value: bool = False) -> str:
    """Return a text as GitHub's runner takes it; with `value` as the value of a property."""
    text = text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    return text.replace(":", "%3A").replace(",", "%2C") if value else text


def shown(text: str) -> str:
    """Return a path as safe to print: what is not printable, and what is not decodable, as escapes."""
    return clean_line(text)


def quoted(path: str) -> str:
    """Return a path as a shell takes it."""
    safe = shown(path)
    if safe != path:
        escapes = "".join(
            f"\\{byte:03o}" if byte < 32 or byte > 126 or byte in b"'\\" else chr(byte)
            for byte in path.encode("utf-8", "surrogateescape")
        )
        return f"$'{escapes}'"
    plain = path.replace("/", "").replace(".", "").replace("-", "").replace("_", "").isalnum()
    return path if plain else "'" + path.replace("'", "'\\''") + "'"


def writes_all(stream: TextIO) -> bool:
    """Tell whether the encoding of a stream has every character."""
    return (stream.encoding or "").lower().replace("-", "").startswith("utf")


def as_json(violations: Sequence[Violation]) -> str:
    """Return the JSON document of `schemas/guard.schema.json`: whether it is allowed, the sums, and every violation."""
    import json

    found = [
        {"path": shown(v.path) or None, "commit": v.commit or None, "rule": v.rule, "why": shown(v.why), "next": next_step(v)}
        for v in violations
    ]
    rules = dict(counted(violation.rule for violation in violations))
    document = {"allowed": not violations, "count": len(found), "rules": rules, "violations": found}
    return json.dumps(document, ensure_ascii=not writes_all(sys.stdout), indent=2)
