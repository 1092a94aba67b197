import { formatTime, US_PER_SECOND } from "../core/kernel/index.js";
import {
  type PoolSampleColumns,
  type SampleColumns,
  type CountSummary,
  type FailureSummary,
  type GroupSummary,
  type LocalityShares,
  type PoolSummary,
  refusalWords,
  type SlotUse,
  type SpeculationSummary,
  type StorageSummary,
  stuckWords,
  type Summary,
} from "../core/platforms/hadoop/index.js";
import type { Quantiles } from "../core/record/index.js";
import { type AnyScenario, isHadoop } from "../core/scenario/index.js";
import {
  bytes,
  counted,
  entry,
  fitted,
  grouped,
  headedTable,
  noteLines,
  NOTHING,
  type Paint,
  percent,
  plain,
  shortened,
  significant,
  textTable,
  WIDTH,
  widthOf,
} from "./tables.js";
import { wordsOf } from "../io/index.js";

export interface RunReportExtras {
  readonly scenario: AnyScenario;
  /** For the timeline of pools; null: none is wanted. */
  readonly timeline: TimelineSamples | null;
  /** Where the results are; null when there are none. */
  readonly resultsPath: string | null;
  readonly paint: Paint;
}

/** What one would paste of a run into a paper or a ticket: plain lines of at most 100 characters, paths excepted. */
export function runReport(summary: Summary, extras: RunReportExtras): string {
  const { widthColumns } = extras.paint;
  const timeline = extras.timeline === null ? [] : poolTimeline(extras.timeline, widthColumns);
  const blocks = [
    header(summary, extras),
    table(summary, extras.paint),
    poolTable(summary, extras.paint),
    userTable(summary, extras.paint),
    timeline,
    figures(summary, extras),
  ];
  const filled = blocks.filter((lines) => lines.length > 0).map((lines) => lines.join("\n"));
  return fitted(`${filled.join("\n\n")}\n`, widthColumns);
}

function header(summary: Summary, { scenario, paint }: RunReportExtras): string[] {
  const { cluster, cost } = summary;
  const time = formatTime(Math.round(summary.virtualSeconds * US_PER_SECOND));
  const slots = `${grouped(cluster.mapSlots)} map + ${grouped(cluster.reduceSlots)} reduce slots`;
  const places = `${counted(cluster.racks, "rack")}, ${counted(cluster.nodes, "node")}, ${slots}`;
  return [
    ...entry(
      "Scenario",
      `${summary.scenario}, seed ${summary.seed}; ${time} of virtual time, ${stoppedWords(summary)}`,
      paint,
    ),
    ...entry("Scheduler", wordsOf(scenario).scheduler, paint),
    ...entry(
      "Cluster",
      `${places}, heartbeat ${formatTime(Math.round(cluster.heartbeatSeconds * US_PER_SECOND))}`,
      paint,
    ),
    ...entry("Placement", `${cost.placement} (${cost.placementReason})`, paint),
  ];
}

function table(summary: Summary, paint: Paint): string[] {
  const bins = summary.bins.filter(({ jobs }) => jobs.submitted > 0);
  const row = summary.locality.row === undefined ? [] : ["row %"];
  const rows = [
    [
      "Maps per job",
      "jobs",
      "unfinished",
      "node %",
      "rack %",
      ...row,
      "off-rack %",
      "response p50 s",
      "p95 s",
      "p99 s",
    ],
    ...bins.map((bin) => tableRow(bin.label, bin.jobs, bin.locality, bin.responseSeconds)),
    tableRow("all", summary.jobs, summary.locality, summary.responseSeconds),
  ];
  const lines = headedTable(rows, paint);
  return [...lines.slice(0, -1), paint.bold(lines[lines.length - 1])];
}

/** Of a run with more pools, or users, those that used most are shown. */
const MOST_GROUP_ROWS = 10;

/** Where the lines would be too long, these columns go, in this order; then the last ones stand below the first. */
const FIRST_TO_GO = ["first p95 s", "unfinished", "slot-h", "node %", "fair %"];

