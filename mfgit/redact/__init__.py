"""Secrets and personal data out of text, before anything is written."""

from mfgit.redact.redaction import redact, redact_value, spans

__all__ = ["redact", "redact_value", "spans"]
