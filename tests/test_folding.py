"""Near-duplicates are shown once; contradictions are marked."""

from pathlib import Path

import pytest

from mfgit.answer.folding import fold
from mfgit.passages import Passage
from mfgit.project import Project
from tests.builders import Workbench
from tests.searching import ID, blob, overlay

EN = "Open the sign-in page, choose Forgot password and follow the link in the message; it is valid for {} hours on any device."
ZH = "打开登录页面，选择忘记密码，然后按照邮件里的链接操作，链接在{}小时之内有效，所有设备都适用。"


def passage(text: str, kind: str = "original") -> Passage:
    return Passage("a.md", "A", "A", (), (1, 3), f"# A\n\n{text}", kind, "1" * 40)


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        pytest.param(EN.format(24), EN.format(24), True, id="en"),
        pytest.param(ZH.format(24), ZH.format(24), True, id="zh"),
        pytest.param(EN.format(24), EN.format(24).upper(), True, id="case"),
        pytest.param(ZH.format(24), ZH.format(24).replace("，", ", "), True, id="punctuation"),
        pytest.param(EN.format(24), EN.format(48), False, id="en-other-number"),
        pytest.param(ZH.format(24), ZH.format(48), False, id="zh-other-number"),
        pytest.param(EN.format(24), EN.format(24).replace("is valid", "is not valid"), False, id="en-denied"),
        pytest.param(ZH.format(24), ZH.format(24).replace("有效", "无效没用"), False, id="zh-denied"),
        pytest.param(EN.format(24), EN.format(24).replace("sign-in", "sign-out"), False, id="en-opposite-word"),
        pytest.param("Yes it is.", "Yes it is.", False, id="too-short"),
    ],
)
def test_what_says_the_same_is_folded(first: str, second: str, same: bool) -> None:
    assert fold([passage(first), passage(second)]) == ([[0, 1]] if same else [[0], [1]])


@pytest.mark.parametrize("text", [EN, ZH])
def test_an_overlay_is_never_folded(text: str) -> None:
    said = text.format(24)
    assert fold([passage(said, "overlay"), passage(said), passage(said, "overlay")]) == [[0], [1], [2]]
    assert fold([passage(said), passage(said, "overlay"), passage(said)]) == [[0, 2], [1]]


@pytest.mark.parametrize(("text", "question"), [(EN, "forgot password link"), (ZH, "忘记密码的链接")])
def test_a_search_names_what_it_folds_and_fills_the_places(tmp_path: Path, text: str, question: str) -> None:
    said = text.format(24)
    files = {f"{name}.md": f"# Page {name}\n\n{said}\n" for name in "abc"}
    kb = Workbench.make(tmp_path / "kb", {**files, "z.md": f"# Page z\n\n{text.format(72)}\n"})
    first, second = Project.open(kb.path).search(question, limit=2).hits
    assert [p.path for p in (first.passage, *first.folded)] == ["a.md", "b.md", "c.md"]
    assert second.passage.path == "z.md"
    assert "Nearly the same: b.md:1, c.md:1" in kb.mfgit("search", question).out


@pytest.mark.parametrize(
    ("original", "title", "answer", "question", "mark"),
    [
        pytest.param(
            "# Backups\n\nNightly backups are kept for 30 days in the vault.\n",
            "How long are nightly backups kept?",
            "Nightly backups are kept for 90 days in the vault.",
            "how long are nightly backups kept",
            "It contradicts help/a.md (90 / 30).",
            id="en-number",
        ),
        pytest.param(
            "# 备份\n\n夜间备份在保险库中保留 30 天。\n",
            "夜间备份保留多久？",
            "夜间备份在保险库中保留 90 天。",
            "夜间备份保留多久",
            "它与 help/a.md 的说法矛盾（90 / 30）。",
            id="zh-number",
        ),
        pytest.param(
            "# Invoices\n\nA paid invoice can be edited by the owner of the account.\n",
            "Can a paid invoice be edited?",
            "A paid invoice cannot be edited by the owner of the account.",
            "can a paid invoice be edited",
            "It contradicts help/a.md (said and denied).",
            id="en-denied",
        ),
        pytest.param(
            "# 发票\n\n已付款的发票支持所有者在后台修改抬头。\n",
            "已付款的发票可以修改抬头吗？",
            "已付款的发票不支持所有者在后台修改抬头。",
            "已付款的发票修改抬头",
            "它与 help/a.md 的说法矛盾（一处肯定，一处否定）。",
            id="zh-denied",
        ),
    ],
)
def test_an_overlay_that_contradicts_an_original_stands_below_it_and_says_so(
    tmp_path: Path, original: str, title: str, answer: str, question: str, mark: str
) -> None:
    kb = Workbench.make(tmp_path / "kb", {"help/a.md": original})
    kb.write(overlay(ID, title, answer, [blob(kb, "help/a.md")], "zh" if "\u4e00" <= title[0] <= "\u9fff" else "en"))
    kb.commit("overlay")
    first, second = Project.open(kb.path).search(question).hits
    assert (first.passage.path, first.mark, first.contradicts) == ("help/a.md", None, ())
    assert second.mark is not None
    assert second.mark.endswith(mark)
    assert [other.path for other in second.contradicts] == ["help/a.md"]


def test_an_overlay_that_agrees_is_not_said_to_contradict(tmp_path: Path) -> None:
    kb = Workbench.make(tmp_path / "kb", {"help/a.md": "# Backups\n\nNightly backups are kept for 30 days.\n"})
    kb.write(overlay(ID, "How long are backups kept?", "Nightly backups are kept for 30 days.", [blob(kb, "help/a.md")]))
    kb.commit("overlay")
    assert all(not hit.contradicts for hit in Project.open(kb.path).search("how long are backups kept").hits)
