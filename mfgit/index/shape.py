"""What an index is made of: its fields, how much each counts, and what it takes of one document. Apart from Whoosh."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from mfgit.index.stored import BOOSTS, stored
from mfgit.passages import Passage


class Row(NamedTuple):
    """One document as the index takes it.

    `terms` by field; `kept` is shown with a hit and read for hits only; `numbers` are kept in memory for every document of
    a view, for filters and orders; a folded `label` is found by any part of it.
    """

    terms: Mapping[str, Sequence[str]]
    kept: tuple[Any, ...]
    numbers: tuple[int, ...] = ()
    label: str = ""


class Shape(NamedTuple):
    """A kind of index: `boosts` are the fields that are ranked, the first holding everything; `exact` are looked up only.

    `numbers` says how many a row has, `views` how many views are kept. Documents beyond `waste` times those of the view at
    hand (and `floor` more) are no longer asked for by anybody: the index is built anew. `stock` keeps what Whoosh's own search
    needs; without it a view's documents are in the order in which they were indexed, and rows may keep nothing.
    """

    row: Callable[[Any], Row]
    boosts: Mapping[str, float]
    exact: tuple[str, ...] = ()
    numbers: int = 0
    views: int = 40
    waste: float = 4
    floor: int = 20_000
    stock: bool = True


def passage_row(passage: Passage) -> Row:
    """Return what the index takes of a passage."""
    from mfgit.index import fields

    return Row(fields.field_terms(passage), stored(passage))


PASSAGES = Shape(passage_row, BOOSTS)
"""The index of knowledge."""
