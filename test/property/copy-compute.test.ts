import fc from "fast-check";
import { describe, it } from "vitest";
import { REDUCE } from "../../dist/core/platforms/hadoop/index.js";
import { type CopyComputeSpec, GATE_ORDERS } from "../../dist/core/scenario/index.js";
import { simulate, type ActorsRun } from "../../dist/lab/index.js";
import { randomCases, type RandomCase } from "../support/random-scenarios.js";
import { SEARCH_TIMEOUT_MS, searchForProblem } from "../support/search.js";

const FILE = "test/property/copy-compute.test.ts";

const order = fc.constantFrom(...GATE_ORDERS);
const wide = fc.record({ computing: fc.constantFrom(3, Infinity), perJob: fc.constantFrom(3, Infinity), order });
const narrow = fc.record({ computing: fc.constantFrom(1, 2), perJob: fc.constantFrom(1, 2, 3), order });

/** Room for more reduces than may compute. */
function widened({ scenario, ...rest }: RandomCase): RandomCase {
  const racks = scenario.cluster.racks.map((rack) => ({
    ...rack,
    nodes: rack.nodes.map((group) => ({ ...group, reduceSlots: 2 * group.reduceSlots })),
  }));
  return { ...rest, scenario: { ...scenario, cluster: { ...scenario.cluster, racks } } };
}

async function runWith({ scenario, workload }: RandomCase, copyCompute: CopyComputeSpec | null, slices: number) {
  const runtime = { ...scenario.runtime, copyCompute };
  return simulate({ ...scenario, runtime }, workload, { threads: 0, slices, recordTasks: true });
}

const hashOf = (run: ActorsRun): string => run.master.master.recorder.fingerprint.hex();

/** On some node more reduces compute at once, or more of one job hold slots, than may; null: nowhere. */
function excess({ topology, master }: ActorsRun, { workload }: RandomCase, spec: CopyComputeSpec): string | null {
  const { tasks } = master.master.recorder;
  const of = (name: "job" | "type" | "index" | "node" | "launchAtUs" | "finishAtUs" | "outcome") => tasks!.column(name);
  const [job, index, node, launchUs, finishUs] = [
    of("job"),
    of("index"),
    of("node"),
    of("launchAtUs"),
    of("finishAtUs"),
  ];
  const rows = [...job.keys()].filter((row) => of("type")[row] === REDUCE && of("outcome")[row] === 0);
  const beganUs = (row: number): number => {
    const us = workload.jobs[job[row]!]!.reduceLengths.lengthUs(index[row]!);
    return finishUs[row]! - Math.max(1, Math.round(us / topology.speed[node[row]!]!));
  };
  for (const row of rows) {
    const nowUs = finishUs[row]! - 1;
    const there = rows.filter(
      (other) => node[other] === node[row] && launchUs[other]! <= nowUs && finishUs[other]! > nowUs,
    );
    if (there.filter((other) => beganUs(other) <= nowUs).length > spec.computing) return "too many reduces compute";
    const ofJob = there.filter((other) => job[other] === job[row]);
    if (ofJob.length > spec.perJob + spec.computing) return "too many reduces of a job";
  }
  return null;
}

describe("copy-compute splitting", () => {
  it(
    "with as many places as slots is no splitting",
    async () => {
      await searchForProblem(FILE, fc.tuple(randomCases, wide), 25, async ([example, spec]) => {
        const plain = await runWith(example, null, 1);
        return hashOf(await runWith(example, spec, 1)) === hashOf(plain) ? null : "another fingerprint";
      });
    },
    SEARCH_TIMEOUT_MS,
  );

  it(
    "never lets more compute than may, and runs alike in any slices",
    async () => {
      await searchForProblem(FILE, fc.tuple(randomCases.map(widened), narrow), 40, async ([raw, spec]) => {
        const example = { ...raw, scenario: { ...raw.scenario, runtime: { ...raw.scenario.runtime, commit: null } } };
        const run = await runWith(example, spec, 1);
        const again = await runWith(example, spec, example.slices);
        if (hashOf(again) !== hashOf(run)) return `another fingerprint in ${example.slices} slices`;
        return excess(run, example, spec);
      });
    },
    SEARCH_TIMEOUT_MS,
  );
});
