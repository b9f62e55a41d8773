#!/bin/bash
# Publishes the tables once all shards are done: sbatch --dependency=afterok:JOB commit.sh TABLES
#SBATCH --job-name=robocensus-commit
#SBATCH --cpus-per-task=2
#SBATCH --mem=8G
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output=robocensus-%A.log
exec robocensus commit "$1" --jobs "${SLURM_CPUS_PER_TASK:-1}"
