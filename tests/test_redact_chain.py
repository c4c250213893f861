"""The chain of redaction: what the settings add, let stay and switch off, and that no entry goes around it."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mfgit import config
from mfgit.errors import BadInput
from mfgit.redact import Redactor, chain, redact
from mfgit.redact.bounded import MOST, ways
from mfgit.sections import AllowEntry, RedactConfig, RuleEntry
from tests.archives import CHAT, feed, turn
from tests.builders import Workbench

KEY = f"{'-' * 5}BEGIN PRIVATE KEY{'-' * 5}\n{'Ab1' * 12}\n{'-' * 5}END PRIVATE KEY{'-' * 5}"
RULES = """
[redact]
disable = ["birthday"]
[[redact.rules]]
kind = "customer-number"
pattern = "KD-[0-9]{6,8}"
keyword = "KD-"
[[redact.allow]]
value = "400-860-8608"
kinds = ["phone"]
"""


@pytest.fixture(autouse=True)
def _no_chain_is_left() -> Iterator[None]:
    yield
    chain.use(RedactConfig())


def told(text: str, **settings: Any) -> str:
    """Return a text as it is redacted by settings."""
    chain.use(RedactConfig()._replace(**settings))
    return redact(text)


def test_own_rules_find_and_the_keyword_spares_them() -> None:
    own = (RuleEntry("customer-number", r"KD-\d{6,8}", "KD-"), RuleEntry("seat", r"seat (?P<value>\d{1,3}[A-F])"))
    assert told("KD-123456 in seat 12C of KD-123456", rules=own) == (
        "[redacted:customer-number] in seat [redacted:seat] of [redacted:customer-number]"
    )
    assert told("KD-123456", rules=(RuleEntry("customer-number", r"KD-\d{6,8}", "no such word"),)) == "KD-123456"
    once = told("KD-123456 and bob@example.com", rules=own)
    assert redact(once) == once


def test_the_allow_list_lets_whole_values_of_its_kinds_stay() -> None:
    allow = (AllowEntry("400-860-8608", "", ("phone",)), AllowEntry("", r"[a-z]{1,20}@help\.example"))
    text = "call 400-860-8608 or 400-860-8609, write to desk@help.example or bob@example.com"
    assert told(text, allow=allow) == ("call 400-860-8608 or [redacted:phone], write to desk@help.example or [redacted:email]")
    assert told("call 400-860-8608", allow=(AllowEntry("400-860-8608", "", ("email",)),)) == "call [redacted:phone]"
    assert "[redacted:phone]" in told("call 400-860-8608-1", allow=(AllowEntry("", "400", ()),))


def test_a_kind_can_be_switched_off_but_never_private_keys() -> None:
    assert told("my birthday is 3 May, bob@example.com", disable=("birthday",)) == "my birthday is 3 May, [redacted:email]"
    assert "[redacted:private-key]" in told(KEY, disable=("private-key",), allow=(AllowEntry(KEY),))


@pytest.mark.parametrize(
    ("pattern", "why"),
    [
        ("(a", "no regular expression"),
        ("a+", "without a limit"),
        ("(?:a|b){3,}", "without a limit"),
        ("(?:a{1,9}){1,9}b", "more than 10,000 ways"),
        ("a{1,30}a{1,30}a{1,30}", "more than 10,000 ways"),
        ("(?:a|a){20}", "more than 10,000 ways"),
        ("a{0,2000}", "more than 10,000 ways"),
        (r"(a)\1", "refers back"),
        ("a?", "matches nothing"),
        ("", "matches nothing"),
    ],
)
def test_a_broken_or_catastrophic_pattern_is_refused_with_a_sentence(pattern: str, why: str) -> None:
    with pytest.raises(BadInput, match=re.escape(why)):
        chain.use(RedactConfig(rules=(RuleEntry("mine", pattern),)))
    assert chain.current() is None


@pytest.mark.parametrize(
    ("pattern", "most"),
    [
        (r"KD-\d{8}", 1),
        (r"a?b", 2),
        (r"(?:x|y)z|w", 3),
        (r"(?i:a|b){2}", 4),
        (r"[^\]a+*]{1,3}", 3),
        (r"(?P<value>\d{1,3})(?=\+)(?<!a)", 3),
        (r"(?i)\(a\)", 1),
        (r"a{2,3}?[]x]", 4),
        (r"(a", 1),
    ],
)
def test_the_ways_of_a_pattern_are_counted(pattern: str, most: int) -> None:
    assert ways(pattern) == most <= MOST


@pytest.mark.parametrize(
    ("settings", "why"),
    [
        (RedactConfig(rules=(RuleEntry("Mine", "a"),)), "kind is 'Mine'"),
        (RedactConfig(allow=(AllowEntry(),)), "either a value or a pattern"),
        (RedactConfig(plugins=("nobody",)), "no package offers it"),
    ],
)
def test_settings_that_cannot_be_used_are_named(settings: RedactConfig, why: str) -> None:
    with pytest.raises(BadInput, match=why):
        chain.use(settings)


def offer(folder: Path, body: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Install a package that offers the plug-in `seats`, for this process and for those it starts."""
    name = f"seats_{folder.parent.name.replace('-', '_')}"
    info = folder / f"{name}-1.dist-info"
    info.mkdir(parents=True)
    (folder / f"{name}.py").write_text(body)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1\n")
    (info / "entry_points.txt").write_text(f"[mfgit.redact]\nseats = {name}:find\n")
    monkeypatch.syspath_prepend(str(folder))


