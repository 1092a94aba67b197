import { formatTime, US_PER_SECOND, ascending } from "../core/kernel/index.js";
import {
  capital,
  type CountSummary,
  type GroupSampleColumns,
  type GroupSummary,
  heldUnit,
  localTask,
  type LocalityShares,
  type Quantiles,
  type RecordWords,
  refusalWords,
  type ResourceUse,
  type SampleColumns,
  stuckWords,
  type Summary,
  unitOf,
} from "../core/record/index.js";
import { type AnyScenario, isHadoop } from "../core/scenario/index.js";
import {
  bytes,
  counted,
  entries,
  type Entry,
  grouped,
  headedTable,
  joined,
  noteLines,
  NOTHING,
  type Paint,
  percent,
  plainSeconds,
  shortened,
  significant,
  textTable,
  WIDTH,
  widthOf,
} from "./tables.js";
import { wordsOf } from "../io/index.js";
import { groupRows, timeOf } from "./group-rows.js";

export interface RunReportExtras {
  readonly scenario: AnyScenario;
  /** For the timeline of groups; null: none is wanted. */
  readonly timeline: TimelineSamples | null;
  /** The folder of the results; null when there are none. */
  readonly resultsPath: string | null;
  readonly paint: Paint;
}

/** A run as one would paste it into a paper or a ticket: plain lines of at most 100 characters, paths excepted. */
export function runReport(summary: Summary, extras: RunReportExtras): string {
  const timeline = extras.timeline === null ? [] : groupTimeline(extras.timeline, extras.paint.widthColumns);
  const blocks = [
    entries(headEntries(summary, wordsOf(extras.scenario).scheduler), extras.paint),
    table(summary, extras.paint),
    groupsTable(summary, extras.paint),
    usersTable(summary, extras.paint),
    timeline,
    entries(
      [
        ...figureEntries(summary, extras.scenario),
        ...noteLines(summary.notes, extras.paint.allNotes).map((note): Entry => ["Note", note]),
        ["Results", extras.resultsPath ?? []],
      ],
      extras.paint,
    ),
  ];
  return joined(blocks, extras.paint);
}

/** The entries above the tables. @param scheduler in words. */
function headEntries(summary: Summary, scheduler: string): Entry[] {
  const { cluster, cost, words } = summary;
  const { racks, heartbeatSeconds } = cluster;
  const places = [
    ...(racks === undefined ? [] : [counted(racks, "rack")]),
    ...[counted(cluster.nodes, "node"), capacityWords(words, cluster.resources)],
    ...(heartbeatSeconds === undefined ? [] : [`heartbeat ${timeWords(heartbeatSeconds)}`]),
  ];
  return [
    [
      "Scenario",
      `${summary.scenario}, seed ${summary.seed}; ${timeWords(summary.virtualSeconds)} of virtual time, ${stoppedWords(summary)}`,
    ],
    ["Scheduler", scheduler],
    ["Cluster", places.join(", ")],
    ["Placement", `${cost.placement} (${cost.placementReason})`],
  ];
}

/** The entries of a run, without its tables; none reads histograms. */
export function runEntries(summary: Omit<Summary, "histograms">): Entry[] {
  const whole: Summary = { ...summary, histograms: {} };
  const { words, jobs, locality, responseSeconds } = summary;
  const levels = levelsOf(words).map(({ key, title }) => `${title} ${percent(locality.shares[key])} %`);
  return [
    ...headEntries(whole, summary.scheduler),
    ["Jobs", `${grouped(jobs.ended)} of ${grouped(jobs.submitted)} ended`],
    ["Response", `mean ${plainSeconds(responseSeconds.mean)} s, ${quantileWords(responseSeconds)}`],
    ["Locality", levels.join(", ")],
    ...figureEntries(whole, null),
  ];
}

function timeWords(seconds: number): string {
  return formatTime(Math.round(seconds * US_PER_SECOND));
}

/** `10 map + 5 reduce slots`, `400 cores`. */
function capacityWords({ resources }: RecordWords, amounts: Summary["cluster"]["resources"]): string {
  const [{ many: firstNoun }] = resources;
  const noun = firstNoun.slice(firstNoun.lastIndexOf(" ") + 1);
  const isShared = resources.length > 1 && resources.every(({ many: plural }) => plural.endsWith(` ${noun}`));
  const parts = resources.map(
    ({ key, one: singular, many: plural }) =>
      `${grouped(amounts[key])} ${isShared ? singular.slice(0, singular.lastIndexOf(" ")) : amounts[key] === 1 ? singular : plural}`,
  );
  return isShared ? `${parts.join(" + ")} ${noun}` : parts.join(", ");
}

