import { counted } from "../../core/kernel/words.js";
import { MAP, REDUCE, SLOT_TYPES } from "../../core/jobs/job-table.js";
import type { Master } from "../../core/master/master.js";
import type { Scenario } from "../../core/scenario/scenario.js";
import {
  ContractBreach,
  ContractWatch,
  WatchedLauncher,
  WatchedScheduler,
} from "../../core/scheduler/contract-watch.js";
import { PluginError } from "../../core/scheduler/plugin/plugin-error.js";
import type { BuildKind } from "../../core/scheduler/scheduler.js";
import type { Workload } from "../../core/workload/job.js";
import { simulate, type Simulation } from "../simulate.js";

/** How a run of the kit is made. */
export interface RunWay {
  readonly threads: number;
  readonly slices: number;
  /** null: nobody watches. */
  readonly watch: { readonly seesAll: boolean } | null;
}

/** A finished run, or how it failed by fault of the scheduler. */
export type KitRun =
  | {
      readonly run: Simulation;
      readonly fingerprint: string;
      readonly watch: ContractWatch | null;
      readonly fault: null;
    }
  | { readonly run: null; readonly fault: string };

/** @throws whatever is no fault of the scheduler. */
export async function kitRun(scenario: Scenario, workload: Workload, build: BuildKind, way: RunWay): Promise<KitRun> {
  let watch: ContractWatch | null = null;
  const watched: BuildKind = (spec, around) => {
    const own = new ContractWatch(around);
    watch = own;
    const built = build(spec, { ...around, launcher: new WatchedLauncher(around.launcher, own) });
    return { ...built, scheduler: new WatchedScheduler(built.scheduler, own, way.watch?.seesAll === true) };
  };
  const { threads, slices } = way;
  const recordTasks = way.watch !== null;
  try {
    const run = await simulate(scenario, workload, {
      ...{ threads, slices, recordTasks },
      build: way.watch === null ? build : watched,
    });
    return { run, fingerprint: run.master.master.recorder.fingerprint.hex(), watch, fault: null };
  } catch (error) {
    // What the master asserts are rules of the contract too.
    const isOfScheduler = error instanceof ContractBreach || error instanceof PluginError || isAssertion(error);
    if (!isOfScheduler) throw error;
    return { run: null, fault: (error as Error).message };
  }
}

function isAssertion(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith("internal fault: ");
}

/** What is wrong with the attempts of a finished run: each ends once, and each task is done once. Null: nothing. */
export function lostWork({ run, watch }: { run: Simulation; watch: ContractWatch | null }): string | null {
  const { recorder, slots, attempts } = run.master.master;
  const { tasks, workload } = recorder;
  if (tasks === null || watch === null) return null;
  const column = (name: "job" | "type" | "index" | "attempt" | "outcome"): Float64Array => tasks.column(name);
  const [job, type, index, attempt, outcome] = [
    column("job"),
    column("type"),
    column("index"),
    column("attempt"),
    column("outcome"),
  ];
  const ended = new Set<string>();
  const done = new Map<number, number>();
  let rows = 0;
  for (let row = 0; row < tasks.rows; row++) {
    if (type[row] > REDUCE) continue;
    rows++;
    const name = `attempt ${attempt[row]} of ${type[row] === MAP ? "map" : "reduce"} ${index[row]} of job ${job[row]}`;
    if (ended.has(name)) return `found two ends of ${name}, allowed one`;
    ended.add(name);
    if (outcome[row] === 0) done.set(job[row], (done.get(job[row]) ?? 0) + 1);
  }
  const launched = watch.launches[MAP] + watch.launches[REDUCE];
  const stillThere = slots.taken[MAP] + slots.taken[REDUCE] + attempts.awaitingCommit;
  if (rows > launched || launched > rows + stillThere) {
    return `found ${String(launched)} launches and ${String(rows)} ends of attempts, allowed as many`;
  }
  for (const [id, spec] of workload.jobs.entries()) {
    if (recorder.hasFailed[id] !== 0) continue;
    const times = done.get(id) ?? 0;
    const wanted = spec.maps + spec.reduces;
    const most = wanted + recorder.outputsLost;
    if (times < wanted || times > most) return `found ${times} tasks of job ${id} done, allowed ${wanted}`;
  }
  return null;
}

/** Which job has not ended, and what of it waits; null if all have. */
export function unfinished({ run }: { run: Simulation }): string | null {
  if (run.allEnded) return null;
  const { jobs, recorder }: Master = run.master.master;
  const open = recorder.jobsSubmitted - recorder.jobsEnded - recorder.jobsRefused;
  for (let job = 0; job < jobs.handles; job++) {
    if (jobs.state[job] === 0) continue;
    const { name } = recorder.workload.jobs[jobs.id[job]];
    const [maps, reduces] = SLOT_TYPES.map((type) => jobs.pending[type][job]);
    const pending = `${counted(maps, "map")} and ${counted(reduces, "reduce")} pending`;
    return `found ${counted(open, "job")} unfinished, ${name} with ${pending}, allowed none`;
  }
  return `found ${counted(open, "job")} unfinished, allowed none`;
}
