"""The scan: turns in, proposals out. Pure: same inputs, same result, whatever the order of the turns."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from mfgit.model import PRIORITIES, Known, Record, Turn
from mfgit.reasons.forms import say
from mfgit.scan import answered, facts, languages, records, space, wordings
from mfgit.scan.bursts import askers
from mfgit.scan.calibrate import BY_RULE
from mfgit.scan.decide import decide
from mfgit.scan.facts import BadAnswers
from mfgit.scan.features import Frequencies, count
from mfgit.scan.gather import Gathered, Scopes, gather
from mfgit.scan.identity import Matched, Verdict, match, may_return, new_id
from mfgit.scan.records import Candidate, Kin
from mfgit.scan.signals import followers
from mfgit.scan.space import Space
from mfgit.scan.values import HELP, Closed, Cluster, Inputs, Proposal
from mfgit.text.questions import VERSION as QUESTIONS_VERSION

BAD_NEEDED = {HELP: 1}
BAD_NEEDED_IN_WORKSPACE = 2
OPEN = ("open", "edited", "stale")
SETTLED = ("adopted", "undone")
CLOSED, REOPENED = say("left.closed"), say("why.reopened")
SIMILAR = 3
ONCE, PRIVATE, ANSWERED_IN_PRIVATE = say("left.once"), say("left.private"), say("left.answered_in_private")
READY = ("index", "verified_answer", "skill")
READY_SHARE = 0.3
"""Share of the open places that proposals which are ready to adopt get before drafts do."""
NOTHING_COUNTED = Frequencies(1, {})


@dataclass
class Result:
    """What a scan found: proposals by priority, what was left out and why, and how it got there.

    `closed` are open proposals that the originals answer now, `expired` those that nobody asked for in the window.
    """

    gathered: Gathered
    proposals: list[Proposal] = field(default_factory=list)
    left: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    spaces: list[Space] = field(default_factory=list)
    closed: list[Closed] = field(default_factory=list)
    expired: list[Known] = field(default_factory=list)
    inputs: Inputs | None = None
    decided: dict[tuple[str, int], tuple[str, str]] = field(default_factory=dict)
    frequencies: Frequencies = NOTHING_COUNTED
    fresh_snapshot: bool = False


def scan(inputs: Inputs) -> Result:
    """Return the proposals that the turns are worth."""
    scopes = Scopes(inputs.roots, only_help=inputs.only_help)
    gathered = gather(inputs.turns, scopes, inputs.known, inputs.progress, inputs.settings.test_users)
    result = Result(gathered, inputs=inputs)
    take_frequencies(result, inputs)
    for number, scope in enumerate(sorted(result.gathered.scopes)):
        inputs.progress("Grouping questions", number, len(result.gathered.scopes))
        names = frozenset(name for root in scopes.roots_of(scope) for name in inputs.names.get(root, ()))
        asked = result.gathered.scopes[scope]
        built = space.build(scope, asked, result.frequencies, names, similar=inputs.similar, meaning=inputs.meaning)
        result.spaces.append(built)
    context = Context(inputs, scopes, BadAnswers(inputs.turns), followers(inputs.turns), result)
    candidates = [entry for one in result.spaces for entry in examine(one, context)]
    look_at_the_rest(context)
    result.proposals = propose(candidates, inputs, result)
    return result


def take_frequencies(result: Result, inputs: Inputs) -> None:
    """Use the snapshot of document frequencies, or count anew where there is none or the archive has doubled."""
    texts = {asked.normal for scope in result.gathered.scopes.values() for asked in scope}
    kept = Frequencies.from_json(inputs.snapshot)
    usable = kept is not None and inputs.snapshot.get("questions") == QUESTIONS_VERSION and len(texts) < 2 * kept.texts
    result.frequencies = kept if kept is not None and usable else count(sorted(texts))
    result.fresh_snapshot = not usable


def snapshot_json(frequencies: Frequencies) -> dict[str, object]:
    """Return the snapshot to keep beside the archive."""
    return {**frequencies.to_json(), "questions": QUESTIONS_VERSION}


# ---- which clusters are worth it


@dataclass(frozen=True)
class Context:
    """What every cluster of a scan is judged with; `met` are the ids of known proposals that a cluster continues."""

    inputs: Inputs
    scopes: Scopes
    bad: BadAnswers
    after: dict[str, Turn]
    result: Result
    met: set[str] = field(default_factory=set)


def examine(one: Space, context: Context) -> list[Candidate]:
    """Return the candidates of a scope, and note what is left out and why."""
    inputs = context.inputs
    known_keys = {key for proposal in inputs.known for key in proposal.record.keys}
    wanted = [number for number in range(len(one.rows)) if looked_at(one, number, known_keys)]
    context.result.left[ONCE] += [one.asked[one.normals[rows[0]]][0].text for rows in alone(one, wanted)]
    found = space.clusters(one, wanted, context.after, lambda text: wordings.fit(text, inputs.redact))
    matched = match(found, inputs.known, context.scopes.scope_of_root)
    context.met.update(known.id for known in matched.known.values())
    candidates = []
    for number, (place, cluster) in enumerate(zip(wanted, found, strict=True)):
        if number % 50 == 0:
            inputs.progress("Comparing with the originals", number, len(found))
        entry = consider(cluster, (one.scope, place), matched.known.get(number), context)
        if entry is not None:
            candidates.append(replace(entry, kin=relations(matched, number)))
    return candidates


def relations(matched: Matched, number: int) -> tuple[Kin, ...]:
    """Return how a cluster is related to proposals that had its questions too."""
    going_on = {known.id for known in matched.known.values()}
    return tuple(
        Kin(other.id, say("why.split" if other.id in going_on else "why.kin", id=other.id, title=other.record.title))
        for other in matched.kin.get(number, ())
    )


def look_at_the_rest(context: Context) -> None:
    """Note the open proposals that no cluster continues: those the originals answer now are closed, the others have expired."""
    result, inputs = context.result, context.inputs
    for one in inputs.known:
        if one.status in OPEN and one.id not in context.met:
            done = answered.unasked(one, inputs, inputs.changed.get(one.id, {}))
            if done is not None:
                result.closed.append(done)
            else:
                result.expired.append(one)


def looked_at(one: Space, number: int, known_keys: set[str]) -> bool:
    """Whether a cluster could be worth a proposal: more than one turn, a bad rating, or a known question."""
    rows = one.rows[number]
    asked = one.asked[one.normals[rows[0]]]
    return len(rows) > 1 or len(asked) > 1 or asked[0].turn.dissatisfied or asked[0].key in known_keys


def alone(one: Space, wanted: Sequence[int]) -> list[tuple[int, ...]]:
    """Return the clusters of one turn that nobody needs to look at."""
    chosen = set(wanted)
    return [rows for number, rows in enumerate(one.rows) if number not in chosen]


def consider(cluster: Cluster, place: tuple[str, int], known: Known | None, context: Context) -> Candidate | None:
    """Return the candidate that a cluster is, or None after noting why it is none."""
    inputs, needed = context.inputs, bad_needed(cluster.scope)
    verdict = verdict_on(cluster, known, inputs, needed)
    lacking = "" if known and known.status in OPEN else unworthy(cluster, inputs.settings.min_frequency, needed)
    if known and known.status in SETTLED and not verdict.returns:
        lacking = verdict.reason
    if lacking:
        leave(context.result, lacking, cluster, place)
        return None
    roots = context.scopes.roots_of(cluster.scope)
    if known and known.record.root in roots:
        roots = [known.record.root]
    found = facts.gather(cluster, HELP if cluster.scope == HELP else "workspace", roots, inputs, context.bad)
    if lacking := private(found):
        leave(context.result, lacking, cluster, place)
        return None
    if known and known.status == "closed" and known.decided_at:
        found = answered.since(found, cluster, known.decided_at)
    rule = decide(found)
    done = answered.by_hand(known, cluster, found, inputs.changed.get(known.id, {})) if known else None
    if done is not None:
        context.result.closed.append(done)
    if done is not None or not rule.type:
        short = CLOSED if done or (known and known.status == "closed") else rule.short
        leave(context.result, short, cluster, place, done.reason if done else rule.reason(found))
        return None
    returned = verdict.reason if verdict.returns else ""
    return Candidate(cluster, place, known, found, rule, needed, returned, rejected=not verdict.returns)


def private(found: facts.Facts) -> str:
    """Return why a cluster is one person's affair, nothing when something general is left of it."""
    if not found.wordings:
        return PRIVATE
    return ANSWERED_IN_PRIVATE if found.private and not found.answers and not found.unhappy else ""


