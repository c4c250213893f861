"""`make bench`: run every benchmark and print one table of ratios; `python -m benchmarks NAME…` runs some of them.

`--rounds N` says how often `kills` kills.
"""

import argparse
import functools
import platform
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from benchmarks import append, archive, branches, guard, index, kills, load, redact, scan, search
from benchmarks.measure import Row

ALL: dict[str, Callable[[Path], list[Row]]] = {
    "append": append.measure,
    "redact": redact.measure,
    "branches": branches.measure,
    "guard": guard.measure,
    "search": search.measure,
    "index": index.measure,
    "archive": archive.measure,
    "scan": scan.measure,
    "load": load.measure,
    "kills": kills.measure,
}


def main(arguments: list[str]) -> int:
    """Print the table; return 1 when a ratio is past its limit, 2 for an unknown name."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks")
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--rounds", type=int, default=kills.ROUNDS)
    options = parser.parse_args(arguments)
    names: list[str] = options.names
    every = ALL | {"kills": functools.partial(kills.measure, rounds=options.rounds)}
    if unknown := [name for name in names if name not in ALL]:
        print(f"There is no benchmark {unknown[0]}; there are {', '.join(ALL)}.", file=sys.stderr)
        return 2
    git = subprocess.run(["git", "--version"], capture_output=True, text=True, check=True).stdout.strip()
    print(
        f"{git}, Python {platform.python_version()}, {platform.machine()}; CPU time, medians of interleaved runs\n", flush=True
    )
    print(f"{'':4} {'what':44} {'against':40} {'ratio':>8}  {'good':8} detail", flush=True)
    failed = False
    for name in names or ALL:
        with tempfile.TemporaryDirectory(prefix="mfgit-bench-") as folder:
            for row in every[name](Path(folder)):
                failed |= not row.good
                mark = "ok" if row.good else "FAIL"
                print(f"{mark:4} {row.name:44} {row.against:40} {row.ratio:8.2f}  {row.limit:8} {row.detail}", flush=True)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
