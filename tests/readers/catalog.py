#!/usr/bin/env python3
"""Checks the catalogs of a folder of tables: `robocensus catalog TABLES --for WHAT`.

    catalog.py WHAT[,WHAT...] ROBOCENSUS TABLES SCRATCH

DuckDB, DuckLake and Spark run their scripts. Then each table, list and view must have as many rows as in `robocensus
sql`, the same sum in each column, and the columns, types and comments of the dictionary. The scripts for Athena and
Trino are parsed, by Trino's grammar where it applies. Their views are translated and run in DuckDB, and Athena's tables
run in Spark, which accepts the same definitions. The Croissant description is validated, and its records are read.

SCRATCH is an empty folder. Prints each fault, and exits with 1 if there is one.
"""

import csv
import functools
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
LISTS = ["agents", "templates", "ranks", "weights", "categories"]
S3 = "s3://bucket/it's a prefix"
# The longest statement of Athena, and the longest view in AWS Glue.
ATHENA_BYTES = 262_144
COMMENT_BYTES = 255


def run(robocensus, *arguments):
    done = subprocess.run([robocensus, *map(str, arguments)], capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"robocensus {' '.join(map(str, arguments))}: {done.stderr}")
    return done.stdout


def rows_of(robocensus, tables, sql):
    return list(csv.reader(run(robocensus, "sql", "--tables", tables, "--format", "csv", "--exact", sql).splitlines()))[1:]


def statements(script):
    """The statements of a script. Only the last line of a statement ends with `;`."""
    parts = (part.strip() for part in script.split(";\n"))
    return [part for part in parts if re.sub(r"^--.*$", "", part, flags=re.M).strip()]


def dictionary():
    """The columns of each table, with types and meanings, from the data dictionary."""
    tables, name = {}, None
    for line in (ROOT / "datasets/DICTIONARY.md").read_text(encoding="utf-8").splitlines():
        if line.startswith("## "):
            name = line[3:]
        elif found := re.match(r"\| `(\w+)` \| (\w+) \|.*?\| (.*) \|$", line):
            tables.setdefault(name, []).append(found.groups())
    return tables


@functools.cache
def expect(robocensus, tables):
    """What all catalogs of a folder must have. It takes seconds, so it is computed once."""
    return Expected(robocensus, tables)


class Expected:
    """The tables, columns and sums of a folder, from `robocensus sql`."""

    def __init__(self, robocensus, tables):
        self.tables = sorted(path.name for path in tables.iterdir() if path.is_dir() and not path.name.startswith("_"))
        views = sorted(path.stem for path in (ROOT / "queries/views").glob("*.sql"))
        self.relations = self.tables + LISTS + views
        self.columns = {}
        described = "SELECT table_name, column_name, data_type FROM information_schema.columns ORDER BY ordinal_position"
        for table, column, kind in rows_of(robocensus, tables, described):
            self.columns.setdefault(table, []).append((column, kind))
        self.prints = dict(rows_of(robocensus, tables, self.fingerprints()))

    def fingerprints(self, qualified=lambda name: name, text="varchar"):
        """A statement with one row per table, list and view: its row count, and a sum of each column."""

        def summed(column, kind):
            if kind.startswith("Utf8"):
                return f"CAST(coalesce(sum(length({column})), 0) AS {text})"
            if kind == "Boolean":
                return f"CAST(coalesce(sum(CASE WHEN {column} THEN 1 ELSE 0 END), 0) AS {text})"
            if kind.startswith(("Timestamp", "Date")):
                return f"coalesce(CAST(CAST(max({column}) AS date) AS {text}), '')"
            # When a fraction becomes an integer, some engines round it and others truncate it. Shares add up to whole
            # numbers, or to a little less if they are added in another order.
            total = f"floor(sum({column}) * 1000 + 0.5)" if kind == "Float64" else f"sum({column})"
            return f"CAST(CAST(coalesce({total}, 0) AS bigint) AS {text})"

        def select(name):
            sums = [f"CAST(count(*) AS {text})", *(summed(*column) for column in self.columns[name])]
            joined = " || ',' || ".join(sums)
            return f"SELECT '{name}' AS relation, {joined} AS sums FROM {qualified(name)}"

        return " UNION ALL ".join(select(name) for name in self.relations)

    def compare(self, engine, found):
        """Prints each relation with other rows. Returns their number."""
        wrong = [name for name in self.relations if found.get(name) != self.prints[name]]
        for name in wrong:
            print(f"{engine}: {name}: {found.get(name)} instead of {self.prints[name]}")
        if len(self.prints) < 40 or len(self.relations) != len(self.prints):
            wrong.append("relations")
            print(f"{engine}: only {len(self.prints)} relations were compared")
        return len(wrong)


