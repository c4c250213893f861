"""Only some, everyone and nobody are told apart in both languages; conditions and other things are left alone."""

import pytest

from mfgit.scan.clash import clash
from mfgit.scan.contradictions import contradiction
from mfgit.scan.quantifiers import apart, claims

AGAINST = {
    "only and all": ("Only owners can rename a board.", "All members can rename a board."),
    "only and everyone": ("Only owners may rename a board.", "Everyone may rename a board."),
    "passive": ("A board can be renamed only by owners.", "Anyone can rename a board."),
    "passive at the end": ("A board can be renamed by owners only.", "A board can be renamed by all users."),
    "limited to": ("Renaming boards is limited to owners.", "Any user can rename boards."),
    "everyone and nobody": ("Everyone can rename a board.", "Nobody can rename a board."),
    "any and no": ("Any guest can rename a board.", "No guest can rename a board."),
    "only and nobody": ("Only owners can rename a board.", "No one can rename a board."),
    "after a yes": ("Yes, everyone can rename a board.", "Only owners can rename a board."),
    "zh only and all": ("只有负责人可以重命名看板。", "所有成员都可以重命名看板。"),
    "zh only and anyone": ("仅负责人可重命名看板", "任何人都能重命名看板"),
    "zh only and members each": ("仅限负责人可以重命名看板", "成员均可重命名看板"),
    "zh what first": ("看板只有负责人才能重命名。", "所有用户都可以重命名看板。"),
    "zh everyone and nobody": ("人人都可以重命名看板", "没有人可以重命名看板"),
    "zh all and none": ("所有成员都可以重命名看板", "任何人都不能重命名看板"),
}
BESIDE = {
    "the same": ("Only owners can rename a board.", "A board can be renamed only by owners."),
    "only these and all of these": ("Only owners can rename a board.", "All owners can rename a board."),
    "of one kind": ("Only team members can rename a board.", "All members can rename a board."),
    "another name": ("Only owners can rename a board.", "All maintainers can rename a board."),
    "another thing": ("Only owners can rename a board.", "All members can archive a card."),
    "another verb": ("Only owners can delete a board.", "All members can rename a card."),
    "condition": ("Only owners can rename a board if it is locked.", "All members can rename a board."),
    "place": ("On the free plan, only owners can rename a board.", "All members can rename a board."),
    "question": ("Can only owners rename a board?", "All members can rename a board."),
    "pointing": ("Only owners can do that.", "Everyone can do that."),
    "denied": ("Only owners can not rename a board.", "All members can rename a board."),
    "page says both": ("Everyone can rename boards.", "Only owners can rename boards. All members can rename boards."),
    "amounts": ("Only two columns can be hidden on a board.", "All columns can be shown on a board."),
    "zh only these and all of these": ("只有负责人可以重命名看板", "所有负责人都可以重命名看板"),
    "zh another thing": ("只有负责人可以重命名看板", "所有成员都可以归档卡片"),
    "zh condition": ("看板锁定时，只有负责人可以重命名看板", "所有成员都可以重命名看板"),
    "zh exception": ("除访客外所有成员都可以重命名看板", "只有负责人可以重命名看板"),
    "zh question": ("只有负责人可以重命名看板？", "所有成员都可以重命名看板"),
}


@pytest.mark.parametrize(("one", "other"), AGAINST.values(), ids=AGAINST)
def test_who_may_do_a_thing_stands_against_another_who(one: str, other: str) -> None:
    assert apart(one, other)
    assert apart(other, one)
    assert contradiction(one, other)
    assert clash(f"# A title\n\n{one}", f"# A page\n\nA board holds cards.\n\n{other}")


@pytest.mark.parametrize(("one", "other"), BESIDE.values(), ids=BESIDE)
def test_what_can_both_be_true_is_left_alone(one: str, other: str) -> None:
    assert apart(one, other) is None
    assert apart(other, one) is None


def test_a_claim_quotes_its_sentence() -> None:
    (one,) = claims("A board holds cards. Only owners can rename a board. It has a colour.")
    assert (one.kind, one.who, one.raw) == ("only", "owners", "Only owners can rename a board.")
