import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Place } from "../cli/command.js";

/** The job of one queue has the whole cluster when that of the other comes. */
const SCENARIO = `platform: yarn
name: taken
cluster: { racks: 1, nodes: 4, memory: 8192, vcores: 8 }
workload:
  kind: jobs
  jobs:
    - { name: big, queue: a, user: a, maps: { tasks: 200, time: 60s, memory: 1024 } }
    - { name: late, queue: b, user: b, submit: 30s, maps: { tasks: 40, time: 20s, memory: 1024 } }
`;
const FAIR = `${SCENARIO}scheduler: { kind: yarn-fair, preemption: true, queues: [{ name: a }, { name: b, fairShareTimeout: 10s }] }\n`;
const CAPACITY = `${SCENARIO}scheduler:
  kind: yarn-capacity
  preemption: true
  queues: [{ name: a, capacity: 50, userLimitFactor: 2 }, { name: b, capacity: 50, userLimitFactor: 2 }]
`;

let place: Place;
beforeAll(() => {
  place = new Place();
  place.write("fair.yaml", FAIR);
  place.write("capacity.yaml", CAPACITY);
});
afterAll(() => {
  place.remove();
});

describe("explain says why preemption took nothing for a queue", () => {
  it.each([
    ["fair", "chosen", []],
    ["fair", "off", ["scheduler.preemption=false"]],
    ["fair", "timeout", ["scheduler.queues.1.fairShareTimeout=10m"]],
    ["fair", "never", ["scheduler.queues.1={name: b, minShareTimeout: 10s}"]],
    ["fair", "protected", ["scheduler.queues.0.preemptable=false"]],
    ["fair", "threshold", ["scheduler.queues.1.fairShareThreshold=0.05", "scheduler.queues.1.maxAmShare=1"]],
    ["fair", "utilization", ["workload.jobs.0.maps.tasks=8"]],
    ["capacity", "chosen", []],
    ["capacity", "off", ["scheduler.preemption=false"]],
    ["capacity", "protected", ["scheduler.queues.0.preemptable=false"]],
    ["capacity", "share", ["workload.jobs.0.maps.tasks=10"]],
  ])("%s: %s %j", async (scenario, reason, changes) => {
    const out = `out-${scenario}-${reason}`;
    const set = changes.flatMap((change) => ["--set", change]);
    const run = ["run", `${scenario}.yaml`, "--log", "decisions", "--json", "--out", out, ...set];
    const { stdout, stderr } = await place.bide(...run);
    expect(stderr).not.toContain("found");
    const { preemption } = JSON.parse(stdout) as { preemption: { kills: number } };
    const told = await place.bide("explain", out, "--queue", "b", "--json");
    const reasons = (JSON.parse(told.stdout) as { preemption: { reason: string }[] }).preemption.map(
      (one) => one.reason,
    );
    expect(reasons).toContain(reason);
    // Nothing is killed where nothing was chosen, for this queue or for the other.
    const other = await place.bide("explain", out, "--queue", "a", "--json");
    const isChosen = reasons.includes("chosen") || other.stdout.includes('"chosen"');
    if (preemption.kills > 0) expect(isChosen).toBe(true);
    if (reason === "chosen") expect(preemption.kills).toBeGreaterThan(0);
    else expect(reasons).not.toContain("chosen");
  });
});
