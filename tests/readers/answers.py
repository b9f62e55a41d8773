"""Shared code for comparing answers with other engines: statements, our answers, and values in a common form."""

import csv
import datetime
import os
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "analyze" / "spark"))
import census


def statement(robocensus, tables, name, *options):
    """The statement for a question, with defaults for other parameters. `None` if only robocensus can run it."""
    return census.printed(robocensus, tables, [name, *options])


def plain(value):
    """A value as a text that is the same for all engines."""
    if value is None or isinstance(value, (bool, datetime.datetime)):
        return number(census.text(value))
    if isinstance(value, str):
        escaped = value.replace("\\", "\\\\").replace("\n", "\\n").replace("\r", "\\r").replace("\t", "\\t")
        escaped = "".join(c if c >= " " and not "\x7f" <= c <= "\x9f" else f"\\u{ord(c):04x}" for c in escaped)
        return number(escaped)
    return number(str(value))


REAL = re.compile(r"-?\d+(\.\d+)?([eE][+-]?\d+)?")


def number(text):
    """A real number with nine digits, since engines add the parts of a share in different orders. Whole numbers, such as
    ids, and other texts are kept."""
    if REAL.fullmatch(text) and not text.lstrip("-").isdigit():
        value = float(text)
        return str(int(value)) if value.is_integer() else f"{value:.9g}"
    # Some engines write milliseconds even if they are zero.
    return text.replace(".000Z", "Z")


OWN = {
    "ranks.csv": ("rank", "1,example.com\n2,www.example.net\n999,sample_one.de\n1001,sample_six.es\n"),
    "weights.tsv": ("own", "domain\tweight\nhttps://sample_one.de/\t30\nsample_six.es\t60\n"),
    "categories.ndjson": ("category", '{"host": "sample_one.de", "category": "closed"}\n'),
}


def own_tables():
    """Yields options with a table of the user. Its file exists until all options are used."""
    with tempfile.TemporaryDirectory() as folder:
        for name, (value, text) in OWN.items():
            path = pathlib.Path(folder) / name
            path.write_text(text, encoding="utf-8")
            option = "--weight" if value == "own" else "--by"
            yield [option, value, "--table", f"{path.stem}={path}"]


def answer(robocensus, tables, name, *options):
    """Our answer to a question, with cells as from `plain`. `None` if it needs a table that the user must provide."""
    command = [robocensus, "query", "--tables", str(tables), name, *options, "--format", "csv", "--exact"]
    answered = subprocess.run(command, capture_output=True, text=True)
    if "table is missing" in answered.stderr:
        return None
    answered.check_returncode()
    rows = list(csv.reader(answered.stdout.split("\n")))
    return [[plain(cell) for cell in row] for row in rows[1:] if row]


def expected_rows(path):
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.reader(file))
    return [[number(cell) for cell in row] for row in rows[1:]]


# The expected answers over the sample, for each question that needs no table of the user.
KEPT = pathlib.Path(__file__).resolve().parents[2] / "queries" / "expected"


# Questions that call a function that only robocensus has.
CALLS_A_FUNCTION = {"dialect_disagreement"}
# Questions that robocensus answers only with a table of the user.
NEEDS_A_TABLE = {"access_by_rank", "agents_by_rank", "ai_block_weighted", "missing_capture"}
LEAST_QUESTIONS = 95


def chosen(folder, only, step=1):
    """The expected answers to compare: those of the named questions, or of every question whose number the step divides."""
    paths = sorted(folder.glob("*.csv"))
    if len(paths) < LEAST_QUESTIONS:
        sys.exit(f"{folder} has {len(paths)} answers, fewer than {LEAST_QUESTIONS}")
    return [path for path in paths if path.stem in only] if only else paths[step - 1 :: step]


def skips_differ(skipped, names, allowed):
    """Whether other questions were skipped than the allowed ones."""
    if set(skipped) == allowed & set(names):
        return False
    print(f"skipped: {sorted(skipped)} instead of {sorted(allowed & set(names))}")
    return True


def compare(engine, arguments, ask):
    """Runs all questions, or the named ones, in another engine, then one question with tables of the user. Without
    `ROBOCENSUS_FULL=1`, every third question. Returns the exit code.

    `arguments` are those of the script: ROBOCENSUS TABLES EXPECTED [QUESTION ...]. EXPECTED is a folder of answers, or - for
    the answers that robocensus gives now, such as those for a real crawl. `ask` returns the rows of a statement, with
    cells as from `plain`.
    """
    robocensus, tables, expected, *only = arguments
    wrong = asked = 0
    skipped = []
    step = 1 if os.environ.get("ROBOCENSUS_FULL") == "1" else 3
    paths = chosen(KEPT if expected == "-" else pathlib.Path(expected), only, step)
    for path in paths:
        sql = statement(robocensus, tables, path.stem, "--engine", engine.lower())
        ours = answer(robocensus, tables, path.stem) if expected == "-" else expected_rows(path)
        if sql is None or ours is None:
            skipped.append(path.stem)
            continue
        asked += 1
        wrong += differ(engine, path.stem, sql, ask, ours)
    allowed = CALLS_A_FUNCTION | (NEEDS_A_TABLE if expected == "-" else set())
    wrong += skips_differ(skipped, [path.stem for path in paths], allowed)
    for options in own_tables() if not only else []:
        asked += 1
        sql = statement(robocensus, tables, "access_overview", *options, "--engine", engine.lower())
        ours = answer(robocensus, tables, "access_overview", *options)
        wrong += differ(engine, f"access_overview {' '.join(options)}", sql, ask, ours) or not ours
    print(f"{asked} questions compared, {wrong} different, {len(skipped)} skipped")
    return 1 if wrong or not asked else 0


def differ(engine, name, sql, ask, rows):
    """Whether an engine gives other rows. Prints the first difference."""
    try:
        found = ask(sql)
    except Exception as error:
        print(f"{name}: {engine} fails: {str(error).strip().splitlines()[0]}")
        return True
    if found == rows:
        return False
    first = next((at for at, (a, b) in enumerate(zip(found, rows)) if a != b), min(len(found), len(rows)))
    print(f"{name}: {len(found)} rows instead of {len(rows)}; first difference in row {first + 1}:")
    print(f"  {engine:8} {found[first : first + 1]}\n  expected {rows[first : first + 1]}")
    return True
