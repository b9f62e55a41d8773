#!/usr/bin/env python3
"""Measures each question, and DuckDB with the same statement over the same tables in the same run.

    benches/questions.py TABLES [--binary target/release/robocensus] [--rounds 3] [--only NAME…]

Both programs start again for each question, so the times include the start. `ours` is the time of
`robocensus query NAME --out FILE`. `DuckDB` is the time of a Python process that imports duckdb, defines the tables and
fetches the rows. `inside` is DuckDB's time within its process, without the start. The engines take turns, and the fastest
round counts. DuckDB cannot run statements that call our functions, so only our time is shown for them. Needs duckdb.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
import time

READERS = str(pathlib.Path(__file__).resolve().parents[1] / "tests/readers")
sys.path.insert(0, READERS)
import answers  # noqa: E402
import questions  # noqa: E402

INSIDE = """
import json, sys, time
sys.path.insert(0, {folder!r})
start = time.perf_counter()
import duckdb, questions
started = time.perf_counter()
engine = questions.connect({tables!r}, {threads})
rows = engine.execute(open({sql!r}).read()).fetchall()
print(json.dumps([time.perf_counter() - started, len(rows)]))
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
    slower = []
    print(f"{'question':<30} {'ours':>8} {'DuckDB':>8} {'inside':>8} {'ratio':>6}")
    with tempfile.TemporaryDirectory() as scratch:
        sql, out = pathlib.Path(scratch) / "statement.sql", pathlib.Path(scratch) / "answer.ndjson"
        for name in names:
            text = answers.statement(options.binary, options.tables, name, "--print-sql")
            sql.write_text(text)
            ask = [options.binary, "query", "--tables", options.tables, "--jobs", str(options.threads), name]
            ask += ["--out", str(out), "--format", "ndjson"]
            code = INSIDE.format(folder=READERS, tables=options.tables, threads=options.threads, sql=str(sql))
            if subprocess.run(ask, capture_output=True).returncode:
                # This run also warms the file cache.
                print(f"{name:<30} needs a table of your own")
                continue
            ours, theirs, inside = [], [], []
            for _ in range(options.rounds):
                start = time.perf_counter()
                subprocess.run(ask, check=True, capture_output=True)
                ours.append(time.perf_counter() - start)
                if questions.is_portable(text):
                    start = time.perf_counter()
                    run = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
                    theirs.append(time.perf_counter() - start)
                    inside.append(json.loads(run.stdout.splitlines()[-1])[0])
            if not theirs:
                print(f"{name:<30} {min(ours):>7.2f}s        -        -      -")
                continue
            row = [min(ours), min(theirs), min(inside)]
            sums = [total + value for total, value in zip(sums, row)]
            ratio = row[0] / row[1]
            if ratio > 1:
                slower.append((ratio, name))
            print(f"{name:<30} {row[0]:>7.2f}s {row[1]:>7.2f}s {row[2]:>7.2f}s {ratio:>6.2f}", flush=True)
    print(f"{'all':<30} {sums[0]:>7.2f}s {sums[1]:>7.2f}s {sums[2]:>7.2f}s {sums[0] / max(sums[1], 1e-9):>6.2f}")
    print(f"{len(slower)} slower than DuckDB: {', '.join(f'{name} {ratio:.1f}' for ratio, name in sorted(slower, reverse=True))}")


if __name__ == "__main__":
    main()
