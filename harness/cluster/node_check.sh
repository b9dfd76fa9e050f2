left=$(squeue --noheader --jobs="$task" --format=%k)
[[ $left == 'left '* ]] || left=
# Goes back to the queue, for any node.
again() {
    trap '' TERM # requeue ends this script: not before its last line
    scontrol requeue "$task" || exit 1
}
# Goes back to the queue, for other nodes than this one; gives up at the third, or where there is no other.
elsewhere() {
    local names excluded
    echo "tilelab: $SLURMD_NODENAME $1" >&2
    names=${left//[^|]/}
    excluded=$(scontrol show job "$task" | sed -n 's/.*ExcNodeList=\([^ (]*\).*/\1/p')
    excluded=${excluded:+$excluded,}$SLURMD_NODENAME
    ((${#names} < 2)) || exit 1
    sinfo -h -N -p "$SLURM_JOB_PARTITION" -o %N | grep -qvxF "$(scontrol show hostnames "$excluded")" || exit 1
    scontrol update JobId="$task" Comment="${left:-left }$SLURMD_NODENAME: $1|"
    again
    scontrol update JobId="$task" ExcNodeList="$excluded"
    exit 1
}
for path in "$folder/submit/array.sh" "$program"; do
    [[ -e $path ]] || elsewhere "does not see $path; expected a folder that all nodes share"
done
exec >>"$log" 2>&1
[[ -z $left ]] || tr '|' '\n' <<<"${left#left }" >>"$folder/submit/left-nodes"
