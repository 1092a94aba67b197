"""Makes the traces of docs/mumak.md, as they are stored here: python3 traces.py OUT [FB-2010_samples_24_times_1hr_0.tsv]

Without the file of SWIM only `large` and `small` are made. Every seed is fixed, so the files are the same each time.
"""

import math
import random
import sys
from pathlib import Path

RACKS, PER_RACK = 31, 20
FIRST_SECOND = 59.9  # Mumak's nodes have joined by then.


def hosts(rnd):
    """A block's nodes, as RACK/POSITION: any, and two of one other rack."""
    first = rnd.randrange(RACKS * PER_RACK)
    rack = rnd.randrange(RACKS - 1)
    rack += rack >= first % RACKS
    second = rnd.randrange(PER_RACK)
    third = rnd.randrange(PER_RACK - 1)
    third += third >= second
    places = [(first % RACKS, first // RACKS), (rack, second), (rack, third)]
    return " ".join(f"rack{rack:02d}/{position}" for rack, position in places)


def seconds(rnd, median, sigma):
    return max(1, round(median * math.exp(sigma * rnd.gauss(0, 1))))


def m600(rnd, swim):
    for line in swim.read_text().splitlines():
        _, at, _, size, *_ = line.split("\t")
        if int(at) < 600:
            maps = min(500, max(1, -(-int(size) // 2**27)))
            yield int(at), [seconds(rnd, 20, 1) for _ in range(maps)], []


def large(rnd):
    at = 0
    for _ in range(6):
        maps = rnd.randrange(1500, 4001)
        times = [seconds(rnd, 25, 0.7) for _ in range(maps)]
        yield at, times, [seconds(rnd, 40, 0.5) for _ in range(rnd.randrange(20, 121))]
        at += rnd.randrange(60, 181)


def small(rnd):
    at = 0.0
    for job in range(1200):
        maps = max(1, min(20, round(math.exp(rnd.uniform(0, math.log(20))))))
        reduces = [seconds(rnd, 10, 0.7) for _ in range(rnd.randrange(1, 3))] if job % 3 == 0 else []
        yield int(at), [seconds(rnd, 15, 0.8) for _ in range(maps)], reduces
        at += rnd.expovariate(1 / 1.5)


def rows(jobs, rnd):
    yield "job,type,seconds,submit,hosts"
    for number, (at, maps, reduces) in enumerate(jobs, 1):
        for task, time in enumerate(maps):
            submit = f"{at - jobs[0][0] + FIRST_SECOND:.1f}" if task == 0 else ""
            yield f"j{number:04d},map,{time},{submit},{hosts(rnd)}"
        for time in reduces:
            yield f"j{number:04d},reduce,{time},,"


out, *swim = map(Path, sys.argv[1:])
traces = {"large": large, "small": small}
if swim:
    traces["m600"] = lambda rnd: m600(rnd, swim[0])
for name, make in traces.items():
    rnd = random.Random(f"mumak {name}")
    jobs = sorted(make(rnd), key=lambda job: job[0])
    (out / f"{name}.tasks.csv").write_text("\n".join(rows(jobs, rnd)) + "\n")
