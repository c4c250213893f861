"""Secrets and personal data out of text, before anything is written."""

from mfgit.redact.names import either, safe_id
from mfgit.redact.redaction import Redactor, redact, redact_value, renumbered, spans, unnumbered

__all__ = ["Redactor", "either", "redact", "redact_value", "renumbered", "safe_id", "spans", "unnumbered"]
