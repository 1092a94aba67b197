import {
  MAP,
  REDUCE,
  SLOT_TYPES,
  NODE_LOCAL,
  type Master,
  builderWith,
  ContractBreach,
  ContractWatch,
  watchedLauncher,
  watchedScheduler,
  PluginError,
  type SchedulerPlugin,
  type BuildKind,
} from "../../core/platforms/hadoop/index.js";
import type { OneThread } from "../../actors/index.js";
import { sumOver, namesOf, US_PER_SECOND, counted } from "../../core/kernel/index.js";
import { type Scenario, SCHEDULER_KINDS } from "../../core/scenario/index.js";
import type { Workload } from "../../core/workload/index.js";
import {
  CONTRACT_CHECK_KEYS,
  type ContractCheck,
  type ContractCheckKey,
  type ContractFinding,
  type ContractGap,
  type ContractReport,
} from "../../experiments/index.js";
import { parseScenario, loadWorkload, mismatch } from "../../io/index.js";
import { simulate, type ActorsRun } from "../simulate.js";
import { type ContractCase, contractCaseNames, contractCases } from "./contract-cases.js";

export interface CheckOptions {
  readonly plugins?: readonly SchedulerPlugin[];
  /** Changes to each scenario of the kit, `path=value`. */
  readonly set?: readonly string[];
  /** Default `1`. */
  readonly seed?: string;
  /** Names of scenarios; default: all. */
  readonly only?: readonly string[];
  readonly signal?: AbortSignal;
  readonly onProgress?: (scenario: string) => void;
  /** Composes the scheduler, in place of the registry and the plugins. */
  readonly build?: BuildKind;
}

/**
 * Runs a scheduler on the scenarios of the kit, and checks what every scheduler must keep to.
 * @param name a built-in kind, or a plugin of the options.
 * @throws InputError when no scheduler has that name, or `set` does not fit.
 */
export async function checkScheduler(name: string, options: CheckOptions = {}): Promise<ContractReport> {
  const seed = options.seed ?? "1";
  const only = options.only ?? contractCaseNames();
  const cases = contractCases(seed).filter((contractCase) => only.includes(contractCase.name));
  const kit = new Kit(name, seed, options);
  try {
    for (const contractCase of cases) {
      options.signal?.throwIfAborted();
      options.onProgress?.(contractCase.name);
      await kit.run(contractCase);
    }
  } finally {
    await kit.close();
  }
  const mayStarve = kit.plugin?.mayStarve ?? SCHEDULER_KINDS.find((kind) => kind.name === name)?.mayStarve ?? false;
  const checks = kit.verdicts.checks(mayStarve);
  return {
    format: "bide-contract",
    version: 1,
    scheduler: name,
    seed,
    scenarios: cases.map((contractCase) => contractCase.name),
    runs: kit.runs,
    passed: checks.every(({ passed }) => passed),
    checks,
    leftFree: kit.leftFree / Math.max(1, kit.leftFree + kit.launched),
  };
}

type FinishedRun = Extract<KitRun, { readonly fault: null }>;

type RunAs = (way: RunWay) => Promise<KitRun>;

/** One scheduler on its way through the scenarios. */
class Kit {
  runs = 0;
  /** Maps launched, and map slots that stayed free although a map waited. */
  launched = 0;
  leftFree = 0;
  readonly verdicts = new Verdicts();
  /** null: the scheduler is built in. */
  readonly plugin: SchedulerPlugin | null;
  /** To start one takes longer than most runs of the kit. */
  private readonly idleThreads: OneThread[] = [];

  constructor(
    private readonly name: string,
    private readonly seed: string,
    private readonly options: CheckOptions,
  ) {
    this.plugin = (options.plugins ?? []).find((known) => known.name === name) ?? null;
  }

  async run(contractCase: ContractCase): Promise<void> {
    const reason = await this.whyLeft(contractCase);
    if (reason !== null) this.verdicts.leave(contractCase, reason);
  }

