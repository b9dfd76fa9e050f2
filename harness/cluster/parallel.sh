#!/bin/bash
{{head}}# GNU parallel runs them {{place}}; a merge follows. Ctrl-C and SIGTERM end the shards: every finished run has its row,
# and tilelab submit goes on from there.
trap 'stopped=130; kill -TERM "$parallel" 2>/dev/null' INT TERM
{{hosts}}# What fails is tried again{{left}}.
for resume in '' --resume-failed --resume-failed; do
    parallel $resume --will-cite --joblog parallel.log --line-buffer --tagstring 'shard {}' \
        --jobs {{percent}}% --termseq TERM,20000,KILL,100 {{options}}\
        {{command}} \
        :::{{numbers}} </dev/null &
    parallel=$!
{{watch}}    while wait "$parallel"; code=$?; kill -0 "$parallel" 2>/dev/null; do :; done # a signal ends a wait
    ((code == 0 || stopped)) && break
done
{{merge}}
exit "${stopped:-$?}"
