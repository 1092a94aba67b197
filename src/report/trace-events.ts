import { distinctNames } from "../core/kernel/index.js";
import { nameInRack } from "../core/cluster/index.js";
import { localType, type RecordWords } from "../core/record/index.js";
import { attemptWords, type RunTrace, type TraceAttempt, type TraceGroupSample } from "../io/index.js";
import { lanesOf } from "./lanes.js";

/*
 * A run in the Trace Event Format of Chrome, as one JSON object that Perfetto (ui.perfetto.dev) and
 * chrome://tracing open. Racks are processes. The slots of a node are threads, one for each attempt
 * that runs at once, for slices of one thread must not overlap. Times are microseconds.
 */

/** Characters that are gathered before they are handed on. */
const PIECE = 1 << 16;

/** The text of the trace, piece by piece. */
export function* traceJson(trace: RunTrace): Generator<string> {
  let [piece, separator] = ['{"traceEvents":[', "\n"];
  for (const event of traceEvents(trace)) {
    piece += separator + event;
    separator = ",\n";
    if (piece.length < PIECE) continue;
    yield piece;
    piece = "";
  }
  const { scenario, seed, scheduler, fingerprint } = trace.summary;
  const about = { scenario: label(scenario), seed: label(seed), scheduler: label(scheduler), fingerprint };
  yield `${piece}\n],"otherData":${JSON.stringify(about)}}\n`;
}

function* traceEvents(trace: RunTrace): Generator<string> {
  const { topology, attempts } = trace;
  const { rackOf, indexInRack } = topology;
  const { words } = trace.summary;
  const said = attemptWords(words);
  const kinds = kindsOf(words);
  const kindOf = ({ type }: TraceAttempt) => Math.min(type, kinds.length - 1);
  const lanes = lanesOf(attempts, (attempt) => attempt.node * kinds.length + kindOf(attempt), endsOf);
  const tracks = new Map<number, Track>();
  const keys = attempts.map((attempt, row) => {
    const track = { node: attempt.node, kind: kindOf(attempt), lane: lanes[row] };
    const key = (track.lane * 2 ** 20 + track.node) * kinds.length + track.kind;
    tracks.set(key, track);
    return key;
  });
  const sorted = [...tracks].sort(
    ([, a], [, b]) =>
      rackOf[a.node] - rackOf[b.node] ||
      indexInRack[a.node] - indexInRack[b.node] ||
      a.kind - b.kind ||
      a.lane - b.lane,
  );
  // Counters are those of a process of their own, above the racks.
  const countersPid = 1;
  const pidOf = (rack: number) => rack + 2;
  yield* processNames(countersPid, 0, `Jobs, tasks and ${words.group.many}`);
  for (const rack of new Set(sorted.map(([, { node }]) => rackOf[node]))) {
    yield* processNames(pidOf(rack), rack + 1, label(topology.rackNames[rack]));
  }
  // Threads are numbered across all processes, and beyond them: viewers know some by their number alone.
  const firstTid = pidOf(topology.racks);
  const placeOf = new Map<number, string>();
  for (const [index, [key, { node, kind, lane }]] of sorted.entries()) {
    const place = `"pid":${pidOf(rackOf[node])},"tid":${firstTid + index}`;
    placeOf.set(key, place);
    const name = quoted(`${nameInRack(topology, node)} ${kinds[kind]} ${lane + 1}`);
    yield `{"ph":"M",${place},"name":"thread_name","args":{"name":${name}}}`;
    yield `{"ph":"M",${place},"name":"thread_sort_index","args":{"sort_index":${index}}}`;
  }
  yield* counters(trace, countersPid);
  const jobs = trace.jobs.map(({ name, group }) => `"name":${quoted(name)},"${words.group.one}":${quoted(group)}`);
  for (const [row, { job, task, attempt, launchUs, finishUs, type, level, outcome, stage }] of attempts.entries()) {
    const time = `"ts":${launchUs},"dur":${finishUs - launchUs}`;
    const name = sliceName(words, type, level, outcome);
    const ofStage = stage === null ? "" : `"stage":${stage.stage},"stage_name":${quoted(stage.name)},`;
    const args = `"job":${job},${jobs[job]},${ofStage}"task":${task},"attempt":${attempt}`;
    const ended = said.outcome[outcome];
    // Numbers first: viewers of some versions look for them in the text before they read the strings.
    yield `{"ph":"X",${placeOf.get(keys[row]) ?? ""},${time},"cat":"${said.type[type]}","name":"${name}","args":{${args},"outcome":"${ended}"}}`;
  }
}