  /** Later checks rest upon the first: a run that failed is compared with nothing. @returns null: all were made. */
  private async whyLeft(contractCase: ContractCase): Promise<string | null> {
    const check = (key: ContractCheckKey, finding: string | null) => this.verdicts.check(key, contractCase, finding);
    const runAs = await this.runner(contractCase);
    const first = await runAs({ ...INLINE, watch: { seesAll: false } });
    if (!check("plans", first.fault) || first.run === null) return STOPPED;
    if (first.watch !== null) {
      this.launched += first.watch.launches[MAP];
      this.leftFree += first.watch.leftFree[MAP];
    }
    if (!check("ends", unfinished(first))) return "its jobs did not end";
    if (!check("work", lostWork(first))) return "its work was not done once";
    if (contractCase.soon !== undefined) check("small-job", lateStart(first, contractCase.soon));
    if (!check("again", difference(first, await runAs(INLINE), "", "one fingerprint")))
      return "it has no one fingerprint to compare with";
    // The ways of making a run that are to change nothing.
    const seeingAll = await runAs({ ...INLINE, watch: { seesAll: true } });
    check("heartbeats", difference(first, seeingAll, " when it sees every heartbeat"));
    for (const [threads, slices] of contractCase.onThreads ? PLACES_WITH_THREADS : PLACES) {
      const placed = await runAs({ threads, slices, watch: null });
      const where = ` on ${threads} threads in ${slices} slices`;
      check(threads === 0 ? "placement" : "threads", difference(first, placed, where));
    }
    return contractCase.waits === true ? this.checkWaits(contractCase, first) : null;
  }

  /**
   * A wait that counts from the submission is over before the job may launch anything. So a scheduler that runs jobs
   * beside their data where they need no set-up must do so where they need one; and one that states that it waits must
   * do so in both.
   */
  private async checkWaits(contractCase: ContractCase, { run }: FinishedRun): Promise<string | null> {
    const { verdicts } = this;
    const withoutSetUp = { ...contractCase, sections: { ...contractCase.sections, runtime: { jobSetup: 0 } } };
    const withoutSetUpRun = await (await this.runner(withoutSetUp))(INLINE);
    if (withoutSetUpRun.run === null) {
      verdicts.check("plans", contractCase, `${withoutSetUpRun.fault} (where jobs need no set-up)`);
      return STOPPED;
    }
    const near = localShare(run);
    const nearWithout = localShare(withoutSetUpRun.run);
    const states = this.plugin?.waitsForData === true;
    if (!states && nearWithout < WAITED_SHARE && near < WAITED_SHARE) {
      return "it does not wait for data, nor state that it does";
    }
    const shares = `${percent(near)} of maps beside their data, ${percent(nearWithout)} where jobs need no set-up`;
    const needed = states ? ` of a scheduler that states waitsForData` : " in both";
    const hasWaited = near >= WAITED_SHARE && nearWithout >= WAITED_SHARE;
    const finding = hasWaited ? null : `expected ${percent(WAITED_SHARE)} or more${needed}, found ${shares}`;
    verdicts.check("waits", contractCase, finding);
    return null;
  }

  async close(): Promise<void> {
    await Promise.all(this.idleThreads.map(async (thread) => thread.destroy()));
  }

  private async runner(contractCase: ContractCase): Promise<RunAs> {
    const { plugins = [], set = [] } = this.options;
    const text = JSON.stringify({ ...contractCase.sections, scheduler: { kind: this.name } });
    const { scenario } = parseScenario(text, `the kit's scenario ${contractCase.name}`, {
      plugins,
      set,
      seed: this.seed,
    });
    const workload = await loadWorkload(scenario, ".");
    const build = this.options.build ?? builderWith(plugins, this.seed);
    return async (way) => {
      this.runs++;
      return kitRun(scenario, workload, build, { ...way, idleThreads: this.idleThreads });
    };
  }
}

const INLINE: RunWay = { threads: 0, slices: 1, watch: null };

const STOPPED = "the run was stopped by what it did";

function lateStart({ run }: FinishedRun, { job: name, withinSeconds }: NonNullable<ContractCase["soon"]>) {
  const { recorder } = run.master.master;
  const id = recorder.workload.jobs.findIndex((job) => job.name === name);
  const waitedUs = recorder.firstLaunchUs[id] - recorder.workload.jobs[id].submitAtUs;
  if (waitedUs <= withinSeconds * US_PER_SECOND) return null;
  const actual = `the first task of ${name} started ${(waitedUs / US_PER_SECOND).toFixed(0)} s after its submission`;
  return `${actual}, expected within ${withinSeconds} s; a plugin that means it states mayStarve: true`;
}

