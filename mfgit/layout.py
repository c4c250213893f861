"""The law of paths: knowledge roots, what lives where under them, and the names of branches and refs.

Standard library only. Paths are strings as Git prints them, from the top of the repository, with `/`; the root of a whole
repository is `"."`.
"""

from collections.abc import Iterable
from typing import NamedTuple

from mfgit.sections import RootPattern

FORGED = "_forged"
ALIASES = "index.json"
BRANCH_PREFIX = "mfgit/"
REJECTED_PREFIX = "refs/mfgit/rejected/"
FOLDER_MARKERS = (".gitignore", ".gitkeep", ".keep")
"""Files in a folder of the archive that hold nothing of it."""


class Root(NamedTuple):
    """One knowledge root of a tree: `path` (`"."` for the top), `layer`, and for a `*` what it stood for."""

    path: str
    layer: str
    workspace_id: str | None = None

    def join(self, path: str) -> str:
        """Return a path below this root as a path from the top."""
        return path if self.path == "." else f"{self.path}/{path}"

    def relative(self, path: str) -> str | None:
        """Return a path from the top as a path below this root, None when it lies elsewhere."""
        if self.path == ".":
            return path
        return path[len(self.path) + 1 :] if path.startswith(f"{self.path}/") else None


INVISIBLE = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u2065\u2800\u3164\uffa0\ufff0\ufff1\ufff2\ufff3\ufff4\ufff5\ufff6\ufff7\ufff8"
)
"""Characters that show nothing although Unicode counts them among letters, marks, symbols or the unassigned."""


def hidden(char: str) -> bool:
    """Tell whether a character is a control, bidirectional, zero-width or otherwise invisible one."""
    if char < "\x7f":
        return char < " "
    import unicodedata

    tag = 0xE0000 <= ord(char) <= 0xE0FFF  # tags and variation selectors, a known way to hide text in text
    return tag or char in INVISIBLE or unicodedata.category(char) in ("Cc", "Cf", "Cs", "Co", "Zl", "Zp")


BIDIRECTIONAL = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
"""Characters that turn the direction of text (Unicode's Bidi_Control)."""
UNCLEAN = BIDIRECTIONAL.union(map(chr, (*range(9), 11, 12, *range(14, 32), *range(127, 160))))
"""Characters that an overlay's text may not hold: all controls but tab, newline and carriage return, and the above."""
MAX_OVERLAY = 1 << 20
"""Bytes of one overlay: 1 MiB."""
MAX_NAME = 200
"""Bytes of one component of an overlay's path."""
OVERLAY_SUFFIXES = (".md", ".json")
FORBIDDEN = frozenset('\\:*?"<>|')
"""Characters that Windows refuses in a name, or reads as something else than a name."""
DEVICES = frozenset(
    ["con", "prn", "aux", "nul", "conin$", "conout$"] + [kind + digit for kind in ("com", "lpt") for digit in "0123456789¹²³"]
)
"""Names that Windows keeps for devices, with any suffix."""


def fold(text: str) -> str:
    """Return a path or name as file systems compare it that don't see case or Unicode composition."""
    if text.isascii():
        return text.lower()
    import unicodedata

    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).casefold())


def name_fault(name: str) -> str:
    """Return why an overlay's path may not have this component, nothing when it may; bytes are surrogate-escaped."""
    size = len(name.encode("utf-8", "surrogateescape"))
    stem = name.split(".", 1)[0].rstrip(" ").lower()
    if not name or size > MAX_NAME:
        return f"a part of its path has {size} bytes; 1 to {MAX_NAME} are allowed"
    if any(hidden(char) for char in name):
        return "a part of its path holds a control, bidirectional, zero-width or undecodable character"
    if not FORBIDDEN.isdisjoint(name):
        return 'a part of its path holds one of \\ : * ? " < > |'
    if name.startswith(".") or name.endswith((".", " ")):
        return "a part of its path starts with a dot, or ends with a dot or a space"
    if stem in DEVICES or stem.startswith("git~"):
        return f"{name!r} is a reserved name on Windows"
    return "" if composed(name) else "a part of its path is not in Unicode's composed form (NFC)"


def composed(name: str) -> bool:
    """Tell whether a name is in NFC."""
    if name.isascii():
        return True
    import unicodedata

    return unicodedata.is_normalized("NFC", name)


def text_fault(data: bytes) -> str:
    """Return why an overlay may not have this content, nothing when it may."""
    if len(data) > MAX_OVERLAY:
        return f"it has {len(data):,} bytes, more than {MAX_OVERLAY:,}"
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        return f"it is not UTF-8 text (byte {error.start})"
    if text.startswith("\ufeff"):
        return "it starts with a byte order mark"
    found = UNCLEAN.intersection(text) or {"\r"}.intersection(text.replace("\r\n", "\n"))
    return f"it holds the control or bidirectional character U+{ord(min(found)):04X}" if found else ""


def branch_name(identity: str) -> str:
    """Return the branch of a proposal, without `refs/heads/`."""
    return BRANCH_PREFIX + identity


def rejected_ref(identity: str) -> str:
    """Return the ref that says a proposal was rejected."""
    return REJECTED_PREFIX + identity


def aliases_path(root: Root) -> str:
    """Return where a root's `index.json` is."""
    return root.join(ALIASES)


def record_path(root: Root, identity: str) -> str:
    """Return where the record of a proposal is."""
    return root.join(f"{FORGED}/proposals/{identity}.json")


def expand(patterns: Iterable[RootPattern], paths: Iterable[str]) -> tuple[Root, ...]:
    """Return the roots that a tree has, in the order of the patterns; a `*` is every folder that a file lies under."""
    patterns = tuple(patterns)
    names = tuple(paths) if any("*" in pattern.path for pattern in patterns) else ()
    found: dict[str, Root] = {}
    for pattern in patterns:
        if "*" not in pattern.path:
            found.setdefault(pattern.path, Root(pattern.path, pattern.layer))
            continue
        parts = pattern.path.split("/")
        star = parts.index("*")
        for name in names:
            pieces = name.split("/")
            if len(pieces) > len(parts) and all(p in ("*", q) for p, q in zip(parts, pieces, strict=False)):
                path = "/".join(pieces[: len(parts)])
                found.setdefault(path, Root(path, pattern.layer, pieces[star]))
    return tuple(found.values())


def root_of(roots: Iterable[Root], path: str) -> Root | None:
    """Return the longest root that holds a path."""
    holding = [root for root in roots if root.relative(path) is not None]
    return max(holding, key=lambda root: 0 if root.path == "." else len(root.path), default=None)
