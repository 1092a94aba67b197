import type { BenchColumn, BenchRow } from "../../core/metrics/bench-report.js";
import { caseName } from "./case-name.js";
import type { DecisionCase } from "./decision-case.js";
import type { DecisionRun } from "./decision-run.js";
import { LatencyHistogram, PERCENTILES } from "../../io/results/latency-histogram.js";
import { median } from "./medians.js";
import type { CallTimes } from "./call-times.js";

/** Latencies of one case over all its measured runs, and of single runs. */
export interface CaseLatencies {
  /** One value per offer of free slots. */
  readonly heartbeat: LatencyHistogram;
  /** One value per task: an equal part of the offer that gave it. */
  readonly task: LatencyHistogram;
}

const US_PER_MS = 1_000;
const MS_PER_SECOND = 1_000;

/** What the table has of a case, in order. */
export const DECISION_COLUMNS: readonly BenchColumn[] = [
  { key: "case", title: "Case", kind: "name" },
  { key: "tasksPerSecond", title: "tasks/s", kind: "rate" },
  { key: "allTasksPerSecond", title: "all calls", kind: "rate" },
  { key: "tasksPerCpuSecond", title: "per CPU s", kind: "rate" },
  { key: "taskUs", title: "us/task", kind: "cost", decimals: 2 },
  ...PERCENTILES.map((percent) => latency(`p${String(percent)}Us`, `p${String(percent)} us`)),
  latency("maxUs", "max us"),
  latency("wholeP99Us", "whole p99"),
  latency("wholeP99_9Us", "whole p99.9"),
  { key: "updateUs", title: "us/update", kind: "cost", decimals: 1 },
  { key: "nodeLocalPercent", title: "local %", kind: "count", decimals: 1 },
  { key: "tasks", title: "tasks", kind: "count" },
  { key: "heartbeats", title: "offers", kind: "count" },
  { key: "passedOver", title: "passed", kind: "count" },
  { key: "searches", title: "searches", kind: "count" },
  { key: "jobsVisited", title: "visited", kind: "count" },
  { key: "updates", title: "updates", kind: "count" },
  { key: "fingerprint", title: "fingerprint", kind: "count" },
  { key: "interrupted", title: "interrupted", kind: "cost" },
  { key: "drainMs", title: "drain ms", kind: "cost", decimals: 1 },
];

/** Equal runs of a case as a row: the median of every figure. @param bareCpuSeconds of the experiment by itself. */
export function decisionRow(
  which: DecisionCase,
  runs: readonly DecisionRun[],
  bareCpuSeconds: number,
  clockNs: number,
): BenchRow {
  const middle = (figure: (run: DecisionRun) => number): number => median(runs.map(figure));
  const offers = runs.map(({ busy }) => histogramOf(busy.offers, clockNs));
  const whole = runs.map(({ busy }) => histogramOf(busy.whole, 2 * clockNs));
  const at = (percent: number, of = offers): number => median(of.map((one) => one.percentileUs(percent)));
  const taskUs = (run: DecisionRun): number => (offerMs(run, clockNs) * US_PER_MS) / Math.max(1, run.busy.tasks);
  const [{ tasks, maps, nodeLocal, counts, fingerprint }] = runs;
  return {
    case: caseName(which),
    tasksPerSecond: rate(middle((run) => 1e6 / taskUs(run))),
    allTasksPerSecond: rate(middle((run) => run.busy.tasks / (allMs(run, clockNs) / MS_PER_SECOND))),
    tasksPerCpuSecond: middle((run) => run.tasks / Math.max(1e-6, run.cpuSeconds - bareCpuSeconds)),
    taskUs: middle(taskUs),
    ...Object.fromEntries(PERCENTILES.map((percent) => [`p${String(percent)}Us`, at(percent)])),
    maxUs: median(offers.map(({ maxUs }) => maxUs)),
    wholeP99Us: at(99, whole),
    wholeP99_9Us: at(99.9, whole),
    updateUs:
      counts.updates === 0 ? null : middle(({ busy }) => (busy.updatesMs * US_PER_MS) / Math.max(1, busy.updates)),
    nodeLocalPercent: maps === 0 ? null : (100 * nodeLocal) / maps,
    tasks,
    heartbeats: counts.heartbeats,
    passedOver: counts.passedOver,
    searches: counts.searches,
    jobsVisited: counts.jobsVisited,
    updates: counts.updates,
    fingerprint: fingerprint.toString(16).padStart(8, "0"),
    interrupted: middle(({ busy }) => busy.interrupted),
    drainMs: runs[0].drain === null ? null : middle(({ drain }) => (drain?.offersMs ?? 0) + (drain?.reportsMs ?? 0)),
  };
}

/** All runs of a case in one histogram each. */
export function latenciesOf(runs: readonly DecisionRun[], clockNs: number): CaseLatencies {
  const heartbeat = LatencyHistogram.empty();
  const task = LatencyHistogram.empty();
  for (const { busy } of runs) {
    heartbeat.merge(histogramOf(busy.offers, clockNs));
    const { offers } = busy;
    for (let call = 0; call < offers.size; call++) {
      const tasks = offers.tasks(call);
      if (tasks > 0) task.add(Math.round(offers.ns(call, clockNs) / tasks), tasks);
    }
  }
  return { heartbeat, task };
}

function histogramOf(calls: CallTimes, clockNs: number): LatencyHistogram {
  const histogram = LatencyHistogram.empty();
  for (let call = 0; call < calls.size; call++) histogram.add(calls.ns(call, clockNs));
  return histogram;
}

function offerMs({ busy }: DecisionRun, clockNs: number): number {
  return busy.offersMs - (busy.offers.size * clockNs) / 1e6;
}

/** Reports and updates too. */
function allMs(run: DecisionRun, clockNs: number): number {
  const { busy } = run;
  return offerMs(run, clockNs) + busy.reportsMs + busy.updatesMs - ((busy.reports + busy.updates) * clockNs) / 1e6;
}

/** Of calls that all were interrupted, or took no more than the clock, there is none. */
function rate(perSecond: number): number | null {
  return Number.isFinite(perSecond) && perSecond > 0 ? perSecond : null;
}

function latency(key: string, title: string): BenchColumn {
  return { key, title, kind: "cost", decimals: 1 };
}
