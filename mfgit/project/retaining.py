"""`archive retain` and `archive hold`: the archive's policy from settings, open proposals and the legal-hold list."""

from datetime import UTC, datetime
from typing import Any

from mfgit import layout
from mfgit.archive.holds import Hold, add_hold, as_policy, read_holds, remove_hold
from mfgit.archive.policy import Policy, Terms
from mfgit.archive.retention import Outcome
from mfgit.archive.retention import retain as retain_folders
from mfgit.archive.sessions import SessionStore
from mfgit.archive.store import Store
from mfgit.errors import BadInput
from mfgit.formats import Newer
from mfgit.model import Progress, quiet
from mfgit.project.archiving import chat_folder
from mfgit.project.archiving_sessions import session_folder
from mfgit.project.base import Repository

OPEN = ("open", "edited", "stale")


def retain(
    repository: Repository, *, dry_run: bool = False, progress: Progress = quiet, now: datetime | None = None
) -> Outcome:
    """Bring the archive to what the policy says; a dry run only says what would go, and writes nothing at all."""
    policy = policy_of(repository, now or datetime.now(UTC))
    folder, sessions = chat_folder(repository), SessionStore(session_folder(repository))
    if dry_run or not folder.exists():
        outcome = retain_folders(None, folder, sessions, policy, progress)
        if dry_run or not outcome.changes:
            return outcome
    with Store(folder) as store:
        outcome = retain_folders(store, folder, sessions, policy, progress)
    forget_vectors(repository, sessions)
    return outcome


def forget_vectors(repository: Repository, sessions: SessionStore) -> None:
    """Take the vectors of what is gone out of those that searches keep."""
    from mfgit.project import nearing_archive, recalling

    if nearing_archive.folder_of(sessions.folder).is_dir():
        nearing_archive.prune(recalling.folders(repository), recalling.searcher_of(repository))


def policy_of(repository: Repository, now: datetime) -> Policy:
    """Return what retention goes by; raises `BadInput` for terms that contradict each other."""
    layers = terms_of(repository)
    holds = read_holds(session_folder(repository))
    return Policy(layers["help"], layers["workspace"], as_policy(holds, pinned(repository)), now)


def terms_of(repository: Repository) -> dict[str, Terms]:
    """Return the terms of each layer; raises `BadInput` for those that contradict each other."""
    settings = repository.config.retention
    layers = {
        "help": Terms(settings.help_whole_days, settings.help_summary_days),
        "workspace": Terms(settings.workspace_whole_days, settings.workspace_summary_days),
    }
    for name, terms in layers.items():
        if terms.summary < terms.whole:
            raise BadInput(
                f"retention.{name}_summary_days is {terms.summary}, less than {name}_whole_days ({terms.whole}).",
                "A summary is what is left after the whole; give it at least as many days.",
            )
    return layers


def pinned(repository: Repository) -> frozenset[str]:
    """Return the request ids that open proposals cite; raises `Newer` where one cannot be read yet, so that nothing goes."""
    if repository.git.commit_of(repository.target) is None:
        if repository.git.run("for-each-ref", f"refs/heads/{layout.BRANCH_PREFIX}").out:
            repository.target_commit()  # there are proposals, and without the target nobody knows which are open
        return frozenset()
    from mfgit.project import deciding

    state = deciding.look(repository)
    for identity, error in state.unread.items():
        if isinstance(error, Newer) and identity in state.branches:
            raise error
    return frozenset(cited.request_id for known in state.known if known.status in OPEN for cited in known.record.evidence)


def holds(repository: Repository) -> list[Hold]:
    """Return the legal-hold list."""
    return read_holds(session_folder(repository))


def hold(repository: Repository, kind: str, identity: str, reason: str = "") -> bool:
    """Put a user, a session or a turn on the legal-hold list; return whether it was not there."""
    return add_hold(SessionStore(session_folder(repository)), Hold(kind, identity, reason), datetime.now(UTC))


def release(repository: Repository, kind: str, identity: str) -> bool:
    """Take something off the legal-hold list; return whether it was there."""
    return remove_hold(SessionStore(session_folder(repository)), kind, identity)


def report(outcome: Outcome) -> dict[str, Any]:
    """Return what `archive retain --json` prints."""
    return {
        "summary": sum(change.summary for change in outcome.changes),
        "trace": sum(change.trace for change in outcome.changes),
        "files": [change._asdict() for change in outcome.changes],
        "in_use": outcome.in_use,
        "problems": outcome.problems,
    }
