import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";
import { lookaheadUs, builderWith } from "../../dist/core/platforms/hadoop/index.js";
import { buildTopology } from "../../dist/core/cluster/index.js";
import { isHadoop } from "../../dist/core/scenario/index.js";
import { Fingerprint, streamFor, formatTime, counted } from "../../dist/core/kernel/index.js";
import { InputError, loadWorkload, parseAnyScenario, platformNamed, readTree } from "../../dist/io/index.js";
import { collectRecord, simulate, summarise } from "../../dist/lab/index.js";
import { checkPlatformRun, tasksOf } from "./platform-checks.mjs";
import { race } from "./race.mjs";
import { drawFile } from "./scenario-keys.mjs";

/**
 * Hunts for scenarios whose result depends on where and how they are computed; of Spark and YARN, which are computed in
 * one place, also for runs that break what holds of every run (platform-checks.mjs). Every case is a function of a
 * platform, a seed and a number.
 */

/** What the files of cases are relative to. */
export const HERE = fileURLToPath(new URL("./case.json", import.meta.url));

/** Virtual time after which a case is cut off: so long, or so many lookaheads. Most have ended by then. */
const COMPARED_US = 10 * 60 * 1_000_000;
const COMPARED_LOOKAHEADS = 6_000;
/** The same where only one run looks whether the case ever ends. */
const LONGEST_US = 24 * 3600 * 1_000_000;
const LONGEST_LOOKAHEADS = 200_000;
/** More tasks make a case slow, and show no more. */
const MOST_TASKS = 120;
/** Wall time that no case should take on any placement. */
const LONGEST_MS = 60_000;

/** The placements a case is computed on; the first is what the others are held against. */
export const PLACEMENTS = [
  { threads: 0, slices: 1 },
  { threads: 0, slices: 2 },
  { threads: 0, slices: 3 },
  { threads: 0, slices: 7 },
  { threads: 0, slices: 1, framed: true },
  { threads: 2, slices: 3, raced: true },
  { threads: Infinity, slices: 2, raced: true },
  { threads: 1, slices: 3, ownRacks: 1, raced: true },
  { threads: 1, slices: 3 },
  { threads: 1, slices: 2, ownRacks: 2 },
  { threads: 2, slices: 2 },
  { threads: 3, slices: 1 },
  { threads: Infinity, slices: 7 },
];

export function namePlacement({ threads, slices, ownRacks = 0, framed = false, raced = false }) {
  const count = threads === Infinity ? "a rack thread per rack" : counted(threads, "rack thread");
  const own = ownRacks > 0 ? ` and ${counted(ownRacks, "rack")} on the master's` : "";
  return `${threads === 0 ? "inline" : count}${own}, ${counted(slices, "slice")}${framed ? ", by frames" : raced ? ", raced" : ""}`;
}

/** A valid scenario file as a tree: drawn, without what the reader refuses, and drawn again if it is too large. */
export async function drawCase(seed, number, platform = "hadoop") {
  const stream = streamFor(`${String(seed)}/${String(number)}`, platform === "hadoop" ? "hunt" : `hunt/${platform}`);
  for (;;) {
    const tree = drawFile(stream, platform);
    if (!mend(tree)) continue;
    const read = await readIfValid(tree);
    if (read === null) continue;
    if ((read.workload === null ? tasksOf(read.scenario) : tasksIn(read.workload)) <= MOST_TASKS) return tree;
  }
}

/** Null: a table that it names does not go with it. */
async function readIfValid(tree) {
  try {
    return await readCase(tree);
  } catch (error) {
    if (error instanceof InputError) return null;
    throw error;
  }
}

function tasksIn({ jobs }) {
  return jobs.reduce((tasks, { maps, reduces }) => tasks + maps + reduces, 0);
}

/** Takes out what the reader refuses, until it refuses nothing or nothing is left to take out. */
function mend(tree) {
  for (let round = 0; round < 60; round++) {
    const { scenario, problems, diagnostics } = readTree(tree, HERE, []);
    if (scenario !== null) return true;
    if (problems.length === 0) return diagnostics.length === 0;
    for (const { path } of problems) if (!takeOut(tree, path)) return false;
  }
  return false;
}

/** Without them a scenario is none, or far larger. */
const NEEDED = new Set([
  "",
  "platform",
  "workload",
  "workload.jobs",
  "cluster",
  "cluster.racks",
  "cluster.nodesPerRack",
]);

/** Takes out what is at the path, or the next thing around it. */
function takeOut(tree, path) {
  let at = path.length;
  while (at > 1 && valueAt(tree, path.slice(0, at)) === undefined) at--;
  if (NEEDED.has(path.slice(0, at).join("."))) return false;
  const holder = valueAt(tree, path.slice(0, at - 1));
  if (holder === undefined || at === 0) return false;
  remove(holder, path[at - 1]);
  return true;
}

function valueAt(tree, path) {
  return path.reduce((value, key) => (typeof value === "object" && value !== null ? value[key] : undefined), tree);
}

function remove(holder, key) {
  if (Array.isArray(holder)) holder.splice(Number(key), 1);
  else delete holder[key];
}

