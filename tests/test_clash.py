"""Answers that say the opposite of a page, and those that only differ; at review and at adopt. The cases are our own."""

import pytest

from mfgit.model import Source
from mfgit.project.deciding import write_proposals
from mfgit.scan.clash import clash
from tests.builders import Workbench
from tests.records import draft, identity, record
from tests.scanning import inputs, scan, turns
from tests.test_repo import open_project

PAGE = "An invoice can be changed within 30 days after it was issued. Digital invoices are sent by e-mail."
PAGE_ZH = "发票开出后三十天内可以修改抬头。电子发票会发送到注册邮箱。企业账户支持批量导出订单。"
AGAINST = {
    "number": ("An invoice can be changed within 14 days after it was issued.", PAGE),
    "negation": ("Digital invoices are not sent by e-mail.", PAGE),
    "opposite": ("Choose to enable automatic backups on the server.", "Choose to disable automatic backups on the server."),
    "Chinese number": ("发票开出后十四天内可以修改抬头。", PAGE_ZH),
    "Chinese negation": ("电子发票不会发送到注册邮箱。", PAGE_ZH),
    "Chinese opposite": ("企业账户不支持批量导出订单。", PAGE_ZH),
}
BESIDE = {
    "same": (PAGE, PAGE),
    "other words": ("You may change an invoice up to 30 days after we issued it.", PAGE),
    "condition": ("If backups do not run every night, restart the service.", PAGE),
    "another thing": ("A quote can be changed within 14 days after it was sent to the customer.", PAGE),
    "more": ("An invoice can be changed within 30 days after it was issued. Refunds take 5 days.", PAGE),
    "no ways": ("No, digital invoices are sent by e-mail.", PAGE),
    "page says both": (
        "Mail takes 3 days to the islands.",
        "Mail takes 3 days to the islands.\n\nMail takes 5 days to the mountains.",
    ),
    "code": ("```\nretries = 3 for the upload of files\n```", "```\nretries = 5 for the upload of files\n```"),
    "heading that asks": (
        "# Why might the sync tool stop using my saved proxy",
        "The sync tool might not be using my saved proxy.",
    ),
    "question": ("Does the sync tool use the saved proxy? Open it and see.", "The sync tool does not use the saved proxy."),
    "heading of what goes wrong": ("# Unable to add the folder of the sync tool", "The folder of the sync tool add."),
    "command": ("sync-tool -h localhost -p 8123 -u anna -d store", "sync-tool -h localhost -p 8124 -u anna -d store"),
    "not properly": ("The backup server was not properly shut down.", "The backup server was shut down."),
    "Chinese heading that asks": ("# 电子发票会不会发送到注册邮箱", PAGE_ZH),
    "Chinese question": ("电子发票不会发送到注册邮箱吗？请打开订单页查看。", PAGE_ZH),
    "Chinese not properly": ("电子发票未正确发送到注册邮箱。", PAGE_ZH),
    "Chinese same": ("电子发票会发送到注册邮箱。", PAGE_ZH),
    "Chinese condition": ("如果电子发票没有发送到注册邮箱，请联系客服。", PAGE_ZH),
    "Chinese other": ("合同签订后十四天内可以取消预约。", PAGE_ZH),
}


@pytest.mark.parametrize(("answer", "page"), AGAINST.values(), ids=AGAINST)
def test_opposites_are_found(answer: str, page: str) -> None:
    assert clash(answer, page)


@pytest.mark.parametrize(("answer", "page"), BESIDE.values(), ids=BESIDE)
def test_what_only_differs_is_none(answer: str, page: str) -> None:
    assert clash(answer, page) is None


@pytest.mark.parametrize(
    ("question", "answered"),
    [("Can I change an invoice?", True), ("Can I cancel a plan?", False), ("Can I not change an invoice?", False)],
)
def test_yes_and_no_count_where_the_question_is_the_pages_own(question: str, answered: bool) -> None:
    found = clash("Yes, open it.", "No. Ask for a new one.", question, "Can I change an invoice?")
    assert bool(found) is answered