def bad_needed(scope: str) -> int:
    """Return how many bad ratings make a proposal by themselves."""
    return BAD_NEEDED.get(scope, BAD_NEEDED_IN_WORKSPACE)


def verdict_on(cluster: Cluster, known: Known | None, inputs: Inputs, needed: int) -> Verdict:
    """Return whether a cluster may be proposed as far as earlier decisions go."""
    if known is None or known.status in OPEN:
        return Verdict(True)
    if known.status == "closed":
        return Verdict(True, REOPENED)
    return may_return(cluster, known, inputs.settings, needed)


def unworthy(cluster: Cluster, min_frequency: int, needed: int) -> str:
    """Return why a cluster is not worth a proposal, nothing when it is."""
    if cluster.unhappy >= needed or cluster.doubtful >= 2:
        return ""
    if len(cluster.askings) < min_frequency:
        if len(cluster.asked) >= min_frequency:
            return say("left.repeated")
        unhappy = say("seldom_unhappy.it", needed=needed) if cluster.bad else ""
        return say("left.seldom", least=min_frequency, unhappy=unhappy)
    return "" if cluster.sessions >= 2 else say("left.one_session")


def leave(result: Result, reason: str, cluster: Cluster, place: tuple[str, int], detail: str = "") -> None:
    """Note a cluster that is not proposed."""
    redact = result.inputs.redact if result.inputs else str
    result.left[reason].append(wordings.title_of(cluster, redact) or wordings.shown(cluster.medoid, redact))
    result.decided[place] = ("not proposed", detail or reason)


