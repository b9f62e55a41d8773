#!/usr/bin/env python3
"""Measures every stage from archives to the page on crawls of three sizes, and extrapolates to a real crawl.

    benches/growth.py FOLDER [--files 60 600 6000] [--captures 75000000] [--cores 16] [--memory 2GiB] [--questions] [--years]
                      [--pieces 36]

FOLDER gets the generated crawls (28 GB with their tables for the default sizes); existing ones are used again. Each stage
runs with two jobs, and on the crawl of the middle size also with one job. The two times give the serial part of a stage,
which more cores do not speed up (Amdahl's law). The growth between the two largest crawls gives the exponent: 1 is
linear. The extrapolation uses the time of the largest crawl, that exponent and that part. It is not a measurement.
--questions asks each question once on each crawl. --years makes one folder of twelve crawls of the smallest size and
compares each stage with that of one such crawl. --pieces makes one more crawl, of so many pieces of 1,000 files: 36 are
6 x 10^7 captures, a whole crawl. The archives of a piece are removed once they are read, so that this takes 30 GB, not 140. They
are compressed less, which takes a quarter of the time.
"""

import argparse
import math
import os
import pathlib
import shutil
import subprocess
import sys
import time


class Run:
    """Seconds, CPU seconds and peak memory of a command."""

    def __init__(self, command, limit=None):
        start = time.perf_counter()
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        message = process.stderr.read().decode()
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        self.seconds = time.perf_counter() - start
        self.cpu = used.ru_utime + used.ru_stime
        self.mib = used.ru_maxrss / 1024
        self.failure = message.strip().splitlines()[0] if process.returncode else ""


def count(binary, tables, table):
    command = [binary, "sql", "--tables", tables, "--format", "csv", f"SELECT count(*) AS n FROM {table}"]
    return int(subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()[1])


def stages(binary, inputs, tables, page, jobs, memory):
    """The stages from archives to the page, each with its command."""
    yield "ingest", [binary, "ingest", *inputs, "--out", tables, "--models", "none", "--jobs", jobs, "--quiet"]
    yield "models", [binary, "models", tables, "--memory", memory, "--jobs", jobs, "--quiet"]
    yield "report", [binary, "report", tables, "--memory", memory, "--out", page, "--jobs", jobs, "--quiet"]


