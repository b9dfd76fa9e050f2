#!/bin/bash
{{head}}#
# A task of the array is a shard.
#SBATCH --job-name={{name}}
#SBATCH --array={{tasks}}
#SBATCH --nodes=1
#SBATCH --ntasks=1
#SBATCH --cpus-per-task={{processors}}
#SBATCH --mem={{mebibytes}}M
#SBATCH --time={{time}}
{{partition}}# {{warning}} seconds before its time is over, a shard stops its searches and ends: every finished run has its row.
#SBATCH --signal=B:USR1@{{warning}}
# A shard that loses its node, or gives way to another job, goes on where it stopped.
#SBATCH --requeue
# Its log is opened below: a node that does not see the folder could not even start the script.
#SBATCH --output=/dev/null

{{check}}size() { stat -c %s "$folder/shards/$SLURM_ARRAY_TASK_ID-of-{{shards}}/runs.csv" 2>/dev/null || echo 0; }
trap 'over=1; kill -USR1 "$run"' USR1
trap : TERM # Slurm sends it to the program, too
before=$(size)
{{command}} &
run=$!
while wait "$run"; code=$?; kill -0 "$run" 2>/dev/null; do :; done # a signal ends a wait
if ((over)) && (($(size) > before)); then
    again
elif ((code != 0 && code != 3 && code != 130 && SECONDS < 60 && $(size) == before)); then
    elsewhere "ended the shard after $SECONDS s without a row, with exit code $code"
fi
exit "$code"