/**
 * The least share of maps beside their data that shows a wait: a scheduler that waits for a round of heartbeats has
 * nearly all of them there, one that does not a ninth.
 */
const WAITED_SHARE = 0.8;

function localShare({ master }: FinishedRun["run"]): number {
  const { mapsAtTotal } = master.master.recorder;
  return mapsAtTotal[NODE_LOCAL] / sumOver(mapsAtTotal);
}

function percent(share: number): string {
  return `${(100 * share).toFixed(0)} %`;
}

const PLACES = [[0, 3]] as const;

/** A thread per rack is three. */
const PLACES_WITH_THREADS = [...PLACES, [2, 2], [3, 1]] as const;

/** Null: there is none. */
function difference(first: FinishedRun, second: KitRun, when: string, allowed = "no difference"): string | null {
  if (second.fingerprint === first.fingerprint) return null;
  const fingerprints = `fingerprints ${first.fingerprint} and ${String(second.fingerprint)}`;
  return mismatch(`${second.fault ?? fingerprints}${when}`, allowed);
}

const ASKS: Readonly<Record<ContractCheckKey, string>> = {
  plans: "launches and kills only what may be launched and killed",
  work: "every attempt ends once, every task is done once",
  ends: "every job of a finite workload ends",
  "small-job": "a small job amid a stream of others starts within two minutes",
  waits: "a job waits for its data as long after its set-up as without one",
  again: "the same run twice has one fingerprint",
  heartbeats: "nothing happens on heartbeats that it does not want to see",
  placement: "one fingerprint in any slices",
  threads: "one fingerprint on any threads",
};

/** Results of the kit's scenarios so far, by check. Scenarios that did not make a check are on record as well. */
export class Verdicts {
  private readonly ofChecks = CONTRACT_CHECK_KEYS.map((key) => ({
    key,
    askedIn: new Set<string>(),
    findings: [] as ContractFinding[],
    notAskedIn: [] as ContractGap[],
  }));

  /** The check was made in the scenario. @param message what is wrong; null: it passes. @returns whether it does. */
  check(key: ContractCheckKey, { name: scenario }: ContractCase, message: string | null): boolean {
    const { askedIn, findings } = this.ofChecks[CONTRACT_CHECK_KEYS.indexOf(key)];
    askedIn.add(scenario);
    if (message !== null) findings.push({ scenario, message });
    return message === null;
  }

  /** The scenario is over: why the checks that belong to it and were not made were not. */
  leave(contractCase: ContractCase, reason: string): void {
    for (const { key, askedIn, notAskedIn } of this.ofChecks) {
      if (belongs(key, contractCase) && !askedIn.has(contractCase.name))
        notAskedIn.push({ scenario: contractCase.name, reason });
    }
  }

  /** @param mayStarve the scheduler does not promise that small jobs start soon. */
  checks(mayStarve: boolean): ContractCheck[] {
    return this.ofChecks.map(({ key, findings, notAskedIn, ...made }) => {
      const askedIn = [...made.askedIn];
      const waived = mayStarve && key === "small-job";
      const passed = waived || findings.length === 0;
      const verdict = !passed ? "failed" : askedIn.length === 0 ? "not asked" : findings.length > 0 ? "waived" : "ok";
      const whyNot = askedIn.length > 0 ? null : (notAskedIn[0]?.reason ?? `asked only in ${homesOf(key)}`);
      return { key, asks: ASKS[key], verdict, waived, passed, findings, askedIn, notAskedIn, whyNot };
    });
  }
}

/** Whether the scenario is meant for this check. */
function belongs(key: ContractCheckKey, { soon, onThreads, waits }: ContractCase): boolean {
  if (key === "waits") return waits === true;
  if (key === "small-job") return soon !== undefined;
  return key !== "threads" || onThreads;
}

/** The scenarios that would make the check. */
function homesOf(key: ContractCheckKey): string {
  const homes = contractCases("1").filter((contractCase) => belongs(key, contractCase));
  return namesOf(homes).join(" and ");
}

