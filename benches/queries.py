#!/usr/bin/env python3
"""Measures layouts of the tables: bytes, seconds to write, and milliseconds of typical queries.

    benches/queries.py TABLES [--parts N] [--rounds N] [--threads N] [--engine duckdb|polars] [--only FAMILY…]

TABLES is a folder that `robocensus ingest` wrote. The script rewrites its tables, each time with one other setting: rows
per row group, bytes per page, encoding of a column, bloom filters, zstd level, statistics, order. All other settings come
from the files themselves, so the line `as it is` shows the layout of ingest. N parts become one file, four by default,
because a part of a small crawl has 16 archives and one of a large crawl 64. The variants take turns. The first round
warms the cache; the fastest of the other rounds counts. Files are in the page cache: on an object store, a lookup saves
more than here.

It needs duckdb or polars, and a pyarrow that writes bloom filters (26 does). The figures in
`ingest/tables/src/storage.rs` are for the tables of

    cargo run --release -p generator -- crawl --out CRAWL --files 256
    robocensus ingest --out TABLES CRAWL

Compare a line only with lines of the same run, because pyarrow does not write the same bytes as ingest. Its pages end at
a batch of rows, not at a row. It does not fold bloom filters; the script gives it the number of values. Its CPU seconds
are those of another encoder.
"""

import argparse
import copy
import dataclasses
import os
import shutil
import tempfile
import time
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

KI = 1 << 10
MI = 1 << 20
TABLES = ["captures", "bodies", "rules", "policies"]


@dataclasses.dataclass
class Layout:
    """The settings with which the files of a table are written."""

    encodings: dict[str, str]
    statistics: set[str]
    blooms: set[str]
    row_group_rows: int = 256 * KI
    page_bytes: int = 4 * MI
    zstd: int = 3
    false_positives: float = 0.05
    order: str | None = None

    @staticmethod
    def read(path: Path) -> "Layout":
        """Reads the layout of a file. Settings that a file does not show keep their defaults."""
        group = pq.ParquetFile(path).metadata.row_group(0)
        layout = Layout({}, set(), set())
        for at in range(group.num_columns):
            column = group.column(at)
            name = column.path_in_schema
            delta = [encoding for encoding in column.encodings if encoding.startswith("DELTA")]
            layout.encodings[name] = "DICTIONARY" if column.has_dictionary_page else (delta or ["PLAIN"])[0]
            if column.statistics and column.statistics.has_min_max:
                layout.statistics.add(name)
            if column.bloom_filter_offset is not None:
                layout.blooms.add(name)
        return layout

    def write(self, rows: pa.Table, path: Path) -> None:
        if self.order:
            rows = rows.sort_by(self.order)

        def bloom(name):
            distinct = pc.count_distinct(rows[name]).as_py()
            return {"ndv": max(1, min(distinct, self.row_group_rows)), "fpp": self.false_positives}

        pq.write_table(
            rows,
            path,
            compression="zstd",
            compression_level=self.zstd,
            use_dictionary=[name for name, encoding in self.encodings.items() if encoding == "DICTIONARY"],
            column_encoding={name: encoding for name, encoding in self.encodings.items() if encoding != "DICTIONARY"},
            dictionary_pagesize_limit=4 * MI,
            row_group_size=self.row_group_rows,
            data_page_size=self.page_bytes,
            max_rows_per_page=self.row_group_rows,
            write_statistics=sorted(self.statistics) or False,
            bloom_filter_options={name: bloom(name) for name in self.blooms} or None,
            store_schema=False,
        )


def change(**settings):
    """Changes settings that do not belong to a column."""
    return lambda layout: dataclasses.replace(layout, **settings)


def encode(column, encoding):
    def changed(layout):
        layout.encodings[column] = encoding
        return layout

    return changed


def without(kind, column):
    def changed(layout):
        getattr(layout, kind).discard(column)
        return layout

    return changed


def with_all_statistics(layout):
    layout.statistics = set(layout.encodings)
    return layout


