"""The guard against bytes nobody would write: it never crashes, and lets nothing pass that a slow second opinion refuses.

FUZZ_EXAMPLES says how many examples are tried, a thousand unless told; each has a number that it is made from.
"""

import os
import random
import re
import unicodedata
from collections.abc import Callable, Sequence

import pytest

from mfgit import layout
from mfgit.guard import changes, rules
from mfgit.guard.changes import ABSENT, Change, Diff
from mfgit.guard.rules import HUMAN, MACHINE, Contents, Step
from mfgit.plumbing import GitFailedError
from tests.test_guard_rules import BASE_BYTES, POLICY, slow_allows, slow_may_add, verdict

EXAMPLES = int(os.environ.get("FUZZ_EXAMPLES", "1000"))
ZERO, OLD, NEW, TREE = "0" * 40, "1" * 40, "2" * 40, "3" * 40


def mutated(data: bytes, pieces: Sequence[bytes], chance: random.Random) -> bytes:
    """Return some bytes with up to four spans replaced, doubled, cut or flipped."""
    for _ in range(chance.randint(1, 4)):
        at, size = chance.randint(0, len(data)), chance.choice((0, 1, 2, 5, 20))
        span = data[at : at + size]
        data = (
            data[:at]
            + chance.choice((b"", span + span, span[::-1], chance.choice(pieces), chance.randbytes(2)))
            + data[at + size :]
        )
    return data


# ---- raw diff records

PARTS = [
    "help",
    "HELP",
    "team",
    "ws",
    "w1",
    "knowledge",
    "知识库",
    "_forged",
    "_Forged",
    "_forged ",
    "x",
    "a.md",
    "a.MD",
    "b.json",
]
ODD = [
    "",
    ".",
    "..",
    ".git",
    "index.json",
    "Index.JSON",
    "mfgit.toml",
    ".gitattributes",
    ".GitModules",
    "con.md",
    "e\u0301.md",
    "a\u200b.md",
]
BYTES = [b"\xff", b"\n", b"\t", b"\\", b" ", b":", b".md", b"/", b"_forged/", b"\xc5\xbf", b"\xef\xbb\xbf"]
MODES = [ABSENT, "100644", "100755", "120000", "160000", "100664"]
FORGED_BELOW = re.compile(r"(?:help|help/team|ws/[^/]+/knowledge|知识库)/_forged/.+", re.DOTALL)


def random_change(chance: random.Random) -> Change:
    """Return one change that a raw diff could tell of."""
    path = "/".join(chance.choices(PARTS + ODD, k=chance.randint(1, 5))).encode()
    if chance.random() < 0.3:
        path = mutated(path, BYTES, chance).replace(b"\0", b"")
    old_mode, new_mode = chance.choice(MODES), chance.choice(MODES)
    ids = (ZERO if old_mode == ABSENT else OLD, ZERO if new_mode == ABSENT else NEW)
    return Change((path or b"x").decode("utf-8", "surrogateescape"), old_mode, new_mode, *ids)


def raw(found: Sequence[Change]) -> bytes:
    """Return what `git diff-tree --raw -z` says of some changes."""
    told = (f":{c.old_mode} {c.new_mode} {c.old} {c.new} M\0{c.path}\0" for c in found)
    return "".join(told).encode("utf-8", "surrogateescape")


def examine_records(chance: random.Random) -> None:
    found = tuple(random_change(chance) for _ in range(chance.randint(1, 3)))
    out = f"{OLD} {TREE}\n".encode() + raw(found)
    assert changes.read_answer(out, [(OLD, TREE)], headers=True)[OLD, TREE].changes == found
    try:
        read = changes.read_answer(mutated(out, [*BYTES, b":", b"\0", b"100644 "], chance), [(OLD, TREE)], headers=True)
    except GitFailedError:
        read = {(OLD, TREE): Diff(found, {"": TREE})}
    for change in (*found, *read[OLD, TREE].changes):
        contents = Contents({change.new: 2}, {change.new: b"x\n"}, dict.fromkeys([TREE]), lambda *_: True)
        step = Step(Diff((change,), {}), TREE, MACHINE)
        if not rules.judge(step, POLICY, contents):
            assert slow_machine_may(change), change
        if not rules.judge(step._replace(lane=HUMAN), POLICY, contents):
            assert not slow_needs_reason(change), change


