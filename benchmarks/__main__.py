"""`make bench`: run every benchmark, print its rows and write `docs/reference/benchmarks.md`.

`python -m benchmarks NAME…` runs some and prints them; `--quick` runs them at a tiny size; `--rounds N` says how often `kills`
kills.
"""

import argparse
import functools
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

from benchmarks import (
    append,
    archive,
    branches,
    clusters,
    guard,
    index,
    kills,
    load,
    machine,
    page,
    redact,
    scale,
    scan,
    search,
)
from benchmarks.measure import Row

MODULES: tuple[ModuleType, ...] = (search, index, archive, scan, clusters, redact, guard, branches, append, load, scale, kills)
"""In the order of the page. Each has `measure(work, size)`, sizes `FULL` and `QUICK`, and a docstring for the page."""


def main(arguments: list[str]) -> int:
    """Print the rows; return 1 when one is past its bar or a benchmark broke, 2 for an unknown name; `--quick` knows no bar."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks")
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--rounds", type=int, default=kills.FULL)
    parser.add_argument("--quick", action="store_true", help="at a tiny size: shows that it runs, and nothing else")
    parser.add_argument("--write", type=Path, metavar="FILE", help="write the page")
    options = parser.parse_args(arguments)
    every = {module.__name__.rpartition(".")[2]: module for module in MODULES}
    if unknown := [name for name in options.names if name not in every]:
        print(f"There is no benchmark {unknown[0]}; there are {', '.join(every)}.", file=sys.stderr)
        return 2
    known = machine.described()
    print("\n".join(f"{name}: {value}" for name, value in known.items()), f"\n{page.heading()}", sep="\n", flush=True)
    parts = []
    for name in options.names or every:
        module = every[name]
        size = module.QUICK if options.quick else options.rounds if module is kills else module.FULL
        parts.append(ran(name, module.__doc__ or "", functools.partial(module.measure, size=size)))
    if options.write:
        left_out = [name for name in every if options.names and name not in options.names]
        page.write(options.write, page.page(known, parts, left_out))
    return int(not all(row.good or (options.quick and row.ours) for part in parts for row in part.rows))


def ran(name: str, about: str, measure: Callable[[Path], list[Row]]) -> page.Part:
    """Run one benchmark in a folder of its own and print its rows; one that breaks is told, and the others go on."""
    begun = time.perf_counter()
    with tempfile.TemporaryDirectory(prefix="mfgit-bench-") as folder:
        try:
            rows = measure(Path(folder))
        except Exception as error:
            rows = [Row(name, "", "", good=False, note=f"broke: {type(error).__name__}: {str(error)[:300]}")]
    for row in rows:
        print(page.line(row), flush=True)
    return page.Part(name, about, rows, time.perf_counter() - begun)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
