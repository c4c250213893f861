"""Pages that exist in several languages: the reader's first."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mfgit.answer import twins
from tests.builders import Workbench
from tests.searching import paths

ENGLISH = "# BackgroundTasks\n\nUse BackgroundTasks with add_task to send mail.\n"
PATHS = ("en/a.md", "zh/a.md", "a.md", "ja/a.md", "en/b.md", "b.zh-CN.md")
CHINESE = "# BackgroundTasks 后台任务\n\n用 BackgroundTasks 的 add_task 发送邮件，更多内容见别处，这里不再多写。\n"


@pytest.mark.parametrize(
    ("path", "page", "lang"),
    [
        ("docs/en/a.md", "docs/a.md", "en"),
        ("docs/zh/a.md", "docs/a.md", "zh"),
        ("docs/zh-CN/a.md", "docs/a.md", "zh"),
        ("docs/zh-Hans-CN/a.md", "docs/a.md", "zh"),
        ("docs/a.md", "docs/a.md", ""),
        ("README.zh-CN.md", "README.md", "zh"),
        ("README_CN.md", "README.md", "zh"),
        ("readme-en.mdx", "readme.mdx", "en"),
        ("i18n/pt-BR/a.md", "i18n/a.md", "pt"),
        ("ja/a.md", "a.md", "ja"),
        ("docs/open-source.md", "docs/open-source.md", ""),
        ("zen/a.md", "zen/a.md", ""),
        ("a", "a", ""),
    ],
)
def test_a_path_is_a_page_in_a_language(path: str, page: str, lang: str) -> None:
    found = twins.version(path)
    assert (found.page.strip("."), found.lang) == (page, lang)


@pytest.mark.parametrize(
    ("lang", "found", "ordered"),
    [
        pytest.param("zh", "en/a zh/a en/b", "zh/a en/a en/b", id="zh"),
        pytest.param("en", "zh/a c en/a", "en/a zh/a c", id="en"),
        pytest.param("zh", "a c zh/a", "zh/a a c", id="the-unmarked-is-the-other-language"),
        pytest.param("en", "zh/a c a", "a zh/a c", id="the-unmarked-stands-for-the-reader-s"),
        pytest.param("zh", "ja/a en/a", "ja/a en/a", id="no-version-for-the-reader"),
        pytest.param("en", "zh/a en/b", "zh/a en/b", id="other-pages-stay"),
        pytest.param("en", "zh/a zh/a en/a en/a", "en/a zh/a en/a zh/a", id="sections-one-by-one"),
    ],
)
def test_the_reader_s_language_comes_first_where_a_page_has_it(lang: str, found: str, ordered: str) -> None:
    assert twins.prefer(found.split(), lambda path: f"{path}.md", lang) == ordered.split()


@given(st.lists(st.sampled_from(PATHS)), st.sampled_from(["en", "zh"]))
def test_nothing_is_lost_and_the_sections_of_a_page_keep_their_order(found: list[str], lang: str) -> None:
    numbered = list(enumerate(found))
    ordered = twins.prefer(numbered, lambda item: item[1], lang)
    assert sorted(ordered) == numbered
    for path in PATHS:
        own = [item for item in ordered if item[1] == path]
        assert own == sorted(own)


@pytest.mark.parametrize(
    ("english", "chinese"),
    [("docs/en/tasks.md", "docs/zh/tasks.md"), ("docs/tasks.md", "docs/zh/tasks.md"), ("tasks.md", "tasks.zh-CN.md")],
)
def test_a_question_finds_the_page_of_its_language(tmp_path: Path, english: str, chinese: str) -> None:
    files = {english: ENGLISH, chinese: CHINESE, "other.md": "# Other\n\nNothing about it.\n"}
    kb = Workbench.make(tmp_path / "kb", files)
    assert paths(kb, "BackgroundTasks add_task 怎么用")[0] == chinese
    assert paths(kb, "How to use BackgroundTasks add_task")[0] == english