# ---- from candidates to proposals


def propose(candidates: Sequence[Candidate], inputs: Inputs, result: Result) -> list[Proposal]:
    """Return the proposals by priority, with ids, links between them, and who has to wait."""
    taken = {proposal.id for proposal in inputs.known}
    identities: dict[tuple[str, int], str] = {}
    for entry in candidates:
        identities[entry.place] = entry.known.id if entry.known else new_id(entry.cluster, taken)
        taken.add(identities[entry.place])
    alike = {one.scope: space.links(one) for one in result.spaces}
    made = []
    for entry in translated(candidates, identities, inputs):
        near = alike[entry.place[0]].get(entry.place[1], {})
        similar = [
            identities[entry.place[0], other]
            for other in sorted(near, key=lambda c: (-near[c], c))
            if (entry.place[0], other) in identities
        ]
        record = records.make(identities[entry.place], entry, inputs.redact, excerpts=inputs.settings.excerpts)
        record = replace(record, similar=tuple(sorted({*similar[:SIMILAR], *(kin.id for kin in entry.kin)})))
        result.decided[entry.place] = (record.id, next(filter(BY_RULE.match, record.why), ""))
        made.append((entry, record))
    made.sort(key=lambda pair: rank(*pair))
    return admit(made, inputs, result)


def translated(candidates: Sequence[Candidate], identities: Mapping[tuple[str, int], str], inputs: Inputs) -> list[Candidate]:
    """Return the candidates, those that are asked in the other language too with a word of it."""
    names = {name for given in inputs.names.values() for name in given}
    found = languages.links(candidates, names)
    by_place = {entry.place: entry for entry in candidates}

    def told(entry: Candidate) -> Candidate:
        link = found.get(entry.place)
        if link is None:
            return entry
        other = identities[link.place]
        return replace(entry, kin=(*entry.kin, Kin(other, languages.sentence(link, by_place[link.place], other))))

    return [told(entry) for entry in candidates]


def rank(entry: Candidate, record: Record) -> tuple[int, int, int, int, str]:
    """Return what proposals are ordered by: priority, how many were unhappy, how many asked, how often; bursts count once."""
    cluster = entry.cluster
    unhappy = askers(asking[0] for asking in cluster.askings if any(turn.dissatisfied for turn in asking))
    asking = askers(asking[0] for asking in cluster.askings)
    return PRIORITIES.index(record.priority), -unhappy, -asking, -len(cluster.askings), record.id


def admit(made: Sequence[tuple[Candidate, Record]], inputs: Inputs, result: Result) -> list[Proposal]:
    """Give each proposal its status: at most `max_open` are open, the rest wait in order of priority."""
    gone = {one.id for one in result.closed}
    slots = inputs.settings.max_open - sum(one.status in OPEN and one.id not in gone for one in inputs.known)
    fresh = [record for entry, record in made if not entry.rejected and not continues(entry)]
    opened = chosen(fresh, max(0, slots))
    found = []
    for entry, record in made:
        known = entry.known
        if entry.rejected:
            status = "rejected"
        elif known is not None and continues(entry):
            status = "unchanged" if known.record == record else "updated"
        elif record.id in opened:
            status = "new" if known is None else "updated"
        else:
            status = "waiting"
        branch = known.branch if known is not None and status in ("unchanged", "updated") else None
        found.append(Proposal(record, entry.cluster, status, branch))
    return found


def continues(entry: Candidate) -> bool:
    """Whether a candidate is a proposal that is open already."""
    return entry.known is not None and entry.known.status in OPEN


def chosen(ranked: Sequence[Record], slots: int) -> set[str]:
    """Return the ids that may be opened: by rank, with a share of the places kept for those that are ready to adopt.

    They take a reviewer a moment, and would else wait behind every draft that somebody was unhappy about.
    """
    ready = [record for record in ranked if record.action_type in READY]
    kept = {record.id for record in ready[: int(slots * READY_SHARE)]}
    others = [record.id for record in ranked if record.id not in kept]
    return kept | set(others[: slots - len(kept)])