/** What happened to each pool, those with most slot time first; nothing of a run with one pool. */
function poolTable({ pools, cluster: { mapSlots } }: Summary, paint: Paint): string[] {
  if (pools.length < 2) return [];
  const ofPools: readonly Column<PoolSummary>[] = [
    ["held %", ({ mapShare }) => shareOfSlots(mapShare.heldSlots, mapSlots)],
    ["fair %", ({ mapShare }) => shareOfSlots(mapShare.fairSlots, mapSlots)],
    ["below promise %", ({ mapShare }) => (mapShare.belowPromise === null ? null : percent(mapShare.belowPromise))],
  ];
  const took: Column<PoolSummary> = [
    "took",
    ({ killsCaused = 0 }) => (killsCaused === 0 ? null : grouped(killsCaused)),
  ];
  return groupTable(pools, ["Pool", ({ pool }) => shorten(pool, paint.widthColumns)], ofPools, [took], paint);
}

/** What happened to each user, like that of pools; nothing of a run whose users are simply the pools. */
function userTable({ users = [] }: Summary, paint: Paint): string[] {
  return users.length === 0
    ? []
    : groupTable(users, ["User", ({ user }) => shorten(user, paint.widthColumns)], [], [], paint);
}

/** Its title, and what it says of a group; null: nothing. */
type Column<Group> = readonly [title: string, cell: (group: Group) => string | null];

function groupTable<Group extends GroupSummary>(
  groups: readonly Group[],
  name: Column<Group>,
  shares: readonly Column<Group>[],
  kills: readonly Column<Group>[],
  paint: Paint,
): string[] {
  const timeOf = ({ slotSeconds }: Group): number => slotSeconds.maps + slotSeconds.reduces;
  const sorted = [...groups].sort((a, b) => timeOf(b) - timeOf(a));
  const shown = sorted.slice(0, MOST_GROUP_ROWS);
  const columns: readonly Column<Group>[] = [
    name,
    ["jobs", ({ jobs }) => grouped(jobs.submitted)],
    ["unfinished", ({ jobs }) => (jobs.unfinished === 0 ? null : grouped(jobs.unfinished))],
    ["node %", ({ locality }) => (locality.maps > 0 ? percent(locality.node) : null)],
    ["first p95 s", ({ timeToFirstTaskSeconds }) => plain(timeToFirstTaskSeconds.p95)],
    ["response p50 s", ({ responseSeconds }) => plain(responseSeconds.p50)],
    ["p95 s", ({ responseSeconds }) => plain(responseSeconds.p95)],
    ["slot-h", (group) => significant(timeOf(group) / 3600)],
    ...shares,
    ["killed", (group) => (group.kills.attempts === 0 ? null : grouped(group.kills.attempts))],
    ...kills,
    [
      "late",
      ({ deadlines: { met, missed } }) => (met + missed === 0 ? null : `${String(missed)} of ${String(met + missed)}`),
    ],
  ];
  // Most runs have no promises, kills or deadlines.
  let telling = columns.filter(([, cell]) => shown.some((group) => cell(group) !== null));
  const rows = (): string[][] => [
    telling.map(([title]) => title),
    ...shown.map((group) => telling.map(([, cell]) => cell(group) ?? NOTHING)),
  ];
  for (const first of FIRST_TO_GO) {
    if (textTable(rows()).every((line) => widthOf(line) <= (paint.widthColumns ?? WIDTH))) break;
    telling = telling.filter(([title]) => title !== first);
  }
  const others = groups.length - shown.length;
  const more = others > 0 ? [`and ${counted(others, `more ${name[0].toLowerCase()}`)}, in summary.json`] : [];
  return [...headedTable(rows(), paint), ...more];
}

/** Of map slots, mean over the samples in which the pool demanded some. */
function shareOfSlots(slots: number | null, all: number): string | null {
  return slots === null || all === 0 ? null : percent(slots / all);
}

function tableRow(label: string, jobs: CountSummary, locality: LocalityShares, response: Quantiles): string[] {
  const { node, rack, row, offRack } = locality;
  const shares = row === undefined ? [node, rack, offRack] : [node, rack, row, offRack];
  return [
    label,
    grouped(jobs.submitted),
    grouped(jobs.unfinished),
    ...shares.map((share) => (locality.maps > 0 ? percent(share) : NOTHING)),
    ...[response.p50, response.p95, response.p99].map(plain),
  ];
}

