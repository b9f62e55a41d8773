"""Shared code for comparing answers with other engines: statements, and values in a common form."""

import datetime
import itertools
import pathlib
import re
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


# The expected answers over the sample, for each question.
EXPECTED = pathlib.Path(__file__).resolve().parents[2] / "queries" / "expected"


# Questions that call a function that only robocensus has.
CALLS_A_FUNCTION = {"dialect_disagreement"}
# Questions that robocensus answers only with a table of the user.
NEEDS_A_TABLE = {"access_by_rank", "agents_by_rank", "ai_block_weighted", "missing_capture"}
LEAST_QUESTIONS = 95


def chosen(only, step):
    """The questions to compare: the named ones, or each one whose number the step divides."""
    names = sorted(path.stem for path in EXPECTED.glob("*.csv"))
    if len(names) < LEAST_QUESTIONS:
        sys.exit(f"{EXPECTED} has {len(names)} answers, fewer than {LEAST_QUESTIONS}")
    return [name for name in names if name in only] if only else names[step - 1 :: step]


def compare(engine, arguments, ours, ask, difference, allowed, step=1):
    """Compares the answers to all questions, or to the named ones, then to one question with tables of the user. Prints a
    line for each different answer, and a summary. Returns the exit code.

    `arguments` are those of the script: ROBOCENSUS TABLES [QUESTION ...]. `ours` returns our answer to a question, or
    `None` if it needs a table of the user. `ask` returns the other engine's answer to a statement. `difference` describes
    how the two differ, or returns `None`. Exactly the `allowed` questions may be skipped.
    """
    robocensus, tables, *only = arguments
    names = chosen(only, step)
    own = (("access_overview", options) for options in own_tables()) if not only else ()
    wrong = asked = 0
    skipped = set()
    # One after the other, since each table of a user exists only until the next.
    for name, options in itertools.chain(((name, []) for name in names), own):
        sql = statement(robocensus, tables, name, *options, "--engine", engine.lower())
        expected = ours(robocensus, tables, name, *options) if sql is not None else None
        if expected is None:
            skipped.add(name)
            continue
        asked += 1
        try:
            found = difference(ask(sql), expected)
        except Exception as error:
            found = f"{engine} fails: {str(error).strip().splitlines()[0]}"
        if found:
            wrong += 1
            print(f"{' '.join([name, *options])}: {found}")
    if skipped != allowed & set(names):
        wrong += 1
        print(f"skipped: {sorted(skipped)} instead of {sorted(allowed & set(names))}")
    print(f"{asked} questions compared, {wrong} different, {len(skipped)} skipped")
    return 1 if wrong or not asked else 0
