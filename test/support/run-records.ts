import type { SetupTaskType } from "./naive-setup-tasks.js";
import type { TaskType } from "./naive-job.js";

/** One decision or completion of a run, at the virtual time at which the master made or learned it. */
export interface RunRecord {
  readonly atUs: number;
  readonly what: "launch" | "finish" | "kill";
  readonly type: TaskType | SetupTaskType;
  /** Rank in submission order. */
  readonly job: number;
  readonly task: number;
  /** 0 for the first attempt of a task. */
  readonly attempt: number;
  readonly node: number;
  /** 0 node-local, 1 rack-local, 2 off-rack, 3 no input, 4 in its row. */
  readonly level: number;
}

/** What two simulations of one scenario must agree on. */
export interface RunRecords {
  readonly records: readonly RunRecord[];
  /** Per job, -1 if it has not ended. */
  readonly endUs: readonly number[];
  /** Per job; null where its scheduler has no wait clock, or the job never turned ready. */
  readonly waits: readonly (JobWaits | null)[];
}

/** Over the launches of a job's maps. */
export interface JobWaits {
  readonly localityUs: number;
  readonly longestLocalityUs: number;
  /** null: nobody can tell. */
  readonly clock: number | null;
}

/** How often something happened in a run that only some runs come to. */
export interface Signs {
  kills: number;
  /** Maps launched again after a kill. */
  requeuedMaps: number;
  /** Maps launched farther from their block than the wait allowed, for a pool was starved. */
  exemptions: number;
  /** Updates at which a limit kept some job out. */
  keptOut: number;
  /** Jobs that no pool took. */
  refused: number;
  /** Attempts that were killed while they committed. */
  killedCommits: number;
  /** Times that a node could not serve a job that was asked. */
  refusals: number;
  /** Times that a cluster of JobQueueTaskScheduler was all but full. */
  padded: number;
}

export function noSigns(): Signs {
  return { kills: 0, requeuedMaps: 0, exemptions: 0, keptOut: 0, refused: 0, killedCommits: 0, refusals: 0, padded: 0 };
}

const CONTEXT = 4;

/** The first difference of two runs with what came before it on both sides, or null when there is none. */
export function firstDifference(expected: RunRecords, found: RunRecords): string | null {
  const [theirs, ours] = [found, expected].map(({ records }) => records.map(show));
  const length = Math.max(theirs.length, ours.length);
  for (let i = 0; i < length; i++) {
    if (theirs[i] === ours[i]) continue;
    const before = ours.slice(Math.max(0, i - CONTEXT), i).map((line) => `  both   ${line}`);
    const after = (side: string, lines: string[]): string[] =>
      (i < lines.length ? lines.slice(i, i + CONTEXT) : ["(no more records)"]).map((line) => `  ${side} ${line}`);
    return [`record ${i} differs:`, ...before, ...after("naive ", ours), ...after("actual", theirs)].join("\n");
  }
  const job = expected.endUs.findIndex((endUs, rank) => endUs !== found.endUs[rank]);
  if (job >= 0) {
    return `end of job ${job} differs: naive ${expected.endUs[job]}, actual ${found.endUs[job]}`;
  }
  const naive = expected.waits.map((wait) => JSON.stringify(wait));
  const actual = found.waits.map((wait, rank) => {
    const isUntold = wait !== null && expected.waits[rank]?.clock === null;
    return JSON.stringify(isUntold ? { ...wait, clock: null } : wait);
  });
  const waiting = naive.findIndex((wait, rank) => wait !== actual[rank]);
  return waiting < 0 ? null : `waits of job ${waiting} differ: naive ${naive[waiting]}, actual ${actual[waiting]}`;
}

function show({ atUs, what, type, job, task, attempt, node, level }: RunRecord): string {
  const where = `on node ${node}, ${["node-local", "rack-local", "off-rack", "no input", "in its row"][level]}`;
  return `${atUs} us: ${what} ${type} ${task}.${attempt} of job ${job} ${where}`;
}
