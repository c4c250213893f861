"""`kill -9` at random moments of append, rate, import, session add and retain: no acknowledged turn lost, none stored twice.

Every tenth round eight writers are killed together, while a program that knows nothing of mfgit appends to the same
day file. What is stored is read with a plain reader of JSON Lines. `python -m benchmarks kills --rounds 1000` is the long run.
"""

import gzip
import json
import os
import random
import re
import subprocess
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from benchmarks.measure import CONSOLE, Row, alone, environment, repository, run

FULL, QUICK = 40, 1
"""Rounds."""
PER_ARCHIVE = 50
"""Rounds after which a fresh archive is taken, since all of it is read after each."""
CROWD_EVERY = 10
WRITERS = 8
KEY = re.compile(r"q\d{10}")
CHAT, SESSIONS = Path("tmp/memoryforge/chat-archive"), Path("tmp/memoryforge/conversation_archive")


class Lab:
    """One archive and what is known of it: keys of turns that must be there, that may be, and ratings likewise."""

    def __init__(self, work: Path, seed: int) -> None:
        self.env = environment(work)
        self.kb = repository(work / f"kb-{seed}", {"help/a.md": "# A\n"}, self.env)
        self.rng = random.Random(seed)
        self.count = seed * 100_000
        self.acked: set[str] = set()
        self.given: set[str] = set()
        self.rated: set[str] = set()
        self.kills = 0
        self.typical: dict[str, float] = {}

    def key(self) -> str:
        """Return a new key, which stands in the id and in the question of one turn."""
        self.count += 1
        name = f"q{self.count:010}"
        self.given.add(name)
        return name

    def turn(self, when: datetime) -> tuple[str, bytes]:
        """Return the key of a new turn and its line."""
        name = self.key()
        value = {"timestamp": when.isoformat(), "request_id": name, "session_id": f"s-{name}", "help_mode": True}
        value |= {"user_message": f"How is {name} done?", "assistant_message": "Hold the button. " * self.rng.randint(1, 200)}
        return name, json.dumps({**value, "assistant_message_id": f"m{name}"}).encode() + b"\n"

    def start(self, *argv: str, stdin: Any = subprocess.DEVNULL, stdout: Any = subprocess.PIPE) -> "subprocess.Popen[bytes]":
        """Start mfgit in the repository."""
        return subprocess.Popen(
            [*CONSOLE, *argv], cwd=self.kb, env=self.env, stdin=stdin, stdout=stdout, stderr=subprocess.DEVNULL
        )

    def killed(self, name: str, *argv: str, data: bytes = b"") -> bool:
        """Run a command and kill it somewhere on its way; tell whether it had ended well before."""
        source = self.kb / ".input"
        source.write_bytes(data)
        if name not in self.typical:
            begun = time.perf_counter()
            with source.open("rb") as stdin:
                self.start(*argv, stdin=stdin).communicate()
            self.typical[name] = time.perf_counter() - begun
        with source.open("rb") as stdin:
            process = self.start(*argv, stdin=stdin, stdout=subprocess.DEVNULL)
        time.sleep(self.rng.uniform(0.3, 1.15) * self.typical[name])
        return self.kill(process)

    def kill(self, process: "subprocess.Popen[bytes]") -> bool:
        """Kill a process; tell whether it had ended well before."""
        self.kills += process.poll() is None
        process.kill()
        return process.wait() == 0

    def mfgit(self, *argv: str, data: bytes = b"") -> None:
        """Run a command to its end."""
        run([*CONSOLE, *argv], self.kb, self.env, data)


