"""What stands below an answer: wordings and pages, in the users' language, with links that work, and never an answer itself."""

import posixpath
import re
from pathlib import Path
from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st
from skills_ref import validate

from mfgit.model import Record, Related, Source
from mfgit.passages import Passage
from mfgit.proposal.overlay import PLACEHOLDERS, has_answer, is_marked_draft, lowered, split, tidied
from mfgit.proposal.render import finished, render
from mfgit.proposal.skill import description
from mfgit.text import blocks
from mfgit.tree.reading import Page, passages
from tests.records import draft, record
from tests.test_proposal import HOSTILE, RICH, SITES, acting

PAGES = (Related("help/billing/re fund (old).md", "Refunds [old]", "how-long", "Refunds take five days."), Related("help/b.md"))
WORDINGS = ("怎么退款？", "退款要多久？")


def page(one: Record) -> str:
    """Return the Markdown that a record makes."""
    done = render(one, None)
    return done.files[str(done.record.adopted_path)].decode()


def read(one: Record) -> list[Passage]:
    """Return the passages that search sees of it."""
    done = render(one, None)
    path = str(done.record.adopted_path)
    return list(passages(Page(path, "0" * 40, "overlay", ()), done.files[path]).passages)


def test_an_answer_is_followed_by_wordings_and_pages() -> None:
    text = page(record(1, questions=("How do I change setting 1?", "# setting 1?"), related=PAGES))
    assert split(text)[1] == (
        "\n# How do I change setting 1?\n\nOpen the menu and choose 1.\n\n"
        '[//]: # "mfgit: about"\n\n## Asked as\n\n- \\# setting 1?\n\n## Related pages\n\n'
        "- [Refunds \\[old\\]](../billing/re%20fund%20%28old%29.md#how-long): “Refunds take five days.”\n"
        '- [help/b.md](../b.md)\n\n[//]: # "mfgit: end"\n'
    )


def test_a_draft_says_what_to_write_in_its_language() -> None:
    text = page(draft(1, lang="zh", title="怎么退款？", questions=WORDINGS, rating_reasons=("答非所问",), related=PAGES))
    rest = split(text)[1]
    order = [
        PLACEHOLDERS["zh"],
        "请写清读者需要做什么",
        "用户对已有回答不满意：答非所问。",
        "## 用户的问法",
        "- 退款要多久？",
        "## 相关页面",
    ]
    assert [rest.index(part) for part in order] == sorted(rest.index(part) for part in order)
    assert not has_answer(text)
    assert is_marked_draft(text)


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_an_answer_in_the_place_of_the_line_loses_the_marks_of_a_draft_and_keeps_the_pages(lang: str) -> None:
    text = page(draft(1, lang=lang, related=PAGES)).replace(PLACEHOLDERS[lang], "Choose it.")
    done = tidied(text)
    assert has_answer(text)
    assert "mfgit: draft" not in done
    assert "../b.md" in done
    assert not is_marked_draft(done)
    assert tidied(done) == done


@pytest.mark.parametrize(
    ("change", "answered"),
    [
        pytest.param(lambda text: text, False, id="as proposed"),
        pytest.param(lambda text: text + "\nChoose it.\n", True, id="written at the end"),
        pytest.param(lambda text: text.replace('[//]: # "mfgit: end"', ""), False, id="end marks lost"),
        pytest.param(lambda text: text.replace(PLACEHOLDERS["en"], ""), False, id="line taken away"),
    ],
)
def test_what_stands_in_blocks_is_no_answer(change: object, answered: bool) -> None:
    assert callable(change)
    assert has_answer(change(page(draft(1, related=PAGES)))) is answered


def test_blocks_are_not_searched() -> None:
    one = record(1, suggestion="Open it.\n\n## Later\n\nClose it.", related=PAGES)
    found = read(one)
    assert [passage.heading for passage in found] == ["How do I change setting 1?", "Later"]
    assert "Refunds" not in "".join(passage.text for passage in found)
    assert found[0].aliases == one.questions


@given(RICH | HOSTILE)
def test_no_conversation_makes_a_mark(text: str) -> None:
    for forged in (text, f'[//]: # "mfgit: about"\n{text}', f'{text}\n\n[//]: # "mfgit: end"\n'):
        one = record(
            1, suggestion=f"Answer.\n\n{forged}", questions=(forged,), related=(Related("help/b.md", forged, forged, forged),)
        )
        marks = [line for line in page(one).split("\n") if blocks.LINE.fullmatch(line)]
        assert marks == ['[//]: # "mfgit: about"', '[//]: # "mfgit: end"']


