import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { YarnScenario } from "../../../dist/core/platforms/yarn/index.js";
import { parseAnyScenario } from "../../../dist/io/index.js";

const folder = mkdtempSync(join(tmpdir(), "bide-priorities-"));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const property = (name: string, value: string): string =>
  `<property><name>yarn.${name}</name><value>${value}</value></property>`;
const ofQueue = (name: string): string => `scheduler.capacity.root.${name}`;

/** What a scenario says beside files of YARN: priorities of its two jobs, of which the second says none, and notes. */
function read(scheduler: string, files: { readonly site?: string; readonly capacity?: string } = {}) {
  const names = Object.entries(files).map(([key, properties]) => {
    writeFileSync(join(folder, `${key}.xml`), `<configuration>${properties}</configuration>`);
    return `, ${key === "capacity" ? "file" : key}: ${key}.xml`;
  });
  const text = `platform: yarn
cluster: {nodes: 2}
workload: {kind: jobs, jobs: [{name: a, queue: q, priority: 7, maps: {tasks: 1, time: 1s}}, {name: b, queue: q, maps: {tasks: 1, time: 1s}}]}
scheduler: {${scheduler}${names.join("")}}
`;
  const { scenario, notes } = parseAnyScenario(text, join(folder, "s.yaml"));
  const { workload } = scenario as YarnScenario;
  return { priorities: workload.kind === "jobs" ? workload.jobs.map(({ priority = 0 }) => priority) : [], notes };
}

const CAPACITY = `${property(ofQueue("queues"), "q")}${property(ofQueue("q.capacity"), "100")}`;
const LISTED = "kind: yarn-capacity, queues: [{name: q, capacity: 100}]";

describe("priorities of jobs", () => {
  it("are as they say, else 0, or as the queue of a file says", () => {
    expect(read(LISTED)).toEqual({ priorities: [7, 0], notes: [] });
    const capacity = CAPACITY + property(ofQueue("q.default-application-priority"), "3");
    expect(read("kind: yarn-capacity", { capacity })).toEqual({ priorities: [7, 3], notes: [] });
  });

  it("are capped by a yarn-site.xml, and noted where that would", () => {
    const site = property("cluster.max-application-priority", "5");
    expect(read(LISTED, { site })).toEqual({
      priorities: [5, 0],
      notes: ["yarn.cluster.max-application-priority is 5: 1 job with more have that"],
    });
    const silent = read(LISTED, { site: property("scheduler.minimum-allocation-mb", "512") });
    expect(silent.priorities).toEqual([7, 0]);
    expect(silent.notes.join()).toContain("does not say yarn.cluster.max-application-priority, which is 0 then");
  });

  it("have no effect under the Fair Scheduler, which says so", () => {
    expect(read("kind: yarn-fair, queues: [{name: q}]")).toEqual({
      priorities: [0, 0],
      notes: ["priority of jobs has no effect under yarn-fair: there all applications have one"],
    });
  });
});

describe("preemption of files that is off", () => {
  const INTRA = "resourcemanager.monitor.capacity.preemption.intra-queue-preemption";
  const MONITOR = property("cluster.max-application-priority", "9");
  const notesOf = (site: string): readonly string[] => read(LISTED, { site: MONITOR + site }).notes;

  it("is told with what is missing", () => {
    expect(notesOf(property(`${INTRA}.enabled`, "true"))).toEqual([
      "intra-queue-preemption.enabled of the files has no effect: yarn.resourcemanager.scheduler.monitor.enable is not true, so preemption is off",
    ]);
    const on = property("resourcemanager.scheduler.monitor.enable", "true");
    const observed = property("resourcemanager.monitor.capacity.preemption.observe_only", "true");
    expect(notesOf(on + observed + property(`${INTRA}.enabled`, "true"))).toEqual([
      "intra-queue-preemption.enabled of the files has no effect: observe_only is true",
    ]);
    expect(notesOf(on + property(`${INTRA}.minimum-threshold`, "0.2"))).toEqual([
      "what the files say of intra-queue-preemption (threshold, limit, order) has no effect: intra-queue-preemption.enabled is not true",
    ]);
    expect(notesOf(property("resourcemanager.monitor.capacity.preemption.monitoring_interval", "5000"))).toEqual([
      "what the files say of preemption has no effect: yarn.resourcemanager.scheduler.monitor.enable is not true, so preemption is off",
    ]);
  });
});

describe("a queue that may hold nothing", () => {
  it.each([
    ["{name: q, capacity: 100, userLimitFactor: 0}", "its userLimitFactor is 0"],
    ["{name: p, capacity: 100}, {name: q, capacity: 0, maximum: 0}", 'the maximum of "root.q" is 0'],
  ])("%s takes no jobs", (queues, why) => {
    expect(() => read(`kind: yarn-capacity, queues: [${queues}]`)).toThrow(
      `found "root.q", in which it would wait for ever: ${why} for workload.jobs.0.queue`,
    );
  });
});