def differ(what, found, expected):
    if found == expected:
        return 0
    print(f"{what}:\n  found    {found}\n  expected {expected}")
    return 1


def columns_differ(engine, tables, found, types, shortened=False):
    """Prints each table with other columns. `found` returns the columns of a table: name, type and comment."""
    wrong = 0
    for table in tables:
        expected = []
        for column, kind, meaning in dictionary()[table]:
            if shortened and len(meaning.encode()) > COMMENT_BYTES:
                meaning = meaning[: meaning.index(" One of: ")]
            expected.append((column, types[kind], meaning))
        wrong += differ(f"{engine}: {table}", [tuple(column) for column in found(table)], expected)
    return wrong


DUCKDB_TYPES = {
    "text": "VARCHAR",
    "boolean": "BOOLEAN",
    "int": "INTEGER",
    "bigint": "BIGINT",
    "double": "DOUBLE",
    "timestamp": "TIMESTAMP WITH TIME ZONE",
}
HIVE_TYPES = {"text": "string", "boolean": "boolean", "int": "int", "bigint": "bigint", "double": "double", "timestamp": "timestamp"}
TRINO_TYPES = {**HIVE_TYPES, "text": "varchar", "int": "integer", "timestamp": "timestamp(3)"}


def duckdb_differs(engine, expected):
    def columns(table):
        described = "SELECT column_name, data_type, comment FROM duckdb_columns() WHERE table_name = ? AND NOT internal ORDER BY column_index"
        return engine.execute(described, [table]).fetchall()

    wrong = expected.compare("DuckDB", dict(engine.execute(expected.fingerprints()).fetchall()))
    return wrong + columns_differ("DuckDB", expected.tables, columns, DUCKDB_TYPES)


def duckdb_catalog(robocensus, tables, scratch):
    import duckdb

    engine = duckdb.connect()
    script = run(robocensus, "catalog", tables, "--for", "duckdb")
    engine.execute(script)
    written = (tables / "views.duckdb.sql").read_text(encoding="utf-8")
    # The file of a copied folder still has the path of the original.
    paths = r"(?m)^SET VARIABLE tables = .*$"
    wrong = differ("views.duckdb.sql", re.sub(paths, "", script), re.sub(paths, "", written))
    return wrong + duckdb_differs(engine, expect(robocensus, tables))


def ducklake_catalog(robocensus, tables, scratch):
    import duckdb
    import duckdb_extension_ducklake

    extension = next(pathlib.Path(duckdb_extension_ducklake.__file__).parent.rglob("*.duckdb_extension"))
    os.chdir(scratch)

    def connect():
        engine = duckdb.connect()
        engine.execute(f"LOAD '{extension}'")
        return engine

    script = run(robocensus, "catalog", tables, "--for", "ducklake", "--database", "census")
    connect().execute(script)
    wrong = 0
    for round in ["first", "second"]:
        engine = connect()
        engine.execute("SET TimeZone = 'UTC'; ATTACH 'ducklake:census.ducklake' AS lake (READ_ONLY); USE lake")
        if round == "second":
            wrong += duckdb_differs(engine, expect(robocensus, tables))
        engine.close()
        if round == "first":
            try:
                connect().execute(script)
            except duckdb.Error:
                continue
            print("DuckLake: a second run of the script did not fail")
            wrong += 1
    return wrong + differ("files of the lake", sorted(os.listdir(scratch)), ["census.ducklake"])


