"""The patterns of services' keys that the library `detect-secrets` keeps up, as rules of ours.

Its plugins are data for us: class attributes `secret_type` and `denylist`. Its scanner is not used, nor are its plugins for
passwords, entropy, addresses and private keys, which our own rules cover with fewer false alarms on prose. Importing it takes
120 ms, so it is done only for a text that holds something like a key.
"""

import functools
import importlib
import pkgutil
import re
from collections.abc import Iterator
from typing import Any

from mfgit.redact.rules import Rule, anything

OURS = frozenset(("base", "basic_auth", "high_entropy_strings", "ip_public", "jwt", "keyword", "npm", "openai", "private_key"))
"""Plugins that our own rules stand for; the patterns of three of them take quadratic time on hostile text."""


HINTS = {
    "artifactory": ("akc", "ap"),
    "aws": ("aws", "akia", "asia", "abia", "acca", "a3t"),
    "azure_storage_key": ("accountkey",),
    "cloudant": ("cl",),
    "discord": (".",),
    "github_token": ("gh",),
    "gitlab_token": ("gl", "gr1348941"),
    "ibm_cloud_iam": ("ibm", "cloud"),
    "ibm_cos_hmac": ("cos", "secret", "access"),
    "mailchimp": ("-us",),
    "pypi_token": ("pypi-",),
    "sendgrid": ("sg.",),
    "slack": ("xox", "hooks.slack"),
    "softlayer": ("sl", "softlayer"),
    "square_oauth": ("sq0",),
    "stripe": ("k_live_",),
    "telegram_token": (":",),
    "twilio": ("ac", "sk"),
}
"""Plugin -> what its matches hold in small letters, one of them; a plugin that is not here is always tried."""


def rules(small: str, rank: int = 0) -> tuple[tuple[int, Rule], ...]:
    """Return the rules that can match a text, given in small letters, each with its rank, the first having `rank`."""
    held = frozenset(hint for hint in every_hint() if hint in small)
    return chosen(held, rank)


@functools.lru_cache(maxsize=1024)
def chosen(held: frozenset[str], rank: int) -> tuple[tuple[int, Rule], ...]:
    """Return the rules that can match a text which holds these hints."""
    return tuple((number, rule) for number, (hints, rule) in enumerate(table(), rank) if not hints or held.intersection(hints))


@functools.cache
def every_hint() -> tuple[str, ...]:
    """Return the hints of all rules, each once."""
    return tuple(dict.fromkeys(hint for hints, _ in table() for hint in hints))


@functools.cache
def table() -> tuple[tuple[tuple[str, ...], Rule], ...]:
    """Return a rule for each pattern of the library, with its hints."""
    return tuple(found())


def found() -> Iterator[tuple[tuple[str, ...], Rule]]:
    """Yield the rules of each plugin that is a list of patterns."""
    folder = importlib.import_module("detect_secrets.plugins")
    for name in sorted(module.name for module in pkgutil.iter_modules(folder.__path__)):
        if name not in OURS:
            for plugin in plugins(f"detect_secrets.plugins.{name}"):
                for pattern in plugin.denylist:
                    yield HINTS.get(name, ()), Rule(kind_of(plugin.secret_type), "mixed", pattern, anything, folded=False)


def plugins(module: str) -> Iterator[Any]:
    """Yield the classes of a module that have a list of patterns."""
    for value in vars(importlib.import_module(module)).values():
        if getattr(value, "__module__", "") == module and hasattr(value, "denylist"):
            yield value


def kind_of(name: str) -> str:
    """Return a name like "GitHub Token" as a kind like `github-token`."""
    return "-".join(re.findall(r"[a-z]+", name.lower()))