# Family, variant, the tables that it changes, and the change.
VARIANTS = [
    *[("row groups", f"{rows // KI} Ki rows", ["captures", "rules", "policies"], change(row_group_rows=rows))
      for rows in (64 * KI, 128 * KI, 512 * KI, MI)],
    *[("pages", f"{size // KI} KiB", ["captures", "rules", "policies"], change(page_bytes=size))
      for size in (64 * KI, 256 * KI, MI)],
    ("pattern", "dictionary", ["rules"], encode("pattern", "DICTIONARY")),
    ("pattern", "delta length", ["rules"], encode("pattern", "DELTA_LENGTH_BYTE_ARRAY")),
    ("pattern", "plain", ["rules"], encode("pattern", "PLAIN")),
    ("host", "dictionary", ["captures"], encode("url_host_name", "DICTIONARY")),
    ("host", "delta length", ["captures"], encode("url_host_name", "DELTA_LENGTH_BYTE_ARRAY")),
    ("host", "plain", ["captures"], encode("url_host_name", "PLAIN")),
    ("bloom", "none on host", ["captures"], without("blooms", "url_host_name")),
    ("bloom", "none on token", ["policies"], without("blooms", "token")),
    *[("bloom", f"{rate:.0%} false positives", ["captures", "policies"], change(false_positives=rate))
      for rate in (0.01, 0.2)],
    *[("zstd", f"level {level}", TABLES, change(zstd=level)) for level in (1, 6, 9)],
    ("statistics", "none on body_id", ["rules", "policies", "bodies"], without("statistics", "body_id")),
    ("statistics", "on all columns", TABLES, with_all_statistics),
    ("order", "captures by host", ["captures"], change(order="url_host_name")),
]  # fmt: skip

# Name, the tables that it reads, and the query. `example_values` fills in {host} and the like.
QUERIES = [
    ("one host", ["captures"],
     "SELECT url, fetch_status, body_id FROM captures WHERE url_host_name = '{host}'"),
    ("no host", ["captures"],
     "SELECT url, fetch_status, body_id FROM captures WHERE url_host_name = 'no.such.host.example'"),
    ("one token", ["policies"],
     "SELECT access, count(*) AS n FROM policies WHERE token = '{token}' GROUP BY access"),
    ("rare token", ["policies"],
     "SELECT access, count(*) AS n FROM policies WHERE token = '{rare_token}' GROUP BY access"),
    ("one body", ["rules"],
     "SELECT line_no, allow, pattern FROM rules WHERE body_id = {body}"),
    ("100 bodies", ["captures", "rules"],
     "SELECT rules.body_id, line_no, allow, pattern FROM rules JOIN (SELECT DISTINCT body_id FROM captures "
     "WHERE url_host_registered_domain = '{domain}' AND body_id IS NOT NULL ORDER BY body_id LIMIT 100) AS few "
     "ON rules.body_id = few.body_id"),
    ("by token", ["policies"],
     "SELECT token, count(*) AS n FROM policies GROUP BY token ORDER BY n DESC, token LIMIT 20"),
    ("500 KiB", ["bodies"],
     "SELECT exceeds_500_kib, count(*) AS n FROM bodies GROUP BY exceeds_500_kib"),
    ("top 20", ["rules"],
     "SELECT pattern, count(*) AS n FROM rules GROUP BY pattern ORDER BY n DESC, pattern LIMIT 20"),
    ("like", ["rules"],
     "SELECT allow, count(*) AS n FROM rules WHERE pattern LIKE '/wp-%' GROUP BY allow"),
]  # fmt: skip


class DuckDB:
    def __init__(self, threads):
        import duckdb

        self.connection = duckdb.connect()
        self.connection.execute(f"SET threads = {threads}")
        # Otherwise the second round finds the bytes in memory and does not read the file.
        self.connection.execute("SET enable_external_file_cache = false")

    def rows(self, sql, folders):
        for table, folder in folders.items():
            self.connection.execute(f"CREATE OR REPLACE TEMP VIEW {table} AS FROM read_parquet('{folder}/*.parquet')")
        start = time.perf_counter()
        rows = self.connection.execute(sql).fetchall()
        return rows, time.perf_counter() - start


class Polars:
    def __init__(self, threads):
        os.environ["POLARS_MAX_THREADS"] = str(threads)
        import polars

        self.polars = polars

    def rows(self, sql, folders):
        start = time.perf_counter()
        frames = {table: self.polars.scan_parquet(f"{folder}/*.parquet") for table, folder in folders.items()}
        rows = self.polars.SQLContext(frames).execute(sql, eager=True).rows()
        return rows, time.perf_counter() - start


class Variant:
    """A set of tables on disk. Tables that the variant does not change are those of `as it is`."""

    def __init__(self, family, name, folders, own):
        self.family, self.name, self.folders, self.own = family, name, folders, own
        self.bytes = {}
        self.cpu = {}
        self.fastest = {}


