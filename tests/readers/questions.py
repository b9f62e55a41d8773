#!/usr/bin/env python3
"""Checks that DuckDB gives our answers to the questions: the same rows in the same order.

    questions.py ROBOCENSUS TABLES [QUESTION ...]

The output of `robocensus query NAME --engine duckdb` runs in a new DuckDB over TABLES, which are those of the sample. It
must have the rows of queries/expected/NAME.csv. Without `ROBOCENSUS_FULL=1`, every third question is asked. Questions
that call a function of robocensus are skipped, since no other engine has it. Prints a line for each different answer, and
a summary. Exits with 1 if an answer differs.
"""

import csv
import os
import subprocess
import sys

import duckdb

import answers


def ours(robocensus, tables, name, *options):
    """Our answer: the expected one, or with options, which have a table of the user, the one that robocensus gives now."""
    if not options:
        with open(answers.EXPECTED / f"{name}.csv", newline="", encoding="utf-8") as file:
            return [[answers.number(cell) for cell in row] for row in list(csv.reader(file))[1:]]
    command = [robocensus, "query", "--tables", tables, name, *options, "--format", "csv", "--exact"]
    answered = subprocess.run(command, capture_output=True, text=True, check=True)
    rows = list(csv.reader(answered.stdout.split("\n")))
    assert len(rows) > 2, f"the answer is empty: {options}"
    return [[answers.plain(cell) for cell in row] for row in rows[1:] if row]


def rows(sql):
    return [[answers.plain(value) for value in row] for row in duckdb.connect().execute(sql).fetchall()]


def difference(found, expected):
    """The first difference between two answers; `None` if there is none."""
    if found == expected:
        return None
    first = next((at for at, (a, b) in enumerate(zip(found, expected)) if a != b), min(len(found), len(expected)))
    one, other = found[first : first + 1], expected[first : first + 1]
    return f"{len(found)} rows instead of {len(expected)}; row {first + 1}: {one} instead of {other}"


def main():
    step = 1 if os.environ.get("ROBOCENSUS_FULL") == "1" else 3
    return answers.compare("DuckDB", sys.argv[1:], ours, rows, difference, answers.CALLS_A_FUNCTION, step)


if __name__ == "__main__":
    sys.exit(main())
