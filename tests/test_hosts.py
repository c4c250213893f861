"""Recognising services, choosing keys, owners, and the text of a request."""

import json
import re
import shutil
import subprocess
import tarfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from mfgit.adopt.owners import Owners, owners
from mfgit.backends.hosts.opening import Service, key_of, place_of, recognised
from mfgit.errors import BadInput
from mfgit.model import Evidence
from mfgit.proposal import request
from mfgit.proposal.quoted import block, harmless, within
from mfgit.sections import PublishConfig
from tests.records import draft, record

GITHUB_API = "https://api.github.com"


@pytest.mark.parametrize(
    ("url", "settings", "expected"),
    [
        ("https://github.com/team/kb.git", {}, Service("github", GITHUB_API, "team/kb", True)),
        ("git@github.com:team/kb.git", {}, Service("github", GITHUB_API, "team/kb", True)),
        (
            "ssh://git@github.example.com:2222/team/kb",
            {},
            Service("github", "https://github.example.com/api/v3", "team/kb", True),
        ),
        ("https://u:p@gitlab.com/a/b/kb.git", {}, Service("gitlab", "https://gitlab.com/api/v4", "a/b/kb", True)),
        ("https://codeberg.org/team/kb", {}, Service("gitea", "https://codeberg.org/api/v1", "team/kb", True)),
        ("git@git.forgejo.example:team/kb", {}, Service("gitea", "https://git.forgejo.example/api/v1", "team/kb", True)),
        ("http://localhost:3000/t/kb", {"service": "gitea"}, Service("gitea", "http://localhost:3000/api/v1", "t/kb", True)),
        ("http://git.example/t/kb", {"service": "gitea"}, Service("gitea", "https://git.example/api/v1", "t/kb", True)),
        (
            "https://git.example:8443/t/kb",
            {"service": "gitlab", "url": "https://evil.example/api/v4/"},
            Service("gitlab", "https://evil.example/api/v4", "t/kb", False),
        ),
    ],
)
def test_a_remote_tells_its_service(url: str, settings: dict[str, Any], expected: Service) -> None:
    """By its host, whatever way of writing Git takes."""
    assert recognised(url, PublishConfig()._replace(**settings)) == expected


@pytest.mark.parametrize(
    "url",
    [
        "/srv/kb.git",
        "file:///srv/kb.git",
        "https://git.example/t/kb",
        "C:/kb",
        "https://github.com/",
        "https://github.com/a/b%2e",
        "",
    ],
)
def test_a_remote_that_is_no_service_says_what_to_set(url: str) -> None:
    """Never a guess."""
    with pytest.raises(BadInput):
        recognised(url, PublishConfig())


@given(st.text(max_size=60))
def test_no_address_breaks_the_reader(url: str) -> None:
    """Whatever a remote is set to."""
    found = place_of(url)
    assert found is None or found.host


def test_the_key_of_a_service_goes_to_its_own_host_only() -> None:
    """A checkout's settings name another host: the well-known variables stay here."""
    environment = {"GITLAB_TOKEN": "theirs"}
    assert key_of(Service("gitlab", "https://gitlab.com/api/v4", "a/b", True), environment) == "theirs"
    assert key_of(Service("gitlab", "https://evil.example/api/v4", "a/b", False), environment) == ""
    assert key_of(Service("github", GITHUB_API, "a/b", True), environment) == ""
    with pytest.raises(BadInput, match="characters"):
        key_of(Service("github", GITHUB_API, "a/b", True), {"GITHUB_TOKEN": "a b"})


GITIGNORE = """\
# all
*            @all
*.zh.md      @zh
/help/       @help-team @org/writers docs@example.com
help/a\\ b.md @space
**/deep/**   @deep
/free/
"""
SECTIONS = "* @all\n[Docs][2] @writer\nhelp/\n/help/api/ @@maintainer @api\n^[Law]\n*.md @org/law/eu\n"


