#!/bin/bash
# Makes one shard of a planned ingest: sbatch --array=0-15 shard.sh TABLES
#SBATCH --job-name=robocensus-shard
#SBATCH --array=0-15
#SBATCH --cpus-per-task=2
#SBATCH --mem=1G
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output=robocensus-%A-%a.log
exec robocensus ingest --out "$1" --jobs "${SLURM_CPUS_PER_TASK:-1}"
