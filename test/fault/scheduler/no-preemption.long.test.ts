import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Place } from "../cli/command.js";

/** The job of one pool has the whole cluster when that of the other comes. */
const SCENARIO = `name: taken
cluster: { racks: 1, nodesPerRack: 4, mapSlots: 4, reduceSlots: 1 }
workload:
  kind: jobs
  jobs:
    - { name: big, pool: a, user: a, maps: 200, mapTime: 2m }
    - { name: late, pool: b, user: b, at: 30s, maps: 40, mapTime: 20s }
scheduler:
  kind: hfs
  preemption: { mode: kill, interval: 5s }
  pools: { a: { weight: 1 }, b: { weight: 1, fairShareTimeout: 20s } }
`;

let place: Place;
let runs = 0;
beforeAll(() => {
  place = new Place();
  place.write("taken.yaml", SCENARIO);
});
afterAll(() => {
  place.remove();
});

describe("explain says why Hadoop's preemption took nothing for a pool", () => {
  it.each([
    ["killed", []],
    ["timeout", []],
    ["off", ["scheduler.preemption=off"]],
    ["counted", ["scheduler.preemption=log"]],
    ["timeout", ["scheduler.pools.b.fairShareTimeout=1h"]],
    ["never", ["scheduler.pools.b={ minMaps: 1, minShareTimeout: 10s }"]],
    ["threshold", ["workload.jobs.0.maps=10", "scheduler.rules=0.21"]],
    [
      "share",
      [
        "scheduler.pools.b={ minMaps: 16, minShareTimeout: 10s }",
        "scheduler.pools.a={ minMaps: 16 }",
        "scheduler.rules=0.21",
      ],
    ],
  ])("%s %j", async (reason, changes) => {
    const out = `out-${runs++}`;
    const set = changes.flatMap((change) => ["--set", change]);
    const run = await place.bide("run", "taken.yaml", "--log", "decisions", "--json", "--out", out, ...set);
    const { preemption } = JSON.parse(run.stdout) as { preemption: { kills: number } };
    const told = async (pool: string): Promise<readonly { reason: string; reached: number | null }[]> => {
      const { stdout } = await place.bide("explain", out, "--pool", pool, "--json");
      return (JSON.parse(stdout) as { preemption: { reason: string; reached: number | null }[] }).preemption;
    };
    const all = [await told("a"), await told("b")];
    expect(all[1].map((one) => one.reason)).toContain(reason);
    // Every kill is told, of the pool that it was for.
    const killed = all.flat().filter((one) => one.reason === "killed");
    expect(killed.reduce((sum, { reached }) => sum + (reached ?? 0), 0)).toBe(preemption.kills);
  });
});