def append(lab: Lab, rng: random.Random | None = None) -> None:
    """Append turns one by one, and kill the writer; then send all again, as a backend does that heard no answer."""
    rng = rng or lab.rng
    now = datetime.now(UTC)
    turns = [lab.turn(now - timedelta(days=rng.choice((0, 0, 0, 1)))) for _ in range(rng.randint(1, 80))]
    out = lab.kb / f".acks-{turns[0][0]}"
    with out.open("wb") as stdout:
        process = lab.start("archive", "append", stdin=subprocess.PIPE, stdout=stdout)
        assert process.stdin is not None
        stop = time.perf_counter() + rng.uniform(0.1, 0.7)
        for _, line in turns:
            process.stdin.write(line)
            process.stdin.flush()
            time.sleep(rng.uniform(0, 0.006))
        time.sleep(max(0.0, stop - time.perf_counter()))
        lab.kill(process)
    lab.acked |= {json.loads(line)["request_id"] for line in out.read_bytes().split(b"\n")[:-1]}
    out.unlink()
    if rng.random() < 0.5:
        verify(lab)
        lab.mfgit("archive", "append", data=b"".join(line for _, line in turns))
        lab.acked |= {name for name, _ in turns}


def crowd(lab: Lab) -> None:
    """Kill eight writers while another program appends lines of its own."""
    day = datetime.now(UTC)
    lines = [lab.turn(day) for _ in range(200)]
    writers = [threading.Thread(target=append_only, args=(lab, random.Random(lab.rng.random()))) for _ in range(WRITERS)]
    for thread in writers:
        thread.start()
    with (lab.kb / CHAT / f"{day.date()}.jsonl").open("ab", buffering=0) as stream:
        for name, line in lines:
            os.write(stream.fileno(), line)
            lab.acked.add(name)
            time.sleep(0.01)
    for thread in writers:
        thread.join()


def append_only(lab: Lab, rng: random.Random) -> None:
    """Append turns one by one and kill the writer, after a while in which eight processes have started."""
    now = datetime.now(UTC)
    turns = [lab.turn(now) for _ in range(60)]
    process = lab.start("archive", "append", stdin=subprocess.PIPE)
    assert process.stdin is not None
    assert process.stdout is not None
    timer = threading.Timer(rng.uniform(0.8, 2.5), process.kill)
    timer.start()
    try:
        for name, line in turns:
            process.stdin.write(line)
            process.stdin.flush()
            if not process.stdout.readline().endswith(b"\n"):
                break
            lab.acked.add(name)
            time.sleep(rng.uniform(0, 0.05))
    except BrokenPipeError:
        pass
    timer.join()
    lab.kills += process.wait() < 0


def rate(lab: Lab) -> None:
    """Rate a reply of a turn that retention will not touch."""
    mark, since = lab.key(), (datetime.now(UTC) - timedelta(days=1)).isoformat()
    lab.given.discard(mark)
    recent = [turn["assistant_message_id"] for _, turn in stored(lab) if turn["timestamp"] > since]
    if lab.killed("rate", "archive", "rate", lab.rng.choice(recent), "up", "--note", mark):
        lab.rated.add(mark)


def imported(lab: Lab) -> None:
    """Import an export, and import it again."""
    talks = [[lab.key() for _ in range(lab.rng.randint(1, 6))] for _ in range(lab.rng.randint(1, 60))]
    export = [{"conversation_id": f"c-{keys[0]}", "messages": said(keys)} for keys in talks]
    source = lab.kb / ".export.json"
    source.write_text(json.dumps(export))
    again(lab, "import", [name for keys in talks for name in keys], "archive", "import", "openai", str(source))


def session(lab: Lab) -> None:
    """Archive a session, and archive it again."""
    keys = [lab.key() for _ in range(lab.rng.randint(1, 8))]
    data = json.dumps({"sessionId": f"s-{keys[0]}", "messages": said(keys)}).encode()
    again(lab, "session add", keys, "archive", "session", "add", data=data)


def said(keys: list[str]) -> list[dict[str, Any]]:
    """Return the messages of a conversation that asks about each key."""
    return [
        message
        for name in keys
        for message in ({"role": "user", "content": f"How is {name} done?"}, {"role": "assistant", "content": "So. " * 40})
    ]


def again(lab: Lab, name: str, keys: list[str], *argv: str, data: bytes = b"") -> None:
    """Kill a command, and run it again to its end."""
    if lab.killed(name, *argv, data=data):
        lab.acked |= set(keys)
    verify(lab)
    lab.mfgit(*argv, data=data)
    lab.acked |= set(keys)


