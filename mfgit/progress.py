"""How long work tells what it is at. Apart from `model`, since every command imports it."""

from collections.abc import Callable

Progress = Callable[[str, int, int], None]
"""Called as `progress(what, done, of)` during long work; `of` is 0 when nobody knows."""


def quiet(what: str, done: int, of: int) -> None:
    """Report progress to nobody."""
