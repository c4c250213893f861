"""Secrets and personal data out of text, before anything is written."""

from mfgit.redact.redaction import Redactor, redact, redact_value, renumbered, spans, unnumbered

__all__ = ["Redactor", "redact", "redact_value", "renumbered", "spans", "unnumbered"]
