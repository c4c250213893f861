"""The messages of commits that carry a proposal: a plain subject and the trailers that tools read."""

from mfgit.model import Record

SUBJECT_LIMIT = 72


def subject(verb: str, title: str) -> str:
    """Return a first line of at most 72 characters."""
    text = f"{verb}: {title}"
    return text if len(text) <= SUBJECT_LIMIT else text[: SUBJECT_LIMIT - 1].rstrip() + "…"


def proposing(record: Record) -> str:
    """Return the message of the commit that a fresh branch is made of."""
    verb = {"index": "Add wordings", "skill": "Draft steps"}.get(record.action_type, "Answer")
    if record.action_type == "supplement":
        verb = "Supplement" if record.suggestion else "Draft"
    return message(subject(verb, record.title), "\n".join(record.why), record)


def carrying(record: Record, what: str) -> str:
    """Return the message of a machine's commit on top of a person's: `record` or `target` was brought up to date."""
    said = {"record": "Update the evidence", "target": "Carry onto the current target"}[what]
    return message(subject(said, record.title), "", record, **{"Mfgit-Step": what})


def adopting(record: Record, why: str = "") -> str:
    """Return the message of the merge that adopts a proposal."""
    return message(subject("Adopt", record.title), why, record)


def writing(record: Record) -> str:
    """Return the message of the commit by which a person changes the text of a proposal."""
    return message(subject("Edit", record.title), "", record)


def tidying(record: Record) -> str:
    """Return the message of the commit that takes the marks of a draft off a completed answer."""
    return message(subject("Mark as answered", record.title), "", record, **{"Mfgit-Step": "answer"})


def reopening(record: Record) -> str:
    """Return the message of the commit that proposes again what was undone."""
    return message(subject("Propose again", record.title), "", record)


def rejecting(record: Record, reason: str, forever: bool, request: str = "") -> str:
    """Return the message of a rejected ref's commit; the reason is its body, `request` the address of the request closed."""
    more = {"Mfgit-Rejected": "forever"} if forever else {"Mfgit-Rejected": "yes"}
    if request:
        more["Mfgit-Request"] = request
    return message(subject("Reject", record.title), reason, record, **more)


def closing(record: Record, reason: str) -> str:
    """Return the message of the ref's commit of a proposal that the originals answer now; the reason is its body."""
    return message(subject("Close", record.title), reason, record, **{"Mfgit-Rejected": "answered"})


def undoing(record: Record, adopted: str | None) -> str:
    """Return the message of the commit that takes a proposal out again; `adopted` is the commit that brought it."""
    more = {"Mfgit-Undoes": adopted} if adopted else {}
    return message(subject("Undo", record.title), "", record, **more)


def message(first: str, text: str, record: Record, **more: str) -> str:
    """Return a whole message: first line, text, trailers."""
    trailers = {"Mfgit-Proposal": record.id, "Mfgit-Action": record.action_type, "Mfgit-Root": record.root, **more}
    parts = [first, text.strip(), "\n".join(f"{name}: {value}" for name, value in trailers.items())]
    return "\n\n".join(part for part in parts if part) + "\n"
