#!/usr/bin/env python3
"""A cluster of a thousand nodes, simulated: shards that start as fast as a scheduler starts jobs, nodes that die, jobs that
give way to others, shards whose time ends, and calls of `tilelab submit` that send what is missing.

    python3 tests/e2e/simulation.py [--shards 10000] ...

Runs are divided as tilelab divides them (solvers of one limit: units are dealt out in turn). Their times are drawn from a
lognormal law cut off by the limit, or from the wall_s of a runs.csv (--rows). What a shard has when it ends by a signal is
kept; a node that dies takes the run under way, and the rows of its last seconds, as a power failure may. At the end every
run must have its row. The same seed draws the same."""

import argparse
import csv
import heapq
import random


def arguments(words=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--shards", type=int, default=10000)
    add("--runs", type=int, default=1000000)
    add("--nodes", type=int, default=1000, help="shards at the same time")
    add("--median", type=float, default=2.0, help="of a run's time, in seconds")
    add("--spread", type=float, default=1.8, help="standard deviation of its logarithm")
    add("--limit", type=float, default=600.0, help="of a run, in seconds")
    add("--rows", help="a runs.csv to draw times from")
    add("--time", type=float, default=3600.0, help="of a shard, in seconds")
    add("--warning", type=float, default=60.0, help="so long before its time is over a shard ends")
    add("--start-rate", type=float, default=5.0, help="shards that the scheduler starts a second")
    add("--start-up", type=float, default=3.0, help="seconds until a shard's first run")
    add("--node-life", type=float, default=200.0, help="mean hours until a node dies")
    add("--repair", type=float, default=1800.0, help="seconds until a node is back")
    add("--preempt-life", type=float, default=50.0, help="mean hours until a shard gives way")
    add("--requeue", type=float, default=120.0, help="seconds until such a shard may start again")
    add("--lost-seconds", type=float, default=5.0, help="of rows that die with a node")
    add("--submit-every", type=float, default=3600.0, help="seconds between calls of submit, once all is over")
    add("--round", help="a THRESHOLD.round of a search that was split: nodes that share such a round, instead of all this")
    add("--generated", type=float, help="nodes of the round, whose parts are as uneven as those of --round")
    add("--rate", type=float, default=2.5e7, help="nodes generated a second by each of them")
    add("--server", type=float, default=0.005, help="seconds that a call to the file server takes")
    add("--seed", type=int, default=1)
    return parser.parse_args(words)


def draw_times(options, chance):
    if options.rows:
        with open(options.rows, newline="", encoding="utf8") as file:
            known = [float(row["wall_s"]) for row in csv.DictReader(file)]
        return [chance.choice(known) for _ in range(options.runs)]
    mu = options.median
    return [min(mu * chance.lognormvariate(0, options.spread), options.limit) for _ in range(options.runs)]


class Shard:
    def __init__(self, times):
        self.times = times  # of its runs, in the order in which they are made
        self.done = 0       # runs that have a row

    def work(self, seconds, lost):
        """Makes runs for some seconds, which an event then ends; of `lost` seconds rows are lost. (Time worked in vain.)"""
        first, spent = self.done, 0.0
        while self.done < len(self.times) and spent + self.times[self.done] <= seconds:
            spent += self.times[self.done]
            self.done += 1
        while lost > 0 and self.done > first and seconds - spent < lost:
            self.done -= 1
            spent -= self.times[self.done]
        return seconds - spent


def share_round(options):
    """Machines take the parts of a round in order, each with its calls to the server: a list of the folder, a claim, a file
    that is made and closed. One of them then lists all and writes the sum: a file that is made, written, flushed and
    renamed. The others find it in a list, open, read and close it."""
    with open(options.round, encoding="ascii") as file:
        sizes = [int(size) for size in file.read().splitlines()[2].split()]
    listing = 1 + len(sizes) // 400
    calls = listing + 1 + 2
    adding = (listing + 4 + listing + 3) * options.server
    sizes = [size * (options.generated or sum(sizes)) / sum(sizes) for size in sizes]
    work = sum(sizes) / options.rate
    print(f"{len(sizes)} parts of {sum(sizes):,.0f} nodes: the largest {max(sizes) * len(sizes) / sum(sizes):.2f} times the mean;"
          f" {work / 3600:.3g} h on one machine")
    print("machines  round (s)  of perfect  largest part (s)  adding up (s)")
    for machines in (1, 2, 10, 100, 1000):
        free = [0.0] * machines
        for size in sizes:
            heapq.heapreplace(free, free[0] + calls * options.server + size / options.rate)
        end = max(free) + adding
        print(f"{machines:8} {end:10.1f} {work / machines / end:11.2f} {max(sizes) / options.rate:17.1f} {adding:14.1f}")


def simulate(options):
    chance = random.Random(options.seed)
    times = draw_times(options, chance)
    shards = [Shard(times[i::options.shards]) for i in range(options.shards)]
    counts = dict.fromkeys(("starts", "died", "gave_way", "time_over", "submits"), 0)
    wasted = 0.0
    waiting = []                               # (when it may start, number)
    free = [(0.0, node) for node in range(options.nodes)]  # (since when, node)
    heapq.heapify(free)
    clock, next_start, end = 0.0, 0.0, 0.0
    while True:
        missing = [number for number, shard in enumerate(shards) if shard.done < len(shard.times)]
        if not missing:
            break
        counts["submits"] += 1
        waiting = [(clock, number) for number in missing]
        heapq.heapify(waiting)
        while waiting:
            ready, number = heapq.heappop(waiting)
            since, node = heapq.heappop(free)
            start = max(ready, since, next_start)
            next_start = start + 1 / options.start_rate
            counts["starts"] += 1
            shard = shards[number]
            needed = sum(shard.times[shard.done:]) + options.start_up
            allowed = options.time - options.warning
            dies = chance.expovariate(1 / (options.node_life * 3600))
            gives_way = chance.expovariate(1 / (options.preempt_life * 3600))
            seconds = min(needed, allowed, dies, gives_way)
            if seconds == needed:
                shard.done = len(shard.times)
            else:
                wasted += shard.work(max(seconds - options.start_up, 0), options.lost_seconds if seconds == dies else 0)
            over = start + seconds
            back = over
            if seconds == dies and dies != needed:
                counts["died"] += 1
                back = over + options.repair
                heapq.heappush(waiting, (over + options.requeue, number))
            elif seconds == gives_way:
                counts["gave_way"] += 1
                heapq.heappush(waiting, (over + options.requeue, number))
            elif seconds == allowed and seconds != needed:
                counts["time_over"] += 1  # the next call of submit sends it again
            heapq.heappush(free, (back, node))
            end = max(end, over)
        clock = max(end, clock) + options.submit_every
    total = sum(times)
    shard_seconds = [sum(shard.times) for shard in shards]
    return {**counts, "runs": options.runs, "rows": sum(shard.done for shard in shards), "shards": options.shards, "makespan": end,
            "work": total / options.nodes, "longest_shard": max(shard_seconds), "mean_shard": total / options.shards,
            "longest_run": max(times), "starting": counts["starts"] / options.start_rate, "wasted": wasted / total}


def main():
    options = arguments()
    if options.round:
        share_round(options)
        return
    end = simulate(options)
    bound = max(end["work"], end["longest_run"], options.shards / options.start_rate)
    print(f"{end['runs']:,} runs in {end['shards']:,} shards on {options.nodes:,} nodes: {end['rows']:,} have their row")
    print(f"  shards            {end['mean_shard']:.0f} s on average, {end['longest_shard']:.0f} s the longest")
    print(f"  starts            {end['starts']:,}: {end['died']} nodes died, {end['gave_way']} shards gave way, {end['time_over']} ran out of time;"
          f" {end['submits']} calls of submit")
    print(f"  makespan          {end['makespan'] / 3600:.2f} h, {end['makespan'] / bound:.2f} times the lower bound of {bound / 3600:.2f} h")
    print(f"  lower bounds      work / nodes {end['work'] / 3600:.2f} h, starting the shards {options.shards / options.start_rate / 3600:.2f} h,"
          f" the longest run {end['longest_run'] / 3600:.2f} h")
    print(f"  work done twice   {100 * end['wasted']:.2f} %")
    raise SystemExit(0 if end["rows"] == end["runs"] else 1)


if __name__ == "__main__":
    main()