/** The levels that the cluster has. */
function levelsOf({ levels }: RecordWords): RecordWords["levels"] {
  return levels.filter(({ isAbsent }) => isAbsent !== true);
}

function table(summary: Summary, paint: Paint): string[] {
  const { words } = summary;
  const bins = summary.bins.filter(({ jobs }) => jobs.submitted > 0);
  const rows = [
    [
      ...[`${capital(localTask(words).many)} per job`, "jobs", "unfinished"],
      ...levelsOf(words).map(({ title }) => `${title} %`),
      ...["response p50 s", "p95 s", "p99 s"],
    ],
    ...bins.map((bin) => tableRow(words, bin.label, bin.jobs, bin.locality, bin.responseSeconds)),
    tableRow(words, "all", summary.jobs, summary.locality, summary.responseSeconds),
  ];
  const lines = headedTable(rows, paint);
  return [...lines.slice(0, -1), paint.bold(lines[lines.length - 1])];
}

/** In a run with more pools, or users, those that used most are shown. */
const MOST_GROUP_ROWS = 10;

/**
 * Columns that are dropped, in this order, where the lines would be too long; then the last ones stand below the first.
 */
function firstToGo({ words }: Summary): string[] {
  return ["first p95 s", "unfinished", `${heldUnit(words).one}-h`, `${words.levels[0].title} %`, "fair %"];
}

/** The figures of each pool or queue, those with most slot time first; empty for a run with one. */
function groupsTable(summary: Summary, paint: Paint): string[] {
  const { groups, words } = summary;
  return groups.length < 2 ? [] : groupTable(summary, groups, words.group.one, paint);
}

/** The figures of each user, like those of groups; empty for a run whose users are simply the groups. */
function usersTable(summary: Summary, paint: Paint): string[] {
  const { users = [] } = summary;
  return users.length === 0 ? [] : groupTable(summary, users, "user", paint);
}

function groupTable(summary: Summary, groups: readonly GroupSummary[], noun: string, paint: Paint): string[] {
  const { words } = summary;
  const sorted = [...groups].sort((a, b) => timeOf(words, b) - timeOf(words, a));
  const shown = sorted.slice(0, MOST_GROUP_ROWS);
  let rows = groupRows(
    summary,
    shown.map((group) => ({ ...group, name: shorten(group.name, paint.widthColumns) })),
    noun,
  );
  for (const first of firstToGo(summary)) {
    if (textTable(rows).every((line) => widthOf(line) <= (paint.widthColumns ?? WIDTH))) break;
    const place = rows[0].indexOf(first);
    rows = rows.map((row) => row.filter((_, column) => column !== place));
  }
  const hiddenGroups = groups.length - shown.length;
  const more = hiddenGroups > 0 ? [`and ${counted(hiddenGroups, `more ${noun}`)}, in summary.json`] : [];
  return [...headedTable(rows, paint), ...more];
}

function tableRow(
  words: RecordWords,
  label: string,
  jobs: CountSummary,
  { tasks, shares }: LocalityShares,
  response: Quantiles,
): string[] {
  return [
    label,
    grouped(jobs.submitted),
    grouped(jobs.unfinished),
    ...levelsOf(words).map(({ key }) => (tasks > 0 ? percent(shares[key]) : NOTHING)),
    ...[response.p50, response.p95, response.p99].map(plainSeconds),
  ];
}

/** @param scenario null: it is not known. */
function figureEntries(summary: Summary, scenario: AnyScenario | null): Entry[] {
  const { tasks, throughput, utilisation, fairness, words } = summary;
  const { taskTypes, resources, group } = words;
  const rates = taskTypes.map(({ key, many: plural }) => `${significant(throughput.tasksPerSecond[key])} ${plural}/s`);
  const below = `below fair share ${percent(fairness.belowFairShare)} %`;
  return [
    ["Tasks", taskTypes.map(({ key, one: singular }) => taskWords(singular, tasks[key])).join(", ")],
    ...exceptional(summary, scenario),
    ["To first task", quantileWords(summary.timeToFirstTaskSeconds)],
    ["To fair share", quantileWords(summary.timeToFairShareSeconds)],
    ["Locality wait", waitWords(summary)],
    ["Task time", taskTimes(summary)],
    ["Throughput", [`${significant(throughput.jobsPerHour)} jobs/h`, ...rates].join(", ")],
    ...resources.map((resource): Entry => [
      capital(resource.many),
      useWords(utilisation[resource.key], unitOf(resource).many),
    ]),
    ["Fairness", `Jain ${significant(fairness.jain)} over ${group.many}, ${below}`],
    ["Heartbeats", heartbeatWords(summary)],
    ["Cost", costWords(summary)],
    ["Frames", frameWords(summary.cost)],
    ["Recovery", recoveryWords(summary.cost)],
    ["Fingerprint", summary.fingerprint],
    ["Stuck", stuckWords(summary).map((line) => line.replace(/^stuck: /, ""))],
  ];
}

