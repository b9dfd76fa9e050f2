# A host on which two shards in a row fail within ten seconds is left out.
leave_out() {
    local host
    while sleep 0.5 && kill -0 "$parallel" 2>/dev/null; do
        for host in $(awk -F '\t' 'NR > 1 { bad[$2] = $7 != 0 && $4 < 10 ? bad[$2] + 1 : 0 }
                END { for (host in bad) if (bad[host] > 1) print host }' parallel.log); do
            grep -qE "^([0-9]+/)?$host\$" hosts && (($(wc -l <hosts) > 1)) || continue
            grep -vE "^([0-9]+/)?$host\$" hosts >hosts.left
            mv hosts.left hosts # GNU parallel reads them again
            echo "tilelab: host $host is left out: two shards in a row failed there within 10 s" >&2
            echo "$host: two shards in a row failed within 10 s" >>left-nodes
        done
    done
}
