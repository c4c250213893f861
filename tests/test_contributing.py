"""The map in CONTRIBUTING.md: every module and folder of the project once, and nothing that is not there."""

import re
from collections import Counter

from tests.distributions import TOP, tracked

MAP = (TOP / "CONTRIBUTING.md").read_text("utf-8").split("## Where things live\n")[1].split("\n## ")[0]
NAMED = [
    name
    for row in MAP.splitlines()
    if row.startswith("| ")
    for name in re.findall(r"`([^` ]+[/.][^` ]*)`", row.split(" | ")[1])
]


FILES = {name for name in tracked(".") if "/" in name}


def test_every_module_and_folder_is_named_once() -> None:
    modules = {"/".join(name.split("/")[:2]) for name in FILES if name.startswith("mfgit/") and not name.endswith("py.typed")}
    folders = {name.split("/")[0] for name in FILES if not name.startswith((".", "mfgit/", "LICENSES/"))}
    wanted = {f"{name}{'/' if (TOP / name).is_dir() else ''}" for name in modules | folders} - {"mfgit/__init__.py"}
    assert wanted - set(NAMED) == set()
    assert {name: count for name, count in Counter(NAMED).items() if count > 1} == {}


def test_everything_that_is_named_is_there() -> None:
    assert [name for name in NAMED if not (TOP / name).exists()] == []
    assert [name for name in NAMED if name.endswith("/") and not any(file.startswith(name) for file in FILES)] == []