function figures(summary: Summary, { paint, resultsPath, scenario }: RunReportExtras): string[] {
  const { tasks, throughput, utilisation, fairness, attemptSeconds: attempts } = summary;
  const rates = `${significant(throughput.mapsPerSecond)} maps/s, ${significant(throughput.reducesPerSecond)} reduces/s`;
  const lines: [string, string][] = [
    ["Tasks", `${taskWords("map", tasks.maps)}, ${taskWords("reduce", tasks.reduces)}`],
    ...exceptional(summary, scenario),
    ["To first task", quantileWords(summary.timeToFirstTaskSeconds)],
    ["To fair share", quantileWords(summary.timeToFairShareSeconds)],
    ["Locality wait", waitWords(summary.waits)],
    ["Task time", taskTimes(attempts)],
    ["Throughput", `${significant(throughput.jobsPerHour)} jobs/h, ${rates}`],
    ["Map slots", slotWords(utilisation.map)],
    ["Reduce slots", slotWords(utilisation.reduce)],
    [
      "Fairness",
      `Jain ${significant(fairness.jain)} over pools, below fair share ${percent(fairness.belowFairShare)} %`,
    ],
    ["Heartbeats", heartbeatWords(summary)],
    ["Cost", costWords(summary)],
    ["Frames", frameWords(summary.cost)],
    ...recoveryLines(summary.cost),
    ["Fingerprint", summary.fingerprint],
    ...stuckWords(summary).map((line, i): [string, string] => [i === 0 ? "Stuck" : "", line.replace(/^stuck: /, "")]),
    ...noteLines(summary.notes, paint.allNotes).map((note): [string, string] => ["Note", note]),
  ];
  if (resultsPath !== null) lines.push(["Results", resultsPath]);
  return lines.flatMap(([label, text]) => entry(label, text, paint));
}

const STOPPED: Record<Summary["stopped"], string> = {
  "all-jobs-ended": "all jobs ended",
  until: "stopped at its end",
  "no-nodes-left": "stopped: the nodes that are left have no slots for the jobs that wait",
  stuck: "stopped: it is stuck",
};

function stoppedWords({ stopped, refusedJobs, jobs }: Summary): string {
  if (stopped !== "all-jobs-ended" || refusedJobs === 0) return STOPPED[stopped];
  return refusedJobs === jobs.submitted ? "all jobs were refused" : "all jobs that were not refused ended";
}

function heartbeatWords({ heartbeats, cost: { heartbeatsProcessed } }: Summary): string {
  return `${grouped(heartbeatsProcessed)} processed, ${grouped(Math.max(0, heartbeats - heartbeatsProcessed))} implied`;
}

/** Actors on one thread need no frames. */
function frameWords({ threads, frames, frameBytes }: Summary["cost"]): string {
  return threads === 1 ? "none (inline)" : `${grouped(frames)} (${bytes(frameBytes)})`;
}

/** Nothing where recovery was not asked for. */
function recoveryLines({ threads, recoveries, commandLogBytes = 0 }: Summary["cost"]): [string, string][] {
  if (recoveries === undefined || threads === 1) return [];
  return [["Recovery", `${counted(recoveries, "rack thread")} replaced, ${bytes(commandLogBytes)} of commands kept`]];
}

function lossWords({ nodesGivenUp, attemptsLost, outputsLost, blocksCopied, bytesCopied }: Summary["faults"]): string {
  const lost = `${counted(nodesGivenUp, "node")} given up, ${counted(attemptsLost, "attempt")} lost`;
  const again = `${counted(outputsLost, "finished map")} run again`;
  return `${lost}, ${again}, ${counted(blocksCopied, "block")} (${bytes(bytesCopied)}) copied`;
}

