import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { buildTopology } from "../../../dist/core/cluster/index.js";
import type { Summary } from "../../../dist/core/record/index.js";
import { HADOOP_WORDS } from "../../../dist/core/platforms/hadoop/index.js";
import type { RunTrace } from "../../../dist/io/index.js";
import { traceJson } from "../../../dist/report/index.js";
import { checkedTrace } from "../../support/trace-rules.js";

interface Attempt {
  readonly node: number;
  readonly type: number;
  readonly level: number;
  readonly outcome: number;
  readonly launch: number;
  readonly run: number;
}

const group = { mapSlots: 2, reduceSlots: 1, speed: 1, diskBytesPerSecond: 1, linkBytesPerSecond: 1 };
const node = { ...group, memoryBytes: Infinity, diskBytes: Infinity, loadLimit: Infinity };
const rack = { row: "", uplinkBytesPerSecond: Infinity };
const topology = buildTopology({
  racks: [
    { ...rack, name: "<a>", nodes: [{ ...node, count: 3 }] },
    { ...rack, name: "b\u0007", nodes: [{ ...node, count: 2 }] },
  ],
  heartbeat: { rule: "fixed", intervalUs: 3e6 },
});

function traceOf(attempts: readonly Attempt[], more: Partial<RunTrace> = {}): RunTrace {
  const sorted = [...attempts].sort((a, b) => a.launch - b.launch);
  const rows = sorted.map(({ launch, run, ...attempt }, task) => ({
    ...attempt,
    job: 0,
    task,
    attempt: 0,
    launchUs: launch,
    finishUs: launch + run,
    stage: null,
  }));
  const summary = { scenario: "s", seed: "1", scheduler: "hfs", fingerprint: "f", words: HADOOP_WORDS } as Summary;
  const jobs = [{ name: "j", group: "p" }];
  const rest = { samples: [], groups: [], moreGroups: 0, groupSamples: [], total: sorted.length };
  return { summary, topology, jobs, attempts: rows, ...rest, ...more };
}

const json = (trace: RunTrace): string => [...traceJson(trace)].join("");

const attempts = fc.array(
  fc.record({
    node: fc.integer({ min: 0, max: 4 }),
    type: fc.integer({ min: 0, max: 3 }),
    level: fc.integer({ min: 0, max: 4 }),
    outcome: fc.integer({ min: 0, max: 3 }),
    launch: fc.integer({ min: 0, max: 30 }),
    run: fc.integer({ min: 0, max: 9 }),
  }),
  { maxLength: 60 },
);

describe("the trace of any attempts", () => {
  it("keeps the rules, has each attempt once, on its node, and no more tracks than run at once", () => {
    fc.assert(
      fc.property(attempts, (some) => {
        const { slices, threads, processes } = checkedTrace(json(traceOf(some)));
        const drawn = slices.map(({ pid, tid, ts, dur, cat }) => {
          const place = `${processes.get(pid)!}/${threads.get(tid)!.split(" ", 1)[0]!}`;
          return [place, ts, dur, cat].join();
        });
        const kinds = ["map", "reduce", "set-up", "clean-up"];
        const wanted = some.map(({ node: at, launch, run, type }) => {
          const rackName = ["<a>", "b\ufffd"][topology.rackOf[at]!]!;
          return [`${rackName}/node0${topology.indexInRack[at]!}`, launch, run, kinds[type]].join();
        });
        expect(drawn.sort()).toEqual(wanted.sort());
        const lasting = some.filter(({ run }) => run > 0);
        expect(checkedTrace(json(traceOf(lasting))).threads.size).toBe(mostAtOnce(lasting));
      }),
      { numRuns: 300 },
    );
  });
});

/** Over nodes and kinds of slots, the most attempts that ran at one instant. */
function mostAtOnce(some: readonly Attempt[]): number {
  let sum = 0;
  for (let at = 0; at < 5; at++) {
    for (const types of [[0], [1], [2, 3]]) {
      const own = some.filter((one) => one.node === at && types.includes(one.type));
      const ran = (us: number): number => own.filter(({ launch, run }) => launch <= us && us < launch + run).length;
      sum += Math.max(...Array.from({ length: 40 }, (_, us) => ran(us)));
    }
  }
  return sum;
}
