#!/bin/bash
# Shares an ingest between machines with GNU parallel: parallel.sh SHARDS TABLES [OPTION OF PARALLEL ...]
#
# The plan is in TABLES. With --sshloginfile, the shards run on the machines in that file, which must all reach TABLES.
set -euo pipefail
shards="$1" tables="$2"
shift 2
seq 0 "$((shards - 1))" |
    parallel --retries 3 --halt soon,fail=1 "$@" robocensus ingest --quiet --shard "{}/$shards" --out "$tables"
robocensus commit "$tables"
