#!/usr/bin/env python3
"""Checks that DuckDB gives our answers to the questions: the same rows in the same order.

    questions.py ROBOCENSUS TABLES EXPECTED

The output of `robocensus query NAME --engine duckdb` runs in a new DuckDB over TABLES, and must have the rows of
EXPECTED/NAME.csv. Questions that call a function of robocensus are skipped, since no other engine has it. Prints a
line for each different answer, and a summary. Exits with 1 if an answer differs.
"""

import sys

import duckdb

import answers


def rows(sql):
    return [[answers.plain(value) for value in row] for row in duckdb.connect().execute(sql).fetchall()]


def main():
    return answers.compare("DuckDB", sys.argv[1:], rows)


if __name__ == "__main__":
    sys.exit(main())