const STOPPED: Record<Summary["stopped"], string> = {
  "all-jobs-ended": "all jobs ended",
  until: "stopped at its end",
  "no-nodes-left": "stopped: the nodes that are left have no slots for the jobs that wait",
  stuck: "stopped: it is stuck",
};

function stoppedWords({ stopped, refusedJobs = 0, jobs }: Summary): string {
  if (stopped !== "all-jobs-ended" || refusedJobs === 0) return STOPPED[stopped];
  return refusedJobs === jobs.submitted ? "all jobs were refused" : "all jobs that were not refused ended";
}

/** Words of a line that a report may not have; none: it has not. */
type Words = Entry[1];

function heartbeatWords({ heartbeats, cost: { heartbeatsProcessed = 0 } }: Summary): Words {
  if (heartbeats === undefined) return [];
  return `${grouped(heartbeatsProcessed)} processed, ${grouped(Math.max(0, heartbeats - heartbeatsProcessed))} implied`;
}

/** Actors on one thread need no frames. */
function frameWords({ threads, frames, frameBytes = 0 }: Summary["cost"]): Words {
  if (frames === undefined) return [];
  return threads === 1 ? "none (inline)" : `${grouped(frames)} (${bytes(frameBytes)})`;
}

function recoveryWords({ threads, recoveries, commandLogBytes = 0 }: Summary["cost"]): Words {
  if (recoveries === undefined || threads === 1) return [];
  return `${counted(recoveries, "rack thread")} replaced, ${bytes(commandLogBytes)} of commands kept`;
}

function lossWords(
  { nodesGivenUp, attemptsLost, outputsLost, blocksCopied, bytesCopied = 0 }: NonNullable<Summary["faults"]>,
  words: RecordWords,
): string {
  const lost = `${counted(nodesGivenUp, "node")} given up, ${counted(attemptsLost, "attempt")} lost`;
  const again = `${counted(outputsLost, `finished ${localTask(words).one}`)} run again`;
  const copied = blocksCopied === undefined ? [] : [`${counted(blocksCopied, "block")} (${bytes(bytesCopied)}) copied`];
  return [lost, again, ...copied].join(", ");
}

/** Lines that most runs do not have. */
function exceptional(summary: Summary, scenario: AnyScenario | null): Entry[] {
  const { speculation, faults, storage, words, makespan, copyCompute, cachedFiles } = summary;
  const unit = heldUnit(words).one;
  const seconds = makespan?.seconds ?? null;
  const isOfLosses = faults !== undefined && faults.nodesGivenUp + faults.attemptsLost + faults.outputsLost > 0;
  return [
    ["Preemption", preemptionWords(summary, scenario, unit)],
    ["Failures", failureWords(summary, unit)],
    ["Makespan", seconds === null ? [] : `${timeWords(seconds)}, to the end of the last job`],
    ["Speculation", speculation !== undefined && speculation.launched > 0 ? speculationWords(speculation, unit) : []],
    ["Cached files", cachedFiles === undefined ? [] : cachedWords(cachedFiles)],
    [
      "Parked reduces",
      copyCompute === undefined
        ? []
        : `${significant(copyCompute.parkedMean)} in the mean, ${grouped(copyCompute.parkedMost)} at once at most`,
    ],
    ["Deadlines", deadlineWords(summary)],
    ["Lost nodes", isOfLosses ? lossWords(faults, words) : []],
    ["Replication", storage === undefined ? [] : storageWords(storage)],
    ["Refused", refusedWords(summary)],
  ];
}

