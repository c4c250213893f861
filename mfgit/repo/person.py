"""What GitPython serves: who the person is, and a diff made to be read."""

import os
from collections.abc import Iterable
from datetime import datetime

from mfgit.errors import BadInput
from mfgit.repo.writing import Signature


def person(folder: str | os.PathLike[str]) -> Signature:
    """Return who works in a repository, now: GIT_COMMITTER_NAME and _EMAIL, else user.name and user.email.

    Raises `BadInput` when Git was never told, rather than make a name up.
    """
    from git import Repo

    with Repo(folder, search_parent_directories=True) as repo, repo.config_reader() as settings:
        name = os.environ.get("GIT_COMMITTER_NAME") or str(settings.get_value("user", "name", ""))
        email = os.environ.get("GIT_COMMITTER_EMAIL") or str(settings.get_value("user", "email", "")) or os.environ.get("EMAIL")
    if not name.strip() or not email:
        raise BadInput(
            "Git does not know who you are, and a decision carries a name.",
            'Run git config user.name "Your Name" and git config user.email you@example.com.',
        )
    return Signature(name, email, datetime.now().astimezone())


def readable_diff(folder: str | os.PathLike[str], old: str, new: str, paths: Iterable[str] = ()) -> str:
    """Return the patch from one commit to another, of some paths or all, as `git diff` shows it."""
    from git import Repo

    with Repo(folder, search_parent_directories=True) as repo:
        literal = [f":(top,literal){path}" for path in paths]
        flags = ("--no-ext-diff", "--no-textconv", "--no-color", "--no-renames")
        text: str = repo.git(c="core.quotePath=false").diff(*flags, old, new, "--", *literal)
    return text
