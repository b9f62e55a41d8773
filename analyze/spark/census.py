#!/usr/bin/env python3
"""An ingest, questions and a report on a Spark cluster: the same program and the same questions, spread over executors.

    spark-submit census.py ingest INPUT ... --shards 64 --out TABLES
    spark-submit census.py answer NAME ... --tables TABLES --out ANSWERS
    spark-submit census.py report --tables TABLES --out REPORT

All machines reach TABLES by the same path, and each has the program `robocensus` (--robocensus says where).

`ingest` writes the plan, has executors make its shards, and publishes them. A shard that is lost is made again by Spark;
two executors that make the same one stage the same bytes. `answer` asks the questions in Spark SQL and writes ANSWERS/NAME,
as CSV or Parquet. `report` asks all questions of the page that Spark can answer, and robocensus draws it.

Needs Spark 4 and pyarrow. Spark's own page shows the progress.
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
    """What a command prints. Its complaints go where ours go."""
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, text=True)
    if done.returncode not in (0, 1):
        raise SystemExit(done.returncode)
    return done.stdout


def ingest(spark, options):
    """Makes the tables: plan, shards, commit."""
    program, out, shards = options.robocensus, options.out, options.shards
    print(run(program, "plan", *options.inputs, *options.plan, "--shards", shards, "--out", out), end="")
    command = [program, "ingest", "--quiet", "--out", str(out), "--jobs", str(options.jobs)]

    def make(shard):
        done = subprocess.run([*command, f"--shard={shard}/{shards}"], stderr=subprocess.PIPE, text=True)
        if done.returncode:
            raise RuntimeError(f"shard {shard} ended with {done.returncode}: {done.stderr}")
        return done.stderr

    # A partition for each shard, so that Spark tries each again by itself.
    for complaints in spark.sparkContext.parallelize(range(shards), shards).map(make).collect():
        print(complaints, end="", file=sys.stderr)
    print(run(program, "commit", out), end="")


def statement(program, tables, arguments):
    """A question as Spark runs it: statements that define what it reads, and the last one. None where it calls a function
    that only robocensus has."""
    return printed(program, tables, [*arguments, "--engine", "spark"])


def printed(program, tables, arguments):
    """What `robocensus query` prints. None where it says that only robocensus has a function."""
    command = [program, "query", *arguments, "--tables", tables]
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    if "statement needs a function" in done.stderr:
        return None
    if done.returncode:
        raise SystemExit(done.stderr)
    return done.stdout


def ask(spark, sql):
    """The answer to a question, in a session of its own, as a data frame."""
    # No line within a statement ends with a semicolon.
    statements = [text.strip(" ;\n") for text in sql.split(";\n")]
    session, answer = spark.newSession(), None
    for text in filter(None, statements):
        answer = session.sql(text)
    return answer


def text(value):
    """A value as robocensus writes it in CSV."""
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
    """Answers questions by name."""
    options.out.mkdir(parents=True, exist_ok=True)
    for name in options.questions:
        sql = statement(options.robocensus, options.tables, [name])
        if sql is None:
            raise SystemExit(f"question cannot be answered: {name}: only robocensus has a function that it calls")
        path = options.out / f"{name}.{options.format}"
        {"csv": write_csv, "parquet": write_parquet}[options.format](ask(spark, sql), path)
        print(path)


def report(spark, options):
    """Answers all questions of the report that Spark can answer, and has robocensus draw it and answer the others."""
    answers = options.out.with_name(options.out.name + "-answers")
    answers.mkdir(parents=True, exist_ok=True)
    program = [options.robocensus, "report", "--tables", options.tables]
    listed = run(*program, "--list-questions")
    (answers / "questions.ndjson").write_text(listed, encoding="utf-8")
    for line in listed.splitlines()[1:]:
        question = json.loads(line)
        sql = statement(options.robocensus, options.tables, question["arguments"])
        if sql is not None:
            write_parquet(ask(spark, sql), answers / f"{question['id']}.parquet")
    print(run(*program, "--answers", answers, "--out", options.out), end="")


def parse(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--robocensus", default="robocensus", help="the program, by name or path, on all machines")
    commands = parser.add_subparsers(required=True)
    command = commands.add_parser("ingest", help="archives in, tables out")
    command.add_argument("inputs", nargs="+", metavar="INPUT")
    command.add_argument("--shards", type=int, required=True)
    command.add_argument("--jobs", type=int, default=1, help="threads of a shard: the cores of a task of Spark")
    command.add_argument("--plan", nargs="*", default=[], help="options for robocensus plan, such as --plan=--crawl=C-1")
    command.add_argument("--out", type=pathlib.Path, required=True)
    command.set_defaults(work=ingest)
    command = commands.add_parser("answer", help="answers questions by name")
    command.add_argument("questions", nargs="+", metavar="NAME")
    command.add_argument("--tables", type=pathlib.Path, required=True)
    command.add_argument("--format", choices=["csv", "parquet"], default="csv")
    command.add_argument("--out", type=pathlib.Path, required=True)
    command.set_defaults(work=answer)
    command = commands.add_parser("report", help="answers the questions of the report and draws it")
    command.add_argument("--tables", type=pathlib.Path, required=True)
    command.add_argument("--out", type=pathlib.Path, required=True)
    command.set_defaults(work=report)
    return parser.parse_args(arguments)


def main():
    options = parse(sys.argv[1:])
    from pyspark.sql import SparkSession

    spark = SparkSession.builder.appName("robocensus").getOrCreate()
    options.work(spark, options)
    spark.stop()


if __name__ == "__main__":
    main()