const endsOf = ({ launchUs, finishUs }: TraceAttempt) => [launchUs, finishUs] as const;

function* processNames(pid: number, sortIndex: number, name: string): Generator<string> {
  const place = `"pid":${pid},"tid":${pid}`;
  yield `{"ph":"M",${place},"name":"process_name","args":{"name":${JSON.stringify(name)}}}`;
  yield `{"ph":"M",${place},"name":"process_sort_index","args":{"sort_index":${sortIndex}}}`;
}

/** Viewers colour slices by their names. */
function sliceName(words: RecordWords, type: number, level: number, outcome: number): string {
  const said = attemptWords(words);
  const how = type === localType(words) && level < words.levels.length ? ` ${words.levels[level].local}` : "";
  const end = outcome === 0 ? "" : ` (${said.outcome[outcome]})`;
  return `${said.type[type]}${how}${end}`;
}

/** Kinds of slots: one for each type of task, and one for what takes any. */
function kindsOf({ taskTypes, otherAttempts }: RecordWords): string[] {
  return [...taskTypes.map(({ one: singular }) => singular), ...otherAttempts.slice(0, 1)];
}

/** A slot of a node, as far as attempts tell: those that ran at once are in different lanes. */
interface Track {
  readonly node: number;
  readonly kind: number;
  readonly lane: number;
}

/** Values over time, each where it changes. */
function* counters({ summary: { words }, samples, groups, groupSamples }: RunTrace, pid: number): Generator<string> {
  const last = new Map<string, string>();
  const counter = function* (atUs: number, name: string, values: Readonly<Record<string, number>>): Generator<string> {
    const args = JSON.stringify(values);
    if (last.get(name) === args) return;
    last.set(name, args);
    const place = `"pid":${pid},"tid":${pid},"ts":${atUs}`;
    yield `{"ph":"C",${place},"name":${JSON.stringify(name)},"args":${args}}`;
  };
  const names = distinctNames(groups.map(label));
  const byInstant = new Map<number, TraceGroupSample[]>();
  for (const sample of groupSamples) {
    const samplesThen = byInstant.get(sample.atUs);
    if (samplesThen === undefined) byInstant.set(sample.atUs, [sample]);
    else samplesThen.push(sample);
  }
  for (const sample of samples) {
    const { atUs, activeJobs, running, pending } = sample;
    const byType = (values: readonly number[]): Record<string, number> =>
      Object.fromEntries(words.taskTypes.map(({ many: plural }, type) => [plural, values[type]]));
    yield* counter(atUs, "active jobs", { jobs: activeJobs });
    yield* counter(atUs, "running tasks", byType(running));
    yield* counter(atUs, "waiting tasks", byType(pending));
    const sampleOfGroup = new Map(byInstant.get(atUs)?.map((sampled) => [sampled.group, sampled]));
    for (const [group, name] of names.entries()) {
      // A group without a row wants nothing and holds nothing.
      const groupSample = sampleOfGroup.get(group);
      for (const [place, { many: plural }] of words.resources.entries()) {
        const values = { held: groupSample?.running[place] ?? 0, "fair share": groupSample?.fairShare[place] ?? 0 };
        yield* counter(atUs, `${plural} of ${name}`, values);
      }
    }
  }
}

const LABEL_LENGTH = 100;

/** A name of a user for one line of a viewer: no control characters, and not too long. */
function label(name: string): string {
  const characters = Array.from(name.slice(0, 4 * LABEL_LENGTH).replace(/[\p{Cc}\p{Cs}]/gu, "\ufffd"));
  return characters.length <= LABEL_LENGTH ? characters.join("") : `${characters.slice(0, LABEL_LENGTH - 1).join("")}…`;
}

function quoted(name: string): string {
  return JSON.stringify(label(name));
}
