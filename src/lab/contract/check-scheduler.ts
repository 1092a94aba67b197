import type { ContractReport } from "../../experiments/contract-report.js";
import { MAP } from "../../core/jobs/job-table.js";
import { NODE_LOCAL } from "../../core/jobs/nearness.js";
import { US_PER_SECOND } from "../../core/kernel/time.js";
import { builderWith } from "../../core/scheduler/build-scheduler.js";
import type { BuildKind } from "../../core/scheduler/scheduler.js";
import { SCHEDULER_KINDS } from "../../core/scheduler/kinds.js";
import type { SchedulerPlugin } from "../../core/scheduler/plugin/plugin-face.js";
import { parseScenario } from "../../io/scenario/load.js";
import { loadWorkload } from "../../io/workloads/load.js";
import { contractCaseNames, contractCases, type ContractCase } from "./contract-cases.js";
import { Verdicts } from "./verdicts.js";
import { kitRun, lostWork, unfinished, type KitRun, type RunWay } from "./watched-run.js";

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
  /** How the scheduler is composed, if not as the registry and the plugins say. */
  readonly build?: BuildKind;
}

/**
 * Runs a scheduler on the scenarios of the kit, and checks what every scheduler must keep to.
 * @param name a built-in kind, or a plugin of the options.
 * @throws InputError when there is no such scheduler, or `set` does not fit.
 */
