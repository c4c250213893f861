"""`stats`: what adopted proposals did for those who ask. Only looks.

What is counted: turns of the archive whose question is one of a proposal's (by the keys of its record), and what a search
finds now for its questions. What users were shown is not logged anywhere, so nothing is said about it.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING, Any, NamedTuple

from mfgit import config
from mfgit.adopt import lookback
from mfgit.adopt.lookback import Coverage, Hits, Look, Standing
from mfgit.errors import BadInput, MfgitError
from mfgit.model import Known, Turn, format_time
from mfgit.progress import Progress, quiet
from mfgit.project import archiving, deciding, previewing, views
from mfgit.project.base import Repository
from mfgit.project.previewing import Asked

if TYPE_CHECKING:
    from mfgit.archive.days import Day
    from mfgit.repo.known import Survey

DAYS = 30
MOST_DAYS = 3650
WORDINGS = 5
"""Questions of each proposal that are asked now, the most frequent first."""


class Heard(NamedTuple):
    """What the archive tells: the turns of each proposal by its id, the days it covers, and a sentence where it tells less."""

    turns: Mapping[str, Sequence[Turn]]
    coverage: Coverage | None
    note: str | None
    unreadable: int = 0


class LookBack(NamedTuple):
    """The look back over some days before `now`, on a commit of the target."""

    target: str
    commit: str
    since: datetime
    now: datetime
    days: int
    adopted: Counter[str]
    undone: Counter[str]
    rejected: Counter[str]
    heard: Heard
    looks: tuple[Look, ...]
    problems: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """Return what `stats --json` prints."""
        covered = self.heard.coverage
        return {
            "target": self.target,
            "commit": self.commit,
            "days": self.days,
            "since": format_time(self.since),
            "until": format_time(self.now),
            "adopted": dict(self.adopted),
            "undone": dict(self.undone),
            "rejected": dict(self.rejected),
            "archive": {
                "first_day": covered.first.isoformat() if covered else None,
                "days": round(covered.days(self.since, self.now), 1) if covered else 0,
                "unreadable": self.heard.unreadable,
                "note": self.heard.note,
            },
            "proposals": [look.to_json() for look in self.looks],
            **lookback.flagged(self.looks),
            "problems": list(self.problems),
        }


def look_back(repository: Repository, days: int = DAYS, now: datetime | None = None, progress: Progress = quiet) -> LookBack:
    """Return what became of adopted proposals, those of the last days first; raises `BadInput` for days that are none."""
    if not 1 <= days <= MOST_DAYS:
        raise BadInput(f"{days} days cannot be looked back at.", f"Give 1 to {MOST_DAYS:,} days.")
    until, span = now or datetime.now(UTC), timedelta(days=days)
    where = views.locate(repository, repository.target)
    state = deciding.look(repository)
    every = sorted(adopted(state), key=lambda one: (-moment(one).timestamp(), one.id))
    heard = listen(repository, state.known, every, (until - span, until), progress)
    standing = on_target(repository, where, every)
    hits = finding(repository, where, every, standing, progress)
    looks = []
    for one in every:
        before, after = lookback.periods(one, heard.turns.get(one.id, ()), heard.coverage, span, until)
        looks.append(
            Look(one, moment(one) >= until - span, one.id in state.held, standing[one.id], hits[one.id], before, after)
        )
    recent = lookback.decided(every, "adopted", until - span)
    undone, rejected = (lookback.decided(state.known, status, until - span) for status in ("undone", "rejected"))
    return LookBack(
        where.ref, where.commit, until - span, until, days, recent, undone, rejected, heard, tuple(looks), state.problems
    )


def adopted(state: "Survey") -> list[Known]:
    """Return what the target holds of proposals, those that were proposed anew since among them."""
    return [*(one for one in state.known if one.status == "adopted"), *state.held.values()]


def moment(one: Known) -> datetime:
    """Return when a proposal was adopted; long ago where the history does not tell."""
    return one.decided_at or datetime(1970, 1, 1, tzinfo=UTC)


# ---- what the archive tells


def listen(
    repository: Repository,
    known: Iterable[Known],
    every: Sequence[Known],
    window: tuple[datetime, datetime],
    progress: Progress,
) -> Heard:
    """Return the turns of each adopted proposal in the window, and before its adoption where that is in the window."""
    from mfgit.archive import reading

    since, until = window
    earliest = min((moment(one) for one in every if moment(one) >= since), default=until) - (until - since)
    try:
        source = archiving.chat_source(repository)
        covered = coverage(reading.files_of(source), min(earliest, since).date())
        if covered is None:
            place = config.shown(repository.config.archive.chat)
            return Heard({}, None, f"There is no archive at {place}: what was asked since an adoption is not known here.")
        found = reading.read(source, min(earliest, since), until, progress)
    except (MfgitError, OSError) as error:
        return Heard({}, None, f"The archive cannot be read: {str(error).splitlines()[0]}")
    turns = asked_of(repository, known, every, found.turns, progress)
    lost = sum(1 for day in covered.reduced if since.date() <= day <= until.date())
    note = f"{lost} of these days hold no questions any more, and do not count." if lost else None
    return Heard(turns, covered, note, len(found.problems))


def coverage(files: "Sequence[Day]", earliest: date) -> Coverage | None:
    """Return which days the day files of an archive cover, None without one; `earliest` is the first day of interest."""
    from mfgit.archive.days import NAME

    names = [(NAME.fullmatch(file.path.name), file) for file in files]
    found = [(date.fromisoformat(match[1]), bool(match[2]), file) for match, file in names if match]
    if not found:
        return None
    reduced = frozenset(day for day, packed, file in found if packed and day >= earliest and has_traces(file))
    return Coverage(min(day for day, _, _ in found), reduced)


def has_traces(file: "Day") -> bool:
    """Tell whether retention has left only ids, rating and topic of a turn of a day."""
    from mfgit.archive.entries import Trace
    from mfgit.archive.reading import entries

    return any(isinstance(item, Trace) for item in entries([file]))


def asked_of(
    repository: Repository, known: Iterable[Known], every: Sequence[Known], turns: Sequence[Turn], progress: Progress
) -> dict[str, list[Turn]]:
    """Return the turns of each proposal by its id, as a scan would take them: no replays, tests or echoes."""
    from mfgit.scan.gather import Scopes, gather
    from mfgit.scan.values import HELP

    only_help = all(pattern.layer == "help" for pattern in repository.config.roots)
    scopes = Scopes(repository.roots(repository.target_commit()), only_help=only_help)
    gathered = gather(turns, scopes, known, progress, repository.config.scan.test_users)
    whose: dict[tuple[str, str], list[str]] = {}
    for one in every:
        scope = HELP if one.record.target_layer == "help" else one.record.root
        for key in keys_of(one):
            whose.setdefault((scope, key), []).append(one.id)
    found: dict[str, list[Turn]] = {}
    for scope, asked in gathered.scopes.items():
        for each in asked:
            for identity in whose.get((scope, each.key), ()):
                found.setdefault(identity, []).append(each.turn)
    return found


def keys_of(one: Known) -> set[str]:
    """Return the keys of a proposal's questions: the record's, and those that its wordings have by today's rules."""
    from mfgit.text import questions

    return {*one.record.keys, *filter(None, (questions.ask(text).key for text in one.record.questions))}