/** The scenario of a tree, with its workload, which only Hadoop has apart; throws InputError on what is not valid. */
export async function readCase(tree) {
  const { scenario, directory } = parseAnyScenario(JSON.stringify(tree), HERE);
  if (isHadoop(scenario)) return { scenario, directory, workload: await loadWorkload(scenario, directory) };
  await platformNamed(scenario.platform).build(scenario, directory);
  return { scenario, directory, workload: null };
}

/** The scenario, cut off after that time or number of lookaheads. */
function cutOff(scenario, us, lookaheads) {
  const { cluster, runtime, run } = scenario;
  const lookahead = lookaheadUs(cluster, runtime, buildTopology(cluster));
  return { ...scenario, run: { ...run, untilUs: Math.min(run.untilUs, us, lookaheads * lookahead) } };
}

function comparedPart({ scenario, workload }) {
  return { scenario: cutOff(scenario, COMPARED_US, COMPARED_LOOKAHEADS), workload };
}

/** The whole result on a placement, or how it crashed. */
async function resultOn({ scenario, workload }, placement, idleThreads, time = 0) {
  const threads = Math.min(placement.threads, scenario.cluster.racks.length);
  const options = {
    ...placement,
    threads,
    idleThreads,
    recordTasks: true,
    signal: AbortSignal.timeout(LONGEST_MS),
    drive: placement.raced ? race(`${scenario.run.seed}/${time}`) : undefined,
    build: builderWith([], scenario.run.seed),
  };
  try {
    const run = await simulate(scenario, workload, options);
    const record = collectRecord(run.master.master, run.stoppedUs);
    const { cost: _, ...summary } = summarise(scenario, run, record, {});
    return { crash: null, summary, record };
  } catch (error) {
    return { crash: error instanceof Error ? error.message : String(error) };
  }
}

/**
 * How a run goes on for ever and does not say so, as far as can be told; null: it does not. One that may never be stuck
 * is not asked.
 */
async function endlessness({ scenario, workload }) {
  const { untilUs, stuckAfterUs } = scenario.run;
  if (untilUs < Infinity || stuckAfterUs === Infinity) return null;
  const cut = cutOff(scenario, LONGEST_US, LONGEST_LOOKAHEADS);
  // The default is a day at least, and up to a hundred times that where something may still help.
  const run = { ...cut.run, stuckAfterUs: stuckAfterUs ?? Math.floor(cut.run.untilUs / 250) };
  const { crash, summary, record } = await resultOn({ scenario: { ...cut, run }, workload }, PLACEMENTS[0]);
  if (crash !== null || summary.stopped !== "until") return crash;
  const { tasks } = record;
  const lastUs = tasks.finishAtUs.reduce((last, us, row) => (tasks.outcome[row] === 0 ? Math.max(last, us) : last), 0);
  // Cut off before it would say that it is stuck, it has nothing to say yet.
  if (lastUs > run.untilUs / 2 || run.untilUs - lastUs <= run.stuckAfterUs) return null;
  const { unfinished, submitted } = summary.jobs;
  const times = `no task has succeeded since ${formatTime(lastUs)}, up to ${formatTime(run.untilUs)}`;
  return `${unfinished} of ${submitted} jobs unfinished; ${times}`;
}

/** What is wrong with the results of a case on two placements; null: nothing. */
function difference(expected, found) {
  for (const { crash } of [expected, found]) if (crash !== null) return { kind: "crash", what: crash };
  const { summary, record } = found;
  if (summary.fingerprint !== expected.summary.fingerprint) {
    return { kind: "fingerprint", what: `${expected.summary.fingerprint} or ${summary.fingerprint}` };
  }
  const inSummary = firstDifference(expected.summary, summary, "summary");
  if (inSummary !== null) return { kind: "summary", what: inSummary };
  const inTables = firstDifference(expected.record, record, "tables");
  return inTables === null ? null : { kind: "table", what: inTables };
}

/** Where two values differ first, and how; null: nowhere. */
export function firstDifference(a, b, path) {
  if (isDeepStrictEqual(a, b)) return null;
  if (typeof a === "object" && a !== null && typeof b === "object" && b !== null) {
    for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
      const found = firstDifference(a[key], b[key], `${path}.${key}`);
      if (found !== null) return found;
    }
  }
  return `${path}: ${JSON.stringify(a) ?? "nothing"} or ${JSON.stringify(b) ?? "nothing"}`;
}

/**
 * Computes a case on the placements. Null: all is well; else the kind of find, what differs, and of Hadoop the two
 * placements that differ. `whole`: the case is not cut off when most have ended. `endless`: whether it is asked if the
 * case ever ends, which takes long. `times`: how often it is computed on threads, where what depends on arrival may
 * differ only now and then.
 * @param {object} tree
 * @param {{ idleThreads?: import("piscina").Piscina[], placements?: readonly { threads: number, slices: number,
 *   ownRacks?: number, framed?: boolean, raced?: boolean }[],
 *   times?: number, endless?: boolean, whole?: boolean }} [options]
 */
