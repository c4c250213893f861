"""Tokens, sessions, limits and the audit log, each by itself."""

import json
import re
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from mfgit.errors import BadInput
from mfgit.server.audit import Audit
from mfgit.server.limits import MOST_CALLERS, Limiter
from mfgit.server.tokens import ROLES, Tokens
from mfgit.server.visits import LASTS, MOST, Visits
from tests.builders import Workbench


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_a_token_is_known_by_its_secret_which_is_kept_nowhere(tmp_path: Path) -> None:
    tokens = Tokens(tmp_path)
    secret = tokens.add("Li Wei", ("reviewer", "writer"))
    assert re.fullmatch(r"mfgit_[\w-]{43}", secret)
    found = Tokens(tmp_path).find(secret)
    assert found
    assert (found.name, found.email, found.roles) == ("Li Wei", "li-wei@localhost", ("reviewer", "writer"))
    assert secret not in tokens.path.read_text()
    assert stat.S_IMODE(tokens.path.stat().st_mode) == 0o600
    assert stat.S_IMODE(tokens.folder.stat().st_mode) == 0o700
    for wrong in ("", "x", secret[:-1], secret + "x", "\udcff", secret.upper()):
        assert tokens.find(wrong) is None
    tokens.revoke("Li Wei")
    assert Tokens(tmp_path).find(secret) is None


@pytest.mark.parametrize("name", ["", " x", "x ", "-x", "a\nb", "a<b>", "x" * 65, "a\0b", "\udcff", "__"])
def test_a_name_that_could_mislead_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(BadInput, match="cannot be the name"):
        Tokens(tmp_path).add(name, ("reader",))


@pytest.mark.parametrize("name", ["a", "Li Wei", "李伟", "o.b@example.com", "bot-1_x"])
def test_a_good_name_is_taken_once(tmp_path: Path, name: str) -> None:
    tokens = Tokens(tmp_path)
    tokens.add(name, ("reader",))
    with pytest.raises(BadInput, match="already"):
        tokens.add(name.upper(), ("reader",))


def test_what_is_no_role_or_address_is_refused(tmp_path: Path) -> None:
    for roles, email in (((), ""), (("admin",), ""), (("reader",), "a b@c"), (("reader",), "x>@y"), (("reader",), "nobody")):
        with pytest.raises(BadInput):
            Tokens(tmp_path).add("x", roles, email)
    assert Tokens(tmp_path).all() == ()


def test_a_damaged_file_lets_nobody_in(tmp_path: Path) -> None:
    tokens = Tokens(tmp_path)
    secret = tokens.add("x", ROLES)
    for damage in (b"", b"{", b"[]", b'{"tokens": [{"name": "x"}]}'):
        tokens.path.write_bytes(damage)
        with pytest.raises(BadInput, match="damaged"):
            tokens.find(secret)


def test_tokens_made_at_once_are_all_kept(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        secrets = list(pool.map(lambda number: Tokens(tmp_path).add(f"t{number}", ("reader",)), range(16)))
    assert all(Tokens(tmp_path).find(secret) for secret in secrets)
    assert not [path for path in (tmp_path / "mfgit/serve").iterdir() if path.name.startswith(".tokens")]


def test_the_commands_make_list_and_revoke(bench: Workbench) -> None:
    made = bench.mfgit("serve", "token", "add", "bot", "--role", "writer", "--json").json()
    assert Tokens(bench.path / ".git").find(made["token"])
    listed = bench.mfgit("serve", "token", "list")
    assert "bot" in listed.out
    assert made["token"] not in listed.out
    assert bench.mfgit("serve", "token", "list", "--json").json()[0].keys() == {"name", "email", "roles", "created"}
    assert bench.mfgit("serve", "token", "revoke", "bat").code == 2
    assert bench.mfgit("serve", "token", "revoke", "bot").code == 0
    assert "no tokens" in bench.mfgit("serve", "token", "list").out
    log = (bench.path / ".git/mfgit/serve/audit.jsonl").read_text().splitlines()
    assert [json.loads(line)["action"] for line in log] == ["token add", "token revoke"]


def test_a_limiter_lets_a_burst_and_then_a_rate_through() -> None:
    clock = Clock()
    limiter = Limiter(2, 4, clock)
    assert [limiter.take("a") for _ in range(4)] == [0.0] * 4
    assert limiter.take("a") == 0.5
    assert limiter.take("b") == 0.0
    clock.now += 0.5
    assert limiter.take("a", 0) == 0.0
    assert limiter.take("a") == 0.0
    assert limiter.take("a") > 0
    clock.now += 1000
    assert [limiter.take("a") > 0 for _ in range(5)] == [False] * 4 + [True]
    assert Limiter(0, 0).take("x") == 0.0


def test_a_limiter_remembers_so_many_callers() -> None:
    limiter = Limiter(1, 1, Clock())
    for number in range(MOST_CALLERS + 10):
        limiter.take(str(number))
    assert len(limiter.buckets) == MOST_CALLERS


def test_sessions_end() -> None:
    clock = Clock()
    visits = Visits(clock)
    cookie, visit = visits.begin("x")
    assert visits.find(cookie) == visit
    assert visits.find("other") is None
    assert cookie not in visits.open
    clock.now += LASTS
    assert visits.find(cookie) is None
    cookie, _ = visits.begin("x")
    visits.end(cookie)
    assert visits.find(cookie) is None
    for _ in range(MOST + 5):
        visits.begin("y")
    assert len(visits.open) == MOST


def test_lines_of_the_audit_log_are_whole_and_stay(tmp_path: Path) -> None:
    def note(number: int) -> None:
        Audit(tmp_path).note(f"李伟\n{number}", "adopt", "abcd", more=number)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(note, range(50)))
    lines = Audit(tmp_path).path.read_bytes().splitlines()
    assert {json.loads(line)["more"] for line in lines} == set(range(50))
    assert stat.S_IMODE(Audit(tmp_path).path.stat().st_mode) == 0o600
