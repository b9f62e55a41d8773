#!/usr/bin/env python3
"""Measures each question, and DuckDB with the statement that robocensus prints for it, in the same run.

    benches/questions.py TABLES [--binary target/release/robocensus] [--rounds 3] [--only NAME…]

Both programs start again for each question, so the times include the start. `ours` is the time of
`robocensus query NAME --out FILE`. `DuckDB` is the time of a Python process that imports duckdb, runs the output of
`robocensus query NAME --engine duckdb` and fetches the rows. `inside` is DuckDB's time within its process, without the
start. The engines take turns, and the fastest round counts. DuckDB cannot run statements that call our functions, so only
our time is shown for them. Needs duckdb.
"""

import argparse
import pathlib
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "tests/readers"))
import answers  # noqa: E402

INSIDE = """
import sys, time
import duckdb
started = time.perf_counter()
sql = open(sys.argv[1], encoding="utf-8").read()
rows = duckdb.connect(config={"threads": sys.argv[2]}).execute(sql).fetchall()
print(time.perf_counter() - started)
"""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tables")
    parser.add_argument("--binary", default="target/release/robocensus")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--only", nargs="*", default=[])
    options = parser.parse_args()
    root = pathlib.Path(__file__).resolve().parents[1]
    names = options.only or sorted(path.stem for path in (root / "queries/questions").glob("*.sql"))
    sums = [0.0, 0.0, 0.0]
    ratios = []
    print(f"{'question':<30} {'ours':>8} {'DuckDB':>8} {'inside':>8} {'ratio':>6}")
    with tempfile.TemporaryDirectory() as scratch:
        sql, out = pathlib.Path(scratch) / "statement.sql", pathlib.Path(scratch) / "answer.ndjson"
        for name in names:
            ask = [options.binary, "query", "--tables", options.tables, "--jobs", str(options.threads), name]
            ask += ["--out", str(out), "--format", "ndjson"]
            # This run also warms the file cache.
            first = subprocess.run(ask, capture_output=True, text=True)
            if first.stderr.startswith(f"table is missing: {name}: "):
                print(f"{name:<30} needs a table of your own")
                continue
            if first.returncode:
                sys.exit(f"{name} exits with {first.returncode}: {first.stderr}")
            text = answers.statement(options.binary, options.tables, name, "--engine", "duckdb")
            sql.write_text(text or "", encoding="utf-8")
            duckdb = [sys.executable, "-c", INSIDE, str(sql), str(options.threads)]
            ours, theirs, inside = [], [], []
            for _ in range(options.rounds):
                start = time.perf_counter()
                subprocess.run(ask, check=True, capture_output=True)
                ours.append(time.perf_counter() - start)
                if text:
                    start = time.perf_counter()
                    run = subprocess.run(duckdb, check=True, capture_output=True, text=True)
                    theirs.append(time.perf_counter() - start)
                    # A bar that shows the progress may come before it.
                    inside.append(float(run.stdout.splitlines()[-1]))
            if not theirs:
                print(f"{name:<30} {min(ours):>7.2f}s        -        -      -")
                continue
            row = [min(ours), min(theirs), min(inside)]
            sums = [total + value for total, value in zip(sums, row)]
            ratio = row[0] / row[1]
            ratios.append((ratio, name))
            print(f"{name:<30} {row[0]:>7.2f}s {row[1]:>7.2f}s {row[2]:>7.2f}s {ratio:>6.2f}", flush=True)
    print(f"{'all':<30} {sums[0]:>7.2f}s {sums[1]:>7.2f}s {sums[2]:>7.2f}s {sums[0] / max(sums[1], 1e-9):>6.2f}")
    greatest = ", ".join(f"{name} {ratio:.2f}" for ratio, name in sorted(ratios, reverse=True)[:5])
    print(f"{len(ratios)} compared, {sum(ratio > 1 for ratio, _ in ratios)} slower than DuckDB; greatest ratios: {greatest}")


if __name__ == "__main__":
    main()
