import { expect, it } from "vitest";
import { counterHash, scaled } from "../../../dist/core/kernel/index.js";
import { jobsWithDrawnReplicas, type SparkJob, type SparkTask } from "../../../dist/core/platforms/spark/index.js";

const [HOSTS, TASKS] = [6, 120];

/**
 * A stage as Spark runs it: hosts come by in an order that is drawn, and take the first task that has its data there,
 * or else none.
 */
function launched(replicas: number): { readonly jobs: SparkJob[]; readonly places: readonly ReadonlySet<number>[] } {
  let counter = 0;
  const draw = (): number => scaled(counterHash(7, replicas, counter++), HOSTS);
  const places = Array.from({ length: TASKS }, () => {
    const hosts = new Set<number>();
    while (hosts.size < replicas) hosts.add(draw());
    return hosts;
  });
  const tasks: (SparkTask | undefined)[] = places.map(() => undefined);
  const dry = new Map<number, number>();
  for (let launch = 0; launch < TASKS;) {
    const host = draw();
    const task = tasks.findIndex((taken, at) => taken === undefined && places[at]!.has(host));
    if (task >= 0) tasks[task] = { runUs: 1e6, places: [{ host }], launch: launch++ };
    else if (!dry.has(host)) dry.set(host, launch);
  }
  const stage = {
    name: "0",
    parents: [],
    isBarrier: false,
    reads: "input" as const,
    tasks: tasks.filter((task) => task !== undefined),
    dry: [...dry].map(([host, from]) => ({ host, launch: from })),
  };
  return { jobs: [{ name: "0", submitAtUs: 0, stages: [stage] }], places };
}

const placesOf = (jobs: readonly SparkJob[]): number[][] =>
  jobs[0]!.stages[0]!.tasks.map(({ places }) => places.map(({ host }) => host));

it.each([1, 2, 3])("the order of launches tells that blocks have %i replicas, and where none can be", (replicas) => {
  const { jobs } = launched(replicas);
  const found = placesOf(jobs);
  const { dry = [], tasks } = jobs[0]!.stages[0]!;
  const seeds = Array.from({ length: 20 }, (_, seed) => String(seed));
  const drawn = seeds.map((seed) => placesOf(jobsWithDrawnReplicas(jobs, seed, undefined)));
  const means = drawn.map((places) => places.reduce((sum, { length }) => sum + length, 0) / TASKS);
  for (const mean of means) expect(Math.abs(mean - replicas)).toBeLessThan(0.4);
  for (const places of drawn) {
    places.forEach((hosts, task) => {
      expect(hosts[0]).toBe(found[task]![0]);
      const launch = tasks[task]!.launch ?? NaN;
      for (const host of hosts.slice(1)) {
        // It took no later task while this one waited, and had tasks that waited.
        const later = tasks.findIndex(
          (one, at) => at > task && one.places[0]!.host === host && (one.launch ?? NaN) < launch,
        );
        expect(later).toBe(-1);
        expect(dry.some((one) => one.host === host && one.launch <= launch)).toBe(false);
      }
    });
  }
});