def write(groups, layout, folder):
    """Writes a table. Returns its bytes and the CPU seconds of writing."""
    folder.mkdir(parents=True)
    cpu = 0.0
    for number, rows in enumerate(groups):
        start = time.process_time()
        layout.write(rows, folder / f"{number:05}.parquet")
        cpu += time.process_time() - start
    return sum(path.stat().st_size for path in folder.iterdir()), cpu


def example_values(engine, as_it_is):
    """Picks values for the queries from the tables: common ones and rare ones."""
    def one(sql):
        return engine.rows(sql, as_it_is.folders)[0][0][0]

    named = "SELECT {0} FROM {1} WHERE {0} IS NOT NULL GROUP BY {0} ORDER BY count(*) {2}, {0} LIMIT 1"
    return {
        "host": one(named.format("url_host_name", "captures", "ASC")),
        "domain": one(named.format("url_host_registered_domain", "captures", "DESC")),
        "token": one("SELECT token FROM policies WHERE token <> '*' GROUP BY token ORDER BY count(*) DESC LIMIT 1"),
        "rare_token": one(named.format("token", "policies", "ASC")),
        "body": one("SELECT max(body_id) AS body FROM rules WHERE octets < 100"),
    }


def measure(engine, variants, rounds):
    values = example_values(engine, variants[0])
    print(*(f"{name}: {value}" for name, value in values.items()), sep=", ")
    expected = {}
    for number in range(rounds + 1):
        for variant in variants:
            for name, tables, sql in QUERIES:
                if variant.own and not set(tables) & set(variant.own):
                    continue
                rows, seconds = engine.rows(sql.format(**values), {table: variant.folders[table] for table in tables})
                if sorted(rows, key=repr) != expected.setdefault(name, sorted(rows, key=repr)):
                    raise SystemExit(f"answer differs: {variant.family}: {variant.name}: {name}")
                if number:
                    variant.fastest[name] = min(seconds, variant.fastest.get(name, seconds))


def print_variants(variants):
    """Prints a line per variant: bytes and CPU seconds of its own tables, relative to `as it is`, and time per query."""
    as_it_is = variants[0]
    names = [name for name, _, _ in QUERIES]
    print(f"{'':28}{'MB':>8}{'':>7}{'write s':>9}{'':>6}" + "".join(f"{name:>12}" for name in names) + "   ms")
    family = None
    for variant in variants:
        if variant.family != family:
            family = variant.family
            print(family)
        own = variant.own or TABLES
        base, size = (sum(other.bytes[table] for table in own) for other in (as_it_is, variant))
        base_cpu, cpu = (sum(other.cpu[table] for table in own) for other in (as_it_is, variant))
        fastest = [variant.fastest.get(name) for name in names]
        times = "".join(f"{'':12}" if seconds is None else f"{seconds * 1000:12.1f}" for seconds in fastest)
        print(f"  {variant.name:26}{size / 1e6:8.2f}{size / base - 1:+7.1%}{cpu:9.2f}{cpu / base_cpu - 1:+6.0%}{times}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tables", type=Path)
    parser.add_argument("--parts", type=int, default=4, help="parts per file")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--engine", choices=["duckdb", "polars"], default="duckdb")
    parser.add_argument("--only", nargs="*", help="families of variants")
    arguments = parser.parse_args()
    engine = {"duckdb": DuckDB, "polars": Polars}[arguments.engine](arguments.threads)
    chosen = [variant for variant in VARIANTS if not arguments.only or variant[0] in arguments.only]
    scratch = Path(tempfile.mkdtemp(prefix="queries-"))
    try:
        as_it_is = Variant("as it is", "as it is", {table: scratch / "as it is" / table for table in TABLES}, None)
        variants = [as_it_is]
        for family, name, own, _ in chosen:
            folders = as_it_is.folders | {table: scratch / family / name / table for table in own}
            variants.append(Variant(family, name, folders, own))
        for table in TABLES:
            paths = sorted((arguments.tables / table).glob("*/*.parquet"))
            layout = Layout.read(paths[0])
            chunks = [paths[at : at + arguments.parts] for at in range(0, len(paths), arguments.parts)]
            groups = [pa.concat_tables([pq.ParquetFile(path).read() for path in chunk]) for chunk in chunks]
            for variant, changed in zip(variants, [lambda layout: layout, *[variant[3] for variant in chosen]]):
                if variant.own is None or table in variant.own:
                    size, cpu = write(groups, changed(copy.deepcopy(layout)), variant.folders[table])
                    variant.bytes[table], variant.cpu[table] = size, cpu
        measure(engine, variants, arguments.rounds)
        print_variants(variants)
    finally:
        shutil.rmtree(scratch)


if __name__ == "__main__":
    main()
