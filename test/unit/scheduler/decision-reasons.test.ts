import { describe, expect, it } from "vitest";
import { DECISIONS, type SchedulerPlugin } from "../../../dist/core/platforms/hadoop/index.js";
import { parseScenario } from "../../../dist/io/index.js";
import { runScenario } from "../../../dist/lab/index.js";
import { pluginOf } from "../../support/plugin-runs.js";

/** Of each job: reason and opportunities of its rows, until its first launch. */
async function reasonsOf(text: string, plugins: SchedulerPlugin[] = []): Promise<[string, number][][]> {
  const { scenario, directory } = parseScenario(text, "by-hand.yaml", { plugins });
  const { record } = await runScenario(scenario, directory, { placement: 0, plugins, logDecisions: true });
  const { rows, job, decision, count } = record.decisions!;
  const reasons = record.jobs.name.map((): [string, number][] => []);
  for (let i = 0; i < rows; i++) reasons[job[i]!]!.push([DECISIONS[decision[i]!]!, count[i]!]);
  return reasons;
}

const before = (runtime: string, jobs: string, scheduler: string): string => `
cluster: { racks: 2, nodesPerRack: 2, mapSlots: 1, reduceSlots: 0, heartbeat: 4s }
storage: { replication: 1, blockSize: 1GB }
workload: { kind: jobs, jobs: ${jobs} }
scheduler: ${scheduler}
runtime: { jobSetup: 0s, jobCleanup: 0s${runtime} }
run: { seed: 3 } # puts the first block on rack01/node01, whose heartbeats come last
`;

describe("reasons of the decision log, by hand", () => {
  // Nodes beat at 0, 1, 2 and 3 s of every 4 s. One slot is beside the block of both; a gigabyte from another node
  // costs as much as 2 s.
  it("are Quincy's plan for one of two jobs, and none for the other until it has waited 2 s", async () => {
    const jobs = "[{ name: a, maps: 1, mapTime: 20s, file: same }, { name: b, maps: 1, mapTime: 20s, file: same }]";
    const found = await reasonsOf(before("", jobs, "{ kind: quincy, quincy: { policy: Q } }"));
    expect(found).toEqual([
      [
        ["ready", 0],
        ["unplanned", 2],
        ["plan", 1],
        ["launch", 0],
      ],
      [
        ["ready", 0],
        ["plan", 5],
        ["launch", 0],
      ],
    ]);
  });

  it("are that the node takes no map of the job, under a user's own scheduler that would give it the slot", async () => {
    const greedy = pluginOf(() => ({ choose: ({ jobs }) => ({ job: jobs[0]! }) }));
    const jobs = "[{ name: a, maps: 1, mapTime: 20s, mapMemory: 2GB }]";
    const text = before("", jobs, "mine").replace(
      "racks: 2, nodesPerRack: 2, mapSlots: 1, reduceSlots: 0,",
      "racks: [{ nodes: [{ count: 2, memory: 1GB }, { count: 1, memory: 4GB }] }], mapSlots: 1, reduceSlots: 0,",
    );
    expect(await reasonsOf(text, [greedy])).toEqual([
      [
        ["ready", 0],
        ["node", 2],
        ["launch", 0],
      ],
    ]);
  });
});
