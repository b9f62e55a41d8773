#!/usr/bin/env bash
# Counts the instructions of three fixed jobs, and compares them with benches/instructions.txt. Unlike seconds, these
# counts do not depend on the load of the machine. Fails if a job takes over 3 % more than before, and also if it takes
# over 3 % less, so that a gain is recorded.
#
#   benches/instructions.sh           compares
#   benches/instructions.sh --bless   rewrites the figures
#   benches/instructions.sh --profile rewrites the last column of benches/profile.txt: what `ingest` spends them on
#
# Needs valgrind. The archive is the first one that the generator makes from seed 1. Another compiler, or a processor
# without AVX2, gives other figures.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

figures=benches/instructions.txt
scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT
target="${CARGO_TARGET_DIR:-target}"
cargo build --quiet --release -p ingest --example counted -p generator --bin generator
"$target/release/generator" crawl --out "$scratch" --seed 1 --files 1 > /dev/null
archive="$(find "$scratch" -name '*.warc.gz')"

if [ "${1:-}" = "--profile" ]; then
    valgrind --tool=callgrind --callgrind-out-file="$scratch/profile" \
        "$target/release/examples/counted" ingest "$archive" "$scratch/tables" > /dev/null 2>&1
    # The count of a function stands before its file and its name. That of the whole program comes first.
    callgrind_annotate --auto=no --threshold=100 "$scratch/profile" 2> /dev/null | sed -nE 's/^ *([0-9,]+) \([ 0-9.]+%\) +(.*)$/\1 \2/p' | awk '
        { gsub(",", "", $1); count = $1; $1 = "" }
        /PROGRAM TOTALS/ { total = count; next }
        { sub(/ \[[^]]*\]$/, ""); sub(/^ [^ :]*:/, ""); sum += count }
        /deflate|build_decode_table/ { part = "inflating" }
        /ZSTD|HUF_|FSE_|HIST_/ { part = "zstd" }
        /sha1::/ { part = "SHA-1" }
        /sha2::/ { part = "SHA-256" }
        /parquet::/ { part = "Parquet" }
        /robots::/ { part = "parsing" }
        /tables::|arrow_/ { part = "rows" }
        /memcpy|memmove|memset|memcmp|memchr|malloc|_int_free|realloc|calloc|cfree/ { part = "memory" }
        !part { part = "other" }
        { of[part] += count; part = "" }
        END {
            if (sum < total * 0.99 || sum > total) { print "the parts are " sum " of " total " instructions" > "/dev/stderr"; exit 1 }
            for (part in of) printf "%s %d\n", part, of[part] / 1e6
        }' > "$scratch/parts"
    awk 'NR == FNR { now[$1] = $2; next } FNR > 4 { $3 = now[$1] } { print }' "$scratch/parts" benches/profile.txt > "$scratch/new"
    cp "$scratch/new" benches/profile.txt
    cat benches/profile.txt
    exit
fi

for job in ingest parse judge; do
    valgrind --tool=callgrind --callgrind-out-file=/dev/null \
        "$target/release/examples/counted" "$job" "$archive" "$scratch/tables" > /dev/null 2> "$scratch/log" ||
        { cat "$scratch/log" >&2; exit 1; }
    awk -v job="$job" '/refs:/ { gsub(",", ""); printf "%s %d\n", job, $NF / 1e6 }' "$scratch/log"
done > "$scratch/now"

if [ "${1:-}" = "--bless" ]; then
    cp "$scratch/now" "$figures"
fi
awk 'NR == FNR { before[$1] = $2; next }
    { ratio = $2 / before[$1]; printf "%-7s %6d million instructions, %.3f of before\n", $1, $2, ratio
      if (ratio > 1.03 || ratio < 0.97) failed = 1 }
    END { if (failed) { print "instructions changed: benches/instructions.txt: if intended, run benches/instructions.sh --bless"; exit 1 } }' \
    "$figures" "$scratch/now"