# ---- what the target has, and what a search finds


def on_target(repository: Repository, where: views.Where, every: Iterable[Known]) -> dict[str, Standing]:
    """Return the pages of each proposal on the target, and the originals that its overlay is based on and that moved on."""
    from mfgit.tree import reading

    tree = views.read_tree(repository.git, where.tree, views.checkout_settings(repository))
    pages: dict[str, list[str]] = {}
    stale: dict[str, list[str]] = {}
    for page, said in views.overlays(repository.git, tree):
        for identity in {passage.proposal for passage in said.passages if passage.proposal}:
            pages.setdefault(identity, []).append(page.path)
            stale.setdefault(identity, []).extend(reading.changed_sources(said.based_on, tree.blobs))
    found = {}
    for one in every:
        aliases = [alias.path for alias in one.record.aliases if one.record.action_type == "index" and alias.path in tree.blobs]
        own = dict.fromkeys([*aliases, *pages.get(one.id, ())])
        found[one.id] = Standing(tuple(own), tuple(dict.fromkeys(stale.get(one.id, ()))))
    return found


def finding(
    repository: Repository, where: views.Where, every: Sequence[Known], standing: Mapping[str, Standing], progress: Progress
) -> dict[str, Hits]:
    """Return for each proposal how its questions find its pages now."""
    pairs = [
        (one.id, Asked(text, "record", frozenset(standing[one.id].pages)))
        for one in every
        for text in list(filter(str.strip, one.record.questions or (one.record.title,)))[:WORDINGS]
    ]
    if not pairs:
        return {one.id: Hits() for one in every}
    (answers,) = previewing.compared(repository, (where,), [asked for _, asked in pairs], progress)
    ranks: dict[str, list[int]] = {one.id: [] for one in every}
    for (identity, _), answer in zip(pairs, answers, strict=True):
        ranks[identity].append(answer.rank)
    return {key: Hits(len(had), had.count(1), sum(rank > 0 for rank in had)) for key, had in ranks.items()}
