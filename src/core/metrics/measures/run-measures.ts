import { US_PER_SECOND } from "../../kernel/time.js";
import type { JobColumns } from "../run-record.js";
import type { Measure, MeasuredRun, MeasureGroup, MeasureScope, MeasureUnit } from "./measure.js";
import { isIn, mapsOf, type SizeGroup } from "./size-groups.js";

const GIGABYTE = 1e9;

type Value = Measure["of"];

/** What runs are compared by beside response times. */
export const RUN_MEASURES: readonly Measure[] = [
  ...inGroup("locality", "jobs", [
    ["nodeLocalSmall", `node ${mapsOf("Small")}`, "share", ({ record }) => localShare(record.jobs, "Small", "node")],
    ["nodeLocalAll", "node", "share", ({ record }) => localShare(record.jobs, null, "node")],
    ["rackLocalAll", "rack", "share", ({ record }) => localShare(record.jobs, null, "rack")],
    ["elsewhereAll", "elsewhere", "share", ({ record }) => localShare(record.jobs, null, "elsewhere")],
  ]),
  ...inGroup("fairness", "run", [
    ["mapsPerSecond", "maps/s", "per-second", mapsPerSecond],
    ["makespanSeconds", "makespan", "seconds", ({ record }) => makespanSeconds(record.jobs)],
    ["jain", "Jain's index", "index", ({ summary }) => summary.fairness.jain],
    ["belowFairShare", "below share", "share", ({ summary }) => summary.fairness.belowFairShare],
    ["fairShareP50", "to share p50", "seconds", ({ summary }) => summary.timeToFairShareSeconds.p50],
    ["fairShareP95", "to share p95", "seconds", ({ summary }) => summary.timeToFairShareSeconds.p95],
  ]),
  ...inGroup("waits", "run", [
    ["localityWait", "locality, s/map", "seconds-per-map", ({ summary }) => summary.waits.localitySecondsPerMap],
    ["localitySkips", "locality, skips/map", "skips-per-map", ({ summary }) => summary.waits.skipsPerMap],
    ["mapPending", "pending, s/map", "seconds-per-map", ({ summary }) => summary.waits.pendingSecondsPerMap],
    ["firstTaskP50", "first task p50", "seconds", ({ summary }) => summary.timeToFirstTaskSeconds.p50],
    ["firstTaskP95", "first task p95", "seconds", ({ summary }) => summary.timeToFirstTaskSeconds.p95],
  ]),
  ...inGroup("waste", "run", [
    ["unfinishedJobs", "unfinished jobs", "count", ({ summary }) => summary.jobs.unfinished],
    ["failedJobs", "failed jobs", "count", ({ summary }) => summary.jobs.failed],
    ["deadlinesMissed", "deadlines missed", "count", ({ summary }) => summary.deadlines.missed],
    ["kills", "killed attempts", "count", ({ summary }) => summary.tasks.kills],
    ["lostSlotSeconds", "their slot-seconds", "count", ({ summary }) => summary.preemption.lostSeconds],
    ["failedAttempts", "failed attempts", "count", ({ summary }) => summary.failures.attempts],
    ["failedSlotSeconds", "their slot-s", "count", ({ summary }) => summary.failures.lostSeconds],
    ["spareSlotSeconds", "copies' slot-s", "count", ({ summary }) => summary.speculation.wastedSeconds],
  ]),
  ...inGroup("moved", "run", [
    ["inputMoved", "input between nodes", "gigabytes", ({ summary }) => summary.moved.inputBytes / GIGABYTE],
    [
      "inputAcrossRacks",
      "of that between racks",
      "gigabytes",
      ({ summary }) => summary.moved.acrossRacksBytes / GIGABYTE,
    ],
    [
      "cachedFilesFetched",
      "cached files fetched",
      "gigabytes",
      ({ summary }) => (summary.cachedFiles?.bytesFetched ?? 0) / GIGABYTE,
    ],
    ["lostBlocksCopied", "lost blocks copied", "gigabytes", ({ summary }) => summary.faults.bytesCopied / GIGABYTE],
  ]),
  ...inGroup("storage", "run", [
    ["replicasAdded", "replicas added", "count", ({ summary }) => summary.storage?.replicasAdded ?? 0],
    ["replicasRemoved", "removed", "count", ({ summary }) => summary.storage?.replicasRemoved ?? 0],
    ["replicasCopied", "copied, GB", "gigabytes", ({ summary }) => (summary.storage?.bytesCopied ?? 0) / GIGABYTE],
    ["meanExtraStorage", "extra, mean %", "share", ({ summary }) => summary.storage?.meanExtra ?? null],
    ["maxExtraStorage", "extra, most %", "share", ({ summary }) => summary.storage?.maxExtra ?? null],
  ]),
  ...inGroup("cost", "run", [
    ["decisionPerHeartbeat", "us/heartbeat", "machine-microseconds", perDecision(({ heartbeats }) => heartbeats)],
    ["decisionPerTask", "us/task", "machine-microseconds", perDecision(({ launches }) => launches)],
    ["wallSeconds", "run, wall s", "machine-seconds", ({ summary }) => summary.cost.wallSeconds],
  ]),
];

function inGroup(
  group: MeasureGroup,
  scope: MeasureScope,
  measures: readonly (readonly [key: string, label: string, unit: MeasureUnit, of: Value])[],
): Measure[] {
  return measures.map(([key, label, unit, of]) => ({ key, group, label, unit, scope, of }));
}

function localShare(jobs: JobColumns, group: SizeGroup | null, where: "node" | "rack" | "elsewhere"): number | null {
  const found = { node: 0, rack: 0, elsewhere: 0 };
  for (let job = 0; job < jobs.rows; job++) {
    if (!isIn(group, jobs.maps[job])) continue;
    found.node += jobs.nodeLocalMaps[job];
    found.rack += jobs.rackLocalMaps[job];
    found.elsewhere += jobs.rowLocalMaps[job] + jobs.offRackMaps[job];
  }
  const launched = found.node + found.rack + found.elsewhere;
  return launched > 0 ? found[where] / launched : null;
}

/** From the first submission to the end of the last job; null while a job is unfinished or without jobs. */
function makespanSeconds(jobs: JobColumns): number | null {
  if (jobs.rows === 0 || jobs.endAtUs.subarray(0, jobs.rows).some((endAtUs) => endAtUs < 0)) return null;
  const firstUs = jobs.submitAtUs.subarray(0, jobs.rows).reduce((a, b) => Math.min(a, b));
  const lastUs = jobs.endAtUs.subarray(0, jobs.rows).reduce((a, b) => Math.max(a, b));
  return (lastUs - firstUs) / US_PER_SECOND;
}

/** Until the last job ended; until the run stopped when some are unfinished. */
function mapsPerSecond({ summary, record }: MeasuredRun): number | null {
  const seconds = makespanSeconds(record.jobs) ?? summary.virtualSeconds;
  return seconds > 0 ? summary.tasks.maps.ended / seconds : null;
}

function perDecision(countOf: (decisions: NonNullable<MeasuredRun["decisions"]>) => number): Value {
  return ({ decisions }) => {
    if (decisions === null) return null;
    const count = countOf(decisions);
    return count > 0 ? (decisions.seconds * US_PER_SECOND) / count : null;
  };
}
