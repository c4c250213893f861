"""How rows are shown: as lines while a run goes on, and as the page `docs/reference/benchmarks.md` in the end."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from benchmarks.measure import HIGHER, Row, Spread

HEAD = """\
# Benchmarks

<!-- Written by `make bench`; nothing here is edited by hand. -->

Speed, memory and quality of mfgit beside other programs on the same input, in the same run, on the same machine. `make bench`,
in a checkout, makes it again for yours: it installs the peers (the extra `bench`) in an environment of their own, runs
everything below one after the other, and writes this page anew. The run that wrote it took {minutes:.0f} minutes.
After it, `.venv-bench/bin/python -m benchmarks NAME` runs one part and only prints it; `--quick` runs parts at a size that
shows nothing but that they run.

## How to read it

- **ours** and **peer** are medians, with the least and the greatest of the repetitions behind them. The two take turns, so
  that a noisy minute hits both. Time is CPU time, of a process with all that it starts, unless it says "by the clock".
- **ratio** is ours by the peer's, of each pair of runs: compare it, not the figures, with another machine's. Of `%` and of
  what ends in `/s` more is better, of everything else less.
- **bar** is what mfgit holds itself to, and **✗** marks a row past it. A row without a bar is only shown.
- A *floor* is no rival but the least that the work can take, such as starting Python: nothing can be below it.
- A peer that is not installed is named and not measured.
- All texts are made up by a program, half English and half Chinese, the same at each run. They show speed, and how programs
  compare with each other. They don't show how well any of them does on your pages.
"""


class Part(NamedTuple):
    """One benchmark's name, what it is about (Markdown), its rows, and the seconds that it took."""

    name: str
    about: str
    rows: Sequence[Row]
    seconds: float


def heading() -> str:
    """Return the line above the rows of a run."""
    return f"{'':4} {'what':48} {'against':36} {'ours':>20} {'peer':>20} {'ratio':>20}  {'bar':10} notes"


def line(row: Row) -> str:
    """Return a row for a terminal."""
    mark = "ok" if row.good else "FAIL"
    shown = [plain(each) for each in (row.ours, row.theirs, row.ratio)]
    notes = "; ".join(each for each in (row.unit, row.quality, row.note) if each)
    return f"{mark:4} {row.name:48} {row.peer:36} {shown[0]:>20} {shown[1]:>20} {shown[2]:>20}  {row.bar:10} {notes}"


def plain(found: Spread | None) -> str:
    """Return a median with its range."""
    if not found:
        return "-"
    if found.low == found.high:
        return number(found.median)
    return f"{number(found.median)} [{number(found.low)}-{number(found.high)}]"


def number(value: float) -> str:
    """Return a number with three figures that count."""
    if value == 0 or abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:.2f}" if abs(value) < 10 else f"{value:.1f}"


def page(machine: Mapping[str, str], parts: Sequence[Part], left_out: Sequence[str] = ()) -> str:
    """Return the whole page; `left_out` names what was not run."""
    minutes = sum(part.seconds for part in parts) / 60
    rows = [f"| {name} | {value} |" for name, value in machine.items()]
    told = ["## The machine", "", "| | |", "|---|---|", *rows, ""]
    said = [f"Not part of this run: {', '.join(left_out)}.", ""] if left_out else []
    return "\n".join([HEAD.format(minutes=max(1, minutes)), *told, *summary(parts), *said, *(section(part) for part in parts)])


def summary(parts: Sequence[Part]) -> list[str]:
    """Return what a hurried reader has to know, the bad news too."""
    rows = [row for part in parts for row in part.rows]
    rivals = [row for row in rows if row.ratio and not row.floor]
    behind = [row for row in rivals if loses(row)]
    past = [row for row in rows if not row.good]
    held = sum(1 for row in rows if row.bar)
    found = [
        "## In short",
        "",
        f"{len(rows)} rows. {len(rivals)} compare mfgit with another program, and it is behind in {len(behind)} of them.",
        f"{held} have a bar, and {len(past)} are past it.",
        "",
    ]
    for title, some in (("Past its bar", past), ("Behind", behind)):
        if some:
            found += [f"{title}:", "", *(f"- {told(row)}" for row in some), ""]
    return found


def loses(row: Row) -> bool:
    """Tell whether the other program is more than measuring's noise better: by 5 % of the median ratio."""
    if not row.ratio:
        return False
    return row.ratio.median < 0.95 if row.unit.endswith(HIGHER) else row.ratio.median > 1.05


def told(row: Row) -> str:
    """Return a row as a sentence's part."""
    against = f" against {row.peer}" if row.peer else ""
    by = f", {plain(row.ratio)} times" if row.ratio else f", {plain(row.ours)} {row.unit}".rstrip() if row.ours else ""
    return cell(f"{row.name}{against}{by}{f' ({row.note})' if row.note and not row.ours else ''}")


def section(part: Part) -> str:
    """Return one benchmark's heading, explanation and table."""
    lines = [f"## {part.name}", "", part.about.strip(), "", *table(part.rows), ""]
    return "\n".join([*lines, f"`python -m benchmarks {part.name}`, {part.seconds:.0f} s by the clock.", ""])


def table(rows: Iterable[Row]) -> list[str]:
    """Return rows as a table; a column that no row fills is left out."""
    titles = ("what", "against", "ours", "peer", "ratio", "bar", "quality and notes")
    body = [cells(row) for row in rows]
    kept = [place for place in range(len(titles)) if any(each[place] for each in body)]
    lines = [titles, tuple("---" for _ in titles), *body]
    return ["| " + " | ".join(each[place] for place in kept) + " |" for each in lines]


def cells(row: Row) -> tuple[str, ...]:
    """Return the cells of a row."""
    figures = [f"{cell(plain(each))} {row.unit}".strip() if each else "" for each in (row.ours, row.theirs)]
    ratio = cell(plain(row.ratio)) if row.ratio else ""
    bar = f"{row.bar}{'' if row.good else ' ✗'}".strip()
    against = f"{row.peer} (floor)" if row.floor and row.peer else row.peer
    notes = "; ".join(each for each in (row.quality, row.note) if each)
    return (cell(row.name), cell(against), *figures, ratio, cell(bar), cell(notes))


def cell(text: str) -> str:
    """Return a text that ends no cell and starts no markup."""
    return " ".join(text.split()).replace("|", "\\|").replace("<", "&lt;").replace(">", "&gt;").replace("[", "\\[")


def write(path: Path, text: str) -> None:
    """Put a page in place of the last one, whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_suffix(".new")
    new.write_text(text, "utf-8")
    new.replace(path)
