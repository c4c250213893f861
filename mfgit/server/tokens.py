"""Tokens: who may do what over HTTP. Only their hashes are kept, in the Git common directory, readable by the owner alone.

A token is 256 random bits, so one round of SHA-256 is as hard to turn back as any slow hash would be.
"""

import fcntl
import hashlib
import hmac
import json
import os
import re
import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from mfgit import durable, formats
from mfgit.errors import BadInput

ROLES = ("writer", "reader", "reviewer")
"""`writer` adds turns and ratings; `reader` searches the knowledge and sees proposals without their evidence; `reviewer`
does what a reader does, sees conversations, scans and decides."""
PREFIX = "mfgit_"
"""How every token begins, so that scanners for leaked secrets can know one."""
FILE = "tokens.json"
NAME = re.compile(r"[^\W_](?:[\w .@+-]{0,62}[\w.])?")
EMAIL = re.compile(r"[^\s<>@]+@[^\s<>@]+")


class Token(NamedTuple):
    """A token without its secret: whose it is (the Git author of decisions), its roles, when it was made.

    `extra` are fields that mfgit does not know.
    """

    name: str
    email: str
    roles: tuple[str, ...]
    created: str
    digest: str
    extra: Mapping[str, Any] = MappingProxyType({})

    def to_json(self) -> dict[str, Any]:
        """Return the token as its file has it."""
        own = self._asdict()
        del own["extra"]
        return {**own, **self.extra}

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> "Token":
        """Read an entry of the file; raises `KeyError`, `TypeError` and others for one that is none."""
        own = {name: value[name] for name in cls._fields if name != "extra"}
        own["roles"] = tuple(own["roles"])
        return cls(**own, extra={name: given for name, given in value.items() if name not in own})


class Tokens:
    """The tokens of a repository. The file is read again whenever it changes, so a revoked token is refused at once."""

    def __init__(self, common: Path) -> None:
        self.folder = common / "mfgit" / "serve"
        self.path = self.folder / FILE
        self.seen: tuple[int, int, int] | None = None
        self.kept: tuple[Token, ...] = ()

    def all(self) -> tuple[Token, ...]:
        """Return every token, in the order they were made; raises `BadInput` when the file cannot be read."""
        try:
            state = self.path.stat()
            stamp = (state.st_ino, state.st_size, state.st_mtime_ns)
            if stamp != self.seen:
                self.kept, self.seen = read(self.path), stamp
        except FileNotFoundError:
            self.kept, self.seen = (), None
        except OSError as error:
            raise BadInput(f"{self.path} cannot be read: {error.strerror}.") from None
        return self.kept

    def find(self, secret: str) -> Token | None:
        """Return the token of a secret, None when it is nobody's; takes as long for every wrong one."""
        digest = digest_of(secret)
        found = None
        for token in self.all():
            if hmac.compare_digest(token.digest, digest):
                found = token
        return found

    def add(self, name: str, roles: tuple[str, ...], email: str = "") -> str:
        """Make a token and return its secret, which is kept nowhere. Raises `BadInput` for a name that is taken or none."""
        if not NAME.fullmatch(name):
            raise BadInput(f"{name!r} cannot be the name of a token.", "Use letters, digits, blanks and . @ + - _, 64 at most.")
        if email and not EMAIL.fullmatch(email):
            raise BadInput(f"{email!r} is not an e-mail address.")
        if not roles or set(roles) - set(ROLES):
            raise BadInput("A token needs a role.", f"Roles are {', '.join(ROLES)}.")
        secret = PREFIX + secrets.token_urlsafe(32)
        slug = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-") or "reviewer"
        made = Token(name, email or f"{slug}@localhost", tuple(sorted(set(roles))), now(), digest_of(secret))
        with self.locked():
            if any(token.name.casefold() == name.casefold() for token in self.all()):
                raise BadInput(f"There is a token {name} already.", f"Revoke it first: mfgit serve token revoke {name!r}.")
            self.save((*self.all(), made))
        return secret

    def revoke(self, name: str) -> None:
        """Take a token away; raises `BadInput` when there is none of that name."""
        with self.locked():
            left = tuple(token for token in self.all() if token.name != name)
            if len(left) == len(self.all()):
                known = ", ".join(token.name for token in self.all()) or "none"
                raise BadInput(f"There is no token {name}.", f"There are: {known}.")
            self.save(left)

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Keep other processes from changing the file."""
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor = os.open(self.folder / "tokens.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            yield
        finally:
            os.close(descriptor)

    def save(self, tokens: tuple[Token, ...]) -> None:
        """Replace the file, whole or not at all."""
        known = value_of(self.path) if self.path.exists() else {}
        value = {"version": formats.TOKENS, **known, "tokens": [token.to_json() for token in tokens]}
        durable.replace(self.path, [json.dumps(value, ensure_ascii=False, indent=1).encode() + b"\n"], private=True)


def read(path: Path) -> tuple[Token, ...]:
    """Return the tokens of a file; raises `BadInput` for one that is damaged, or newer: nobody is let in then."""
    try:
        return tuple(map(Token.from_json, value_of(path)["tokens"]))
    except (ValueError, KeyError, TypeError, RecursionError):
        raise BadInput(f"{path} is damaged, so no token is known.", "Restore it, or delete it and make new tokens.") from None


def value_of(path: Path) -> dict[str, Any]:
    """Return what a file of tokens says; raises `Newer`, and `ValueError` and others for one that is damaged."""
    value: dict[str, Any] = dict(json.loads(path.read_bytes()))
    formats.refuse_newer(value.get("version"), formats.TOKENS, str(path))
    return value


def digest_of(secret: str) -> str:
    """Return what is kept of a secret."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def now() -> str:
    """Return the time, in UTC, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")
