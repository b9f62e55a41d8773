#!/usr/bin/env python3
"""Checks that Spark gives our answers to the questions: the same rows in the same order.

    spark.py ROBOCENSUS TABLES EXPECTED [QUESTION ...]

The output of `robocensus query NAME --engine spark` runs in a new Spark session over TABLES, and must have the rows of
EXPECTED/NAME.csv. If EXPECTED is -, it must have the rows that robocensus gives. Statements that call a function for
robots.txt are skipped. Prints a line for each different answer, and a summary. Exits with 1 if an answer differs.

Needs `pip install pyspark` and Java 17.
"""

import decimal
import sys
import tempfile

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


def rows(spark, sql):
    return [[plain(value) for value in row] for row in census.ask(spark, sql).collect()]


def plain(value):
    return f"a decimal: {value}" if isinstance(value, decimal.Decimal) else answers.plain(value)


def main():
    spark = session()
    return answers.compare("Spark", sys.argv[1:], lambda sql: rows(spark, sql))


if __name__ == "__main__":
    sys.exit(main())