def spark_catalog(robocensus, tables, scratch):
    from pyspark.sql import SparkSession

    settings = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.driver.memory": "4g",
        "spark.sql.shuffle.partitions": "2",
        "spark.sql.warehouse.dir": scratch / "warehouse",
        "spark.hadoop.javax.jdo.option.ConnectionURL": f"jdbc:derby:;databaseName={scratch}/metastore;create=true",
        "spark.driver.extraJavaOptions": f"-Dderby.system.home={scratch}",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.log.level": "ERROR",
    }
    builder = SparkSession.builder.master("local[2]").appName("robocensus").enableHiveSupport()
    for key, value in settings.items():
        builder = builder.config(key, str(value))
    spark = builder.getOrCreate()
    expected = expect(robocensus, tables)
    script = run(robocensus, "catalog", tables, "--for", "spark", "--database", "census")
    # The second run keeps the tables.
    for _ in range(2):
        for statement in statements(script):
            spark.sql(statement)
    # A new session shares only the metastore.
    session = spark.newSession()
    found = session.sql(expected.fingerprints(lambda name: f"census.{name}", "string")).collect()
    wrong = expected.compare("Spark", {relation: sums for relation, sums in found})

    def columns(database):
        def described(table):
            rows = [tuple(row) for row in session.sql(f"DESCRIBE {database}.{table}").collect()]
            # The columns of the partition follow, below a heading.
            return rows[: next(at for at, row in enumerate(rows) if row[0].startswith("#"))]

        return described

    wrong += columns_differ("Spark", expected.tables, columns("census"), HIVE_TYPES, shortened=True)
    # Athena defines tables in Hive's SQL, which Spark also runs. Spark ignores partition projection.
    script = run(robocensus, "catalog", tables, "--for", "athena", "--location", "s3://bucket/prefix", "--database", "athena")
    for statement in statements(script):
        if "VIEW" not in statement.splitlines()[1 if statement.startswith("--") else 0]:
            spark.sql(statement.replace("s3://bucket/prefix", str(tables).replace("\\", "\\\\").replace("'", "\\'")))
    for table in expected.tables:
        spark.sql(f"MSCK REPAIR TABLE athena.{table}")
        counted = session.sql(f"SELECT count(*) FROM athena.{table}").collect()[0][0]
        wrong += differ(f"Athena in Spark: {table}", str(counted), expected.prints[table].split(",")[0])
    return wrong + columns_differ("Athena in Spark", expected.tables, columns("athena"), HIVE_TYPES, shortened=True)


def trino_catalog(robocensus, tables, scratch):
    import sqlglot
    import trino_query_parser

    script = run(robocensus, "catalog", tables, "--for", "trino", "--database", "census", "--location", S3)
    expected = expect(robocensus, tables)
    parsed, wrong = {}, 0
    for statement in statements(script):
        trino_query_parser.parse_statement(short(statement))
        if statement.startswith("CREATE TABLE"):
            tree = sqlglot.parse_one(statement, dialect="trino")
            table = tree.find(sqlglot.exp.Table).name
            parsed[table] = tree
            location = f"{S3}/{table}/".replace("'", "''")
            for part in [f"external_location = '{location}'", "format = 'PARQUET'", "partitioned_by = ARRAY['crawl']"]:
                if f"\n  {part}" not in statement:
                    print(f"Trino: {table}: no {part}")
                    wrong += 1
    wrong += differ("Trino: tables", sorted(parsed), expected.tables)
    wrong += columns_differ("Trino", expected.tables, lambda table: declared(parsed[table], "trino"), TRINO_TYPES, shortened=True)
    return wrong + views_in_duckdb(script, expected, tables)


def athena_catalog(robocensus, tables, scratch):
    import sqlglot
    import trino_query_parser

    script = run(robocensus, "catalog", tables, "--for", "athena", "--database", "census", "--location", S3)
    expected = expect(robocensus, tables)
    parsed, wrong = {}, 0
    for statement in statements(script):
        if len(statement.encode()) > ATHENA_BYTES:
            print(f"Athena: {len(statement.encode())} bytes: {statement[:100]}")
            wrong += 1
        if " VIEW " in statement:
            # Athena's queries have Trino's grammar.
            trino_query_parser.parse_statement(short(statement))
        elif " TABLE " in statement and "CREATE" in statement:
            tree = sqlglot.parse_one(statement, dialect="athena")
            parsed[tree.find(sqlglot.exp.Table).name] = tree
    for table, tree in parsed.items():
        properties = (one for one in tree.find_all(sqlglot.exp.Property) if type(one) is sqlglot.exp.Property)
        properties = {one.name: one.args["value"].name for one in properties}
        crawls = sorted(path.name.split("=")[1] for path in (tables / table).iterdir())
        projected = {
            "projection.enabled": "true",
            "projection.crawl.type": "enum",
            "projection.crawl.values": ",".join(crawls),
            "storage.location.template": f"{S3}/{table}/crawl=${{crawl}}/",
        }
        wrong += differ(f"Athena: {table}", properties, projected)
        wrong += differ(f"Athena: {table}", tree.find(sqlglot.exp.LocationProperty).name, f"{S3}/{table}/")
    wrong += differ("Athena: tables", sorted(parsed), expected.tables)
    wrong += columns_differ("Athena", expected.tables, lambda table: declared(parsed[table], "hive"), HIVE_TYPES, shortened=True)
    return wrong + views_in_duckdb(script, expected, tables)


