"""What comparisons with other engines share: statements, our answers, and values without what engines write in their own way."""

import csv
import datetime
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "analyze" / "spark"))
import census


def statement(robocensus, tables, name, *options):
    """What is run for a question, with defaults for other parameters. `None` if another engine cannot run it."""
    return census.printed(robocensus, tables, [name, *options])


def plain(value):
    """A value without what engines write in their own way."""
    if value is None or value == "":
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, datetime.datetime):
        return number(value.strftime("%Y-%m-%dT%H:%M:%S.") + f"{value.microsecond // 1000:03}Z")
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
        # Some write thousandths of a second where there are none.
        return text.replace(".000Z", "Z")


OWN = {
    "ranks.csv": ("rank", "1,example.com\n2,www.example.net\n999,sample_one.de\n1001,sample_six.es\n"),
    "weights.tsv": ("own", "domain\tweight\nhttps://sample_one.de/\t30\nsample_six.es\t60\n"),
    "categories.ndjson": ("category", '{"host": "sample_one.de", "category": "closed"}\n'),
}


def own_tables():
    """Options that name a table of the user, whose file lasts until the next ones are taken."""
    with tempfile.TemporaryDirectory() as folder:
        for name, (value, text) in OWN.items():
            path = pathlib.Path(folder) / name
            path.write_text(text, encoding="utf-8")
            option = "--weight" if value == "own" else "--by"
            yield [option, value, "--table", f"{path.stem}={path}"]


def answer(robocensus, tables, name, *options):
    """Our answer to a question, with cells as `plain` gives them. `None` if it needs a list of the user's."""
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


# The answers of the sample. A question that needs no list has one.
KEPT = pathlib.Path(__file__).resolve().parents[2] / "queries" / "expected"


def compare(engine, arguments, ask):
    """Asks an engine every question, or some of them, and then about tables of the user. Returns the exit code.

    `arguments` are those of the script: ROBOCENSUS TABLES EXPECTED [QUESTION ...]. EXPECTED is a folder of answers, or - for
    those that robocensus gives now, as for tables of a real crawl. `ask` gives the rows of a statement, with cells as `plain`
    gives them.
    """
    robocensus, tables, expected, *only = arguments
    wrong = asked = passed_over = 0
    for path in sorted((KEPT if expected == "-" else pathlib.Path(expected)).glob("*.csv")):
        if only and path.stem not in only:
            continue
        sql = statement(robocensus, tables, path.stem, "--engine", engine.lower())
        ours = answer(robocensus, tables, path.stem) if expected == "-" else expected_rows(path)
        if sql is None or ours is None:
            passed_over += 1
            continue
        asked += 1
        wrong += differ(engine, path.stem, sql, ask, ours)
    for options in own_tables() if not only else []:
        asked += 1
        sql = statement(robocensus, tables, "access_overview", *options, "--engine", engine.lower())
        ours = answer(robocensus, tables, "access_overview", *options)
        wrong += differ(engine, f"access_overview {' '.join(options)}", sql, ask, ours) or not ours
    print(f"{asked} questions asked, {wrong} answered otherwise, {passed_over} passed over")
    return 1 if wrong or not asked else 0


def differ(engine, name, sql, ask, rows):
    """Whether an engine gives other rows, and says so."""
    try:
        found = ask(sql)
    except Exception as error:
        print(f"{name}: {engine} says {str(error).strip().splitlines()[0]}")
        return True
    if found == rows:
        return False
    first = next((at for at, (a, b) in enumerate(zip(found, rows)) if a != b), min(len(found), len(rows)))
    print(f"{name}: {len(found)} rows and not {len(rows)}, the first difference in row {first + 1}:")
    print(f"  {engine:8} {found[first : first + 1]}\n  expected {rows[first : first + 1]}")
    return True
