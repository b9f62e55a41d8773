"""Reads a folder of tables as users do, and writes what it read. The caller compares that with the tables.

    read_back.py duckdb|polars TABLES OUT

For each table, OUT/TABLE.csv has its rows in the form of tests/cli/rendering.rs. OUT/TABLE.types has a line for each
column: its name, the reader's name of its type, and whether the file allows nulls, if the reader reports that.
"""

import sys
import unicodedata
from pathlib import Path


def duckdb_reads(pattern):
    import duckdb

    table = duckdb.read_parquet(pattern, hive_partitioning=True)
    types = [str(kind) for kind in table.types]
    named = "SELECT name, bool_or(repetition_type = 'OPTIONAL') FROM parquet_schema(?) WHERE type IS NOT NULL GROUP BY name"
    nullable = dict(duckdb.execute(named, [pattern]).fetchall())
    # As milliseconds, since times with a zone need another Python package.
    columns = [
        f'epoch_ms("{name}"::TIMESTAMP_MS) AS "{name}"' if kind.startswith("TIMESTAMP") else f'"{name}"'
        for name, kind in zip(table.columns, types)
    ]
    duckdb.execute("SET TimeZone = 'UTC'")
    rows = table.project(", ".join(columns)).fetchall()
    return table.columns, types, nullable, rows


def polars_reads(pattern):
    import polars

    table = polars.scan_parquet(pattern, hive_partitioning=True).collect()
    types = [str(kind) for kind in table.dtypes]
    times = polars.selectors.temporal().dt.epoch("ms")
    return table.columns, types, {}, table.with_columns(times).rows()


def text(value):
    """A text as a CSV cell, with control characters and backslashes escaped."""
    known = {"\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
    escaped = "".join(
        known.get(character) or (f"\\u{ord(character):04x}" if unicodedata.category(character) == "Cc" else character)
        for character in value
    )
    if escaped == "" or "," in escaped or '"' in escaped:
        return '"' + escaped.replace('"', '""') + '"'
    return escaped


def time(milliseconds):
    from datetime import datetime, timedelta

    moment = datetime(1970, 1, 1) + timedelta(milliseconds=milliseconds)
    return moment.isoformat(timespec="milliseconds") + "Z"


def cell(value, kind):
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return text(value)
    if kind.lower().startswith(("timestamp", "datetime")):
        return time(value)
    return repr(value)


def main():
    reader, tables, out = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
    reads = {"duckdb": duckdb_reads, "polars": polars_reads}[reader]
    out.mkdir(parents=True)
    for folder in sorted(tables.iterdir()):
        if folder.name.startswith("_") or not folder.is_dir():
            continue
        names, types, nullable, rows = reads(f"{folder}/*/*.parquet")
        lines = [",".join(names)]
        lines += [",".join(cell(value, kind) for value, kind in zip(row, types)) for row in rows]
        (out / f"{folder.name}.csv").write_text("\n".join(lines) + "\n", encoding="utf-8", newline="\n")
        nulls = {True: "null", False: "not null"}
        lines = [f"{name}: {kind} {nulls.get(nullable.get(name), '')}".rstrip() for name, kind in zip(names, types)]
        (out / f"{folder.name}.types").write_text("\n".join(lines) + "\n", encoding="utf-8", newline="\n")


main()
