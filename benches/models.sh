#!/usr/bin/env bash
# Measures the seconds, peak memory and bytes of `robocensus models` on generated crawls of 10⁵ and 10⁶ captures, and
# those of `ingest` for comparison. The two points allow an extrapolation to larger crawls.
#
#   benches/models.sh [FOLDER]     needs GNU time and about 3 GB in FOLDER; the default is a temporary folder
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
