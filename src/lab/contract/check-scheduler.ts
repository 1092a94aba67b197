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
import { US_PER_SECOND, counted } from "../../core/kernel/index.js";
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
import { parseScenario, loadWorkload } from "../../io/index.js";
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

  /** Later checks rest upon the first: a run that failed is compared with nothing. */
  async run(contractCase: ContractCase): Promise<void> {
    const { verdicts } = this;
    const runAs = await this.runner(contractCase);
    verdicts.ask("plans", contractCase);
    const first = await runAs({ threads: 0, slices: 1, watch: { seesAll: false } });
    if (first.run === null) {
      verdicts.find("plans", contractCase, first.fault);
      return verdicts.leave(contractCase, "the run was stopped by what it did");
    }
    if (first.watch !== null) {
      this.launched += first.watch.launches[MAP];
      this.leftFree += first.watch.leftFree[MAP];
    }
    if (!this.doesItsWork(contractCase, first)) return;
    this.checkSmallJob(contractCase, first);
    verdicts.ask("again", contractCase);
    const again = await runAs({ threads: 0, slices: 1, watch: null });
    if (differs(first, again)) {
      verdicts.find("again", contractCase, `found ${bothFingerprints(first, again)}, allowed one fingerprint`);
      return verdicts.leave(contractCase, "it has no one fingerprint to compare with");
    }
    await this.compareWays(contractCase, first, runAs);
    await this.checkWaits(contractCase, first);
  }

  /** Whether all was done, and done once. */
  private doesItsWork(contractCase: ContractCase, first: FinishedRun): boolean {
    const { verdicts } = this;
    verdicts.ask("ends", contractCase);
    const never = unfinished(first);
    if (never !== null) {
      verdicts.find("ends", contractCase, never);
      verdicts.leave(contractCase, "its jobs did not end");
      return false;
    }
    verdicts.ask("work", contractCase);
    const lost = lostWork(first);
    if (lost === null) return true;
    verdicts.find("work", contractCase, lost);
    verdicts.leave(contractCase, "its work was not done once");
    return false;
  }

  /** The ways of making a run that are to change nothing. */
  private async compareWays(contractCase: ContractCase, first: FinishedRun, runAs: RunAs): Promise<void> {
    const { verdicts } = this;
    verdicts.ask("heartbeats", contractCase);
    const seeingAll = await runAs({ threads: 0, slices: 1, watch: { seesAll: true } });
    if (differs(first, seeingAll)) {
      const difference = `found ${bothFingerprints(first, seeingAll)} when it sees every heartbeat`;
      verdicts.find("heartbeats", contractCase, `${difference}, allowed no difference`);
    }
    verdicts.ask("placement", contractCase);
    if (contractCase.onThreads) verdicts.ask("threads", contractCase);
    for (const [threads, slices] of contractCase.onThreads ? PLACES_WITH_THREADS : PLACES) {
      const placed = await runAs({ threads, slices, watch: null });
      if (!differs(first, placed)) continue;
      const where = `on ${String(threads)} threads in ${String(slices)} slices`;
      const key = threads === 0 ? "placement" : "threads";
      verdicts.find(key, contractCase, `found ${bothFingerprints(first, placed)} ${where}, allowed no difference`);
    }
  }

  /**
   * A wait that counts from the submission is over before the job may launch anything. So a scheduler that runs jobs
   * beside their data where they need no set-up must do so where they need one; and one that states that it waits must
   * do so in both.
   */
  private async checkWaits(contractCase: ContractCase, { run }: FinishedRun): Promise<void> {
    if (contractCase.waits !== true) return;
    const { verdicts } = this;
    const withoutSetUp = { ...contractCase, sections: { ...contractCase.sections, runtime: { jobSetup: 0 } } };
    const withoutSetUpRun = await (await this.runner(withoutSetUp))({ threads: 0, slices: 1, watch: null });
    if (withoutSetUpRun.run === null) {
      verdicts.find("plans", contractCase, `${withoutSetUpRun.fault} (where jobs need no set-up)`);
      return verdicts.leave(contractCase, "the run was stopped by what it did");
    }
    const near = localShare(run);
    const nearWithout = localShare(withoutSetUpRun.run);
    const states = this.plugin?.waitsForData === true;
    if (!states && nearWithout < WAITED_SHARE && near < WAITED_SHARE) {
      return verdicts.leave(contractCase, "it does not wait for data, nor state that it does");
    }
    verdicts.ask("waits", contractCase);
    if (near >= WAITED_SHARE && nearWithout >= WAITED_SHARE) return;
    const shares = `${percent(near)} of maps beside their data, ${percent(nearWithout)} where jobs need no set-up`;
    const needed = states ? ` of a scheduler that states waitsForData` : " in both";
    verdicts.find("waits", contractCase, `found ${shares}, allowed ${percent(WAITED_SHARE)} or more${needed}`);
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

  private checkSmallJob(contractCase: ContractCase, { run }: FinishedRun): void {
    if (contractCase.soon === undefined) return;
    this.verdicts.ask("small-job", contractCase);
    const { job: name, withinSeconds } = contractCase.soon;
    const { recorder } = run.master.master;
    const id = recorder.workload.jobs.findIndex((job) => job.name === name);
    const waitedUs = recorder.firstLaunchUs[id] - recorder.workload.jobs[id].submitAtUs;
    if (waitedUs <= withinSeconds * US_PER_SECOND) return;
    const actual = `the first task of ${name} ${(waitedUs / US_PER_SECOND).toFixed(0)} s after its submission`;
    this.verdicts.find(
      "small-job",
      contractCase,
      `found ${actual}, allowed ${String(withinSeconds)} s; a plugin that means it states mayStarve: true`,
    );
  }
}