@pytest.mark.parametrize(
    ("page", "answer", "question", "quoted"),
    [
        (
            PAGE,
            "An invoice can be changed within 14 days after it was issued.",
            "Until when can I change an invoice?",
            "14 / 30",
        ),
        (PAGE_ZH, "发票开出后十四天内可以修改抬头。", "发票抬头多久内能修改？", "14 / 30"),
    ],
    ids=["English", "Chinese"],
)
def test_a_scan_leaves_to_a_person_what_contradicts_an_original(page: str, answer: str, question: str, quoted: str) -> None:
    (one,) = scan(inputs(turns(*[(question, answer, "up")] * 4), {"help/a.md": page})).proposals
    assert one.record.action_type == "supplement"
    assert "help/a.md" in one.record.why[-1]
    assert quoted in one.record.why[-1]


@pytest.fixture
def contradicting(bench: Workbench) -> Workbench:
    """A repository whose page says thirty days, and a proposal that says fourteen."""
    blob = bench.git("rev-parse", "main:help/发票.md")
    one = record(
        1, lang="zh", suggestion="发票开出后十四天内，可以在订单页修改一次发票抬头。", based_on=(Source("help/发票.md", blob),)
    )
    write_proposals(
        open_project(bench),
        [
            one,
            record(2, suggestion="The colour of page headings follows the theme."),
            record(3, suggestion="Open the menu and choose 3."),
            draft(4),
        ],
    )
    return bench


def test_a_contradiction_is_shown_refused_and_adopted_by_saying_so(contradicting: Workbench) -> None:
    shown = contradicting.mfgit("show", identity(1))
    assert "contradicts: help/发票.md says otherwise (14 / 30)" in shown.out
    before = contradicting.git("rev-parse", "main")
    ran = contradicting.mfgit("adopt", identity(1))
    assert ran.code == 1
    assert f"mfgit adopt {identity(1)} --despite-contradiction" in ran.err
    assert contradicting.git("rev-parse", "main") == before
    assert contradicting.mfgit("adopt", identity(1), identity(2), "--despite-contradiction").code == 2
    assert contradicting.mfgit("adopt", identity(1), "--despite-contradiction").code == 0


def test_an_answer_against_an_adopted_one_is_refused(contradicting: Workbench) -> None:
    project = open_project(contradicting)
    other = record(
        5,
        title="How do I change setting 2 now?",
        questions=(),
        suggestion="The colour of page headings never follows the theme.",
    )
    write_proposals(project, [other])
    project.adopt(identity(2))
    assert project.show(identity(5)).contradictions
    assert contradicting.mfgit("adopt", identity(5)).code == 1
    assert contradicting.mfgit("adopt", identity(3)).code == 0


def rewritten(bench: Workbench, place: int, was: str, now: str) -> None:
    """Have a person change a proposal's text on its branch."""
    desk = bench.path.parent / f"desk-{place}"
    bench.git("worktree", "add", "-q", str(desk), f"mfgit/{identity(place)}")
    (page,) = desk.glob(f"help/_forged/**/*{identity(place)}*.md")
    text = page.read_text(encoding="utf-8")
    assert was in text
    page.write_text(text.replace(was, now), encoding="utf-8")
    bench.git("-C", str(desk), "commit", "-qam", "Say it right")
    bench.git("worktree", "remove", "--force", str(desk))


@pytest.mark.parametrize("as_json", [False, True])
def test_what_a_person_wrote_is_adopted_with_a_warning_that_names_both_sides(contradicting: Workbench, as_json: bool) -> None:
    rewritten(contradicting, 1, "发票开出后十四天内", "发票开出后二十天内")
    ran = contradicting.mfgit("adopt", identity(1), *(["--json"] if as_json else []))
    assert ran.code == 0
    assert "warning" in ran.err
    assert "20 / 30" in ran.err
    assert "发票开出后二十天内" in ran.err
    assert "help/发票.md" in ran.err
    if as_json:
        assert len(ran.json()[0]["warnings"]) == 1


def test_what_a_person_left_as_the_machine_wrote_it_is_refused(contradicting: Workbench) -> None:
    rewritten(contradicting, 1, "可以在订单页修改一次发票抬头。", "可以在订单页修改一次发票抬头。\n\n请先登录。")
    assert contradicting.mfgit("adopt", identity(1)).code == 1
    assert contradicting.mfgit("adopt", identity(1), "--despite-contradiction").code == 0
