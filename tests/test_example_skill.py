"""The skill keeps the rules of Agent Skills, and what it names is there. Its commands run with those of the documentation."""

import re

from skills_ref import read_properties, validate

from mfgit.mcp import tools
from tests.examples import EXAMPLES

SKILL = EXAMPLES / "openclaw-skill/mfgit"


def test_the_skill_is_valid_and_says_in_both_languages_when_to_use_it() -> None:
    assert validate(SKILL) == []
    said = read_properties(SKILL).description
    assert "Use it for" in said
    assert "时使用" in said


def test_the_tools_that_it_names_are_those_of_the_server() -> None:
    text = (SKILL / "SKILL.md").read_text("utf-8")
    named = {name for group in re.findall(r"\[((?:`\w+`(?:, )?)+)\]", text) for name in re.findall(r"\w+", group)}
    assert len(named) == 6
    assert named <= set(vars(tools.Tools))
