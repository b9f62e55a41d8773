#!/usr/bin/env python3
"""Whether Spark answers the questions as we do: the same rows in the same order.

    spark.py ROBOCENSUS TABLES EXPECTED [QUESTION ...]

What `robocensus query NAME --engine spark` prints runs in a Spark session that knows nothing. Its answer over TABLES is
in EXPECTED/NAME.csv; for - in its place, it is what robocensus answers. A statement that calls a function of robots.txt is passed over. It prints a line for each question
that is answered otherwise, and a sum, and ends with 1 if there is one. Needs `pip install pyspark` and Java 17.
"""

import decimal
import sys
import tempfile

from pyspark.sql import SparkSession

import answers
from answers import census



def session():
    """A session of one process that draws nothing and keeps no warehouse."""
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