def retain(lab: Lab) -> None:
    """Let retention shorten old days that another program wrote, and go on after a kill."""
    now = datetime.now(UTC)
    for age in lab.rng.sample(range(2, 60), 4):
        when = now - timedelta(days=age)
        with (lab.kb / CHAT / f"{when.date()}.jsonl").open("ab") as stream:
            for name, line in (lab.turn(when) for _ in range(lab.rng.randint(1, 30))):
                stream.write(line)
                lab.acked.add(name)
    lab.killed("retain", "archive", "retain")
    verify(lab, once=False)
    lab.mfgit("archive", "retain")


ACTIONS: tuple[Callable[[Lab], None], ...] = (append, rate, imported, session, retain)


def files(lab: Lab) -> Iterator[tuple[Path, bytes]]:
    """Yield the day files and their plain bytes."""
    for path in sorted((lab.kb / CHAT).iterdir()):
        if re.fullmatch(r"[\d-]{10}\.jsonl(\.gz)?", path.name):
            yield path, gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()


def lines(lab: Lab) -> Iterator[dict[str, Any]]:
    """Yield what the day files hold, but for unfinished last lines."""
    for path, data in files(lab):
        for line in data.split(b"\n")[:-1]:
            if line.strip():
                value = json.loads(line)
                if not isinstance(value, dict):
                    raise RuntimeError(f"{path.name} holds a line that is no object")
                yield value


def stored(lab: Lab) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield the turns of the day files with their keys."""
    for value in lines(lab):
        if value.get("event") != "rating" and (found := KEY.search(f"{value['request_id']} {value.get('user_message')}")):
            yield found[0], value


def verify(lab: Lab, once: bool = True) -> None:
    """Raise `RuntimeError` for what was lost or is there twice, and for a session file that cannot be read."""
    turns = Counter(key for key, _ in stored(lab))
    notes = Counter(str(each.get("rating_note")) for each in lines(lab) if each.get("event") == "rating")
    kept = notes + Counter(str(turn.get("rating_note")) for _, turn in stored(lab))
    faults = [f"turn {name} lost" for name in sorted(lab.acked - set(turns))]
    faults += [f"turn {name} {times} times" for name, times in turns.items() if once and times > 1]
    faults += [f"turn {name} of nobody" for name in sorted(set(turns) - lab.given)]
    faults += [f"rating {name} lost" for name in sorted(lab.rated - set(kept))]
    for path in (lab.kb / SESSIONS / "sessions").rglob("*.json"):
        json.loads(path.read_bytes())
    if faults:
        raise RuntimeError(f"{len(faults)} faults after {lab.kills} kills: {'; '.join(faults[:5])}")


def measure(work: Path, size: int = FULL) -> list[Row]:
    """Return a row: how many rounds ended with something lost or twice, of `size` rounds that each kill one command."""
    kills = turns = 0
    failed: list[str] = []
    lab = Lab(work, 0)
    for number in range(size):
        if number % PER_ARCHIVE == 0:
            kills, turns = kills + lab.kills, turns + len(lab.acked)
            print(f"     {number} rounds, {kills} kills, {len(failed)} failed", flush=True)
            lab = Lab(work, number // PER_ARCHIVE + 1)
            first, line = lab.turn(datetime.now(UTC))
            lab.mfgit("archive", "append", data=line)
            lab.acked.add(first)
        try:
            (crowd if number % CROWD_EVERY == CROWD_EVERY - 1 else ACTIONS[number % len(ACTIONS)])(lab)
            verify(lab)
        except (RuntimeError, ValueError) as error:
            failed.append(f"round {number}: {error}")
            print(f"     {failed[-1]}", flush=True)
            kills, turns = kills + lab.kills, turns + len(lab.acked)
            lab = Lab(work, number + 10_000)
            lab.mfgit("archive", "append", data=lab.turn(datetime.now(UTC))[1])
            lab.acked |= lab.given
    kills, turns = kills + lab.kills, turns + len(lab.acked)
    detail = f"{size} rounds, {kills} kills, {turns:,} turns acknowledged" + "".join(f"; {each}" for each in failed[:3])
    return [alone("rounds of kill -9 that lost or doubled", "", [len(failed)], most=0, note=detail)]
