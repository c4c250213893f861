"""`mfgit.toml`: what is read, and how a mistake in it is named."""

import re

import pytest

from mfgit import config
from mfgit.errors import BadInput
from mfgit.sections import ArchiveConfig, Config, GuardConfig, LlmConfig, RootPattern, ScanConfig, VectorConfig

FULL = """
target = "refs/heads/trunk"
[[root]]
path = "./help/"
[[root]]
path = "ws/*/knowledge"
layer = "workspace"
[archive]
chat = "chat"
[scan]
days = 7
reopen_factor = 3
excerpts = false
[guard]
originals = [".md"]
"""


def test_every_setting_is_read_over_its_default() -> None:
    assert config.parse(FULL) == Config(
        target="trunk",
        roots=(RootPattern("help", "help"), RootPattern("ws/*/knowledge", "workspace")),
        archive=ArchiveConfig(chat="chat"),
        scan=ScanConfig(days=7, reopen_factor=3.0, excerpts=False),
        guard=GuardConfig(originals=(".md",)),
        configured=True,
    )


def test_an_empty_file_is_the_defaults_but_configured() -> None:
    assert config.parse("") == Config(configured=True)
    assert config.parse('[[root]]\npath = "."').roots == (RootPattern(".", "help"),)


def test_the_environment_stands_over_the_file() -> None:
    assert config.load('[archive]\nchat = "a"', {config.CHAT_ARCHIVE_VARIABLE: "/b"}).archive.chat == "/b"
    assert config.load(None, {}) == Config()


def test_the_environment_switches_backends_on_and_off() -> None:
    text = '[vector]\nurl = "http://localhost:1/v1"\nmodel = "a"\nbatch = 8\n[llm]\nurl = "http://localhost:2/v1"'
    found = config.load(text, {"MFGIT_VECTOR_MODEL": "b", "MFGIT_VECTOR_PREFIX": "query: ", "MFGIT_LLM_URL": ""})
    assert found.vector == VectorConfig(url="http://localhost:1/v1", model="b", prefix="query: ", batch=8)
    assert found.llm == LlmConfig()


def test_the_process_environment_is_the_usual_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(config.CHAT_ARCHIVE_VARIABLE, "/c")
    assert config.load(None).archive.chat == "/c"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("target = ", "not valid TOML"),
        ("target = 7", "target must be the name of a branch"),
        ('target = " "', "target must be the name of a branch"),
        ("targett = 'x'", "unknown setting targett.\n  Did you mean target?"),
        ("zzz = 1", "Known here: target, root"),
        ("[scan]\ndayz = 7", "unknown setting scan.dayz.\n  Did you mean days?"),
        ("root = 'help'", r"written as \[\[root\]\]"),
        ("root = ['help']", r"written as \[\[root\]\]"),
        ("[[root]]\nlayer = 'help'", r"root\[1\] has no path"),
        ("[[root]]\npath = '../x'", "cannot be a knowledge root"),
        ("[[root]]\npath = '/x'", "cannot be a knowledge root"),
        ("[[root]]\npath = 'a/_forged'", "cannot be a knowledge root"),
        ("[[root]]\npath = '*/*'", "cannot be a knowledge root"),
        ("[[root]]\npath = 'a*'", "cannot be a knowledge root"),
        ("[[root]]\npath = 'a'\nlayer = 'x'", r"root\[1\].layer is 'x'"),
        ("scan = 1", "scan must be a table"),
        ('[archive]\nchat = ""', "archive.chat is empty"),
        ('[[root]]\npath = "help"\n[[root]]\npath = "help/"', "the root help is there twice"),
        ("[scan]\ndays = '7'", "scan.days is '7'; it must be a whole number above 0"),
        ("[scan]\ndays = true", "a whole number"),
        ("[scan]\ndays = 0", "a whole number above 0"),
        ("[scan]\nreopen_factor = 0", "a number above 0"),
        ("[scan]\nexcerpts = 1", "true or false"),
        ("[archive]\nchat = 1", "a string"),
        ("[guard]\noriginals = '.md'", "a list of strings"),
        ("[guard]\noriginals = [1]", "a list of strings"),
    ],
)
def test_a_mistake_is_named_with_its_key(text: str, said: str) -> None:
    with pytest.raises(BadInput) as caught:
        config.parse(text, "the file")
    assert re.search(said, str(caught.value)), str(caught.value)
    assert str(caught.value).startswith("the file")


LIMITS = [
    ("found_share = 1.5", "scan.found_share is 1.5; a share is at most 1"),
    ("answer_coverage_zh = 2", "scan.answer_coverage_zh is 2; a share is at most 1"),
    ("agree_people = 1", "one alone never publishes"),
]


@pytest.mark.parametrize(("setting", "said"), LIMITS)
def test_a_limit_of_the_decision_table_stays_in_its_bounds(setting: str, said: str) -> None:
    with pytest.raises(BadInput, match=re.escape(said)):
        config.parse(f"[scan]\n{setting}\n")


def test_the_limits_of_the_decision_table_are_settings() -> None:
    scan = config.parse("[scan]\nfound_share = 0.5\nquestion_coverage_zh = 1\n").scan
    assert (scan.found_share, scan.covers_question("zh"), scan.covers_question("en"), scan.holds_answer("zh")) == (
        0.5,
        1,
        0.65,
        0.5,
    )
