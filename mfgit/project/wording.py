"""Better wording for the proposals of a scan, once: what a model made of a text is kept in the record.

A rescan that makes the same text by the rules finds it there and asks nobody, so the same input gives the same bytes, with the
model on or off, here or in another clone. Only a text that the rules have changed is worded again.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from mfgit.backends import open_polisher
from mfgit.backends.protocols import Draft, Polisher
from mfgit.model import Known, Progress, Record
from mfgit.project.base import Repository
from mfgit.redact import redact
from mfgit.scan.values import Cluster, Proposal

FIELD = "polish"
"""The record's field: `rules` is a hash of the rules' text, `model` who worded it."""
SOURCES = 5
"""Good answers that a wording may draw on."""
PATIENCE = 2
"""Failures one after the other before a scan asks no more."""


def worded(
    repository: Repository, proposals: Sequence[Proposal], known: Sequence[Known], *, ask: bool, progress: Progress
) -> tuple[tuple[Proposal, ...], list[str]]:
    """Return the proposals in the wording to propose them in, and what is to be reported.

    Kept wording is always used; the model is asked for new texts only where `ask`. Raises `BadInput` for settings that
    cannot be used.
    """
    there = {one.id: one for one in known}
    writer = Writer(open_polisher(repository.config.llm, repository.environment), ask=ask)
    found = []
    for number, proposal in enumerate(proposals):
        progress("Wording", number, len(proposals))
        found.append(writer.proposal(proposal, there.get(proposal.record.id)) if proposal.writes else proposal)
    return tuple(found), writer.problems()


class Writer:
    """Words records, and remembers what went wrong."""

    def __init__(self, polisher: Polisher, *, ask: bool) -> None:
        self.polisher = polisher
        self.ask = ask and bool(polisher.name)
        self.failures = 0
        self.left = 0
        self.reason = ""

    def proposal(self, proposal: Proposal, known: Known | None) -> Proposal:
        """Return a proposal in its wording; whether it changes something is seen by the worded record."""
        record = self.record(proposal.record, known, proposal.cluster)
        status = proposal.status
        if known is not None and status in ("updated", "unchanged") and record != proposal.record:
            status = "unchanged" if record == known.record else "updated"
        return replace(proposal, record=record, status=status)

    def record(self, record: Record, known: Known | None, cluster: Cluster) -> Record:
        """Return a record in its wording: the kept one, a new one, or the rules'."""
        plain = replace(record, extra={key: value for key, value in record.extra.items() if key != FIELD})
        digest = of_rules(plain)
        kept: Any = known.record.extra.get(FIELD) if known else None
        if known and isinstance(kept, dict) and kept.get("rules") == digest:
            return with_wording(plain, known.record.title, known.record.suggestion, kept)
        if record.action_type == "index" or not self.ask:
            return plain
        if self.failures >= PATIENCE:
            self.left += 1
            return plain
        return self.asked(plain, digest, cluster)

    def asked(self, record: Record, digest: str, cluster: Cluster) -> Record:
        """Return a record as the model words it; the rules' wording, to be asked for again, when it cannot be asked."""
        found = self.polisher.polish(Draft(record.lang, record.title, record.suggestion, sources(cluster)))
        if not found.settled:
            self.failures += 1
            self.left += 1
            self.reason = found.note
            return record
        self.failures = 0
        title, text = redact(found.title), redact(found.text)
        return with_wording(record, title or record.title, text, {"rules": digest, "model": self.polisher.name})

    def problems(self) -> list[str]:
        """Return what a scan reports: that texts keep the rules' wording for now, and why."""
        if not self.left:
            return []
        texts = "1 text keeps" if self.left == 1 else f"{self.left} texts keep"
        return [f"llm: {self.reason}; {texts} the rules' wording until the next scan"]


def with_wording(record: Record, title: str, text: str, mark: Any) -> Record:
    """Return a record in a wording that is not the rules', with the mark that says so."""
    return replace(record, title=title, suggestion=text, extra={**record.extra, FIELD: mark})


def of_rules(record: Record) -> str:
    """Return a hash of the language and text that the rules made.

    The title is not in it: the rules take the most frequent wording of the day, and a title worded once may stay.
    """
    made = f"{record.lang}\0{record.suggestion}"
    return hashlib.blake2b(made.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def sources(cluster: Cluster) -> tuple[str, ...]:
    """Return the answers that users were happy with, redacted, the newest first, each once."""
    good = (turn.assistant_message for turn in reversed(cluster.turns) if turn.satisfied and turn.assistant_message)
    return tuple(redact(text) for text in tuple(dict.fromkeys(good))[:SOURCES])