/**
 * The least share of maps beside their data that shows a wait: a scheduler that waits for a round of heartbeats has
 * nearly all of them there, one that does not a ninth.
 */
const WAITED_SHARE = 0.8;

function localShare({ master }: FinishedRun["run"]): number {
  const { mapsAtTotal } = master.master.recorder;
  return mapsAtTotal[NODE_LOCAL] / mapsAtTotal.reduce((sum, maps) => sum + maps, 0);
}

function percent(share: number): string {
  return `${(100 * share).toFixed(0)} %`;
}

const PLACES = [[0, 3]] as const;

/** A thread per rack is three. */
const PLACES_WITH_THREADS = [...PLACES, [2, 2], [3, 1]] as const;

function differs(first: FinishedRun, second: KitRun): boolean {
  return second.run === null || second.fingerprint !== first.fingerprint;
}

function bothFingerprints(first: FinishedRun, second: KitRun): string {
  return second.run === null ? second.fault : `fingerprints ${first.fingerprint} and ${second.fingerprint}`;
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
  private readonly askedIn = new Map<ContractCheckKey, string[]>();
  private readonly findings = new Map<ContractCheckKey, ContractFinding[]>();
  private readonly gaps = new Map<ContractCheckKey, ContractGap[]>();

  /** The check is made in the scenario; its finding, if there is one, is added by `find`. */
  ask(key: ContractCheckKey, { name }: ContractCase): void {
    push(this.askedIn, key, name);
  }

  find(key: ContractCheckKey, { name: scenario }: ContractCase, message: string): void {
    push(this.findings, key, { scenario, message });
  }

  /** The scenario is over: why the checks that belong to it and were not made were not. */
  leave(contractCase: ContractCase, reason: string): void {
    for (const key of CONTRACT_CHECK_KEYS) {
      if (!belongs(key, contractCase) || this.askedIn.get(key)?.includes(contractCase.name) === true) continue;
      push(this.gaps, key, { scenario: contractCase.name, reason });
    }
  }

  /** @param mayStarve the scheduler does not promise that small jobs start soon. */
  checks(mayStarve: boolean): ContractCheck[] {
    return CONTRACT_CHECK_KEYS.map((key) => {
      const findings = this.findings.get(key) ?? [];
      const askedIn = this.askedIn.get(key) ?? [];
      const notAskedIn = this.gaps.get(key) ?? [];
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
  return homes.map(({ name }) => name).join(" and ");
}

function push<T>(lists: Map<ContractCheckKey, T[]>, key: ContractCheckKey, entry: T): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [entry]);
  else list.push(entry);
}

/** The way in which a run of the kit is made. */
export interface RunWay {
  readonly threads: number;
  readonly slices: number;
  /** That earlier runs have left. */
  readonly idleThreads?: OneThread[];
  /** null: without a watch. */
  readonly watch: { readonly seesAll: boolean } | null;
}

/** A finished run, or how it failed by fault of the scheduler. */
export type KitRun =
  | {
      readonly run: ActorsRun;
      readonly fingerprint: string;
      readonly watch: ContractWatch | null;
      readonly fault: null;
    }
  | { readonly run: null; readonly fault: string };

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
    return { run: null, fault: (error as Error).message };
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
    if (ended.has(name)) return `found two ends of ${name}, allowed one`;
    ended.add(name);
    if (outcome[row] === 0) done.set(job[row], (done.get(job[row]) ?? 0) + 1);
  }
  const launched = watch.launches[MAP] + watch.launches[REDUCE];
  const stillThere = slots.takenSlots[MAP] + slots.takenSlots[REDUCE] + attempts.awaitingCommit;
  if (rows > launched || launched > rows + stillThere) {
    return `found ${String(launched)} launches and ${String(rows)} ends of attempts, allowed as many`;
  }
  for (const [id, spec] of workload.jobs.entries()) {
    if (recorder.hasFailed[id] !== 0) continue;
    const times = done.get(id) ?? 0;
    const wanted = spec.maps + spec.reduces;
    const allowed = wanted + recorder.outputsLost;
    if (times < wanted || times > allowed) return `found ${times} tasks of job ${id} done, allowed ${wanted}`;
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
    return `found ${counted(open, "job")} unfinished, ${name} with ${pending}, allowed none`;
  }
  return `found ${counted(open, "job")} unfinished, allowed none`;
}
