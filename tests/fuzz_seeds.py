#!/usr/bin/env python3
"""Writes seeds for the fuzz targets into their folders `fuzz/corpus/TARGET`.

    fuzz_seeds.py TABLES

They are made from the archives of the sample, the built-in questions, and the records of a folder of tables.
"""

import gzip
import hashlib
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
CORPORA = {
    "analyze": ["statement"],
    "analyze/visible": ["escape"],
    "ingest": ["answer", "archive", "joined", "ledger", "url"],
    "ingest/robots": ["judge", "parse"],
}
# Fuzzers change small inputs more often.
MOST_BYTES = 20_000


def seeds_of_record(record):
    """The seeds that one record gives, with their targets."""
    yield "archive", record
    yield "archive", gzip.compress(record, mtime=0)
    # Two members, and the rest.
    yield "joined", bytes([max(1, min(255, len(record) // 3)), 40, 0]) + record
    head, _, block = record.removesuffix(b"\r\n\r\n").partition(b"\r\n\r\n")
    if not block.startswith(b"HTTP/"):
        return
    yield "answer", block
    fields, _, body = block.partition(b"\r\n\r\n")
    yield "parse", body
    yield "judge", b"GPTBot\xff/a/b\xff" + body
    yield "escape", b"\x03" + body
    url = re.search(rb"WARC-Target-URI: (.*?)\r\n", head)
    location = re.search(rb"(?i)\nlocation: (.*?)\r\n", fields)
    if url:
        yield "url", url[1] + b"\n" + (location[1] if location else b"/robots.txt")


def seeds(tables):
    for path in sorted((ROOT / "datasets/sample/crawl-data").rglob("*.warc*")):
        archive = path.read_bytes()
        yield "archive", archive
        try:
            text = gzip.decompress(archive)
        except (OSError, EOFError):
            # The sample has an uncompressed archive, and damaged ones.
            text = archive
        for record in re.split(rb"(?<=\r\n\r\n)(?=WARC/1)", text):
            yield from seeds_of_record(record)
    for path in sorted((ROOT / "queries").rglob("*.sql")):
        yield "statement", path.read_bytes()
    for path in sorted((tables / "_robocensus").rglob("*")):
        if path.is_file():
            # Sealed by the target, and as it is.
            yield "ledger", b"\x00" + path.read_bytes()
            yield "ledger", b"\x01" + path.read_bytes()


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folders = {target: ROOT / crate / "fuzz/corpus" / target for crate, targets in CORPORA.items() for target in targets}
    for folder in folders.values():
        folder.mkdir(parents=True, exist_ok=True)
    for target, seed in seeds(pathlib.Path(sys.argv[1])):
        if len(seed) <= MOST_BYTES:
            (folders[target] / hashlib.sha1(seed).hexdigest()).write_bytes(seed)
    for target, folder in folders.items():
        print(f"{target}: {len(list(folder.iterdir()))} seeds")


if __name__ == "__main__":
    main()
