#!/usr/bin/env bash
# What the derived tables cost: seconds, peak memory and bytes of `robocensus models` on crawls of 10⁵ and 10⁶ captures that
# the generator makes, beside those of the ingest that they follow. A fit through the two tells of larger crawls.
#
#   benches/models.sh [FOLDER]     needs GNU time, and some 3 GB in FOLDER (a temporary one if it is not named)
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
scratch="${1:-$(mktemp -d)}"
bin="${CARGO_TARGET_DIR:-target}/release"
cargo build --quiet --release --workspace
for files in 60 600; do
    crawl="$scratch/crawl-$files" tables="$scratch/tables-$files"
    if [ ! -d "$crawl" ]; then "$bin/generator" crawl --out "$crawl" --files "$files" --crawl "MADE-$files"; fi
    rm -rf "$tables"
    /usr/bin/time -f "ingest %e s, %U user, %M KiB" "$bin/robocensus" ingest --models none --jobs 2 "$crawl" --out "$tables" --quiet || true
    /usr/bin/time -f "models %e s, %U user, %M KiB" "$bin/robocensus" models --jobs 2 "$tables"
    "$bin/robocensus" sql --tables "$tables" --format csv 'SELECT count(*) AS captures FROM captures'
done
