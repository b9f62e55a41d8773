#!/usr/bin/env python3
"""Checks that Spark gives our answers to the questions: the same columns, types and rows in the same order.

    spark.py ROBOCENSUS TABLES [QUESTION ...]

The output of `robocensus query NAME --engine spark` runs in a new Spark session over TABLES. Its answer is compared with
the one that robocensus writes as Parquet, for each question. A null is not an empty text, and a whole number is not a
decimal or a fraction. Fractions must agree in nine digits, since engines add the parts of a share in different orders.
Statements that call a function for robots.txt are skipped. Prints a line for each different answer, and a summary. Exits
with 1 if an answer differs.

Needs `pip install pyspark pyarrow` and Java 17.
"""

import pathlib
import subprocess
import sys
import tempfile

import pyarrow
import pyarrow.parquet
from pyspark.sql import SparkSession

import answers
from answers import census


def session():
    """A session in one process, without a web page and with a temporary warehouse."""
    builder = SparkSession.builder.master("local[2]").appName("robocensus")
    settings = {
        "spark.ui.enabled": "false",
        "spark.driver.memory": "4g",
        "spark.sql.shuffle.partitions": "2",
        "spark.sql.warehouse.dir": tempfile.mkdtemp(),
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.log.level": "ERROR",
    }
    for key, value in settings.items():
        builder = builder.config(key, value)
    return builder.getOrCreate()


def ours(robocensus, tables, name, *options):
    """Our answer. `None` if the question needs a table that the user must provide."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "answer.parquet"
        command = [robocensus, "query", "--tables", str(tables), name, *options, "--format", "parquet", "--out", path]
        answered = subprocess.run(command, capture_output=True, text=True)
        if "table is missing" in answered.stderr:
            return None
        answered.check_returncode()
        return pyarrow.parquet.read_table(path)


def kind(type):
    """The type of a column, as far as both engines have it."""
    if pyarrow.types.is_timestamp(type):
        # Spark counts microseconds.
        return f"timestamp in {type.tz}"
    if pyarrow.types.is_large_string(type) or pyarrow.types.is_string_view(type):
        return "string"
    return str(type)


def cell(value):
    return f"{value:.9g}" if isinstance(value, float) else value


def difference(found, expected):
    """The first difference between two answers; `None` if there is none."""
    types = [[f"{field.name}: {kind(field.type)}" for field in table.schema] for table in (found, expected)]
    if types[0] != types[1]:
        return f"columns {[pair for pair in zip(*types) if pair[0] != pair[1]] or types}"
    if len(found) != len(expected):
        return f"{len(found)} rows instead of {len(expected)}"
    for at, (one, other) in enumerate(zip(found.to_pylist(), expected.to_pylist())):
        if [cell(value) for value in one.values()] != [cell(value) for value in other.values()]:
            return f"row {at + 1}: {list(one.values())} instead of {list(other.values())}"
    return None


def checks_itself():
    """Fails if a difference is not found."""
    table = lambda values, type: pyarrow.table({"x": pyarrow.array(values, type)})
    same = (table([1.0, None], "double"), table([1.0 + 1e-15, None], "double"))
    assert difference(*same) is None
    for one, other in [
        (table(["", "a"], "string"), table([None, "a"], "string")),
        (table(["a", "b"], "string"), table(["b", "a"], "string")),
        (table([1], "int64"), table([1.0], "double")),
        (table([1], "int64"), table([1], pyarrow.decimal128(20, 0))),
        (table([1], "int64"), table(["1"], "string")),
        (table([1, 1], "int64"), table([1], "int64")),
        (table([1.0], "double"), table([1.00000001], "double")),
    ]:
        assert difference(one, other), (one, other)


def main():
    checks_itself()
    spark = session()
    allowed = answers.CALLS_A_FUNCTION | answers.NEEDS_A_TABLE
    return answers.compare("Spark", sys.argv[1:], ours, lambda sql: census.ask(spark, sql).toArrow(), difference, allowed)


if __name__ == "__main__":
    sys.exit(main())