@pytest.mark.parametrize(
    ("kind", "text", "path", "people", "teams"),
    [
        ("github", GITIGNORE, "x/y.txt", ("all",), ()),
        ("github", GITIGNORE, "other/help/a.zh.md", ("zh",), ()),
        ("github", GITIGNORE, "help/x/a.zh.md", ("help-team",), ("org/writers",)),
        ("github", GITIGNORE, "help/a b.md", ("space",), ()),
        ("github", GITIGNORE, "help/deep/x.md", ("deep",), ()),
        ("github", GITIGNORE, "free/x.md", (), ()),
        ("gitlab", SECTIONS, "help/x.md", ("all", "writer"), ("org/law/eu",)),
        ("gitlab", SECTIONS, "help/api/x.txt", ("all", "api"), ()),
        ("gitea", ".*\\.md @docs @org/team\n!help/.* @rest\n[ @broken\n", "help/x.md", ("docs",), ("org/team",)),
        ("gitea", "help @no\n!help/.* @rest\n", "src/x.py", ("rest",), ()),
    ],
)
def test_owners_are_read_as_each_service_reads_them(
    kind: str, text: str, path: str, people: tuple[str, ...], teams: tuple[str, ...]
) -> None:
    """Patterns of `.gitignore`, sections, regular expressions; addresses and roles left out."""
    assert owners(kind, text, [path]) == Owners(people, teams)


ACTING = [
    "@all please",
    "fixes #12, closes team/kb#3 and GH-7",
    "/merge\n/close",
    "  /approve",
    "see !4 and &9",
    "Fixes https://github.com/team/kb/issues/1",
    "<img src=x onerror=alert(1)><!-- hidden -->",
    "```suggestion\nrm\n```",
    "`` a ` b ``",
    "Mfgit-Rejected: forever",
    "Original-Edit: because\nCo-authored-by: x",
    "https://evil.example @x",
    "``` \n/merge\n```\n/close",
    "如何联系＠客服 @客服 #12？",
]
REACTS = re.compile(r"@\w|(?<![\w])#\d|#\d|!\d|&\d|\bGH-\d|://|^[ \t]*/|^[ \t]*[A-Za-z][\w-]*: ", re.MULTILINE)


@pytest.mark.parametrize("words", ACTING)
def test_words_of_conversations_do_nothing(words: str) -> None:
    """In the raw text no service finds anything, and rendered all of it is code."""
    assert not REACTS.search(harmless(words))
    made = record(
        1, title=words, questions=(words,), why=(words,), evidence=(Evidence("r", "2026-11-01", words, "down", (words,)),)
    )
    facts = request.Facts({"help/_forged/x.md": words}, f"+{words}", "mfgit/x")
    text = request.text(made, facts, 65_536)
    html = MarkdownIt("commonmark").render(text)
    outside = re.sub(r"<code.*?</code>", "", html, flags=re.DOTALL)
    assert not re.search(
        r"@|#\d|merge\b(?!,)|alert|suggestion|evil|<!--", outside.replace("Merge, squash", "").replace("without merging", "")
    )
    body = text.rsplit("\n\n", 1)[0]
    assert not re.search(r"@\w|#\d|!\d|&\d|://|^[ \t]*/", body, re.MULTILINE)
    assert text.endswith(f"\n\nMfgit-Proposal: {made.id}\n")


KEPT = "@@ -1,3 +1,4 @@ help/page-3.md UTF-8 ISO-8601 2026-11-01 x86-64 PROJ-12"


def test_what_refers_to_nothing_is_shown_in_code_as_it_is() -> None:
    """Paths and names are there to be copied, and a patch to be read; a title is no code, and trackers look into it."""
    assert within(KEPT) == f"`{KEPT}`"
    assert block(KEPT, 999, "diff") == f"```diff\n{KEPT}\n```"
    assert harmless("UTF-8 page-3 PROJ-12 gh-7") == "UTF\u20118 page-3 PROJ\u201112 gh\u20117"
    assert within("closes GH-7 @@all") == "`closes GH\u20117 @＠all`"


@given(st.text(max_size=200))
def test_code_holds_whatever_it_is_given(words: str) -> None:
    """A span is one span and a block is one block for a reader of Markdown."""
    tokens = MarkdownIt("commonmark").parse(f"- {within(words)} end")
    inline = next((token for token in tokens if token.type == "inline"), None)
    assert inline is not None
    kinds = [child.type for child in inline.children or []]
    assert kinds in (["code_inline", "text"], ["text"])
    blocks = MarkdownIt("commonmark").parse(block(words, 100))
    assert [token.type for token in blocks] == ["fence"]


