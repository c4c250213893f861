"""The version of reading, apart from the readers so that a search on a known tree need not import them."""

READING = 6
"""Counted up when the same bytes give other passages, so that an index made before is not taken for one made now."""