/** The way in which a run of the kit is made. */
interface RunWay {
  readonly threads: number;
  readonly slices: number;
  /** That earlier runs have left. */
  readonly idleThreads?: OneThread[];
  /** null: without a watch. */
  readonly watch: { readonly seesAll: boolean } | null;
}

/** A finished run, or how it failed by fault of the scheduler. */
type KitRun =
  | {
      readonly run: ActorsRun;
      readonly fingerprint: string;
      readonly watch: ContractWatch | null;
      readonly fault: null;
    }
  | { readonly run: null; readonly fingerprint: null; readonly fault: string };

/** @throws whatever is no fault of the scheduler. */
export async function kitRun(scenario: Scenario, workload: Workload, build: BuildKind, way: RunWay): Promise<KitRun> {
  let watch: ContractWatch | null = null;
  const watched: BuildKind = (spec, around) => {
    const newWatch = new ContractWatch(around);
    watch = newWatch;
    const built = build(spec, { ...around, launcher: watchedLauncher(around.launcher, newWatch) });
    return { ...built, scheduler: watchedScheduler(built.scheduler, newWatch, way.watch?.seesAll === true) };
  };
  const { threads, slices, idleThreads } = way;
  const recordTasks = way.watch !== null;
  try {
    const run = await simulate(scenario, workload, {
      threads,
      slices,
      recordTasks,
      idleThreads,
      build: way.watch === null ? build : watched,
    });
    return { run, fingerprint: run.master.master.recorder.fingerprint.hex(), watch, fault: null };
  } catch (error) {
    // Failed assertions of the master are breaches of the contract too.
    const isOfScheduler = error instanceof ContractBreach || error instanceof PluginError || isAssertion(error);
    if (!isOfScheduler) throw error;
    return { run: null, fingerprint: null, fault: (error as Error).message };
  }
}

function isAssertion(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith("internal fault: ");
}

/** The fault in the attempts of a finished run: each ends once, and each task is done once. Null: no fault. */
export function lostWork({ run, watch }: { run: ActorsRun; watch: ContractWatch | null }): string | null {
  const { recorder, slots, attempts } = run.master.master;
  const { tasks, workload } = recorder;
  if (tasks === null || watch === null) return null;
  const { job, type, index, attempt, outcome } = tasks.columns();
  const ended = new Set<string>();
  const done = new Map<number, number>();
  let rows = 0;
  for (let row = 0; row < tasks.rows; row++) {
    if (type[row] > REDUCE) continue;
    rows++;
    const name = `attempt ${attempt[row]} of ${type[row] === MAP ? "map" : "reduce"} ${index[row]} of job ${job[row]}`;
    if (ended.has(name)) return `${name} ended twice`;
    ended.add(name);
    if (outcome[row] === 0) done.set(job[row], (done.get(job[row]) ?? 0) + 1);
  }
  const launched = watch.launches[MAP] + watch.launches[REDUCE];
  const stillThere = slots.takenSlots[MAP] + slots.takenSlots[REDUCE] + attempts.awaitingCommit;
  if (rows > launched || launched > rows + stillThere) {
    return `${launched} launches, and ${rows} ends of attempts`;
  }
  for (const [id, spec] of workload.jobs.entries()) {
    if (recorder.hasFailed[id] !== 0) continue;
    const times = done.get(id) ?? 0;
    const wanted = spec.maps + spec.reduces;
    const allowed = wanted + recorder.outputsLost;
    if (times < wanted || times > allowed) return `expected ${wanted} tasks of job ${id} done, found ${times}`;
  }
  return null;
}

/** Which job has not ended, and what of it waits; null if all have. */
export function unfinished({ run }: { run: ActorsRun }): string | null {
  if (run.allEnded) return null;
  const { jobs, recorder }: Master = run.master.master;
  const open = recorder.jobsSubmitted - recorder.jobsEnded - recorder.jobsRefused;
  for (let job = 0; job < jobs.handles; job++) {
    if (jobs.state[job] === 0) continue;
    const { name } = recorder.workload.jobs[jobs.id[job]];
    const [maps, reduces] = SLOT_TYPES.map((type) => jobs.pending[type][job]);
    const pending = `${counted(maps, "map")} and ${counted(reduces, "reduce")} pending`;
    return `${counted(open, "job")} unfinished, ${name} with ${pending}`;
  }
  return `${counted(open, "job")} unfinished`;
}
