#!/usr/bin/env python3
"""Estimates what crawls of 6 x 10^7 captures cost, from the costs that benches/growth.py measured.

    benches/costs.py

Prints the tables of docs/costs.md, which a test compares. After a new measurement, enter its figures here and copy the
tables into the page.
"""

import math

# From `benches/growth.py --questions`, on two cores: captures of the largest crawl, and for each stage its CPU seconds
# and seconds there, and its seconds for a tenth of the captures.
CAPTURES = 9.96e6
STAGES = {"tables": (234, 124, 12.4), "derived tables": (37, 21.1, 2.3), "report": (146, 82.5, 7.6)}

# A crawl of Common Crawl. Its tables have an eighth of the bytes of its archives.
WANTED, ARCHIVES, READ_GB = 6e7, 90_000, 200
WRITTEN_GB = READ_GB / 8
# A part has up to 64 archives, and a file of each of ten tables. Each part has an entry in the ledger.
PARTS = math.ceil(ARCHIVES / 64)
FILES = PARTS * 10

# Dollars in us-east-1: an hour of an m7g.large, a GET, a PUT, and a month of a GB in S3.
HOUR, GET, PUT, GB_MONTH = 0.0816, 0.0004 / 1000, 0.005 / 1000, 0.023
MACHINES = 16


def growth(stage):
    """The exponent by which the time of a stage grows with the captures: 1 is linear."""
    _, seconds, before = STAGES[stage]
    return math.log10(seconds / before)


def scaled(stage):
    """CPU hours and hours on two cores for one crawl."""
    factor = (WANTED / CAPTURES) ** growth(stage)
    cpu, seconds, _ = STAGES[stage]
    return cpu * factor / 3600, seconds * factor / 3600


def short(number):
    """A number with two digits."""
    if number >= 1e6:
        return f"{number / 1e6:.1f} million"
    digits = max(0, 1 - math.floor(math.log10(number)))
    return f"{round(number, digits if number < 100 else 0):,.{min(digits, 2)}f}"


def show(*rows):
    for row in rows:
        print("| " + " | ".join(row) + " |")
    print()


def both(name, one):
    return name, short(one), short(one * 100)


def main():
    show(
        ("stage", "CPU seconds", "seconds on two cores", "seconds for a tenth of the captures", "exponent of growth"),
        ("---",) * 5,
        *((stage, str(cpu), str(seconds), str(before), f"{growth(stage):.2f}") for stage, (cpu, seconds, before) in STAGES.items()),
    )
    hours = {stage: scaled(stage) for stage in STAGES}
    heads = [("", "one crawl", "a hundred crawls"), ("---",) * 3]
    show(
        *heads,
        both("archives", ARCHIVES),
        ("read", f"{READ_GB} GB", f"{READ_GB / 10:.0f} TB"),
        ("written", f"{WRITTEN_GB:.0f} GB", f"{WRITTEN_GB / 10:.1f} TB"),
        both("files written", FILES),
        *(both(f"CPU hours, {stage}", cpu) for stage, (cpu, _) in hours.items()),
        *(both(f"hours of a machine with two cores, {stage}", on_two) for stage, (_, on_two) in hours.items()),
        both(f"hours on {MACHINES} such machines, tables", hours["tables"][1] / MACHINES),
    )
    machines = sum(on_two for _, on_two in hours.values()) * HOUR
    # Each file and entry is put once. Shards put them under other names, and commit copies them.
    puts = (FILES + PARTS) * PUT
    show(
        *heads,
        *(both(f"machines, {stage}", on_two * HOUR) for stage, (_, on_two) in hours.items()),
        both(f"{ARCHIVES:,} GET requests a crawl, for the archives", ARCHIVES * GET),
        both(f"{FILES + PARTS:,} PUT requests a crawl, for tables in a bucket", puts),
        both("as many COPY requests, if shards share the bucket", puts),
        both("all", machines + ARCHIVES * GET + 2 * puts),
        both("a month of the tables in S3", WRITTEN_GB * GB_MONTH),
    )


if __name__ == "__main__":
    main()
