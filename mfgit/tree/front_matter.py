"""Front matter: the YAML (or TOML) block that may open a Markdown file."""

from collections.abc import Mapping
from typing import Any, NamedTuple

LONGEST = 400
"""Lines: a block that is not closed by then is taken for text that starts with a rule."""


class FrontMatter(NamedTuple):
    """What the block says (`values`), the first line after it (from 0), and what is wrong with it, if anything."""

    values: Mapping[str, Any]
    after: int
    problem: str = ""

    def text(self, *names: str) -> str:
        """Return the first of the named values that is a text or a number, else an empty string."""
        for name in names:
            value = self.values.get(name)
            if isinstance(value, str | int | float) and not isinstance(value, bool) and str(value).strip():
                return " ".join(str(value).split())
        return ""

    def texts(self, name: str) -> tuple[str, ...]:
        """Return the texts of a list; a single text counts as a list of one."""
        value = self.values.get(name)
        items = value if isinstance(value, list) else [value]
        return tuple(" ".join(item.split()) for item in items if isinstance(item, str) and item.strip())


NONE = FrontMatter({}, 0)


def read(lines: list[str]) -> FrontMatter:
    """Return the front matter of a document's lines; a broken block is passed over and described."""
    opening = lines[0].rstrip() if lines else ""
    if opening not in ("---", "+++"):
        return NONE
    for at in range(1, min(len(lines), LONGEST)):
        if lines[at].rstrip() == opening or (opening == "---" and lines[at].rstrip() == "..."):
            return parse(lines[1:at], at + 1, toml=opening == "+++")
    return NONE


def parse(block: list[str], after: int, *, toml: bool) -> FrontMatter:
    """Return what a closed block says."""
    try:
        value = parse_toml("\n".join(block)) if toml else parse_yaml("\n".join(block))
    except ValueError as error:
        return FrontMatter({}, after, f"front matter cannot be read: {error}")
    if value is None:
        return FrontMatter({}, after)
    if not isinstance(value, dict):
        return FrontMatter({}, after, "front matter is not a list of `name: value` lines")
    return FrontMatter({str(name): item for name, item in value.items()}, after)


def parse_toml(text: str) -> Any:
    """Parse TOML; raises `ValueError` with one line of reason."""
    import tomllib

    return tomllib.loads(text)


def parse_yaml(text: str) -> Any:
    """Parse YAML without building objects; raises `ValueError` with one line of reason."""
    import yaml

    try:
        return yaml.load(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))  # noqa: S506  # both loaders are safe
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f" in line {mark.line + 2}" if mark else ""
        raise ValueError(f"{getattr(error, 'problem', None) or 'not valid YAML'}{where}") from None
    except RecursionError:
        raise ValueError("nested too deeply") from None