function preemptionWords({ preemption }: Summary, scenario: AnyScenario | null, unit: string): Words {
  const { kills = 0, lostSeconds = 0, slotsWanted = 0, checks } = preemption ?? {};
  if (slotsWanted + kills > 0) {
    const killed = `${counted(kills, "attempt")} killed, ${grouped(Math.round(lostSeconds))} ${unit}-seconds lost`;
    const wanted = checks === undefined ? "" : `; ${counted(checks, "check")} wanted ${counted(slotsWanted, unit)}`;
    return `${killed}${wanted}`;
  }
  const isOn =
    scenario !== null &&
    isHadoop(scenario) &&
    scenario.scheduler.kind === "hfs" &&
    scenario.scheduler.preemption.mode !== "off";
  return isOn ? "nothing killed: no pool was starved for longer than its timeout" : [];
}

function deadlineWords({ deadlines: { met, missed, open } = { met: 0, missed: 0, open: 0 } }: Summary): Words {
  if (met + missed + open === 0) return [];
  return `${grouped(met)} met, ${grouped(missed)} missed${open > 0 ? `, ${grouped(open)} open` : ""}`;
}

function refusedWords(summary: Summary): Words {
  const { refusedJobs = 0, words } = summary;
  if (refusedJobs === 0) return [];
  const { one: singular, many: plural } = words.group;
  const them = refusedJobs === 1 ? "it" : "them";
  const requested = `${capital(plural)} asked for: ${refusalWords(summary)}`;
  return `${counted(refusedJobs, "job")}: no ${singular} takes ${them}. ${requested}`;
}

function storageWords(storage: NonNullable<Summary["storage"]>): string {
  const { replicasAdded, replicasRemoved, bytesCopied, meanExtra, maxExtra } = storage;
  const added = `${counted(replicasAdded, "replica")} added (${bytes(bytesCopied)}), ${grouped(replicasRemoved)} removed`;
  return `${added}; storage +${percent(meanExtra)} % on average, +${percent(maxExtra)} % at most`;
}

function cachedWords({ found: hits, fetched, bytesFetched, evicted }: NonNullable<Summary["cachedFiles"]>): string {
  const share = hits + fetched === 0 ? "" : ` (${percent(hits / (hits + fetched))} %)`;
  const gone = evicted > 0 ? `, ${grouped(evicted)} evicted` : "";
  return `${counted(hits, "task")} found the file${share}, ${grouped(fetched)} fetched it (${bytes(bytesFetched)})${gone}`;
}

function speculationWords({ launched, won, wastedSeconds }: NonNullable<Summary["speculation"]>, unit: string): string {
  const wasted = `${grouped(Math.round(wastedSeconds))} ${unit}-seconds wasted`;
  return `${counted(launched, "second attempt")}, ${grouped(won)} of them first; ${wasted}`;
}

/** Jobs may fail on a platform whose tasks do not. */
function failureWords({ failures, jobs: { failed } }: Summary, unit: string): Words {
  const { attempts = 0, sourcesLost = 0, lostSeconds = 0 } = failures ?? {};
  const ofJobs = failed > 0 ? [`${counted(failed, "job")} failed`] : [];
  if (attempts + sourcesLost === 0) return ofJobs;
  return [
    `${counted(attempts, "attempt")} failed, ${grouped(Math.round(lostSeconds))} ${unit}-seconds lost`,
    ...(sourcesLost > 0 ? [`${counted(sourcesLost, "attempt")} lost the node they read from`] : []),
    ...ofJobs,
  ].join("; ");
}

function taskTimes({ attemptSeconds, words }: Summary): string {
  const kills = words.taskTypes.flatMap(({ key, many: plural }) => {
    const { count, p50 } = attemptSeconds[key];
    return count > 0 ? [`${plural} p50 ${plainSeconds(p50)} s`] : [];
  });
  return kills.join(", ") || "no task has ended";
}

function taskWords(noun: string, tasks: CountSummary): string {
  const unfinished = tasks.unfinished > 0 ? ` (${grouped(tasks.unfinished)} unfinished)` : "";
  return `${counted(tasks.submitted, noun)}${unfinished}`;
}

function quantileWords({ count, p50, p95, p99 }: Quantiles): string {
  if (count === 0) return "no job";
  return `p50 ${plainSeconds(p50)} s, p95 ${plainSeconds(p95)} s, p99 ${plainSeconds(p99)} s (${counted(count, "job")})`;
}