def test_a_plugin_is_asked_only_when_the_settings_name_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    body = "def find(text):\n    at = text.find('seat 12C')\n    return [(at + 5, at + 8, 'seat')] if at >= 0 else []\n"
    offer(tmp_path / "site", body, monkeypatch)
    assert told("seat 12C") == "seat 12C"
    assert told("seat 12C", plugins=("seats",)) == "seat [redacted:seat]"
    assert Redactor().value({"a": ["seat 12C"]}) == {"a": ["seat [redacted:seat]"]}


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ("def find(text):\n    raise KeyError(text)\n", r"failed \(KeyError\)"),
        ("def find(text):\n    return [(0, 999, 'seat')]\n", "outside the text"),
        ("def find(text):\n    return [(0, 1, 'A seat')]\n", "no word"),
        ("find = 1\n", "no callable"),
        ("raise OSError\n", "cannot be loaded: OSError"),
    ],
    ids=["raises", "outside", "kind", "no callable", "broken"],
)
def test_a_plugin_that_fails_stops_with_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, body: str, why: str
) -> None:
    offer(tmp_path / "site", body, monkeypatch)
    with pytest.raises(BadInput, match=why) as caught:
        told("my secret", plugins=("seats",))
    assert "my secret" not in str(caught.value)


def test_two_plugins_of_one_name_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    offer(tmp_path / "a" / "site", "find = list\n", monkeypatch)
    offer(tmp_path / "b" / "site", "find = list\n", monkeypatch)
    with pytest.raises(BadInput, match="2 packages offer it"):
        told("x", plugins=("seats",))


def test_the_settings_are_read() -> None:
    found = config.parse(RULES).redact
    assert found.rules == (RuleEntry("customer-number", "KD-[0-9]{6,8}", "KD-"),)
    assert found.allow == (AllowEntry("400-860-8608", "", ("phone",)),)
    assert found.disable == ("birthday",)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("redact = 1", "redact must be a table"),
        ("[redact]\nallow = 1", "redact.allow must be a list of tables"),
        ("[redact]\nrules = [1]", "redact.rules must be a list of tables"),
        ("[[redact.rules]]\npatern = ''", "unknown setting redact.rules.patern"),
        ("[redact]\ndisabled = []", "unknown setting redact.disabled"),
    ],
)
def test_a_mistake_in_the_settings_is_named(text: str, why: str) -> None:
    with pytest.raises(BadInput, match=re.escape(why)):
        config.parse(text)


def test_every_entry_goes_through_the_chain(bench: Workbench) -> None:
    bench.write({"mfgit.toml": RULES})
    said = "KD-1234567, call 400-860-8608, my birthday is 3 May"
    left = "[redacted:customer-number], call 400-860-8608, my birthday is 3 May"
    one = turn(1, user_message=said)
    assert bench.mfgit("archive", "append", stdin=feed(one)).code == 0
    talk = {
        "sessionId": "t",
        "topics": [said],
        "decisions": [{"decision": said}],
        "messages": [{"role": "user", "content": said}],
    }
    assert bench.mfgit("archive", "session", "add", stdin=json.dumps(talk)).code == 0
    (bench.path / "talk.json").write_text(json.dumps({**talk, "sessionId": "u"}))
    assert bench.mfgit("archive", "import", "auto", "talk.json").code == 0
    bench.mfgit("archive", "rate", str(one["assistant_message_id"]), "down", "--note", said, "--reason", said)
    bench.mfgit("archive", "hold", "add", "user", "u1", "--reason", said)
    kept = [path for path in (bench.path / "tmp").rglob("*") if path.is_file() and path.suffix in (".jsonl", ".json")]
    texts = "".join(path.read_text() for path in kept)
    assert "KD-1234567" not in texts
    assert texts.count(left) >= 6
    assert "KD-1234567" not in bench.mfgit("archive", "get", "KD-1234567").err


def test_a_rule_that_comes_later_is_found_by_a_rescan(bench: Workbench) -> None:
    assert bench.mfgit("archive", "append", stdin=feed(turn(1, user_message="It is KD-1234567"))).code == 0
    assert bench.mfgit("archive", "check", "--rescan").code == 0
    bench.write({"mfgit.toml": RULES})
    ran = bench.mfgit("archive", "check", "--rescan")
    assert (ran.code, "customer-number" in ran.out + ran.err) == (1, True)
    assert bench.mfgit("archive", "check", "--rescan", "--mend").code == 0
    assert "KD-1234567" not in "".join(path.read_text() for path in (bench.path / CHAT).glob("*.jsonl"))


def test_nothing_is_written_while_the_chain_cannot_be_built(bench: Workbench) -> None:
    bench.write({"mfgit.toml": '[redact]\nplugins = ["nobody"]\n'})
    ran = bench.mfgit("archive", "append", stdin=feed(turn(1)))
    assert (ran.code, "no package offers it" in ran.err) == (2, True)
    assert not list((bench.path / "tmp").rglob("*.jsonl"))
