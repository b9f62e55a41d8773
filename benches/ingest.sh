#!/usr/bin/env bash
# Measures `ingest`, its floor, and the script that people write today, on the same archives in the same run.
#
#   benches/ingest.sh ARCHIVES PEERS [ROUNDS]
#
# ARCHIVES is a folder of archives, PEERS a folder with fastwarc_protego.py. Python (PYTHON, or python3) needs
# fastwarc==2.0.1, protego and pyarrow. The floor only inflates each member and compares its checksum. It has one
# thread, so its seconds are CPU seconds. The other two have two jobs. The programs take turns. The first round warms
# the cache; the fastest of the other rounds counts.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

archives="$(realpath "$1")" peers="$(realpath "$2")" rounds="${3:-7}" python="${PYTHON:-python3}"
scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT
target="${CARGO_TARGET_DIR:-target}"
cargo build --quiet --release -p robocensus
cargo build --quiet --release -p ingest --example floor
mapfile -t files < <(find "$archives" -name '*.warc.gz' | sort)
"$target/release/examples/floor" index "${files[@]}" > "$scratch/index"

# Appends a line with the user, system and elapsed seconds of a command to the file NAME.
measure() {
    local name="$1"
    shift
    TIMEFORMAT='%U %S %R'
    { time "$@" > "$scratch/$name.out" 2> "$scratch/$name.err"; } 2>> "$scratch/$name" ||
        { cat "$scratch/$name.err" >&2; exit 1; }
}

floor() { "$target/release/examples/floor" run < "$scratch/index"; }
ours() { rm -rf "$scratch/tables"; "$target/release/robocensus" ingest --models none --jobs 2 --out "$scratch/tables" "$archives"; }
theirs() { rm -rf "$scratch/their-tables"; "$python" "$peers/fastwarc_protego.py" "$scratch/their-tables" 2 "${files[@]}"; }

for round in $(seq 0 "$rounds"); do
    for name in floor ours theirs; do measure "$name" "$name"; done
    if [ "$round" -eq 0 ]; then rm "$scratch"/{floor,ours,theirs}; fi
done

cat "$scratch/ours.out"
bytes="$(cat "${files[@]}" | wc -c)"
awk -v bytes="$bytes" '
    FNR == 1 { name = FILENAME; sub(/.*\//, "", name) }
    { cpu = $1 + $2; if (!(name in best) || cpu < best[name]) best[name] = cpu
      if (!(name in wall) || $3 < wall[name]) wall[name] = $3 }
    END {
        printf "\n%-8s %10s %10s %10s\n", "", "CPU s", "elapsed s", "MB/s"
        split("floor ours theirs", names, " ")
        for (i = 1; i <= 3; i++) { n = names[i]; printf "%-8s %10.3f %10.3f %10.1f\n", n, best[n], wall[n], bytes / wall[n] / 1e6 }
        printf "\nours / floor, CPU seconds: %.2f\n", best["ours"] / best["floor"]
        printf "theirs / ours, elapsed: %.1f; CPU seconds: %.1f\n", wall["theirs"] / wall["ours"], best["theirs"] / best["ours"]
    }' "$scratch/floor" "$scratch/ours" "$scratch/theirs"
