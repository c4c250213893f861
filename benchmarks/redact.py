"""Redaction on one core: of ordinary chat text, and of turns that each hold secrets, as they go in through `append`."""

import json
import random
import string
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.corpus import questions
from benchmarks.measure import Row, at_least, cpu_of
from mfgit.archive.appending import ready_line
from mfgit.redact import redact

TURNS = 4000
TIMES = 3
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


def measure(_: Path) -> list[Row]:
    """Return how many megabytes a CPU second are redacted: the best of three, after a first time to warm up."""
    plain = [f"{question}\n{answer}" for question, answer in questions(TURNS)]
    return [
        rate("redaction of chat text", plain, redact),
        rate(
            "turns with secrets made ready to append",
            [line.decode() for line in rich()],
            lambda text: ready_line(1, text.encode()),
        ),
    ]


def rate(name: str, texts: list[str], work: Callable[[str], object]) -> Row:
    """Return a row for the rate at which texts are worked on."""
    size = sum(len(text.encode()) for text in texts) / 1e6

    def every() -> None:
        for text in texts:
            work(text)

    every()
    seconds = min(cpu_of(every) for _ in range(TIMES))
    return at_least(name, "1 MB a CPU second", size / seconds, 1, f"{size:.2f} MB in {seconds:.2f} s")


def rich() -> list[bytes]:
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
        for number, (question, answer) in enumerate(questions(TURNS))
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
