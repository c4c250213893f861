"""Redaction on one core, and what it is worth: found secrets, and innocent text left alone, beside detect-secrets.

detect-secrets looks at code, and tells where a secret may be; mfgit takes it out of what people say, and uses some rules of
that library beside its own. It is asked twice: a file at a time as a commit's hook does, and a line at a time as
`detect-secrets scan --string` does. A secret counts as found by mfgit when it is gone, and by detect-secrets when anything in
its message is named. Personal data is no work of detect-secrets: that row only shows what the one covers and the other does
not. The messages are made by `benchmarks/leaked.py`: ten kinds of keys and passwords (two of them without a format or a name
to know them by), five of personal data, twelve of what looks alike (commit ids, UUIDs, checksums, orders, code).
"""

import json
import random
import string
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from benchmarks.corpus import questions
from benchmarks.leaked import Said, messages
from benchmarks.measure import Row, alone, compared, cpu_of, interleaved
from mfgit.archive.appending import ready_line
from mfgit.redact import redact


class Size(NamedTuple):
    """Turns whose redaction is timed, messages of each kind, and repetitions."""

    turns: int
    each: int
    times: int


FULL, QUICK = Size(4000, 100, 5), Size(20, 2, 1)
SECRETS = (
    "export {name}_TOKEN={lot}",
    "it says {name}.api_key = '{lot}' is wrong",
    'config: {{"user": "{name}", "password": "{short}", "timeout": 30}}',
    "curl -H 'Authorization: Bearer {lot}' https://{name}.example.com/v1/items?page=2",
    "postgres://{name}:{short}@db.example.com:5432/app",
    "Authorization failed for gh" + "p_{lot}{short}",
    "my mail is {name}@example.org and my phone +49 30 {digits}",
    "我的手机号是139{digits}，收不到验证码",
    "密码：{short}，登录不了",
    "client_id={lot} client_secret={lot}",
)
"""Sentences of people who paste more than they should."""
Flags = Callable[[Sequence[Said]], list[bool]]
"""Tells of each message whether something in it was found."""


def measure(work: Path, size: Size = FULL) -> list[Row]:
    """Return how many megabytes a CPU second are redacted, and how well."""
    plain = [f"{question}\n{answer}" for question, answer in questions(size.turns)]
    rich = [line.decode() for line in turns(size.turns)]
    rows = [
        rate("redaction of chat text", plain, redact, size.times),
        rate("turns with secrets made ready to append", rich, lambda text: ready_line(1, text.encode()), size.times),
    ]
    said = list(messages(size.each))
    return rows + [
        row
        for name, theirs in (("a file at a time", by_file(work)), ("a line at a time", by_line))
        for row in beside(name, theirs, said, size.times)
    ]


def rate(name: str, texts: list[str], work: Callable[[str], object], times: int) -> Row:
    """Return a row for the rate at which texts are worked on, after a first time to warm up."""
    megabytes = sum(len(text.encode()) for text in texts) / 1e6

    def every() -> None:
        for text in texts:
            work(text)

    every()
    rates = [megabytes / cpu_of(every) for _ in range(times)]
    return alone(name, "MB/s", rates, least=1, note=f"{megabytes:.2f} MB")


def ours(said: Sequence[Said]) -> list[bool]:
    """Tell what redaction finds: the secret gone, or an innocent text changed."""
    done = [redact(each.text) for each in said]
    return [each.secret not in text if each.secret else text != each.text for each, text in zip(said, done, strict=True)]


def by_line(said: Sequence[Said]) -> list[bool]:
    """Tell what detect-secrets finds in single lines."""
    from detect_secrets.core import scan
    from detect_secrets.settings import default_settings

    with default_settings():
        return [any(True for _ in scan.scan_line(each.text)) for each in said]


def by_file(work: Path) -> Flags:
    """Return a call that tells what detect-secrets finds in a file of all messages."""

    def found(said: Sequence[Said]) -> list[bool]:
        from detect_secrets.core import scan
        from detect_secrets.settings import default_settings

        place = work / "said.txt"
        place.write_text("".join(f"{each.text}\n" for each in said), encoding="utf-8")
        with default_settings():
            lines = {secret.line_number for secret in scan.scan_file(str(place))}
        return [number in lines for number, _ in enumerate(said, 1)]

    return found


def beside(mode: str, theirs: Flags, said: Sequence[Said], times: int) -> list[Row]:
    """Return rows of what was found, what was left alone, and the time it took."""
    peer = f"detect-secrets, {mode}"
    rows = []
    for kind, name in (
        ("key", "keys and passwords found"),
        ("personal", "personal data found"),
        ("plain", "innocent text left alone"),
    ):
        some = [each for each in said if each.kind == kind]
        shares = [100 * sum(flag == bool(some[0].secret) for flag in find(some)) / len(some) for find in (ours, theirs)]
        note = "not what detect-secrets is for" if kind == "personal" else ""
        rows.append(compared(name, peer, "%", [(shares[0], shares[1])], note=note))
    costs = interleaved(lambda: ours(said), lambda: theirs(said), times, scale=1000 / len(said))
    return [*rows, compared(f"a message, of {len(said):,}", peer, "ms", costs)]


def turns(count: int) -> list[bytes]:
    """Return lines of turns in which the question and the reply each hold a secret."""
    rng = random.Random(1)
    now = datetime.now(UTC).isoformat(timespec="seconds")
    shared = {"timestamp": now, "session_id": "s1", "user_id": "u1", "help_mode": True}
    return [
        json.dumps(
            {
                **shared,
                "request_id": f"r{number}",
                "user_message": f"{question} {secret(rng)}",
                "assistant_message": f"{answer} {secret(rng)} {answer}",
            },
            ensure_ascii=False,
        ).encode()
        for number, (question, answer) in enumerate(questions(count))
    ]


def secret(rng: random.Random) -> str:
    """Return a sentence with a secret that nobody has."""
    lot = "".join(rng.choices(string.ascii_letters + string.digits, k=rng.randint(24, 40)))
    return rng.choice(SECRETS).format(
        name=rng.choice(("fern", "oak", "birch")),
        lot=lot,
        short="".join(rng.choices(string.ascii_letters + string.digits + "!#%", k=10)),
        digits=f"{rng.randrange(10**8):08}",
    )
