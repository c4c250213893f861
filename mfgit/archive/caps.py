"""How long what is said about a session may be. What is left out is said; a message is never cut.

A cap is applied to redacted text, since half a secret is no secret that a rule finds, and applying it again changes nothing.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from mfgit.text.tokens import language


class Cap(NamedTuple):
    """The most characters of a text, and how many of a list."""

    length: int
    items: int = 1


CAPS = {
    "title": Cap(300),
    "source": Cap(200),
    "channel": Cap(200),
    "topic": Cap(300),
    "summary": Cap(4000),
    "participants": Cap(200, 10_000),
    "topics": Cap(300, 50),
    "keywords": Cap(100, 100),
    "decisions": Cap(2000, 200),
    "lessons": Cap(2000, 200),
    "feedback": Cap(2000, 200),
}
"""Field -> its cap. Participants are many, since a person is forgotten by them."""
MORE_TEXT = {"en": "… [{:,} more characters]", "zh": "…［另有 {:,} 字未收］"}
MORE_ITEMS = {"en": "… [{:,} more]", "zh": "…［另有 {:,} 项未收］"}
NOTE = {"decisions": "text", "lessons": "text", "feedback": "user"}
"""The text of an entry that is an object."""


def capped(name: str, value: Any) -> Any:
    """Return the value of a field within its cap; of a field that has none, and of another shape, as it is."""
    if name not in CAPS:
        return value
    if isinstance(value, str):
        return capped_text(name, value)
    return capped_list(name, value) if isinstance(value, list) else value


def capped_text(name: str, text: str) -> str:
    """Return a text within its cap, with how many characters are missing."""
    length = CAPS[name].length
    if len(text) <= length:
        return text
    mark = MORE_TEXT[language(text[:length])]
    kept = text[: length - len(mark.format(len(text)))]
    if kept.rfind("[redacted:") > kept.rfind("]"):
        kept = kept[: kept.rfind("[redacted:")]
    return kept + mark.format(len(text) - len(kept))


def capped_list(name: str, values: Sequence[Any]) -> list[Any]:
    """Return a list within its cap, each of its texts too; the last entry then says how many are missing."""
    count = CAPS[name].items
    kept = [capped_item(name, each) for each in values[:count]]
    if len(values) <= count:
        return kept
    text = str(kept[0].get(NOTE.get(name, ""), "") if isinstance(kept[0], Mapping) else kept[0])
    mark = MORE_ITEMS[language(text)].format(len(values) - count + 1)
    return [*kept[:-1], {NOTE[name]: mark} if name in NOTE else mark]


def capped_item(name: str, value: Any) -> Any:
    """Return an entry of a list with its texts within the cap."""
    if isinstance(value, str):
        return capped_text(name, value)
    if isinstance(value, Mapping):
        return {key: capped_text(name, given) if isinstance(given, str) else given for key, given in value.items()}
    return value