def show(heads, rows):
    widths = [max(len(str(cell)) for cell in column) for column in zip(heads, *rows)]
    for row in [heads, *rows]:
        print("  ".join(str(cell).rjust(width) for cell, width in zip(row, widths)).rstrip(), flush=True)
    print()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--files", type=int, nargs="+", default=[60, 600, 6000])
    parser.add_argument("--captures", type=float, default=7.5e7)
    parser.add_argument("--cores", type=int, default=16)
    parser.add_argument("--memory", default="2GiB")
    parser.add_argument("--questions", action="store_true")
    parser.add_argument("--years", action="store_true")
    parser.add_argument("--pieces", type=int, default=0)
    parser.add_argument("--binaries", type=pathlib.Path, default=pathlib.Path(os.environ.get("CARGO_TARGET_DIR", "target")) / "release")
    options = parser.parse_args()
    binary, folder = str(options.binaries / "robocensus"), options.folder
    folder.mkdir(parents=True, exist_ok=True)

    draft = folder / "draft"

    def generate(files, name, seed, *more):
        shutil.rmtree(draft, ignore_errors=True)
        make = [str(options.binaries / "generator"), "crawl", "--out", str(draft), "--files", str(files)]
        subprocess.run([*make, "--crawl", name, "--seed", str(seed), *more], check=True, stdout=subprocess.DEVNULL)

    def crawl(files, name, seed):
        path = folder / f"crawl-{name}"
        if not path.exists():
            generate(files, name, seed)
            # A crawl with this name is whole.
            draft.rename(path)
        return str(path)

    def removed(name):
        tables, page = folder / f"tables-{name}", folder / f"page-{name}"
        for old in (tables, page):
            shutil.rmtree(old, ignore_errors=True)
        return tables, page

    def measure(name, inputs, jobs):
        tables, page = removed(name)
        found = {}
        for stage, command in stages(binary, inputs, str(tables), str(page), str(jobs), options.memory):
            found[stage] = Run(command)
            # Generated crawls have no damage, so that every stage exits with 0.
            if found[stage].failure:
                sys.exit(f"{stage}: {found[stage].failure}")
        return found, str(tables)

    def measure_pieces():
        name = f"MADE-{options.pieces}-pieces"
        tables, page = removed(name)
        (_, ingest), *others = stages(binary, [str(draft)], str(tables), str(page), "2", options.memory)
        found = {"ingest": []}
        for piece in range(1, options.pieces + 1):
            generate(1000, name, piece, "--level", "1")
            # Archives of different pieces have the same names.
            for path in draft.rglob("*.warc.gz"):
                path.rename(path.with_name(f"piece-{piece}-{path.name}"))
            for path in draft.rglob("*.paths.gz"):
                path.unlink()
            found["ingest"].append(Run(ingest))
        shutil.rmtree(draft)
        for stage, command in others:
            found[stage] = [Run(command)]
        rows = []
        for stage, runs in found.items():
            failure = next((run.failure for run in runs if run.failure), "")
            sums = f"{sum(run.seconds for run in runs):.1f} s, {sum(run.cpu for run in runs):.0f} CPU s, {max(run.mib for run in runs):.0f} MiB"
            rows.append([stage, failure or sums])
        show(["stage", f"{count(binary, str(tables), 'captures'):,}"], rows)

    sizes, measured, alone = [], [], {}
    middle = options.files[len(options.files) // 2]
    for files in options.files:
        inputs = [crawl(files, f"MADE-{files}", 1)]
        if files == middle:
            alone, _ = measure(f"{files}-alone", inputs, 1)
        found, tables = measure(f"{files}", inputs, 2)
        sizes.append(count(binary, tables, "captures"))
        measured.append(found)
    rows = []
    total = {}
    for stage in measured[0]:
        runs = [found[stage] for found in measured]
        one = alone[stage].seconds
        two = runs[options.files.index(middle)].seconds
        # one = serial + parallel, two = serial + parallel / 2
        serial = min(max(2 * two / one - 1, 0), 1)
        growth = (runs[-1].seconds / runs[-2].seconds, sizes[-1] / sizes[-2])
        exponent = math.log(growth[0]) / math.log(growth[1])
        on_two = runs[-1].seconds * (options.captures / sizes[-1]) ** exponent
        on_many = on_two * (serial + (1 - serial) / options.cores) / (serial + (1 - serial) / 2)
        total = {"two": total.get("two", 0) + on_two, "many": total.get("many", 0) + on_many}
        cells = [f"{run.seconds:.1f} s, {run.cpu:.0f} CPU s, {run.mib:.0f} MiB" for run in runs]
        rows.append([stage, *cells, f"{exponent:.2f}", f"{serial:.0%}", f"{on_two / 60:.0f} min", f"{on_many / 60:.0f} min"])
    whole = [sum(run.seconds for run in found.values()) for found in measured]
    rows.append(["all", *[f"{seconds:.1f} s" for seconds in whole], "", "", f"{total['two'] / 60:.0f} min", f"{total['many'] / 60:.0f} min"])
    wanted = f"{options.captures:.3g} captures"
    show(["stage", *[f"{size:,}" for size in sizes], "exponent", "serial", f"{wanted}, 2 cores", f"{options.cores} cores"], rows)

    if options.questions:
        names = sorted(path.stem for path in pathlib.Path(__file__).resolve().parents[1].glob("queries/questions/*.sql"))
        rows = []
        for name in names:
            runs = [Run([binary, "query", name, "--tables", str(folder / f"tables-{files}"), "--memory", options.memory, "--jobs", "2"]) for files in options.files]
            # It reads a table that the user must provide.
            if all("table is missing" in run.failure for run in runs):
                continue
            rows.append([name, *[run.failure or f"{run.seconds:.1f} s, {run.cpu:.0f} CPU s, {run.mib:.0f} MiB" for run in runs]])
        show(["question", *[f"{size:,}" for size in sizes]], rows)

    if options.years:
        files = options.files[0]
        inputs = [crawl(files, f"YEAR-{month:02}", 100 + month) for month in range(1, 13)]
        year, tables = measure("YEAR", inputs, 2)
        ratio = count(binary, tables, "captures") / sizes[0]
        rows = [[stage, f"{measured[0][stage].seconds:.1f} s", f"{run.seconds:.1f} s", f"{run.seconds / measured[0][stage].seconds:.1f}", f"{run.mib:.0f} MiB"] for stage, run in year.items()]
        show(["stage", "one crawl", f"{ratio:.1f} times the captures", "times", "memory"], rows)

    if options.pieces:
        measure_pieces()


main()