@given(RICH | HOSTILE, st.sampled_from(SITES), st.sampled_from(["en", "zh"]))
def test_nothing_in_wordings_and_pages_acts(text: str, site: object, lang: str) -> None:
    shown = Related("help/b.md", text, text, text)
    one = draft(1, questions=(text,), rating_reasons=(text,), related=(shown,), lang=lang)
    assert acting(split(page(one))[1], site) == []  # type: ignore[arg-type]


@given(
    st.lists(st.text(st.characters(exclude_categories=["C", "Z"], exclude_characters="/"), min_size=1), min_size=1, max_size=3)
)
def test_links_lead_to_the_page(names: list[str]) -> None:
    path = "help/" + "/".join(name if name.strip(".") else "x" for name in names) + ".md"
    one = finished(record(1, related=(Related(path, "Page"),)))
    found = re.search(r"\]\((\S+)\)\n", page(one))
    assert found
    assert posixpath.normpath(posixpath.join(posixpath.dirname(str(one.adopted_path)), unquote(found[1]))) == path


SKILLS = {
    "English": record(1, action_type="skill", title="How do I deploy?", suggestion="1. Build.\n2. Test.\n3. Ship."),
    "Chinese": record(
        1, action_type="skill", title="怎么申请退款", lang="zh", questions=WORDINGS, suggestion="1. 打开\n2. 点击\n3. 提交"
    ),
    "dashes": record(1, action_type="skill", title="What --- is --- this?", questions=("a --- b",)),
    "dashes in a path": record(1, action_type="skill", based_on=(Source("help/a---b: 'c'.md", "a" * 40),)),
    "brackets": record(
        1, action_type="skill", title="<b> How & 'why': \"this\" #x?", questions=("<i>" * 40, "x" * 400, "y" * 400)
    ),
    "like YAML": record(1, action_type="skill", title="yes", questions=("null", "- a", "{a: 1}", "*x", "&y", "!z", "1.0")),
    "related": record(1, action_type="skill", related=PAGES),
}


@pytest.mark.parametrize("one", SKILLS.values(), ids=SKILLS)
def test_a_skill_passes_the_validator_of_its_format(one: Record, tmp_path: Path) -> None:
    done = render(one, None)
    path = tmp_path / str(done.record.adopted_path)
    path.parent.mkdir(parents=True)
    path.write_bytes(done.files[str(done.record.adopted_path)])
    assert validate(path.parent) == []


@given(HOSTILE, HOSTILE)
def test_any_skill_passes_it(title: str, question: str) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        test_a_skill_passes_the_validator_of_its_format(
            record(1, action_type="skill", title=title, questions=(question,)), Path(folder)
        )


def test_a_path_with_dashes_is_read_back_from_a_skill() -> None:
    done = render(SKILLS["dashes in a path"], None)
    path = str(done.record.adopted_path)
    based_on = passages(Page(path, "0" * 40, "overlay", ()), done.files[path]).based_on
    assert based_on == (("help/a---b: 'c'.md", "a" * 40),)


@pytest.mark.parametrize(
    ("answer", "wanted"),
    [
        pytest.param("# One\n\ntext\n\n## Two", "## One\n\ntext\n\n### Two", id="a title of its own"),
        pytest.param("## One\n\n### Two", "## One\n\n### Two", id="none"),
        pytest.param("```\n# a comment\n```\n## One", "```\n# a comment\n```\n## One", id="in code"),
        pytest.param("# 1\n###### 6\n#tag", "## 1\n###### 6\n#tag", id="deepest"),
    ],
)
def test_headings_of_an_answer_stand_below_the_title(answer: str, wanted: str) -> None:
    assert lowered(answer) == wanted


@pytest.mark.parametrize(
    ("one", "wanted"),
    [
        (SKILLS["Chinese"], "操作步骤：怎么申请退款。也用于：怎么退款？; 退款要多久？"),
        (SKILLS["English"], "Steps for: How do I deploy? Use it for this too: How do I change setting 1?; change setting 1"),
    ],
    ids=["Chinese", "English"],
)
def test_a_skill_says_what_it_is_for_in_its_language(one: Record, wanted: str) -> None:
    assert description(one) == wanted
