#!/usr/bin/env python3
"""Whether DuckDB answers the questions as we do: the same rows in the same order.

    questions.py ROBOCENSUS TABLES EXPECTED

What `robocensus query NAME --engine duckdb` prints runs in a DuckDB that knows nothing. Its answer over TABLES is in
EXPECTED/NAME.csv. A statement that calls a function of robots.txt is passed over, since no other engine has them. It
prints a line for each question that is answered otherwise, and a sum, and ends with 1 if there is one.
"""

import csv
import datetime
import pathlib
import subprocess
import sys
import tempfile

import duckdb


def connect(tables, threads=None):
    """DuckDB with all that `duckdb -init TABLES/views.duckdb.sql` has."""
    engine = duckdb.connect(config={"threads": threads} if threads else {})
    engine.execute((pathlib.Path(tables) / "views.duckdb.sql").read_text(encoding="utf-8"))
    return engine


def statement(robocensus, tables, name, *options):
    """What is run for a question, with defaults for other parameters. `None` if another engine cannot run it."""
    command = [robocensus, "query", "--tables", str(tables), name, *options]
    printed = subprocess.run(command, capture_output=True, text=True)
    if "statement needs a function" in printed.stderr:
        return None
    if printed.returncode:
        raise SystemExit(printed.stderr)
    return printed.stdout


def is_portable(sql):
    return "robots_" not in sql and "registered_domain(" not in sql


def plain(value):
    """A value without what engines write in their own way."""
    if value is None or value == "":
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, datetime.datetime):
        return value.strftime("%Y-%m-%dT%H:%M:%S.") + f"{value.microsecond // 1000:03}Z"
    if isinstance(value, str):
        escaped = value.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r").replace("\t", "\\t")
        escaped = "".join(c if c >= " " and not "\x7f" <= c <= "\x9f" else f"\\u{ord(c):04x}" for c in escaped)
        return number(escaped)
    return number(str(value))


def number(text):
    """Shares are sums of parts that each engine adds in its own order."""
    try:
        return f"{float(text):.9g}"
    except ValueError:
        return text


def views_differ(robocensus, tables):
    """Whether `site_access` of `views.duckdb.sql` has other rows than ours."""
    sums = "SELECT count(*), sum(site_id), sum(deciding_line), sum(CASE access WHEN 'none' THEN site_id END) FROM site_access"
    command = [robocensus, "sql", "--tables", str(tables), "--format", "csv", sums]
    ours = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()[-1]
    theirs = ",".join(str(value) for value in connect(tables).execute(sums).fetchone())
    if ours != theirs:
        print(f"site_access: {theirs} in DuckDB and {ours} here")
    return ours != theirs


OWN = {
    "ranks.csv": ("rank", "1,example.com\n2,www.example.net\n999,sample_one.de\n1001,sample_six.es\n"),
    "weights.tsv": ("own", "domain\tweight\nhttps://sample_one.de/\t30\nsample_six.es\t60\n"),
    "categories.ndjson": ("category", '{"host": "sample_one.de", "category": "closed"}\n'),
}


def own_tables_differ(robocensus, tables):
    """How many of the answers with a table of the user are other ones in DuckDB."""
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for name, (value, text) in OWN.items():
            path = pathlib.Path(folder) / name
            path.write_text(text, encoding="utf-8")
            option = "--weight" if value == "own" else "--by"
            options = [option, value, "--table", f"{path.stem}={path}"]
            sql = statement(robocensus, tables, "access_overview", *options, "--engine", "duckdb")
            theirs = [[plain(value) for value in row] for row in duckdb.connect().execute(sql).fetchall()]
            command = [robocensus, "query", "--tables", str(tables), "access_overview", *options, "--format", "csv"]
            ours = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
            ours = [[number(cell) for cell in row] for row in csv.reader(ours[1:])]
            if theirs != ours or not ours:
                wrong += 1
                print(f"access_overview {' '.join(options)}:\n  DuckDB   {theirs}\n  expected {ours}")
    return wrong


def expected_rows(path):
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file))
    return [[number(cell) for cell in row] for row in rows[1:]]


def main():
    robocensus, tables, expected = sys.argv[1:4]
    wrong = int(views_differ(robocensus, tables)) + own_tables_differ(robocensus, tables)
    asked = passed_over = 0
    for path in sorted(pathlib.Path(expected).glob("*.csv")):
        sql = statement(robocensus, tables, path.stem, "--engine", "duckdb")
        if sql is None:
            passed_over += 1
            continue
        asked += 1
        found = [[plain(value) for value in row] for row in duckdb.connect().execute(sql).fetchall()]
        rows = expected_rows(path)
        if found != rows:
            wrong += 1
            first = next((at for at, (a, b) in enumerate(zip(found, rows)) if a != b), min(len(found), len(rows)))
            print(f"{path.stem}: {len(found)} rows and not {len(rows)}, the first difference in row {first + 1}:")
            print(f"  DuckDB   {found[first : first + 1]}\n  expected {rows[first : first + 1]}")
    print(f"{asked} questions asked, {wrong} answered otherwise, {passed_over} passed over")
    return 1 if wrong or not asked else 0


if __name__ == "__main__":
    sys.exit(main())
