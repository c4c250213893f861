"""The stages that judge a push: on the server (pre-receive, update), and before it leaves (pre-push)."""

from collections.abc import Mapping, Sequence

from mfgit.guard import commits, moves, policy
from mfgit.guard.commits import Range
from mfgit.guard.moves import Move
from mfgit.guard.policy import Policy
from mfgit.guard.rules import Violation
from mfgit.plumbing import Git, Objects, decode

ACTORS = ("MFGIT_ACTOR", "GL_USER", "GL_USERNAME", "GITEA_PUSHER_NAME", "REMOTE_USER")
"""Where servers say who pushes: ours, gitolite, GitLab, Gitea and Forgejo, HTTP. The first that is set counts."""
FEW = 100
"""Refs that are asked about by name; of more than that all refs are listed."""


def actor_in(environment: Mapping[str, str]) -> str:
    """Return who pushes, as the server knows them; nothing where it does not say."""
    return next((environment[name] for name in ACTORS if environment.get(name)), "")


def receive(git: Git, pushed: Sequence[Move], actor: str) -> list[Violation]:
    """Return every violation of what a server is about to take in."""
    commits.require_whole(git)
    real = symbolic(git, [one.ref for one in pushed])
    with Objects(git) as objects:
        moving = [one._replace(ref=real.get(one.ref, one.ref)) for one in pushed]
        return judge(objects, moving, policy.at_server(objects), actor)


def send(git: Git, pushed: Sequence[Move], remote: str, actor: str) -> list[Violation]:
    """Return every violation of what is about to be pushed to a remote, as far as this clone knows it."""
    from mfgit.guard.staged import by_machine

    commits.require_whole(git)
    with Objects(git) as objects:
        found = policy.at_remote(objects, remote)
        named = actor or next((name for name in found.config.guard.machine_actors if by_machine(git, found)), "")
        return judge(objects, pushed, found, named)


def symbolic(git: Git, refs: Sequence[str]) -> dict[str, str]:
    """Return where symbolic refs lead: a push to such a one moves the other."""
    asked = refs if len(refs) <= FEW else []
    rows = decode(git.out("for-each-ref", "--format=%(refname) %(symref)", *asked)).splitlines()
    pairs = (row.partition(" ")[::2] for row in rows)
    return {name: leads for name, leads in pairs if leads}


def judge(objects: Objects, pushed: Sequence[Move], found: Policy, actor: str) -> list[Violation]:
    """Return every violation of a push.

    The target is judged first: what a good push makes of it is where proposals in the same push are compared with.
    """
    violations, waiting = [], []
    for one in pushed:
        machine = found.is_machine_actor(actor)
        why = moves.fault(one, found.target, machine=machine, rewinds=one.ref == found.target and rewinds(objects.git, one))
        if why:
            violations.append(Violation("", "ref", f"{one.ref} {why}"))
        elif one.new:
            waiting.append(one)
    for one in [one for one in waiting if one.ref == found.target]:
        said = branch(objects, one, found, actor)
        violations += said
        found = found if said else moved(objects, one, found)
    proposed = [one for one in waiting if commits.is_machine_ref(one.ref)]
    violations += proposals(objects, [one.new for one in proposed if one.new], found)
    for one in waiting:
        if one.ref != found.target and one not in proposed:
            violations += branch(objects, one, found, actor)
    return list(dict.fromkeys(violations))


def rewinds(git: Git, one: Move) -> bool:
    """Tell whether a move drops commits that the ref has; it does where its old tip is not known here."""
    return bool(one.old and one.new) and git.run("merge-base", "--is-ancestor", one.old or "", one.new or "", ok=None).code != 0


def moved(objects: Objects, one: Move, found: Policy) -> Policy:
    """Return the policy after a good push to the target: its settings still are those from before, if there were any."""
    if found.tip is not None:
        return found._replace(tip=one.new)
    return policy.of(objects, one.ref, one.new or "")


def proposals(objects: Objects, heads: Sequence[str], found: Policy) -> list[Violation]:
    """Return every violation of the proposals in a push."""
    if heads and found.tip is None:
        return [Violation("", "history", "there is no target yet to compare a proposal with; push that first")]
    return commits.proposals(objects, heads, found) if heads else []


def branch(objects: Objects, one: Move, found: Policy, actor: str) -> list[Violation]:
    """Return every violation of what a branch, a tag or another ref brings; what is no commit brings nothing that lands."""
    head = objects.commit(one.new or "")
    base = objects.commit(one.old or "")
    if head is None:
        return []
    if base is None and found.tip is None:
        return commits.first(objects, head)
    return commits.judge_by(objects, Range(base, head, one.ref, actor), found)
