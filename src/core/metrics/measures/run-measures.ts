import { US_PER_SECOND } from "../../kernel/time.js";
import type { JobColumns } from "../run-record.js";
import { heartbeatStep, type Measure, type MeasuredRun, type MeasureGroup, type MeasureScope } from "./measure.js";
import type { MeasureUnit } from "./measure.js";
import { isIn, mapsOf, type SizeGroup } from "./size-groups.js";

const GIGABYTE = 1e9;

type Value = Measure["of"];
type Step = NonNullable<Measure["step"]>;

/** What runs are compared by beside response times. */
export const RUN_MEASURES: readonly Measure[] = [
  ...inGroup("locality", "jobs", [
    [
      "nodeLocalSmall",
      `node ${mapsOf("Small")}`,
      "share",
      ({ record }) => localShare(record.jobs, "Small", "node"),
      ofOneMap("Small"),
    ],
    ["nodeLocalAll", "node", "share", ({ record }) => localShare(record.jobs, null, "node"), ofOneMap(null)],
    ["rackLocalAll", "rack", "share", ({ record }) => localShare(record.jobs, null, "rack"), ofOneMap(null)],
    ["elsewhereAll", "elsewhere", "share", ({ record }) => localShare(record.jobs, null, "elsewhere"), ofOneMap(null)],
  ]),
  ...inGroup("fairness", "run", [
    ["mapsPerSecond", "maps/s", "per-second", mapsPerSecond, ofLastHeartbeat],
    ["makespanSeconds", "makespan", "seconds", ({ record }) => makespanSeconds(record.jobs), heartbeatStep],
    ["jain", "Jain's index", "index", ({ summary }) => summary.fairness.jain],
    ["belowFairShare", "below share", "share", ({ summary }) => summary.fairness.belowFairShare],
    ["fairShareP50", "to share p50", "seconds", ({ summary }) => summary.timeToFairShareSeconds.p50, heartbeatStep],
    ["fairShareP95", "to share p95", "seconds", ({ summary }) => summary.timeToFairShareSeconds.p95, heartbeatStep],
  ]),
  ...inGroup("waits", "run", [
    [
      "localityWait",
      "locality wait, s/map",
      "seconds-per-map",
      ({ summary }) => summary.waits.localitySecondsPerMap,
      heartbeatPerMap,
    ],
    ["longestLocalityWait", "longest", "seconds", ({ summary }) => summary.waits.longestLocalitySeconds, heartbeatStep],
    [
      "waitClock",
      "wait clock, s/map",
      "seconds-per-map",
      ({ summary }) => summary.waits.clockSecondsPerMap,
      heartbeatPerMap,
    ],
    [
      "waitClockSkips",
      "wait clock, skips/map",
      "skips-per-map",
      ({ summary }) => summary.waits.clockSkipsPerMap,
      ofOneMap(null),
    ],
    [
      "mapPending",
      "pending, s/map",
      "seconds-per-map",
      ({ summary }) => summary.waits.pendingSecondsPerMap,
      heartbeatPerMap,
    ],
    ["firstTaskP50", "first task p50", "seconds", ({ summary }) => summary.timeToFirstTaskSeconds.p50, heartbeatStep],
    ["firstTaskP95", "first task p95", "seconds", ({ summary }) => summary.timeToFirstTaskSeconds.p95, heartbeatStep],
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
  measures: readonly (readonly [key: string, label: string, unit: MeasureUnit, of: Value, step?: Step])[],
): Measure[] {
  return measures.map(([key, label, unit, of, step]) => ({
    ...{ key, group, label, unit, scope, of },
    ...(step === undefined ? {} : { step }),
  }));
}

function localShare(jobs: JobColumns, group: SizeGroup | null, where: "node" | "rack" | "elsewhere"): number | null {
  const found = launchedMaps(jobs, group);
  const launched = found.node + found.rack + found.elsewhere;
  return launched > 0 ? found[where] / launched : null;
}

function launchedMaps(jobs: JobColumns, group: SizeGroup | null): Record<"node" | "rack" | "elsewhere", number> {
  const found = { node: 0, rack: 0, elsewhere: 0 };
  for (let job = 0; job < jobs.rows; job++) {
    if (!isIn(group, jobs.maps[job])) continue;
    found.node += jobs.nodeLocalMaps[job];
    found.rack += jobs.rackLocalMaps[job];
    found.elsewhere += jobs.rowLocalMaps[job] + jobs.offRackMaps[job];
  }
  return found;
}

function ofOneMap(group: SizeGroup | null): Step {
  return ({ record }) => {
    const { node, rack, elsewhere } = launchedMaps(record.jobs, group);
    return 1 / (node + rack + elsewhere);
  };
}

function heartbeatPerMap(run: MeasuredRun): number {
  return heartbeatStep(run) * ofOneMap(null)(run);
}

/** What the rate changes by when the last job ends a heartbeat later. */
function ofLastHeartbeat(run: MeasuredRun): number {
  const seconds = makespanSeconds(run.record.jobs) ?? run.summary.virtualSeconds;
  return ((mapsPerSecond(run) ?? 0) * heartbeatStep(run)) / seconds;
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