/** What most runs have nothing of. */
function exceptional(summary: Summary, scenario: AnyScenario): [string, string][] {
  const { tasks, preemption, deadlines, refusedJobs, failures, speculation, faults, storage, jobs } = summary;
  const { copyCompute, cachedFiles } = summary;
  const lines: [string, string][] = [];
  if (preemption.slotsWanted > 0) {
    const wanted = `${counted(preemption.checks, "check")} wanted ${counted(preemption.slotsWanted, "slot")}`;
    const killed = `${counted(tasks.kills, "attempt")} killed, ${grouped(Math.round(preemption.lostSeconds))} slot-seconds lost`;
    lines.push(["Preemption", `${killed}; ${wanted}`]);
  } else if (isHadoop(scenario) && scenario.scheduler.kind === "hfs" && scenario.scheduler.preemption.mode !== "off")
    lines.push(["Preemption", "nothing killed: no pool was starved for longer than its timeout"]);
  if (failures.attempts + failures.sourcesLost > 0) lines.push(["Failures", failureWords(failures, jobs.failed)]);
  if (speculation.launched > 0) lines.push(["Speculation", speculationWords(speculation)]);
  if (cachedFiles !== undefined) lines.push(["Cached files", cachedWords(cachedFiles)]);
  if (copyCompute !== undefined) {
    const { parkedMean, parkedMost } = copyCompute;
    lines.push(["Parked reduces", `${significant(parkedMean)} in the mean, ${grouped(parkedMost)} at once at most`]);
  }
  const { met, missed, open } = deadlines;
  if (met + missed + open > 0) {
    lines.push([
      "Deadlines",
      `${grouped(met)} met, ${grouped(missed)} missed${open > 0 ? `, ${grouped(open)} open` : ""}`,
    ]);
  }
  if (faults.nodesGivenUp + faults.attemptsLost + faults.outputsLost > 0) lines.push(["Lost nodes", lossWords(faults)]);
  if (storage !== undefined) lines.push(["Replication", storageWords(storage)]);
  if (refusedJobs > 0)
    lines.push([
      "Refused",
      `${counted(refusedJobs, "job")}: no pool takes ${refusedJobs === 1 ? "it" : "them"}. Pools asked for: ${refusalWords(summary)}`,
    ]);
  return lines;
}

function storageWords(storage: StorageSummary): string {
  const { replicasAdded, replicasRemoved, bytesCopied, meanExtra, maxExtra } = storage;
  const added = `${counted(replicasAdded, "replica")} added (${bytes(bytesCopied)}), ${grouped(replicasRemoved)} removed`;
  return `${added}; storage +${percent(meanExtra)} % on average, +${percent(maxExtra)} % at most`;
}

function cachedWords({ found, fetched, bytesFetched, evicted }: NonNullable<Summary["cachedFiles"]>): string {
  const share = found + fetched === 0 ? "" : ` (${percent(found / (found + fetched))} %)`;
  const gone = evicted > 0 ? `, ${grouped(evicted)} evicted` : "";
  return `${counted(found, "task")} found the file${share}, ${grouped(fetched)} fetched it (${bytes(bytesFetched)})${gone}`;
}

function speculationWords({ launched, won, wastedSeconds }: SpeculationSummary): string {
  const wasted = `${grouped(Math.round(wastedSeconds))} slot-seconds wasted`;
  return `${counted(launched, "second attempt")}, ${grouped(won)} of them first; ${wasted}`;
}

function failureWords({ attempts, sourcesLost, lostSeconds }: FailureSummary, failedJobs: number): string {
  return [
    `${counted(attempts, "attempt")} failed, ${grouped(Math.round(lostSeconds))} slot-seconds lost`,
    ...(sourcesLost > 0 ? [`${counted(sourcesLost, "attempt")} lost the node they read from`] : []),
    ...(failedJobs > 0 ? [`${counted(failedJobs, "job")} failed`] : []),
  ].join("; ");
}

function taskTimes({ map, reduce }: Summary["attemptSeconds"]): string {
  const maps = map.count > 0 ? [`maps p50 ${plain(map.p50)} s`] : [];
  const reduces = reduce.count > 0 ? [`reduces p50 ${plain(reduce.p50)} s`] : [];
  return [...maps, ...reduces].join(", ") || "no task has ended";
}

function taskWords(noun: string, tasks: CountSummary): string {
  const unfinished = tasks.unfinished > 0 ? ` (${grouped(tasks.unfinished)} unfinished)` : "";
  return `${counted(tasks.submitted, noun)}${unfinished}`;
}

function quantileWords({ count, p50, p95, p99 }: Quantiles): string {
  if (count === 0) return "no job";
  return `p50 ${plain(p50)} s, p95 ${plain(p95)} s, p99 ${plain(p99)} s (${counted(count, "job")})`;
}

