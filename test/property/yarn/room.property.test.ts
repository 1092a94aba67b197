import fc from "fast-check";
import { expect, it } from "vitest";
import { parseAnyScenario } from "../../../dist/io/index.js";
import { runScenario } from "../../../dist/lab/index.js";

const SCHEDULERS = ["yarn-fair", "yarn-capacity"] as const;

/** Nodes of so many MB; tasks, and the masters, of one size. */
const drawn = fc.record({
  kind: fc.constantFrom(...SCHEDULERS),
  nodes: fc.integer({ min: 1, max: 4 }),
  nodeMb: fc.integer({ min: 500, max: 12_000 }),
  part: fc.double({ min: 0.02, max: 0.6, noNaN: true }),
  users: fc.constantFrom(1, 2),
});

it("A node of M MB is filled with containers of s MB until another has no room", async () => {
  await fc.assert(
    fc.asyncProperty(drawn, async ({ kind, nodes, nodeMb, part, users }) => {
      const sizeMb = Math.max(1, Math.floor(nodeMb * part));
      const room = nodes * Math.floor(nodeMb / sizeMb);
      fc.pre(room > users);
      const jobs = Array.from({ length: users }, (_, user) => {
        const maps = `{ tasks: ${String(room + 1)}, time: 1h, memory: ${String(sizeMb)}, replicas: 0 }`;
        return `{ name: j${String(user)}, user: u${String(user)}, master: { memory: ${String(sizeMb)} }, maps: ${maps} }`;
      });
      const queue = kind === "yarn-fair" ? "{ name: q, maxAmShare: off }" : "{ name: q, capacity: 100, maxAmShare: 1 }";
      const text = `platform: yarn
cluster: { nodes: ${String(nodes)}, memory: ${String(nodeMb)}, vcores: 1000 }
workload: { kind: jobs, jobs: [${jobs.map((job) => job.replace("{ ", "{ queue: q, ")).join(", ")}] }
scheduler: { kind: ${kind}, queues: [${queue}] }
`;
      const { record } = await runScenario(parseAnyScenario(text, "room.yaml").scenario, ".", { recordTasks: true });
      const { finishAtUs, launchAtUs } = record.tasks!;
      const firstEndUs = Math.min(...finishAtUs);
      const running = [...launchAtUs].filter((atUs) => atUs < firstEndUs).length;
      expect({ sizeMb, running }).toEqual({ sizeMb, running: room });
    }),
    { numRuns: 40 },
  );
});
