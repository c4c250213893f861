"""The chain: what a repository's settings add to the rules and take from them.

In order: our rules and the library's; the rules of the settings; plug-ins; then kinds that are switched off go, and what is on
the allow-list. What a private key holds is never let through by either.

The chain is the process's, so that no entry can forget it: `Repository.config` sets it, and nothing reaches an archive before
the settings that say where it is.
"""

import re
from collections.abc import Iterable
from typing import NamedTuple, Protocol

from mfgit.errors import BadInput
from mfgit.redact.bounded import MOST, ways
from mfgit.sections import AllowEntry, RedactConfig

GROUP = "mfgit.redact"
"""The group of entry points under which packages offer plug-ins."""
KIND = re.compile(r"[a-z]+(?:-[a-z]{3,})*")
"""What a mark can hold: words in small letters. A last part of one or two letters would count as a mark's number."""
Found = tuple[int, int, str]
"""Start, end and kind of something that has to go."""


class Plugin(Protocol):
    """What an entry point of the group `mfgit.redact` names: a callable."""

    def __call__(self, text: str, /) -> Iterable[Found]:
        """Return (start, end, kind) for each thing in a text that has to go; places count characters."""


class OwnRule(NamedTuple):
    """A rule of the settings; `keyword`, when it is given, stands in every text that the pattern is tried on."""

    kind: str
    pattern: re.Pattern[str]
    keyword: str


class Allowed(NamedTuple):
    """What stays: a value that the pattern fits from end to end, of one of these kinds (none: of every kind)."""

    pattern: re.Pattern[str]
    kinds: frozenset[str]


class Chain(NamedTuple):
    """What comes after the rules; `plugins` have their names."""

    rules: tuple[OwnRule, ...] = ()
    plugins: tuple[tuple[str, Plugin], ...] = ()
    disabled: frozenset[str] = frozenset()
    allowed: tuple[Allowed, ...] = ()

    def more(self, text: str) -> list[Found]:
        """Return what the settings' rules and the plug-ins find in a text; raises `BadInput` when a plug-in fails."""
        found = [
            (*match.span("value" if "value" in rule.pattern.groupindex else 0), rule.kind)
            for rule in self.rules
            if not rule.keyword or rule.keyword in text
            for match in rule.pattern.finditer(text)
        ]
        for name, plugin in self.plugins:
            found += asked(name, plugin, text)
        return [each for each in found if each[0] < each[1]]

    def lets(self, kind: str, value: str) -> bool:
        """Tell whether something stays."""
        if kind == "private-key":
            return False
        if kind in self.disabled:
            return True
        return any((not each.kinds or kind in each.kinds) and each.pattern.fullmatch(value) for each in self.allowed)


def asked(name: str, plugin: Plugin, text: str) -> list[Found]:
    """Return what a plug-in finds; raises `BadInput` when it fails, so that nothing is written that it has not seen."""
    try:
        found = [(int(start), int(end), str(kind)) for start, end, kind in plugin(text)]
    except Exception as error:
        raise BadInput(
            f"The redaction plug-in {name} failed ({type(error).__name__}); nothing was written.",
            f"Mend it, or take {name} out of redact.plugins in mfgit.toml.",
        ) from None
    for start, end, kind in found:
        if not (0 <= start <= end <= len(text) and KIND.fullmatch(kind)):
            raise BadInput(
                f"The redaction plug-in {name} gave a place outside the text or a kind that is no word; nothing was written.",
                "It has to return (start, end, kind) with a kind of small letters and hyphens.",
            )
    return found


def built(settings: RedactConfig) -> Chain:
    """Return the chain of settings; raises `BadInput` for a pattern or a plug-in that cannot be used."""
    return Chain(
        tuple(
            OwnRule(kind_of(each.kind, f"rules[{number}]"), compiled(each.pattern, f"rules[{number}].pattern"), each.keyword)
            for number, each in enumerate(settings.rules, 1)
        ),
        tuple((name, loaded(name)) for name in settings.plugins),
        frozenset(settings.disable),
        tuple(allowed(each, f"allow[{number}]") for number, each in enumerate(settings.allow, 1)),
    )


def allowed(entry: AllowEntry, where: str) -> Allowed:
    """Return an entry of the allow-list."""
    if bool(entry.value) == bool(entry.pattern):
        raise BadInput(
            f"redact.{where} needs either a value or a pattern.", 'Write {value = "400-800-1234", kinds = ["phone"]}.'
        )
    pattern = re.compile(re.escape(entry.value)) if entry.value else compiled(entry.pattern, f"{where}.pattern")
    return Allowed(pattern, frozenset(entry.kinds))


def kind_of(kind: str, where: str) -> str:
    """Return a kind that a mark can hold."""
    if not KIND.fullmatch(kind):
        raise BadInput(f"redact.{where}.kind is {kind!r}.", 'Write small letters and hyphens, like "customer-number".')
    return kind


def compiled(pattern: str, where: str) -> re.Pattern[str]:
    """Return a pattern of the settings; raises `BadInput` for one that is broken, matches nothing or may run away."""
    try:
        made = re.compile(pattern)
        tried = ways(pattern)
    except (re.error, ValueError, OverflowError, RecursionError) as error:
        raise BadInput(f"redact.{where} cannot be used: it {said(error)}.", "Correct the pattern in mfgit.toml.") from None
    if tried > MOST:
        raise BadInput(
            f"redact.{where} cannot be used: it can match in more than {MOST:,} ways at one place.",
            "Repeat less, or fewer parts, so that no text can make it take for ever.",
        )
    if made.match(""):
        raise BadInput(f"redact.{where} cannot be used: it matches nothing at all.", "Ask for one character at least.")
    return made


def said(error: Exception) -> str:
    """Return what is wrong with a pattern, as the end of a sentence."""
    return f"is no regular expression ({error})" if isinstance(error, re.error) else str(error)


def loaded(name: str) -> Plugin:
    """Return the plug-in that an installed package offers under a name; raises `BadInput`."""
    from importlib.metadata import entry_points

    found = [each for each in entry_points(group=GROUP) if each.name == name]
    if len(found) != 1:
        there = "no package offers it" if not found else f"{len(found)} packages offer it"
        raise BadInput(
            f"The redaction plug-in {name} cannot be loaded: {there}.", f"Install one with an entry point of {GROUP}."
        )
    try:
        plugin = found[0].load()
    except Exception as error:
        raise BadInput(f"The redaction plug-in {name} cannot be loaded: {type(error).__name__}.", "Mend the package.") from None
    if not callable(plugin):
        raise BadInput(f"The redaction plug-in {name} is no callable.", "Its entry point has to name one.")
    made: Plugin = plugin
    return made


CURRENT: list[tuple[RedactConfig, Chain | None]] = [(RedactConfig(), None)]
"""The settings in use and what they make; None where they say nothing."""


def use(settings: RedactConfig) -> None:
    """Redact by these settings from now on; raises `BadInput` for ones that cannot be used."""
    if CURRENT[0][0] != settings:
        CURRENT[0] = (settings, built(settings) if settings != RedactConfig() else None)


def current() -> Chain | None:
    """Return the chain in use, None where the settings say nothing."""
    return CURRENT[0][1]
