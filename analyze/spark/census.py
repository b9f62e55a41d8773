#!/usr/bin/env python3
"""Runs an ingest, questions and a report on a Spark cluster, with the same program and the same questions.

    spark-submit census.py ingest --shards 64 --out TABLES -- INPUT ...
    spark-submit census.py answer NAME ... --tables TABLES --out ANSWERS
    spark-submit census.py report --tables TABLES --out REPORT
    spark-submit census.py register --tables TABLES

All machines must reach TABLES by the same path, or as s3://BUCKET/FOLDER, and have the program `robocensus`
(--robocensus gives its path).

`ingest` writes the plan, runs its shards on executors, and publishes them. Spark runs a lost shard again. If two
executors run the same shard, both stage the same bytes. Everything after -- goes to `robocensus plan`. `answer` runs the
questions in Spark SQL and writes each to ANSWERS/NAME.csv or .parquet. `report` runs all questions of the report that
Spark can answer; robocensus answers the others and draws it. `register` makes the tables a database of Spark's metastore.

Needs Spark 4 and pyarrow. Spark's web page shows the progress.
"""

import argparse
import csv
import datetime
import decimal
import json
import pathlib
import subprocess
import sys


def run(*command):
    """Runs a command, and returns its standard output. Its standard error is that of this program."""
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, text=True)
    if done.returncode not in (0, 1):
        raise SystemExit(done.returncode)
    return done.stdout


def ingest(spark, options):
    """Makes the tables: plan, shards, commit. Returns the exit code of commit."""
    program, out, shards = options.robocensus, options.out, options.shards
    print(run(program, "plan", *options.inputs, "--shards", shards, "--out", out), end="")
    command = [program, "ingest", "--quiet", "--out", out, "--jobs", str(options.jobs)]

    def make(shard):
        done = subprocess.run([*command, f"--shard={shard}/{shards}"], stderr=subprocess.PIPE, text=True)
        if done.returncode:
            raise RuntimeError(f"shard {shard} exited with {done.returncode}: {done.stderr}")
        return done.stderr

    # One partition per shard, so that Spark retries each shard on its own.
    for complaints in spark.sparkContext.parallelize(range(shards), shards).map(make).collect():
        print(complaints, end="", file=sys.stderr)
    sys.stdout.flush()
    return subprocess.run([program, "commit", out]).returncode


def statement(program, tables, arguments):
    """A question in Spark SQL: statements that define what it reads, then the query. None if it calls a function that
    only robocensus has."""
    return printed(program, tables, [*arguments, "--engine", "spark"])


def printed(program, tables, arguments):
    """The output of `robocensus query`. None if the question calls a function that only robocensus has."""
    command = [program, "query", *arguments, "--tables", tables]
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if "statement needs a function" in done.stderr:
        return None
    if done.returncode:
        raise SystemExit(done.stderr)
    return done.stdout


def ask(spark, sql):
    """Runs statements in a new session, and returns the data frame of the last one."""
    # No line within a statement ends with a semicolon.
    statements = [text.strip(" ;\n") for text in sql.split(";\n")]
    session, answer = spark.newSession(), None
    for text in filter(None, statements):
        answer = session.sql(text)
    return answer


def text(value):
    """A value in the form that robocensus writes to CSV."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, datetime.datetime):
        return value.strftime("%Y-%m-%dT%H:%M:%S.") + f"{value.microsecond // 1000:03}Z"
    if isinstance(value, float):
        return repr(value).removesuffix(".0")
    if isinstance(value, decimal.Decimal):
        return format(value, "f")
    return value


def write_csv(answer, path):
    with open(path, "w", newline="", encoding="utf-8") as file:
        lines = csv.writer(file, lineterminator="\n")
        lines.writerow(answer.columns)
        lines.writerows([text(value) for value in row] for row in answer.collect())


def write_parquet(answer, path):
    import pyarrow.parquet

    pyarrow.parquet.write_table(answer.toArrow(), path)


def answer(spark, options):
    """Answers the named questions."""
    options.out.mkdir(parents=True, exist_ok=True)
    for name in options.questions:
        sql = statement(options.robocensus, options.tables, [name])
        if sql is None:
            raise SystemExit(f"question cannot be answered: {name}: it calls a function that only robocensus has")
        path = options.out / f"{name}.{options.format}"
        {"csv": write_csv, "parquet": write_parquet}[options.format](ask(spark, sql), path)
        print(path)


def report(spark, options):
    """Answers the questions of the report that Spark can answer. robocensus answers the others and draws the report."""
    answers = options.out.with_name(options.out.name + "-answers")
    answers.mkdir(parents=True, exist_ok=True)
    program = [options.robocensus, "report", "--tables", options.tables]
    listed = run(*program, "--list-questions", "--engine", "spark")
    (answers / "questions.ndjson").write_text(listed, encoding="utf-8")
    for line in listed.splitlines()[1:]:
        question = json.loads(line)
        if question["sql"] is not None:
            write_parquet(ask(spark, question["sql"]), answers / f"{question['id']}.parquet")
    print(run(*program, "--answers", answers, "--out", options.out), end="")


def register(spark, options):
    """Makes the tables a database of the metastore, and prints their names."""
    ask(spark, run(options.robocensus, "catalog", options.tables, "--for", "spark", "--database", options.database))
    for row in spark.sql(f"SHOW TABLES IN {options.database}").collect():
        print(f"{row.namespace}.{row.tableName}")


def disk_path(typed):
    """A path on disk. A URL is refused: as a path, s3://bucket is a folder named s3:."""
    if "://" in typed:
        raise argparse.ArgumentTypeError("it is a URL, and this command writes only to disk; name a path")
    return pathlib.Path(typed)


def parse(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--robocensus", default="robocensus", help="name or path of the program on all machines")
    commands = parser.add_subparsers(required=True)
    command = commands.add_parser("ingest", help="archives in, tables out")
    command.add_argument("inputs", nargs="+", metavar="INPUT", help="archives, or after -- the arguments of robocensus plan")
    command.add_argument("--shards", type=int, required=True)
    command.add_argument("--jobs", type=int, default=1, help="threads per shard: the cores of a Spark task")
    # A path would lose a slash of a URL.
    command.add_argument("--out", required=True)
    command.set_defaults(work=ingest)
    command = commands.add_parser("answer", help="answers the named questions")
    command.add_argument("questions", nargs="+", metavar="NAME")
    command.add_argument("--tables", required=True)
    command.add_argument("--format", choices=["csv", "parquet"], default="csv")
    command.add_argument("--out", type=disk_path, required=True)
    command.set_defaults(work=answer)
    command = commands.add_parser("report", help="answers the questions of the report, and draws it")
    command.add_argument("--tables", required=True)
    command.add_argument("--out", type=disk_path, required=True)
    command.set_defaults(work=report)
    command = commands.add_parser("register", help="makes the tables a database of the metastore")
    command.add_argument("--tables", required=True)
    command.add_argument("--database", default="robocensus")
    command.set_defaults(work=register)
    return parser.parse_args(arguments)


def main():
    options = parse(sys.argv[1:])
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.appName("robocensus")
    if options.work is register:
        # Only Hive's metastore outlasts the session.
        builder = builder.enableHiveSupport()
    spark = builder.getOrCreate()
    code = options.work(spark, options)
    spark.stop()
    sys.exit(code)


if __name__ == "__main__":
    main()
