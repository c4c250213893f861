"""The README as a package index shows it, where there is no repository for a relative link to lead into. Hatchling runs it."""

import re
from pathlib import Path

from hatchling.metadata.plugin.interface import MetadataHookInterface

PICTURE = re.compile(r"^!\[[^\]]*\]\((?!https?:)[^)]*\)\n+", re.MULTILINE)
IMAGE = re.compile(r'<img\b(?![^>]*src="https?:)[^>]*>')
LINK = re.compile(r"\[([^\]]+)\]\((?![a-z]+:)[^)]*\)")


class Readme(MetadataHookInterface):
    """Gives the package its long description."""

    def update(self, metadata: "dict[str, object]") -> None:
        """Set `readme`, which `pyproject.toml` leaves to this."""
        text = Path(self.root, "README.md").read_text("utf-8")
        metadata["readme"] = {"content-type": "text/markdown", "text": for_an_index(text)}


def for_an_index(text: str) -> str:
    """Return a Markdown text without pictures and links that lie beside it; the words of a link stay."""
    return LINK.sub(r"\1", IMAGE.sub("", PICTURE.sub("", text)))