def slow_machine_may(change: Change) -> bool:
    """Tell whether the machine may make a change: an overlay that is a plain file, or one that goes."""
    if change.new_mode == ABSENT:
        return bool(FORGED_BELOW.fullmatch(change.path))
    return change.new_mode == "100644" and slow_may_add(change.path)


def slow_needs_reason(change: Change) -> bool:
    """Tell whether a person surely needs a reason: only what is plain to see, without regard to case."""
    path = unicodedata.normalize("NFC", change.path).lower()
    if path == "mfgit.toml" or path.rsplit("/", 1)[-1] in (".gitattributes", ".gitmodules"):
        return True
    inside = re.match(r"(?:help|ws/[^/]+/knowledge|知识库)/(.+)", path, re.DOTALL)
    if not inside or FORGED_BELOW.fullmatch(change.path):
        return bool(inside) and "160000" in (change.old_mode, change.new_mode)
    return path.endswith((".md", ".markdown", ".mdx", ".mdown", ".mkd")) or inside[1] == "_forged"


# ---- index.json

BASES = [BASE_BYTES, BASE_BYTES.replace(b"  ", b""), BASE_BYTES.replace(b"\n", b"\r\n"), b'{"docs": []}', b"[]", b""]
TOKENS = [
    b'"aliases": [', b"]", b"}", b"{", b",", b'"one"', b'"two"', b'"\\u0078"', b'"\\ud800"', b"1.0", b"true", b"NaN", b'""',
    b'"path"',
    b"\xef\xbb\xbf", b"\xff", b"\r\n", b'"docs": [', b'"aliases": [],', b'"x", "y"', b'"' + b"x" * 201 + b'"', b"[" * 50,
    b"1e999",
]  # fmt: skip


def examine_aliases(chance: random.Random) -> None:
    data = mutated(BASE_BYTES if chance.random() < 0.9 else chance.choice(BASES), TOKENS, chance)
    if verdict(data):
        assert slow_allows(data), data


# ---- overlays

TEXTS = ["---\ntitle: x\n---\n\n# 抬头 e\u0301\n".encode(), b"\r\n\t a\r\n", "a\u200bb\U0001f600\n".encode(), b"", b"{}\n"]
SIGNS = [
    b"\0",
    b"\r",
    b"\r\n",
    b"\x1b[2J",
    b"\x7f",
    b"\xc2\x85",
    b"\xef\xbb\xbf",
    b"\xff",
    b"\xed\xa0\x80",
    b"\x0b",
    b"\t",
    b"\n",
]
TURNS = [char.encode() for char in "\u061c\u200e\u202e\u2066\u2069"]


def examine_overlay(chance: random.Random) -> None:
    data = mutated(chance.choice(TEXTS), SIGNS + TURNS, chance)
    assert (layout.text_fault(data) == "") == slow_clean(data), data


def slow_clean(data: bytes) -> bool:
    """Tell whether bytes are clean text, one character at a time."""
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return False
    for at, char in enumerate(text):
        bidirectional = char.encode() in TURNS or char in "\u200f\u202a\u202b\u202c\u202d\u2067\u2068"
        lone = char == "\r" and text[at + 1 : at + 2] != "\n"
        if lone or bidirectional or (unicodedata.category(char) == "Cc" and char not in "\t\n\r"):
            return False
    return not text.startswith("\ufeff")


@pytest.mark.parametrize("examine", [examine_records, examine_aliases, examine_overlay])
def test_nothing_crashes_and_nothing_bad_passes(examine: Callable[[random.Random], None]) -> None:
    for number in range(EXAMPLES):
        try:
            examine(random.Random(number))  # its numbers are no secrets
        except Exception as error:
            error.add_note(f"example {number}")
            raise
