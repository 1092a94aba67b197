import type {
  ContractCheck,
  ContractCheckKey,
  ContractFinding,
  ContractReport,
} from "../../core/metrics/contract-report.js";
import { MAP } from "../../core/jobs/job-table.js";
import { US_PER_SECOND } from "../../core/kernel/time.js";
import { builderWith } from "../../core/scheduler/build-scheduler.js";
import type { BuildKind } from "../../core/scheduler/built-scheduler.js";
import { SCHEDULER_KINDS } from "../../core/scheduler/kinds.js";
import type { SchedulerPlugin } from "../../core/scheduler/plugin/plugin-face.js";
import { parseScenario } from "../../io/scenario/load.js";
import { loadWorkload } from "../../io/workloads/load.js";
import { contractCases, type ContractCase } from "./contract-cases.js";
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

const ASKS: Readonly<Record<ContractCheckKey, string>> = {
  plans: "launches and kills only what may be launched and killed",
  work: "every attempt ends once, every task is done once",
  ends: "every job of a finite workload ends",
  "small-job": "a small job amid a stream of others starts within two minutes",
  again: "the same run twice has one fingerprint",
  heartbeats: "nothing happens on heartbeats that it does not want to see",
  placement: "one fingerprint in any slices and on any threads",
};

/** The names of the kit's scenarios. */
export function contractCaseNames(): string[] {
  return contractCases("1").map(({ name }) => name);
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
  const plugin = (options.plugins ?? []).find((known) => known.name === name);
  const mayStarve = plugin?.mayStarve ?? SCHEDULER_KINDS.find((kind) => kind.name === name)?.mayStarve ?? false;
  const checks = kit.checks(mayStarve);
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

/** One scheduler on its way through the scenarios. */
class Kit {
  runs = 0;
  /** Maps launched, and map slots that stayed free although a map waited. */
  launched = 0;
  leftFree = 0;
  private readonly findings = new Map<ContractCheckKey, ContractFinding[]>();

  constructor(
    private readonly name: string,
    private readonly seed: string,
    private readonly options: CheckOptions,
  ) {}

  checks(mayStarve: boolean): ContractCheck[] {
    return (Object.keys(ASKS) as ContractCheckKey[]).map((key) => {
      const findings = this.findings.get(key) ?? [];
      const waived = mayStarve && key === "small-job";
      return { key, asks: ASKS[key], waived, passed: waived || findings.length === 0, findings };
    });
  }

  /** What comes first is what later checks rest upon: a run that failed is compared with nothing. */
  async run(one: ContractCase): Promise<void> {
    const runAs = await this.runner(one);
    const first = await runAs({ threads: 0, slices: 1, watch: { seesAll: false } });
    if (first.run === null) return this.find("plans", one, first.fault);
    if (first.watch !== null) {
      this.launched += first.watch.launches[MAP];
      this.leftFree += first.watch.leftFree[MAP];
    }
    const never = unfinished(first);
    if (never !== null) return this.find("ends", one, never);
    const lost = lostWork(first);
    if (lost !== null) this.find("work", one, lost);
    this.checkSmallJob(one, first);
    const again = await runAs({ threads: 0, slices: 1, watch: null });
    if (differs(first, again)) return this.find("again", one, `found ${both(first, again)}, allowed one fingerprint`);
    const all = await runAs({ threads: 0, slices: 1, watch: { seesAll: true } });
    if (differs(first, all)) {
      this.find("heartbeats", one, `found ${both(first, all)} when it sees every heartbeat, allowed no difference`);
    }
    for (const [threads, slices] of one.onThreads ? PLACES_WITH_THREADS : PLACES) {
      const placed = await runAs({ threads, slices, watch: null });
      const where = `on ${String(threads)} threads in ${String(slices)} slices`;
      if (differs(first, placed))
        this.find("placement", one, `found ${both(first, placed)} ${where}, allowed no difference`);
    }
  }

  private async runner(one: ContractCase): Promise<(way: RunWay) => Promise<KitRun>> {
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

  private checkSmallJob(one: ContractCase, { run }: KitRun & { run: object }): void {
    if (one.soon === undefined) return;
    const { job: name, withinSeconds } = one.soon;
    const { recorder } = run.master.master;
    const id = recorder.workload.jobs.findIndex((job) => job.name === name);
    const waitedUs = recorder.firstLaunchUs[id] - recorder.workload.jobs[id].submitAtUs;
    if (waitedUs <= withinSeconds * US_PER_SECOND) return;
    const found = `the first task of ${name} ${(waitedUs / US_PER_SECOND).toFixed(0)} s after its submission`;
    this.find("small-job", one, `found ${found}, allowed ${String(withinSeconds)} s`);
  }

  private find(key: ContractCheckKey, { name: scenario }: ContractCase, message: string): void {
    const findings = this.findings.get(key) ?? [];
    this.findings.set(key, findings);
    findings.push({ scenario, message });
  }
}

const PLACES = [[0, 3]] as const;
/** A thread per rack is three. */
const PLACES_WITH_THREADS = [...PLACES, [2, 2], [3, 1]] as const;

function differs(first: KitRun & { run: object }, other: KitRun): boolean {
  return other.run === null || other.fingerprint !== first.fingerprint;
}

function both(first: KitRun & { run: object }, other: KitRun): string {
  return other.run === null ? other.fault : `fingerprints ${first.fingerprint} and ${other.fingerprint}`;
}
