"""Exports of other products, read as conversations: one module a format, listed in `mfgit.importers.formats`."""
