"""What became of one question: its normal form, its group, its neighbours, and why it is proposed or not."""

from collections.abc import Iterable

import numpy as np

from mfgit.model import Known, quiet
from mfgit.scan.features import vectors
from mfgit.scan.gather import ECHO, Scopes, echo, gather, published, unasked
from mfgit.scan.report import Outcome
from mfgit.scan.space import Space
from mfgit.scan.values import Inputs
from mfgit.text.questions import ask

NEIGHBOURS = 8
SHOWN = 100


def explain(outcome: Outcome, message: str) -> list[str]:
    """Return in lines what a scan made of a question."""
    question = ask(message)
    if reason := unasked(question):
        return [f"It asks nothing that can be compared: set aside as {reason}."]
    inputs = outcome.result.inputs
    if inputs is not None and echo(message, question.normal, published(inputs.known)):
        return [f"It repeats what mfgit itself hands out: set aside as {ECHO}."]
    told = [f"Compared as: {question.normal}", f"Key: {question.key}"]
    if inputs is not None:
        told += left_out(inputs, question.normal) + decided_before(inputs.known, question.key)
    spaces = outcome.result.spaces
    if not spaces:
        return [*told, "No question of this time was read."]
    for one in spaces:
        told += in_space(outcome, one, question.normal)
    return told


def left_out(inputs: Inputs, normal: str) -> list[str]:
    """Return in lines how many turns that ask a question were set aside all the same, and why."""
    same = [turn for turn in inputs.turns if ask(turn.user_message).normal == normal]
    scopes = Scopes(inputs.roots, only_help=inputs.only_help)
    aside = gather(same, scopes, inputs.known, quiet, inputs.settings.test_users).aside
    return [f"Set aside {count} of the {len(same)} turns that ask it: {reason}" for reason, count in aside.most_common()]


def decided_before(known: Iterable[Known], key: str) -> list[str]:
    """Return in lines which proposals that Git knows have a question, and what was decided about each."""
    return [
        f"A question of {one.id} ({one.status}{' for ever' if one.forever else ''}): {one.record.title}"
        f"{f'; {one.reason}' if one.reason else ''}"
        for one in known
        if key in one.record.keys
    ]


def in_space(outcome: Outcome, one: Space, normal: str) -> list[str]:
    """Return what became of a question in one scope."""
    place = {text: row for row, text in enumerate(one.normals)}
    told = ["", f"Among {len(one.normals):,} different questions of {one.scope}:"]
    row = place.get(normal)
    near = neighbours(outcome, one, normal)
    if row is None and (not near or near[0][1] < 0.5):
        told.append("  It was not asked in these words, and nothing is like it.")
    elif row is None:
        told.append("  It was not asked in these words; the nearest that was is shown first.")
        row = near[0][0]
    if row is not None:
        told += group(outcome, one, row)
    for other, cosine in near:
        if other != row:
            told.append(f"  {cosine:.2f}  {text_of(one, other)}{verdict(one, row, other)}")
    return told


def group(outcome: Outcome, one: Space, row: int) -> list[str]:
    """Return the group of a row and its fate."""
    number = one.cluster_of[row]
    rows = one.rows[number]
    turns = sum(len(one.asked[one.normals[member]]) for member in rows)
    fate, reason = outcome.result.decided.get((one.scope, number), ("not proposed", "asked once"))
    status = next((f" ({proposal.status})" for proposal in outcome.proposals if proposal.record.id == fate), "")
    told = [f"  Its group: {len(rows)} wordings, asked {turns} times; {fate}{status}: {reason}"]
    return told + [f"    {len(one.asked[one.normals[member]]):>4}×  {text_of(one, member)}" for member in rows[:NEIGHBOURS]]


def neighbours(outcome: Outcome, one: Space, normal: str) -> list[tuple[int, float]]:
    """Return the rows most like a text, with their cosine."""
    alone = vectors([normal], outcome.result.frequencies)
    column = {feature: number for number, feature in enumerate(one.vectors.features)}
    query = np.zeros(one.vectors.matrix.shape[1])
    for number, weight in zip(alone.matrix.indices, alone.matrix.data, strict=True):
        if (there := column.get(alone.features[number])) is not None:
            query[there] = weight
    cosine = one.vectors.matrix @ query
    best = sorted(range(len(cosine)), key=lambda row: (-round(float(cosine[row]), 9), row))[:NEIGHBOURS]
    return [(row, float(cosine[row])) for row in best if cosine[row] > 0.2]


def verdict(one: Space, row: int | None, other: int) -> str:
    """Return how a neighbour stands to a row."""
    if row is None:
        return ""
    if one.cluster_of[row] == one.cluster_of[other]:
        return "  (same group)"
    veto = one.vetoes.get((min(row, other), max(row, other)))
    return (
        f"  (kept apart: different {veto.kind}, {veto.what})"
        if veto
        else f"  (not close enough: groups join at {one.cut:.2f} on average)"
    )


def text_of(one: Space, row: int) -> str:
    """Return a row in a user's words."""
    return one.asked[one.normals[row]][0].text[:SHOWN]