/** Nothing where no job waits, or the platform does not count it; no clock where the scheduler does not tell of it. */
function waitWords({ waits, words }: Summary): Words {
  const { localitySecondsPerTask: mean, longestLocalitySeconds, clockSecondsPerTask, clockSkipsPerTask } = waits;
  if (mean === null) return [];
  const { one: singular } = localTask(words);
  const clocks = [
    ...(clockSecondsPerTask === null ? [] : [`${significant(clockSecondsPerTask)} s/${singular}`]),
    ...(clockSkipsPerTask === null ? [] : [`${significant(clockSkipsPerTask)} skips/${singular}`]),
  ];
  const clock = clocks.length === 0 ? "" : `; wait clock ${clocks.join(", ")}`;
  return `${significant(mean)} s/${singular}, longest ${plainSeconds(longestLocalitySeconds)} s${clock}`;
}

function useWords({ busy, saturated, releasesPerSecondSaturated: freed = null }: ResourceUse, units: string): string {
  if (saturated === undefined) return `${percent(busy)} % busy`;
  const often = `${percent(busy)} % busy; more than 95 % busy for ${percent(saturated)} % of the time`;
  return freed === null ? often : `${often}, with ${significant(freed)} ${units} freed/s`;
}

function costWords({ cost }: Summary): string {
  return [
    `wall ${significant(cost.wallSeconds)} s`,
    `CPU ${significant(cost.cpuSeconds)} s`,
    `${grouped(cost.tasksPerCpuSecond)} tasks per CPU s`,
    `peak memory ${grouped(cost.peakMemoryMiB)} MiB`,
  ].join(", ");
}

/** A timeline of more groups says less than the tables. */
const MOST_GROUPS = 8;

const FEWEST_SAMPLES = 10;

/** The width of a name, where the terminal is not wide. */
const NAME_WIDTH = 24;

const BARS = " ▁▂▃▄▅▆▇█";

/** The samples of a run, and what a full bar stands for: all that there is of the first resource. */
interface TimelineSamples {
  readonly words: RecordWords;
  readonly samples: SampleColumns;
  readonly groupSamples: GroupSampleColumns;
  readonly capacity: number;
}

/**
 * The first resource that each group held over time, a line of bars per group; none where there is little to see: one
 * group, or too many, or too few samples.
 */
function groupTimeline({ words, samples, groupSamples, capacity }: TimelineSamples, widthColumns = WIDTH): string[] {
  const { held: heldSlots, group, groupNames } = groupSamples;
  const holders = group.filter((_, row) => heldSlots.some((column) => column[row] > 0));
  const groups = [...new Set(holders)].sort(ascending);
  if (groups.length < 2 || groups.length > MOST_GROUPS || samples.rows < FEWEST_SAMPLES) return [];
  const names = groups.map((name) => shorten(groupNames[name], widthColumns));
  const nameWidth = Math.max(...names.map(widthOf)) + 2;
  const columns = Math.min(samples.rows, widthColumns - nameWidth);
  const columnOf = new Map<number, number>();
  const counts = new Int32Array(columns);
  for (let row = 0; row < samples.rows; row++) {
    const column = Math.floor((row * columns) / samples.rows);
    columnOf.set(samples.atUs[row], column);
    counts[column]++;
  }
  const lines = groups.map(
    (name, i) =>
      names[i] + " ".repeat(nameWidth - widthOf(names[i])) + bars(name, groupSamples, columnOf, counts, capacity),
  );
  const span = `0s to ${formatTime(samples.atUs[samples.rows - 1])}`;
  const full = `full height: ${capacity} ${heldUnit(words).many}`;
  return [`${capital(words.resources[0].many)} held by each ${words.group.one}, ${span} (${full})`, ...lines];
}

/** A bar for each column: what the group held on average between its samples. A group without a sample held nothing. */
function bars(
  shownGroup: number,
  { rows, atUs, group, held: [heldOfFirst] }: GroupSampleColumns,
  columnOf: ReadonlyMap<number, number>,
  counts: Int32Array,
  capacity: number,
): string {
  const sums = new Float64Array(counts.length);
  for (let row = 0; row < rows; row++) {
    const column = columnOf.get(atUs[row]);
    if (group[row] === shownGroup && column !== undefined) sums[column] += heldOfFirst[row];
  }
  const text = Array.from(sums, (sum, column) => {
    const share = sum / counts[column] / Math.max(1, capacity);
    // Something is never drawn as nothing.
    return BARS[sum === 0 ? 0 : Math.max(1, Math.min(BARS.length - 1, Math.round(share * (BARS.length - 1))))];
  });
  return text.join("").trimEnd();
}

/** A name beside its row: on a wide terminal it has a third of the room. */
function shorten(name: string, widthColumns = WIDTH): string {
  return shortened(name, Math.max(NAME_WIDTH, Math.floor(widthColumns / 3)));
}
