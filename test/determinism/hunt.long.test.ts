import type { Piscina } from "piscina";
import { afterAll, describe, expect, it } from "vitest";
import { check, drawCase, namePlacement, PLACEMENTS } from "../hunt/hunt.mjs";
import { drawnKeys, schemaKeys } from "../hunt/scenario-keys.mjs";

const SEED = 14;
const CASES = 150;
/** Each so often on threads, which are slower than races of hosts on this one. */
const ON_THREADS = 5;

/** What came out otherwise on some placement once. */
const ONCE_FOUND = {
  ...Object.fromEntries(
    [6, 7, 8].map((seed) => [
      `the load of nodes whose slots are still committed from, seed ${seed}`,
      {
        cluster: { racks: 3, nodesPerRack: 2, mapSlots: 2, reduceSlots: 1, heartbeat: "300ms", loadLimit: 2 },
        workload: { kind: "facebook", jobs: 12, span: "1m", timeScale: 0.2 },
        runtime: { commit: { commit: "500ms" } },
        run: { seed },
      },
    ]),
  ),
  "the load of a single node in each rack": {
    cluster: { racks: [{ nodes: [{ loadLimit: 2 }] }] },
    workload: { kind: "facebook", jobs: 9 },
    runtime: { commit: { commit: "2s" } },
  },
  "heartbeats that the master goes through": {
    cluster: { racks: 3, nodesPerRack: 2 },
    workload: { kind: "jobs", jobs: [{ count: 3, maps: 5 }] },
    faults: { mapFailure: 0.4 },
  },
};

describe("cases of the hunt", () => {
  const idleThreads: Piscina[] = [];
  afterAll(async () => {
    await Promise.all(idleThreads.map(async (thread) => thread.destroy()));
  });

  it("are drawn over every key of the scenario schema, and no other", () => {
    expect([...drawnKeys()].sort()).toEqual([...schemaKeys()].sort());
  });

  it.each(Object.entries(ONCE_FOUND))("that came out otherwise once: %s", async (_, tree) => {
    expect(await check(tree, { idleThreads, endless: false, whole: true })).toBeNull();
  });

  it("come out the same, to the last figure, on every placement", { timeout: 600_000 }, async () => {
    const found: string[] = [];
    for (let number = 0; number < CASES; number++) {
      const placements =
        number % ON_THREADS === 0 ? PLACEMENTS : PLACEMENTS.filter(({ threads, raced }) => threads === 0 || raced);
      const find = await check(await drawCase(SEED, number), { idleThreads, placements, endless: false });
      if (find === null) continue;
      const again = `npm run hunt -- --seed ${SEED} --from ${number} --cases 1`;
      found.push(`${find.kind}: ${find.what} (${find.placements.map(namePlacement).join(" and ")}): ${again}`);
    }
    expect(found).toEqual([]);
  });
});