/** Nothing where no job waits; no clock where the scheduler does not tell of it. */
function waitWords(waits: Summary["waits"]): string {
  const { localitySecondsPerMap: mean, longestLocalitySeconds, clockSecondsPerMap, clockSkipsPerMap } = waits;
  if (mean === null) return NOTHING;
  const clocks = [
    ...(clockSecondsPerMap === null ? [] : [`${significant(clockSecondsPerMap)} s/map`]),
    ...(clockSkipsPerMap === null ? [] : [`${significant(clockSkipsPerMap)} skips/map`]),
  ];
  const clock = clocks.length === 0 ? "" : `; wait clock ${clocks.join(", ")}`;
  return `${significant(mean)} s/map, longest ${plain(longestLocalitySeconds)} s${clock}`;
}

function slotWords(use: SlotUse): string {
  const often = `${percent(use.busy)} % busy; more than 95 % busy for ${percent(use.saturated)} % of the time`;
  if (use.releasesPerSecondSaturated === null) return often;
  return `${often}, with ${significant(use.releasesPerSecondSaturated)} slots freed/s`;
}

function costWords({ cost }: Summary): string {
  return [
    `wall ${significant(cost.wallSeconds)} s`,
    `CPU ${significant(cost.cpuSeconds)} s`,
    `${grouped(cost.tasksPerCpuSecond)} tasks per CPU s`,
    `peak memory ${grouped(cost.peakMemoryMiB)} MiB`,
  ].join(", ");
}

/** A timeline of more pools says less than the tables. */
const MOST_POOLS = 8;

const FEWEST_SAMPLES = 10;

/** Of a name, where the terminal is not wide. */
const NAME_WIDTH = 24;

const BARS = " ▁▂▃▄▅▆▇█";

/** The samples of a run, and what a full bar stands for. */
export interface TimelineSamples {
  readonly samples: SampleColumns;
  readonly poolSamples: PoolSampleColumns;
  readonly mapSlots: number;
}

/**
 * How many map slots each pool held over time, a line of bars per pool; none where there is little to see: one pool, or
 * too many, or too few samples.
 */
export function poolTimeline({ samples, poolSamples, mapSlots }: TimelineSamples, widthColumns = WIDTH): string[] {
  const { heldMaps, heldReduces } = poolSamples;
  const holders = poolSamples.pool.filter((_, row) => heldMaps[row] + heldReduces[row] > 0);
  const pools = [...new Set(holders)].sort((a, b) => a - b);
  if (pools.length < 2 || pools.length > MOST_POOLS || samples.rows < FEWEST_SAMPLES) return [];
  const names = pools.map((pool) => shorten(poolSamples.poolNames[pool], widthColumns));
  const nameWidth = Math.max(...names.map(widthOf)) + 2;
  const columns = Math.min(samples.rows, widthColumns - nameWidth);
  const columnOf = new Map<number, number>();
  const counts = new Int32Array(columns);
  for (let row = 0; row < samples.rows; row++) {
    const column = Math.floor((row * columns) / samples.rows);
    columnOf.set(samples.atUs[row], column);
    counts[column]++;
  }
  const lines = pools.map(
    (pool, i) =>
      names[i] + " ".repeat(nameWidth - widthOf(names[i])) + bars(pool, poolSamples, columnOf, counts, mapSlots),
  );
  const endUs = samples.atUs[samples.rows - 1];
  return [`Map slots held by each pool, 0s to ${formatTime(endUs)} (full height: ${String(mapSlots)} slots)`, ...lines];
}

/** A bar for each column: what the pool held on average between its samples. A pool without a sample held nothing. */
function bars(
  pool: number,
  { rows, atUs, pool: pools, heldMaps }: PoolSampleColumns,
  columnOf: ReadonlyMap<number, number>,
  counts: Int32Array,
  mapSlots: number,
): string {
  const sums = new Float64Array(counts.length);
  for (let row = 0; row < rows; row++) {
    const column = columnOf.get(atUs[row]);
    if (pools[row] === pool && column !== undefined) sums[column] += heldMaps[row];
  }
  const text = Array.from(sums, (sum, column) => {
    const share = sum / counts[column] / Math.max(1, mapSlots);
    // Something is never drawn as nothing.
    return BARS[sum === 0 ? 0 : Math.max(1, Math.min(BARS.length - 1, Math.round(share * (BARS.length - 1))))];
  });
  return text.join("").trimEnd();
}

/** A name beside its row: on a wide terminal it has a third of the room. */
function shorten(name: string, widthColumns = WIDTH): string {
  return shortened(name, Math.max(NAME_WIDTH, Math.floor(widthColumns / 3)));
}