def short(statement):
    """A statement without most rows of a list, which the Python parser would take a minute to read."""
    lines = statement.split("\n")
    rows = [at for at, line in enumerate(lines) if line.startswith("    (")]
    return "\n".join(line for at, line in enumerate(lines) if at not in rows[5:-5])


def declared(tree, dialect):
    """The columns of a parsed table definition: name, type and comment."""
    import sqlglot

    for column in tree.find_all(sqlglot.exp.ColumnDef):
        comment = column.find(sqlglot.exp.CommentColumnConstraint)
        yield column.name, column.kind.sql(dialect=dialect).lower(), comment.this.name


def views_in_duckdb(script, expected, tables):
    """Translates the views of a script, and runs them in DuckDB over views of the tables."""
    import duckdb
    import sqlglot

    engine = duckdb.connect()
    engine.execute("SET TimeZone = 'UTC'; CREATE SCHEMA census; USE census")
    for table in expected.tables:
        files = re.sub(r"([\[*?])", r"[\1]", f"{tables}/{table}").replace("'", "''")
        columns = ", ".join(column for column, _ in expected.columns[table])
        read = f"SELECT {columns} FROM read_parquet('{files}/*/*.parquet', hive_partitioning = true, hive_types = {{'crawl': varchar}})"
        engine.execute(f"CREATE VIEW {table} AS {read}")
    wrong = 0
    for statement in statements(script):
        if " VIEW " not in statement:
            continue
        tree = sqlglot.parse_one(statement, dialect="trino")
        # Trino rejects a view that has a column without a type, or calls an unknown function.
        for function in tree.find_all(sqlglot.exp.Anonymous):
            print(f"function is unknown: {function.name}")
            wrong += 1
        for column in tree.find_all(sqlglot.exp.Alias):
            if isinstance(column.this, sqlglot.exp.Null):
                print(f"column has no type: {tree.this.sql()}: {column.alias}")
                wrong += 1
        # DuckDB does not accept comments in the definition of a view.
        engine.execute(tree.sql(dialect="duckdb", unsupported_level=sqlglot.ErrorLevel.IGNORE))
    return wrong + expected.compare("views in DuckDB", dict(engine.execute(expected.fingerprints()).fetchall()))


def croissant_catalog(robocensus, tables, scratch):
    import mlcroissant

    about = ["--license", "https://spdx.org/licenses/CC0-1.0", "--url", "https://www.example.org/", "--person", "A. Author",
             "--published", "2026-11-23", "--cite-as", "@misc{a}"]
    # Paths are relative to the description, so it must be beside the tables.
    beside = scratch / "dataset"
    shutil.copytree(tables, beside)
    (beside / "croissant.json").write_text(run(robocensus, "catalog", tables, "--for", "croissant", *about), encoding="utf-8")
    dataset = mlcroissant.Dataset(jsonld=beside / "croissant.json")
    wrong = 0
    for message in [*dataset.metadata.issues.errors, *dataset.metadata.issues.warnings]:
        # A folder of tables that grows has no version.
        if '"https://schema.org/version" is recommended' not in message:
            print(f"Croissant: {message}")
            wrong += 1
    expected = expect(robocensus, tables)
    sets = {records.name: records for records in dataset.metadata.record_sets}
    wrong += differ("Croissant: tables", sorted(sets), expected.tables)
    for table in expected.tables:
        fields = [(field.name, field.description) for field in sets[table].fields]
        wrong += differ(f"Croissant: {table}", fields, [(column, meaning) for column, _, meaning in dictionary()[table]])
        records = list(dataset.records(table))
        wrong += differ(f"Croissant: rows of {table}", str(len(records)), expected.prints[table].split(",")[0])
        crawls = {record[f"{table}/crawl"].decode() for record in records}
        wrong += differ(f"Croissant: crawls of {table}", crawls, {path.name.split("=")[1] for path in (tables / table).iterdir()})
    return wrong


def main():
    catalogs, robocensus, tables, scratch = sys.argv[1:]
    wrong = 0
    for what in catalogs.split(","):
        folder = pathlib.Path(scratch) / what
        folder.mkdir()
        found = globals()[f"{what}_catalog"](robocensus, pathlib.Path(tables), folder)
        print(f"{what}: {found} faults")
        wrong += found
    return 1 if wrong else 0


if __name__ == "__main__":
    code = main()
    sys.stdout.flush()
    sys.stderr.flush()
    # The libraries of five engines run in this process. At its end their threads sometimes abort it: "terminate called
    # without an active exception".
    os._exit(code)
