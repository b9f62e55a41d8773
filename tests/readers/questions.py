#!/usr/bin/env python3
"""Whether DuckDB answers the questions as we do: the same rows in the same order.

    questions.py ROBOCENSUS TABLES EXPECTED

What `robocensus query NAME --engine duckdb` prints runs in a DuckDB that knows nothing. Its answer over TABLES is in
EXPECTED/NAME.csv. A statement that calls a function of robots.txt is passed over, since no other engine has them. It
prints a line for each question that is answered otherwise, and a sum, and ends with 1 if there is one.
"""

import pathlib
import subprocess
import sys

import duckdb

import answers
from answers import statement


def connect(tables, threads=None):
    """DuckDB with all that `duckdb -init TABLES/views.duckdb.sql` has."""
    engine = duckdb.connect(config={"threads": threads} if threads else {})
    engine.execute((pathlib.Path(tables) / "views.duckdb.sql").read_text(encoding="utf-8"))
    return engine


def is_portable(sql):
    return "robots_" not in sql and "registered_domain(" not in sql


def views_differ(robocensus, tables):
    """Whether `site_access` of `views.duckdb.sql` has other rows than ours."""
    sums = "SELECT count(*), sum(site_id), sum(deciding_line), sum(CASE access WHEN 'none' THEN site_id END) FROM site_access"
    command = [robocensus, "sql", "--tables", str(tables), "--format", "csv", sums]
    ours = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()[-1]
    theirs = ",".join(str(value) for value in connect(tables).execute(sums).fetchone())
    if ours != theirs:
        print(f"site_access: {theirs} in DuckDB and {ours} here")
    return ours != theirs


def main():
    robocensus, tables, expected = sys.argv[1:4]
    wrong = int(views_differ(robocensus, tables))
    asked = passed_over = 0
    for path in sorted(pathlib.Path(expected).glob("*.csv")):
        sql = statement(robocensus, tables, path.stem, "--engine", "duckdb")
        if sql is None:
            passed_over += 1
            continue
        asked += 1
        wrong += answers.differ("DuckDB", path.stem, sql, rows, answers.expected_rows(path))
    for options in answers.own_tables():
        sql = statement(robocensus, tables, "access_overview", *options, "--engine", "duckdb")
        ours = answers.answer(robocensus, tables, "access_overview", *options)
        wrong += answers.differ("DuckDB", f"access_overview {' '.join(options)}", sql, rows, ours) or not ours
    print(f"{asked} questions asked, {wrong} answered otherwise, {passed_over} passed over")
    return 1 if wrong or not asked else 0


def rows(sql):
    return [[answers.plain(value) for value in row] for row in duckdb.connect().execute(sql).fetchall()]


if __name__ == "__main__":
    sys.exit(main())
