"""`scan --calibrate`: what became of each rule's proposals, with Wilson intervals, as every clone tells it."""

import json
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mfgit.model import Known, schema_folder
from mfgit.scan.calibrate import calibrate, lines, rule_of, to_json, wilson
from mfgit.sections import ScanConfig
from tests.builders import Workbench
from tests.records import record
from tests.test_scan_command import EN, ZH, archive, line

INTERVALS = [
    ((0, 0), (0.0, 1.0)),
    ((0, 10), (0.0, 0.2775)),
    ((10, 10), (0.7225, 1.0)),
    ((8, 10), (0.4902, 0.9433)),
    ((1, 2), (0.0945, 0.9055)),
]


@pytest.mark.parametrize(("counts", "interval"), INTERVALS)
def test_an_interval_is_the_one_of_the_tables(counts: tuple[int, int], interval: tuple[float, float]) -> None:
    assert wilson(*counts) == pytest.approx(interval, abs=1e-4)


@given(st.integers(1, 10_000).flatmap(lambda of: st.tuples(st.integers(0, of), st.just(of))))
def test_an_interval_holds_its_share_and_stays_between_0_and_1(counts: tuple[int, int]) -> None:
    low, high = wilson(*counts)
    assert 0 <= low <= counts[0] / counts[1] + 1e-12
    assert counts[0] / counts[1] - 1e-12 <= high <= 1


def known(number: int, rule: int, status: str) -> Known:
    kinds = {1: "index", 2: "supplement", 4: "skill", 5: "verified_answer", 7: "supplement"}
    kind = kinds.get(rule, "supplement")
    why = ("Asked 3 times.", f"{kind}, by rule {rule}: because.") if rule else ("A correction.",)
    return Known(f"{number:016x}", status, record(number, action_type=kind, why=why))


def rows(*given: tuple[int, str]) -> dict[int, Any]:
    found = calibrate([known(number, *each) for number, each in enumerate(given)], ScanConfig(found_share=0.6))
    return {row.rule: row for row in found}


def test_each_rule_counts_its_own_decisions() -> None:
    found = rows((1, "adopted"), (1, "adopted"), (1, "rejected"), (5, "undone"), (7, "open"), (7, "stale"), (2, "closed"))
    assert sorted(found) == [1, 2, 3, 4, 5, 6, 7]
    assert (found[1].adopted, found[1].rejected, found[1].decided) == (2, 1, 3)
    assert found[1].share == pytest.approx(2 / 3)
    assert (found[5].undone, found[5].share) == (1, 0.0)
    assert (found[7].open, found[7].share) == (2, None)
    assert (found[2].closed, found[2].decided) == (1, 0)


def test_what_no_rule_made_has_a_row_of_its_own() -> None:
    assert rows((0, "adopted"))[0].adopted == 1
    assert rule_of(record(1, why=("index, by rule 12: no such",))) == 0


def test_the_table_names_the_settings_and_says_that_nothing_was_changed() -> None:
    told = lines(calibrate([known(1, 1, "adopted"), known(2, 1, "rejected")], ScanConfig(found_share=0.6)))
    assert any(line.endswith("50 % of 2 (9 to 91 %)") for line in told)
    assert any("found_share = 0.6" in line for line in told)
    assert any("proposes nothing" in line for line in told)
    assert told[-1].startswith("Nothing was changed")


def test_the_json_is_what_its_schema_says() -> None:
    schema = json.loads((schema_folder() / "calibration.schema.json").read_text("utf-8"))
    jsonschema.validate(to_json(calibrate([known(1, 1, "adopted"), known(2, 0, "open")], ScanConfig())), schema)


def test_another_clone_tells_the_same_and_nothing_is_written(bench: Workbench) -> None:
    archive(
        bench,
        *(line(number, text, rating="up") for number, text in enumerate(EN)),
        *(line(10 + number, text, "抱歉，我无法回答。", rating="down") for number, text in enumerate(ZH)),
    )
    found = {one["title"]: one["id"] for one in bench.mfgit("scan", "--json").json()["proposals"]}
    assert bench.mfgit("adopt", found["How do I cancel an order?"]).code == 0
    assert bench.mfgit("reject", found["怎么取消订单？"], "--reason", "known").code == 0
    refs = bench.git("for-each-ref")
    report = bench.mfgit("scan", "--calibrate", "--json").json()
    assert [(row["rule"], row["adopted"], row["rejected"]) for row in report["rules"] if row["decided"]] == [
        (5, 1, 0),
        (7, 0, 1),
    ]
    assert bench.git("for-each-ref") == refs
    other = bench.path.parent / "other"
    bench.git("clone", "-q", ".", str(other))
    bench.git("-C", str(other), "fetch", "-q", "origin", "refs/mfgit/*:refs/mfgit/*")
    assert bench.mfgit("scan", "--calibrate", "--json", cwd=other).json() == report


def test_it_takes_no_window(bench: Workbench) -> None:
    ran = bench.mfgit("scan", "--calibrate", "--days", "3")
    assert (ran.code, "of any time" in ran.err) == (2, True)
    assert "nothing decided yet" in bench.mfgit("scan", "--calibrate").out