export async function checkScheduler(name: string, options: CheckOptions = {}): Promise<ContractReport> {
  const seed = options.seed ?? "1";
  const only = options.only ?? contractCaseNames();
  const cases = contractCases(seed).filter((one) => only.includes(one.name));
  const kit = new Kit(name, seed, options);
  for (const one of cases) {
    options.signal?.throwIfAborted();
    options.onProgress?.(one.name);
    await kit.run(one);
  }
  const mayStarve = kit.plugin?.mayStarve ?? SCHEDULER_KINDS.find((kind) => kind.name === name)?.mayStarve ?? false;
  const checks = kit.verdicts.checks(mayStarve);
  return {
    format: "bide-contract",
    version: 1,
    scheduler: name,
    seed,
    scenarios: cases.map((one) => one.name),
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

  constructor(
    private readonly name: string,
    private readonly seed: string,
    private readonly options: CheckOptions,
  ) {
    this.plugin = (options.plugins ?? []).find((known) => known.name === name) ?? null;
  }

  /** What comes first is what later checks rest upon: a run that failed is compared with nothing. */
  async run(one: ContractCase): Promise<void> {
    const { verdicts } = this;
    const runAs = await this.runner(one);
    verdicts.ask("plans", one);
    const first = await runAs({ threads: 0, slices: 1, watch: { seesAll: false } });
    if (first.run === null) {
      verdicts.find("plans", one, first.fault);
      return verdicts.leave(one, "the run was stopped by what it did");
    }
    if (first.watch !== null) {
      this.launched += first.watch.launches[MAP];
      this.leftFree += first.watch.leftFree[MAP];
    }
    if (!this.doesItsWork(one, first)) return;
    this.checkSmallJob(one, first);
    verdicts.ask("again", one);
    const again = await runAs({ threads: 0, slices: 1, watch: null });
    if (differs(first, again)) {
      verdicts.find("again", one, `found ${both(first, again)}, allowed one fingerprint`);
      return verdicts.leave(one, "it has no one fingerprint to compare with");
    }
    await this.compareWays(one, first, runAs);
    await this.checkWaits(one, first);
  }

  /** Whether all was done, and done once. */
  private doesItsWork(one: ContractCase, first: FinishedRun): boolean {
    const { verdicts } = this;
    verdicts.ask("ends", one);
    const never = unfinished(first);
    if (never !== null) {
      verdicts.find("ends", one, never);
      verdicts.leave(one, "its jobs did not end");
      return false;
    }
    verdicts.ask("work", one);
    const lost = lostWork(first);
    if (lost === null) return true;
    verdicts.find("work", one, lost);
    verdicts.leave(one, "its work was not done once");
    return false;
  }

  /** The ways of making a run that are to change nothing. */
  private async compareWays(one: ContractCase, first: FinishedRun, runAs: RunAs): Promise<void> {
    const { verdicts } = this;
    verdicts.ask("heartbeats", one);
    const all = await runAs({ threads: 0, slices: 1, watch: { seesAll: true } });
    if (differs(first, all)) {
      const found = `found ${both(first, all)} when it sees every heartbeat`;
      verdicts.find("heartbeats", one, `${found}, allowed no difference`);
    }
    verdicts.ask("placement", one);
    if (one.onThreads) verdicts.ask("threads", one);
    for (const [threads, slices] of one.onThreads ? PLACES_WITH_THREADS : PLACES) {
      const placed = await runAs({ threads, slices, watch: null });
      if (!differs(first, placed)) continue;
      const where = `on ${String(threads)} threads in ${String(slices)} slices`;
      const key = threads === 0 ? "placement" : "threads";
      verdicts.find(key, one, `found ${both(first, placed)} ${where}, allowed no difference`);
    }
  }

  /**
   * A wait that counts from the submission is over before the job may launch anything. So a scheduler that runs jobs beside their
   * data where they need no set-up must do so where they need one; and one that states that it waits must do so in both.
   */
  private async checkWaits(one: ContractCase, { run }: FinishedRun): Promise<void> {
    if (one.waits !== true) return;
    const { verdicts } = this;
    const withoutSetUp = { ...one, sections: { ...one.sections, runtime: { jobSetup: 0 } } };
    const other = await (await this.runner(withoutSetUp))({ threads: 0, slices: 1, watch: null });
    if (other.run === null) {
      verdicts.find("plans", one, `${other.fault} (where jobs need no set-up)`);
      return verdicts.leave(one, "the run was stopped by what it did");
    }
    const near = localShare(run);
    const nearWithout = localShare(other.run);
    const states = this.plugin?.waitsForData === true;
    if (!states && nearWithout < WAITED_SHARE && near < WAITED_SHARE) {
      return verdicts.leave(one, "it does not wait for data, nor state that it does");
    }
    verdicts.ask("waits", one);
    if (near >= WAITED_SHARE && nearWithout >= WAITED_SHARE) return;
    const shares = `${percent(near)} of maps beside their data, ${percent(nearWithout)} where jobs need no set-up`;
    const needed = states ? ` of a scheduler that states waitsForData` : " in both";
    verdicts.find("waits", one, `found ${shares}, allowed ${percent(WAITED_SHARE)} or more${needed}`);
  }

  private async runner(one: ContractCase): Promise<RunAs> {
    const { plugins = [], set = [] } = this.options;
    const text = JSON.stringify({ ...one.sections, scheduler: { kind: this.name } });
    const { scenario } = parseScenario(text, `the kit's scenario ${one.name}`, { plugins, set, seed: this.seed });
    const workload = await loadWorkload(scenario, ".");
    const build = this.options.build ?? builderWith(plugins, this.seed);
    return async (way) => {
      this.runs++;
      return kitRun(scenario, workload, build, way);
    };
  }

  private checkSmallJob(one: ContractCase, { run }: FinishedRun): void {
    if (one.soon === undefined) return;
    this.verdicts.ask("small-job", one);
    const { job: name, withinSeconds } = one.soon;
    const { recorder } = run.master.master;
    const id = recorder.workload.jobs.findIndex((job) => job.name === name);
    const waitedUs = recorder.firstLaunchUs[id] - recorder.workload.jobs[id].submitAtUs;
    if (waitedUs <= withinSeconds * US_PER_SECOND) return;
    const found = `the first task of ${name} ${(waitedUs / US_PER_SECOND).toFixed(0)} s after its submission`;
    this.verdicts.find(
      "small-job",
      one,
      `found ${found}, allowed ${String(withinSeconds)} s; a plugin that means it states mayStarve: true`,
    );
  }
}

/** Of maps beside their data: who waits for a round of heartbeats has nearly all of them there, who does not a ninth. */
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

function differs(first: FinishedRun, other: KitRun): boolean {
  return other.run === null || other.fingerprint !== first.fingerprint;
}

function both(first: FinishedRun, other: KitRun): string {
  return other.run === null ? other.fault : `fingerprints ${first.fingerprint} and ${other.fingerprint}`;
}
