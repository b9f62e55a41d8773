#!/usr/bin/env python3
"""Whether DuckDB answers the questions as we do: the same rows in the same order.

    questions.py ROBOCENSUS TABLES EXPECTED

What `robocensus query NAME --engine duckdb` prints runs in a DuckDB that knows nothing. Its answer over TABLES is in
EXPECTED/NAME.csv. A statement that calls a function of robots.txt is passed over, since no other engine has them. It
prints a line for each question that is answered otherwise, and a sum, and ends with 1 if there is one.
"""

import pathlib
import sys

import duckdb

import answers


def connect(tables, threads=None):
    """DuckDB with all that `duckdb -init TABLES/views.duckdb.sql` has."""
    engine = duckdb.connect(config={"threads": threads} if threads else {})
    engine.execute((pathlib.Path(tables) / "views.duckdb.sql").read_text(encoding="utf-8"))
    return engine


def is_portable(sql):
    return "robots_" not in sql and "registered_domain(" not in sql


def rows(sql):
    return [[answers.plain(value) for value in row] for row in duckdb.connect().execute(sql).fetchall()]


def main():
    return answers.compare("DuckDB", sys.argv[1:], rows)


if __name__ == "__main__":
    sys.exit(main())
