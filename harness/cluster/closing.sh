#!/bin/bash
# Merges the rows of the shards of job $1, then sends those that miss rows again, if any has moved.
{{check}}{{merge}}
code=$?
if [[ -n $(squeue --noheader --jobs="$1" --states=CANCELLED) ]]; then
    echo "tilelab: shards of job $1 were cancelled: nothing is sent again"
    exit "$code"
fi
exec {{again}}
