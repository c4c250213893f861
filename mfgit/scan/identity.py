"""Which cluster is which known proposal: by the turns they share, one to one; only the rest get new ids."""

import hashlib
from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from typing import NamedTuple

from mfgit.model import Known, Turn
from mfgit.reasons.forms import say
from mfgit.scan.values import Cluster
from mfgit.sections import ScanConfig
from mfgit.text.questions import key_of

SHARED = 0.30
"""Share of the turns, of the cluster or of what the window still holds of the proposal, that makes them the same."""


class Verdict(NamedTuple):
    """Whether a known proposal may be proposed (again), and the reason when that needs one."""

    returns: bool
    reason: str = ""


class Matched(NamedTuple):
    """By cluster number: the known proposal that it continues, and others that had its questions too, by id.

    Those are what it was split from, or what came together with it.
    """

    known: dict[int, Known]
    kin: dict[int, tuple[Known, ...]]


def match(clusters: Sequence[Cluster], known: Sequence[Known], layer_of: dict[str, str]) -> Matched:
    """Return which clusters are which known proposals. `layer_of` is scope by root path."""
    holders: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
    for number, proposal in enumerate(known):
        scope = layer_of.get(proposal.record.root, proposal.record.root)
        for key in proposal.record.keys:
            holders[scope, key].append(number)
    shared: Counter[tuple[int, int]] = Counter()
    in_window: Counter[int] = Counter()
    for number, cluster in enumerate(clusters):
        for asked in cluster.asked:
            for holder in holders.get((cluster.scope, asked.key), ()):
                shared[number, holder] += 1
                in_window[holder] += 1
    order = sorted(
        (
            (-count, -share_of(count, len(clusters[c].asked), in_window[k]), known[k].id, clusters[c].medoid, c, k)
            for (c, k), count in shared.items()
        )
    )
    found = one_to_one(order, known)
    near: defaultdict[int, set[int]] = defaultdict(set)
    for _, share, _, _, number, holder in order:
        if -share >= SHARED and found.get(number) is not known[holder]:
            near[number].add(holder)
    kin = {number: tuple(sorted((known[k] for k in holders), key=lambda one: one.id)) for number, holders in near.items()}
    return Matched(found, kin)


def one_to_one(order: Sequence[tuple[int, float, str, str, int, int]], known: Sequence[Known]) -> dict[int, Known]:
    """Take pairs greedily, the largest overlap first."""
    found: dict[int, Known] = {}
    taken: set[int] = set()
    for _, share, _, _, cluster, proposal in order:
        if -share >= SHARED and cluster not in found and proposal not in taken:
            found[cluster] = known[proposal]
            taken.add(proposal)
    return found


def share_of(count: int, turns: int, in_window: int) -> float:
    """Return shared turns over the smaller of the two sets of turns."""
    return count / max(1, min(turns, in_window))


def new_id(cluster: Cluster, taken: Collection[str]) -> str:
    """Return the id of a new proposal: a hash of where it is asked and its medoid's key, another one where that is taken."""
    base = f"{cluster.scope}\n{key_of(cluster.medoid)}"
    for attempt in range(len(taken) + 1):
        text = base if not attempt else f"{base}\n{attempt}"
        found = hashlib.blake2b(text.encode(), digest_size=8).hexdigest()
        if found not in taken:
            return found
    raise AssertionError("more attempts than ids are taken")


def may_return(cluster: Cluster, known: Known, settings: ScanConfig, bad_needed: int) -> Verdict:
    """Return whether a rejected, undone or adopted proposal comes back with this cluster."""
    since = [
        turn for turn in cluster.bad if known.decided_at is not None and (turn.rated_at or turn.timestamp) > known.decided_at
    ]
    if known.forever:
        return Verdict(False, say("left.forever"))
    if known.status == "adopted":
        count = counted(cluster, since)
        enough = count >= bad_needed
        return Verdict(enough, say("why.unhappy_since", count=count) if enough else say("left.content"))
    again = say("again.undone" if known.status == "undone" else "again.rejected")
    was, unhappy = known.record.frequency, known.record.dissatisfied_count
    grown = max(settings.reopen_factor * was, was + 5)
    now = len(cluster.askings)
    if now >= grown:
        return Verdict(True, say("why.asked_since", again=again, now=now, was=was))
    new = max(cluster.unhappy - unhappy, counted(cluster, since))
    if new >= 2:
        return Verdict(True, say("why.down_since", again=again, more=new))
    if known.status == "undone":
        return Verdict(False, say("left.undone"))
    return Verdict(False, say("left.rejected", grown=float(grown), now=now))


def counted(cluster: Cluster, turns: Sequence[Turn]) -> int:
    """Return how many askings of a cluster have one of these turns."""
    these = {turn.request_id for turn in turns}
    return sum(any(turn.request_id in these for turn in asking) for asking in cluster.askings)
