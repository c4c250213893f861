"""mfgit: conversations become reviewed overlays beside read-only Markdown originals, all in Git."""

__version__ = "0.1.0"
