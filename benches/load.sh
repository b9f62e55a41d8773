#!/usr/bin/env bash
# Measures `robocensus ingest` under load: 100,000 small archives, 200 MB of ordinary ones, and bodies built to exhaust
# memory. Prints the times, the peak memory and the most open files of each run with two jobs. Needs Linux and 2 GB in
# TMPDIR, which it frees at the end.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

cargo build --release --quiet -p robocensus -p generator
bin="$(cargo metadata --no-deps --format-version 1 | sed 's/.*"target_directory":"\([^"]*\)".*/\1/')/release"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT

seconds() { date +%s.%N; }
since() { awk -v from="$1" -v to="$(seconds)" 'BEGIN { printf "%.2f s", to - from }'; }

# Runs the binary on an input and samples its open files and peak memory every 20 ms.
measure() {
    local name="$1" input="$2" out="$work/tables/$1" start begun="" files=0 peak=0 now status=0
    start="$(seconds)"
    "$bin/robocensus" ingest --models none "$input" --out "$out" --jobs 2 --quiet 2>/dev/null &
    local pid=$!
    while kill -0 "$pid" 2>/dev/null; do
        if [ -z "$begun" ] && [ -d "$out/_robocensus/work" ]; then begun="$(since "$start")"; fi
        now="$(find "/proc/$pid/fd" -mindepth 1 2>/dev/null | wc -l)" || now=0
        if [ "$now" -gt "$files" ]; then files="$now"; fi
        now="$(awk '/^VmHWM/ { print $2 }' "/proc/$pid/status" 2>/dev/null)" || now=""
        if [ "${now:-0}" -gt "$peak" ]; then peak="$now"; fi
        sleep 0.02
    done
    wait "$pid" || status=$?
    printf '%-28s exit %s  first part after %-8s all after %-8s %4s MiB  %2s open files\n' \
        "$name" "$status" "${begun:--}" "$(since "$start")" "$((peak / 1024))" "$files"
}

"$bin/generator" crawl --out "$work/small" --files 100000 --captures-per-file 1 >/dev/null
measure small "$work/small/crawl-data"
measure small "$work/small/crawl-data"
"$bin/generator" crawl --out "$work/large" --files 75 >/dev/null
measure large "$work/large/crawl-data"

# Makes two crawls of one archive each. An archive has three bodies that repeat a line up to 16 MiB, the limit for
# parsing.
body_bytes=$((16 << 20))
hostile() {
    local name="$1" line="$2" archive crawl number http length
    for crawl in LOAD-1 LOAD-2; do
        archive="$work/$name/crawl-data/$crawl/segments/1/robotstxt/$name.warc"
        mkdir -p "$(dirname "$archive")"
        for number in 1 2 3; do
            http="$(printf 'HTTP/1.1 200 OK\r\n\r\nx')"
            http="${http%x}"
            length=$((${#http} + body_bytes))
            printf 'WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: https://h%s.example/robots.txt\r\n' "$number"
            printf 'WARC-Date: 2024-01-01T00:00:00Z\r\nContent-Type: application/http\r\n'
            printf 'Content-Length: %s\r\n\r\n%s' "$length" "$http"
            # The first line differs, since a body is parsed only once.
            { printf '# %s\n' "$number" && yes "$line"; } 2>/dev/null | head -c "$body_bytes" || true
            printf '\r\n\r\n'
        done >"$archive"
    done
    measure "$name" "$work/$name/crawl-data"
    rm -r "${work:?}/$name"
}
hostile other-records 'a:/'
hostile rules 'Allow:/x'
hostile user-agents 'User-agent:a'
hostile groups $'User-agent:a\nAllow:/'
hostile no-records 'a'
hostile rules-to-encode $'Allow:/%41\xff'
