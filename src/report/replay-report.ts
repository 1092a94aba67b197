import { printable } from "../core/kernel/index.js";
import type { ModelError, Replay, ReplayedTimes, TimeErrors } from "../experiments/index.js";
import {
  joined,
  counted,
  entries,
  type Entry,
  headedTable,
  noteLines,
  NOTHING,
  type Paint,
  percent,
  significant,
} from "./tables.js";

/** Jobs or stages that are shown: those whose errors are largest in seconds. */
const MOST_ROWS = 10;

/** The recorded times of a log beside those of its simulation. */
export function replayReport(replay: Replay, paint: Paint): string {
  const { scenario, seed, whole, jobs, stages, levels, launchOrder, copied } = replay;
  const isWhole = stages.times.every(({ leftOut }) => leftOut === undefined);
  const head: Entry[] = [
    ["Replay", `${scenario}, seed ${seed}: recorded against simulated`],
    ["Makespan", `${pairWords(whole)} until the last job ended`],
    ["Jobs together", `${pairWords(jobs.sum)}: the sum of their times`],
    ["Idle", idleWords(replay)],
    ["Busy", `${pairWords(replay.busy)}: the rest of the makespan`],
    ["Jobs", errorWords(jobs, "job")],
    ["Stages", errorWords(stages, "stage")],
    ["Held out", heldOutWords(replay.heldOut)],
    ["Levels", levels.flatMap(levelWords).join(", ")],
    ["Launch order", `rank correlation ${launchOrder === null ? NOTHING : launchOrder.toFixed(3)}`],
    ...copied.map((entryOfLog): Entry => ["Copied", copiedWords(entryOfLog)]),
    ["Fingerprint", replay.fingerprint],
  ];
  const rows = [
    ["Largest errors by seconds", "recorded s", "simulated s", "error %", ...(isWhole ? [] : ["not run again"])],
    ...largest(stages).map((stage) => [...rowOf(stage), ...(isWhole ? [] : [leftOutWords(stage)])]),
  ];
  const notes = noteLines(replay.notes, paint.allNotes).map((note): Entry => ["Note", note]);
  return joined([entries(head, paint), [...headedTable(rows, paint), ...entries(notes, paint)]], paint);
}

function pairWords({ recordedUs, simulatedUs, error }: Replay["busy"]): string {
  return `${secondsWords(recordedUs)} s recorded, ${secondsWords(simulatedUs)} s simulated (${signed(error)})`;
}

/** Idle time that is copied makes the application's error look small. */
function idleWords({ whole, gaps: { recordedUs, simulatedUs } }: Replay): string {
  if (recordedUs === null || whole.recordedUs === null || whole.recordedUs === 0) return NOTHING;
  const [was, is, share] = [
    secondsWords(recordedUs),
    secondsWords(simulatedUs),
    percent(recordedUs / whole.recordedUs),
  ];
  return `${was} s recorded, ${is} s simulated: no job runs, ${share} % of the time recorded; when jobs come is copied from the log`;
}

function errorWords({ compared, medianError, p95Error, maxError, sum }: TimeErrors, subject: string): string {
  if (compared === 0) return `no ${subject} ended both by the log and in the run`;
  const [median, p95, max] = [medianError, p95Error, maxError].map((share) => `${percentOf(share)} %`);
  return `${counted(compared, subject)}: error ${median} median, ${p95} p95, ${max} largest; of all together ${signed(sum.error)}`;
}

/** Errors out of sample; the other errors are of runs that took the log's own durations. */
function heldOutWords({ assumed, stages, seeds, stageError, busyError, relative }: ModelError): string {
  if (assumed !== null) return `no error: ${assumed}`;
  const method = `each of ${counted(stages, "stage")} simulated from what the others did, not from its own record, with ${counted(seeds, "seed")}`;
  return `${method}: stages ${percentOf(stageError)} % median error; busy ${signed(busyError)}; bands of bide compare use ${percentOf(relative)} % of the time that a change touches`;
}

function levelWords({ level, recorded, simulated }: Replay["levels"][number]): string[] {
  return recorded + simulated === 0 ? [] : [`${level} ${recorded} -> ${simulated}`];
}

function largest({ times }: TimeErrors): ReplayedTimes[] {
  const secondsOff = ({ recordedUs, simulatedUs }: ReplayedTimes) =>
    recordedUs === null || simulatedUs === null ? -1 : Math.abs(simulatedUs - recordedUs);
  return [...times].sort((a, b) => secondsOff(b) - secondsOff(a)).slice(0, MOST_ROWS);
}

function rowOf({ job, stage, recordedUs, simulatedUs, error }: ReplayedTimes): string[] {
  return [
    printable(`job ${job}, stage ${stage}`),
    secondsWords(recordedUs),
    secondsWords(simulatedUs),
    signed(error).replace(" %", ""),
  ];
}

/** Time of the log that every run takes. */
function copiedWords({ what: subject, us, mostUs, partOf, wholeUs }: Replay["copied"][number]): string {
  const range = mostUs === null || mostUs === us ? "" : `, at most ${secondsWords(mostUs)} s`;
  const share = wholeUs === 0 ? `${partOf} is not known` : `${percent(us / wholeUs)} % of ${partOf}`;
  return `${subject}: ${secondsWords(us)} s${range}, ${share}`;
}

/** The attempts that the number beside it leaves out. */
function leftOutWords({ leftOut }: ReplayedTimes): string {
  return leftOut === undefined ? "" : `${counted(leftOut.attempts, "attempt")}, ${secondsWords(leftOut.us)} s`;
}

function secondsWords(us: number | null): string {
  return us === null ? NOTHING : significant(us / 1e6);
}

function percentOf(share: number | null): string {
  return share === null ? NOTHING : percent(share);
}

function signed(share: number | null): string {
  if (share === null) return NOTHING;
  return `${share > 0 ? "+" : ""}${percent(share)} %`;
}
