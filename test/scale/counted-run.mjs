import { PendingMaps } from "../../dist/core/platforms/hadoop/index.js";
import { simulate } from "../../dist/lab/index.js";
import { clusterOf, jobOf, schedulerOf, smallRun } from "../support/small-scenarios.mjs";

const SECOND = 1_000_000;

/**
 * Operations of one inline run per launched task. `nodes` nodes of 4 map slots and 1 reduce slot, and per 20 nodes one
 * job of 6 maps every 12 s for ten minutes and one of 60 maps every minute: about half of the slots are busy, whatever
 * the size. `idleJobs`: as many jobs of one endless map each run beside them, in a pool of their own.
 */
export async function countedRun({ kind, nodes, idleJobs = 0, wait = undefined }) {
  const scale = nodes / 20;
  const jobs = [
    jobOf({
      name: "small",
      pool: "small",
      maps: 6,
      mapUs: 20 * SECOND,
      count: 50 * scale,
      everyUs: (12 * SECOND) / scale,
    }),
    jobOf({
      name: "large",
      pool: "large",
      maps: 60,
      reduces: 2,
      mapUs: 20 * SECOND,
      count: 10 * scale,
      everyUs: (60 * SECOND) / scale,
    }),
  ];
  if (idleJobs > 0) jobs.push(jobOf({ name: "idle", pool: "idle", maps: 1, mapUs: 3600 * SECOND, count: idleJobs }));
  const { scenario, workload } = smallRun({
    cluster: clusterOf({
      racks: nodes / 20,
      nodesPerRack: 20,
      mapSlots: 4 + Math.ceil((1.2 * idleJobs) / nodes),
      reduceSlots: 1,
    }),
    scheduler: schedulerOf(kind, wait === undefined ? {} : { wait }),
    jobs,
    runtime: { jobSetupUs: SECOND },
    run: { untilUs: 700 * SECOND },
  });
  const lookups = countCalls(PendingMaps.prototype, ["onNode", "inRack", "anywhere"]);
  const { master } = await simulate(scenario, workload, { threads: 0, slices: 1, framed: true, recordTasks: false });
  lookups.restore();
  const { counts } = master.master.built.scheduler;
  const tasks = master.master.recorder.tasksEnded[0] + master.master.recorder.tasksEnded[1];
  return {
    tasks,
    visits: master.visited / tasks,
    searches: counts.searches / tasks,
    lookups: lookups.count() / tasks,
    frameBytes: master.frameBytes / tasks,
    framesPerSlice: master.frames / (700 / 3),
  };
}

/** Counts the calls of methods of a class until `restore`. */
function countCalls(prototype, names) {
  let calls = 0;
  const originals = names.map((name) => prototype[name]);
  names.forEach((name, i) => {
    prototype[name] = function (...operands) {
      calls++;
      return originals[i].apply(this, operands);
    };
  });
  return { count: () => calls, restore: () => names.forEach((name, i) => (prototype[name] = originals[i])) };
}
