"""The tables that notebooks read, the program that answers questions over them, and the folder for figures.

| variable | what | default |
|---|---|---|
| ROBOCENSUS | the program | `robocensus` on the path |
| ROBOCENSUS_TABLES | the folder that `robocensus ingest` wrote | `target/sample-tables`, as in the README of the project |
| ROBOCENSUS_FIGURES | the folder for figures | `target/figures` |
| ROBOCENSUS_RANKS | a list of ranks, as Tranco has them | none |
| ROBOCENSUS_CC_INDEX | Parquet files of Common Crawl's columnar index | none |
"""

import io
import os
import subprocess
from pathlib import Path

import polars

ROOT = Path(__file__).resolve().parents[1]


def _path(variable, otherwise):
    return Path(os.environ.get(variable) or otherwise)


PROGRAM = os.environ.get("ROBOCENSUS") or "robocensus"
TABLES = _path("ROBOCENSUS_TABLES", ROOT / "target" / "sample-tables")
FIGURES = _path("ROBOCENSUS_FIGURES", ROOT / "target" / "figures")
RANKS = os.environ.get("ROBOCENSUS_RANKS")
CC_INDEX = os.environ.get("ROBOCENSUS_CC_INDEX")


def ask(question, key, ranks=None, **parameters):
    """The answer of `robocensus query QUESTION --format csv`.

    `key` names the columns that identify a row. Raises if the program fails or two rows have one key.
    """
    command = [PROGRAM, "query", "--tables", str(TABLES), question, "--format", "csv"]
    if ranks is not None:
        command += ["--table", f"ranks={ranks}"]
    for name, value in parameters.items():
        command += [f"--{name.replace('_', '-')}", str(value)]
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8")
    if done.returncode != 0:
        raise RuntimeError(f"{' '.join(command)}\n{done.stderr}")
    answer = polars.read_csv(io.StringIO(done.stdout), infer_schema_length=None)
    if answer.select(key).is_duplicated().any():
        raise RuntimeError(f"{question} answers with several rows of one {', '.join(key)}")
    return answer


def crawls():
    """The crawls in the order of the days with the most captures, whatever their names."""
    return ask("what_was_read", ["crawl"])["crawl"].to_list()


def in_order(answer):
    """The rows of an answer in the order of their crawls."""
    places = {crawl: place for place, crawl in enumerate(crawls())}
    return answer.sort(polars.col("crawl").replace_strict(places, return_dtype=polars.Int64), maintain_order=True)


def files(table):
    """A pattern for the Parquet files of a table."""
    return f"{TABLES}/{table}/*/*.parquet"


def number(value):
    """A whole number with commas between thousands."""
    return f"{value:,.0f}"


def percent(share, digits=1):
    return f"{100 * share:.{digits}f} %"