@pytest.mark.parametrize(("limit", "whole"), [(65_535, True), (6_000, True), (300, False)])
def test_a_text_keeps_to_the_limit(limit: int, whole: bool) -> None:
    """What can be seen elsewhere goes first; the trailer stays."""
    made = record(1, frequency=999, evidence=tuple(Evidence(f"r{n}", "2026-11-01", "x" * 300, "down") for n in range(40)))
    facts = request.Facts({"help/_forged/x.md": "word " * 9000}, "+line\n" * 9000, "mfgit/x", False, "before\n" * 3000)
    text = request.text(made, facts, limit)
    assert len(text) <= limit
    assert text.endswith(f"Mfgit-Proposal: {made.id}\n")
    assert ("and 989 more" in text) == whole


@pytest.mark.parametrize(
    ("lang", "expected"), [("en", "Draft: Answer wanted: How"), ("zh", "Draft: 待回答：How"), ("fr", "Draft: Answer")]
)
def test_a_title_is_in_the_language_of_the_proposal(lang: str, expected: str) -> None:
    """And never longer than the service takes."""
    title = request.title(draft(1, lang=lang, title="How @x " * 90), True, "Draft: ", 200)
    assert title.startswith(expected)
    assert len(title) <= 200
    assert "@" not in title


DESCRIPTION = "@octokit/openapi@23.0.2"
"""GitHub's whole description, as a package of npm."""


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("npm") is None, reason="needs npm, which comes with Node.js")
def test_the_contract_of_github_is_a_part_of_its_description(tmp_path: Path) -> None:
    """Every operation, parameter, field, type, value and answer is there, and nothing that is required is left out."""
    subprocess.run(["npm", "pack", "--silent", "--cache", tmp_path / "cache", DESCRIPTION], cwd=tmp_path, check=True)
    [packed] = tmp_path.glob("*.tgz")
    with tarfile.open(packed) as archive:
        found = archive.extractfile("package/generated/api.github.com.json")
        assert found
        whole = json.loads(found.read())
    contract = json.loads((Path(__file__).parent / "openapi/github.json").read_text("utf-8"))
    for operation in contract["operations"]:
        there = whole["paths"][operation["path"]][operation["method"]]
        where = f"{operation['method']} {operation['path']}"
        names = {resolved(whole, one)["name"]: resolved(whole, one)["schema"] for one in there["parameters"]}
        for name, schema in operation.get("query", {}).items():
            part_of(whole, schema, names[name], f"{where} ?{name}")
        if "body" in operation:
            part_of(
                whole, operation["body"], resolved(whole, there["requestBody"])["content"]["application/json"]["schema"], where
            )
            wanted = resolved(whole, there["requestBody"])["content"]["application/json"]["schema"].get("required", [])
            assert set(wanted) <= set(operation["body"]["required"]), where
        for status, schema in operation["answers"].items():
            answer = resolved(whole, there["responses"][status])
            if schema:
                part_of(whole, schema, answer["content"]["application/json"]["schema"], f"{where} {status}")


def resolved(whole: Any, schema: Any) -> Any:
    """Return what a reference leads to."""
    while "$ref" in schema:
        at = whole
        for name in schema["$ref"].removeprefix("#/").split("/"):
            at = at[name]
        schema = at
    return schema


def part_of(whole: Any, ours: Any, theirs: Any, where: str) -> None:
    """Fail where a schema of ours says something that theirs does not."""
    theirs = resolved(whole, theirs)
    forms = [resolved(whole, one) for one in (*theirs.get("oneOf", ()), *theirs.get("anyOf", ()), *theirs.get("allOf", ()))]
    if "anyOf" in ours:  # an object or null
        ours = ours["anyOf"][0]
    kind = ours["type"][0] if isinstance(ours.get("type"), list) else ours.get("type")
    fit = next(
        (one for one in (theirs, *forms) if one.get("type") == kind and ("properties" in one or "properties" not in ours)), None
    )
    assert fit is not None, f"{where}: no {kind}"
    for name, schema in ours.get("properties", {}).items():
        assert name in fit["properties"], f"{where}: no {name}"
        part_of(whole, schema, fit["properties"][name], f"{where} {name}")
    if "items" in ours:
        part_of(whole, ours["items"], fit["items"], f"{where} []")
    if "enum" in fit:
        assert set(ours.get("enum", ())) <= set(fit["enum"]), where
