"""Open proposals that were done by hand: a person wrote the original, and it answers the question now.

A proposal is closed only when a page that answers it changed after its branch was cut, and nobody was unhappy after that
change. That nobody asks any more, or that a complaint has left the window, closes nothing.
"""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime

from mfgit import layout
from mfgit.layout import Root
from mfgit.model import Alias, Known, Record
from mfgit.reasons.forms import say
from mfgit.scan import facts as f
from mfgit.scan.decide import decide, held
from mfgit.scan.facts import Facts, Passage
from mfgit.scan.values import Closed, Cluster, Inputs

Changes = Mapping[str, datetime]
"""Path from the top -> when it last changed on the target, for what changed since a branch was cut."""


def since(found: Facts, cluster: Cluster, when: datetime) -> Facts:
    """Return the facts as they are without the unhappiness from before a moment."""
    later = {turn.request_id for turn in cluster.turns if (turn.rated_at or turn.timestamp) > when}
    return replace(found, bad=sum(turn.request_id in later for turn in cluster.bad), weak=len(cluster.weak & later))


def by_hand(known: Known, cluster: Cluster, found: Facts, changes: Changes) -> Closed | None:
    """Return why an open proposal is done, None when it is not."""
    page = found.page if held(found) else found.nearest
    when = changed_at(page, known.record, changes) if page else None
    if page is None or when is None or not f.speaks_of_numbers(cluster.medoid, page):
        return None
    later = since(found, cluster, when)
    rule = decide(later)
    return (
        None if rule.type else closed(known, page, when, say("closed.rule", reason=rule.reason(later), day=f"{when:%Y-%m-%d}"))
    )


def unasked(known: Known, inputs: Inputs, changes: Changes) -> Closed | None:
    """Return why an open proposal that nobody asks for in this window is done, None when it is not."""
    record = known.record
    if not changes or not record.questions:
        return None
    if record.action_type == "index":
        return led(known, inputs, changes)
    text = record.suggestion or record.questions[0]
    page = f.best_passage(text, record.root, inputs.originals)
    when = changed_at(page, record, changes) if page else None
    if page is None or when is None or not f.speaks_of_numbers(record.questions[0], page):
        return None
    limits = inputs.settings
    needed = limits.holds_answer(record.lang) if record.suggestion else limits.covers_question(record.lang)
    if page.coverage < needed or not finds(record.questions[0], page.path, record, inputs):
        return None
    form = "closed.held" if record.suggestion else "closed.covered"
    told = say(form, path=page.path, share=page.coverage, needed=needed)
    return closed(known, page, when, told)


def led(known: Known, inputs: Inputs, changes: Changes) -> Closed | None:
    """Return why a proposal of aliases is done: enough of the wordings find the page without them."""
    record = known.record
    finding = [alias for alias in record.aliases if finds(alias.alias, alias.path, record, inputs)]
    times = [when for path in (*pages(record.aliases), aliases_file(record)) if (when := changes.get(path))]
    if not times or len(finding) < inputs.settings.found_share * len(record.aliases):
        return None
    told = say("closed.led", found=len(finding), wordings=len(record.aliases), path=record.aliases[0].path)
    return Closed(known.id, record.title, record.aliases[0].path, max(times), told)


def finds(text: str, path: str, record: Record, inputs: Inputs) -> bool:
    """Whether a text finds a page in the first hits."""
    return any(hit.passage.path == path for hit in inputs.originals.best(text, record.root, f.FIRST))


def pages(aliases: tuple[Alias, ...]) -> tuple[str, ...]:
    """Return the pages that aliases lead to."""
    return tuple(dict.fromkeys(alias.path for alias in aliases))


def changed_at(page: Passage, record: Record, changes: Changes) -> datetime | None:
    """Return when a page changed since the branch was cut; for aliases a change of their file counts too."""
    places = (page.path, aliases_file(record)) if record.action_type == "index" else (page.path,)
    return max((when for path in places if (when := changes.get(path))), default=None)


def aliases_file(record: Record) -> str:
    """Return the path of the `index.json` of a proposal's root."""
    return layout.aliases_path(Root(record.root, record.target_layer))


def closed(known: Known, page: Passage, when: datetime, told: str) -> Closed:
    """Return a closed proposal."""
    return Closed(known.id, known.record.title, page.path, when, told)