export async function check(
  tree,
  { idleThreads, placements = PLACEMENTS, times = 1, endless = true, whole = false } = {},
) {
  const read = await readCase(tree);
  if (read.workload === null) {
    const broken = await checkPlatformRun(read);
    return broken === null ? null : { ...broken, placements: [] };
  }
  const loaded = whole ? read : comparedPart(read);
  const [first, ...others] = placementsFor(loaded, placements);
  const expected = await resultOn(loaded, first, idleThreads);
  if (expected.crash !== null) return { kind: "crash", what: expected.crash, placements: [first, first] };
  for (const placement of others) {
    for (let time = 0; time < (placement.threads > 0 ? times : 1); time++) {
      const found = difference(expected, await resultOn(loaded, placement, idleThreads, time));
      if (found !== null) return { ...found, placements: [first, placement] };
    }
  }
  const what = endless && expected.summary.stopped === "until" ? await endlessness(read) : null;
  return what === null ? null : { kind: "endless", what, placements: [first, first] };
}

/** Where there are no more racks than threads, one thread for each rack says it all. */
function placementsFor({ scenario }, placements) {
  const racks = scenario.cluster.racks.length;
  return placements.filter(({ threads }) => threads === 0 || threads === Infinity || threads < racks);
}

/** A smaller scenario, made step by step, in which a find of that kind is still there. */
export async function shrink(tree, find, { idleThreads, whole, untilMs = Infinity, signal } = {}) {
  const options = { idleThreads, whole, placements: find.placements, times: 5, endless: find.kind === "endless" };
  let smallest = { tree, find };
  for (let isSmaller = true; isSmaller;) {
    isSmaller = false;
    // A step that did not help is tried again only when all others have been.
    for (let step = 0; ;) {
      const candidate = smallerThan(smallest.tree).at(step);
      if (candidate === undefined) break;
      if (performance.now() > untilMs || signal?.aborted === true) return smallest;
      const found = await checkIfValid(candidate, options);
      if (found?.kind === find.kind) {
        smallest = { tree: candidate, find: found };
        isSmaller = true;
      } else step++;
    }
  }
  return smallest;
}

async function checkIfValid(tree, options) {
  try {
    return await check(tree, options);
  } catch (error) {
    if (error instanceof InputError) return null;
    throw error;
  }
}

/** Trees that say less: without one thing, outermost first; then with one smaller number. */
function smallerThan(tree) {
  const places = [...placesOf(tree, [])].sort((a, b) => a.path.length - b.path.length);
  const without = places
    .filter(({ path }) => !NEEDED.has(path.join(".")))
    .map(({ path }) => changed(tree, path, (holder, key) => remove(holder, key)));
  const less = places.flatMap(({ path, value }) =>
    Number.isInteger(value)
      ? [...new Set([0, 1, value >> 1, value - 1])]
          .filter((number) => number >= 0 && number < value)
          .map((number) => changed(tree, path, (holder, key) => (holder[key] = number)))
      : [],
  );
  return [...without, ...less];
}

function* placesOf(tree, path) {
  if (typeof tree !== "object" || tree === null) return;
  for (const [key, value] of Object.entries(tree)) {
    yield { path: [...path, key], value };
    yield* placesOf(value, [...path, key]);
  }
}

function changed(tree, path, change) {
  const copy = structuredClone(tree);
  change(valueAt(copy, path.slice(0, -1)), path.at(-1));
  return copy;
}

/**
 * The decisions and completions of a run of the case on two placements, up to the first that differs; null: none does.
 */
export async function firstDecision(tree, [one, other], { idleThreads, whole = false } = {}) {
  const read = await readCase(tree);
  const loaded = whole ? read : comparedPart(read);
  const [expected, found] = [
    await decisionsOf(async () => resultOn(loaded, one, idleThreads)),
    await decisionsOf(async () => resultOn(loaded, other, idleThreads)),
  ];
  const length = Math.max(expected.length, found.length);
  for (let at = 0; at < length; at++) {
    if (expected[at] === found[at]) continue;
    return { at, before: expected.slice(Math.max(0, at - 3), at), expected: expected[at], found: found[at] };
  }
  return null;
}

const WHAT = ["", "launched", "finished", "killed", "failed", "lost", "output lost", "source gone"];
const TYPES = ["map", "reduce", "set-up", "clean-up"];
const LEVELS = ["node-local", "rack-local", "off-rack", "no input", "row-local"];

/** What goes into the fingerprint while `work` goes on, in words. */
async function decisionsOf(work) {
  const decisions = [];
  const { add } = Fingerprint.prototype;
  Fingerprint.prototype.add = function (atUs, kind, job, task, attempt, node, level) {
    const what = `${TYPES[kind >> 4]} ${String(task)} of job ${String(job)}, attempt ${String(attempt)}`;
    decisions.push(`${String(atUs)} us: ${what}: ${WHAT[kind & 15]} on node ${String(node)}, ${LEVELS[level]}`);
    add.call(this, atUs, kind, job, task, attempt, node, level);
  };
  try {
    await work();
  } finally {
    Fingerprint.prototype.add = add;
  }
  return decisions;
}
