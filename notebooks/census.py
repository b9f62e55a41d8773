"""What a notebook asks, and where: the tables, the program that answers over them, and the folder that figures go to.

| variable | what | if it is not set |
|---|---|---|
| ROBOCENSUS | the program | `robocensus` on the path |
| ROBOCENSUS_TABLES | the folder that `robocensus ingest` wrote | `target/sample-tables`, as in the README of the project |
| ROBOCENSUS_FIGURES | where figures go | `target/figures` |
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
    """The answer to a question that comes with the program, as `robocensus query QUESTION --format csv` prints it.

    `key` names the columns by which the question says that its rows differ; an answer with two rows of one key is none.
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


def files(table):
    """The Parquet files of a table, as engines take them."""
    return f"{TABLES}/{table}/*/*.parquet"


def number(value):
    """A number as people read it."""
    return f"{value:,.0f}"


def percent(share, digits=1):
    return f"{100 * share:.{digits}f} %"
