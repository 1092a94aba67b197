import { tally } from "../../kernel/index.js";
import type { ExclusionSettings } from "./settings.js";

/**
 * Executors and hosts on which a task set starts nothing more, or not some of its tasks, because of failures there. It
 * never forgets.
 */
export class Exclusions {
  /** By executor, by task: failed attempts. */
  private readonly failures = new Map<number, Map<number, number>>();
  private readonly executorsOf = new Map<number, Set<number>>();
  private readonly executors = new Set<number>();
  private readonly hosts = new Set<number>();

  constructor(private readonly limits: ExclusionSettings) {}

  get isEmpty(): boolean {
    return this.failures.size === 0;
  }

  /** An attempt failed, and that counts. */
  failed(task: number, executor: number, host: number): void {
    const ofExecutor = this.failures.get(executor) ?? new Map<number, number>();
    this.failures.set(executor, ofExecutor);
    tally(ofExecutor, task);
    const onSameHost = this.executorsOf.get(host) ?? new Set<number>();
    this.executorsOf.set(host, onSameHost.add(executor));
    if (ofExecutor.size < this.limits.tasksPerExecutor) return;
    this.executors.add(executor);
    const excluded = [...onSameHost].filter((known) => this.executors.has(known)).length;
    if (excluded >= this.limits.executorsPerHost) this.hosts.add(host);
  }

  /** The whole task set starts nothing there. */
  excludes(executor: number, host: number): boolean {
    return this.executors.has(executor) || this.hosts.has(host);
  }

  excludesTask(task: number, executor: number, host: number): boolean {
    if (this.excludes(executor, host)) return true;
    if (this.failuresOf(task, executor) >= this.limits.attemptsPerExecutor) return true;
    let onHost = 0;
    for (const neighbour of this.executorsOf.get(host) ?? []) onHost += this.failuresOf(task, neighbour);
    return onHost >= this.limits.attemptsPerHost;
  }

  private failuresOf(task: number, executor: number): number {
    return this.failures.get(executor)?.get(task) ?? 0;
  }
}
