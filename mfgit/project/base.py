"""A knowledge repository as found on disk: its Git, its settings, its target and its roots."""

import functools
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mfgit import config, layout, sections
from mfgit.errors import BadInput, Refusal
from mfgit.layout import Root
from mfgit.plumbing import Git, decode, native
from mfgit.sections import Config

if TYPE_CHECKING:
    from mfgit.repo.writing import Signature


class Repository:
    """One repository: a checkout, a linked worktree or a bare one. Nothing is read before it is asked for.

    `actor` is who decides; None: the person whom Git knows here.
    """

    actor: "Signature | None" = None

    def __init__(self, git: Git, top: Path | None, common: Path, environment: Mapping[str, str] | None = None) -> None:
        self.git = git
        self.top = top
        self.common = common
        self.environment = environment
        self.kept: dict[Path, tuple[str, Any]] | None = None
        """Searchers that stay open between questions, where the process asks often and one at a time."""

    @classmethod
    def find(cls, path: str | os.PathLike[str] = ".", environment: Mapping[str, str] | None = None) -> "Repository":
        """Return the repository that holds `path`; raises `BadInput` where there is none."""
        git = Git(path)
        done = git.run(
            "rev-parse", "--path-format=absolute", "--git-common-dir", "--is-bare-repository", "--show-toplevel", ok=None
        )
        lines = decode(done.out).splitlines()
        if len(lines) < 2:
            said = done.err.decode("utf-8", "replace").strip().splitlines()
            why = "" if not said or "not a git repository" in said[0] else f" ({said[0]})"
            where = Path(path).absolute()
            raise BadInput(
                f"{where} is not in a Git repository{why}.",
                "Run mfgit in a checkout, name one with -C, or make one with git init.",
            )
        top = Path(native(lines[2])) if lines[1] == "false" and len(lines) > 2 else None
        return cls(Git(top or path), top, Path(native(lines[0])), environment)

    @property
    def folder(self) -> Path:
        """The checkout, or the Git directory of a bare repository: where relative settings start."""
        return self.top or self.common

    @property
    def chat_folder(self) -> Path:
        """The folder of the day files; a relative setting starts at the top of the repository.

        Raises `Refusal` for an archive that lies elsewhere, which is read and never written.
        """
        given = self.config.archive.chat
        if config.is_url(given):
            raise Refusal(
                f"The archive {config.shown(given)} is only read, by mfgit scan and mfgit archive check.",
                f"Run this where the archive is a folder, or set {config.CHAT_ARCHIVE_VARIABLE} to a folder.",
            )
        return self.folder / given

    @property
    def config(self) -> Config:
        """The settings: the checkout's `mfgit.toml` (a bare repository's: its HEAD's) and the environment.

        Whoever asks for them redacts by them from then on: every entry asks where the archive is first.
        """
        found = self.settings
        if found.redact != sections.RedactConfig() or "mfgit.redact.chain" in sys.modules:
            from mfgit.redact import chain

            chain.use(found.redact)
        return found

    @functools.cached_property
    def settings(self) -> Config:
        """The settings as they were read the first time."""
        return config.load(self.config_text(), self.environment)

    def config_text(self) -> str | None:
        """Return the text of `mfgit.toml`, None when there is none."""
        if self.top is None:
            data = self.git.blob(f"HEAD:{config.FILE_NAME}")
        else:
            try:
                data = (self.top / config.FILE_NAME).read_bytes()
            except FileNotFoundError:
                return None
            except OSError as error:
                raise BadInput(f"{self.top / config.FILE_NAME} cannot be read: {error.strerror}.") from None
        try:
            return None if data is None else data.decode("utf-8-sig")
        except UnicodeDecodeError:
            raise BadInput(f"{config.FILE_NAME} is not UTF-8 text.", "Save it as UTF-8.") from None

    @functools.cached_property
    def search_engine(self) -> str:
        """What keeps the search indexes. The settings are read whole only where they name one: a search starts often."""
        environment = os.environ if self.environment is None else self.environment
        lines = () if environment.get(config.ENGINE_VARIABLE) else (self.config_text() or "").splitlines()
        named = any("engine" in line and not line.lstrip().startswith("#") for line in lines)
        return self.config.indexes.engine if named or not lines else sections.Config().indexes.engine

    @functools.cached_property
    def target(self) -> str:
        """The full name of the branch that adopts land on.

        The configured one; without a `mfgit.toml` the branch that is checked out, or `main` on a detached HEAD.
        """
        if not self.config.configured:
            done = self.git.run("symbolic-ref", "--quiet", "HEAD", ok=None)
            head = decode(done.out).strip()
            if head.startswith("refs/heads/") and not head.startswith(f"refs/heads/{layout.BRANCH_PREFIX}"):
                return head
        return f"refs/heads/{self.config.target}"

    def target_commit(self) -> str:
        """Return the commit id of the target; raises `BadInput` when it has none."""
        commit = self.git.commit_of(self.target)
        if commit is None:
            name = self.target.removeprefix("refs/heads/")
            if self.git.commit_of("HEAD") is None:
                raise BadInput("This repository has no commits yet.", "Commit your documents first: git add -A && git commit.")
            raise BadInput(
                f"The target branch {name} does not exist here.",
                f"Create it with git branch {name}, or set target in {config.FILE_NAME}.",
            )
        return commit

    def need_history(self) -> None:
        """Raise `BadInput` in a shallow clone: what became of a proposal is told by the history."""
        if self.git.line("rev-parse", "--is-shallow-repository") == "true":
            raise BadInput(
                "This clone is shallow: it lacks the history that says what became of each proposal.",
                "Bring it here with git fetch --unshallow, then run the command again.",
            )

    def roots(self, treeish: str) -> tuple[Root, ...]:
        """Return the knowledge roots of a tree."""
        patterns = self.config.roots
        starred = any("*" in pattern.path for pattern in patterns)
        return layout.expand(patterns, [decode(entry.path) for entry in self.git.tree(treeish)] if starred else ())
