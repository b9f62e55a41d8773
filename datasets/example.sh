#!/usr/bin/env bash
# Makes a report like one of real crawls: five synthetic crawls of the same sites, their tables, and the page.
#
#   datasets/example.sh [FOLDER]
#
# The crawls have 8,300 captures each; no site in them exists. The default FOLDER is target/example.
set -euo pipefail
cd "$(dirname "$0")/.."
out=${1:-target/example}
if [ -e "$out" ]; then
    echo "folder exists: $out: remove it, or name another" >&2
    exit 2
fi
for year in 2022 2023 2024 2025 2026; do
    cargo run -q -p generator -- crawl --out "$out/archives" --crawl "SYNTH-$year-10" --year "$year" --files 5
done
cargo run -q -- ingest "$out/archives" --out "$out/tables" --quiet
cargo run -q -- report "$out/tables" --out "$out/report" --title "A census of synthetic sites" --quiet
echo "$out/report/index.html"
